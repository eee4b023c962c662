"""The law of Spit: exact positions, rulings, and what follows. Pure Python, no input or output.

>>> from referee.rules import Action, build, judge, parse_action, parse_position
>>> position = parse_position(
...     "house A=play;9H/JC3S/-/-/-;#20 B=play;TC/4D/-/-/-;#19 C=8SA,7CA/JHB,TSB,9DA,8HB,9CA,TDB"
... )
>>> ruling = judge(position, parse_action("A play 9H A1 C1"))
>>> ruling.verdict.value, ruling.reason.value
('illegal', 'not_adjacent')
>>> ruling.text
'A plays 9♥ on C1: illegal, 9♥ does not go on 7♣; it goes back.'
"""

from referee.rules.actions import Action, Kind, Manner, SeatDeal, parse_action
from referee.rules.judge import judge
from referee.rules.lawbook import Law, all_laws, law
from referee.rules.moving import Impossible
from referee.rules.position import Position, parse_position, start
from referee.rules.ruleset import PRESETS, RuleSet, build
from referee.rules.ruling import Remedy, Ruling, Verdict, sentence
from referee.rules.settings import load_ruleset, parse_overrides, parse_ruleset
from referee.rules.state import Debt, Phase, Reason, Side
from referee.rules.step import Happening, Step, apply, happenings, step
from referee.rules.stuck import Stuck, stalemate, stuck

__all__ = [
    "PRESETS",
    "Action",
    "Debt",
    "Happening",
    "Impossible",
    "Kind",
    "Law",
    "Manner",
    "Phase",
    "Position",
    "Reason",
    "Remedy",
    "RuleSet",
    "Ruling",
    "SeatDeal",
    "Side",
    "Step",
    "Stuck",
    "Verdict",
    "all_laws",
    "apply",
    "build",
    "happenings",
    "judge",
    "law",
    "load_ruleset",
    "parse_action",
    "parse_overrides",
    "parse_position",
    "parse_ruleset",
    "sentence",
    "stalemate",
    "start",
    "step",
    "stuck",
]
