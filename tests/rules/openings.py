"""Deals for tests: a whole game's opening, and the deals between rounds."""

from __future__ import annotations

from pathlib import Path

from referee.rules import Action, Kind, Phase, Position, parse_action, parse_ruleset, start, step
from referee.rules.actions import SeatDeal, unseen_deal
from referee.rules.record import GameRecord, parse_record
from referee.table import Seat

WORKED_GAME = Path(__file__).parent.parent / "fixtures" / "records" / "worked-game-sv.spit"

DEAL = (
    "deal A:7C/jcQD/7dkh3S/th5cts9H/ah9stdjs2D:ad5s2s8c6dqh3c4s9d8h8s "
    "B:KS/4d5H/ackcTC/qs7s4h8D/3d6c3hjd4C:6sqc5d9cas2h2c6h7hkdjh"
)
"""The deal of the Swedish worked game, tops face up."""

TOPS_DOWN = DEAL.lower().replace(" a:", " A:").replace(" b:", " B:")
"""The same with every card face down."""


def opening(rules: str = "house", deal: str = DEAL) -> Position:
    """A new game under ``rules``, dealt; the spit cards are due."""
    return step(start(parse_ruleset(rules)), parse_action(deal)).position


def redeal(position: Position, *, tops_up: bool = True) -> Action:
    """The deal that is due now, to each player who has gathered cards, unseen and of the right sizes."""
    deals: list[SeatDeal | None] = [None, None]
    for seat in Seat:
        side = position.sides[seat]
        if side.phase in (Phase.DEALING, Phase.REDEAL):
            deals[seat] = unseen_deal(position.rules.deal_sizes(len(side.gathered)), tops_up=tops_up)
    return Action(Kind.DEAL, deal=(deals[0], deals[1]))


def phases(position: Position) -> tuple[str, str]:
    """What each player is doing."""
    a, b = position.sides
    return a.phase.value, b.phase.value


def worked_game() -> GameRecord:
    """The Swedish worked game."""
    return parse_record(WORKED_GAME.read_text(encoding="utf-8"))
