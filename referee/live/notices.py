"""What the referee has to say of itself, on the screen: what lasts, and sentences that pass."""

from __future__ import annotations

from typing import Final

SHOWN_S: Final = 8.0
"""A sentence that passes stays so long, s."""


class Notices:
    """Sentences about the referee itself; each trouble is told once."""

    def __init__(self) -> None:
        self._told: set[str] = set()
        self._passing: list[tuple[float, str]] = []

    def tell(self, sentence: str, t: float) -> bool:
        """Show ``sentence`` for a while from ``t``, s, on; False if it was told before."""
        if sentence in self._told:
            return False
        self._told.add(sentence)
        self.show(sentence, t)
        return True

    def show(self, sentence: str, t: float) -> None:
        """Show ``sentence`` for a while from ``t``, s, on, though it may have been told before."""
        self._passing.append((t, sentence))

    def shown(self, t: float, lasting: str = "") -> str:
        """What is to be shown at ``t``, s: what is ``lasting`` first, then the newest sentence that has not passed."""
        self._passing = [one for one in self._passing if t - one[0] < SHOWN_S]
        return "   ".join(part for part in (lasting, self._passing[-1][1] if self._passing else "") if part)
