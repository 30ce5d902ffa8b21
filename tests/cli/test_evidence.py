"""Audits and archives."""

import hashlib
import re
import sqlite3
from pathlib import Path

import pytest

from events.codec import decode_plain
from tests.cli.running import Terminal


def test_a_match_of_the_store_is_audited(golden: tuple[Terminal, str], skirmish: str, terminal: Terminal) -> None:
    (shape,) = terminal.done("audit", skirmish, "--json").objects

    assert (shape["shape"], shape["clean"], shape["findings"], shape["dice"]) == ("audit", True, [], "checked")
    assert f"Match {skirmish} is clean" in terminal.done("audit", skirmish).out


def test_every_match_of_the_store_can_be_audited(terminal: Terminal, skirmish: str) -> None:
    fork = terminal.line("fork", skirmish)

    assert [one["match"] for one in terminal.done("audit", "--all", "--json").objects[1:]] == [skirmish, fork]


@pytest.mark.parametrize("name", ["match.ndjson", "match.ndjson.zst"])
def test_an_archive_is_exported_and_imported_unchanged(
    name: str, terminal: Terminal, skirmish: str, tmp_path: Path
) -> None:
    file, again = tmp_path / name, tmp_path / f"again-{name}"
    terminal.done("export", skirmish, str(file))
    elsewhere = Terminal(tmp_path / "other.db")

    assert elsewhere.line("import", str(file)) == skirmish

    elsewhere.done("export", skirmish, str(again))

    assert again.read_bytes() == file.read_bytes()
    assert elsewhere.done("log", skirmish).out == terminal.done("log", skirmish).out


def test_an_archive_can_be_piped(terminal: Terminal, skirmish: str, tmp_path: Path) -> None:
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


def test_an_archive_that_came_by_mail_is_taken_with_a_note(terminal: Terminal, skirmish: str, tmp_path: Path) -> None:
    file = tmp_path / "match.ndjson"
    terminal.done("export", skirmish, str(file))
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    elsewhere = Terminal(tmp_path / "other.db")
    rans = [
        elsewhere.done("audit", str(file)),
        elsewhere.done("import", str(file)),
        elsewhere.done("find", str(file), "--kind", "match-opened"),
        elsewhere.done("report", str(file), "-o", "-"),
    ]

    assert all(f"the lines of {file} end with CR LF" in ran.err for ran in rans)
    assert elsewhere.done("log", skirmish).out == terminal.done("log", skirmish).out


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
    """Change the text of all commits, after dropping the triggers that forbid it."""
    database = sqlite3.connect(store)
    for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        database.execute(f"DROP TRIGGER {trigger}")
    database.execute("UPDATE commits SET body = CAST(replace(CAST(body AS TEXT), ?, ?) AS BLOB)", (was, becomes))
    database.commit()
    database.close()


def test_the_audit_names_the_event_that_was_tampered_with(terminal: Terminal, skirmish: str) -> None:
    rolled = terminal.done("choose", skirmish, "1", "--json").objects[0]["events"]
    assert isinstance(rolled, list)
    tamper(terminal.store, '"purpose":"advance', '"purpose":"retreat')
    ran = terminal("audit", skirmish)

    assert (ran.code, ran.err.count("\n")) == (4, 1)
    assert ran.err.startswith(f"wardiary: match {skirmish}, event {rolled[0]['seq']}: ")


def test_an_audit_of_all_names_a_broken_match_and_continues(terminal: Terminal, skirmish: str) -> None:
    terminal.line("new", "skirmish")
    tamper(terminal.store, '"name":"Ada"', '"name":"Ava"')
    ran = terminal("audit", "--all", "--json")

    assert ran.code == 4
    assert [one["clean"] for one in ran.objects[1:]] == [False, True]
    assert f"match {skirmish}, event 2: " in ran.err


# Exports for one seat


def cards(text: str) -> set[str]:
    """Return the cards named in a text."""
    return set(re.findall(r"card-\d", text))


def test_an_export_for_a_seat_contains_only_what_the_seat_saw(
    terminal: Terminal, skirmish: str, tmp_path: Path
) -> None:
    terminal.done("choose", skirmish, '{"do":"match:note","text":"psst","private":true}', "--seat", "blue")
    held: dict[str, set[str]] = {}
    for seat in ("red", "blue", "public"):
        file = tmp_path / f"{seat}.ndjson"
        (shape,) = terminal.done("export", skirmish, str(file), "--seat", seat, "--json").objects
        lines = file.read_text().splitlines()
        header, *slices, end = [decode_plain(line) for line in lines]
        held[seat] = cards(file.read_text())
        logged = [one["event"] for one in terminal.done("log", skirmish, "--seat", seat, "--json").objects]

        assert isinstance(header, dict)
        assert (header["view"], header["match"], header["seat"], header["game"]) == (
            "wardiary-view/1",
            skirmish,
            seat,
            "skirmish",
        )
        assert "cannot be audited" in str(header["note"])
        assert [event for slice_ in slices for event in slice_["events"]] == logged  # type: ignore[index]
        assert end == {
            "end": "wardiary-view/1",
            "events": len(logged),
            "sha256": hashlib.sha256("".join(f"{line}\n" for line in lines[:-1]).encode()).hexdigest(),
        }
        assert (shape["shape"], shape["seat"], shape["events"]) == ("view", seat, len(logged))
        assert ("psst" in file.read_text()) == (seat == "blue")

    assert len(held["red"]) == len(held["blue"]) == 2
    assert held["red"].isdisjoint(held["blue"])
    assert held["public"] == set()


def test_an_export_for_a_seat_is_reproducible(terminal: Terminal, skirmish: str, tmp_path: Path) -> None:
    first, again = tmp_path / "first.ndjson", tmp_path / "again.ndjson"
    terminal.done("export", skirmish, str(first), "--seat", "red")
    whole = tmp_path / "whole.ndjson"
    terminal.done("export", skirmish, str(whole))
    elsewhere = Terminal(tmp_path / "other.db")
    elsewhere.done("import", str(whole))
    elsewhere.done("export", skirmish, str(again), "--seat", "red")

    assert again.read_bytes() == first.read_bytes()
    assert terminal.as_process("export", skirmish, "-", "--seat", "red").out.encode() == first.read_bytes()


@pytest.mark.parametrize("name", ["view.ndjson", "view.ndjson.zst"])
@pytest.mark.parametrize("verb", ["import", "audit"])
def test_an_export_for_a_seat_is_not_accepted_as_an_archive(
    verb: str, name: str, terminal: Terminal, skirmish: str, tmp_path: Path
) -> None:
    file = tmp_path / name
    terminal.done("export", skirmish, str(file), "--seat", "red")
    ran = terminal(verb, str(file))

    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "wardiary: this is what one seat saw of a match (wardiary-view/1), not the archive of the match: without its "
        "commands and the secrets of others it can be neither imported nor audited\n"
    )


def test_exporting_a_running_match_with_secrets_prints_a_warning(
    golden: tuple[Terminal, str], terminal: Terminal, skirmish: str, tmp_path: Path
) -> None:
    running = terminal.done("export", skirmish, str(tmp_path / "whole.ndjson"))
    arbiter = terminal.done("export", skirmish, str(tmp_path / "again.ndjson"), "--seat", "arbiter")
    view = terminal.done("export", skirmish, str(tmp_path / "view.ndjson"), "--seat", "red")
    open_to_all = terminal.line("new", "advance", "--dice", "seeded:1")
    over = terminal.line("new", "skirmish", "--dice", "seeded:2")
    terminal.done("choose", over, "resign", "--seat", "red")

    assert running.err.count("\n") == 1
    assert "holds the secrets of every seat" in running.err
    assert arbiter.err == running.err
    assert (tmp_path / "again.ndjson").read_bytes() == (tmp_path / "whole.ndjson").read_bytes()
    assert view.err == ""
    for match in (open_to_all, over):
        assert terminal.done("export", match, str(tmp_path / f"{match}.ndjson")).err == ""


def test_an_export_for_an_unknown_seat_is_refused(terminal: Terminal, skirmish: str, tmp_path: Path) -> None:
    ran = terminal("export", skirmish, str(tmp_path / "view.ndjson"), "--seat", "green")

    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "no seat of this match is called 'green'" in ran.err
    assert not (tmp_path / "view.ndjson").exists()
