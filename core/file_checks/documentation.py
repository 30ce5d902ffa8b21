"""The JSON Schema of a game's component file and a page about it, both made of its structs. Knows no game."""

from collections.abc import Iterator
from inspect import cleandoc

from core.components.fields import PROV, ProvenanceSections
from core.file_checks.schema import expectation, plain_type, row_key, type_of
from events.codec import NODEFAULT, Struct, inspect, schema

_STATEMENT: dict[str, object] = {
    "description": "Where the fields of this table come from: one text for all, or a text for each.",
    "anyOf": [
        {"type": "string", "minLength": 1},
        {"type": "object", "additionalProperties": {"type": "string", "minLength": 1}},
    ],
}


def component_schema(struct: type[ProvenanceSections]) -> dict[str, object]:
    """Return the JSON Schema of a component file, for editors that check TOML while it is written.

    It knows types, bounds and words. What several places say together, and what the rulebook states, is checked by
    `wardiary board GAME --board FILE`.
    """
    found: dict[str, object] = schema(struct)
    definitions = found["$defs"]
    assert isinstance(definitions, dict)
    for table in definitions.values():
        if "properties" in table:
            table["properties"][PROV] = _STATEMENT
            table["additionalProperties"] = False
    return found


def component_page(struct: type[ProvenanceSections], title: str) -> str:
    """Return a page in Markdown about every table of a component file, from the outside in.

    Args:
        struct: The struct of the whole file.
        title: What the game is called.
    """
    lines = [f"# The component file of *{title}*", "", _docstring(struct), ""]
    lines += [
        "Any table may say under `prov` where its fields come from. Rows of an array are told apart by the field in bold.",
        "",
    ]
    for table, key in _tables(struct):
        if table.cls is not struct:
            lines += [f"## {table.cls.__name__}", "", _docstring(table.cls), ""]
        lines += ["| field | holds | if left out |", "|---|---|---|"]
        if table.tag_field:
            lines.append(f"| `{table.tag_field}` | `{table.tag}` | |")
        lines += [_row(field, key) for field in table.fields]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _docstring(struct: type[Struct]) -> str:
    return cleandoc(struct.__doc__ or "")


def _row(field: inspect.Field, key: str) -> str:
    name = f"**`{field.encode_name}`**" if field.encode_name == key else f"`{field.encode_name}`"
    others = ", ".join(table.cls.__name__ for table, _ in _within(field.type))
    match plain_type(field.type):
        case inspect.VarTupleType() if others:
            holds = f"rows: {others}"
        case inspect.DictType() if others:
            holds = f"a table of {others}"
        case _:
            holds = f"a table: {others}" if others else expectation(field.type)
    default = "must be there" if field.required else _default(field)
    return f"| {name} | {holds.replace('|', '/')} | {default} |"


def _default(field: inspect.Field) -> str:
    if field.default is NODEFAULT or field.default in (None, "", ()):
        return "none"
    return "none" if isinstance(field.default, Struct) else f"`{str(field.default).lower()}`"


def _tables(struct: type[ProvenanceSections]) -> Iterator[tuple[inspect.StructType, str]]:
    """Yield the table of a file and all tables within it, each once, with the field by which its rows are told apart."""
    waiting: list[tuple[inspect.StructType, str]] = [(type_of(struct), "")]
    seen: set[type[Struct]] = set()
    while waiting:
        table, key = waiting.pop(0)
        if table.cls not in seen:
            seen.add(table.cls)
            yield table, key
            waiting += [found for field in table.fields for found in _within(field.type)]


def _within(type_: inspect.Type) -> list[tuple[inspect.StructType, str]]:
    """Return the tables that a field holds: itself, its rows, or those of a union."""
    inner = plain_type(type_)
    match inner:
        case inspect.StructType():
            return [(inner, "")]
        case inspect.UnionType():
            return [found for one in inner.types for found in _within(one)]
        case inspect.VarTupleType():
            return [(table, row_key(inner.item_type)) for table, _ in _within(inner.item_type)]
        case inspect.DictType():
            return _within(inner.value_type)
        case _:
            return []
