"""Fetching the packages that hold card art, fonts and table surfaces, each by its registry's ordinary client.

What is fetched is listed in ``packages.toml`` with its version and checksum. A package is unpacked into
``CACHE/packages/NAME-VERSION`` only after its archive passed the checksum, and appears there in one step; so a
directory of that name is a finished package, and an interrupted run leaves nothing that could be taken for one.
"""

from __future__ import annotations

import fnmatch
import hashlib
import logging
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Final

from referee.errors import UserError

_LOG = logging.getLogger(__name__)

_TIME_LIMIT: Final = 1800
"""Seconds after which a client that still has not delivered is given up."""

_CLIENTS: Final = {
    "apt": "apt-get, which Debian and its relatives have",
    "npm": "npm, which comes with Node.js",
    "pip": "pip (python -m ensurepip installs it)",
}


class FetchError(UserError):
    """A package could not be fetched; the sentence names it and says what helps."""


@dataclass(frozen=True, slots=True)
class Package:
    """One package of one registry.

    Attributes:
        name: as its registry writes it.
        registry: ``apt``, ``npm`` or ``pip``.
        version: the one version that is accepted.
        sha256: checksum of the archive, in hex.
        licence: of the art in it.
        purpose: what it is fetched for.
        keep: glob patterns of the files to unpack.
        wheel: further arguments for pip that choose one of several wheels.
    """

    name: str
    registry: str
    version: str
    sha256: str
    licence: str
    purpose: str
    keep: tuple[str, ...]
    wheel: tuple[str, ...] = ()

    def folder(self, cache: Path) -> Path:
        """Where the package lies when it is fetched."""
        return cache / "packages" / re.sub(r"[^\w.@+-]", "_", f"{self.name}-{self.version}")


@lru_cache(maxsize=1)
def packages() -> dict[str, Package]:
    """All packages by name, in the order in which they are fetched."""
    text = resources.files("referee.train.decks").joinpath("packages.toml").read_text(encoding="utf-8")
    found: dict[str, Package] = {}
    for entry in tomllib.loads(text)["package"]:
        entry["keep"], entry["wheel"] = tuple(entry["keep"]), tuple(entry.get("wheel", ()))
        found[entry["name"]] = Package(**entry)
    return found


def fetch(package: Package, cache: Path) -> bool:
    """Fetch ``package`` unless it is there already; True when it was fetched now.

    Raises:
        FetchError: the client is missing or failed, or what it delivered is not what was expected.
    """
    folder = package.folder(cache)
    if folder.is_dir():
        return False
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache, prefix="fetching-") as name:
        work = Path(name)
        archive = _download(package, work, cache)
        _verify(package, archive)
        unpacked = work / "unpacked"
        _unpack(package, archive, unpacked)
        _keep(package, unpacked)
        try:
            unpacked.rename(folder)
        except OSError:
            # Another run may have finished the same package meanwhile.
            if not folder.is_dir():
                raise
    return True


def discard_leftovers(cache: Path) -> None:
    """Delete what runs that were killed left half fetched; what is younger than a day may belong to one at work."""
    for folder in cache.glob("fetching-*"):
        if time.time() - folder.stat().st_mtime > 24 * 3600:
            shutil.rmtree(folder, ignore_errors=True)


def _download(package: Package, work: Path, cache: Path) -> Path:
    commands: dict[str, list[str]] = {
        "apt": ["apt-get", "download", f"{package.name}={package.version}"],
        "npm": ["npm", "pack", "--silent", f"{package.name}@{package.version}"],
        "pip": [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"),
            *("--only-binary=:all:", *package.wheel, f"{package.name}=={package.version}"),
        ],
    }
    log = cache / "logs" / f"{package.folder(cache).name}.txt"
    log.parent.mkdir(exist_ok=True)
    said = _run(package, commands[package.registry], work, log)
    archives = [file for file in work.iterdir() if file.suffix in (".deb", ".tgz", ".whl")]
    if len(archives) != 1:
        raise FetchError(
            f"{package.name} {package.version} was not delivered ({_cause(package, said)}); "
            f"the client's own words are in {log}"
        )
    return archives[0]


def _run(package: Package, command: Sequence[str], work: Path, log: Path) -> str:
    """What the client said; a failure shows in there being no archive, so its exit code is only noted."""
    _LOG.debug("running %s", " ".join(command))
    try:
        done = subprocess.run(
            command,
            cwd=work,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_TIME_LIMIT,
            text=True,
            errors="replace",
            check=False,
            env=os.environ | {"LC_ALL": "C"},
        )
    except FileNotFoundError:
        raise FetchError(
            f"{package.name} {package.version} needs {_CLIENTS[package.registry]}: "
            "install it, or fetch the art on a machine that has it and copy the cache"
        ) from None
    except subprocess.TimeoutExpired:
        raise FetchError(
            f"{package.name} {package.version}: {command[0]} did not finish in {_TIME_LIMIT // 60} minutes; "
            "check the network and run the command again"
        ) from None
    log.write_text(f"{done.stdout}\nexit code {done.returncode}\n", encoding="utf-8")
    if done.returncode != 0:
        # A client that failed may have left half an archive; what is not there cannot be taken for whole.
        for file in work.iterdir():
            file.unlink()
    return done.stdout


def _cause(package: Package, said: str) -> str:
    """The likeliest reason, from the client's words, without repeating them: they name hosts and local paths."""
    words = said.lower()
    if "no module named pip" in words:
        return f"it needs {_CLIENTS['pip']}"
    if "unable to locate package" in words or "no packages found" in words:
        return "apt has no list that holds it: run 'apt-get update' as root, on Debian 12, then try again"
    if re.search(r"version .* was not found|e404|etarget|no matching distribution|could not find a version", words):
        return f"the {package.registry} registry does not offer this version"
    if re.search(r"resolv|network|connection|timed? ?out|enotfound|econn|unreachable|failed to fetch", words):
        return f"the {package.registry} registry did not answer: check the network and try again"
    return f"the {package.registry} client failed"


def _verify(package: Package, archive: Path) -> None:
    with archive.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != package.sha256:
        raise FetchError(
            f"{package.name} {package.version} was delivered damaged or changed: sha256 {found[:12]}… "
            f"instead of {package.sha256[:12]}…; it was discarded, try again"
        )


def _unpack(package: Package, archive: Path, target: Path) -> None:
    target.mkdir()
    try:
        if archive.suffix == ".deb":
            subprocess.run(["dpkg-deb", "-x", str(archive), str(target)], check=True, capture_output=True)
        elif archive.suffix == ".tgz":
            with tarfile.open(archive) as tar:
                tar.extractall(target, filter="data")
        else:
            with zipfile.ZipFile(archive) as wheel:
                wheel.extractall(target)
    except FileNotFoundError:
        raise FetchError(f"unpacking {package.name} needs dpkg-deb, which Debian and its relatives have") from None
    except (subprocess.CalledProcessError, tarfile.TarError, zipfile.BadZipFile, OSError) as error:
        raise FetchError(f"{package.name} {package.version} could not be unpacked: {error}") from None


def _keep(package: Package, folder: Path) -> None:
    """Delete what nobody asked for: some of these packages bring hundreds of megabytes for a few pictures."""
    kept = 0
    for file in [path for path in folder.rglob("*") if path.is_symlink() or path.is_file()]:
        if any(fnmatch.fnmatch(file.relative_to(folder).as_posix(), pattern) for pattern in package.keep):
            kept += 1
        else:
            file.unlink()
    if not kept:
        raise FetchError(f"{package.name} {package.version} holds none of the files it is fetched for")
    for directory in sorted((path for path in folder.rglob("*") if path.is_dir()), reverse=True):
        if not any(directory.iterdir()):
            shutil.rmtree(directory)
