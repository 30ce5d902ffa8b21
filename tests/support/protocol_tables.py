"""The tables of `docs/protocol.md`, generated from the code: `python -m tests.support.protocol_tables` writes them."""

import re
from pathlib import Path

from core.match.match_commands import MATCH_COMMANDS
from events.codec import Struct, encode, schema, tag_of
from server.protocol.protocol_schema import CODES, PUBLICATIONS
from server.protocol.wire import REPLIES, REQUESTS

DOCUMENT = Path(__file__).parents[2] / "docs" / "protocol.md"
SECTION = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def kind(spec: dict[str, object]) -> str:
    """Describe the type of a field in a few words."""
    if "$ref" in spec:
        name = str(spec["$ref"]).rpartition("/")[2]
        return "a table" if name == "Table" else f"`{name}`"
    if isinstance(spec.get("anyOf"), list):
        options = [kind(option) for option in spec["anyOf"]]  # type: ignore[attr-defined]
        return "an event" if len(options) > 9 else " or ".join(options)
    if spec.get("type") == "array":
        items = spec.get("items")
        return f"list of {kind(items) if isinstance(items, dict) else 'anything'}"
    if spec.get("type") == "object":
        values = spec.get("additionalProperties")
        return f"map to {kind(values)}" if isinstance(values, dict) else "an object"
    return {"string": "text", "integer": "number", "number": "number", "boolean": "yes or no", "null": "nothing"}.get(
        str(spec.get("type")), "any JSON"
    )


def default(spec: dict[str, object]) -> str:
    """Return a field's default as JSON; a field without one is required."""
    return f"`{encode(spec['default']).decode()}`" if "default" in spec else "required"


def message_table(types: tuple[type[Struct], ...], tag_field: str) -> str:
    """Describe messages: the tag, the name in the schema, the sentence, and each field with its kind and default."""
    parts = []
    for type_ in types:
        whole = schema(type_)
        found = whole["$defs"][type_.__name__]
        summary = (type_.__doc__ or "").strip().split("\n\n")
        text = " ".join(" ".join(part.split()) for part in summary)
        lines = [f"**`{tag_of(type_)}`** — `{type_.__name__}`. {text}", ""]
        rows = [
            f"| `{name}` | {kind(spec)} | {default(spec)} |"
            for name, spec in found["properties"].items()
            if name != tag_field
        ]
        parts.append(
            "\n".join([*lines, *(["| field | holds | default |", "|---|---|---|", *rows, ""] if rows else [])])
        )
    return "\n".join(parts)


def code_table() -> str:
    """List the codes of failed requests."""
    return "\n".join(["| code | means |", "|---|---|", *[f"| `{code}` | {text} |" for code, text in CODES.items()], ""])


def tables() -> dict[str, str]:
    """Return every table by its name in the document."""
    return {
        "requests": message_table(REQUESTS, "ask"),
        "replies": message_table(REPLIES, "reply"),
        "publications": message_table(PUBLICATIONS, "pub"),
        "codes": code_table(),
        "commands": message_table(MATCH_COMMANDS, "do"),
    }


def main() -> None:
    """Write the tables into the document."""
    made = tables()
    text = DOCUMENT.read_text(encoding="utf-8")
    DOCUMENT.write_text(SECTION.sub(lambda found: f"{found[1]}{made[found[2]]}{found[3]}", text), encoding="utf-8")


if __name__ == "__main__":
    main()
