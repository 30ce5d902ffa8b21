"""What everybody was shown, as one digest: each viewer computes the one of the log, and each change of what everybody sees changes it."""

from collections.abc import Iterable, Iterator
from functools import cache

import pytest

from core.history.match_reader import read_match
from core.match.fork import Forking, fork_match
from core.match.signatures import NOTHING_SHOWN
from events.codec import replace
from events.commit import Commit
from events.ids import ARBITER, PUBLIC, MatchId, RuleId, Seat
from events.log import Stored
from events.vocabulary import CommandsUndone, DiceRolled, Event, MatchForked, NoteAdded, RulingMade
from projections.snapshot import take_snapshot
from projections.state.fold import fold
from projections.state.public_record import recorded
from projections.state.view import EventSlice, SeatView, seat_number
from tests.support.rows import each_row
from tests.support.signed import Players
from tests.support.skirmish import RED

GAMES = ("skirmish", "advance", "axis-allies", "battle", "inferno")


@cache
def played(game: str) -> Players:
    """Return a match in which things were hidden, noted, ruled upon and, where it was possible, taken back; tests do not change it."""
    players = Players(game, dice="sealed", options={"fog": True} if game == "skirmish" else None).play(20, seed=4)
    seat, client = next(iter(players.clients.items()))
    client.play(players.match, seat, b'{"do":"match:note","text":"for myself","private":true}')
    client.play(players.match, seat, b'{"do":"match:note","text":"see there","at":9}')
    players.host.play(players.match, ARBITER, b'{"do":"match:ruling","text":"so be it","at":9}')
    players.play(5, seed=5)
    return players


def slices(players: Players, seat: Seat) -> Iterable[EventSlice]:
    """Yield what a seat was shown of a match."""
    kept = read_match(players.log, players.match)
    view = SeatView(seat, 0, kept.table.limits)
    for commit in kept.commits:
        if (shown := view.take(commit.events, commit.at, commit.last)) is not None:
            yield shown


def digest_of(shown: Iterable[EventSlice | Commit]) -> str:
    """Return the digest after some commits."""
    digest = ""
    for one in shown:
        digest = recorded(digest, one.at, one.events)
    return digest


@each_row("game", GAMES)
def test_every_viewer_computes_the_digest_of_the_log(game: str) -> None:
    players = played(game)
    commits = read_match(players.log, players.match).commits
    viewers = (*players.clients, ARBITER, PUBLIC)

    assert {digest_of(slices(players, viewer)) for viewer in viewers} == {digest_of(commits)}


@each_row("game", GAMES)
@each_row("hidden", ["resample", "truth"])
def test_the_digest_of_a_fork_goes_on_from_its_parent_and_all_compute_it(game: str, hidden: str) -> None:
    """One fork deals again what its maker did not see, the other cuts a command in two."""
    parent = played(game)
    kept = read_match(parent.log, parent.match)
    seat, client = next(iter(parent.clients.items())) if hidden == "resample" else (ARBITER, parent.host)
    whole = next(one for one in kept.commits[12:] if len(one.events) > 3)
    at = seat_number(kept.table, seat, whole.first + (1 if hidden == "truth" else -1))
    fork = object.__new__(Players)
    fork.log, fork.host, fork.clients = parent.log, parent.host, parent.clients
    fork.match = client.fork(parent.match, seat, at, hidden=hidden).match
    fork.host.play(fork.match, ARBITER, b'{"do":"match:ruling","text":"go on","at":9}')
    commits = read_match(fork.log, fork.match).commits
    shared = next(place for place, one in enumerate(commits) if isinstance(one.events[0], MatchForked)) - 1
    later = replace(commits[shared], at=commits[shared].at + 1)

    assert {digest_of(slices(fork, viewer)) for viewer in (*fork.clients, ARBITER, PUBLIC)} == {digest_of(commits)}
    assert digest_of([*commits[:shared], later, *commits[shared + 1 :]]) != digest_of(commits)


def test_a_fork_reads_of_its_parent_what_follows_the_last_snapshot_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The snapshot has the digest up to there: a fork costs no more for a long match."""
    parent = played("battle")
    kept, place = read_match(parent.log, parent.match), 20
    before, last = kept.commits[: place + 1], kept.commits[place]
    stored = list(parent.log.read(parent.match, 0, last.last))[-1]
    table = fold([event for commit in before for event in commit.events])
    parent.log.save_snapshot(parent.match, last.last, take_snapshot(table, stored.hash, digest_of(before)))
    reads = list[int]()
    read = parent.log.read

    def counted(match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
        reads.append(after)
        return read(match, after, upto)

    monkeypatch.setattr(parent.log, "read", counted)
    forking = Forking(parent=parent.match, seat=ARBITER, at=kept.commits[place + 5].last, dice="seeded", seed="1")
    made = fork_match(parent.log, MatchId("fork"), forking, key="fork", at=0)

    assert min(reads) >= last.last
    assert made.match.record.digest == digest_of([*kept.commits[: place + 6], *[one.commit for one in made.commits]])


def test_commands_that_are_taken_back_have_one_digest_for_all() -> None:
    """Each viewer has another number for the event up to which they are taken back."""
    players = Players(options={"fog": True}).until(RED, "hide")
    red = players.clients[RED]
    red.play(players.match, RED, b'{"do":"match:note","text":"for myself","private":true}')
    red.play(players.match, RED, {"do": "hide"})
    red.undo(players.match, RED)
    viewers = (*players.clients, ARBITER, PUBLIC)
    undone = {viewer: next(one for one in slices(players, viewer) if is_undone(one)).events[0] for viewer in viewers}

    assert len({digest_of(slices(players, viewer)) for viewer in viewers}) == 1
    assert undone[RED] != undone[PUBLIC]


def is_undone(shown: EventSlice) -> bool:
    """Return whether commands are taken back."""
    return isinstance(shown.events[0], CommandsUndone)


def test_each_change_of_what_everybody_sees_changes_the_digest_and_no_other_one() -> None:
    """A private note may be changed, and which event a public one is about: what nobody else sees, and what each numbers otherwise."""
    commits = list(read_match(played("battle").log, played("battle").match).commits)
    digest = digest_of(commits)

    def changed(place: int, **changes: object) -> str:
        return digest_of([*commits[:place], replace(commits[place], **changes), *commits[place + 1 :]])

    for place, commit in enumerate(commits):
        is_private = all(getattr(event, "seen_by", None) is not None for event in commit.events)
        assert (changed(place, at=commit.at + 1) == digest) == is_private
        for number, event in enumerate(commit.events):
            other: Event
            if isinstance(event, NoteAdded | RulingMade):
                other = replace(event, text="another text")
            elif isinstance(event, DiceRolled):
                other = replace(
                    event, faces=event.faces[::-1] if event.faces[0] != event.faces[-1] else (*event.faces, 1)
                )
            else:
                other = replace(event, rule=RuleId(f"{event.rule}x"))
            events = (*commit.events[:number], other, *commit.events[number + 1 :])
            is_hidden = getattr(event, "seen_by", None) is not None
            assert (changed(place, events=events) == digest) == is_hidden, event


def test_a_commit_of_which_not_everybody_knows_changes_nothing() -> None:
    note = NoteAdded(rule="match.notes", seat=RED, text="mine", seen_by=(RED,))  # type: ignore[arg-type]

    assert recorded("before", 1, (note,)) == "before"
    assert NOTHING_SHOWN.before("k") == ""
