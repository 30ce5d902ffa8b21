"""The pages about what a bot meets name every question of their game, and no command or id that it does not have."""

import json
import re
from importlib import import_module

from cli.shell.child_bot import Question
from core.engine.command import Command
from core.engine.decision_rules import DecisionRules
from core.engine.selection import Choose, Done, Pick, Unpick
from core.registry.bot_policies import policy_names
from core.registry.games import load_game
from events.codec import tag_of
from projections.state.table import Table
from server.protocol.protocol_schema import CODES
from tests.project.tree import ROOT
from tests.support.rows import each_row

GAMES = ("advance", "battle")
SHARED = {
    *("kind", "do", "control", "units", "forces", "hidden", "round", "russian", "german", "soviet"),
    *(tag_of(one) for one in (Choose, Done, Pick, Unpick)),
}
"""Words of every page that are not ids of a game: fields of a table or a command, seats and sides."""


def page(game: str) -> str:
    """Return the text of a game's page."""
    return (ROOT / "docs" / f"{game}-bots.md").read_text(encoding="utf-8")


def rules_of(game: str) -> DecisionRules:
    """Return the rules of a game on its shipped board."""
    rules = load_game(game).bind(None).rules
    assert isinstance(rules, DecisionRules)
    return rules


def command_tags(game: str) -> set[str]:
    """Return the names of a game's own commands."""
    module = import_module(f"core.games.{game}.rules.commands")
    return {
        tag_of(one)
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, Command) and one.__module__ == module.__name__
    }


def known(game: str) -> set[str]:
    """Return every id and word that a game's page may name."""
    box = load_game(game).bind(None).inventory()
    words = {one for one in vars(import_module(f"core.games.{game}.ids")).values() if isinstance(one, str)}
    attributes = {one.key for there in box.memory.of.values() for one in there}
    kinds = {kind for pieces in box.pieces for allowed in pieces.kinds.values() for kind in allowed}
    return {
        *SHARED, *words, *attributes, *kinds, *box.names, *box.track_of, *box.counters_of, *box.piles_of, *box.places_of,
        *box.pieces_of, *rules_of(game).kinds, *command_tags(game), *policy_names(load_game(game)), f"core/games/{game}/bots",
    }  # fmt: skip


def rows(game: str) -> list[tuple[set[str], set[str]]]:
    """Return the questions of each row of a page's table, with their commands."""
    cells = [
        line.split("|") for line in page(game).splitlines() if line.startswith("| `") and "of the question" not in line
    ]
    return [(set(re.findall(r"`(\w+)`", row[1])), set(re.findall(r"`([\w-]+)`", row[3]))) for row in cells]


@each_row("game", GAMES)
def test_a_page_lists_every_question_and_every_command(game: str) -> None:
    listed = rows(game)

    assert set().union(*(kinds for kinds, _ in listed)) == set(rules_of(game).kinds)
    assert set().union(*(tags for _, tags in listed)) == {*command_tags(game), "pick", "unpick", "done"}


@each_row("game", GAMES)
def test_a_page_names_only_what_the_game_has(game: str) -> None:
    prose = re.sub(r"^```json\n.*?^```$", "", page(game), flags=re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"`([^`\n]+)`", prose))

    assert len(named) > 40
    assert named - known(game) == set()


@each_row("game", GAMES)
def test_the_commands_of_a_page_can_be_read_and_name_ids_of_the_game(game: str) -> None:
    found = re.search(r"^```json\n(.*?)^```$", page(game), re.MULTILINE | re.DOTALL)
    assert found is not None
    lines = found[1].splitlines()
    rules = rules_of(game)
    for line in lines:
        rules.decode(line.encode())
    named = {
        value
        for line in lines
        for field in json.loads(line).values()
        for value in (field if isinstance(field, list) else [field])
    }

    assert len(lines) > 5
    assert named - known(game) == set()


def test_the_page_for_every_game_names_fields_and_codes_that_there_are() -> None:
    text = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    first_cells = [
        set(re.findall(r"`(\w+)`", line.split("|")[1]))
        for line in text.splitlines()
        if line.startswith("| `") and "match:" not in line.split("|")[1]
    ]
    codes = [cell for cell in first_cells if cell & set(CODES)]
    fields = [cell for cell in first_cells if not cell & set(CODES)]

    assert set().union(*codes) <= set(CODES)
    assert set().union(*fields) <= {*Table.__struct_fields__, *Question.__struct_fields__}
    assert set().union(*fields) >= set(Question.__struct_fields__)
    assert (len(codes), len(fields)) == (5, 18)


@each_row("page", ["bots", *(f"{game}-bots" for game in ("advance", "battle", "inferno", "axis-allies"))])
def test_the_links_of_a_page_lead_somewhere(page: str) -> None:
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    for name, _, heading in (link.partition("#") for link in re.findall(r"\]\(([^):]+)\)", text.replace("\n", " "))):
        target = ROOT / "docs" / name.replace(" ", "")
        headings = [
            re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-")
            for line in target.read_text(encoding="utf-8").splitlines()
            if line.startswith("#")
        ]

        assert not heading or heading in headings
