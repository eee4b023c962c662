"""The shipped reader on a handful of rendered crops, and on what is no crop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.readings import OUTCOMES, Sight
from referee.vision.reader import CardReader

CROPS = Path(__file__).parents[1] / "fixtures" / "crops"


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader()


@pytest.fixture(scope="module")
def crops() -> dict[str, np.ndarray]:
    """Crops by file name: what lies there, then a number."""
    found = {path.stem: cv2.imread(str(path)) for path in sorted(CROPS.glob("*.png"))}
    assert len(found) >= 12
    return found


def _says(reader: CardReader, crop: np.ndarray) -> str:
    reading = reader.read([crop])[0]
    return str(reading.card) if reading.card else reading.state.value


def test_rendered_crops_are_read_rightly(reader: CardReader, crops: dict[str, np.ndarray]) -> None:
    wrong = {name: said for name, crop in crops.items() if (said := _says(reader, crop)) != name.split("-")[0]}
    assert not wrong


def test_probabilities_of_a_reading_add_up_to_one(reader: CardReader, crops: dict[str, np.ndarray]) -> None:
    for reading in reader.read([*crops.values(), np.zeros((224, 224, 3), np.uint8)]):
        assert reading.log_probs.shape == (OUTCOMES,)
        assert reading.log_probs.dtype == np.float32
        assert np.exp(reading.log_probs).sum() == pytest.approx(1, abs=1e-4)
        assert 0 <= reading.hidden <= 1
        assert 0 <= reading.confidence <= 1


def test_reading_is_deterministic_and_does_not_depend_on_company(
    reader: CardReader, crops: dict[str, np.ndarray]
) -> None:
    together = reader.read(list(crops.values()))
    alone = [CardReader().read([crop])[0] for crop in crops.values()]
    for one, other in zip(together, alone, strict=True):
        assert one.state is other.state
        assert np.allclose(one.log_probs, other.log_probs, atol=1e-3)
    assert [r.log_probs.tobytes() for r in reader.read(list(crops.values()))] == [
        r.log_probs.tobytes() for r in together
    ]


def test_a_card_upside_down_is_the_same_card(reader: CardReader, crops: dict[str, np.ndarray]) -> None:
    for name, crop in crops.items():
        assert _says(reader, np.ascontiguousarray(crop[::-1, ::-1])) == name.split("-")[0]


def test_the_pose_tells_where_the_card_lies(reader: CardReader, crops: dict[str, np.ndarray]) -> None:
    for name, crop in crops.items():
        reading = reader.read([crop])[0]
        if name.startswith(("empty", "hidden")):
            assert reading.pose is None
            continue
        assert reading.pose is not None
        assert reading.box is not None
        middle = (reading.box[0] + reading.box[2]) / 2
        assert reading.pose.x == pytest.approx((middle - 112) * 124 / 224)
        assert abs(reading.pose.x) < 30
        assert abs(reading.pose.y) < 30
        assert -90 <= reading.pose.angle <= 90


def test_a_crop_of_another_size_is_read_too(reader: CardReader, crops: dict[str, np.ndarray]) -> None:
    for name, crop in crops.items():
        large = cv2.resize(crop, (336, 336), interpolation=cv2.INTER_CUBIC)
        assert _says(reader, large) == name.split("-")[0]


def test_no_crops_give_no_readings(reader: CardReader) -> None:
    assert reader.read([]) == []


@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros((224, 224), np.uint8),
        np.zeros((224, 224, 1), np.uint8),
        np.zeros((224, 224, 4), np.uint8),
        np.zeros((224, 224, 3), np.float32),
        np.zeros((224, 224, 3), np.uint16),
        np.zeros((224, 160, 3), np.uint8),
        np.zeros((8, 8, 3), np.uint8),
        np.zeros((0, 0, 3), np.uint8),
        None,
        "crop.png",
    ],
    ids=lambda wrong: str(getattr(wrong, "shape", wrong)) + str(getattr(wrong, "dtype", "")),
)
def test_what_is_no_crop_is_told(reader: CardReader, wrong: Any) -> None:
    with pytest.raises(ValueError, match="a crop is"):
        reader.read([wrong])


@pytest.mark.parametrize("shade", [0, 128, 255])
def test_a_plain_crop_shows_no_card(reader: CardReader, shade: int) -> None:
    assert reader.read([np.full((224, 224, 3), shade, np.uint8)])[0].state is not Sight.CARD


def test_noise_shows_no_card(reader: CardReader) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (224, 224, 3)).astype(np.uint8)
    assert reader.read([noise])[0].state is not Sight.CARD


def test_a_crop_read_unsurely_is_read_alike_whichever_way_round_it_lies(
    reader: CardReader, crops: dict[str, np.ndarray]
) -> None:
    faint = [
        cv2.addWeighted(crop, share, np.full_like(crop, 128), 1 - share, 0)
        for crop in crops.values()
        for share in (0.15, 0.3)
    ]
    told = [reader.read([np.ascontiguousarray(np.rot90(crop, turn)) for turn in range(4)]) for crop in faint]
    unsure = [four for four in told if all(one.confidence < 0.85 and one.hidden < 0.5 for one in four)]
    assert unsure
    for four in unsure:
        assert np.allclose(*np.broadcast_arrays(four[0].log_probs, [one.log_probs for one in four[1:]]), atol=1e-3)
