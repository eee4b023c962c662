"""The bodies in a scene that are not cards."""

from __future__ import annotations

from referee.simulate.render.hands import arm_bodies
from referee.simulate.render.look import Look
from referee.simulate.render.stage import Body
from referee.simulate.scene import Snapshot


def bodies_of(snapshot: Snapshot, look: Look) -> tuple[Body, ...]:
    """Arms of the snapshot as triangles."""
    bodies: list[Body] = []
    for hand in snapshot.hands:
        bodies += arm_bodies(hand, look.player(hand.seat))
    return tuple(bodies)
