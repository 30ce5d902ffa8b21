"""The turn: Supply, Actions, Draw; what ends with it; victory."""

from core.draft import Draft
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import ACTIONS, SIDE_NAMES, SIDES, SUPPLY, discards, enemy, snipers
from core.games.battle.options import TURN_CAP, number
from core.games.battle.rules.draw import BASE, Draws
from core.games.battle.rules.queries import controlled
from core.games.battle.rules.supply import LOCATION, PER_FORCE, REPAIR, Supplies
from core.sequence import Step, StepSequence
from events.ids import RuleId, Side
from projections.table import Open, Table

STEPS = RuleId("turn.steps")
ACTION = RuleId("action.any-order-any-number")
ALTERNATE = RuleId("turn.alternate")
CLEAN_UP = RuleId("turn.end-cleanup")
VICTORY = RuleId("victory.five-locations-own-turn")
LIMIT = RuleId("end.table-options")


class Turns:
    """The course of the turns, bound to the cards. Source: RuleId("turn.steps"), RuleId("turn.alternate")."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        supply = Supplies(cards)
        draws = Draws(cards)
        self.sequence = StepSequence(
            "turn",
            STEPS,
            (
                Step("repair", REPAIR, supply.ask_repair, when=supply.may_repair),
                Step("location_rations", LOCATION, supply.begin, when=supply.are_there_any),
                Step("perimeter_rations", PER_FORCE, supply.perimeter, when=supply.has_perimeter_forces),
                Step("actions", STEPS, self.begin_actions),
                Step("draw", STEPS, draws.ask_before),
                Step("draw_cards", BASE, draws.draw),
                Step("clean_up", CLEAN_UP, self.clean_up, when=is_sniper_left),
            ),
            then=self.end,
        )

    def begin(self, draft: Draft, side: Side) -> None:
        """Begin a side's turn with its Supply step. Source: RuleId("turn.acting-player-only")."""
        draft.begin_round(draft.table.round + 1, ALTERNATE)
        draft.begin_turn(side, ALTERNATE)
        draft.begin_phase(SUPPLY, STEPS)
        self.sequence.begin(draft, {})

    def begin_actions(self, draft: Draft, at: Open) -> None:
        """Begin the Actions step. Its question stays open below each Action, until it is ended."""
        draft.begin_phase(ACTIONS, STEPS)
        draft.ask("action", draft.table.seat_of(draft.table.turn), ACTION)

    def clean_up(self, draft: Draft, at: Open) -> None:
        """Put away what lasts until the turn's end; what is remembered of it lapses as the next turn begins.

        Source: RuleId("turn.end-cleanup"), RuleId("card.sniper.lock").
        """
        for owner in SIDES:
            for card in draft.table.pile(snipers(owner)).cards:
                draft.discard(card, snipers(owner), discards(owner), CLEAN_UP)

    def end(self, draft: Draft, at: Open) -> None:
        """Judge victory, and go on with the other side.

        Source: RuleId("victory.timing"), RuleId("victory.five-locations-own-turn"), RuleId("victory.only-way"),
        ruling.turn-end-order, ruling.end-of-game.
        """
        side = draft.table.turn
        if len(controlled(self.cards, draft.table, side)) >= self.cards.figures.victory_locations:
            draft.end_match(f"{SIDE_NAMES[side]} Victory", (side,), VICTORY)
            return
        cap = number(draft.table, TURN_CAP)
        if 0 < cap <= draft.table.round:
            draft.end_match("Turn limit reached", (), LIMIT, kind="limit")
            return
        self.begin(draft, enemy(side))


def is_sniper_left(table: Table, at: Open) -> bool:
    """Return whether a Sniper lies on a Force."""
    return any(table.pile(snipers(side)).count for side in SIDES)
