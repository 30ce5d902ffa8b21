"""A made-up game for sides and seats: two partners against the rules, two players against each other, or an auction for the sides.

The Axis attacks the city: the seat whose turn it is announces the assault, and each partner decides which of its own units go in. The
Allies must hold out for three rounds. If no seat plays them, the rules do; a seat breaks ties between equally strong units.
"""

import hashlib

from typing_extensions import override

from core.engine.command import Command
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.steps import Step, StepSequence
from core.game.bound_game import BoundGame
from core.game.game_record import Game, Mode, OptionSpec, Scenario
from core.positions.position import Defect, Position
from core.refusal import Refusal
from events.codec import Decoder
from events.ids import (
    NO_SEAT,
    AttributeKey,
    CardId,
    Digest,
    GameKey,
    PieceId,
    PileId,
    PlaceId,
    RuleId,
    Seat,
    Side,
    TrackId,
)
from projections.state.table import Open, Table
from tests.support.skirmish import SkirmishRules

AXIS, ALLIES = Side("axis"), Side("allies")
YELLOW, BLUE = Seat("yellow"), Seat("blue")
NORTH, SOUTH = Seat("north"), Seat("south")
CAMP, CITY, RIVER = PlaceId("camp"), PlaceId("city"), PlaceId("river")
DECK = PileId("deck")
MONEY = TrackId("money")
COMMANDER, CAPTURED_BY, EXTRA_TURNS = (
    AttributeKey("commander"),
    AttributeKey("captured_by"),
    AttributeKey("extra_turns"),
)
RULE, BID, ADVANCE, TIE, EVICT, EXTRA = (RuleId(name) for name in ("turn", "bid", "advance", "tie", "evict", "extra"))
ROOM = 4
STRENGTH = {"guards": 3, "sailors": 3, "militia": 1}


class Offer(Command, frozen=True, tag="offer"):
    """Bid for playing the Allies; 0 accepts the other seat's bid."""

    amount: int


class Assault(Command, frozen=True, tag="assault"):
    """Let the Axis attack the city."""


class Go(Command, frozen=True, tag="go"):
    """Move a unit as the question asks; without a unit, decline to move any more."""

    unit: PieceId = PieceId("")


class Extra(Command, frozen=True, tag="extra"):
    """Take another turn, or end the match."""

    take: bool


DECODER: Decoder[Offer | Assault | Go | Extra] = Decoder(Offer | Assault | Go | Extra)


def hand(seat: Seat) -> PileId:
    """Return a seat's hand: partners have one each."""
    return PileId(f"hand/{seat}")


def own_units(table: Table, seat: Seat) -> list[PieceId]:
    """Return the units in the camp that a seat decides for: those of its own colour, or all of its side."""
    side = table.side_of(seat)
    there = [piece for piece in table.pieces_at(CAMP) if table.pieces[piece].side == side]
    return [piece for piece in there if table.attribute(piece, COMMANDER) in (None, seat)]


class Question:
    """Base of all questions: exactly the listed answers are legal."""

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Refuse what is not listed."""
        legal = command in self.options(table, asked)
        return None if legal else Refusal("answer_must_fit", RULE, "That is not what is asked.")

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List the answers."""
        raise NotImplementedError


class Auction(Question):
    """Two seats bid for the Allies until one accepts; that one plays the Axis and receives the other's bid."""

    @override
    def options(self, table: Table, asked: Open) -> list[Command]:
        last = asked.number("last")
        return [*([Offer(0)] if last else []), *(Offer(amount) for amount in range(last + 1, last + 4))]

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Ask the other seat, or assign the sides."""
        assert isinstance(command, Offer)
        draft.answered(BID)
        draft.close()
        other = NORTH if asked.seat == SOUTH else SOUTH
        if command.amount:
            draft.ask("bid", other, BID, {"last": command.amount})
            return
        draft.assign_side(asked.seat, AXIS, BID)
        draft.assign_side(other, ALLIES, BID)
        draft.track(MONEY, asked.number("last"), BID)
        deploy(draft)


class Orders(Question):
    """The turn of a seat of the Axis."""

    @override
    def options(self, table: Table, asked: Open) -> list[Command]:
        return [Assault()]

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Begin the assault."""
        draft.answered(RULE)
        draft.close()
        ASSAULT.begin(draft)


class Advance(Question):
    """Which of its own units a seat moves into the city, one at a time."""

    @override
    def options(self, table: Table, asked: Open) -> list[Command]:
        stay: list[Command] = [] if asked.number("must") else [Go()]
        return [*(Go(unit) for unit in own_units(table, asked.seat)), *stay]

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Move the unit and ask again, or ask the partner about what is left."""
        assert isinstance(command, Go)
        draft.answered(ADVANCE)
        draft.close()
        leader, gone = Seat(asked.text("leader")), asked.number("gone")
        if command.unit:
            draft.move(command.unit, CITY, ADVANCE)
            gone += 1
            if draft.table.control[CITY] != AXIS:
                draft.control(CITY, AXIS, ADVANCE)
                draft.set_attribute(CITY, CAPTURED_BY, asked.seat, ADVANCE)
            if gone < ROOM and own_units(draft.table, asked.seat):
                ask_to_advance(draft, asked.seat, leader=leader, gone=gone)
                return
        partners = [seat for seat in draft.table.seats_of(AXIS) if seat != leader and own_units(draft.table, seat)]
        if asked.seat == leader and not asked.number("must") and gone < ROOM and partners:
            ask_to_advance(draft, partners[0], leader=leader, gone=gone)
        elif not gone:
            ask_to_advance(draft, leader, leader=leader, gone=0, must=True)


def advance(draft: Draft, at: Open) -> None:
    """Ask the attacker which units go in."""
    seat = draft.table.turn_seat
    ask_to_advance(draft, seat, leader=seat, gone=0)


def ask_to_advance(draft: Draft, seat: Seat, *, leader: Seat, gone: int, must: bool = False) -> None:
    """Ask a seat which of its units go in, and pass on how many have gone in so far."""
    if own_units(draft.table, seat):
        draft.ask("advance", seat, ADVANCE, {"leader": leader, "gone": gone, "must": int(must)})


class Counterattack(Question):
    """Which of equally strong Allied units fights back."""

    @override
    def options(self, table: Table, asked: Open) -> list[Command]:
        return [Go(PieceId(unit)) for unit in asked.texts("among")]

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Move the unit."""
        assert isinstance(command, Go)
        draft.answered(TIE)
        draft.close()
        draft.move(command.unit, RIVER, TIE)


class Eviction(Question):
    """Which of the other side's units leaves the overcrowded city."""

    @override
    def options(self, table: Table, asked: Open) -> list[Command]:
        return [Go(unit) for unit in table.pieces_at(CITY) if table.pieces[unit].side != table.side_of(asked.seat)]

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Move the unit back to its camp, and ask again while too many are left."""
        assert isinstance(command, Go)
        draft.answered(EVICT)
        draft.close()
        draft.move(command.unit, CAMP, EVICT)
        evict(draft)


class ExtraTurn(Question):
    """Whether the seat that is due takes another turn."""

    @override
    def options(self, table: Table, asked: Open) -> list[Command]:
        return [Extra(take=True), Extra(take=False)]

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Begin the turn, or end the match."""
        assert isinstance(command, Extra)
        draft.answered(EXTRA)
        draft.close()
        left = draft.table.attribute("table", EXTRA_TURNS)
        assert isinstance(left, int)
        if not command.take:
            finish(draft)
        elif left > 1:
            draft.set_attribute("table", EXTRA_TURNS, left - 1, EXTRA)
            begin_turn(draft, asked.seat)
        else:
            draft.remove_attribute("table", EXTRA_TURNS, EXTRA)
            begin_turn(draft, asked.seat)


def counterattack(draft: Draft, at: Open) -> None:
    """Let the strongest Allied unit fight back; a seat chooses among equally strong ones."""
    table = draft.table
    left = [unit for unit in table.pieces_at(CITY) if table.pieces[unit].side == ALLIES]
    best = max((STRENGTH[table.pieces[unit].kind] for unit in left), default=0)
    among = tuple([unit for unit in left if STRENGTH[table.pieces[unit].kind] == best])
    if len(among) == 1:
        draft.move(among[0], RIVER, TIE)
    elif among:
        by_owner = table.options.get("tie_chooser") == "owner"
        draft.ask("tie", table.seat_of(ALLIES) if by_owner else table.turn_seat, TIE, {"among": among})


def evict(draft: Draft) -> None:
    """Ask the Allies, if a seat plays them, which unit leaves while more than two Axis units are in the city."""
    table = draft.table
    there = [unit for unit in table.pieces_at(CITY) if table.pieces[unit].side == AXIS]
    if len(there) > 2 and table.seats_of(ALLIES):
        draft.ask("evict", table.seat_of(ALLIES), EVICT)


def next_turn(draft: Draft, at: Open) -> None:
    """Play the turn of the Allies, then begin that of the partner who is due; the last rounds have extra turns."""
    table = draft.table
    seats = table.seats_of(AXIS)
    due = seats[(seats.index(table.turn_seat) + 1) % len(seats)]
    draft.begin_turn(ALLIES, RULE)
    if table.round == 3:
        draft.set_attribute("table", EXTRA_TURNS, 2, EXTRA)
    if table.attribute("table", EXTRA_TURNS) is not None:
        draft.ask("extra", due, EXTRA)
    elif table.round > 3:
        finish(draft)
    else:
        begin_turn(draft, due)


ASSAULT = StepSequence(
    "assault",
    RULE,
    (
        Step("advance", RULE, advance),
        Step("counterattack", RULE, counterattack),
        Step("eviction", RULE, lambda draft, _: evict(draft)),
    ),
    then=next_turn,
)


def finish(draft: Draft) -> None:
    """End the match: the Axis wins if it holds the city (of two partners, the one that took it), otherwise the Allies win."""
    if draft.table.control.get(CITY) == AXIS:
        seat = draft.table.attribute(CITY, CAPTURED_BY)
        assert isinstance(seat, str)
        draft.end_match("City Taken", (AXIS,), RULE, seats=(Seat(seat),))
    else:
        draft.end_match("City Held", (ALLIES,), RULE)


def begin_turn(draft: Draft, seat: Seat) -> None:
    """Begin the turn of a seat of the Axis and draw its card."""
    draft.begin_round(draft.table.round + 1, RULE)
    draft.begin_turn(AXIS, RULE, seat=seat)
    if draft.table.pile(DECK).cards:
        draft.draw_card(DECK, hand(seat), f"draw of {seat}", RULE, seen_by=(seat,))
    draft.ask("orders", seat, RULE)


def deploy(draft: Draft, first: Seat = NO_SEAT) -> None:
    """Place the units, each partner's in its own colour, and begin the turn of a seat."""
    seats = draft.table.seats_of(AXIS)
    for number in range(6):
        unit = PieceId(f"panzer-{number}")
        draft.place(unit, CAMP, RULE, kind="panzer", side=AXIS)
        if len(seats) > 1:
            draft.set_attribute(unit, COMMANDER, seats[number % 2], RULE)
    for kind in STRENGTH:
        draft.place(PieceId(kind), CITY, RULE, kind=kind, side=ALLIES)
    draft.control(CITY, ALLIES, RULE)
    begin_turn(draft, first or seats[0])


class CoalitionRules(SkirmishRules):
    """The rules; narration and positions are inherited from the skirmish."""

    def __init__(self, text: str) -> None:
        self.stack = DecisionRules(
            {
                "bid": Auction(),
                "orders": Orders(),
                "advance": Advance(),
                "tie": Counterattack(),
                "evict": Eviction(),
                "extra": ExtraTurn(),
            },
            sequences=(ASSAULT,),
        )
        self.digest = Digest(hashlib.sha256(text.encode()).hexdigest())

    @property
    @override
    def standing_decisions(self) -> tuple[str, ...]:
        return ("advance",)

    @override
    def set_up(self, draft: Draft) -> None:
        draft.form(DECK, tuple(CardId(f"card-{number}") for number in range(1, 7)), RULE, seen_by=())
        for seat in draft.table.seats:
            draft.form(hand(seat), (), RULE, seen_by=(seat,))
        if draft.table.seats_of(AXIS):
            deploy(draft)
            return
        for seat in draft.table.seats:
            draft.draw_card(DECK, hand(seat), f"deal to {seat}", RULE, seen_by=(seat,))
        first = draft.dice(1, "who bids first", BID)[0]
        draft.ask("bid", NORTH if first > 3 else SOUTH, BID, {"last": 0})

    @override
    def check_position(self, position: Position) -> tuple[Defect, ...]:
        return ()

    @override
    def set_up_position(self, draft: Draft, position: Position) -> None:
        deploy(draft, position.turn_seat)

    @override
    def decode(self, data: bytes) -> Command:
        return DECODER.decode(data)


def bind(board: str | None, variant: str = "") -> BoundGame:
    """Bind the rules."""
    rules = CoalitionRules(board or "")
    return BoundGame(rules.digest, lambda: rules, lambda: rules, lambda: rules)


GAME = Game(
    key=GameKey("coalition"),
    title="Coalition",
    edition="1.0",
    sides=(AXIS, ALLIES),
    scenarios=(
        Scenario(
            "city",
            "The City",
            (
                Mode("co-op", "Two partners against the rules", {YELLOW: AXIS, BLUE: AXIS}),
                Mode("duel", "One against one", {NORTH: AXIS, SOUTH: ALLIES}),
                Mode("auction", "The sides are auctioned", {NORTH: Side(""), SOUTH: Side("")}),
            ),
        ),
    ),
    options=(
        OptionSpec("tie_chooser", "Who chooses among equals", "attacker", TIE, ("attacker", "owner"), modes=("duel",)),
    ),
    bind=bind,
    shipped_board=lambda: b"",
    package="tests.support",
    deciding=("skirmish.py",),
    load_policies=dict,
)
