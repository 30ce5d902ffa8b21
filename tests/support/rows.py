"""Tables of cases: one test tries every row and names those that fail."""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from reprlib import Repr
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet

LABEL_CHARACTERS = 100
_SHORT = Repr()
_SHORT.maxother = _SHORT.maxstring = LABEL_CHARACTERS


def each_row(names: str | Sequence[str], cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Try a test with each row of a table, as `pytest.mark.parametrize` does, but as one test: to report a test costs more than most rows.

    All rows are tried. Of those that fail the first is shown in full, the others by their values and message. Rows share their
    fixtures, so that a row that changes one, or takes long, is better a test of its own.
    """
    wanted = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    given = [
        case if isinstance(case, ParameterSet) else ParameterSet.extract_from(case, len(wanted) == 1) for case in cases
    ]
    assert given, "a table without a row tries nothing"
    assert not any(row.marks for row in given), "a row cannot be marked; a case with a mark is a test of its own"

    def table_of(test: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(test)
        free = [one for name, one in signature.parameters.items() if name not in wanted]

        @functools.wraps(test)
        def tried(**fixtures: object) -> None:
            failed: list[tuple[ParameterSet, BaseException]] = []
            for row in given:
                try:
                    test(**dict(zip(wanted, row.values, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001
                    failed.append((row, error))
            if failed:
                said = [f"  {_label(row)}: {str(error).strip().partition(chr(10))[0]}" for row, error in failed]
                failed[0][1].add_note("\n".join([f"{len(failed)} of {len(given)} rows fail:", *said]))
                raise failed[0][1]

        tried.__signature__ = signature.replace(parameters=free)  # type: ignore[attr-defined]
        tried.rows = [*getattr(test, "rows", ()), *(row.values for row in given)]  # type: ignore[attr-defined]
        return tried

    return table_of


def _label(row: ParameterSet) -> str:
    return str(row.id or ", ".join(map(_SHORT.repr, row.values)))
