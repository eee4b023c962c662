"""Tables are kept and found again, edited by hand, and what is wrong in their files is told with key and line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.calibrate.lens import Lens
from referee.calibrate.saved_table import SavedTable, as_corners
from referee.calibrate.table_file import parse_table, write_table
from referee.calibrate.tables import load_table, save_table, table_names, table_path, tables_folder
from referee.errors import UserError
from referee.table import standard_layout

CORNERS = ((214.02, 44.51), (1705.98, 44.51), (1748.24, 1063.56), (171.76, 1063.56))
TABLE = SavedTable("0", (1920, 1080), CORNERS, standard_layout())
LENS = Lens((1400.0, 1401.5), (959.5, 539.5), (-0.12, 0.01, 0.0, 0.0, 0.0))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REFEREE_TABLES", str(tmp_path / "tables"))
    return tmp_path / "tables"


@pytest.mark.parametrize("piles", [1, 4, 5])
@pytest.mark.parametrize("reserves", [True, False])
@pytest.mark.parametrize("lens", [None, LENS])
def test_a_table_comes_back_as_it_was_saved(piles: int, reserves: bool, lens: Lens | None) -> None:
    table = replace(TABLE, layout=standard_layout(piles, reserves=reserves), lens=lens, way="deal")
    save_table(table, "kitchen")
    assert load_table("kitchen") == table


def test_a_camera_of_any_name_comes_back(tmp_path: Path) -> None:
    path = str(tmp_path / "one.toml")
    save_table(replace(TABLE, camera='rtsp://me@nas/"C:\\x"\n'), path)
    assert load_table(path).camera == 'rtsp://me@nas/"C:\\x" '


def test_tables_are_known_by_name(folder: Path) -> None:
    assert table_names() == []
    save_table(TABLE, "kitchen")
    save_table(TABLE, "Grandma's".replace("'", ""))
    assert table_names() == ["Grandmas", "kitchen"]
    assert table_path("kitchen") == folder / "kitchen.toml"


def test_an_unknown_table_is_refused_with_those_there_are() -> None:
    save_table(TABLE, "kitchen")
    with pytest.raises(UserError, match="no table 'attic' \\(there are: kitchen\\)"):
        load_table("attic")


@pytest.mark.parametrize("name", ["", ".hidden", "a\nb", "x" * 80, "a:b"])
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(UserError, match="is no name for a table"):
        save_table(TABLE, name)


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot write the table"):
        save_table(TABLE, str(tmp_path / "missing" / "kitchen.toml"))


def test_each_platform_has_its_folder() -> None:
    assert tables_folder({"XDG_CONFIG_HOME": "/x"}, "linux") == Path("/x/spit-referee/tables")
    assert tables_folder({"APPDATA": "/roaming"}, "win32") == Path("/roaming/spit-referee/tables")
    assert "Application Support" in str(tables_folder({}, "darwin"))
    assert tables_folder({"REFEREE_TABLES": "/mine"}, "darwin") == Path("/mine")


def test_the_file_is_one_that_people_can_read() -> None:
    text = write_table(TABLE)
    assert "top_left = [214.02, 44.51]" in text
    assert "A1 = [218.5, 502, 63, 88, 0]" in text
    assert "table = [900, 600]" in text


VERSION_1 = """\
version = 1
camera = "0"
size = [1920, 1080]
table_mm = [900, 600]
corners_px = [[214.02, 44.51], [1705.98, 44.51], [1748.24, 1063.56], [171.76, 1063.56]]

[zones]
A1 = [450, 500, 63, 88, 0]
B1 = [450, 100, 63, 88, 180]
C1 = [400, 300, 63, 88, 0]
"""


def test_a_file_of_version_1_is_read() -> None:
    table = parse_table(VERSION_1, "old")
    assert (table.picture, table.corners) == ((1920, 1080), CORNERS)
    assert [zone.name for zone in table.layout.boxes] == ["A1", "B1", "C1"]
    assert parse_table(write_table(table), "new") == table


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("size = [1920, 1080]\n", "", "lacks size"),
        ("table_mm = [900, 600]", "table_mm = 900", "line 4: table_mm must be a list of 2 numbers"),
        ("[171.76, 1063.56]]", "[171.76]]", "line 5: corners_px must be a list of 2 numbers"),
        ("[171.76, 1063.56]]", "]", "line 5: corners_px must be a list of four pairs"),
        ("size =", "picture =", "line 3: picture is not a key"),
    ],
)
def test_errors_in_a_file_of_version_1_name_its_own_keys(old: str, new: str, error: str) -> None:
    with pytest.raises(UserError, match=r"^old") as caught:
        parse_table(VERSION_1.replace(old, new), "old")
    assert error in str(caught.value)


def line_of(text: str, start: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if line.startswith(start))


TEXT = write_table(replace(TABLE, lens=LENS))


@pytest.mark.parametrize(
    ("key", "broken", "error"),
    [
        ("version", "version = 99", "newer than this program"),
        ("version", "version = 0", "must be a whole number"),
        ("version", "version = true", "must be a whole number"),
        ("version", 'version = "2"', "must be a whole number"),
        ("found_by", "found_by = 'magic'", "must be one of markers, deal, hand"),
        ("camera", "camera = 0", "must be a text in quotes"),
        ("picture", "picture = [1920]", "must be a list of 2 whole numbers"),
        ("picture", "picture = [1920, 1080.5]", "must be a list of 2 whole numbers"),
        ("picture", "picture = [0, 1080]", "must be a width and a height"),
        ("table", "table = [900, nan]", "must be finite"),
        ("table", "table = [90, 60]", "must be 100 to 5000 mm"),
        ("table", "table = [400, 600]", "zones.A"),
        ("top_left", "top_left = [214.02, 'x']", "corners.top_left must be a list of 2 numbers"),
        ("top_left", "top_left = [1705.98, 44.51]", "clockwise"),
        ("top_right", "top_right = [true, 44.51]", "corners.top_right must be"),
        ("bottom_left", "bottom_left = [1e300, 0]", "must be finite"),
        ("bottom_right", "bottom_rihgt = [1, 2]", "corners.bottom_rihgt is not a key"),
        ("A1", "A1 = [218.5, 502, 63, 88]", "zones.A1 must be a list of 5 numbers"),
        ("A1", "A1 = [218.5, 502, -63, 88, 0]", "zones.A1 must be 30 to 200 mm"),
        ("A1", "A1 = [18.5, 502, 63, 88, 0]", "zones.A1 reaches over the edge"),
        ("A2", "A2 = [218.5, 502, 63, 88, 0]", "zones.A2 lies on A1"),
        ("A3", "A6 = [218.5, 502, 63, 88, 0]", "zones.A6 is not a key"),
        ("AR", "AH = [218.5, 502, 63, 88, 0]", "zones.AH is not a key"),
        ("  [", "  [1, 2],", "homography.image_to_table must be a list of 3 numbers"),
        ("image_to_table", "image_to_table = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\nrest = [", "homography"),
        ("focal", "focal = [-1, 1]", "lens.focal must be two positive"),
        ("centre", "centre = 3", "lens.centre must be"),
        ("distortion", "distortion = [1, 2]", "lens.distortion must be a list of 5 numbers"),
    ],
)
def test_a_broken_key_is_told_with_its_line(key: str, broken: str, error: str) -> None:
    lines = TEXT.splitlines()
    number = line_of(TEXT, key)
    lines[number - 1] = broken
    with pytest.raises(UserError) as caught:
        parse_table("\n".join(lines), "kitchen.toml")
    message = str(caught.value)
    assert error in message
    assert message.startswith("kitchen.toml")
    if key != "table" or "400" not in broken:
        assert abs(int(message.partition("line ")[2].partition(":")[0]) - number) <= 1


@pytest.mark.parametrize(
    "key", ["version", "picture", "table", "top_left", "bottom_left", "A1", "A3", "B1", "focal", "centre", "distortion"]
)
def test_a_missing_key_is_named(key: str) -> None:
    lines = TEXT.splitlines()
    del lines[line_of(TEXT, key) - 1]
    with pytest.raises(UserError, match=f"lacks {key}"):
        parse_table("\n".join(lines), "kitchen.toml")


@pytest.mark.parametrize("section", ["corners", "zones"])
def test_a_section_that_is_none_is_refused(section: str) -> None:
    text = f"{section} = 3\n" + TEXT.replace(f"[{section}]", "[other]")
    with pytest.raises(UserError, match="line"):
        parse_table(text, "kitchen.toml")


def test_text_that_is_no_toml_is_refused_with_its_line() -> None:
    with pytest.raises(UserError, match=r"kitchen\.toml is not valid TOML: .*line 2"):
        parse_table("version = 2\nzones = [1 2]", "kitchen.toml")


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "photo.toml"
    path.write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(UserError, match="no text in UTF-8"):
        load_table(str(path))


def test_corners_changed_by_hand_need_the_homography_gone() -> None:
    moved = TEXT.replace("top_left = [214.02, 44.51]", "top_left = [240, 60]")
    with pytest.raises(UserError, match="delete the section \\[homography\\]"):
        parse_table(moved, "kitchen.toml")
    start, end = moved.index("[homography]"), moved.index("[lens]")
    assert parse_table(moved[:start] + moved[end:], "kitchen.toml").corners[0] == (240, 60)


def test_a_table_serves_pictures_of_another_size_and_the_same_shape() -> None:
    whole = replace(TABLE, lens=LENS)
    half = whole.for_picture((960, 540))
    there = whole.view.to_image([[450, 300]])
    np.testing.assert_allclose(half.view.to_image([[450, 300]]), (there + 0.5) / 2 - 0.5, atol=1e-3)
    assert half.lens is not None
    assert half.lens.focal == (700.0, 700.75)


def test_pictures_of_another_shape_are_refused() -> None:
    with pytest.raises(UserError, match="1920x1080 and this one is 1280x960"):
        TABLE.for_picture((1280, 960))


@given(
    st.lists(st.floats(-60, 60), min_size=8, max_size=8),
    st.floats(300, 2000),
    st.integers(0, 3),
)
def test_a_table_seen_from_anywhere_survives_the_file(off: list[float], width: float, turned: int) -> None:
    corners = np.roll(np.asarray(CORNERS) + np.reshape(off, (4, 2)), turned, axis=0)
    layout = standard_layout(1, reserves=False, width=width)
    table = SavedTable("", (1920, 1080), as_corners(corners), layout, "deal")
    back = parse_table(write_table(table), "any")
    np.testing.assert_allclose(back.view.to_table(corners), table.view.to_table(corners), atol=0.01)
