"""The picture of a zone while it grows, at the camera's own resolution.

Colours of things, strength of the key light, sheen and the part of the top card that shows are kept apart until all
lies where it belongs; then light and sensor make a picture of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.table import Box
from referee.train.drawing.faces import FaceSet
from referee.train.drawing.hands import HandShape, Relief
from referee.train.drawing.light import Colour, Light, glare_field, key_field
from referee.train.drawing.situation import (
    CARD_THICKNESS,
    LyingCard,
    LyingHand,
    Mover,
    Print,
    Stack,
    Surface,
    in_picture,
    orient,
    outline,
)
from referee.train.drawing.surfaces import TEXELS_PER_MM, Tabletop
from referee.train.drawing.viewpoint import Viewpoint, cross
from referee.vision.rectify import Matrix, Points, project

Image: TypeAlias = npt.NDArray[np.uint8]
Field: TypeAlias = npt.NDArray[np.float32]
Area: TypeAlias = tuple[slice, slice]


class Canvas:
    """The picture while it grows: what things look like, how they are lit, how they shine, what shows of the top.

    Attributes:
        view: the camera.
        light: the light.
        faces: the cards.
        albedo: uint8 array (H, W, 3), BGR, what things look like in light of strength 1.
        open: float32 array (H, W), strength of the key light over the bare table.
        key: float32 array (H, W), strength of the key light on what lies there.
        gloss: float32 array (H, W), strength of the sheen.
        seen: float32 array (H, W), how much of each pixel shows the top card, or the place watched instead.
        full: how many pixels the top card covers, shown or not; 0 until it is laid.
        smear: width and height in pixels of the box that cards and hands are blurred with while they move.
    """

    def __init__(self, view: Viewpoint, light: Light, faces: FaceSet) -> None:
        self.view = view
        self.light = light
        self.faces = faces
        shape = (view.height, view.width)
        self.albedo: Image = np.zeros((*shape, 3), np.uint8)
        self.open: Field = key_field(light, shape)
        self.key: Field = self.open.copy()
        self.gloss: Field = np.zeros(shape, np.float32)
        self.seen: Field = np.zeros(shape, np.float32)
        self.full = 0.0
        self.smear = (1, 1)

    def parts(self) -> list[npt.NDArray[Any]]:
        return [self.albedo, self.key, self.gloss, self.seen]

    def copy(self) -> list[npt.NDArray[Any]]:
        return [part.copy() for part in self.parts()]

    def restore(self, parts: Sequence[npt.NDArray[Any]]) -> None:
        for mine, theirs in zip(self.parts(), parts, strict=True):
            np.copyto(mine, theirs, casting="unsafe")

    def glare(self) -> Field | None:
        field = glare_field(self.light, self.gloss.shape)
        if field is not None:
            field *= self.gloss
        return field

    def lay_table(self, surface: Surface, box: Box, tabletop: Callable[[int], Tabletop]) -> None:
        ground = self.view.level(0.0)
        piece = tabletop(surface.piece)
        self._tile(piece, surface, box, ground, self.albedo)
        self.gloss.fill(piece.gloss)
        if surface.mat is not None:
            mat = tabletop(surface.mat)
            away, turn = surface.edge
            cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
            side = np.array([[away, -400], [away + 400, -400], [away + 400, 400], [away, 400]])
            half_plane = side @ np.array([[cos, sin], [-sin, cos]]) + [box.x, box.y]
            mask = np.zeros(self.key.shape, np.uint8)
            polygon = project(ground, half_plane)
            self.shade(polygon, blur=0.8 * self.view.px_per_mm, key=0.35, ambient=0.25)
            cv2.fillConvexPoly(mask, np.round(polygon * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
            covered = np.zeros_like(self.albedo)
            self._tile(mat, surface, box, ground, covered)
            cv2.copyTo(covered, mask, self.albedo)
            cv2.copyTo(np.full_like(self.gloss, mat.gloss), mask, self.gloss)
            cv2.copyTo(self.open, mask, self.key)
        gains = np.arange(256)[:, None] * np.array(surface.dye)
        cv2.LUT(self.albedo, np.minimum(gains, 255).astype(np.uint8)[:, None, :], dst=self.albedo)
        if surface.outline is not None:
            frame = LyingCard(None, np.array([box.x, box.y, 0.0]), *orient(box.angle), 0.0)
            edge = project(ground, outline(frame, box.width + 5, box.height + 5)[:, :2])
            thick = max(1, round(0.9 * self.view.px_per_mm))
            cv2.polylines(
                self.albedo, [np.round(edge * 16).astype(np.int32)], True, surface.outline, thick, cv2.LINE_AA, 4
            )
        for place in surface.prints:
            self._print(place, ground)

    def _print(self, place: Print, ground: Matrix) -> None:
        frame = LyingCard(None, np.array([place.box.x, place.box.y, 0.0]), *orient(place.box.angle), 0.0)
        edge = np.round(project(ground, outline(frame, place.width, place.height)[:, :2]) * 16).astype(np.int32)
        if place.line is None:
            cv2.fillConvexPoly(self.albedo, edge, place.colour, cv2.LINE_AA, 4)
        else:
            thick = max(1, round(place.line * self.view.px_per_mm))
            cv2.polylines(self.albedo, [edge], True, place.colour, thick, cv2.LINE_AA, 4)

    def _tile(self, piece: Tabletop, surface: Surface, box: Box, ground: Matrix, target: Image) -> None:
        coarse = self.view.px_per_mm < 1.3
        texture = piece.levels[int(coarse)]
        scale = TEXELS_PER_MM / (2 if coarse else 1)
        turn = math.radians(surface.turn)
        cos, sin = math.cos(turn), math.sin(turn)
        # Table millimetres about the zone, turned, then to texels.
        to_texels = np.array([[scale, 0, texture.shape[1] / 2], [0, scale, texture.shape[0] / 2], [0, 0, 1]])
        to_piece = np.array([[cos, -sin, surface.x], [sin, cos, surface.y], [0, 0, 1]])
        about = np.array([[1, 0, -box.x], [0, 1, -box.y], [0, 0, 1]])
        height, width = target.shape[:2]
        cv2.warpAffine(
            texture,
            _flattened(to_texels @ to_piece @ about @ np.linalg.inv(ground), width / 2, height / 2),
            (width, height),
            dst=target,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REFLECT_101,
        )

    def fill(self, polygon: Points, colour: Colour) -> None:
        """Paint a convex polygon over all that lies there."""
        area = self._area(polygon, 2)
        if area is None:
            return
        rows, columns = area
        mask = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.uint8)
        points = np.round((polygon - [columns.start, rows.start]) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, points, 255, cv2.LINE_AA, 4)
        cover = np.multiply(mask, np.float32(1 / 255), dtype=np.float32)
        paint = np.empty((*mask.shape, 3), np.uint8)
        paint[:] = np.clip(colour, 0, 255)
        self.albedo[area] = cv2.blendLinear(paint, np.ascontiguousarray(self.albedo[area]), cover, 1 - cover)
        self._blend(self.key, area, self.open[area], cover)
        self.seen[area] *= 1 - cover

    def lay_stack(self, stack: Stack) -> None:
        """The sides of a neat stack; the card on it is laid later."""
        across, down = orient(stack.turn)
        sheet = LyingCard(None, np.array([stack.x, stack.y, 0.0]), across, down, 0.0)
        height = stack.cards * CARD_THICKNESS
        raised = replace(sheet, centre=np.array([stack.x, stack.y, height]))
        self._cast(raised)
        paper = (214, 222, 226)
        for layer in range(stack.cards):
            raised = replace(sheet, centre=np.array([stack.x, stack.y, (layer + 1) * CARD_THICKNESS]))
            pixels = in_picture(self.view, outline(raised, self.faces.width_mm, self.faces.height_mm))
            shade = 0.62 if layer % 2 else 0.8
            polygon = np.round(pixels * 16).astype(np.int32)
            cv2.fillConvexPoly(self.albedo, polygon, [shade * part for part in paper], cv2.LINE_AA, 4)

    def lay_mover(self, mover: Mover, shape: HandShape | None, top: bool) -> None:
        hand, card = mover.hand, mover.card
        if hand and shape:
            self._cast_hand(hand, shape)
            if shape.below is not None:
                self._lay_relief(hand, shape.below, _skin(hand.skin))
        if card:
            self.lay_card(card, top)
        if hand and shape:
            self._lay_relief(hand, shape.above, _skin(hand.skin))
            if shape.sleeve is not None:
                self._lay_relief(hand, shape.sleeve, _cloth(*hand.sleeve))

    def watch(self, place: Box) -> None:
        """Keep what shows of a bare place from now on, as is kept of a top card."""
        polygon = project(self.view.level(0.0), place.corners())
        mask = np.zeros(self.seen.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.round(polygon * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        np.multiply(mask, np.float32(1 / 255), out=self.seen)
        self.full = float(self.seen.sum())

    def lay_card(self, card: LyingCard, top: bool) -> None:
        """A card and its shadow; with ``top`` it becomes the card whose visible part is kept."""
        self._cast(card)
        plane = self.view.plane(card.centre, card.across, card.down)
        half_w, half_h = self.faces.width_mm / 2, self.faces.height_mm / 2
        quad = project(plane, [[-half_w, -half_h], [half_w, -half_h], [half_w, half_h], [-half_w, half_h]])
        long_side = max(math.dist(quad[3], quad[0]), math.dist(quad[2], quad[1]))
        picture, to_texels = self.faces.picture(card.card, long_side)
        if top:
            self.seen[:] = 0
        area = self._area(quad, 2 + max(self.smear) // 2)
        if area is None:
            return
        rows, columns = area
        shift = np.array([[1, 0, columns.start], [0, 1, rows.start], [0, 0, 1]], np.float64)
        drawn = cv2.warpPerspective(
            picture,
            to_texels @ np.linalg.inv(plane) @ shift,
            (columns.stop - columns.start, rows.stop - rows.start),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_CONSTANT,
        )
        if self.smear != (1, 1):
            drawn = cv2.blur(drawn, self.smear)
        alpha = drawn[:, :, 3]
        spared = cv2.cvtColor(cv2.bitwise_not(alpha), cv2.COLOR_GRAY2BGR)
        under = cv2.multiply(self.albedo[area], spared, scale=1 / 255)
        self.albedo[area] = cv2.add(under, cv2.cvtColor(drawn, cv2.COLOR_BGRA2BGR))
        cover = np.multiply(alpha, np.float32(1 / 255), dtype=np.float32)
        tilt_x = _ramp(alpha.shape[1], card.slope[0])[None, :]
        tilt_y = _ramp(alpha.shape[0], card.slope[1])[:, None]
        lit = self.open[area] * (self._facing(card) * card.tone + tilt_x + tilt_y)
        self._blend(self.key, area, lit, cover)
        if self.light.glare:
            self._blend(self.gloss, area, card.gloss, cover)
        if top:
            self.seen[area] = cover
            self.full = float(cover.sum())
        elif self.full:
            self.seen[area] *= 1 - cover

    def _facing(self, card: LyingCard) -> float:
        """How squarely the key light meets the side that shows, 1 for a flat card."""
        normal = cross(card.across, card.down)
        x, y, z = self.light.direction
        return min(max(float(normal[0] * x + normal[1] * y + normal[2] * z) / z, 0.1), 1.7)

    @staticmethod
    def _blend(field: Field, area: Area, value: Field | float, cover: Field) -> None:
        region = field[area]
        region += cover * (value - region)

    def _cast(self, card: LyingCard) -> None:
        """The card's shadow on what lies under it."""
        rim = outline(card, self.faces.width_mm, self.faces.height_mm)
        # Cards curl a little, so even one at rest throws a thin shadow.
        drop = np.maximum(rim[:, 2:] - card.below, 0) + 0.5
        direction = np.array(self.light.direction)
        fallen = rim - direction * drop / direction[2]
        fallen[:, 2] = card.below
        lift = float(drop.mean())
        blur = (0.35 + self.light.penumbra * lift) * self.view.px_per_mm
        self.shade(in_picture(self.view, fallen), blur, key=0.9, ambient=0.30 / (1 + 0.12 * lift))

    def shade(self, polygon: Points, blur: float, key: float, ambient: float) -> None:
        """Take a share of the key light and of the light from all around from a softened polygon."""
        area = self._area(polygon, math.ceil(2 * blur) + 1)
        if area is None:
            return
        rows, columns = area
        mask = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.uint8)
        points = np.round((polygon - [columns.start, rows.start]) * 16).astype(np.int32)
        cv2.fillConvexPoly(mask, points, 255, cv2.LINE_AA, 4)
        self._darken(area, _soften(mask, blur), key, ambient)

    def _darken(self, area: Area, mask: Image, key: float, ambient: float) -> None:
        self.key[area] *= np.float32(1) - np.float32(key / 255) * mask
        if ambient < 0.02:
            return
        left = cv2.convertScaleAbs(mask, alpha=-ambient, beta=255)
        cv2.multiply(self.albedo[area], cv2.cvtColor(left, cv2.COLOR_GRAY2BGR), dst=self.albedo[area], scale=1 / 255)

    def _area(self, points: Points, margin: int) -> Area | None:
        """The part of the picture around ``points``."""
        low, high = points.min(axis=0), points.max(axis=0)
        left, top = max(0, math.floor(low[0]) - margin), max(0, math.floor(low[1]) - margin)
        right = min(self.view.width, math.ceil(high[0]) + margin + 1)
        bottom = min(self.view.height, math.ceil(high[1]) + margin + 1)
        if left >= right or top >= bottom:
            return None
        return slice(top, bottom), slice(left, right)

    def _hand_plane(self, hand: LyingHand) -> Matrix:
        across, down = orient(hand.turn, pitch=-hand.rise)
        return self.view.plane(hand.place, across, down)

    def _cast_hand(self, hand: LyingHand, shape: HandShape) -> None:
        """The hand's shadow, from the outlines of its parts."""
        direction = np.array(self.light.direction)
        lift = hand.z + 12
        across, down = orient(hand.turn)
        ground = np.array([hand.x, hand.y, 0.0]) - direction * lift / direction[2]
        ground[2] = 0
        # The arm rises, so its shadow leaves it: the further up, the further off.
        lean = down - math.tan(math.radians(hand.rise)) * direction / direction[2]
        lean[2] = 0
        plane = self.view.plane(ground, across, lean)
        coarse = 3
        area = self._area(project(plane, shape.shadow.extent()), math.ceil(8 * self.view.px_per_mm))
        if area is None:
            return
        drawn = self._warp(shape.shadow, plane, area, coarse)
        blur = (0.6 + self.light.penumbra * lift) * self.view.px_per_mm / coarse
        mask = _soften(np.asarray(cv2.extractChannel(drawn, 3), np.uint8), blur)
        size = (area[1].stop - area[1].start, area[0].stop - area[0].start)
        self._darken(area, np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_LINEAR), np.uint8), 0.9, 0.35)

    @staticmethod
    def _warp(relief: Relief, plane: Matrix, area: Area, coarse: int = 1) -> Image:
        """A layer of a hand as the camera sees it in ``area``, ``coarse`` times smaller."""
        rows, columns = area
        size = (math.ceil((columns.stop - columns.start) / coarse), math.ceil((rows.stop - rows.start) / coarse))
        half = (coarse - 1) / 2
        to_picture = np.array(
            [[coarse, 0, columns.start + half], [0, coarse, rows.start + half], [0, 0, 1]], np.float64
        )
        inverse = _flattened(relief.to_texels @ np.linalg.inv(plane) @ to_picture, size[0] / 2, size[1] / 2)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpAffine(relief.texels, inverse, size, flags=flags), np.uint8)

    def _lay_relief(self, hand: LyingHand, relief: Relief, colours: Image) -> None:
        plane = self._hand_plane(hand)
        area = self._area(project(plane, relief.extent()), 2 + max(self.smear) // 2)
        if area is None:
            return
        drawn = self._warp(relief, plane, area)
        if self.smear != (1, 1):
            # The outline is smeared, the relief within it is not: it varies too little to need it.
            drawn[:, :, 3] = cv2.blur(np.ascontiguousarray(drawn[:, :, 3]), self.smear)
        cover = np.multiply(drawn[:, :, 3], np.float32(1 / 255), dtype=np.float32)
        side_x, side_y = (np.subtract(drawn[:, :, i], 128, dtype=np.float32) for i in (0, 1))
        up = np.sqrt(np.maximum(127 * 127 - side_x * side_x - side_y * side_y, 400))
        across, down = orient(hand.turn)
        direction = np.array(self.light.direction)
        lit = np.asarray(float(direction @ across) * side_x + float(direction @ down) * side_y, np.float32)
        lit += np.float32(direction[2]) * up
        lit *= np.float32(1 / 127 / direction[2])
        np.clip(lit, 0.03, 1.7, out=lit)
        lit *= self.open[area]
        self._blend(self.key, area, lit, cover)
        if self.light.glare:
            self._blend(self.gloss, area, 0.12, cover)
        tone = cv2.extractChannel(drawn, 2)
        colour = cv2.LUT(cv2.merge([tone, tone, tone]), colours)
        blended = cv2.blendLinear(colour, np.ascontiguousarray(self.albedo[area]), cover, 1 - cover)
        self.albedo[area] = blended
        self.seen[area] *= 1 - cover


def _ramp(length: int, end: float) -> Field:
    """``length`` even steps from ``-end`` to ``end``."""
    return np.arange(length, dtype=np.float32) * np.float32(2 * end / length) - np.float32(end)


def _flattened(homography: Matrix, x: float, y: float) -> Matrix:
    """The affine map (2, 3) that does what ``homography`` does about (``x``, ``y``).

    Twice as fast to warp with, and near enough for what has no outline that a label speaks of.
    """
    u, v, w = homography @ np.array([x, y, 1.0])
    slope = (homography[:2, :2] - np.outer([u / w, v / w], homography[2, :2])) / w
    return np.array(
        [
            [slope[0, 0], slope[0, 1], u / w - slope[0, 0] * x - slope[0, 1] * y],
            [slope[1, 0], slope[1, 1], v / w - slope[1, 0] * x - slope[1, 1] * y],
        ]
    )


def _soften(mask: Image, blur: float) -> Image:
    """Box blurs, near enough to a bell curve of deviation ``blur``."""
    side = max(1, round(blur * 2.4)) | 1
    if side == 1:
        return mask
    once = cv2.blur(mask, (side, side))
    return np.asarray(once if side == 3 else cv2.blur(once, (side, side)), np.uint8)


def _skin(colour: Colour) -> Image:
    """Look-up table (256, 1, 3) from tone to skin colour: dark places turn red before they turn black."""
    tone = np.arange(256)[:, None] / 128
    colours = np.clip(np.array(colour) * tone ** np.array([1.2, 1.08, 0.8]), 0, 255)
    return np.asarray(colours[:, None, :], np.uint8)


def _cloth(dark: Colour, light: Colour) -> Image:
    """Look-up table (256, 1, 3) from tone to the colours of a sleeve."""
    share = np.clip((np.arange(256)[:, None] - 90) / 110, -0.6, 1.2)
    colours = np.clip(np.array(dark) + share * (np.array(light) - np.array(dark)), 0, 255)
    return np.asarray(colours[:, None, :], np.uint8)
