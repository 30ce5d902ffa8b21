"""The vocabulary: every event type, shared by all games.

Each event is a frozen struct with an explicit, versioned tag. A shipped tag's meaning never changes: a change is a new
version with an upcaster (`events.upcast`). Every event names the rule that caused it. An event that changes a value also holds the
value it replaced (`was`). Each struct states the traits of its type.

Secrets: only the seats in `seen_by` (and the arbiter) see the whole event if it is set. The others get it with its `secrets`
redacted, or not at all if it is withheld (`projections.state.view`).
"""

from collections.abc import Callable, Iterable
from typing import ClassVar, Literal, get_args

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
from events.traits import SHOWN, Traits

Value = str | int | bool | tuple[str, ...]
"""The value of an option of a match, an argument of a decision or an attribute. A set of ids is a sorted tuple."""

Lifetime = Literal["", "step", "phase", "turn", "round"]
"""The lifetime of an attribute: until the next event of that kind in the sequence of play; empty if until it is removed."""


TakingBack = Literal["consent", "free", "no"]
"""What may be taken back in a match: also what was disclosed since or what others decided, if they consent; only what nobody has learned from; or nothing."""


Effect = Literal["", "stand", "go-on", "edit"]
"""The effect of a ruling: none is said, the match stands, it goes on as a fork of it, or as a match with an edited table."""


class BaseEvent(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="event", gc=False
):
    """The base of all events: the rule that caused them, and the traits of their type."""

    traits: ClassVar[Traits]

    rule: RuleId


class ChanceScheme(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The source of the dice of a match.

    `scheme` is `sealed/2`, `seeded/1` or `manual/1`. Of sealed dice `commitment` is the anchor of the server's chain of `length` links, `veil` the
    commitment to its veil, and `stream` the match to which they are bound, so that no two matches share them. Of seeded dice `seed` is the public seed;
    `shift` is subtracted from the sequence numbers: a fork that shares its parent's dice does not count the events that forking added.
    """

    scheme: str
    commitment: str = ""
    seed: str = ""
    stream: str = ""
    shift: int = 0
    veil: str = ""
    length: int = 0


class Modifier(Struct, frozen=True, array_like=True, gc=False):
    """One part of a sum: the rule that adds it, what it is, and how much (any sign)."""

    rule: RuleId
    what: str
    amount: int


# The match itself


class MatchOpened(BaseEvent, frozen=True, kw_only=True, tag="match-opened/1"):
    """A match was opened: its game, rules, data and source of chance.

    `edition` names the game's rules for readers; `rules` is the digest of what outcomes depend on. `variant` is the name of a
    variant, whose board contradicts the printed game; empty for the printed game. `title` is what those who play call the match, `taking_back` what may be taken back, and `house_rules` what they agreed
    on beside the rules, by its name. `sides` own pieces and places, `seats` decide,
    and `plays` says which side each seat plays as far as that is settled (`SideAssigned` settles the rest).
    """

    traits = Traits(is_beside_game=True)

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
    title: str = ""
    taking_back: TakingBack = "consent"
    house_rules: dict[str, str] = {}
    position: Digest | None = None
    chance: ChanceScheme


class MatchForked(BaseEvent, frozen=True, kw_only=True, tag="match-forked/1"):
    """The match was forked from its parent after event `at`; `hidden` says how secrets were treated: `truth` or `resample`.

    The parent may be a fork itself, and the event may be in the prefix that it shares with its own parent. `faces` are those of the
    next dice after event `at`, which `seat` chose; dice that cannot show them, and all after them, are rolled. The seats `reserved`, which
    show what is hidden in a running match, are those of who made the fork: `name`, proved by the secret with the SHA-256 `credential`.
    """

    traits = Traits(fence="the match was forked from another by event {}", is_firm=True, by="seat", may_follow_end=True)

    parent: MatchId
    at: int
    chance: ChanceScheme
    hidden: str
    seat: Seat
    faces: tuple[int, ...] = ()
    reserved: tuple[Seat, ...] = ()
    name: str = ""
    credential: str = ""


class SeatTaken(BaseEvent, frozen=True, kw_only=True, tag="seat-taken/1"):
    """A player took a seat, with the SHA-256 of the secret that proves the player's identity."""

    traits = Traits(is_beside_game=True, by="seat", may_follow_end=True)

    seat: Seat
    name: str = ""
    credential: str = ""


class SeatSecured(BaseEvent, frozen=True, kw_only=True, tag="seat-secured/1"):
    """A seat published the anchor of its chain of `length` links, so that sealed dice depend on it.

    `holder` says who holds the chain, if it is not the player's own program: `pages` or `bot`.
    """

    traits = Traits(is_beside_game=True, is_bookkeeping=True, by="seat")

    seat: Seat
    anchor: str
    length: int
    holder: str = ""


class KeyRegistered(BaseEvent, frozen=True, kw_only=True, tag="key-registered/1"):
    """A seat registered the public key (Ed25519, 32 bytes as hex) that signs its commands from then on.

    `was` is the key before, which has signed this; it is empty if there was none, or if the player has lost it. `holder` says who holds the key, if it is not
    the player's own program: `pages` or `bot`.
    """

    traits = Traits(is_beside_game=True, is_bookkeeping=True, by="seat")

    seat: Seat
    key: str
    holder: str = ""
    was: str = ""


class SeatLeft(BaseEvent, frozen=True, kw_only=True, tag="seat-left/1"):
    """A seat became free."""

    traits = Traits(is_beside_game=True, by="seat", may_follow_end=True)

    seat: Seat
    name: str = ""


class SeatReserved(BaseEvent, frozen=True, kw_only=True, tag="seat-reserved/1"):
    """The arbiter reserved a free seat, or the arbiter's, for whom an invitation was handed to.

    `credential` is the SHA-256 of the invitation's secret; an empty one withdraws the invitation. A later one replaces it. At `until`
    (milliseconds since 1970, UTC; 0 for never) it expires. `key` is the public key with which the player has to sign; empty for any.
    """

    traits = Traits(is_beside_game=True, by="arbiter", may_follow_end=True)

    seat: Seat
    name: str = ""
    credential: str = ""
    until: int = 0
    key: str = ""


class PlayerReplaced(BaseEvent, frozen=True, kw_only=True, tag="player-replaced/1"):
    """The arbiter removed the player `name` from a seat, whose secret proves nothing from then on."""

    traits = Traits(is_beside_game=True, by="arbiter")

    seat: Seat
    name: str = ""
    reason: str


class ArbiterSeated(BaseEvent, frozen=True, kw_only=True, tag="arbiter-seated/1"):
    """A person became the arbiter, who sees all that is hidden; `credential` is the SHA-256 of the secret that proves it.

    `capability` is the SHA-256 of the capability for all matches of the server on which this rests, if it rests on one.
    """

    traits = Traits(is_beside_game=True, by="arbiter", may_follow_end=True)

    name: str
    credential: str
    capability: str = ""


class ArbiterLeft(BaseEvent, frozen=True, kw_only=True, tag="arbiter-left/1"):
    """The arbiter gave up the office, or another one took it over; the secret proves nothing from then on."""

    traits = Traits(is_beside_game=True, by="arbiter", may_follow_end=True)

    name: str


class SeatViewed(BaseEvent, frozen=True, kw_only=True, tag="seat-viewed/1"):
    """The arbiter `name` looked at the match as a seat saw it after event `at`, whose number is each viewer's own.

    `name` is empty if it was the operator. Dice do not count this event.
    """

    traits = Traits(is_beside_game=True, by="arbiter", may_follow_end=True)

    seat: Seat
    at: int
    name: str = ""


class SideAssigned(BaseEvent, frozen=True, kw_only=True, tag="side-assigned/1"):
    """The side that a seat plays was settled; empty for none. Knowledge does not change: it belongs to seats."""

    traits = Traits()

    seat: Seat
    side: Side
    was: Side


class MatchBegan(BaseEvent, frozen=True, kw_only=True, tag="match-began/1"):
    """All seats were taken and play began."""

    traits = Traits(fence="play began with event {}", is_firm=True)


class MatchPaused(BaseEvent, frozen=True, kw_only=True, tag="match-paused/1"):
    """The arbiter paused the match: nothing is played, and no time counts, until it is resumed."""

    traits = Traits(is_beside_game=True, by="arbiter")

    reason: str


class MatchResumed(BaseEvent, frozen=True, kw_only=True, tag="match-resumed/1"):
    """The arbiter resumed the match."""

    traits = Traits(is_beside_game=True, by="arbiter")


class RulesAdopted(BaseEvent, frozen=True, kw_only=True, tag="rules-adopted/1"):
    """The match went on under other rules: `edition` and `rules`, instead of those before.

    `seat` decided it: one that plays, or the arbiter. All events before this one are by the rules before, all after it by the new ones.
    """

    traits = Traits(fence="other rules were adopted with event {}", is_firm=True, by="seat")

    seat: Seat
    edition: str
    rules: Digest
    edition_was: str
    rules_was: Digest


class MatchEnded(BaseEvent, frozen=True, kw_only=True, tag="match-ended/1"):
    """The match is over.

    `kind` is `rules` for a result of the rulebook, else `resigned`, `called-off`, `agreed`, `limit`, `awarded` or `annulled`; `result` is the
    printed name of the result, `reason` the arbiter's for an award or an annulment. `winners` are the sides that won, including those that no seat plays; `winning_seats` are the seats that
    won, which need not be all seats of a winning side. Both may be empty.
    """

    traits = Traits(fence=SHOWN, is_firm=True)

    kind: str
    result: str
    winners: tuple[Side, ...] = ()
    winning_seats: tuple[Seat, ...] = ()
    reason: str = ""


class SeedRevealed(BaseEvent, frozen=True, kw_only=True, tag="seed-revealed/1"):
    """The sealed seed was disclosed for verification (hex)."""

    traits = Traits(is_beside_game=True, may_follow_end=True)

    seed: str


class DisputeOpened(BaseEvent, frozen=True, kw_only=True, tag="dispute-opened/1"):
    """A seat, or the arbiter, disputed what happened with event `at`, whose number is each viewer's own."""

    traits = Traits(is_beside_game=True, by="seat", may_follow_end=True)

    seat: Seat
    at: int
    text: str


class RulingMade(BaseEvent, frozen=True, kw_only=True, tag="ruling-made/1"):
    """The arbiter recorded a decision on a disputed point, or on an earlier event `at`, whose number is each viewer's own.

    `about` is a rule or a printed section, `cites` are further ones. A ruling on a dispute has an `effect`: the match stands as it is (`stand`), goes on as the match `line`, a fork of it
    (`go-on`), or as one that was opened with an edited table (`edit`). With `reverses` it takes the place of the ruling against which a player appealed. `house` is the name under which later
    matches can adopt it.
    """

    traits = Traits(is_beside_game=True, by="arbiter", may_follow_end=True)

    text: str
    about: RuleId | None = None
    at: int | None = None
    cites: tuple[RuleId, ...] = ()
    effect: Effect = ""
    line: MatchId = MatchId("")
    reverses: bool = False
    house: str = ""


class RulingAppealed(BaseEvent, frozen=True, kw_only=True, tag="ruling-appealed/1"):
    """A seat appealed against the ruling on event `at`, whose number is each viewer's own."""

    traits = Traits(is_beside_game=True, by="seat", may_follow_end=True)

    seat: Seat
    at: int
    text: str


class NoteAdded(BaseEvent, frozen=True, kw_only=True, tag="note-added/1"):
    """A seat wrote a note, with `at` on an earlier event, whose number is each viewer's own; with `seen_by` a private one.

    For a viewer who does not know of that event, `at` is the last one before it.
    """

    traits = Traits(is_beside_game=True, is_withheld=True, by="seat", may_follow_end=True)

    seat: Seat
    text: str
    seen_by: tuple[Seat, ...] | None = None
    at: int | None = None


class StandingAnswerGiven(BaseEvent, frozen=True, kw_only=True, tag="standing-answer-given/1"):
    """A seat gave a standing answer to decisions of one kind; an empty `answer` withdraws it.

    `answer` is a command as JSON; `until` is empty or `turn` (until the seat's own next turn begins).
    """

    traits = Traits(is_beside_game=True, is_withheld=True, by="seat", may_follow_end=True)

    seat: Seat
    decision: str
    answer: str
    until: str = ""
    seen_by: tuple[Seat, ...] | None = None


class GivenAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A standing answer as given; see `StandingAnswerGiven`.

    `after` is the number of the last event in the public's stream at that time.
    """

    seat: Seat
    decision: str
    answer: str
    until: str = ""
    after: int = 0


class StandingAnswersRevealed(BaseEvent, frozen=True, kw_only=True, tag="standing-answers-revealed/1"):
    """After the end of the match its standing answers were disclosed to all seats, in the order they were given."""

    traits = Traits(is_beside_game=True, may_follow_end=True)

    answers: tuple[GivenAnswer, ...]


class SecretsRedealt(BaseEvent, frozen=True, kw_only=True, tag="secrets-redealt/1"):
    """In a fork, the contents of a pile were dealt again, because the forking seat did not know them."""

    traits = Traits(fence=SHOWN, is_firm=True, secrets=("cards",), of="cards", may_follow_end=True)

    pile: PileId
    cards: tuple[CardId, ...] | None
    seen_by: tuple[Seat, ...] | None = None


class UndoAsked(BaseEvent, frozen=True, kw_only=True, tag="undo-asked/1"):
    """A seat asked to take back all after event `to`, though something was learned since: the seats `of` have to agree.

    In each seat's stream `to` is that seat's number. The request lapses when play goes on.
    """

    traits = Traits(is_beside_game=True, by="seat")

    seat: Seat
    to: int
    of: tuple[Seat, ...]


class UndoAnswered(BaseEvent, frozen=True, kw_only=True, tag="undo-answered/1"):
    """A seat agreed to the request to take commands back, or refused it, which ends it."""

    traits = Traits(is_beside_game=True, by="seat")

    seat: Seat
    is_agreed: bool


class CommandsUndone(BaseEvent, frozen=True, kw_only=True, tag="commands-undone/1"):
    """A seat took commands back: the table is again as it was after event `to`.

    Nothing was learned since, unless others have `agreed` to it. Seats, notes, standing answers, rulings and links of dice stay as they are. In each seat's
    stream `to` is that seat's number.
    """

    traits = Traits(is_beside_game=True, by="seat")

    seat: Seat
    to: int
    agreed: tuple[Seat, ...] = ()


# The sequence of play


class RoundBegan(BaseEvent, frozen=True, kw_only=True, tag="round-began/1"):
    """The round or turn counter of the game advanced to `number`, as printed."""

    traits = Traits()

    number: int
    was: int


class TurnBegan(BaseEvent, frozen=True, kw_only=True, tag="turn-began/1"):
    """A side's turn began: that of one `seat` or, if `seat` is empty, of all seats that play the side, which may be none."""

    traits = Traits()

    side: Side
    was: Side
    seat: Seat = NO_SEAT
    seat_was: Seat = NO_SEAT


class PhaseBegan(BaseEvent, frozen=True, kw_only=True, tag="phase-began/1"):
    """A phase of the sequence of play began."""

    traits = Traits()

    phase: str
    was: str


class RuleApplied(BaseEvent, frozen=True, kw_only=True, tag="rule-applied/1"):
    """A rule took effect without changing the table, such as a random event without result or a group that has to wait.

    `about` is the id of the piece or place concerned, or empty; `outcome` describes the result in a few words.
    """

    traits = Traits()

    outcome: str
    about: str = ""


class DecisionOpened(BaseEvent, frozen=True, kw_only=True, tag="decision-opened/1"):
    """A decision was opened for a seat; `arguments` describe it and are redacted for seats outside `seen_by`.

    `was` is the kind of the answered question that it replaces on top of the stack; empty if it is pushed onto the stack.
    """

    traits = Traits(secrets=("arguments",), is_bookkeeping=True)

    kind: str
    seat: Seat
    arguments: dict[str, Value] | None = {}
    was: str = ""
    seen_by: tuple[Seat, ...] | None = None


class DecisionClosed(BaseEvent, frozen=True, kw_only=True, tag="decision-closed/1"):
    """The topmost question was answered, and the element below it continues.

    If another question, a step, a phase or the end follows the answer, that event takes the question off the stack instead.
    """

    traits = Traits(is_bookkeeping=True)

    kind: str
    seat: Seat


class ItemPicked(BaseEvent, frozen=True, kw_only=True, tag="item-picked/1"):
    """An item was picked for the topmost question; in an assignment, `to` is the place that it is assigned to.

    A pick does not answer the question, and picks end with the question. These events do not count in the numbering of dice.
    """

    traits = Traits(is_withheld=True, is_pick=True, is_bookkeeping=True)

    item: str
    to: str = ""
    seen_by: tuple[Seat, ...] | None = None


class ItemUnpicked(BaseEvent, frozen=True, kw_only=True, tag="item-unpicked/1"):
    """A pick for the topmost question was undone; `was` is the place that the item was assigned to."""

    traits = Traits(is_withheld=True, is_pick=True, is_bookkeeping=True)

    item: str
    was: str = ""
    seen_by: tuple[Seat, ...] | None = None


class SequenceBegan(BaseEvent, frozen=True, kw_only=True, tag="sequence-began/1"):
    """A sequence of steps began with a step; `arguments` describe it. `was` is as in `DecisionOpened`."""

    traits = Traits(is_bookkeeping=True)

    kind: str
    step: str
    arguments: dict[str, Value] = {}
    was: str = ""


class StepBegan(BaseEvent, frozen=True, kw_only=True, tag="step-began/1"):
    """The topmost sequence of this kind advanced to a step. All elements above the sequence are removed.

    A skipped step has no event.
    """

    traits = Traits(is_bookkeeping=True)

    kind: str
    step: str
    was: str


class SequenceEnded(BaseEvent, frozen=True, kw_only=True, tag="sequence-ended/1"):
    """The topmost sequence of this kind ended, with all elements above it."""

    traits = Traits(is_bookkeeping=True)

    kind: str


# Chance


class ChanceCalled(BaseEvent, frozen=True, kw_only=True, tag="chance-called/1"):
    """A command of a seat needs chance: it waits, and is the only thing that can be played, until the seat opens its next link.

    `number` is that of the server's link that will be opened with it. The event is the only one of its commit, whose command waits.
    """

    traits = Traits(fence="dice were called for with event {}", is_bookkeeping=True, by="seat")

    seat: Seat
    number: int


class LinksOpened(BaseEvent, frozen=True, kw_only=True, tag="links-opened/1"):
    """Links of sealed dice were opened: link `number` of the server, and `share`, the next link of `seat` (both hex).

    If chance is used the event comes right before the first result of its command. A seat that owes a link opens it alone, without
    a link of the server; a seat without a chain opens none.
    """

    traits = Traits(is_beside_game=True, is_bookkeeping=True, by="seat")

    number: int = 0
    link: str = ""
    seat: Seat = NO_SEAT
    share: str = ""


class DiceRolled(BaseEvent, frozen=True, kw_only=True, tag="dice-rolled/1"):
    """Dice were rolled: their faces, purpose, modifiers, and the number needed if there is one.

    `about` names the place or piece concerned. `keep` is how many of the highest dice count; 0 is all. With `each` every die
    is compared with `needed` by itself, and the modifiers are added to each; without `needed` each die chooses something, such as
    a row. Without `each` the sum is compared. With `or_less` each die must show `needed` or less, and the modifiers are added to
    `needed`. The proof of the dice is bound to the position of the event in its stream.
    """

    traits = Traits(fence="dice were rolled with event {}", is_chance=True)

    faces: tuple[int, ...]
    sides: int = 6
    keep: int = 0
    purpose: str
    about: str = ""
    modifiers: tuple[Modifier, ...] = ()
    needed: int | None = None
    each: bool = False
    or_less: bool = False


class HiddenDiceRolled(BaseEvent, frozen=True, kw_only=True, tag="hidden-dice-rolled/1"):
    """Dice were rolled of which only some seats see the faces.

    They lie on something, a place, a piece or a seat, as its attribute `key`: the faces as a text in ascending order, such as `1 3 3 5`.
    The proof of the dice is that of `DiceRolled`.
    """

    traits = Traits(fence="dice were rolled with event {}", secrets=("faces",), is_chance=True, of="pieces")

    on: str
    key: AttributeKey
    count: int
    sides: int = 6
    faces: tuple[int, ...] | None
    purpose: str
    seen_by: tuple[Seat, ...] | None = None


class CardDrawn(BaseEvent, frozen=True, kw_only=True, tag="card-drawn/1"):
    """A card was drawn at random from a deck to a pile; `card` is redacted for seats outside `seen_by`."""

    traits = Traits(fence="a card was drawn with event {}", secrets=("card",), is_chance=True, of="cards")

    deck: PileId
    to: PileId
    card: CardId | None
    purpose: str = ""
    seen_by: tuple[Seat, ...] | None = None


class PieceDrawn(BaseEvent, frozen=True, kw_only=True, tag="piece-drawn/1"):
    """A piece or counter was drawn at random from a pool and removed from it; `piece` is the piece on the table that it is, if any.

    `weights` are the weights of the candidates, if they are not all equal.
    """

    traits = Traits(fence="chance decided with event {}", secrets=("drawn", "weights"), is_chance=True, of="cards")

    pool: PileId
    drawn: CardId | None
    weights: dict[CardId, int] | None = {}
    piece: PieceId = PieceId("")
    purpose: str = ""
    seen_by: tuple[Seat, ...] | None = None


class ChosenByChance(BaseEvent, frozen=True, kw_only=True, tag="chosen-by-chance/1"):
    """One of several equally likely candidates was chosen at random, and nothing moved."""

    traits = Traits(fence="chance decided with event {}", secrets=("chosen", "candidates"), is_chance=True)

    chosen: str | None
    candidates: tuple[str, ...] | None
    purpose: str
    about: str = ""
    seen_by: tuple[Seat, ...] | None = None


class DeckFormed(BaseEvent, frozen=True, kw_only=True, tag="deck-formed/1"):
    """A pile was formed from these cards; seats outside `seen_by` see `count` unknown cards."""

    traits = Traits(secrets=("cards",), of="cards")

    deck: PileId
    count: int
    cards: tuple[CardId, ...] | None
    seen_by: tuple[Seat, ...] | None = None


class DeckShuffled(BaseEvent, frozen=True, kw_only=True, tag="deck-shuffled/1"):
    """A deck was shuffled; with `source`, after all cards of that pile were added to it."""

    traits = Traits(is_chance=True, of="cards")

    deck: PileId
    source: PileId | None = None


# Pieces


class PiecePlaced(BaseEvent, frozen=True, kw_only=True, tag="piece-placed/1"):
    """A piece was placed on the table. `kind` is its unit type, `side` its owner; both may be secret or empty."""

    traits = Traits(secrets=("kind", "face", "steps"), of="pieces")

    piece: PieceId
    kind: str | None
    side: Side
    to: PlaceId
    face: str | None = ""
    steps: int | None = 0
    seen_by: tuple[Seat, ...] | None = None


class PieceMoved(BaseEvent, frozen=True, kw_only=True, tag="piece-moved/1"):
    """A piece moved from one place to another. A piece may lie on another piece, whose id is then its place."""

    traits = Traits()

    piece: PieceId
    to: PlaceId
    was: PlaceId


class PieceTurned(BaseEvent, frozen=True, kw_only=True, tag="piece-turned/1"):
    """A piece shows another face, or has other steps left."""

    traits = Traits(secrets=("face", "was", "steps", "steps_was"), of="pieces")

    piece: PieceId
    face: str | None
    was: str | None
    steps: int | None = 0
    steps_was: int | None = 0
    seen_by: tuple[Seat, ...] | None = None


class PieceRevealed(BaseEvent, frozen=True, kw_only=True, tag="piece-revealed/1"):
    """The identity of a piece was disclosed to all, or to the seats of `seen_by`."""

    traits = Traits(fence=SHOWN, secrets=("kind", "face", "was", "steps"), of="pieces")

    piece: PieceId
    kind: str | None
    face: str | None
    was: str | None
    steps: int | None = 0
    seen_by: tuple[Seat, ...] | None = None


class PieceConcealed(BaseEvent, frozen=True, kw_only=True, tag="piece-concealed/1"):
    """A piece was concealed again; the seats of `seen_by` still know its identity.

    `known` is redacted for the others: their state no longer holds kind, face and steps, nor the listed attributes, which depend
    on these. What they saw before stays in their streams.
    """

    traits = Traits(secrets=("known",), of="pieces")

    piece: PieceId
    attributes: tuple[AttributeKey, ...] = ()
    known: bool | None = True
    seen_by: tuple[Seat, ...] | None = None


class SideChanged(BaseEvent, frozen=True, kw_only=True, tag="side-changed/1"):
    """A piece changed sides in its place: it was captured or defected. That does not count as the loss of a piece."""

    traits = Traits()

    piece: PieceId
    to: Side
    was: Side


class PieceRemoved(BaseEvent, frozen=True, kw_only=True, tag="piece-removed/1"):
    """A piece was removed from the table, with its markers, its attributes and its mentions in attributes of others."""

    traits = Traits(of="pieces")

    piece: PieceId
    was: PlaceId


class PieceReturned(BaseEvent, frozen=True, kw_only=True, tag="piece-returned/1"):
    """A piece left the table, and its identity went back to a pile from which such pieces are drawn."""

    traits = Traits(secrets=("card",), of="pieces")

    piece: PieceId
    card: CardId | None
    to: PileId
    was: PlaceId
    seen_by: tuple[Seat, ...] | None = None


# Places, markers, tracks


class ControlChanged(BaseEvent, frozen=True, kw_only=True, tag="control-changed/1"):
    """A place came under a side's control; an empty side means no control."""

    traits = Traits()

    place: PlaceId
    to: Side
    was: Side


class MarkerPlaced(BaseEvent, frozen=True, kw_only=True, tag="marker-placed/1"):
    """A place, a piece or the table itself now has `count` markers of a kind; before, it had `was`."""

    traits = Traits()

    on: str
    marker: MarkerId
    count: int = 1
    was: int = 0


class MarkerRemoved(BaseEvent, frozen=True, kw_only=True, tag="marker-removed/1"):
    """All `was` markers of a kind were removed."""

    traits = Traits()

    on: str
    marker: MarkerId
    was: int = 1


class TrackMoved(BaseEvent, frozen=True, kw_only=True, tag="track-moved/1"):
    """A marker on a track moved."""

    traits = Traits()

    track: TrackId
    to: int
    was: int


class AttributeSet(BaseEvent, frozen=True, kw_only=True, tag="attribute-set/1"):
    """An attribute, a value that the rules need later, was set on a place, a piece, a seat or the table itself.

    Without a value the attribute is removed. The fold removes one with a lifetime, without an event of its own: with `until` at
    the next event of that kind, with `within` when the topmost stack element of this kind is closed. With both it ends with the
    current step of that element, a sequence.
    `was` is the replaced value; it is also empty if not all seats that see this event knew it. A value that
    `names_pieces` is the id of a piece, or lists such ids: the fold drops a removed piece from it.
    `parts` says how a number adds up, or what was added to the value that it replaces. With `is_disclosed` all seats see what only
    some of them knew. `is_removed` tells also those who do not know a secret value that there is none any more.
    """

    traits = Traits(secrets=("value", "was", "parts"), of="pieces")

    on: str
    key: AttributeKey
    value: Value | None
    was: Value | None = None
    until: Lifetime = ""
    within: str = ""
    names_pieces: bool = False
    seen_by: tuple[Seat, ...] | None = None
    parts: tuple[Modifier, ...] | None = None
    is_disclosed: bool = False
    is_removed: bool = False


# Cards


class CardPlayed(BaseEvent, frozen=True, kw_only=True, tag="card-played/1"):
    """A card was played face up from a pile to the pile where it takes effect."""

    traits = Traits(of="cards")

    card: CardId
    to: PileId
    was: PileId


class CardDiscarded(BaseEvent, frozen=True, kw_only=True, tag="card-discarded/1"):
    """A card was discarded face up."""

    traits = Traits(of="cards")

    card: CardId
    to: PileId
    was: PileId


class CardMoved(BaseEvent, frozen=True, kw_only=True, tag="card-moved/1"):
    """A card moved from one pile to another; `card` is redacted for seats outside `seen_by`."""

    traits = Traits(secrets=("card",), of="cards")

    card: CardId | None
    to: PileId
    was: PileId
    seen_by: tuple[Seat, ...] | None = None


Event = (
    MatchOpened
    | MatchForked
    | SeatTaken
    | SeatSecured
    | KeyRegistered
    | SeatLeft
    | SeatReserved
    | PlayerReplaced
    | ArbiterSeated
    | ArbiterLeft
    | SeatViewed
    | SideAssigned
    | MatchBegan
    | MatchPaused
    | MatchResumed
    | RulesAdopted
    | MatchEnded
    | SeedRevealed
    | DisputeOpened
    | RulingMade
    | RulingAppealed
    | NoteAdded
    | StandingAnswerGiven
    | StandingAnswersRevealed
    | SecretsRedealt
    | UndoAsked
    | UndoAnswered
    | CommandsUndone
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
    | ChanceCalled
    | LinksOpened
    | DiceRolled
    | HiddenDiceRolled
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
"""Any event of the current vocabulary."""

RemarkOnEvent = NoteAdded | DisputeOpened | RulingMade | RulingAppealed
"""What is said of an earlier event, and told there, too."""

CURRENT: tuple[type[BaseEvent], ...] = get_args(Event)
"""Every event type of the current vocabulary."""


def events_with(
    holds: Callable[[Traits], object], kinds: Iterable[type[BaseEvent]] = CURRENT
) -> frozenset[type[BaseEvent]]:
    """Return the types of events whose traits fit.

    Args:
        holds: Returns whether traits fit.
        kinds: The types to choose from.
    """
    for kind in kinds:
        assert "traits" in vars(kind), (
            f"{kind.__name__} does not say what it is: `traits = Traits(…)`; see `events.traits`"
        )
    return frozenset([kind for kind in kinds if holds(kind.traits)])


SECRETS: dict[type[BaseEvent], tuple[str, ...]] = {kind: kind.traits.secrets for kind in CURRENT if kind.traits.secrets}
"""The fields that are redacted for seats outside `seen_by`."""

WITHHELD = events_with(lambda traits: traits.is_withheld)
"""The events that are left out of the streams of seats outside `seen_by`."""
