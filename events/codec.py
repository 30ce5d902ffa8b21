"""The only module that knows msgspec: struct bases, JSON in and out, conversion, schemas.

Canonical bytes are JSON as msgspec writes it: fields in the order of their declaration, no white space, defaults
omitted. Equal structs therefore have equal bytes, and any JSON parser can read them.
"""

import re
from collections.abc import Iterable
from types import GenericAlias
from typing import Any, Generic, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT as NODEFAULT
from msgspec import Meta as Meta
from msgspec import Raw as Raw
from msgspec import Struct as Struct
from msgspec import field as field
from msgspec import inspect as inspect
from msgspec.structs import replace as replace

T = TypeVar("T")

MESSAGE_MAX = 300
"""The most characters of foreign data in an error message."""

_ESCAPES = re.compile(rb"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(\\u[dD][89a-fA-F]..)|\\.", re.DOTALL)
"""The escapes of JSON, one after the other; the group is half of a surrogate pair without the other half."""

_ENCODER = msgspec.json.Encoder(order="deterministic")
_ENCODER_IN_ORDER = msgspec.json.Encoder()

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object that is passed on as it is; `Raw` cannot be one that may be left out."""


class DecodeError(ValueError):
    """Outside data is not valid; the message says where and why, in one line."""


def one_line(message: str, most: int = MESSAGE_MAX) -> str:
    """Return a message that may quote foreign data in printable form: one line, without control characters, shortened."""
    if not message.isprintable():
        message = "".join([char if char.isprintable() else ascii(char)[1:-1] for char in message])
    return message if len(message) <= most else f"{message[:most]}…"


def _problem(data: bytes | str, error: Exception) -> str:
    """Return why data cannot be decoded. msgspec calls JSON with half of a surrogate pair truncated or malformed."""
    if isinstance(error, RecursionError):
        return "lists and objects stand too deep in each other"
    if isinstance(error, msgspec.DecodeError) and not isinstance(error, msgspec.ValidationError):
        content = data.encode(errors="replace") if isinstance(data, str) else data
        half = next((found[1] for found in _ESCAPES.finditer(content) if found[1]), None)
        if half is not None:
            return one_line(f"a text is not valid Unicode: {half.decode(errors='replace')} is half of a surrogate pair")
    return one_line(str(error))


class Decoder(Generic[T]):
    """Decode JSON strictly into one type.

    Args:
        type_: The type that the bytes must hold.
    """

    __slots__ = ("_decoder", "_type")

    def __init__(self, type_: Any) -> None:
        """Create the decoder. That is slow, so reuse the object."""
        self._type = type_
        self._decoder: msgspec.json.Decoder[T] = msgspec.json.Decoder(type_)

    def decode(self, data: bytes | str) -> T:
        """Decode one value.

        Raises:
            DecodeError: The bytes are not valid JSON or not of the type.
        """
        try:
            return self._decoder.decode(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            said = _problem(data, error)
            choices = sorted(_choices(self._type, data, said))
            raise DecodeError(one_line(f"{said}; it is one of {', '.join(choices)}") if choices else said) from None

    @property
    def kinds(self) -> dict[str, type[Struct]]:
        """The structs among which the tag chooses, by tag; empty if it decodes something else."""
        structs = [one for one in get_args(self._type) if isinstance(one, type) and issubclass(one, Struct)]
        return {tag_of(kind): kind for kind in structs if tag_of(kind)}


_WRONG_CHOICE = re.compile(r"Invalid (?:enum )?value .* at `\$\.(\w+)`$")


def _choices(type_: Any, data: bytes | str, problem: str) -> Iterable[str]:
    """Return the possible values of the tag or field of a struct about whose value a problem is; empty for any other problem."""
    found = _WRONG_CHOICE.match(problem)
    structs = [kind for kind in get_args(type_) or (type_,) if isinstance(kind, type) and issubclass(kind, Struct)]
    kinds = {tag_of(kind): kind for kind in structs if tag_of(kind)}
    if found is None or not kinds:
        return ()
    tag_field = next(iter(kinds.values())).__struct_config__.tag_field
    if found[1] == tag_field:
        return kinds
    kind = kinds[msgspec.json.decode(data)[tag_field]]
    return [choice for choice in get_args(get_type_hints(kind).get(found[1])) if isinstance(choice, str)]


def encode(value: object) -> bytes:
    """Return the canonical JSON bytes of a struct or of plain data."""
    return _ENCODER.encode(value)


def encode_in_order(value: object) -> bytes:
    """Return JSON bytes that keep the order of dictionaries, for data that is never hashed."""
    return _ENCODER_IN_ORDER.encode(value)


def compact(data: bytes | Raw) -> bytes:
    """Return foreign JSON unchanged except for the white space between tokens, which is removed.

    Raises:
        DecodeError: The bytes are not valid JSON in UTF-8.
    """
    content = bytes(data)
    try:
        content.decode()
        return msgspec.json.format(content, indent=-1)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise DecodeError(_problem(content, error)) from None


def decode_plain(data: bytes | str) -> object:
    """Decode JSON into plain dictionaries, lists, strings and numbers.

    Raises:
        DecodeError: The bytes are not valid JSON.
    """
    try:
        value: object = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise DecodeError(_problem(data, error)) from None
    return value


def convert(value: object, type_: type[T]) -> T:
    """Convert plain data to a struct, strictly.

    Raises:
        DecodeError: The data does not fit the type.
    """
    try:
        return msgspec.convert(value, type_)
    except (msgspec.ValidationError, RecursionError) as error:
        raise DecodeError(one_line(str(error))) from None


def to_plain(value: object) -> object:
    """Convert a struct to dictionaries, lists, strings and numbers."""
    plain: object = msgspec.to_builtins(value)
    return plain


def extended(value: Struct, type_: type[T], **more: object) -> T:
    """Return a struct with the fields of another one and some more."""
    return type_(**msgspec.structs.asdict(value), **more)


def any_of(types: Iterable[type[Struct]]) -> Any:
    """Return the type of a list whose elements are structs of these types, for a decoder."""
    union: Any = Union[tuple(types)]  # noqa: UP007 - A union built at run time cannot be written otherwise.
    return GenericAlias(tuple, (union, ...))


def schema(type_: Any) -> dict[str, Any]:
    """Return the JSON Schema of a type."""
    return msgspec.json.schema(type_)


def schemas(types: Iterable[Any]) -> dict[str, Any]:
    """Return the JSON Schemas of several types with their shared definitions."""
    listed = list(types)
    roots, components = msgspec.json.schema_components(listed, ref_template="#/$defs/{name}")
    return {
        "schemas": dict(zip([str(getattr(t, "__name__", t)) for t in listed], roots, strict=True)),
        "$defs": components,
    }


class FieldKind(Struct, frozen=True):
    """A field of a struct: its name, whether it must be there, and of which kind its values are: text, number, truth or list."""

    name: str
    is_required: bool
    kind: str


_KINDS: dict[object, str] = {int: "number", bool: "truth", tuple: "list"}


def fields_of(type_: type[Struct]) -> tuple[FieldKind, ...]:
    """Return the fields of a struct in the order in which they are declared."""
    hints = get_type_hints(type_)
    return tuple(
        [
            FieldKind(one.name, one.required, _KINDS.get(get_origin(hints[one.name]) or hints[one.name], "text"))
            for one in msgspec.structs.fields(type_)
        ]
    )


def tag_of(type_: type[Struct]) -> str:
    """Return the explicit tag under which a struct is stored; empty if it has none."""
    tag = type_.__struct_config__.tag
    return "" if tag is None else str(tag)
