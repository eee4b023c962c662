"""A camera that fails in every way cameras do."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count, repeat

import pytest

from referee.errors import UserError
from referee.vision.camera import Camera
from referee.vision.camera_feed import Patience
from tests.vision.fake_camera import PATIENCE_S, FakeCamera, FakeTime, Hang, Nothing, Picture, Step
from tests.vision.films import number_in

QUICK_FAREWELL = Patience(farewell=0.05)
FRAME_S = 1 / 30

Film = Callable[..., tuple[Camera, FakeCamera]]


@pytest.fixture
def filming() -> Iterator[Film]:
    """Opens a camera on takes, with its first picture filmed; whatever hangs is freed at the end."""
    opened: list[tuple[Camera, FakeCamera]] = []

    def film(*takes: Iterable[Step] | UserError, patience: Patience = QUICK_FAREWELL) -> tuple[Camera, FakeCamera]:
        fake = FakeCamera(FakeTime(), list(takes))
        fake.allow()
        camera = Camera("camera 3", fake.open, patience=patience, clock=fake.time.clock, pause=fake.time.pause)
        opened.append((camera, fake))
        return camera, fake

    yield film
    for camera, fake in opened:
        fake.free()
        camera.close()


def pictures(*numbers: int) -> list[Picture]:
    return [Picture(number) for number in numbers]


def number_of_next(camera: Camera) -> int:
    frame = camera.read()
    assert frame is not None
    return number_in(frame.image)


def test_frames_are_stamped_in_whole_milliseconds_from_the_first(filming: Film) -> None:
    camera, fake = filming(map(Picture, count()))
    times = []
    for _ in range(10):
        frame = camera.read()
        assert frame is not None
        times.append(frame.t)
        fake.film()
    assert times == [round(n * FRAME_S, 3) for n in range(10)]
    assert camera.rate == pytest.approx(30)


def test_pictures_within_a_millisecond_still_follow_each_other(filming: Film) -> None:
    camera, fake = filming(pictures(0, 1, 2))
    fake.period = 0.0
    times = []
    for _ in range(3):
        frame = camera.read()
        assert frame is not None
        times.append(frame.t)
        if len(times) < 3:
            fake.allow()
    assert times == [0.0, 0.001, 0.002]
    assert camera.damage == ""


def test_a_busy_reader_gets_the_newest_picture_and_the_others_are_counted(filming: Film) -> None:
    camera, fake = filming(map(Picture, count()))
    fake.film(4)
    assert (number_of_next(camera), camera.drops) == (4, 0)
    fake.film(6)
    frame = camera.read()
    assert frame is not None
    assert (number_in(frame.image), frame.index, frame.t) == (10, 1, 0.2)
    assert camera.drops == 5
    fake.film()
    assert (number_of_next(camera), camera.drops) == (11, 5)
    assert camera.gaps == ()


@pytest.mark.parametrize("claimed", [False, True])
def test_an_unplugged_camera_is_opened_again_with_growing_pauses(filming: Film, claimed: bool) -> None:
    gone = UserError("camera 3 cannot be opened")
    camera, fake = filming([*pictures(0, 1), *repeat(Nothing(claimed), 400)], gone, gone, gone, pictures(2, 3))
    assert number_of_next(camera) == 0
    fake.film()
    assert number_of_next(camera) == 1
    fake.wait_until_idle()
    (gap,) = camera.gaps
    assert (gap.t_from, gap.t_to) == (0.033, None)
    assert fake.released == 1
    assert [pause for pause in fake.time.pauses if pause >= 0.5] == [0.5, 1, 2, 4]
    fake.allow()
    frame = camera.read()
    assert frame is not None
    assert number_in(frame.image) == 2
    (gap,) = camera.gaps
    assert gap.t_to == frame.t
    assert gap.t_to - gap.t_from > 2 + 0.5 + 1 + 2 + 4
    assert "it gives no pictures" in camera.damage


def test_pauses_stop_growing_and_start_anew_after_a_picture(filming: Film) -> None:
    gone = UserError("camera 3 cannot be opened")
    silence = repeat(Nothing(), 400)
    camera, fake = filming(
        [Picture(0), *silence], *[gone] * 6, [Picture(1), *repeat(Nothing(), 400)], gone, pictures(2)
    )
    assert number_of_next(camera) == 0
    fake.allow()
    assert number_of_next(camera) == 1
    fake.wait_until_idle()
    assert [pause for pause in fake.time.pauses if pause >= 0.5] == [0.5, 1, 2, 4, 8, 8, 8, 0.5, 1]
    assert len(camera.gaps) == 2
    assert "lost 2 times" in camera.damage


def test_a_moment_without_pictures_is_no_gap(filming: Film) -> None:
    camera, fake = filming([Picture(0), *repeat(Nothing(), 20), Picture(1)])
    assert number_of_next(camera) == 0
    fake.allow()
    assert number_of_next(camera) == 1
    assert camera.gaps == ()
    assert fake.released == 0


def test_a_picture_that_stands_still_is_a_gap_until_it_changes(filming: Film) -> None:
    still = [Picture(1, of_itself=True)] * 200
    camera, fake = filming([Picture(0), Picture(1), *still], still, [*still[:5], Picture(2), Picture(3)])
    assert number_of_next(camera) == 0
    fake.allow()
    fake.wait_until_idle()
    assert number_of_next(camera) == 1
    (gap,) = camera.gaps
    assert (gap.t_from, gap.t_to, gap.reason) == (0.033, None, "its picture stands still")
    assert fake.released == 2
    fake.allow()
    frame = camera.read()
    assert frame is not None
    assert number_in(frame.image) == 2
    assert camera.gaps[0].t_to == frame.t


def test_a_camera_that_comes_back_with_another_size_is_not_believed(filming: Film) -> None:
    camera, fake = filming([Picture(0), *repeat(Nothing(), 400)], [Picture(1, (320, 240), of_itself=True)], pictures(2))
    assert number_of_next(camera) == 0
    fake.allow()
    assert number_of_next(camera) == 2
    assert camera.size == (160, 120)
    assert len(camera.gaps) == 1


def test_pictures_that_change_their_size_are_a_gap(filming: Film) -> None:
    camera, fake = filming([Picture(0), Picture(1, (320, 240), of_itself=True)], pictures(2))
    assert number_of_next(camera) == 0
    fake.allow()
    assert number_of_next(camera) == 2
    assert camera.gaps[0].reason == "its pictures have become 320x240"


def test_a_driver_that_hangs_is_left_behind(filming: Film) -> None:
    camera, fake = filming([Picture(0), Hang(10)], [Hang(10)], pictures(1, 2))
    assert number_of_next(camera) == 0
    fake.allow()
    frame = camera.read()
    assert frame is not None
    assert number_in(frame.image) == 1
    (gap,) = camera.gaps
    assert (gap.t_from, gap.t_to, gap.reason) == (0.0, frame.t, "it does not answer")
    assert fake.released == 0
    fake.free()
    fake.wait_until_released(2)


def test_only_a_few_threads_are_left_behind(filming: Film) -> None:
    camera, fake = filming([Picture(0), Hang(10)], *[[Hang(10)] for _ in range(6)])
    assert number_of_next(camera) == 0
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(camera.read)
        while len(fake.takes) > 3:
            assert not waiting.done()
        with pytest.raises(TimeoutError):
            waiting.result(0.3)
        assert len(fake.takes) == 3
        camera.close()
        assert waiting.result(PATIENCE_S) is None


def test_closing_ends_a_reader_that_waits(filming: Film) -> None:
    camera, fake = filming(pictures(0, 1))
    assert number_of_next(camera) == 0
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(camera.read)
        camera.close()
        assert waiting.result(PATIENCE_S) is None
    fake.free()
    fake.wait_until_released(1)


def test_a_camera_that_hangs_is_let_go_when_it_answers(filming: Film, caplog: pytest.LogCaptureFixture) -> None:
    camera, fake = filming([Picture(0), Hang()])
    with caplog.at_level(logging.WARNING):
        camera.close()
    assert "camera 3 does not answer" in caplog.text
    assert fake.released == 0
    fake.free()
    fake.wait_until_released(1)
    assert camera.read() is None


def test_closing_waits_for_the_thread_and_lets_the_camera_go(filming: Film) -> None:
    camera, fake = filming([Picture(n % 256, of_itself=True) for n in range(100_000)], patience=Patience())
    camera.close()
    assert fake.released == 1
    assert camera.read() is None


def test_what_breaks_the_thread_reaches_the_reader(filming: Film) -> None:
    camera, fake = filming([Picture(0), ZeroDivisionError("a driver's bug")])
    assert number_of_next(camera) == 0
    with pytest.raises(ZeroDivisionError, match="a driver's bug"):
        camera.read()
    assert fake.released == 1


def test_a_camera_that_cannot_be_opened_is_refused(filming: Film) -> None:
    with pytest.raises(UserError, match="plug it in"):
        filming(UserError("plug it in"))


def test_a_camera_that_opens_and_gives_nothing_is_refused(filming: Film) -> None:
    with pytest.raises(UserError, match="camera 3 opens but gives no picture"):
        filming([Hang(60)])


def test_an_error_before_the_first_picture_is_raised(filming: Film) -> None:
    with pytest.raises(ZeroDivisionError):
        filming([ZeroDivisionError()])


def test_a_camera_tells_how_it_films(filming: Film) -> None:
    camera, _ = filming(pictures(0))
    assert camera.description == "camera 3, 160x120, sent as MJPG"
    assert camera.duration is None
    assert camera.rate == 0.0
