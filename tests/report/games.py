"""A refereed game without any film: the commits of a truth file's actions, as the law rules on them."""

from __future__ import annotations

from pathlib import Path

from referee.rules.contract import read_events
from referee.rules.record import replay
from referee.tracking import commits as said
from referee.tracking.commits import Commit

CLIPS = Path(__file__).parent.parent / "fixtures" / "footage"


def refereed(name: str) -> tuple[Commit, ...]:
    """What a referee that never errs says of a fixture clip."""
    made: list[Commit] = []
    for done in replay(read_events((CLIPS / f"{name}.truth.jsonl").read_text(encoding="utf-8"))):
        t = done.line.action.t or 0.0
        span = (t, t - 0.02, t + 0.02, t + 0.3)
        made.append(Commit(len(made), said.ACTION, done.line.action, done.ruling, done.before, done.after, 0.95, *span))
        for came in done.happenings:
            made.append(
                Commit(
                    len(made),
                    came.kind,
                    None,
                    None,
                    done.after,
                    done.after,
                    1.0,
                    *span,
                    winner=came.winner,
                    detail=came.reason,
                )
            )
    return tuple(made)
