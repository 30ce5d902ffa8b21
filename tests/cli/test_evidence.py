"""Audits and archives."""

import sqlite3
from pathlib import Path

import pytest

from tests.cli.running import Terminal


def test_a_match_of_the_store_is_audited(golden: tuple[Terminal, str], skirmish: str, terminal: Terminal) -> None:
    (shape,) = terminal.done("audit", skirmish, "--json").objects

    assert (shape["shape"], shape["clean"], shape["findings"], shape["dice"]) == ("audit", True, [], "checked")
    assert f"Match {skirmish} is clean" in terminal.done("audit", skirmish).out


def test_every_match_of_the_store_can_be_audited(terminal: Terminal, skirmish: str) -> None:
    fork = terminal.line("fork", skirmish)

    assert [one["match"] for one in terminal.done("audit", "--all", "--json").objects] == [skirmish, fork]


@pytest.mark.parametrize("name", ["match.ndjson", "match.ndjson.zst"])
def test_an_archive_goes_out_and_comes_in_unchanged(
    name: str, terminal: Terminal, skirmish: str, tmp_path: Path
) -> None:
    file, again = tmp_path / name, tmp_path / f"again-{name}"
    terminal.done("export", skirmish, str(file))
    elsewhere = Terminal(tmp_path / "other.db")

    assert elsewhere.line("import", str(file)) == skirmish

    elsewhere.done("export", skirmish, str(again))

    assert again.read_bytes() == file.read_bytes()
    assert elsewhere.done("log", skirmish).out == terminal.done("log", skirmish).out


def test_an_archive_goes_through_a_pipe(terminal: Terminal, skirmish: str, tmp_path: Path) -> None:
    piped = terminal.as_process("export", skirmish, "-").out
    elsewhere = Terminal(tmp_path / "other.db")
    ran = elsewhere.done("import", "-", "--json", typed=piped)

    assert (ran.objects[0]["match"], ran.objects[0]["added"]) == (skirmish, 3)


def test_importing_twice_changes_nothing(terminal: Terminal, skirmish: str, tmp_path: Path) -> None:
    file = tmp_path / "match.ndjson"
    terminal.done("export", skirmish, str(file))
    ran = terminal.done("import", str(file), "--json")

    assert ran.objects[0]["added"] == 0
    assert "has all of match" in ran.err


def test_an_archive_is_audited_without_a_store(terminal: Terminal, skirmish: str, tmp_path: Path) -> None:
    file = tmp_path / "match.ndjson"
    terminal.done("export", skirmish, str(file))
    nowhere = Terminal(tmp_path / "none.db")

    assert nowhere("audit", str(file)).code == 0
    assert nowhere("audit", "-", typed=file.read_bytes()).code == 0
    assert not nowhere.store.exists()


def test_every_flipped_byte_of_an_archive_is_found_and_named(terminal: Terminal, skirmish: str, tmp_path: Path) -> None:
    file = tmp_path / "match.ndjson"
    terminal.done("export", skirmish, str(file))
    content = file.read_bytes()
    for place in range(0, len(content), max(1, len(content) // 40)):
        forged = bytearray(content)
        forged[place] ^= 1
        file.write_bytes(forged)
        ran = terminal("audit", str(file))

        assert (ran.code, ran.out, ran.err.count("\n")) == (4, "", 1), (place, ran)
        assert "archive line " in ran.err


def tamper(store: Path, was: str, becomes: str) -> None:
    """Change the text of all commits, past the triggers that forbid it."""
    database = sqlite3.connect(store)
    for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        database.execute(f"DROP TRIGGER {trigger}")
    database.execute("UPDATE commits SET body = CAST(replace(CAST(body AS TEXT), ?, ?) AS BLOB)", (was, becomes))
    database.commit()
    database.close()


def test_a_tampered_store_is_found_and_the_event_is_named(terminal: Terminal, skirmish: str) -> None:
    rolled = terminal.done("play", skirmish, "1", "--json").objects[0]["events"]
    assert isinstance(rolled, list)
    tamper(terminal.store, '"purpose":"advance', '"purpose":"retreat')
    ran = terminal("audit", skirmish)

    assert (ran.code, ran.err.count("\n")) == (4, 1)
    assert ran.err.startswith(f"wardiary: match {skirmish}, event {rolled[0]['seq']}: ")


def test_a_store_with_one_broken_match_names_it_and_goes_on(terminal: Terminal, skirmish: str) -> None:
    terminal.line("new", "skirmish")
    tamper(terminal.store, '"name":"Ada"', '"name":"Ava"')
    ran = terminal("audit", "--all", "--json")

    assert ran.code == 4
    assert [one["clean"] for one in ran.objects] == [False, True]
    assert f"match {skirmish}, event 2: " in ran.err
