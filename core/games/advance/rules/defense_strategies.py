"""Chapter 9.4: the reveal of a Soviet unit, which Defense Strategy it has in force, and Barrage.

What the other Defense Strategies do stands where they do it.
"""

from core.engine.draft import Draft
from core.engine.question import Answer, Question, always
from core.games.advance.components.board_model import Board
from core.games.advance.components.board_records import BARRAGE, GUARDS, SovietCounter
from core.games.advance.ids import REVEALED, SPENT, mix, soviet_unit
from core.games.advance.memory import BROKEN_OFF, RESULT, STRATEGY_IN_FORCE, attackers, has_strategy_in_force
from core.games.advance.rules.changes import put_out_of_action
from core.games.advance.rules.commands import BreakOff, PutOutOfAction
from core.games.advance.rules.queries import counter_at
from core.games.advance.rules.refusals import refused
from core.refusal import Refusal
from events.ids import PlaceId, RuleId
from projections.state.table import Open, Table

REVEAL = RuleId("9.4.reveal")
BARRAGE_CHOICE = RuleId("9.4.barrage-choice")
BARRAGE_RETREAT = RuleId("9.4.barrage-retreat")
LOSE_ONE = RuleId("9.4.barrage-lose-one")
LONE = RuleId("9.4.barrage-lone")


def reveal(draft: Draft, board: Board, area: PlaceId) -> None:
    """Turn up the Soviet unit of an Area: its counter is drawn now from those of its terrain not seen so far.

    Source: 9.4, ruling.draw-at-reveal, RuleId("8.1.reveal-before-combat"), RuleId("4.4.revealed-for-good").
    """
    unit = soviet_unit(area)
    counter = draft.draw_piece(mix(board.areas[area].terrain), f"the counter of Area {area}", REVEAL)
    draft.reveal(unit, counter, REVEALED, REVEAL)
    STRATEGY_IN_FORCE.set(draft, unit, value=True, rule=RuleId("9.4.strategy-first-round"))


def revealed_counter(table: Table, board: Board, area: PlaceId) -> SovietCounter:
    """Return the counter of the Soviet unit of an Area under attack: it is Revealed by then, in a Contested Area before.

    Source: 4.4, RuleId("7.3.contested-is-revealed").
    """
    counter = counter_at(table, board, area)
    assert counter is not None, f"no Revealed Soviet unit in Area {area}"
    return counter


def strategy_in_force(table: Table, board: Board, area: PlaceId) -> str:
    """Return the Defense Strategy that works in the attack on an Area; empty if it is used up.

    A strategy works in the Action Round of the reveal alone; Pavlov's House is Guards every time.

    Source: 9.4, RuleId("4.4.strategy-once"), RuleId("12.6.guards-every-time").
    """
    counter = revealed_counter(table, board, area)
    if has_strategy_in_force(table, area):
        return counter.strategy
    return GUARDS if counter.is_always_guards else ""


def is_unrevealed(table: Table, board: Board, area: PlaceId) -> bool:
    """Return whether the unit under attack is still to be Revealed."""
    return table.pieces[soviet_unit(area)].face != REVEALED


def is_barraged(table: Table, board: Board, area: PlaceId) -> bool:
    """Return whether the attackers have to meet Barrage. Source: 9.4, ruling.barrage-timing."""
    return strategy_in_force(table, board, area) == BARRAGE


def barrage() -> Question:
    """Return the choice that Barrage leaves: one attacker Out of Action, or all of them in retreat. Neither costs Morale.

    If no attacker is left, no combat follows (`combat.is_fought`).

    Source: ruling.barrage-timing.
    """

    def refuse(table: Table, asked: Open, command: PutOutOfAction) -> Refusal | None:
        if command.unit in attackers(table):
            return None
        sentence = f"{command.unit!r} is not attacking; choose an attacker, or retreat."
        return refused("barrage_must_be_answered", sentence)

    def lose(draft: Draft, asked: Open, command: PutOutOfAction) -> None:
        draft.answered(BARRAGE_CHOICE)
        put_out_of_action(draft, command.unit, LONE if len(attackers(draft.table)) == 1 else LOSE_ONE)

    def break_off(draft: Draft, asked: Open, command: BreakOff) -> None:
        draft.answered(BARRAGE_CHOICE)
        RESULT.set(draft, asked.text("area"), BROKEN_OFF, BARRAGE_RETREAT)
        for unit in attackers(draft.table):
            draft.turn(unit, SPENT, BARRAGE_RETREAT)

    losses = Answer(PutOutOfAction, lambda table, _: map(PutOutOfAction, attackers(table)), refuse, lose)
    return Question([losses, always(BreakOff(), break_off)], lambda *_: refused("barrage_must_be_answered"))
