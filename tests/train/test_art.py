"""From a package to a stored deck, with art that the test draws itself."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.cards import DECK, Card
from referee.errors import UserError
from referee.pictures import write_picture
from referee.train.decks import art
from referee.train.decks.deck import Deck, Image
from referee.train.decks.normalise import CardShape, cut_card, make_faces
from referee.train.decks.packages import Package
from referee.train.decks.preview import deck_sheet
from referee.train.decks.procedural import procedural_deck
from referee.train.decks.raster import read_picture
from referee.train.decks.sources import DeckSource, deck_sources

from .conftest import Fake

SEED = 12
"""A drawn deck of the common kind: two corners, small index, pips laid out as usual."""

SHAPE = CardShape(57, 0, (80, 110), "two")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    return procedural_deck(SEED, tmp_path_factory.mktemp("no-art"))


@pytest.fixture
def source(tmp_path: Path, drawn: Deck, fake_client: Fake, monkeypatch: pytest.MonkeyPatch) -> DeckSource:
    """A package of drawn cards that a fake pip delivers, in place of all real packages and decks."""
    wheel = tmp_path / "cards-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        for name, face in (*((card.text, face) for card, face in drawn.faces.items()), ("back", drawn.back)):
            file.writestr(f"cards/{name}.png", cv2.imencode(".png", face.image)[1].tobytes())
        file.writestr("cards/index.ttf", b"not really a font")
        file.writestr("cards/light-wood.png", cv2.imencode(".png", np.zeros((8, 8, 3), np.uint8))[1].tobytes())
        file.writestr("cards/walnut.png", cv2.imencode(".png", np.zeros((8, 8, 3), np.uint8))[1].tobytes())
    fake_client("pip", f"cp {wheel} .")
    checksum = hashlib.sha256(wheel.read_bytes()).hexdigest()
    package = Package("cards", "pip", "1.0", checksum, "CC0-1.0", "tests", ("*",))
    layout = {
        "path": "cards/{rank}{suit}.png",
        "ranks": "A 2 3 4 5 6 7 8 9 T J Q K",
        "suits": "C D H S",
        "back": "cards/back.png",
    }
    made = DeckSource("mine", "tigullio", package, "CC0-1.0", SHAPE, "files", layout)
    monkeypatch.setattr(art, "packages", lambda: {"cards": package})
    monkeypatch.setattr(art, "deck_sources", lambda: {"mine": made})
    monkeypatch.setattr(art, "_SURFACES", ("cards",))
    return made


@pytest.mark.usefixtures("source")
def test_a_deck_is_fetched_normalised_stored_and_loaded(tmp_path: Path, drawn: Deck) -> None:
    cache = tmp_path / "cache"
    done = art.prepare(cache)
    assert (done.packages, done.decks, done.problems) == (("cards",), ("mine",), ())
    loaded = art.deck("mine", cache)
    assert (loaded.family, loaded.split, loaded.width_mm) == ("tigullio", "train", 57)
    for card in DECK:
        difference = np.abs(loaded.faces[card].image.astype(int) - drawn.faces[card].image)[40:-40, 40:-40]
        assert difference.max() <= 2, card
    assert art.stored_decks(cache) == ("mine",)


def test_the_indices_found_in_pixels_are_those_that_were_drawn(drawn: Deck) -> None:
    found = make_faces({card: face.image for card, face in drawn.faces.items()}, SHAPE)
    for card in DECK:
        for box, truth in zip(found[card].indexes, drawn.faces[card].indexes, strict=True):
            assert np.abs(np.subtract(box, truth)).max() <= 3, (card, box, truth)


def test_preparing_again_does_nothing_and_other_definitions_are_not_taken_for_it(
    tmp_path: Path, source: DeckSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    lines: list[str] = []
    art.prepare(cache, report=lines.append)
    art.prepare(cache, report=lines.append)
    assert lines == ["cards 1.0: fetched", "deck mine: made", "cards 1.0: there already", "deck mine: there already"]
    other = DeckSource(
        **{f: getattr(source, f) for f in source.__slots__} | {"shape": CardShape(63, 0, (80, 150), "two")}
    )
    monkeypatch.setattr(art, "deck_sources", lambda: {"mine": other})
    assert art.stored_decks(cache) == ()


@pytest.mark.usefixtures("source")
def test_fonts_and_surfaces_are_found_by_split(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert art.fonts(cache) == []
    assert art.surfaces("train", cache) == []
    art.prepare(cache)
    assert [path.name for path in art.fonts(cache)] == ["index.ttf"]
    assert [path.name for path in art.surfaces("train", cache)] == ["light-wood.png"]
    assert [path.name for path in art.surfaces("val", cache)] == ["walnut.png"]


def test_a_package_that_cannot_be_had_is_told_and_the_others_go_on(
    tmp_path: Path, source: DeckSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = Package("absent", "pip", "9.9", "0" * 64, "CC0-1.0", "tests", ("*",))
    monkeypatch.setattr(art, "packages", lambda: {"absent": absent, "cards": source.package})
    done = art.prepare(tmp_path / "cache")
    assert done.decks == ("mine",)
    assert len(done.problems) == 1
    assert "absent 9.9 was delivered damaged or changed" in done.problems[0]


@pytest.mark.usefixtures("source")
def test_an_unknown_name_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no package or deck 'yours'; packages: cards; decks: mine"):
        art.prepare(tmp_path / "cache", ["yours"])
    with pytest.raises(UserError, match="there are mine"):
        art.deck("yours", tmp_path)


@pytest.mark.usefixtures("source")
def test_missing_and_damaged_decks_say_how_to_get_them(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    with pytest.raises(UserError, match="referee train art --only mine"):
        art.deck("mine", cache)
    art.prepare(cache)
    (file,) = (cache / "decks").iterdir()
    file.write_bytes(file.read_bytes()[:2000])
    with pytest.raises(UserError, match="is damaged"):
        art.deck("mine", cache)


def test_the_cache_is_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path))
    assert art.default_cache() == tmp_path / "art"


def card_drawing(inset: int) -> Image:
    """A white card with a dark outline ``inset`` px wide and an A over a sign in two corners, on nothing."""
    drawing = np.zeros((520, 380, 4), np.uint8)
    drawing[10:510, 11:369] = (40, 40, 40, 255)
    drawing[10 + inset : 510 - inset, 11 + inset : 369 - inset] = 255
    return drawing


def test_the_outline_that_screen_art_has_is_cut_off() -> None:
    card = cut_card(card_drawing(5), CardShape(63, 6, (70, 130), "two"))
    assert card.shape == (500, 358, 4)
    assert card[..., :3].min() == 255


def test_a_card_without_index_is_refused() -> None:
    with pytest.raises(UserError, match="no index found in the corner of"):
        make_faces({card: card_drawing(0) for card in DECK}, CardShape(63, 0, (70, 130), "two"))


def test_an_index_that_is_cut_off_is_refused(drawn: Deck) -> None:
    pictures = {card: face.image.copy() for card, face in drawn.faces.items()}
    x1, _, x2, y2 = (int(v) for v in drawn.faces[Card("7D")].indexes[0])
    pictures[Card("7D")][y2 - 45 : y2, x1:x2] = pictures[Card("7D")][250, 20]
    with pytest.raises(UserError, match="the index of 7D"):
        make_faces(pictures, SHAPE)


def test_pictures_in_every_format_are_read_as_bgra(tmp_path: Path) -> None:
    grey = tmp_path / "grey.png"
    grey.write_bytes(cv2.imencode(".png", np.full((4, 6), 90, np.uint8))[1].tobytes())
    assert read_picture(grey, 10).tolist()[0][0] == [90, 90, 90, 255]
    pattern = tmp_path / "wood.pat"
    header = (24 + 5).to_bytes(4, "big") + b"".join(v.to_bytes(4, "big") for v in (1, 3, 2, 3)) + b"GPAT"
    pattern.write_bytes(header + b"wood\0" + bytes((200, 100, 50)) * 6)
    assert read_picture(pattern, 0).shape == (2, 3, 4)
    assert read_picture(pattern, 0)[0, 0].tolist() == [50, 100, 200, 255]


@pytest.mark.parametrize("name", ["cut.png", "cut.pat"])
def test_an_unreadable_picture_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"GPAT, or not")
    with pytest.raises(UserError, match="fetch it again"):
        read_picture(tmp_path / name, 10)
    with pytest.raises(UserError, match="cannot read"):
        read_picture(tmp_path / "absent.png", 10)


def test_vector_cards_are_drawn_at_the_height_asked_for(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="drawing SVG needs resvg_py of the extra 'train'")
    file = tmp_path / "card.svg"
    size = 'width="63mm" height="88mm" viewBox="0 0 63 88"'
    file.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" {size}><rect width="63" height="88" fill="#c00"/></svg>')
    picture = read_picture(file, 176)
    assert picture.shape == (176, 126, 4)
    assert picture[88, 60].tolist() == [0, 0, 204, 255]


def test_portable_documents_are_drawn_at_the_height_asked_for(tmp_path: Path) -> None:
    pymupdf = pytest.importorskip("pymupdf", reason="drawing PDF needs pymupdf of the extra 'train'")
    with pymupdf.open() as document:
        page = document.new_page(width=63, height=88)
        page.draw_rect(pymupdf.Rect(0, 0, 63, 88), color=(0, 0, 1), fill=(0, 0, 1))
        document.save(tmp_path / "card.pdf")
    picture = read_picture(tmp_path / "card.pdf", 176)
    assert picture.shape == (176, 126, 4)
    assert picture[88, 60].tolist() == [255, 0, 0, 255]


def test_a_sheet_shows_every_card_and_is_written_as_asked(tmp_path: Path, drawn: Deck) -> None:
    sheet = deck_sheet([drawn], DECK)
    assert sheet.shape[1] >= 13 * 90
    assert sheet.shape[0] >= 5 * 150
    write_picture(tmp_path / "sheet.png", sheet)
    np.testing.assert_array_equal(cv2.imread(str(tmp_path / "sheet.png")), sheet)
    with pytest.raises(UserError, match=r"end the name in \.png"):
        write_picture(tmp_path / "sheet.doc", sheet)
    with pytest.raises(UserError, match="cannot write"):
        write_picture(tmp_path / "nowhere" / "sheet.png", sheet)


def test_fetched_decks_are_whole() -> None:
    cache = art.default_cache()
    names = art.stored_decks(cache)
    if not names:
        pytest.skip("no art is fetched here: 'referee train art' fetches it")
    # One of each package's: all of them take half a minute.
    for name in {deck_sources()[name].package.name: name for name in names}.values():
        assert len({face.image.tobytes() for face in art.deck(name, cache).faces.values()}) == 52, name
