"""The well-formed rows of a file can be looked at together, whatever is wrong with the others."""

from core.board_rows import at_path, sound_rows, sound_sections
from core.toml_lines import Path

PLAIN = {"map": {"rows": [{"id": 1}, {"id": "x"}, {"id": 3}]}, "name": 7}
ROWS: Path = ("map", "rows")


def test_what_stands_at_a_path_is_found() -> None:
    assert at_path(PLAIN, ("map", "rows", 2, "id")) == 3
    assert at_path(PLAIN, ()) == PLAIN


def test_nothing_stands_at_a_path_that_leads_nowhere() -> None:
    paths: list[Path] = [("map", "no"), ("map", "rows", 3), ("map", "rows", "id"), ("name", 0), ("name", "x")]

    assert [at_path(PLAIN, path) for path in paths] == [None] * 5


def test_a_row_with_a_defect_is_left_out() -> None:
    broken: list[Path] = [("map", "rows", 1, "id"), ("name",)]

    assert list(sound_rows(PLAIN, ROWS, broken)) == [(0, {"id": 1}), (2, {"id": 3})]


def test_a_section_that_is_no_array_has_no_rows() -> None:
    assert list(sound_rows(PLAIN, ("name",), [])) == []
    assert list(sound_rows(PLAIN, ("map", "no"), [])) == []


def test_a_section_is_sound_if_nothing_is_wrong_in_it_or_around_it() -> None:
    sections: list[Path] = [ROWS, ("name",)]

    assert sound_sections(sections, []) == {ROWS, ("name",)}
    assert sound_sections(sections, [("map", "rows", 1, "id")]) == {("name",)}
    assert sound_sections(sections, [("map",), ("name", "x")]) == frozenset()
