"""Strategies for sequences of events, each possible on the table after the earlier ones, with secrets among them.

They belong to no game: pieces are placed, moved, turned and removed; cards are dealt, drawn and played; questions are asked and answered.
"""

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from events.ids import (
    ARBITER,
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
from events.vocabulary import (
    ArbiterLeft,
    ArbiterSeated,
    AttributeSet,
    CardDiscarded,
    CardDrawn,
    CardMoved,
    CardPlayed,
    ChanceCalled,
    ChanceScheme,
    ChosenByChance,
    CommandsUndone,
    ControlChanged,
    DecisionClosed,
    DecisionOpened,
    DeckFormed,
    DeckShuffled,
    DiceRolled,
    DisputeOpened,
    Event,
    HiddenDiceRolled,
    ItemPicked,
    ItemUnpicked,
    KeyRegistered,
    Lifetime,
    LinksOpened,
    MarkerPlaced,
    MarkerRemoved,
    MatchBegan,
    MatchEnded,
    MatchForked,
    MatchOpened,
    MatchPaused,
    MatchResumed,
    Modifier,
    NoteAdded,
    PhaseBegan,
    PieceConcealed,
    PieceDrawn,
    PieceMoved,
    PiecePlaced,
    PieceRemoved,
    PieceReturned,
    PieceRevealed,
    PieceTurned,
    PlayerReplaced,
    RoundBegan,
    RuleApplied,
    RulesAdopted,
    RulingAppealed,
    RulingMade,
    SeatLeft,
    SeatReserved,
    SeatSecured,
    SeatTaken,
    SeatViewed,
    SecretsRedealt,
    SeedRevealed,
    SequenceBegan,
    SequenceEnded,
    SideAssigned,
    SideChanged,
    StandingAnswerGiven,
    StandingAnswersRevealed,
    StepBegan,
    TrackMoved,
    TurnBegan,
    UndoAnswered,
    UndoAsked,
    Value,
)
from projections.state.fold import evolve
from projections.state.table import Table

RULE = RuleId("1.1")
WHITE, BLACK = Seat("white"), Seat("black")
SEATS = (WHITE, BLACK)
IVORY, EBONY, RULES = Side("ivory"), Side("ebony"), Side("rules")
SIDES = (IVORY, EBONY, RULES)
PLACES = [PlaceId(name) for name in "abcd"]
PILES = [PileId(name) for name in ("deck", "hand", "discards", "box")]
KEYS = [AttributeKey("moved"), AttributeKey("target")]
VALUES: tuple[Value, ...] = (True, 0, 3, "a", ("a", "b"))
MARKERS = [MarkerId("trench"), MarkerId("smoke")]
TRACKS = [TrackId("morale"), TrackId("supply")]
FACES = ["fresh", "spent"]

AUDIENCES = st.none() | st.lists(st.sampled_from(SEATS), unique=True).map(tuple)


class Pen:
    """Writes the next possible event of a kind.

    Args:
        draw: Draws from a strategy.
    """

    def __init__(self, draw: Callable[..., object]) -> None:
        self._draw = draw
        self.table = Table()
        self.events: list[Event] = []

    def pick(self, choices: Sequence[str]) -> str:
        """Choose one of several."""
        return str(self._draw(st.sampled_from(choices)))

    def number(self, low: int, high: int) -> int:
        """Choose a number."""
        value = self._draw(st.integers(low, high))
        assert isinstance(value, int)
        return value

    def lifetime(self) -> Lifetime:
        """Choose how long an attribute lasts."""
        lifetimes: tuple[Lifetime, ...] = ("", "phase", "turn", "round")
        return lifetimes[self.number(0, 3)]

    def audience(self) -> tuple[Seat, ...] | None:
        """Choose an audience, or None for all."""
        value = self._draw(AUDIENCES)
        assert value is None or isinstance(value, tuple)
        return value

    def write(self, event: Event | None) -> None:
        """Write an event, or nothing for None."""
        if event is not None:
            self.events.append(event)
            evolve(self.table, event)


def _opened(pen: Pen) -> Event:
    digest = Digest("0" * 64)
    return MatchOpened(
        rule=RULE,
        game=GameKey("skirmish"),
        edition="1.0",
        scenario="field",
        options={"hours": 3, "fog": True},
        sides=SIDES,
        seats=SEATS,
        plays={WHITE: IVORY},
        rules=digest,
        board=digest,
        chance=ChanceScheme(scheme="manual/1"),
    )


def _placed(pen: Pen) -> Event:
    piece = PieceId(f"p{len(pen.events) % 7}")
    kind, face = pen.pick(["rifle", "tank"]), pen.pick(FACES)
    seen_by = pen.audience()
    side, to = Side(pen.pick(SIDES)), PlaceId(pen.pick(PLACES))
    return PiecePlaced(
        rule=RULE, piece=piece, kind=kind, side=side, to=to, face=face, steps=pen.number(1, 4), seen_by=seen_by
    )


def _some_piece(pen: Pen) -> PieceId | None:
    return PieceId(pen.pick(sorted(pen.table.pieces))) if pen.table.pieces else None


def _moved(pen: Pen) -> Event | None:
    piece = _some_piece(pen)
    if piece is None:
        return None
    return PieceMoved(rule=RULE, piece=piece, to=PlaceId(pen.pick(PLACES)), was=pen.table.pieces[piece].place)


def _boarded(pen: Pen) -> Event | None:
    """Move a piece onto another one that does not lie on it."""
    piece, carrier = _some_piece(pen), _some_piece(pen)
    if piece is None or carrier is None or piece in pen.table.carriers(PlaceId(carrier)):
        return None
    return PieceMoved(rule=RULE, piece=piece, to=PlaceId(carrier), was=pen.table.pieces[piece].place)


def _went_over(pen: Pen) -> Event | None:
    piece = _some_piece(pen)
    if piece is None:
        return None
    return SideChanged(rule=RULE, piece=piece, to=Side(pen.pick(SIDES)), was=pen.table.pieces[piece].side)


def _turned(pen: Pen) -> Event | None:
    piece = _some_piece(pen)
    if piece is None:
        return None
    old = pen.table.pieces[piece]
    face, steps = pen.pick(FACES), pen.number(1, 4)
    return PieceTurned(
        rule=RULE, piece=piece, face=face, was=old.face, steps=steps, steps_was=old.steps, seen_by=pen.audience()
    )


def _revealed(pen: Pen) -> Event | None:
    piece = _some_piece(pen)
    if piece is None:
        return None
    old = pen.table.pieces[piece]
    return PieceRevealed(
        rule=RULE, piece=piece, kind=old.kind, face=old.face, was=old.face, steps=old.steps, seen_by=pen.audience()
    )


def _concealed(pen: Pen) -> Event | None:
    piece = _some_piece(pen)
    return (
        None
        if piece is None
        else PieceConcealed(rule=RULE, piece=piece, attributes=(AttributeKey(pen.pick(KEYS)),), seen_by=pen.audience())
    )


def _removed(pen: Pen) -> Event | None:
    piece = _some_piece(pen)
    if piece is None or pen.table.cargo(piece):
        return None
    return PieceRemoved(rule=RULE, piece=piece, was=pen.table.pieces[piece].place)


def _formed(pen: Pen) -> Event:
    count = pen.number(0, 4)
    cards = tuple(CardId(f"c{len(pen.events)}-{number}") for number in range(count))
    return DeckFormed(rule=RULE, deck=PileId(pen.pick(PILES)), count=count, cards=cards, seen_by=pen.audience())


def _some_card(pen: Pen) -> tuple[PileId, CardId] | None:
    full = [pile for pile in sorted(pen.table.piles) if pen.table.piles[pile].cards]
    if not full:
        return None
    pile = PileId(pen.pick(full))
    return pile, CardId(pen.pick(pen.table.piles[pile].cards))


def _drawn(pen: Pen) -> Event | None:
    card = _some_card(pen)
    if card is None:
        return None
    to = PileId(pen.pick(PILES))
    return CardDrawn(rule=RULE, deck=card[0], to=to, card=card[1], purpose="deal", seen_by=pen.audience())


def _taken_out(pen: Pen) -> Event | None:
    card = _some_card(pen)
    return None if card is None else PieceDrawn(rule=RULE, pool=card[0], drawn=card[1], seen_by=pen.audience())


def _chosen(pen: Pen) -> Event:
    return ChosenByChance(rule=RULE, chosen="a", candidates=("a", "b"), purpose="edge", seen_by=pen.audience())


def _rolled_unseen(pen: Pen) -> Event:
    return HiddenDiceRolled(
        rule=RULE, on="white", key=AttributeKey("dice"), count=2, faces=(6, 1), purpose="cup", seen_by=pen.audience()
    )


def _went_back(pen: Pen) -> Event | None:
    piece = _some_piece(pen)
    if piece is None or not pen.table.pieces[piece].kind:
        return None
    old = pen.table.pieces[piece]
    card, to = CardId(old.kind), PileId(pen.pick(PILES))
    return PieceReturned(rule=RULE, piece=piece, card=card, to=to, was=old.place, seen_by=pen.audience())


def _passed_on(pen: Pen) -> Event | None:
    card = _some_card(pen)
    if card is None:
        return None
    return CardMoved(rule=RULE, card=card[1], to=PileId(pen.pick(PILES)), was=card[0], seen_by=pen.audience())


def _played(pen: Pen) -> Event | None:
    card = _some_card(pen)
    return None if card is None else CardPlayed(rule=RULE, card=card[1], to=PileId("box"), was=card[0])


def _discarded(pen: Pen) -> Event | None:
    card = _some_card(pen)
    return None if card is None else CardDiscarded(rule=RULE, card=card[1], to=PileId("discards"), was=card[0])


def _shuffled(pen: Pen) -> Event:
    source = pen.pick(["", "discards"])
    return DeckShuffled(rule=RULE, deck=PileId("deck"), source=PileId(source) if source else None)


def _redealt(pen: Pen) -> Event | None:
    card = _some_card(pen)
    if card is None:
        return None
    cards = tuple(sorted(pen.table.piles[card[0]].cards))
    return SecretsRedealt(rule=RULE, pile=card[0], cards=cards, seen_by=pen.audience())


def _marked(pen: Pen) -> Event:
    on, marker = pen.pick(PLACES), MarkerId(pen.pick(MARKERS))
    return MarkerPlaced(rule=RULE, on=on, marker=marker, count=pen.number(1, 3), was=pen.table.marker(on, marker))


def _unmarked(pen: Pen) -> Event | None:
    if not pen.table.markers:
        return None
    on = pen.pick(sorted(pen.table.markers))
    marker = MarkerId(pen.pick(sorted(pen.table.markers[on])))
    return MarkerRemoved(rule=RULE, on=on, marker=marker, was=pen.table.marker(on, marker))


def _remembered(pen: Pen) -> Event:
    on, key = pen.pick([*PLACES, *sorted(pen.table.pieces)]), AttributeKey(pen.pick(KEYS))
    kinds = sorted({element.kind for element in pen.table.stack})
    seen_by = pen.audience()
    return AttributeSet(
        rule=RULE,
        on=on,
        key=key,
        value=VALUES[pen.number(0, len(VALUES) - 1)],
        was=pen.table.attribute(on, key) if seen_by is None and not pen.table.terms else None,
        until=pen.lifetime(),
        within=pen.pick(["", *kinds]),
        seen_by=seen_by,
        parts=(Modifier(RULE, "part", 1),),
    )


def _referred(pen: Pen) -> Event | None:
    """Set an attribute that refers to some pieces of a place, or to the last of them."""
    on = pen.pick(PLACES)
    there = tuple(sorted(pen.table.pieces_at(PlaceId(on))))
    if not there:
        return None
    value, seen_by = (there[0] if pen.number(0, 1) else there), pen.audience()
    return AttributeSet(rule=RULE, on=on, key=AttributeKey("named"), value=value, names_pieces=True, seen_by=seen_by)


def _forgotten(pen: Pen) -> Event | None:
    if not pen.table.attributes:
        return None
    on = pen.pick(sorted(pen.table.attributes))
    key = AttributeKey(pen.pick(sorted(pen.table.attributes[on])))
    seen_by = pen.table.terms_of(on, key).seen_by
    return AttributeSet(rule=RULE, on=on, key=key, value=None, was=pen.table.attribute(on, key), seen_by=seen_by)


def _controlled(pen: Pen) -> Event:
    place = PlaceId(pen.pick(PLACES))
    return ControlChanged(
        rule=RULE, place=place, to=Side(pen.pick([*SIDES, ""])), was=pen.table.control.get(place, Side(""))
    )


def _tracked(pen: Pen) -> Event:
    track = TrackId(pen.pick(TRACKS))
    return TrackMoved(rule=RULE, track=track, to=pen.number(-3, 9), was=pen.table.track(track))


def _asked(pen: Pen) -> Event:
    return DecisionOpened(
        rule=RULE, kind="choose", seat=Seat(pen.pick(SEATS)), arguments={"to": pen.pick(PLACES), "among": ("x", "y")}
    )


def _began_sequence(pen: Pen) -> Event:
    return SequenceBegan(
        rule=RULE, kind=pen.pick(["combat", "supply"]), step="first", arguments={"left": pen.number(0, 3)}
    )


def _went_on(pen: Pen) -> Event | None:
    """Begin another step of a sequence, or end it, which closes everything above it."""
    sequences = sorted({element.kind for element in pen.table.stack if element.step})
    if not sequences:
        return _began_sequence(pen)
    kind = pen.pick(sequences)
    at = pen.table.topmost(kind)
    assert at is not None
    if pen.number(0, 2):
        return StepBegan(rule=RULE, kind=kind, step=f"{at.step}+", was=at.step)
    return SequenceEnded(rule=RULE, kind=kind)


def _closed(pen: Pen) -> Event | None:
    top = pen.table.top
    if top is None:
        return None
    return (
        DecisionClosed(rule=RULE, kind=top.kind, seat=top.seat) if top.seat else SequenceEnded(rule=RULE, kind=top.kind)
    )


def _picked(pen: Pen) -> Event | None:
    top = pen.table.top
    if top is None or not top.seat:
        return _asked(pen)
    return ItemPicked(rule=RULE, item=pen.pick(["x", "y"]), to=pen.pick(["", "a"]), seen_by=_pickers(top.seat))


def _unpicked(pen: Pen) -> Event | None:
    top = pen.table.top
    if top is None or not top.picked:
        return _picked(pen)
    item, was = top.picks[pen.number(0, len(top.picked) - 1)]
    return ItemUnpicked(rule=RULE, item=item, was=was, seen_by=_pickers(top.seat))


def _pickers(seat: Seat) -> tuple[Seat, ...] | None:
    """Return the audience of a seat's picks: those of one seat are secret."""
    return (WHITE,) if seat == WHITE else None


def _noted(pen: Pen) -> Event:
    return NoteAdded(rule=RULE, seat=WHITE, text=f"note {len(pen.events)}", seen_by=pen.audience())


def _answered_before(pen: Pen) -> Event:
    answer, until = pen.pick(["", '{"do":"pass"}']), pen.pick(["", "turn"])
    return StandingAnswerGiven(
        rule=RULE, seat=Seat(pen.pick(SEATS)), decision="react", answer=answer, until=until, seen_by=pen.audience()
    )


def _seated(pen: Pen) -> Event:
    seat = Seat(pen.pick(SEATS))
    return SeatTaken(rule=RULE, seat=seat, name="somebody", credential="cd")


def _rose(pen: Pen) -> Event | None:
    if not pen.table.players:
        return None
    seat = Seat(pen.pick(sorted(pen.table.players)))
    left: list[Event] = [
        SeatLeft(rule=RULE, seat=seat, name="somebody"),
        PlayerReplaced(rule=RULE, seat=seat, name="somebody", reason="gone"),
    ]
    return left[pen.number(0, 1)]


def _arbitrated(pen: Pen) -> Event:
    seat, secret = Seat(pen.pick([*SEATS, ARBITER])), pen.pick(["", "ef"])
    kinds: list[Event] = [
        SeatReserved(rule=RULE, seat=seat, name="somebody", credential=secret),
        ArbiterSeated(rule=RULE, name=pen.pick(["Olga", "Otto"]), credential="ee"),
        ArbiterLeft(rule=RULE, name="Olga"),
        MatchPaused(rule=RULE, reason="dinner"),
        MatchResumed(rule=RULE),
        SeatSecured(rule=RULE, seat=seat, anchor="ab" * 32, length=9),
        KeyRegistered(rule=RULE, seat=seat, key="ab" * 32),
        ChanceCalled(rule=RULE, seat=seat, number=1),
        LinksOpened(rule=RULE, number=1, link="cd" * 32, seat=seat, share="ef" * 32),
        RulesAdopted(
            rule=RULE, seat=seat, edition="2", rules=Digest("b" * 64), edition_was="1", rules_was=Digest("a" * 64)
        ),
    ]
    return kinds[pen.number(0, len(kinds) - 1)]


def _consulted(pen: Pen) -> Event:
    seat = Seat(pen.pick(SEATS))
    kinds: list[Event] = [
        SeatViewed(rule=RULE, seat=seat, at=len(pen.events), name="Olga"),
        UndoAsked(rule=RULE, seat=seat, to=len(pen.events), of=SEATS),
        DisputeOpened(rule=RULE, seat=seat, at=len(pen.events), text="why"),
        RulingAppealed(rule=RULE, seat=seat, at=len(pen.events), text="why"),
        UndoAnswered(rule=RULE, seat=seat, is_agreed=pen.number(0, 1) == 1),
    ]
    return kinds[pen.number(0, len(kinds) - 1)]


def _began(pen: Pen) -> Event:
    return MatchBegan(rule=RULE)


def _rolled(pen: Pen) -> Event:
    return DiceRolled(rule=RULE, faces=(pen.number(1, 6), pen.number(1, 6)), purpose="attack", needed=7)


def _sequenced(pen: Pen) -> Event:
    kinds: list[Event] = [
        RoundBegan(rule=RULE, number=pen.table.round + 1, was=pen.table.round),
        _turn_began(pen),
        PhaseBegan(rule=RULE, phase="move" if pen.table.phase != "move" else "fight", was=pen.table.phase),
        RuleApplied(rule=RULE, outcome="nothing comes of it", about="a"),
    ]
    return kinds[pen.number(0, 3)]


def _turn_began(pen: Pen) -> Event:
    side = EBONY if pen.table.turn == IVORY else IVORY
    seat = Seat(pen.pick([*SEATS, ""]))
    return TurnBegan(rule=RULE, side=side, was=pen.table.turn, seat=seat, seat_was=pen.table.turn_seat)


def _side_assigned(pen: Pen) -> Event:
    seat = Seat(pen.pick(SEATS))
    return SideAssigned(rule=RULE, seat=seat, side=Side(pen.pick([*SIDES, ""])), was=pen.table.side_of(seat))


def _ruled(pen: Pen) -> Event:
    return RulingMade(rule=RULE, text="it stands", about=RULE)


def _forked(pen: Pen) -> Event:
    return MatchForked(
        rule=RULE,
        parent=MatchId("m"),
        at=len(pen.events),
        chance=ChanceScheme(scheme="seeded/1", seed="7"),
        hidden=pen.pick(["truth", "resample"]),
        seat=Seat(pen.pick([*SEATS, ARBITER])),
    )


def _ended(pen: Pen) -> Event:
    return MatchEnded(rule=RULE, kind="rules", result="victory", winners=(IVORY,), winning_seats=(WHITE,))


def _unsealed(pen: Pen) -> Event:
    return SeedRevealed(rule=RULE, seed="ef")


def _told(pen: Pen) -> Event:
    return StandingAnswersRevealed(rule=RULE, answers=pen.table.undisclosed_answers)


def _took_back(pen: Pen) -> Event | None:
    past = pen.table.past
    if past is None:
        return None
    return CommandsUndone(rule=RULE, seat=WHITE, to=pen.number(max(past.seq, pen.table.seq - 4), pen.table.seq))


KINDS: tuple[Callable[[Pen], Event | None], ...] = (
    _placed,
    _moved,
    _boarded,
    _went_over,
    _turned,
    _formed,
    _drawn,
    _noted,
    _revealed,
    _concealed,
    _removed,
    _taken_out,
    _chosen,
    _rolled_unseen,
    _went_back,
    _passed_on,
    _played,
    _discarded,
    _shuffled,
    _redealt,
    _marked,
    _unmarked,
    _remembered,
    _referred,
    _forgotten,
    _controlled,
    _tracked,
    _asked,
    _began_sequence,
    _went_on,
    _went_on,
    _went_on,
    _closed,
    # More weight for events that need several others before them.
    _picked,
    # Rarely possible, so tried more often.
    _picked,
    _unpicked,
    _unpicked,
    _unpicked,
    _answered_before,
    _seated,
    _rose,
    _arbitrated,
    _consulted,
    _side_assigned,
    _began,
    _rolled,
    _sequenced,
    _ruled,
    _forked,
    _ended,
    _unsealed,
    _told,
    _took_back,
    # One needs the other before it, so they would occur too rarely.
    _asked,
    _picked,
    _unpicked,
)


@st.composite
def plays(draw: st.DrawFn, most: int = 40) -> list[Event]:
    """Return events that can happen one after the other, the opening first."""
    pen = Pen(draw)
    pen.write(_opened(pen))
    for kind in draw(st.lists(st.sampled_from(KINDS), min_size=draw(st.integers(0, most)), max_size=most)):
        pen.write(kind(pen))
    return pen.events


@st.composite
def commits_of(draw: st.DrawFn, events: list[Event]) -> list[tuple[Event, ...]]:
    """Cut events into commits of one or more."""
    commits: list[tuple[Event, ...]] = []
    at = 0
    while at < len(events):
        size = draw(st.integers(1, 5))
        commits.append(tuple(events[at : at + size]))
        at += size
    return commits
