"""A long synthetic match in the shared vocabulary, as commits for any log.

No game lasts ten thousand events, so these are not made by rules; the fold needs only the vocabulary. The mix follows
random play of *Advance to the Volga*: a decision closes, a piece moves or a fight is rolled and costs a step, markers and
tracks change, the next decision opens.
"""

import random
from collections.abc import Iterator

from core.history.match_reader import apply_commit
from core.registry.games import load_game
from events.codec import encode
from events.commit import GENESIS, NO_COMMAND, Commit, chain_hash, encode_commit
from events.ids import Digest, MarkerId, MatchId, PieceId, PlaceId, RuleId, Seat, Side, TrackId
from events.log import Log, NewCommit
from events.vocabulary import (
    ChanceScheme,
    ControlChanged,
    DecisionClosed,
    DecisionOpened,
    DiceRolled,
    Event,
    MarkerPlaced,
    MarkerRemoved,
    MatchOpened,
    Modifier,
    PhaseBegan,
    PieceMoved,
    PiecePlaced,
    PieceTurned,
    RoundBegan,
    SeatTaken,
    TrackMoved,
)
from projections.snapshot import EVERY, take_snapshot
from projections.state.public_record import recorded
from projections.state.table import Table

GAME = "advance"
PIECES = 100
PLACES = 60
SEATS = (Seat("german"), Seat("soviet"))
SIDES = (Side("german"), Side("soviet"))
RULE = RuleId("9.5.2")
EPOCH_MS = 1_700_000_000_000


def _place(number: int) -> PlaceId:
    return PlaceId(f"area-{number}")


def _piece(number: int) -> PieceId:
    return PieceId(f"unit-{number}")


class LongMatch:
    """Generates the events of an endless match, all of them valid for the fold.

    Args:
        seed: The same seed makes the same match.
    """

    def __init__(self, seed: int = 1942) -> None:
        self._dice = random.Random(seed)
        self._where = [number % PLACES for number in range(PIECES)]
        self._steps = [2] * PIECES
        self._holders = [SIDES[number % 2] for number in range(PLACES)]
        self._marked = [False] * PLACES
        self._morale = 10
        self._round = 0

    def opening(self) -> tuple[Event, ...]:
        """Return the set-up: the match, its seats and all pieces."""
        game = load_game(GAME)
        opened = MatchOpened(
            rule=RULE,
            game=game.key,
            edition="1.0",
            scenario=game.scenario("").key,
            options={},
            sides=SIDES,
            seats=SEATS,
            plays=dict(zip(SEATS, SIDES, strict=True)),
            rules=game.rules_digest,
            board=game.bind(None).board_digest,
            chance=ChanceScheme(scheme="seeded/1", seed="1942"),
        )
        seated = [SeatTaken(rule=RULE, seat=seat, name=f"player of {seat}") for seat in SEATS]
        placed = [
            PiecePlaced(
                rule=RULE,
                piece=_piece(number),
                kind="rifle-division",
                side=SIDES[number % 2],
                to=_place(self._where[number]),
                face="fresh",
                steps=2,
            )
            for number in range(PIECES)
        ]
        asked = DecisionOpened(rule=RULE, kind="choose-unit", seat=SEATS[0], arguments={"area": _place(0)})
        return (opened, *seated, *placed, asked)

    def turn(self) -> tuple[Event, ...]:
        """Return the events of one accepted command; five on average."""
        seat = self._dice.choice(SEATS)
        number, place = self._dice.randrange(PIECES), self._dice.randrange(PLACES)
        middle = self._fight(number, place) if self._dice.random() < 0.4 else self._march(number, place)
        closed = DecisionClosed(rule=RULE, kind="choose-unit", seat=seat)
        asked = DecisionOpened(
            rule=RULE, kind="choose-unit", seat=seat, arguments={"area": _place(place), "points": number}
        )
        return (closed, *middle, asked)

    def _march(self, number: int, place: int) -> tuple[Event, ...]:
        was, self._where[number] = self._where[number], place
        moved = PieceMoved(rule=RULE, piece=_piece(number), to=_place(place), was=_place(was))
        chance = self._dice.random()
        if chance < 0.3:
            return (moved, self._mark(place))
        if chance < 0.5:
            return (moved, self._capture(number, place))
        if chance < 0.55:
            self._round += 1
            began = RoundBegan(rule=RULE, number=self._round, was=self._round - 1)
            return (moved, began, PhaseBegan(rule=RULE, phase="assault", was="movement"))
        return (moved,)

    def _mark(self, place: int) -> Event:
        self._marked[place] = not self._marked[place]
        if self._marked[place]:
            return MarkerPlaced(rule=RULE, on=_place(place), marker=MarkerId("bridgehead"))
        return MarkerRemoved(rule=RULE, on=_place(place), marker=MarkerId("bridgehead"))

    def _capture(self, number: int, place: int) -> Event:
        was, self._holders[place] = self._holders[place], SIDES[number % 2]
        return ControlChanged(rule=RULE, place=_place(place), to=SIDES[number % 2], was=was)

    def _fight(self, number: int, place: int) -> tuple[Event, ...]:
        faces = (self._dice.randrange(1, 7), self._dice.randrange(1, 7))
        rolled = DiceRolled(
            rule=RULE,
            faces=faces,
            purpose="assault",
            about=_place(place),
            modifiers=(Modifier(RULE, "attack value", 4), Modifier(RULE, "terrain", -1)),
            needed=7,
        )
        was = self._steps[number]
        self._steps[number] = 3 - was
        turned = PieceTurned(
            rule=RULE, piece=_piece(number), face="spent", was="fresh", steps=self._steps[number], steps_was=was
        )
        morale, self._morale = self._morale, self._dice.randrange(20)
        return (rolled, turned, TrackMoved(rule=RULE, track=TrackId("morale"), to=self._morale, was=morale))

    def events(self, count: int) -> list[Event]:
        """Return the first `count` events."""
        made = list(self.opening())
        while len(made) < count:
            made.extend(self.turn())
        return made[:count]


def sealed(
    match: MatchId, first: int, prev: Digest, events: tuple[Event, ...], key: str, at: int = EPOCH_MS
) -> NewCommit:
    """Encode and hash a commit, as a match does for an accepted command."""
    commit = Commit(
        match=match, first=first, prev=prev, at=at, seat=SEATS[0], key=key, command=NO_COMMAND, events=events
    )
    body = encode_commit(commit)
    return NewCommit(match, first, commit.last, key, chain_hash(body), body)


def commits(match: MatchId, count: int, per_commit: int | None = None, seed: int = 1942) -> Iterator[NewCommit]:
    """Make the chained commits of a long match.

    Args:
        match: Its id.
        count: Total number of events, 1 or more.
        per_commit: Number of events in a commit; None for as many as a command causes.
        seed: The same seed makes the same match.

    Yields:
        Commits in order; the last one is cut so that the match has exactly `count` events.
    """
    source, first, prev, waiting = LongMatch(seed), 1, GENESIS, list[Event]()
    waiting.extend(source.opening())
    while first <= count:
        while len(waiting) < (per_commit or 1):
            waiting.extend(source.turn())
        size = min(per_commit or len(waiting), count - first + 1)
        new = sealed(match, first, prev, tuple(waiting[:size]), f"key-{first}")
        del waiting[:size]
        yield new
        first, prev = new.last + 1, new.hash


def store(log: Log, match: MatchId, count: int, batch: int = 64) -> None:
    """Append a long match to a log, several commits a transaction."""
    waiting: list[NewCommit] = []
    for new in commits(match, count):
        waiting.append(new)
        if len(waiting) == batch:
            log.append(waiting)
            waiting = []
    if waiting:
        log.append(waiting)


def save_snapshots(log: Log, match: MatchId, count: int) -> None:
    """Save snapshots of a match at the same intervals as a server."""
    table, saved, record = Table(), 0, ""
    for stored in log.read(match):
        commit = apply_commit(table, stored, count)
        record = recorded(record, commit.at, commit.events)
        if stored.last - saved >= EVERY:
            saved = stored.last
            log.save_snapshot(match, saved, take_snapshot(table, stored.hash, record))


def bytes_an_event(count: int = 1_000) -> float:
    """Return the mean size of an event's canonical bytes."""
    made = LongMatch().events(count)
    return sum(len(encode(event)) for event in made) / count
