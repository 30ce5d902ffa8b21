"""Long and Short Movement, one action a turn, and who may order which Stack."""

from core.games.inferno.ids import CO_OP, GERMAN, HEADQUARTERS, ONE_VS_ONE
from core.games.inferno.rules.commands import LongMove, ShortMove
from tests.support.inferno import Scene, order, scene
from tests.support.rows import each_row

PANZER, GRENADIER, OTHER = "2-panzer", "64-panzer-grenadier", "79-panzer-grenadier"
YELLOW, BLUE, WHITE = "544-infantry", "267-infantry", "576-infantry"
DONE = order("done")


def long_move(table: Scene, units: list[str], *path: str, target: str = "") -> LongMove:
    """Return a Long Movement."""
    command = order("long-move", units=table.tokens(*units), path=path, **({"target": target} if target else {}))
    assert isinstance(command, LongMove)
    return command


def short_move(table: Scene, units: list[str], to: str, target: str = "") -> ShortMove:
    """Return a Short Move."""
    command = order("short-move", units=table.tokens(*units), to=to, **({"target": target} if target else {}))
    assert isinstance(command, ShortMove)
    return command


def short_moves_from(table: Scene, place: str) -> set[str]:
    """Return the hexes to which units of a hex may make a Short Move."""
    there = set(table.at(place))
    return {one.to for one in table.options if isinstance(one, ShortMove) and set(one.units) <= there}


# Long Movement


def test_a_stack_moves_two_clear_hexes_and_controls_both() -> None:
    """german.long-move.distance, german.long-move.control; T4"""
    table = scene(german={"1": [PANZER, GRENADIER]})
    table.do("german", long_move(table, [PANZER, GRENADIER], "2", "3"), dice=(), draws=["german/hoth"], is_listed=True)

    assert len(table.at("3")) == 2
    assert table.control("2") == table.control("3") == GERMAN


@each_row(
    ("german", "soviet", "units", "path", "code"),
    [
        ({"75": [PANZER], "76": [OTHER]}, {}, [PANZER, OTHER], ["60"], "long_move_must_be_one_stack"),
        ({"75": [PANZER, GRENADIER]}, {}, [PANZER], ["60"], "long_move_must_take_whole_stack"),
        ({"58": [PANZER]}, {}, [PANZER], ["59"], "long_move_must_start_in_clear_hex"),
        ({"75": [PANZER]}, {"59": ["45-rifle"]}, [PANZER], ["76"], "long_move_must_start_away_from_soviets"),
        ({"75": [PANZER]}, {}, [PANZER], ["60", "45", "44"], "long_move_must_be_one_or_two_steps"),
        ({"75": [PANZER]}, {}, [PANZER], [], "long_move_must_be_one_or_two_steps"),
        ({"75": [PANZER]}, {}, [PANZER], ["45"], "long_move_must_be_one_or_two_steps"),
        ({"75": [PANZER]}, {}, [PANZER], ["60", "46", "31"], "long_move_must_be_one_or_two_steps"),
        ({"60": [PANZER]}, {}, [PANZER], ["46", "31"], "long_move_must_keep_to_clear_hexes"),
        ({"75": [PANZER]}, {"45": ["45-rifle"]}, [PANZER], ["60", "61"], "long_move_must_keep_away_from_soviets"),
        ({"75": [PANZER], "60": [OTHER]}, {}, [PANZER], ["60"], "long_move_must_end_without_join_up"),
        ({"75": [PANZER]}, {}, [PANZER], ["60", "75"], "long_move_must_end_without_join_up"),
        ({"75": [PANZER]}, {}, [PANZER], ["106"], "hex_must_be_playable"),
        ({"75": [PANZER]}, {"45": ["45-rifle"]}, [PANZER], ["60", "45"], "hex_must_be_free_of_enemies"),
    ],
)
def test_a_long_movement_is_refused(
    german: dict[str, list[str]], soviet: dict[str, list[str]], units: list[str], path: list[str], code: str
) -> None:
    """german.long-move.one-stack, german.long-move.no-breakdown, german.long-move.start-clear, german.long-move.distance,
    german.long-move.start-not-adjacent, german.long-move.path-clear, german.long-move.path-not-adjacent,
    german.long-move.no-join-up; components.playing-area; stack.one-side-per-hex; ruling.long-move-return
    """
    table = scene(german=german, soviet={**soviet, "19": ["98-rifle"]})

    assert table.refused("german", long_move(table, units, *path)) == code


def test_a_long_movement_passes_through_a_full_stack() -> None:
    """german.long-move.pass-through"""
    table = scene(german={"75": [PANZER], "60": [GRENADIER, OTHER, YELLOW, WHITE]}, soviet={"19": ["98-rifle"]})
    table.do("german", long_move(table, [PANZER], "60", "45"), dice=[4])

    assert table.kinds("45") == [PANZER]
    assert len(table.at("60")) == 4


def test_a_long_movement_passes_through_the_partners_stack() -> None:
    """ruling.co-op-pass-through, mode.co-op.no-mixed-stack"""
    table = scene(german={"75": [YELLOW], "60": [BLUE]}, soviet={"19": ["98-rifle"]}, mode=CO_OP)
    table.do("yellow", long_move(table, [YELLOW], "60", "45"), dice=[4])

    assert (table.kinds("45"), table.kinds("60")) == ([YELLOW], [BLUE])


def test_short_moves_follow_each_other() -> None:
    """ruling.short-move-order: full Stacks cannot change places, but one may take the hex that the other has left."""
    four, other = [PANZER, GRENADIER, OTHER, YELLOW], ["545-infantry", "546-infantry", "191-infantry", "194-infantry"]
    table = scene(german={"75": four, "60": other}, soviet={"19": ["98-rifle"]})

    assert table.refused("german", short_move(table, four, "60")) == "stacking_limit_must_hold"

    table.do("german", short_move(table, other, "45"))
    table.do("german", short_move(table, four, "60"), dice=[4])

    assert (len(table.at("45")), len(table.at("60")), table.at("75")) == (4, 4, ())


@each_row("make", [long_move, short_move])
def test_no_combat_follows_a_movement(make: object) -> None:
    """german.long-move.no-combat, german.short-move.no-combat"""
    table = scene(german={"75": [PANZER]}, soviet={"19": ["98-rifle"]})
    command = (
        long_move(table, [PANZER], "60", target="45")
        if make is long_move
        else short_move(table, [PANZER], "60", target="45")
    )

    assert table.refused("german", command) == "turn_must_have_one_action"


# Short Movement


def test_short_moves_end_away_from_soviet_stacks() -> None:
    """german.short-move.destination-safe, german.short-move.start-anywhere; T5"""
    german = {"75": [PANZER], "76": [GRENADIER], "60": [OTHER], "61": [YELLOW]}
    table = scene(german=german, soviet={"44": ["45-rifle"], "77": ["98-rifle"], "88": ["87-rifle"]})

    assert short_moves_from(table, "75") == short_moves_from(table, "76") == set()
    assert short_moves_from(table, "60") == short_moves_from(table, "61") == {"46"}


def test_parts_of_two_stacks_move_within_the_stacking_limit() -> None:
    """german.short-move.breakdown, german.short-move.join-up, german.short-move.joint-stack-limit, german.short-move.any-terrain,
    german.breakdown.definition, german.join-up.definition; T6
    """
    german = {"22": [PANZER, GRENADIER], "23": [OTHER, YELLOW, WHITE, "545-infantry"], "37": ["546-infantry"]}
    table = scene(german=german, soviet={"6": ["45-rifle"], "39": ["98-rifle"]})

    assert short_moves_from(table, "22") == {"21", "37"}
    assert short_moves_from(table, "23") == {"37"}
    everyone = short_move(table, german["23"], "37")
    assert table.refused("german", everyone) == "stacking_limit_must_hold"

    table.do("german", short_move(table, german["22"], "37"))

    assert table.asked == "german short_move"
    assert table.refused("german", short_move(table, [OTHER, YELLOW], "37")) == "stacking_limit_must_hold"


@each_row(
    ("units", "to", "code"),
    [
        ([PANZER], "45", "short_move_must_be_one_hex"),
        ([PANZER], "59", "hex_must_be_free_of_enemies"),
        ([PANZER], "74", "short_move_must_keep_away_from_soviets"),
        ([PANZER, OTHER], "61", "units_must_form_one_stack"),
        ([], "61", "order_must_name_units"),
        ([PANZER], "nowhere", "hex_must_be_playable"),
    ],
)
def test_a_short_move_is_refused(units: list[str], to: str, code: str) -> None:
    """german.short-move.one-hex, german.short-move.destination-safe; stack.one-side-per-hex; stack.definition; components.playing-area"""
    table = scene(german={"75": [PANZER], "76": [OTHER]}, soviet={"59": ["45-rifle"]})

    assert table.refused("german", short_move(table, units, to)) == code


def test_two_short_moves_are_made_at_most_and_the_turn_is_over() -> None:
    """german.short-move.up-to-two, turn.one-action, german.short-move.no-combat"""
    table = scene(german={"75": [PANZER], "76": [OTHER]}, soviet={"19": ["98-rifle"]})
    table.do("german", short_move(table, [PANZER], "60"))

    assert table.refused("german", short_move(table, [PANZER], "75")) == "short_moves_must_be_two_at_most"
    assert table.refused("german", long_move(table, [OTHER], "60")) == "turn_must_have_one_action"
    assert table.refused("german", order("reinforce")) == "turn_must_have_one_action"

    table.do("german", short_move(table, [OTHER], "61"), dice=[4])

    assert table.table.round == 2


def test_the_same_units_may_move_twice_by_option() -> None:
    """ruling.short-move-same-units"""
    table = scene(german={"75": [PANZER]}, soviet={"19": ["98-rifle"]}, options={"short_move_twice": True})
    table.do("german", short_move(table, [PANZER], "60"))
    table.do("german", short_move(table, [PANZER], "75"), dice=[4])

    assert table.kinds("75") == [PANZER]


def test_moving_nothing_is_the_only_way_to_pass() -> None:
    """german.short-move.pass"""
    table = scene(german={"75": [PANZER]}, soviet={"19": ["98-rifle"]})
    table.do("german", DONE, dice=[4])

    assert (table.asked, table.table.round) == ("german action", 2)


def test_an_empty_spawn_hex_that_is_entered_gives_a_card_before_the_second_move() -> None:
    """german.short-move.control, capture.spawn-hex-card, card.german-leader-immediate"""
    table = scene(german={"31": [PANZER]}, soviet={"3": ["98-rifle"]})
    table.do("german", short_move(table, [PANZER], "15"), draws=["german/paulus"])

    assert table.control("15") == GERMAN
    assert table.count("german_leaders") == 1
    assert table.asked == "german short_move"


# Who may order what


def test_units_are_named_by_their_tokens_and_must_be_own() -> None:
    """stack.definition, fog.blocks-upright, designer.chuikov.immobile"""
    table = scene(german={"75": [PANZER]}, soviet={"19": ["98-rifle"]}, mode=ONE_VS_ONE)

    assert table.refused("german", order("short-move", units=table.tokens("98-rifle"), to="60")) == "unit_must_be_own"
    assert table.refused("german", order("short-move", units=["98-rifle"], to="60")) == "hidden_must_stay_hidden"
    assert table.refused("german", order("short-move", units=["45-rifle"], to="60")) == "hidden_must_stay_hidden"
    assert table.refused("german", order("short-move", units=[HEADQUARTERS], to="60")) == "headquarters_must_stay_put"
    assert table.refused("soviet", order("soviet-draw")) == "seat_must_be_on_turn"


def test_units_of_a_list_are_named_in_order() -> None:
    table = scene(german={"75": [PANZER, OTHER]}, soviet={"19": ["98-rifle"]})
    units = [*reversed(table.tokens(PANZER, OTHER))]

    assert table.refused("german", order("short-move", units=units, to="60")) == "choice_must_be_sorted"


def test_a_seat_orders_stacks_of_its_colour_only() -> None:
    """mode.co-op.own-stacks-only, mode.co-op.white-stacks, mode.co-op.stack-colour, mode.co-op.no-mixed-stack, mode.co-op.turn-order;
    ruling.co-op-white-part
    """
    german = {"75": [YELLOW, WHITE], "76": [BLUE], "74": ["577-infantry"]}
    table = scene(german=german, soviet={"19": ["98-rifle"]}, mode=CO_OP)

    assert table.asked == "yellow action"
    assert table.refused("yellow", short_move(table, [BLUE], "61")) == "stack_must_be_of_seats_colour"
    assert table.refused("yellow", short_move(table, ["577-infantry"], "59")) == "white_stack_must_be_joined"
    assert table.refused("yellow", short_move(table, [YELLOW], "76")) == "yellow_and_blue_must_not_mix"
    assert table.refused("blue", DONE) == "seat_must_be_on_turn"

    table.do("yellow", short_move(table, [YELLOW], "74"))
    table.do("yellow", DONE, dice=[4])

    assert table.asked == "blue action"
    assert table.refused("blue", short_move(table, [WHITE], "60")) == "white_stack_must_be_joined"
    assert table.refused("blue", short_move(table, ["577-infantry"], "73")) == "stack_must_be_of_seats_colour"
