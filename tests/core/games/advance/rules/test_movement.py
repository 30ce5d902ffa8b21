"""Chapters 8.1 to 8.3: what a step costs and where it may lead; with 7.1, 12.2 and the events that touch movement."""

from core.games.advance.memory import entry_area, movement_left
from core.games.advance.rules.movement import Movement
from core.games.advance.rules.queries import contested_areas, is_vacant
from core.legal.repeats import in_turn
from events.ids import PieceId, PlaceId
from events.vocabulary import PieceMoved
from tests.support.advance import RULES
from tests.support.advance_rounds import BOARD, DONE, STOP, Scene, declare, move, rules_of
from tests.support.rows import each_row

FAR = {"40": "L5"}
FOUR_71 = "71/191 71/194 71/211 244A"


def left(scene: Scene, name: str) -> int:
    """Return the MF that a moving unit has left, -1 if its move is over."""
    return movement_left(scene.table, PieceId(name)) or -1


def active(german: dict[str, str], soviet: dict[str, str], area: str, **more: str) -> Scene:
    """Set a scene in which an Area has just been activated."""
    scene = Scene(german, soviet, spent=more.get("spent", ""))
    scene.activate(area)
    return scene


def test_units_step_between_adjacent_areas_only() -> None:
    """3.1.adjacency: 6 touches 8, not 10."""
    scene = active({"6": "29/RCN"}, FAR, "6")

    assert scene.refusal(move("29/RCN", "10")) == "areas_must_be_adjacent"
    assert scene.refusal(move("29/RCN", "8")) == ""


def test_there_are_no_other_areas() -> None:
    """3.1.fifty-areas."""
    scene = active({"6": "29/RCN"}, FAR, "6")

    assert scene.refusal(move("29/RCN", "51")) == "area_must_exist"


def test_a_unit_goes_from_area_to_area_and_pays_for_each() -> None:
    """8.1.step-adjacent (V16): 2 MF to 5, then all of the 4 that are left for Unrevealed 7."""
    scene = active({"6": "29/RCN 29/PZ"}, {"7": "?"}, "6")
    scene.move("29/RCN", "5")

    assert left(scene, "29/RCN") == 4

    scene.move("29/RCN", "7")

    assert scene.at("7") == "29/RCN soviet/7"


@each_row(
    ("soviet", "cost", "rule"),
    [
        ({}, 1, "8.2.cost-vacant"),
        ({"9": "?"}, 2, "8.2.cost-vacant-near-soviet"),
        ({"9": "L5"}, 2, "8.2.cost-vacant-near-soviet"),
        ({"5": "L5"}, 3, "8.2.cost-revealed"),
        ({"5": "?"}, 4, "8.2.cost-unrevealed"),
        ({"5": "?", "9": "?", "7": "L5"}, 4, "8.2.cost-unrevealed"),
        ({"5": "L5", "9": "?"}, 3, "8.2.cost-revealed"),
    ],
)
def test_the_highest_cost_that_fits_is_paid_and_that_alone(soviet: dict[str, str], cost: int, rule: str) -> None:
    """8.2.costs, 8.2.highest: the one Area, with different units in it and around it."""
    scene = Scene({"6": "29/RCN"}, {**FAR, **soviet})
    scene.activate("6")

    assert Movement(BOARD).cost(scene.table, PlaceId("5")) == (cost, rule)
    assert rule in rules_of(scene.move("29/RCN", "5"))


def test_a_vacant_area_costs_1() -> None:
    """8.2.cost-vacant: no neighbour of 5 holds a Soviet unit."""
    scene = active({"6": "29/RCN"}, FAR, "6")
    scene.move("29/RCN", "5")

    assert left(scene, "29/RCN") == 5


def test_a_vacant_area_beside_the_contested_one_just_left_costs_2() -> None:
    """8.2.cost-vacant-near-soviet, 8.2.contested-exit-cost: leaving costs nothing by itself."""
    scene = active({"10": "24/PZ"}, {"10": "L5"}, "10")
    scene.move("24/PZ", "8")

    assert left(scene, "24/PZ") == 4


def test_a_revealed_unit_costs_3_and_ends_the_move() -> None:
    """8.2.cost-revealed, 8.2.stop-at-soviet: the MF that are left are of no use."""
    scene = active({"8": "29/RCN 29/PZ"}, {"10": "L5"}, "8")
    scene.move("29/RCN", "10")

    assert left(scene, "29/RCN") == -1
    assert scene.refusal(move("29/RCN", "12")) == "unit_must_stop"


def test_every_entrant_pays_4_for_an_unrevealed_unit() -> None:
    """8.2.cost-unrevealed (W5): entering reveals nothing."""
    scene = active({"8": "29/15 29/71 29/PZ 29/RCN"}, {"10": "?"}, "8")
    moves = scene.move("29/15 29/71 29/PZ 29/RCN", "10")

    rules = [event.rule for event in moves if isinstance(event, PieceMoved)]
    assert rules == ["8.2.cost-unrevealed"] * 4


def test_terrain_costs_nothing() -> None:
    """8.2.costs: Mamayev Kurgan is entered at the cost of any other Area of its kind."""
    scene = active({"19": "24/PZ"}, FAR, "19")
    scene.move("24/PZ", "21")

    assert left(scene, "24/PZ") == 5


def test_a_step_is_refused_where_the_mf_do_not_cover_it() -> None:
    """8.2.enough-mf (V15): there is no guaranteed step."""
    scene = active({"6": "29/15"}, {"7": "?"}, "6")
    scene.move("29/15", "5")

    assert scene.refusal(move("29/15", "7")) == "movement_must_suffice"


def test_a_moving_unit_may_stop_and_is_spent_at_once() -> None:
    """8.2.may-stop, 8.1.spent-after-move: MF not used are lost."""
    scene = active({"3": "24/PZ 24/26"}, FAR, "3")
    scene.move("24/PZ", "4")
    events = scene.play(STOP)

    assert "8.1.spent-after-move" in rules_of(events)
    assert scene.spent() == "24/PZ"


def test_nothing_is_stopped_where_nothing_moves() -> None:
    """8.2.may-stop."""
    scene = active({"3": "24/PZ 24/26"}, FAR, "3")

    assert scene.refusal(STOP) == "unit_must_still_be_moving"


def test_a_move_ends_by_itself_where_no_step_could_follow() -> None:
    """8.1.spent-after-move: infantry that has used up its MF."""
    scene = active({"6": "29/15 29/71"}, {"7": "?"}, "6")
    scene.move("29/15", "5", "6")

    assert scene.spent() == "29/15"


def test_starting_another_unit_ends_the_move_of_the_one_before() -> None:
    """8.1.one-at-a-time."""
    scene = active({"3": "24/PZ 24/26"}, FAR, "3")
    scene.move("24/PZ", "4")
    scene.move("24/26", "4")

    assert scene.spent() == "24/PZ"
    assert scene.refusal(move("24/PZ", "5")) == "unit_must_still_be_moving"
    assert scene.refusal(move("24/26", "5")) == ""


def test_two_units_are_moved_at_once_only_where_the_first_could_not_go_on() -> None:
    """8.1: in the Vacant Area 5 the first one has MF left, and is Spent as soon as the second one moves; in 7 both stop to attack."""
    scene = active({"6": "29/RCN 29/PZ"}, {"7": "?"}, "6")
    tried = {to: in_turn(RULES, scene.table, (move("29/RCN", to), move("29/PZ", to)), 9) for to in ("5", "7")}

    assert tried == {"5": (), "7": (1, 1)}


def test_an_entrant_that_does_not_attack_is_spent_when_the_round_ends() -> None:
    """8.1.spent-after-move: 10 was Contested before, so nothing forces it to attack."""
    scene = active({"8": "29/PZ 29/15", "10": "71/191"}, {"10": "L5"}, "8", spent="71/191")
    scene.move("29/PZ", "10")

    assert scene.spent() == "71/191"

    scene.play(DONE)

    assert scene.spent() == "29/PZ 71/191"


def test_soviet_units_take_no_orders() -> None:
    """8.1.2.soviets-never-move."""
    scene = active({"8": "29/PZ"}, {"10": "L5"}, "8")

    assert scene.refusal(move("soviet/10", "8")) == "unit_must_be_german"


@each_row("name", ["14/PZ", "29/RCN", "100/54", "nobody"])
def test_units_that_are_not_on_the_map_take_no_orders(name: str) -> None:
    """4.3.factory-only-units, 4.3.1.spent-inert: of another scenario, Out of Action, still to come, or unheard of."""
    scene = Scene({"8": "29/PZ", "reinforcements/t7": "100/54"}, FAR, out="29/RCN")
    scene.activate("8")

    assert scene.refusal(move(name, "9")) == "unit_must_be_in_active_area"


@each_row("to", ["5", "10"])
def test_a_full_area_is_closed(to: str) -> None:
    """7.1.no-entry-when-full, 7.1.german-four, 8.3.1.overstacking (V18): Vacant or Contested, to stay or to pass."""
    scene = active({"6": "29/RCN", "8": "29/PZ", to: FOUR_71}, {"10": "L5"}, "6" if to == "5" else "8")
    name = "29/RCN" if to == "5" else "29/PZ"

    assert scene.refusal(move(name, to)) == "stacking_limit_must_hold"


def test_the_fourth_unit_may_enter_a_soviet_occupied_area() -> None:
    """7.1.no-entry-when-full, 7.1.soviet-one: the Soviet unit takes no room of the German ones."""
    scene = active({"8": "29/15 29/71 29/PZ 29/RCN"}, {"10": "?"}, "8")
    scene.move("29/15 29/71 29/PZ", "10")

    assert scene.refusal(move("29/RCN", "10")) == ""


def test_entering_contests_an_area_without_taking_it() -> None:
    """7.3.contested, 7.2.soviet-presence, 7.2.always-controlled."""
    scene = active({"8": "29/15 29/71 29/PZ 29/RCN"}, {"10": "?"}, "8")
    scene.move("29/15 29/71 29/PZ 29/RCN", "10")

    assert PlaceId("10") in contested_areas(scene.table, BOARD)
    assert not is_vacant(scene.table, PlaceId("10"))


def test_a_vacant_area_stays_german_when_it_is_left() -> None:
    """7.4.vacant-is-german (W16)."""
    scene = active({"7": "29/PZ"}, FAR, "7")
    scene.move("29/PZ", "6")

    assert is_vacant(scene.table, PlaceId("7"))


def test_from_a_contested_area_no_soviet_unit_is_reached_directly() -> None:
    """8.3.2.first-vacant (V17)."""
    scene = active({"10": "24/RCN"}, {"10": "L5", "12": "?"}, "10")

    assert scene.refusal(move("24/RCN", "12")) == "contested_exit_must_be_to_vacant"


def test_after_a_vacant_area_the_same_move_may_go_on_against_a_soviet_unit() -> None:
    """8.3.2.then-onward: armor has the MF for it, infantry has not."""
    scene = active({"10": "24/RCN 71/191"}, {"10": "L5", "7": "?"}, "10")
    scene.move("24/RCN", "8", "7")
    scene.move("71/191", "8")

    assert scene.refusal(DONE) == "mandatory_attack_must_be_resolved"
    assert scene.refusal(move("71/191", "7")) == "movement_must_suffice"
    assert scene.at("7") == "24/RCN soviet/7"


def test_a_unit_may_go_back_into_the_contested_area_that_it_left() -> None:
    """8.3.2.then-onward, ruling.contested-exit: as an entrant, who fights apart."""
    scene = active({"10": "24/PZ 24/RCN"}, {"10": "L5"}, "10")
    scene.move("24/PZ", "8", "10")

    assert left(scene, "24/PZ") == -1
    assert scene.refusal(declare("10", "24/PZ")) == ""
    assert entry_area(scene.table, PieceId("24/PZ")) == "8"


def test_units_may_go_to_different_areas_one_after_the_other() -> None:
    """8.2.1.different-destinations: after seeing how the first attack went."""
    scene = active({"8": "29/15 29/71 29/PZ"}, {"10": "L13", "7": "?"}, "8")
    scene.move("29/15 29/71", "10")
    scene.attack("10", "29/15 29/71")
    scene.lead("29/15", dice=(1, 1, 6, 6))
    scene.move("29/PZ", "7")

    assert scene.refusal(declare("7", "29/PZ")) == ""


@each_row(("pause", "rule"), [(7, "6.2.chart.7-8"), (8, "6.2.chart.7-8"), (13, "6.2.chart.13-14")])
def test_paused_units_take_no_orders(pause: int, rule: str) -> None:
    """6.2.chart.7-8, 6.2.chart.13-14: the others in the Area do; guns are never paused."""
    scene = Scene({"2": "71/191 244B"}, FAR, event={"paused": ("division/71",), "event_roll": pause})
    scene.activate("2")

    assert scene.refusal(move("71/191", "3")) == "unit_must_not_be_paused"
    assert scene.broken_rule(move("71/191", "3")) == rule
    assert scene.refusal(move("244B", "3")) == ""


def test_rain_leaves_armor_4_mf() -> None:
    """14.6.1.rain (V23): the same way with and without it."""
    codes: list[str] = []
    for event in ({}, {"rain": 4}):
        scene = Scene({"34": "245A"}, {"44": "C3"}, scenario="factory", event=event)
        scene.activate("34")
        scene.move("245A", "45")
        codes.append(scene.refusal(move("245A", "44")))

    assert codes == ["", "movement_must_suffice"]


@each_row(
    ("name", "start", "to", "code"),
    [
        ("16/RCN", "50", "42", ""),
        ("16/RCN", "50", "49", ""),
        ("16/RCN", "42", "41", "northern_units_must_stay_north"),
        ("24/PZ", "41", "42", ""),
        ("24/PZ", "42", "41", ""),
    ],
)
def test_northern_units_stay_in_the_north(name: str, start: str, to: str, code: str) -> None:
    """12.2.northern-shoulder: 42 to 47 and 48 to 50 are theirs; others are not bound."""
    scene = Scene({start: name}, {"10": "L5"}, options={"northern_shoulder": True})
    scene.activate(start)

    assert scene.refusal(move(name, to)) == code


@each_row(
    ("name", "start", "to", "code"),
    [
        ("16/RCN", "50", "42", ""),
        ("16/RCN", "50", "49", "northern_units_must_stay_north"),
        ("16/RCN", "45", "49", "northern_units_must_stay_north"),
        ("16/RCN", "45", "46", ""),
        ("24/PZ", "45", "49", ""),
    ],
)
def test_northern_units_may_be_kept_out_of_their_set_up_areas(name: str, start: str, to: str, code: str) -> None:
    """12.2.northern-shoulder, ruling.northern-area-set: by the letter 42 to 47 are all they may enter."""
    scene = Scene(
        {start: name},
        {"10": "L5"},
        options={"northern_shoulder": True, "northern_shoulder_areas": "42-to-47"},
    )
    scene.activate(start)

    assert scene.refusal(move(name, to)) == code


def test_the_reading_of_the_northern_shoulder_binds_no_unit_without_it() -> None:
    """12.2.northern-shoulder: ruling.northern-area-set settles nothing where 12.2 is off."""
    scene = Scene({"50": "16/RCN"}, {"10": "L5"}, options={"northern_shoulder_areas": "42-to-47"})
    scene.activate("50")

    assert scene.refusal(move("16/RCN", "49")) == ""


def test_without_the_northern_shoulder_all_units_roam_freely() -> None:
    """12.2.northern-shoulder is off by default, ruling.northern-area-set."""
    scene = active({"42": "16/RCN"}, {"10": "L5"}, "42")

    assert scene.refusal(move("16/RCN", "41")) == ""


def test_the_rain_is_why_armor_stops() -> None:
    """14.6.1.rain, 8.2.enough-mf: a step that the printed MF would allow is refused under the rule of the Rain, no other."""
    rain = {"rain": 4, "event_roll": 7, "air_ban": True}
    scene = Scene({"34": "245A 389/544"}, {"44": "C5", "43": "?"}, event=rain, scenario="factory")
    scene.activate("34")
    scene.move("245A", "45")

    assert scene.broken_rule(move("245A", "44")) == "14.6.1.rain"
    dry = Scene({"34": "389/544"}, {"44": "C5", "43": "?"}, event=rain, scenario="factory")
    dry.activate("34")
    dry.move("389/544", "45")
    assert dry.broken_rule(move("389/544", "44")) == "8.2.enough-mf"
