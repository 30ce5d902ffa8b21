"""Pieces on pieces, captured pieces, references to removed pieces, the counters left in the box, and totals after a fork."""

from random import Random

import pytest

from core.chance.chance_sources import ManualChance
from core.components.inventory import Counters, Inventory, Places
from core.engine.attributes import Attribute
from core.engine.draft import Draft
from core.positions.inventory_checks import table_defects
from events.ids import TABLE, AttributeKey, MarkerId, PieceId, PlaceId, RuleId, Seat, Side
from events.vocabulary import PieceMoved, PieceRemoved, SideChanged
from projections.diff import diff_tables
from projections.losses import losses
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import seen_events
from projections.table_codec import encode_table
from tests.support.desk import Desk

RULE = RuleId("1")
AXIS, ALLIES = Side("axis"), Side("allies")
OWNER, RIVAL = Seat("north"), Seat("south")
CITY, RIVER, POOL = PlaceId("city"), PlaceId("river"), PlaceId("pool")
BOMBER, FERRY, INFANTRY = PieceId("bomber-3"), PieceId("ferry-1"), PieceId("infantry-7")
FOOD, FUEL = PieceId("token-1"), PieceId("token-2")

HAS_MOVED: Attribute[bool] = Attribute("has_moved", bool)
CASUALTIES: Attribute[tuple[PieceId, ...]] = Attribute("casualties", tuple, names_pieces=True)
TARGET: Attribute[PieceId] = Attribute("target", str, names_pieces=True)


def bomber_with_cargo() -> Draft:
    """Place a bomber that carries two supply tokens, and an infantry unit, in a city."""
    draft = Draft(Table(), ManualChance())
    draft.place(BOMBER, CITY, RULE, kind="bomber", side=AXIS)
    draft.place(INFANTRY, CITY, RULE, kind="infantry", side=AXIS)
    for token in (FOOD, FUEL):
        draft.place(token, CITY, RULE, kind="token", side=AXIS)
        draft.move(token, PlaceId(BOMBER), RULE)
    return draft


def test_cargo_moves_with_its_carrier() -> None:
    """ACID 37: the place of a piece on another piece is that piece's id; no id is parsed."""
    draft = bomber_with_cargo()
    draft.place(FERRY, RIVER, RULE, kind="ferry", side=AXIS)
    draft.move(BOMBER, PlaceId(FERRY), RULE)
    table = draft.table

    assert table.cargo(BOMBER) == (FOOD, FUEL)
    assert (table.pieces[FOOD].place, table.ground(table.pieces[FOOD].place)) == (PlaceId(BOMBER), RIVER)
    assert table.carriers(table.pieces[FOOD].place) == [BOMBER, FERRY]
    assert table.pieces_at(CITY) == (INFANTRY,)
    assert encode_table(fold(draft.events)) == encode_table(table)


def test_a_piece_never_lies_on_itself() -> None:
    """ACID 37: neither directly nor through a piece that it carries."""
    draft = bomber_with_cargo()
    for carrier in (BOMBER, FOOD):
        with pytest.raises(AssertionError, match="bomber-3 cannot lie on itself"):
            draft.move(BOMBER, PlaceId(carrier), RULE)


def test_a_carrier_cannot_be_removed_without_its_cargo() -> None:
    """ACID 37: the rule must unload the cargo first, or remove it together with the carrier."""
    draft = bomber_with_cargo()
    with pytest.raises(AssertionError, match="token-1, token-2 would be left without a place"):
        draft.remove(BOMBER, RULE)
    before = len(draft.events)
    draft.remove(BOMBER, RULE, with_cargo=True)

    assert draft.events[before:] == [
        PieceRemoved(rule=RULE, piece=FOOD, was=PlaceId(BOMBER)),
        PieceRemoved(rule=RULE, piece=FUEL, was=PlaceId(BOMBER)),
        PieceRemoved(rule=RULE, piece=BOMBER, was=CITY),
    ]
    assert list(draft.table.pieces) == [INFANTRY]


def test_cargo_is_unloaded_at_the_place_of_its_carrier() -> None:
    """ACID 37: after that the carrier can be removed alone."""
    draft = bomber_with_cargo()
    for token in draft.table.cargo(BOMBER):
        draft.move(token, draft.table.ground(PlaceId(BOMBER)), RULE)
    draft.remove(BOMBER, RULE)

    assert draft.table.pieces_at(CITY) == (INFANTRY, FOOD, FUEL)


def test_a_captured_piece_changes_sides_by_one_event_and_is_not_a_loss() -> None:
    """ACID 37: the event names the previous side; the piece keeps its place, markers and attributes."""
    draft = bomber_with_cargo()
    draft.mark(FOOD, MarkerId("damaged"), RULE)
    HAS_MOVED.set(draft, FOOD, value=True, rule=RULE)
    before = draft.table.clone()
    draft.change_side(FOOD, ALLIES, RULE)
    draft.change_side(FOOD, ALLIES, RULE)
    (captured,) = draft.events[-1:]
    differing = diff_tables(before, draft.table)

    assert captured == SideChanged(rule=RULE, piece=FOOD, to=ALLIES, was=AXIS)
    assert [(one.piece, one.a and one.a.side, one.b and one.b.side) for one in differing.pieces] == [
        (FOOD, AXIS, ALLIES)
    ]
    assert (differing.markers, differing.attributes) == ((), ())
    assert losses(draft.events, lambda place: place in (CITY, RIVER)) == []


def test_boarding_a_piece_is_not_leaving_the_field() -> None:
    """ACID 37: a piece on another piece is where that piece is; only in the pool it is lost."""
    draft = bomber_with_cargo()
    for token in (FOOD, FUEL):
        draft.move(token, POOL, RULE)

    found = losses(draft.events, lambda place: place in (CITY, RIVER))
    assert [(loss.piece, loss.change) for loss in found] == [(FOOD, "left"), (FUEL, "left")]


def test_removing_a_piece_removes_its_attributes_and_all_references_to_it() -> None:
    """ACID 31: casualty lists and targets drop a removed piece without an event of their own."""
    draft = bomber_with_cargo()
    CASUALTIES.set(draft, TABLE, (BOMBER, INFANTRY), RULE)
    TARGET.set(draft, BOMBER, INFANTRY, RULE)
    HAS_MOVED.set(draft, INFANTRY, value=True, rule=RULE)
    draft.mark(INFANTRY, MarkerId("damaged"), RULE)
    before = len(draft.events)
    draft.remove(INFANTRY, RULE)
    table = draft.table

    assert len(draft.events) == before + 1
    assert (CASUALTIES.of(table), TARGET.of(table, BOMBER), TARGET.on(table)) == ((BOMBER,), None, [])
    assert (INFANTRY in table.markers, INFANTRY in table.attributes) == (False, False)
    assert [terms.key for terms in table.terms] == [CASUALTIES.key]


def test_a_value_that_only_looks_like_a_reference_stays() -> None:
    """ACID 31: only attributes declared as references are cleaned up; an equal text elsewhere stays."""
    draft = bomber_with_cargo()
    draft.set_attribute(TABLE, AttributeKey("password"), INFANTRY, RULE)
    draft.remove(INFANTRY, RULE)

    assert draft.table.attribute(TABLE, AttributeKey("password")) == INFANTRY


def test_a_piece_that_returns_with_its_old_id_has_no_attributes() -> None:
    """ACID 31: pieces return to pools and may enter play again."""
    draft = bomber_with_cargo()
    HAS_MOVED.set(draft, INFANTRY, value=True, rule=RULE)
    CASUALTIES.set(draft, TABLE, (INFANTRY,), RULE)
    draft.mark(INFANTRY, MarkerId("damaged"), RULE)
    draft.remove(INFANTRY, RULE)
    draft.place(INFANTRY, CITY, RULE, kind="infantry", side=ALLIES)
    table = draft.table

    assert (HAS_MOVED.of(table, INFANTRY), CASUALTIES.of(table)) == (None, ())
    assert (table.marker(INFANTRY, MarkerId("damaged")), table.cargo(INFANTRY)) == (0, ())
    assert table.pieces[INFANTRY].side == ALLIES


def test_a_secret_reference_to_a_removed_piece_is_removed_too() -> None:
    """ACID 31: the onlooker, who never knew the target, has the same table as without a target."""
    tables = []
    for is_aimed in (True, False):
        draft = bomber_with_cargo()
        target = INFANTRY if is_aimed else FOOD
        TARGET.set(draft, BOMBER, target, RULE, seen_by=(OWNER,))
        draft.remove(INFANTRY, RULE)
        views = {seat: fold(seen_events(draft.events, seat)) for seat in (OWNER, RIVAL)}
        tables.append(encode_table(views[RIVAL]))

        assert TARGET.of(views[OWNER], BOMBER) == (None if is_aimed else FOOD)
        assert encode_table(fold(draft.events)) == encode_table(draft.table)
    assert tables[0] == tables[1]


def test_boarding_a_piece_is_an_ordinary_move() -> None:
    """ACID 37: boarding is an ordinary move, which records the place that the piece left."""
    draft = bomber_with_cargo()

    assert draft.events[-1] == PieceMoved(rule=RULE, piece=FUEL, to=PlaceId(BOMBER), was=CITY)


# What is left in the box

ASSAULTS = Counters(
    faces={MarkerId("assault"): "Assault", MarkerId("assault_over"): "Assault Over"}, on={"place": 1}, stock=2
)
STATUS = Counters(faces={MarkerId("damaged"): "Damaged"}, on={"place": None})


def test_the_remaining_counters_are_derived_from_the_table() -> None:
    """ACID 36: both faces of a counter belong to one kind, so turning it over does not change how many are left."""
    draft = Draft(Table(), ManualChance())
    lefts = [ASSAULTS.left(draft.table)]
    draft.mark(CITY, MarkerId("assault"), RULE)
    lefts.append(ASSAULTS.left(draft.table))
    draft.unmark(CITY, MarkerId("assault"), RULE)
    draft.mark(CITY, MarkerId("assault_over"), RULE)
    lefts.append(ASSAULTS.left(draft.table))
    draft.mark(RIVER, MarkerId("assault"), RULE)
    lefts.append(ASSAULTS.left(draft.table))

    assert lefts == [2, 1, 1, 0]


def test_counters_without_a_limit_are_unlimited() -> None:
    """ACID 36: status counters are unlimited."""
    draft = Draft(Table(), ManualChance())
    draft.mark(CITY, MarkerId("damaged"), RULE, 99)

    assert STATUS.left(draft.table) is None
    assert (
        table_defects(
            Inventory(sides={}, places=(Places(what="place", names={CITY: ""}),), counters=(STATUS,)), draft.table
        )
        == []
    )


def test_too_many_counters_on_a_table_are_found() -> None:
    """ACID 36: both faces of a counter are counted."""
    draft = Draft(Table(), ManualChance())
    places = Places(what="place", names={CITY: "", RIVER: "", POOL: ""})
    for place, face in ((CITY, "assault"), (RIVER, "assault_over"), (POOL, "assault")):
        draft.mark(place, MarkerId(face), RULE)

    assert table_defects(Inventory(sides={}, places=(places,), counters=(ASSAULTS,)), draft.table) == [
        "3 markers assault and assault_over lie on the table; there are 2"
    ]


def test_the_inventory_adds_up_after_a_fork_that_deals_again() -> None:
    """ACID 2: every card and every piece is in exactly one place."""
    for seed in range(3):
        parent = Desk.open("battle", options={"turn_cap": 40}, seed=str(seed), name=f"sum-{seed}").play(
            90, Random(seed)
        )
        box = parent.match.ruleset.game.inventory(parent.table.scenario, parent.table.options)
        for seat in parent.table.seats:
            fork = parent.fork(parent.match.head.seq, "seeded", hidden="resample", seat=seat, name=f"fork-{seat}")

            assert table_defects(box, fork.table) == []
