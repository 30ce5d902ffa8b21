"""View of a seat at one moment: a value that a screen draws. It knows no terminal."""

from collections.abc import Iterator
from typing import NamedTuple

from cli.output.panel_text import Paint, panel_lines
from cli.output.table_text import Drawing, decision_lines
from cli.screen.diary import DiaryLine, News
from core.narration.render_model import Panel
from core.telling.names import Names
from core.telling.narrator import Narrator
from core.telling.phrases import listed, printable, to_be_picked
from events.ids import MatchId, PlaceId, Seat
from projections.chronicle import Heading
from projections.state.table import Table
from server.client.adopting import standstill
from server.protocol.replies import LegalReply


class ScreenModel(NamedTuple):
    """The match as a seat sees it, and what the seat can do.

    Attributes:
        match: The match.
        seat: The seat.
        title: The title of the game.
        table: The table as the seat knows it.
        names: The names of what is on it.
        lines: The log.
        news: What happened since the seat's last command.
        legal: The open decision; its options if the seat is to decide.
        wanted: The dice or the draw that have to be typed before the chosen command is carried out; else empty.
        is_auto_pass: Whether a single option is played without asking.
        is_passing: Whether the seat passes in every window until its own next turn.
    """

    match: MatchId
    seat: Seat
    title: str
    table: Table
    names: Names
    lines: tuple[DiaryLine, ...]
    news: tuple[News, ...]
    legal: LegalReply
    wanted: str = ""
    is_auto_pass: bool = False
    is_passing: bool = False

    @property
    def is_to_decide(self) -> bool:
        """Whether the seat is to decide."""
        return self.table.ended is None and self.table.paused is None and self.legal.to_move == self.seat

    @property
    def new_count(self) -> int:
        """How many lines of the log are new since the player's last visit; what was taken back does not count."""
        return sum(line.is_new and not line.is_undone for line in self.lines)

    def heading(self) -> str:
        """Return where the match stands, whose view this is, and which match it is, the most important first."""
        where = "" if self.table.ended is not None else Narrator(self.names).heading(Heading.of(self.table))
        if self.table.ended is not None:
            where = "The match is over"
        return f"{where} | you: {self.names.seat(self.seat)} | {self.match} | {self.title}"

    def question(self) -> str:
        """Return the open decision and whose it is, or how the match ended."""
        if self.wanted:
            return f"Type what fell or was drawn at your table: {self.wanted}. Esc gives the command up."
        top = self.table.top
        if self.table.ended is not None or not self.table.began or top is None:
            return printable(" ".join(decision_lines(self.names, self.table)))
        asked = self.names.narration.question(self.table, top)
        if self.table.paused is not None:
            return printable(
                f"PAUSED: {self.table.paused.rstrip('.')}. Nothing is played until the arbiter resumes the match."
            )
        if self.legal.installed is not None:
            return printable(f"OTHER RULES: {standstill(self.table, self.legal.installed)}")
        if not top.seat:
            return printable(f"Under way: {asked}.")
        if not self.is_to_decide:
            # Its options are not there yet if the match moves on faster than they can be asked for, or if the server does not answer.
            who = "the server" if top.seat == self.seat else self.names.seat(top.seat)
            return printable(f"Waiting for {who}: {asked}.")
        details = self.names.on(self.table).details(top)
        return printable(" ".join([f"YOU DECIDE: {asked}.{self._picks(asked)}", *details]))

    def _picks(self, asked: str) -> str:
        legal = self.legal
        said = to_be_picked(legal.minimum, legal.maximum, asked, listed(map(self.names.anything, legal.picked)))
        return f" {said}" if said and legal.maximum else ""

    def _drawing(self, width: int, paint: Paint) -> Drawing:
        return Drawing(self.names, self.table, width, paint, is_full=False, seat=self.seat)

    def drawn(self, width: int, paint: Paint) -> list[str]:
        """Draw the table as `show` does, without the open decision."""
        drawing = self._drawing(width, paint)
        lines = list(drawing.lines())
        for _ in drawing.decision():
            lines.pop()
        return lines

    def current_line(self, width: int, paint: Paint) -> tuple[PlaceId, int] | None:
        """Return the place at which something is under way, and the line of the table with which it begins; None if there is none."""
        drawing = self._drawing(width, paint)
        picture = drawing.picture()
        panels = () if picture is None else (*picture.above, *picture.below)
        for group in drawing.groups(panels):
            current = next((panel.current for panel in group if panel.current), None)
            if current is not None:
                first = drawing.tinted(next(iter(panel_lines(group, width, paint))))
                drawn = self.drawn(width, paint)
                return (current, drawn.index(first)) if first in drawn else None
        return None

    def holdings(self, width: int, paint: Paint) -> list[str]:
        """Draw what this seat knows and another does not: its hand and its hidden pieces; nothing if it has no secrets."""
        drawing = self._drawing(width, paint)
        picture = drawing.picture()
        private = [] if picture is None else [one for one in (*picture.above, *picture.below) if one.is_private]
        panels = private or list(self._piles())
        by_place: dict[str, list[str]] = {}
        for piece in self.table.pieces.values():
            if self._is_own(self.table.known_to.get(piece.id)):
                by_place.setdefault(piece.place, []).append(self.names.piece(piece.id, piece.place))
        if by_place:
            rows = [(f"  {self.names.anything(place)}", ", ".join(pieces)) for place, pieces in by_place.items()]
            panels.append(Panel(title="Pieces that are hidden from others", header=("", ""), rows=tuple(rows)))
        return list(drawing.panels(panels))

    def _piles(self) -> Iterator[Panel]:
        """Yield the piles that only some seats know, this one among them."""
        for key, pile in sorted(self.table.piles.items()):
            if pile.cards and self._is_own(pile.seen_by):
                yield Panel(title=self.names.of(key), lines=tuple(f"  {self.names.of(card)}" for card in pile.cards))

    def _is_own(self, known_to: tuple[Seat, ...] | None) -> bool:
        """Return whether only some seats know something, and this one does."""
        return known_to is not None and self.seat in known_to and not set(self.table.seats) <= set(known_to)
