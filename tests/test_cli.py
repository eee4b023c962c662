"""The command line: what is printed, the exit codes, and a sentence for everything a user can get wrong."""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.cli import build_parser, main
from referee.rules import build
from referee.rules.record import write_record
from referee.rules.ruleset import KEYS, PRESETS
from referee.simulate.match import Limits, play_match

WORKED_GAME = Path(__file__).parent / "fixtures" / "records" / "worked-game-sv.spit"


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    """The exit code and what was printed to stdout and stderr."""
    code = main(args)
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.spit"
    path.write_text(write_record(play_match(build(), 1, limits=Limits(actions=40))), encoding="utf-8")
    return path


@pytest.mark.parametrize("preset", PRESETS)
def test_rules_tells_the_whole_law_of_every_preset(preset: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "rules", "--preset", preset)
    assert code == 0
    assert out.startswith(f"The law of {preset}\n")
    for chapter in ("The cards", "Spitting", "Playing", "Stuck", "Ending a round", "Winning", "Faults"):
        assert f"\n{chapter}\n" in out
    assert "[PT-20" in out or "PT-20," in out


def test_rules_shows_a_changed_rule(capsys: pytest.CaptureFixture[str]) -> None:
    before = run(capsys, "rules", "--preset", "sv")[1]
    code, after, _ = run(capsys, "rules", "--preset", "sv", "--set", "wrap=false", "--set", "scoring=gain_25")
    assert code == 0
    assert "Ranks run round" in before
    assert "Ranks do not run round" in after
    assert "25 points win" in after


def test_rules_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "kitchen.toml"
    path.write_text('preset = "pl"\nalternate_colours = true\nlate_window = 0.3\n', encoding="utf-8")
    code, out, _ = run(capsys, "rules", "--file", str(path), "--set", "both_hands=true")
    assert code == 0
    assert out.startswith("The law of pl,late_window=0.3,alternate_colours=true,both_hands=true\n")


def test_diff_names_every_key_that_differs_and_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "rules", "--diff", "pt", "sv")
    assert code == 0
    pt, sv = build("pt"), build("sv")
    for key in KEYS:
        assert (f"{key}=" in out) == (getattr(pt, key) != getattr(sv, key)), key


def test_diff_of_a_law_with_itself_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "rules", "--diff", "pl", "pl")[1] == "pl and pl are the same law.\n"


def test_diff_takes_changed_presets(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "rules", "--diff", "house", "house,wrap=false")[1]
    assert out.startswith("wrap=true / wrap=false")


def test_explain_says_what_a_cited_law_says(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "rules", "--explain", "PT-20", "G1")
    assert code == 0
    assert out.startswith("PT-20 ")
    assert "\nG1 " in out


def test_keys_lists_every_key_with_its_values(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "rules", "--keys")[1]
    for key in KEYS:
        assert f"{key} " in out
    assert "triangle5, triangle4" in out


def test_play_record_prints_each_ruling_and_the_result(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "play-record", str(record))
    assert code == 0
    assert out.startswith("Ada (A) and Bo (B), rules house\n")
    assert "Ada and Bo deal. [PT-4, PL-6, SV-2]" in out
    assert out.endswith("40 actions, 0 illegal; result *\n") or "illegal; result" in out.splitlines()[-1]


def test_the_worked_game_holds(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "play-record", str(WORKED_GAME))
    assert code == 0
    assert "!" not in out


def test_a_record_with_a_wrong_ruling_ends_with_1(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = record.read_text(encoding="utf-8").replace("; legal", "; illegal late", 1)
    record.write_text(text, encoding="utf-8")
    code, out, _ = run(capsys, "play-record", str(record))
    assert code == 1
    assert "the record says 'illegal late', the law says 'legal'" in out


def test_a_record_with_a_wrong_result_ends_with_1(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = record.read_text(encoding="utf-8").replace('[Result "*"]', '[Result "A no_cards"]')
    record.write_text(text, encoding="utf-8")
    code, out, _ = run(capsys, "play-record", str(record))
    assert code == 1
    assert "! the record says A no_cards" in out


def test_the_same_play_under_another_law(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wrap.spit"
    position = f"house A=play;KC/5C/-/-/-;- B=play;4D/-/-/-/-;#19 C={','.join(['??'] * 28)},AS/JH"
    path.write_text(f'[Record "1"]\n[Position "{position}"]\nA play KC A1 C1\n', encoding="utf-8")
    assert "1 actions, 0 illegal" in run(capsys, "play-record", str(path))[1]
    code, out, _ = run(capsys, "play-record", str(path), "--ruleset", "house,wrap=false")
    assert code == 0
    assert "K♣ does not go on A♠; it goes back" in out


def test_faults_leaves_out_what_was_legal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "slips.spit"
    path.write_text(write_record(play_match(build(), 2, slip=0.2, limits=Limits(actions=200))), encoding="utf-8")
    out = run(capsys, "play-record", str(path), "--faults")[1]
    rulings = [line for line in out.splitlines()[1:-1] if "= " not in line]
    assert rulings
    assert all("illegal" in line for line in rulings)


def events(*rows: dict[str, object]) -> str:
    header = {"kind": "header", "version": 1, "ruleset": "house", "overrides": {}, "names": {"A": "Eva", "B": "Jan"}}
    return "".join(json.dumps(row) + "\n" for row in (header, *rows))


DEALT = {
    "kind": "event",
    "t": 0.0,
    "action": "deal",
    "round": 1,
    "sizes": {seat: {"stock": [1, 2, 3, 4, 5], "reserve": 11} for seat in "AB"},
}
SPITS = [
    {"kind": "event", "t": 2.0, "action": "call", "seat": "both", "word": "spit", "verdict": "legal"},
    {"kind": "event", "t": 2.7, "action": "spit", "seat": "A", "card": "8S", "from": "AR", "to": "C1"},
    {"kind": "event", "t": 2.8, "action": "spit", "seat": "B", "card": "JH", "from": "BR", "to": "C2"},
]


def test_a_truth_file_is_judged_like_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play = {"kind": "event", "t": 3.5, "action": "play", "seat": "A", "card": "7C", "from": "A1", "to": "C1"}
    wrong = {**play, "t": 4.5, "seat": "B", "card": "4D", "from": "B1", "verdict": "illegal", "reason": "not_adjacent"}
    path = tmp_path / "clip.truth.jsonl"
    path.write_text(events(DEALT, *SPITS, {**play, "verdict": "legal"}, wrong), encoding="utf-8")
    code, out, _ = run(capsys, "play-record", str(path))
    assert code == 0
    assert "Jan plays 4♦ on C1: illegal, 4♦ does not go on 7♣; it goes back. [PT-20]" in out


BAD_RECORDS = {
    "empty": ("x.spit", b"", "this is no game record"),
    "binary": ("x.spit", b"\xff\xfe\x00\x01", "it is not text"),
    "cut short": ("x.spit", b'[Record "1"]\n[Ruleset "hou', "is no tag"),
    "cut short in an action": ("x.spit", b'[Record "1"]\n\ndeal A:xx/', "line 3: 'A:xx/' is not how a deal is written"),
    "impossible": ("x.spit", b'[Record "1"]\nA play 7C A1 C1\n', "no card can leave A1"),
    "empty events": ("x.jsonl", b"", "the file is empty"),
    "no header": ("x.jsonl", b'{"kind":"event"}\n', "line 1: the first line is the header"),
    "events cut short": ("x.jsonl", events(DEALT).encode()[:-9], "line 2: this is not JSON; the file may be cut short"),
    "no such action": ("x.jsonl", events({"kind": "event", "action": "sing"}).encode(), "'sing' is no action"),
    "no card": (
        "x.jsonl",
        events(
            DEALT, {"kind": "event", "action": "play", "seat": "A", "card": "1X", "from": "A1", "to": "C1"}
        ).encode(),
        "there is no card '1X'",
    ),
    "no target": (
        "x.jsonl",
        events(DEALT, {"kind": "event", "action": "play", "seat": "A", "card": "7C", "from": "A1"}).encode(),
        "line 3: a play event needs 'to'",
    ),
    "time is text": (
        "x.jsonl",
        events(DEALT, {"kind": "event", "t": "soon", "action": "slap", "seat": "A", "at": "C1"}).encode(),
        "the time of a slap is a number of seconds",
    ),
    "no sizes": ("x.jsonl", events({"kind": "event", "action": "deal"}).encode(), "line 2: 'sizes' is missing"),
    "a list": ("x.jsonl", b"[1, 2]\n", "the first line is the header"),
    "wrong type": ("x.jsonl", events({"kind": "event", "action": "deal", "sizes": 3}).encode(), "of the wrong type"),
    "a strange line": ("x.jsonl", events({"kind": "poem"}).encode(), "a line is a header, a deal or an event"),
    "no ruleset": ("x.jsonl", b'{"kind":"header","ruleset":"poker"}\n', "there is no preset 'poker'"),
}


@pytest.mark.parametrize("name", BAD_RECORDS)
def test_a_bad_record_gets_a_sentence_and_exit_code_2(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, content, says = BAD_RECORDS[name]
    path = tmp_path / file
    path.write_bytes(content)
    code, _, err = run(capsys, "play-record", str(path))
    assert code == 2
    assert err.startswith("referee: ")
    assert says in err


BAD_COMMANDS = {
    "no such file": (["play-record", "/nowhere/game.spit"], "cannot read"),
    "a folder": (["play-record", "."], "cannot read"),
    "no such preset": (["rules", "--preset", "poker"], "there is no preset 'poker'; the presets are house, pt"),
    "no such key": (["rules", "--set", "colour=red"], "there is no rule key 'colour'; the keys are layout"),
    "no such value": (["rules", "--set", "layout=six"], "its values are triangle5"),
    "no value": (["rules", "--set", "wrap"], "write key=value"),
    "two values": (["rules", "--set", "layout=triangle4", "--set", "layout=single10_hand"], "exclude each other"),
    "nonsense": (["rules", "--set", "layout=hand5", "--set", "reserve_place=hand"], "do not go together"),
    "no such toml": (["rules", "--file", "nowhere.toml"], "cannot read nowhere.toml"),
    "preset and file": (["rules", "--preset", "pl", "--file", "x.toml"], "exclude each other"),
    "no such law": (["rules", "--explain", "PT-99"], "PT-99"),
    "diff of nothing": (["rules", "--diff", "house", "chess"], "there is no preset 'chess'"),
    "other law unknown": (["play-record", str(WORKED_GAME), "--ruleset", "chess"], "there is no preset 'chess'"),
}


@pytest.mark.parametrize("name", BAD_COMMANDS)
def test_a_wrong_command_gets_a_sentence_and_exit_code_2(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    args, says = BAD_COMMANDS[name]
    code, out, err = run(capsys, *args)
    assert (code, out) == (2, "")
    assert err.startswith("referee: ")
    assert says in err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("wrap = ", "is not valid TOML"),
        ("colour = 1", "there is no rule key 'colour'"),
        ("preset = 3", "preset must be one of house"),
        ('wrap = "maybe"', "wrap cannot be 'maybe'; its values are true, false"),
        ("late_window = true", "a number of seconds"),
        ("[wrap]\nx = 1", "wrap cannot be {'x': 1}"),
    ],
)
def test_a_bad_rules_file_is_named_with_what_is_wrong(
    text: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(text, encoding="utf-8")
    code, _, err = run(capsys, "rules", "--file", str(path))
    assert code == 2
    assert str(path) in err
    assert says in err


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["fly"], "invalid choice: 'fly' (choose from"),
        (["rules", "--fly"], "unrecognized arguments: --fly"),
        (["rules", "--pre", "pl"], "unrecognized arguments: --pre pl"),
        (["rules", "--diff", "pt"], "argument --diff: expected 2 arguments"),
        (["rules", "--preset", "pt", "--preset", "pl"], "argument --preset: it is given twice"),
        (["rules", "--keys", "--diff", "pt", "pl"], "not allowed with argument --keys"),
        (["replay", "game.mp4", "--jobs", "two"], "invalid int value: 'two'"),
    ],
)
def test_what_is_no_command_at_all_gets_a_sentence_and_exit_code_2(
    args: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(args)
    assert stopped.value.code == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("referee: ")
    assert says in said
    assert said.endswith(" --help' shows what can be given")


def test_no_command_gets_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "examples:\n  referee demo" in capsys.readouterr().err


def commands(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from commands(inner)


@pytest.mark.parametrize("parser", list(commands(build_parser())), ids=lambda parser: parser.prog)
def test_help_says_what_a_command_does_and_shows_examples_before_options(parser: argparse.ArgumentParser) -> None:
    text = parser.format_help()
    does, examples, options = (text.index(part) for part in ("\n\n", "\nexamples:\n", "\noptions:\n"))
    assert does < examples < options
    for line in parser.format_usage().split("[")[1:]:
        option = line.split("]")[0].split()[0]
        assert not option.startswith("-") or option in text[options:]
    shown = [row.strip() for row in text[examples:options].splitlines() if row.startswith("  referee ")]
    assert shown
    assert all(row.startswith(parser.prog) for row in shown)


def test_examples_in_help_are_commands_that_can_be_given() -> None:
    root = build_parser()
    for parser in commands(root):
        for row in parser.format_help().splitlines():
            if row.startswith("  referee "):
                words = shlex.split(re.split(r"\s{2,}|\s#", row.strip())[0])
                if ">" not in words:
                    root.parse_args(words[1:])


def test_rulings_are_told_to_programs_as_well(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "play-record", str(record), "--json")
    assert code == 0
    *rows, last = [json.loads(line) for line in out.splitlines()]
    assert len(rows) == last["actions"] == 40
    assert rows[0]["text"] == "Ada and Bo deal."
    assert [row["verdict"] for row in rows].count("illegal") == last["illegal"]
    assert last["result"] == last["recorded"]


def test_the_law_is_told_to_programs_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(run(capsys, "rules", "--preset", "pl", "--json")[1])
    assert set(told["keys"]) == set(KEYS)
    assert told["keys"]["wrap"] is True
    assert any("PL-2" in sentence["rules"] for sentence in told["sentences"])


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "long.spit"
    path.write_text(write_record(play_match(build(), 1)), encoding="utf-8")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "referee", "play-record", str(path)], stdout=writer, stderr=subprocess.PIPE, text=True
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is always full")
def test_a_full_disk_under_what_is_printed_is_told(record: Path) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "referee", "play-record", str(record)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert (done.returncode, done.stderr) == (2, "referee: the output: No space left on device\n")


def test_a_console_without_pips_still_gets_the_ruling(record: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "referee", "play-record", str(record)], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0
    assert "spits" in done.stdout
