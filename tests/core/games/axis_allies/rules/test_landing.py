"""Cards 6 and 13: air units land, or are lost."""

from collections.abc import Mapping

from core.engine.decision_rules import DecisionRules
from core.engine.selection import Choose, Done, Pick
from core.games.axis_allies.ids import ALLIES, AXIS, BATTLE, GROUND, PHASES
from core.games.axis_allies.memory import TAKEN
from core.games.axis_allies.rules.landing import Landing
from events.ids import PlaceId, Side
from events.vocabulary import PieceRemoved
from tests.support.axis_allies import BOARD, SCENE, Scene, bare
from tests.support.rows import each_row

LANDING = Landing(BOARD)
RULES = DecisionRules(LANDING.decisions, sequences=(LANDING.sequence,))
NUMBERS = {AXIS: (5, 6), ALLIES: (12, 13)}


def landing(
    side: Side,
    flying: Mapping[str, Mapping[str, int]],
    grounded: Mapping[str, Mapping[str, int]] | None = None,
    control: tuple[str, ...] = (),
    captured: tuple[str, ...] = (),
) -> Scene:
    """Let a side land; `captured` zones changed hands in its Attack phase."""
    units = {**flying, **(grounded or {})}
    draft = bare({AXIS: list(control)}, units, flying=list(flying), markers={"pitomnik": BATTLE})
    draft.begin_round(3, SCENE)
    draft.begin_turn(side, SCENE)
    attack, land = NUMBERS[side]
    draft.begin_phase(PHASES[attack], SCENE)
    for zone in captured:
        TAKEN.set(draft, zone, PHASES[attack], SCENE)
    draft.begin_phase(PHASES[land], SCENE)
    scene = Scene(draft, RULES)
    scene.run(lambda beginning: LANDING.sequence.begin(beginning, {"side": side}))
    return scene


def lost(scene: Scene) -> list[str]:
    return [event.rule for event in scene.events if isinstance(event, PieceRemoved)]


@each_row(
    ("side", "kind", "home", "rule"),
    [(AXIS, "ger_fighter", "tatsinskaya", "order.6.land"), (ALLIES, "sov_fighter", "frolovo", "order.13.land")],
)
def test_the_only_airfield_takes_what_is_in_the_air(side: Side, kind: str, home: str, rule: str) -> None:
    fields = ("gumrak", "pitomnik", "oblivskaya")
    blocked = fields if side == AXIS else ("srednyaya_akhtuba",)

    scene = landing(side, {"kotluban": {kind: 2}}, control=fields, captured=blocked)

    assert scene.asked == ""
    assert scene.kinds(home) == [kind, kind]
    assert {scene.table.pieces[piece].face for piece in scene.table.pieces_at(PlaceId(home))} == {GROUND}
    assert {event.rule for event in scene.events} == {rule, "zone.airfield"}


def test_the_owner_assigns_all_landings_and_no_airfield_is_left_with_room_and_a_unit_in_the_air() -> None:
    scene = landing(
        AXIS,
        {"kotluban": {"ger_fighter": 1, "ger_bomber": 1}, "above/crossing_gray": {"ger_bomber": 1}},
        {"oblivskaya": {"ger_bomber": 3}},
        control=("oblivskaya", "pitomnik", "gumrak"),
        captured=("gumrak",),
    )

    assert scene.asked == "axis land"
    assert scene.refused(Done()) == ("air_units_must_land", "order.6.land")
    assert scene.refused(Pick("ger_fighter", "gumrak")) == ("airfield_must_have_been_held", "order.6.land")
    assert scene.refused(Pick("ger_fighter", "frolovo")) == ("airfield_must_have_been_held", "order.6.land")
    assert scene.refused(Pick("ger_fighter", "kalach")) == ("destination_must_have_airfield", "zone.airfield")
    assert scene.refused(Pick("sov_fighter", "pitomnik")) == ("unit_must_be_eligible", "unit.class.air")
    scene.do(Pick("ger_bomber", "oblivskaya"))
    assert scene.refused(Pick("ger_fighter", "oblivskaya")) == ("airfield_must_have_room", "zone.airfield.capacity")
    scene.do(Pick("ger_bomber", "pitomnik"))
    assert scene.refused(Pick("ger_bomber", "pitomnik")) == ("movement_must_suffice", "movement.air.landed-stay")
    scene.do(Pick("ger_fighter", "pitomnik"), Done())

    assert scene.kinds("oblivskaya") == ["ger_bomber"] * 4
    assert sorted(scene.kinds("pitomnik")) == ["ger_bomber", "ger_fighter"]


def test_what_finds_no_room_is_lost_and_its_owner_says_what() -> None:
    fields = ("oblivskaya", "pitomnik", "gumrak")
    full = {zone: {"ger_bomber": 4} for zone in ("tatsinskaya", "pitomnik")}
    scene = landing(
        AXIS,
        {"kotluban": {"ger_fighter": 1, "ger_bomber": 1}},
        {**full, "oblivskaya": {"ger_bomber": 3}},
        fields,
        ("gumrak",),
    )

    scene.do(Pick("ger_fighter", "oblivskaya"))

    assert scene.kinds("oblivskaya")[-1] == "ger_fighter"
    assert lost(scene) == ["order.6.cannot-land"]


def test_without_any_room_everything_in_the_air_is_lost() -> None:
    scene = landing(AXIS, {"kotluban": {"ger_fighter": 2}}, {"tatsinskaya": {"ger_bomber": 4}})

    assert lost(scene) == ["order.6.cannot-land"] * 2


def test_an_airfield_that_was_blitzed_is_open() -> None:
    """order.6.captured-by-blitz-ok"""
    draft = bare(
        {AXIS: ["pitomnik"]}, {"kotluban": {"ger_fighter": 1}, "tatsinskaya": {"ger_bomber": 4}}, flying=["kotluban"]
    )
    draft.begin_turn(AXIS, SCENE)
    draft.begin_phase(PHASES[3], SCENE)
    TAKEN.set(draft, "pitomnik", PHASES[3], SCENE)
    draft.begin_phase(PHASES[6], SCENE)
    scene = Scene(draft, RULES)

    scene.run(lambda beginning: LANDING.sequence.begin(beginning, {"side": AXIS}))

    assert scene.kinds("pitomnik") == ["ger_fighter"]


def test_a_whole_choice_lands_everything_at_once() -> None:
    scene = landing(ALLIES, {"kotluban": {"sov_fighter": 2}})
    choice = Choose(("sov_fighter", "sov_fighter"), ("frolovo", "srednyaya_akhtuba"))

    assert scene.refusal(choice) is None
    scene.run(lambda draft: RULES.take(draft, choice))

    assert (scene.kinds("frolovo"), scene.kinds("srednyaya_akhtuba")) == (["sov_fighter"], ["sov_fighter"])


def test_with_nothing_in_the_air_nothing_happens() -> None:
    assert landing(AXIS, {}).events == []
