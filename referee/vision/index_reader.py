"""The second network: what a card's corner indexes say, each seen upright.

The first network sees the whole crop, in which a card may lie any way round and an index is a tenth as wide as the
card. Once it has told where the card lies, its indexes can be cut out and turned upright, and that is a small and
simple thing to read. Most corners show no index, or have something over them, which the network tells as well.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from referee.cards import DECK
from referee.errors import UserError
from referee.vision.engine import open_session
from referee.vision.evidence import Doubles
from referee.vision.indexes import VIEW

Image: TypeAlias = npt.NDArray[np.uint8]

FACES: Final = len(DECK)
NO_INDEX: Final = FACES
"""Place of the answer that no index can be read there."""


class ReadsIndexes(Protocol):
    """What reads pictures of indexes."""

    def read(self, views: Image) -> Doubles:
        """See `IndexReader.read`."""


class IndexReader:
    """Reads pictures of indexes."""

    def __init__(self, path: Path) -> None:
        """Args:
        path: what `referee.train.index_learning.export_indexes` wrote.

        Raises:
            UserError: the file is no such network.
        """
        self._session = open_session(path)
        inputs, outputs = self._session.get_inputs(), self._session.get_outputs()
        fits = len(inputs) == len(outputs) == 1 and inputs[0].shape[1:] == [VIEW[1], VIEW[0], 3]
        if not fits or outputs[0].shape[1:] != [FACES + 1]:
            raise UserError(f"{path} is not a network that reads a card's indexes: train the reader again")
        self._input = inputs[0].name

    def read(self, views: Image) -> Doubles:
        """What each picture shows.

        Args:
            views: uint8 (N, H, W, 3), BGR, balanced; see `referee.vision.indexes.index_views`.

        Returns:
            float64 (N, FACES + 1), natural logarithms of the probabilities of each face, by its code, and of
            ``NO_INDEX``.
        """
        return np.asarray(self._session.run(None, {self._input: views})[0], np.float64)
