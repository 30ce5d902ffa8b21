"""Chapter 9.5.8: retreats, one by one, to the entry Area or on through it."""

from core.games.advance.ids import OUT_OF_ACTION
from core.games.advance.rules.commands import RetreatTo
from events.vocabulary import PieceMoved
from tests.support.advance_rounds import BREAK_OFF, DONE, Scene, next_unit, retreat_to, rules_of
from tests.support.rows import each_row

LOST = (1, 1, 6, 6)
FOUR_71 = "71/191 71/194 71/211 244A"
FOUR_94 = "94/267 94/274 94/276 244B"
FULL = "295/516 295/517 295/518 245A"


def two_ways() -> Scene:
    """Set a scene in which 29/15 and 29/PZ enter 10 from 8 and 29/RCN over 9."""
    scene = Scene({"8": "29/15 29/PZ 29/RCN 29/71"}, {"10": "H3"})
    scene.activate("8")
    scene.move("29/15 29/PZ", "10")
    scene.move("29/RCN", "9", "10")
    scene.attack("10", "29/15 29/PZ 29/RCN")
    return scene


def full_entry(names: str = "24/PZ", beside: dict[str, str] | None = None) -> Scene:
    """Set a scene in which units enter 10 over 8, which is then filled up by other units of Active Area 6.

    Units from 6 go to 8 before the attack on 10: one that passed through 8 finds it full on its way back. The other
    neighbours of 8 are 6, 7 (Soviet-occupied) and 9.
    """
    scene = Scene({"6": f"{names} 94/267", "8": "71/191 71/194 71/211", **(beside or {})}, {"10": "H3", "7": "?"})
    scene.activate("6")
    scene.move(names, "8", "10")
    scene.move("94/267", "8")
    return scene


def test_each_unit_goes_back_to_its_own_entry_area() -> None:
    """9.5.8.entry-area: Spent, without a question where there is room."""
    scene = two_ways()
    events = scene.lead("29/15", dice=LOST)

    moves = [(event.piece, event.to, event.rule) for event in events if isinstance(event, PieceMoved)]
    assert ("29/PZ", "8", "9.5.8.entry-area") in moves
    assert ("29/RCN", "9", "9.5.8.entry-area") in moves
    assert scene.spent() == "29/PZ 29/RCN"


def test_a_full_entry_area_is_passed_on_the_players_choice() -> None:
    """9.5.8.full-area, 7.1.retreat-through: Vacant neighbours with room; not the Soviet-occupied 7, not 8 itself."""
    scene = full_entry("24/PZ 24/26")
    scene.attack("10", "24/26 24/PZ")
    scene.lead("24/26", dice=LOST)

    assert scene.asked == "retreat_to"
    assert scene.options == [retreat_to("6"), retreat_to("9")]
    assert [scene.refusal(retreat_to(area)) for area in ("7", "8", "12", "51")] == [
        "retreat_must_end_in_room",
        "retreat_must_end_in_room",
        "retreat_must_end_in_room",
        "area_must_exist",
    ]
    assert scene.refusal(DONE) == "decision_must_be_open"

    scene.play(retreat_to("9"))

    assert (scene.at("9"), scene.at("8")) == ("24/PZ", "71/191 71/194 71/211 94/267")


def test_a_single_way_on_is_taken_without_a_question() -> None:
    """9.5.8.full-area."""
    scene = full_entry("24/PZ 24/26", {"9": FULL})
    scene.attack("10", "24/26 24/PZ")
    scene.lead("24/26", dice=LOST)

    assert scene.at("6") == "24/PZ"


def test_where_all_neighbours_are_full_the_retreat_goes_on_through_them() -> None:
    """9.5.8.full-area, ruling.retreat-overflow: to the nearest Vacant Areas with room, through Vacant ones alone."""
    german = {"16": "24/PZ 24/26 94/267", "11": "71/191 71/194 71/211", "4": "29/15 29/71 29/PZ 29/RCN", "9": FULL}
    scene = Scene(german, {"16": "L5", "10": "H3", "12": "?", "7": "?"})
    scene.activate("16")
    scene.move("24/PZ 24/26", "11", "10")
    scene.move("94/267", "11")
    scene.attack("10", "24/26 24/PZ")
    scene.lead("24/26", dice=LOST)

    assert scene.options == [retreat_to("3"), retreat_to("5"), retreat_to("8")]


def test_a_unit_that_finds_no_room_at_all_goes_out_of_action() -> None:
    """9.5.8.full-area, ruling.retreat-overflow: without a change of Morale for it."""
    scene = Scene(
        {"50": "16/64 16/79 24/26 24/PZ", "49": FOUR_71, "48": FOUR_94},
        {"42": "L9", "43": "?", "44": "?", "45": "?", "46": "?", "47": "?"},
    )
    scene.activate("50")
    scene.move("16/64", "42")
    scene.attack("42", "16/64", dice=LOST)

    assert scene.at(OUT_OF_ACTION) == "16/64"
    assert scene.morale == 11


def test_the_order_is_asked_for_where_an_entry_area_cannot_take_all() -> None:
    """9.5.8.one-by-one, 9.5.8.barrage-too (W19): one finds room in 8, the other goes on."""
    scene = Scene({"6": "24/PZ 24/26 94/267", "8": "71/191 71/194"}, {"10": "?", "7": "?"})
    scene.activate("6")
    scene.move("24/PZ 24/26", "8", "10")
    scene.move("94/267", "8")
    scene.attack("10", "24/26 24/PZ", counter="H2")
    events = scene.play(BREAK_OFF)

    assert "9.5.8.barrage-too" in rules_of(events)
    assert scene.asked == "retreat_order"
    assert scene.options == [next_unit("24/26"), next_unit("24/PZ")]
    assert scene.refusal(next_unit("94/267")) == "retreat_must_reach_entry_area"
    assert scene.refusal(DONE) == "decision_must_be_open"

    scene.play(next_unit("24/PZ"))

    assert scene.at("8") == "24/PZ 71/191 71/194 94/267"
    assert scene.asked == "retreat_to"

    scene.play(retreat_to("6"))

    assert (scene.at("6"), scene.spent()) == ("24/26", "24/26 24/PZ 94/267")


def test_no_other_area_is_chosen_while_the_entry_area_has_room() -> None:
    """9.5.8.entry-area: the question is who goes next, not where to."""
    scene = Scene({"6": "24/PZ 24/26 94/267", "8": "71/191 71/194"}, {"10": "?", "7": "?"})
    scene.activate("6")
    scene.move("24/PZ 24/26", "8", "10")
    scene.move("94/267", "8")
    scene.attack("10", "24/26 24/PZ", counter="H2")
    scene.play(BREAK_OFF)

    assert scene.refusal(retreat_to("9")) == "retreat_must_reach_entry_area"


def test_the_order_is_not_asked_for_where_all_find_room() -> None:
    """9.5.8.one-by-one."""
    scene = two_ways()
    scene.lead("29/15", dice=LOST)

    assert scene.asked == "act"


def test_the_area_under_attack_does_not_hinder_a_retreat() -> None:
    """8.2.1.no-entry-after-attack: an attacked Area is closed to moves, not to retreats."""
    scene = Scene({"8": "29/PZ 29/RCN 29/15"}, {"7": "L5", "10": "H3"})
    scene.activate("8")
    scene.move("29/15", "7")
    scene.attack("7", "29/15", dice=(6, 6, 1, 1))
    scene.move("29/PZ 29/RCN", "10")
    scene.attack("10", "29/PZ 29/RCN")
    scene.lead("29/PZ", dice=LOST)

    assert scene.at("8") == "29/RCN"


@each_row("reading", ["42-to-50", "42-to-47"])
@each_row(("is_bound", "places"), [(True, []), (False, ["40", "41", "50"])])
def test_northern_units_stay_in_the_north_when_they_retreat(is_bound: bool, places: list[str], reading: str) -> None:
    """12.2.northern-shoulder, 9.5.8.full-area: what they may not enter they do not retreat into either, but 50 they may."""
    german = {"50": "16/64 16/79 94/267", "42": "71/191 71/194 71/211"}
    scene = Scene(german, {"43": "E2"}, options={"northern_shoulder": is_bound, "northern_shoulder_areas": reading})
    scene.activate("50")
    scene.move("16/64 16/79", "42", "43")
    scene.move("94/267", "42")
    scene.attack("43", "16/64 16/79")
    scene.lead("16/64", dice=LOST)

    asked = [command.area for command in scene.options if isinstance(command, RetreatTo)]
    assert asked == places
    assert scene.at("50") == ("16/79" if is_bound else "")
