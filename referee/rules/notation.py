"""The one-line text of a position, as FEN is for chess.

Words separated by spaces: the ruleset, each side, the centre piles, then only what is not as usual::

    house A=play;QH/9hJC/-/xx8H/xxxxTC;#10 B=play;AD/xxKS/xxxx3D/xx5H/xx7C;#10 C=9DA,8HA@4.187/JHB,TCB

A side is its phase, stock piles (bottom to top, ``-`` a gap, capital suits face up, small ones face down, ``xx``
unseen) and reserve, then ``hand=``, ``gathered=``, ``pool=``, ``slots=``, ``score=``, ``locked=`` where they differ
from the usual. A centre card is followed by the seat that put it there and the time of first touch, where known. The
words after the centre are ``round=2``, ``home=21``, ``due=AB``, ``landed=1``, ``unproven=yes``,
``owed=A:7C:C2>A5:late``, ``claims=``, ``first=``, ``ended=`` and ``result=``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from referee.cards import Card, card_set
from referee.rules.actions import parse_word
from referee.rules.piles import parse_cards, parse_pile, write_cards, write_pile
from referee.rules.position import (
    CentreCard,
    CentrePile,
    Claims,
    Debt,
    Phase,
    Position,
    Reason,
    Result,
    RoundEnd,
    Side,
)
from referee.rules.ruleset import RuleSet
from referee.rules.settings import parse_ruleset
from referee.table import MAX_STOCK_PILES, Seat, Zone


def write_position(position: Position) -> str:
    """The position in one line; ``parse_position`` is its inverse."""
    words = [
        str(position.rules),
        *(f"{seat}={_write_side(position.rules, position.sides[seat])}" for seat in Seat),
        f"C={'/'.join(_write_centre(pile) for pile in position.centre)}",
    ]
    if position.round != 1:
        words.append(f"round={position.round}")
    if position.home != (0, 1):
        words.append(f"home={''.join(str(index + 1) for index in position.home)}")
    if position.due:
        words.append(f"due={''.join(map(str, position.due))}")
    if position.landed is not None:
        words.append(f"landed={position.landed + 1}")
    if position.unproven:
        words.append("unproven=yes")
    words += [f"owed={_write_debt(debt)}" for debt in position.owed]
    if position.claims is not None:
        words.append(f"claims={_write_claims(position.claims)}")
    if position.first_choice is not None:
        words.append(f"first={position.first_choice}")
    if position.round_end is not None:
        end = position.round_end
        words.append(f"ended={end.number}:{_seat(end.winner)}:{end.reason}")
    if position.result is not None:
        words.append(f"result={_seat(position.result.winner)}:{position.result.reason}")
    return " ".join(words)


def parse_position(text: str) -> Position:
    """The position written ``text``.

    Raises:
        ValueError: a sentence that says which word is wrong, or what is wrong with the ledger.
    """
    words = text.split()
    if not words:
        raise ValueError("a position begins with its ruleset, for example house")
    rules = parse_ruleset(words[0])
    given: dict[str, list[str]] = {}
    for word in words[1:]:
        key, equals, value = word.partition("=")
        if not equals or key not in _WORDS:
            raise ValueError(f"{word!r} is no part of a position; its parts are {', '.join(_WORDS)}")
        given.setdefault(key, []).append(value)
    twice = next((key for key, values in given.items() if len(values) > 1 and key != "owed"), None)
    missing = next((key for key in ("A", "B", "C") if key not in given), None)
    if twice or missing:
        raise ValueError(f"the position gives {twice} twice" if twice else f"the position lacks {missing}=")
    one = {key: values[0] for key, values in given.items()}
    try:
        position = Position(
            rules,
            (_parse_side(rules, one["A"]), _parse_side(rules, one["B"])),
            _parse_centre(one["C"]),
            _count(one.get("round", "1")),
            _parse_home(one.get("home", "12")),
            tuple(Seat[letter] for letter in one.get("due", "")),
            _index(one["landed"]) if "landed" in one else None,
            "unproven" in one,
            tuple(_parse_debt(debt) for debt in given.get("owed", ())),
            _parse_claims(one["claims"]) if "claims" in one else None,
            Seat[one["first"]] if "first" in one else None,
            _parse_end(one["ended"]) if "ended" in one else None,
            _parse_result(one["result"]) if "result" in one else None,
        )
    except (KeyError, IndexError) as error:
        raise ValueError(f"the position cannot be read at {error.args[0]!r}") from None
    defects = position.defects()
    if defects:
        raise ValueError(f"the position does not hold together: {'; '.join(defects)}")
    return position


_WORDS = ("A", "B", "C", "round", "home", "due", "landed", "unproven", "owed", "claims", "first", "ended", "result")


def _write_side(rules: RuleSet, side: Side) -> str:
    parts = [side.phase.value, "/".join(write_pile(pile) for pile in side.stock), write_cards(side.reserve)]
    if side.hand:
        parts.append(f"hand={write_cards(side.hand)}")
    if side.gathered:
        parts.append(f"gathered={write_cards(side.gathered)}")
    if side.pool:
        parts.append(f"pool={write_cards(card_set(side.pool))}")
    if side.slots != _usual_slots(rules, side.stock):
        parts.append(f"slots={side.slots}")
    if side.score:
        parts.append(f"score={side.score}")
    if side.locked_until is not None:
        parts.append(f"locked={side.locked_until!r}")
    return ";".join(parts)


def _usual_slots(rules: RuleSet, stock: tuple[object, ...]) -> int:
    return len(rules.plan.piles) if stock else 0


def _parse_side(rules: RuleSet, text: str) -> Side:
    parts = text.split(";")
    if len(parts) < 3:
        raise ValueError(f"a side is phase;stock;reserve, which {text!r} is not")
    stock = tuple(parse_pile(pile) for pile in parts[1].split("/")) if parts[1] else ()
    if len(stock) > MAX_STOCK_PILES:
        raise ValueError(f"{text!r} has {len(stock)} stock piles; a player has at most {MAX_STOCK_PILES}")
    more = dict(part.partition("=")[::2] for part in parts[3:])
    strange = set(more) - {"hand", "gathered", "pool", "slots", "score", "locked"}
    if strange:
        raise ValueError(f"{strange.pop()!r} is no part of a side")
    return Side(
        parse_word(Phase, parts[0], "phase"),
        stock,
        parse_cards(parts[2]),
        parse_cards(more.get("hand", "-")),
        parse_cards(more.get("gathered", "-")),
        _bits(parse_cards(more.get("pool", "-"))),
        _count(more["slots"]) if "slots" in more else _usual_slots(rules, stock),
        _count(more.get("score", "0")),
        _time(more["locked"]) if "locked" in more else None,
    )


def _bits(cards: Iterable[Card]) -> int:
    return sum(card.bit for card in cards)


def _write_centre(pile: CentrePile) -> str:
    return ",".join(_write_centre_card(entry) for entry in pile) or "-"


def _write_centre_card(entry: CentreCard) -> str:
    seat = "" if entry.seat is None else entry.seat.name
    return f"{entry.card}{seat}" + ("" if entry.t is None else f"@{entry.t!r}")


def _parse_centre(text: str) -> tuple[CentrePile, CentrePile]:
    piles = text.split("/")
    if len(piles) != 2:
        raise ValueError(f"there are two places for centre piles, C=FIRST/SECOND, not {text!r}")
    first, second = (() if pile == "-" else tuple(map(_parse_centre_card, pile.split(","))) for pile in piles)
    return first, second


def _parse_centre_card(text: str) -> CentreCard:
    front, _, time = text.partition("@")
    card, seat = Card(front[:2]), front[2:]
    return CentreCard(card, Seat[seat] if seat else None, _time(time) if time else None)


def _write_debt(debt: Debt) -> str:
    return f"{debt.seat}:{debt.card}:{debt.at}>{debt.back_to}:{debt.reason.value}"


def _parse_debt(text: str) -> Debt:
    seat, card, places, reason = _split(text, 4)
    at, arrow, back_to = places.partition(">")
    if not arrow:
        raise ValueError(f"a card is owed from one zone to another, AT>TO, which {places!r} does not say")
    return Debt(Seat[seat], Card(card), Zone(at), Zone(back_to), parse_word(Reason, reason, "reason"))


def _write_claims(claims: Claims) -> str:
    piles = "".join("-" if index is None else str(index + 1) for index in claims.piles)
    slapped = "".join(map(str, claims.slapped)) or "-"
    return f"{_seat(claims.finisher)}:{_seat(claims.chooser)}:{piles}:{slapped}"


def _parse_claims(text: str) -> Claims:
    finisher, chooser, piles, slapped = _split(text, 4)
    if len(piles) != 2:
        raise ValueError(f"claims name a pile or - for each of two seats, not {piles!r}")
    a, b = (None if pile == "-" else _index(pile) for pile in piles)
    hands = () if slapped == "-" else tuple(Seat[letter] for letter in slapped)
    return Claims(_parse_seat(finisher), _parse_seat(chooser), (a, b), hands)


def _parse_end(text: str) -> RoundEnd:
    number, winner, reason = _split(text, 3)
    return RoundEnd(_count(number), _parse_seat(winner), reason)


def _parse_result(text: str) -> Result:
    winner, reason = _split(text, 2)
    return Result(_parse_seat(winner), reason)


def _parse_home(text: str) -> tuple[int, int]:
    a, b = _index(text[:1]), _index(text[1:])
    if a == b:
        raise ValueError("the players' spit cards go to different piles: home is 12 or 21")
    return a, b


def _seat(seat: Seat | None) -> str:
    return "-" if seat is None else seat.name


def _parse_seat(text: str) -> Seat | None:
    return None if text == "-" else Seat[text]


def _split(text: str, parts: int) -> list[str]:
    found = text.split(":")
    if len(found) != parts:
        raise ValueError(f"{text!r} should be {parts} parts with colons between")
    return found


def _index(text: str) -> int:
    if text not in ("1", "2"):
        raise ValueError(f"centre piles are 1 and 2, not {text!r}")
    return int(text) - 1


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError(f"{text!r} is no count")
    return int(text)


def _time(text: str) -> float:
    try:
        time = float(text)
    except ValueError:
        time = math.nan
    if not math.isfinite(time):
        raise ValueError(f"{text!r} is no time in seconds")
    return time
