"""Which line of a TOML text a key stands on, because the standard reader does not say."""

from __future__ import annotations

import re
from typing import Final

_SECTION: Final = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]")
_KEY: Final = re.compile(r"\s*([A-Za-z0-9_.\"'-]+?)\s*=")


def key_lines(text: str) -> dict[str, int]:
    """The line, counted from 1, of every section and key that begins a line; keys of sections as ``section.key``."""
    lines: dict[str, int] = {}
    section = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if head := _SECTION.match(line):
            section = _plain(head[1]) + "."
            lines.setdefault(section[:-1], number)
        elif key := _KEY.match(line):
            lines.setdefault(section + _plain(key[1]), number)
    return lines


def _plain(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.split("."))
