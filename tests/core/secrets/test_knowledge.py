"""Knowledge that is tracked through many forks equals the knowledge computed from each seat's whole stream."""

from random import Random

from core.secrets.knowledge import REDEALT, Hidden, Knowledge, limiters_of
from events.ids import ARBITER, PUBLIC, AttributeKey, PieceId, PlaceId, RuleId, Seat, Side
from events.vocabulary import WITHHELD, AttributeSet, Event, PieceConcealed, PiecePlaced, PieceRevealed
from projections.state.view import seen_events
from tests.support.desk import Desk
from tests.support.rows import each_row

RULE, ORDERS = RuleId("r"), AttributeKey("orders")
ONE, TWO = PieceId("one"), PieceId("two")


def ranks(hidden: Hidden) -> object:
    """Return what an onlooker knows of the cards, with event numbers replaced by their order."""
    whens = sorted({*hidden.lost.values(), *(when for held in hidden.stock.values() for when in held)})
    rank = {when: number for number, when in enumerate(whens)}
    return (
        hidden.table.piles,
        hidden.table.pieces,
        {card: rank[when] for card, when in hidden.lost.items()},
        hidden.groups,
        {
            group: {rank[when]: count for when, count in (+held).items()}
            for group, held in hidden.stock.items()
            if +held
        },
    )


def told(events: list[Event], seat: Seat) -> object:
    """Return the knowledge from a seat's own stream, without private events that other seats do not notice."""
    return ranks(Hidden(event for event in seen_events(events, seat) if type(event) not in WITHHELD))


def forked_again_and_again(game: str, seed: int) -> Desk:
    """Fork a match several times, each time by another seat's knowledge, and play and write notes in between."""
    rng = Random(seed)
    desk = Desk.open(game, seed=str(seed)).play(rng.randint(2, 120 if game == "battle" else 4), rng)
    for number in range(5):
        seat = rng.choice([*desk.table.seats, PUBLIC, ARBITER])
        hidden = rng.choice(["resample", "resample", "truth"])
        desk = desk.fork(desk.match.head.seq, "seeded", f"f{number}", seat, hidden=hidden, seed=f"{seed}/{number}")
        for taken in desk.table.seats:
            desk.accept({"do": "match:take-seat", "seat": taken}, taken)
        desk.play(rng.randint(0, 40 if game == "battle" else 1), rng)
        if desk.table.ended is None:
            desk.accept({"do": "match:note", "text": "x", "private": True}, rng.choice(desk.table.seats))
    return desk


@each_row("game", ["skirmish", "battle"])
@each_row("seed", range(2))
def test_knowledge_tracked_through_forks_equals_that_of_the_streams(game: str, seed: int) -> None:
    """match.resample"""
    desk = forked_again_and_again(game, seed)
    events = desk.events
    onlookers = (*desk.table.seats, PUBLIC)
    growing = Knowledge(onlookers, onlookers, ())
    for event in events:
        growing.follow(event)
    at_once = Knowledge({*onlookers, *limiters_of(events)}, limiters_of(events), events)

    for seat in (*onlookers, ARBITER):
        assert ranks(growing.of(seat)) == ranks(at_once.of(seat)) == told(events, seat)
    assert desk.audit().findings == ()


def concealed(*more: Event) -> Hidden:
    """Return what an onlooker knows of two guards, seen with their orders and then concealed, after more events."""
    events: list[Event] = []
    for piece in (ONE, TWO):
        events += [
            PiecePlaced(rule=RULE, piece=piece, to=PlaceId("camp"), side=Side("reds"), kind="guard"),
            AttributeSet(rule=RULE, on=piece, key=ORDERS, value="hold"),
            PieceConcealed(rule=RULE, piece=piece, attributes=(ORDERS,), known=None, seen_by=(Seat("red"),)),
        ]
    return Hidden([*events, *more])


def test_what_was_known_of_a_concealed_piece_is_forgotten_when_it_is_known_again_and_of_no_other() -> None:
    shown = PieceRevealed(rule=RULE, piece=ONE, kind="guard", face="", was="")
    before, after = concealed(), concealed(shown)

    assert (set(before.followed), set(before.values)) == ({ONE, TWO}, {(ONE, ORDERS), (TWO, ORDERS)})
    assert (set(after.followed), set(after.values)) == ({TWO}, {(TWO, ORDERS)})


@each_row(("rule", "turned"), [(RULE, {ONE}), (REDEALT, set())])
def test_a_concealed_piece_that_other_seats_are_shown_may_have_turned_but_not_in_a_new_deal(
    rule: RuleId, turned: set[PieceId]
) -> None:
    """match.resample: what was dealt again agrees with the onlooker's knowledge."""
    to_others = PieceRevealed(rule=rule, piece=ONE, kind=None, face=None, was=None, steps=None, seen_by=(Seat("blue"),))

    assert concealed(to_others).turned == turned
