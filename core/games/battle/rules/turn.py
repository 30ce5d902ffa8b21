"""The turn: Supply, Actions, Draw; what ends with it; victory."""

from core.decision import Procedure
from core.draft import Draft
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import ACTIONS, DRAW, SIDE_NAMES, SIDES, discards, enemy, snipers
from core.games.battle.options import TURN_CAP, number
from core.games.battle.rules.queries import controlled
from core.games.battle.rules.supply import begin_supply
from events.ids import RuleId, Side
from projections.table import Open

STEPS = RuleId("turn.steps")
ALTERNATE = RuleId("turn.alternate")
CLEAN_UP = RuleId("turn.end-cleanup")
VICTORY = RuleId("victory.five-locations-own-turn")
LIMIT = RuleId("end.table-options")


class Turns:
    """The course of the turns, bound to the cards."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def begin(self, draft: Draft, side: Side) -> None:
        """Begin a side's turn with its Supply step; the other steps wait below.

        Source: RuleId("turn.steps"), RuleId("turn.alternate"), RuleId("turn.acting-player-only").
        """
        draft.begin_round(draft.table.round + 1, ALTERNATE)
        draft.begin_turn(side, ALTERNATE)
        draft.set_aside("end_turn", STEPS)
        draft.set_aside("draw_step", STEPS)
        draft.set_aside("begin_actions", STEPS)
        begin_supply(draft, self.cards, side)

    def begin_actions(self, draft: Draft, waiting: Open) -> None:
        """Begin the Actions step."""
        draft.take_up(STEPS)
        draft.begin_phase(ACTIONS, STEPS)
        draft.set_aside("actions_step", STEPS)

    def begin_draw(self, draft: Draft, waiting: Open) -> None:
        """Begin the Draw step: the cards are drawn once the enemy has had his say."""
        draft.take_up(STEPS)
        draft.begin_phase(DRAW, STEPS)
        draft.set_aside("draw_cards", STEPS)
        draft.set_aside("ask_before_draw", STEPS)

    def end(self, draft: Draft, waiting: Open) -> None:
        """Clean up, judge victory, and go on with the other side.

        Source: RuleId("turn.end-cleanup"), RuleId("victory.timing"), RuleId("victory.five-locations-own-turn"),
        RuleId("victory.only-way"), ruling.turn-end-order, ruling.end-of-game.
        """
        draft.take_up(STEPS)
        side = draft.table.turn
        self.clean_up(draft)
        if len(controlled(self.cards, draft.table, side)) >= self.cards.figures.victory_locations:
            draft.end_match(f"{SIDE_NAMES[side]} Victory", (side,), VICTORY)
            return
        cap = number(draft.table, TURN_CAP)
        if 0 < cap <= draft.table.round:
            draft.end_match("Turn limit reached", (), LIMIT, kind="limit")
            return
        self.begin(draft, enemy(side))

    def clean_up(self, draft: Draft) -> None:
        """Put away what lasts until the turn's end; what is remembered of it lapses as the next turn begins.

        Source: RuleId("turn.end-cleanup"), RuleId("card.sniper.lock").
        """
        for owner in SIDES:
            for card in draft.table.pile(snipers(owner)).cards:
                draft.discard(card, snipers(owner), discards(owner), CLEAN_UP)


def procedures(cards: Cards) -> dict[str, Procedure]:
    """Return the steps of a turn."""
    turns = Turns(cards)
    return {"begin_actions": turns.begin_actions, "draw_step": turns.begin_draw, "end_turn": turns.end}
