"""A table laid out by hand, ready to be played at, and what is said of what is seen there."""

from __future__ import annotations

from collections.abc import Sequence

from referee.readings import Evidence
from referee.rules.actions import Kind
from referee.tracking.commits import Commit
from referee.tracking.decoder import Decoder
from referee.tracking.results import settled
from tests.tracking.games import HOUSE, known_at, zones_of
from tests.tracking.readings import change

TOPS = {
    "A1": "7C", "A2": "QD", "A3": "3S", "A4": "9H", "A5": "2D",
    "B1": "KS", "B2": "5H", "B3": "TC", "B4": "8D", "B5": "4C",
}  # fmt: skip


def dealt() -> list[Evidence]:
    """The table before the spit, as first seen."""
    shown = {**TOPS, "AR": "back", "BR": "back", "C1": "empty", "C2": "empty"}
    return [change(zone, shows, 0.0, told=0.2) for zone, shows in shown.items()]


def begun() -> list[Evidence]:
    """The same with the spit cards turned: JH on C1, 6S on C2."""
    return [*dealt(), change("C1", "JH", 2.0, arms="A"), change("C2", "6S", 2.05, arms="B")]


def say(evidence: Sequence[Evidence], until: float = 0.0) -> list[Commit]:
    """What a decoder says of the evidence, and of nothing more until then."""
    decoder = Decoder(HOUSE, zones_of(HOUSE))
    return watched(decoder, evidence, until) + decoder.finish()


def watched(decoder: Decoder, evidence: Sequence[Evidence], until: float = 0.0) -> list[Commit]:
    """What a decoder says while it sees the evidence, and until then."""
    said: list[Commit] = []
    now = 0.0
    for one in evidence:
        while now + 0.05 < known_at(one):
            now += 0.05
            said += decoder.advance(now)
        said += decoder.push(one)
    while now < until:
        now += 0.05
        said += decoder.advance(now)
    return said


def deeds(said: Sequence[Commit]) -> list[str]:
    """What was said to have been done, times left out, with the verdicts of what was illegal or left open."""
    words = []
    for commit in settled(said):
        if commit.action is not None and commit.action.kind is not Kind.DEAL and commit.ruling is not None:
            text = str(commit.action).split(" @")[0]
            words.append(text if commit.ruling.legal else f"{text}: {commit.ruling.verdict.value}")
    return words


SPITS = ["A spit JH AR C1", "B spit 6S BR C2"]
