"""The training run: batches through the network, checkpoints, validation, and an early end.

A run lives in a folder and can be stopped at any moment: started again, it goes on from its last checkpoint with the
same crops in the same order. The folder holds ``last.pt`` (everything needed to go on), ``best.pt`` (weights as
ultralytics loads them) and ``log.jsonl`` (a line for each validation).
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from referee.errors import UserError
from referee.train.apart import apart
from referee.train.network import CLASSES, build_network
from referee.train.shelves import NOTHING, Batch, Portion, draw_batch

if TYPE_CHECKING:
    import torch
    from ultralytics.nn.tasks import DetectionModel

_WARM_UP: Final = 400
"""Most steps over which the learning rate rises; short runs take a tenth of theirs."""

_LAST_RATE: Final = 0.01
"""Share of the learning rate left at the end."""

_CLIP: Final = 10.0


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train.

    Attributes:
        network: one of ``referee.train.network.NETWORKS``.
        images: crops to learn from until the end.
        batch: crops in a step.
        rate: highest learning rate.
        decay: weight decay.
        apart: weight of telling one card from another beside ultralytics' own loss.
        frozen: first layers of the network that stay as they were given: edges and corners are the same everywhere, and
            with three of them a step takes three quarters of the time.
        seed: decides the order and the variation of the crops, and the first weights.
        patience: validations without a better one after which the run ends.
        every: crops between two validations.
    """

    network: str = "reader"
    images: int = 720_000
    batch: int = 64
    rate: float = 0.02
    decay: float = 5e-4
    apart: float = 1.5
    frozen: int = 0
    seed: int = 0
    patience: int = 8
    every: int = 40_000


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: crops learnt from, seconds it has still to go, the loss of late, and the last validation."""

    done: int
    images: int
    seconds_left: float
    loss: float
    scores: Mapping[str, float]


def learn(
    folder: Path,
    recipe: Recipe,
    portions: Sequence[Portion],
    validate: Callable[[DetectionModel], Mapping[str, float]],
    *,
    start: Path | None = None,
    device: str = "cpu",
    checkpoint_seconds: float = 180.0,
    progress: Callable[[Progress], None] = lambda _progress: None,
) -> Path:
    """Train, or go on training, in ``folder``.

    Args:
        folder: where the run lives.
        recipe: how.
        portions: what every batch is picked from.
        validate: gives figures of a network; ``score`` among them decides which weights are best, more being better.
        start: weights to start from, those of the same network, instead of random ones.
        device: torch's name of where to compute.
        checkpoint_seconds: time between two checkpoints.
        progress: told now and then how far the run is.

    Returns:
        The best weights, ``best.pt``.

    Raises:
        UserError: the folder holds a run of another recipe, the weights to start from are of another network, or the
            disk is full.
    """
    run = _Run(folder, recipe, start, device)
    began, first = time.monotonic(), run.done
    kept = began
    losses: list[float] = []
    picks = _picks(portions, recipe, run.done // recipe.batch)
    shelves = [portion.shelf for portion in portions]
    while run.done < recipe.images and run.waited < recipe.patience:
        rng = np.random.default_rng([recipe.seed, 1, run.done // recipe.batch])
        batch = draw_batch(shelves, next(picks), rng)
        losses.append(run.step(batch))
        if run.done % recipe.every < recipe.batch:
            run.note(validate(run.averaged.ema), sum(losses[-40:]) / len(losses[-40:]))
        if run.done % (20 * recipe.batch) < recipe.batch:
            left = (recipe.images - run.done) * (time.monotonic() - began) / (run.done - first)
            progress(Progress(run.done, recipe.images, left, sum(losses[-40:]) / len(losses[-40:]), run.scores))
        if time.monotonic() - kept > checkpoint_seconds:
            run.keep()
            kept = time.monotonic()
    if run.noted < run.done:
        run.note(validate(run.averaged.ema), sum(losses[-40:]) / max(1, len(losses[-40:])))
    run.keep()
    return folder / "best.pt"


def _picks(portions: Sequence[Portion], recipe: Recipe, step: int) -> Iterator[list[tuple[int, int]]]:
    """Batch after batch of portions and places on their shelves, from ``step`` on.

    A portion is gone through before it is repeated.
    """
    shares = np.array([portion.share for portion in portions])
    shares /= shares.sum()
    counts = [0] * len(portions)
    orders: dict[tuple[int, int], npt.NDArray[np.intp]] = {}
    number = 0
    while True:
        chosen = np.random.default_rng([recipe.seed, 2, number]).choice(len(portions), recipe.batch, p=shares)
        picks = []
        for which in chosen.tolist():
            portion = portions[which]
            epoch, place = divmod(counts[which], len(portion))
            counts[which] += 1
            if number >= step:
                if (which, epoch) not in orders:
                    orders.pop((which, epoch - 1), None)
                    orders[which, epoch] = np.random.default_rng([recipe.seed, 3, which, epoch]).permutation(
                        len(portion)
                    )
                picks.append((which, portion.place(int(orders[which, epoch][place]))))
        if number >= step:
            yield picks
        number += 1


class _Run:
    """Network, optimiser and averaged weights of a run, and their keeping."""

    def __init__(self, folder: Path, recipe: Recipe, start: Path | None, device: str) -> None:
        import torch

        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.recipe, self.device = folder, recipe, device
        self.done, self.noted, self.waited, self.best = 0, 0, 0, -math.inf
        self.scores: Mapping[str, float] = {}
        torch.manual_seed(recipe.seed)
        # Ultralytics types its networks as plain modules, which have neither a loss nor a head.
        self.model: Any = build_network(recipe.network)
        if start is not None:
            try:
                self.model.load_state_dict(load_weights(start).state_dict())
            except RuntimeError:
                raise UserError(f"{start} holds weights of another network than {recipe.network!r}") from None
        self.model.to(device).to(memory_format=torch.channels_last)
        self.model.train()
        layers: Any = self.model.model
        for layer in layers[: recipe.frozen]:
            layer.requires_grad_(False)
            # Neither do its statistics follow the crops.
            layer.eval()
        from ultralytics.utils.torch_utils import ModelEMA

        self.averaged: Any = ModelEMA(self.model, decay=0.9995, tau=1000)  # type: ignore[no-untyped-call]  # ultralytics has no types
        self.optimiser = _optimiser(self.model, recipe)
        self.strides: tuple[int, ...] = tuple(int(stride) for stride in self.model.stride)
        if (folder / "last.pt").exists():
            self._resume()

    def _resume(self) -> None:
        import torch

        kept = torch.load(self.folder / "last.pt", map_location=self.device, weights_only=True)
        if kept["recipe"] != asdict(self.recipe):
            differs = ", ".join(key for key, value in asdict(self.recipe).items() if kept["recipe"].get(key) != value)
            raise UserError(f"{self.folder} holds a run with another {differs}: choose another folder, or delete it")
        self.model.load_state_dict(kept["model"])
        self.averaged.ema.load_state_dict(kept["averaged"])
        self.averaged.updates = kept["updates"]
        self.optimiser.load_state_dict(kept["optimiser"])
        self.done, self.noted = kept["done"], kept["noted"]
        self.waited, self.best = kept["waited"], kept["best"]
        self.scores = kept["scores"]

    def step(self, batch: Batch) -> float:
        """Learn from a batch; its loss."""
        import torch

        rate = self.recipe.rate * rate_share(self.done / self.recipe.batch, self.recipe.images / self.recipe.batch)
        for group in self.optimiser.param_groups:
            group["lr"] = rate * group["boost"]
        images = to_input(batch.images, self.device)
        with torch.autocast(torch.device(self.device).type, torch.bfloat16):
            found = self.model(images)
        loss, _ = self.model.loss(_targets(batch, self.device), _float(found))
        total = loss.sum() + self.recipe.apart * len(batch.classes) * apart(found, batch, self.strides)
        total.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), _CLIP)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.averaged.update(self.model)
        self.done += len(batch.classes)
        return float(total.detach()) / len(batch.classes)

    def note(self, scores: Mapping[str, float], loss: float) -> None:
        """Write down a validation, and keep the weights if they are the best so far."""
        self.noted = self.done
        self.scores = {key: float(value) for key, value in scores.items()}
        line = {"done": self.done, "loss": round(loss, 4), **{key: round(value, 5) for key, value in scores.items()}}
        with (self.folder / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")
        if self.scores["score"] > self.best:
            self.best, self.waited = self.scores["score"], 0
            save_weights(self.averaged.ema, self.folder / "best.pt")
        else:
            self.waited += 1

    def keep(self) -> None:
        """Write a checkpoint; the one before stays until the new one is whole."""
        write_whole(
            {
                "recipe": asdict(self.recipe),
                "model": self.model.state_dict(),
                "averaged": self.averaged.ema.state_dict(),
                "updates": self.averaged.updates,
                "optimiser": self.optimiser.state_dict(),
                "done": self.done,
                "noted": self.noted,
                "waited": self.waited,
                "best": self.best,
                "scores": dict(self.scores),
            },
            self.folder / "last.pt",
        )


def _optimiser(model: Any, recipe: Recipe) -> torch.optim.Optimizer:
    """Of a YOLO network: the classifier learns faster than the rest."""
    classifier = list(model.model[-1].cv3.parameters())
    told = {id(weights) for weights in classifier}
    rest = [weights for weights in model.parameters() if id(weights) not in told]
    return muon([(rest, 1.0), (classifier, 3.0)], recipe.rate, recipe.decay)


def muon(parts: Sequence[tuple[Sequence[torch.Tensor], float]], rate: float, decay: float) -> torch.optim.Optimizer:
    """Muon with momentum, as ultralytics trains from nothing: matrices and kernels by Muon.

    Args:
        parts: weights, and how many times faster than the others they learn; each group tells it as ``boost``.
        rate: learning rate.
        decay: of matrices and kernels.
    """
    from ultralytics.optim.muon import MuSGD

    groups = [
        {
            "params": [one for one in weights if (one.ndim > 1) == matrix],
            "use_muon": matrix,
            "weight_decay": decay if matrix else 0.0,
            "boost": boost,
        }
        for weights, boost in parts
        for matrix in (True, False)
    ]
    return MuSGD(groups, lr=rate, momentum=0.9, nesterov=True, muon=0.5, sgd=0.0)


def rate_share(step: float, steps: float) -> float:
    """Share of the highest learning rate: a linear rise, then half a cosine down."""
    rise = min(_WARM_UP, steps / 10)
    if step < rise:
        return min(1.0, (step + 1) / rise)
    way = min(1.0, (step - rise) / max(1.0, steps - rise))
    return _LAST_RATE + (1 - _LAST_RATE) * (1 + math.cos(math.pi * way)) / 2


def to_input(images: npt.NDArray[np.uint8], device: str) -> torch.Tensor:
    """Crops, uint8 (N, S, S, 3) BGR, as the network takes them: float32 (N, 3, S, S), RGB, 0..1, channels last."""
    import torch

    batch = torch.from_numpy(np.ascontiguousarray(images[..., ::-1])).to(device)
    return batch.permute(0, 3, 1, 2).float().div_(255)


def _targets(batch: Batch, device: str) -> dict[str, torch.Tensor]:
    import torch

    side = batch.images.shape[1]
    there = batch.classes != NOTHING
    x1, y1, x2, y2 = batch.boxes[there].T / side
    boxes = np.stack([(x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1], axis=1).astype(np.float32)
    return {
        "cls": torch.from_numpy(batch.classes[there].astype(np.float32)[:, None]).to(device),
        "bboxes": torch.from_numpy(boxes).to(device),
        "batch_idx": torch.from_numpy(np.flatnonzero(there).astype(np.float32)).to(device),
    }


def _float(found: Any) -> Any:
    """What the network answers, in single precision: the loss is not to be computed in less."""
    import torch

    if isinstance(found, dict):
        return {key: _float(value) for key, value in found.items()}
    return found.float() if torch.is_tensor(found) else found


def load_weights(path: Path) -> DetectionModel:
    """A network as `save_weights` or ultralytics wrote it, in single precision."""
    import pickle

    import torch

    from referee.train.network import quiet_ultralytics

    quiet_ultralytics()
    try:
        kept = torch.load(path, map_location="cpu", weights_only=False)
        model: DetectionModel = (kept.get("ema") or kept["model"]).float()
    except (OSError, KeyError, AttributeError, RuntimeError, EOFError, pickle.UnpicklingError) as error:
        raise UserError(f"{path} holds no weights of a YOLO network: {error}") from None
    return model


def save_weights(model: DetectionModel, path: Path) -> None:
    """Write weights as ultralytics loads them, in half precision."""
    from copy import deepcopy

    small = deepcopy(model).half()
    small.criterion = None
    write_whole({"epoch": -1, "model": small, "ema": None, "optimizer": None, "train_args": {"task": "detect"}}, path)


def write_whole(kept: dict[str, Any], path: Path) -> None:
    import torch

    whole = path.with_suffix(".part")
    try:
        torch.save(kept, whole)
        os.replace(whole, path)
    except (OSError, RuntimeError) as error:
        whole.unlink(missing_ok=True)
        raise UserError(f"cannot keep the training run in {path.parent}: {error}") from None


def names_of(model: DetectionModel) -> tuple[str, ...]:
    """The classes of a network in order; those of the reader where it does not say."""
    names = getattr(model, "names", None) or dict(enumerate(CLASSES))
    return tuple(names[number] for number in range(len(names)))
