"""Move Actions: Perimeter, Advance, Control; free ones; the window in which a Sniper answers."""

from core.command import Command
from core.decision import Decision
from core.draft import Draft
from core.games.battle.components.card_model import REACT_MOVE, Cards
from core.games.battle.ids import CONTROL, PERIMETER, area, enemy
from core.games.battle.memory import FREE_MOVES_LEFT, FREE_MOVES_USED, VISITED, count
from core.games.battle.options import FREE_MOVE_NO_RETURN, is_on
from core.games.battle.rules.commands import Move
from core.games.battle.rules.distribution import give_rations, take_rations
from core.games.battle.rules.queries import (
    controller,
    forces_of,
    has_room,
    is_destroyed,
    is_locked,
    is_on_map,
    may_enter_control,
    note_amount,
    own_areas,
    rations,
)
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.windows import Window, is_asked
from core.games.battle.rules.wrong_command import misplaced
from core.refusal import Refusal
from core.selection import Done
from core.sequence import Step, StepSequence
from events.codec import Struct
from events.ids import TABLE, PieceId, PlaceId, RuleId, Side
from projections.table import Open, Table

COST = RuleId("move.cost")
CANCELLED = RuleId("action.cancelled-costs-nothing")
FREE_NOTE = RuleId("location.note.free-move")
SERIES = RuleId("card.high-morale")
W_MOVE = Window("answer_move", frozenset({REACT_MOVE}), RuleId("window.move"), answered_once=True)
PERIMETER_MOVE = RuleId("move.perimeter")
ADVANCE = RuleId("move.advance")
CONTROL_MOVE = RuleId("move.control")


class Destination(Struct, frozen=True):
    """An Area with room: whether it is open from other Locations, and what entering it costs a Force that pays."""

    place: PlaceId
    location: str
    is_open: bool
    cost: int


class Moves:
    """Which Moves are legal and what they cost, bound to the cards.

    Source: RuleId("move.one-force"), RuleId("move.area-full"), RuleId("move.enemy-controlled-takes-two").
    """

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.sequence = StepSequence(
            "move", COST, (Step("answer", W_MOVE.rule, self.open_window, when=self.may_be_answered),), then=self.resolve
        )

    def kind(self, table: Table, side: Side, source: PlaceId, to: PlaceId) -> RuleId | None:
        """Return the rule of the first kind of Move that fits, or None. Source: ruling.move-kind-derived."""
        if not self.cards.is_control(to):
            return PERIMETER_MOVE
        if self.cards.location_of(source) == self.cards.location_of(to):
            return ADVANCE
        return CONTROL_MOVE if may_enter_control(self.cards, table, side, self.cards.location_of(to)) else None

    def refuse_way(self, table: Table, side: Side, force: PieceId, to: PlaceId) -> Refusal | None:
        """Judge a Move's way, whoever pays for it."""
        card = self.cards.forces.get(force)
        areas = own_areas(self.cards, table, side)
        if card is not None and card.side != side:
            return refused("force_must_be_own")
        if to in own_areas(self.cards, table, enemy(side)):
            return refused("area_must_be_own")
        if card is not None and is_locked(table, force):
            return refused("force_must_not_be_locked")
        if card is not None and is_on_map(table, force) and table.pieces[force].place == to:
            return refused("area_must_differ")
        if card is None or not is_on_map(table, force) or to not in areas:
            return refused("target_must_exist", f"{force!r} or {to!r} is not on the table.")
        if self.kind(table, side, table.pieces[force].place, to) is None:
            return refused("destination_must_not_be_enemy_controlled")
        if not has_room(self.cards, table, to):
            return refused("area_must_have_room", rule=RuleId("move.area-full"))
        return None

    def surcharge(self, table: Table, side: Side, to: PlaceId) -> int:
        """Return what a Location's note makes entering an Area cost more, 0 or more.

        Source: RuleId("location.note.enemy-entry-surcharge").
        """
        location = self.cards.locations[self.cards.location_of(to)]
        if location.note.op != "enemy_entry_surcharge" or not self.cards.is_control(to):
            return 0
        works = location.note_survives or not is_destroyed(table, location.id)
        return location.note.amount if works and controller(table, location.id) == enemy(side) else 0

    def cost(self, table: Table, side: Side, force: PieceId, to: PlaceId, *, free: bool) -> int:
        """Return the Rations that a Move takes, 0 or more. Source: RuleId("move.cost"), RuleId("force.note.free-move")."""
        if free or self.cards.forces[force].has_free_move:
            return 0
        return self.cards.figures.move_cost + self.surcharge(table, side, to)

    def is_repeat(self, table: Table, force: PieceId, to: PlaceId) -> bool:
        """Whether a note-free Move would lead back. Source: RuleId("move.free.no-loop"), ruling.free-move-loop."""
        return (
            is_on(table, FREE_MOVE_NO_RETURN)
            and self.cards.forces[force].has_free_move
            and to in (VISITED.of(table, force) or ())
        )

    def ways(self, table: Table, side: Side) -> list[tuple[PieceId, Destination]]:
        """List every Force that may move and where to, whoever pays."""
        open_areas = self.destinations(table, side)
        found: list[tuple[PieceId, Destination]] = []
        for force in forces_of(self.cards, table, side):
            if is_locked(table, force):
                continue
            source = table.pieces[force].place
            location = self.cards.location_of(source)
            found += [
                (force, to) for to in open_areas if to.place != source and (to.is_open or to.location == location)
            ]
        return found

    def destinations(self, table: Table, side: Side) -> list[Destination]:
        """List a side's Areas with room, judged once for all its Forces."""
        found: list[Destination] = []
        for place in own_areas(self.cards, table, side):
            if has_room(self.cards, table, place):
                location = self.cards.location_of(place)
                is_open = not self.cards.is_control(place) or may_enter_control(self.cards, table, side, location)
                cost = self.cards.figures.move_cost + self.surcharge(table, side, place)
                found.append(Destination(place, location, is_open, cost))
        return found

    def free_left(self, table: Table, side: Side) -> bool:
        """Whether a Location's note still gives a free Move in this turn. Source: RuleId("location.note.free-move")."""
        given = note_amount(self.cards, table, side, "free_moves_per_turn")
        return (FREE_MOVES_USED.of(table) or 0) < given

    def declare(self, draft: Draft, side: Side, move: Move, *, paid: int, source: str) -> None:
        """Declare and pay a Move; it is made once the enemy has let it pass.

        `source` says what made it free: `note` (the Force's own), `location`, `card`, or nothing.
        """
        take_rations(draft, move.force, paid, COST)
        self.sequence.begin(draft, {"force": move.force, "to": move.to, "paid": paid, "source": source})

    def may_be_answered(self, table: Table, at: Open) -> bool:
        """Return whether the enemy's window opens."""
        return is_asked(self.cards, table, W_MOVE, enemy(table.turn))

    def open_window(self, draft: Draft, at: Open) -> None:
        """Let the enemy answer."""
        W_MOVE.open(draft, self.cards, enemy(draft.table.turn), at.text("force"))

    def resolve(self, draft: Draft, at: Open) -> None:
        """Carry a Move out that was not cancelled. Source: move.perimeter, move.advance, move.control."""
        force, to = PieceId(at.text("force")), PlaceId(at.text("to"))
        side = self.cards.forces[force].side
        was = draft.table.pieces[force].place
        rule = self.kind(draft.table, side, was, to)
        assert rule is not None
        if at.text("source") == "note" and is_on(draft.table, FREE_MOVE_NO_RETURN):
            places = {*(VISITED.of(draft.table, force) or ()), was, to}
            VISITED.set(draft, force, tuple(sorted(places)), RuleId("move.free.no-loop"))
        if at.text("source") == "location":
            count(FREE_MOVES_USED, draft, TABLE, FREE_NOTE)
        if at.text("source") == "card":
            count(FREE_MOVES_LEFT, draft, TABLE, SERIES, -1)
        draft.move(force, to, rule)

    def cancel(self, draft: Draft, rule: RuleId) -> PieceId:
        """Undo the Move that is being answered and return its Force.

        Source: RuleId("action.cancelled-costs-nothing"), RuleId("action.cancelled.may-act-on").
        """
        at = draft.end_sequence(self.sequence.kind, rule)
        force = PieceId(at.text("force"))
        give_rations(draft, force, at.number("paid"), CANCELLED)
        return force


class MoveAction:
    """The Move Action. Source: RuleId("move.one-force"), RuleId("move.cost")."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.moves = Moves(cards)

    def options(self, table: Table, side: Side) -> list[Command]:
        """Offer every Move that can be paid, and every one that a Location's note makes free."""
        found: list[Command] = []
        is_free = self.moves.free_left(table, side)
        for force, to in self.moves.ways(table, side):
            if self.cards.forces[force].has_free_move:
                if not self.moves.is_repeat(table, force, to.place):
                    found.append(Move(force, to.place))
            elif to.cost <= rations(table, force):
                found.append(Move(force, to.place))
            if is_free:
                found.append(Move(force, to.place, free=True))
        return found

    def refuse(self, table: Table, side: Side, command: Command) -> Refusal | None:
        """Judge a Move by the documented precedence."""
        assert isinstance(command, Move)
        refusal = self.moves.refuse_way(table, side, command.force, command.to)
        if refusal is not None:
            return refusal
        if command.free:
            return None if self.moves.free_left(table, side) else refused("free_move_must_be_left")
        if self.moves.is_repeat(table, command.force, command.to):
            return refused("free_move_must_not_repeat")
        if self.moves.cost(table, side, command.force, command.to, free=False) > rations(table, command.force):
            return refused("rations_must_suffice")
        return None

    def declare(self, draft: Draft, side: Side, command: Command) -> None:
        """Declare and pay the Move."""
        assert isinstance(command, Move)
        paid = self.moves.cost(draft.table, side, command.force, command.to, free=command.free)
        source = "location" if command.free else "note" if self.is_note_free_move(draft.table, command) else ""
        self.moves.declare(draft, side, command, paid=paid, source=source)

    def is_note_free_move(self, table: Table, command: Command) -> bool:
        """Whether the Force's own note makes the Move free. Source: RuleId("force.note.free-move")."""
        return isinstance(command, Move) and not command.free and self.cards.forces[command.force].has_free_move


class FreeMoves:
    """The series of free Moves of High Morale.

    Source: RuleId("card.high-morale"), RuleId("card.high-morale.cancelled-move"), ruling.high-morale.
    """

    def __init__(self, cards: Cards) -> None:
        self.moves = Moves(cards)

    def options(self, table: Table, asked: Open) -> list[Command]:
        """Offer every Move, and stopping."""
        return [Done(), *(Move(force, to.place) for force, to in self.moves.ways(table, table.side_of(asked.seat)))]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept a Move by its way alone: it costs nothing."""
        if isinstance(command, Done):
            return None
        if not isinstance(command, Move):
            return misplaced(table, asked, command, "A series of free Moves is on: make one, or stop.")
        refusal = self.moves.refuse_way(table, table.side_of(asked.seat), command.force, command.to)
        if refusal is None and command.free:
            return refused("free_move_must_be_left", "These Moves are free already.")
        return refusal

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Make the Move, or stop. The question stays open below each Move."""
        if isinstance(command, Move):
            self.moves.declare(draft, draft.table.side_of(asked.seat), command, paid=0, source="card")
        else:
            draft.answered(SERIES)

    def go_on(self, draft: Draft, asked: Open) -> None:
        """End the series with its last Move."""
        if not FREE_MOVES_LEFT.of(draft.table):
            draft.answered(SERIES)


def perimeter_of(side: Side, location: str) -> PlaceId:
    """Return a side's Perimeter Area of a Location."""
    return area(location, side, PERIMETER)


def control_of(side: Side, location: str) -> PlaceId:
    """Return a side's Control Area of a Location."""
    return area(location, side, CONTROL)


def decisions(cards: Cards) -> dict[str, Decision]:
    """Return the question of this chapter; the window and the Action are the rules' own."""
    return {"free_move": FreeMoves(cards)}
