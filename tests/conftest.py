"""Settings for the whole suite."""

from __future__ import annotations

from hypothesis import Phase, settings

# Examples are games given by a seed: the same in every run, and not worth shrinking, for a smaller seed is no
# smaller game.
settings.register_profile("games", derandomize=True, deadline=None, phases=(Phase.explicit, Phase.generate))
settings.load_profile("games")
