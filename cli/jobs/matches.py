"""List matches, and a match among its forks."""

from cli.columns import in_columns
from cli.shapes.matches import MatchShape
from cli.sight import parse_point
from cli.world import World
from core.match import find_match, table_at
from events.commit import decode_commit
from events.ids import PUBLIC, MatchId
from events.log import Log
from events.vocabulary import MatchForked
from projections.catalogue import CatalogueEntry, catalogue_entry, family
from projections.table import Table
from projections.view import SeatView


def list_matches(world: World) -> None:
    """List the matches of the store, in the order of their opening."""
    if not world.store.exists() and not world.is_store_named:
        world.note("no match has been played yet; `wardiary games` shows what there is to play")
        return
    entries = catalogue(world.log)
    if world.is_json:
        for entry in entries:
            world.emit(match_shape(entry))
        return
    rows = [[entry.match, _what(entry), standing(entry), str(entry.seq), _origin(entry)] for entry in entries]
    for line in in_columns(["Match", "Game", "Stands", "Events", "Fork of"], rows, max(world.width, 110), right=[3]):
        world.say(line)


def show_tree(world: World, match: str) -> None:
    """Show the family of a match: its root, and each fork below its parent.

    Raises:
        UnknownMatch: There is no such match.
    """
    log = world.log
    asked = find_match(log, parse_point(match)[0])
    for branch in family(catalogue(log), asked):
        entry = branch.entry
        left = f"after event {entry.forked_at}: " if branch.depth else ""
        mark = "  <- this one" if entry.match == asked else ""
        line = (
            f"{'    ' * branch.depth}{left}{entry.match}  {_what(entry)}, {standing(entry)}, {entry.seq} events{mark}"
        )
        world.put(match_shape(entry, branch.depth), [line])


def catalogue(log: Log) -> list[CatalogueEntry]:
    """Return every match of a store at a glance."""
    return [
        catalogue_entry(match, table, _forked(log, match, table))
        for match, table in ((match, table_at(log, match, log.head(match).seq)) for match in log.matches())
    ]


def _forked(log: Log, match: MatchId, table: Table) -> MatchForked | None:
    """Return the fact that made a match a fork, the first of its own stream, as the public sees it."""
    origin = log.origin(match)
    if origin is None:
        return None
    commit = decode_commit(next(iter(log.read(match, origin.seq, origin.seq + 1))).body)
    seen = SeatView.after(table, PUBLIC, origin.seq).take(commit.events, commit.at, commit.last)
    fact = None if seen is None else seen.events[0]
    return fact if isinstance(fact, MatchForked) else None


def match_shape(entry: CatalogueEntry, depth: int = 0) -> MatchShape:
    """Turn an entry of the catalogue into what is put out."""
    return MatchShape(
        match=entry.match,
        game=entry.game,
        scenario=entry.scenario,
        mode=entry.mode,
        seats=entry.seats,
        players=entry.players,
        dice=entry.dice,
        began=entry.began,
        round=entry.round,
        turn=entry.turn,
        phase=entry.phase,
        ended=entry.ended,
        seq=entry.seq,
        parent=entry.parent,
        forked_at=entry.forked_at,
        depth=depth,
    )


def _what(entry: CatalogueEntry) -> str:
    return " ".join(word for word in (entry.game, entry.scenario, entry.mode, f"({entry.dice} dice)") if word)


def standing(entry: CatalogueEntry) -> str:
    """Say in a few words how a match stands."""
    if entry.ended is not None:
        return entry.ended.result
    if not entry.began:
        free = len(entry.seats) - len(entry.players)
        return f"waits for {free} player{'' if free == 1 else 's'}" if free else "waits to begin"
    return f"round {entry.round}, {entry.phase.replace('_', ' ') or entry.turn}"


def _origin(entry: CatalogueEntry) -> str:
    return f"{entry.parent}@{entry.forked_at}" if entry.parent else ""
