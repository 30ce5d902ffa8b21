"""The order of the refusals, row by row: each row breaks what it expects and something later, where that is possible."""

from collections.abc import Callable

from core.engine.command import Command
from core.game_files.rulebook import load_rulebook
from core.games.inferno.ids import CO_OP, ONE_VS_ONE
from core.games.inferno.rules.refusals import REFUSALS
from tests.support.inferno import Scene, order, scene
from tests.support.rows import each_row

INDEX = load_rulebook("core.games.inferno")
LOST = ("544-infantry", "545-infantry", "546-infantry", "191-infantry", "194-infantry", "211-infantry")
MORE = ("516-infantry", "517-infantry", "64-panzer-grenadier")
YELLOWS = ["2-panzer", "79-panzer-grenadier"]


def ended() -> Scene:
    """The Soviets have won by losses."""
    table = scene(german={"W": ["2-panzer"]}, soviet={"18": ["45-rifle"]}, dead=(*LOST, *MORE), mode=ONE_VS_ONE)
    table.do("german", order("done"))
    return table


def acting() -> Scene:
    """The German acts: two Stacks on the map next to a Soviet one, one in 1 and a full one in 23."""
    return scene(
        german={
            "58": ["2-panzer"],
            "74": ["64-panzer-grenadier"],
            "1": ["79-panzer-grenadier", "120-motorized"],
            "23": ["544-infantry", "545-infantry", "546-infantry", "191-infantry"],
            "37": ["194-infantry", "211-infantry"],
        },
        soviet={"59": ["45-rifle"], "73": ["87-rifle"], "3": ["95-rifle"], "51": ["98-rifle"]},
        hands={"german": ["german/pioneer-672", "german/stuka-1"]},
        mode=ONE_VS_ONE,
    )


def attacking() -> Scene:
    """The German has declared a Deliberate Attack and is asked for a card; he holds two."""
    table = acting()
    table.do("german", order("deliberate-attack", targets=["59"], hexes=["58"]))
    return table


def attacked() -> Scene:
    """The Soviets attack, and their seat is asked for a card."""
    table = scene(
        german={"24": ["64-panzer-grenadier"]},
        soviet={"25": ["45-rifle"]},
        hands={"soviet": ["soviet/sniper-1"], "german": ["german/stuka-1"]},
        mode=ONE_VS_ONE,
    )
    table.do("german", order("done"))
    table.do("soviet", order("soviet-attack", hex="25", target="24"))
    return table


def inviting() -> Scene:
    """Yellow attacks, and Blue is asked whether he joins."""
    table = scene(german={"58": ["2-panzer"], "74": ["24-panzer"]}, soviet={"59": ["45-rifle"]}, mode=CO_OP)
    table.do("yellow", order("deliberate-attack", targets=["59"], hexes=["58", "74"]))
    return table


def soviet_turn() -> Scene:
    """The Soviet seat chooses its action: one Top Stacked Hex in 25, Germans in 24."""
    table = scene(
        german={"24": ["64-panzer-grenadier"], "10": ["2-panzer"]},
        soviet={"25": ["45-rifle", "87-rifle"], "26": ["95-rifle"]},
        mode=ONE_VS_ONE,
    )
    table.do("german", order("done"))
    return table


def spawning() -> Scene:
    """The Soviet seat must spawn: seven Top Stacked Hexes."""
    soviet = {place: [unit] for place, unit in zip(("4", "21", "26", "28", "30", "32", "39"), RIFLES, strict=True)}
    table = scene(german={"W": ["2-panzer"]}, soviet=soviet, mode=ONE_VS_ONE)
    table.do("german", order("done"))
    return table


RIFLES = ("45-rifle", "87-rifle", "95-rifle", "98-rifle", "112-rifle", "131-rifle", "138-rifle")


def moving() -> Scene:
    """The Soviet seat has moved out of one of two Top Stacked Hexes."""
    table = scene(
        german={"W": ["2-panzer"]},
        soviet={"25": ["45-rifle", "87-rifle"], "30": ["95-rifle", "98-rifle"]},
        mode=ONE_VS_ONE,
    )
    table.do("german", order("done"))
    table.do("soviet", order("soviet-move", units=[table.at("25")[0]], to="24"))
    return table


def partners() -> Scene:
    """Yellow acts: Yellow, Blue and White Stacks."""
    return scene(
        german={
            "1": ["2-panzer"],
            "23": ["24-panzer"],
            "W": ["576-infantry"],
            "58": ["64-panzer-grenadier"],
            "74": ["577-infantry"],
        },
        soviet={"59": ["45-rifle"], "18": ["87-rifle"]},
        mode=CO_OP,
    )


def short(units: list[str], to: str, **more: object) -> Command:
    """Return a Short Move."""
    return order("short-move", units=units, to=to, **more)


def hasty(units: list[str], to: str, *targets: str, **more: object) -> Command:
    """Return a Hasty Attack."""
    return order("hasty-attack", units=units, to=to, targets=list(targets), **more)


def deliberate(targets: list[str], hexes: list[str], **more: object) -> Command:
    """Return a Deliberate Attack."""
    return order("deliberate-attack", targets=targets, hexes=hexes, **more)


def along(units: list[str], *path: str) -> Command:
    """Return a Long Movement."""
    return order("long-move", units=units, path=list(path))


NAMED = "german/1"
ROWS: list[tuple[str, Callable[[], Scene], str, Command]] = [
    ("match_must_be_running", ended, "soviet", hasty(["45-rifle"], "999", cards=["german/stuka-1"])),
    ("hidden_must_stay_hidden", acting, "soviet", hasty(["2-panzer"], "999", cards=["german/stuka-1"])),
    ("hasty_attack_must_be_without_card", acting, "soviet", hasty([NAMED], "999", cards=["german/stuka-1"])),
    (
        "german_card_must_support_deliberate_attack",
        attacked,
        "german",
        order("commit-cards", cards=["german/stuka-1"]),
    ),
    ("turn_must_have_one_action", inviting, "yellow", short([NAMED], "999")),
    ("turn_must_have_one_action", attacking, "german", short([NAMED], "999")),
    ("soviet_turn_must_have_one_action", attacked, "soviet", order("soviet-spawn")),
    ("seat_must_be_on_turn", acting, "soviet", order("soviet-move", units=["soviet/1"], to="999")),
    ("decision_must_be_open", acting, "german", order("deploy", unit="soviet/1", to="999")),
    ("spawn_must_be_taken", spawning, "soviet", order("soviet-move", units=["german/1"], to="999")),
    ("spawn_must_be_due", soviet_turn, "soviet", order("soviet-spawn")),
    ("every_top_stack_must_act", moving, "soviet", order("done")),
    ("hex_must_be_playable", acting, "german", short(["headquarters", "soviet/1"], "999")),
    ("hex_must_be_playable", soviet_turn, "soviet", order("soviet-move", units=["headquarters"], to="999")),
    ("order_must_name_units", acting, "german", short([], "22")),
    ("headquarters_must_stay_put", acting, "german", short(["headquarters", "soviet/1"], "59")),
    ("unit_must_be_own", acting, "german", short(["soviet/1"], "59")),
    ("unit_must_be_own", acting, "german", deliberate(["59", "73"], ["1"], units=["soviet/1"], to="9")),
    ("partner_must_not_join_hasty_attack", partners, "yellow", hasty(["german/1", "german/2"], "59")),
    ("stack_must_be_of_seats_colour", partners, "yellow", short(["german/2", "german/3"], "59")),
    ("white_stack_must_be_joined", partners, "yellow", short(["german/3"], "59")),
    ("hex_must_be_free_of_enemies", acting, "german", along(["german/3"], "3", "59")),
    ("hex_must_be_free_of_enemies", acting, "german", short(["german/3"], "59")),
    ("long_move_must_be_one_stack", acting, "german", along(["german/1", "german/3"], "24")),
    ("long_move_must_take_whole_stack", acting, "german", along(["german/3"], "24")),
    ("long_move_must_start_in_clear_hex", acting, "german", along(["german/1"], "24")),
    ("long_move_must_start_away_from_soviets", acting, "german", along(["german/2"], "24")),
    ("long_move_must_be_one_or_two_steps", acting, "german", along(["german/3", "german/4"], "24")),
    ("short_move_must_be_one_hex", acting, "german", short(["german/3", "german/5"], "60")),
    ("short_move_must_keep_away_from_soviets", acting, "german", short(["german/9"], "36")),
    ("hasty_attack_must_be_one_stack", acting, "german", hasty(["german/1", "german/3"], "60")),
    ("hasty_attack_must_include_a_mover", acting, "german", hasty([], "60")),
    ("hasty_attack_must_start_away_from_soviets", acting, "german", hasty(["german/1"], "24")),
    ("hasty_attack_must_move_one_hex", acting, "german", hasty(["german/3"], "24")),
    ("hasty_attack_must_have_one_target", acting, "german", hasty(["german/9"], "36", "51", "59")),
    ("hasty_move_must_end_in_attack", acting, "german", hasty(["german/10", "german/9"], "23")),
    ("hasty_attack_must_end_beside_target", acting, "german", hasty(["german/9"], "36", "59", attackers=["german/9"])),
    ("all_units_in_hex_must_attack", acting, "german", hasty(["german/9"], "36", "51", attackers=["german/10"])),
    (
        "deliberate_attack_must_be_without_movement",
        acting,
        "german",
        deliberate(["59", "73"], ["1"], units=["german/1"], to="60"),
    ),
    ("deliberate_attack_must_have_one_target", acting, "german", deliberate(["59", "73"], ["1"])),
    ("attackers_must_be_adjacent_to_target", acting, "german", deliberate(["59"], ["1", "58"], units=["german/1"])),
    ("all_units_of_stack_must_attack", acting, "german", deliberate(["59"], ["58", "74"], units=["german/1"])),
    ("active_seat_must_attack", partners, "yellow", deliberate(["59"], ["74"])),
    (
        "card_must_be_in_hand",
        attacking,
        "german",
        order("commit-cards", cards=["german/howitzer-1", "german/pioneer-672"]),
    ),
    (
        "linden_must_be_in_play",
        attacking,
        "german",
        order("commit-cards", cards=["german/pioneer-672", "german/stuka-1"]),
    ),
    ("hex_must_be_top_stacked", soviet_turn, "soviet", order("soviet-move", units=["soviet/1", "soviet/3"], to="4")),
    (
        "soviet_move_must_be_one_unit",
        soviet_turn,
        "soviet",
        order("soviet-move", units=["soviet/1", "soviet/2"], to="4"),
    ),
    ("soviet_move_must_be_one_hex", soviet_turn, "soviet", order("soviet-move", units=["soviet/1"], to="4")),
    (
        "soviet_target_must_be_adjacent",
        soviet_turn,
        "soviet",
        order("soviet-attack", hex="25", target="10", units=["soviet/1"]),
    ),
    (
        "whole_soviet_stack_must_attack",
        soviet_turn,
        "soviet",
        order("soviet-attack", hex="25", target="24", units=["soviet/1"]),
    ),
    ("units_must_form_one_stack", acting, "german", short(["german/5", "german/9"], "22")),
    ("stacking_limit_must_hold", acting, "german", short(["german/10", "german/9"], "23")),
]


@each_row(("code", "make", "seat", "command"), ROWS)
def test_the_earliest_refusal_answers(code: str, make: Callable[[], Scene], seat: str, command: Command) -> None:
    assert make().refused(seat, command) == code


def test_the_rows_are_in_the_order_of_the_refusals() -> None:
    """Those that are not here never meet a later one."""
    order_met = list(dict.fromkeys(row[0] for row in ROWS))

    assert order_met == [code for code in REFUSALS.precedence if code in order_met]
    assert len(order_met) > len(REFUSALS.precedence) / 2


def test_the_order_is_that_of_the_rules_index() -> None:
    assert [(one.code, (one.rule, one.text)) for one in INDEX.refusals] == list(REFUSALS.meanings.items())


def test_every_refusal_cites_a_rule_of_the_index() -> None:
    assert {make().refusal(seat, command).rule for _, make, seat, command in ROWS} <= set(INDEX.rules)


@each_row(
    ("make", "seat", "rule"),
    [
        (acting, "german", "turn.one-action"),
        (inviting, "blue", "mode.co-op.joint-deliberate-attack"),
        (soviet_turn, "soviet", "mode.1v1.choose-action"),
        (moving, "soviet", "mode.1v1.move-every-top-stack"),
        (attacking, "german", "combat.sequence"),
    ],
)
def test_what_is_not_asked_is_refused_by_the_rule_of_the_question(
    make: Callable[[], Scene], seat: str, rule: str
) -> None:
    refusal = make().refusal(seat, order("blitz", unit="german/1", to="58"))

    assert (refusal.code, refusal.rule) == ("decision_must_be_open", rule)
