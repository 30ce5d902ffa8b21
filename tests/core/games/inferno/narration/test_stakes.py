"""What an option says of entering a hex, of draws and of the Reinforcement Track: what it announces can happen."""

from core.engine.command import Command
from core.games.inferno.ids import GERMAN, ONE_VS_ONE, RAUS, SOVIET, discards, removed_box
from core.games.inferno.memory import ADVANTAGES
from events.ids import CardId, RuleId
from events.vocabulary import DeckFormed, RuleApplied, Value
from projections.state.fold import evolve
from tests.support.inferno import NARRATION, Scene, order, scene
from tests.support.rows import each_row

PANZER, GRENADIER, TANKS, WHITE = "2-panzer", "64-panzer-grenadier", "6-tank", "576-infantry"
FAR = {"3": ["98-rifle"]}
CALL = order("reinforce")


def move(table: Scene, to: str, kind: str = PANZER) -> Command:
    """Return a Short Move of a unit."""
    return order("short-move", units=table.tokens(kind), to=to)


# Entering a hex


@each_row(
    ("where", "ends"),
    [
        ({"to": "58"}, "to hex 58; takes control of hex 58"),
        ({"to": "58", "markers": {"58": "headquarters"}}, "; Chuikov's headquarters is lost, his card discarded and its effects ended"),
        ({"to": "58", "markers": {"58": "fortification/red"}}, "; destroys the red Fortification there"),
        ({"to": "19", "start": "18"}, "a Spawn Hex; draws 1 card"),
        ({"to": "19", "start": "18", "in_play": ["german/paulus"]}, "a Spawn Hex; draws 2 cards"),
        ({"to": "19", "start": "18", "decks": {"german": []}}, "a Spawn Hex; draws no card, as the German deck is empty"),
        (
            {"to": "19", "start": "18", "in_play": ["german/paulus"], "decks": {"german": ["german/pak-1"]}},
            "a Spawn Hex; draws 1 card, the last of the deck",
        ),
        ({"to": "18", "start": "19", "in_play": ["german/okh"]}, "control of hex 18, an objective under OKH"),
        ({"to": "58", "in_play": ["german/okh"]}, "control of hex 58"),
    ],
)  # fmt: skip
def test_a_move_says_what_follows_when_units_enter(where: dict[str, object], ends: str) -> None:
    """designer.chuikov.lost, designer.fortification.destroyed, capture.spawn-hex-card, victory.okh.nineteen-hexes"""
    fields = dict(where)
    to, start = str(fields.pop("to")), str(fields.pop("start", "57"))
    table = scene(german={start: [PANZER]}, soviet=FAR, **fields)  # type: ignore[arg-type]
    said = NARRATION.describe(table.table, move(table, to)).replace(NARRATION.name(to), f"hex {to}")

    assert said.endswith(ends)


def test_an_advance_says_what_follows_when_units_enter() -> None:
    """designer.chuikov.lost, advance.control: the question itself says it, since one unit at least advances."""
    table = scene(
        german={"57": [PANZER, GRENADIER]},
        soviet={"42": ["1077-aa"]},
        edges={"1077-aa": 2},
        in_play=["soviet/chuikov"],
        markers={"42": "headquarters"},
        mode=ONE_VS_ONE,
    )
    table.do("german", order("deliberate-attack", targets=["42"], hexes=["57"]), dice=[2, 2, *[6] * 8])
    assert table.table.top is not None

    assert table.asked == "german advance"
    assert NARRATION.question(table.table, table.table.top) == (
        "which units advance into hex 42, at least one; that takes control of hex 42; "
        "Chuikov's headquarters is lost, his card discarded and its effects ended"
    )


# Draws


@each_row(
    ("options", "said"),
    [
        ({}, "Call for Reinforcements: draw no card, as the German deck is empty, then throw 6 dice"),
        ({"german_reshuffle": True}, "Call for Reinforcements: draw 1 card, then throw 6 dice"),
    ],
)
def test_a_call_promises_only_cards_that_are_there(options: dict[str, Value], said: str) -> None:
    """ruling.german-deck-empty: and that none comes is told."""
    table = scene(german={"57": [PANZER]}, soviet=FAR, decks={"german": []}, options=options, mode=ONE_VS_ONE)
    for card in ("german/pak-1",):
        evolve(table.table, DeckFormed(rule=RuleId("x"), deck=discards(GERMAN), count=1, cards=(CardId(card),)))

    assert NARRATION.describe(table.table, CALL).startswith(said)

    events = table.do("german", CALL, dice=[6] * 6, draws=["german/pak-1"] if options else [])
    missed = [event for event in events if isinstance(event, RuleApplied) and event.about == GERMAN]

    assert [NARRATION.tell(table.table, [event]) for event in missed] == (
        [] if options else ["1 card cannot be drawn, as the German deck is empty (the Call for Reinforcements)."]
    )
    assert [NARRATION.deciding(table.table, event) for event in missed] == (
        [] if options else [("ruling.german-deck-empty",)]
    )


def test_the_cards_that_paulus_adds_are_missed_as_well() -> None:
    """leader.paulus, ruling.german-deck-empty"""
    table = scene(
        german={"57": [PANZER]},
        soviet=FAR,
        decks={"german": ["german/pak-1"]},
        in_play=["german/paulus"],
        mode=ONE_VS_ONE,
    )
    table.do("german", CALL, dice=[6] * 6, draws=["german/pak-1"])
    (missed,) = [event for event in table.events if isinstance(event, RuleApplied) and event.about == GERMAN]

    assert NARRATION.tell(table.table, [missed]) == "1 card cannot be drawn, as the German deck is empty (Paulus)."


def test_the_soviet_actions_promise_only_cards_that_are_there() -> None:
    """soviet.spawn.full-hex, soviet.spawn.pool-empty, mode.1v1.draw-action, ruling.okh-draw-from-empty"""
    table = scene(
        soviet={"7": [TANKS, "27-tank", "84-tank", "99-tank"], "3": ["45-rifle", "87-rifle", "95-rifle", "98-rifle"]},
        control={"german": ["19", "9", "15"]},
        decks={"soviet": ["soviet/aa-7"]},
        pools={"infantry": []},
        mode=ONE_VS_ONE,
    ).table

    assert NARRATION.describe(table, order("soviet-spawn")) == (
        "Spawn Action (hex 3: full, a card; hex 13: no card, as the deck is empty (Infantry pool empty); "
        "hex 7: full, no card, as the deck is empty)"
    )

    empty = scene(soviet=FAR, decks={"soviet": []}, mode=ONE_VS_ONE).table

    assert NARRATION.describe(empty, order("soviet-draw")) == (
        "Draw Action: draw no card, as the Soviet deck is empty (0 cards in the deck)"
    )


# The Reinforcement Track


def test_a_call_says_of_which_rows_dice_have_no_effect() -> None:
    """german.reinforce.removed-for-good"""
    table = scene(soviet=FAR, track={1: [WHITE], 2: ["577-infantry"]}, removed={1: GRENADIER})

    assert "1, 1, 0, 0, 0, 0; dice of row 1 have no effect; room for" in NARRATION.describe(table.table, CALL)


def test_a_unit_that_goes_back_to_such_a_row_is_told_to_be_lost() -> None:
    """ruling.reinforce-row-after-removal: before and after."""
    table = scene(
        german={"Z": ["267-infantry", "274-infantry", "276-infantry", "669-infantry"]},
        soviet=FAR,
        control={"soviet": ["X", "Y"]},
        track={2: [WHITE, "577-infantry"]},
        removed={1: GRENADIER},
        mode=ONE_VS_ONE,
    )
    table.do("german", CALL, dice=[2, 2, 6, 6, 6, 6], draws=["german/pak-1"])
    assert table.table.top is not None
    lost = ", from which dice pick up no unit any more"

    assert NARRATION.question(table.table, table.table.top).endswith(f"row 1 of the Reinforcement Track next{lost}")

    back = order("return-unit", unit=table.piece(WHITE))
    assert NARRATION.describe(table.table, back).endswith(f"row 1 of the Reinforcement Track{lost}")

    before = table.table.clone()
    moved = next(event for event in table.do("german", back) if getattr(event, "to", "") == "track/1/5")

    assert str(NARRATION.tell(before, [moved])).endswith(f"row 1, box 5 of the Reinforcement Track{lost}.")


def test_a_six_that_brings_raus_is_announced_and_told() -> None:
    """designer.advantage.sixth-panzer, designer.sixth-panzer.placement"""
    table = scene(soviet=FAR, track={1: [WHITE]}, options={"designers_way": "random"}, mode=ONE_VS_ONE)
    announced = "a 6 that finds no unit brings Raus"

    assert announced not in NARRATION.describe(table.table, CALL)

    table.table.attributes[GERMAN] = {ADVANTAGES.key: ("sixth_panzer",)}
    picture = str(NARRATION.picture(table.table))

    assert announced in NARRATION.describe(table.table, CALL)
    assert "if empty, brings Raus with the 6th Panzer Division" in picture

    before = table.table.clone()
    events = table.do("german", CALL, dice=[6] * 6, draws=("german/pak-1", "114-panzer-grenadier", "11-panzer"))
    marked = next(event for event in events if getattr(event, "marker", "") == RAUS)

    assert getattr(marked, "on", "") == removed_box(6)
    assert NARRATION.tell(before, [marked]) == (
        "Raus arrives with the 6th Panzer Division, which goes onto the Reinforcement Track."
    )
    assert announced not in NARRATION.describe(table.table, CALL)
    assert "brings Raus" not in str(NARRATION.picture(table.table))


@each_row(
    ("has_come", "said"), [(False, "which Removes none."), (True, "which Removes none, and Raus is there already.")]
)
def test_a_six_that_brings_nothing_is_told(has_come: bool, said: str) -> None:
    """german.reinforce.row-six-basic"""
    table = scene(soviet=FAR, markers={removed_box(6): RAUS} if has_come else {}, mode=ONE_VS_ONE)
    events = table.do("german", CALL, dice=[6] * 6, draws=["german/pak-1"])
    (none,) = [event for event in events if isinstance(event, RuleApplied)]

    assert NARRATION.tell(table.table, [none]) == f"No unit was left in row 6, {said}"


# What OKH demands, and Leaders on top of a deck


def test_the_objective_under_okh_is_counted() -> None:
    """victory.okh.nineteen-hexes"""
    held = [str(number) for number in range(1, 18)]
    table = scene(german={"57": [PANZER]}, soviet={"19": [TANKS]}, control={GERMAN: held}, in_play=["german/okh"]).table
    said = "Objective under OKH, hexes 1 to 19: 17 of 19 under German control; missing: 18, 19"

    assert said in str(NARRATION.picture(table))
    assert "OKH hexes" in str(NARRATION.drawing(table))
    assert "'17 of 19'" in str(NARRATION.drawing(table))
    assert "Objective under OKH" not in str(NARRATION.picture(scene(german={"57": [PANZER]}, soviet=FAR).table))
    assert NARRATION.card_text("german/okh") == (
        "The Germans need hexes 1 to 19 or no Soviet unit on the map; extra turns."
    )


def test_leaders_on_top_of_a_deck_and_beneath_it_are_shown() -> None:
    """designer.advantage.leader-on-top, designer.difficulty.german: of those drawn unseen only the number that is left."""
    table = scene(german={"57": [PANZER]}, soviet=FAR).table
    names = ("soviet/chuikov", "soviet/zaytsev")
    for pile, cards, count in (
        ("soviet_deck_top", names, 2),
        ("german_deck_bottom", ("german/okh",), 1),
        ("german_deck_top", None, 1),
    ):
        named = None if cards is None else tuple(map(CardId, cards))
        evolve(table, DeckFormed(rule=RuleId("x"), deck=pile, count=count, cards=named))  # type: ignore[arg-type]

    for shown in (str(NARRATION.picture(table)).lower(), str(NARRATION.drawing(table)).lower()):
        assert "chuikov and zaytsev" in shown
        assert "beneath the deck" in shown
        assert "1 leader" in shown
    assert SOVIET in str(NARRATION.picture(table)).lower()
