"""What the rulebook's text says of single Action cards, in its rules, its examples and its sample game.

Only that is asked for. Moments, figures, sides and copies that the text leaves open may differ from the packaged cards, which
are reconstructed there. Numbers such as C76 name the sentence of the packaged file's [constraint] from which a demand follows.
"""

from collections import Counter

from core.components.findings import Findings, same_name, shown
from core.games.battle.components.card_model import (
    AFTER_BATTLE,
    ANY_TIME,
    FORCE_DESTROYED,
    IN_BATTLE,
    OWN_ACTION,
    REACT_CARD,
    REACT_DRAW,
    REACT_MOVE,
    SUFFERING_HITS,
)
from core.games.battle.components.card_rows import ACTIONS, URANUS, ActionRow, CardRows, Op
from core.games.battle.components.checks.card_constraints import GERMAN_1, GERMAN_2, RUSSIAN_1, SAMPLE
from core.games.battle.components.checks.playable_cards import SIDE_NAMES
from core.games.battle.ids import GERMAN, RUSSIAN
from core.toml_lines import Path
from events.codec import Struct


class ActionFact(Struct, frozen=True):
    """What the text says of one Action card: its effect and figures, its moment if it says one, and who has it.

    `side` has at least `copies` of it; where the text does not say whose it is, `side` is empty.
    """

    source: str
    effect: Op
    timing: str = ""
    side: str = ""
    copies: int = 1


ACTION_FACTS = {
    "Dive Bombers": ActionFact("Absorb Hits", Op("card_attack", rubble=2, hits=4), OWN_ACTION, GERMAN),
    "Artillery Barrage": ActionFact("Play an Action Card Action", Op("card_attack", rubble=1), OWN_ACTION),
    "Attack!": ActionFact(GERMAN_2, Op("move_and_attack"), OWN_ACTION, GERMAN),
    "Big Push": ActionFact("Action Cards, Effect", Op("combat_bonus_all", amount=1), ANY_TIME, GERMAN),
    "Heavy Weapons": ActionFact(GERMAN_2, Op("multiply_combat"), IN_BATTLE, GERMAN),
    "Tanks": ActionFact(RUSSIAN_1, Op("no_enemy_retreat"), IN_BATTLE, GERMAN),
    "Rubble": ActionFact(GERMAN_2, Op("stop_hits", amount=2, min_rubble=2), SUFFERING_HITS, GERMAN, 2),
    "Supply Raid": ActionFact(GERMAN_1, Op("steal_rations", amount=2), side=GERMAN),
    "Fresh Supplies": ActionFact(GERMAN_1, Op("gain_rations_each", amount=2), side=GERMAN),
    "Air Supply": ActionFact(GERMAN_2, Op("distribute_rations", amount=5), side=GERMAN),
    "Reinforcements": ActionFact(RUSSIAN_1, Op("force_points", amount=2), side=RUSSIAN, copies=2),
    "Reserve Forces": ActionFact(GERMAN_1, Op("join_battle"), IN_BATTLE, RUSSIAN),
    "Desperation": ActionFact(GERMAN_2, Op("draw_cards", amount=3), OWN_ACTION, GERMAN),
    "Victory": ActionFact(GERMAN_1, Op("draw_cards", amount=3), AFTER_BATTLE, RUSSIAN),
    "Fog of War": ActionFact("Canceling an Action", Op("cancel_card"), REACT_CARD),
    "Sniper": ActionFact(GERMAN_1, Op("cancel_move"), REACT_MOVE, RUSSIAN),
    "Propaganda War": ActionFact(GERMAN_1, Op("deny_location_draws"), REACT_DRAW, RUSSIAN),
    "Scouts": ActionFact(RUSSIAN_1, Op("search_deck"), ANY_TIME, RUSSIAN),
    "High Morale": ActionFact(RUSSIAN_1, Op("free_moves", count=4), OWN_ACTION, RUSSIAN),
    "Sewer Warfare": ActionFact(RUSSIAN_1, Op("no_firefight"), IN_BATTLE, RUSSIAN),
    "Recover Wounded": ActionFact(RUSSIAN_1, Op("distribute_rations", amount=3), FORCE_DESTROYED, RUSSIAN),
}
"""C14 to C16, C38 to C40, C42, C50, C57, C69, C71, C76, C79, C81, C83, C88, C91, C92, C97, C100 to C102, C104, C106, C113, C115."""

VALUES_SEEN = {GERMAN: (-2, 1, 2, 3), RUSSIAN: (-2, -2, -1, -1, -1, 2, 2, 3, 3)}
LAST_FLIPS = ((2, -2), (-2, 2))
"""Firefight values of the sample game, and those of its last flips: German and Russian, or the other way round. C114."""

OTHER_NAMES = {"Scouts": "Scout"}
"""The text writes both."""


def check_actions(rows: CardRows, findings: Findings) -> None:
    """Note every Action card that contradicts the text."""
    for name, fact in ACTION_FACTS.items():
        _check_action(name, fact, rows, findings)
    if rows.are_whole(ACTIONS, URANUS):
        _check_values(rows, findings)
    if rows.are_whole(URANUS):
        _check_first_uranus(rows, findings)


def _check_first_uranus(rows: CardRows, findings: Findings) -> None:
    """Ask for the Uranus card of the sample game. Source: RuleId("uranus.effect.force-cost"); C96."""
    seen = (Op("destroy_own_forces", count=1), Op("enemy_force_cost", amount=1))
    if not any((row.play_cost, row.effect) == seen for row in rows.uranus):
        wanted = f"one with destroy_own_forces 1 and enemy_force_cost 1 (rulebook {RUSSIAN_1})"
        findings.add(URANUS, "no card Destroys a Force of one's own to make German Forces cost 1 more", wanted)


def _check_action(name: str, fact: ActionFact, rows: CardRows, findings: Findings) -> None:
    """Ask for one Action card as the text describes it."""
    names = (name, OTHER_NAMES.get(name, name))
    row = next((row for row in rows.actions if any(same_name(row.name, one) for one in names)), None)
    if row is None:
        if rows.are_whole(ACTIONS):
            findings.add(ACTIONS, f"no Action card is named {name}", f"one (rulebook {fact.source})")
        return
    path: Path = (*ACTIONS, row.at)
    if fact.timing and row.timing != fact.timing:
        findings.add(
            (*path, "timing"), f"is {shown(row.timing)}", f'"{fact.timing}" for {name} (rulebook {fact.source})'
        )
    if row.effect.op != fact.effect.op:
        problem = f"is {shown(row.effect.op)}"
        findings.add((*path, "effect", "op"), problem, f'"{fact.effect.op}" for {name} (rulebook {fact.source})')
    else:
        _check_effect(row, fact, path, findings)
    copies = len(row.copies.get(fact.side, ()))
    if fact.side and copies < fact.copies:
        problem = f"the {SIDE_NAMES[fact.side]} deck has {copies} of them"
        findings.add((*path, "copies"), problem, f"{fact.copies} at least (rulebook {fact.source})")


def _check_effect(row: ActionRow, fact: ActionFact, path: Path, findings: Findings) -> None:
    """Ask for the figures that the text gives; those it leaves open are 0 in the fact."""
    figures = (
        ("amount", row.effect.amount, fact.effect.amount),
        ("count", row.effect.count, fact.effect.count),
        ("rubble", row.effect.rubble, fact.effect.rubble),
        ("hits", row.effect.hits, fact.effect.hits),
        ("min_rubble", row.effect.min_rubble, fact.effect.min_rubble),
    )
    for key, is_now, wanted in figures:
        if wanted and is_now != wanted:
            findings.add((*path, "effect", key), f"is {is_now}", f"{wanted} for {row.name} (rulebook {fact.source})")


def _check_values(rows: CardRows, findings: Findings) -> None:
    """Ask for the Firefight values of the sample game. Source: RuleId("card.firefight-value")."""
    have = {side: Counter(rows.values(side)) for side in VALUES_SEEN}
    lacking = {side: Counter(seen) - have[side] for side, seen in VALUES_SEEN.items()}
    for side, values in lacking.items():
        if values:
            listed = ", ".join(str(value) for value in sorted(values.elements()))
            wanted = f"{', '.join(map(str, VALUES_SEEN[side]))} (rulebook {SAMPLE})"
            findings.add(ACTIONS, f"the {SIDE_NAMES[side]} deck lacks the Firefight values {listed}", wanted)
    if not any(lacking.values()) and not any(
        not Counter((*VALUES_SEEN[GERMAN], german)) - have[GERMAN]
        and not Counter((*VALUES_SEEN[RUSSIAN], russian)) - have[RUSSIAN]
        for german, russian in LAST_FLIPS
    ):
        wanted = f"one more 2 in one deck and one more -2 in the other (rulebook {GERMAN_2})"
        findings.add(ACTIONS, "the decks have no values left for the last flips of the sample game", wanted)
