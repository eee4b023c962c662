"""How well a network in training reads crops of decks it does not learn from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from referee.readings import BACK
from referee.train.network import CLASSES
from referee.train.shelves import NOTHING, Shelf
from referee.vision.engine import as_input

if TYPE_CHECKING:
    from ultralytics.nn.tasks import DetectionModel

_BATCH: Final = 64
_FOUND: Final = 0.25
"""Score from which an empty zone counts as read falsely."""

_RANKS: Final = 13


@dataclass(frozen=True, slots=True, eq=False)
class Validation:
    """Crops to validate on.

    Attributes:
        drawn: drawn crops of validation decks.
        places: which of them.
        photos: crops of photographs of decks that are in no training picture; may be none.
        device: torch's name of where to compute.
    """

    drawn: Shelf
    places: npt.NDArray[np.intp]
    photos: Sequence[Shelf]
    device: str = "cpu"

    def __call__(self, model: DetectionModel) -> Mapping[str, float]:
        """Shares read rightly: ``card`` and ``rank`` and ``back`` of drawn crops, ``photo_card`` and ``photo_rank`` of
        photographs; ``false``, the share of empty zones in which something was found; and ``score``, which decides.
        """
        said, sure = self._read(model, self.drawn, self.places)
        truth = self.drawn.classes[self.places]
        cards, empty = _faces(truth), truth == NOTHING
        scores = {
            "card": _share(said[cards] == truth[cards]),
            "rank": _share(_ranks(said[cards]) == _ranks(truth[cards])),
            "back": _share(said[truth == BACK] == BACK),
            "false": _share(sure[empty] >= _FOUND),
        }
        scores["score"] = scores["card"]
        if self.photos:
            told = np.concatenate([self._read(model, shelf, np.arange(len(shelf)))[0] for shelf in self.photos])
            truth = np.concatenate([shelf.classes for shelf in self.photos])
            cards = _faces(truth)
            scores["photo_card"] = _share(told[cards] == truth[cards])
            scores["photo_rank"] = _share(_ranks(told[cards]) == _ranks(truth[cards]))
            scores["score"] = (scores["card"] + scores["photo_card"]) / 2
        return scores

    def _read(
        self, model: Any, shelf: Shelf, places: npt.NDArray[np.intp]
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float32]]:
        """The class found in each crop and its score."""
        import torch

        said, sure = [], []
        with torch.inference_mode():
            for start in range(0, len(places), _BATCH):
                crops = [np.asarray(shelf.images[place]) for place in places[start : start + _BATCH]]
                found = model(torch.from_numpy(as_input(crops)).to(self.device))
                scores = found[0][:, 4 : 4 + len(CLASSES)].amax(dim=2).cpu().numpy()
                said.append(scores.argmax(axis=1))
                sure.append(scores.max(axis=1))
        return np.concatenate(said), np.concatenate(sure)


def _faces(classes: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    return np.asarray((classes >= 0) & (classes < BACK))


def _ranks(classes: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """Ranks of faces; what is none has a rank of its own."""
    return np.where(_faces(classes), classes % _RANKS, -1).astype(np.intp)


def _share(right: npt.NDArray[np.bool_]) -> float:
    return float(right.mean()) if right.size else 1.0
