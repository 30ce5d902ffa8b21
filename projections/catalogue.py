"""The catalogue: one line about each match, and the family tree of forks."""

from collections.abc import Iterable

from events.codec import Struct
from events.ids import PUBLIC, GameKey, MatchId, Seat
from events.vocabulary import ChanceScheme, MatchForked
from projections.table import Ended, Table
from projections.view import seat_number


class CatalogueEntry(Struct, frozen=True):
    """One match at a glance.

    `parent` is empty unless the match is a fork, which left it after event `forked_at`. `players` maps the taken seats to
    the names of those who sit there. `seq` counts the events that the public sees. Of a match that is damaged only its id is
    known, where it left its parent as far as the store lists it, and the `problem`, one line; all others have none.
    """

    match: MatchId
    game: GameKey
    scenario: str
    mode: str
    seats: tuple[Seat, ...]
    players: dict[Seat, str]
    dice: str
    began: bool
    round: int
    turn: Seat
    phase: str
    ended: Ended | None
    seq: int
    parent: MatchId = MatchId("")
    forked_at: int = 0
    problem: str = ""


def damaged_entry(match: MatchId, problem: str, parent: str = "", forked_at: int = 0) -> CatalogueEntry:
    """Say of a match that it is there and cannot be looked at.

    Args:
        match: Its id.
        problem: Why not, in one line; not empty.
        parent: The match that it was forked from, as far as that is known.
        forked_at: After which event.
    """
    return CatalogueEntry(
        match=match,
        game=GameKey(""),
        scenario="",
        mode="",
        seats=(),
        players={},
        dice="",
        began=False,
        round=0,
        turn=Seat(""),
        phase="",
        ended=None,
        seq=0,
        parent=MatchId(parent),
        forked_at=forked_at,
        problem=problem,
    )


def catalogue_entry(match: MatchId, table: Table, fork: MatchForked | None) -> CatalogueEntry:
    """Say at a glance what a match is and how it stands.

    Args:
        match: Its id.
        table: At its head.
        fork: The fact that made it a fork, if it is one.
    """
    return CatalogueEntry(
        match=match,
        game=table.game,
        scenario=table.scenario,
        mode=table.mode,
        seats=table.seats,
        players=table.players,
        dice=dice_name(table.chance),
        began=table.began,
        round=table.round,
        turn=table.turn,
        phase=table.phase,
        ended=table.ended,
        seq=seat_number(table, PUBLIC, table.seq),
        parent=MatchId("") if fork is None else fork.parent,
        forked_at=0 if fork is None else fork.at,
    )


def dice_name(chance: ChanceScheme) -> str:
    """Return what a source of dice is called; only of the known version is the version left out."""
    return chance.scheme.removesuffix("/1") or "unknown"


class Branch(Struct, frozen=True):
    """A match in the tree of forks, `depth` steps below the one at the root."""

    depth: int
    entry: CatalogueEntry


def family(entries: Iterable[CatalogueEntry], match: MatchId) -> list[Branch]:
    """Return the whole family of a match, the root first, each fork below its parent in the order of leaving it."""
    known = {entry.match: entry for entry in entries}
    root = known[match]
    ancestors = {match}
    # A forger may let two matches be forks of each other.
    while root.parent in known and root.parent not in ancestors:
        root = known[root.parent]
        ancestors.add(root.match)
    children: dict[MatchId, list[CatalogueEntry]] = {}
    for entry in known.values():
        if entry.match == root.match:
            continue
        children.setdefault(entry.parent, []).append(entry)
    branches: list[Branch] = []
    waiting = [Branch(0, root)]
    while waiting:
        branch = waiting.pop()
        branches.append(branch)
        # Taken out, so that none is met twice.
        forks = sorted(children.pop(branch.entry.match, []), key=lambda entry: (entry.forked_at, entry.match))
        waiting += [Branch(branch.depth + 1, entry) for entry in reversed(forks)]
    return branches
