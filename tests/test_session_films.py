"""Films that are cut off or lose pictures: what is ruled is the same as far as they go."""

from __future__ import annotations

import json
from pathlib import Path

import av

from referee.calibrate.table_given import given_table
from referee.report.replaying import Outcome, Setting, replay_film
from referee.rules.ruleset import build
from referee.vision.frames import Frame, FrameSource
from referee.vision.video_file import VideoFile
from tests.golden_footage import CLIPS, Rows, golden, rulings
from tests.vision.truth_reader import TruthReader

END = 5.0
"""The first seconds of the clip are enough, s."""


class Thinned(FrameSource):
    """A film up to ``END`` of which pictures are missing here and there: it has 30 a second, then 20, then 15."""

    def __init__(self, source: FrameSource) -> None:
        self._source = source

    size = (1280, 720)
    description = "a thinned film"
    duration = END
    damage = ""

    def read(self) -> Frame | None:
        while (frame := self._source.read()) is not None and frame.t < END:
            kept = (lambda _index: True, lambda index: index % 3 > 0, lambda index: index % 2 == 0)[int(frame.t) % 3]
            if kept(frame.index):
                return frame
        return None

    def close(self) -> None:
        self._source.close()


def refereed(source: FrameSource, out: Path) -> tuple[Outcome, Rows]:
    truth = CLIPS / "calm.truth.jsonl"
    setting = Setting(build(), ("Ada", "Bo"), given_table(build(), zones=truth), "truth")
    outcome = replay_film("calm", source, TruthReader(truth), setting, out, lambda _t, _whole: None)
    return outcome, rulings(out / "calm.result.jsonl")


def named(rows: Rows, until: float) -> list[str]:
    return sorted(
        json.dumps({key: value for key, value in row.items() if key != "t"}) for row in rows if row["t"] < until
    )


def test_a_film_that_loses_pictures_gives_the_same_rulings(tmp_path: Path) -> None:
    with VideoFile(CLIPS / "calm.mp4") as film:
        _, found = refereed(Thinned(film), tmp_path)
    assert named(found, END - 1) == named(rulings(golden("calm")), END - 1)


def test_a_film_cut_off_in_the_middle_gives_the_rulings_up_to_there_and_says_so(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.mkv", tmp_path / "cut.mkv"
    with av.open(str(CLIPS / "calm.mp4")) as source, av.open(str(whole), "w") as target:
        stream = source.streams.video[0]
        copy = target.add_stream_from_template(stream)
        for packet in source.demux(stream):
            if packet.dts is not None:
                packet.stream = copy
                target.mux(packet)
    data = whole.read_bytes()
    cut.write_bytes(data[: len(data) * 2 // 5])
    with VideoFile(cut) as film:
        outcome, found = refereed(film, tmp_path)
    assert 1.5 < outcome.seconds < 8.0
    assert outcome.damage
    assert named(found, outcome.seconds - 1) == named(rulings(golden("calm")), outcome.seconds - 1)
