"""What editing a table does, without a window."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.calibrate.editor import Editor
from referee.calibrate.editor_window import _require_window, draw_editor, press_key
from referee.calibrate.saved_table import SavedTable
from referee.errors import UserError
from referee.table import Zone, standard_layout

CORNERS = ((214.0, 45.0), (1706.0, 45.0), (1748.0, 1064.0), (172.0, 1064.0))
TABLE = SavedTable("0", (1920, 1080), CORNERS, standard_layout())
A1 = Zone("A1")


def at(editor: Editor, zone: Zone, dx: float = 0.0, dy: float = 0.0) -> tuple[float, float]:
    box = editor.table.layout.boxes[zone]
    ((x, y),) = editor.table.view.to_image([[box.x + dx, box.y + dy]])
    return float(x), float(y)


def test_four_drags_move_the_table_to_where_the_camera_sees_it_now() -> None:
    editor = Editor(TABLE)
    for x, y in CORNERS:
        editor.press(x + 3, y - 2)
        editor.drag(x + 30, y + 8)
        editor.release()
    assert editor.table.corners == tuple((x + 30, y + 8) for x, y in CORNERS)
    assert editor.table.layout == TABLE.layout


def test_a_zone_follows_the_pointer_by_the_point_it_was_taken_at() -> None:
    editor = Editor(TABLE)
    editor.snapping = False
    editor.press(*at(editor, A1, 10, -20))
    editor.drag(*at(editor, A1, 40, 5))
    box = editor.table.layout.boxes[A1]
    before = TABLE.layout.boxes[A1]
    assert (box.x - before.x, box.y - before.y) == pytest.approx((30, 25), abs=1e-6)


def test_a_zone_snaps_into_line_with_the_others() -> None:
    editor = Editor(TABLE)
    editor.press(*at(editor, A1))
    editor.drag(*at(editor, A1, -30, 4))
    assert editor.table.layout.boxes[A1].y == TABLE.layout.boxes[A1].y
    assert editor.table.layout.boxes[A1].x == pytest.approx(TABLE.layout.boxes[A1].x - 30)


def test_one_undo_takes_a_whole_drag_back() -> None:
    editor = Editor(TABLE)
    editor.press(*at(editor, A1))
    for step in range(10):
        editor.drag(*at(editor, A1, 3.0 + step, 7))
    editor.release()
    assert editor.table != TABLE
    editor.undo()
    assert editor.table == TABLE
    editor.undo()
    assert editor.said == "nothing is left to undo"


def test_a_click_without_a_drag_leaves_nothing_to_undo() -> None:
    editor = Editor(TABLE)
    editor.press(*at(editor, A1))
    editor.release()
    assert editor.chosen is A1
    assert not editor.changed


def test_a_click_on_the_bare_table_chooses_nothing() -> None:
    editor = Editor(TABLE)
    editor.press(*at(editor, A1))
    editor.release()
    editor.press(960, 700)
    editor.drag(100, 100)
    assert editor.chosen is None
    assert editor.table == TABLE


def test_turning_resizing_and_nudging_work_on_what_was_chosen() -> None:
    editor = Editor(TABLE)
    editor.press(*at(editor, A1))
    editor.release()
    editor.turn(5)
    editor.resize(1.1)
    editor.nudge(2, -3)
    box, before = editor.table.layout.boxes[A1], TABLE.layout.boxes[A1]
    assert (box.angle, box.width) == pytest.approx((5, 69.3))
    assert (box.x, box.y) == pytest.approx((before.x + 2, before.y - 3))
    for _ in range(3):
        editor.undo()
    assert editor.table == TABLE


def test_with_nothing_chosen_all_zones_are_resized() -> None:
    editor = Editor(TABLE)
    editor.resize(57 / 63)
    assert {round(box.width, 6) for box in editor.table.layout.boxes.values()} == {57.0}


def test_straightening_takes_small_leans_out() -> None:
    editor = Editor(TABLE)
    editor.press(*at(editor, A1))
    editor.release()
    editor.turn(3)
    editor.nudge(0, 4)
    editor.straighten()
    assert editor.table.layout.boxes[A1].angle == 0
    assert editor.table.layout.boxes[A1].y == TABLE.layout.boxes[A1].y


def test_what_no_table_can_look_like_is_not_done_and_said() -> None:
    editor = Editor(TABLE)
    editor.press(*CORNERS[0])
    editor.drag(1900, 1070)
    assert editor.table == TABLE
    assert "clockwise" in editor.said
    editor.press(*at(editor, A1))
    editor.drag(*at(editor, A1, 0, 400))
    assert "reaches over the edge" in editor.said
    editor.resize(3)
    assert "mm each way" in editor.said
    assert editor.table == TABLE


@given(st.lists(st.tuples(st.sampled_from("[]+-asu"), st.floats(0, 1919), st.floats(0, 1079)), max_size=12))
def test_whatever_is_done_the_table_stays_one_and_can_be_undone(steps: list[tuple[str, float, float]]) -> None:
    editor = Editor(TABLE)
    for key, x, y in steps:
        editor.press(x, y)
        editor.drag(x + 15, y - 9)
        editor.release()
        press_key(editor, ord(key))
        assert editor.table.layout.outside() == ()
        assert np.isfinite(editor.table.view.table_to_image).all()
    while editor.changed:
        editor.undo()
    assert editor.table == TABLE


def test_arrow_keys_nudge() -> None:
    editor = Editor(TABLE)
    editor.press(*CORNERS[0])
    editor.release()
    press_key(editor, 65363)
    press_key(editor, -1)
    assert editor.table.corners[0] == (215, 45)


def test_the_picture_shows_corners_and_zones() -> None:
    editor = Editor(TABLE)
    blank = np.full((1080, 1920, 3), 60, np.uint8)
    shown = draw_editor(blank, editor, 0.5)
    assert shown.shape == (540, 960, 3)
    assert (shown != 60).any(axis=2).sum() > 3000


def test_without_a_display_the_other_ways_are_told() -> None:
    with pytest.raises(UserError, match="--corners and --size"):
        _require_window({}, "linux")
    _require_window({"DISPLAY": ":0"}, "linux")
    _require_window({}, "win32")
