"""The clips kept with the tests: small, with a truth that the law agrees with, and with the command that made them."""

import json
from pathlib import Path

import av
import pytest

from referee.rules.contract import read_events
from referee.rules.record import replay

FOOTAGE = Path(__file__).parents[1] / "fixtures" / "footage"
CLIPS = sorted(FOOTAGE.glob("*.mp4"))


def test_there_are_clips_and_each_says_how_it_was_made() -> None:
    told = FOOTAGE.joinpath("README.md").read_text(encoding="utf-8")
    assert len(CLIPS) >= 3
    assert all(f"--out {clip.name}" in told for clip in CLIPS)


@pytest.mark.parametrize("clip", CLIPS, ids=lambda clip: clip.stem)
def test_a_clip_is_small_and_its_truth_describes_it(clip: Path) -> None:
    assert clip.stat().st_size < 2_000_000
    lines = [json.loads(line) for line in clip.with_suffix(".truth.jsonl").read_text(encoding="utf-8").splitlines()]
    head, deal, *events = lines

    assert (head["video"], head["size"]) == (clip.name, [1280, 720])
    assert deal["kind"] == "deal"
    with av.open(str(clip)) as film:
        stream = film.streams.video[0]
        assert (stream.width, stream.height) == (1280, 720)
        times = [float(packet.pts * packet.time_base) for packet in film.demux(stream) if packet.pts is not None]
    assert min(times) == 0.0
    assert max(event["t"] for event in events) < max(times) + 1 / head["fps"]


@pytest.mark.parametrize("clip", CLIPS, ids=lambda clip: clip.stem)
def test_the_law_agrees_with_the_truth_of_a_clip(clip: Path) -> None:
    record = read_events(clip.with_suffix(".truth.jsonl").read_text(encoding="utf-8"))

    assert [done.differs for done in replay(record) if done.differs] == []
