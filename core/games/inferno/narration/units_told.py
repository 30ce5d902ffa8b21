"""Events of units, as players tell them; each unit is called what the reader of the events knew it to be."""

from collections.abc import Sequence
from itertools import groupby

from core.games.inferno import memory
from core.games.inferno.ids import CALLED, DEATH_POOL, RAUS, SIDE_NAMES, SOVIET, removed_box, track_box
from core.games.inferno.narration.names import Names
from core.games.inferno.narration.sentences import cause_words, dots, edge_words
from core.games.inferno.narration.stakes import LOST_ROW
from core.games.inferno.rules.reinforcement import NO_REMOVAL, REMOVED_BEFORE, ROW_SIX
from core.games.inferno.rules.reinforcement_track import is_dead
from core.telling.turned_pieces import turned_in_all
from core.wording import capital, counted, joined
from events.ids import NO_SIDE, CardId, PieceId, PlaceId, Side
from events.vocabulary import (
    Event,
    PieceConcealed,
    PieceMoved,
    PiecePlaced,
    PieceReturned,
    PieceRevealed,
    PieceTurned,
    RuleApplied,
)
from projections.state.table import Table

MOVES = {
    "german.long-move.distance": "{units} {make} a Long Move from {was} to {to}.",
    "german.short-move.one-hex": "{units} {make} a Short Move from {was} to {to}.",
    "german.hasty-attack.one-hex": "{units} {move} from {was} to {to} for a Hasty Attack.",
    "advance.german-up-to-four": "{units} {advance} from {was} to {to}.",
    "advance.soviet-strongest": "{units} {advance} from {was} to {to}.",
    "blitz.split": "{units} {make} a Blitz move from {was} to {to}.",
    "soviet.move.direction": "{units} {move} from {was} to {to} by the compass die.",
    "mode.1v1.free-choice-of-move": "Movement Action: {units} {move} from {was} to {to}.",
}
"""How units move, by the rule of the move."""

SHOWDOWN = "combat.showdown"


class UnitTeller:
    """Tells what happens to units.

    Args:
        names: The board, and what everything is called.
    """

    def __init__(self, names: Names) -> None:
        self.names = names
        self.board = names.board
        rows = range(1, self.board.track.rows + 1)
        self.removed = {removed_box(row): row for row in rows}
        self.track = {track_box(row, box): row for row in rows for box in range(1, self.board.track.boxes + 1)}

    def tell(self, table: Table, run: Sequence[Event]) -> str | None:
        """Return the sentence for events in a row; see `core.narration.narration_port.Narration.tell`."""
        first = run[0]
        match first:
            case PiecePlaced():
                return self._placed(table, [event for event in run if isinstance(event, PiecePlaced)])
            case PieceRevealed():
                return self._revealed(table, [event for event in run if isinstance(event, PieceRevealed)])
            case PieceMoved():
                return self._moved(table, first, [event.piece for event in run if isinstance(event, PieceMoved)])
            case PieceTurned():
                return self._turned(table, turned_in_all([event for event in run if isinstance(event, PieceTurned)]))
            case PieceReturned():
                return self._returned(table, [event for event in run if isinstance(event, PieceReturned)])
            case PieceConcealed():
                return self._concealed(table, [event for event in run if isinstance(event, PieceConcealed)])
            case _:
                return ""

    def _placed(self, table: Table, run: Sequence[PiecePlaced]) -> str | None:
        """Return which units were placed, hex by hex; a Soviet one that enters in play is told with its pool."""
        if table.round and run[0].side == SOVIET:
            return None
        if all(event.to in self.track for event in run):
            return f"{counted(len(run), 'unit')} {_verb('lie', run)} face down on the Reinforcement Track."
        known: dict[str, list[str]] = {}
        hidden: dict[Side, dict[str, int]] = {}
        for event in run:
            place = self.names.name(event.to)
            if event.kind:
                known.setdefault(place, []).append(edge_words(self.board, event.kind, event.face or ""))
            else:
                there = hidden.setdefault(event.side, {})
                there[place] = there.get(place, 0) + 1
        said = [f"{place}: {joined(units)}" for place, units in known.items()]
        for side, places in hidden.items():
            blocks = [f"{place}{f' ({count})' if count > 1 else ''}" for place, count in places.items()]
            said.append(f"hidden {SIDE_NAMES[side]} blocks in {joined(blocks)}")
        return f"Placed: {'; '.join(said)}."

    def _revealed(self, table: Table, run: Sequence[PieceRevealed]) -> str | None:
        """Return what units are; None for those of the track, which are told when they are picked up."""
        shown = [event for event in run if event.kind and table.pieces[event.piece].place in self.board.hexes]
        if not shown:
            return None
        if run[0].rule != SHOWDOWN:
            return f"Revealed: {joined([self._identity(table, event) for event in shown])}."
        said = [
            f"{SIDE_NAMES[side]} units: {joined([self._identity(table, event) for event in events])}"
            for side, events in groupby(shown, lambda event: table.pieces[event.piece].side)
        ]
        return f"Showdown. {'. '.join(said)}."

    def _identity(self, table: Table, event: PieceRevealed) -> str:
        what = edge_words(self.board, event.kind or "", event.face or "")
        return what if table.pieces[event.piece].kind else f"{self.names.block(table, event.piece)} is {what}"

    def _concealed(self, table: Table, run: Sequence[PieceConcealed]) -> str | None:
        """Return which units of hexes are upright again; None for those that go face down onto the track, which is told."""
        units = [event.piece for event in run if table.pieces[event.piece].place in self.board.hexes]
        return f"Concealed again: {self.names.units(table, units)}." if units else None

    def _returned(self, table: Table, run: Sequence[PieceReturned]) -> str:
        named = [
            self.names.piece(table, event.piece)
            if table.pieces[event.piece].kind or not event.card
            else f"{self.names.piece(table, event.piece)} ({self.names.name(event.card)})"
            for event in run
        ]
        are, go = ("is", "goes") if len(run) == 1 else ("are", "go")
        gone = joined([self.names.block(table, event.piece) for event in run])
        first = run[0]
        return (
            f"{capital(joined(named))} in {self.names.name(first.was)} {are} destroyed{cause_words(first.rule)} and {go} back to the "
            f"{self.names.name(first.to)}; {gone} {are} out of play."
        )

    def _turned(self, table: Table, turned: Sequence[PieceTurned]) -> str:
        """Return losses with their cause, side by side, or how Strength was adjusted."""
        event, units = turned[0], [one.piece for one in turned]
        if event.steps is None or event.steps_was is None:
            return ""
        if event.steps < event.steps_was:
            sides = groupby(turned, lambda one: table.pieces[one.piece].side if one.piece in table.pieces else NO_SIDE)
            return " ".join([self._lost(table, list(hit)) for _, hit in sides])
        named, is_one = capital(self.names.units(table, units)), len(units) == 1
        before = "no dots" if not event.steps_was else counted(event.steps_was, "dot")
        return f"{named} {'is' if is_one else 'are'} set from {before} to {counted(event.steps, 'dot')}."

    def _lost(self, table: Table, turned: Sequence[PieceTurned]) -> str:
        """Return which units of a side lose how many Steps and what is left of each, once if it is the same of all."""
        by_number: dict[int, list[PieceTurned]] = {}
        for event in turned:
            by_number.setdefault((event.steps_was or 0) - (event.steps or 0), []).append(event)
        said, left = list[str](), list[str]()
        for number, events in by_number.items():
            steps = "a Step" if number == 1 else counted(number, "Step")
            lose = f"loses {steps}" if len(events) == 1 else f"lose {steps} each"
            said.append(f"{self.names.units(table, [event.piece for event in events])} {lose}")
            left += [self._edge(table, event) for event in events]
        now = left[0] if len({*left}) == 1 else joined(left)
        return f"{capital(joined(said))}{cause_words(turned[0].rule)}: {now} left."

    def _edge(self, table: Table, event: PieceTurned) -> str:
        """Return the dots of the edge that is on top now, as far as the reader knows the unit."""
        unit = event.piece
        block = self.board.blocks.get(CardId(table.pieces[unit].kind)) if unit in table.pieces else None
        return str(event.steps) if block is None or not event.face else dots(block.edge(event.face))

    def _moved(self, table: Table, event: PieceMoved, units: Sequence[PieceId]) -> str:
        named, is_one = self.names.units(table, units), len(units) == 1
        enlisted = joined([self.names.enlisted(table, PieceId(unit)) for unit in units])
        was, to = self.names.name(event.was), self.names.name(event.to)
        row = self.removed.get(event.to)
        if event.to == DEATH_POOL:
            destroyed = f"{named} in {was} {'is' if is_one else 'are'} destroyed{cause_words(event.rule)}"
            return f"{capital(destroyed)}: Death Pool {self.points(table, units)}."
        if row is not None:
            return f"{capital(named)} {'is' if is_one else 'are'} Removed from {was}: no unit was left in row {row}."
        if event.to == CALLED:
            return f"{capital(enlisted)} {'is' if is_one else 'are'} picked up from {was}."
        if event.was == CALLED and event.to in self.board.hexes:
            return f"{capital(enlisted)} {'enters' if is_one else 'enter'} in {to}."
        if event.to in self.track:
            lost = LOST_ROW if is_dead(table, self.board, self.track[event.to]) else ""
            return f"{capital(named)} {'goes' if is_one else 'go'} back face down: {to}{lost}."
        verbs = {word: f"{word}s" if is_one else word for word in ("make", "move", "advance")}
        return capital(MOVES.get(event.rule, "").format(units=named, was=was, to=to, **verbs))

    def not_removed(self, table: Table, event: RuleApplied) -> str:
        """Return why a die Removes no unit; empty for anything else.

        A unit that is neither on the map nor picked up, Removed nor destroyed is on the track.
        """
        row = self.removed.get(PlaceId(event.about))
        unit = None if row is None else self.board.removed_units.get(row)
        if event.rule == ROW_SIX:
            is_there = table.marker(PlaceId(event.about), RAUS)
            return (
                f"No unit was left in row {row}, which Removes none{', and Raus is there already' if is_there else ''}."
            )
        if unit is None:
            return ""
        is_destroyed = unit in [table.pieces[piece].kind for piece in table.pieces_at(DEATH_POOL)]
        name = self.board.blocks[unit].name
        if event.rule == REMOVED_BEFORE:
            return f"Dice of row {row} have no effect, as {name} is Removed."
        if event.rule != NO_REMOVAL:
            return ""
        where = "is in the Death Pool" if is_destroyed else "is still on the Reinforcement Track"
        if memory.EXHAUSTED.of(table, event.about):
            where = "is not Removed by another die, since the first one could not"
        return f"No unit was left in row {row}, but {name} {where}."

    def points(self, table: Table, units: Sequence[PieceId]) -> str:
        """Return what the Death Pool is worth with these units, of the points with which the Soviets win."""
        victory = self.board.victory
        there = [*table.pieces_at(DEATH_POOL), *units]
        blocks = [self.board.blocks.get(CardId(table.pieces[unit].kind)) for unit in there if unit in table.pieces]
        points = sum(victory.r_unit_points if block is not None and block.is_r_unit else 1 for block in blocks)
        return f"{points} of {victory.german_losses}"


def _verb(word: str, run: Sequence[object]) -> str:
    return f"{word}s" if len(run) == 1 else word
