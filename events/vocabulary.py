"""The vocabulary: every fact that can happen on a table, shared by all games.

Each fact is a frozen struct with an explicit, versioned tag. A shipped tag's meaning never changes: a change is a new
version with an upcaster (`events.upcast`). Every fact names the rule that caused it. A fact that shows a change shows
what it replaced (`was`).

Secrets: a fact with `seen_by` set is meant for those seats (and the arbiter) alone. The others get it with the fields of
`SECRETS` emptied, or not at all where its type is in `WITHHELD` (`projections.view`).
"""

from typing import Literal

from events.codec import Struct
from events.ids import (
    NO_SEAT,
    AttributeKey,
    CardId,
    Digest,
    GameKey,
    MarkerId,
    MatchId,
    PieceId,
    PileId,
    PlaceId,
    RuleId,
    Seat,
    Side,
    TrackId,
)

Value = str | int | bool | tuple[str, ...]
"""What an option of a match, an argument of a decision or an attribute may be. A set of ids is a sorted tuple."""

Lifetime = Literal["", "step", "phase", "turn", "round"]
"""Until which fact of the sequence of play an attribute lasts: the next one of that kind; empty until it is removed."""


class Fact(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="fact", gc=False
):
    """What all facts share: the rule that caused them."""

    rule: RuleId


class ChanceScheme(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Where the dice of a match come from.

    `scheme` is `sealed/1`, `seeded/1` or `manual/1`. `commitment` is the SHA-256 of a sealed seed; `seed` the public seed
    of a seeded match. `stream` binds the dice to one stream, so that no two matches share them by accident. `shift` is taken
    off the sequence numbers: a fork that shares its parent's dice counts without the events that forking added.
    """

    scheme: str
    commitment: str = ""
    seed: str = ""
    stream: str = ""
    shift: int = 0


class Modifier(Struct, frozen=True, array_like=True, gc=False):
    """One part of a sum: the rule that adds it, what it is, and how much (any sign)."""

    rule: RuleId
    what: str
    amount: int


# The match itself


class MatchOpened(Fact, frozen=True, kw_only=True, tag="match-opened/1"):
    """A match began: what is played, under which rules, data and source of chance.

    `edition` names the game's rules for readers; `rules` is the digest of what outcomes depend on. `variant` is the name of a
    variant, whose board contradicts the printed game; empty for the printed game. `sides` own what lies on the
    table, `seats` decide, and `plays` says which side each seat plays as far as that is settled (`SideAssigned` settles the rest).
    """

    game: GameKey
    edition: str
    scenario: str
    mode: str = ""
    options: dict[str, Value]
    sides: tuple[Side, ...]
    seats: tuple[Seat, ...]
    plays: dict[Seat, Side]
    rules: Digest
    board: Digest
    variant: str = ""
    position: Digest | None = None
    chance: ChanceScheme


class MatchForked(Fact, frozen=True, kw_only=True, tag="match-forked/1"):
    """A fork left its parent after event `at`; `hidden` says how secrets were treated: `truth` or `resample`.

    The parent may be a fork itself, and the event one that it shares with the match in which it was written.
    """

    parent: MatchId
    at: int
    chance: ChanceScheme
    hidden: str
    seat: Seat


class SeatTaken(Fact, frozen=True, kw_only=True, tag="seat-taken/1"):
    """Somebody sat down, with a share of the chance (hex) and the SHA-256 of the secret that proves who it is."""

    seat: Seat
    name: str = ""
    contribution: str = ""
    credential: str = ""


class SeatLeft(Fact, frozen=True, kw_only=True, tag="seat-left/1"):
    """A seat became free."""

    seat: Seat
    name: str = ""


class SideAssigned(Fact, frozen=True, kw_only=True, tag="side-assigned/1"):
    """It was settled which side a seat plays; an empty side is none. Who has seen what stays as it is: seats have."""

    seat: Seat
    side: Side
    was: Side


class MatchBegan(Fact, frozen=True, kw_only=True, tag="match-began/1"):
    """All seats were taken and play began."""


class MatchEnded(Fact, frozen=True, kw_only=True, tag="match-ended/1"):
    """The match is over.

    `kind` tells the rulebook's results (`rules`) from the others (`resigned`, `agreed`, `limit`); `result` is the printed
    name of the result. `winners` are the sides that won, also those that no seat plays; `winning_seats` the seats that did:
    of a side that won not all need have. Both may be empty.
    """

    kind: str
    result: str
    winners: tuple[Side, ...] = ()
    winning_seats: tuple[Seat, ...] = ()


class SeedRevealed(Fact, frozen=True, kw_only=True, tag="seed-revealed/1"):
    """The sealed seed was opened for all to check (hex)."""

    seed: str


class RulingMade(Fact, frozen=True, kw_only=True, tag="ruling-made/1"):
    """The arbiter recorded a decision on a disputed point."""

    text: str
    about: RuleId | None = None


class NoteAdded(Fact, frozen=True, kw_only=True, tag="note-added/1"):
    """A seat wrote something down; with `seen_by` for some eyes only."""

    seat: Seat
    text: str
    seen_by: tuple[Seat, ...] | None = None


class StandingAnswerGiven(Fact, frozen=True, kw_only=True, tag="standing-answer-given/1"):
    """A seat said beforehand how it answers decisions of one kind; an empty `answer` takes that back.

    `answer` is a command as JSON; `until` is empty or `turn` (until the seat's own next turn begins).
    """

    seat: Seat
    decision: str
    answer: str
    until: str = ""
    seen_by: tuple[Seat, ...] | None = None


class GivenAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A standing answer as it was given; see `StandingAnswerGiven`.

    `after` counts the events that everybody had seen by then: the number of the last one in the public's stream.
    """

    seat: Seat
    decision: str
    answer: str
    until: str = ""
    after: int = 0


class StandingAnswersRevealed(Fact, frozen=True, kw_only=True, tag="standing-answers-revealed/1"):
    """The match is over, and what its seats had answered beforehand became known to all, in the order it was given."""

    answers: tuple[GivenAnswer, ...]


class SecretsRedealt(Fact, frozen=True, kw_only=True, tag="secrets-redealt/1"):
    """In a fork, what lies in a pile was dealt again, because the forking seat could not know it."""

    pile: PileId
    cards: tuple[CardId, ...] | None
    seen_by: tuple[Seat, ...] | None = None


class TakenBack(Fact, frozen=True, kw_only=True, tag="taken-back/1"):
    """A seat took its last commands back: what lies on the table is again as it was after event `to`.

    Nothing was learned since. Seats, notes, standing answers and rulings stay as they are. `to` is told to each onlooker in
    its own numbers.
    """

    seat: Seat
    to: int


# The sequence of play


class RoundBegan(Fact, frozen=True, kw_only=True, tag="round-began/1"):
    """The round or turn counter of the game advanced to `number`, as printed."""

    number: int
    was: int


class TurnBegan(Fact, frozen=True, kw_only=True, tag="turn-began/1"):
    """A side's turn began: that of one `seat`, or, without one, of all seats that play the side, which may be none."""

    side: Side
    was: Side
    seat: Seat = NO_SEAT
    seat_was: Seat = NO_SEAT


class PhaseBegan(Fact, frozen=True, kw_only=True, tag="phase-began/1"):
    """A phase of the sequence of play began."""

    phase: str
    was: str


class RuleApplied(Fact, frozen=True, kw_only=True, tag="rule-applied/1"):
    """A rule took effect and left the table as it was: an event without result, a group that has to wait.

    `about` is the id of what it concerns, or empty; `outcome` says in a few words what came of it.
    """

    outcome: str
    about: str = ""


class DecisionOpened(Fact, frozen=True, kw_only=True, tag="decision-opened/1"):
    """A question was put to a seat; `arguments` say what it is about, and are empty for those who may not know.

    `was` is the question on top that had been answered and whose place it takes; empty if it lies on top of what there is.
    """

    kind: str
    seat: Seat
    arguments: dict[str, Value] | None = {}
    was: str = ""
    seen_by: tuple[Seat, ...] | None = None


class DecisionClosed(Fact, frozen=True, kw_only=True, tag="decision-closed/1"):
    """The topmost question was answered, and what lies below it goes on as it was.

    Where another question, a step, a phase or the end follows the answer, that fact takes the question off the stack.
    """

    kind: str
    seat: Seat


class ItemPicked(Fact, frozen=True, kw_only=True, tag="item-picked/1"):
    """For the topmost question an item was picked; in an assignment, `to` is the place that it is assigned to.

    The question is not answered by it, and what was picked vanishes with the question. Dice are not numbered by these facts.
    """

    item: str
    to: str = ""
    seen_by: tuple[Seat, ...] | None = None


class ItemUnpicked(Fact, frozen=True, kw_only=True, tag="item-unpicked/1"):
    """For the topmost question an item is not picked any more; `was` is the place that it was assigned to."""

    item: str
    was: str = ""
    seen_by: tuple[Seat, ...] | None = None


class SequenceBegan(Fact, frozen=True, kw_only=True, tag="sequence-began/1"):
    """A sequence of steps began with a step; `arguments` say what it is about. `was` is as in `DecisionOpened`."""

    kind: str
    step: str
    arguments: dict[str, Value] = {}
    was: str = ""


class StepBegan(Fact, frozen=True, kw_only=True, tag="step-began/1"):
    """The topmost sequence of this kind went on to a step. Whatever lay above the sequence is over.

    A step that does not take place leaves no fact.
    """

    kind: str
    step: str
    was: str


class SequenceEnded(Fact, frozen=True, kw_only=True, tag="sequence-ended/1"):
    """The topmost sequence of this kind is over, and whatever lay above it."""

    kind: str


class ProcedureBegan(Fact, frozen=True, kw_only=True, tag="procedure-began/1"):
    """The rules laid something aside to go on with once what lies on top of it is done."""

    kind: str
    arguments: dict[str, Value] = {}


class ProcedureEnded(Fact, frozen=True, kw_only=True, tag="procedure-ended/1"):
    """What had been laid aside was taken up and is done with."""

    kind: str


# Chance


class DiceRolled(Fact, frozen=True, kw_only=True, tag="dice-rolled/1"):
    """Dice fell: their faces, what for, what is added to them, and the number needed if there is one.

    `about` names the place or piece concerned. Of more dice than count, `keep` tells how many of the highest do; 0 is all.
    The position of the fact in its stream is what the proof is bound to.
    """

    faces: tuple[int, ...]
    sides: int = 6
    keep: int = 0
    purpose: str
    about: str = ""
    modifiers: tuple[Modifier, ...] = ()
    needed: int | None = None


class CardDrawn(Fact, frozen=True, kw_only=True, tag="card-drawn/1"):
    """A card went from a deck to a pile by chance; `card` is empty for those who may not see it."""

    deck: PileId
    to: PileId
    card: CardId | None
    purpose: str = ""
    seen_by: tuple[Seat, ...] | None = None


class PieceDrawn(Fact, frozen=True, kw_only=True, tag="piece-drawn/1"):
    """Chance named one piece or counter of a pool and took it out; `piece` is the piece on the table that it is, if any.

    `weights` says how many chances each had, where not all in the pool had the same.
    """

    pool: PileId
    drawn: CardId | None
    weights: dict[CardId, int] | None = {}
    piece: PieceId = PieceId("")
    purpose: str = ""
    seen_by: tuple[Seat, ...] | None = None


class ChosenByChance(Fact, frozen=True, kw_only=True, tag="chosen-by-chance/1"):
    """Chance chose one of several candidates, all equally likely, and nothing moved."""

    chosen: str | None
    candidates: tuple[str, ...] | None
    purpose: str
    about: str = ""
    seen_by: tuple[Seat, ...] | None = None


class DeckFormed(Fact, frozen=True, kw_only=True, tag="deck-formed/1"):
    """A pile came into being with these cards; to those who may not look it is `count` unknown ones."""

    deck: PileId
    count: int
    cards: tuple[CardId, ...] | None
    seen_by: tuple[Seat, ...] | None = None


class DeckShuffled(Fact, frozen=True, kw_only=True, tag="deck-shuffled/1"):
    """A deck's order was lost; with `source` all cards of that pile went into it first."""

    deck: PileId
    source: PileId | None = None


# Pieces


class PiecePlaced(Fact, frozen=True, kw_only=True, tag="piece-placed/1"):
    """A piece came onto the table. `kind` is what it is, `side` whose it is; both may be secret or empty."""

    piece: PieceId
    kind: str | None
    side: Side
    to: PlaceId
    face: str | None = ""
    steps: int | None = 0
    seen_by: tuple[Seat, ...] | None = None


class PieceMoved(Fact, frozen=True, kw_only=True, tag="piece-moved/1"):
    """A piece went from one place to another. A piece may lie on another piece, whose id is then its place."""

    piece: PieceId
    to: PlaceId
    was: PlaceId


class PieceTurned(Fact, frozen=True, kw_only=True, tag="piece-turned/1"):
    """A piece shows another face, or has other steps left."""

    piece: PieceId
    face: str | None
    was: str | None
    steps: int | None = 0
    steps_was: int | None = 0
    seen_by: tuple[Seat, ...] | None = None


class PieceRevealed(Fact, frozen=True, kw_only=True, tag="piece-revealed/1"):
    """What a piece is became known to all, or to the seats of `seen_by`."""

    piece: PieceId
    kind: str | None
    face: str | None
    was: str | None
    steps: int | None = 0
    seen_by: tuple[Seat, ...] | None = None


class PieceConcealed(Fact, frozen=True, kw_only=True, tag="piece-concealed/1"):
    """A piece lies hidden again; the seats of `seen_by` still know what it is.

    `known` is empty for the others: their state no longer holds kind, face and steps, nor the attributes of the piece that are
    listed because they depend on those. What they saw before stays in their streams.
    """

    piece: PieceId
    attributes: tuple[AttributeKey, ...] = ()
    known: bool | None = True
    seen_by: tuple[Seat, ...] | None = None


class SideChanged(Fact, frozen=True, kw_only=True, tag="side-changed/1"):
    """A piece changed sides where it lies: it was captured, or went over. That is no loss of a piece."""

    piece: PieceId
    to: Side
    was: Side


class PieceRemoved(Fact, frozen=True, kw_only=True, tag="piece-removed/1"):
    """A piece left the table for good, with its markers, its attributes and whatever names it in attributes of others."""

    piece: PieceId
    was: PlaceId


class PieceReturned(Fact, frozen=True, kw_only=True, tag="piece-returned/1"):
    """A piece left the table, and what it is went back to a pile from which such pieces are drawn."""

    piece: PieceId
    card: CardId | None
    to: PileId
    was: PlaceId
    seen_by: tuple[Seat, ...] | None = None


# Places, markers, tracks


class ControlChanged(Fact, frozen=True, kw_only=True, tag="control-changed/1"):
    """A place came under a side's control; an empty side is nobody's."""

    place: PlaceId
    to: Side
    was: Side


class MarkerPlaced(Fact, frozen=True, kw_only=True, tag="marker-placed/1"):
    """On a place, a piece or the table itself there are now `count` markers of a kind; before there were `was`."""

    on: str
    marker: MarkerId
    count: int = 1
    was: int = 0


class MarkerRemoved(Fact, frozen=True, kw_only=True, tag="marker-removed/1"):
    """All `was` markers of a kind were taken off."""

    on: str
    marker: MarkerId
    was: int = 1


class TrackMoved(Fact, frozen=True, kw_only=True, tag="track-moved/1"):
    """A marker on a track moved."""

    track: TrackId
    to: int
    was: int


class AttributeSet(Fact, frozen=True, kw_only=True, tag="attribute-set/1"):
    """A value that the rules remember was set under a key of a place, a piece, a seat or the table itself.

    Without a value the attribute is removed. One with a lifetime is removed by the fold, without a fact of its own: with
    `until` at the next fact of that kind, with `within` when the topmost element of the stack that had this kind is closed. With
    both it ends with the step at which that element, a sequence, stands.
    `was` is the value replaced; it is empty as well where not everybody who sees this fact knew that value. A value that
    `names_pieces` is the id of a piece, or lists such ids: the fold drops from it a piece that is removed.
    """

    on: str
    key: AttributeKey
    value: Value | None
    was: Value | None = None
    until: Lifetime = ""
    within: str = ""
    names_pieces: bool = False
    seen_by: tuple[Seat, ...] | None = None


# Cards


class CardPlayed(Fact, frozen=True, kw_only=True, tag="card-played/1"):
    """A card was played openly from a pile to where it takes effect."""

    card: CardId
    to: PileId
    was: PileId


class CardDiscarded(Fact, frozen=True, kw_only=True, tag="card-discarded/1"):
    """A card was put away openly."""

    card: CardId
    to: PileId
    was: PileId


class CardMoved(Fact, frozen=True, kw_only=True, tag="card-moved/1"):
    """A card went from one pile to another, unseen by those who may not look."""

    card: CardId | None
    to: PileId
    was: PileId
    seen_by: tuple[Seat, ...] | None = None


Event = (
    MatchOpened
    | MatchForked
    | SeatTaken
    | SeatLeft
    | SideAssigned
    | MatchBegan
    | MatchEnded
    | SeedRevealed
    | RulingMade
    | NoteAdded
    | StandingAnswerGiven
    | StandingAnswersRevealed
    | SecretsRedealt
    | TakenBack
    | RoundBegan
    | TurnBegan
    | PhaseBegan
    | RuleApplied
    | DecisionOpened
    | DecisionClosed
    | ItemPicked
    | ItemUnpicked
    | SequenceBegan
    | StepBegan
    | SequenceEnded
    | ProcedureBegan
    | ProcedureEnded
    | DiceRolled
    | CardDrawn
    | PieceDrawn
    | ChosenByChance
    | DeckFormed
    | DeckShuffled
    | PiecePlaced
    | PieceMoved
    | PieceTurned
    | PieceRevealed
    | PieceConcealed
    | SideChanged
    | PieceRemoved
    | PieceReturned
    | ControlChanged
    | MarkerPlaced
    | MarkerRemoved
    | TrackMoved
    | AttributeSet
    | CardPlayed
    | CardDiscarded
    | CardMoved
)
"""Any fact of the current vocabulary."""

SECRETS: dict[type[Fact], tuple[str, ...]] = {
    SecretsRedealt: ("cards",),
    CardDrawn: ("card",),
    DecisionOpened: ("arguments",),
    PieceDrawn: ("drawn", "weights"),
    ChosenByChance: ("chosen", "candidates"),
    DeckFormed: ("cards",),
    PiecePlaced: ("kind", "face", "steps"),
    PieceTurned: ("face", "was", "steps", "steps_was"),
    PieceRevealed: ("kind", "face", "was", "steps"),
    PieceConcealed: ("known",),
    PieceReturned: ("card",),
    CardMoved: ("card",),
    AttributeSet: ("value", "was"),
}
"""Which fields are emptied for seats outside `seen_by`."""

WITHHELD: frozenset[type[Fact]] = frozenset({NoteAdded, StandingAnswerGiven, ItemPicked, ItemUnpicked})
"""Which facts seats outside `seen_by` never learn of."""
