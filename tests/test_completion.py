"""What shells are told can follow on a command line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli import build_parser, main
from referee.completion import SCRIPTS, following


def words(*typed: str) -> list[str]:
    return [word for word, _ in following(build_parser(), typed)]


def test_commands_and_their_parts_complete_with_what_they_do() -> None:
    assert ("watch", "referee a game at the table, live") in following(build_parser(), [""])
    assert words("wa") == ["watch"]
    assert words("evaluate", "") == ["footage", "reader"]
    assert words("calibrate", "p") == ["print"]


def test_options_complete_once_a_dash_is_typed() -> None:
    assert words("watch", "--ta") == ["--table"]
    assert "--json" in words("evaluate", "reader", "-")
    assert "--version" in words("-")


def test_values_complete_where_they_are_known() -> None:
    assert words("calibrate", "--way", "") == ["auto", "markers", "deal"]
    assert words("watch", "--table", "x", "--lang", "p") == ["pt", "pl"]
    assert words("rules", "--preset", "pt") == ["pt", "pt-both"]
    assert words("completion", "") == list(SCRIPTS)


def test_kept_tables_complete_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_TABLES", str(tmp_path))
    (tmp_path / "kitchen.toml").touch()
    assert words("watch", "--table", "") == ["kitchen"]


def test_what_is_a_file_is_left_to_the_shell() -> None:
    assert words("replay", "") == []
    assert words("replay", "game.mp4", "--zones", "") == []
    assert words("read", "--json", "ta") == []


def test_every_option_completes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "words", "rules", "--"]) == 0
    told = [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()]
    assert told == ["--help", "--preset", "--file", "--set", "--diff", "--explain", "--keys", "--json"]


@pytest.mark.parametrize("shell", SCRIPTS)
def test_scripts_ask_the_program(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    assert "referee completion words" in capsys.readouterr().out


def test_bash_completes(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash on this machine")
    program = tmp_path / "referee"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m referee "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    script = SCRIPTS["bash"] + "COMP_WORDS=(referee calibrate --wa); COMP_CWORD=2; _referee; echo ${COMPREPLY[@]}\n"
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run([bash, "-c", script], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout == "--way\n"
