"""Strategies for arbitrary events, made from the types of their fields; they need not be possible on a table."""

from types import NoneType, UnionType
from typing import Literal, Union, cast, get_args, get_origin, get_type_hints

import msgspec
from hypothesis import strategies as st

from events.codec import Raw, Struct, encode
from events.commit import Commit
from events.ids import Digest, MatchId, Seat
from events.vocabulary import CURRENT, BaseEvent, Event

TEXTS = st.text(max_size=6) | st.sampled_from(
    ["", "white", "public", "arbiter", "\x00", "\u2028", "\U0001f3b2", '"', "\\"]
)
NUMBERS = st.integers(-3, 20) | st.integers(-(2**63), 2**64 - 1)


def of_type(hint: object) -> st.SearchStrategy[object]:
    """Return a strategy for values of a type that an event's field may have."""
    plain = getattr(hint, "__supertype__", hint)
    simple: dict[object, st.SearchStrategy[object]] = {
        str: TEXTS,
        int: NUMBERS,
        bool: st.booleans(),
        NoneType: st.none(),
    }
    if plain in simple:
        return simple[plain]
    parts = get_args(plain)
    if get_origin(plain) in {Union, UnionType}:
        return st.one_of([of_type(part) for part in parts])
    if get_origin(plain) is Literal:
        return st.sampled_from(parts)
    if get_origin(plain) is tuple:
        return st.lists(of_type(parts[0]), max_size=3).map(tuple)
    if get_origin(plain) is dict:
        return st.dictionaries(of_type(parts[0]), of_type(parts[1]), max_size=3)
    assert isinstance(plain, type), plain
    assert issubclass(plain, Struct), plain
    return structs(plain)


def structs(type_: type[Struct]) -> st.SearchStrategy[Struct]:
    """Return a strategy for a struct, in which fields often have their defaults."""
    hints = get_type_hints(type_)
    made = {field.name: of_type(hints[field.name]) for field in msgspec.structs.fields(type_)}
    for field in msgspec.structs.fields(type_):
        if field.default is not msgspec.NODEFAULT:
            made[field.name] = st.just(field.default) | made[field.name]
    return st.builds(type_, **made)


def any_events(*types: type[BaseEvent]) -> st.SearchStrategy[Event]:
    """Return a strategy for events of these types, or of all types."""
    return cast("st.SearchStrategy[Event]", st.one_of([structs(type_) for type_ in types or CURRENT]))


def commits() -> st.SearchStrategy[Commit]:
    """Return a strategy for commits."""
    values = st.recursive(
        TEXTS | NUMBERS | st.none() | st.booleans(),
        lambda part: st.lists(part, max_size=3) | st.dictionaries(TEXTS, part, max_size=3),
        max_leaves=5,
    )
    commands = st.dictionaries(TEXTS, values, max_size=3)
    return st.builds(
        Commit,
        match=TEXTS.map(MatchId),
        first=st.integers(1, 2**40),
        prev=st.just(Digest("a" * 64)),
        at=st.integers(0, 2**45),
        seat=TEXTS.map(Seat),
        key=TEXTS,
        command=commands.map(lambda command: Raw(encode(command))),
        events=st.lists(any_events(), min_size=1, max_size=3).map(tuple),
    )
