"""The verb `study`: what is said of a match beside it, on a store and through a server, who may read it, and what is wrong in one line."""

import sqlite3
from pathlib import Path

import pytest

from events.ids import MatchId
from server.broker.broker import Broker
from server.store.sqlite_log import SqliteLog
from tests.cli.running import Player, Ran, Terminal

MOVES = 26
"""Commands until the decks are formed, whose order is secret."""

BY = ("--name", "Ada")


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("WARDIARY_SEATS", str(tmp_path / "seats.json"))
    return Terminal(tmp_path / "store.db")


@pytest.fixture
def match(terminal: Terminal) -> str:
    """A running match without hidden things."""
    match = terminal.line("new", "skirmish", "--dice", "seeded:2")
    for _ in range(3):
        terminal.done("choose", match, "1")
    return match


@pytest.fixture
def study(terminal: Terminal, match: str) -> str:
    return terminal.line("study", "open", match, "How it began", *BY)


def shown(terminal: Terminal, study: str) -> list[str]:
    return terminal.done("study", "show", study).out.splitlines()


def test_a_study_has_comments_marks_lines_and_chapters_and_touches_no_match(
    terminal: Terminal, match: str, study: str
) -> None:
    before = terminal.done("log", match, "-v").out
    fork = terminal.line("fork", f"{match}@6", "--dice", "seeded:9")
    terminal.done("choose", fork, "2")
    for words in (
        ("comment", f"{study}@7", "Too early:\nwait.", "--mark", "?!"),
        ("mark", f"{study}@9", "!"),
        ("line", study, "Wait first", "--fork", fork),
        ("chapter", f"{study}@1", "Before play"),
        ("chapter", f"{study}@7", "Play"),
        ("order", study, "6,5"),
    ):
        terminal.done("study", *words, *BY)
    (json,) = terminal.done("study", "show", study[:-3], "--seat", "public", "--json").objects
    (listed,) = terminal.done("study", "list", match, "--json").objects

    assert terminal.done("log", match, "-v").out == before
    found = json["study"]
    assert isinstance(found, dict)
    assert [(one["at"], one["mark"], one["text"]) for one in found["comments"]] == [
        (7, "?!", "Too early:\nwait."), (9, "!", ""),
    ]  # fmt: skip
    assert [(one["title"], one["at"]) for one in found["chapters"]] == [("Play", 7), ("Before play", 1)]
    (line,) = found["lines"]
    told = json["lines"][0]  # type: ignore[index]
    assert (line["match"], line["name"], line["at"]) == (fork, "Wait first", told["first"]["number"] - 1)
    assert told["first"]["played"] != told["first"]["instead"] != ""
    assert [(one["comments"], one["lines"], one["chapters"]) for one in listed["studies"]] == [(2, 1, 2)]  # type: ignore[attr-defined]
    lines = shown(terminal, study)
    assert any("Ada (key " in line and "?! Too early" in line for line in lines), lines


def test_what_is_withdrawn_is_not_shown_and_stays_in_the_stream(terminal: Terminal, match: str, study: str) -> None:
    terminal.done("study", "comment", f"{study}@7", "a blunder of mine", *BY)
    terminal.done("study", "withdraw", study, "2", *BY)
    with SqliteLog(terminal.store) as log:
        kept = [bytes(body) for one in log.studies(MatchId(match)) for body in log.study(MatchId(match), one)]

    assert "blunder" not in terminal.done("study", "show", study).out
    assert (len(kept), b"blunder" in kept[1]) == (3, True)
    terminal.done("study", "withdraw", study, "1", *BY)
    assert shown(terminal, study) == [f"{study}: this study was withdrawn by its author."]
    assert terminal.done("study", "list", match).out == ""
    assert "was withdrawn" in terminal("study", "comment", f"{study}@7", "once more", *BY).err


WRONG = [
    (("comment", "STUDY@99", "so"), 2, "there is no event 99; the last is"),
    (("comment", "STUDY@0", "so"), 2, "there is no event 0; the last is"),
    (("comment", "STUDY", "so"), 2, "is about an event"),
    (("comment", "STUDY@7", ""), 2, "a text, a mark, or both"),
    (("comment", "STUDY@7", "x" * 4_001), 2, "4000 characters at most, not 4001"),
    (("comment", "STUDY@7", "a\x1b[2Jb"), 2, "control characters"),
    (("comment", "STUDY@7", "a\u202eb"), 2, "turn the direction"),
    (("comment", "STUDY@7", "so", "--mark", "!!!"), 2, "'!!!'"),
    (("chapter", "STUDY@7", "two\nlines"), 2, "on one line"),
    (("chapter", "STUDY@7", "x" * 121), 2, "120 characters at most"),
    (("line", "STUDY@7", "x"), 2, "--fork"),
    (("line", "STUDY@7", "x", "--fork", "MATCH"), 5, "is not a fork of match"),
    (("line", "STUDY@7", "x", "--fork", "OTHER"), 5, "is not a fork of match"),
    (("order", "STUDY", "1,2"), 2, "there are: none"),
    (("order", "STUDY", "a"), 2, "numbers of entries"),
    (("withdraw", "STUDY", "9"), 2, "no entry 9 to withdraw"),
    (("show", "MATCH/zzzzzzzz"), 2, "has no study 'zzzzzzzz'"),
    (("show", "MATCH"), 2, "write MATCH/STUDY"),
    (("show", "nowhere/zzzzzzzz"), 2, "no match"),
    (("shout", "STUDY"), 2, "did you mean show"),
    (("open", "MATCH", ""), 2, "has a title"),
]


@pytest.mark.parametrize(("words", "code", "said"), WRONG)
def test_what_is_wrong_with_an_entry_is_one_line(
    terminal: Terminal, match: str, study: str, words: tuple[str, ...], code: int, said: str
) -> None:
    other = terminal.line("new", "skirmish", "--dice", "seeded:2") if "OTHER" in words else ""
    typed = [word.replace("STUDY", study).replace("MATCH", match).replace("OTHER", other) for word in words]
    writes = words[0] not in ("show", "shout")
    ran = terminal("study", *typed, *(BY if writes else ()))

    assert (ran.code, ran.err.count("\n"), said in ran.err) == (code, 1, True), ran.err


def test_a_changed_study_is_broken_evidence_and_the_others_are_listed(
    terminal: Terminal, match: str, study: str, tmp_path: Path
) -> None:
    terminal.done("study", "open", match, "Another one", *BY)
    database = sqlite3.connect(terminal.store)
    database.execute("DROP TRIGGER studies_stay")
    database.execute(
        "UPDATE studies SET body = CAST(replace(CAST(body AS TEXT), 'How it', 'Why it') AS BLOB) WHERE number = 1"
    )
    database.commit()
    database.close()
    ran = terminal("study", "show", study)

    assert (ran.code, "entry 1: its signature is not that of its key" in ran.err) == (4, True), ran.err
    assert "Another one" in terminal.done("study", "list", match).out


def refusal(ran: Ran) -> tuple[int, bool]:
    return ran.code, "has no study" in ran.err


@pytest.fixture
def players(tmp_path: Path, broker: Broker) -> tuple[Player, Player, Player]:
    return Player(tmp_path / "ann", broker), Player(tmp_path / "ben", broker), Player(tmp_path / "eve", broker)


def test_through_a_server_a_seats_study_is_its_own_until_the_match_is_over(
    players: tuple[Player, Player, Player],
) -> None:
    ann, ben, eve = players
    match = ann.line("new", "skirmish", "--dice", "seeded:2", "--free-seats")
    ann.done("sit", match, "--seat", "blue", "--name", "Ann")
    ben("sit", match, "--seat", "red", "--name", "Ben")
    own = ann.line("study", "open", match, "My plan", "--seat", "blue")
    free = eve.line("study", "open", match, "For all to read", "--name", "Eve")
    ann.done("study", "comment", f"{own}@2", "I will wait")
    ben.done("study", "comment", f"{free}@2", "Thank you")

    assert "Ann (blue, key " in ann.done("study", "show", own)
    assert "Ben (red, key " in eve.done("study", "show", free)
    for other in (ben, eve):
        assert refusal(other("study", "show", own)) == (2, True)
        assert own not in other.done("study", "list", match)
        assert refusal(other("study", "comment", f"{own}@2", "so", "--name", "X")) == (2, True)
    assert "is withdrawn by who wrote it" in ben("study", "withdraw", free, "1").err
    eve.done("study", "withdraw", free, "2", "--name", "Eve")
    ann("choose", match, '{"do":"match:resign"}', "--seat", "blue")
    assert "I will wait" in eve.done("study", "show", own)
