"""Files that ship with the program: found beside the package when installed, in the project's folders otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).resolve().parent


def shipped(folder: str, name: str) -> Path:
    """Where file ``name`` of the shipped ``folder``, such as ``models``, is or should be."""
    installed = _PACKAGE / folder / name
    return installed if installed.exists() else _PACKAGE.parent / folder / name
