"""The part of the fold that sets attributes and removes them when their lifetime ends.

The event that sets an attribute holds its lifetime, so that the fold needs no rules to remove it.
"""

from collections.abc import Iterable

from events.codec import replace
from events.ids import AttributeKey, PieceId, Seat
from events.vocabulary import AttributeSet, HiddenDiceRolled
from projections.state.shared_names import shared
from projections.state.table import Table, Terms


def set_attribute(table: Table, event: AttributeSet) -> None:
    """Set an attribute, or remove it if the event has no value or its value is redacted."""
    on, key = shared(event.on), shared(event.key)
    there = table.attributes.get(on)
    # Only attributes that are there have terms.
    if table.terms and there is not None and key in there:
        table.terms = tuple([terms for terms in table.terms if terms.key != key or terms.on != on])
    if event.value is None:
        _forget(table, on, key)
        return
    table.attributes[on] = {key: event.value} if there is None else {**there, key: event.value}
    if event.until or event.within or event.names_pieces or event.seen_by is not None:
        depth = table.depth_of(event.within) if event.within else 0
        table.terms = (*table.terms, Terms(on, key, event.until, depth, event.names_pieces, event.seen_by))


def lie_on(table: Table, event: HiddenDiceRolled) -> None:
    """Let hidden dice lie on something, as its attribute."""
    faces = None if event.faces is None else shown(event.faces)
    set_attribute(table, AttributeSet(rule=event.rule, on=event.on, key=event.key, value=faces, seen_by=event.seen_by))


def shown(faces: Iterable[int]) -> str:
    """Return faces as the value of an attribute: a text in ascending order."""
    return " ".join(map(str, sorted(faces)))


def lapse(table: Table, event: str = "") -> None:
    """Remove the attributes that end with an event of the sequence of play, or with elements removed from the stack.

    Attributes bound to a step end only with a step of the topmost element: when a sequence advances, nothing is above it.
    """
    height = len(table.stack)
    ended = [
        terms
        for terms in table.terms
        if terms.depth > height or (event and terms.until == event and terms.depth in (0, height))
    ]
    if ended:
        table.terms = tuple([terms for terms in table.terms if terms not in ended])
        for terms in ended:
            _forget(table, terms.on, terms.key)


def _forget(table: Table, on: str, key: AttributeKey) -> None:
    there = table.attributes.get(on)
    if there is None or key not in there:
        return
    if len(there) == 1:
        del table.attributes[on]
    else:
        table.attributes[on] = {name: value for name, value in there.items() if name != key}


def forget_all(table: Table, on: str) -> None:
    """Remove all attributes of something that left the table."""
    if table.attributes.pop(on, None) is not None:
        table.terms = tuple([terms for terms in table.terms if terms.on != on])


def forget_piece(table: Table, piece: PieceId) -> None:
    """Drop a removed piece from the values that name pieces; an attribute that named only this piece is removed."""
    alone: list[Terms] = []
    for terms in table.terms:
        value = table.attributes[terms.on].get(terms.key) if terms.names_pieces else None
        if value == piece:
            alone.append(terms)
        elif isinstance(value, tuple) and piece in value:
            left = tuple([one for one in value if one != piece])
            table.attributes[terms.on] = {**table.attributes[terms.on], terms.key: left}
    if alone:
        table.terms = tuple([terms for terms in table.terms if terms not in alone])
        for terms in alone:
            _forget(table, terms.on, terms.key)


def confine(table: Table, on: str, keys: tuple[AttributeKey, ...], seen_by: tuple[Seat, ...] | None) -> None:
    """Record which seats know these attributes of something from now on."""
    there = table.attributes.get(on, {})
    for key in keys:
        if key in there:
            terms = table.terms_of(on, key)
            others = [other for other in table.terms if other is not terms]
            table.terms = (*others, replace(terms, seen_by=seen_by))


def forget(table: Table, on: str, keys: tuple[AttributeKey, ...]) -> None:
    """Remove these attributes of something."""
    if keys:
        table.terms = tuple([terms for terms in table.terms if terms.on != on or terms.key not in keys])
        for key in keys:
            _forget(table, on, key)
