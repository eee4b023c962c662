"""Whether something can be spoken here, and what to do where it cannot."""

from __future__ import annotations

from importlib.util import find_spec
from typing import NoReturn

import pytest


def silent(why: str) -> NoReturn:
    """No voice answered: a fault where the extra 'speech' brings one along, else a reason to skip."""
    if find_spec("pyttsx3") and find_spec("espeakng_loader"):
        pytest.fail(f"the voice of the extra 'speech' does not speak: {why}")
    pytest.skip(f"the extra 'speech' is not installed, and nothing else speaks here: {why}")
