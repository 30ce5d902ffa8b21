"""A combat, in its thirteen steps; what happens in each is in the modules of its chapter. Combats are never nested.

Source: combat.sequence, combat.one-at-a-time, turn.attack-uses-combat-sequence.
"""

from collections.abc import Callable

from core.engine.decision import Decision
from core.engine.draft import Draft
from core.engine.steps import Step, StepSequence
from core.games.inferno.components.board_model import Board
from core.games.inferno.components.board_records import AA, DESTROYER, TANK
from core.games.inferno.ids import DEATH_POOL, GERMAN, SIDES, SOVIET, combat_card, enemy
from core.games.inferno.memory import ATTACKING, COMBAT
from core.games.inferno.options import DESIGNER_AA_BRIGADE, HARD, OFF, level
from core.games.inferno.rules import advance, fire, german_cards, rubble, soviet_cards, spawn
from core.games.inferno.rules.losses import HITS, combatants, defender, inflict, target, ties
from core.games.inferno.rules.queries import block, stack
from events.ids import TABLE, PlaceId, RuleId, Seat, Side
from events.vocabulary import Value
from projections.state.table import Open, Table

SEQUENCE = RuleId("combat.sequence")
SHOWDOWN = RuleId("combat.showdown")
CONCEAL = RuleId("fog.conceal-after-combat")
AA_REGIMENT = RuleId("designer.aa-regiment")
BRIGADE = RuleId("designer.destroyer-brigade")

DEFENDER_FIRE = "defender_fire"
COMBINED_FORCE = "combined_force"
FIRST_FIRE = (DEFENDER_FIRE, COMBINED_FORCE)
"""The steps of Close Combat in which one side fires, so that the other fires afterwards."""

Does = Callable[[Draft, Board, Open], None]
When = Callable[[Table, Board, Open], bool]


def begin(
    draft: Draft,
    steps: StepSequence,
    *,
    target: PlaceId,
    attackers: tuple[PlaceId, ...],
    side: Side,
    is_deliberate: bool,
    seat: Seat,
) -> None:
    """Begin a combat; what lies below it on the stack continues when it is over.

    Args:
        draft: The draft.
        steps: The steps of a combat (`sequence`).
        target: The hex that is attacked.
        attackers: The hexes whose Stacks attack; a Soviet attack starts from the first.
        side: The side that attacks.
        is_deliberate: Whether it is a Deliberate Attack.
        seat: The German seat of the combat: the attacking one, or the one that decides for the attacked Stack.
    """
    about: dict[str, Value] = {
        "target": target,
        "hexes": attackers,
        "attacker": side,
        "is_deliberate": int(is_deliberate),
        "seat": seat,
    }
    steps.begin(draft, about)


def sequence(board: Board) -> StepSequence:
    """Return the steps of a combat, bound to the board."""

    def step(name: str, rule: str, do: Does, when: When | None = None, *, repeats: bool = False) -> Step:
        takes_place = None if when is None else lambda table, at: when(table, board, at)
        return Step(name, RuleId(rule), lambda draft, at: do(draft, board, at), takes_place, repeats)

    return StepSequence(
        COMBAT,
        SEQUENCE,
        (
            step("soviet_card", "combat.soviet-card-mandatory", soviet_cards.commit, soviet_cards.can_play),
            step("german_card", "german.deliberate-attack.card", german_cards.ask, german_cards.is_asked),
            step("showdown", "combat.showdown", showdown),
            step("adjust", "combat.adjust-strength", soviet_cards.adjust, soviet_cards.is_adjusted),
            step("aa_regiment", "designer.aa-regiment", cancel_airstrike, has_aa_regiment),
            step("destroyer_brigade", "designer.destroyer-brigade", hit_panzers, has_destroyer_brigade),
            step("soviet_effect", "combat.soviet-card-first", soviet_cards.work, soviet_cards.is_played),
            step("german_effect", "combat.german-card-second", german_cards.work, german_cards.are_played),
            step("discard", "combat.discard", german_cards.discard, are_cards_left),
            step("opportunity_fire", fire.OPPORTUNITY, fire.opportunity_fire, fire.has_opportunity_fire),
            step("rubble_roll", rubble.ROLL, rubble.roll, rubble.is_rolled),
            step(DEFENDER_FIRE, fire.DEFENDER_FIRST, first_fire, is_defender_first),
            step(COMBINED_FORCE, fire.GERMANS_FIRST, first_fire, is_combined_force),
            step("close_combat", fire.TOGETHER, fire.fire_together, is_together),
            step("return_fire", "combat.one-roll-per-unit", return_fire, is_returned),
            step("soviet_advance", "advance.soviet-one", advance.advance_soviets, advance.soviets_advance),
            step("advance", "advance.mandatory", advance.advance_germans, advance.germans_advance),
            step("blitz", "blitz.condition", advance.ask_to_blitz, advance.is_blitz, repeats=True),
            step("conceal", CONCEAL, conceal),
        ),
    )


def decisions(board: Board) -> dict[str, Decision]:
    """Return every question of a combat by its kind."""
    return {
        soviet_cards.SOVIET_CARD: soviet_cards.SovietCards(),
        german_cards.GERMAN_CARD: german_cards.GermanCards(board),
        HITS: ties(board),
        advance.SOVIET_ADVANCE: advance.soviet_advance(board),
        advance.ADVANCE: advance.GermanAdvance(board).selection(),
        advance.BLITZ: advance.BlitzMoves(board),
    }


# Showdown and after


def showdown(draft: Draft, board: Board, at: Open) -> None:
    """Fix who attacks, and reveal the cards and all units of both sides.

    Source: combat.showdown, fog.reveal-participants-only, soviet.hasty-attack.whole-stack.
    """
    units = [unit for place in at.texts("hexes") for unit in stack(draft.table, PlaceId(place))]
    ATTACKING.set(draft, TABLE, tuple(sorted(units)), SHOWDOWN)
    for side in (SOVIET, GERMAN):
        for card in sorted(draft.table.pile(combat_card(side)).cards):
            draft.play_card(card, combat_card(side), combat_card(side), SHOWDOWN)
    for unit in (*units, *stack(draft.table, target(at))):
        spawn.reveal(draft, board, unit, SHOWDOWN)


def has_specials(table: Table) -> bool:
    """Return whether AA Regiment and Destroyer Brigade are special. Source: designer.difficulty.hard, ruling.aa-brigade-by-level."""
    return level(table) == HARD or (level(table) != OFF and DESIGNER_AA_BRIGADE.chosen(table) == "always")


def _fights(table: Table, board: Board, at: Open, kind: str) -> bool:
    return has_specials(table) and any(block(table, board, u).kind == kind for u in combatants(table, at, SOVIET))


def has_aa_regiment(table: Table, board: Board, at: Open) -> bool:
    """Return whether the AA Regiment cancels a card; only one that came at the Showdown does. Source: ruling.special-in-late-reveal."""
    return german_cards.has_airstrike(table, board) and _fights(table, board, at, AA)


def cancel_airstrike(draft: Draft, board: Board, at: Open) -> None:
    """Cancel the German airstrike card. Source: designer.aa-regiment, ruling.aa-regiment-rubble."""
    german_cards.cancel_airstrike(draft, board, AA_REGIMENT)


def has_destroyer_brigade(table: Table, board: Board, at: Open) -> bool:
    """Return whether the Destroyer Brigade hits, in attack and in defence. Source: ruling.abilities-when-attacking."""
    is_tank = any(block(table, board, unit).is_tank for unit in combatants(table, at, GERMAN))
    return is_tank and _fights(table, board, at, DESTROYER)


def hit_panzers(draft: Draft, board: Board, at: Open) -> None:
    """Take a Step from the strongest Panzer or Panzer Grenadier. Source: designer.destroyer-brigade."""
    inflict(draft, board, GERMAN, 1, BRIGADE, arm=TANK)


def are_cards_left(table: Table, board: Board, at: Open) -> bool:
    """Return whether Support Cards are to be discarded."""
    return any(table.pile(combat_card(side)).count for side in SIDES)


# Close Combat


def is_defender_first(table: Table, board: Board, at: Open) -> bool:
    """Return whether the defender fires first. Source: combat.urban-defender-first."""
    return fire.can_fight(table, at) and board.terrain_of(target(at)).defender_first


def is_combined_force(table: Table, board: Board, at: Open) -> bool:
    """Return whether the Germans fire first. Source: combat.combined-german-first."""
    return at.step not in FIRST_FIRE and fire.can_fight(table, at) and fire.has_combined_force(table, board, at)


def is_together(table: Table, board: Board, at: Open) -> bool:
    """Return whether both sides fire together. Source: combat.simultaneous."""
    return at.step not in FIRST_FIRE and fire.can_fight(table, at)


def is_returned(table: Table, board: Board, at: Open) -> bool:
    """Return whether the side that did not fire first fires with what is left of it. Source: combat.one-roll-per-unit."""
    return at.step in FIRST_FIRE and fire.can_fight(table, at)


def first_fire(draft: Draft, board: Board, at: Open) -> None:
    """Let the side fire that fires first."""
    fire.fire_alone(draft, board, at, first_side(board, at), fire_rule(board, at))


def return_fire(draft: Draft, board: Board, at: Open) -> None:
    """Let the other side fire."""
    fire.fire_alone(draft, board, at, enemy(first_side(board, at)), fire_rule(board, at))


def first_side(board: Board, at: Open) -> Side:
    """Return the side that fires first, where one does."""
    return defender(at) if board.terrain_of(target(at)).defender_first else GERMAN


def fire_rule(board: Board, at: Open) -> RuleId:
    """Return the rule by which one side fires first."""
    return fire.DEFENDER_FIRST if board.terrain_of(target(at)).defender_first else fire.GERMANS_FIRST


# The end


def conceal(draft: Draft, board: Board, at: Open) -> None:
    """Conceal all units of the combat, wherever they ended. Source: fog.conceal-after-combat."""
    units = dict.fromkeys([*(ATTACKING.of(draft.table) or ()), *stack(draft.table, target(at))])
    for unit in units:
        if draft.table.pieces[unit].place != DEATH_POOL and unit not in draft.table.known_to:
            spawn.conceal(draft, unit, CONCEAL)
