"""The reader's last layer: what a card is, from its rank and its suit."""

from __future__ import annotations

import torch
from torch import nn

RANKS, SUITS, OTHERS = 13, 4, 2


class RankAndSuit(nn.Module):
    """Logits of 52 faces, each the sum of one for its rank and one for its suit; and those of back and hidden.

    A deck never seen shares neither its kings' pictures nor its own way of drawing them with the decks learnt from,
    but it shares the letters and the four signs: a rank that is learnt once for all suits needs a quarter of the
    examples, and what only one card of a deck shows counts for less.
    """

    def __init__(self, channels: int, prior: float) -> None:
        """Args:
        channels: features of each place.
        prior: logit that every class starts from.
        """
        super().__init__()
        self.parts = nn.Conv2d(channels, RANKS + SUITS + OTHERS, 1)
        assert self.parts.bias is not None
        nn.init.constant_(self.parts.bias, prior)
        nn.init.constant_(self.parts.bias[: RANKS + SUITS], prior / 2)
        sums = torch.zeros(RANKS * SUITS + OTHERS, RANKS + SUITS + OTHERS)
        for code in range(RANKS * SUITS):
            # Card codes count suit by suit.
            suit, rank = divmod(code, RANKS)
            sums[code, rank] = sums[code, RANKS + suit] = 1
        for other in range(OTHERS):
            sums[RANKS * SUITS + other, RANKS + SUITS + other] = 1
        self.register_buffer("sums", sums[:, :, None, None])

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Logits (N, 54, H, W) from features (N, channels, H, W)."""
        sums = self.sums
        assert isinstance(sums, torch.Tensor)
        return nn.functional.conv2d(self.parts(features), sums.to(features.dtype))
