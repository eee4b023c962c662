"""A game refereed in a process of its own, to be interrupted: ``python -m tests.live.sitting FOLDER new|resume``."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from referee.commands.watch import referee_game, tell
from tests.live.tables import plan_of


def main() -> None:
    folder, how = Path(sys.argv[1]), sys.argv[2]
    plan = plan_of("calm", folder)
    tell(referee_game(plan if how == "new" else replace(plan, game=None)))


if __name__ == "__main__":
    main()
