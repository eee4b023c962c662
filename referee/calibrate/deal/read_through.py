"""A table that was found from a deal held against what is read in its zones: piles moved, or the table refused."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from referee.calibrate.deal.reading import Reads, card_lies, lies
from referee.calibrate.saved_table import SavedTable
from referee.errors import UserError
from referee.readings import Reading, Sight
from referee.table import CARD_MM, TableLayout, Zone, ZoneKind
from referee.vision.rectify import CROP_MM, CROP_PX, Image, rectify
from referee.vision.zone_reading import on_table

_READ: Final = 0.6
_RATHER: Final = 1.5
"""Mean confidence with which a mirrored picture's cards are read, and how much better than unmirrored."""

_CERTAIN: Final = 0.97
"""Confidence with which a card is not taken for another one, even of a deck that the reader has not seen."""

_OTHER_SIZE: Final = 0.06
"""Cards that are read so much larger or smaller, as a share, do not lie in the plane that was found."""

_NOTHING: Final = 0.3
"""A stock pile that is read with less confidence shows no card of which one could be told."""

_SOME_CARD: Final = 0.94
_KNOWN: Final = 0.5
"""Probability with which a card lies there all the same, whichever it is: a strange deck has some. But so large a share
of the stock piles can be told."""

_ASTRAY_MM: Final = 8.0
"""A card that is read so far from the middle of its zone lies where it is read."""


class Misread(UserError):
    """What is read in a table's zones says that they lie elsewhere."""


def read_through(image: Image, table: SavedTable, reader: Reads) -> SavedTable:
    """The table of a deal, each pile put where its card is read to lie.

    Raises:
        UserError: the cards are read in a mirror only.
        Misread: a pile is not read where it was found.
    """
    piles = [zone for zone in table.layout.boxes if zone.kind is not ZoneKind.CENTRE]
    crops = [rectify(image, table.view, table.layout.boxes[zone]) for zone in piles]
    readings = dict(zip(piles, reader.read(crops), strict=True))
    mirrored = dict(zip(piles, reader.read([np.ascontiguousarray(crop[:, ::-1]) for crop in crops]), strict=True))
    plain, other = (_cards_told(every) for every in (readings, mirrored))
    if other > _READ and other > _RATHER * plain:
        raise UserError(
            "the picture is mirrored, the cards' indices say so: switch mirroring off in the camera's settings"
        )
    _not_a_deal(readings)
    if _of_another_size([*readings.values()]):
        raise Misread(
            "the cards are read in another size than their outlines seem to have: use a cloth without a pattern of "
            "rectangles, light the table evenly, or give --corners"
        )
    astray = [zone for zone, one in readings.items() if lies(one) and _off(one) > _ASTRAY_MM]
    if not astray:
        return table
    boxes = dict(table.layout.boxes)
    for zone in astray:
        pose = readings[zone].pose
        assert pose is not None
        place = on_table(pose, boxes[zone])
        boxes[zone] = replace(boxes[zone], x=place.x, y=place.y, angle=boxes[zone].angle + pose.angle)
    layout = TableLayout(table.layout.width, table.layout.height, boxes)
    again = reader.read([rectify(image, table.view, boxes[zone]) for zone in astray])
    if layout.outside() or not all(lies(one) and _off(one) < _ASTRAY_MM for one in again):
        raise Misread(
            f"the card of {_names(astray)} is not read where its outline seems to be: see that no hand, glare or "
            "shadow lies on it and nothing beside it, or give --corners"
        )
    return replace(table, layout=layout)


def _cards_told(readings: Mapping[Zone, Reading]) -> float:
    """Mean confidence of the cards read on stock piles: a card in a mirror is none, but a back may be one."""
    stock = [one for zone, one in readings.items() if zone.kind is ZoneKind.STOCK]
    return sum(one.confidence for one in stock if one.state is Sight.CARD) / len(stock)


def _not_a_deal(readings: Mapping[Zone, Reading]) -> None:
    """Refuse piles of which one is read as bare table or as nothing at all, two as the same card, or a row askew.

    A row is found a place too far along, or is no deal's, if a face is read where a reserve should be, or a back on a
    stock pile and none where its reserve should be, either certainly. Else reserves are left out, for some backs are
    strange to the reader.

    Raises:
        Misread: there are such; says which.
    """
    stock = {zone: one for zone, one in readings.items() if zone.kind is ZoneKind.STOCK}
    clear = {zone: one for zone, one in readings.items() if one.confidence > _READ}
    known = sum(one.state is Sight.CARD and zone in clear for zone, one in stock.items()) >= _KNOWN * len(stock)
    bare = [zone for zone, one in stock.items() if _is_bare(one, known)]
    strange = [zone for zone in bare if _is_some_card(stock[zone])]
    hidden = [zone for zone, one in stock.items() if one.state is Sight.HIDDEN]
    certain = {zone: one.best for zone, one in clear.items() if one.state is Sight.CARD and one.confidence > _CERTAIN}
    twice = [zone for zone, face in certain.items() if list(certain.values()).count(face) > 1]
    reserves = {zone.seat: zone for zone in readings if zone.kind is ZoneKind.RESERVE}
    faces = [zone for zone in certain if zone.kind is ZoneKind.RESERVE]
    told = {zone.seat for zone in reserves.values() if zone in clear and readings[zone].state is Sight.BACK}
    backs = [zone for zone, one in stock.items() if one.state is Sight.BACK and one.confidence > _CERTAIN]
    askew = faces + [zone for zone in backs if zone.seat in reserves.keys() - told]
    if strange and strange == bare:
        raise Misread(
            f"which cards lie at {_names(strange)} cannot be told, so it is not certain that piles lie there: light "
            "the table evenly and without glare; a deck that the reader does not know needs printed corner markers, "
            "or give --corners"
        )
    for zones, seen in (
        (bare, "no card is read"),
        (twice, "the same card is read more than once"),
        (askew, "a face is read instead of a back or a back instead of a face"),
        (hidden, "nothing of a card is to be seen"),
    ):
        if zones:
            raise Misread(
                f"{seen} where {_names(zones)} seem to lie, so the piles lie elsewhere: use a cloth without a pattern "
                "of rectangles, light the table evenly, or give --corners"
            )


def _is_bare(reading: Reading, known: bool) -> bool:
    """Whether a stock pile shows bare table, or nothing that could be told though most others can."""
    if reading.state is Sight.EMPTY:
        return reading.confidence > _READ
    if reading.state is not Sight.UNKNOWN or reading.confidence >= _NOTHING:
        return False
    return not (known and _is_some_card(reading))


def _is_some_card(reading: Reading) -> bool:
    """Whether a card lies in the middle of its zone, whichever it is."""
    return card_lies(reading) > _SOME_CARD and _off(reading) < _ASTRAY_MM


def _of_another_size(readings: Sequence[Reading]) -> bool:
    """Whether most cards that are read clearly are larger or smaller than cards are."""
    boxes = [one.box for one in readings if one.box is not None and one.state is Sight.CARD and one.confidence > _READ]
    sizes = [(y2 - y1) * CROP_MM / (CROP_PX * CARD_MM[1]) for _, y1, _, y2 in boxes]
    return bool(sizes) and abs(math.log(float(np.median(sizes)))) > _OTHER_SIZE


def _off(reading: Reading) -> float:
    """How far from the middle of its zone a card is read, mm."""
    return math.inf if reading.pose is None else math.hypot(reading.pose.x, reading.pose.y)


def _names(zones: Sequence[Zone]) -> str:
    return ", ".join(zone.name for zone in zones)
