"""The check names every fault of the picture with its remedy, and finds none where there is none."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.calibrate.check import Fault, check_table
from referee.calibrate.check_picture import told
from referee.cards import Card
from referee.readings import BACK, OUTCOMES, Reading, Sight
from referee.table import Box, TableLayout, Zone
from referee.vision.rectify import TableView, project
from referee.vision.video_file import VideoFile

FOOTAGE = Path(__file__).parents[1] / "fixtures" / "footage"
CLIPS = ("calm", "faults", "stalemate")


@cache
def table(name):
    """First picture, view and layout of a clip."""
    with (FOOTAGE / f"{name}.truth.jsonl").open(encoding="utf-8") as lines:
        head = json.loads(next(lines))
    with VideoFile(FOOTAGE / f"{name}.mp4") as film:
        frame = film.read()
    assert frame is not None
    zones = {Zone(zone): Box(*box) for zone, box in head["zones"].items()}
    layout = TableLayout(*head["table_mm"], zones)
    return frame.image, TableView.from_corners(head["corners_px"], *head["table_mm"]), layout


def warped(motion, image, view):
    """The picture and the view after a homography of the picture."""
    height, width = image.shape[:2]
    moved = cv2.warpPerspective(image, motion, (width, height))
    return moved, TableView(view.image_to_table @ np.linalg.inv(motion), motion @ view.table_to_image)


def faults(check):
    return [finding.fault for finding in check.findings]


def reading(state, place, sure=0.95):
    probs = np.full(OUTCOMES, (1 - sure) / (OUTCOMES - 1), np.float32)
    probs[place] = sure
    return Reading(state, np.log(probs), 0.0, None, None)


BACKS = {zone: reading(Sight.BACK, BACK) for zone in (Zone("AR"), Zone("BR"))}


@pytest.mark.parametrize("name", CLIPS)
def test_a_good_table_has_no_fault(name):
    image, view, layout = table(name)
    check = check_table(image, view, layout, BACKS, (30.0, 29.2))
    assert [finding.text for finding in check.findings] == []
    assert check.card_px[0] > 50
    assert check.index_px > 11


@pytest.mark.parametrize("name", CLIPS)
def test_a_dark_picture(name):
    image, view, layout = table(name)
    (finding,) = check_table((image * 0.18).astype(np.uint8), view, layout).findings
    assert finding.fault is Fault.DARK
    assert "switch a lamp on" in finding.text


@pytest.mark.parametrize("name", CLIPS)
def test_a_grainy_picture(name):
    image, view, layout = table(name)
    grain = np.random.default_rng(0).normal(0, 22, (*image.shape[:2], 1))
    grainy = np.clip(image * 0.5 + grain, 0, 255).astype(np.uint8)
    (finding,) = check_table(grainy, view, layout).findings
    assert (finding.fault, "grainy" in finding.text) == (Fault.DARK, True)


@pytest.mark.parametrize("name", CLIPS)
def test_a_picture_out_of_focus(name):
    image, view, layout = table(name)
    (finding,) = check_table(cv2.GaussianBlur(image, (0, 0), 2.2), view, layout).findings
    assert (finding.fault, finding.zones) == (Fault.BLURRED, ())
    assert "focus it by hand" in finding.text


@pytest.mark.parametrize("zone", ["A3", "B1", "AR"])
def test_glare_names_its_zone(zone):
    image, view, layout = table("calm")
    image = (image * 0.75).astype(np.uint8)
    box = layout.boxes[Zone(zone)]
    spot = np.zeros(image.shape[:2], np.float32)
    x, y = view.to_image([[box.x + 8, box.y - 20]])[0]
    cv2.circle(spot, (round(x), round(y)), 13, 1.0, -1)
    glaring = np.clip(image + 300 * cv2.GaussianBlur(spot, (0, 0), 4)[..., None], 0, 255).astype(np.uint8)
    (finding,) = check_table(glaring, view, layout).findings
    assert (finding.fault, finding.zones) == (Fault.GLARE, (Zone(zone),))
    assert f"glares on {zone}: move the lamp" in finding.text


def test_cards_too_small_say_how_large_they_are_and_what_it_takes():
    image, view, layout = table("calm")
    half = np.diag([0.5, 0.5, 1.0])
    small = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    smaller = TableView(view.image_to_table @ np.linalg.inv(half), half @ view.table_to_image)
    finding = check_table(small, smaller, layout).findings[0]
    assert finding.fault is Fault.SMALL
    assert len(finding.zones) == 14
    assert "index 6 px high, where it takes 12 px" in finding.text
    assert "set it to 1920x1080" in finding.text


def test_a_camera_too_tilted():
    image, view, layout = table("calm")
    height, width = image.shape[:2]
    lean, _ = cv2.Rodrigues(np.array([np.radians(42), 0, 0]))
    camera = np.array([[width, 0, width / 2], [0, width, height / 2], [0, 0, 1]], float)
    motion = camera @ lean @ np.linalg.inv(camera)
    centre = project(motion, view.to_image([[layout.width / 2, layout.height / 2]]))[0]
    back = np.array([[1, 0, width / 2 - centre[0]], [0, 1, height / 2 - centre[1]], [0, 0, 1]])
    moved, tilted = warped(back @ motion, image, view)
    assert Fault.TILTED in faults(check_table(moved, tilted, layout))
    assert "35 degrees at most" in " ".join(one.text for one in check_table(moved, tilted, layout).findings)


def test_zones_outside_the_picture_and_cut_by_its_edge():
    image, view, layout = table("calm")
    box = layout.boxes[Zone("A1")]
    up = image.shape[0] - view.to_image([[box.x, box.y]])[0, 1]
    moved, shifted = warped(np.array([[1, 0, 0], [0, 1, up], [0, 0, 1]]), image, view)
    check = check_table(moved, shifted, layout)
    assert faults(check)[0] is Fault.CUT
    assert Zone("A1") in check.findings[0].zones
    assert "cut by the picture's edge: move the camera back" in check.findings[0].text
    moved, shifted = warped(np.array([[1, 0, 0], [0, 1, up + 150], [0, 0, 1]]), image, view)
    check = check_table(moved, shifted, layout)
    assert check.findings[0].fault is Fault.OUTSIDE
    assert {Zone("A1"), Zone("A5"), Zone("AR")} <= set(check.findings[0].zones)
    assert check.findings[0].text.startswith("A1, A2, A3, A4, A5 and AR are outside the picture")


def test_a_back_the_reader_does_not_know():
    image, view, layout = table("calm")
    seen = {Zone("AR"): reading(Sight.CARD, Card("AS").code), Zone("BR"): reading(Sight.BACK, BACK)}
    (finding,) = check_table(image, view, layout, seen).findings
    assert (finding.fault, finding.zones) == (Fault.BACK, (Zone("AR"),))
    assert "lay the reserve face down" in finding.text
    empty = {Zone("AR"): reading(Sight.EMPTY, BACK + 1)}
    assert check_table(image, view, layout, empty).findings == ()


def test_a_camera_slower_than_asked():
    image, view, layout = table("calm")
    (finding,) = check_table(image, view, layout, rates=(30.0, 14.6)).findings
    assert finding.fault is Fault.SLOW
    assert "gives 15 pictures a second instead of 30: more light" in finding.text


def test_a_hand_in_one_picture_of_three_is_no_fault():
    image, view, layout = table("calm")
    handed = image.copy()
    x, y = view.to_image([[layout.boxes[Zone("A2")].x, layout.boxes[Zone("A2")].y]])[0]
    cv2.circle(handed, (round(x), round(y)), 70, (255, 255, 255), -1)
    assert check_table([image, handed, image], view, layout).findings == ()


def test_the_picture_shows_a_ghost_over_every_zone_red_where_something_is_wrong():
    image, view, layout = table("calm")
    check = check_table(image, view, layout, {Zone("AR"): reading(Sight.CARD, 0)})
    assert check.picture.shape == image.shape
    for zone, box in layout.boxes.items():
        change = check.picture.astype(int) - image
        x, y = view.to_image([[box.x, box.y]])[0].round().astype(int)
        around = change[y - 12 : y + 12, x - 12 : x + 12].reshape(-1, 3).mean(axis=0)
        green_over_red = around[1] - around[2]
        assert (green_over_red < 0) == (zone.name == "AR")
    corner = view.to_image([[3, layout.height / 2]])[0].round().astype(int)
    assert (check.picture[corner[1], corner[0]] == image[corner[1], corner[0]]).all()


def test_readings_in_few_words():
    assert told(None) == ""
    assert told(reading(Sight.CARD, Card("TD").code)) == "TD 95%"
    assert told(reading(Sight.BACK, BACK)) == "back 95%"
    assert told(reading(Sight.UNKNOWN, 0, 0.3)) == "?"
    assert told(Reading(Sight.HIDDEN, np.zeros(OUTCOMES, np.float32), 0.9, None, None)) == "hidden"
