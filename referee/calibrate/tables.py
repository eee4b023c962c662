"""Where tables are kept: by name in the user's configuration folder, or in any file."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from referee.calibrate.saved_table import SavedTable
from referee.calibrate.table_file import parse_table, write_table
from referee.errors import UserError

SUFFIX: Final = ".toml"

FOLDER_VARIABLE: Final = "REFEREE_TABLES"
"""Environment variable with the folder of tables, in place of the platform's own."""

_NAME: Final = re.compile(r"\w[\w .-]{0,63}")


def tables_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The folder in which tables are kept by name; it need not be there yet."""
    if chosen := environment.get(FOLDER_VARIABLE):
        return Path(chosen).expanduser()
    if platform == "win32":
        base = Path(environment.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    elif platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(environment.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return base / "spit-referee" / "tables"


def table_path(table: str) -> Path:
    """The file of a table: a path where ``table`` is one (it has a separator or ends in .toml), else by its name.

    Raises:
        UserError: the name cannot be one of a file.
    """
    if table.endswith(SUFFIX) or any(separator in table for separator in ("/", os.sep)):
        return Path(table).expanduser()
    if not _NAME.fullmatch(table):
        raise UserError(f"{table!r} is no name for a table: use letters, digits, spaces, dots and dashes")
    return tables_folder() / f"{table}{SUFFIX}"


def table_names() -> list[str]:
    """Names of the tables that are kept, in order."""
    return sorted(path.stem for path in tables_folder().glob(f"*{SUFFIX}") if not path.name.startswith("."))


def where_it_lies() -> UserError:
    """What is said to somebody who gives no table: which ones are kept, and how else to say where it lies."""
    known = table_names()
    there = f" (kept: {', '.join(known)})" if known else ""
    return UserError(
        f"the referee has to know where the table lies: name one with --table{there}, or give --corners; "
        "'referee calibrate' finds it"
    )


def load_table(table: str) -> SavedTable:
    """The table called ``table``, or the one in the file of that path.

    Raises:
        UserError: there is none, or its file is wrong; names the key and the line.
    """
    path = table_path(table)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        there = ", ".join(table_names())
        known = f"there are: {there}" if there else "none was saved yet"
        raise UserError(f"there is no table {table!r} ({known}): 'referee calibrate --save NAME' makes one") from None
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise UserError(f"cannot read the table {path}: {why}") from None
    return parse_table(text, str(path))


def save_table(table: SavedTable, name: str) -> Path:
    """Write a table under a name, or to the file of that path; one that was there is replaced whole or not at all.

    Raises:
        UserError: it cannot be written, or its zones could not be read back.
    """
    path = table_path(name)
    text = write_table(table)
    parse_table(text, "this table")
    part = path.with_name(f".{path.name}.part")
    try:
        if path.parent == tables_folder():
            path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise UserError(f"cannot write the table {path}: {error.strerror}") from None
    return path
