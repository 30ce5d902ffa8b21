"""The set-up: Locations, Forces of exactly 11 and 9 points, decks, hands, the first turn."""

from collections.abc import Sequence

from core.chance.chance_sources import ManualChance
from core.games.battle.ids import GERMAN, RUSSIAN
from events.codec import to_plain
from events.ids import PUBLIC, CardId, PieceId, PileId, PlaceId, Seat
from events.vocabulary import DiceRolled, Event
from projections.state.fold import fold
from projections.state.view import seen_events
from tests.support.battle import RULES, SAMPLE, Scene, begun, order, place

RUSSIAN_SAMPLE = (
    ("r_169_rifle", "GAc"),
    ("r_248_rifle", "GEc"),
    ("r_6_guards", "GEp"),
    ("r_15_guards", "PHc"),
    ("r_84_tank", "DTFc"),
    ("r_90_tank", "DTFc"),
)
GERMAN_SAMPLE = (("g_16_panzer", "GAp"), ("g_384_infantry", "GEp"), ("g_14_panzer", "GEp"), ("g_100_jager", "TDp"))


def opened(locations: Sequence[str] = SAMPLE) -> Scene:
    """Return a match whose Locations have been drawn."""
    draft = begun(ManualChance((), locations), {})
    RULES.set_up(draft)
    return Scene(draft.table, draft.events)


def choose(table: Scene, seat: str, force: str, short: str, draws: Sequence[str] = ()) -> list[Event]:
    """Take a Force and place it."""
    return table.do(seat, order("choose-force", force=force, to=place(short, seat)), draws)


def russian_done(top: str = "r_126_rifle") -> Scene:
    """Return the sample game's set-up after the Russian's part."""
    table = opened()
    for number, (force, short) in enumerate(RUSSIAN_SAMPLE):
        choose(table, "russian", force, short, (top,) if number == 5 else ())
    return table


def complete() -> Scene:
    """Return the sample game at the start of the first turn."""
    table = russian_done()
    hands = RULES.cards.decks[RUSSIAN][:10] + RULES.cards.decks[GERMAN][:5]
    for number, (force, short) in enumerate(GERMAN_SAMPLE):
        choose(table, "german", force, short, ("g_24_panzer", *hands) if number == 3 else ())
    return table


def test_five_locations_are_drawn_in_the_open() -> None:
    """setup.locations.draw, setup.locations.no-adjacency, secrecy.open."""
    table = opened()

    assert table.attribute("table", "locations_in_play") == tuple(SAMPLE)
    assert len(fold(seen_events(table.events, PUBLIC)).pile(PileId("locations")).cards) == 5
    unused = order("choose-force", force="r_169_rifle", to="mamayev_kurgan/russian/control")
    assert table.refused("russian", unused) == "target_must_exist"


def test_twenty_empty_areas_lie_ready() -> None:
    """setup.areas: four Areas for each Location."""
    table = opened()

    areas = {command.to for command in table.options if hasattr(command, "to")}
    assert len(areas) == 10
    assert not any(table.table.at.values())


def test_the_russian_sets_up_first_and_both_see_it() -> None:
    """setup.order: the German waits, sees every Russian Force and the open top card, and no hand exists yet."""
    table = opened()

    assert (
        table.refused("german", order("choose-force", force="g_16_panzer", to=place("GAp", "german")))
        == "set_up_order_must_be_kept"
    )

    table = russian_done()
    view = fold(seen_events(table.events, Seat("german")))
    assert table.asked == "german choose_force"
    assert all(view.pieces[PieceId(force)].place == place(short, "russian") for force, short in RUSSIAN_SAMPLE)
    assert view.pieces_at(PlaceId("top/russian")) == ("r_126_rifle",)
    assert not [name for name in view.piles if name.startswith("hand/")]


def test_the_russian_spends_exactly_eleven_points() -> None:
    """setup.russian-forces-budget, force.cost: only sums that can end at 11 are open, no Force twice."""
    table = opened()
    for force, short in RUSSIAN_SAMPLE[:5]:
        choose(table, "russian", force, short)

    assert (
        table.refused("russian", order("choose-force", force="r_169_rifle", to=place("TDc", "russian")))
        == "force_must_be_selectable"
    )
    assert (
        table.refused("russian", order("choose-force", force="r_39_guards", to=place("TDc", "russian")))
        == "costs_must_add_up"
    )
    choose(table, "russian", "r_90_tank", "DTFc", ("r_126_rifle",))
    assert table.asked == "german choose_force"


def test_the_german_spends_exactly_nine_points_in_perimeter_areas() -> None:
    """setup.german-forces-budget, setup.german-placement, area.own-side-only."""
    table = russian_done()

    assert (
        table.refused("german", order("choose-force", force="g_16_panzer", to=place("TDc", "german")))
        == "area_must_be_open_at_set_up"
    )
    assert (
        table.refused("german", order("choose-force", force="g_16_panzer", to=place("TDp", "russian")))
        == "area_must_be_own"
    )
    for force, short in GERMAN_SAMPLE[:3]:
        choose(table, "german", force, short)
    assert (
        table.refused("german", order("choose-force", force="g_24_panzer", to=place("TDp", "german")))
        == "costs_must_add_up"
    )


def test_three_forces_fill_an_area_at_set_up() -> None:
    """setup.russian-placement, area.limit: a fourth Force goes elsewhere."""
    table = opened()
    for force in ("r_169_rifle", "r_6_guards", "r_45_rifle"):
        choose(table, "russian", force, "GAc")

    assert (
        table.refused("russian", order("choose-force", force="r_248_rifle", to=place("GAc", "russian")))
        == "area_must_have_room"
    )
    choose(table, "russian", "r_248_rifle", "GAp")
    assert table.where("r_248_rifle") == place("GAp", "russian")


def test_the_rest_of_the_pile_becomes_the_force_deck() -> None:
    """setup.force-decks, force.conserved: of 26 Forces 6 are placed, one lies open, the others have no order yet."""
    table = russian_done()

    assert table.table.pieces_at(PlaceId("top/russian")) == ("r_126_rifle",)
    assert len(table.pile("forces/russian")) == 26 - 6 - 1


def test_placed_forces_get_their_starting_rations() -> None:
    """setup.starting-rations, force.starting-rations: printed Rations, which may be none (S0, S1)."""
    table = russian_done()
    choose(table, "german", "g_16_panzer", "GAp")

    assert [table.rations(force) for force, _ in RUSSIAN_SAMPLE] == [2, 1, 0, 3, 2, 2]
    assert table.rations("g_16_panzer") == 4
    assert complete().rations("g_16_panzer") == 5


def test_decks_and_hands_are_dealt_and_hidden() -> None:
    """setup.action-decks, setup.opening-hands, secrecy.decks: ten and five cards, known to their owners alone."""
    table = complete()
    german = fold(seen_events(table.events, Seat("german")))

    assert (len(table.hand("russian")), len(table.hand("german"))) == (10, 5)
    assert (len(table.pile("deck/russian")), len(table.pile("deck/german"))) == (46, 51)
    assert german.pile(PileId("hand/german")).cards == table.hand("german")
    assert (german.pile(PileId("hand/russian")).cards, german.pile(PileId("hand/russian")).hidden) == ((), 10)
    assert (german.pile(PileId("deck/german")).cards, german.pile(PileId("deck/german")).hidden) == ((), 51)


def test_the_german_has_the_first_turn() -> None:
    """setup.first-turn, turn.steps: his Supply step is served, then his Actions begin."""
    table = complete()

    assert table.table.turn == "german"
    assert table.table.round == 1
    assert table.asked == "german action"


def test_two_seats_play_and_no_die_is_ever_rolled() -> None:
    """game.seats, game.chance-is-cards: chance enters by cards alone."""
    table = complete()

    assert table.table.seats == ("russian", "german")
    assert not any(isinstance(event, DiceRolled) for event in table.events)


def test_no_unused_location_or_secret_card_is_in_a_seats_stream() -> None:
    """secrecy.hands: the German's stream names no Russian card."""
    table = complete()
    stream = str([to_plain(event) for event in seen_events(table.events, Seat("german"))])

    assert not [card for card in table.hand("russian") if card in stream]
    assert not [CardId(card) for card in table.pile("deck/german") if card in stream]
