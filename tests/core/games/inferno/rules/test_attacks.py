"""Which Hasty and Deliberate Attacks may be ordered."""

from core.games.inferno.ids import CO_OP, GERMAN, ONE_VS_ONE, SOVIET
from core.games.inferno.rules.commands import DeliberateAttack, HastyAttack
from events.vocabulary import CardDrawn, ControlChanged, SequenceBegan, Value
from tests.support.inferno import Scene, order, scene
from tests.support.rows import each_row

PANZER, GRENADIER, OTHER = "2-panzer", "64-panzer-grenadier", "79-panzer-grenadier"
YELLOW, BLUE, WHITE = "544-infantry", "267-infantry", "576-infantry"
THREE = {"75": [PANZER], "74": [GRENADIER], "76": [OTHER]}
SOVIETS = {"59": ["45-rifle"], "87": ["98-rifle"]}


def hasty(table: Scene, units: list[str], to: str, *targets: str, **more: object) -> HastyAttack:
    """Return a Hasty Attack."""
    command = order("hasty-attack", units=table.tokens(*units), to=to, targets=targets, **more)
    assert isinstance(command, HastyAttack)
    return command


def deliberate(*hexes: str, target: str, **more: object) -> DeliberateAttack:
    """Return a Deliberate Attack."""
    command = order("deliberate-attack", targets=[target], hexes=sorted(hexes), **more)
    assert isinstance(command, DeliberateAttack)
    return command


def began(table: Scene) -> dict[str, Value]:
    """Return what the combat that began last is about."""
    return next(
        event.arguments for event in table.events if isinstance(event, SequenceBegan) and event.kind == "combat"
    )


def test_only_a_stack_that_is_free_of_soviets_makes_a_hasty_attack() -> None:
    """german.hasty-attack.start-not-adjacent, german.hasty-attack.join-up, german.hasty-attack.end-adjacent; T7"""
    table = scene(german=THREE, soviet=SOVIETS)
    offered = {(one.to, one.targets) for one in table.options if isinstance(one, HastyAttack)}

    assert offered == {("75", ("59",)), ("88", ("87",))}


@each_row(
    ("units", "to", "targets", "code"),
    [
        ([PANZER, OTHER], "60", ["59"], "hasty_attack_must_be_one_stack"),
        ([], "75", ["59"], "hasty_attack_must_include_a_mover"),
        ([], "", ["59"], "hasty_attack_must_include_a_mover"),
        ([PANZER], "", ["59"], "hasty_attack_must_include_a_mover"),
        ([PANZER], "60", ["59"], "hasty_attack_must_start_away_from_soviets"),
        ([OTHER], "73", ["59"], "hasty_attack_must_move_one_hex"),
        ([OTHER], "75", ["59", "87"], "hasty_attack_must_have_one_target"),
        ([OTHER], "75", ["44"], "hasty_attack_must_have_one_target"),
        ([OTHER], "75", [], "hasty_move_must_end_in_attack"),
        ([OTHER], "75", ["87"], "hasty_attack_must_end_beside_target"),
        ([OTHER], "59", ["59"], "hex_must_be_free_of_enemies"),
        ([OTHER], "0", ["59"], "hex_must_be_playable"),
    ],
)
def test_a_hasty_attack_is_refused(units: list[str], to: str, targets: list[str], code: str) -> None:
    """german.hasty-attack.one-stack, german.hasty-attack.includes-mover, german.hasty-attack.start-not-adjacent,
    german.hasty-attack.one-hex, german.hasty-attack.one-target, german.hasty-attack.must-attack, german.hasty-attack.end-adjacent
    """
    table = scene(german=THREE, soviet=SOVIETS)

    assert table.refused("german", hasty(table, units, to, *targets)) == code


def test_all_units_in_the_hex_attack_without_a_card() -> None:
    """german.hasty-attack.all-units, german.hasty-attack.no-card, german.hasty-attack.breakdown; ruling.hasty-join-part"""
    german = {"75": [PANZER], "76": [OTHER, YELLOW]}
    table = scene(german=german, soviet=SOVIETS, hands={"german": ["german/stuka-1"]})
    incomplete = hasty(table, [OTHER], "75", "59", attackers=table.tokens(OTHER))
    with_card = hasty(table, [OTHER], "75", "59", cards=["german/stuka-1"])

    assert table.refused("german", incomplete) == "all_units_in_hex_must_attack"
    assert table.refused("german", with_card) == "hasty_attack_must_be_without_card"


def test_units_that_join_keep_the_stacking_limit() -> None:
    """german.hasty-attack.join-up, stack.limit"""
    german = {"75": [PANZER, YELLOW, WHITE], "76": [OTHER, GRENADIER]}
    table = scene(german=german, soviet=SOVIETS)

    assert table.refused("german", hasty(table, [OTHER, GRENADIER], "75", "59")) == "stacking_limit_must_hold"


def test_control_and_its_card_come_before_the_combat() -> None:
    """german.hasty-attack.control-first, capture.spawn-hex-card"""
    table = scene(german={"29": [PANZER]}, soviet={"14": ["45-rifle"]})
    table.do(
        "german",
        hasty(table, [PANZER], "13", "14"),
        dice=[1] * 4 + [1] * 4 + [4],
        draws=["german/stuka-1"],
    )
    kinds = [type(event) for event in table.events]
    fight = next(
        n for n, event in enumerate(table.events) if isinstance(event, SequenceBegan) and event.kind == "combat"
    )

    assert kinds.index(ControlChanged) < kinds.index(CardDrawn) < fight
    assert table.control("13") == GERMAN


# Deliberate Attack


def test_a_deliberate_attack_is_made_by_any_stacks_next_to_the_target() -> None:
    """german.deliberate-attack.adjacent-stacks; T8"""
    table = scene(german={"58": [PANZER], "74": [OTHER]}, soviet={"59": ["45-rifle"], "73": ["98-rifle"]})
    offered = [(one.targets[0], one.hexes) for one in table.options if isinstance(one, DeliberateAttack)]

    assert sorted(offered) == sorted(
        (target, hexes) for target in ("59", "73") for hexes in (("58",), ("74",), ("58", "74"))
    )
    assert not [one for one in table.options if isinstance(one, HastyAttack)]


@each_row(
    ("command", "code"),
    [
        (deliberate("58", target="59", to="44"), "deliberate_attack_must_be_without_movement"),
        (order("deliberate-attack", targets=["59", "73"], hexes=["58"]), "deliberate_attack_must_have_one_target"),
        (deliberate("58", target="44"), "deliberate_attack_must_have_one_target"),
        (deliberate("58", "60", target="59"), "attackers_must_be_adjacent_to_target"),
        (deliberate("58", "X", target="59"), "attackers_must_be_adjacent_to_target"),
        (deliberate("58", target="59", units=["german/1"]), "all_units_of_stack_must_attack"),
        (deliberate("58", target="59", units=["soviet/1"]), "unit_must_be_own"),
        (order("deliberate-attack", targets=["59"], hexes=[]), "attackers_must_be_adjacent_to_target"),
        (deliberate("58", target="200"), "hex_must_be_playable"),
    ],
)
def test_a_deliberate_attack_is_refused(command: DeliberateAttack, code: str) -> None:
    """german.deliberate-attack.no-movement, german.deliberate-attack.one-target, german.deliberate-attack.adjacent-stacks,
    german.deliberate-attack.all-units-of-stack
    """
    german = {"58": [PANZER, GRENADIER], "74": [OTHER], "X": [YELLOW]}
    table = scene(german=german, soviet={"59": ["45-rifle"], "73": ["98-rifle"]})

    assert table.refused("german", command) == code


# Two German seats


def test_the_partner_says_which_of_his_stacks_join() -> None:
    """mode.co-op.joint-deliberate-attack, mode.co-op.white-support; ruling.co-op-partner-consent"""
    german = {"58": [YELLOW], "74": [BLUE], "60": ["274-infantry"], "75": [WHITE]}
    table = scene(german=german, soviet={"59": ["45-rifle"]}, mode=CO_OP)
    table.do("yellow", deliberate("58", "60", "74", "75", target="59"))

    assert table.asked == "blue join_attack"
    assert table.refused("yellow", order("reinforce")) == "turn_must_have_one_action"

    table.do("blue", order("join-attack", hex="60", join=False))
    table.do("blue", order("join-attack", hex="74", join=True), dice=[1] * 17, draws=["soviet/aa-7"])

    assert began(table)["hexes"] == ("58", "74", "75")
    assert began(table)["seat"] == "yellow"


def test_a_stack_of_the_seat_on_turn_must_attack() -> None:
    """mode.co-op.active-stack-needed, mode.co-op.white-support"""
    table = scene(german={"58": [YELLOW], "74": [BLUE], "75": [WHITE]}, soviet={"59": ["45-rifle"]}, mode=CO_OP)

    assert table.refused("yellow", deliberate("74", "75", target="59")) == "active_seat_must_attack"
    assert table.refused("yellow", deliberate("75", target="59")) == "active_seat_must_attack"


def test_partners_make_no_hasty_attack_together() -> None:
    """mode.co-op.no-joint-hasty, mode.co-op.no-mixed-stack"""
    table = scene(
        german={"76": [YELLOW], "61": [BLUE], "75": ["274-infantry"]}, soviet={"59": ["45-rifle"]}, mode=CO_OP
    )
    with_partner = hasty(table, [YELLOW], "60", "59", attackers=table.tokens(YELLOW, BLUE))

    assert table.refused("yellow", with_partner) == "partner_must_not_join_hasty_attack"
    assert table.refused("yellow", hasty(table, [YELLOW], "75", "59")) == "partner_must_not_join_hasty_attack"


def test_white_units_do_not_make_the_partners_stack_attack_or_one_that_takes_no_orders() -> None:
    """mode.co-op.no-joint-hasty, mode.co-op.white-stacks, ruling.co-op-white-handover"""
    soviet = {"59": ["45-rifle"]}
    blue = scene(german={"76": [YELLOW, WHITE], "75": [BLUE]}, soviet=soviet, mode=CO_OP)
    white = scene(german={"76": [YELLOW, WHITE], "75": ["577-infantry"]}, soviet=soviet, mode=CO_OP)
    free = scene(german={"76": [YELLOW, WHITE]}, soviet=soviet, mode=CO_OP)

    assert blue.refused("yellow", hasty(blue, [WHITE], "75", "59")) == "partner_must_not_join_hasty_attack"
    assert white.refused("yellow", hasty(white, [WHITE], "75", "59")) == "white_stack_must_be_joined"
    assert hasty(white, [YELLOW], "75", "59") in white.options
    assert hasty(free, [WHITE], "75", "59") in free.options
    assert order("short-move", units=free.tokens(WHITE), to="77") in free.options


def test_no_second_attack_is_made_in_a_turn() -> None:
    """german.deliberate-attack.one-per-turn: it is refused while the Advance is owed, and then the Soviet turn begins."""
    german, soviet = {"58": ["2-panzer", "544-infantry"]}, {"59": ["45-rifle"], "73": ["87-rifle"]}
    table = scene(german=german, soviet=soviet, edges={"45-rifle": 4}, mode=ONE_VS_ONE)
    again = deliberate("58", target="73")
    table.do("german", deliberate("58", target="59"), dice=[1, *[6] * 8])

    assert table.asked == "german advance"
    assert table.refused("german", again) == "turn_must_have_one_action"

    table.do("german", order("choose", items=table.tokens("2-panzer")), is_listed=False)

    assert table.table.turn == SOVIET
    assert table.refused("german", again) == "seat_must_be_on_turn"
