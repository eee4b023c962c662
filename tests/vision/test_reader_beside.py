"""Reading in another process gives what reading here gives."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.errors import UserError
from referee.vision.reader import CardReader
from referee.vision.reader_beside import ROOM, ReaderBeside

CROPS = Path(__file__).parents[1] / "fixtures" / "crops"


def _crops() -> list[np.ndarray]:
    return [np.asarray(cv2.imread(str(path)), np.uint8) for path in sorted(CROPS.glob("*.png"))]


def test_readings_are_the_same_and_come_in_the_order_of_asking() -> None:
    crops, reader = _crops(), CardReader()
    assert len({crop.shape for crop in crops}) == 1
    batches = [crops[:3], crops[3:4], crops[4:9]]
    with ReaderBeside() as beside:
        for batch, answer in [(batch, beside.ask(batch)) for batch in batches]:
            for one, other in zip(reader.read(batch), answer(), strict=True):
                assert one.log_probs.tobytes() == other.log_probs.tobytes()
                assert (one.state, one.hidden, one.box, one.pose) == (other.state, other.hidden, other.box, other.pose)


def test_crops_that_wait_are_not_written_over_by_those_asked_later() -> None:
    crops = _crops()[:6]
    alone = [reading.log_probs.tobytes() for reading in CardReader().read(crops)]
    with ReaderBeside() as beside:
        answers = [beside.ask(crops) for _ in range(ROOM // len(crops) + 4)]
        # Answers that are not awaited in time are kept.
        for answer in answers[::-1]:
            assert [reading.log_probs.tobytes() for reading in answer()] == alone


def test_a_model_that_is_none_is_told_where_readings_are_awaited(tmp_path: Path) -> None:
    model = tmp_path / "broken.onnx"
    model.write_bytes(b"no network")
    with ReaderBeside(model) as beside:
        answer = beside.ask(_crops()[:1])
        with pytest.raises(UserError, match="not a model that ONNX Runtime can run"):
            answer()
        with pytest.raises((UserError, RuntimeError)):
            beside.ask(_crops()[:1])()


def test_a_process_that_was_killed_is_told() -> None:
    with ReaderBeside() as beside:
        (process,) = [one for one in multiprocessing.active_children() if one.name == "card reader"]
        process.kill()
        with pytest.raises(RuntimeError, match="has ended"):
            beside.ask(_crops()[:1])()
    assert not process.is_alive()
