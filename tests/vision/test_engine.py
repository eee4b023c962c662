"""Networks of other people's making, in every form that YOLO detectors are exported in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from referee.errors import UserError
from referee.vision.engine import OnnxEngine
from referee.vision.reader import CardReader

onnx = pytest.importorskip("onnx", reason="onnx is not installed: pip install 'spit-referee[train]'")

CARDS = [f"{rank}{suit}" for suit in "CDHS" for rank in "A23456789TJQK"] + ["back"]
NAMES = str(dict(enumerate(CARDS)))


def _save(path: Path, answer: np.ndarray, names: str = NAMES, batch: int | str = "batch") -> Path:
    """A network that says the same of every crop."""
    helper, kinds = onnx.helper, onnx.TensorProto
    images = helper.make_tensor_value_info("images", kinds.FLOAT, [batch, 3, 64, 64])
    found = helper.make_tensor_value_info("output0", kinds.FLOAT, [batch, *answer.shape[1:]])
    constants = [
        onnx.numpy_helper.from_array(answer.astype(np.float32), "answer"),
        onnx.numpy_helper.from_array(np.array([1, 1, 1], np.int64), "ones"),
    ]
    nodes = [
        helper.make_node("Shape", ["images"], ["shape"], end=1),
        helper.make_node("Slice", ["ones", "start", "stop"], ["rest"]),
        helper.make_node("Concat", ["shape", "rest"], ["count"], axis=0),
        helper.make_node("Expand", ["answer", "count"], ["output0"]),
    ]
    constants += [
        onnx.numpy_helper.from_array(np.array([place], np.int64), name) for place, name in ((0, "start"), (2, "stop"))
    ]
    graph = helper.make_graph(nodes, "fixed", [images], [found], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    for key, value in {"names": names, "imgsz": "[64, 64]"}.items():
        entry = model.metadata_props.add()
        entry.key, entry.value = key, value
    onnx.save(model, path)
    return path


def _raw(card: str, score: float = 0.95) -> np.ndarray:
    answer = np.full((1, 4 + len(CARDS), 21), 0.001, np.float32)
    answer[0, :4] = np.array([[32], [30], [30], [42]])
    answer[0, 4 + CARDS.index(card), 3] = score
    return answer


def test_a_detector_that_suppresses_nothing_is_read(tmp_path: Path) -> None:
    reading = CardReader(_save(tmp_path / "raw.onnx", _raw("7C"))).read([np.zeros((64, 64, 3), np.uint8)])[0]
    assert str(reading.card) == "7C"
    assert reading.box == pytest.approx((17, 9, 47, 51), abs=0.1)


def test_a_detector_that_suppresses_doubles_itself_is_read(tmp_path: Path) -> None:
    rows = np.zeros((1, 30, 6), np.float32)
    rows[0, 0] = (17, 9, 47, 51, 0.95, CARDS.index("QH"))
    reading = CardReader(_save(tmp_path / "free.onnx", rows)).read([np.zeros((64, 64, 3), np.uint8)])[0]
    assert str(reading.card) == "QH"
    assert reading.box == pytest.approx((17, 9, 47, 51), abs=0.1)


def test_a_detector_of_one_crop_at_a_time_reads_many(tmp_path: Path) -> None:
    reader = CardReader(_save(tmp_path / "one.onnx", _raw("2S"), batch=1))
    assert [str(reading.card) for reading in reader.read([np.zeros((64, 64, 3), np.uint8)] * 3)] == ["2S"] * 3


def test_a_network_that_is_no_detector_is_told(tmp_path: Path) -> None:
    engine = OnnxEngine(_save(tmp_path / "other.onnx", np.zeros((1, 10, 7), np.float32)))
    with pytest.raises(UserError, match="not as a YOLO detector"):
        engine.run(np.zeros((1, 3, 64, 64), np.float32))


def test_a_detector_of_other_things_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="'person'"):
        CardReader(_save(tmp_path / "people.onnx", _raw("7C"), names=NAMES.replace("'AC'", "'person'")))


def test_what_is_no_network_is_told(tmp_path: Path) -> None:
    path = tmp_path / "broken.onnx"
    path.write_bytes(b"not a network")
    with pytest.raises(UserError, match="not a model that ONNX Runtime can run"):
        CardReader(path)
