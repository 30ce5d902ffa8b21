"""Positions of any moment of a match, in any game: they state the stack of open questions and sequences too.

A game reads its other positions itself, at the moments that it knows, and fills in what they leave out. A position with a stack leaves
nothing out, so that the kernel sets it up, event by event, and no game has to know how.
"""

from collections.abc import Iterator
from contextlib import suppress

from core.chance.chance_sources import seeded
from core.components.inventory import Inventory
from core.engine.attributes import Declared
from core.engine.command import Command
from core.engine.decision import Rules
from core.engine.draft import Draft
from core.engine.draft_chance import MatchOver
from core.engine.selection import onward
from core.positions.inventory_checks import moment_defects, position_defects, table_defects
from core.positions.position import Defect, Element, Lasting, Position, place_known, put_markers
from core.suggestions import unknown
from core.toml.toml_lines import Path
from events.ids import NO_SEAT, AttributeKey, RuleId, Seat
from events.vocabulary import ItemPicked
from projections.state.table import Open, Table

STATED = RuleId("match.position")
TRIED = 8
"""How many of the options of a position are tried, each on a copy of the table."""


def set_up_any_moment(draft: Draft, position: Position) -> None:
    """Set the table up exactly as a position with a stack states it."""
    if position.round:
        draft.begin_round(position.round, STATED)
    if position.turn:
        draft.begin_turn(position.turn, STATED, seat=position.turn_seat)
    if position.phase:
        draft.begin_phase(position.phase, STATED)
    for place, side in position.control.items():
        draft.control(place, side, STATED)
    for piece in position.pieces:
        place_known(draft, piece, STATED, kind=piece.kind, side=piece.side, face=piece.face, steps=piece.steps)
    put_markers(draft, position.markers, STATED)
    for track, number in position.tracks.items():
        draft.track(track, number, STATED)
    for pile, cards in position.piles.items():
        draft.form(pile, cards, STATED, seen_by=position.pile_known_to.get(pile))
    terms = {(one.on, one.key): one for one in position.terms}
    _remember(draft, position, terms, 0)
    for depth, element in enumerate(position.stack, start=1):
        _push(draft, element)
        _remember(draft, position, terms, depth)
    for pick in Open("", NO_SEAT, {}, position.stack[-1].picked, position.stack[-1].places).picks:
        draft.emit(ItemPicked(rule=STATED, item=pick[0], to=pick[1], seen_by=position.stack[-1].picks_seen_by))


def _push(draft: Draft, element: Element) -> None:
    if element.seat:
        draft.ask(element.kind, element.seat, STATED, element.arguments, seen_by=element.seen_by)
    else:
        draft.begin_sequence(element.kind, element.step, STATED, element.arguments)


def _remember(draft: Draft, position: Position, terms: dict[tuple[str, AttributeKey], Lasting], depth: int) -> None:
    """Set the attributes that end with an element of the stack, or those that end with none."""
    within = position.stack[depth - 1].kind if depth else ""
    for on, there in position.attributes.items():
        for key, value in there.items():
            lasting = terms.get((on, key), Lasting(on, key))
            if lasting.depth == depth:
                draft.set_attribute(
                    on,
                    key,
                    value,
                    STATED,
                    until=lasting.until,
                    within=within,
                    names_pieces=lasting.names_pieces,
                    seen_by=lasting.seen_by,
                )


def any_moment_defects(rules: Rules, inventory: Inventory, position: Position, opened: Table) -> tuple[Defect, ...]:
    """Return every defect of a position with a stack; empty if it can be played.

    Args:
        rules: The rules of the game.
        inventory: What is in play in the scenario and with the options of the position.
        position: The position.
        opened: The table of the match before it is set up.
    """
    found = (
        *position_defects(inventory, position),
        *_moment(position, opened),
        *moment_defects(inventory, position),
        *_seats(position, opened),
        *_stack(rules, position),
        *_terms(inventory, position),
    )
    return found or tuple(_played(rules, inventory, position, opened))


def _moment(position: Position, opened: Table) -> Iterator[Defect]:
    if position.decision is not None:
        yield Defect(("decision",), "a position with a stack names its open question there, and no decision")
    if position.turn and position.turn not in opened.sides:
        yield Defect(("turn",), unknown("side that can have the turn", position.turn, list(opened.sides)))
    if position.round < 0:
        yield Defect(("round",), f"round is {position.round}; it can be 0 or more")


def _seats(position: Position, opened: Table) -> Iterator[Defect]:
    """Yield where a seat is named that the match does not have."""
    named: list[tuple[Path, tuple[Seat, ...]]] = []
    if position.turn_seat:
        named.append((("turn_seat",), (position.turn_seat,)))
    for number, element in enumerate(position.stack):
        path: Path = ("stack", number)
        if element.seat:
            named.append(((*path, "seat"), (element.seat,)))
        named.append(((*path, "seen_by"), element.seen_by or ()))
        named.append(((*path, "picks_seen_by"), element.picks_seen_by or ()))
    for number, lasting in enumerate(position.terms):
        named.append((("terms", number, "seen_by"), lasting.seen_by or ()))
    for pile, seats in position.pile_known_to.items():
        named.append((("pile_known_to", pile), seats))
    for path, seats in named:
        for seat in seats:
            if seat not in opened.seats:
                yield Defect(path, unknown("seat of this match", seat, list(opened.seats)))


def _stack(rules: Rules, position: Position) -> Iterator[Defect]:
    """Yield what no stack of this game holds."""
    for number, element in enumerate(position.stack):
        path: Path = ("stack", number)
        is_top = number == len(position.stack) - 1
        if element.seat and element.step:
            yield Defect((*path, "step"), f"{element.kind} is a question, which has no step")
        elif not rules.knows(Open(element.kind, element.seat, element.arguments, step=element.step)):
            what = (
                f"question {element.kind!r}"
                if element.seat
                else f"step {element.step!r} of a sequence {element.kind!r}"
            )
            yield Defect((*path, "kind"), f"the game has no {what}")
        if is_top and not element.seat:
            yield Defect(path, f"the last of the stack must be a question for a seat, not the sequence {element.kind}")
        if element.picked and not (is_top and element.seat):
            yield Defect((*path, "picked"), "items are picked for the last question of the stack only")
        if element.places and len(element.places) != len(element.picked):
            yield Defect((*path, "places"), "each item that is picked needs one place, or none has one")
        if list(element.picked) != sorted(element.picked):
            yield Defect((*path, "picked"), "what is picked must be sorted")


def _terms(inventory: Inventory, position: Position) -> Iterator[Defect]:
    """Yield terms that the attribute cannot have."""
    declared = {one.key: one for there in inventory.memory.of.values() for one in there}
    stated = {(on, key) for on, there in position.attributes.items() for key in there}
    listed = {(one.on, one.key) for one in position.terms}
    if len(listed) < len(position.terms):
        yield Defect(("terms",), "the terms of an attribute are stated twice")
    for number, lasting in enumerate(position.terms):
        path = ("terms", number)
        if (lasting.on, lasting.key) not in stated:
            yield Defect(path, f"{lasting.on} has no attribute {lasting.key}")
        elif not 0 <= lasting.depth <= len(position.stack):
            yield Defect((*path, "depth"), f"depth is {lasting.depth}; the stack has {len(position.stack)} elements")
        elif (known := declared.get(lasting.key)) is not None:
            yield from _against(known, lasting, position, number)
    for on, key in sorted(stated - listed):
        known = declared.get(key)
        if known is not None and (known.until or known.within or known.names_pieces):
            yield Defect(("attributes", on, key), f"terms must say how long the attribute {key} of {on} lasts")


def _against(known: Declared, lasting: Lasting, position: Position, number: int) -> Iterator[Defect]:
    """Yield how the terms of an attribute differ from its declaration."""
    path, within = ("terms", number), position.stack[lasting.depth - 1].kind if lasting.depth else ""
    if lasting.until != known.until:
        yield Defect((*path, "until"), f"{lasting.key} lasts until {known.until!r}, not {lasting.until!r}")
    if lasting.names_pieces != known.names_pieces:
        yield Defect(
            (*path, "names_pieces"), f"names_pieces of {lasting.key} must be {str(known.names_pieces).lower()}"
        )
    if (within or known.within) and within not in known.within:
        ends = f"ends with {' or '.join(known.within)}" if known.within else "ends with no element of the stack"
        yield Defect((*path, "depth"), f"{lasting.key} {ends}, not with {within or 'nothing'}")


def _played(rules: Rules, inventory: Inventory, position: Position, opened: Table) -> Iterator[Defect]:
    """Yield why the rules cannot go on from a position: it is set up, and some options are tried, on copies of the table."""
    top = ("stack", len(position.stack) - 1)
    try:
        draft = Draft(opened.clone(), seeded("any"))
        set_up_any_moment(draft, position)
        arrangement = table_defects(inventory, draft.table, is_settled=False)
        options = [] if arrangement else rules.options(draft.table)
        for option in onward(options)[:TRIED]:
            _try(rules, draft.table, option)
    except Exception as error:  # noqa: BLE001 - Rules at a table that no match leads to may fail in any way.
        yield Defect(top, f"the rules cannot go on from this table ({type(error).__name__})")
        return
    for problem in arrangement:
        yield Defect(("pieces",), problem)
    if not arrangement and not options:
        yield Defect(top, f"the question {position.stack[-1].kind} leaves nothing to choose")


def _try(rules: Rules, table: Table, option: Command) -> None:
    """Take an option on a copy of the table."""
    draft = Draft(table.clone(), seeded("any"))
    with suppress(MatchOver):
        rules.take(draft, option)
