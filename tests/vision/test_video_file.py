"""Films: times, turning, damage, seeking."""

from __future__ import annotations

import gc
import random
import wave
from fractions import Fraction
from itertools import accumulate, pairwise
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from referee.errors import UserError
from referee.vision.frames import Frame
from referee.vision.video_file import VideoFile
from tests.vision.films import (
    ANTICLOCKWISE,
    CLOCKWISE,
    MIRRORED,
    SIZE,
    UPRIGHT,
    UPSIDE_DOWN,
    everything,
    film,
    numbers,
    steady,
    turn,
)

INDEX_FIRST = {"movflags": "faststart"}
UNEVEN = tuple(accumulate(random.Random(5).choices((3, 8, 20, 40, 41, 300), k=59), initial=0))
"""Stamps of a variable rate, in thousandths of a second: up to 333 pictures a second, and 0.3 s without one."""


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Intact films that tests read, or copy and damage: 48 pictures at 30 a second, 60 at uneven times."""
    folder = tmp_path_factory.mktemp("films")
    return {
        "mp4": steady(folder / "even.mp4", 48, options=INDEX_FIRST),
        "mkv": steady(folder / "even.mkv", 48),
        "ts": steady(folder / "even.ts", 48),
        "avi": steady(folder / "even.avi", 48, codec="mpeg4"),
        "fragments": steady(folder / "fragments.mp4", 48, options={"movflags": "frag_keyframe+empty_moov"}),
        "uneven mp4": film(folder / "uneven.mp4", UNEVEN, Fraction(1, 1000)),
        "uneven mkv": film(folder / "uneven.mkv", UNEVEN, Fraction(1, 1000)),
    }


def read(path: Path) -> tuple[list[Frame], str]:
    with VideoFile(path) as source:
        return everything(source), source.damage


@pytest.mark.parametrize("rate", [Fraction(24000, 1001), 24, 25, 30, 50, 60, 120])
def test_every_picture_comes_at_its_time_at_every_rate(tmp_path: Path, rate: Fraction | int) -> None:
    frames, damage = read(steady(tmp_path / "film.mp4", 31, rate))
    assert numbers(frames) == list(range(31))
    assert [frame.t for frame in frames] == pytest.approx([float(n / Fraction(rate)) for n in range(31)], abs=1e-4)
    assert damage == ""


@pytest.mark.parametrize("kind", ["uneven mp4", "uneven mkv"])
def test_times_of_variable_rate_are_exactly_the_presentation_times(films: dict[str, Path], kind: str) -> None:
    frames, damage = read(films[kind])
    assert [frame.t for frame in frames] == [stamp / 1000 for stamp in UNEVEN]
    assert numbers(frames) == list(range(60))
    assert damage == ""


def test_time_starts_at_the_first_picture(tmp_path: Path) -> None:
    frames, _ = read(film(tmp_path / "late.mkv", range(500, 520), Fraction(1, 1000)))
    assert [frame.t for frame in frames] == [n / 1000 for n in range(20)]


@pytest.mark.parametrize(
    ("matrix", "as_shown"),
    [
        (UPRIGHT, lambda stored: stored),
        (CLOCKWISE, lambda stored: np.rot90(stored, -1)),
        (UPSIDE_DOWN, lambda stored: np.rot90(stored, 2)),
        (ANTICLOCKWISE, lambda stored: np.rot90(stored, 1)),
        (MIRRORED, lambda stored: stored[:, ::-1]),
    ],
)
def test_pictures_are_turned_as_the_file_says(tmp_path: Path, matrix, as_shown) -> None:  # type: ignore[no-untyped-def]
    path = steady(tmp_path / "film.mp4", 5)
    stored, _ = read(path)
    with VideoFile(turn(path, matrix)) as source:
        shown = everything(source)
        assert source.size == shown[0].image.shape[1::-1]
    assert len(shown) == 5
    for before, after in zip(stored, shown, strict=True):
        np.testing.assert_array_equal(after.image, as_shown(before.image))


def whole_packets(path: Path, cut: int) -> int:
    with av.open(str(path)) as container:
        packets = [packet for packet in container.demux(video=0) if packet.size]
    return sum(packet.pos + packet.size <= cut for packet in packets)


def test_a_film_cut_off_anywhere_gives_every_whole_picture_and_says_so(films: dict[str, Path], tmp_path: Path) -> None:
    whole = films["mp4"].read_bytes()
    cut_film = tmp_path / "cut.mp4"
    opened = 0
    for cut in range(0, len(whole), len(whole) // 60):
        cut_film.write_bytes(whole[:cut])
        expected = whole_packets(films["mp4"], cut)
        if not expected:
            with pytest.raises(UserError, match=r"cut\.mp4"):
                VideoFile(cut_film)
            continue
        opened += 1
        frames, damage = read(cut_film)
        assert len(frames) == expected
        assert all(before < after for before, after in pairwise(numbers(frames)))
        assert str(cut_film) in damage
    assert opened > 30


@pytest.mark.parametrize("kind", ["mkv", "ts", "avi", "fragments"])
def test_other_containers_cut_off_anywhere_give_what_is_there(
    films: dict[str, Path], tmp_path: Path, kind: str
) -> None:
    whole = films[kind].read_bytes()
    cut_film = tmp_path / films[kind].name
    most = 0
    for cut in range(0, len(whole), len(whole) // 30):
        cut_film.write_bytes(whole[:cut])
        if not most:
            try:
                VideoFile(cut_film).close()
            except UserError:
                continue
        frames, damage = read(cut_film)
        shown = numbers(frames)
        assert all(before < after for before, after in pairwise(shown))
        assert len(shown) >= most
        most = len(shown)
        if (kind == "mkv" and len(shown) < 47) or (kind == "fragments" and len(shown) < 48):
            assert "cut off" in damage or "cannot be decoded" in damage
    assert most >= 45


KEPT = {"mp4": 40, "avi": 40, "ts": 30, "mkv": 12, "fragments": 8}
"""Pictures of 48 that garbage over a twentieth of the film leaves: what its container does not know to skip is lost."""


@pytest.mark.parametrize("kind", KEPT)
def test_garbage_in_the_middle_costs_only_what_it_touches(films: dict[str, Path], tmp_path: Path, kind: str) -> None:
    whole = films[kind].read_bytes()
    rng = random.Random(11)
    damaged = tmp_path / films[kind].name
    for length in (3, 40, 400) * 6:
        at = rng.randrange(len(whole) // 3, len(whole) * 2 // 3)
        damaged.write_bytes(whole[:at] + rng.randbytes(length) + whole[at + length :])
        frames, damage = read(damaged)
        assert all(before.t < after.t for before, after in pairwise(frames))
        assert [frame.index for frame in frames] == list(range(len(frames)))
        assert len(frames) >= KEPT[kind]
        if len(frames) < 48 and kind == "mp4":
            assert str(damaged) in damage


def test_a_damaged_film_gives_the_same_pictures_each_time(films: dict[str, Path], tmp_path: Path) -> None:
    whole = films["mkv"].read_bytes()
    damaged = tmp_path / "damaged.mkv"
    damaged.write_bytes(whole[:3000] + bytes(200) + whole[3200:])
    first, damage = read(damaged)
    again, _ = read(damaged)
    assert damage
    assert [frame.t for frame in first] == [frame.t for frame in again]
    assert all(np.array_equal(a.image, b.image) for a, b in zip(first, again, strict=True))


def test_films_joined_end_to_end_go_on_in_time(films: dict[str, Path], tmp_path: Path) -> None:
    joined = tmp_path / "joined.ts"
    joined.write_bytes(films["ts"].read_bytes() * 2)
    frames, damage = read(joined)
    assert numbers(frames) == [*range(48), *range(48)]
    assert all(0 < after.t - before.t < 0.1 for before, after in pairwise(frames))
    assert "without a time" in damage


def test_pictures_of_another_size_are_left_out_and_told(films: dict[str, Path], tmp_path: Path) -> None:
    other = steady(tmp_path / "other.ts", 10, size=(320, 240))
    joined = tmp_path / "joined.ts"
    joined.write_bytes(films["ts"].read_bytes() + other.read_bytes())
    frames, damage = read(joined)
    assert numbers(frames) == list(range(48))
    assert "10 pictures of another size" in damage


def test_an_index_that_never_was_written_is_told_from_no_video(tmp_path: Path) -> None:
    path = steady(tmp_path / "film.mp4", 10)
    path.write_bytes(path.read_bytes()[:1500])
    with pytest.raises(UserError, match=r"film\.mp4 cannot be read.*index"):
        VideoFile(path)


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("empty.mp4", b"", "is empty"),
        ("letter.mp4", b"Dear referee,\nthat was my card.\n" * 40, "is no video"),
        ("notes.txt", b"Dear referee\n", "is no video"),
        ("letter.srt", b"1\n00:00:01,000 --> 00:00:02,000\nSpit!\n", "holds no film"),
    ],
)
def test_what_is_no_video_is_refused(tmp_path: Path, name: str, content: bytes, complaint: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UserError, match=f"{name} {complaint}"):
        VideoFile(path)


def test_sound_alone_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "song.wav"
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(8000))
    with pytest.raises(UserError, match=r"song\.wav has sound but no film"):
        VideoFile(path)


def test_the_picture_on_a_song_is_no_film(tmp_path: Path) -> None:
    path = tmp_path / "song.mp3"
    with av.open(str(path), "w", options={"id3v2_version": "0", "write_xing": "0"}) as container:
        stream = container.add_stream("libmp3lame", rate=8000, layout="mono")
        silence = av.AudioFrame.from_ndarray(np.zeros((1, 8000), np.int16), format="s16p", layout="mono")
        silence.rate = 8000
        container.mux(stream.encode(silence))
        container.mux(stream.encode(None))
    cover = cv2.imencode(".png", np.zeros((32, 32, 3), np.uint8))[1].tobytes()
    picture = b"\0image/png\0\3\0" + cover
    tag = b"APIC" + len(picture).to_bytes(4, "big") + b"\0\0" + picture
    size = bytes(len(tag) >> shift & 127 for shift in (21, 14, 7, 0))
    path.write_bytes(b"ID3\3\0\0" + size + tag + path.read_bytes())
    with av.open(str(path)) as container:
        assert container.streams.video
    with pytest.raises(UserError, match=r"song\.mp3 has sound but no film"):
        VideoFile(path)


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nowhere\.mp4: there is no such file"):
        VideoFile(tmp_path / "nowhere.mp4")
    with pytest.raises(UserError, match="is no file"):
        VideoFile(tmp_path)


@pytest.mark.parametrize("name", ["rtsp:evening.mp4", "100%d done.mp4", "wieczór äö.mp4"])
def test_names_are_only_names(films: dict[str, Path], tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(films["mp4"].read_bytes())
    frames, _ = read(path)
    assert len(frames) == 48


@pytest.mark.parametrize("kind", ["mp4", "mkv", "ts", "avi", "fragments", "uneven mp4", "uneven mkv"])
def test_seeking_finds_the_first_frame_shown_from_then_on(films: dict[str, Path], kind: str) -> None:
    frames, _ = read(films[kind])
    rng = random.Random(3)
    with VideoFile(films[kind]) as source:
        for wanted in rng.sample(range(1, len(frames)), 12):
            for t in (frames[wanted].t, (frames[wanted - 1].t + frames[wanted].t) / 2):
                source.seek(t)
                found = source.read()
                assert found is not None
                assert (found.index, found.t) == (wanted, frames[wanted].t)
                np.testing.assert_array_equal(found.image, frames[wanted].image)
                following = source.read()
                assert (None if following is None else following.index) == (
                    wanted + 1 if wanted + 1 < len(frames) else None
                )
        assert source.damage == ""


def test_seeking_before_the_start_and_behind_the_end(films: dict[str, Path]) -> None:
    with VideoFile(films["mp4"]) as source:
        assert len(everything(source)) == 48
        source.seek(100.0)
        assert source.read() is None
        source.seek(-1.0)
        assert len(everything(source)) == 48
    source.seek(0.0)
    assert source.read() is None


def test_a_film_says_how_long_it_is(films: dict[str, Path]) -> None:
    for kind, seconds in (("mp4", 1.6), ("mkv", 1.6), ("ts", 1.6), ("uneven mp4", UNEVEN[-1] / 1000)):
        with VideoFile(films[kind]) as source:
            assert source.duration == pytest.approx(seconds, abs=0.3)
            assert source.size == SIZE


def test_a_closed_film_leaves_no_picture_in_memory(films: dict[str, Path]) -> None:
    def pictures() -> set[int]:
        return {id(thing) for thing in gc.get_objects() if type(thing) is av.VideoFrame}

    gc.collect()
    gc.disable()
    try:
        before = pictures()
        read(films["mp4"])
        VideoFile(films["mp4"]).close()
        assert pictures() <= before
    finally:
        gc.enable()
