"""Orders as short text: the word of a command, and its arguments by their ids in the order in which they are declared.

One way for all games: `move 94/267 11`, `attack mamayev_kurgan forces:24-panzer+71-infantry`. What a command needs stands by its place, the rest
by its name. Ids that hold other signs than letters, digits and `_./'-` are quoted.
"""

import json
import re
from collections.abc import Mapping, Sequence

from core.errors import KernelError
from core.suggestions import unknown
from events.codec import FieldKind, Struct, decode_plain, encode, fields_of

_BARE = re.compile(r"[\w./'-]+")
_YES, _NO, _EMPTY = "yes", "no", "-"

WORD = r"\"(?:[^\"\\]|\\.)*\"|[\w./'-]+"
"""A bare or quoted id, as a regular expression."""

_ARGUMENT = re.compile(rf"(?:(?P<name>\w+):)?(?P<value>(?:{WORD})(?:\+(?:{WORD}))*)")
_WORD = re.compile(WORD)


class OrderInvalid(KernelError):
    """A text that is not an order of the game; the message says what is wrong."""


def quoted(text: str) -> str:
    """Return an id as it is written: quoted if it holds other signs."""
    return text if _BARE.fullmatch(text) and text != _EMPTY else in_quotes(text)


def in_quotes(text: str) -> str:
    """Return a text as a JSON string without signs that cannot be seen."""
    return escaped(json.dumps(text, ensure_ascii=False))


def escaped(text: str) -> str:
    """Return a text with each sign that cannot be seen as JSON writes it, so that it cannot control a terminal."""
    return "".join([one if one.isprintable() else json.dumps(one)[1:-1] for one in text])


def unquoted(word: str) -> str:
    """Return an id that was written.

    Raises:
        OrderInvalid: It is not a valid JSON string.
    """
    try:
        # Half a sign is none.
        said = str(json.loads(word)) if word.startswith('"') else word
        return said.encode("utf-8", "replace").decode()
    except ValueError:
        raise OrderInvalid(f"{word[:40]} is not a text in quotation marks, as JSON writes it") from None


def order_words(command: bytes, kinds: Mapping[str, type[Struct]]) -> tuple[str, ...]:
    """Return the words of a command of a game.

    Args:
        command: The command as JSON.
        kinds: The commands of the game by tag.
    """
    plain = decode_plain(command)
    assert isinstance(plain, dict)
    tag = str(plain["do"])
    words = [tag]
    for field in fields_of(kinds[tag]):
        if field.name in plain:
            shown = _shown(plain[field.name])
            words.append(shown if field.is_required else f"{field.name}:{shown}")
    return tuple(words)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return _YES if value else _NO
    if isinstance(value, list):
        return "+".join([quoted(str(one)) for one in value]) or _EMPTY
    return quoted(str(value))


def command_of(words: Sequence[str], kinds: Mapping[str, type[Struct]]) -> bytes:
    """Return the command that the words of an order mean, as JSON.

    Raises:
        OrderInvalid: The game has no such command, or it has other arguments.
    """
    tag = words[0]
    if tag not in kinds:
        raise OrderInvalid(unknown("order of this game", tag, sorted(kinds)))
    fields = fields_of(kinds[tag])
    needed = [field for field in fields if field.is_required]
    others = {field.name: field for field in fields if not field.is_required}
    plain: dict[str, object] = {"do": tag}
    for word in words[1:]:
        read = _ARGUMENT.fullmatch(word)
        if read is None:
            raise OrderInvalid(f"{word!r} is not an argument: an id, ids joined by +, or name:value")
        if read["name"] is not None:
            field = others.get(read["name"])
            if field is None or field.name in plain:
                raise OrderInvalid(f"{tag} takes no {'second ' if field else ''}{read['name']}: {_form(tag, fields)}")
        elif needed:
            field = needed.pop(0)
        else:
            raise OrderInvalid(f"{word!r} is too much: {_form(tag, fields)}")
        plain[field.name] = _value(read["value"], field)
    if needed:
        raise OrderInvalid(f"{needed[0].name} is missing: {_form(tag, fields)}")
    return encode(plain)


def _form(tag: str, fields: Sequence[FieldKind]) -> str:
    """Return how an order is written."""
    parts = [field.name.upper() if field.is_required else f"[{field.name}:…]" for field in fields]
    return f"write {' '.join([tag, *parts])}"


def _value(text: str, field: FieldKind) -> object:
    items = [] if text == _EMPTY else [unquoted(word) for word in _WORD.findall(text)]
    if field.kind == "list":
        return items
    if len(items) > 1 or not items:
        raise OrderInvalid(f"{field.name} is one id, not {text!r}")
    if field.kind == "number":
        if not re.fullmatch(r"-?[0-9]{1,9}", text):
            raise OrderInvalid(f"{field.name} is a number, not {text!r}")
        return int(text)
    if field.kind == "truth":
        if text not in (_YES, _NO):
            raise OrderInvalid(f"{field.name} is {_YES} or {_NO}, not {text!r}")
        return text == _YES
    return items[0]
