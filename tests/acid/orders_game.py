"""A made-up game for orders: five infantry leave a city in pairs, each pair owes a loss, and one of two gates is mined."""

import hashlib

from typing_extensions import override

from core.engine.command import Command
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.game.bound_game import BoundGame
from core.game.game_record import Game, Mode, Scenario
from core.refusal import Refusal
from events.codec import Decoder
from events.ids import AttributeKey, Digest, GameKey, PieceId, PlaceId, RuleId, Seat, Side, TrackId
from projections.state.table import Open, Table
from tests.support.skirmish import SkirmishRules

RED, BLUE = Seat("red"), Seat("blue")
REDS, BLUES = Side("red"), Side("blue")
RULE = RuleId("1.turn")
CITY, FIELD = PlaceId("city"), PlaceId("field")
GATES = ("east", "west")
MINE = AttributeKey("mine")
LOST = TrackId("lost")


class Mine(Command, frozen=True, tag="mine"):
    """Mine a gate secretly."""

    gate: str


class Leave(Command, frozen=True, tag="leave"):
    """Let a pair leave through a gate, which costs a loss."""

    units: tuple[str, ...]
    gate: str


class Lose(Command, frozen=True, tag="lose"):
    """Remove a unit of the pair as its loss."""

    unit: str


class Shell(Command, frozen=True, tag="shell"):
    """Throw a die."""


class Parley(Command, frozen=True, tag="parley"):
    """Ask the other side for terms."""


class Terms(Command, frozen=True, tag="terms"):
    """Give no terms."""


class Yield(Command, frozen=True, tag="yield"):
    """End the match."""


DECODER: Decoder[Mine | Leave | Lose | Shell | Parley | Terms | Yield] = Decoder(
    Mine | Leave | Lose | Shell | Parley | Terms | Yield
)


def misfit() -> Refusal:
    """Refuse what does not answer the question."""
    return Refusal("answer_must_fit", RULE, "That is not what is asked.")


class Sally:
    """Red's turn: a pair leaves, a die is thrown, terms are asked for, or the match ends."""

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List neighbouring pairs through both gates, and the other commands."""
        inside = table.pieces_at(CITY)
        pairs = [Leave(tuple(inside[:2]), gate) for gate in GATES if len(inside) > 1]
        return [*pairs, Shell(), Parley(), Yield()]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Refuse a unit without a partner."""
        if isinstance(command, Leave):
            if len(command.units) != 2:
                return Refusal("units_must_be_paired", RULE, "Units leave in pairs.")
            return None if command in self.options(table, asked) else misfit()
        return None if isinstance(command, Shell | Parley | Yield) else misfit()

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Move the pair, which discloses a mine in that gate."""
        if isinstance(command, Leave):
            if draft.table.attribute(BLUES, MINE) == command.gate:
                draft.set_attribute(BLUES, MINE, command.gate, RULE)
            for unit in command.units:
                draft.move(PieceId(unit), FIELD, RULE)
            draft.ask("loss", RED, RULE, {"units": command.units})
        elif isinstance(command, Shell):
            draft.dice(1, "shell", RULE)
        elif isinstance(command, Parley):
            draft.ask("terms", BLUE, RULE)
        else:
            draft.end_match("Yielded", (BLUES,), RULE)


class Loss:
    """Which unit of a pair is lost."""

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List both."""
        units = asked.arguments["units"]
        assert isinstance(units, tuple)
        return [Lose(str(unit)) for unit in units]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Refuse other units."""
        return None if command in self.options(table, asked) else misfit()

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Remove the unit."""
        assert isinstance(command, Lose)
        draft.remove(PieceId(command.unit), RULE)
        draft.track(LOST, draft.table.track(LOST) + 1, RULE)
        draft.answered(RULE)


class Mining:
    """Which gate blue mines before the first sally."""

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List both."""
        return [Mine(gate) for gate in GATES]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Refuse other gates."""
        return None if command in self.options(table, asked) else misfit()

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Remember the gate as a secret of blue."""
        assert isinstance(command, Mine)
        draft.set_attribute(BLUES, MINE, command.gate, RULE, seen_by=(BLUE,))
        draft.answered(RULE)


class NoTerms:
    """Blue's answer to a parley."""

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List the only answer."""
        return [Terms()]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Refuse anything else."""
        return None if isinstance(command, Terms) else misfit()

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Continue red's turn."""
        draft.answered(RULE)


class OrdersRules(SkirmishRules):
    """The rules; narration and positions are inherited from the skirmish."""

    def __init__(self, text: str) -> None:
        self.stack = DecisionRules({"sally": Sally(), "loss": Loss(), "mine": Mining(), "terms": NoTerms()})
        self.digest = Digest(hashlib.sha256(text.encode()).hexdigest())

    @property
    @override
    def standing_decisions(self) -> tuple[str, ...]:
        return ("terms", "loss")

    @override
    def set_up(self, draft: Draft) -> None:
        for number in range(1, 6):
            draft.place(PieceId(f"infantry-{number}"), CITY, RULE, kind="infantry", side=REDS)
        draft.begin_round(1, RULE)
        draft.begin_turn(REDS, RULE)
        draft.ask("sally", RED, RULE)
        draft.ask("mine", BLUE, RULE)

    @override
    def decode(self, data: bytes) -> Command:
        return DECODER.decode(data)


def bind(board: str | None, variant: str = "") -> BoundGame:
    """Bind the rules."""
    rules = OrdersRules(board or "")
    return BoundGame(rules.digest, lambda: rules, lambda: rules, lambda: rules)


GAME = Game(
    key=GameKey("sally"),
    title="Sally",
    edition="1.0",
    sides=(REDS, BLUES),
    scenarios=(Scenario("city", "City", (Mode("", "Two players", {RED: REDS, BLUE: BLUES}),)),),
    options=(),
    bind=bind,
    shipped_board=lambda: b"",
    package="tests.support",
    deciding=("skirmish.py",),
    load_policies=dict,
)
