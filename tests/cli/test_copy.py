"""The verb `copy`."""

import sqlite3
from pathlib import Path

from tests.cli.running import Terminal


def test_matches_are_copied_to_another_store_and_later_brought_up_to_date(terminal: Terminal, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    match = terminal.line("new", "advance")
    first = terminal.done("copy", str(terminal.store), str(copy), "--json").objects[0]
    again = terminal.done("copy", str(terminal.store), str(copy)).out

    assert (first["shape"], first["matches"], first["known"]) == ("copy", 1, 0)
    assert f"0 commits copied to {copy} ({first['commits']} were there), which now holds 1 match; checked" in again
    assert Terminal(copy).done("export", match, "-").out == terminal.done("export", match, "-").out


def test_a_store_that_holds_other_matches_is_not_copied_to(terminal: Terminal, tmp_path: Path) -> None:
    other = Terminal(tmp_path / "other.db")
    for one in (terminal, other):
        one.done("new", "advance")
    ran = terminal("copy", str(terminal.store), str(other.store))

    assert (ran.code, "which the store does not have: copy to an empty store" in ran.err) == (3, True)
    assert terminal("copy", str(terminal.store), str(terminal.store)).code == 2
    assert terminal("copy", str(tmp_path / "none.db"), str(other.store)).code == 3


def test_a_copy_of_a_damaged_store_leaves_nothing_behind(terminal: Terminal, tmp_path: Path) -> None:
    terminal.done("new", "skirmish")
    with sqlite3.connect(terminal.store) as store:
        store.execute("DROP TRIGGER commits_stay")
        store.execute("UPDATE commits SET hash = zeroblob(32)")
    copy = tmp_path / "copies" / "copy.db"
    copy.parent.mkdir()

    ran = terminal("copy", str(terminal.store), str(copy))

    assert (ran.code, list(copy.parent.iterdir())) == (4, []), ran
