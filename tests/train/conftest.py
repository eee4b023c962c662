"""Fakes of the registries' clients, so that fetching is tested without any registry."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Fake = Callable[[str, str], None]


@pytest.fixture
def fake_client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Put a client of that name first on the path; it runs the given lines of shell, as does ``python -m pip``."""
    if sys.platform == "win32":
        pytest.skip("the fake clients are shell scripts")
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def make(name: str, lines: str) -> None:
        script = folder / name
        script.write_text(f"#!/bin/sh\n{lines}\n")
        script.chmod(0o755)
        if name == "pip":
            module = folder / "modules" / "pip"
            module.mkdir(parents=True, exist_ok=True)
            code = f"import subprocess, sys\nsys.exit(subprocess.run([{str(script)!r}, *sys.argv[1:]]).returncode)\n"
            (module / "__main__.py").write_text(code)
            (module / "__init__.py").write_text("")
            monkeypatch.setenv("PYTHONPATH", str(module.parent))

    return make
