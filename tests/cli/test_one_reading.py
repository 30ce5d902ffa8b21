"""What a verb tells of a match is of one moment, also if others append between any two of its reads of the store."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from events.ids import ARBITER, MatchId
from server.client.local import local_client
from server.store.sqlite_log import SqliteLog
from server.store.sqlite_reader import SqliteReader
from tests.cli.running import Ran, Terminal
from tests.support.racing import Race

NOTE = '{"do":"match:note","text":"meanwhile"}'


def playing(store: Path, match: str) -> Callable[[], object]:
    """Return what plays the first option of a match of a store, for whoever decides; after the end a note is written."""

    def append() -> None:
        with SqliteLog(store) as log:
            client = local_client(log)
            legal = client.legal(MatchId(match), ARBITER)
            if legal.options:
                client.play(MatchId(match), legal.to_move, bytes(legal.options[0].command))
            else:
                client.play(MatchId(match), ARBITER, NOTE)

    return append


@pytest.fixture
def match(terminal: Terminal) -> str:
    """A match with some commands and secrets; a turn begins."""
    opened = terminal.line("new", "skirmish", "--dice", "seeded:2", "-o", "fog=on")
    for command in ("roll", "contest=False", "omen"):
        terminal.done("choose", opened, command)
    return opened


def raced(terminal: Terminal, match: str, *words: str) -> Ran:
    """Run a verb while others play after each of its reads."""
    with Race(playing(terminal.store, match)).on(SqliteReader) as race:
        ran = terminal(*words)
    assert race.reads, "nothing was read"
    return ran


def seen(ran: Ran) -> int:
    """Return the number of the last event that a verb with --json knew."""
    numbers = [one["seq"] for one in ran.objects]
    assert all(isinstance(number, int) for number in numbers)
    return max(int(str(number)) for number in numbers)


@pytest.mark.parametrize(
    ("words", "again"),
    [
        ("show MATCH", "show MATCH@SEQ"),
        ("show MATCH --seat red", "show MATCH@SEQ --seat red"),
        ("log MATCH", "log MATCH --to SEQ"),
        ("log MATCH --from 7 --seat blue", "log MATCH --from 7 --to SEQ --seat blue"),
        ("replay MATCH --step command", "replay MATCH --step command --to SEQ"),
        ("explain MATCH@9 --seat arbiter", "explain MATCH@9 --seat arbiter"),
    ],
)
def test_a_verb_that_looks_at_a_match_sees_one_moment_of_it(
    terminal: Terminal, match: str, words: str, again: str
) -> None:
    ran = raced(terminal, match, *words.replace("MATCH", match).split(), "--json")
    assert ran.code == 0, ran.err
    quiet = terminal.done(*again.replace("MATCH", match).replace("SEQ", str(seen(ran))).split(), "--json")

    assert quiet.out == ran.out


def test_the_options_are_those_of_the_table_that_is_told(terminal: Terminal, match: str) -> None:
    (then,) = raced(terminal, match, "legal", match, "--json").objects
    (again,) = terminal.done("legal", f"{match}@{then['seq']}", "--seat", str(then["seat"]), "--json").objects

    assert {**again, "undo_to": then["undo_to"]} == then


@pytest.mark.parametrize("words", ["diff MATCH MATCH", "diff MATCH"])
def test_a_match_does_not_differ_from_itself(terminal: Terminal, match: str, words: str) -> None:
    ran = raced(terminal, match, *words.replace("MATCH", match).split())

    assert (ran.code, "are the same, event by event" in ran.out) == (0, True)


@pytest.mark.parametrize(
    "words",
    ["list", "tree MATCH", "show MATCH --statistics", "find MATCH --kind dice-rolled --json -q", "show MATCH --svg -"],
)
def test_a_verb_that_counts_or_draws_does_not_fail(terminal: Terminal, match: str, words: str) -> None:
    ran = raced(terminal, match, *words.replace("MATCH", match).split())

    assert (ran.code, ran.err) == (0, "")


TIED = ("choose MATCH 1", "undo MATCH", "choose MATCH roll")
COMMANDS = (*TIED, 'choose MATCH {"do":"match:note","text":"mine"} --seat red', "note MATCH mine --seat blue")


def commits(store: Path, match: str) -> int:
    """Return how many commits a match of a store has."""
    with SqliteLog(store, read_only=True) as log:
        return len(list(log.read(MatchId(match))))


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_is_told_as_it_was_stored_or_is_not_stored(
    terminal: Terminal, match: str, tmp_path: Path, words: str
) -> None:
    """It takes a second or two: the command is given once for each of its reads of the store."""
    if words.startswith("undo"):
        terminal.done("choose", match, '{"do":"hide"}')
    typed = [*words.replace("MATCH", match).split(), "--json"]
    codes = list[int]()
    number = 0
    while True:
        racing = Terminal(tmp_path / f"race-{number}.db")
        shutil.copy(terminal.store, racing.store)
        with Race(playing(racing.store, match), number).on(SqliteReader) as race:
            ran = racing(*typed)
        if race.reads <= number:
            break
        assert ran.code in (0, 1, 2, 5), ran.err
        assert commits(racing.store, match) == commits(terminal.store, match) + 1 + (ran.code == 0)
        for told in ran.objects:
            log = racing.done("log", match, "--seat", str(told["seat"]), "--json").objects
            events = told["events"]
            assert isinstance(events, list)
            assert [one["event"] for one in events] == [log[one["seq"] - 1]["event"] for one in events]
        codes.append(ran.code)
        number += 1

    assert {0, 1} & {*codes}
    assert (1 in codes) == (words in TIED)
    assert number > 3


def test_an_option_that_was_another_one_when_they_were_listed_is_not_played(terminal: Terminal, match: str) -> None:
    """What `legal` showed last is remembered for each user: here another one plays for the same seat meanwhile."""
    elsewhere = {"WARDIARY_SEATS": str(terminal.store.with_name("elsewhere.json"))}
    terminal.done("legal", match)
    for command in ("2", "omen"):
        assert terminal("choose", match, command, variables=elsewhere).code == 0
    card = terminal("choose", match, "2")

    assert (card.code, 'option 2 was "Play(card=' in card.err, f"`wardiary legal {match}` lists" in card.err) == (
        1,
        True,
        True,
    )

    terminal.done("legal", match)
    terminal.done("choose", match, "2")


def test_a_number_that_means_the_same_option_as_when_they_were_listed_is_played(terminal: Terminal, match: str) -> None:
    terminal.done("legal", match)
    terminal.done("note", match, "in between", "--seat", "red")
    terminal.done("choose", match, "1")
    # Nothing was listed since, so that the number is one of the options at this moment.
    terminal.done("choose", match, "1")
