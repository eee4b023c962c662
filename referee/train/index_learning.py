"""Training the network that reads indexes: a run that can be stopped and gone on with, and its export."""

from __future__ import annotations

import json
import math
import time
import warnings
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from referee.errors import UserError
from referee.train.index_batches import Located, Views, draw_views
from referee.train.learning import Progress, muon, rate_share, write_whole
from referee.vision.index_reader import FACES, NO_INDEX
from referee.vision.indexes import CORNERS, VIEW

if TYPE_CHECKING:
    import torch

    from referee.train.index_network import IndexNetwork

_AVERAGED: Final = 0.999
_EXPECTED: Final = 2
"""Corners of a card that show its index, where it is not known which."""

_CLIP: Final = 5.0
_OPSET: Final = 17


@dataclass(frozen=True, slots=True)
class IndexRecipe:
    """How to train.

    Attributes:
        cards: cards to learn from until the end; of each two indexes or so.
        batch: cards in a step.
        rate: highest learning rate.
        decay: weight decay.
        seed: decides order and variation of the cards, and the first weights.
    """

    cards: int = 2_000_000
    batch: int = 128
    rate: float = 0.02
    decay: float = 5e-4
    seed: int = 0


def learn_indexes(
    folder: Path,
    recipe: IndexRecipe,
    located: Sequence[Located],
    validate: Callable[[IndexNetwork], float],
    *,
    device: str = "cpu",
    checkpoint_seconds: float = 180.0,
    progress: Callable[[Progress], None] = lambda _progress: None,
) -> IndexNetwork:
    """Train, or go on training, in ``folder``, which holds ``indexes-last.pt`` and ``indexes.jsonl``.

    Args:
        folder: where the run lives.
        recipe: how.
        located: cards to learn from.
        validate: share that a network reads rightly of what it did not learn from.
        device: torch's name of where to compute.
        checkpoint_seconds: time between two checkpoints.
        progress: told now and then how far the run is.

    Raises:
        UserError: the folder holds a run of another recipe, or the disk is full.
    """
    run = _Run(folder, recipe, device)
    shares = np.array([cards.share for cards in located])
    shares /= shares.sum()
    began, first = time.monotonic(), run.done
    kept = began
    loss = math.nan
    while run.done < recipe.cards:
        rng = np.random.default_rng([recipe.seed, run.done // recipe.batch])
        picks = [
            (which, int(rng.integers(len(located[which].places))))
            for which in rng.choice(len(located), recipe.batch, p=shares).tolist()
        ]
        now = run.step(draw_views(located, picks, rng))
        loss = now if math.isnan(loss) else 0.95 * loss + 0.05 * now
        if run.done % (20 * recipe.batch) < recipe.batch or run.done >= recipe.cards:
            left = (recipe.cards - run.done) * (time.monotonic() - began) / (run.done - first)
            progress(Progress(run.done, recipe.cards, max(left, 0.0), loss, {}))
        if time.monotonic() - kept > checkpoint_seconds:
            run.keep()
            kept = time.monotonic()
    run.keep()
    with (folder / "indexes.jsonl").open("a", encoding="utf-8") as log:
        log.write(json.dumps({"done": run.done, "loss": round(loss, 4), "right": validate(run.averaged)}) + "\n")
    return run.averaged


def export_indexes(network: IndexNetwork, path: Path) -> Path:
    """Write a network as `referee.vision.index_reader.IndexReader` opens it."""
    import torch

    from referee.train.index_network import Shipped

    path.parent.mkdir(parents=True, exist_ok=True)
    views = torch.zeros(len(CORNERS), VIEW[1], VIEW[0], 3, dtype=torch.uint8)
    with warnings.catch_warnings():
        # Torch says each time that it has a newer exporter, which needs another package.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Shipped(deepcopy(network).cpu().float()).eval(),
            (views,),
            str(path),
            opset_version=_OPSET,
            dynamo=False,
            input_names=["views"],
            output_names=["told"],
            dynamic_axes={"views": {0: "views"}, "told": {0: "views"}},
        )
    return path


def share_read(network: IndexNetwork, views: Views, batch: int = 512) -> float:
    """Share of the pictures of an index, each labelled, that show the card they are read as."""
    import torch

    from referee.train.index_network import evened, log_probabilities

    device = next(network.parameters()).device
    right = []
    with torch.inference_mode():
        for start in range(0, len(views.images), batch):
            images = torch.from_numpy(views.images[start : start + batch]).to(device)
            right.append(log_probabilities(network(evened(images)))[0].argmax(1).cpu().numpy())
    asked = views.shows != NO_INDEX
    return float((np.concatenate(right) == views.shows)[asked].mean())


class _Run:
    """Network, optimiser and averaged weights of a run, and their keeping."""

    def __init__(self, folder: Path, recipe: IndexRecipe, device: str) -> None:
        import torch

        from referee.train.index_network import IndexNetwork

        folder.mkdir(parents=True, exist_ok=True)
        self.path, self.recipe, self.device, self.done = folder / "indexes-last.pt", recipe, device, 0
        torch.manual_seed(recipe.seed)
        self.network = IndexNetwork().to(device).to(memory_format=torch.channels_last)
        self.averaged = deepcopy(self.network).eval()
        self.optimiser = muon([(list(self.network.parameters()), 1.0)], recipe.rate, recipe.decay)
        if self.path.exists():
            self._resume()
        self.network.train()

    def _resume(self) -> None:
        import torch

        kept = torch.load(self.path, map_location=self.device, weights_only=True)
        if kept["recipe"] != asdict(self.recipe):
            raise UserError(
                f"{self.path.parent} holds a run of another recipe: choose another folder, or delete {self.path.name}"
            )
        self.network.load_state_dict(kept["network"])
        self.averaged.load_state_dict(kept["averaged"])
        self.optimiser.load_state_dict(kept["optimiser"])
        self.done = kept["done"]

    def step(self, views: Views) -> float:
        """Learn from pictures; what a card cost."""
        import torch

        from referee.train.index_network import evened

        recipe = self.recipe
        for group in self.optimiser.param_groups:
            group["lr"] = recipe.rate * rate_share(self.done / recipe.batch, recipe.cards / recipe.batch)
        images = evened(torch.from_numpy(views.images).to(self.device)).contiguous(memory_format=torch.channels_last)
        with torch.autocast(torch.device(self.device).type, torch.bfloat16):
            logits = self.network(images)
        loss = index_loss(logits, torch.from_numpy(views.shows), torch.from_numpy(views.labelled))
        loss.backward()  # type: ignore[no-untyped-call]  # torch gives it no types
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), _CLIP)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.done += recipe.batch
        self._average()
        return float(loss.detach())

    def _average(self) -> None:
        import torch

        steps = self.done / self.recipe.batch
        share = 1 - min(_AVERAGED, steps / (steps + 20))
        with torch.no_grad():
            for mean, now in zip(self.averaged.state_dict().values(), self.network.state_dict().values(), strict=True):
                if mean.dtype.is_floating_point:
                    mean.lerp_(now, share)
                else:
                    mean.copy_(now)

    def keep(self) -> None:
        """Write a checkpoint; the one before stays until the new one is whole."""
        write_whole(
            {
                "recipe": asdict(self.recipe),
                "network": self.network.state_dict(),
                "averaged": self.averaged.state_dict(),
                "optimiser": self.optimiser.state_dict(),
                "done": self.done,
            },
            self.path,
        )


def index_loss(logits: torch.Tensor, shows: torch.Tensor, labelled: torch.Tensor) -> torch.Tensor:
    """Mean surprise at what the pictures show; at a card as a whole where it is not known which corners show it.

    Args:
        logits: (N, 18) of `referee.train.index_network.IndexNetwork`.
        shows: int64 (N,), see ``Views``.
        labelled: bool (N,), see ``Views``.
    """
    from referee.train.index_network import log_probabilities

    shows, labelled = shows.to(logits.device), labelled.to(logits.device)
    faces, none = log_probabilities(logits)
    own = faces.gather(1, shows.clamp(max=FACES - 1)[:, None])[:, 0]
    known = none.where(shows == NO_INDEX, own)[labelled]
    # Of a photographed card two corners or so show the index, and those that show it best are to speak for it.
    cards = own[~labelled].reshape(-1, len(CORNERS)).logsumexp(1).sub(math.log(_EXPECTED)).clamp(max=0)
    return -(known.sum() + cards.sum()) / max(1, len(known) + len(cards))
