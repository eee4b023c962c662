"""Writing files whole or not at all."""

from __future__ import annotations

import contextlib
from pathlib import Path

from referee.errors import UserError


def write_whole(path: Path, content: bytes | str) -> None:
    """Write a file, text in UTF-8 with plain ends of lines; until all of it is written, what was there stays.

    Raises:
        UserError: it cannot be written; nothing is left behind then.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    # A link stays one, and what is no file, such as a device, is written to.
    target = path.resolve() if path.is_symlink() else path
    part = target if target.exists() and not target.is_file() else target.with_name(f".{target.name}.part")
    try:
        part.write_bytes(data)
        if part != target:
            part.replace(target)
    except OSError as error:
        if part != target:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
        raise UserError(f"cannot write {path}: {error.strerror}") from None
