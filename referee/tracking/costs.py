"""What each thing that may have happened costs: natural logarithms of how likely it is beside an ordinary legal move.

Nothing here says what is legal; the law does, and its verdict is looked up. The figures are rough shares of what people
do: one card in a hundred does not fit, one in a thousand is another player's.
"""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import Final

from referee.rules.ruling import Ruling, Verdict
from referee.rules.state import Reason

FAULTS: Final = MappingProxyType(
    {
        Reason.NOT_ADJACENT: -4.2,
        Reason.COLOUR: -4.2,
        Reason.LATE: -1.2,
        Reason.NOT_TOP: -4.0,
        Reason.FACE_DOWN: -4.0,
        Reason.NOT_STUCK: -5.5,
        Reason.WRONG_PILE: -5.0,
        Reason.FROM_RESERVE: -5.5,
        Reason.OWN_CARDS_ONLY: -6.5,
        Reason.TWO_CARDS: -4.5,
        Reason.TWO_HANDS: -8.0,
        Reason.NO_GAP: -5.0,
        Reason.TAKEN_BACK: -5.0,
        Reason.EARLY_SLAP: -4.0,
        Reason.WRONG_ORDER: -4.5,
    }
)
"""An action that is illegal for this reason."""

FROM_BELOW: Final = -2.5
"""A card drawn from under the top of its pile."""

FROM_FACE_DOWN: Final = -2.0
"""A card that nobody had turned up."""

NO_HAND: Final = -2.2
"""No hand was seen where a card must have been taken."""

FROM_ELSEWHERE: Final = -3.0
"""The same where one was seen over the player's stock piles."""

FETCHED: Final = 5.5
"""What it is worth for a reserve card that its player's hand had been at the reserve, and went from there to a pile."""

FETCHED_ON_THE_WAY: Final = 1.0
"""The same where the hand stopped at another pile in between."""

UNREACHED: Final = -2.0
"""The same where the card lay face up and is still to be seen gone: of 458 cards played 64 left so."""

UNDECIDABLE: Final = -1.0
"""An action with a card that nobody could read, on which the law cannot tell."""

AGREED: Final = -6.0
"""Both agree to spit although one of them could go on (G2), or what could go on was misread."""

OUT_OF_TURN: Final = -2.5
"""A second reserve card of a player while the other's spit card is due; both arms are over both piles then."""

NO_SLAP: Final = -2.5
"""A hand on a pile, once a round is over, that was no slap, or not that player's."""

CORRECTION: Final = -0.1
"""A card put right that was wrong."""

COVERED: Final = -2.5
"""A card that was covered before anybody saw it."""

TWO_HANDS_THERE: Final = 2.0
"""What it is worth that a hand was seen where a card is thought to have come down unseen."""

CAME_TWICE: Final = 3.5
"""The same where the hand came once more with the card that lies on top: it did not bring both at once."""

TURNED_UNSEEN: Final = -1.0
"""A card that was turned up and taken before anybody saw it, about."""

UNTOLD: Final = -2.0
"""A card that went away before another was turned up in its place, of which nothing was told."""

IDLE_HAND: Final = 1.0
"""What it is worth that a hand is explained which took up, or turned over, what nobody saw."""

STRANGER: Final = -3.4
"""A card nobody has seen being the very one that was read, about; what is not yet explained costs as much."""

MISREAD: Final = -7.0
"""A card was read wrong, when it is not known any more how."""

SPURIOUS: Final = -3.5
"""A change was told where nothing changed."""

GLIMPSE_WRONG: Final = -3.0
"""A glimpse of what nothing accounts for: something in a hand, a misreading."""

RETURNED: Final = -1.5
"""A card that was lifted and put down again where it had been."""

NOBODY_SPAT: Final = -2.5
"""A spit card was covered, unseen, and the other player's has not been seen either."""

SAME_HAND_COVERED: Final = -2.5
"""A card was covered, unseen, by the same hand's next one, which takes long enough for it to be seen."""

HELD: Final = -3.48
"""A card was read over a stock pile that was in the hand above it. Were this any likelier, it alone would keep plays
from being as sure as `Settings.sure` asks for, and none would be said at once."""

ANOTHER_SINCE: Final = -1.5
"""A card that left its place is in a hand still that has put down another one since."""

BUSY_SINCE: Final = -2.5
"""The same, seen where it left: another card has been turned up or put down there since."""

LOST: Final = -4.0
"""A card that left its place before a round was over came down nowhere."""

STILL_THERE: Final = -5.0
"""A card was read where it lay after it had left."""

UNDEALT: Final = -1.5
"""A change after all that is to be dealt lies there being a part of the deal still."""

FAULTS_TWO: Final = FAULTS[Reason.TWO_CARDS]
"""Two cards at once are one fault, though the law speaks of it twice."""

_BLIND_FIT: Final = math.log(2 / 13)
_BLIND_MISFIT: Final = math.log(11 / 13)

FLOOR: Final = 0.012
"""Share of readings that are wrong without any sign of it."""

UNSETTLED: Final = 0.03
"""The same of those that were read under a hand, before the zone came to rest."""

RANK_KEPT: Final = 0.3
"""Share of those in which the rank is right all the same."""

SUIT_KEPT: Final = 0.6
"""Share of those in which the suit is."""


def verdict_cost(ruling: Ruling) -> float:
    """The cost of an action by its verdict."""
    if ruling.verdict is Verdict.UNDECIDED:
        return UNDECIDABLE
    if ruling.reason is not None:
        return FAULTS[ruling.reason]
    return CORRECTION if ruling.correction else 0.0


def blind(fits: bool) -> float:
    """What it says for a card having been played unseen by its own player whether it fits: two ranks in thirteen do."""
    return _BLIND_FIT if fits else _BLIND_MISFIT


def returned(seconds: float) -> float:
    """The cost of a card having been taken back so soon after it came down, s: a player first has to be told."""
    return 0.0 if seconds > 0.5 else -3.0


def hand_there(seconds: float) -> float:
    """What a hand over a pile for so long, s, says for a card having been turned up before it was taken."""
    return 0.0 if seconds > 0.22 else -1.5


def unseen_turn(since: float) -> float:
    """The cost of a card turned up and moved on before anybody saw it, by a hand that was last busy so long ago, s."""
    return -1.0 if since < 0.8 else -2.0 if since < 1.2 else -4.0


def waiting_loss(age: float) -> float:
    """The cost of a card that left its place so long ago, s, and has not been seen since: it may be in a hand."""
    if age < 0.5:
        return -0.4
    return -1.5 if age < 0.75 else -3.0 if age < 1.0 else -4.5 if age < 1.5 else -6.5


def outrun(seconds: float) -> float:
    """The cost of a card still being in a hand that was over a pile as another's card came down there.

    It most probably lies under that. If not it is seen soon, put down elsewhere or taken back: within 0.3 s of all of
    that having been told, which was so many ``seconds`` ago.
    """
    return -min(1.0 + 15.0 * max(seconds, 0.0), 5.5)


def carried(least: float, most: float) -> float:
    """The cost of a card having been in a hand ``least`` to ``most`` seconds, fewer than none if it landed first."""
    if most < -0.05:
        return -2.0 if most > -0.2 else -6.0
    return 0.0 if least < 0.6 else waiting_loss(least)


def other_spit(age: float) -> float:
    """The cost of the other player's spit card not having come so long after the first, s."""
    return 0.0 if age < 0.5 else -2.5 if age < 0.75 else -4.5


def waiting_gain(age: float) -> float:
    """The cost of something lying where nothing explains it for so long, s."""
    return -8.0 if age < 0.7 else -9.5 if age < 1.5 else -11.0


def held(age: float) -> float:
    """The cost of what was read under a hand so long ago, s, being a card in that hand, that lies nowhere yet.

    It has been held still for some time before it is told; a hand that has another card to take goes on soon.
    """
    return HELD - 12.0 * max(age - 0.3, 0.0) if age < 0.7 else waiting_gain(age)


def expected_unseen(age: float) -> float:
    """The cost of not having seen for so long, s, what should be seen by now."""
    return 0.0 if age < 0.45 else -1.0 if age < 0.9 else -2.5 if age < 2.0 else -4.0
