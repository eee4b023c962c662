"""The scene on the graphics pipe: table, cards, bodies and the shadows they throw, in linear light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from referee.cards import DECK
from referee.simulate.render import shaders
from referee.simulate.render.camera import Camera
from referee.simulate.render.cards import POSE_FLOATS, THICKNESS, card_mesh, pose_rows
from referee.simulate.render.look import Colour, Look
from referee.simulate.render.pipe import Floats, Rect, open_context, read_floats, set_uniforms
from referee.simulate.render.surfaces import Surface, make_floor
from referee.simulate.scene import CardPose
from referee.train.decks.deck import Deck

if TYPE_CHECKING:
    import moderngl

MAP_MM: Final = 2.0
"""Grain of the shadow maps of what moves."""

MAP_MARGIN: Final = 250.0
"""How far those maps reach beyond the table rectangle, mm."""

_HEIGHT_MM: Final = 0.6
_HEIGHT_MARGIN: Final = 60.0
_MOST_VERTICES: Final = 80_000
_MOST_TRIANGLES: Final = 160_000
_MOST_CARDS: Final = 64
_FLOOR: Final = -720.0
_FLOOR_MM: Final = 6000.0


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A thing made of triangles: a hand, a sleeve, a cup.

    Attributes:
        vertices: float32 (N, 11): x, y, z, normal, colour (blue first), u, v.
        triangles: int32 (M, 3).
        stuff: 0 skin, 1 plain cloth, 2 striped, 3 checked, 4 glazed.
        cloth, second: colours of a cloth and of its pattern.
    """

    vertices: Floats
    triangles: npt.NDArray[np.int32]
    stuff: int
    cloth: Colour = (0.0, 0.0, 0.0)
    second: Colour = (0.0, 0.0, 0.0)


class _CardSet:
    """Cards of one mesh, drawn together."""

    def __init__(self, poses: moderngl.Buffer, arrays: dict[str, moderngl.VertexArray]) -> None:
        self._poses, self._arrays = poses, arrays
        self._cards: tuple[CardPose, ...] = ()

    def place(self, cards: Sequence[CardPose]) -> None:
        """Takes the poses to draw."""
        if len(cards) > _MOST_CARDS:
            raise ValueError(f"a scene holds at most {_MOST_CARDS} cards at once, not {len(cards)}")
        if len(cards) == len(self._cards) and all(a is b for a, b in zip(cards, self._cards, strict=True)):
            return
        self._cards = tuple(cards)
        if cards:
            self._poses.orphan()
            self._poses.write(pose_rows(cards).tobytes())

    def draw(self, program: str) -> None:
        """Draws them all."""
        if self._cards:
            self._arrays[program].render(instances=len(self._cards))


class Stage:
    """Draws parts of the scene into arrays. One camera, look and deck for its whole life.

    Raises:
        UserError: there is no way to draw on this machine; says what to install.
    """

    def __init__(self, camera: Camera, look: Look, surface: Surface, deck: Deck) -> None:
        self._context = context = open_context()
        self._look = look
        self._size = camera.size
        self._programs: dict[str, moderngl.Program] = {
            name: context.program(vertex_shader=vertex, fragment_shader=fragment)
            for name, vertex, fragment in (
                ("card lying", shaders.CARD_VERTEX, shaders.CARD_LYING),
                ("card moving", shaders.CARD_VERTEX, shaders.CARD_MOVING),
                ("card depth", shaders.CARD_VERTEX, shaders.DEPTH_FRAGMENT),
                ("card cast", shaders.CARD_CAST, shaders.CAST_FRAGMENT),
                ("table lying", shaders.TABLE_VERTEX, shaders.TABLE_LYING),
                ("body moving", shaders.BODY_VERTEX, shaders.BODY_MOVING),
                ("body cast", shaders.BODY_CAST, shaders.CAST_FRAGMENT),
            )
        }
        self._load_cards(deck)
        self._load_table(surface)
        self._bodies = context.buffer(reserve=_MOST_VERTICES * 44, dynamic=True)
        self._body_index = context.buffer(reserve=_MOST_TRIANGLES * 12, dynamic=True)
        self._body_arrays = {
            name: context.vertex_array(self._programs[name], [(self._bodies, form, *names)], self._body_index)
            for name, form, names in (
                ("body moving", "3f 3f 3f 2f", ("in_point", "in_normal", "in_colour", "in_uv")),
                ("body cast", "3f 32x", ("in_point",)),
            )
        }
        self._ranges: list[tuple[int, int, Body]] = []
        self._body_indices = 0
        self._make_targets()
        self._set_lights()
        self.set_camera(camera)
        self.set_lamp(1.0)

    def _load_cards(self, deck: Deck) -> None:
        context = self._context
        width, height = deck.size
        faces = [*(deck.faces[card] for card in DECK), deck.back]
        layers = np.empty((len(faces), height, width, 4), np.uint8)
        for layer, face in zip(layers, faces, strict=True):
            # Outside its rounded corners a picture is transparent; the mesh has corners of its own, of white paper.
            alpha = face.image[..., 3:].astype(np.float32) / 255
            layer[..., :3] = face.image[..., :3] * alpha + 245 * (1 - alpha)
            layer[..., 3] = 255
        self._faces = context.texture_array((width, height, len(faces)), 4, layers.tobytes())
        self._faces.build_mipmaps()
        self._faces.anisotropy = 4.0
        self._lying_cards = self._card_set(deck, ("card lying", "card depth", "card cast"), bends=False)
        self._moving_cards = self._card_set(deck, ("card moving", "card cast"), bends=True)
        values = {"card_size": (float(deck.width_mm), float(deck.height_mm)), "card_thickness": THICKNESS}
        set_uniforms(self._programs.values(), values)

    def _card_set(self, deck: Deck, programs: Sequence[str], *, bends: bool) -> _CardSet:
        context = self._context
        vertices, triangles = card_mesh(deck.width_mm, deck.height_mm, bends=bends)
        mesh, index = context.buffer(vertices.tobytes()), context.buffer(triangles.tobytes())
        poses = context.buffer(reserve=_MOST_CARDS * POSE_FLOATS * 4, dynamic=True)
        pose = (poses, "3f 9f 3f/i", "in_centre", "in_turn", "in_kind")
        whole = (mesh, "3f 2f 1f", "in_point", "in_uv", "in_side")
        # Where only the card's place matters the compiler drops the side.
        lean = (mesh, "3f 2f 4x", "in_point", "in_uv")
        shapes = {"card lying": whole, "card moving": whole, "card depth": lean, "card cast": lean}
        arrays = {name: context.vertex_array(self._programs[name], [shapes[name], pose], index) for name in programs}
        return _CardSet(poses, arrays)

    def _load_table(self, surface: Surface) -> None:
        context, look = self._context, self._look
        height, width = surface.image.shape[:2]
        self._top = context.texture((width, height), 3, surface.image.tobytes(), alignment=1)
        self._top.build_mipmaps()
        self._top.anisotropy = 4.0
        left, above, right, below = look.table_margin
        wide, deep = look.table_mm[0] + left + right, look.table_mm[1] + above + below
        u, v = (a.ravel() for a in np.meshgrid(np.linspace(0, 1, 61), np.linspace(0, 1, 41)))
        top = np.column_stack([u * wide - left, v * deep - above, 0 * u, u, v])
        corner = -_FLOOR_MM * 0.43
        floor = np.column_stack([u * _FLOOR_MM + corner, v * _FLOOR_MM + corner, 0 * u + _FLOOR, 0 * u - 1, 0 * v - 1])
        cell = (np.arange(40)[:, None] * 61 + np.arange(60)).ravel()
        quads = np.column_stack([cell, cell + 1, cell + 61, cell + 1, cell + 62, cell + 61]).reshape(-1, 3)
        mesh = context.buffer(np.concatenate([top, floor]).astype("f4").tobytes())
        index = context.buffer(np.concatenate([quads, quads + len(top)]).astype("i4").tobytes())
        table = [(mesh, "3f 2f", "in_point", "in_uv")]
        self._table_array = context.vertex_array(self._programs["table lying"], table, index)
        gloss = {"top_gloss": (surface.gloss, surface.sharpness), "card_gloss": look.card_gloss}
        set_uniforms(self._programs.values(), gloss)
        self._load_floor(corner)

    def _load_floor(self, corner: float) -> None:
        look = self._look
        width, depth = look.table_mm
        # What is near table height looks larger than the floor behind it: the players' laps, drawn on that floor.
        larger = (look.height - _FLOOR) / look.height
        blobs = tuple(
            (width / 2 - corner, depth / 2 + sign * (depth / 2 + 330) * larger - corner, 300 * larger, player.cloth)
            for sign, player in zip((1, -1), look.players, strict=True)
        )
        picture = make_floor(np.random.default_rng((look.seed, 0xF1)), _FLOOR_MM, blobs)
        self._ground = self._context.texture((picture.shape[1], picture.shape[0]), 3, picture.tobytes(), alignment=1)
        set_uniforms(self._programs.values(), {"ground_place": (corner, corner, 1 / _FLOOR_MM)})

    def _make_targets(self) -> None:
        context, size = self._context, self._size
        width, height = self._look.table_mm

        def map_of(grain: float, margin: float) -> tuple[Any, Any, tuple[float, float, float, float]]:
            texels = (round((width + 2 * margin) / grain), round((height + 2 * margin) / grain))
            texture = context.texture(texels, 2, dtype="f4")
            texture.repeat_x = texture.repeat_y = False
            # Heights must not be mixed over the edge of what is high.
            texture.filter = (context.NEAREST, context.NEAREST)
            target = context.framebuffer([texture], context.depth_renderbuffer(texels))
            return texture, target, (-margin, -margin, 1 / (texels[0] * grain), 1 / (texels[1] * grain))

        self._heights, self._height_target, self._height_place = map_of(_HEIGHT_MM, _HEIGHT_MARGIN)
        self._lamp_map, self._lamp_target, self._map_place = map_of(MAP_MM, MAP_MARGIN)
        self._above_map, self._above_target, _ = map_of(MAP_MM, MAP_MARGIN)
        depth = context.depth_renderbuffer(size)
        self._lying = context.framebuffer([context.renderbuffer(size, 4, dtype="f4") for _ in range(2)], depth)
        self._moving = context.framebuffer([context.renderbuffer(size, 4, dtype="f4")], depth)
        textures = {
            "faces": self._faces,
            "top": self._top,
            "heights": self._heights,
            "lamp_map": self._lamp_map,
            "above_map": self._above_map,
            "ground": self._ground,
        }
        for unit, texture in enumerate(textures.values()):
            texture.use(unit)
        units = {name: unit for unit, name in enumerate(textures)}
        values: dict[str, Any] = units | {"heights_place": self._height_place, "maps_place": self._map_place}
        set_uniforms(self._programs.values(), values)

    def _set_lights(self) -> None:
        lights, table = self._look.lights, self._look.table_mm
        away = np.array(lights.lamp) - (table[0] / 2, table[1] / 2, 0)
        distance = float(np.linalg.norm(away))
        window = np.array(lights.window) / np.linalg.norm(lights.window)
        values = {
            "lamp": lights.lamp,
            "lamp_norm": distance**3 / float(away[2]),
            "lamp_spread": lights.lamp_radius / lights.lamp[2],
            "sky": lights.sky,
            "bounce": lights.bounce,
            "window": tuple(window),
            "window_colour": lights.window_colour,
            "frame_grain": 0.0,
        }
        set_uniforms(self._programs.values(), values)

    @property
    def map_shape(self) -> tuple[int, int]:
        """Rows and columns of what ``shadows`` gives."""
        width, height = self._lamp_map.size
        return height, width

    def set_camera(self, camera: Camera) -> None:
        """Looks through another camera of the same picture size."""
        half = (camera.size[0] / 2, camera.size[1] / 2)
        values = {
            "eye": camera.position,
            "axes": tuple(np.asarray(camera.axes).ravel()),
            "pinhole": (
                camera.focal / half[0], camera.focal / half[1],
                camera.centre[0] / half[0] - 1, camera.centre[1] / half[1] - 1,
            ),
            "lens": (camera.lens.k1, camera.lens.k2, camera.focal / half[0]),
            "jitter": (0.0, 0.0),
        }  # fmt: skip
        set_uniforms(self._programs.values(), values)

    def set_lamp(self, level: float) -> None:
        """Turns the main lamp to ``level``, 1 as the look has it; what ``bake`` draws ignores it."""
        colour = self._look.lights.lamp_colour
        full = {"lamp_colour": colour}
        set_uniforms((self._programs["card lying"], self._programs["table lying"]), full)
        dimmed = {"lamp_colour": tuple(c * level for c in colour)}
        set_uniforms((self._programs["card moving"], self._programs["body moving"]), dimmed)

    def _jitter(self, sample: int, samples: int) -> None:
        """Moves the picture by a part of a pixel, so that the mean of all samples has smooth edges."""
        x, y = (sample + 0.5) / samples - 0.5, _radical_inverse(sample) - 0.5
        values = {"jitter": (2 * x / self._size[0], 2 * y / self._size[1]), "frame_grain": float(sample)}
        set_uniforms(self._programs.values(), values)

    def bake(self, cards: Sequence[CardPose], rect: Rect, samples: int) -> tuple[Floats, Floats]:
        """The table and what lies on it, without anything that moves.

        Args:
            cards: the cards that lie still.
            rect: the part of the picture wanted.
            samples: how many times it is drawn, for smooth edges.

        Returns:
            Two float32 arrays (height, width, 3) of linear light: what all light but the main lamp's gives, and what
            the main lamp at full level gives.
        """
        self._lying_cards.place(cards)
        self._cast(self._height_target, (0.0, 0.0, 0.0), self._height_place)
        self._lying_cards.draw("card cast")
        self._lying.use()
        totals = [np.zeros((rect[3], rect[2], 4), np.float32) for _ in range(2)]
        for sample in range(samples):
            self._jitter(sample, samples)
            self._lying.clear(viewport=rect)
            self._lying.scissor = rect
            self._table_array.render()
            self._lying_cards.draw("card lying")
            for attachment, total in enumerate(totals):
                cv2.accumulate(read_floats(self._lying, rect, 4, attachment), total)
        self._lying.scissor = (0, 0, *self._size)
        ambient, direct = (np.ascontiguousarray(total[..., :3]) * np.float32(1 / samples) for total in totals)
        return ambient, direct

    def _cast(self, target: moderngl.Framebuffer, light: Colour, place: tuple[float, float, float, float]) -> None:
        target.use()
        target.clear()
        frame = (place[0], place[1], 2 * place[2], 2 * place[3])
        set_uniforms(self._programs.values(), {"cast_from": light, "map_frame": frame})

    def load(self, cards: Sequence[CardPose], bodies: Sequence[Body]) -> None:
        """Takes what moves, as it is at one instant."""
        self._moving_cards.place(cards)
        self._ranges = []
        if bodies:
            triangles, first, offset = [], 0, 0
            for body in bodies:
                triangles.append(body.triangles + offset)
                self._ranges.append((first, body.triangles.size, body))
                first += body.triangles.size
                offset += len(body.vertices)
            self._bodies.orphan()
            self._bodies.write(np.concatenate([body.vertices for body in bodies]).tobytes())
            self._body_index.orphan()
            self._body_index.write(np.concatenate(triangles).tobytes())
        self._body_indices = sum(count for _, count, _ in self._ranges)

    def shadows(self) -> tuple[Floats, Floats]:
        """Where what was loaded stands between the plane z = 0 and the lamp, and above that plane.

        Returns:
            Two float32 arrays (H, W, 2) over the table rectangle and ``MAP_MARGIN`` around it, ``MAP_MM`` to a texel:
            covered (0 or 1), and the greatest height of what covers, mm, times that.
        """
        maps: list[Floats] = []
        for target, light in ((self._lamp_target, self._look.lights.lamp), (self._above_target, (0.0, 0.0, 0.0))):
            self._cast(target, light, self._map_place)
            self._moving_cards.draw("card cast")
            if self._body_indices:
                self._body_arrays["body cast"].render(vertices=self._body_indices)
            width, height = target.size
            maps.append(read_floats(target, (0, 0, width, height), 2))
        return maps[0], maps[1]

    def shoot(self, lying: Sequence[CardPose], rects: Sequence[Rect], sample: int, samples: int) -> list[Floats]:
        """What was loaded, lit, where nothing that lies on the table hides it; ``shadows`` comes before it.

        Args:
            lying: the cards that lie still.
            rects: the parts of the picture wanted.
            sample, samples: which of how many exposures of one picture this is.

        Returns:
            For each rectangle float32 (height, width, 4): linear light times cover, and cover (0 or 1).
        """
        self._jitter(sample, samples)
        target = self._moving
        target.use()
        for rect in rects:
            target.clear(viewport=rect)
        x1, y1 = min(r[0] for r in rects), min(r[1] for r in rects)
        x2, y2 = max(r[0] + r[2] for r in rects), max(r[1] + r[3] for r in rects)
        target.scissor = (x1, y1, x2 - x1, y2 - y1)
        self._lying_cards.place(lying)
        self._lying_cards.draw("card depth")
        self._moving_cards.draw("card moving")
        program = self._programs["body moving"]
        for first, count, body in self._ranges:
            set_uniforms([program], {"stuff": body.stuff, "cloth": body.cloth, "second": body.second})
            self._body_arrays["body moving"].render(vertices=count, first=first)
        target.scissor = (0, 0, *self._size)
        return [read_floats(target, rect, 4) for rect in rects]

    def close(self) -> None:
        """Gives the context back."""
        self._context.release()


def _radical_inverse(index: int) -> float:
    """The van der Corput sequence: 1/2, 1/4, 3/4, 1/8 ... for 1, 2, 3, 4; spreads samples evenly."""
    value, step = 0.0, 0.5
    while index:
        value += step * (index & 1)
        index >>= 1
        step /= 2
    return value
