"""Ways in which a bot of the server can play, as forms offer them: levels where a game has a bot that searches, else its policies."""

from collections.abc import Sequence
from typing import NamedTuple

from core.registry.bot_policies import LEVELS, SEARCHING, leveled, levels, usual_policy
from server.page_parts.html import Attribute, Html, tag

POLICY_WORDS = {"random": "any legal command", "greedy": "takes what looks best now", "quick": "looks less far"}
"""What a policy does, in few words; others are called by their names alone."""


class BotChoice(NamedTuple):
    """A way to play: the value of the field, its words and what it does, and whether it is the one that is meant."""

    value: str
    words: str
    note: str
    is_chosen: bool


def bot_choices(policies: Sequence[str], chosen: str = "") -> list[BotChoice]:
    """Return the ways to play, from the weakest.

    Args:
        policies: How the bots of the server can play the game.
        chosen: The level or policy that is meant; empty for the usual one.
    """
    if not policies:
        return []
    usual = usual_policy(policies)
    offered: dict[str, str] = {one: POLICY_WORDS.get(one, "") for one in policies}
    if SEARCHING in policies:
        offered = {one: note for one, note in offered.items() if one not in (SEARCHING, usual)}
        for level in levels(policies):
            budget = LEVELS[level]
            plays_on = f"tries each decision {budget} times" if budget else ""
            offered[level] = plays_on or POLICY_WORDS.get(usual, "")
    meant = leveled(chosen or usual, policies)
    return [
        BotChoice(value, value.capitalize(), note, leveled(value, policies) == meant) for value, note in offered.items()
    ]


def bot_field(policies: Sequence[str], attributes: dict[str, Attribute]) -> Html:
    """Return the field that says how a bot shall play."""
    options = [
        tag(
            "option",
            {"value": one.value, "selected": one.is_chosen},
            f"{one.words}: {one.note}" if one.note else one.words,
        )
        for one in bot_choices(policies)
    ]
    return tag("select", {"name": "policy", **attributes}, options)
