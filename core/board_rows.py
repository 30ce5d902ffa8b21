"""The rows of an owner's board file that are well-formed, so that checks can look at several of them. Knows no game.

A row with a defect of form is left out; whether a whole section is without one can be asked for, so that a check of the
section does not blame it for a row that is merely misspelt.
"""

from collections.abc import Iterable, Iterator

from core.toml_lines import Path, overlap


def at_path(plain: object, path: Path) -> object:
    """Return what stands at a path of plain data, or None if there is nothing."""
    for step in path:
        if isinstance(plain, dict):
            plain = plain.get(step)
        elif isinstance(plain, list) and isinstance(step, int) and step < len(plain):
            plain = plain[step]
        else:
            return None
    return plain


def sound_rows(plain: object, section: Path, broken: Iterable[Path]) -> Iterator[tuple[int, object]]:
    """Yield those rows of a section in which nothing is wrong, each with its 0-based place.

    Args:
        plain: The file's data.
        section: Where an array stands; one that is missing, or is no array, has no rows.
        broken: Where the file has defects of form.
    """
    rows = at_path(plain, section)
    if not isinstance(rows, list):
        return
    depth = len(section)
    bad = {path[depth] for path in broken if len(path) > depth and path[:depth] == section}
    yield from ((at, row) for at, row in enumerate(rows) if at not in bad)


def sound_sections(sections: Iterable[Path], broken: Iterable[Path]) -> frozenset[Path]:
    """Return those sections that have no defect of form, in themselves or in what they stand in."""
    return frozenset(path for path in sections if not any(overlap(path, one) for one in broken))
