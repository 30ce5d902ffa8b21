"""Bytes of an older version are decoded as current events, and are not changed on disk."""

from pathlib import Path

import pytest

from events.chain import check_chain, checked
from events.codec import DecodeError, encode
from events.commit import Commit, Head, chain_hash, decode_canonical, decode_commit
from events.ids import MatchId, PieceId, PlaceId, RuleId, Side
from events.log import Stored
from events.upcast import HISTORY, History, retired
from events.vocabulary import BaseEvent, DiceRolled, MatchBegan, Modifier, PiecePlaced
from projections.state.fold import fold
from tests.events.making import Writer, march
from tests.events.retired import WITH_OLD_DICE, DiceRolled0, lift_dice_rolled_0

WIRE = Path(__file__).parents[2] / "fixtures" / "wire"
OLD = (WIRE / "dice-rolled" / "0.json").read_bytes()[:-1]
NEW = DiceRolled(
    rule=RuleId("9.5.2"),
    faces=(3, 5),
    purpose="assault",
    modifiers=(Modifier(RuleId("9.5.2"), "die roll modifier", -1),),
)
PLACED = PiecePlaced(rule=RuleId("3"), piece=PieceId("p"), kind="rifle", side=Side("white"), to=PlaceId("a"))
MATCH = MatchId("m")


def old_body(head: Head, *events: bytes, spaced: bool = False) -> bytes:
    """Return a commit with events of any version, as an earlier program would have written it."""
    listed = (b", " if spaced else b",").join(events)
    start = f'{{"commit":"1","match":"m","first":{head.seq + 1},"prev":"{head.hash}","at":5,"seat":"white","key":"old"'
    return start.encode() + b',"command":{"do":"roll"},"events":[' + listed + b"]}"


def stored(body: bytes, first: int, count: int) -> Stored:
    return Stored(MATCH, first, first + count - 1, "old", chain_hash(body), body)


@pytest.fixture
def chain() -> list[Stored]:
    """Return a match of three commits whose second is from an earlier version."""
    writer = Writer("m")
    opened = writer.open()
    body = old_body(writer.head, OLD, encode(PLACED))
    old = stored(body, 2, 2)
    writer.head = Head(3, old.hash)
    last = writer.take(march(1))
    return [Stored(*[getattr(new, name) for name in Stored.__struct_fields__]) for new in (opened, old, last)]


def test_nothing_has_been_retired_yet() -> None:
    """Once an event is retired, its struct is in `events.upcast`, and the example of these tests can be removed."""
    assert HISTORY.types == ()
    assert not HISTORY


def test_an_old_event_is_lifted_to_the_current_vocabulary(chain: list[Stored]) -> None:
    commit = decode_commit(chain[1].body, WITH_OLD_DICE)

    assert commit.events[0] == NEW
    assert commit.events[1] == PLACED
    assert isinstance(commit, Commit)
    assert (commit.match, commit.first, commit.last, commit.key, bytes(commit.command)) == (
        "m",
        2,
        3,
        "old",
        b'{"do":"roll"}',
    )


def test_an_old_event_without_an_upcaster_is_refused(chain: list[Stored]) -> None:
    with pytest.raises(DecodeError, match=r"'dice-rolled/0'"):
        decode_commit(chain[1].body)


def test_the_chain_over_old_bytes_is_valid(chain: list[Stored]) -> None:
    assert check_chain(chain, MATCH, history=WITH_OLD_DICE) is None
    assert [commit.events[0] for commit in checked(chain, MATCH, history=WITH_OLD_DICE)][1] == NEW
    assert check_chain(chain, MATCH) is not None


def test_old_bytes_must_be_in_the_canonical_form_of_their_version(chain: list[Stored]) -> None:
    """The canonical form of an old event is that of its own struct."""
    head = Head(1, chain[0].hash)

    assert decode_canonical(old_body(head, OLD), WITH_OLD_DICE).events == (NEW,)
    for body in (
        old_body(head, OLD.replace(b":", b": ")),
        old_body(head, OLD, OLD, spaced=True),
        old_body(head, OLD.replace(b'"drm":-1', b'"drm":0')),
        old_body(head, OLD).replace(b'{"do":"roll"}', b'{"do": "roll"}'),
    ):
        with pytest.raises(DecodeError, match="not in its canonical form"):
            decode_canonical(body, WITH_OLD_DICE)


def test_a_commit_with_an_old_event_is_otherwise_decoded_strictly(chain: list[Stored]) -> None:
    head = Head(1, chain[0].hash)
    for spoilt in (
        OLD.replace(b"why", b"how"),
        OLD.replace(b"[3,5]", b'"3,5"'),
        b'{"event":"dice-rolled/7"}',
        b"{",
        b"\xff",
    ):
        with pytest.raises(DecodeError):
            decode_commit(old_body(head, OLD, spoilt), WITH_OLD_DICE)


class MatchBegan0(BaseEvent, frozen=True, kw_only=True, tag="match-began/0"):
    """The second of three versions."""

    when: str = ""


class MatchStarted(BaseEvent, frozen=True, kw_only=True, tag="match-started/1"):
    """The first of three versions."""


def test_an_event_is_lifted_through_all_intermediate_versions() -> None:
    history = History(
        retired(MatchStarted, lambda old: MatchBegan0(rule=old.rule, when="unknown")),
        retired(MatchBegan0, lambda old: MatchBegan(rule=RuleId(f"{old.rule} {old.when}".strip()))),
        retired(DiceRolled0, lift_dice_rolled_0),
    )
    body = old_body(Head(), b'{"event":"match-started/1","rule":"2"}', OLD, b'{"event":"match-began/0","rule":"3"}')
    commit = decode_commit(body, history)

    assert commit.events == (MatchBegan(rule=RuleId("2 unknown")), NEW, MatchBegan(rule=RuleId("3")))


def test_a_match_with_old_events_folds_like_any_other(chain: list[Stored]) -> None:
    table = fold(event for commit in checked(chain, MATCH, history=WITH_OLD_DICE) for event in commit.events)

    assert table.seq == chain[-1].last
    assert [piece.id for piece in table.pieces.values()] == ["p", "p1"]
