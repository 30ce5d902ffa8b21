"""A match with a missing board or game can be read, compared, exported and listed; only verbs that need its rules fail."""

import re
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from events.archive import export_match
from events.archive_reader import read_archive, store_archive
from events.codec import Raw, replace
from events.commit import decode_commit
from events.ids import Digest, GameKey, MatchId, Seat
from events.memory_log import MemoryLog
from events.vocabulary import MatchOpened
from server.desk.desk import Desk as ServerDesk
from server.protocol.identity import SystemIdentity
from server.protocol.replies import FailedReply
from server.protocol.wire import ForkRequest, LegalRequest, PlayRequest, StateRequest
from server.store.sqlite_log import SqliteLog
from tests.cli.running import Terminal
from tests.support.desk import Desk
from tests.support.forgery import changed, put
from tests.support.sitting import StillClock
from tests.support.skirmish import BOARD
from tests.support.tampering import tamper

LOST = "m1"


@pytest.fixture(params=["board", "game"])
def lost(request: pytest.FixtureRequest, terminal: Terminal, skirmish: str) -> str:
    """Store a match as another version would: on a board, or of a game, that is missing here.

    Returns:
        The words by which its verbs name the problem.
    """
    assert skirmish
    desk = Desk.open(board=BOARD + "# the board that shipped before\n").play(10, Random(1))
    log = desk.log
    if request.param == "game":
        commits = [decode_commit(one.body) for one in log.read(desk.match.id)]
        log = MemoryLog()
        put(log, MatchId(LOST), changed(commits, 1, other_game), None)
    archive = read_archive(export_match(log, MatchId(LOST)))
    with SqliteLog(terminal.store) as store:
        store_archive(replace(archive, attachments={}), store)
    return "opened with another board" if request.param == "board" else "no game is called 'chess'"


def other_game(event: object) -> MatchOpened:
    assert isinstance(event, MatchOpened)
    return replace(event, game=GameKey("chess"))


READING = ["show m1", "show m1 --statistics", "show m1@5 -v", "log m1", "log m1 -v", "diff m1@5 m1@20", "explain m1@8",
           "explain m1@2", "replay m1 -v"]  # fmt: skip


@pytest.mark.parametrize("line", READING)
@pytest.mark.parametrize("seat", ["arbiter", "public", "red"])
def test_its_log_shows_ids_and_one_note_about_it(terminal: Terminal, lost: str, line: str, seat: str) -> None:
    ran = terminal.done(*line.split(), "--seat", seat)

    assert ran.out
    assert ran.err.count("names are missing: ") == ran.err.count("\n") == 1
    assert lost in ran.err


@pytest.mark.parametrize("line", ["replay m1", "tree m1", "list", "export m1 -", "export m1 - --seat red"])
def test_verbs_that_need_no_rules_print_no_note(terminal: Terminal, lost: str, line: str) -> None:
    ran = terminal.done(*line.split())

    assert LOST in ran.out or line == "replay m1"
    assert "names are missing" not in ran.err
    assert "DAMAGED" not in ran.out


@pytest.mark.parametrize("line", ["legal m1", "choose m1 1", "choose m1 resign", "fork m1"])
def test_verbs_that_need_its_rules_fail(terminal: Terminal, lost: str, line: str) -> None:
    ran = terminal(*line.split())

    assert (ran.code, ran.out) == (3, "")
    assert lost in ran.err
    assert "Traceback" not in ran.err


def test_its_report_shows_ids_and_ends_as_the_audit_does(terminal: Terminal, lost: str, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    ran, audit = terminal("report", LOST, "-o", str(path)), terminal("audit", LOST)

    assert (ran.code, ran.err.splitlines()[-1:]) == (audit.code, audit.err.splitlines()) == (3, [audit.err.strip()])
    assert lost in path.read_text(encoding="utf-8")
    assert "Ids stand for names" in path.read_text(encoding="utf-8")


def test_an_audit_reports_it_as_not_checked(terminal: Terminal, lost: str) -> None:
    told = terminal("audit", LOST)
    shape = terminal("audit", LOST, "--json").objects[0]
    everything = terminal("audit", "--all", "--json")

    assert (told.code, everything.code) == (3, 3)
    assert told.out.startswith(f"Match {LOST} cannot be played again here: ")
    assert lost in told.out
    assert lost in told.err
    assert (shape["clean"], shape["findings"], shape["dice"]) == (False, [], "checked")
    assert lost in str(shape["unchecked"])
    assert [one["clean"] for one in everything.objects[1:]] == [True, False]


def test_the_audit_of_a_match_with_a_missing_board_still_checks_the_chain(terminal: Terminal, lost: str) -> None:
    assert lost
    tamper(terminal.store, '"rule":"', '"rule":"x')
    ran = terminal("audit", LOST)

    assert ran.code == 4


def test_its_archive_cannot_be_imported(terminal: Terminal, lost: str) -> None:
    file = terminal.store.with_name("lost.ndjson")
    terminal.done("export", LOST, str(file))
    elsewhere = Terminal(terminal.store.with_name("elsewhere.db"))
    ran = elsewhere("import", str(file))

    assert ran.code == (4 if lost.startswith("opened") else 3)
    assert ("archive line 2: the board that the match was opened with is missing" in ran.err) == (ran.code == 4)
    assert ("no game is called 'chess'; there are" in ran.err) == (ran.code == 3)
    assert not elsewhere.store.exists()


def test_a_match_continues_on_the_board_that_it_was_opened_on(
    terminal: Terminal, skirmish: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the shipped board changed, the match continues on its own board, and so does its imported archive."""
    terminal.done("choose", skirmish, "1")
    monkeypatch.setattr("tests.support.skirmish.BOARD", BOARD.replace("goal = 3", "goal = 4") + "# a later one\n")
    monkeypatch.setattr("core.match.bound_games._shipped_game", _fresh)
    shown = terminal.done("show", skirmish)
    file = terminal.store.with_name("kept.ndjson")
    terminal.done("choose", skirmish, "1")
    terminal.done("export", skirmish, str(file))
    elsewhere = Terminal(terminal.store.with_name("elsewhere.db"))

    assert shown.err == ""
    assert elsewhere.line("import", str(file)) == skirmish
    assert elsewhere("legal", skirmish).code == 0
    assert terminal.done("audit", skirmish).out.startswith(f"Match {skirmish} is clean")


def _fresh(game: GameKey) -> object:
    from core.registry.games import load_game

    return load_game(game).bind(None)


UNUSABLE = {
    "a binary board": ("board", b"\xff\xfe", "byte 1 is invalid UTF-8"),
    "a board that is not TOML": ("board", b"goal = [", "the board is not valid TOML"),
    "a board of another game": ("board", b"x = 1", "the board must say a goal"),
    "a binary position": ("position", b"\xff", "byte 1 is invalid UTF-8"),
    "a position that is not TOML": ("position", b"x = [", "the position, line 1: "),
}


@pytest.fixture(params=UNUSABLE)
def unusable(request: pytest.FixtureRequest, terminal: Terminal, skirmish: str) -> str:
    """Store a match whose board or position is invalid.

    Returns:
        The words by which its verbs name the problem.
    """
    assert skirmish
    what, content, words = UNUSABLE[request.param]
    digest = Digest(sha256(content).hexdigest())
    desk = Desk.open().play(10, Random(1))
    log = MemoryLog()
    log.attach(digest, content)
    commits = changed(desk.commits, 1, lambda event: replace(event, **{what: digest}))
    board = desk.log.attachment(desk.table.board)
    assert board is not None
    log.attach(desk.table.board, board)
    put(log, MatchId(LOST), commits, None)
    with SqliteLog(terminal.store) as store:
        store_archive(read_archive(export_match(log, MatchId(LOST))), store)
    return f"the {what} that the match was opened with cannot be used: .*{re.escape(words)}"


@pytest.mark.parametrize("line", ["legal m1", "choose m1 1", "choose m1 resign", "fork m1", "watch m1"])
def test_verbs_that_need_rules_fail_on_an_invalid_board_or_position(
    terminal: Terminal, unusable: str, line: str
) -> None:
    ran = terminal(*line.split())

    assert (ran.code, ran.out, ran.err.count("\n")) == (3, "", 1)
    assert re.search(unusable, ran.err)


def test_a_server_reports_a_missing_edition(terminal: Terminal, unusable: str) -> None:
    with SqliteLog(terminal.store) as log:
        desk = ServerDesk(log, StillClock(), SystemIdentity(), trusted=True)
        replies = [
            desk.handle(request)
            for request in (
                LegalRequest(match=MatchId(LOST)),
                StateRequest(match=MatchId(LOST), seat=Seat("red")),
                PlayRequest(match=MatchId(LOST), seat=Seat("red"), key="k", command=Raw(b'{"do":"roll"}')),
                ForkRequest(match=MatchId(LOST), key="f"),
            )
        ]

    for reply in replies:
        assert isinstance(reply, FailedReply)
        assert reply.code == "ruleset_missing"
        assert re.search(unusable, reply.message)


def test_an_audit_finds_an_invalid_board_or_position(terminal: Terminal, unusable: str) -> None:
    assert unusable
    ran = terminal("audit", LOST)

    assert (ran.code, ran.err.count("\n")) == (4, 1)
    assert f"match {LOST}, event 1: " in ran.err
