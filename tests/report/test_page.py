"""The report: whole, safe, and all there."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import cv2
import numpy as np

from referee.report.page import Report, write_page
from referee.report.stills import LARGE, MEMORY, SMALL, Still, StillKeeper
from referee.report.timeline import clock
from referee.rules.ruling import Verdict
from referee.table import ZoneKind
from tests.report.games import refereed
from tests.vision.painted import LAYOUT, dealt, frame, view

VOID = {"meta", "img", "input", "rect", "line", "circle", "path"}


class Tags(HTMLParser):
    """Checks that every tag is closed in its turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, _: object) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def page(name: str = "faults", names: tuple[str, str] = ("Ada", "Bo")) -> str:
    commits = refereed(name)
    stills = {commits[3].number: (Still(2.0, b"not really a jpeg", SMALL),)}
    return write_page(Report(f"{name}.mp4", names, ("rules house",), commits, stills, 12.0))


def test_every_ruling_is_on_the_page_and_on_the_timeline() -> None:
    text = page()
    ruled = [one for one in refereed("faults") if one.ruling is not None]
    for one in ruled:
        assert f'id="r{one.number}"' in text
    assert text.count('class="fault"><span') == sum(
        one.ruling is not None and one.ruling.verdict is Verdict.ILLEGAL for one in ruled
    )
    linked = set(re.findall(r'href="#(r\d+)"', text))
    assert linked <= set(re.findall(r'id="(r\d+)"', text))
    assert len(linked) >= len(ruled) - 2


def test_the_page_needs_nothing_but_itself() -> None:
    text = page()
    assert not re.search(r'(src|href)="(?!data:|#)', text)
    assert "url(" not in text
    assert "<script" not in text


def test_tags_are_closed() -> None:
    tags = Tags()
    tags.feed(page("stalemate"))
    assert tags.open == []


def test_names_cannot_break_the_page() -> None:
    text = page(names=('<b>"Ada"</b>', "Bo & Co"))
    assert "<b>&quot;" not in text.replace("<b>0", "")
    assert "&lt;b&gt;" in text
    assert "Bo &amp; Co" in text


def test_damage_and_an_empty_film_are_told() -> None:
    text = write_page(Report("x.mp4", ("A", "B"), (), (), {}, 0.0, "x.mp4 is damaged"))
    assert "x.mp4 is damaged" in text
    assert "Timeline" in text


def test_times_are_written_as_people_do() -> None:
    assert clock(0.04) == "0:00.0"
    assert clock(65.26) == "1:05.3"
    assert clock(59.97) == "1:00.0"
    assert clock(3725, tenths=False) == "1:02:05"


def test_a_fault_has_three_stills_and_a_legal_play_one() -> None:
    keeper = StillKeeper(LAYOUT, view())
    for index in range(40):
        keeper.push(frame(index, dealt()))
    for one in refereed("faults"):
        if one.action is None or one.ruling is None or one.action.target is None:
            continue
        stills = keeper.of(replace(one, t=0.6, t_from=0.58, t_to=0.62))
        legal = one.ruling.verdict is Verdict.LEGAL and not one.ruling.correction
        assert [still.side for still in stills] == ([SMALL] if legal else [LARGE] * 3)
        assert one.action.target.kind is not ZoneKind.HAND


def test_a_still_shows_the_place_of_the_action() -> None:
    keeper = StillKeeper(LAYOUT, view())
    keeper.push(frame(0, dealt()))
    play = next(one for one in refereed("calm") if one.action is not None and one.action.target is not None)
    [still] = keeper.of(replace(play, t=0.0, t_from=0.0, t_to=0.0))
    picture = cv2.imdecode(np.frombuffer(still.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (SMALL, SMALL, 3)
    assert picture[SMALL // 2 - 10 : SMALL // 2 + 10, SMALL // 2 - 10 : SMALL // 2 + 10].mean() > 100


def test_what_is_said_too_late_has_no_stills_and_memory_is_bounded() -> None:
    keeper = StillKeeper(LAYOUT, view())
    for index in range(round((MEMORY + 2) * 30)):
        keeper.push(frame(index, dealt()))
    play = next(one for one in refereed("calm") if one.action is not None and one.action.target is not None)
    assert keeper.of(replace(play, t=0.5, t_from=0.5, t_to=0.5)) == ()
