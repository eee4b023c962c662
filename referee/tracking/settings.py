"""What the decoder takes its time with, and how much it keeps in mind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Settings:
    """How long the decoder thinks, and how much it keeps in mind.

    Attributes:
        beam: hypotheses kept.
        spread: hypotheses worse than the best by more than this are dropped (logarithm).
        dispute: hypotheses worse than the best by more than this do not dispute what is said (logarithm).
        lag: what was done is said so long after it was seen at the latest, s.
        soon: the same where only little speaks against it, as little as for ``mend``, s.
        hurry: the same where a fault waits to be said; where more speaks against it, ``soon`` is then long enough, s.
        doubt: the same where it is not clear whether it was legal, s.
        sure: what is at least so probable is said without waiting.
        mend: what was said is taken back if something else has become at least so probable.
        accuse: something is called illegal only if that is at least so probable, else it is undecided.
        late: the same of a card that came late in a race, which is decided by cards that lie covered.
        deed: the same of what was done, whatever the verdict.
        stalemate: a stalemate is said once it has lasted so long, s.
        patience: the ledger is given up if two zones have contradicted it for so long, s.
        memory: what was said so long ago is not gone back to, s.
        reaches: a hand is remembered so long, s.
    """

    beam: int = 16
    spread: float = 10.0
    dispute: float = 7.0
    lag: float = 0.5
    soon: float = 0.35
    hurry: float = 0.2
    doubt: float = 0.8
    sure: float = 0.97
    mend: float = 0.9
    accuse: float = 0.85
    late: float = 0.8
    deed: float = 0.5
    stalemate: float = 0.6
    patience: float = 3.0
    memory: float = 3.2
    reaches: float = 4.5


USUAL: Final = Settings()
"""Those that are used unless others are given."""
