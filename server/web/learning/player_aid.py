"""The player aid of a game as a part of a page."""

import re
from collections.abc import Mapping
from functools import lru_cache

from core.game_files.player_aid import AidInvalid, AidTable, PlayerAid, load_aid
from core.game_files.rulebook import Rulebook
from core.registry.games import load_game
from core.telling.phrases import listed
from events.ids import GameKey, RuleId
from projections.state.table import Table
from server.page_parts.html import Content, Html, div, tag

GOAL_SENTENCES_MAX = 2
"""The most sentences of the goal that a primer tells."""
_SENTENCE = re.compile(r"(?<=[.!?]) ")
AIDS_MAX = 32
"""How many aids are kept, of games and of owners' boards."""


@lru_cache(maxsize=AIDS_MAX)
def aid_of(game: GameKey, board: str | None = None) -> PlayerAid | None:
    """Return the aid of a game with the numbers of its board, or of an owner's; None if it has none that can be read.

    Args:
        game: An installed game.
        board: The text of an owner's board.
    """
    record = load_game(game)
    try:
        return load_aid(record.package, record.shipped_board() if board is None else board.encode())
    except AidInvalid:
        return None


def advice(table: Table) -> str:
    """Return the sentence that a match which explains itself has for its open question; empty in every other match, and for other seats.

    It is known by its seed, which everybody sees.
    """
    if not table.chance.seed or table.top is None:
        return ""
    aid = aid_of(table.game)
    first = None if aid is None else aid.first_match
    if first is None or first.seed != table.chance.seed or first.seat != table.top.seat:
        return ""
    return first.for_question(table.top.kind, table.round)


def primer(aid: PlayerAid) -> Html:
    """Return a game in three parts for who waits to play it: how it is won, what a turn is, and what can be done in it."""
    goal = " ".join(_SENTENCE.split(aid.goal)[:GOAL_SENTENCES_MAX])
    parts = [("How it is won", goal), ("A turn", listed([step.title for step in aid.turn]))]
    parts += [(table.title, listed([row.name for row in table.row])) for table in aid.table[:1]]
    return div("primer", [tag("section", None, tag("h3", None, title), tag("p", None, text)) for title, text in parts])


def aid_sections(aid: PlayerAid, book: Rulebook, *, phase: str = "", side: str = "", now: str = "") -> list[Html]:
    """Return the aid: the goal, a turn, and its tables.

    Args:
        aid: The aid.
        book: The rules that its rows name.
        phase: The phase of the match beside which it stands; empty without one.
        side: The side whose turn it is there.
        now: Where that match stands, in words.
    """
    rules = {id_: rule.text for id_, rule in book.rules.items()}
    steps = [
        tag(
            "li",
            {"aria-current": "step" if phase in step.phases or (step.side and step.side == side) else None},
            tag("strong", None, step.title),
            " ",
            _with_rule(step.text, step.rule, rules),
        )
        for step in aid.turn
    ]
    goal = tag("section", {"id": "short"}, tag("h2", None, "In short"), tag("p", None, aid.goal))
    where = tag("small", None, f" now: {now}") if now else None
    turn = tag("section", {"id": "turn"}, tag("h2", None, "A turn", where), tag("ol", {"class": "turn"}, steps))
    tables = [_table(table, rules) for table in aid.table]
    return [goal, turn, div("aid", tables)]


def _table(table: AidTable, rules: Mapping[RuleId, str]) -> Html:
    has_costs = any(row.cost for row in table.row)
    rows = [
        tag(
            "tr",
            None,
            tag("th", {"scope": "row"}, row.name),
            tag("td", {"class": "cost"}, row.cost) if has_costs else None,
            tag("td", None, _with_rule(row.text, row.rule, rules)),
        )
        for row in table.row
    ]
    return tag("section", None, tag("h2", None, table.title), tag("table", None, tag("tbody", None, rows)))


def _with_rule(text: str, id_: RuleId, rules: Mapping[RuleId, str]) -> Content:
    """Return a sentence with its rule folded behind it."""
    said = tag("p", {"class": "rule-text"}, rules.get(id_, ""), " ", tag("span", {"class": "rule"}, id_))
    return tag("details", None, tag("summary", None, text or "Rule"), said)
