"""The network: a nano YOLO that looks at one scale only, because every crop shows a card at the same size.

YOLO11n reports on grids of 8, 16 and 32 pixels, for things of all sizes. Cards in crops have one size, so one grid is
enough: ``reader`` keeps YOLO11n's backbone, brings the deepest features back to the grid of 16 pixels and reports
there, ranks and suits apart. ``yolo11n`` and ``yolo26n`` are as published, for comparison.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from referee.cards import DECK
from referee.errors import UserError

if TYPE_CHECKING:
    from ultralytics.nn.tasks import DetectionModel

CLASSES: Final = (*(card.text for card in DECK), "back", "hidden")
"""What the network tells apart: 52 faces, a back, and a zone of which nothing shows because something lies over it."""

NETWORKS: Final = ("reader", "yolo11n", "yolo26n")


def quiet_ultralytics() -> None:
    """Keep ultralytics from going online, installing packages and writing settings into the user's home.

    Call this before it is imported for the first time.
    """
    from referee.train.decks.art import default_cache

    os.environ.setdefault("YOLO_OFFLINE", "1")
    os.environ.setdefault("YOLO_AUTOINSTALL", "False")
    os.environ.setdefault("YOLO_VERBOSE", "False")
    os.environ.setdefault("ULTRALYTICS_SKIP_REQUIREMENTS_CHECKS", "1")
    settings = default_cache().parent / "ultralytics"
    settings.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("YOLO_CONFIG_DIR", str(settings))


def build_network(name: str) -> DetectionModel:
    """An untrained network.

    Args:
        name: one of ``NETWORKS``.

    Raises:
        UserError: ultralytics is not installed.
    """
    quiet_ultralytics()
    try:
        from ultralytics.cfg import get_cfg
        from ultralytics.nn.tasks import DetectionModel, yaml_model_load
    except ImportError:
        raise UserError("training needs ultralytics: install it with pip install 'spit-referee[train]'") from None
    # Ultralytics has no types here, and takes the scale from a file's name unless it is told.
    file = Path(__file__).with_name("reader.yaml") if name == "reader" else Path(f"{name}.yaml")
    read: Any = yaml_model_load
    make: Any = DetectionModel
    # Without end2end, YOLO26 answers like the others: an opinion of every place, none of them suppressed.
    described = {**read(file), "scale": "n", "nc": len(CLASSES), "end2end": False}
    model: Any = make(described, ch=3, nc=len(CLASSES), verbose=False)
    model.args = get_cfg()
    model.names = dict(enumerate(CLASSES))
    if name == "reader":
        from referee.train.class_head import RankAndSuit

        for branch in model.model[-1].cv3:
            plain = branch[-1]
            branch[-1] = RankAndSuit(plain.in_channels, float(plain.bias[0].detach()))
    built: DetectionModel = model
    return built
