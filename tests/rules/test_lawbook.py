"""The law book is complete, readable and speaks of settings that exist."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import referee
from referee.rules.lawbook import Law, all_laws, law

RULESET_KEYS = frozenset(
    {
        "layout",
        "round_model",
        "pile_claim",
        "win_when",
        "short_deal",
        "one_empty_reserve",
        "double_empty",
        "one_pile_finish",
        "respit_target",
        "reveal",
        "reveal_duty",
        "reserve_place",
        "contact",
        "spit_cue",
        "call_word",
        "spit_freeze",
        "illegal_play",
        "lockout_seconds",
        "early_slap",
        "no_hint",
        "mutual_pass",
        "stalemate_hold",
        "lone_spit_seconds",
        "gap_source",
        "gap_from_short_deal",
        "wrap",
        "alternate_colours",
        "same_rank_stack",
        "same_rank_play",
        "must_play",
        "both_hands",
        "scoring",
        "penalty_count",
        "late_window",
    }
)


def numbered(prefix: str, last: int) -> list[str]:
    return [f"{prefix}{number}" for number in range(1, last + 1)]


IDS_BY_KIND = {
    "rule": [*numbered("PT-", 30), *numbered("PL-", 24), *numbered("SV-", 10)],
    "variant": [*numbered("PT-V", 7), "PT-V4a", "PT-V4b", "PL-V1"],
    "example": numbered("SV-E", 6),
    "conflict": numbered("C", 35),
    "gap": numbered("G", 18),
    "outside": numbered("X", 21),
    "vector": numbered("T", 9),
}
LAWS = all_laws()
SHOW_SIZE_AND_ONE_KIND = "from referee.rules.lawbook import all_laws, law; print(len(all_laws()), law('T7').kind)"


@pytest.mark.parametrize("kind", IDS_BY_KIND)
def test_every_number_of_a_kind_is_present_once(kind: str) -> None:
    assert sorted(entry.id for entry in LAWS if entry.kind == kind) == sorted(IDS_BY_KIND[kind])


def test_there_is_nothing_else() -> None:
    assert {entry.kind for entry in LAWS} == set(IDS_BY_KIND)
    assert len(LAWS) == sum(map(len, IDS_BY_KIND.values()))


@pytest.mark.parametrize("entry", LAWS, ids=lambda entry: entry.id)
def test_texts_are_short_plain_sentences(entry: Law) -> None:
    assert entry.text == entry.text.strip()
    assert entry.text.endswith(".")
    assert entry.text.isascii()
    assert "  " not in entry.text
    assert 20 < len(entry.text) < 400


def test_no_two_entries_say_the_same_words() -> None:
    assert len({entry.text for entry in LAWS}) == len(LAWS)


def test_keys_are_settings_of_a_ruleset() -> None:
    unknown = {(entry.id, key) for entry in LAWS for key in entry.keys if key not in RULESET_KEYS}
    assert not unknown
    assert all(len(set(entry.keys)) == len(entry.keys) for entry in LAWS)


def test_every_setting_is_explained_by_some_entry() -> None:
    assert {key for entry in LAWS for key in entry.keys} == RULESET_KEYS


def test_a_setting_named_in_a_text_is_listed_among_its_keys() -> None:
    # Names with an underscore cannot be ordinary English, so each one found in a text is a setting.
    for entry in LAWS:
        named = {word for word in re.findall(r"[a-z]+(?:_[a-z]+)+", entry.text) if word in RULESET_KEYS}
        assert named <= set(entry.keys), entry.id


def test_numbers_cited_in_a_text_exist() -> None:
    pattern = re.compile(r"\b(?:(?:PT|PL|SV)-[VE]?\d+[ab]?|[CGXT]\d+)\b")
    for entry in LAWS:
        for cited in pattern.findall(entry.text):
            assert law(cited).id == cited


def test_order_is_that_of_the_book() -> None:
    assert [entry.id for entry in LAWS[:2]] == ["PT-1", "PT-2"]
    assert LAWS[-1].id == "T9"


def test_one_entry_is_found_by_its_number() -> None:
    found = law("C11")
    assert found.kind == "conflict"
    assert found.keys == ("win_when",)
    assert "only_in_one_pile_round" in found.text
    assert found in LAWS


@pytest.mark.parametrize("wrong", ["", "PT-31", "pt-20", "C0", "kind"])
def test_an_unknown_number_is_answered_with_a_sentence(wrong: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"has no rule {wrong!r}")) as refusal:
        law(wrong)
    assert refusal.value.__cause__ is None
    assert refusal.value.__context__ is None


def test_the_book_is_found_from_another_folder(tmp_path: Path) -> None:
    root = Path(next(iter(referee.__path__))).resolve().parent
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            SHOW_SIZE_AND_ONE_KIND,
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [str(len(LAWS)), "vector"]
