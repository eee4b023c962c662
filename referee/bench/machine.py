"""The machine that is measured, and the versions that count."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version

from referee import __version__


def machine() -> dict[str, str]:
    """What a figure depends on besides the program."""
    told = {"referee": __version__, "Python": platform.python_version(), "on": platform.platform(terse=True)}
    told["cores"] = str(os.cpu_count() or 1)
    for name in ("onnxruntime", "opencv-python", "av", "numpy", "ultralytics"):
        try:
            told[name] = version(name)
        except PackageNotFoundError:
            continue
    return told
