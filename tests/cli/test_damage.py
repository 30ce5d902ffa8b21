"""A damaged match: no verb shows its damaged part as events, and the sound matches of the store are unaffected."""

import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from events.codec import decode_plain, encode, replace
from events.commit import Commit
from events.ids import Digest, PieceId, PlaceId, RuleId
from events.vocabulary import PieceMoved
from tests.cli.running import Ran, Terminal
from tests.support.pages import Pages
from tests.support.tampering import opened_by_force, rewrite, tamper, write_anew

VERBS = [
    "show MATCH",
    "show MATCH@1",
    "show MATCH --statistics",
    "show MATCH --seat arbiter",
    "log MATCH",
    "log MATCH --from 3",
    "legal MATCH",
    "choose MATCH 1",
    'choose MATCH {"do":"match:note","text":"so"}',
    "replay MATCH",
    "fork MATCH",
    "fork MATCH@1",
    "fork MATCH --hidden resample --seat red",
    "diff MATCH SOUND",
    "diff SOUND MATCH",
    "explain MATCH@1",
    "explain MATCH@5",
    "watch MATCH",
    "export MATCH FILE",
    "export MATCH -",
    "export MATCH FILE --seat red",
]
"""Everything that tells of a match or goes on with it."""


def torn(store: Path) -> None:
    """Replace a value in the row of a commit by one of another type."""
    with opened_by_force(store) as database:
        database.execute("UPDATE commits SET last = 'soon' WHERE first = 2")


def cut(store: Path) -> None:
    """Remove a commit."""
    with opened_by_force(store) as database:
        database.execute("DELETE FROM commits WHERE first = 2")


DAMAGES: dict[str, Callable[[Path], None]] = {
    "changed": lambda store: tamper(store, '"name":"Ada"', '"name":"Ava"'),
    "changed with its hash": lambda store: rewrite(store, 2, '"name":"Ada"', '"name":"Ava"'),
    "torn": torn,
    "missing": cut,
}
"""What may have become of the second commit of the match, which is its event 2."""


@pytest.fixture(params=DAMAGES)
def damaged(request: pytest.FixtureRequest, terminal: Terminal, skirmish: str) -> str:
    """A store whose only match is damaged near its beginning."""
    terminal.done("choose", skirmish, "1")
    DAMAGES[request.param](terminal.store)
    return skirmish


@pytest.fixture
def sound(terminal: Terminal, damaged: str) -> str:
    """A second, undamaged match."""
    return terminal.line("new", "skirmish", "--dice", "seeded:3")


def typed(line: str, **words: str) -> list[str]:
    """Split a command line, and fill in matches and files."""
    parts = line.split(" ")
    for name, word in words.items():
        parts = [part.replace(name, word) for part in parts]
    return parts


@pytest.mark.parametrize("line", VERBS)
def test_no_verb_prints_events_of_a_damaged_match(
    line: str, damaged: str, sound: str, terminal: Terminal, tmp_path: Path
) -> None:
    file = tmp_path / "match.ndjson"
    commits = count_commits(terminal.store)
    ran = terminal(*typed(line, MATCH=damaged, SOUND=sound, FILE=str(file)))

    assert (ran.code, ran.out, ran.err.count("\n")) == (4, "", 1), ran
    assert ran.err.startswith(f"wardiary: match {damaged}, event 2: "), ran.err
    assert not file.exists()
    assert count_commits(terminal.store) == commits


def count_commits(store: Path) -> int:
    """Return how many commits the file holds."""
    with opened_by_force(store) as database:
        (count,) = database.execute("SELECT count(*) FROM commits NOT INDEXED").fetchone()
    return int(count)


MET_BY_A_LIST = ("torn", "missing")
"""Damages that a list meets where it has to make a summary anew: it checks no chain."""


@pytest.mark.parametrize("damaged", MET_BY_A_LIST, indirect=True)
def test_a_list_shows_sound_matches_and_marks_damaged_ones_that_it_finds(
    damaged: str, sound: str, terminal: Terminal
) -> None:
    text, json = terminal("list"), terminal("list", "--json")
    lines = [line for line in text.out.splitlines() if not line.startswith(" ")]

    assert [line.split()[0] for line in lines[1:]] == [damaged, sound]
    assert "DAMAGED, event 2: " in lines[1]
    assert "DAMAGED" not in lines[2]
    assert [(one["match"], bool(one["problem"])) for one in json.objects] == [(damaged, True), (sound, False)]
    assert str(json.objects[0]["problem"]).startswith("event 2: ")
    for ran in (text, json):
        assert ran.code == 4
        assert ran.err.count("\n") == 1
    assert text.err.startswith(f"wardiary: one match is damaged: match {damaged}, event 2: ")
    assert len(Ran(4, json.err, "").objects[0]["defects"]) == 1  # type: ignore[arg-type]


def test_a_list_does_not_check_hashes_but_an_audit_of_all_does(damaged: str, terminal: Terminal) -> None:
    """Changed rows that fit together are listed as they are."""
    assert terminal("list").code in (0, 4)

    ran = terminal("audit", "--all")

    assert ran.code == 4
    assert f"match {damaged}, event " in ran.err


def far_away(commit: Commit) -> Commit:
    """Give a commit a time that no calendar knows."""
    return replace(commit, at=253_402_300_800_000)


def test_a_match_beyond_every_calendar_keeps_no_other_from_being_listed_or_found(
    terminal: Terminal, skirmish: str
) -> None:
    """It is refused at import; one that was written into a store is shown, with its time as a number."""
    sound = terminal.line("new", "skirmish", "--dice", "seeded:3")
    write_anew(terminal.store, skirmish, far_away)
    rans = [terminal(*line.split()) for line in ("list", "list --json", "find --kind match-opened --json")]

    assert [ran.code for ran in rans] == [0, 0, 0], rans
    assert all([one["match"] for one in ran.objects] == [skirmish, sound] for ran in rans[1:])


@pytest.mark.parametrize("kept", ["", "WHERE number = 1"])
def test_matches_whose_own_rows_are_lost_are_named_by_a_list(kept: str, terminal: Terminal, skirmish: str) -> None:
    """Their commits are still there, so an empty list would be wrong."""
    other = terminal.line("new", "skirmish", "--dice", "seeded:3")
    with opened_by_force(terminal.store) as database:
        database.execute(f"DELETE FROM matches {kept}")
    ran = terminal("list", "--json")
    lost = [skirmish] if kept else [skirmish, other]

    assert ran.code == 4
    assert [one["match"] for one in ran.objects if one["problem"]] == lost
    assert all(f"match {match}, its row in the table of matches is missing" in ran.err for match in lost)
    assert "DAMAGED" in terminal("list").out
    found = terminal("find", "--kind", "match-opened", "--json")
    assert (found.code, [one["match"] for one in found.objects]) == (4, [other] if kept else [])
    assert all(f"match {match}: its row in the table of matches is missing" in found.err for match in lost)


def test_all_damaged_matches_of_a_list_are_named_in_one_line(terminal: Terminal) -> None:
    matches = [terminal.line("new", "skirmish", "--dice", "seeded:2", "--name", "Ada") for _ in range(3)]
    cut(terminal.store)
    ran = terminal("list")

    assert (ran.code, ran.err.count("\n")) == (4, 1)
    assert ran.err.startswith("wardiary: 3 matches are damaged: ")
    assert all(f"match {match}, event 2: " in ran.err for match in matches)


def test_the_tree_shows_a_damaged_match(terminal: Terminal, skirmish: str) -> None:
    fork = terminal.line("fork", skirmish)
    terminal.done("choose", fork, "1")
    other = terminal.line("fork", skirmish)
    with opened_by_force(terminal.store) as database:
        database.execute(
            "DELETE FROM commits WHERE match = (SELECT number FROM matches WHERE id = ?) AND first = "
            "(SELECT seq + 1 FROM matches WHERE id = ?)",
            (fork, fork),
        )
    ran = terminal("tree", skirmish)
    lines = ran.out.splitlines()

    assert (ran.code, len(lines), ran.err.count("\n")) == (4, 3, 1)
    assert lines[0].endswith("<- this one")
    assert sum(f"{fork}  DAMAGED, event " in line for line in lines) == 1
    assert sum(other in line and "DAMAGED" not in line for line in lines) == 1
    assert f"match {fork}, event " in ran.err
    assert terminal("show", other).code == 0


def test_a_fork_of_a_damaged_match_is_damaged_and_names_the_parents_event(terminal: Terminal, skirmish: str) -> None:
    fork = terminal.line("fork", skirmish)
    cut(terminal.store)
    ran = terminal("show", fork)

    assert (ran.code, ran.out) == (4, "")
    assert ran.err.startswith(f"wardiary: match {skirmish}, event 2: ")
    assert f"{fork}  DAMAGED, event 2, of match {skirmish}: " in terminal("tree", fork).out


def test_damage_elsewhere_does_not_affect_the_tree_of_a_sound_family(
    damaged: str, sound: str, terminal: Terminal
) -> None:
    assert terminal("tree", sound).code == 0


def test_an_audit_of_all_goes_on_after_a_damaged_match(damaged: str, sound: str, terminal: Terminal) -> None:
    ran = terminal("audit", "--all", "--json")

    assert ran.code == 4
    assert [(one["match"], one["clean"]) for one in ran.objects[1:]] == [(damaged, False), (sound, True)]
    # A rewritten commit with a new hash is consistent in itself; the audit finds that the next commit does not follow it.
    assert f"match {damaged}, event 2: " in ran.err or f"match {damaged}, event 3: the chain is broken" in ran.err


def moved_from_nowhere(commit: Commit) -> Commit:
    """Append the move of a piece that does not exist to a commit."""
    if commit.first == 1:
        return commit
    move = PieceMoved(rule=RuleId("2"), piece=PieceId("ghost"), was=PlaceId("x"), to=PlaceId("y"))
    return replace(commit, events=(*commit.events[:-1], move))


def test_an_impossible_event_is_named_even_if_the_chain_is_valid(terminal: Terminal, skirmish: str) -> None:
    write_anew(terminal.store, skirmish, moved_from_nowhere)
    for line in ("show MATCH", "choose MATCH 1", "tree MATCH", "list", "fork MATCH", "audit MATCH"):
        ran = terminal(*typed(line, MATCH=skirmish))

        assert (ran.code, ran.err.count("\n")) == (4, 1), ran
        assert f"match {skirmish}, event 2: " in ran.err, ran


@pytest.mark.usefixtures("timeless")
def test_a_forged_snapshot_is_not_trusted(terminal: Terminal) -> None:
    """A snapshot is only a cache; a forger with write access can make one with a valid hash."""
    match = terminal.line("new", "advance", "--dice", "seeded:1942")
    terminal.done("choose", match, "-", typed="4\n" + "1\n" * 400)
    was = {line: terminal.done(*typed(line, MATCH=match)).out for line in ("show MATCH", "legal MATCH", "list")}
    with opened_by_force(terminal.store) as database:
        (seq, content), *_ = database.execute("SELECT seq, content FROM snapshots ORDER BY seq DESC").fetchall()
        forged = forge(content)
        database.execute("UPDATE snapshots SET content = ? WHERE seq = ?", (forged, seq))

    assert {line: terminal.done(*typed(line, MATCH=match)).out for line in was} == was


def forge(content: bytes) -> bytes:
    """Return a snapshot with another round and a matching hash."""
    import hashlib

    from projections.table_codec import decode_table, encode_table

    snapshot = decode_plain(zlib.decompress(content))
    assert isinstance(snapshot, dict)
    table = decode_table(encode(snapshot["table"]))
    table.round = 99
    body = encode_table(table)
    snapshot |= {"table_hash": hashlib.sha256(body).hexdigest()}
    head = encode({key: value for key, value in snapshot.items() if key != "table"})
    return zlib.compress(head[:-1] + b',"table":' + body + b"}")


def of_no_rule(commit: Commit) -> Commit:
    """Change a commit so that it cites an unknown rule."""
    if commit.first != 2:
        return commit
    return replace(commit, events=(replace(commit.events[0], rule=RuleId("none")), *commit.events[1:]))


@pytest.mark.parametrize(("change", "code"), [(of_no_rule, 4), (None, 70)])
def test_an_unexpected_error_is_an_internal_fault_only_if_the_audit_is_clean(
    change: Callable[[Commit], Commit] | None,
    code: int,
    terminal: Terminal,
    skirmish: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def trip(*_: object) -> None:
        raise KeyError("ghost")

    if change is not None:
        write_anew(terminal.store, skirmish, change)
    monkeypatch.setattr("cli.commands.viewing.show.show_table", trip)
    ran = terminal("show", skirmish)

    assert (ran.code, ran.out, ran.err.count("\n")) == (code, "", 1)
    assert "KeyError('ghost')" in ran.err
    assert (f"match {skirmish}, event 2: " in ran.err) == (code == 4)
    assert ("an internal error of wardiary" in ran.err) == (code == 70)


def test_a_match_with_an_invalid_board_digest_has_no_board(terminal: Terminal, skirmish: str) -> None:
    def on_no_board(commit: Commit) -> Commit:
        opening = commit.events[0]
        if commit.first > 1:
            return commit
        return replace(commit, events=(replace(opening, board=Digest("no digest")),))

    write_anew(terminal.store, skirmish, on_no_board)
    ran = terminal("show", skirmish)

    assert (ran.code, ran.err.count("\n")) == (0, 1)
    assert "another board (no digest…), which is not in this store" in ran.err


def test_a_match_with_a_lost_end_cannot_be_played_on(terminal: Terminal, skirmish: str) -> None:
    """An index page lost most of the match, which SQLite does not notice."""
    terminal.done("choose", skirmish, "1")
    other = terminal.line("new", "skirmish", "--dice", "seeded:3")
    commits = count_commits(terminal.store)
    pages = Pages(terminal.store)
    (leaf,) = pages.leaves("commits_in_order")
    pages.forget(leaf, 2)
    pages.write()
    for line in VERBS:
        ran = terminal(*typed(line, MATCH=skirmish, SOUND=other, FILE=str(terminal.store.parent / "file")))

        assert (ran.code in {3, 4}, ran.out, ran.err.count("\n")) == (True, "", 1), (line, ran)
        assert "does not find this commit in order" in ran.err or "its last commit is not found in order" in ran.err

    listed, audited = terminal("list"), terminal("audit", "--all")

    assert (listed.code, audited.code) == (4, 4)
    assert f"match {other}, event 1: the match has no commits of its own" in listed.err
    assert f"match {skirmish}, event " in audited.err
    assert count_commits(terminal.store) == commits
