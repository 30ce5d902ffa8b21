"""Position files as TOML: the text of a position, one thing a line."""

import json
import re
from collections.abc import Iterator, Mapping

from core.positions.position import Position
from events.codec import decode_plain, encode

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_WIDTH = 160


def position_text(position: Position) -> str:
    """Return the text of a position file, which read again is the same position; what has its default is left out."""
    plain, usual = decode_plain(encode(position)), decode_plain(encode(Position(format="", game=position.game)))
    assert isinstance(plain, dict)
    assert isinstance(usual, dict)
    told = {name: value for name, value in plain.items() if name in ("format", "game") or value != usual[name]}
    sections = [name for name, value in told.items() if _is_section(name, value)]
    lines = [line for name in told if name not in sections for line in _field(name, told[name])]
    # What follows the head of a table belongs to it, so that those come last.
    lines += [line for name in sections for line in _section(name, told[name])]
    return "\n".join([*lines, ""])


def _is_section(name: str, value: object) -> bool:
    """Return whether a table is too long for one line."""
    return isinstance(value, Mapping) and len(_shown(value)) + len(name) > _WIDTH


def _section(name: str, value: object) -> Iterator[str]:
    """Yield the lines of a table with a head."""
    assert isinstance(value, Mapping)
    yield from ("", f"[{name}]")
    for key, one in value.items():
        yield from _wrapped(key, one)


def _field(name: str, value: object) -> Iterator[str]:
    """Yield the lines of one field."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        yield f"{name} = ["
        yield from [f"  {_shown(_without_nothing(one))}," for one in value]
        yield "]"
    else:
        yield from _wrapped(name, value)


def _wrapped(name: str, value: object) -> Iterator[str]:
    """Yield a key with its value, a long list on several lines."""
    shown = _shown(value)
    if not isinstance(value, list) or len(shown) + len(name) <= _WIDTH:
        yield f"{_key(name)} = {shown}"
        return
    yield f"{_key(name)} = ["
    line = " "
    for one in value:
        more = f" {_shown(one)},"
        if len(line) + len(more) > _WIDTH:
            yield line
            line = " "
        line += more
    yield line
    yield "]"


def _without_nothing(value: Mapping[str, object]) -> dict[str, object]:
    """Return the fields of a thing that are not left at nothing; no seats at all are not the same as all."""
    return {
        name: one
        for name, one in value.items()
        if one not in ("", 0, None, {}) and one is not False and not (one == [] and name in ("picked", "places"))
    }


def _shown(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case list():
            return f"[{', '.join(map(_shown, value))}]"
        case dict():
            inside = ", ".join([f"{_key(name)} = {_shown(one)}" for name, one in value.items() if one is not None])
            return f"{{ {inside} }}" if inside else "{}"
        case _:
            return _quoted(str(value))


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quoted(name)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
