"""Measuring a card reader on stored crops: by deck, light, tilt, and by how much of the card shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from referee.evaluate.reader import BATCH, Miss
from referee.evaluate.reader_score import BACK_TEXT, EMPTY_TEXT, CropScore, place_text, said_text
from referee.train.drawing.cropstore import PENDING, WORDS, Labels, open_store

if TYPE_CHECKING:
    from referee.vision.photograph import Reader

MOST_MISSES: Final = 400
"""Misses kept for the sheet; the figures count all of them."""

_SHARES: Final = ((0.25, "up to 25 %"), (0.5, "25 to 50 %"), (0.75, "50 to 75 %"), (0.98, "75 to 98 %"), (2, "whole"))
_TILTS: Final = ((10, "up to 10°"), (20, "10 to 20°"), (30, "20 to 30°"), (40, "30 to 40°"), (90, "more than 40°"))


def score_store(
    folder: Path, reader: Reader, progress: Callable[[int, int], None]
) -> tuple[CropScore, dict[str, dict[str, CropScore]], list[Miss]]:
    """Read every drawn crop of a store.

    Cards of which no index shows count in the group ``corners`` only: nobody could read them.

    Returns:
        the score over all, the scores by group and name, and the misses.
    """
    store = open_store(folder)
    drawn = np.flatnonzero(store.labels["state"] != PENDING)
    whole = CropScore()
    groups: dict[str, dict[str, CropScore]] = {}
    misses: list[Miss] = []
    for start in range(0, len(drawn), BATCH):
        numbers = drawn[start : start + BATCH]
        readings = reader.read([np.asarray(store.crops[number]) for number in numbers])
        for number, reading in zip(numbers, readings, strict=True):
            label = store.labels[number]
            truth = _truth(label)
            right = CropScore().count(truth, reading)
            legible = truth in (BACK_TEXT, EMPTY_TEXT) or bool(label["corners"].any())
            if legible:
                whole.count(truth, reading)
            for group, name in _groups(label, store.decks, truth):
                if legible or group == "corners":
                    groups.setdefault(group, {}).setdefault(name, CropScore()).count(truth, reading)
            if legible and not right and len(misses) < MOST_MISSES:
                image = np.array(store.crops[number])
                misses.append(Miss(image, truth, said_text(reading), reading.confidence, f"{folder.name}/{number}"))
        progress(min(start + BATCH, len(drawn)), len(drawn))
    return whole, groups, misses


def _truth(label: Labels) -> str:
    state = WORDS["state"][int(label["state"])]
    return place_text(int(label["card"])) if state == "card" else BACK_TEXT if state == "back" else EMPTY_TEXT


def _groups(label: Labels, decks: tuple[str, ...], truth: str) -> Iterator[tuple[str, str]]:
    yield "deck", decks[int(label["deck"])]
    yield "light", WORDS["light"][int(label["light"])]
    yield "tilt", next(name for most, name in _TILTS if label["tilt"] <= most)
    yield "hand", WORDS["hand"][int(label["hand"])]
    yield "motion", WORDS["motion"][int(label["motion"])]
    yield "camera", f"{int(label['source'])}p"
    if truth != EMPTY_TEXT:
        yield "share shown", next(name for most, name in _SHARES if label["share"] <= most)
    if truth not in (BACK_TEXT, EMPTY_TEXT):
        yield "corners", f"{int(np.count_nonzero(label['corners']))} corners"
