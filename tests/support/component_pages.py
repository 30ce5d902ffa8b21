"""The pages about component files, generated from their structs: `python -m tests.support.component_pages` writes them."""

from pathlib import Path
from typing import Any

from core.components.component_file import ComponentFile
from core.file_checks.documentation import component_page
from core.games.advance.components.board import BOARD_FILE
from core.games.axis_allies.components.board_file import BOARD_FILE as AXIS_ALLIES_FILE
from core.games.battle.components.card_file import CARD_FILE
from core.games.inferno.components.board import BOARD_FILE as INFERNO_FILE
from core.registry.games import load_game

FOLDER = Path(__file__).parents[2] / "docs" / "components"
FILES: dict[str, ComponentFile[Any, Any]] = {
    "advance": BOARD_FILE,
    "axis_allies": AXIS_ALLIES_FILE,
    "battle": CARD_FILE,
    "inferno": INFERNO_FILE,
}


def page(game: str) -> str:
    """Return the page about a game's file."""
    return component_page(FILES[game].struct, load_game(game).title)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for key in FILES:
        (FOLDER / f"{key}.md").write_text(page(key), encoding="utf-8")
