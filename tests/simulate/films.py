"""Films for the tests of motion and truth: made once, and what they are asked."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from typing import Any

from referee.cards import Card
from referee.errors import UserError
from referee.rules.settings import parse_ruleset
from referee.simulate.incidents import parse_incident
from referee.simulate.production import Production, Wishes, produce
from referee.simulate.scene import CardPose
from referee.simulate.truth import header, write_truth
from referee.table import CARD_MM


@cache
def made(
    seed: int = 0, rules: str = "house", seconds: float = 30.0, pace: float = 1.0, slip: float = 0.0, *incidents: str
) -> Production:
    """A film of that seed."""
    planted = tuple(parse_incident(text) for text in incidents)
    return produce(Wishes(parse_ruleset(rules), seed, seconds, pace, slip, incidents=planted))


@cache
def made_with(*names: str) -> Production:
    """A quick film of a minute in which all those events happen, the deals of the first round left out."""
    for seed in range(60):
        film = made(seed, "house", 60.0, 2.0, 0.1)
        if set(names) <= {event.name for event in film.events if event.t > 0}:
            return film
    raise AssertionError(f"no film of sixty has all of {names}")


@cache
def made_planted(*incidents: str, rules: str = "house", seconds: float = 30.0) -> Production:
    """A film in whose game the incidents find a place."""
    for seed in range(2, 40):
        with suppress(UserError):
            return made(seed, rules, seconds, 1.0, 0.0, *incidents)
    raise AssertionError(f"no film of forty has room for {incidents}")


def pose_of(production: Production, card: Card, t: float) -> CardPose | None:
    """Where a card is at ``t``."""
    return next((pose for pose in production.script.snapshot(t).cards if pose.card is card), None)


def lowest(pose: CardPose) -> float:
    """Height of a card's lowest point, found by looking at very many of its points."""
    across = (-CARD_MM[0] / 2, 0.0, CARD_MM[0] / 2)
    along = [CARD_MM[1] * (step / 200 - 0.5) for step in range(201)]
    return min(pose.point(u, v)[2] for u in across for v in along)


def truth_text(production: Production, rules: str = "house") -> str:
    """The truth file of a film that was never shot."""
    head = header(
        video="film.mp4",
        fps=30,
        size=(1280, 720),
        rules=parse_ruleset(rules),
        names=("Ada", "Bo"),
        layout=production.script.layout,
        corners_px=((0, 0), (1280, 0), (1280, 720), (0, 720)),
        deck="none",
        notes=production.notes,
    )
    return write_truth(head, production.events)


def truth_lines(production: Production, rules: str = "house") -> list[dict[str, Any]]:
    """The same, read again."""
    return [json.loads(line) for line in truth_text(production, rules).splitlines()]
