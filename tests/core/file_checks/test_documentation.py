"""A component file is documented by its structs: a page, and a JSON Schema that agrees with the check."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.file_checks.documentation import component_schema
from core.file_checks.schema import type_of
from core.registry.games import load_game
from events.codec import Struct, encode, inspect
from tests.project.tree import ROOT, product_files
from tests.support.component_pages import FILES, FOLDER, page

games = pytest.mark.parametrize("game", FILES)


@games
def test_the_page_about_a_file_is_current(game: str) -> None:
    """`python -m tests.support.component_pages` writes the pages anew."""
    assert (FOLDER / f"{game}.md").read_text(encoding="utf-8") == page(game)


@games
def test_the_schema_knows_every_table_and_every_statement_of_provenance(game: str) -> None:
    record = load_game(game)
    assert record.board_schema is not None
    made = json.loads(encode(record.board_schema()))
    tables = [table for table in made["$defs"].values() if "properties" in table]

    assert made == json.loads(encode(component_schema(FILES[game].struct)))
    assert all(not table["additionalProperties"] and "prov" in table["properties"] for table in tables)
    assert {table.cls.__name__ for table in every_table(game)} <= {name.partition("_")[0] for name in made["$defs"]}


def every_table(game: str) -> Iterator[inspect.StructType]:
    """Yield every table of a game's file."""
    struct: type[Struct] = FILES[game].struct
    waiting: list[inspect.Type] = [type_of(struct)]
    while waiting:
        match waiting.pop():
            case inspect.StructType() as table:
                yield table
                waiting += [field.type for field in table.fields]
            case inspect.Metadata() as annotated:
                waiting.append(annotated.type)
            case inspect.UnionType() as union:
                waiting += union.types
            case inspect.VarTupleType() as rows:
                waiting.append(rows.item_type)
            case inspect.TupleType() as pair:
                waiting += pair.item_types
            case inspect.DictType() as table_of:
                waiting.append(table_of.value_type)
            case inspect.IntType() as number:
                assert number.ge is not None
                assert number.le is not None
            case _:
                pass


@games
def test_every_number_of_a_file_is_bounded(game: str) -> None:
    assert list(every_table(game))


TOLD = {"provenance", "sources", "schema", "kind", "text", "url"}
"""What a file says of itself, and not of the game."""


@games
def test_every_figure_of_a_file_is_read_by_the_game(game: str) -> None:
    """A figure that no rule reads does not belong in the file: a variant that changes it would have no effect."""
    read: set[str] = set()
    for source in product_files("core"):
        if f"/games/{game}/" in source.path and "/checks/" not in source.path:
            read |= {node.attr for node in ast.walk(source.tree()) if isinstance(node, ast.Attribute)}
            read |= {
                node.value
                for node in ast.walk(source.tree())
                if isinstance(node, ast.Constant) and isinstance(node.value, str)
            }
    fields = {field.name for table in every_table(game) for field in table.fields}

    assert fields - read - TOLD == set()


def test_the_pages_are_those_of_the_games() -> None:
    assert {file.stem for file in Path(ROOT / "docs" / "components").glob("*.md")} == set(FILES)
