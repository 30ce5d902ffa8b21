"""The rules of this game, put together: the set-up, the rounds and their chapters."""

from collections.abc import Callable, Mapping
from functools import partial

from typing_extensions import override

from core.components.inventory import families
from core.engine.command import Command
from core.engine.dealing import Dealing
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.game_commands import command_decoder
from core.engine.steps import Step, StepSequence
from core.games.axis_allies import ids
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.inventory import piles
from core.games.axis_allies.memory import IN_LEFT_HAND, TOKENS_KEPT
from core.games.axis_allies.options import ALTERNATIVE_DEPLOYMENT, FACTORY_PLACEMENT
from core.games.axis_allies.rules import commands
from core.games.axis_allies.rules.attack import Attack
from core.games.axis_allies.rules.auction import AWARD, BIDDING, SPEND, Auction, Award
from core.games.axis_allies.rules.automatic_cards import VictoryConditions, roll_for_weather, work
from core.games.axis_allies.rules.landing import Landing
from core.games.axis_allies.rules.lost_units import Heroes
from core.games.axis_allies.rules.movement import Movement
from core.games.axis_allies.rules.queries import like
from core.games.axis_allies.rules.reaction import Reaction
from core.games.axis_allies.rules.refusals import refused
from core.games.axis_allies.rules.reinforcement import Reinforcement
from core.games.axis_allies.rules.set_up import PLACEMENT, Factories, Rearrangement, lay_out
from core.games.axis_allies.rules.uranus import SCENARIO_DEPLOYS, CounterOffensive
from core.refusal import Refusal
from events.ids import PieceId, RuleId, Seat, Side
from projections.state.table import Open, Table

CARD_ORDER = RuleId("sequence.card-order")
NEW_ROUND = RuleId("sequence.new-round")

CHARTS = RuleId("setup.scenario-choice")

ROUND = "round"

FIRST_ALLIED_CARD = 7
"""The first Order Card of the second half of a round, in which the Allies move and attack."""

SECRETS = {
    IN_LEFT_HAND.key: (sorted(ids.FACTORY), "the factory in the left hand"),
    TOKENS_KEPT.key: (TOKENS_KEPT.words, "the forces for which no supply token is spent"),
}
"""What only one seat knows besides cards. Source: order.7.secret, optional.factory-placement.hidden."""

Chapter = Callable[[Draft], None]
"""Carries an Order Card out, up to its first question."""


class Rounds:
    """The course of the rounds. Source: sequence.rounds, sequence.active-side."""

    def __init__(self, board: Board, chapters: Mapping[int, Chapter]) -> None:
        self.board = board
        self.chapters = chapters
        phases = {number: ids.PHASES[number] for number in sorted(board.order_cards)}
        steps = [
            Step(phase, CARD_ORDER, partial(self._carry_out, number), partial(_is_in_deck, number))
            for number, phase in phases.items()
        ]
        self.sequence = StepSequence(ROUND, NEW_ROUND, steps, then=self._end)

    def begin(self, draft: Draft, number: int) -> None:
        """Begin a round with the first card in the deck."""
        draft.begin_round(number, RuleId("order.14.next-round"))
        self.sequence.begin(draft)

    def _carry_out(self, number: int, draft: Draft, at: Open) -> None:
        """Discard the card before this one, and begin its phase; with its first card a side's half of the round begins.

        Source: sequence.instruction-order, sequence.round-conditions, sequence.removed-cards.
        """
        current = draft.table.pile(ids.ORDER_DECK).cards[0]
        if current != ids.order_card(number):
            draft.discard(current, ids.ORDER_DECK, ids.ORDER_DISCARDS, RuleId("sequence.instruction-order"))
        half = ids.AXIS if number < FIRST_ALLIED_CARD else ids.ALLIES
        if draft.table.turn != half:
            draft.begin_turn(half, CARD_ORDER)
        draft.begin_phase(ids.PHASES[number], CARD_ORDER)
        self.chapters[number](draft)

    def _end(self, draft: Draft, at: Open) -> None:
        """Form the deck anew and begin the next round. Source: sequence.new-round, order.14.next-round."""
        table = draft.table
        there = {*table.pile(ids.ORDER_DECK).cards, *table.pile(ids.ORDER_DISCARDS).cards}
        cards = [ids.order_card(number) for number in sorted(self.board.order_cards)]
        draft.form(ids.ORDER_DISCARDS, (), NEW_ROUND)
        draft.form(ids.ORDER_DECK, tuple(card for card in cards if card in there), NEW_ROUND)
        self.begin(draft, table.round + 1)


def _is_in_deck(number: int, table: Table, at: Open) -> bool:
    return ids.order_card(number) in table.pile(ids.ORDER_DECK).cards


class AxisAlliesRules(DecisionRules):
    """The rules, bound to a board."""

    decoder = command_decoder(commands)

    def __init__(self, board: Board) -> None:
        self.board = board
        self.auction, self.award, self.factories = Auction(), Award(board), Factories(board)
        self.rearrangement = Rearrangement(board)
        self.counter_offensive = CounterOffensive(board)
        heroes, landing = Heroes(board), Landing(board)
        reinforcement, movement = Reinforcement(board), Movement(board, (heroes.step,))
        reaction, attack = Reaction(board), Attack(board)
        self.rounds = Rounds(
            board,
            {
                1: lambda draft: roll_for_weather(draft, board),
                2: reinforcement.by_side[ids.AXIS].begin,
                3: movement.by_side[ids.AXIS].begin,
                4: reaction.sequence.begin,
                5: attack.sequence.begin,
                6: partial(landing.sequence.begin, arguments={"side": ids.AXIS}),
                7: self.counter_offensive.begin,
                8: lambda draft: work(draft, board),
                9: reinforcement.by_side[ids.ALLIES].begin,
                10: movement.by_side[ids.ALLIES].begin,
                11: reaction.sequence.begin,
                12: attack.sequence.begin,
                13: partial(landing.sequence.begin, arguments={"side": ids.ALLIES}),
                14: VictoryConditions(board).check,
            },
        )
        self.set_up_sequence = StepSequence(
            "set_up",
            CHARTS,
            self._set_up_steps(),
            then=lambda draft, _: self.rounds.begin(draft, board.scenarios[draft.table.scenario].first_round),
        )
        chapters = (self.counter_offensive, reinforcement, movement, reaction, attack, landing)
        asking = (self.auction, self.factories, heroes, *chapters)
        super().__init__(
            {
                AWARD: self.award,
                self.rearrangement.kind: self.rearrangement,
                **{kind: decision for chapter in asking for kind, decision in chapter.decisions.items()},
            },
            dealing=Dealing(families(piles()), SECRETS),
            sequences=(
                self.set_up_sequence,
                self.rounds.sequence,
                *[sequence for chapter in chapters for sequence in chapter.sequences],
            ),
        )

    def _set_up_steps(self) -> tuple[Step, ...]:
        """Return the steps of the set-up. Source: setup.scenario-choice, optional.selection."""
        may_rearrange = ALTERNATIVE_DEPLOYMENT.is_in_force

        def has_auction(table: Table, at: Open) -> bool:
            return table.mode == ids.AUCTION

        def rearrange(side: Side) -> Step:
            name, rule = f"rearrange_{side}", self.rearrangement.rule(side)
            return Step(name, rule, lambda draft, _: self.rearrangement.ask(draft, side), may_rearrange)

        return (
            Step("auction", BIDDING, lambda draft, _: self.auction.begin(draft), when=has_auction),
            Step("charts", CHARTS, lambda draft, _: lay_out(draft, self.board)),
            Step("award", SPEND, lambda draft, _: self.award.begin(draft), when=has_auction),
            Step("factories", PLACEMENT, lambda draft, _: self.factories.begin(draft), FACTORY_PLACEMENT.is_in_force),
            rearrange(ids.ALLIES),
            rearrange(ids.AXIS),
            Step(
                "uranus",
                SCENARIO_DEPLOYS,
                lambda draft, _: self.counter_offensive.set_up.begin(draft),
                when=lambda table, _: table.scenario == ids.URANUS,
            ),
        )

    @override
    def equal_class(self, table: Table, piece: PieceId) -> str:
        """Return the class by which commands name a piece."""
        return like(table, piece)

    def set_up(self, draft: Draft) -> None:
        """Set the table up and play on to the first decision."""
        self.set_up_sequence.begin(draft)
        self.settle(draft)

    def refuse(self, table: Table, seat: Seat, command: Command) -> Refusal | None:
        """Return why a command is not legal, or None if it is.

        Source: order.14.final-round, order.7.secret, sequence.active-side.
        """
        asked = table.top
        if table.ended is not None or asked is None or not asked.seat:
            return refused("match_must_be_running")
        if self._names_hidden(table, seat, command):
            return refused("hidden_must_stay_hidden")
        if seat != asked.seat:
            return refused("decision_must_be_open", rule=RuleId("sequence.active-side"))
        return self.kinds[asked.kind].refuse(table, asked, command)

    def _names_hidden(self, table: Table, seat: Seat, command: Command) -> bool:
        """Return whether a command of the Axis names an Operation Uranus card that is not deployed yet."""
        if table.side_of(seat) == ids.ALLIES:
            return False
        hidden = self.board.uranus_cards.keys() - table.pile(ids.URANUS_DEPLOYED).cards
        named = [getattr(command, name) for name in command.__struct_fields__]
        return any(isinstance(card, str) and card in hidden for card in named)
