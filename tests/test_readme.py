"""What the README says can be done can be done, and prints what it says."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from referee.cli import main
from referee.rules.record import parse_record, replay
from referee.rules.ruleset import KEYS

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", TEXT, re.DOTALL)
COMMANDS = [
    row.removeprefix("$ ").partition("#")[0].strip()
    for language, block in BLOCKS
    if language == ""
    for row in block.splitlines()
    if row.removeprefix("$ ").startswith("referee ")
]
QUICK = [command for command in COMMANDS if command.split()[1] in ("rules", "play-record") or "--incidents" in command]
LONG = [command for command in COMMANDS if command not in QUICK]


@pytest.mark.parametrize("command", QUICK)
def test_command_works(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert main(shlex.split(command)[1:]) == 0


@pytest.mark.parametrize("command", LONG)
def test_long_command_is_one_the_program_knows(command: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as out, pytest.raises(SystemExit) as stopped:
        main([*shlex.split(command)[1:], "--help"])
    assert stopped.value.code == 0
    options = [word for word in shlex.split(command) if word.startswith("--")]
    assert all(option in out.getvalue() for option in options)


def test_what_a_command_prints_is_what_it_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    shown = [block for language, block in BLOCKS if language == "" and block.startswith("$ ")]
    assert shown
    for block in shown:
        command, _, output = block.partition("\n")
        main(shlex.split(command)[2:])
        assert capsys.readouterr().out == output


def test_python_works_and_prints_what_its_comments_say(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = [block for language, block in BLOCKS if language == "python"]
    exec(compile(code, "README.md", "exec"), {})
    out = capsys.readouterr().out
    assert "A plays 9♥ on C1: illegal, 9♥ does not go on 7♣; it goes back." in out
    assert "A play 9H A1 C2" in out


def test_the_record_shown_is_one() -> None:
    (record,) = [block for language, block in BLOCKS if block.startswith("[Record")]
    shown = parse_record(record)
    assert shown.rules.preset == "house"
    assert [done.differs for done in replay(shown)][:6] == [""] * 6


def test_the_number_of_keys_is_right() -> None:
    assert f"all {len(KEYS)} keys" in TEXT


def test_files_linked_are_there() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (ROOT / target).exists(), target
