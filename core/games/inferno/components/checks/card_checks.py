"""Consistency of the cards of a board file: the figures of each kind, copies, Leaders behind Advantages."""

from core.games.inferno.components.board_records import (
    CANCEL_AIRSTRIKE,
    DEPLOY,
    FIRE,
    FLOTILLA,
    LEADER,
    LOSE_STEPS,
    URBAN,
    BoardFile,
    TitleRow,
)
from core.toml.findings import Findings, shown
from core.toml.toml_lines import Path

FIGURES = {
    LEADER: frozenset[str](),
    FIRE: frozenset(("dice", "firepower")),
    LOSE_STEPS: frozenset(("steps", "target")),
    FLOTILLA: frozenset(("dice", "firepower")),
    CANCEL_AIRSTRIKE: frozenset(("copies",)),
    DEPLOY: frozenset(("deploys",)),
}
"""The figures that a card of each kind must have."""

OPTIONAL = {FIRE: frozenset(("rubble", "is_airstrike", "copies"))}
"""Figures that it may have besides."""

GERMAN_OPS = (LEADER, FIRE, LOSE_STEPS)
"""What German cards can do; Soviet ones can do anything."""

FLOTILLA_DICE = 17
"""So many dice at most make a sum that is a hex of the board."""

WITHOUT_CARD = frozenset(("sixth_panzer", "marines_empowered", "late_deployment", "immortal_guard"))
"""The Advantages that are not Leaders. Source: designer.advantage.list."""


def check_cards(file: BoardFile, findings: Findings) -> None:
    """Ask for the figures that each kind of card needs, and no others; for Leaders behind Advantages; for Urban AA hexes."""
    terrain = {row.id: row.terrain for row in file.hexes.rows}
    decks = (("german", file.cards.german), ("soviet", file.cards.soviet))
    for side, titles in decks:
        for index, title in enumerate(titles):
            path: Path = ("cards", side, index)
            _check_figures(title, path, findings)
            if side == "german" and title.op not in GERMAN_OPS:
                findings.add(
                    (*path, "op"), f"is {shown(title.op)}", "what a German card can do: leader, fire, lose_steps"
                )
            if title.op == FLOTILLA and title.dice > FLOTILLA_DICE:
                findings.add((*path, "dice"), f"is {title.dice}", f"{FLOTILLA_DICE} at most, for their sum is a hex")
            usual = sum(not copy.is_extra for copy in title.copies)
            if title.copies and usual != title.count:
                problem = f"has {usual} cards that are not extra"
                findings.add((*path, "copies"), problem, f"{title.count}, as count says")
            for number, copy in enumerate(title.copies):
                where = (*path, "copies", number, "hex")
                if title.op == CANCEL_AIRSTRIKE and copy.hex is None:
                    findings.add(where, "is missing", "the hex of the Rubble marker")
                elif copy.hex is not None and title.op != CANCEL_AIRSTRIKE:
                    findings.add(where, f"is {shown(copy.hex)}", f"none for a card that is {shown(title.op)}")
                elif copy.hex is not None and terrain[copy.hex] != URBAN:
                    findings.contradict(where, f"is {shown(copy.hex)}", "an Urban hex (rulebook: Rubble)")
    way = file.designers_way
    _check_advantages("german_advantages", way.german_advantages, file.cards.german, findings)
    _check_advantages("soviet_advantages", way.soviet_advantages, file.cards.soviet, findings)


def _check_advantages(name: str, advantages: tuple[str, ...], titles: tuple[TitleRow, ...], findings: Findings) -> None:
    """Ask for each Advantage once, and for the card of each that is a Leader. Source: designer.advantage.list."""
    leaders = {title.id for title in titles if title.op == LEADER}
    for index, advantage in enumerate(advantages):
        if advantages.index(advantage) < index:
            findings.add(("designers_way", name, index), f"{shown(advantage)} is there twice", "each Advantage once")
        if advantage not in WITHOUT_CARD and advantage not in leaders:
            findings.add(("designers_way", name, index), f"{shown(advantage)} has no card", "a Leader of that deck")


def _check_figures(title: TitleRow, path: Path, findings: Findings) -> None:
    needed = FIGURES[title.op]
    allowed = needed | OPTIONAL.get(title.op, frozenset())
    for name in ("dice", "firepower", "rubble", "is_airstrike", "steps", "target", "deploys", "copies"):
        value = getattr(title, name)
        key = "airstrike" if name == "is_airstrike" else name
        if name in needed and not value:
            findings.add((*path, key), "is missing", f"a value for a card that is {shown(title.op)}")
        elif value and name not in allowed:
            findings.add((*path, key), f"is {shown(value)}", f"none for a card that is {shown(title.op)}")
    if title.op == LEADER and title.count != 1:
        findings.add((*path, "count"), f"is {title.count}", "1 for a Leader")
