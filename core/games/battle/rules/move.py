"""Move Actions: Perimeter, Advance, Control; free ones; the window in which a Sniper answers."""

from core.engine.draft import Draft
from core.engine.question import Answer, Question, always
from core.engine.selection import Done
from core.engine.steps import Step, StepSequence
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import enemy
from core.games.battle.memory import FREE_MOVES_LEFT, FREE_MOVES_USED, VISITED
from core.games.battle.options import FREE_MOVE_NO_RETURN
from core.games.battle.rules import queries
from core.games.battle.rules.changes import Chapter, give_rations, move_force, take_rations
from core.games.battle.rules.commands import Move
from core.games.battle.rules.refusals import misplaced, refused
from core.games.battle.rules.windows import Window
from core.refusal import Refusal
from events.codec import Struct
from events.ids import TABLE, PieceId, PlaceId, RuleId, Side
from projections.state.table import Open, Table

COST = RuleId("move.cost")
CANCELLED = RuleId("action.cancelled-costs-nothing")
FREE_NOTE = RuleId("location.note.free-move")
SERIES = RuleId("card.high-morale")
W_MOVE = Window("answer_move", frozenset({"react_move"}), RuleId("window.move"), answered_once=True)
ONE_FORCE = RuleId("move.one-force")
OVER = RuleId("action.declare-pay-resolve")
PERIMETER_MOVE = RuleId("move.perimeter")
ADVANCE = RuleId("move.advance")
CONTROL_MOVE = RuleId("move.control")


class Destination(Struct, frozen=True):
    """An Area with room: whether it is open from other Locations, and what entering it costs a Force that pays."""

    place: PlaceId
    location: str
    is_open: bool
    cost: int


class Moves(Chapter):
    """Legal Moves and their costs.

    Source: move.one-force, move.cost, move.area-full, move.enemy-controlled-takes-two.
    """

    def __init__(self, cards: Cards) -> None:
        super().__init__(cards)
        pay = Step("pay", COST, self._pay, when=lambda _, at: at.number("paid") > 0)
        self.sequence = StepSequence("move", OVER, (pay, W_MOVE.step(cards, ("force", "to"))), then=self._resolve)

    def action(self) -> Answer:
        """Return the Move Action. Its options are exact: judging each Force and Area takes ten times as long."""
        return Answer(Move, self._options, self._refuse, self._declare, are_legal=True)

    def series_question(self) -> "FreeMoves":
        """Return the question of the series of free Moves of High Morale.

        Source: card.high-morale, card.high-morale.cancelled-move, ruling.high-morale.
        """
        move = Answer(Move, self._free_options, self._refuse_in_series, self._declare_in_series, are_legal=True)
        return FreeMoves((always(Done(), ends=SERIES), move), misplaced)

    # The way

    def _kind(self, table: Table, side: Side, source: PlaceId, to: PlaceId) -> RuleId | None:
        """Return the rule of the first kind of Move that fits, or None. Source: ruling.move-kind-derived."""
        if not self.cards.is_control(to):
            return PERIMETER_MOVE
        if self.cards.location_of(source) == self.cards.location_of(to):
            return ADVANCE
        return CONTROL_MOVE if queries.is_open_to(self.cards, table, side, to) else None

    def _refuse_way(self, table: Table, side: Side, force: PieceId, to: PlaceId) -> Refusal | None:
        """Judge a Move by its way, whatever it costs."""
        if self.cards.is_enemy_force(force, side):
            return refused("force_must_be_own")
        owner = queries.owner_of(self.cards, table, to)
        if owner == enemy(side):
            return refused("area_must_be_own")
        if queries.is_locked(table, force):
            return refused("force_must_not_be_locked")
        if queries.is_on_map(table, force) and table.pieces[force].place == to:
            return refused("area_must_differ")
        if force in self.cards.forces and not queries.is_on_map(table, force):
            sentence = f"{self.cards.forces[force].name} is not on the table; it must be bought first."
            return refused("target_must_exist", sentence, ONE_FORCE)
        if force not in self.cards.forces or owner is None:
            return refused("target_must_exist", "Name a Force and an Area in play.", ONE_FORCE)
        if self._kind(table, side, table.pieces[force].place, to) is None:
            return refused("destination_must_not_be_enemy_controlled")
        if not queries.has_room(self.cards, table, to):
            return refused("area_must_have_room", rule=RuleId("move.area-full"))
        return None

    def _ways(self, table: Table, side: Side) -> list[tuple[PieceId, Destination]]:
        """List every Force that may move and where to, whatever it costs."""
        destinations = self._destinations(table, side)
        found: list[tuple[PieceId, Destination]] = []
        for force in queries.forces_of(self.cards, table, side):
            if queries.is_locked(table, force):
                continue
            source = table.pieces[force].place
            here = self.cards.location_of(source)
            found += [(force, to) for to in destinations if to.place != source and (to.is_open or to.location == here)]
        return found

    def _destinations(self, table: Table, side: Side) -> list[Destination]:
        """List a side's Areas with room, judged once for all its Forces."""
        cards = self.cards
        return [
            Destination(
                place, cards.location_of(place), queries.is_open_to(cards, table, side, place), self._cost(table, place)
            )
            for place in queries.own_areas(cards, table, side)
            if queries.has_room(cards, table, place)
        ]

    # The cost

    def cost(self, table: Table, force: PieceId, to: PlaceId, *, free: bool) -> int:
        """Return the Rations that a Move takes, 0 or more. Source: move.cost, force.note.free-move."""
        return 0 if free or self.cards.forces[force].has_free_move else self._cost(table, to)

    def _cost(self, table: Table, to: PlaceId) -> int:
        """Return what entering an Area costs a Force that pays. Source: location.note.enemy-entry-surcharge."""
        cost = self.cards.figures.move_cost
        area = self.cards.areas[to]
        location = self.cards.locations[area.location]
        if location.note.op != "enemy_entry_surcharge" or not area.is_control:
            return cost
        holders = queries.note_holders(self.cards, table, enemy(area.side), location.note.op)
        return cost + location.note.amount if location in holders else cost

    def _is_repeat(self, table: Table, force: PieceId, to: PlaceId) -> bool:
        """Return whether a note-free Move would lead back. Source: move.free.no-loop, ruling.free-move-loop."""
        return (
            FREE_MOVE_NO_RETURN.is_on(table)
            and self.cards.forces[force].has_free_move
            and to in (VISITED.of(table, force) or ())
        )

    def _is_free_left(self, table: Table, side: Side) -> bool:
        """Return whether a Location's note still gives a free Move in this turn. Source: location.note.free-move."""
        return FREE_MOVES_USED.of(table) < queries.note_amount(self.cards, table, side, "free_moves_per_turn")

    def is_note_free(self, command: Move) -> bool:
        """Return whether the Force's own note makes the Move free. Source: force.note.free-move."""
        return not command.free and self.cards.forces[command.force].has_free_move

    def is_wasted(self, table: Table, command: Move) -> bool:
        """Return whether the free Move of a Location would be spent on a Move that the Force's own note makes free.

        Source: location.note.free-move, force.note.free-move, move.free.no-loop.
        """
        card = self.cards.forces.get(command.force)
        is_note_free = card is not None and card.has_free_move
        return command.free and is_note_free and not self._is_repeat(table, command.force, command.to)

    # The Action

    def _options(self, table: Table, asked: Open) -> list[Move]:
        """Return every Move that can be paid, and every one that a Location's note makes free."""
        found: list[Move] = []
        is_free = self._is_free_left(table, table.turn)
        for force, to in self._ways(table, table.turn):
            if self.cards.forces[force].has_free_move:
                if not self._is_repeat(table, force, to.place):
                    found.append(Move(force, to.place))
            elif to.cost <= queries.rations(table, force):
                found.append(Move(force, to.place))
            if is_free:
                found.append(Move(force, to.place, free=True))
        return found

    def _refuse(self, table: Table, asked: Open, command: Move) -> Refusal | None:
        """Judge a Move by the documented precedence."""
        refusal = self._refuse_way(table, table.turn, command.force, command.to)
        if refusal is not None:
            return refusal
        if command.free:
            return None if self._is_free_left(table, table.turn) else refused("free_move_must_be_left")
        if self._is_repeat(table, command.force, command.to):
            return refused("free_move_must_not_repeat")
        if self.cost(table, command.force, command.to, free=False) > queries.rations(table, command.force):
            return refused("rations_must_suffice")
        return None

    def _declare(self, draft: Draft, asked: Open, command: Move) -> None:
        paid = self.cost(draft.table, command.force, command.to, free=command.free)
        self._begin(draft, command, paid, "location" if command.free else "note" if self.is_note_free(command) else "")

    def _begin(self, draft: Draft, move: Move, paid: int, source: str) -> None:
        """Declare a Move; it is paid, and made once the enemy has let it pass.

        `source` is what made it free: `note` (the Force's own), `location`, `card`, or empty.
        """
        self.sequence.begin(draft, {"force": move.force, "to": move.to, "paid": paid, "source": source})

    def _pay(self, draft: Draft, at: Open) -> None:
        take_rations(draft, PieceId(at.text("force")), at.number("paid"), COST)

    def _resolve(self, draft: Draft, at: Open) -> None:
        """Carry a Move out that was not cancelled. Source: move.perimeter, move.advance, move.control."""
        force, to = PieceId(at.text("force")), PlaceId(at.text("to"))
        was = draft.table.pieces[force].place
        rule = self._kind(draft.table, self.cards.forces[force].side, was, to)
        assert rule is not None
        if at.text("source") == "note" and FREE_MOVE_NO_RETURN.is_on(draft.table):
            places = {*(VISITED.of(draft.table, force) or ()), was, to}
            VISITED.set(draft, force, tuple(sorted(places)), RuleId("move.free.no-loop"))
        if at.text("source") == "location":
            FREE_MOVES_USED.add(draft, TABLE, FREE_NOTE)
        if at.text("source") == "card":
            FREE_MOVES_LEFT.add(draft, TABLE, SERIES, -1)
        move_force(draft, self.cards, force, to, rule)

    def cancel(self, draft: Draft, rule: RuleId) -> PieceId:
        """Undo the Move that is being answered and return its Force.

        Source: action.cancelled-costs-nothing, action.cancelled.may-act-on.
        """
        at = draft.end_sequence(self.sequence.kind, rule)
        force = PieceId(at.text("force"))
        give_rations(draft, force, at.number("paid"), CANCELLED)
        return force

    # The series of free Moves

    def _free_options(self, table: Table, asked: Open) -> list[Move]:
        return [Move(force, to.place) for force, to in self._ways(table, table.side_of(asked.seat))]

    def _refuse_in_series(self, table: Table, asked: Open, command: Move) -> Refusal | None:
        refusal = self._refuse_way(table, table.side_of(asked.seat), command.force, command.to)
        if refusal is None and command.free:
            return refused("free_move_must_be_left", "These Moves are free already.")
        return refusal

    def _declare_in_series(self, draft: Draft, asked: Open, command: Move) -> None:
        self._begin(draft, command, 0, "card")


class FreeMoves(Question):
    """A series of free Moves, which stays open below each of them until the last one is made."""

    def go_on(self, draft: Draft, asked: Open) -> None:
        """End the series with its last Move."""
        if not FREE_MOVES_LEFT.of(draft.table):
            draft.answered(SERIES)
