"""The hands and things in a scene, as triangles."""

from __future__ import annotations

from dataclasses import dataclass

from referee.simulate.render.hands import arm_bodies
from referee.simulate.render.look import Look
from referee.simulate.render.props import prop_bodies
from referee.simulate.render.stage import Body
from referee.simulate.scene import HandPose, Prop, Snapshot


@dataclass(frozen=True, slots=True, eq=False)
class Actor:
    """A hand or a thing, and the triangles it is drawn with."""

    source: HandPose | Prop
    bodies: tuple[Body, ...]


def make_actor(source: HandPose | Prop, look: Look) -> Actor:
    """The triangles of a hand or a thing."""
    if isinstance(source, HandPose):
        return Actor(source, arm_bodies(source, look.player(source.seat)))
    return Actor(source, prop_bodies(source, look))


def sources(snapshot: Snapshot) -> tuple[HandPose | Prop, ...]:
    """The hands and things of a snapshot."""
    return (*snapshot.hands, *snapshot.props)
