"""The law a table plays by, as data: every option the sources leave open, with its valid values.

A ``RuleSet`` is one consistent choice. It is made from a preset and overrides (``build``), never by hand, so that
values which follow from others are filled in and combinations that make no sense are refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Final

from referee.cards import DECK, Card
from referee.rules.layouts import LAYOUTS, Layout, Sizes, deal_sizes

Value = str | bool | float


def _choice(*values: str, laws: str) -> Any:
    return field(metadata={"values": values, "laws": tuple(laws.split())})


def _flag(laws: str) -> Any:
    return field(metadata={"values": (True, False), "laws": tuple(laws.split())})


def _number(low: float, high: float, laws: str) -> Any:
    return field(metadata={"range": (low, high), "laws": tuple(laws.split())})


def _text(laws: str) -> Any:
    return field(metadata={"laws": tuple(laws.split())})


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One table's law. Field metadata holds the valid values and the IDs of the laws each key settles."""

    preset: str = field(metadata={"laws": ()})
    layout: str = _choice(*LAYOUTS, laws="G18")
    # How a round ends and what follows.
    round_model: str = _choice("both_redeal", "finisher_only", laws="C10 G17")
    pile_claim: str = _choice("slap_race", "finisher_choice", "first_hand", laws="C12 C13")
    win_when: str = _choice("no_cards_left", "only_in_one_pile_round", laws="C11 C19")
    short_deal: str = _choice("partial_pile", "whole_piles", laws="C14 C15 C16 C24")
    one_pile_finish: str = _choice("takes_nothing", "takes_pile", laws="C18 G16")
    # Stalemates and spitting.
    one_empty_reserve: str = _choice("spit_alone", "end_round", laws="C8 C34")
    double_empty: str = _choice("slap_race", "finisher_none_first_hand", "fewer_cards_wins", laws="C9 G4")
    respit_target: str = _choice("own", "any_distinct", "any", laws="C5")
    spit_cue: str = _choice("referee_countdown", "simultaneous", laws="C6")
    call_word: str = _text(laws="C7 C32")
    spit_freeze: bool = _flag(laws="G11")
    stalemate_hold: float = _number(0.0, 10.0, laws="G1")
    lone_spit_seconds: float = _number(0.0, 60.0, laws="G12")
    mutual_pass: str = _choice("allowed", "refused", laws="G2")
    no_hint: bool = _flag(laws="G8")
    # Cards and their handling.
    reveal: str = _choice("before_spit", "after_spit", laws="C4")
    reveal_duty: str = _choice("may", "must", laws="C22")
    reserve_place: str = _choice("table", "hand", laws="C27")
    gap_source: str = _choice("face_up", "any", laws="C23")
    gap_from_short_deal: bool = _flag(laws="C23")
    contact: str = _choice("first_touch", "arrives_first", laws="C26")
    late_window: float = _number(0.0, 2.0, laws="G9")
    # Faults.
    illegal_play: str = _choice("return_card", "stands_if_unchallenged", "lockout", laws="G6")
    lockout_seconds: float = _number(0.5, 60.0, laws="G6")
    early_slap: str = _choice("ignored", "opponent_chooses", laws="G7")
    # Variants.
    wrap: bool = _flag(laws="C2")
    alternate_colours: bool = _flag(laws="PT-V3")
    same_rank_stack: bool = _flag(laws="X1")
    same_rank_play: bool = _flag(laws="X2")
    must_play: bool = _flag(laws="C21")
    both_hands: bool = _flag(laws="X8")
    # Scoring.
    scoring: str = _choice("none", "penalty_100", "gain_25", laws="C29")
    penalty_count: str = _choice("before_claim", "after_claim", laws="C30")

    plan: Layout = field(init=False, repr=False, compare=False)
    """The layout's sizes."""
    fit: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """For each ``Card.code``: the cards that may go on it, as a sum of ``Card.bit`` (none on the unknown card)."""
    adjacent: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """As ``fit``, with colours left out of account."""

    def __post_init__(self) -> None:
        # Worked out once, for every ruling looks them up.
        object.__setattr__(self, "plan", LAYOUTS[self.layout])
        object.__setattr__(self, "fit", _fit_table(self.wrap, self.alternate_colours, self.same_rank_play))
        object.__setattr__(self, "adjacent", _fit_table(self.wrap, False, self.same_rank_play))

    def deal_sizes(self, cards: int) -> Sizes:
        """What a player who owns ``cards`` cards deals under this law."""
        return _sizes(self.layout, self.short_deal, cards)

    def replace(self, **overrides: Value) -> RuleSet:
        """This law with some keys changed, checked as a whole."""
        return build(self.preset, {**self.overrides(), **overrides})

    def overrides(self) -> dict[str, Value]:
        """The keys that make this law from its preset: ``build(preset, overrides())`` is equal to it."""
        given: dict[str, Value] = {}
        while (base := build(self.preset, given)) != self:
            # One key at a time, for saying one may bring others along that then need not be said.
            key = next(key for key in KEYS if getattr(base, key) != getattr(self, key))
            given[key] = getattr(self, key)
        return given

    def __str__(self) -> str:
        parts = [self.preset, *(f"{key}={write_value(value)}" for key, value in self.overrides().items())]
        return ",".join(parts)


KEYS: Final[tuple[str, ...]] = tuple(f.name for f in fields(RuleSet) if f.init and f.name != "preset")
"""Every key of a ruleset, in the order the law is told in."""

_FIELDS: Final = {f.name: f for f in fields(RuleSet)}

_HOUSE: Final[Mapping[str, Value]] = {
    "layout": "triangle5",
    "round_model": "both_redeal",
    "pile_claim": "slap_race",
    "win_when": "no_cards_left",
    "short_deal": "partial_pile",
    "one_pile_finish": "takes_nothing",
    "one_empty_reserve": "spit_alone",
    "double_empty": "slap_race",
    "respit_target": "own",
    "spit_cue": "referee_countdown",
    "call_word": "spit",
    "spit_freeze": True,
    "stalemate_hold": 1.0,
    "lone_spit_seconds": 5.0,
    "mutual_pass": "allowed",
    "no_hint": False,
    "reveal": "before_spit",
    "reveal_duty": "may",
    "reserve_place": "table",
    "gap_source": "face_up",
    "gap_from_short_deal": True,
    "contact": "first_touch",
    "late_window": 0.5,
    "illegal_play": "return_card",
    "lockout_seconds": 10.0,
    "early_slap": "ignored",
    "wrap": True,
    "alternate_colours": False,
    "same_rank_stack": False,
    "same_rank_play": False,
    "must_play": False,
    "both_hands": False,
    "scoring": "none",
    "penalty_count": "before_claim",
}

_PT_BOTH: Final[Mapping[str, Value]] = {
    "pile_claim": "finisher_choice",
    "one_pile_finish": "takes_pile",
    "reveal": "after_spit",
    "reserve_place": "hand",
    "contact": "arrives_first",
}

PRESETS: Final[Mapping[str, Mapping[str, Value]]] = {
    "house": _HOUSE,
    "pt": {**_HOUSE, **_PT_BOTH, "round_model": "finisher_only", "pile_claim": "first_hand"},
    "pt-both": {**_HOUSE, **_PT_BOTH},
    "pl": {
        **_HOUSE,
        "spit_cue": "simultaneous",
        "win_when": "only_in_one_pile_round",
        "respit_target": "any_distinct",
        "reserve_place": "hand",
    },
    "sv": {
        **_HOUSE,
        "spit_cue": "simultaneous",
        "pile_claim": "finisher_choice",
        "short_deal": "whole_piles",
        "respit_target": "any_distinct",
        "reveal_duty": "must",
    },
}
"""The whole law of each preset; where its source is silent it takes the house value."""


def parse_value(key: str, text: object) -> Value:
    """``text`` (a string, or a TOML value) as a value of ``key``; a ValueError lists what is valid."""
    known(key)
    spec = _FIELDS[key].metadata
    if "values" in spec:
        values: tuple[str | bool, ...] = spec["values"]
        for value in values:
            if text == value and type(text) is type(value):
                return value
            if isinstance(value, bool) and isinstance(text, str) and text.lower() == str(value).lower():
                return value
        valid = ", ".join(write_value(value) for value in values)
        raise ValueError(f"{key} cannot be {text!r}; its values are {valid}")
    if "range" in spec:
        low, high = spec["range"]
        try:
            number = float(text) if isinstance(text, str | int | float) and not isinstance(text, bool) else None
        except ValueError:
            number = None
        if number is None or not low <= number <= high:
            raise ValueError(f"{key} cannot be {text!r}; it is a number of seconds from {low:g} to {high:g}")
        return number
    if not isinstance(text, str) or not text.isalpha() or len(text) > 20:
        raise ValueError(f"{key} cannot be {text!r}; it is one word of at most 20 letters")
    return text.lower()


def known(key: str) -> None:
    """A ValueError that lists the keys, if ``key`` is none of them."""
    if key not in KEYS:
        raise ValueError(f"there is no rule key {key!r}; the keys are {', '.join(KEYS)}")


def laws_of(key: str) -> tuple[str, ...]:
    """The IDs of the laws that ``key`` settles."""
    laws: tuple[str, ...] = _FIELDS[key].metadata["laws"]
    return laws


def valid_values(key: str) -> tuple[Value, ...]:
    """The values ``key`` can take, where they can be listed; empty for numbers and words."""
    values: tuple[Value, ...] = _FIELDS[key].metadata.get("values", ())
    return values


def write_value(value: Value) -> str:
    """A value as it is written in overrides and TOML: ``true``, ``0.5``, ``own``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else value


def build(preset: str = "house", overrides: Mapping[str, object] | None = None) -> RuleSet:
    """The ruleset of ``preset`` with ``overrides`` on top.

    Some keys follow from others unless they are given too: a hand layout puts the reserve on the table (PT-V5), the
    preset ``pt`` scores ``single10_hand`` to 25 (PT-V7), and where only the finisher takes a pile there is no race
    for it.

    Raises:
        ValueError: an unknown preset, key or value, or keys that contradict each other; the sentence names them.
    """
    if preset not in PRESETS:
        raise ValueError(f"there is no preset {preset!r}; the presets are {', '.join(PRESETS)}")
    given = {key: parse_value(key, value) for key, value in (overrides or {}).items()}
    values: dict[str, Value] = {**PRESETS[preset], **given}
    plan = LAYOUTS[str(values["layout"])]
    follows: dict[str, Value] = {}
    if plan.hand:
        follows["reserve_place"] = "table"
    if preset == "pt" and values["layout"] == "single10_hand":
        follows["scoring"] = "gain_25"
    if values["round_model"] == "finisher_only" and values["pile_claim"] == "slap_race":
        follows["pile_claim"] = "first_hand"
    if values["must_play"]:
        follows["mutual_pass"] = "refused"
    values.update({key: value for key, value in follows.items() if key not in given})
    _refuse_nonsense(values)
    return RuleSet(preset, **values)  # type: ignore[arg-type]  # each value was checked against its field


_Contradiction = tuple[dict[str, Value], dict[str, Value], str]

_HAND_LAYOUTS: Final[list[_Contradiction]] = [
    (
        {"layout": layout},
        {"reserve_place": "hand"},
        "the hand holds the cards to play from, so the reserve lies on the table (PT-V5); take reserve_place=table",
    )
    for layout, plan in LAYOUTS.items()
    if plan.hand
]

_CONTRADICTIONS: Final[tuple[_Contradiction, ...]] = (
    (
        {"round_model": "finisher_only"},
        {"pile_claim": "slap_race"},
        "when only the finisher takes a pile nobody races for it; take pile_claim=first_hand or finisher_choice",
    ),
    (
        {"must_play": True},
        {"mutual_pass": "allowed"},
        "players who must play when they can may not agree to pass; take mutual_pass=refused",
    ),
    (
        {"layout": "single10_hand"},
        {"same_rank_stack": True},
        "with a single stock pile there is nothing to stack on",
    ),
    *_HAND_LAYOUTS,
)


def _refuse_nonsense(values: Mapping[str, Value]) -> None:
    for one, other, why in _CONTRADICTIONS:
        pair = {**one, **other}
        if all(values[key] == value for key, value in pair.items()):
            named = " and ".join(f"{key}={write_value(value)}" for key, value in pair.items())
            raise ValueError(f"{named} do not go together: {why}")


@cache
def _fit_table(wrap: bool, alternate_colours: bool, same_rank: bool) -> tuple[int, ...]:
    def fits(card: Card, top: Card) -> bool:
        step = abs(card.rank - top.rank)
        near = step == 1 or (wrap and step == 12) or (same_rank and step == 0 and card is not top)
        return near and not (alternate_colours and card.red == top.red)

    return (*(sum(card.bit for card in DECK if fits(card, top)) for top in DECK), 0)


@cache
def _sizes(layout: str, short_deal: str, cards: int) -> Sizes:
    return deal_sizes(LAYOUTS[layout], cards, short_deal)
