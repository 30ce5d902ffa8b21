"""List matches, and a match among its forks."""

from collections.abc import Iterable

from cli.columns import in_columns
from cli.faults import BROKEN, Fault
from cli.shapes.matches import MatchShape
from cli.sight import parse_point
from cli.words import spoken
from cli.world import World
from core.kept import DAMAGE, find_match, summaries
from core.printed import printed_words
from events.errors import UnknownMatch
from events.ids import MatchId
from events.log import Log
from projections.catalogue import CatalogueEntry, Summary, catalogue_entry, damaged_entry, family

_HEADINGS = ("Match", "Game", "Stands", "Events", "Fork of")


def list_matches(world: World) -> None:
    """List the matches of the store, in the order of their opening.

    Raises:
        Fault: Some are damaged; each is named, after all were listed.
    """
    if not world.store.exists() and not world.is_store_named:
        world.note("no match has been played yet; `wardiary games` shows what there is to play")
        return
    entries = catalogue(world.log)
    if world.is_json:
        for entry in entries:
            world.emit(match_shape(entry))
    else:
        for line in in_columns(_HEADINGS, [_row(entry) for entry in entries], max(world.width, 110), right=[3]):
            world.say(line)
    _name_damaged(entries)


def show_tree(world: World, match: str) -> None:
    """Show the family of a match: its root, and each fork below its parent.

    Raises:
        UnknownMatch: There is no such match.
        Fault: Some of them are damaged; each is named, after all were shown.
    """
    log = world.log
    asked = find_match(log, parse_point(match)[0])
    branches = family(catalogue(log), asked)
    for branch in branches:
        entry = branch.entry
        left = f"after event {entry.forked_at}: " if entry.parent else ""
        mark = "  <- this one" if entry.match == asked else ""
        told = f"{_what(entry)}, {standing(entry)}, {entry.seq} events" if not entry.problem else _damaged(entry)
        line = f"{'    ' * branch.depth}{left if branch.depth else ''}{entry.match}  {told}{mark}"
        world.put(match_shape(entry, branch.depth), [line])
    _name_damaged([branch.entry for branch in branches])


def _name_damaged(entries: Iterable[CatalogueEntry]) -> None:
    """Name every damaged match.

    Raises:
        Fault: There are some.
    """
    damaged = [f"match {entry.match}, {entry.problem}" for entry in entries if entry.problem]
    if damaged:
        count = "one match is" if len(damaged) == 1 else f"{len(damaged)} matches are"
        raise Fault(f"{count} damaged: {'; '.join(damaged)}", BROKEN, "evidence_broken", defects=damaged)


def catalogue(log: Log) -> list[CatalogueEntry]:
    """Return every match of a store at a glance, the damaged ones too."""
    return [_entry(log, match, told) for match, told in summaries(log)]


def _entry(log: Log, match: MatchId, told: Summary | str) -> CatalogueEntry:
    if not isinstance(told, str):
        return catalogue_entry(match, told)
    try:
        origin = log.origin(match)
    except (*DAMAGE, UnknownMatch):
        origin = None
    return damaged_entry(match, told) if origin is None else damaged_entry(match, told, origin.parent, origin.seq)


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
        problem=entry.problem,
    )


def _row(entry: CatalogueEntry) -> list[str]:
    if entry.problem:
        return [entry.match, _damaged(entry), "", "", _origin(entry)]
    return [entry.match, _what(entry), standing(entry), str(entry.seq), _origin(entry)]


def _damaged(entry: CatalogueEntry) -> str:
    return f"DAMAGED, {entry.problem}"


def _what(entry: CatalogueEntry) -> str:
    return " ".join(word for word in (entry.game, entry.scenario, entry.mode, f"({entry.dice} dice)") if word)


def standing(entry: CatalogueEntry) -> str:
    """Say in a few words how a match stands."""
    if entry.ended is not None:
        return entry.ended.result
    if not entry.began:
        free = len(entry.seats) - len(entry.players)
        return f"waits for {free} player{'' if free == 1 else 's'}" if free else "waits to begin"
    words = printed_words(entry.game)
    phase = words.get(entry.phase, spoken(entry.phase)) or words.get(entry.turn, entry.turn)
    return f"round {entry.round}, {phase}" if entry.round else phase or "begun"


def _origin(entry: CatalogueEntry) -> str:
    return f"{entry.parent}@{entry.forked_at}" if entry.parent else ""
