"""The differences of a component file from the shipped one. Knows no game.

The shipped file is its own schema: a figure that it takes from the rulebook's text may differ only in a variant, one that it
reconstructs may be corrected by any owner. So no figure is stated a second time for the sake of a check.
"""

from collections.abc import Iterator

from core.components.fields import ProvenanceSections
from core.file_checks.provenance import Provenance, written
from core.file_checks.schema import Leaf, leaves
from core.toml.findings import Findings, plain_name
from core.toml.toml_lines import Path
from events.codec import Struct


class Difference(Struct, frozen=True):
    """A figure that is not as in the shipped file.

    `where` names it as `describe` does, by the keys of rows. `shipped` and `own` are its values in words, empty where a row is not
    there. `is_printed` tells a figure of the rulebook's text from a reconstructed one. `path` is where it stands in the own file,
    or the array where a row is missing.
    """

    where: str
    shipped: str
    own: str
    is_printed: bool
    path: Path

    def sentence(self) -> str:
        """Return the difference as one line."""
        kind = "printed" if self.is_printed else "reconstructed"
        return f"{self.where}: {self.own or 'missing'}; {kind} {self.shipped or 'without it'}"


def differences(
    struct: type[ProvenanceSections], plain: dict[str, object], shipped: dict[str, object]
) -> tuple[Difference, ...]:
    """List every figure that differs, in the order of the shipped file, and then what only the own file has.

    Texts that only readers see do not count, nor do capitals and apostrophes of names. A row that is missing is one difference,
    printed if its key is. A row that the shipped file has not is another, printed if the array itself is.

    Args:
        struct: The struct of the whole file.
        plain: The own file's data. What is not of its type is passed over.
        shipped: The shipped file's data.
    """
    return tuple(_differences(struct, plain, shipped))


def _differences(
    struct: type[ProvenanceSections], plain: dict[str, object], shipped: dict[str, object]
) -> Iterator[Difference]:
    provenance = Provenance(shipped)
    own = _by_address(struct, plain)
    printed = _by_address(struct, shipped)
    rows = {address[:-1] for address, leaf in own.items() if leaf.is_key}
    shipped_rows = {address[:-1]: provenance.is_printed(leaf.path) for address, leaf in printed.items() if leaf.is_key}
    complete = {address[:-2]: provenance.is_printed(leaf.path[:-2]) for address, leaf in printed.items() if leaf.is_key}
    for address, leaf in printed.items():
        row = _row_of(address, shipped_rows)
        if row and row not in rows:
            if leaf.is_key and not _row_of(row[:-1], shipped_rows):
                yield Difference(_written(row), written(leaf.value), "", shipped_rows[row], row[:-1])
        elif address in own and not _is_same(own[address].value, leaf.value):
            found = own[address]
            where = found.path if found.is_written else found.path[:-1]
            yield Difference(
                _written(address), _or_none(leaf.value), _or_none(found.value), provenance.is_printed(leaf.path), where
            )
    for address, leaf in own.items():
        if leaf.is_key and address[:-1] not in shipped_rows:
            yield Difference(
                _written(address[:-1]), "", written(leaf.value), complete.get(address[:-2], False), leaf.path[:-1]
            )


def contradict_printed(found: tuple[Difference, ...], findings: Findings) -> None:
    """Note each difference from the rulebook's text, but for what stands where something is wrong anyway."""
    for one in found:
        if not one.is_printed or findings.has_any(one.path):
            continue
        if not one.own:
            findings.contradict(one.path, f"{one.where} is missing", f"the row {one.shipped}, as printed")
        elif not one.shipped:
            findings.contradict(one.path, "is not a row of the printed game", "only the printed rows")
        else:
            findings.contradict(one.path, f"is {one.own}", f"{one.shipped}, as printed")


def _by_address(struct: type[ProvenanceSections], plain: dict[str, object]) -> dict[tuple[str, ...], Leaf]:
    return {
        leaf.address: leaf
        for leaf in leaves(struct, plain)
        if not leaf.is_prose and leaf.address[0] not in ("provenance", "sources")
    }


def _row_of(address: tuple[str, ...], rows: dict[tuple[str, ...], bool]) -> tuple[str, ...]:
    """Return the innermost row that an address lies in; empty if in none."""
    return next((address[:end] for end in range(len(address), 1, -1) if address[:end] in rows), ())


def _written(address: tuple[str, ...]) -> str:
    return ".".join(step for step in address if step != "rows")


def _or_none(value: object) -> str:
    return "none" if value is None or value == [] else written(value)


def _is_same(one: object, other: object) -> bool:
    """Compare strictly, but for the ways to write a name: no number equals a truth value, at any depth."""
    if isinstance(one, str) and isinstance(other, str):
        return plain_name(one) == plain_name(other)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(_is_same(left, right) for left, right in zip(one, other, strict=True))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_same(one[key], other[key]) for key in one)
    return type(one) is type(other) and one == other
