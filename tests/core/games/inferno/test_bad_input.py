"""Bad input: each kind is answered by a refusal or an error that says what is wrong, and changes nothing."""

import pytest

from core.errors import SetupInvalid
from core.games.inferno.ids import CO_OP, ONE_VS_ONE, SOLO, TWO_VS_ONE
from core.refusal import Refusal
from events.codec import DecodeError
from events.ids import Seat
from projections.table_codec import encode_table
from tests.support.desk import Desk
from tests.support.inferno import RULES, Scene, order, scene
from tests.support.rows import each_row

SOVIET_UNIT, GERMAN_UNIT = "45-rifle", "2-panzer"

NAMING = [
    {"do": "long-move", "units": ["{unit}"], "path": ["60"]},
    {"do": "short-move", "units": ["{unit}"], "to": "60"},
    {"do": "hasty-attack", "units": ["{unit}"], "to": "60", "targets": ["59"]},
    {"do": "hasty-attack", "units": ["german/1"], "to": "60", "targets": ["59"], "attackers": ["german/1", "{unit}"]},
    {"do": "deliberate-attack", "targets": ["59"], "hexes": ["58"], "units": ["{unit}"]},
    {"do": "deploy", "unit": "{unit}", "to": "X"},
    {"do": "return-unit", "unit": "{unit}"},
    {"do": "soviet-move", "units": ["{unit}"], "to": "44"},
    {"do": "soviet-attack", "hex": "59", "target": "58", "units": ["{unit}"]},
    {"do": "blitz", "unit": "{unit}", "to": "60"},
    {"do": "pick", "item": "{unit}"},
    {"do": "unpick", "item": "{unit}"},
    {"do": "choose", "items": ["{unit}"]},
]
"""Every command that can name a block."""


def naming(unit: str, fields: dict[str, object]) -> dict[str, object]:
    """Return a command that names a block."""
    return {
        key: [unit if one == "{unit}" else one for one in value]
        if isinstance(value, list)
        else (unit if value == "{unit}" else value)
        for key, value in fields.items()
    }


@each_row("fields", NAMING)
@each_row(("mode", "seat", "unit"), [(SOLO, "german", SOVIET_UNIT), (ONE_VS_ONE, "soviet", GERMAN_UNIT)])
@each_row("is_there", [True, False])
def test_a_block_of_the_enemy_cannot_be_named_by_its_unit(
    fields: dict[str, object], mode: str, seat: str, unit: str, *, is_there: bool
) -> None:
    """fog.blocks-upright, fog.solo-soviet-blind: the answer is the same whether the block is on the map or not."""
    soviet = {"59": [SOVIET_UNIT if is_there else "87-rifle"]}
    table = scene(german={"58": [GERMAN_UNIT if is_there else "36-panzer"]}, soviet=soviet, mode=mode)
    command = naming(unit, fields)

    assert table.refused(seat, order(str(command.pop("do")), **command)) == "hidden_must_stay_hidden"


def test_a_card_of_another_hand_is_refused_as_one_that_nobody_holds() -> None:
    """mode.co-op.cards-private, german.deliberate-attack.card"""
    table = scene(
        german={"58": ["544-infantry"]},
        soviet={"59": [SOVIET_UNIT]},
        mode=CO_OP,
        hands={"yellow": ["german/pak-1"], "blue": ["german/stuka-1"]},
    )
    table.do("yellow", order("deliberate-attack", targets=["59"], hexes=["58"]))
    answers = [
        table.refusal("yellow", order("commit-cards", cards=[card]))
        for card in ("german/stuka-1", "german/howitzer-1", "soviet/aa-7", "none")
    ]

    assert answers == [answers[0]] * 4
    assert answers[0].code == "card_must_be_in_hand"


@each_row("mode", [CO_OP, TWO_VS_ONE])
@each_row(
    "command",
    [
        order("reinforce"),
        order("long-move", units=["german/2"], path=["75"]),
        order("short-move", units=["german/2"], to="75"),
        order("hasty-attack", units=["german/2"], to="75", targets=["59"]),
        order("deliberate-attack", targets=["59"], hexes=["58"]),
        order("done"),
    ],
)
def test_the_partner_does_not_act_in_the_turn_of_a_seat(mode: str, command: object) -> None:
    """mode.co-op.turn-order, turn.out-of-turn"""
    table = partners(mode)

    assert table.refused("blue", command) == "seat_must_be_on_turn"  # type: ignore[arg-type]
    assert table.asked == "yellow action"


@each_row(
    ("command", "code"),
    [
        (order("short-move", units=["german/2"], to="77"), "stack_must_be_of_seats_colour"),
        (order("short-move", units=["german/1", "german/2"], to="77"), "stack_must_be_of_seats_colour"),
        (order("long-move", units=["german/2"], path=["77"]), "stack_must_be_of_seats_colour"),
        (order("hasty-attack", units=["german/2"], to="75", targets=["59"]), "stack_must_be_of_seats_colour"),
        (order("deliberate-attack", targets=["59"], hexes=["74"]), "active_seat_must_attack"),
        (order("join-attack", hex="74", join=True), "decision_must_be_open"),
    ],
)
def test_a_seat_does_not_order_the_partners_stacks(command: object, code: str) -> None:
    """mode.co-op.own-stacks-only, mode.co-op.active-stack-needed"""
    assert partners(CO_OP).refused("yellow", command) == code  # type: ignore[arg-type]


@each_row(
    ("command", "code", "words"),
    [
        (order("short-move", units=[], to="77"), "order_must_name_units", "No unit is named."),
        (order("long-move", units=[], path=["77"]), "order_must_name_units", "No unit is named."),
        (
            order("hasty-attack", units=[], to="75", targets=["59"]),
            "hasty_attack_must_include_a_mover",
            "No unit is named that moves.",
        ),
        (order("deliberate-attack", targets=["59"], hexes=[]), "attackers_must_be_adjacent_to_target", "No Stack"),
        (order("short-move", units=["german/1"], to="77", target="59"), "turn_must_have_one_action", "no target"),
    ],
)
def test_an_order_that_names_no_unit_is_told_so(command: object, code: str, words: str) -> None:
    """stack.definition, german.short-move.no-combat"""
    refusal = partners(CO_OP).refusal("yellow", command)  # type: ignore[arg-type]

    assert (refusal.code, words in refusal.sentence) == (code, True), refusal


def test_a_soviet_move_without_a_unit_is_told_so() -> None:
    """soviet.move.one-unit"""
    table = scene(german={"58": [GERMAN_UNIT]}, soviet={"59": [SOVIET_UNIT]}, mode=ONE_VS_ONE)
    table.do("german", order("done"))
    refusal = table.refusal("soviet", order("soviet-move", units=[], to="44"))

    assert (refusal.code, refusal.sentence) == ("soviet_move_must_be_one_unit", "No unit is named.")


def test_a_card_named_twice_is_not_taken_for_two_cards() -> None:
    """german.deliberate-attack.card, german.card.one-per-attack"""
    table = scene(
        german={"58": ["544-infantry"]},
        soviet={"59": [SOVIET_UNIT]},
        mode=CO_OP,
        hands={"yellow": ["german/pak-1", "german/stuka-1"]},
    )
    table.do("yellow", order("deliberate-attack", targets=["59"], hexes=["58"]))
    twice, two = [
        table.refused("yellow", order("commit-cards", cards=["german/pak-1", card]))
        for card in ("german/pak-1", "german/stuka-1")
    ]

    assert (twice, two) == ("choice_must_be_sorted", "support_card_must_be_single")


def partners(mode: str) -> Scene:
    """Return a scene in which Yellow acts and Blue has Stacks next to Soviets and away from them."""
    german = {"58": ["544-infantry"], "76": ["267-infantry"], "74": ["274-infantry"]}
    return scene(german=german, soviet={"59": [SOVIET_UNIT]}, mode=mode)


@each_row(
    ("mode", "seat"),
    [(SOLO, "soviet"), (SOLO, "blue"), (CO_OP, "german"), (ONE_VS_ONE, "yellow"), (TWO_VS_ONE, "german")],
)
def test_a_seat_that_the_mode_does_not_have_neither_sits_nor_orders(mode: str, seat: str) -> None:
    """mode.list"""
    desk = Desk.open("inferno", mode=mode)
    before = encode_table(desk.table)
    orders = [{"do": "reinforce"}, {"do": "soviet-draw"}, {"do": "match:take-seat", "seat": seat, "name": "Anna"}]
    codes = [answer.code for answer in [desk.ask(one, Seat(seat)) for one in orders] if isinstance(answer, Refusal)]

    assert codes == ["seat_must_be_on_turn", "seat_must_be_on_turn", "seat_must_exist"]
    assert encode_table(desk.table) == before


@each_row(
    ("options", "words"),
    [
        ({"designer_levels": "advantages-plus-level"}, "option designer_levels needs option designers_way"),
        ({"designers_way": "off", "designer_extras": "always"}, "option designer_extras needs option designers_way"),
        ({"german_level_hand": "plus-three"}, "option german_level_hand needs option designers_way"),
        ({"designers_way": "easy"}, "option designers_way must be one of off, random"),
        ({"designers_way": ["hard", "german"]}, "option designers_way must be"),
        ({"coop_winner": "always"}, "no option of inferno in scenario standard, mode solo"),
    ],
)
def test_an_option_that_does_not_fit_is_named(options: dict[str, object], words: str) -> None:
    """designer.optional, mode.list"""
    with pytest.raises(SetupInvalid, match=words):
        Desk.open("inferno", options=options)  # type: ignore[arg-type]


@each_row(
    "command",
    [
        '{"do":"short-move","units":["german/1"]}',
        '{"do":"short-move","units":"german/1","to":"X"}',
        '{"do":"deliberate-attack","targets":["59"],"hexes":[58]}',
        '{"do":"reinforce","unit":"german/1"}',
        '{"do":"fly"}',
        "[]",
    ],
)
def test_what_is_not_a_command_is_an_error(command: str) -> None:
    with pytest.raises(DecodeError):
        RULES.decode(command.encode())
