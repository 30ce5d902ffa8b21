"""Who may know what: hands, decks, what Scouts find, and all that lies open."""

from core.chance.chance_sources import ManualChance
from core.engine.draft import Draft
from core.games.battle.ids import GERMAN, GERMAN_SEAT, RUSSIAN, RUSSIAN_SEAT, SEATS, bottom, hand, top
from core.games.battle.memory import TOTAL
from events.codec import encode
from events.ids import ARBITER, PUBLIC, CardId, PileId, Seat, Side
from events.vocabulary import CardDrawn, CardMoved
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import seen_events
from tests.support.battle import NARRATION, RULES, Scene, deck_of, order, place, scene
from tests.support.rows import each_row

END = order("done")
FORCES = {"g_16_panzer": "GAp", "g_14_panzer": "GEp", "r_169_rifle": "GEc", "r_6_guards": "TDc"}
RATIONS = {"g_14_panzer": 4, "r_169_rifle": 3, "r_6_guards": 1}
OPEN_PILES = ("discard", "played", "firefight", "uranus", "sniper")


def stream(table: Scene, seat: Seat) -> list[bytes]:
    """Return the bytes that a seat receives."""
    return [encode(event) for event in seen_events(table.events, seat)]


def view(table: Scene, seat: Seat) -> Table:
    """Return the table as a seat sees it."""
    return fold(seen_events(table.events, seat))


def german_turn(held: list[str]) -> Scene:
    """Play a German turn in which the Russian, holding this, passes wherever he is asked."""
    table = scene(forces=FORCES, rations=RATIONS, hands={"german": ["dive_bombers", "fresh_supplies"], "russian": held})
    table.do("german", order("move", force="g_14_panzer", to=place("TDp", "german")))
    table.passes("russian")
    table.play("german", "fresh_supplies")
    table.passes("russian")
    table.play("german", "dive_bombers", force="r_169_rifle")
    table.passes("russian")
    for by in ("ration", "retreat", "ration"):
        table.do("russian", order("absorb", force="r_169_rifle", by=by))
    table.do("german", END)
    table.do("russian", order("pass"), deck_of("german")[:5])
    return table


@each_row("held", [["rubble"] * 4, ["propaganda_war", "scouts", "big_push", "recover_wounded"]])
def test_the_view_of_another_seat_has_no_trace_of_a_hand(held: list[str]) -> None:
    """secrecy.hands, window.who-is-asked, ruling.window-leak: byte for byte the same for the German and for spectators."""
    answers = german_turn(["sniper", "fog_of_war", "propaganda_war", "rubble"])
    other = german_turn(held)

    assert stream(other, GERMAN_SEAT) == stream(answers, GERMAN_SEAT)
    assert stream(other, PUBLIC) == stream(answers, PUBLIC)
    assert stream(other, RUSSIAN_SEAT) != stream(answers, RUSSIAN_SEAT)


PILES = [
    "hand/russian",
    "hand/german",
    "deck/russian",
    "deck/german",
]


@each_row("pile", PILES)
def test_only_the_size_of_a_hidden_pile_is_open(pile: str) -> None:
    """secrecy.hands, secrecy.decks: every view but that of a hand's owner holds the size and no card."""
    table = scene(forces=FORCES, rations=RATIONS, hands={"german": ["tanks"], "russian": ["sniper"]})
    table.do("german", order("move", force="g_14_panzer", to=place("TDp", "german")))
    cards = table.pile(pile)
    owner = pile.partition("/")[2] if pile.startswith("hand/") else ""

    for seat in (GERMAN_SEAT, RUSSIAN_SEAT, PUBLIC):
        seen = view(table, seat).pile(PileId(pile))
        assert (seen.cards, seen.count) == (cards if seat == owner else (), len(cards))


@each_row("side", [GERMAN, RUSSIAN])
def test_the_forces_of_a_force_deck_are_open_but_not_their_order(side: Side) -> None:
    """secrecy.decks: which Forces are left in it, and not which comes next."""
    table = scene(forces=FORCES, rations=RATIONS)

    for seat in (GERMAN_SEAT, RUSSIAN_SEAT, PUBLIC):
        cards = view(table, seat).pile(PileId(f"forces/{side}")).cards
        assert cards == tuple(sorted(cards)) != ()


def test_the_size_of_a_hand_is_open() -> None:
    """secrecy.hands, secrecy.open: four cards, of which the view knows none."""
    table = scene(forces=FORCES, hands={"russian": ["sniper"] * 4})
    seen = view(table, GERMAN_SEAT).pile(hand(RUSSIAN))

    assert (seen.cards, seen.hidden) == ((), 4)
    assert view(table, RUSSIAN_SEAT).pile(hand(RUSSIAN)).cards == table.hand("russian")


def test_a_played_card_is_open() -> None:
    """secrecy.hands: known from the moment it is played, flipped or discarded."""
    table = scene(forces=FORCES, hands={"german": ["fresh_supplies", "tanks"], "russian": ["sniper"]})
    table.play("german", "fresh_supplies")
    assert view(table, RUSSIAN_SEAT).pile(PileId("played/german")).cards == table.pile("played/german")
    table.passes("russian")
    table.do("german", order("resupply", card=table.held("german", "tanks")))

    discards = view(table, RUSSIAN_SEAT).pile(PileId("discard/german")).cards
    assert [RULES.cards.cards[card].title.id for card in discards] == ["fresh_supplies", "tanks"]


def test_drawn_cards_are_named_to_their_owner_alone() -> None:
    """secrecy.decks, secrecy.hands, draw.base: five unnamed cards for everybody else, no order for anybody."""
    table = scene(forces=FORCES)
    table.do("german", END, deck_of("german")[:5])

    drawn = {
        seat: [event.card for event in seen_events(table.events, Seat(seat)) if isinstance(event, CardDrawn)]
        for seat in (GERMAN, RUSSIAN, PUBLIC, ARBITER)
    }
    assert drawn[GERMAN] == drawn[ARBITER] == list(deck_of("german")[:5])
    assert drawn[RUSSIAN] == drawn[PUBLIC] == [None] * 5
    for seat in (*SEATS, PUBLIC):
        seen = view(table, seat)
        assert [seen.pile(PileId(f"deck/{side}")).cards for side in ("german", "russian")] == [(), ()]
        assert seen.pile(PileId("deck/german")).hidden == 51


def test_both_know_what_lies_beneath_a_force_deck() -> None:
    """secrecy.force-deck-bottom, ruling.force-deck-bottom-known: which Forces, in their order, above them the open one."""
    table = scene(
        forces={**FORCES, "r_248_rifle": "GAp"},
        turn="russian",
        hands={"russian": ["uranus_1", "uranus_4", "sniper"]},
        tops={"russian": "r_126_rifle"},
    )
    for title, force in (("uranus_1", "r_169_rifle"), ("uranus_4", "r_6_guards")):
        table.play("russian", title)
        table.do("russian", order("pick", item=force))
        table.passes("russian")

    for seat in (*SEATS, PUBLIC):
        seen = view(table, seat)
        assert seen.pieces_at(bottom(RUSSIAN)) == ("r_169_rifle", "r_6_guards")
        assert seen.pieces_at(top(RUSSIAN)) == ("r_126_rifle",)
        assert seen.pile(PileId("forces/russian")).count == 26 - 3 - 1


def scouted(title: str) -> tuple[Scene, CardId]:
    """Let the Russian fetch a card in the German's Move, and pass."""
    table = scene(forces=FORCES, rations=RATIONS, hands={"russian": ["scouts"]})
    table.do("german", order("move", force="g_14_panzer", to=place("TDp", "german")))
    table.play("russian", "scouts")
    card = next(card for card in table.pile("deck/russian") if RULES.cards.cards[card].title.id == title)
    table.do("russian", order("take-card", card=card))
    table.passes("russian")
    return table, card


def test_only_its_owner_knows_the_card_that_scouts_took() -> None:
    """secrecy.scouts, card.scouts: the enemy learns that one card was taken and the deck shuffled, whatever it was."""
    sniper, card = scouted("sniper")
    morale, _ = scouted("high_morale")
    taken = {
        seat: [
            event.card
            for event in seen_events(sniper.events, Seat(seat))
            if isinstance(event, CardMoved) and event.to == "hand/russian"
        ]
        for seat in (GERMAN, RUSSIAN)
    }

    assert taken == {GERMAN: [None], RUSSIAN: [card]}
    assert stream(sniper, GERMAN_SEAT) == stream(morale, GERMAN_SEAT)
    assert view(sniper, GERMAN_SEAT).pile(PileId("deck/russian")).hidden == 56 - 2


def test_only_who_looks_through_a_deck_sees_its_cards_on_the_table() -> None:
    """secrecy.scouts: listed and laid out with what they do while one is taken, and face down again afterwards."""
    table = scene(forces=FORCES, rations=RATIONS, hands={"russian": ["scouts"]})
    table.do("german", order("move", force="g_14_panzer", to=place("TDp", "german")))
    table.play("russian", "scouts")
    deck = table.pile("deck/russian")

    def looked_through(seat: Seat) -> list[tuple[list[str], list[str]]]:
        seen = view(table, seat)
        picture, drawing = NARRATION.picture(seen), NARRATION.drawing(seen)
        assert picture is not None and drawing is not None
        title = "The deck, to take one card from"
        rows = [[row[0].strip() for row in panel.rows] for panel in picture.below if panel.title == title]
        cells = [
            [NARRATION.name(cell.id) for cell in strip.rows[0]] for strip in drawing.strips if strip.title == title
        ]
        return list(zip(rows, cells, strict=True))

    names = [NARRATION.name(card) for card in sorted(deck)]

    assert looked_through(RUSSIAN_SEAT) == [(names, names)]
    assert looked_through(GERMAN_SEAT) == looked_through(PUBLIC) == []
    table.do("russian", order("take-card", card=deck[0]))
    assert looked_through(RUSSIAN_SEAT) == []


def test_what_is_open_is_open_to_all() -> None:
    """secrecy.open: Forces, counters, Rubble, tops, cards in play and discarded, points, sizes, and whose answer is awaited."""
    table = german_turn(["sniper", "fog_of_war", "propaganda_war", "rubble"])
    table.do("russian", order("move", force="r_6_guards", to=place("GAp", "russian")))

    for seat in (*SEATS, PUBLIC):
        seen = view(table, seat)
        assert (seen.pieces, seen.at, seen.markers, seen.attributes, seen.tracks) == (
            table.table.pieces,
            table.table.at,
            table.table.markers,
            table.table.attributes,
            table.table.tracks,
        )
        assert seen.stack == table.table.stack
        assert {name: pile.count for name, pile in seen.piles.items()} == {
            name: pile.count for name, pile in table.table.piles.items()
        }
        opened = {name: pile for name, pile in table.table.piles.items() if name.startswith(OPEN_PILES)}
        assert {name: seen.piles[name] for name in opened} == opened


def test_totals_and_flips_are_open() -> None:
    """secrecy.open, attack.flip: every seat sees values and running totals."""
    table = scene(
        forces={"g_16_panzer": "GEc", "r_169_rifle": "GEc"}, rations={"g_16_panzer": 1}, hands={"russian": ["rubble"]}
    )
    table.do("german", order("attack", location="grain_elevator", forces=["g_16_panzer"]))
    table.passes("russian")
    assert {TOTAL.of(view(table, seat), GERMAN) for seat in (*SEATS, PUBLIC)} == {5}
    flips = ("german/tanks-1", "russian/sniper-1")
    table.do("russian", order("pass"), flips)

    for seat in (*SEATS, PUBLIC):
        seen = view(table, seat)
        assert [seen.pile(PileId(f"firefight/{side}")).cards for side in ("german", "russian")] == [
            (flips[0],),
            (flips[1],),
        ]


def test_a_late_answer_is_refused_and_discloses_nothing() -> None:
    """window.move, secrecy.hands: the same words for a card that is held, one that is not, and the enemy's."""
    table = scene(forces=FORCES, rations=RATIONS, hands={"german": ["tanks"], "russian": ["sniper", "rubble"]})
    table.do("german", order("move", force="g_14_panzer", to=place("TDp", "german")))
    table.passes("russian")
    cards = (table.held("russian", "sniper"), "russian/sniper-5", "german/tanks-1")

    assert len({table.refusal("russian", order("play-card", card=card)) for card in cards}) == 1


def test_the_refusal_of_a_card_that_is_not_held_does_not_depend_on_the_card() -> None:
    """secrecy.hands, card.one-use: whose it is, where it lies, whether it would fit: one answer in every window."""
    table = scene(forces=FORCES, rations=RATIONS, hands={"german": ["tanks"], "russian": ["rubble"]})
    table.do("german", order("move", force="g_14_panzer", to=place("TDp", "german")))
    cards = ("russian/sniper-1", "russian/high_morale-1", "german/tanks-1", "german/rubble-1", "none")

    refusals = {table.refusal("russian", order("play-card", card=card)) for card in cards}
    assert [refusal.code for refusal in refusals] == ["card_must_be_in_hand"]


def test_a_seats_own_view_is_enough_for_its_own_decisions() -> None:
    """secrecy.hands, secrecy.decks: options and refusals of the one who is asked are the same on what he sees."""
    table = german_turn(["sniper", "fog_of_war", "propaganda_war", "rubble"])
    seen = view(table, RUSSIAN_SEAT)

    assert RULES.options(seen) == table.options
    for command in table.options:
        draft = Draft(view(table, RUSSIAN_SEAT).clone(), ManualChance())
        assert RULES.refuse(draft.table, RUSSIAN_SEAT, command) is None
    wrong = order("play-card", card=table.hand("russian")[0])
    assert RULES.refuse(seen, RUSSIAN_SEAT, wrong) == RULES.refuse(table.table, RUSSIAN_SEAT, wrong)


def test_every_window_can_be_declined_beforehand() -> None:
    """window.who-is-asked, ruling.window-leak: the windows and the Firefight, nothing else."""
    assert sorted(RULES.standing_decisions) == [
        "answer_aftermath",
        "answer_battle",
        "answer_card",
        "answer_draw",
        "answer_loss",
        "answer_move",
        "firefight",
    ]


def test_all_action_cards_of_a_side_and_no_others_change_places_in_a_fork() -> None:
    """match.resample: which piles exchange cards is declared."""
    sides = {
        side: {RULES.dealing.family(f"{pile}/{side}", Table()) for pile in ("deck", "hand", "discard", "escrow")}
        for side in (GERMAN, RUSSIAN)
    }

    assert [len(families) for families in sides.values()] == [1, 1]
    assert sides[GERMAN] != sides[RUSSIAN]
    assert RULES.dealing.family("uranus/russian", Table()) in sides[RUSSIAN]
    assert RULES.dealing.family("forces/german", Table()) not in sides[GERMAN]
