"""Any file from an owner gives either components of the game or a list of defects."""

import re
import tomllib
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.components.component_file import ComponentFile, component_digest
from core.drawing.board_report import component_text
from core.file_checks.checked_file import CheckedFile, load_file, read_file
from core.file_checks.provenance import OWNER, report_provenance
from core.file_checks.schema import type_of
from core.games.advance.components.board import BOARD_FILE
from core.games.axis_allies.components.board_file import BOARD_FILE as AXIS_FILE
from core.games.battle.components.card_file import CARD_FILE
from core.games.inferno.components.board import BOARD_FILE as INFERNO_FILE
from core.toml.findings import BoardInvalid
from events.codec import Struct, inspect
from tests.support.component_texts import damaged, mistyped, places_of
from tests.support.rows import each_row

FILES: dict[str, ComponentFile[Any, Any]] = {
    "advance": BOARD_FILE,
    "axis_allies": AXIS_FILE,
    "battle": CARD_FILE,
    "inferno": INFERNO_FILE,
}
TEXTS = {game: components.shipped_bytes.decode() for game, components in FILES.items()}
games = pytest.mark.parametrize("game", FILES)


def parts(components: Struct) -> list[object]:
    """Return what components consist of."""
    return [getattr(components, name) for name in components.__struct_fields__]


@games
def test_the_shipped_file_passes_the_same_check_as_any_file(game: str) -> None:
    shipped = parts(FILES[game].load())

    assert parts(load_file(FILES[game], FILES[game].shipped_bytes)) == shipped
    assert parts(load_file(FILES[game], TEXTS[game])) == shipped


@games
def test_the_shipped_file_is_read_once(game: str) -> None:
    assert FILES[game].load() is FILES[game].load()


@games
def test_components_are_named_by_the_exact_bytes_of_their_file(game: str) -> None:
    for text in (TEXTS[game] + "\n", "\ufeff" + TEXTS[game].replace("\n", "\r\n")):
        loaded = load_file(FILES[game], text)

        assert (loaded.source.digest, loaded.source.is_shipped) == (component_digest(text.encode()), False)


@games
def test_a_file_may_omit_its_provenance(game: str) -> None:
    bare = re.sub(r",? *prov = (\{[^{}]*\}|\"[^\"]*\")", "", TEXTS[game])
    bare = re.sub(r"(?m)^#.*\n|^prov = .*\n", "", bare)
    bare = re.sub(r"(?s)\[provenance\].*?\n(?=\[(?!sources))", "", bare)

    assert "prov" not in bare
    assert places_of(FILES[game], bare) == []


@games
def test_every_figure_has_a_word_that_is_explained_and_history_names_its_source(game: str) -> None:
    report = report_provenance(FILES[game].struct, component_text(FILES[game], None))
    figures = [figure for found in report.sections.values() for figure in found]

    assert set(report.counts) <= set(report.words) - {OWNER}
    assert {source for figure in figures for source in figure.sources} <= set(report.sources)
    assert [figure for figure in figures if figure.word == "history" and not figure.sources] == []


@games
def test_text_that_cannot_be_encoded_in_utf8_is_a_defect(game: str) -> None:
    with pytest.raises(BoardInvalid, match="invalid UTF-8"):
        load_file(FILES[game], "schema = '\ud800'")


@games
@pytest.mark.parametrize("data", [b"", b"\n", b"schema = 1", b"[areas]\nrows = 7\n", b"force = [1]\n[morale]\n"])
def test_an_empty_file_lacks_every_section(game: str, data: bytes) -> None:
    defects = read_file(FILES[game], data)
    present = set(tomllib.loads(data.decode()))
    needed = {field.encode_name for field in _fields(game) if field.required}

    assert isinstance(defects, tuple)
    assert {one.where for one in defects if one.problem == "is missing" and "." not in one.where} == needed - present


@each_row(("game", "other"), [*permutations(FILES, 2)])
def test_the_one_defect_of_another_games_file_is_its_schema(game: str, other: str) -> None:
    defects = read_file(FILES[game], FILES[other].shipped_bytes)
    own = FILES[game].shipped_plain["schema"]

    assert isinstance(defects, tuple)
    assert [(one.where, one.expected) for one in defects] == [("schema", repr(own))]
    assert "another game" in defects[0].problem


def _fields(game: str) -> tuple[inspect.Field, ...]:
    struct: type[Struct] = FILES[game].struct
    return type_of(struct).fields


a_quarter = settings(max_examples=max(1, settings().max_examples // 4))
"""One reader reads the files of all four games."""


def judge(game: str, data: bytes) -> None:
    """Assert that a file is either accepted or answered with defects that name its lines."""
    read = read_file(FILES[game], data)
    if isinstance(read, CheckedFile):
        assert tomllib.loads(data.decode("utf-8-sig"))
        assert FILES[game].build(read.file, read.source).source.digest == component_digest(data)
    else:
        assert read
        for defect in read:
            assert 1 <= defect.line <= data.count(b"\n") + 1
            assert defect.where and defect.problem and defect.expected
            assert defect.sentence().isprintable()


@games
@a_quarter
@given(data=st.data())
def test_a_damaged_file_is_accepted_or_its_defects_are_named(game: str, data: st.DataObject) -> None:
    judge(game, data.draw(damaged(TEXTS[game])))


@games
@a_quarter
@given(data=st.data())
def test_a_mistyped_file_is_accepted_or_its_defects_are_named(game: str, data: st.DataObject) -> None:
    judge(game, data.draw(mistyped(TEXTS[game])))


@games
@a_quarter
@given(data=st.binary(max_size=300))
def test_the_defects_of_random_bytes_are_named(game: str, data: bytes) -> None:
    judge(game, data)


@games
@a_quarter
@given(text=st.text(max_size=300))
def test_the_defects_of_random_text_are_named(game: str, text: str) -> None:
    judge(game, text.encode("utf-8", "surrogatepass"))


HOSTILE = {
    "deep": b"a = " + b"[\n" * 2000 + b"]\n" * 2000,
    "dotted": b"\n".join(b"k%d%s = 1" % (number, b".a" * 60) for number in range(2000)),
    "many keys": b"\n".join(b"k%d = 1" % number for number in range(40_000)),
    "many rows": b"[areas]\nrows = [\n" + b"{ id = 1 },\n" * 30_000 + b"]\n",
    "nested": b"areas = " + b"{ a = " * 15 + b"1" + b" }" * 15,
    "a long number": b"[markers]\nair = 0x" + b"f" * 1900,
}


@games
@pytest.mark.parametrize("name", HOSTILE)
def test_the_defects_of_a_hostile_file_are_named(game: str, name: str) -> None:
    judge(game, HOSTILE[name])


def test_a_printed_figure_that_is_not_well_formed_is_one_defect() -> None:
    """That it is not as printed, too, goes without saying."""
    defects = places_of(INFERNO_FILE, TEXTS["inferno"].replace('"Mamayev Kurgan"', "7"))

    assert defects == ["hexes.rows[id '28'].name"]
