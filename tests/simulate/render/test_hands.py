"""Hands grip where the script says, have the right thumbs, and reach to their player; things lie where they should."""

from __future__ import annotations

import math

import numpy as np
import pytest

from referee.errors import UserError
from referee.simulate.render.bodies import make_actor, sources
from referee.simulate.render.flesh import arm
from referee.simulate.render.hands import arm_bodies
from referee.simulate.render.look import Player, make_look
from referee.simulate.render.props import prop_bodies
from referee.simulate.render.skeleton import ANGLES, BONES, bend, moved, pad, posture
from referee.simulate.scene import HandPose, HandShape, Prop, Snapshot
from referee.table import Seat

BARE = Player((0.3, 0.4, 0.6), 1.0, 300.0, (0.1, 0.2, 0.3), (0.3, 0.2, 0.1), "plain")
SLEEVED = Player((0.3, 0.4, 0.6), 1.0, 60.0, (0.1, 0.2, 0.3), (0.3, 0.2, 0.1), "checks")


def hand(shape: HandShape, *, seat: Seat = Seat.A, right: bool = True, yaw: float = 0.0, z: float = 10.0) -> HandPose:
    return HandPose(seat, right, 450.0, 300.0, z, yaw, shape, 1.0, shape, 0.0)


def skin(pose: HandPose, player: Player = BARE) -> np.ndarray:
    return arm_bodies(pose, player)[0].vertices[:, :3]


@pytest.mark.parametrize("shape", list(HandShape))
def test_every_shape_has_a_posture_that_keeps_the_hand_whole(shape: HandShape) -> None:
    assert posture(shape).shape == (ANGLES,)
    for turn in bend(posture(shape, 0.5))[:, :, :3]:
        assert turn @ turn.T == pytest.approx(np.eye(3), abs=1e-9)
        assert np.linalg.det(turn) == pytest.approx(1)


def test_straight_fingers_leave_the_bones_where_they_are() -> None:
    moves = bend(np.zeros(ANGLES))
    for bone, move in zip(BONES, moves, strict=True):
        assert move[:, :3] @ bone.tail + move[:, 3] == pytest.approx(bone.tail)


@pytest.mark.parametrize("shape", [HandShape.PINCH, HandShape.CARRY])
def test_thumb_and_forefinger_close_on_a_card_one_below_the_other(shape: HandShape) -> None:
    moves = bend(posture(shape))
    finger, thumb = moved(moves, pad(0)), moved(moves, pad(4))
    assert 0 < finger[2] - thumb[2] < 4
    assert math.dist(finger[:2], thumb[:2]) < 30


def test_the_pinch_point_is_where_the_pose_says() -> None:
    points = skin(hand(HandShape.CARRY))
    near = np.linalg.norm(points - (450, 300, 10), axis=1)
    assert near.min() < 22
    assert (near < 30).sum() > 20


def test_a_slapping_palm_lies_on_its_place() -> None:
    points = skin(hand(HandShape.SLAP, z=0.0))
    under = points[np.hypot(points[:, 0] - 450, points[:, 1] - 300) < 25]
    assert under[:, 2].min() == pytest.approx(0, abs=4)


@pytest.mark.parametrize(("seat", "yaw"), [(Seat.A, 0.0), (Seat.B, 180.0)])
def test_the_forearm_comes_from_its_player(seat: Seat, yaw: float) -> None:
    points = skin(hand(HandShape.REACH, seat=seat, yaw=yaw))
    if seat is Seat.A:
        assert points[:, 1].max() > 300 + 550
    else:
        assert points[:, 1].min() < 300 - 550


@pytest.mark.parametrize(
    ("right", "yaw", "sign"), [(True, 0.0, -1), (False, 0.0, 1), (True, 180.0, 1), (False, 180.0, -1)]
)
def test_thumbs_are_on_the_inner_side(right: bool, yaw: float, sign: int) -> None:
    flesh = arm()
    thumb = flesh.weights[:, 16] > 0.8
    little = flesh.weights[:, 13] > 0.8
    points = skin(hand(HandShape.SLAP, right=right, yaw=yaw))
    assert np.sign(points[thumb, 0].mean() - points[little, 0].mean()) == sign


def test_changing_shape_is_gradual() -> None:
    tips = []
    for blend in (0.0, 0.5, 1.0):
        pose = HandPose(Seat.A, True, 0.0, 0.0, 20.0, 0.0, HandShape.CARRY, blend, HandShape.REACH, 0.0)
        tips.append(skin(pose)[arm().weights[:, 7] > 0.9].mean(axis=0))
    assert math.dist(tips[0], tips[2]) > 5
    assert max(math.dist(tips[0], tips[1]), math.dist(tips[1], tips[2])) < math.dist(tips[0], tips[2])


def test_the_skin_is_closed_and_bound_to_the_bones() -> None:
    flesh = arm()
    assert flesh.weights.sum(axis=1) == pytest.approx(1, abs=1e-4)
    assert np.linalg.norm(flesh.normals, axis=1) == pytest.approx(1, abs=1e-3)
    assert set(np.unique(flesh.triangles)) <= set(range(len(flesh.points)))
    # Apart from the cut behind the wrist and the tube's ends every edge belongs to two triangles.
    edges = np.sort(
        np.concatenate([flesh.triangles[:, [0, 1]], flesh.triangles[:, [1, 2]], flesh.triangles[:, [2, 0]]])
    )
    _, counts = np.unique(edges, axis=0, return_counts=True)
    assert (counts <= 2).all()
    assert (counts == 1).sum() < 150


def test_normals_point_outwards() -> None:
    points, normals = arm().points, arm().normals
    back = (points[:, 1] > 20) & (points[:, 1] < 70) & (np.abs(points[:, 0]) < 20) & (points[:, 2] > 5)
    assert (normals[back, 2] > 0.3).mean() > 0.95


def test_a_sleeve_covers_the_forearm_and_not_the_fingers() -> None:
    bodies = arm_bodies(hand(HandShape.REACH), SLEEVED)
    assert len(bodies) == 2
    assert len(arm_bodies(hand(HandShape.REACH), BARE)) == 1
    assert bodies[1].vertices[:, 1].min() > bodies[0].vertices[:, 1].min() + 150


def test_a_cup_stands_on_the_table_as_wide_as_asked() -> None:
    wall, handle = prop_bodies(Prop("cup", 200.0, 150.0, 40.0, 80.0), make_look(1))
    assert wall.vertices[:, 2].min() == pytest.approx(0)
    assert np.hypot(wall.vertices[:, 0] - 200, wall.vertices[:, 1] - 150).max() == pytest.approx(40)
    assert np.hypot(handle.vertices[:, 0] - 200, handle.vertices[:, 1] - 150).max() > 50


def test_an_empty_sleeve_lies_from_its_cuff_towards_its_player() -> None:
    (sleeve,) = prop_bodies(Prop("sleeve", 300.0, 250.0, 0.0, 100.0), make_look(1))
    assert sleeve.vertices[:, 1].min() == pytest.approx(250, abs=5)
    assert sleeve.vertices[:, 1].max() > 600
    assert 5 < sleeve.vertices[:, 2].max() < 40


def test_a_thing_that_is_not_known_is_explained() -> None:
    with pytest.raises(UserError, match="elephant"):
        prop_bodies(Prop("elephant", 0.0, 0.0, 0.0, 1.0), make_look(1))


def test_hands_and_things_of_a_snapshot_become_actors() -> None:
    snapshot = Snapshot(0.0, (), (hand(HandShape.HOVER),), (Prop("cup", 1.0, 2.0, 0.0, 70.0),), 1.0, (0.0, 0.0, 0.0))
    actors = [make_actor(source, make_look(2)) for source in sources(snapshot)]
    assert [type(actor.source) for actor in actors] == [HandPose, Prop]
    assert all(actor.bodies for actor in actors)
