"""What is said of what happens: rulings, happenings and disturbances become announcements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from referee.announce.announcement import CORRECTION_LEAD, Announcement, Level, announce, is_wanted
from referee.announce.phrases import Argument, Language, phrasebook
from referee.cards import Card
from referee.readings import Disturbance
from referee.rules.actions import Action, Kind
from referee.rules.contract import read_event
from referee.rules.position import Position
from referee.rules.ruling import Remedy, Ruling, Verdict
from referee.rules.state import Phase, Reason
from referee.rules.step import Happening
from referee.rules.stuck import spitters
from referee.table import Seat, Zone

Event: TypeAlias = Ruling | Happening | Disturbance | Mapping[str, Any]
"""What can be told of; a mapping is an event of a truth or result file."""

SPIT: Final = "spit"
END: Final = "end"
CLAIM: Final = "claim"
COMMENTARY: Final = "commentary"
SIGHT: Final = "sight"


def announcements(
    event: Event | None,
    language: Language,
    names: tuple[str, str],
    level: Level,
    *,
    position: Position | None = None,
    corrected: Event | None = None,
) -> tuple[Announcement, ...]:
    """What those who chose ``level`` are told of ``event``.

    Args:
        event: what happened; None if what was ruled before turns out not to have happened at all.
        language: what it is said in.
        names: of the players in seats A and B.
        level: how much is said.
        position: for a ruling, the one it was judged in; for a happening, the one after it. Without it piles have no
            sizes and games no scores, and a stalemate that ends a round cannot be told from one that does not.
        corrected: what was said before of the same, if this is the referee's correction of it.
    """
    if level is Level.OFF:
        return ()
    teller = _Teller(language, names, position)
    told = teller.correct(event, corrected) if corrected is not None else teller.tell(event)
    return tuple(one for one in told if is_wanted(one, level))


def settled_topics(event: Event) -> tuple[str, ...]:
    """The topics that ``event`` settles: a fault was put right, or what still waits to be said has been done."""
    ruling = _ruling(event)
    if ruling is None:
        return ()
    action = ruling.action
    if action.kind in (Kind.SPIT, Kind.PLAY):
        # Right or wrong, the centre is no longer as it was when both were stuck: a wrong card goes back first.
        return (SPIT,)
    if not ruling.legal:
        return ()
    if ruling.correction and action.card is not None:
        return (_card_topic(action.card, action.source),)
    return (CLAIM,) if action.kind in (Kind.SLAP, Kind.CLAIM) else ()


def _card_topic(card: Card, zone: Zone | None) -> str:
    """What a misplaced card is talked of as; one that nobody could read goes by where it lies."""
    return f"card {card}" if card.known else f"card at {zone}"


def _ruling(event: Event) -> Ruling | None:
    """The ruling in an event; None where it is not about an action that is no deal."""
    if isinstance(event, Ruling):
        return event
    if not isinstance(event, Mapping):
        return None
    action = read_event(event)
    if action is None:
        return None
    reason = Reason(event["reason"]) if event.get("reason") else None
    return Ruling(
        action, Verdict(event.get("verdict", "legal")), reason, correction=bool(event.get("correction", False))
    )


def _happening(event: Event) -> Happening | None:
    if isinstance(event, Happening):
        return event
    if isinstance(event, Mapping) and event.get("action") in ("stalemate", "round_over", "game_over"):
        winner = event.get("winner")
        return Happening(event["action"], Seat[winner] if winner else None, event.get("reason", ""))
    return None


_THEN: Final = {Remedy.LOCKOUT: "then.lockout", Remedy.FIRST_CHOICE: "then.first_choice"}
"""What follows from a fault is said where the players could not know it; that a card goes back they know."""

_DISTURBED: Final = {
    "camera moved": "trouble.camera_moved",
    "lights changed": "trouble.lights_changed",
    "gap": "trouble.gap",
    "table swept": "trouble.table_swept",
    "cards swept": "trouble.table_swept",
}


class _Teller:
    """Tells one event."""

    def __init__(self, language: Language, names: tuple[str, str], position: Position | None) -> None:
        self._language = language
        self._book = phrasebook(language)
        self._names = names
        self._position = position

    def tell(self, event: Event | None) -> list[Announcement]:
        if event is None:
            return []
        ruling, happening = _ruling(event), _happening(event)
        if ruling is not None:
            return self._told(ruling)
        if happening is not None:
            return self._happened(happening)
        if isinstance(event, Disturbance):
            return [self._say(_DISTURBED.get(event.what, "trouble.disturbed"), topic=SIGHT)]
        if isinstance(event, Mapping) and event.get("action") == "disturbed":
            return [self._say(_DISTURBED.get(str(event.get("what")), "trouble.disturbed"), topic=SIGHT)]
        if isinstance(event, Mapping) and event.get("action") == "deal" and len(event.get("sizes", ())) == 2:
            return [self._say("news.round", slots={"number": int(event.get("round", 1))})]
        return []

    def correct(self, event: Event | None, corrected: Event) -> list[Announcement]:
        """The correction of what was said of ``corrected``, if anything has to be corrected aloud."""
        before = _ruling(corrected)
        after = None if event is None else _ruling(event)
        if before is None or (event is not None and after is None):
            return self.tell(event)
        # Only an accusation is taken back in so many words; a doubt is answered, and a play named in passing was not
        # judged aloud: there the word would but delay what the players wait for.
        accused = before.verdict is Verdict.ILLEGAL
        lead = (CORRECTION_LEAD,) if accused else ()
        if after is None or after.legal:
            answered = after is not None and after.action.kind is Kind.PLAY and not before.legal
            return [self._cleared(before, after, *lead)] if accused or answered else []
        if self._told(after) == self._told(before):
            return []
        if after.verdict is Verdict.UNDECIDED:
            return [self._undecided(after, *lead)]
        return self._fault(after, *lead)

    def _cleared(self, before: Ruling, after: Ruling | None, *lead: str) -> Announcement:
        """There was no fault after all."""
        ruling = after or before
        stands = after is not None and after.action.kind is Kind.PLAY and after.action.card is not None
        key = "correction.stands" if stands else "correction.no_fault"
        return self._say(*lead, key, topic=self._topic(ruling), slots=self._slots(ruling.action))

    def _told(self, ruling: Ruling) -> list[Announcement]:
        if ruling.verdict is Verdict.UNDECIDED:
            return [self._undecided(ruling)]
        return self._legal(ruling) if ruling.legal else self._fault(ruling)

    def _undecided(self, ruling: Ruling, *lead: str) -> Announcement:
        if ruling.note == "unseen":
            key = "undecided.stuck"
        else:
            key = "undecided.fit" if ruling.action.kind is Kind.PLAY and ruling.action.card else "undecided.other"
        return self._say(*lead, key, topic=self._topic(ruling), slots=self._slots(ruling.action))

    def _fault(self, ruling: Ruling, *lead: str) -> list[Announcement]:
        slots = self._slots(ruling.action)
        if ruling.against is not None:
            slots["against"] = ruling.against
        if ruling.witness is not None and ruling.witness.seat is not None:
            slots["player"] = self._names[ruling.witness.seat]
            if ruling.witness.card is not None:
                slots["card"] = ruling.witness.card
        assert ruling.reason is not None
        reason = f"fault.{ruling.reason.value}"
        case = f"{reason}_{_case(ruling)}"
        # Cases without a sentence of their own are told by that of their reason.
        key = case if case in self._book.phrases else reason
        told = [self._say(*lead, key, topic=self._topic(ruling), slots=slots)]
        if ruling.remedy in _THEN:
            told.append(self._say(_THEN[ruling.remedy], slots=slots))
        return told

    def _legal(self, ruling: Ruling) -> list[Announcement]:
        action = ruling.action
        slots = self._slots(action)
        if ruling.correction and action.kind is not Kind.DEAL:
            return [self._say("commentary.put_right", topic=COMMENTARY, slots=slots)]
        match action.kind:
            case Kind.PLAY | Kind.STACK | Kind.SPIT | Kind.FILL:
                return [self._say(f"commentary.{action.kind.value}", topic=COMMENTARY, slots=slots)]
            case Kind.CALL if action.word == "pass":
                return [self._say("news.pass", slots=slots)]
            case Kind.CALL if ruling.note == "agreed":
                return [self._say("call.agreed", topic=SPIT)]
            case Kind.CALL if self._is_awaited():
                return [self._say("call.countdown", topic=SPIT)]
            case Kind.CLAIM:
                return [self._claim(action, slots)]
            case Kind.DEAL if None not in action.deal and self._position is not None:
                return [self._say("news.round", slots={"number": self._position.round})]
        return []

    def _is_awaited(self) -> bool:
        """Whether a round begins on the referee's count."""
        position = self._position
        if position is None or position.rules.spit_cue != "referee_countdown":
            return False
        return any(side.phase is Phase.BEFORE_SPIT for side in position.sides)

    def _claim(self, action: Action, slots: dict[str, Argument]) -> Announcement:
        if self._position is None or action.target is None:
            return self._say("news.claim_bare", slots=slots)
        return self._say("news.claim", slots=slots | {"count": len(self._position.centre[action.target.index])})

    def _happened(self, happening: Happening) -> list[Announcement]:
        if happening.kind == "stalemate":
            return self._stalemate()
        if happening.kind == "round_over":
            return self._round_over(happening)
        return [self._game_over(happening)]

    def _stalemate(self) -> list[Announcement]:
        able = tuple(Seat) if self._position is None else spitters(self._position)
        if len(able) == 1:
            return [self._say("call.stalemate_alone", topic=SPIT, slots={"who": self._names[able[0]]})]
        return [self._say("call.stalemate", topic=SPIT)] if able else []

    def _round_over(self, happening: Happening) -> list[Announcement]:
        winner, position = happening.winner, self._position
        if winner is None:
            reason = happening.reason if happening.reason == "passed" else "no_reserve"
            told = [self._say(f"news.round_over_{reason}", topic=END)]
        else:
            key = "news.round_over_stock_empty" if happening.reason == "stock_empty" else "news.round_over_won"
            told = [self._say(key, topic=END, slots={"who": self._names[winner]})]
        if position is None or position.result is not None:
            return told
        if position.rules.scoring != "none":
            told.append(self._say("news.score", slots=self._scores(position, Seat.A)))
        claims = position.claims
        if claims is not None and claims.chooser is not None:
            told.append(self._say("news.claim_choice", topic=CLAIM, slots={"who": self._names[claims.chooser]}))
        elif claims is not None and claims.piles == (None, None):
            told.append(self._say("news.claim_race", topic=CLAIM))
        return told

    def _game_over(self, happening: Happening) -> Announcement:
        winner, reason = happening.winner, happening.reason
        if winner is None:
            return self._say("news.game_over_draw", topic=END)
        if reason == "score" and self._position is not None:
            return self._say("news.game_over_score", topic=END, slots=self._scores(self._position, winner))
        key = f"news.game_over_{reason}" if reason in ("no_cards", "fewer_cards") else "news.game_over"
        return self._say(key, topic=END, slots={"who": self._names[winner]})

    def _scores(self, position: Position, first: Seat) -> dict[str, Argument]:
        sides = position.sides
        return {
            "who": self._names[first],
            "mine": sides[first].score,
            "other": self._names[first.other],
            "theirs": sides[first.other].score,
        }

    def _slots(self, action: Action) -> dict[str, Argument]:
        """What the phrases about an action may need."""
        seat = action.seat
        if action.kind is Kind.DEAL and None in action.deal:
            seat = Seat.A if action.deal[Seat.A] is not None else Seat.B
        if seat is None:
            slots: dict[str, Argument] = {"who": self._book.both(self._names)}
        else:
            slots = {"who": self._names[seat], "other": self._names[seat.other]}
        if action.card is not None:
            slots["card"] = action.card
        return slots

    @staticmethod
    def _topic(ruling: Ruling) -> str:
        action = ruling.action
        return "" if action.card is None else _card_topic(action.card, action.target)

    def _say(self, *keys: str, slots: Mapping[str, Argument] | None = None, topic: str = "") -> Announcement:
        """The phrases with those of ``slots`` that they need: what they do not say cannot make two of them differ."""
        needed = frozenset[str]().union(*(self._book.slots(key) for key in keys))
        return announce(
            *keys,
            language=self._language,
            topic=topic,
            arguments={slot: value for slot, value in (slots or {}).items() if slot in needed},
        )


def _case(ruling: Ruling) -> str:
    """Which of several cases of the same reason it is, as keys of phrases name them."""
    if ruling.reason is Reason.NOT_ADJACENT and ruling.against is None:
        return "bare"
    if ruling.reason is Reason.NOT_STUCK and ruling.witness is not None:
        kind = ruling.witness.kind
        own = "_own" if ruling.witness.seat is ruling.action.seat else ""
        return (kind.value if kind in (Kind.PLAY, Kind.TURN_UP) else "move") + own
    return ruling.note
