"""The Soviet turn: counts, the Spawn Action, the Movement Action of the rules, and the turn of a Soviet seat."""

from core.games.inferno.ids import GERMAN, ONE_VS_ONE, SOVIET, TWO_VS_ONE
from core.games.inferno.rules.commands import SovietAttack, SovietMove
from core.games.inferno.rules.queries import soviet_spawn_hexes, top_stacked
from events.ids import PlaceId
from events.vocabulary import (
    CardDrawn,
    ChosenByChance,
    DecisionOpened,
    DiceRolled,
    PieceMoved,
    PiecePlaced,
    RuleApplied,
    SequenceBegan,
    Value,
)
from tests.support.inferno import BOARD, NARRATION, Scene, order, scene
from tests.support.rows import each_row

RIFLES = [str(block.id) for block in BOARD.blocks.values() if block.kind == "division"]
GUN, CARDS = "2-panzer", [f"soviet/sniper-{number}" for number in range(1, 6)]
INFANTRY = [str(block.id) for block in BOARD.blocks.values() if block.pool == "infantry"]
PLAIN = [str(block.id) for block in BOARD.blocks_of(GERMAN) if block.kind == "infantry"]
TANKS = [str(block.id) for block in BOARD.blocks.values() if block.pool == "tank"]


def stacked(**sizes: int) -> dict[str, list[str]]:
    """Return Soviet Stacks of so many units, by hexes as in `h7=3`."""
    left = iter(RIFLES)
    return {place[1:]: [next(left) for _ in range(size)] for place, size in sizes.items()}


def turn(soviet: dict[str, list[str]], **more: object) -> Scene:
    """Return a scene in which the Soviet turn is about to begin."""
    return scene(**{"german": {"Y": [GUN]}, "soviet": soviet, "turn": SOVIET, **more})  # type: ignore[arg-type]


def drawn(table: Scene) -> int:
    """Return how many Soviet cards were drawn."""
    return sum(isinstance(event, CardDrawn) for event in table.events)


def entered(table: Scene) -> list[str]:
    """Return the hexes into which blocks came, in order."""
    return [event.to for event in table.events if isinstance(event, PiecePlaced)]


def moved(table: Scene) -> list[tuple[str, str]]:
    """Return which moves were made."""
    return [(event.was, event.to) for event in table.events if isinstance(event, PieceMoved)]


def combats(table: Scene) -> list[dict[str, Value]]:
    """Return what the combats were about."""
    return [event.arguments for event in table.events if isinstance(event, SequenceBegan) and event.kind == "combat"]


# The counts


def test_top_stacked_hexes_are_in_order_from_the_north_and_the_volga() -> None:
    """soviet.turn.top-stacked, soviet.move.roll-order, components.orientation; T14"""
    table = turn({**stacked(h25=3, h9=3, h7=3), "19": ["13-guards", "35-guards"]})

    assert top_stacked(table.table, BOARD) == ["7", "9", "25"]


def test_more_top_stacks_than_spawn_hexes_spawn() -> None:
    """soviet.turn.spawn-if-greater, soviet.turn.move-otherwise, soviet.turn.german-spawn-ignored, soviet.turn.once; V1, V3"""
    lost = {"german": ["3", "7", "9", "13"]}
    greater = turn(stacked(h19=1, h15=1, h50=1), control={**lost, "soviet": ["X"]})
    greater.soviet_turn()
    equal = turn(stacked(h19=1, h48=1), control=lost)
    equal.soviet_turn(dice=[5, 4])

    assert entered(greater) == ["19", "19", "15"]
    assert len(moved(equal)) == 2


def test_without_a_spawn_hex_a_card_is_drawn() -> None:
    """soviet.turn.no-spawn-hex"""
    table = turn(stacked(h50=1), control={"german": list(BOARD.soviet_spawn)}, in_play=["german/okh"])
    table.soviet_turn(draws=CARDS[:1])

    assert (drawn(table), moved(table)) == (1, [])


# The Spawn Action


def test_the_spawn_action_brings_nine_units_in_order() -> None:
    """soviet.spawn.table, soviet.spawn.order, soviet.spawn.max-nine, soviet.spawn.random, soviet.spawn.may-be-adjacent;
    ai.deploy-concealed, fog.spawn-kind-public; T20
    """
    table = turn(
        {place: [unit] for place, unit in zip(["20", "22", "24", "26", "28", "30", "32"], RIFLES, strict=False)}
    )
    table.soviet_turn()

    assert entered(table) == ["3", "3", "19", "19", "9", "15", "13", "13", "7"]
    assert all(event.kind == "" and event.seen_by == () for event in table.events if isinstance(event, PiecePlaced))


def test_a_german_controlled_spawn_hex_receives_nothing() -> None:
    """soviet.spawn.controlled-only"""
    table = turn(
        {place: [unit] for place, unit in zip(["20", "22", "24", "26", "28", "30"], RIFLES, strict=False)},
        control={"german": ["13"]},
    )
    table.soviet_turn()

    assert entered(table) == ["3", "3", "19", "19", "9", "15", "7"]
    assert drawn(table) == 0


@each_row(
    ("there", "units", "cards", "option"),
    [(4, 0, 1, "one-card"), (4, 0, 2, "card-per-unit"), (3, 1, 0, "one-card"), (2, 2, 0, "one-card")],
)
def test_a_full_hex_gives_a_card_and_one_place_left_an_infantry(
    there: int, units: int, cards: int, option: str
) -> None:
    """soviet.spawn.full-hex, soviet.spawn.one-place-left; ruling.spawn-full-two; V2"""
    lost = [place for place in BOARD.soviet_spawn if place != "3"]
    soviet = {**stacked(h3=there), "58": RIFLES[10 : 10 + there]}
    table = turn(soviet, control={"german": lost}, options={"full_spawn_hex": option})
    table.soviet_turn(draws=CARDS[:cards])

    rule = "soviet.spawn.one-place-left" if there == 3 else "soviet.spawn.random"

    assert (len(entered(table)), drawn(table)) == (units, cards)
    assert {event.rule for event in table.events if isinstance(event, PiecePlaced)} <= {rule}


def test_each_missing_unit_gives_a_card() -> None:
    """soviet.spawn.pool-empty, ruling.spawn-one-place-infantry-out; T12"""
    lost = [place for place in BOARD.soviet_spawn if place not in ("3", "19")]
    table = turn(stacked(h58=1, h59=1, h60=1), control={"german": lost}, pools={"tank": []})
    table.soviet_turn(draws=CARDS[:2])

    assert (entered(table), drawn(table)) == (["3", "19"], 2)


# The Movement Action of the rules


def test_dice_are_resolved_in_ascending_order_and_cards_are_at_hand_at_once() -> None:
    """soviet.move.roll-per-hex, soviet.move.resolve-ascending, soviet.move.cards-usable-at-once, soviet.move.one-draws,
    soviet.hasty-attack.at-once; T16
    """
    table = turn(stacked(h7=3, h9=3, h25=3), german={"24": [GUN]})
    table.soviet_turn(dice=[6, 1, 5] + [1] * 4 + [1] * 12, draws=["soviet/aa-7", "soviet/aa-7", "soviet/2"])
    thrown = [event.about for event in table.events if isinstance(event, DiceRolled)][:3]
    order_ = [type(event) for event in table.events]

    assert thrown == ["7", "9", "25"]
    assert [(one["target"], one["hexes"]) for one in combats(table)] == [("24", ("25",))]
    assert order_.index(CardDrawn) < order_.index(SequenceBegan, order_.index(CardDrawn)) < order_.index(PieceMoved)
    assert moved(table) == [("7", "6")]


def test_a_lone_die_moves_one_random_unit() -> None:
    """soviet.move.direction, soviet.move.one-unit, ai.random-unit, ai.compass, soviet.move.control"""
    table = turn(stacked(h7=3), control={"german": ["6"]})
    table.soviet_turn(dice=[6], draws=["soviet/2"])

    assert moved(table) == [("7", "6")]
    assert table.control("6") == SOVIET
    assert len(table.at("7")) == 2
    assert next(event for event in table.events if isinstance(event, ChosenByChance)).candidates == tuple(
        f"soviet/{number}" for number in (1, 2, 3)
    )


@each_row(
    ("place", "face", "cards", "moves"),
    [("9", 2, 0, 1), ("9", 1, 1, 0), ("3", 5, 0, 1), ("3", 6, 1, 0), ("19", 3, 1, 0), ("19", 4, 0, 1)],
)
def test_a_move_that_cannot_be_made_gives_a_card(place: str, face: int, cards: int, moves: int) -> None:
    """soviet.move.blocked-edge, soviet.move.one-draws, soviet.move.adjacency-free; V4, V6"""
    table = turn({place: RIFLES[:1]})
    table.soviet_turn(dice=[face], draws=CARDS[:cards])

    assert (drawn(table), len(moved(table))) == (cards, moves)


def test_a_hex_whose_stack_is_gone_gives_a_card() -> None:
    """soviet.move.blocked-empty, soviet.move.every-die"""
    table = turn(
        stacked(h7=1, h25=1), german={"24": [GUN]}, edges={RIFLES[0]: 4, RIFLES[1]: 4}, in_play=["soviet/chuikov"]
    )
    table.soviet_turn(dice=[6, 5, 6, 6, 6, 6], draws=CARDS[:1])

    assert (table.at("7"), table.at("25"), drawn(table)) == ((), (), 1)


def test_with_seven_top_stacks_the_rules_always_spawn_and_nobody_is_asked() -> None:
    """soviet.turn.seven-or-more, turn.soviet-one-of-two, mode.solo.german-decides; T21"""
    table = turn(stacked(h20=1, h22=1, h24=1, h26=1, h28=1, h30=1, h32=1))
    table.soviet_turn()

    assert len(entered(table)) == 9
    assert table.asked == "german action"


def test_a_full_target_gives_a_card() -> None:
    """soviet.move.blocked-full; V4"""
    table = turn(stacked(h9=4, h10=4))
    table.soviet_turn(dice=[2, 1], draws=CARDS[:2])

    assert (drawn(table), moved(table)) == (2, [])


def test_equal_dice_give_a_card_each() -> None:
    """soviet.move.duplicate-dice-draw, soviet.move.example-six; ruling.duplicates-and-attacks; T15"""
    table = turn(stacked(h4=1, h6=1, h8=1, h12=1, h14=1, h16=1))
    table.soviet_turn(dice=[1, 1, 6, 6, 3, 1], draws=CARDS)

    assert (drawn(table), len(moved(table))) == (5, 1)
    assert moved(table)[0][0] == "14"


def test_a_lone_one_attacks_germans_in_its_direction() -> None:
    """soviet.move.one-attacks, soviet.hasty-attack.trigger, soviet.hasty-attack.whole-stack; V5"""
    table = turn(stacked(h25=1), german={"9": [GUN]})
    table.soviet_turn(dice=[1] + [1] * 8)

    assert [(one["target"], one["hexes"], one["is_deliberate"]) for one in combats(table)] == [("9", ("25",), 0)]
    assert drawn(table) == 0


def test_six_dice_that_point_at_germans_are_six_attacks_in_ascending_order() -> None:
    """soviet.hasty-attack.max-six, soviet.hasty-attack.at-once, combat.one-at-a-time"""
    starts = ("20", "1", "5", "8", "11", "17")
    ways = {place: BOARD.hexes[PlaceId(place)].next_hex(face) for face, place in enumerate(starts, start=1)}
    table = turn(
        {place: [RIFLES[number]] for number, place in enumerate(starts)},
        german={str(to): [PLAIN[number]] for number, to in enumerate(ways.values())},
    )
    order_of_dice = [starts.index(place) + 1 for place in top_stacked(table.table, BOARD)]
    table.soviet_turn(dice=[*order_of_dice, *[1] * 8 * len(starts)])

    assert [(one["hexes"], one["target"]) for one in combats(table)] == [((place,), to) for place, to in ways.items()]


def test_with_chuikov_all_adjacent_stacks_join_and_their_own_dice_count_too() -> None:
    """soviet.deliberate-attack.all-adjacent, soviet.deliberate-attack.again, soviet.deliberate-attack.no-rubble, leader.chuikov.in-play,
    ruling.joined-stack-own-die; T17
    """
    soviet = {"25": RIFLES[:2], "7": RIFLES[2:4], "9": RIFLES[4:6], "8": RIFLES[6:7]}
    table = turn(soviet, german={"24": [GUN]}, in_play=["soviet/chuikov"])
    table.soviet_turn(dice=[6, 1, 5] + [1] * 4 + [1] * 20, draws=["soviet/aa-7", "soviet/aa-7", "soviet/3"])
    (combat,) = combats(table)
    assert isinstance(combat["hexes"], tuple)

    assert (combat["hexes"][0], sorted(combat["hexes"]), combat["is_deliberate"]) == ("25", ["25", "7", "8"], 1)
    assert moved(table) == [("7", "6")]


def test_soviet_units_may_enter_lettered_hexes_and_capture_spawn_hexes() -> None:
    """soviet.move.lettered-hexes, capture.spawn-hex-card, control.retake"""
    table = turn({"67": RIFLES[:1]}, german={"Y": [GUN]})
    face = next(face for face in range(1, 7) if BOARD.hexes[PlaceId("67")].next_hex(face) == "X")
    table.soviet_turn(dice=[face], draws=CARDS[:1])

    assert table.control("X") == SOVIET
    assert drawn(table) == 1


@each_row(
    ("soviet", "dice", "lost", "rule"),
    [
        (stacked(h7=1, h50=1), [], [place for place in BOARD.soviet_spawn if place != "9"], "spawn-if-greater"),
        (stacked(h7=1, h9=1), [6, 2], [], "move-otherwise"),
        (stacked(h50=1), [], list(BOARD.soviet_spawn), "no-spawn-hex"),
    ],
)
def test_what_the_counts_call_for_begins_under_its_line_of_the_algorithm(
    soviet: dict[str, list[str]], dice: list[int], lost: list[str], rule: str
) -> None:
    """soviet.turn.spawn-if-greater, soviet.turn.move-otherwise, soviet.turn.no-spawn-hex"""
    table = turn(soviet, control={"german": lost}, in_play=["german/okh"])
    table.soviet_turn(dice=dice, draws=CARDS[:1] if rule == "no-spawn-hex" else [])

    assert next(event.rule for event in table.events if isinstance(event, SequenceBegan)) == f"soviet.turn.{rule}"


def applied(table: Scene) -> list[tuple[str, str]]:
    """Return which rules took effect, and about what."""
    return [(event.rule, event.about) for event in table.events if isinstance(event, RuleApplied)]


@each_row(("face", "target", "rule"), [(1, "9", "soviet.move.one-attacks"), (5, "24", "soviet.hasty-attack.trigger")])
def test_an_attack_of_the_rules_cites_what_made_them_attack(face: int, target: str, rule: str) -> None:
    """soviet.move.one-attacks, soviet.hasty-attack.trigger"""
    table = turn(stacked(h25=1), german={target: [GUN]})
    table.soviet_turn(dice=[face] + [1] * 8)

    assert applied(table) == [(rule, "25")]


SIX = {"20": ("4", 1), "1": ("2", 2), "5": ("22", 3), "12": ("28", 4), "23": ("37", 5), "43": ("42", 6)}
"""Hexes with a neighbour in each direction of the compass; none is Urban, none a Spawn Hex."""


def test_the_rules_can_attack_six_times_in_a_turn_in_the_order_of_the_dice() -> None:
    """soviet.hasty-attack.max-six, combat.one-at-a-time"""
    german = {to: [unit] for (to, _), unit in zip(SIX.values(), PLAIN, strict=False)}
    table = turn({place: [unit] for place, unit in zip(SIX, RIFLES, strict=False)}, german=german)
    compass = [SIX[place][1] for place in top_stacked(table.table, BOARD)]
    close_combat = [1] * sum(
        table.table.pieces[piece].steps for places in (SIX, german) for p in places for piece in table.at(p)
    )
    table.soviet_turn(dice=compass + close_combat)

    assert [one["target"] for one in combats(table)] == [to for to, _ in sorted(SIX.values(), key=lambda one: one[1])]


def test_a_stack_can_join_several_attacks_of_a_turn() -> None:
    """soviet.deliberate-attack.again, soviet.deliberate-attack.all-adjacent"""
    soviet = {"25": RIFLES[:2], "6": RIFLES[2:4], "7": RIFLES[4:5]}
    table = turn(soviet, german={"24": [GUN], "22": ["36-panzer"]}, in_play=["soviet/chuikov"])
    table.soviet_turn(dice=[4, 5] + [1] * 32)

    assert [(one["target"], one["hexes"]) for one in combats(table)] == [("22", ("6", "7")), ("24", ("25", "7"))]
    assert [place for rule, place in applied(table) if rule == "soviet.deliberate-attack.all-adjacent"] == ["7", "7"]


# The turn of a Soviet seat


def human(soviet: dict[str, list[str]], mode: str = ONE_VS_ONE, **more: object) -> Scene:
    """Return a scene in which a Soviet seat is on turn."""
    table = turn(soviet, mode=mode, **more)
    table.soviet_turn()
    return table


def test_a_soviet_seat_must_spawn_when_it_is_due() -> None:
    """mode.1v1.compare, mode.1v1.forced-spawn, mode.1v1.german-as-solo"""
    table = human(
        {place: [unit] for place, unit in zip(["20", "22", "24", "26", "28", "30", "32"], RIFLES, strict=False)}
    )

    drawing = NARRATION.drawing(table.table)

    assert table.asked == "soviet soviet_action"
    assert drawing is not None
    assert drawing.at_stake == {*soviet_spawn_hexes(table.table, BOARD)}, "the map shows where units come in"
    assert table.refused("soviet", order("soviet-draw")) == "spawn_must_be_taken"
    assert (
        table.refused("soviet", order("soviet-move", units=table.tokens(RIFLES[0]), to="36")) == "spawn_must_be_taken"
    )

    units = [INFANTRY[20], TANKS[0], INFANTRY[21], TANKS[1], *INFANTRY[22:26], TANKS[2]]
    table.do("soviet", order("soviet-spawn"), draws=[name for unit in units for name in (unit, "edge-2")])

    assert len(entered(table)) == 9
    assert all(event.seen_by == ("soviet",) for event in table.events if isinstance(event, PiecePlaced))


def test_questions_and_orders_of_a_soviet_seat_cite_what_they_do() -> None:
    """mode.1v1.forced-spawn, mode.1v1.choose-action, mode.1v1.attack-instead, mode.1v1.attack-chuikov, mode.1v1.free-choice-of-move"""
    forced = human(stacked(h7=1, h50=1), control={"german": [place for place in BOARD.soviet_spawn if place != "9"]})
    table = human(stacked(h25=2, h7=2), german={"24": [GUN]}, in_play=["soviet/chuikov"])
    asked = [event.rule for one in (forced, table) for event in one.events if isinstance(event, DecisionOpened)]

    assert asked == ["mode.1v1.forced-spawn", "mode.1v1.choose-action"]

    table.do("soviet", order("soviet-attack", hex="25", target="24"), dice=[1] * 20)
    attacked = applied(table)
    table.do("soviet", order("soviet-move", units=table.at("7")[:1], to="6"))

    assert attacked == [("mode.1v1.attack-instead", "25"), ("mode.1v1.attack-chuikov", "7")]
    assert {event.rule for event in table.events[:2]} == {
        "mode.1v1.move-every-top-stack",
        "mode.1v1.free-choice-of-move",
    }


def test_what_a_soviet_seat_cannot_spawn_gives_it_cards() -> None:
    """mode.1v1.spawn-blocked-card"""
    lost = [place for place in BOARD.soviet_spawn if place != "7"]
    table = human(stacked(h20=1, h22=1), control={"german": lost}, pools={"tank": []})
    table.do("soviet", order("soviet-spawn"), draws=CARDS[:1])

    assert (entered(table), drawn(table)) == ([], 1)


def test_otherwise_it_draws_or_moves() -> None:
    """mode.1v1.choose-action, mode.1v1.draw-action, turn.out-of-turn"""
    table = human(stacked(h7=2))

    assert table.refused("soviet", order("soviet-spawn")) == "spawn_must_be_due"
    assert table.refused("german", order("reinforce")) == "seat_must_be_on_turn"

    table.do("soviet", order("soviet-draw"), draws=CARDS[:1])

    assert (drawn(table), table.asked) == (1, "german action")


def test_a_soviet_seat_may_draw_turn_after_turn_until_the_deck_runs_out() -> None:
    """ruling.draw-action-again, mode.1v1.draw-action, victory.soviet-decisive.deck"""
    table = human(stacked(h7=2), decks={"soviet": CARDS[:2]})
    for card in CARDS[:2]:
        table.do("soviet", order("soviet-draw"), draws=[card])
        if table.asked:
            table.do("german", order("done"))

    assert table.result == "Soviet Decisive Victory"


def test_every_top_stacked_hex_acts_once() -> None:
    """mode.1v1.move-every-top-stack, mode.1v1.free-choice-of-move, soviet.turn.once, ruling.top-stacked-fixed"""
    table = human({**stacked(h7=2, h25=2), "19": ["13-guards"]}, german={"24": [GUN]})
    move = order("soviet-move", units=table.tokens(RIFLES[0]), to="6")

    assert (
        table.refused("soviet", order("soviet-move", units=table.tokens("13-guards"), to="18"))
        == "hex_must_be_top_stacked"
    )

    table.do("soviet", move)

    assert table.asked == "soviet soviet_move"
    assert table.refused("soviet", order("done")) == "every_top_stack_must_act"
    assert table.refused("soviet", order("soviet-draw")) == "soviet_turn_must_have_one_action"
    assert (
        table.refused("soviet", order("soviet-move", units=table.tokens(RIFLES[1]), to="8"))
        == "hex_must_be_top_stacked"
    )
    assert {type(one) for one in table.options} == {SovietMove, SovietAttack}

    table.do("soviet", order("soviet-move", units=table.tokens(RIFLES[2]), to="9"))

    assert table.asked == "german action"


@each_row(
    ("units", "to", "code"),
    [
        ([0], "24", "hex_must_be_free_of_enemies"),
        ([0, 1], "6", "soviet_move_must_be_one_unit"),
        ([0], "5", "soviet_move_must_be_one_hex"),
        ([0], "8", "stacking_limit_must_hold"),
        ([0], "300", "hex_must_be_playable"),
    ],
)
def test_a_soviet_move_is_refused(units: list[int], to: str, code: str) -> None:
    """mode.1v1.valid-hex, soviet.move.one-unit"""
    table = human(stacked(h7=4, h8=4), german={"24": [GUN]})

    assert table.refused("soviet", order("soviet-move", units=table.tokens(*[RIFLES[i] for i in units]), to=to)) == code


def test_a_soviet_move_names_own_units() -> None:
    """stack.definition, designer.chuikov.immobile, fog.blocks-upright"""
    table = human(stacked(h7=1), german={"24": [GUN]})

    assert table.refused("soviet", order("soviet-move", units=["german/1"], to="6")) == "unit_must_be_own"
    assert table.refused("soviet", order("soviet-move", units=["headquarters"], to="6")) == "headquarters_must_stay_put"
    assert table.refused("soviet", order("soviet-move", units=[GUN], to="6")) == "hidden_must_stay_hidden"


def test_a_soviet_attack_is_whole_and_with_chuikov_all_adjacent_stacks_join() -> None:
    """mode.1v1.attack-instead, mode.1v1.attack-chuikov, soviet.hasty-attack.whole-stack; components"""
    table = human(stacked(h25=2, h7=2, h9=2), german={"24": [GUN]}, in_play=["soviet/chuikov"])
    part = order("soviet-attack", hex="25", target="24", hexes=["25"])
    some = order("soviet-attack", hex="25", target="24", units=table.tokens(RIFLES[0]))

    assert table.refused("soviet", order("soviet-attack", hex="25", target="41")) == "soviet_target_must_be_adjacent"
    assert table.refused("soviet", order("soviet-attack", hex="9", target="24")) == "soviet_target_must_be_adjacent"
    assert table.refused("soviet", part) == "adjacent_soviet_stacks_must_join"
    assert table.refused("soviet", some) == "whole_soviet_stack_must_attack"

    table.do("soviet", order("soviet-attack", hex="25", target="24"), dice=[1] * 4 + [1] * 16)

    assert [(one["hexes"], one["is_deliberate"]) for one in combats(table)] == [(("25", "7"), 1)]


def test_without_a_spawn_hex_a_soviet_seat_draws_too() -> None:
    """ruling.zero-spawn-human"""
    lost = {"german": list(BOARD.soviet_spawn)}
    drawing = turn(stacked(h50=1), control=lost, in_play=["german/okh"], mode=TWO_VS_ONE)
    drawing.soviet_turn(draws=CARDS[:1])
    empty = turn(
        stacked(h50=1),
        control=lost,
        in_play=["german/okh"],
        mode=TWO_VS_ONE,
        options={"zero_spawn_human": "empty-spawn"},
    )
    empty.soviet_turn()

    assert (drawn(drawing), drawn(empty)) == (1, 0)


@each_row("is_card", [False, True])
def test_a_hex_that_is_stuck_is_skipped_or_gives_a_card(is_card: bool) -> None:
    """ruling.human-blocked"""
    table = human({"1": RIFLES[:4], "2": RIFLES[4:8]}, german={"3": [GUN]}, options={"blocked_draws_card": is_card})
    table.do(
        "soviet",
        order("soviet-attack", hex="2", target="3"),
        dice=[1] * 20,
        draws=CARDS[:1] if is_card else [],
    )

    assert (drawn(table), table.asked) == (int(is_card), "german action")
