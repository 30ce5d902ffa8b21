"""Declarations of a game's attributes: each with its key, its type and its lifetime, in one place.

The rules of a game read and write its attributes only through these, and positions are checked and set up with them.
"""

from typing import Generic, TypeVar

from typing_extensions import override

from core.engine.draft import Draft
from events.ids import TABLE, AttributeKey, RuleId, Seat
from events.vocabulary import Lifetime, Modifier, Value
from projections.state.table import Table

V = TypeVar("V", bound=Value)

KINDS: dict[type[object], str] = {
    str: "a text",
    int: "a number",
    bool: "true",
    tuple: "a sorted list of texts, each once",
}
"""The names of the types of values in messages."""


class Declared:
    """An attribute that the rules of a game declare, with values of any type.

    Args:
        key: Its key on the table.
        kind: The type of its values. The only value of a `bool` is `True`; False is the absence of the attribute.
        until: The event of the sequence of play until which it lasts.
        within: The kinds of stack elements with which it ends instead: with the topmost element of these kinds.
        is_ordered: The order of a list matters, so the list is not sorted.
        may_be_negative: A number may be below 0.
        names_pieces: The value is the id of a piece, or lists such ids. A piece that leaves the table is dropped from the value.
        owners: The groups of things that can have it; see `core.components.inventory.Memory`.
        refers: The groups of the things that its values name, if they name any.
        words: The values of a text; empty if it may be any.
    """

    __slots__ = (
        "is_ordered",
        "key",
        "kind",
        "may_be_negative",
        "names_pieces",
        "owners",
        "refers",
        "until",
        "within",
        "words",
    )

    def __init__(
        self,
        key: str,
        kind: type[object],
        *,
        until: Lifetime = "",
        within: tuple[str, ...] = (),
        is_ordered: bool = False,
        may_be_negative: bool = False,
        names_pieces: bool = False,
        owners: tuple[str, ...] = (TABLE,),
        refers: tuple[str, ...] = (),
        words: tuple[str, ...] = (),
    ) -> None:
        self.key = AttributeKey(key)
        self.kind = kind
        self.is_ordered = is_ordered
        self.may_be_negative = may_be_negative
        self.names_pieces = names_pieces
        self.owners = owners
        self.refers = refers
        self.words = words
        self.until: Lifetime = until
        self.within = within

    def on(self, table: Table) -> list[str]:
        """Return the ids that have this attribute, sorted."""
        return sorted([on for on, there in table.attributes.items() if self.key in there])

    def forget(self, draft: Draft, on: str, rule: RuleId) -> None:
        """Remove the attribute from something; do nothing if it has none."""
        draft.remove_attribute(on, self.key, rule)

    def accepts(self, value: Value) -> bool:
        """Return whether a value is of the declared type and range.

        A list has no duplicates, and is sorted unless its order matters.
        """
        if self.kind is bool:
            return value is True
        if self.kind is int:
            return type(value) is int and (self.may_be_negative or value >= 0)
        if self.kind is tuple:
            if not isinstance(value, tuple) or len(set(value)) < len(value):
                return False
            return self.is_ordered or list(value) == sorted(value)
        return isinstance(value, self.kind) and (not self.words or value in self.words)

    def put(
        self,
        draft: Draft,
        on: str,
        value: Value,
        rule: RuleId,
        *,
        seen_by: tuple[Seat, ...] | None = None,
        parts: tuple[Modifier, ...] | None = None,
    ) -> None:
        """Set a value of the declared type; see `Draft.set_attribute`."""
        assert self.accepts(value), f"{self.key} cannot be {value!r}"
        draft.set_attribute(
            on,
            self.key,
            value,
            rule,
            until=self.until,
            within=self._owner(draft.table),
            names_pieces=self.names_pieces,
            seen_by=seen_by,
            parts=parts,
        )

    def _owner(self, table: Table) -> str:
        """Return the kind of the stack element with which a value set now ends; empty if there is none."""
        if not self.within:
            return ""
        for element in reversed(table.stack):
            if element.kind in self.within:
                return element.kind
        raise AssertionError(f"{self.key} is set within {' or '.join(self.within)}, which is not on the stack")


class Attribute(Declared, Generic[V]):
    """A declared attribute with values of type `V`."""

    __slots__ = ()

    def of(self, table: Table, on: str = TABLE) -> V | None:
        """Return the value of the attribute of something, or None."""
        # Rules read attributes many times for each command, and a call of `cast` takes as long as the look-up.
        there = table.attributes.get(on)
        return None if there is None else there.get(self.key)  # type: ignore[return-value]

    def all_with(self, table: Table, value: V) -> list[str]:
        """Return the ids of what has a value of the attribute, in no particular order."""
        key = self.key
        return [on for on, there in table.attributes.items() if there.get(key) == value]

    def set(
        self,
        draft: Draft,
        on: str,
        value: V,
        rule: RuleId,
        *,
        seen_by: tuple[Seat, ...] | None = None,
        parts: tuple[Modifier, ...] | None = None,
    ) -> None:
        """Remember a value of something; see `Draft.set_attribute`."""
        self.put(draft, on, value, rule, seen_by=seen_by, parts=parts)


class Number(Attribute[int]):
    """A declared number that is 0 where it is absent; see `Declared`."""

    __slots__ = ()

    def __init__(
        self,
        key: str,
        *,
        until: Lifetime = "",
        within: tuple[str, ...] = (),
        may_be_negative: bool = False,
        owners: tuple[str, ...] = (TABLE,),
    ) -> None:
        super().__init__(key, int, until=until, within=within, may_be_negative=may_be_negative, owners=owners)

    @override
    def of(self, table: Table, on: str = TABLE) -> int:
        """Return the number of something, 0 if it has none."""
        return super().of(table, on) or 0

    def add(self, draft: Draft, on: str, rule: RuleId, more: int = 1) -> None:
        """Add to the number of something."""
        self.set(draft, on, self.of(draft.table, on) + more, rule)


def shown_value(value: Value) -> str:
    """Return a value as TOML, for messages."""
    return (
        str(list(value)) if isinstance(value, tuple) else str(value).lower() if isinstance(value, bool) else repr(value)
    )
