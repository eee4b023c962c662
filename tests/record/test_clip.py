from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest

from referee.errors import UserError
from referee.record.clip import SLOWER, ClipWriter
from referee.record.overlay import TOUCH, Span, plain, wrapped
from referee.record.sight import Sight
from referee.record.stills import Still
from referee.table import Zone, standard_layout
from referee.vision.rectify import TableView

SIZE = (480, 320)
SPAN = Span(1.0, 2.0, 1.45, 1.5)


def stills(times: list[float], size: tuple[int, int] = SIZE) -> list[Still]:
    return [Still(t, np.full((size[1], size[0], 3), 60, np.uint8)) for t in times]


def sight() -> Sight:
    layout = standard_layout()
    view = TableView.from_corners([[15, 10], [465, 10], [465, 310], [15, 310]], layout.width, layout.height)
    return Sight(view, layout.boxes)


def made(path: Path, times: list[float], size: tuple[int, int] = SIZE, seen: Sight | None = None) -> Path:
    with ClipWriter(path, size, SPAN, "Ada plays 9♥ on C1", sight=seen, zones=(Zone("C1"), Zone("A2"))) as clip:
        for still in stills(times, size):
            clip.add(still)
    return path


def length(path: Path) -> float:
    with av.open(str(path)) as film:
        stream = film.streams.video[0]
        assert stream.duration is not None
        assert stream.time_base is not None
        assert stream.start_time == 0
        return float(stream.duration * stream.time_base)


def shown(path: Path) -> list[tuple[float, np.ndarray]]:
    with av.open(str(path)) as film:
        return [(picture.time or 0.0, picture.to_ndarray(format="bgr24")) for picture in film.decode(video=0)]


def test_a_clip_is_so_many_times_as_long_as_what_it_shows(tmp_path: Path) -> None:
    path = made(tmp_path / "clip.mp4", [1 + n / 30 for n in range(30)])
    assert length(path) == pytest.approx(SLOWER * 1.0, abs=0.01)
    times = [t for t, _ in shown(path)]
    assert times == pytest.approx([SLOWER * n / 30 for n in range(30)], abs=0.001)


def test_pictures_of_an_uneven_source_stand_as_long_as_they_did(tmp_path: Path) -> None:
    path = made(tmp_path / "clip.mp4", [0.5, 1.01, 1.02, 1.5, 1.9, 2.0, 2.5])
    assert [t for t, _ in shown(path)] == pytest.approx([0.0, 0.08, 2.0, 3.6], abs=0.001)
    assert length(path) == pytest.approx(4.0, abs=0.01)


def test_a_recording_that_ends_early_makes_a_shorter_clip(tmp_path: Path) -> None:
    path = made(tmp_path / "clip.mp4", [1.0, 1.1, 1.2])
    assert length(path) == pytest.approx(SLOWER * 0.3, abs=0.01)


def test_browsers_can_play_it_while_it_loads(tmp_path: Path) -> None:
    path = made(tmp_path / "clip.mp4", [1.0, 1.5])
    with av.open(str(path)) as film:
        stream = film.streams.video[0]
        assert (stream.codec.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
    data = path.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")


def test_the_pile_is_marked_while_the_touch_may_be(tmp_path: Path) -> None:
    path = made(tmp_path / "clip.mp4", [1 + n / 20 for n in range(20)], seen=sight())
    left, top = sight().outline(Zone("C1"))[0].round().astype(int)
    marked = []
    for t, picture in shown(path):
        edge = picture[top - 2 : top + 3, left + 5 : left + 20].reshape(-1, 3).astype(int)
        if np.abs(edge - TOUCH).sum(axis=1).min() < 90:
            marked.append(1 + t / SLOWER)
    assert marked == pytest.approx([1.45, 1.5], abs=0.01)


@pytest.mark.parametrize(("size", "width"), [((1920, 1080), 1280), ((321, 241), 320), ((1080, 1920), 404)])
def test_clips_are_no_larger_than_pages_show_and_of_even_sizes(
    tmp_path: Path, size: tuple[int, int], width: int
) -> None:
    path = made(tmp_path / "clip.mp4", [1.0, 1.5], size)
    ((_, picture), *_) = shown(path)
    assert picture.shape[1] == width
    assert picture.shape[0] % 2 == 0


def test_an_interrupted_clip_leaves_nothing_behind(tmp_path: Path) -> None:
    def fail() -> None:
        with ClipWriter(tmp_path / "clip.mp4", SIZE, SPAN, "") as clip:
            clip.add(stills([1.0])[0])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_a_clip_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot write"):
        ClipWriter(tmp_path / "none" / "clip.mp4", SIZE, SPAN, "")
    with pytest.raises(UserError, match=r"end the name in \.mp4"):
        ClipWriter(tmp_path / "clip.avi", SIZE, SPAN, "")


def test_texts_are_written_in_letters_the_font_has() -> None:
    assert plain("Łucja i Zoë: 9♥ na C1 – źle") == "Lucja i Zoe: 9H na C1 - zle"
    assert plain("雪") == "?"


def test_long_texts_are_wrapped_to_the_width() -> None:
    text = "Bo plays 9♥ on C1: illegal, 9♥ does not go on 7♣; it goes back. " * 3
    lines = wrapped(text, 500, 14)
    assert " ".join(lines).split() == plain(text).split()
    assert len(lines) > 2


def test_a_closeup_shows_the_zone_in_its_middle_and_upright() -> None:
    seen = sight()
    image = np.zeros((320, 480, 3), np.uint8)
    corners = seen.outline(Zone("B2")).round().astype(int)
    x1, y1, x2, y2 = *corners.min(axis=0), *corners.max(axis=0)
    image[y1:y2, x1:x2] = 200
    # A red corner at the bottom right of the picture is at the top left for seat B.
    image[y2 - 8 : y2, x2 - 8 : x2] = (0, 0, 250)
    closeup = seen.closeup(image, Zone("B2"), 186)
    bright = np.argwhere(closeup[..., 2] > 100)
    assert bright.min(axis=0) == pytest.approx([93 - 44, 93 - 31], abs=3)
    assert bright.max(axis=0) == pytest.approx([93 + 44, 93 + 31], abs=3)
    assert tuple(closeup[93 - 40, 93 - 27]) == (0, 0, 250)
