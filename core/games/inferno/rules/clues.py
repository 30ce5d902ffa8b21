"""Public clues about blocks that have not been seen: the origin of a German one, its colours, its company."""

from collections.abc import Iterable
from itertools import combinations

from core.games.inferno.components.board_model import Board
from core.games.inferno.components.board_records import BLUE, DIVISION, WHITE, YELLOW
from core.games.inferno.ids import CALLED, GERMAN, GERMAN_POOL, removed_box
from core.games.inferno.memory import EXHAUSTED, INVITED, REINFORCEMENT
from core.games.inferno.rules.actions import HASTY_STEP, LONG_MOVE, SHORT_STEP
from core.games.inferno.rules.queries import SEAT_COLOURS, has_partners, partner
from core.games.inferno.rules.reinforcement import (
    DEPLOY,
    NO_REMOVAL,
    RETURN_STEP,
    SIXTH_PANZER,
    is_open,
    placer_of_colour,
)
from core.games.inferno.rules.reinforcement_track import is_plain, is_white_box
from core.games.inferno.rules.set_up import LATE, STEP
from events.ids import CardId, PieceId, PlaceId, Seat
from events.vocabulary import (
    AttributeSet,
    ChosenByChance,
    DecisionOpened,
    Event,
    PieceDrawn,
    PieceMoved,
    PiecePlaced,
    RuleApplied,
    StepBegan,
)
from projections.state.fold import evolve
from projections.state.table import Table

COLOURS = frozenset((YELLOW, BLUE, WHITE))
RAUS, WHITE_BOX = "raus", "white box"
"""Where a block came from, besides the hexes of the set-up."""
ORDERS = (LONG_MOVE, SHORT_STEP, HASTY_STEP)
"""The rules by which a seat moves a Stack, or a part of it, that it commands."""


class Clues:
    """Conclusions from what a seat saw, without what was taken back.

    `colours` are what a block can be, if not every colour. `excluded` are units that it is not. `pairs` are blocks that once
    stood together, with two German seats, so that they are not Yellow and Blue. `shared` are blocks of which at least one has one of
    some colours: that of the seat that commanded their Stack, or one that can be deployed. `barred` are blocks
    that do not have a colour unless one of a Stack has the other one. `chosen` are the Divisions that Late Deployment may have left for the map.

    Args:
        board: The board.
        history: The events as the seat saw them.
    """

    def __init__(self, board: Board, history: Iterable[Event]) -> None:
        self.board = board
        self.origin: dict[PieceId, str] = {}
        self.colours: dict[PieceId, frozenset[str]] = {}
        self.excluded: dict[PieceId, set[CardId]] = {}
        self.pairs: set[tuple[PieceId, PieceId]] = set()
        self.shared: list[tuple[tuple[PieceId, ...], frozenset[str]]] = []
        self.barred: list[tuple[PieceId, str, tuple[PieceId, ...]]] = []
        self.chosen: set[CardId] = set()
        self._table = Table()
        self._last: tuple[str, str] | None = None
        self._asked: Seat | None = None
        for event in history:
            self._note(event)
            self._asked = self._asked_after(event)
            evolve(self._table, event)
            self._note_stack(event)
        top = self._table.top
        if top is not None and top.kind == DEPLOY:
            self.shared.append((self._table.pieces_at(CALLED), frozenset(self._open_to((top.seat,)))))

    # What blocks can be

    def may_be(self, piece: PieceId, unit: CardId) -> bool:
        """Return whether a German block can be a unit.

        Source: setup.step-8, setup.step-9, designer.advantage.sixth-panzer,
        german.reinforce.removal-impossible.
        """
        block = self.board.blocks[unit]
        if block.colour not in self.colours.get(piece, COLOURS) or unit in self.excluded.get(piece, ()):
            return False
        origin = self.origin.get(piece)
        if origin is None:
            return self.was_on_track(unit)
        if origin == RAUS:
            return block.is_axe
        if origin == WHITE_BOX:
            return is_plain(block, WHITE)
        drawn = [one.colour for one in self.board.setup.random_infantry if one.hex == origin]
        return block.start == origin or any(is_plain(block, colour) for colour in drawn)

    def was_on_track(self, unit: CardId) -> bool:
        """Return whether a unit can be one of those that began on the Reinforcement Track; without a set-up by the rules each can."""
        block = self.board.blocks[unit]
        return not self.origin or (block.start is None and not block.is_axe)

    def kept_in_pool(self) -> frozenset[CardId]:
        """Return the Divisions that Late Deployment keeps from the map. Source: designer.advantage.late-deployment."""
        return frozenset(self._late() - self.chosen)

    def _late(self) -> set[CardId]:
        blocks = self.board.blocks.values()
        best = max(edge.strength for block in blocks for edge in block.edges)
        return {block.id for block in blocks if block.kind == DIVISION and block.edges[0].strength == best}

    # What events tell

    def _note(self, event: Event) -> None:
        """Note what an event tells, before it takes place."""
        table, board = self._table, self.board
        if isinstance(event, PiecePlaced) and event.side == GERMAN and event.rule in (STEP[8], SIXTH_PANZER):
            self.origin[event.piece] = event.to if event.rule == STEP[8] else RAUS
        elif isinstance(event, PieceDrawn) and event.pool == GERMAN_POOL:
            if event.piece and is_white_box(board, table.pieces[event.piece].place):
                self.origin[event.piece] = WHITE_BOX
        elif isinstance(event, ChosenByChance) and event.rule == LATE:
            self.chosen |= {CardId(event.chosen)} if event.chosen else self._late()
        elif isinstance(event, RuleApplied) and event.rule == NO_REMOVAL:
            # Once a row is exhausted its unit is not looked for any more, and may be there.
            if not EXHAUSTED.of(table, event.about):
                self._note_absence(event.about)
        elif isinstance(event, PieceMoved) and table.pieces[event.piece].side == GERMAN:
            self._note_move(event)
        elif isinstance(event, StepBegan) and event.kind == REINFORCEMENT and event.step == RETURN_STEP:
            self._note_left(table.seats_of(GERMAN))
        elif isinstance(event, DecisionOpened) and event.kind == DEPLOY and event.seat != table.turn_seat:
            self._note_left((table.turn_seat,))
        elif isinstance(event, AttributeSet) and event.key == INVITED.key:
            for place in event.value if isinstance(event.value, tuple) else ():
                self._command(table.pieces_at(PlaceId(str(place))), partner(table, table.turn_seat))
        self._last = (event.was, event.to) if isinstance(event, PieceMoved) else None

    def _asked_after(self, event: Event) -> Seat | None:
        """Return the seat that is asked which unit enters, after an event; once it has answered, others may enter by themselves."""
        if isinstance(event, DecisionOpened) and event.kind == DEPLOY:
            return event.seat
        return None if isinstance(event, PieceMoved) and event.was == CALLED else self._asked

    def _note_stack(self, event: Event) -> None:
        """Note which blocks stand together. Source: mode.co-op.no-mixed-stack."""
        table = self._table
        if (
            not isinstance(event, PieceMoved | PiecePlaced)
            or event.to not in self.board.hexes
            or not has_partners(table)
        ):
            return
        if table.pieces[event.piece].side == GERMAN:
            self.pairs.update(combinations(sorted(table.pieces_at(event.to)), 2))

    def _note_absence(self, box: str) -> None:
        """Note that no block on the map or picked up is the unit of a row. Source: german.reinforce.removal-impossible."""
        units = [unit for row, unit in self.board.removed_units.items() if removed_box(row) == box]
        for piece in self._table.pieces.values():
            if piece.side == GERMAN and (piece.place in self.board.hexes or piece.place == CALLED):
                self.excluded.setdefault(piece.id, set()).update(units)

    def _note_move(self, event: PieceMoved) -> None:
        """Note what a move tells: a deployment, or an order to a Stack.

        Source: german.reinforce.must-deploy, mode.co-op.own-stacks-only.
        """
        table, board = self._table, self.board
        if event.was == CALLED and event.to in board.hexes:
            self._narrow(event.piece, frozenset(colour for colour in COLOURS if self._may_enter(colour, event.to)))
        elif event.rule in ORDERS and (event.was, event.to) != self._last and has_partners(table):
            self._command(table.pieces_at(event.was), table.turn_seat)

    def _may_enter(self, colour: str, place: PlaceId) -> bool:
        """Return whether a unit of a colour may enter in a hex, deployed by the seat that is asked if one is.

        Source: mode.co-op.white-reinforcements.
        """
        table, board = self._table, self.board
        if place not in board.entry[colour]:
            return False
        if not has_partners(table):
            return True
        own = board.entry[SEAT_COLOURS[table.turn_seat]]
        is_early = colour == WHITE and place not in own and any(is_open(table, board, one) for one in own)
        return not is_early and self._asked in (None, placer_of_colour(table, colour))

    def _note_left(self, seats: Iterable[Seat]) -> None:
        """Note that some seats cannot deploy any of the units that were picked up.

        Source: german.reinforce.must-deploy, mode.co-op.no-mixed-stack.
        """
        table = self._table
        for colour, places in self._open_to(seats).items():
            # Where a Stack is, Yellow and Blue may have been kept out by the other colour.
            is_barred = colour != WHITE and has_partners(table) and all(table.pieces_at(place) for place in places)
            for piece in table.pieces_at(CALLED):
                if is_barred:
                    self.barred.extend((piece, colour, table.pieces_at(place)) for place in places)
                else:
                    self._narrow(piece, COLOURS - {colour})

    def _open_to(self, seats: Iterable[Seat]) -> dict[str, list[PlaceId]]:
        """Return the hexes where seats could deploy units of each colour, if nothing in a Stack there prevents it."""
        table, board = self._table, self.board
        found = {
            colour: [place for place in board.entry[colour] if is_open(table, board, place)]
            for colour in sorted(COLOURS)
        }
        return {colour: there for colour, there in found.items() if there and placer_of_colour(table, colour) in seats}

    def _narrow(self, piece: PieceId, colours: frozenset[str]) -> None:
        self.colours[piece] = self.colours.get(piece, COLOURS) & colours

    def _command(self, pieces: tuple[PieceId, ...], seat: Seat) -> None:
        self.shared.append((pieces, frozenset((SEAT_COLOURS[seat],))))
