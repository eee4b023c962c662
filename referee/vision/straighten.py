"""Pictures in the order of showing with times that only go forward, from a decoder whose stamps may do neither.

Undamaged films pass unchanged. After a damaged place a decoder may give a picture some places late; a damaged block
can carry a stamp that lies far off; films joined without care begin again at zero in the middle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import islice
from typing import Final, TypeAlias, TypeVar

T = TypeVar("T")
Ticks: TypeAlias = int | Fraction

WINDOW: Final = 4
"""How many items are looked at together; also how often one may be passed over by later ones that belong before it."""

FAR: Final = 32
"""A stamp this many steps ahead of its followers is wrong, not early."""


def straighten(stamped: Iterable[tuple[int | None, T]], step: Ticks) -> Iterator[tuple[Ticks, T, bool]]:
    """Put items in the order of their stamps as far as a short look ahead allows, each later than the one before.

    A stamp that cannot be is replaced by one between its neighbours. A clock that was set back for good goes on
    from where it was.

    Args:
        stamped: stamp and item as they come; None where there is no stamp.
        step: positive; the usual distance of two stamps.

    Yields:
        stamp, item, and whether that stamp had to be changed.
    """
    queue = iter(stamped)
    window = list(islice(queue, WINDOW))
    shift: Ticks = 0
    last: Ticks | None = None
    passed_over = 0
    while window:
        stamps = [None if raw is None else raw + shift for raw, _ in window]
        later = [stamp for stamp in stamps if stamp is not None and (last is None or stamp > last)]
        head, soonest = stamps[0], min(later, default=None)
        taken, mended = 0, True
        stamp: Ticks
        if head is not None and head == soonest:
            stamp, mended = head, False
        elif head is None or soonest is None:
            stamp = 0 if last is None else last + step
            shift += 0 if head is None else stamp - head
        elif soonest < head < soonest + FAR * step and passed_over < WINDOW:
            stamp, mended, taken = soonest, False, stamps.index(soonest)
        else:
            stamp = soonest - step if last is None else Fraction(last + soonest) / 2
        passed_over = passed_over + 1 if taken else 0
        yield stamp, window.pop(taken)[1], mended
        window.extend(islice(queue, 1))
        last = stamp
