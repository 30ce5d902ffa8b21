"""The order of the refusals, row by row: each row breaks what it expects and everything later that can be broken with it."""

from collections.abc import Callable

from core.chance.chance_sources import ManualChance
from core.engine.command import Command
from core.game_files.rulebook import load_rulebook
from core.games.battle.ids import GERMAN
from core.games.battle.rules.refusals import REFUSALS
from tests.support.battle import RULES, SAMPLE, Scene, begun, deck_of, order, place, scene
from tests.support.rows import each_row

INDEX = load_rulebook("core.games.battle")
FIVE = {"r_169_rifle": "GAc", "r_248_rifle": "GEc", "r_84_tank": "DTFc", "r_126_rifle": "TDc", "r_15_guards": "PHc"}
FULL = dict.fromkeys(("g_44_infantry", "g_71_infantry", "g_76_infantry"), "GEc")
HERE = place("GAp", "german")


def ended() -> Scene:
    """The Russian has won."""
    table = scene(forces=FIVE, turn="russian")
    table.do("russian", order("done"), deck_of("russian")[:10])
    return table


def setting_up() -> Scene:
    """The Russian chooses his first Force."""
    draft = begun(ManualChance((), SAMPLE), {})
    RULES.set_up(draft)
    return Scene(draft.table, draft.events)


def actions() -> Scene:
    """The German acts: the 14th Panzer has no Ration, the Grain Elevator is full, an enemy Controls the Docks."""
    forces = {"g_14_panzer": "GAp", "g_16_panzer": "GAp", **FULL, "r_169_rifle": "GAp", "r_6_guards": "TDc"}
    hands = {"german": ["attack", "dive_bombers"], "russian": ["sniper", "rubble"]}
    return scene(forces=forces, hands=hands, tops={"german": "g_24_panzer"})


def move_answered() -> Scene:
    """The Russian is asked about a Move."""
    table = actions()
    table.do("german", order("move", force="g_16_panzer", to=place("TDp", "german")))
    return table


def locked() -> Scene:
    """A Sniper lies on the 16th Panzer."""
    table = move_answered()
    table.play("russian", "sniper")
    return table


def capped() -> Scene:
    """The safety limit of Actions is reached."""
    table = scene(forces={"g_16_panzer": "GAp"}, hands={"german": ["tanks"]}, options={"action_cap": 1})
    table.do("german", order("resupply", card=table.hand("german")[0]))
    return table


def supplying() -> Scene:
    """The German hands out Rations of the Tractor Factory."""
    return scene(forces={"g_16_panzer": "DTFc", "g_14_panzer": "DTFp"}, phase="supply")


def battle(*passes: str, german: tuple[str, ...] = ("fog_of_war", "tanks"), russian: tuple[str, ...] = ()) -> Scene:
    """The German attacks at Gumrak, and these seats pass."""
    table = scene(
        forces={"g_16_panzer": "GAc", "r_169_rifle": "GAc", "r_6_guards": "GAp"},
        rations={"g_16_panzer": 9},
        hands={"german": german, "russian": russian},
    )
    table.do("german", order("attack", location="gumrak_airfield", forces=["g_16_panzer"]))
    table.passes(*passes)
    return table


def firefight() -> Scene:
    """The German chooses a Firefight card."""
    return battle("german")


def sewers() -> Scene:
    """There is no Firefight, and the German is asked once more."""
    table = battle("german", russian=("sewer_warfare", "rubble"))
    table.play("russian", "sewer_warfare")
    return table


def reserves() -> Scene:
    """The Russian's Reserve Forces lie on the table."""
    table = battle("german", russian=("reserve_forces", "rubble"))
    table.play("russian", "reserve_forces", force="r_6_guards")
    return table


def aftermath() -> Scene:
    """The battle is over, and the German is asked."""
    table = battle("german", german=("tanks",))
    table.do("german", order("pass"), ("german/rubble-1", "russian/rubble-6"))
    while table.asked == "russian absorb_hit":
        table.do("russian", order("absorb", force="r_169_rifle", by="destroyed"))
    while table.asked == "german absorb_hit":
        table.do("german", order("absorb", force="g_16_panzer", by="ration"))
    return table


def roamed() -> Scene:
    """The 16th Panzer has made a free Move from Gumrak to the Docks."""
    table = move_answered()
    table.passes("russian")
    return table


def contested() -> Scene:
    """Both sides have Forces without Rations at Gumrak."""
    return scene(forces={"g_14_panzer": "GAc", "g_24_panzer": "GAp", "r_169_rifle": "GAc"})


def sold_out() -> Scene:
    """All German Forces are on the map, three to an Area."""
    shorts = [name + which for name in ("GA", "GE", "DTF", "TD", "PH") for which in "cp"]
    return scene(forces={force: shorts[number // 3] for number, force in enumerate(sorted(RULES.cards.piles[GERMAN]))})


def without_force() -> Scene:
    """The German has neither a Force nor a card."""
    return scene(forces={"r_169_rifle": "GAp"})


def alone() -> Scene:
    """The Russian has no Force on the table."""
    return scene(forces={"g_16_panzer": "GAp"}, turn="russian", hands={"russian": ["fresh_supplies"]})


def lapsed(cost: int) -> Callable[[], Scene]:
    """Return how to let two points lapse before a Force of this Cost."""

    def make() -> Scene:
        top = {1: "g_100_jager", 2: "g_71_infantry", 3: "g_24_panzer"}[cost]
        table = scene(
            forces={"g_16_panzer": "GAp"}, hands={"german": ["reinforcements", "fresh_supplies"]}, tops={"german": top}
        )
        table.play("german", "reinforcements")
        table.play("german", "fresh_supplies")
        return table

    return make


def paying() -> Scene:
    """Two cards are asked for as the price of a Force."""
    table = scene(turn="russian", hands={"russian": ["rubble"] * 3}, tops={"russian": "r_126_rifle"})
    table.do("russian", order("buy-force", force="r_126_rifle", to=place("TDp", "russian")))
    return table


def attacking() -> Scene:
    """Two German Forces can attack; which do is asked."""
    table = scene(
        forces={"g_14_panzer": "GAc", "g_24_panzer": "GAc", "r_169_rifle": "GAc"},
        rations={"g_14_panzer": 2, "g_24_panzer": 2},
    )
    table.do("german", order("attack", location="gumrak_airfield"))
    return table


ROWS: list[tuple[str, Callable[[], Scene], str, Command]] = [
    ("match_must_be_running", ended, "german", order("pass")),
    ("set_up_order_must_be_kept", setting_up, "german", order("move", force="r_169_rifle", to=place("GAc", "russian"))),
    (
        "seat_must_be_acting_player",
        actions,
        "russian",
        order("play-card", card="german/attack-1", force="g_14_panzer", to=HERE),
    ),
    ("seat_must_be_asked", firefight, "russian", order("play-card", card="german/tanks-1")),
    ("action_must_be_resolved", firefight, "german", order("move", force="r_169_rifle", to=place("GAc", "russian"))),
    ("step_must_allow_command", supplying, "german", order("play-card", card="russian/sniper-1")),
    ("actions_must_not_exceed_cap", capped, "german", order("play-card", card="russian/sniper-1")),
    ("card_must_be_in_hand", firefight, "german", order("play-card", card="russian/sniper-1")),
    ("card_must_be_in_hand", sewers, "german", order("fire-card", card="russian/sniper-1")),
    ("card_must_be_in_hand", aftermath, "german", order("fire-card", card="russian/sniper-1")),
    ("card_must_be_in_hand", alone, "russian", order("resupply", card="german/tanks-1")),
    ("card_must_be_in_hand", paying, "russian", order("pick", item="german/tanks-1")),
    ("firefight_must_be_open", aftermath, "german", order("fire-card", card="german/tanks-1")),
    ("firefight_must_take_place", sewers, "german", order("fire-card", card="german/tanks-1")),
    (
        "card_must_be_played_for_value",
        firefight,
        "german",
        order("play-card", card="german/fog_of_war-1", force="r_169_rifle"),
    ),
    (
        "action_must_be_cancellable",
        reserves,
        "german",
        order("play-card", card="german/fog_of_war-1", force="r_169_rifle"),
    ),
    (
        "card_timing_must_fit",
        move_answered,
        "russian",
        order("play-card", card="russian/rubble-1", force="g_16_panzer"),
    ),
    ("force_must_be_own", locked, "german", order("move", force="r_169_rifle", to=place("GAp", "russian"))),
    ("area_must_be_own", locked, "german", order("move", force="g_16_panzer", to=place("GAp", "russian"))),
    ("force_must_not_be_locked", locked, "german", order("move", force="g_16_panzer", to=HERE)),
    ("area_must_differ", sold_out, "german", order("move", force="g_100_jager", to=place("GAc", "german"), free=True)),
    (
        "force_must_come_from_elsewhere",
        actions,
        "german",
        order("play-card", card="german/attack-1", force="g_44_infantry", to=place("GEc", "german")),
    ),
    ("target_must_exist", contested, "german", order("attack", location="mamayev_kurgan", forces=[])),
    ("target_must_exist", actions, "german", order("buy-force", force="g_99_panzer", to=place("TDc", "german"))),
    (
        "target_must_be_in_control_area",
        actions,
        "german",
        order("play-card", card="german/dive_bombers-1", force="r_169_rifle"),
    ),
    ("control_area_must_hold_own_force", contested, "german", order("attack", location="the_docks", forces=[])),
    ("control_area_must_hold_enemy_force", actions, "german", order("attack", location="grain_elevator", forces=[])),
    (
        "control_area_must_hold_enemy_force",
        actions,
        "german",
        order("play-card", card="german/attack-1", force="g_14_panzer", to=place("GEc", "german")),
    ),
    (
        "destination_must_not_be_enemy_controlled",
        actions,
        "german",
        order("move", force="g_14_panzer", to=place("TDc", "german"), free=True),
    ),
    (
        "destination_must_not_be_enemy_controlled",
        actions,
        "german",
        order("buy-force", force="g_60_motorized", to=place("TDc", "german")),
    ),
    (
        "area_must_have_room",
        actions,
        "german",
        order("move", force="g_14_panzer", to=place("GEc", "german"), free=True),
    ),
    ("area_must_have_room", sold_out, "german", order("buy-force", force="g_100_jager", to=place("GAc", "german"))),
    ("free_move_must_not_repeat", roamed, "german", order("move", force="g_16_panzer", to=HERE)),
    (
        "free_move_must_be_left",
        actions,
        "german",
        order("move", force="g_14_panzer", to=place("GAc", "german"), free=True),
    ),
    ("attack_must_have_a_force", attacking, "german", order("done")),
    (
        "attacker_must_be_in_control_area",
        contested,
        "german",
        order("attack", location="gumrak_airfield", forces=["g_14_panzer", "g_24_panzer"]),
    ),
    ("rations_must_suffice", contested, "german", order("attack", location="gumrak_airfield", forces=["g_14_panzer"])),
    (
        "force_deck_must_not_be_empty",
        sold_out,
        "german",
        order("buy-force", force="g_100_jager", to=place("PHp", "german")),
    ),
    ("force_must_be_on_top", lapsed(3), "german", order("buy-force", force="g_14_panzer", to=HERE)),
    ("force_must_be_on_table", without_force, "german", order("resupply", card="")),
    ("points_must_not_have_lapsed", lapsed(2), "german", order("buy-force", force="g_71_infantry", to=HERE)),
    ("cost_must_be_payable", lapsed(3), "german", order("buy-force", force="g_24_panzer", to=HERE)),
    ("payment_must_be_exact", paying, "russian", order("done")),
]


@each_row(("code", "make", "seat", "command"), ROWS)
def test_the_earliest_refusal_answers(code: str, make: Callable[[], Scene], seat: str, command: Command) -> None:
    refusal = make().refusal(seat, command)

    assert refusal.code == code


def test_the_first_refusals_have_their_rows_in_order() -> None:
    """The others never meet each other."""
    order_met = list(dict.fromkeys(row[0] for row in ROWS))

    assert order_met == list(REFUSALS.precedence)[: len(order_met)]
    assert order_met[-1] == "payment_must_be_exact"


def test_the_order_is_that_of_the_rules_index() -> None:
    assert [(one.code, (one.rule, one.text)) for one in INDEX.refusals] == list(REFUSALS.meanings.items())


def test_every_refusal_cites_a_rule_of_the_index() -> None:
    assert {make().refusal(seat, command).rule for _, make, seat, command in ROWS} <= set(INDEX.rules)


NAMED: list[tuple[str, Callable[[], Scene], str, Command]] = [
    ("setup.locations.draw", setting_up, "russian", order("choose-force", force="r_169_rifle", to="nowhere")),
    ("move.one-force", actions, "german", order("move", force="g_295_infantry", to=HERE)),
    ("attack.declare", contested, "german", order("attack", location="mamayev_kurgan", forces=[])),
    ("card.attack", actions, "german", order("play-card", card="german/attack-1", force="g_14_panzer", to="nowhere")),
    (
        "card-attack.target",
        actions,
        "german",
        order("play-card", card="german/dive_bombers-1", force="g_14_panzer"),
    ),
]
"""What is named wrongly, with the rule of the order in which it is named."""


@each_row(("rule", "make", "seat", "command"), NAMED)
def test_a_wrong_name_is_refused_under_the_rule_of_its_order(
    rule: str, make: Callable[[], Scene], seat: str, command: Command
) -> None:
    refusal = make().refusal(seat, command)

    assert (refusal.code, refusal.rule) == ("target_must_exist", rule)


def test_a_force_that_is_not_bought_yet_is_refused_by_its_name() -> None:
    refusal = actions().refusal("german", order("move", force="g_295_infantry", to=HERE))

    assert refusal.sentence == "295th Infantry is not on the table; it must be bought first."
