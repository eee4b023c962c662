"""The timeline of a game as a drawing: who did what when, and what was wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from referee.report.effective import is_ruling
from referee.rules.actions import Kind
from referee.rules.ruling import Verdict
from referee.table import Seat
from referee.tracking import commits as said
from referee.tracking.commits import Commit

WIDTH: Final = 1000
HEIGHT: Final = 150
LEFT: Final = 90
RIGHT: Final = 20
LANES: Final = (88, 40)
"""Heights at which what A did and what B did is drawn: B sits at the top."""

STEPS: Final = (1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600)
"""Distances of marks on the axis, s."""

MARKS: Final = 12
"""No more marks than this on the axis."""


def timeline(commits: Sequence[Commit], names: Sequence[str], end: float) -> str:
    """An SVG drawing of the commits that hold, of a film that lasts ``end`` s."""
    end = max(end, 1.0)

    def x(t: float) -> str:
        return f"{LEFT + (WIDTH - LEFT - RIGHT) * min(max(t, 0), end) / end:.1f}"

    rows = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="Timeline of the game">']
    for seat in Seat:
        y, name = LANES[seat], escape(names[seat])
        short = name if len(name) <= 12 else f"{name[:11]}…"
        rows.append(f'<text x="12" y="{y + 4}">{short}</text>')
        rows.append(f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}"/>')
    step = next((one for one in STEPS if end / one <= MARKS), STEPS[-1])
    for mark in range(0, int(end) + 1, step):
        rows.append(f'<text x="{x(mark)}" y="{HEIGHT - 10}" text-anchor="middle">{clock(mark, tenths=False)}</text>')
    for commit in commits:
        rows += _mark(commit, x(commit.t))
    rows.append("</svg>")
    return "".join(rows)


def _mark(commit: Commit, x: str) -> Iterator[str]:
    if commit.what == said.STALEMATE:
        yield f'<rect class="stale" x="{float(x) - 2:.1f}" y="22" width="4" height="84"><title>stalemate</title></rect>'
    if commit.what in (said.ROUND_OVER, said.GAME_OVER):
        yield f'<line class="round" x1="{x}" x2="{x}" y1="14" y2="116"/>'
    action, ruling = commit.action, commit.ruling
    if not is_ruling(commit) or action is None or ruling is None or action.seat is None or action.kind is Kind.CALL:
        return
    y = LANES[action.seat]
    title = f"<title>{clock(commit.t)} {escape(ruling.text)}</title>"
    if ruling.verdict is Verdict.ILLEGAL:
        shape = f'<rect class="fault" x="{float(x) - 5:.1f}" y="{y - 5}" width="10" height="10" '
        shape += f'transform="rotate(45 {x} {y})">{title}</rect>'
    elif ruling.verdict is Verdict.UNDECIDED:
        shape = f'<circle class="doubt" cx="{x}" cy="{y}" r="5">{title}</circle>'
    else:
        size = 4.5 if action.kind in (Kind.PLAY, Kind.SPIT) else 2.5
        shape = f'<circle class="dot-{action.seat.name.lower()}" cx="{x}" cy="{y}" r="{size}">{title}</circle>'
    yield f'<a href="#r{commit.number}">{shape}</a>'


def clock(t: float, *, tenths: bool = True) -> str:
    """A time of the film as people write it: ``1:05.3``, ``1:02:05``."""
    whole = round(t * 10) / 10 if tenths else round(t)
    hours, rest = divmod(whole, 3600)
    minutes, seconds = divmod(rest, 60)
    tail = f"{seconds:04.1f}" if tenths else f"{seconds:02.0f}"
    return f"{int(hours)}:{int(minutes):02d}:{tail}" if hours else f"{int(minutes)}:{tail}"
