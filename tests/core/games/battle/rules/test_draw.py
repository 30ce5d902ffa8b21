"""The Draw step, and what happens when a deck runs out."""

from events.vocabulary import CardDrawn, DeckShuffled
from tests.support.battle import deck_of, order, place, scene
from tests.support.rows import each_row

END = order("done")


@each_row(
    ("forces", "drawn"),
    [
        ({"g_16_panzer": "GAp"}, 5),
        ({"g_16_panzer": "GAc", "r_169_rifle": "GAc"}, 5),
        ({"g_16_panzer": "GAc", "g_14_panzer": "GEc", "g_100_jager": "TDc"}, 8),
    ],
)
def test_five_cards_and_one_for_each_location(forces: dict[str, str], drawn: int) -> None:
    """draw.base, draw.location-bonus, control.both: contested Locations do not count (T12, S28)."""
    table = scene(forces=forces)
    table.do("german", END, deck_of("german")[:drawn])

    assert len(table.hand("german")) == drawn
    assert table.hand("russian") == ()


def test_control_counts_at_the_moment_of_the_draw() -> None:
    """draw.location-bonus, control.immediate: a Location taken in this turn counts, one left does not."""
    table = scene(forces={"g_16_panzer": "GAc", "g_14_panzer": "GEp"}, rations={"g_14_panzer": 1})
    table.do("german", order("move", force="g_14_panzer", to=place("GEc", "german")))
    table.do("german", order("move", force="g_16_panzer", to=place("GAp", "german")))
    table.do("german", END, deck_of("german")[:6])

    assert len(table.hand("german")) == 6


def test_a_hand_has_no_limit() -> None:
    """draw.no-hand-limit: 30 cards and 8 more."""
    cards = deck_of("russian")
    forces = {"r_169_rifle": "GAc", "r_84_tank": "TDc", "r_15_guards": "PHc"}
    table = scene(forces=forces, turn="russian", hands={"russian": cards[:30]})
    table.do("russian", END, cards[30:38])

    assert len(table.hand("russian")) == 38
    assert table.asked == "german action"


def test_a_deck_is_formed_anew_in_the_middle_of_a_draw() -> None:
    """draw.reshuffle: two cards, the discards shuffled, three more; a Sniper on a Force and the hand stay where they are."""
    cards = [card for card in deck_of("russian") if "sniper" not in card]
    table = scene(
        forces={"g_14_panzer": "GAp"},
        rations={"g_14_panzer": 1},
        hands={"russian": ["sniper"]},
        decks={"russian": cards[:2]},
        discards={"russian": cards[2:22]},
    )
    table.do("german", order("move", force="g_14_panzer", to=place("GAc", "german")))
    table.play("russian", "sniper")
    assert table.titles("sniper/russian") == ["sniper"]
    table.do("german", END, deck_of("german")[:5])
    events = table.do("russian", END, (*cards[:2], *cards[2:5]))

    kinds = [type(event) for event in events if isinstance(event, CardDrawn | DeckShuffled)]
    assert kinds == [CardDrawn, CardDrawn, DeckShuffled, CardDrawn, CardDrawn, CardDrawn]
    assert len(table.pile("deck/russian")) == 20 + 1 - 3
    assert table.pile("discard/russian") == ()


def test_an_empty_deck_without_discards_gives_nothing() -> None:
    """draw.deck-exhausted: what there is is drawn, the rest lapses, the turn ends normally."""
    some = scene(forces={"g_16_panzer": "GAp"}, decks={"german": ["tanks", "rubble"]})
    some.do("german", END, some.pile("deck/german"))
    none = scene(forces={"g_16_panzer": "GAp"}, hands={"german": deck_of("german")}, decks={"german": []})
    none.do("german", END)

    assert sorted(some.titles("hand/german")) == ["rubble", "tanks"]
    assert (len(none.hand("german")), none.table.turn, none.result) == (56, "russian", "")


@each_row(("is_on", "drawn"), [(True, 0), (False, 3)])
def test_a_deck_is_formed_anew_once_in_a_turn(is_on: bool, drawn: int) -> None:
    """draw.reshuffle-once-a-turn, ruling.reshuffle-loop: two Desperations cannot feed on each other, unless agreed."""
    cards = list(deck_of("german"))
    gone = ["german/desperation-1", "german/tanks-1", "german/tanks-2"]
    held = [card for card in cards if card not in gone]
    table = scene(
        forces={"g_16_panzer": "GAp"},
        hands={"german": held},
        decks={"german": []},
        discards={"german": gone},
        options={"one_reshuffle_per_turn": is_on},
    )
    table.do("german", order("play-card", card="german/desperation-2"), gone)
    for card in ("german/rubble-1", "german/rubble-2"):
        table.do("german", order("resupply", card=card))
    before = len(table.hand("german"))
    again = ["german/desperation-2", "german/rubble-1", "german/rubble-2"][:drawn]
    table.do("german", order("play-card", card="german/desperation-1"), again)

    assert len(table.hand("german")) == before - 1 + drawn


def test_the_next_turn_may_form_the_deck_anew_again() -> None:
    """draw.reshuffle-once-a-turn, turn.end-cleanup: the limit is one of the turn."""
    table = scene(
        forces={"g_16_panzer": "GAp"},
        hands={"german": ["desperation"]},
        decks={"german": [], "russian": []},
        discards={"german": ["tanks", "rubble", "victory"]},
    )
    table.play("german", "desperation", table.pile("discard/german"))
    table.do("german", END)
    assert len(table.hand("german")) == 3
    table.do("russian", END)
    table.do("german", END, table.pile("discard/german"))

    assert len(table.hand("german")) == 4
