"""The digest in a match's first event does not allow a guess about the hidden part of its position to be confirmed."""

import tomllib

import pytest

from core.chance.chance_sources import ManualChance
from core.errors import SetupInvalid
from core.match.live_match import Match, Prepared, load_match
from core.match.match_creation import Opened, Opening, open_match, salted, text_digest
from core.positions.position import parse_position
from core.registry.games import load_game
from core.toml.outside_toml import BYTES_MAX
from events.codec import encode
from events.ids import MatchId, Seat
from events.log import Appended
from events.memory_log import MemoryLog
from events.vocabulary import MatchOpened
from projections.state.view import see
from tests.project.tree import ROOT
from tests.support.rows import each_row

POSITIONS = ROOT / "fixtures" / "positions"
SECRET = (POSITIONS / "battle" / "sample-game.toml").read_text(encoding="utf-8")
OPEN = min((POSITIONS / "advance").glob("*.toml")).read_text(encoding="utf-8")
SALT = "5a" * 32


def opened(game: str, position: str, salts: list[str]) -> Opened:
    """Open a match from a position; each random number is used once."""
    opening = Opening(game=game, dice="manual", position=position)
    return open_match(MatchId("m1"), opening, key="k", at=1, salt=salts.pop)


def first(done: Opened) -> MatchOpened:
    """Return the first event."""
    event = done.prepared.commit.events[0]
    assert isinstance(event, MatchOpened)
    return event


def test_the_digest_of_a_position_with_secrets_does_not_confirm_a_guess() -> None:
    """match.open: the public digest cannot be computed from the text without the random bytes."""
    one, other = opened("battle", SECRET, [SALT]), opened("battle", SECRET, ["a5" * 32])
    seen = see(first(one), Seat("german"))

    assert isinstance(seen, MatchOpened)
    assert seen.position == text_digest(salted(SECRET, SALT))
    assert len({seen.position, first(other).position, text_digest(SECRET)}) == 3
    assert one.attachments[seen.position] == salted(SECRET, SALT).encode()


def test_a_position_that_hides_nothing_is_named_by_its_own_digest() -> None:
    """match.open: the digest identifies the file, and no random bytes are used."""
    salts = [SALT]
    done = opened("advance", OPEN, salts)

    assert first(done).position == text_digest(OPEN)
    assert done.attachments[text_digest(OPEN)] == OPEN.encode()
    assert salts == [SALT]


@each_row("end", ["", "\n", "\n# said last", "\r\n"])
def test_random_bytes_do_not_change_the_meaning_of_a_position(end: str) -> None:
    text = SECRET.rstrip() + end

    assert tomllib.loads(salted(text, SALT)) == tomllib.loads(text)
    assert parse_position(salted(text, SALT)) == parse_position(SECRET)


def test_a_match_with_a_secret_position_begins_from_its_stored_text() -> None:
    """match.begin: the table is the same as from the original text."""
    begun: list[Match] = []
    for salt in (None, [SALT].pop):
        opening = Opening(game="battle", dice="manual", position=SECRET)
        done = open_match(MatchId("m1"), opening, key="k", at=1, salt=salt)
        log = MemoryLog()
        for digest, content in done.attachments.items():
            log.attach(digest, content)
        assert isinstance(log.append([done.prepared.new])[0], Appended)
        match = load_match(log, MatchId("m1"))
        for number, seat in enumerate(match.table.seats):
            taken = match.prepare(seat, encode({"do": "match:take-seat", "seat": seat}), key=f"{number}", at=2)
            assert isinstance(taken, Prepared)
            match.adopt(taken)
        started = match.prepare(match.table.seats[0], b'{"do":"match:begin"}', key="b", at=3, chance=ManualChance())
        assert isinstance(started, Prepared)
        match.adopt(started)
        begun.append(match)

    assert begun[0].table.position != begun[1].table.position
    begun[0].table.position, begun[0].table.opening = begun[1].table.position, begun[1].table.opening
    assert begun[0].table == begun[1].table


@each_row("game", ["advance", "battle"])
def test_the_shipped_board_is_stored_with_the_match(game: str) -> None:
    """match.open: a later version with another board does not affect the match."""
    done = open_match(MatchId("m1"), Opening(game=game, dice="manual"), key="k", at=1)
    (board,) = done.attachments

    assert board == first(done).board == done.ruleset.game.board_digest
    assert done.attachments[board] == load_game(game).shipped_board()


def test_the_size_limit_of_a_position_leaves_room_for_random_bytes() -> None:
    """match.open: the largest accepted position can be loaded again with its random bytes."""
    text = SECRET + "#\n" * ((BYTES_MAX - len(SECRET.encode())) // 2 - 100)
    room = len(salted("", SALT))
    fitting = text + "#" * (BYTES_MAX - room - len(text.encode()))
    parse_position(salted(fitting, SALT))

    assert len(opened("battle", fitting, [SALT]).attachments) == 2
    with pytest.raises(
        SetupInvalid, match=f"the position has secrets and {BYTES_MAX - room + 1} bytes; at most {BYTES_MAX - room} "
    ):
        opened("battle", fitting + "#", [SALT])
