"""Bumps are noticed within a second and the table found anew; hands, shadows, lamps and flicker are no bumps."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.calibrate.bump.anchors import Matches
from referee.calibrate.bump.motion import common_motion, shift_of
from referee.calibrate.bump.watch import BumpWatch, Steadiness
from referee.table import standard_layout
from referee.vision.frames import Frame
from referee.vision.rectify import project
from tests.calibrate.marked import PX_MM, camera_view, drawn_table, seen_from

SIZE = (960, 540)
RATE = 5.0
LAYOUT = standard_layout()
CENTRES = np.array([(box.x, box.y) for box in LAYOUT.boxes.values()])


def with_cards(table, rng):
    """The drawn table with a card of blots in each zone."""
    table = table.copy()
    for box in LAYOUT.boxes.values():
        left, top = round((box.x - 31) * PX_MM), round((box.y - 44) * PX_MM)
        card = np.full((round(88 * PX_MM), round(63 * PX_MM)), 215, np.uint8)
        for x, y in rng.uniform((40, 40), (210, 310), (6, 2)):
            cv2.circle(card, (int(x), int(y)), 22, 60, -1)
        table[top : top + card.shape[0], left : left + card.shape[1]] = card
    return table


class Scene:
    """A table under a camera that can be moved, with a lamp, a shadow and arms."""

    def __init__(self, *, markers: bool, tilt: float = 15.0) -> None:
        table = drawn_table(lacking=() if markers else (0, 1, 2, 3))
        self.view = camera_view(SIZE, tilt=tilt)
        self.still = seen_from(self.view, with_cards(table, np.random.default_rng(3)), SIZE)
        self.rng = np.random.default_rng(11)
        self.motion = np.eye(3)
        self.lamp = 1.0
        self.arms: list[tuple[tuple[int, int], tuple[int, int]]] = []
        self.t = 0.0
        self.index = 0

    def frame(self) -> Frame:
        image = cv2.warpPerspective(self.still, self.motion, SIZE, borderMode=cv2.BORDER_REFLECT)
        for start, end in self.arms:
            cv2.line(image, start, end, (90, 120, 170), 70)
        noisy = image.astype(np.float32) * self.lamp + self.rng.normal(0, 3, (SIZE[1], SIZE[0], 1))
        frame = Frame(self.index, self.t, np.clip(noisy, 0, 255).astype(np.uint8))
        self.t += 1 / RATE
        self.index += 1
        return frame

    def watch(self) -> BumpWatch:
        return BumpWatch(self.frame().image, self.view, LAYOUT)


def run(watch, scene, seconds):
    """What is said of so many seconds."""
    return [watch.look(scene.frame()) for _ in range(round(seconds * RATE))]


def shifted(dx, dy, degrees=0.0):
    """What turning the camera so that its picture's middle moves by dx, dy, and about its axis, does to the picture."""
    focal = SIZE[0]
    camera = np.array([[focal, 0, (SIZE[0] - 1) / 2], [0, focal, (SIZE[1] - 1) / 2], [0, 0, 1]])
    aim, _ = cv2.Rodrigues(np.array([-dy / focal, dx / focal, 0.0]))
    roll, _ = cv2.Rodrigues(np.array([0.0, 0.0, np.radians(degrees)]))
    return camera @ aim @ roll @ np.linalg.inv(camera)


@pytest.mark.parametrize("markers", [False, True])
@pytest.mark.parametrize(("dx", "dy", "degrees"), [(10, 0, 0), (0, -10, 0), (0, 0, 0.5), (-30, 20, 3), (140, 70, -9)])
def test_a_bump_is_noticed_within_a_second_and_the_table_found_anew(dx, dy, degrees, markers):
    scene = Scene(markers=markers)
    watch = scene.watch()
    assert all(said.state is Steadiness.STEADY for said in run(watch, scene, 1))
    scene.motion = shifted(dx, dy, degrees)
    bumped = scene.t
    said = run(watch, scene, 2)
    unsteady = next(i for i, one in enumerate(said) if one.state is not Steadiness.STEADY)
    assert unsteady / RATE <= 1.0
    (moved,) = [one for one in said if one.state is Steadiness.MOVED and one.disturbance is not None]
    truth = project(scene.motion, scene.view.to_image(CENTRES))
    assert np.linalg.norm(moved.view.to_table(truth) - CENTRES, axis=1).max() < 2.5
    assert moved.disturbance.what == "camera moved"
    assert moved.disturbance.t_from <= bumped <= moved.disturbance.t_to <= bumped + 2
    assert said[-1].state is Steadiness.STEADY
    assert said[-1].view is moved.view is watch.view


def test_a_second_bump_is_found_from_the_first_ones_place():
    scene = Scene(markers=False)
    watch = scene.watch()
    for dx, degrees in ((14, 0.4), (-9, -0.8)):
        run(watch, scene, 1)
        scene.motion = shifted(dx, dx / 2, degrees)
        run(watch, scene, 2)
    truth = project(scene.motion, scene.view.to_image(CENTRES))
    assert np.linalg.norm(watch.view.to_table(truth) - CENTRES, axis=1).max() < 2.0


def test_a_shake_that_comes_to_nothing_leaves_the_view_and_is_told():
    scene = Scene(markers=False)
    watch = scene.watch()
    run(watch, scene, 1)
    for step in range(6):
        scene.motion = shifted(8 * (-1) ** step, 5 + step)
        run(watch, scene, 0.2)
    scene.motion = np.eye(3)
    said = run(watch, scene, 1)
    told = [one.disturbance for one in said if one.disturbance is not None]
    assert len(told) == 1
    assert told[0].t_from < 1.3
    assert said[-1].state is Steadiness.STEADY
    assert watch.view is scene.view


def test_a_lamp_switched_is_no_bump():
    scene = Scene(markers=False)
    watch = scene.watch()
    said = []
    for scene.lamp in (1.0, 0.4, 1.3, 0.7):
        said += run(watch, scene, 1)
    assert {one.state for one in said} == {Steadiness.STEADY}


def test_flicker_is_no_bump():
    scene = Scene(markers=False)
    watch = scene.watch()
    for step in range(25):
        scene.lamp = 1 + 0.15 * np.sin(step * 1.7)
        assert run(watch, scene, 0.2)[0].state is Steadiness.STEADY


def test_arms_are_no_bump():
    scene = Scene(markers=False)
    watch = scene.watch()
    for step in range(30):
        reach = 240 + int(150 * np.sin(step / 3))
        scene.arms = [((300, 570), (320, 540 - reach)), ((670 - step, -30), (520, reach - 40))]
        assert run(watch, scene, 0.2)[0].state is Steadiness.STEADY


def test_cards_that_are_played_are_no_bump():
    scene = Scene(markers=False)
    watch = scene.watch()
    for seed in range(4):
        table = with_cards(drawn_table(lacking=(0, 1, 2, 3)), np.random.default_rng(seed))
        scene.still = seen_from(scene.view, table, SIZE)
        assert {one.state for one in run(watch, scene, 1)} == {Steadiness.STEADY}


def test_a_covered_camera_is_lost_and_found_again_where_it_was():
    scene = Scene(markers=False)
    watch = scene.watch()
    run(watch, scene, 1)
    still, scene.still = scene.still, np.full_like(scene.still, 70)
    assert run(watch, scene, 1.5)[-1].state is Steadiness.LOST
    scene.still = still
    said = run(watch, scene, 1)
    assert said[-1].state is Steadiness.STEADY
    assert all(one.disturbance is None for one in said)
    assert watch.view is scene.view


def plain_scene() -> tuple[Scene, dict[str, np.ndarray]]:
    """A table without grain that fills the picture, and its pictures with other cards and without any."""
    bare = np.full_like(drawn_table(lacking=(0, 1, 2, 3)), 90)
    scene = Scene(markers=False)

    def seen(table: np.ndarray) -> np.ndarray:
        image = seen_from(scene.view, table, SIZE)
        # What lies around the table would give it away that nothing has moved.
        return np.where(image < 50, 90, image).astype(np.uint8)

    scene.still = seen(with_cards(bare, np.random.default_rng(1)))
    return scene, {"gathered": seen(bare), "dealt again": seen(with_cards(bare, np.random.default_rng(2)))}


def test_a_plain_table_from_which_the_cards_are_gathered_is_not_lost():
    scene, pictures = plain_scene()
    watch = scene.watch()
    states = {one.state for one in run(watch, scene, 1)}
    scene.arms = [((300, -20), (420, 330)), ((900, 740), (830, 420))]
    for name in ("gathered", "dealt again"):
        scene.still = pictures[name]
        states |= {one.state for one in run(watch, scene, 3)}
        scene.arms = []
    assert states == {Steadiness.STEADY}


def seen_again(span: float, moved: int, still: int) -> Matches:
    """Patches over a square of ``span`` px of which so many moved by 3, 1 and so many did not."""
    before = np.random.default_rng(5).uniform(200, 200 + span, (moved + still, 2))
    before[:4] = 200 + span * np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    now = before.copy()
    now[:moved] += (3.0, 1.0)
    return Matches(before, now, moved + still)


@pytest.mark.parametrize(
    ("matches", "told"),
    [
        (seen_again(140, 18, 0), True),
        (seen_again(140, 14, 4), False),
        (seen_again(80, 18, 0), False),
        (seen_again(200, 14, 4), True),
    ],
    ids=["the last piles", "some lie still", "one pile", "all over"],
)
def test_a_movement_of_few_piles_is_the_camera_s_where_nothing_lies_still(matches: Matches, told: bool) -> None:
    motion = common_motion(matches, (640, 360))
    assert (motion is not None) == told
    assert motion is None or shift_of(motion, matches.before) == pytest.approx(np.hypot(3, 1), abs=0.01)


def test_a_plain_table_that_is_covered_or_dark_is_lost():
    scene, _ = plain_scene()
    watch = scene.watch()
    run(watch, scene, 1)
    scene.lamp = 0.0
    assert run(watch, scene, 1.5)[-1].state is Steadiness.LOST
    scene.lamp = 1.0
    assert run(watch, scene, 1)[-1].state is Steadiness.STEADY


def test_frames_between_looks_cost_nothing_and_change_nothing():
    scene = Scene(markers=False)
    watch = scene.watch()
    frame = scene.frame()
    first = watch.look(frame)
    black = np.zeros_like(frame.image)
    for step in range(1, 4):
        said = watch.look(Frame(frame.index + step, frame.t + 0.04 * step, black))
        assert (said.state, said.view) == (first.state, first.view)


def test_the_same_frames_say_the_same():
    views = []
    for _ in range(2):
        scene = Scene(markers=True)
        watch = scene.watch()
        run(watch, scene, 1)
        scene.motion = shifted(20, -7, 1)
        run(watch, scene, 2)
        views.append(watch.view.image_to_table)
    assert (views[0] == views[1]).all()
