"""Matches replayed under other rules: what these refuse or decide otherwise, by match and by rule."""

from pathlib import Path

import pytest

from tests.cli.running import Terminal
from tests.support.rows import each_row

BATTLE = ("--bots", "random", "--no-sweep", "--no-audit", "--jobs", "1", "-q")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    """A store with two short matches of Battle and one of Advance."""
    store = tmp_path_factory.mktemp("rules") / "store.db"
    terminal = Terminal(store)
    terminal.done("simulate", "battle", "--matches", "2", "-o", "turn_cap=2", *BATTLE, "--save", str(store))
    terminal.done("simulate", "advance", "--matches", "1", "--scenario", "factory", *BATTLE, "--save", str(store))
    return terminal


def test_a_limit_that_was_not_met_changes_nothing(played: Terminal) -> None:
    *matches, total = played.done("rulesdiff", "--game", "battle", "--against", "turn_cap=2", "--json").objects

    assert [(one["shape"], one["differences"]) for one in matches] == [("rules-diff", [])] * 2
    assert (total["shape"], total["matches"], total["alike"], total["rules"]) == ("rules-diff-sum", 2, 2, [])
    assert total["decisions"] == sum(one["decisions"] for one in matches) > 20  # type: ignore[misc]


def test_what_other_rules_refuse_is_counted_by_rule_and_the_first_is_named(played: Terminal) -> None:
    *matches, total = played.done("rulesdiff", "--game", "battle", "--against", "action_cap=1", "--json").objects
    (rule, *_) = [one for one in total["rules"] if one["illegal"]]  # type: ignore[attr-defined]
    different = [one for match in matches for one in match["differences"]]  # type: ignore[attr-defined]
    illegal = [one for one in different if one["is_illegal"] and one["given"] == rule["given"]]
    said = played.done("rulesdiff", "--game", "battle", "--against", "action_cap=1").out

    assert len(illegal) == rule["illegal"] > 0
    assert rule["first"].endswith(f"@{illegal[0]['seq']}")
    assert "the rules refuse this command" in rule["problem"]
    assert f"\n{rule['given']} " in said
    assert f"the same up to event {matches[0]['differences'][0]['seq'] - 1}, then" in said  # type: ignore[index]


def test_what_other_rules_decide_otherwise_names_both_rules(played: Terminal) -> None:
    total = played.done("rulesdiff", "--game", "advance", "--against", "isolation=true", "--json").objects[-1]
    (rule,) = [one for one in total["rules"] if one["recorded"] == "6.2.roll"]  # type: ignore[attr-defined]

    assert (rule["given"], rule["illegal"]) == ("12.3.check-each-dawn", 0)
    assert rule["otherwise"] > 1


def test_an_archive_and_a_folder_of_them_are_replayed(played: Terminal, tmp_path: Path) -> None:
    (match, *_) = played.done("list", "--game", "battle", "--json").objects
    played.done("export", str(match["match"]), str(tmp_path / "one.ndjson"))
    (tmp_path / "broken.ndjson").write_bytes((tmp_path / "one.ndjson").read_bytes().replace(b"german", b"German", 1))
    alone = played.done("rulesdiff", str(tmp_path / "one.ndjson"), "--against", "turn_cap=3", "--json").objects
    both = played("rulesdiff", str(tmp_path), "--against", "turn_cap=3", "--json")

    assert alone[-1]["matches"] == 1
    assert both.code == 4
    assert "broken.ndjson" in both.err
    assert both.objects[-1]["matches"] == 1


@each_row(
    ("given", "code", "said"),
    [
        ([], 2, "name the other rules: --against KEY=VALUE"),
        (["--against", "turn_cap=1"], 2, "these are matches of"),
        (["--game", "battle", "--against", "turn_caps=1"], 2, "no option of battle is called 'turn_caps'"),
        (["--game", "battle", "--against-variant", "Mine"], 2, "give its file with --against-board"),
        (["--game", "inferno", "--against", "rubble_count=1"], 2, "there are no matches to replay"),
        (["nowhere", "--against", "turn_cap=1"], 2, "nowhere"),
        (["--game", "advance", "--against", "return_to_area_6=always"], 2, "has no option 'return_to_area_6'"),
    ],
)
def test_what_cannot_be_replayed(played: Terminal, given: list[str], code: int, said: str) -> None:
    ran = played("rulesdiff", *given)

    assert (ran.code, said in ran.err) == (code, True), ran.err


def test_a_file_that_is_no_sound_archive_is_evidence_that_is_broken(played: Terminal, tmp_path: Path) -> None:
    (tmp_path / "cut.ndjson").write_bytes(b'{"archive":"wardiary-archive/1"')
    ran = played("rulesdiff", str(tmp_path / "cut.ndjson"), "--against", "turn_cap=3")

    assert (ran.code, ran.out) == (4, "")
    assert "cut.ndjson: archive line 1" in ran.err


def test_a_board_that_is_none_is_refused_as_such(played: Terminal, tmp_path: Path) -> None:
    (tmp_path / "board.toml").write_text("no board", encoding="utf-8")
    ran = played("rulesdiff", "--game", "battle", "--against-board", str(tmp_path / "board.toml"))

    assert ran.code == 2
    assert "not valid TOML" in ran.err
