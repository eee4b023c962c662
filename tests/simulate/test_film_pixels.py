"""The truth of a film against its pictures: an ideal reader sees the card an event names after it, and not before."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from referee.cards import DECK, Card
from referee.errors import UserError
from referee.simulate.events import Event
from referee.simulate.production import Production
from referee.simulate.render.camera import Lens
from referee.simulate.render.look import make_look
from referee.simulate.render.studio import Studio
from referee.simulate.scene import CardPose
from referee.table import CARD_MM
from referee.train.decks.deck import Deck
from referee.train.decks.procedural import procedural_deck
from tests.simulate.films import made_planted, pose_of

FACE = (126, 176)
"""Cards are compared at this size: width and height, px."""

ENOUGH = 6
"""Events looked at."""

Picture = npt.NDArray[np.uint8]


@pytest.fixture(scope="module")
def deck() -> Deck:
    return procedural_deck(6)


@pytest.fixture(scope="module")
def film() -> Production:
    return made_planted("not_adjacent@5", seconds=14.0)


@pytest.fixture(scope="module")
def studio(film: Production, deck: Deck) -> Iterator[Studio]:
    look = make_look(1, tilt=8.0, lens=Lens(), light="day", surface="felt")
    try:
        studio = Studio(film.script, look, deck, (1056, 594))
    except UserError as problem:
        pytest.skip(f"nothing can be rendered here: {problem}")
    yield studio
    studio.close()


@pytest.fixture(scope="module")
def faces(deck: Deck) -> dict[Card, Picture]:
    inner = {card: cv2.resize(deck.faces[card].image[..., :3], FACE, interpolation=cv2.INTER_AREA) for card in DECK}
    return {card: cv2.GaussianBlur(image, (0, 0), 1.2)[6:-6, 6:-6] for card, image in inner.items()}


def cut_out(studio: Studio, picture: Picture, pose: CardPose) -> Picture:
    """What the picture shows where a card lies so, upright as it is read."""
    half_w, half_h = CARD_MM[0] / 2, CARD_MM[1] / 2
    corners = [
        pose.point(u, v) for u, v in ((-half_w, half_h), (half_w, half_h), (half_w, -half_h), (-half_w, -half_h))
    ]
    seen = studio.camera.project(corners).astype(np.float32)
    upright = np.array([[0, 0], [FACE[0], 0], FACE, [0, FACE[1]]], np.float32)
    return cv2.warpPerspective(picture, cv2.getPerspectiveTransform(seen, upright), FACE, flags=cv2.INTER_AREA)


def likeness(studio: Studio, faces: dict[Card, Picture], t: float, pose: CardPose) -> dict[Card, float]:
    """How much what the picture at ``t`` shows in a place is like each card, 1 for the same."""
    seen = cut_out(studio, studio.clean(t), pose)
    # A card may lie a pixel off, so each face is tried a little all round.
    return {card: float(cv2.matchTemplate(seen, face, cv2.TM_CCOEFF_NORMED).max()) for card, face in faces.items()}


def free_view(film: Production, event: Event) -> tuple[float, CardPose] | None:
    """A time at which the card an event put down is seen on top with no hand over it, and how it lies."""
    assert event.action is not None
    assert event.action.card is not None
    for step in range(60):
        t = event.t + 0.1 + step / 30
        snapshot = film.script.snapshot(t)
        pose = pose_of(film, event.action.card, t)
        if pose is None or t >= film.script.duration:
            return None
        near = [hand for hand in snapshot.hands if abs(hand.x - pose.x) < 150 and abs(hand.y - pose.y) < 250]
        above = [other for other in snapshot.cards if other.z > pose.z and abs(other.x - pose.x) < 80]
        if not near and not any(abs(other.y - pose.y) < 110 for other in above):
            return t, pose
    return None


def test_an_ideal_reader_sees_the_card_the_truth_names_after_an_event_and_not_before(
    studio: Studio, film: Production, faces: dict[Card, Picture]
) -> None:
    looked = 0
    for event in film.events:
        if event.action is None or event.action.card is None:
            continue
        view = free_view(film, event)
        if view is None:
            continue
        t, pose = view
        card = event.action.card
        before = likeness(studio, faces, event.t - 0.35, pose)
        after = likeness(studio, faces, t, pose)
        assert max(after, key=after.__getitem__) is card, event
        assert before[card] < after[card] - 0.15, event
        looked += 1
        if looked == ENOUGH:
            break
    assert looked == ENOUGH
