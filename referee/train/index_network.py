"""The network that reads a card's indexes, and the form in which it ships."""

from __future__ import annotations

from typing import Final

import torch
from torch import nn

from referee.vision.indexes import VIEW

RANKS: Final = 13
SUITS: Final = 4

_CHANNELS: Final = (24, 32, 64, 96)
_TOGETHER: Final = 160
_SHRUNK: Final = 8
"""The features that are taken together are this many times smaller than the picture, on either side."""

_LEAST: Final = 4.0
"""Added to the contrast by which pictures are divided, levels: noise is not to be made a picture of."""


class IndexNetwork(nn.Module):
    """Reads pictures of indexes; about 24 million multiplications each."""

    def __init__(self) -> None:
        super().__init__()
        first, second, third, last = _CHANNELS
        self.features = nn.Sequential(
            _layer(3, first, side=5, step=2),
            _layer(first, second),
            nn.MaxPool2d(2),
            _layer(second, third),
            _layer(third, third),
            nn.MaxPool2d(2),
            _layer(third, last),
            _layer(last, last),
        )
        width, height = (side // _SHRUNK for side in VIEW)
        self.told = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.1),
            nn.Linear(last * width * height, _TOGETHER),
            nn.SiLU(),
            nn.Linear(_TOGETHER, RANKS + SUITS + 1),
        )

    def forward(self, views: torch.Tensor) -> torch.Tensor:
        """Logits (N, 18), of 13 ranks, of four suits, and of there being no index that can be read.

        Args:
            views: float32 (N, 3, H, W), BGR, as ``evened`` gives them.
        """
        logits: torch.Tensor = self.told(self.features(views))
        return logits


class Shipped(nn.Module):
    """The network as `referee.vision.index_reader` runs it: from pictures to logarithms of probabilities."""

    def __init__(self, network: IndexNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, views: torch.Tensor) -> torch.Tensor:
        """float32 (N, 53), see `referee.vision.index_reader.IndexReader.read`, of uint8 (N, H, W, 3)."""
        faces, none = log_probabilities(self.network(evened(views)))
        return torch.cat([faces, none[:, None]], dim=1)


def evened(views: torch.Tensor) -> torch.Tensor:
    """Pictures, uint8 (N, H, W, 3), as the network takes them: whatever the light, of one brightness and contrast."""
    pictures = views.permute(0, 3, 1, 2).float()
    mean = pictures.mean(dim=(1, 2, 3), keepdim=True)
    contrast = (pictures - mean).square().mean(dim=(1, 2, 3), keepdim=True).sqrt()
    return (pictures - mean) / (contrast + _LEAST)


def log_probabilities(logits: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Of logits (N, 18), what the pictures show: each face (N, 52) by its code, and no index (N,)."""
    logits = logits.float()
    ranks, suits = logits[:, :RANKS].log_softmax(1), logits[:, RANKS : RANKS + SUITS].log_softmax(1)
    # Card codes count suit by suit.
    faces = (suits[:, :, None] + ranks[:, None, :]).flatten(1)
    none = logits[:, -1]
    return faces + nn.functional.logsigmoid(-none)[:, None], nn.functional.logsigmoid(none)


def _layer(before: int, after: int, side: int = 3, step: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, side, step, side // 2, bias=False), nn.BatchNorm2d(after), nn.SiLU(inplace=True)
    )
