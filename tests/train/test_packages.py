"""Fetching packages: what arrives whole is kept, everything else is refused with a sentence and leaves nothing."""

from __future__ import annotations

import hashlib
import os
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

from referee.train.decks.packages import FetchError, Package, discard_leftovers, fetch, packages

from .conftest import Fake

ART = b"a drawing"


@pytest.fixture
def tarball(tmp_path: Path) -> Path:
    (tmp_path / "card.svg").write_bytes(ART)
    (tmp_path / "README").write_bytes(b"words")
    path = tmp_path / "cards-1.0.tgz"
    with tarfile.open(path, "w:gz") as tar:
        tar.add(tmp_path / "card.svg", "package/art/card.svg")
        tar.add(tmp_path / "README", "package/README")
    return path


def package(archive: Path, registry: str = "npm", name: str = "@some/cards") -> Package:
    checksum = hashlib.sha256(archive.read_bytes()).hexdigest()
    return Package(name, registry, "1.0", checksum, "CC0-1.0", "tests", ("*.svg",))


def leftovers(cache: Path) -> list[Path]:
    return [path for path in cache.iterdir() if path.name.startswith("fetching-")]


def test_a_fetched_package_holds_only_what_it_is_fetched_for(tmp_path: Path, tarball: Path, fake_client: Fake) -> None:
    fake_client("npm", f"cp {tarball} .")
    cache = tmp_path / "cache"
    wanted = package(tarball)
    assert fetch(wanted, cache)
    files = [path.relative_to(wanted.folder(cache)) for path in wanted.folder(cache).rglob("*") if path.is_file()]
    assert files == [Path("package/art/card.svg")]
    assert not leftovers(cache)


def test_a_finished_package_is_not_fetched_again(tmp_path: Path, tarball: Path, fake_client: Fake) -> None:
    fake_client("npm", f"echo called >> {tmp_path}/calls; cp {tarball} .")
    cache = tmp_path / "cache"
    assert fetch(package(tarball), cache)
    assert not fetch(package(tarball), cache)
    assert (tmp_path / "calls").read_text() == "called\n"


def test_a_wheel_is_fetched_by_pip(tmp_path: Path, fake_client: Fake) -> None:
    wheel = tmp_path / "cards-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr("cards/card.svg", ART)
    fake_client("pip", f"cp {wheel} .")
    wanted = package(wheel, "pip", "cards")
    assert fetch(wanted, tmp_path / "cache")
    assert (wanted.folder(tmp_path / "cache") / "cards" / "card.svg").read_bytes() == ART


def test_a_debian_package_is_unpacked_without_being_installed(tmp_path: Path, tarball: Path, fake_client: Fake) -> None:
    fake_client("apt-get", f"cp {tarball} cards_1.0_all.deb")
    fake_client("dpkg-deb", 'tar -xzf "$2" -C "$3"')
    wanted = package(tarball, "apt", "cards")
    assert fetch(wanted, tmp_path / "cache")
    assert (wanted.folder(tmp_path / "cache") / "package" / "art" / "card.svg").read_bytes() == ART


def test_what_is_asked_for_is_the_pinned_version(tmp_path: Path, tarball: Path, fake_client: Fake) -> None:
    fake_client("npm", f'echo "$@" > {tmp_path}/arguments; cp {tarball} .')
    fetch(package(tarball), tmp_path / "cache")
    assert (tmp_path / "arguments").read_text().split()[-1] == "@some/cards@1.0"


@pytest.mark.parametrize("registry", ["npm", "apt"])
def test_a_missing_client_is_named_with_the_package(
    tmp_path: Path, tarball: Path, monkeypatch: pytest.MonkeyPatch, registry: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    with pytest.raises(FetchError, match=r"cards 1\.0 needs (npm|apt-get), which"):
        fetch(package(tarball, registry), tmp_path / "cache")
    assert not leftovers(tmp_path / "cache")


def test_a_missing_unpacker_is_named(tmp_path: Path, tarball: Path, fake_client: Fake) -> None:
    fake_client("apt-get", f"/bin/cp {tarball} cards_1.0_all.deb")
    wanted = package(tarball, "apt", "cards")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(tmp_path / "bin"))
        with pytest.raises(FetchError, match="unpacking cards needs dpkg-deb"):
            fetch(wanted, tmp_path / "cache")
    assert not wanted.folder(tmp_path / "cache").exists()


@pytest.mark.parametrize(
    ("registry", "client", "words", "sentence"),
    [
        ("apt", "apt-get", "E: Unable to locate package cards", "run 'apt-get update' as root"),
        ("apt", "apt-get", "E: Version '1.0' for 'cards' was not found", "does not offer this version"),
        ("apt", "apt-get", "Err: Temporary failure resolving 'a.host'", "did not answer: check the network"),
        ("npm", "npm", "npm ERR! code E404", "does not offer this version"),
        ("npm", "npm", "npm ERR! code ENOTFOUND", "did not answer: check the network"),
        ("npm", "npm", "something else", "the npm client failed"),
        ("pip", "pip", "ERROR: No matching distribution found for cards==1.0", "does not offer this version"),
        ("pip", "pip", "/usr/bin/python3: No module named pip", "it needs pip"),
    ],
)
def test_a_client_that_fails_is_explained_without_its_words(
    tmp_path: Path, tarball: Path, fake_client: Fake, registry: str, client: str, words: str, sentence: str
) -> None:
    fake_client(client, f'cp {tarball} .; echo "{words}" >&2; exit 1')
    wanted = package(tarball, registry, "cards")
    with pytest.raises(FetchError, match=r"cards 1\.0 was not delivered") as caught:
        fetch(wanted, tmp_path / "cache")
    assert sentence in str(caught.value)
    assert "a.host" not in str(caught.value)
    assert words in next((tmp_path / "cache" / "logs").iterdir()).read_text()
    assert not wanted.folder(tmp_path / "cache").exists()


def test_a_client_that_delivers_nothing_is_not_believed(tmp_path: Path, tarball: Path, fake_client: Fake) -> None:
    fake_client("npm", "exit 0")
    with pytest.raises(FetchError, match="was not delivered"):
        fetch(package(tarball), tmp_path / "cache")


@pytest.mark.parametrize("damage", ["head -c 60 {} > cards.tgz", "cp {} cards.tgz; echo more >> cards.tgz"])
def test_a_damaged_archive_is_discarded_and_can_be_fetched_later(
    tmp_path: Path, tarball: Path, fake_client: Fake, damage: str
) -> None:
    cache = tmp_path / "cache"
    fake_client("npm", damage.format(tarball))
    with pytest.raises(FetchError, match="damaged or changed"):
        fetch(package(tarball), cache)
    assert not package(tarball).folder(cache).exists()
    assert not leftovers(cache)
    fake_client("npm", f"cp {tarball} .")
    assert fetch(package(tarball), cache)


def test_an_archive_that_cannot_be_unpacked_is_refused(tmp_path: Path, fake_client: Fake) -> None:
    broken = tmp_path / "cards.tgz"
    broken.write_bytes(b"no archive at all")
    fake_client("npm", f"cp {broken} .")
    with pytest.raises(FetchError, match="could not be unpacked"):
        fetch(package(broken), tmp_path / "cache")


def test_an_archive_without_the_wanted_files_is_refused(tmp_path: Path, fake_client: Fake) -> None:
    (tmp_path / "README").write_bytes(b"words")
    archive = tmp_path / "cards.tgz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(tmp_path / "README", "package/README")
    fake_client("npm", f"cp {archive} .")
    with pytest.raises(FetchError, match="holds none of the files"):
        fetch(package(archive), tmp_path / "cache")


def test_what_a_killed_run_left_is_discarded_after_a_day(tmp_path: Path) -> None:
    for name, age in (("fetching-old", 90_000), ("fetching-new", 0)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "half.tgz").write_bytes(b"half")
        os.utime(folder, (time.time() - age, time.time() - age))
    discard_leftovers(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["fetching-new"]


def test_every_listed_package_is_pinned_and_says_its_licence_and_purpose() -> None:
    for entry in packages().values():
        assert entry.registry in ("apt", "npm", "pip"), entry.name
        assert len(entry.sha256) == 64, entry.name
        assert entry.version, entry.name
        assert entry.licence, entry.name
        assert entry.purpose, entry.name
        assert entry.keep, entry.name
