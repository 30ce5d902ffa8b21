"""The rules of this game, put together: the set-up, the rounds and their chapters."""

from functools import partial

from typing_extensions import override

from core.command import Command
from core.decision import DecisionRules
from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import ALLIES, AUCTION, AXIS, URANUS, URANUS_DEPLOYED
from core.games.axis_allies.options import ALTERNATIVE_DEPLOYMENT, FACTORY_PLACEMENT
from core.games.axis_allies.rules import commands
from core.games.axis_allies.rules.attack import Attack
from core.games.axis_allies.rules.auction import Auction
from core.games.axis_allies.rules.award import AWARD, Award
from core.games.axis_allies.rules.factories import Factories
from core.games.axis_allies.rules.heroes import Heroes
from core.games.axis_allies.rules.hidden import HiddenDealing
from core.games.axis_allies.rules.landing import Landing
from core.games.axis_allies.rules.movement import Movement
from core.games.axis_allies.rules.queries import like
from core.games.axis_allies.rules.reaction import Reaction
from core.games.axis_allies.rules.rearrange import Rearrangement
from core.games.axis_allies.rules.refusals import refused
from core.games.axis_allies.rules.reinforcement import Reinforcement
from core.games.axis_allies.rules.round import Rounds
from core.games.axis_allies.rules.set_up import lay_out
from core.games.axis_allies.rules.supply import Supply
from core.games.axis_allies.rules.uranus import CounterOffensive
from core.games.axis_allies.rules.victory import VictoryConditions
from core.games.axis_allies.rules.weather import roll_for_weather
from core.games.axis_allies.rules.workers import work
from core.refusal import Refusal
from core.selection import command_decoder
from core.sequence import Step, StepSequence
from events.ids import PieceId, RuleId, Seat, Side
from projections.table import Open, Table

SET_UP = "set_up"
CHARTS = RuleId("setup.scenario-choice")
BIDDING = RuleId("optional.bidding.auction")
SPENDING = RuleId("optional.bidding.spend")
REARRANGED = {
    ALLIES: RuleId("optional.alternative-deployment.allies"),
    AXIS: RuleId("optional.alternative-deployment.axis"),
}


class AxisAlliesRules(DecisionRules):
    """The rules, bound to a board."""

    decoder = command_decoder(commands)

    def __init__(self, board: Board) -> None:
        self.board = board
        self.supply = supply = Supply(board)
        reinforcement, reaction, attack, landing = (
            Reinforcement(board, supply),
            Reaction(board, supply),
            Attack(board, supply),
            Landing(board),
        )
        heroes = Heroes(board, supply)
        movement = Movement(board, supply, (heroes.step,))
        self.counter_offensive = CounterOffensive(board, supply)
        self.auction, self.award = Auction(), Award(board, supply)
        self.factories, self.rearrangement = Factories(board), Rearrangement(board, supply)
        self.rounds = Rounds(
            board,
            {
                1: lambda draft: roll_for_weather(draft, board, supply),
                2: partial(reinforcement.begin, side=AXIS),
                3: partial(movement.begin, side=AXIS),
                4: reaction.begin,
                5: attack.begin,
                6: partial(landing.begin, side=AXIS),
                7: self.counter_offensive.begin,
                8: lambda draft: work(draft, board, supply),
                9: partial(reinforcement.begin, side=ALLIES),
                10: partial(movement.begin, side=ALLIES),
                11: reaction.begin,
                12: attack.begin,
                13: partial(landing.begin, side=ALLIES),
                14: VictoryConditions(board, supply).check,
            },
        )
        self.set_up_sequence = StepSequence(SET_UP, CHARTS, self._set_up_steps(), then=self._begin_play)
        super().__init__(
            {
                **self.auction.decisions,
                AWARD: self.award,
                **self.factories.decisions,
                self.rearrangement.kind: self.rearrangement,
                **self.counter_offensive.decisions,
                **reinforcement.decisions,
                **movement.decisions,
                **heroes.decisions,
                **reaction.decisions,
                **attack.decisions,
                **landing.decisions,
            },
            dealing=HiddenDealing(),
            sequences=(
                self.set_up_sequence,
                self.rounds.sequence,
                *self.counter_offensive.sequences,
                *reinforcement.sequences,
                *movement.sequences,
                reaction.sequence,
                *attack.sequences,
                landing.sequence,
            ),
        )

    def _set_up_steps(self) -> tuple[Step, ...]:
        """Return the steps of the set-up. Source: RuleId("setup.scenario-choice"), RuleId("optional.selection")."""
        return (
            Step("auction", BIDDING, lambda draft, _: self.auction.begin(draft), when=_has_auction),
            Step("charts", CHARTS, lambda draft, _: lay_out(draft, self.board, self.supply)),
            Step("award", SPENDING, lambda draft, _: self.award.begin(draft), when=_has_auction),
            Step(
                "factories",
                RuleId("optional.factory-placement"),
                lambda draft, _: self.factories.begin(draft),
                when=lambda table, _: FACTORY_PLACEMENT.is_on(table),
            ),
            *[
                Step(f"rearrange_{side}", rule, partial(self._rearrange, side), when=_is_rearranged)
                for side, rule in REARRANGED.items()
            ],
            Step(
                "uranus",
                RuleId("setup.uranus.deploy"),
                lambda draft, _: self.counter_offensive.set_up.begin(draft),
                when=lambda table, _: table.scenario == URANUS,
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

    def _rearrange(self, side: Side, draft: Draft, at: Open) -> None:
        self.rearrangement.ask(draft, side)

    def _begin_play(self, draft: Draft, at: Open) -> None:
        self.rounds.begin(draft, self.board.scenarios[draft.table.scenario].first_round)

    def refuse(self, table: Table, seat: Seat, command: Command) -> Refusal | None:
        """Return why a command is not legal, or None if it is.

        Source: RuleId("order.14.final-round"), RuleId("order.7.secret"), RuleId("sequence.active-side").
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
        if table.side_of(seat) == ALLIES:
            return False
        open_cards = table.pile(URANUS_DEPLOYED).cards
        named = [getattr(command, name) for name in command.__struct_fields__]
        return any(
            isinstance(card, str) and card in self.board.uranus_cards and card not in open_cards for card in named
        )


def _has_auction(table: Table, at: Open) -> bool:
    return table.mode == AUCTION


def _is_rearranged(table: Table, at: Open) -> bool:
    return ALTERNATIVE_DEPLOYMENT.is_on(table)
