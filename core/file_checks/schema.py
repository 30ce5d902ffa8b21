"""Checks a component file against its annotated structs. Knows no game.

The walk finds every departure of a file from the structs that a game declares (`core.components.fields`), and lists its fields;
`events.codec.convert` makes the values. Texts are of one line without control characters, because they reach the terminals of
readers who have not seen the file.
"""

import re
from collections.abc import Iterator
from functools import cache

from core.components.fields import OTHERS, PROV, ROW_KEY
from core.toml.findings import Findings, shown, some_of
from core.toml.toml_lines import Path
from events.codec import NODEFAULT, Struct, inspect, to_plain


class Leaf(Struct, frozen=True):
    """One field of a file.

    `path` is where it stands; `address` is the same with the keys of rows in place of their numbers, so that it names the same
    figure in another file. A field that is left out has its default as `value` and is not `is_written`. `is_key` tells the field
    that names its row.
    """

    path: Path
    address: tuple[str, ...]
    value: object
    is_written: bool
    is_prose: bool
    is_key: bool


_TEXT = inspect.StrType(min_length=1, max_length=1_000)


@cache
def type_of(struct: type[Struct]) -> inspect.StructType:
    """Return the type information of a struct."""
    found = inspect.type_info(struct)
    assert isinstance(found, inspect.StructType)
    return found


def check_form(struct: type[Struct], plain: dict[str, object], findings: Findings) -> None:
    """Record every difference of a file's data from the struct of the whole file, at any depth."""
    walk = _Check(plain, findings)
    walk.check(type_of(struct), plain, (), {})
    walk.check_references()


class _Check:
    """One walk over a file that finds differences from its types."""

    def __init__(self, plain: dict[str, object], findings: Findings) -> None:
        self.plain = plain
        self.findings = findings
        self.references: list[tuple[Path, str, str]] = []

    def check(self, type_: inspect.Type, value: object, path: Path, extra: dict[str, object]) -> None:
        """Check a value at a path; `extra` is what its annotation says beyond the type."""
        match type_:
            case inspect.Metadata():
                self.check(type_.type, value, path, {**extra, **(type_.extra or {})})
            case inspect.StructType() if isinstance(value, dict):
                self._table(type_, value, path)
            case inspect.UnionType() if isinstance(value, dict) and (tagged := _tagged(type_)):
                self._tagged(tagged, value, path)
            case inspect.UnionType():
                (only,) = [one for one in type_.types if not isinstance(one, inspect.NoneType)]
                self.check(only, value, path, extra)
            case inspect.VarTupleType() if isinstance(value, list):
                self._array(type_, value, path, extra)
            case inspect.TupleType() if isinstance(value, list):
                self._fixed_array(type_, value, path)
            case inspect.DictType() if isinstance(value, dict):
                for key, one in value.items():
                    self.check(type_.value_type, one, (*path, key), {})
            case _:
                self._scalar(type_, value, path, extra)

    def check_references(self) -> None:
        """Ask that each text that names a row names one that is there, unless the section of the rows is not well-formed."""
        keys: dict[str, list[str]] = {}
        for path, value, section in self.references:
            where: Path = tuple(section.split("."))
            if self.findings.has_any(where):
                continue
            if section not in keys:
                rows = at_path(self.plain, where)
                keys[section] = [str(row["id"]) for row in rows] if isinstance(rows, list) else []
            if value not in keys[section]:
                self.findings.add(path, f"is {shown(value)}", f"an id of {section}: {some_of(keys[section])}")

    def _table(self, type_: inspect.StructType, value: dict[str, object], path: Path) -> None:
        known = {field.encode_name: field for field in type_.fields}
        tag = type_.tag_field
        for key, field in known.items():
            if field.required and key not in value:
                self.findings.add((*path, key), "is missing", expectation(field.type))
        for key, one in value.items():
            if key in known:
                self.check(known[key].type, one, (*path, key), {})
            elif key == PROV:
                self._provenance(type_, one, (*path, key))
            elif key != tag:
                like = self.findings.like(key, known)
                hint = f"perhaps {like}; known are" if like else "only"
                self.findings.add((*path, key), "is not known here", f"{hint} {', '.join(known)}")

    def _provenance(self, type_: inspect.StructType, value: object, path: Path) -> None:
        if not isinstance(value, dict):
            self._scalar(_TEXT, value, path, {})
            return
        for key, one in value.items():
            self._scalar(_TEXT, one, (*path, key), {})
            if key != OTHERS and not _has_field(type_, key.split(".")):
                self.findings.add(
                    (*path, key), "is not a field here", "a field of the table, or of a table or row within"
                )

    def _tagged(self, tagged: dict[str, inspect.StructType], value: dict[str, object], path: Path) -> None:
        key = next(iter(tagged.values())).tag_field or ""
        tag = value.get(key)
        if isinstance(tag, str) and tag in tagged:
            self._table(tagged[tag], value, path)
        else:
            problem = f"is {shown(tag)}" if key in value else "is missing"
            self.findings.add((*path, key), problem, f"one of {', '.join(tagged)}")

    def _array(self, type_: inspect.VarTupleType, value: list[object], path: Path, extra: dict[str, object]) -> None:
        least, most = type_.min_length or 0, type_.max_length
        if len(value) < least or (most is not None and len(value) > most):
            self.findings.add(path, f"has {len(value)} elements", _number(type_))
        for index, one in enumerate(value):
            self.check(type_.item_type, one, (*path, index), extra)
        key = row_key(type_.item_type)
        seen: set[str] = set()
        for index, one in enumerate(value):
            if key and isinstance(one, dict) and not self.findings.has_any((*path, index, key)):
                name = key_text(one.get(key))
                if name in seen:
                    self.findings.add((*path, index, key), f"{shown(one[key])} is there twice", f"each {key} once")
                seen.add(name)

    def _fixed_array(self, type_: inspect.TupleType, value: list[object], path: Path) -> None:
        if len(value) != len(type_.item_types):
            self.findings.add(path, f"has {len(value)} elements", str(len(type_.item_types)))
        for index, (one, item) in enumerate(zip(value, type_.item_types, strict=False)):
            self.check(item, one, (*path, index), {})

    def _scalar(self, type_: inspect.Type, value: object, path: Path, extra: dict[str, object]) -> None:
        if not _fits(type_, value):
            self.findings.add(path, f"is {shown(value)}", str(extra.get("expected") or expectation(type_)))
        elif isinstance(value, str) and not value.isprintable():
            self.findings.add(path, f"is {shown(value)}", "a text of one line without control characters")
        elif isinstance(value, str) and "row_of" in extra:
            self.references.append((path, value, str(extra["row_of"])))


def _fits(type_: inspect.Type, value: object) -> bool:
    """Return whether a value that is neither table nor array is of a type; no truth value is a number."""
    match type_:
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.IntType():
            return type(value) is int and (type_.ge or 0) <= value <= (type_.le or 0)
        case inspect.LiteralType():
            return not isinstance(value, bool) and value in type_.values if isinstance(value, str | int) else False
        case inspect.StrType():
            return isinstance(value, str) and bool(value.strip()) and _is_like(type_, value)
        case _:
            return False


def _is_like(type_: inspect.StrType, value: str) -> bool:
    if len(value) > (type_.max_length or len(value)):
        return False
    # Names are short: no pattern is tried on more.
    return type_.pattern is None or (len(value) <= 100 and _pattern(type_.pattern).fullmatch(value) is not None)


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


def expectation(type_: inspect.Type) -> str:
    """Return in a few words what a value of a type is."""
    match type_:
        case inspect.Metadata():
            return str((type_.extra or {}).get("expected") or expectation(type_.type))
        case inspect.IntType():
            return f"a whole number from {type_.ge} to {type_.le}"
        case inspect.BoolType():
            return "true or false"
        case inspect.LiteralType():
            return f"one of {', '.join(str(one) for one in type_.values)}"
        case inspect.StructType():
            needed = [field.encode_name for field in type_.fields if field.required]
            return f"a table with {', '.join(needed)}" if needed else "a table"
        case inspect.UnionType() if tagged := _tagged(type_):
            return f"a table with {next(iter(tagged.values())).tag_field}"
        case inspect.UnionType():
            return expectation(next(one for one in type_.types if not isinstance(one, inspect.NoneType)))
        case inspect.VarTupleType():
            return f"an array of {_number(type_)}, each {expectation(type_.item_type)}"
        case inspect.TupleType():
            return f"an array of {len(type_.item_types)}"
        case inspect.DictType():
            return f"a table, each value {expectation(type_.value_type)}"
        case _:
            return "a text"


def _number(type_: inspect.VarTupleType) -> str:
    least, most = type_.min_length or 0, type_.max_length
    if most is None:
        return f"{least} or more"
    return str(least) if least == most else f"{least} to {most}"


def _tagged(type_: inspect.UnionType) -> dict[str, inspect.StructType]:
    """Return the structs of a union by their tags; none if it is not a union of structs."""
    return {str(one.tag): one for one in type_.types if isinstance(one, inspect.StructType) and one.tag is not None}


def row_key(type_: inspect.Type) -> str:
    """Return the field by which rows of a type are told apart; empty if they are not."""
    bare = plain_type(type_)
    if not isinstance(bare, inspect.StructType):
        return ""
    named = [field.encode_name for field in bare.fields]
    return str(getattr(bare.cls, ROW_KEY, "id" if "id" in named else ""))


def key_text(value: object) -> str:
    """Return the key of a row as a text."""
    return value if isinstance(value, str) else shown(value)


def plain_type(type_: inspect.Type) -> inspect.Type:
    """Return a type without annotation and without None."""
    if isinstance(type_, inspect.Metadata):
        return plain_type(type_.type)
    if isinstance(type_, inspect.UnionType) and not _tagged(type_):
        return plain_type(next(one for one in type_.types if not isinstance(one, inspect.NoneType)))
    return type_


def leaves(struct: type[Struct], plain: dict[str, object]) -> Iterator[Leaf]:
    """Yield the fields of a file in the order of its structs. What is not of its type is passed over.

    A scalar is one field, and so is an array but for one whose rows have keys.
    """
    yield from _table_leaves(type_of(struct), plain, (), ())


def _table_leaves(
    type_: inspect.StructType, value: dict[str, object], path: Path, address: tuple[str, ...]
) -> Iterator[Leaf]:
    key = row_key(type_)
    for field in type_.fields:
        name = field.encode_name
        here, named = (*path, name), (*address, name)
        bare = plain_type(field.type)
        one = value.get(name, _default(field))
        if isinstance(bare, inspect.StructType) and isinstance(one, dict):
            yield from _table_leaves(bare, one, here, named)
        elif isinstance(bare, inspect.VarTupleType) and (rows := row_key(bare.item_type)) and isinstance(one, list):
            item = plain_type(bare.item_type)
            assert isinstance(item, inspect.StructType)
            for index, row in enumerate(one):
                if isinstance(row, dict) and rows in row:
                    yield from _table_leaves(item, row, (*here, index), (*named, key_text(row[rows])))
        else:
            is_prose = isinstance(field.type, inspect.Metadata) and bool((field.type.extra or {}).get("is_prose"))
            yield Leaf(here, named, one, name in value, is_prose, name == key)


def _has_field(type_: inspect.Type, names: list[str]) -> bool:
    """Return whether a field of this name is in a table of a type, or in its rows."""
    bare = plain_type(type_)
    if isinstance(bare, inspect.VarTupleType):
        return _has_field(bare.item_type, names)
    if isinstance(bare, inspect.UnionType):
        return any(_has_field(one, names) for one in bare.types)
    if not names or not isinstance(bare, inspect.StructType):
        return not names
    fields = {field.encode_name: field.type for field in bare.fields}
    if names[0] in fields:
        return _has_field(fields[names[0]], names[1:])
    return "rows" in fields and _has_field(fields["rows"], names)


def _default(field: inspect.Field) -> object:
    """Return the plain value of a field that is left out; None if it has none."""
    if field.default_factory is not NODEFAULT:
        return to_plain(field.default_factory())
    return None if field.default is NODEFAULT else to_plain(field.default)


def at_path(plain: object, path: Path) -> object:
    """Return the value at a path of plain data, or None if there is none."""
    for step in path:
        if isinstance(plain, dict):
            plain = plain.get(step)
        elif isinstance(plain, list) and isinstance(step, int) and step < len(plain):
            plain = plain[step]
        else:
            return None
    return plain
