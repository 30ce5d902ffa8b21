"""A Call for Reinforcements: cards, dice, Removals, Raus, deployment, and what goes back to the track."""

from core.engine.command import Command
from core.engine.decision import Decision
from core.engine.draft import Draft
from core.engine.question import Answer, Question
from core.engine.repeated_questions import ask_among
from core.engine.steps import Step, StepSequence
from core.games.inferno.components.board_model import Board
from core.games.inferno.components.board_records import BLUE, WHITE
from core.games.inferno.ids import CALLED, GERMAN, RAUS, removed_box
from core.games.inferno.memory import EMPTY_ROWS, EXHAUSTED, EXTRA_TURNS, REINFORCEMENT
from core.games.inferno.options import COOP_PLACE_PARTNER, REMOVAL_RETRY
from core.games.inferno.rules.cards import draw_with_paulus
from core.games.inferno.rules.commands import Deploy, ReturnUnit
from core.games.inferno.rules.entering import enter
from core.games.inferno.rules.queries import (
    COLOUR_SEATS,
    SEAT_COLOURS,
    block,
    has_partners,
    has_room,
    mixes,
    partner,
    units,
)
from core.games.inferno.rules.refusals import refused
from core.games.inferno.rules.reinforcement_track import PICK_UP, in_reach, is_raus_due, place_unseen, put_back, show
from core.games.inferno.rules.wrong_command import misplaced
from core.refusal import Refusal
from events.ids import TABLE, CardId, PieceId, PlaceId, RuleId, Seat
from projections.state.table import Open, Table

CARD = RuleId("german.reinforce.draw-card")
DICE = RuleId("german.reinforce.six-dice")
REMOVAL = RuleId("german.reinforce.empty-row")
SAME_PHASE = RuleId("german.reinforce.removal-same-phase")
NO_REMOVAL = RuleId("german.reinforce.removal-impossible")
REMOVED_BEFORE = RuleId("german.reinforce.removed-for-good")
ROW_SIX = RuleId("german.reinforce.row-six-basic")
SIXTH_PANZER = RuleId("designer.advantage.sixth-panzer")
SIXTH_PANZER_PLACED = RuleId("designer.sixth-panzer.placement")
DEPLOYMENT = RuleId("german.reinforce.must-deploy")
RETURN = RuleId("german.reinforce.return-order")
END = RuleId("german.reinforce.uses-turn")
LATER_REMOVAL = RuleId("victory.okh.later-removals")
RETURN_STEP = "return"
"""The step in which what cannot enter goes back."""
DEPLOY = "deploy"
"""The kind of the question which unit enters where."""


# Deployment


def entries(table: Table, board: Board, piece: PieceId, caller: Seat) -> list[PlaceId]:
    """Return the hexes that a unit may enter now. Source: german.reinforce.must-deploy."""
    return [place for place in board.german_spawn if refuse_entry(table, board, piece, place, caller) is None]


def refuse_entry(table: Table, board: Board, piece: PieceId, place: PlaceId, caller: Seat) -> Refusal | None:
    """Return why a unit may not enter in a hex, or None if it may.

    Source: german.reinforce.blue-in-z, german.reinforce.yellow-in-x-y, german.reinforce.white-anywhere,
    german.reinforce.not-in-w, german.reinforce.no-overstack, german.reinforce.hex-lost,
    mode.co-op.white-reinforcements, mode.co-op.no-mixed-stack.
    """
    colour = block(table, board, piece).colour
    if place not in board.german_spawn:
        return refused("reinforcements_must_enter_in_spawn_hex")
    if place not in board.entry[colour]:
        return refused("blue_units_must_enter_in_z" if colour == BLUE else "yellow_units_must_enter_in_x_or_y")
    if not is_open(table, board, place):
        no_control = table.control.get(place) != GERMAN
        return refused("entry_hex_must_be_german_controlled" if no_control else "entry_hex_must_have_room")
    if has_partners(table):
        own = board.entry[SEAT_COLOURS[caller]]
        if colour == WHITE and place not in own and any(is_open(table, board, one) for one in own):
            return refused("white_units_must_fill_callers_hexes_first")
        if mixes(table, board, (piece,), place):
            return refused("yellow_and_blue_must_not_mix")
    return None


def is_open(table: Table, board: Board, place: PlaceId) -> bool:
    """Return whether a German Spawn Hex is controlled and has room. Source: ruling.co-op-own-hexes-closed."""
    return table.control.get(place) == GERMAN and has_room(table, board, place)


def placer(table: Table, board: Board, piece: PieceId) -> Seat:
    """Return the seat that places a unit."""
    return placer_of_colour(table, block(table, board, piece).colour)


def placer_of_colour(table: Table, colour: str) -> Seat:
    """Return the seat that places units of a colour: the caller, or the partner his own colour.

    Source: mode.co-op.other-colour-reinforcements, ruling.co-op-place-other-colour.
    """
    caller = table.turn_seat
    if not has_partners(table) or COOP_PLACE_PARTNER.chosen(table) == "caller":
        return caller
    return COLOUR_SEATS.get(colour, caller)


class Reinforcement:
    """The action, bound to the board. Source: german.reinforce.six-dice."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.sequence = StepSequence(
            REINFORCEMENT,
            END,
            (
                Step("card", CARD, self.draw),
                Step("dice", DICE, self.roll),
                Step("removals", REMOVAL, self.remove, when=lambda table, _: bool(EMPTY_ROWS.of(table))),
                Step("deploy", DEPLOYMENT, self.ask_deploy, when=self.can_deploy, repeats=True),
                Step(RETURN_STEP, RETURN, self.ask_return, when=lambda table, _: bool(self.left(table)), repeats=True),
            ),
        )

    def draw(self, draft: Draft, at: Open) -> None:
        """Draw the card. Source: german.reinforce.draw-card, leader.paulus."""
        draw_with_paulus(draft, self.board, draft.table.turn_seat, self.board.track.cards, CARD)

    def roll(self, draft: Draft, at: Open) -> None:
        """Throw the dice and pick up the units on which they come to lie.

        Source: german.reinforce.six-dice, german.reinforce.leftmost, german.reinforce.pick-up,
        ruling.reinforce-removal-time, ruling.reinforce-row-after-removal.
        """
        table, board = draft.table, self.board
        faces = draft.dice(board.track.dice, "Reinforcements", DICE, each=True)
        found: list[PieceId] = []
        empty: set[str] = set()
        for face in faces:
            free = [piece for piece in in_reach(table, board, face) if piece not in found]
            if free:
                found.append(free[0])
            else:
                empty.add(str(face))
        for piece in found:
            show(draft, board, piece)
            draft.move(piece, CALLED, PICK_UP)
        if empty:
            EMPTY_ROWS.set(draft, TABLE, tuple(sorted(empty)), REMOVAL)

    def remove(self, draft: Draft, at: Open) -> None:
        """Remove the R units of the rows that a die found empty; Raus comes on row 6.

        Source: german.reinforce.empty-row, german.reinforce.removal-same-phase,
        german.reinforce.removal-impossible, german.reinforce.removed-for-good,
        german.reinforce.row-six-basic, victory.okh.later-removals, ruling.removed-unit-losses.
        """
        for name in EMPTY_ROWS.of(draft.table) or ():
            row = int(name)
            unit = self.board.removed_units.get(row)
            if unit is not None:
                self._remove_unit(draft, row, unit)
            elif row == self.board.track.raus_row and is_raus_due(draft.table, self.board):
                self._bring_raus(draft)
            else:
                draft.apply(ROW_SIX, "the row has no unit to Remove", removed_box(row))

    def _remove_unit(self, draft: Draft, row: int, unit: CardId) -> None:
        table, place = draft.table, removed_box(row)
        if table.pieces_at(place):
            draft.apply(REMOVED_BEFORE, "the unit of the row is Removed already", place)
            return
        if EXHAUSTED.of(table, place):
            draft.apply(NO_REMOVAL, "no other die Removes the unit of the row", place)
            return
        candidates = [*units(table, self.board, GERMAN), *table.pieces_at(CALLED)]
        piece = next((piece for piece in candidates if table.pieces[piece].kind == unit), None)
        if piece is None:
            draft.apply(NO_REMOVAL, "the unit of the row cannot be Removed", place)
            if not REMOVAL_RETRY.is_on(table):
                EXHAUSTED.set(draft, place, value=True, rule=NO_REMOVAL)
            return
        there = table.pieces[piece]
        rule = SAME_PHASE if there.place == CALLED else REMOVAL
        draft.reveal(piece, there.kind, there.face, rule)
        draft.move(piece, place, rule)
        granted = EXTRA_TURNS.of(table)
        if granted is not None:
            more = min(granted + 1, self.board.victory.okh_extra_turns)
            EXTRA_TURNS.set(draft, TABLE, more, LATER_REMOVAL)

    def _bring_raus(self, draft: Draft) -> None:
        """Place Raus, and the 6th Panzer Division among the units that go onto the track.

        Source: designer.advantage.sixth-panzer, designer.sixth-panzer.placement,
        designer.sixth-panzer.white, ruling.sixth-panzer-same-call.
        """
        place = removed_box(self.board.track.raus_row)
        draft.mark(place, RAUS, SIXTH_PANZER)
        axes = [one.id for one in self.board.blocks_of(GERMAN, has_axe=True) if one.is_axe]
        place_unseen(draft, self.board, axes, place, SIXTH_PANZER)

    def left(self, table: Table) -> tuple[PieceId, ...]:
        """Return the units that lie beside the track: those picked up, and the 6th Panzer Division once it has come."""
        return (*table.pieces_at(CALLED), *table.pieces_at(removed_box(self.board.track.raus_row)))

    # Deployment

    def deployable(self, table: Table) -> list[tuple[PieceId, list[PlaceId]]]:
        """Return the picked-up units that can enter now, with their hexes."""
        found = [(piece, entries(table, self.board, piece, table.turn_seat)) for piece in table.pieces_at(CALLED)]
        return [(piece, places) for piece, places in found if places]

    def can_deploy(self, table: Table, at: Open) -> bool:
        """Return whether a unit can still enter."""
        return bool(self.deployable(table))

    def of_seat(self, table: Table, seat: Seat) -> list[tuple[PieceId, list[PlaceId]]]:
        """Return the units that a seat can place now."""
        return [(piece, places) for piece, places in self.deployable(table) if placer(table, self.board, piece) == seat]

    def only_entry(self, table: Table) -> PlaceId | None:
        """Return the hex in which every unit enters that can, or None if there is something to choose.

        There is as long as another hex is open, or room for some of the units only. What the units are plays no part, since whether a question
        is asked would tell it.
        """
        hexes = [place for place in self.board.german_spawn if is_open(table, self.board, place)]
        is_only = len(hexes) == 1 and has_room(table, self.board, hexes[0], len(table.pieces_at(CALLED)))
        return hexes[0] if is_only else None

    def ask_deploy(self, draft: Draft, at: Open) -> None:
        """Ask for the next unit, the caller first; where all that can enter do so in the same hex, they do at once.

        Source: german.reinforce.must-deploy, ruling.reinforce-withhold.
        """
        place = self.only_entry(draft.table)
        if place is not None:
            for piece, _ in self.deployable(draft.table):
                enter(draft, self.board, (piece,), place, DEPLOYMENT)
            return
        caller = draft.table.turn_seat
        seat = caller if self.of_seat(draft.table, caller) else partner(draft.table, caller)
        draft.ask(DEPLOY, seat, DEPLOYMENT)

    # What goes back

    def ask_return(self, draft: Draft, at: Open) -> None:
        """Put a single unit back; of several the caller chooses the next one. Source: ruling.reinforce-return-box."""
        asked, waiting = Open("return_unit", draft.table.turn_seat), self.left(draft.table)
        ask_among(draft, asked, RETURN, waiting, lambda draft, _, piece: self.give_back(draft, piece))

    def give_back(self, draft: Draft, piece: PieceId) -> None:
        """Put a unit back on the track."""
        is_axe = block(draft.table, self.board, piece).is_axe
        put_back(draft, self.board, piece, SIXTH_PANZER_PLACED if is_axe else RETURN)


class Deployment(Question):
    """Entry hex of the next unit. Source: german.reinforce.must-deploy."""

    def __init__(self, reinforcement: Reinforcement) -> None:
        deploy = Answer(Deploy, self._entries, self._refuse, self._deploy, ends=DEPLOYMENT, are_legal=True)
        super().__init__([deploy], self._refuse_other)
        self.reinforcement = reinforcement

    def _entries(self, table: Table, asked: Open) -> list[Deploy]:
        """List each unit of the seat with each of its hexes."""
        of_seat = self.reinforcement.of_seat(table, asked.seat)
        return [Deploy(piece, place) for piece, places in of_seat for place in places]

    def _refuse(self, table: Table, asked: Open, command: Deploy) -> Refusal | None:
        """Accept a unit of the seat in a hex that it may enter."""
        board = self.reinforcement.board
        if command.to not in board.hexes:
            return refused("hex_must_be_playable")
        if command.unit not in table.pieces_at(CALLED):
            return refused("unit_must_be_picked_up")
        if placer(table, board, command.unit) != asked.seat:
            return refused("stack_must_be_of_seats_colour", "The partner places units of his colour.")
        return refuse_entry(table, board, command.unit, command.to, table.turn_seat)

    def _deploy(self, draft: Draft, asked: Open, command: Deploy) -> None:
        """Deploy the unit, under a rule that does not disclose its colour. Source: ai.german-full-strength."""
        enter(draft, self.reinforcement.board, (command.unit,), command.to, DEPLOYMENT)

    def _refuse_other(self, table: Table, asked: Open, command: Command) -> Refusal:
        is_return = isinstance(command, ReturnUnit) and command.unit in table.pieces_at(CALLED)
        return refused("deployable_unit_must_be_deployed") if is_return else misplaced(table, asked, command)


class Returning(Question):
    """Choice of the unit that goes back to the track next. Source: german.reinforce.return-order."""

    def __init__(self, reinforcement: Reinforcement) -> None:
        give_back = Answer(ReturnUnit, self._left, self._refuse, self._return, ends=RETURN, are_legal=True)
        super().__init__([give_back], self._refuse_other)
        self.reinforcement = reinforcement

    def _left(self, table: Table, asked: Open) -> list[ReturnUnit]:
        return [ReturnUnit(piece) for piece in self.reinforcement.left(table)]

    def _refuse(self, table: Table, asked: Open, command: ReturnUnit) -> Refusal | None:
        return None if command.unit in self.reinforcement.left(table) else refused("unit_must_be_picked_up")

    def _return(self, draft: Draft, asked: Open, command: ReturnUnit) -> None:
        self.reinforcement.give_back(draft, command.unit)

    def _refuse_other(self, table: Table, asked: Open, command: Command) -> Refusal:
        """Say of a unit that cannot be deployed why it cannot."""
        refusal = None
        if isinstance(command, Deploy) and command.unit in table.pieces_at(CALLED):
            board = self.reinforcement.board
            if command.to not in board.hexes:
                return refused("hex_must_be_playable")
            refusal = refuse_entry(table, board, command.unit, command.to, table.turn_seat)
        return refusal or misplaced(table, asked, command)


def decisions(reinforcement: Reinforcement) -> dict[str, Decision]:
    """Return the questions of this chapter."""
    return {DEPLOY: Deployment(reinforcement), "return_unit": Returning(reinforcement)}
