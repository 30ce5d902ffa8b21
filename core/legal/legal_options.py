"""Lists legal commands: all options, or those about one piece or place."""

from collections.abc import Iterator, Sequence

from core.engine.command import Command
from core.engine.decision import Rules
from core.engine.decision_rules import DecisionRules
from core.engine.question import Question
from core.engine.selection import Done
from events.codec import Struct
from events.ids import NO_SEAT, PieceId, PlaceId
from projections.state.table import Open, Table


class Legal(Struct, frozen=True):
    """The legal commands of the topmost decision, as `numbered` ones.

    `options` are the requested ones, each with its number in the whole list (1-based), and `count` is the number of all options.
    If several items answer the decision, `minimum` and `maximum` are their number, `may_repeat` whether one of them may be picked
    more than once, and `picked` and `places` the picks so far; else all five are empty.
    """

    count: int = 0
    options: tuple[tuple[int, Command], ...] = ()
    minimum: int = 0
    maximum: int = 0
    may_repeat: bool = False
    picked: tuple[str, ...] = ()
    places: tuple[str, ...] = ()


def legal_commands(rules: Rules, table: Table, about: str = "") -> Legal:
    """Return the legal commands.

    Args:
        rules: The rules of the match.
        table: The table.
        about: A piece, a place or anything else that commands name; empty for all. A place includes the pieces in it, of which
            only the first of interchangeable ones is listed.
    """
    options = numbered(rules, table)
    found = list(_about(rules, table, options, about)) if about else options
    low, high = rules.bounds(table) or (0, 0)
    top = table.top or Open("", NO_SEAT)
    return Legal(len(options), tuple(found), low, high, rules.may_repeat(table), top.picked, top.places)


def numbered(rules: Rules, table: Table) -> list[tuple[int, Command]]:
    """Return the options of the topmost decision with their numbers, from 1: in the order of the rules, and last what ends the step."""
    options = sorted(rules.options(table), key=lambda option: ends_step(rules, table, option))
    return list(enumerate(options, start=1))


def ends_step(rules: Rules, table: Table, command: Command) -> bool:
    """Return whether a command is done with the open question or passes in it, rather than to choose something."""
    if isinstance(command, Done):
        return True
    decision = rules.kinds.get(table.top.kind) if isinstance(rules, DecisionRules) and table.top is not None else None
    return isinstance(decision, Question) and command == decision.decline


def between_decisions(number: int, before: int, after: int) -> str:
    """Return why nothing can be decided after an event: it is not the last one of its command.

    Args:
        number: The event.
        before: The last event before the command; 0 if there is none.
        after: The last event of the command.
    """
    either = f"{before} or {after}" if before else str(after)
    return f"event {number} lies in the middle of a command, when nothing is to decide; name event {either}"


def _about(
    rules: Rules, table: Table, options: Sequence[tuple[int, Command]], about: str
) -> Iterator[tuple[int, Command]]:
    """Yield the options about something, only the first of equivalent ones."""
    wanted = {about, *table.pieces_at(PlaceId(about))}
    piece = table.pieces.get(PieceId(about))
    # Where commands name classes of interchangeable pieces, those are about a piece that name its class and its place.
    like = None if piece is None else {piece.place, rules.equal_class(table, piece.id)}
    seen: set[tuple[object, ...]] = set()
    for number, command in options:
        fields = [getattr(command, name) for name in command.__struct_fields__]
        named = {name for field in fields for name in _names(field)}
        if not named & wanted and (like is None or not like <= named):
            continue
        alike = (type(command), *(_class(rules, table, field) if field != about else field for field in fields))
        if alike not in seen:
            seen.add(alike)
            yield number, command


def _names(field: object) -> tuple[str, ...]:
    """Return the ids that a field of a command names."""
    if isinstance(field, tuple):
        return field
    return (field,) if isinstance(field, str) else ()


def _class(rules: Rules, table: Table, field: object) -> object:
    """Return a field with its pieces replaced by the keys of interchangeable ones."""
    if isinstance(field, tuple):
        return tuple([_class(rules, table, one) for one in field])
    if isinstance(field, str) and PieceId(field) in table.pieces:
        return ("like", table.pieces[PieceId(field)].place, rules.equal_class(table, PieceId(field)))
    return field


def named_on(table: Table) -> set[str]:
    """Return every name that a table holds: pieces, what they are, places, sides, piles, cards and seats."""
    found: set[str] = {*table.pieces, *table.at, *table.control, *table.markers, *table.piles, *table.seats}
    for pile in table.piles.values():
        found.update(pile.cards)
    for piece in table.pieces.values():
        found.update((piece.kind, piece.face))
    return found
