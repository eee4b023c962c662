"""Games for tests: played by scripted players, seen as well as wished, decoded, and held against their truth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from referee.evaluate.events import EventFile
from referee.evaluate.footage import Score, score
from referee.readings import Evidence, Reach, ZoneChange
from referee.rules.ruleset import RuleSet, build
from referee.simulate.directed import Directed
from referee.simulate.events import Event
from referee.simulate.incidents import Incident
from referee.simulate.placement import places_on
from referee.simulate.players import Tempo, player
from referee.simulate.production import table_for
from referee.simulate.seen import Eyes, watch
from referee.simulate.truth import event_line
from referee.table import Zone
from referee.tracking.commits import Commit
from referee.tracking.decoder import Decoder
from referee.tracking.results import result_event, settled
from tests.tracking.lines import events_of

TICK = 1 / 30


@cache
def played(
    rules: RuleSet, seed: int, seconds: float, pace: float = 1.0, incidents: tuple[Incident, ...] = ()
) -> tuple[Event, ...]:
    """What happens in the first ``seconds`` of a game."""
    tempo = Tempo().scaled(pace)
    a, b = player("greedy", pace), player("greedy", pace)
    places = places_on(table_for(rules), hands=rules.plan.hand > 0)
    match = Directed(rules, seed, (a, b), (tempo, tempo), places, incidents)
    while match.now < seconds and match.advance():
        pass
    return tuple(event for event in match.in_order() if event.t < seconds)


def zones_of(rules: RuleSet) -> tuple[Zone, ...]:
    """The zones on the table."""
    return tuple(table_for(rules).boxes)


def seen(events: Sequence[Event], rules: RuleSet, eyes: Eyes, seed: int, pace: float = 1.0) -> list[Evidence]:
    """The evidence of a game."""
    actions = [event.action for event in events if event.action is not None]
    return watch(actions, zones_of(rules), eyes, Random(seed), pace=pace)


def known_at(evidence: Evidence) -> float:
    """When evidence becomes known, s."""
    if isinstance(evidence, ZoneChange):
        return evidence.t_seen
    return evidence.t_end + 0.05 if isinstance(evidence, Reach) else evidence.t_to


def decode(rules: RuleSet, evidence: Sequence[Evidence], zones: Sequence[Zone] | None = None) -> list[Commit]:
    """What the decoder says of it, time passing frame by frame."""
    decoder = Decoder(rules, zones or zones_of(rules))
    said: list[Commit] = []
    now = 0.0
    for one in evidence:
        while now + TICK < known_at(one):
            now += TICK
            said += decoder.advance(now)
        said += decoder.push(one)
    return said + decoder.finish()


def held_against(events: Sequence[Event], commits: Sequence[Commit]) -> Score:
    """The score of what was said, as the contract for footage counts."""
    end = max(event.t for event in events) + 0.3
    said = [result_event(commit) for commit in settled(commits) if commit.t <= end]
    truth = [event_line(event) for event in events]
    return score(EventFile({"fps": 30}, events_of(truth)), EventFile({"fps": 30}, events_of(said)))


def complaints(figures: Score) -> list[str]:
    """What is not as it should be if everything is seen: a line each."""
    found = [
        f"{kind}: {count.truth} in truth, {count.said} said, {count.both} both"
        for kind, count in {**figures.counts, **figures.outcomes}.items()
        if not count.truth == count.said == count.both
    ]
    if not figures.illegal.truth == figures.illegal.said == figures.illegal.both:
        found.append(f"illegal: {figures.illegal}")
    if figures.accusations or figures.undecided or figures.order.wrong:
        found.append(
            f"{figures.accusations} accused, {figures.undecided} undecided, {figures.order.wrong} orders wrong"
        )
    return found


HOUSE = build()
