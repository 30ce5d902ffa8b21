"""An archive whose match cannot be loaded is refused with its first wrong line."""

from collections.abc import Callable
from hashlib import sha256
from random import Random

import pytest

from core.audit.archive_checks import check_archive
from core.errors import RulesetMissing
from events.archive import export_match
from events.archive_reader import Archive, read_archive
from events.codec import replace
from events.commit import Commit, decode_commit
from events.errors import ArchiveError
from events.ids import Digest, GameKey, MatchId, PieceId, Seat, Side
from events.memory_log import MemoryLog
from events.vocabulary import Event, MatchOpened, PieceMoved
from tests.support.desk import Desk
from tests.support.forgery import changed, put
from tests.support.rows import each_row
from tests.support.skirmish import BOARD

OWN = BOARD + "# ours\n"
POSITION = 'format = "wardiary-position/1"\ngame = "skirmish"\n'
RED, BLUE = Seat("red"), Seat("blue")


def archive_of(desk: Desk, match: MatchId | None = None) -> Archive:
    return read_archive(export_match(desk.log, desk.match.id if match is None else match))


def played() -> Desk:
    return Desk.open(board=OWN, position=POSITION).play(4, Random(1))


def edited(desk: Desk, change: Callable[[list[Commit]], list[Commit]], *files: bytes) -> Archive:
    """Return the archive of a carefully forged match, with these additional files."""
    log = MemoryLog()
    opening = desk.table
    for digest in (opening.board, opening.position):
        content = None if digest is None else desk.log.attachment(digest)
        if digest is not None and content is not None:
            log.attach(digest, content)
    for content in files:
        log.attach(Digest(sha256(content).hexdigest()), content)
    put(log, desk.match.id, change([decode_commit(one.body) for one in desk.log.read(desk.match.id)]), None)
    return read_archive(export_match(log, desk.match.id))


def on(**fields: object) -> Callable[[list[Commit]], list[Commit]]:
    """Change the opening."""

    def change(event: Event) -> Event:
        assert isinstance(event, MatchOpened)
        return replace(event, **fields)

    return lambda commits: changed(commits, 1, change)


def problem(archive: Archive) -> tuple[int, str]:
    with pytest.raises(ArchiveError) as caught:
        check_archive(archive)

    assert "\n" not in str(caught.value)
    return caught.value.line, caught.value.problem


def test_a_sound_archive_is_accepted() -> None:
    check_archive(archive_of(played()))
    check_archive(archive_of(Desk.open().play(10, Random(1))))
    check_archive(archive_of(Desk.open(seats=())))


def without(archive: Archive, digest: Digest | None) -> Archive:
    return replace(
        archive, attachments={known: content for known, content in archive.attachments.items() if known != digest}
    )


def test_a_missing_file_is_named_with_the_line_where_it_should_be() -> None:
    desk = played()
    archive = archive_of(desk)

    assert problem(without(archive, desk.table.board))[0] == 2
    assert problem(without(archive, desk.table.board))[1].startswith(
        "the board that the match was opened with is missing"
    )
    assert problem(without(archive, desk.table.position))[0] == 3
    assert "the position that the match was opened with is missing" in problem(without(archive, desk.table.position))[1]


def test_the_shipped_board_must_be_there_too() -> None:
    desk = Desk.open()

    assert problem(without(archive_of(desk), desk.table.board))[0] == 2


FILES: dict[str, tuple[str, bytes, int, str]] = {
    "a binary board": ("board", b"\xff\xfe", 2, "the board is not valid: the board of the match is not text"),
    "a board that is not TOML": ("board", b"goal = [", 2, "the board is not valid: the board is not valid TOML"),
    "a board of another game": ("board", b"x = 1", 2, "the board is not valid: the board must say a goal"),
    "a binary position": ("position", b"\xff", 3, "the position is not valid: the position of the match is not text"),
    "a position that is not TOML": ("position", b"x = [", 3, "the position is not valid: the position, line 1: "),
    "a hostile position": ("position", b"a." * 5_000 + b"b=1", 3, "the position is not valid: the position, line 1: "),
    "a position of another game": (
        "position",
        b'format = "wardiary-position/1"\ngame = "chess"',
        3,
        "the position is not valid: the position is for game chess, not skirmish",
    ),
    "a position with a piece of another game": (
        "position",
        b'format = "wardiary-position/1"\ngame = "skirmish"\npieces = [{ id = "x", place = "y" }]',
        3,
        "the position is not valid: no piece in play is called 'x'",
    ),
}


@each_row("name", FILES)
def test_a_file_that_is_not_valid_is_named_with_its_line(name: str) -> None:
    what, content, line, words = FILES[name]
    archive = edited(played(), on(**{what: Digest(sha256(content).hexdigest())}), content)
    found = problem(archive)

    assert found[0] == line
    assert found[1].startswith(words)
    assert sha256(content).hexdigest() in found[1]


OPENINGS: dict[str, tuple[dict[str, object], str]] = {
    "an unknown scenario": ({"scenario": "sea"}, "no scenario of skirmish is called 'sea'"),
    "an unknown mode": ({"mode": "dark"}, "no mode of scenario field is called 'dark'"),
    "many seats": ({"seats": tuple(Seat(f"s{n}") for n in range(50))}, "the sides, the seats or the mode are not"),
    "a seat on another side": ({"plays": {RED: Side("blue")}}, "the seats play other sides than the mode"),
    "an unknown option": ({"options": {"rain": True}}, "no option of skirmish in scenario field is called 'rain'"),
    "an impossible option": ({"options": {"speed": 1_000}}, "option speed must be 1 to 5, not 1000"),
}


@each_row("rules", ["", "0" * 63, "X" * 64, "x" * 100_000])
def test_rules_are_named_by_a_digest(rules: str) -> None:
    line, said = problem(edited(Desk.open(), on(rules=Digest(rules))))

    assert (line, said) == (3, "the rules digest is not 64 lower-case hexadecimal digits")


def test_a_position_that_the_rules_refuse_is_refused_under_any_named_edition() -> None:
    content = b'format = "wardiary-position/1"\ngame = "skirmish"\npieces = [{ id = "x", place = "y" }]'
    fields = {"position": Digest(sha256(content).hexdigest()), "rules": Digest("0" * 64)}

    assert problem(edited(played(), on(**fields), content))[1].startswith(
        "the position is not valid: no piece in play is called 'x'"
    )


@each_row("name", OPENINGS)
def test_an_opening_that_the_game_does_not_have_is_a_defect_of_the_first_commit(name: str) -> None:
    fields, words = OPENINGS[name]
    line, said = problem(edited(Desk.open(seats=()), on(**fields)))

    assert line == 3
    assert said.startswith(words)


def test_a_match_under_older_rules_may_have_had_other_options() -> None:
    older = {"options": {"rain": True}, "rules": Digest("0" * 64)}
    check_archive(edited(Desk.open().play(4, Random(1)), on(**older)))


def test_a_missing_game_is_named_and_is_not_a_defect_of_the_archive() -> None:
    with pytest.raises(RulesetMissing, match="cannot be imported: no game is called 'chess'; there are"):
        check_archive(replace(edited(Desk.open(), on(game=GameKey("chess")))))


def test_impossible_events_are_a_defect_of_their_commit() -> None:
    desk = Desk.open().play(30, Random(1))
    commits = [decode_commit(one.body) for one in desk.log.read(desk.match.id)]
    number, moved = next(
        (commit.first + place, index)
        for index, commit in enumerate(commits)
        for place, event in enumerate(commit.events)
        if isinstance(event, PieceMoved)
    )
    forged = edited(desk, lambda listed: changed(listed, number, lambda event: replace(event, piece=PieceId("ghost"))))

    assert problem(forged) == (3 + moved, "the event names 'ghost', which does not exist")
