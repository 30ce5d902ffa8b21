"""Parts of an option beside its sentence: its sort with its heading, who, from where, to where, what comes of it, and whether it ends the step."""

from collections import Counter
from collections.abc import Iterable, Iterator

from core.engine.command import Command
from core.game.bound_game import BoundGame
from core.legal.legal_options import ends_step
from core.narration.told_option import Told
from core.telling.names import Names
from core.telling.phrases import counted_alike, listed
from events.codec import Struct, decode_plain, replace, tag_of
from events.ids import PieceId, PlaceId
from projections.state.seating import decider
from projections.state.table import Open, Table

COMMAND = "command"
"""The printed headings of sorts of commands stand under `command:SORT`."""


class OptionParts(Struct, frozen=True, omit_defaults=True, rename={"start": "from"}, gc=False):
    """An option in parts; the words that it has none of are empty.

    `kind` is the heading of its sort, `who` names the pieces, cards or other things that it is about, `start` (in JSON `from`) where these
    are and `to` the other places that it names. `consequence` is what it costs, begins or leads to, in the words with which its sentence ends. One that
    `ends` is done with the open question or passes in it. `group` is what the option is for, where others of the question are for something else.
    """

    kind: str = ""
    who: str = ""
    start: str = ""
    to: str = ""
    consequence: str = ""
    ends: bool = False
    group: str = ""


class OptionKind(Struct, frozen=True, omit_defaults=True, gc=False):
    """A sort of commands that the open question offers: its heading, how many options it has, and if it has none now, why."""

    kind: str
    count: int = 0
    why: str = ""


NO_PARTS = OptionParts()


def told_options(bound: BoundGame, table: Table, options: Iterable[Command]) -> list[tuple[str, OptionParts]]:
    """Return commands of the seat to which the open question is put in words, each with its parts."""
    names = _names(bound, table)
    told = [(option, bound.narration.told(table, option)) for option in options]
    return [(said.words, _parts(bound, names, option, said)) for option, said in told]


def _names(bound: BoundGame, table: Table) -> Names:
    """Return the names of a match on a table as the seat knows it to which the open question is put.

    A command of that seat may be about pieces of which it does not know what they are.
    """
    seat = decider(table)
    unknown = [piece for piece, seats in table.known_to.items() if seat not in seats and piece in table.pieces]
    known = table.clone() if unknown else table
    for piece in unknown:
        known.pieces[piece] = replace(known.pieces[piece], kind="", face="", steps=0)
    return Names(bound.narration).on(known)


def _parts(bound: BoundGame, names: Names, command: Command, told: Told) -> OptionParts:
    table = names.table
    ends = ends_step(bound.rules, table, command)
    who: list[str] = []
    met: set[str] = set()
    start: dict[str, None] = {}
    to: dict[str, None] = {}
    meant = bound.narration.pieces_meant(table, command)
    for id_ in _ids(command):
        if names.is_on_map(id_) and id_ in met:
            # Who fires from a place at what is there names it twice.
            continue
        met.add(id_)
        pieces = (PieceId(id_),) if PieceId(id_) in table.pieces else meant.get(id_, ())
        start |= dict.fromkeys([place for one in pieces if (place := _place(names, one))])
        called = list(map(names.of, pieces))
        if not names.is_on_map(id_) and any(name in names.of(id_) for name in called):
            # A class of like pieces is called like one of them.
            who.append(names.of(id_))
            continue
        who += called
        if called or names.is_on_map(id_):
            to[names.anything(id_)] = None
        elif names.has_name(id_):
            who.append(names.of(id_))
    origin = list(map(names.anything, start))
    return OptionParts(
        kind="" if ends else heading_of_sort(sort_of(command), names),
        who=listed(counted_alike(who)),
        start=listed(origin),
        to=listed([place for place in to if place not in origin]),
        consequence=told.consequence,
        ends=ends,
        group=told.group,
    )


def option_kinds(bound: BoundGame, table: Table, asked: Open) -> tuple[OptionKind, ...]:
    """Return the sorts of the options of a question in the order of their use, with those that are not possible now; what ends the step is of none.

    Args:
        bound: The game on its board.
        table: The table, with the question on top.
        asked: The question.
    """
    names, sorts = Names(bound.narration), bound.narration.sorts(table, asked)
    why = {sort_of(command): words for command, words in sorts}
    left = [option for option in bound.rules.options(table) if not ends_step(bound.rules, table, option)]
    counts = {**dict.fromkeys(why, 0), **Counter(map(sort_of, left))}
    return tuple(
        [
            OptionKind(heading_of_sort(sort, names), count, "" if count else why[sort])
            for sort, count in counts.items()
            if count or why[sort]
        ]
    )


def _ids(command: Command) -> Iterator[str]:
    """Yield the texts of a command, in its order."""
    for name in command.__struct_fields__:
        value = getattr(command, name)
        yield from filter(None, (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ())


def _place(names: Names, piece: PieceId) -> PlaceId | None:
    """Return the place of the map where a piece is."""
    place = names.table.ground(names.table.pieces[piece].place) if piece in names.table.pieces else None
    return place if place is not None and names.is_on_map(place) else None


# Sorts of commands, as headings of options


def sort_of_command(command: bytes) -> str:
    """Return which sort of command this is, in the words of the command."""
    return _in_words(sort_in(command))


def heading_of(command: bytes, names: Names) -> str:
    """Return the heading of options of a sort: the printed one if the game has one, or else the words of the command."""
    return heading_of_sort(sort_in(command), names)


def heading_of_sort(sort: str, names: Names) -> str:
    """Return the heading of a sort; see `heading_of`."""
    key = f"{COMMAND}:{sort}"
    printed = names.narration.name(key)
    return _in_words(sort) if printed == key else printed


def sort_of(command: Command | type[Command]) -> str:
    """Return the sort of a command, or of a type of commands."""
    return tag_of(command if isinstance(command, type) else type(command)).rpartition(":")[2]


def sort_in(command: bytes) -> str:
    """Return the sort of a command that is JSON."""
    plain = decode_plain(command)
    assert isinstance(plain, dict), "a command is an object"
    return str(plain["do"]).rpartition(":")[2]


def _in_words(sort: str) -> str:
    return sort.replace("-", " ").title()
