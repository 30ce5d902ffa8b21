"""Component files that tests change, damage and read."""

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from hypothesis import strategies as st

from core.components.component_file import ComponentFile
from core.file_checks.checked_file import CheckedFile, load_file, read_file
from core.toml.outside_toml import TextDefect

Change = tuple[str, str]
"""An old text, and what stands in its place."""

Defects = Mapping[str, tuple[list[Change], str]]
"""Changes by what is wrong with them, and the place where a check must find it."""

VARIANT = "Mine"

_Components = TypeVar("_Components")


def changed(text: str, *changes: Change) -> str:
    """Change a text; each old part must occur exactly once."""
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def within(text: str, block: str, old: str, new: str) -> Change:
    """Change something that occurs once within a block that occurs once."""
    assert text.count(block) == 1, block
    assert block.count(old) == 1, (block, old)
    return block, block.replace(old, new)


def row_of(text: str, row_id: str, old: str, new: str) -> Change:
    """Change something within the one line that begins with the row of an id."""
    (line,) = [line for line in text.split("\n") if line.startswith(f'  {{ id = "{row_id}",')]
    return within(text, line, old, new)


def owned(components: ComponentFile[Any, _Components]) -> Callable[..., _Components]:
    """Return what reads a game's shipped file as an owner's, with every place changed that has one of some old texts."""

    def read(*changes: Change) -> _Components:
        text = components.shipped_bytes.decode()
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new)
        return load_file(components, text)

    return read


def not_refused(components: ComponentFile[Any, Any], impossible: Defects) -> list[str]:
    """Return what is wrong with a changed file and not found in its place even if it is a variant, in which less is wrong."""
    text = components.shipped_bytes.decode()
    return [
        wrong
        for wrong, (changes, where) in impossible.items()
        if where not in places_of(components, changed(text, *changes), VARIANT)
    ]


def not_contradicting(components: ComponentFile[Any, Any], contradictions: Defects) -> list[str]:
    """Return the changes that are not found to contradict the text in their place, or that a variant may not make."""
    text = components.shipped_bytes.decode()
    return [
        wrong
        for wrong, (changes, where) in contradictions.items()
        if where not in places_of(components, changed(text, *changes))
        or places_of(components, changed(text, *changes), VARIANT)
    ]


def defects_of(components: ComponentFile[Any, Any], text: str | bytes, variant: str = "") -> tuple[TextDefect, ...]:
    """Return the defects of a file, or an empty list."""
    read = read_file(components, text.encode() if isinstance(text, str) else text, variant)
    return () if isinstance(read, CheckedFile) else read


def places_of(components: ComponentFile[Any, Any], text: str, variant: str = "") -> list[str]:
    """Return the places of a file's defects as worded, in the order of the file."""
    return [defect.where for defect in defects_of(components, text, variant)]


@st.composite
def damaged(draw: st.DrawFn, text: str) -> bytes:
    """Cut, duplicate, swap or overwrite parts of a text."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.sampled_from([0, 1, 2, 5, 20, 100, 1000])))
        piece = draw(
            st.one_of(
                st.sampled_from(["", "\n", '"', "[", "]", "{", "}", "=", ",", "#", "'", '"""', "[[", "1", "-", "true"]),
                st.just(text[start:end] * 2),
                st.text(max_size=5),
            )
        )
        text = text[:start] + piece + text[end:]
    return text.encode()


VALUES = st.sampled_from(
    ["0", "-1", "51", "99999999999999999999", "1.5", "nan", "true", "false", '""', '"x"', '"10"', "[]", "{}", "[[[1]]]",
     "{ id = 1 }", "[1, 2]", '["a"]', "1942-09-13", "0xffffffffffffffffffffffffffffffffffffffffffffffff", '"\\u0000"'],
)  # fmt: skip


@st.composite
def mistyped(draw: st.DrawFn, text: str) -> bytes:
    """Replace some values of a text by values of any type."""
    places = [found.span(1) for found in re.finditer(r"= ([^\s,\]}]+|\"[^\"\n]*\")(?=[,\s}\]])", text)]
    chosen = sorted(draw(st.sets(st.sampled_from(places), min_size=1, max_size=5)), reverse=True)
    for start, end in chosen:
        text = text[:start] + draw(VALUES) + text[end:]
    return text.encode()
