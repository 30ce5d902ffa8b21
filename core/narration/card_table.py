"""A game of cards on a table: Locations side by side, the places of each side above and below them, and what a side has besides.

A game says what there is; sizes, colours and which side lies nearer to the viewer belong to the renderer (`core.drawing.card_table_svg`).
"""

from events.codec import Struct, replace
from events.ids import NO_SIDE, PieceId, PlaceId, Side


class CardFace(Struct, frozen=True):
    """Face of a piece that is a card, besides its name, its symbol and the number that counts now (`core.narration.sheet.Counter`).

    Args:
        printed: What stands below the number, such as a printed one that differs from it.
        pips: How many tokens lie on the card.
        without: What is written where none does; empty for nothing.
        stars: How many decorations it has.
        note: Its effect or what it does now, in a few words.
        is_acting: The note is what it does now.
    """

    printed: str = ""
    pips: int = 0
    without: str = ""
    stars: int = 0
    note: str = ""
    is_acting: bool = False


class Span(Struct, frozen=True):
    """Squares of a track that count alike: how many, and what they give, in a few characters."""

    squares: int
    words: str


class CardTrack(Struct, frozen=True):
    """A track on a card: its title, how many squares are filled, the spans from the left, and what these give. The last square is the end of the card."""

    title: str
    filled: int
    spans: tuple[Span, ...]
    gives: str

    @property
    def squares(self) -> int:
        """How many squares it has."""
        return sum(span.squares for span in self.spans)


class Score(Struct, frozen=True):
    """Number that a side has scored so far at a card, with its name."""

    side: Side
    name: str
    figure: int


class PlaceCard(Struct, frozen=True):
    """A Location card in the middle of the table.

    Args:
        place: The place that it is.
        name: Its printed name.
        holder: Who holds it, in words.
        gives: What it gives now, in words.
        effect: Its effect, in words.
        track: Its track; None once it has no more use.
        scored: What the scores are, such as hits.
        scores: What both sides have scored so far, while it is fought for.
        silhouette: What it looks like from afar (`core.svg.silhouettes`), empty for nothing.
    """

    place: PlaceId
    name: str
    holder: str = ""
    gives: str = ""
    effect: str = ""
    track: CardTrack | None = None
    scored: str = ""
    scores: tuple[Score, ...] = ()
    silhouette: str = ""


class TableRow(Struct, frozen=True):
    """A row of places of one side, a place at each Location."""

    side: Side
    label: str
    places: tuple[PlaceId, ...]


class Desk(Struct, frozen=True):
    """Possessions of a side besides, in one line: how far it is on its way to victory, its cards and piles, and its next piece.

    Args:
        side: The side.
        name: What it is called.
        goal: What is counted for victory, how much it has, and how much it needs; None for nothing.
        backs: How many cards it holds that the viewer does not see.
        facts: What there is, each as a word or two with a number behind.
        next_label: What the next piece is called, as a kind; empty for none.
        next_piece: The piece itself.
        next_cost: What it costs, in words.
        next_words: Its name with all that is printed on it, for the side whose piece is not drawn.
    """

    side: Side = NO_SIDE
    name: str = ""
    goal: tuple[str, int, int] | None = None
    backs: int = 0
    facts: tuple[tuple[str, str], ...] = ()
    next_label: str = ""
    next_piece: PieceId = PieceId("")
    next_cost: str = ""
    next_words: str = ""


class CardTable(Struct, frozen=True):
    """The whole table: the cards from left to right, and for each side its rows from the cards outwards and its desk.

    With `is_brief` it is as low as what it shows allows, for a place where something else comes first.
    """

    cards: tuple[PlaceCard, ...]
    rows: tuple[TableRow, ...]
    desks: tuple[Desk, ...] = ()
    is_brief: bool = False

    def seen_by(self, side: Side) -> "CardTable":
        """Return the table as it is called for a side: its own desk is `You`."""
        return replace(
            self, desks=tuple([replace(one, name="You") if side and one.side == side else one for one in self.desks])
        )
