"""The graphics pipe: a context without a window, and the programs on it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from referee.errors import UserError

if TYPE_CHECKING:
    import moderngl

Floats = npt.NDArray[np.float32]
Rect = tuple[int, int, int, int]
"""x, y, width, height in pixels."""


def open_context() -> moderngl.Context:
    """An OpenGL context without a window.

    Raises:
        UserError: moderngl or a graphics driver is missing; the message says what to install.
    """
    try:
        import moderngl
    except ImportError:
        raise UserError(
            "rendering footage needs moderngl, which is not installed: pip install 'spit-referee[simulate]'"
        ) from None
    # Without a display Linux needs to be told to ask EGL; elsewhere the system's own way works.
    settings: dict[str, Any] = {"backend": "egl"} if sys.platform.startswith("linux") else {}
    try:
        context = moderngl.create_context(standalone=True, require=330, **settings)
    except Exception as problem:  # moderngl raises whatever its loader meets: OSError, ImportError, its own Error
        raise UserError(
            f"no OpenGL 3.3 context could be made ({problem}); on Debian and Ubuntu install the software renderer: "
            "apt install libegl1 libgl1-mesa-dri"
        ) from None
    context.enable(moderngl.DEPTH_TEST)
    return context


def set_uniforms(programs: Iterable[moderngl.Program], values: dict[str, Any]) -> None:
    """Gives every program the values that it has a uniform for."""
    for program in programs:
        for name, value in values.items():
            # A compiler drops what a program does not use; there is then nothing to set.
            member: Any = program.get(name, None)
            if member is not None:
                member.value = value


def read_floats(target: moderngl.Framebuffer, rect: Rect, components: int, attachment: int = 0) -> Floats:
    """A rectangle of the target's colours as float32 (height, width, components)."""
    x, y, width, height = rect
    data = target.read((x, y, width, height), components=components, attachment=attachment, dtype="f4", alignment=1)
    return np.frombuffer(data, np.float32).reshape(height, width, components)
