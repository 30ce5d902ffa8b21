"""Chained commits of a small match, and forks of it, for the tests of logs, chains and archives."""

import hashlib
from collections.abc import Sequence

from events.codec import Raw
from events.commit import GENESIS, Commit, Head, chain_hash, encode_commit
from events.ids import ARBITER, Digest, GameKey, MatchId, PieceId, PlaceId, RuleId, Seat, Side
from events.log import NewCommit, Origin
from events.vocabulary import ChanceScheme, DiceRolled, Event, MatchForked, MatchOpened, PieceMoved, PiecePlaced

RULE = RuleId("1.1")
BOARD = b"[board]\nname = 'a field'\n"
BOARD_DIGEST = Digest(hashlib.sha256(BOARD).hexdigest())
POSITION = b"\x00\xffnot a text"
POSITION_DIGEST = Digest(hashlib.sha256(POSITION).hexdigest())
NOON = 1_700_000_000_000


def sealed(
    match: MatchId,
    head: Head,
    events: Sequence[Event],
    key: str,
    *,
    command: bytes = b'{"do":"move"}',
    origin: Origin | None = None,
    seed: str = "",
) -> NewCommit:
    """Return the commit that follows a head."""
    commit = Commit(
        match=match,
        first=head.seq + 1,
        prev=head.hash,
        at=NOON,
        seat=Seat("white"),
        key=key,
        command=Raw(command),
        events=tuple(events),
    )
    body = encode_commit(commit)
    return NewCommit(match, commit.first, commit.last, key, chain_hash(body), body, origin, seed)


def opening(game: str = "skirmish", position: Digest | None = None) -> MatchOpened:
    """Return the first event of a match."""
    return MatchOpened(
        rule=RULE,
        game=GameKey(game),
        edition="1.0",
        scenario="field",
        options={"fog": True, "hours": 3},
        sides=(Side("ivory"), Side("ebony")),
        seats=(Seat("white"), Seat("black")),
        plays={Seat("white"): Side("ivory")},
        rules=Digest("1" * 64),
        board=BOARD_DIGEST,
        position=position,
        chance=ChanceScheme(scheme="sealed/2", commitment="2" * 64, stream="m", veil="3" * 64, length=4096),
    )


def forking(parent: MatchId, at: int) -> MatchForked:
    """Return the first event of a fork's own stream."""
    return MatchForked(
        rule=RULE, parent=parent, at=at, chance=ChanceScheme(scheme="manual/1"), hidden="truth", seat=ARBITER
    )


def march(number: int) -> tuple[Event, ...]:
    """Return the events of one command: two of them, or three with a die."""
    placed = PiecePlaced(rule=RULE, piece=PieceId(f"p{number}"), kind="grenadier", side=Side("white"), to=PlaceId("a"))
    moved = PieceMoved(rule=RULE, piece=PieceId(f"p{number}"), to=PlaceId("bü"), was=PlaceId("a"))
    rolled = DiceRolled(rule=RULE, faces=(number % 6 + 1,), purpose="chaos")
    return (placed, moved, rolled) if number % 3 == 0 else (placed, moved)


class Writer:
    """Writes one match, commit by commit.

    Args:
        match: Its id.
        origin: Its fork point, if it is a fork.
    """

    def __init__(self, match: str, origin: Origin | None = None) -> None:
        self.match = MatchId(match)
        self.origin = origin
        self.head = Head(0, GENESIS) if origin is None else Head(origin.seq, origin.hash)
        self.count = 0

    def take(self, events: Sequence[Event], key: str = "", seed: str = "") -> NewCommit:
        """Seal events as the next commit of the match."""
        origin = self.origin if self.count == 0 else None
        new = sealed(self.match, self.head, events, key or f"{self.match}-{self.count}", origin=origin, seed=seed)
        self.head = Head(new.last, new.hash)
        self.count += 1
        return new

    def open(self, *, seed: str = "", position: Digest | None = None) -> NewCommit:
        """Seal the first commit."""
        if self.origin is None:
            return self.take((opening(position=position),), seed=seed)
        return self.take((forking(self.origin.parent, self.origin.seq),), seed=seed)

    def commits(self, count: int) -> list[NewCommit]:
        """Seal `count` commits, 1 or more, the first of which opens the match."""
        return [self.open(), *(self.take(march(number)) for number in range(1, count))]


def end_of(new: NewCommit) -> Origin:
    """Return the origin of a fork that leaves a match after a commit."""
    return Origin(new.match, new.last, new.hash)
