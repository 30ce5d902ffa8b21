"""The position of a moment of a match, as one file that opens the same table again.

What it holds is taken from the table, and from the events only who has ever seen a piece and the arguments of a question, which the
table does not keep. So a position that is made of what a seat saw holds nothing else.
"""

from collections.abc import Iterable, Iterator, Mapping

from core.bots.sampler import Deals
from core.bots.world import RandomChance
from core.components.inventory import Inventory
from core.engine.decision import Rules
from core.engine.option_by_chance import Below
from core.errors import KernelError
from core.position_files.audiences import Audiences, audiences_of, in_order
from core.positions.position import FORMAT, Element, Lasting, PlacedPiece, Position
from core.secrets.knowledge import Hidden
from events.ids import NO_SIDE, Seat, Side
from events.vocabulary import Event
from projections.state.table import GamePart, Open, Table


class NoPosition(KernelError):
    """A moment of a match of which there is no position; the message says why."""


def saved_position(
    events: Iterable[Event],
    plays: Mapping[Seat, Side],
    *,
    table: Table | None = None,
    title: str = "",
    source: str = "",
) -> Position:
    """Return the position after some events.

    Args:
        events: All events that are known, from the first on.
        plays: The sides of the seats for which the mode settles them.
        table: The table if it is not what follows from the events: with what is not known dealt.
        title: The title of the position, for people.
        source: Where it comes from, for people.

    Raises:
        NoPosition: Play has not begun, or it is over.
    """
    hidden = Hidden(events)
    at = hidden.table if table is None else table
    check_moment(hidden.table)
    audiences = audiences_of(event for _, event in hidden.trail)
    piles = {name: pile for name, pile in at.piles.items() if pile.cards}
    return Position(
        format=FORMAT,
        game=at.game,
        edition=at.edition,
        scenario=at.scenario,
        mode=at.mode,
        title=title,
        source=source,
        options=at.options,
        plays={seat: side for seat, side in at.plays.items() if plays.get(seat, NO_SIDE) != side},
        round=at.round,
        turn=at.turn,
        turn_seat=at.turn_seat,
        phase=at.phase,
        tracks={track: number for track, number in at.tracks.items() if number},
        pieces=tuple(_pieces(at, audiences)),
        control={place: side for place, side in at.control.items() if side},
        markers=at.markers,
        attributes=at.attributes,
        piles={name: pile.cards for name, pile in piles.items()},
        pile_known_to={name: seats for name in piles if (seats := audiences.piles.get(name)) is not None},
        terms=tuple(
            [
                Lasting(one.on, one.key, one.until, one.depth, one.names_pieces, one.seen_by)
                for one in sorted(at.terms, key=lambda one: (one.depth, one.on, one.key))
            ]
        ),
        stack=tuple([_element(one, audiences) for one in at.stack]),
    )


def check_moment(table: Table) -> None:
    """Check that there is a position of a moment.

    Raises:
        NoPosition: Play has not begun, or it is over.
    """
    if not table.began:
        raise NoPosition("play has not begun, so that there is no table yet: `wardiary new` begins with the same one")
    if table.ended is not None:
        raise NoPosition("the match is over, so that nobody has to decide: name an earlier event, as MATCH@SEQ")
    if table.top is None or not table.top.seat:
        raise NoPosition("nobody has to decide here: name another event, as MATCH@SEQ")


def dealt(rules: Rules, inventory: Inventory, seen: Iterable[Event], below: Below) -> Table:
    """Return a table that may be the true one by what a seat has seen; what it does not know is dealt.

    Raises:
        NoPosition: It cannot be dealt.
    """
    try:
        return Deals(rules, inventory, Hidden(seen)).deal(RandomChance(below))
    except KernelError as error:
        raise NoPosition(f"there is no position for this seat here: {error}") from None


def _pieces(table: Table, audiences: Audiences) -> Iterator[PlacedPiece]:
    """Yield the pieces, place by place in the order of their arrival."""
    for there in table.at.values():
        for name in there:
            piece, known_to = table.pieces[name], table.known_to.get(name)
            seen_by = known_to
            if known_to is not None:
                ever = audiences.pieces.get(name, known_to)
                seen_by = in_order(table.seats if ever is None else (*ever, *known_to), table.seats)
            yield PlacedPiece(
                piece.id,
                piece.place,
                piece.kind,
                piece.side,
                piece.face,
                piece.steps,
                known_to,
                None if seen_by is None or known_to is None or {*seen_by} == {*known_to} else seen_by,
            )


def _element(one: Open, audiences: Audiences) -> Element:
    asked = audiences.questions.get(one.kind) if one.seat else None
    return Element(
        one.kind,
        one.seat,
        one.step,
        one.arguments,
        None if asked is None else asked.seen_by,
        one.picked,
        one.places,
        one.picks_seen_by,
    )


def differences(table: GamePart, other: GamePart) -> list[str]:
    """Return the fields in which two states of a game differ; empty places, piles and values do not count."""
    return [name for name in GamePart.__struct_fields__ if _plain(table, name) != _plain(other, name)]


def _plain(table: GamePart, name: str) -> object:
    value = getattr(table, name)
    match name:
        case "at" | "markers" | "attributes" | "tracks" | "control":
            return {key: one for key, one in value.items() if one}
        case "piles":
            return {key: one for key, one in value.items() if one.count}
        case "terms":
            return sorted(value, key=lambda one: (one.on, one.key))
        case _:
            return value
