"""The report: one HTML file with the score, the figures, a timeline and every ruling with its stills."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Final

from referee.report.effective import effective, is_ruling
from referee.report.statistics import COUNTED, PlayerFigures, RoundFigures, player_figures, round_figures
from referee.report.stills import Still
from referee.report.timeline import clock, timeline
from referee.rules.actions import Kind
from referee.rules.ruling import Verdict
from referee.table import Seat
from referee.tracking import commits as said
from referee.tracking.commits import Commit
from referee.tracking.results import told

_KINDS: Final = {
    Kind.PLAY: "Plays",
    Kind.TURN_UP: "Cards turned up",
    Kind.FILL: "Gaps filled",
    Kind.SPIT: "Spits",
}

_OVER: Final = {
    "stock_empty": "layout cleared",
    "no_cards": "no cards left",
    "fewer_cards": "fewer cards",
    "both_empty": "both reserves used up",
}

_LEGEND: Final = """\
<div class="legend"><span><i class="key" style="background:var(--a)"></i>{a}</span>
<span><i class="key" style="background:var(--b)"></i>{b}</span>
<span>large: played or spat, small: anything else</span>
<span><i class="key diamond" style="background:var(--fault)"></i>illegal</span>
<span><i class="key hollow"></i>undecided</span>
<span><i class="key" style="background:var(--doubt);border-radius:0"></i>stalemate</span></div>"""


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """What a report tells of.

    Attributes:
        film: name of the recording.
        names: of the players A and B.
        facts: what else stands under the title, such as the law played by.
        commits: all that was said, in order.
        stills: of commits by their numbers.
        end: length of the film, s.
        damage: what was wrong with the film; empty for nothing.
    """

    film: str
    names: tuple[str, str]
    facts: tuple[str, ...]
    commits: tuple[Commit, ...]
    stills: Mapping[int, Sequence[Still]]
    end: float
    damage: str = ""


def write_page(report: Report) -> str:
    """The report as a page that needs nothing but itself."""
    standing = effective(report.commits)
    figures = player_figures(standing, report.end)
    rounds = round_figures(standing, report.end)
    style = files("referee.report").joinpath("page.css").read_text(encoding="utf-8")
    a, b = (escape(name) for name in report.names)
    facts = "".join(f"<span>{escape(fact)}</span>" for fact in (report.film, clock(report.end), *report.facts))
    parts = [
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{a} and {b}: {escape(report.film)}</title><style>{style}</style></head><body><main>",
        f'<h1><span class="a">{a}</span> and <span class="b">{b}</span></h1><p class="facts">{facts}</p>',
        f'<p class="note">{escape(report.damage)}</p>' if report.damage else "",
        _tiles(standing, figures, rounds, report.names),
        f'<h2>Timeline</h2><div class="sheet">{timeline(standing, report.names, report.end)}</div>',
        _LEGEND.format(a=a, b=b),
        _rounds(rounds, report.names),
        _figures(figures, report.names),
        _rulings(standing, report),
        "</main></body></html>\n",
    ]
    return "".join(parts)


def _tiles(
    commits: Sequence[Commit],
    figures: tuple[PlayerFigures, PlayerFigures],
    rounds: Sequence[RoundFigures],
    names: Sequence[str],
) -> str:
    over = next((one for one in reversed(commits) if one.what == said.GAME_OVER), None)
    won = [sum(one.winner is seat for one in rounds) for seat in Seat]
    rulings = [one for one in commits if is_ruling(one)]
    tiles = [(f"{won[0]} : {won[1]}", "rounds won")]
    if over is not None:
        tiles.insert(0, ("draw" if over.winner is None else names[over.winner], "wins the game"))
    tiles += [
        (str(len(rulings)), "rulings"),
        (f"{figures[0].done[Kind.PLAY]} : {figures[1].done[Kind.PLAY]}", "legal plays"),
        (f"{figures[0].faults.total()} : {figures[1].faults.total()}", "faults"),
        (str(sum(one.what == said.STALEMATE for one in commits)), "stalemates"),
        (str(figures[0].undecided + figures[1].undecided), "undecided"),
    ]
    cells = "".join(f'<div class="tile"><b>{escape(value)}</b><span>{what}</span></div>' for value, what in tiles)
    return f'<div class="tiles">{cells}</div>'


def _rounds(rounds: Sequence[RoundFigures], names: Sequence[str]) -> str:
    if not rounds:
        return ""
    rows = []
    for one in rounds:
        end = _OVER.get(one.reason, one.reason.replace("_", " ")) or "not over"
        winner = "–" if one.winner is None else escape(names[one.winner])
        rows.append(
            f'<tr><td>{one.number}</td><td class="num">{clock(one.t_from)}</td>'
            f'<td class="num">{clock(one.t_to)}</td><td class="num">{one.plays[0]} : {one.plays[1]}</td>'
            f'<td class="num">{one.stalemates}</td><td>{winner}</td><td>{escape(end)}</td></tr>'
        )
    head = '<th>Round</th><th class="num">from</th><th class="num">to</th><th class="num">plays</th>'
    head += '<th class="num">stalemates</th><th>won by</th><th>how</th>'
    return f'<h2>Score</h2><div class="sheet"><table><tr>{head}</tr>{"".join(rows)}</table></div>'


def _figures(figures: tuple[PlayerFigures, PlayerFigures], names: Sequence[str]) -> str:
    rows = [(_KINDS[kind], [str(one.done[kind]) for one in figures]) for kind in COUNTED]
    rows.append(("Plays a minute", ["–" if one.pace is None else f"{one.pace:.1f}" for one in figures]))
    rows.append(("Most plays in ten seconds", [str(one.burst) for one in figures]))
    stuck = [f"{one.stuck[0]:.1f} s at {clock(one.stuck[1])}" if one.stuck[0] else "never" for one in figures]
    rows.append(("Longest stuck", stuck))
    rows.append(("Faults", [str(one.faults.total()) for one in figures]))
    for reason in sorted(figures[0].faults | figures[1].faults):
        rows.append((f"– {reason.replace('_', ' ')}", [str(one.faults[reason]) for one in figures]))
    rows.append(("Undecided", [str(one.undecided) for one in figures]))
    body = "".join(
        f'<tr><td>{escape(what)}</td><td class="num">{one}</td><td class="num">{other}</td></tr>'
        for what, (one, other) in rows
    )
    a, b = (escape(name) for name in names)
    head = f'<tr><th></th><th class="num a">{a}</th><th class="num b">{b}</th></tr>'
    return f'<h2>Players</h2><div class="sheet"><table>{head}{body}</table></div>'


def _rulings(commits: Sequence[Commit], report: Report) -> str:
    rows = "".join(row for commit in commits for row in _row(commit, report))
    return (
        '<h2>Rulings</h2><div class="list"><input type="checkbox" id="only"><div class="bar"><p class="facts">Every '
        "ruling, in order of first touch; the stills show the place it happened at.</p>"
        f'<label for="only">faults and doubts only</label></div><ol class="sheet">{rows}</ol></div>'
    )


def _row(commit: Commit, report: Report) -> Iterator[str]:
    ruling = commit.ruling
    verdict = None if ruling is None else ruling.verdict
    kind = "plain" if verdict is Verdict.LEGAL else "fault" if verdict is Verdict.ILLEGAL else "doubt"
    badge = {"fault": "illegal", "doubt": "undecided"}.get(kind, "")
    more = []
    if ruling is None:
        kind, badge = "state", ""
    else:
        if ruling.rules:
            more.append(f"rule {', '.join(ruling.rules)}")
        more.append(f"{commit.confidence:.0%} sure")
        more.append(f"touched at {commit.t_from:.2f} to {commit.t_to:.2f} s")
        more.append(f"said {max(commit.t_said - commit.t, 0):.2f} s later")
    if commit.corrects is not None:
        more.append("corrects what was said first")
    mark = f'<span class="badge">{badge}</span>' if badge else ""
    stills = "".join(_still(still, commit.t) for still in report.stills.get(commit.number, ()))
    yield (
        f'<li id="r{commit.number}" class="{kind}"><span class="time">{clock(commit.t)}</span>'
        f'<div><p class="said">{mark}{escape(told(commit, report.names))}</p>'
        f'<p class="more">{escape(" · ".join(more))}</p></div>'
        f'<div class="stills">{stills}</div></li>'
    )


def _still(still: Still, touch: float) -> str:
    data = base64.b64encode(still.jpeg).decode("ascii")
    when = f"{still.t - touch:+.2f} s"
    return (
        f'<figure><img alt="{when}" width="{still.side}" height="{still.side}" loading="lazy" '
        f'src="data:image/jpeg;base64,{data}"><figcaption>{when}</figcaption></figure>'
    )
