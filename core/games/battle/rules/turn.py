"""The turn: Supply, Actions, Draw; what ends with it; victory."""

from core.engine.draft import Draft
from core.engine.steps import Step, StepSequence
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import ACTIONS, DRAW, RUSSIAN, SIDE_NAMES, SIDES, SUPPLY, discards, enemy, snipers
from core.games.battle.memory import NO_LOCATION_CARDS
from core.games.battle.options import TURN_CAP
from core.games.battle.rules.changes import Chapter, draw
from core.games.battle.rules.queries import controlled, note_amount, uranus_amount
from core.games.battle.rules.supply import LOCATION, PER_FORCE, REPAIR, Supplies
from core.games.battle.rules.windows import Window
from core.wording import counted
from events.ids import RuleId, Side
from projections.state.table import Open, Table

STEPS = RuleId("turn.steps")
ACTION = RuleId("action.any-order-any-number")
ALTERNATE = RuleId("turn.alternate")
CLEAN_UP = RuleId("turn.end-cleanup")
VICTORY = RuleId("victory.five-locations-own-turn")
LIMIT = RuleId("end.table-options")
BASE = RuleId("draw.base")
PER_LOCATION = RuleId("draw.location-bonus")
NOTE = RuleId("location.note.extra-draw")
MORE = RuleId("uranus.effect.draw-more")
FEWER = RuleId("uranus.effect.draw-fewer")
W_DRAW = Window("answer_draw", frozenset({"react_draw"}), RuleId("window.draw"))


class Turns(Chapter):
    """The course of the turns. Source: turn.steps, turn.alternate."""

    def __init__(self, cards: Cards) -> None:
        super().__init__(cards)
        supply = Supplies(cards)
        self.sequence = StepSequence(
            "turn",
            STEPS,
            (
                Step("repair", REPAIR, supply.ask_repair, when=supply.may_repair),
                Step("location_rations", LOCATION, supply.begin, when=supply.are_there_any),
                Step("perimeter_rations", PER_FORCE, supply.perimeter, when=supply.has_perimeter_forces),
                Step("actions", STEPS, self._begin_actions),
                Step("draw", STEPS, self._ask_before_draw),
                Step("draw_cards", BASE, self._draw),
                Step("clean_up", CLEAN_UP, self._clean_up, when=is_sniper_left),
            ),
            then=self._end,
        )

    def begin(self, draft: Draft, side: Side, rule: RuleId = ALTERNATE) -> None:
        """Begin a side's turn with its Supply step. Source: turn.acting-player-only."""
        draft.begin_round(draft.table.round + 1, rule)
        draft.begin_turn(side, rule)
        draft.begin_phase(SUPPLY, STEPS)
        self.sequence.begin(draft, {})

    def _begin_actions(self, draft: Draft, at: Open) -> None:
        """Begin the Actions step. Its question stays open below each Action, until it is ended."""
        draft.begin_phase(ACTIONS, STEPS)
        draft.ask("action", draft.table.seat_of(draft.table.turn), ACTION)

    def _ask_before_draw(self, draft: Draft, at: Open) -> None:
        """Begin the Draw step, and open the enemy's window. Source: turn.steps, window.draw."""
        draft.begin_phase(DRAW, STEPS)
        W_DRAW.open(draft, self.cards, enemy(draft.table.turn))

    def _draw(self, draft: Draft, at: Open) -> None:
        """Draw the cards. Source: draw.base."""
        side = draft.table.turn
        parts = draw_parts(self.cards, draft.table, side)
        left, given = cards_to_draw(self.cards, draft.table, side), sum([count for _, count in parts if count > 0])
        for rule in [rule for rule, count in parts if count < 0]:
            draft.apply(rule, f"draws {counted(left, 'card')} instead of {given}", side)
        drawn: list[tuple[RuleId, int]] = []
        for rule, count in parts:
            drawn.append((rule, min(max(0, count), left)))
            left -= drawn[-1][1]
        draw(draft, side, drawn, "draw step")

    def _clean_up(self, draft: Draft, at: Open) -> None:
        """Put away the Snipers; what is remembered until the turn's end is dropped as the next turn begins.

        Source: turn.end-cleanup, card.sniper.lock.
        """
        for owner in SIDES:
            for card in draft.table.pile(snipers(owner)).cards:
                draft.discard(card, snipers(owner), discards(owner), CLEAN_UP)

    def _end(self, draft: Draft, at: Open) -> None:
        """Judge victory, and go on with the other side.

        Source: victory.timing, victory.five-locations-own-turn, victory.only-way, ruling.turn-end-order, ruling.end-of-game.
        """
        side, cap = draft.table.turn, TURN_CAP.number(draft.table)
        if len(controlled(self.cards, draft.table, side)) >= self.cards.figures.victory_locations:
            draft.end_match(f"{SIDE_NAMES[side]} Victory", (side,), VICTORY)
        elif 0 < cap <= draft.table.round:
            draft.end_match("Turn limit reached", (), LIMIT, kind="limit")
        else:
            self.begin(draft, enemy(side))


def cards_to_draw(cards: Cards, table: Table, side: Side) -> int:
    """Return how many cards a side draws in its Draw step now, 0 or more."""
    return max(0, sum([count for _, count in draw_parts(cards, table, side)]))


def draw_parts(cards: Cards, table: Table, side: Side) -> list[tuple[RuleId, int]]:
    """Return how many cards each rule gives a side in its Draw step, or takes off.

    Source: card.propaganda-war, draw.no-hand-limit.
    """
    parts = [(BASE, cards.figures.draw_base)]
    if not NO_LOCATION_CARDS.of(table):
        parts.append((PER_LOCATION, cards.figures.draw_per_location * len(controlled(cards, table, side))))
        parts.append((NOTE, note_amount(cards, table, side, "extra_draw")))
    rule, op = (MORE, "own_draw") if side == RUSSIAN else (FEWER, "enemy_draw")
    return [*parts, (rule, uranus_amount(cards, table, op))]


def is_sniper_left(table: Table, at: Open) -> bool:
    """Return whether a Sniper lies on a Force."""
    return any(table.pile(snipers(side)).count for side in SIDES)
