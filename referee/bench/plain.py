"""The rules engine one would write first: a dict of lists, changed in place. Here only to be compared with.

It knows the house rules and nothing else, takes every action in the text of ``referee.rules``, and says whether it is
legal; it keeps no history, no hidden cards, no debts and no reasons.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

RANKS = "A23456789TJQK"

Table = dict[str, Any]


def new_table() -> Table:
    """An empty table."""
    zones: Table = {f"{seat}{place}": [] for seat in "AB" for place in "12345R"}
    return {**zones, "C1": [], "C2": [], "up": set(), "due": set(), "held": {"A": [], "B": []}, "claims": {}}


def act(table: Table, text: str) -> bool:
    """Let the action written ``text`` happen on ``table``; returns whether it was legal."""
    words = [word for word in text.split() if word[0] not in "@!"]
    if words[0] == "deal":
        return _deal(table, words[1:])
    if words[1] == "call":
        return _call(table)
    return _HANDLERS[words[1]](table, words[0], *words[2:])


def _fits(card: str, top: str) -> bool:
    return (RANKS.index(card[0]) - RANKS.index(top[0])) % 13 in (1, 12)


def _piles(table: Table, seat: str) -> list[list[str]]:
    return [table[f"{seat}{place}"] for place in "12345"]


def _stuck(table: Table, seat: str) -> bool:
    tops = [pile[-1] for pile in _piles(table, seat) if pile]
    if any(top not in table["up"] for top in tops):
        return False
    if any(_fits(top, pile[-1]) for top in tops for pile in (table["C1"], table["C2"]) if pile):
        return False
    gap = any(not pile for pile in _piles(table, seat))
    return not (gap and any(len(pile) > 1 for pile in _piles(table, seat)))


def _play(table: Table, seat: str, card: str, source: str, target: str) -> bool:
    top = table[target][-1] if table[target] else None
    legal = (
        source[0] == seat
        and table[source][-1] == card
        and card in table["up"]
        and not table["due"]
        and top is not None
        and _fits(card, top)
    )
    table[source].remove(card)
    table[target].append(card)
    if legal and not any(_piles(table, seat)):
        table["claims"] = {"finisher": seat}
    return legal


def _turn_up(table: Table, seat: str, card: str, at: str) -> bool:
    table["up"].add(card)
    return at[0] == seat


def _fill(table: Table, seat: str, card: str, source: str, target: str) -> bool:
    legal = source[0] == seat == target[0] and not table[target] and card in table["up"] and not table["due"]
    table[source].remove(card)
    table[target].append(card)
    return legal


def _spit(table: Table, seat: str, card: str, source: str, target: str) -> bool:
    legal = seat in table["due"] and source == f"{seat}R"
    table[source].remove(card)
    table[target].append(card)
    table["due"].discard(seat)
    return legal


def _take_back(table: Table, seat: str, card: str, source: str, target: str) -> bool:
    table[source].remove(card)
    table[target].append(card)
    return target[0] == seat


def _call(table: Table) -> bool:
    if table["due"]:
        return True
    legal = _stuck(table, "A") and _stuck(table, "B")
    if legal:
        table["due"] = {seat for seat in "AB" if table[f"{seat}R"]}
    return legal


def _slap(table: Table, seat: str, pile: str) -> bool:
    table["claims"].setdefault("first", (seat, pile))
    return True


def _claim(table: Table, seat: str, pile: str) -> bool:
    first = table["claims"].get("first")
    legal = first is None or (first[1] == pile) == (first[0] == seat)
    table["held"][seat] += table[pile]
    table[pile] = []
    return legal


def _deal(table: Table, sides: list[str]) -> bool:
    table["up"] = set()
    for side in sides:
        seat, stock, reserve = side.split(":")
        for place, pile in zip("12345", stock.split("/") + ["-"] * 5, strict=False):
            cards = [] if pile == "-" else [pile[i : i + 2] for i in range(0, len(pile), 2)]
            table["up"] |= {card for card in cards if card[1].isupper()}
            table[f"{seat}{place}"] = [card.upper() for card in cards]
        spit = [] if reserve == "-" else [reserve[i : i + 2].upper() for i in range(0, len(reserve), 2)]
        table[f"{seat}R"] = spit
        table["held"][seat] = []
    table["claims"] = {}
    table["due"] = {seat for seat in "AB" if table[f"{seat}R"]}
    return True


_HANDLERS: dict[str, Callable[..., bool]] = {
    "play": _play,
    "turn_up": _turn_up,
    "fill": _fill,
    "spit": _spit,
    "take_back": _take_back,
    "slap": _slap,
    "claim": _claim,
}
