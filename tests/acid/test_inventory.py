"""Pieces on pieces, captured pieces, removed pieces and whatever named them, what is left in the box, and sums that add up."""

from random import Random

import pytest

from core.attributes import Attribute
from core.chance import ManualChance
from core.components.inventory import Counters, Inventory, Places
from core.components.inventory_checks import table_defects
from core.draft import Draft
from events.ids import TABLE, AttributeKey, MarkerId, PieceId, PlaceId, RuleId, Seat, Side
from events.vocabulary import PieceMoved, PieceRemoved, SideChanged
from projections.diff import diff_tables
from projections.fold import fold
from projections.losses import losses
from projections.table import Table
from projections.table_codec import encode_table
from projections.view import seen_events
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
    """Lay a bomber with two supply tokens and an infantry unit into a city."""
    draft = Draft(Table(), ManualChance())
    draft.place(BOMBER, CITY, RULE, kind="bomber", side=AXIS)
    draft.place(INFANTRY, CITY, RULE, kind="infantry", side=AXIS)
    for token in (FOOD, FUEL):
        draft.place(token, CITY, RULE, kind="token", side=AXIS)
        draft.move(token, PlaceId(BOMBER), RULE)
    return draft


def test_what_lies_on_a_piece_goes_where_it_goes() -> None:
    """ACID 37: a piece may lie on a piece; its place is that piece's id, and no id is parsed."""
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
    """ACID 37: neither directly nor by way of what it carries."""
    draft = bomber_with_cargo()
    for carrier in (BOMBER, FOOD):
        with pytest.raises(AssertionError, match="bomber-3 cannot lie on itself"):
            draft.move(BOMBER, PlaceId(carrier), RULE)


def test_a_carrier_does_not_go_while_its_cargo_stays() -> None:
    """ACID 37: the rule must unload it first, or say that the cargo goes with it."""
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


def test_cargo_is_unloaded_to_where_its_carrier_stood() -> None:
    """ACID 37: then the carrier goes alone."""
    draft = bomber_with_cargo()
    for token in draft.table.cargo(BOMBER):
        draft.move(token, draft.table.ground(PlaceId(BOMBER)), RULE)
    draft.remove(BOMBER, RULE)

    assert draft.table.pieces_at(CITY) == (INFANTRY, FOOD, FUEL)


def test_a_captured_piece_changes_sides_by_one_event_and_is_no_loss() -> None:
    """ACID 37: the event says whose the piece was; the piece keeps its place, its markers and what is remembered of it."""
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


def test_to_board_a_piece_is_not_to_leave_the_field() -> None:
    """ACID 37: a piece on another one is where that one is; in the pool it is lost."""
    draft = bomber_with_cargo()
    for token in (FOOD, FUEL):
        draft.move(token, POOL, RULE)

    found = losses(draft.events, lambda place: place in (CITY, RIVER))
    assert [(loss.piece, loss.change) for loss in found] == [(FOOD, "left"), (FUEL, "left")]


def test_a_removed_piece_takes_along_what_is_remembered_of_it_and_every_reference_to_it() -> None:
    """ACID 31: no casualty list and no target names a piece that is gone, and no event is needed for that."""
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


def test_a_value_that_only_looks_like_a_piece_stays() -> None:
    """ACID 31: what names pieces says so; another text that is spelled alike is not touched."""
    draft = bomber_with_cargo()
    draft.set_attribute(TABLE, AttributeKey("password"), INFANTRY, RULE)
    draft.remove(INFANTRY, RULE)

    assert draft.table.attribute(TABLE, AttributeKey("password")) == INFANTRY


def test_a_piece_that_comes_again_under_its_old_id_inherits_nothing() -> None:
    """ACID 31: pieces return to pools and come again."""
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


def test_a_reference_that_only_one_seat_knows_goes_for_that_seat_too() -> None:
    """ACID 31: the onlooker, who never knew the target, has the same table as if there had been none."""
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


def test_every_way_onto_a_piece_is_one_kind_of_event() -> None:
    """ACID 37: boarding is a move like any other, with the place left behind."""
    draft = bomber_with_cargo()

    assert draft.events[-1] == PieceMoved(rule=RULE, piece=FUEL, to=PlaceId(BOMBER), was=CITY)


# What is left in the box

ASSAULTS = Counters(
    faces={MarkerId("assault"): "Assault", MarkerId("assault_over"): "Assault Over"}, on={"place": 1}, stock=2
)
STATUS = Counters(faces={MarkerId("damaged"): "Damaged"}, on={"place": None})


def test_what_is_left_follows_from_what_lies_on_the_table_and_no_event_counts_it() -> None:
    """ACID 36: two faces of one counter are one kind, so that turning one over leaves as many as before."""
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


def test_there_is_no_limit_where_the_rules_set_none() -> None:
    """ACID 36: status counters are as many as are needed."""
    draft = Draft(Table(), ManualChance())
    draft.mark(CITY, MarkerId("damaged"), RULE, 99)

    assert STATUS.left(draft.table) is None
    assert (
        table_defects(
            Inventory(sides={}, places=(Places(what="place", names={CITY: ""}),), counters=(STATUS,)), draft.table
        )
        == []
    )


def test_more_counters_than_there_are_is_found_on_any_table() -> None:
    """ACID 36: whichever of their faces they show."""
    draft = Draft(Table(), ManualChance())
    places = Places(what="place", names={CITY: "", RIVER: "", POOL: ""})
    for place, face in ((CITY, "assault"), (RIVER, "assault_over"), (POOL, "assault")):
        draft.mark(place, MarkerId(face), RULE)

    assert table_defects(Inventory(sides={}, places=(places,), counters=(ASSAULTS,)), draft.table) == [
        "3 markers assault and assault_over lie on the table; there are 2"
    ]


def test_after_a_fork_that_deals_anew_the_inventory_adds_up() -> None:
    """ACID 2: every card and every piece is somewhere, and nothing is in two places."""
    for seed in range(3):
        parent = Desk.open("battle", options={"turn_cap": 40}, seed=str(seed), name=f"sum-{seed}").play(
            90, Random(seed)
        )
        box = parent.match.ruleset.game.inventory(parent.table.scenario, parent.table.options)
        for seat in parent.table.seats:
            fork = parent.fork(parent.match.head.seq, "seeded", hidden="resample", seat=seat, name=f"fork-{seat}")

            assert table_defects(box, fork.table) == []
