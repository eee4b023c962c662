"""Where nothing can be drawn, the program says what to install."""

from __future__ import annotations

import sys

import pytest

from referee.errors import UserError
from referee.simulate.render.pipe import open_context


def test_without_moderngl_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "moderngl", None)
    with pytest.raises(UserError, match=r"spit-referee\[simulate\]"):
        open_context()


def test_without_a_driver_the_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    moderngl = pytest.importorskip("moderngl", reason="moderngl (extra: simulate) is not installed")

    def fail(**_settings: object) -> None:
        raise OSError("libEGL.so: cannot open shared object file")

    monkeypatch.setattr(moderngl, "create_context", fail)
    with pytest.raises(UserError, match=r"libEGL.*libegl1 libgl1-mesa-dri"):
        open_context()
