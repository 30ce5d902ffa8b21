"""Operation Uranus: cards that the Allies draw and place in secret, and the launch; at set-up the cards of the scenario."""

from core.decision import Decision
from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import (
    ALLIES,
    ORDER_BOX,
    ORDER_DECK,
    URANUS_DECK,
    URANUS_DRAWN,
    URANUS_FRONT,
    WINTER_STORM,
    order_card,
    round_space,
)
from core.games.axis_allies.rules.card_deployment import CardDeployment
from core.games.axis_allies.rules.commands import Front, Launch, Wait
from core.games.axis_allies.rules.refusals import misplaced, refused
from core.games.axis_allies.rules.supply import Supply
from core.question import Answer, Question, always
from core.refusal import Refusal
from core.selection import Picks, Selection
from core.sequence import Step, StepSequence
from events.ids import CardId, PileId, RuleId, Seat
from projections.table import Open, Table

TOO_EARLY = RuleId("order.7.rounds-1-2")
DRAW = RuleId("order.7.draw")
PLACE = RuleId("order.7.place")
SECRET = RuleId("order.7.secret")
LAUNCH = RuleId("order.7.launch")
DEADLINE = RuleId("order.7.launch-uranus-deadline")
REMOVED = RuleId("order.7.removed")
STORM = RuleId("winter-storm.marker-place")
SCENARIO_DRAWS = RuleId("setup.uranus.draws")
SCENARIO_DEPLOYS = RuleId("setup.uranus.deploy")

COUNTER_OFFENSIVE = "counter_offensive"
URANUS_SET_UP = "uranus_set_up"
PLACE_CARDS = "place_cards"
LAUNCHING = "launch"
FRONT = "front"
NORTHWEST, SOUTHEAST = URANUS_FRONT

URANUS_CARD = 7


class CounterOffensive:
    """Card 7, and the draws of the Operation Uranus scenario.

    Args:
        board: The board.
        supply: The supply on it.
    """

    def __init__(self, board: Board, supply: Supply) -> None:
        self.board = board
        self.deployment = CardDeployment(board, supply)
        self.placing = Selection(
            lambda _: PLACE,
            lambda table, _: table.pile(URANUS_DRAWN).cards,
            lambda *_: (1, 1),
            self._place,
            refuse_count=lambda *_: refused("cards_must_keep_to_fronts", rule=PLACE),
            refuse_other=misplaced,
        )
        self.launching = Question((always(Launch(), self._launch_now), always(Wait(), self._wait)), misplaced)
        self.fronts = Question((Answer(Front, _fronts, _refuse_front, self._place_all),), misplaced)
        self.card = StepSequence(
            COUNTER_OFFENSIVE,
            LAUNCH,
            (
                Step("draw", DRAW, self._draw),
                Step("launch", LAUNCH, self._ask_to_launch),
                self.deployment.step(LAUNCH),
            ),
        )
        self.set_up = StepSequence(
            URANUS_SET_UP,
            SCENARIO_DEPLOYS,
            (
                Step("draws", SCENARIO_DRAWS, self._draw_first),
                Step("reveal", SCENARIO_DEPLOYS, self._reveal_for_scenario),
                self.deployment.step(SCENARIO_DEPLOYS),
            ),
        )

    @property
    def sequences(self) -> tuple[StepSequence, ...]:
        """The sequences of the chapter."""
        return (self.card, self.set_up)

    @property
    def decisions(self) -> dict[str, Decision]:
        """The questions of the chapter."""
        own: dict[str, Decision] = {PLACE_CARDS: self.placing, LAUNCHING: self.launching, FRONT: self.fronts}
        return {**own, **self.deployment.decisions}

    def begin(self, draft: Draft) -> None:
        """Carry card 7 out. Source: RuleId("order.7.rounds-1-2")."""
        if draft.table.round < self.board.uranus.first_round:
            draft.apply(TOO_EARLY, "no-draw")
        else:
            self.card.begin(draft)

    # Cards drawn and placed

    def _draw_cards(self, draft: Draft, number: int, to: PileId, rule: RuleId) -> None:
        """Draw cards that only the Allies see. Source: RuleId("order.7.draw"), RuleId("setup.uranus.draws"), ruling.uranus-undrawn-hidden."""
        for _ in range(number):
            draft.draw_card(URANUS_DECK, to, "Operation Uranus", rule, seen_by=_allies(draft.table))

    def _draw(self, draft: Draft, at: Open) -> None:
        """Draw the cards of the round, and ask which one goes northwest."""
        self._draw_cards(draft, self.board.uranus.drawn, URANUS_DRAWN, DRAW)
        draft.ask(PLACE_CARDS, draft.table.seat_of(ALLIES), PLACE)

    def _place(self, draft: Draft, asked: Open, picks: Picks) -> None:
        """Place the chosen card in the northwest and the other in the southeast, which the Axis does not see.

        Source: RuleId("order.7.place"), RuleId("order.7.secret").
        """
        for item, _ in picks:
            _lay(draft, CardId(item), NORTHWEST, SECRET)
        for card in draft.table.pile(URANUS_DRAWN).cards:
            _lay(draft, card, SOUTHEAST, SECRET)

    # The launch

    def _ask_to_launch(self, draft: Draft, at: Open) -> None:
        """Ask whether to launch, which in the last round must be done. Source: RuleId("order.7.launch-uranus-deadline")."""
        if draft.table.round == self.board.uranus.last_round:
            self._launch(draft, DEADLINE)
        else:
            draft.ask(LAUNCHING, draft.table.seat_of(ALLIES), LAUNCH)

    def _launch_now(self, draft: Draft, asked: Open, command: Launch) -> None:
        draft.answered(LAUNCH)
        self._launch(draft, LAUNCH)

    def _wait(self, draft: Draft, asked: Open, command: Wait) -> None:
        draft.answered(LAUNCH)

    def _launch(self, draft: Draft, rule: RuleId) -> None:
        """Reveal the placed cards; the card leaves the game, and the round of Operation Winter Storm is set.

        Source: RuleId("order.7.launch"), RuleId("order.7.removed"), RuleId("winter-storm.marker-place").
        """
        draft.apply(rule, "launched")
        self._reveal(draft, rule)
        draft.move_card(order_card(URANUS_CARD), ORDER_DECK, ORDER_BOX, REMOVED)
        draft.mark(round_space(draft.table.round + self.board.uranus.storm_after), WINTER_STORM, STORM)

    def _reveal(self, draft: Draft, rule: RuleId) -> None:
        """Show the cards on both fronts, in an order that tells nothing of when they were placed."""
        for pile in URANUS_FRONT.values():
            there = draft.table.pile(pile).cards
            draft.form(pile, tuple([card for card in self.board.uranus_cards if card in there]), rule)

    # The scenario

    def _draw_first(self, draft: Draft, at: Open) -> None:
        """Draw the first half of the scenario's cards, and ask where they all go. Source: RuleId("setup.uranus.draws")."""
        self._draw_cards(draft, self.board.uranus.scenario_draw, URANUS_DRAWN, SCENARIO_DRAWS)
        draft.ask(FRONT, draft.table.seat_of(ALLIES), SCENARIO_DRAWS)

    def _place_all(self, draft: Draft, asked: Open, command: Front) -> None:
        """Place the first half on a front, and draw the other half for the other front. Source: RuleId("setup.uranus.draws")."""
        draft.answered(SCENARIO_DRAWS)
        for card in draft.table.pile(URANUS_DRAWN).cards:
            _lay(draft, card, command.front, SCENARIO_DRAWS)
        other = next(front for front in URANUS_FRONT if front != command.front)
        self._draw_cards(draft, self.board.uranus.scenario_draw, URANUS_FRONT[other], SCENARIO_DRAWS)

    def _reveal_for_scenario(self, draft: Draft, at: Open) -> None:
        self._reveal(draft, SCENARIO_DEPLOYS)


def _allies(table: Table) -> tuple[Seat, ...]:
    return (table.seat_of(ALLIES),)


def _lay(draft: Draft, card: CardId, front: str, rule: RuleId) -> None:
    draft.move_card(card, URANUS_DRAWN, URANUS_FRONT[front], rule, seen_by=_allies(draft.table))


def _fronts(table: Table, asked: Open) -> list[Front]:
    return [Front(front) for front in URANUS_FRONT]


def _refuse_front(table: Table, asked: Open, command: Front) -> Refusal | None:
    """Return why the cards cannot all be placed there. Source: RuleId("setup.uranus.draws")."""
    return None if command.front in URANUS_FRONT else refused("cards_must_keep_to_fronts", rule=SCENARIO_DRAWS)
