"""The question whether a supply token is spent."""

from random import Random

from core.engine.decision_rules import DecisionRules
from core.engine.selection import Pick, onward
from core.games.axis_allies.components.supply_lines import is_supplied
from core.games.axis_allies.ids import ALLIES, ASSAULT, AXIS, AXIS_SEAT, BATTLE, POOL, token
from core.games.axis_allies.memory import ALL, LAUNCHERS, SUPPLIED, TOKEN_SPENT, TOKENS_KEPT
from core.games.axis_allies.rules.commands import Decline, FightUnsupplied, KeepTokens, Spend
from core.games.axis_allies.rules.supply import BOMBARDMENT_USE, SPENDING, Tokens
from events.ids import PlaceId
from events.vocabulary import AttributeSet, PieceMoved, RuleApplied
from tests.support.axis_allies import BOARD, Scene, bare
from tests.support.axis_allies_fights import KALACH, PITOMNIK, RACE_CONTROL, attack_phase, contested, fought, throws
from tests.support.desk import Desk
from tests.support.rows import each_row

VERTYACHII = PlaceId("vertyachii")

Held = dict[str, dict[str, int]]


def test_a_token_supplies_a_force_for_one_combat() -> None:
    """RuleId("supply.token.spend"), RuleId("combat.step1.supply-status")."""
    draft = contested({"ger_infantry": 1, "sov_infantry": 1}, "pitomnik", BATTLE, held={AXIS: {"pitomnik": 1}})
    scene = fought(draft)

    assert scene.asked == "axis spend_token"
    assert scene.options == [Spend(PITOMNIK), FightUnsupplied(), KeepTokens()]
    assert scene.refused(Decline())[0] == "decision_must_be_open"

    events = scene.do(Spend(PITOMNIK), dice=(6, 6))

    assert throws(events) == [(1, 1, []), (1, 2, [])]
    assert [(event.piece, event.to, event.rule) for event in events if isinstance(event, PieceMoved)] == [
        (token(1), POOL[ALLIES], "supply.token.spend")
    ]
    assert TOKEN_SPENT.of(scene.table, AXIS) is None
    assert not is_supplied(scene.table, BOARD, PITOMNIK, AXIS)


def test_a_force_may_fight_unsupplied_and_keep_the_token() -> None:
    """RuleId("supply.token.optional"), RuleId("combat.mod.unsupplied")."""
    draft = contested({"ger_tank": 1, "sov_infantry": 1}, "pitomnik", BATTLE, held={AXIS: {"pitomnik": 1}})
    scene = fought(draft)
    events = scene.do(FightUnsupplied(), dice=(6, 6))
    kept = [event.about for event in events if isinstance(event, RuleApplied) and event.rule == "supply.token.optional"]

    assert kept == [PITOMNIK]
    assert throws(events)[0] == (1, 3, [-1])
    assert scene.table.pieces[token(1)].place == PITOMNIK


def test_a_supplied_force_may_spend_a_token_but_not_fight_unsupplied() -> None:
    """RuleId("supply.token.spend-when-supplied"), RuleId("combat.step1.supply-status"), ruling.token-timing."""
    draft = contested({"ger_tank": 1, "sov_infantry": 1}, held={ALLIES: {"kalach": 1}, AXIS: {"kalach": 1}})
    scene = fought(draft)

    assert scene.asked == "axis spend_token", "the attacker decides first"
    assert scene.refused(FightUnsupplied()) == ("supplied_force_must_fight_supplied", "combat.step1.supply-status")

    scene.do(Decline())

    assert scene.asked == "allies spend_token"
    assert scene.refused(FightUnsupplied())[0] == "supplied_force_must_fight_supplied"

    events = scene.do(Spend(KALACH), dice=(6, 6))

    assert throws(events) == [(1, 3, []), (1, 2, [])]
    assert next(event.rule for event in events if isinstance(event, PieceMoved)) == "supply.token.spend-when-supplied"


@each_row(
    ("at", "refusal"),
    [
        ("pitomnik", ("token_must_be_own", "supply.token.ownership")),
        ("kalach", ("token_must_be_own", "supply.token.ownership")),
        ("tatsinskaya", ("token_must_be_reachable", "supply.token.path")),
        ("rynok", ("token_must_be_reachable", "supply.token.path")),
        ("pool/axis", ("token_must_be_reachable", "supply.token.path")),
    ],
)
def test_a_token_must_be_own_and_in_reach(at: str, refusal: tuple[str, str]) -> None:
    """RuleId("supply.token.ownership"), RuleId("supply.token.path"), RuleId("supply.token.path-limits")."""
    held: Held = {AXIS: {"vertyachii": 1, "tatsinskaya": 1, "rynok": 1}, ALLIES: {"pitomnik": 1}}
    scene = fought(contested({"ger_infantry": 1, "sov_infantry": 1}, "pitomnik", held=held))

    assert scene.options == [Spend(VERTYACHII), FightUnsupplied(), KeepTokens()]
    assert scene.refused(Spend(PlaceId(at))) == refusal


def test_either_of_two_pockets_may_use_the_token_in_a_hostile_zone() -> None:
    """RuleId("supply.token.path"), RuleId("supply.token.one-zone"). Vector T9: after one force spent it, the other fights unsupplied."""
    units = {zone: {"ger_infantry": 1, "sov_infantry": 1} for zone in ("vertyachii", "pitomnik")}
    markers = {"vertyachii": ASSAULT, "pitomnik": ASSAULT}
    draft = bare({AXIS: ["gumrak"]}, units, {AXIS: {"vertyachii": 1, "tatsinskaya": 1}}, markers)
    scene = fought(attack_phase(draft))

    assert scene.do(Pick("pitomnik"))
    assert scene.options == [Spend(VERTYACHII), FightUnsupplied(), KeepTokens()]

    events = scene.do(Spend(VERTYACHII), dice=(6, 6, 6))

    assert throws(events) == [(1, 1, []), (1, 2, []), (1, 2, [])], "the infantry in Vertyachii rolls no die"


def test_a_side_may_keep_its_tokens_for_the_rest_of_the_phase() -> None:
    """RuleId("supply.token.optional"), RuleId("combat.mod.unsupplied"). Only the side that says so is not asked again."""
    units = {zone: {"ger_tank": 1, "sov_infantry": 1} for zone in ("vertyachii", "pitomnik")}
    held: Held = {AXIS: {"vertyachii": 1, "pitomnik": 1}, ALLIES: {"pitomnik": 1}}
    draft = bare({AXIS: ["gumrak"]}, units, held, {"vertyachii": ASSAULT, "pitomnik": ASSAULT})
    scene = fought(attack_phase(draft))
    scene.do(Pick("vertyachii"))
    scene.do(KeepTokens())

    assert TOKENS_KEPT.of(scene.table, AXIS) == ALL
    assert scene.asked == "allies spend_token", "the other side is asked still"

    scene.do(Decline(), dice=(6, 6))

    assert scene.asked == "allies spend_token", "in the other zone the Axis is not asked"

    events = scene.do(Decline(), dice=(6, 6))

    assert throws(events)[0] == (1, 3, [-1])
    assert {scene.table.pieces[token(number)].place for number in (1, 2)} == {VERTYACHII, PITOMNIK}


def test_a_side_that_keeps_its_tokens_where_it_is_supplied_is_asked_where_it_is_not() -> None:
    """RuleId("supply.token.optional"): nothing is given up for the force in Pitomnik; Kotluban is supplied as Kalach is."""
    units = {zone: {"ger_tank": 1, "sov_infantry": 1} for zone in ("kalach", "kotluban", "pitomnik")}
    held: Held = {AXIS: dict.fromkeys(units, 1)}
    control: dict[str, list[str]] = {AXIS: [*RACE_CONTROL, "kotluban"]}
    scene = fought(attack_phase(bare(control, units, held, dict.fromkeys(units, ASSAULT))))
    scene.do(Pick("kalach"))
    events = scene.do(KeepTokens(), dice=(6, 6))
    (kept,) = [event for event in events if isinstance(event, AttributeSet) and event.key == TOKENS_KEPT.key]

    assert (kept.on, kept.value, kept.seen_by) == (AXIS, SUPPLIED, (AXIS_SEAT,))

    scene.do(Pick("kotluban"), dice=(6, 6))

    assert scene.asked == "axis spend_token", "in Pitomnik"
    assert FightUnsupplied() in scene.options


def test_aircraft_alone_need_no_token() -> None:
    """RuleId("supply.token.spend")."""
    held: Held = {AXIS: {"pitomnik": 1}}
    scene = fought(contested({"ger_fighter": 1, "sov_infantry": 1}, "pitomnik", held=held), 6)

    assert not scene.table.stack


def test_the_order_of_combats_decides_on_supply() -> None:
    """RuleId("combat.order"), RuleId("supply.continuous"). Vector T6: the landing is taken first, and supplies the next attackers."""
    city = [zone for zone in BOARD.zones if BOARD.zones[zone].is_city and not BOARD.zones[zone].base]
    soviet = ("pavlovs_house", "krasnaya_sloboda")
    region = [zone for zone, there in BOARD.zones.items() if not there.is_city and not there.base]
    control: dict[str, list[str]] = {AXIS: [*region, *[zone for zone in city if zone not in soviet]]}
    units = {
        "grain_elevator": {"sov_tank": 1, "ger_infantry": 1},
        "army_camp": {"sov_infantry": 1, "ger_infantry": 1},
        "pavlovs_house": {"sov_infantry": 1},
    }
    markers = {"grain_elevator": BATTLE, "army_camp": ASSAULT}
    draft = bare(control, units, markers=markers, ferries=["crossing_white"])
    scene = fought(attack_phase(draft, ALLIES))

    assert not is_supplied(scene.table, BOARD, PlaceId("army_camp"), ALLIES)

    events = scene.do(Pick("grain_elevator"), dice=(3, 6, 6, 6))

    assert throws(events)[2] == (1, 1, []), "the infantry in the Army Camp attacks supplied"
    assert scene.table.control[PlaceId("grain_elevator")] == ALLIES
    assert not is_supplied(scene.table, BOARD, PlaceId("pavlovs_house"), ALLIES)


def test_a_token_supplies_the_rocket_launchers_of_a_zone() -> None:
    """RuleId("unit.rocket.bombardment.eligible"), ruling.token-timing."""
    question = Tokens(BOARD)
    draft = bare({AXIS: RACE_CONTROL}, {"rynok": {"sov_rocket_launcher": 2}}, {ALLIES: {"rynok": 1}})
    scene = Scene(attack_phase(draft, ALLIES), DecisionRules({SPENDING: question.question}))
    rynok = PlaceId("rynok")

    assert question.can_spend(scene.table, rynok, ALLIES)
    assert not question.can_spend(scene.table, KALACH, ALLIES), "no land unit is there"

    scene.run(lambda begun: question.ask(begun, rynok, ALLIES, BOMBARDMENT_USE))

    assert scene.options == [Spend(rynok), Decline(), KeepTokens()]

    scene.do(Spend(rynok))

    assert LAUNCHERS.of(scene.table, rynok) == SUPPLIED
    assert TOKEN_SPENT.of(scene.table, ALLIES) is None


def test_a_fork_of_the_enemy_deals_anew_for_which_forces_tokens_are_kept() -> None:
    """match.resample: the enemy knows only that something is noted."""
    desk, rng = Desk.open("axis_allies", "race", seed="1"), Random(1)
    while KeepTokens() not in desk.options():
        desk.accept(rng.choice(onward(desk.options())))
    asked = desk.table.top
    assert asked is not None
    desk.accept(KeepTokens())
    table = desk.table
    side = table.side_of(asked.seat)
    other = next(seat for seat in table.seats if seat != asked.seat)
    kept = {
        TOKENS_KEPT.of(
            desk.fork(table.seq, "seeded", f"fork {number}", other, hidden="resample", seed=str(number)).table, side
        )
        for number in range(8)
    }

    assert kept == {SUPPLIED, ALL}
