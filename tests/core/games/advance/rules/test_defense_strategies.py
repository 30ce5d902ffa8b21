"""Chapter 9.4: Heroes, Ambush, Fanatic and Guards. Barrage stands with the attacks."""

from core.games.advance.ids import OUT_OF_ACTION
from tests.support.advance_rounds import DONE, Scene, rolls, rules_of
from tests.support.rows import each_row

HEROES, AMBUSH, FANATIC, GUARDS = "L6", "L7", "L9", "L10"
"""Light Urban counters of factor 6."""


def first_attack(counter: str, area: str = "9", morale: int = 12) -> Scene:
    """Set a scene in which 24/26 and 94/274 (AV 8, Strong) attack an Unrevealed Light Urban unit of factor 6 (DV 9)."""
    start = {"9": "8", "12": "10", "15": "16", "7": "8"}[area]
    scene = Scene({start: "24/26 94/274 94/276"}, {area: "?"}, morale=morale)
    scene.activate(start)
    scene.move("24/26 94/274", area)
    scene.attack(area, "24/26 94/274", counter=counter)
    return scene


def result(counter: str, german: tuple[int, int], area: str = "9", morale: int = 12) -> Scene:
    """Fight such a combat with 24/26 as the Lead, against Soviet 2 and 2: German 5 is a Stalemate."""
    scene = first_attack(counter, area, morale)
    scene.lead("24/26", dice=(*german, 2, 2))
    return scene


def test_heroes_lower_morale_after_a_stalemate() -> None:
    """9.4.heroes (V9)."""
    scene = result(HEROES, (2, 3))

    assert (scene.at("9"), scene.morale) == ("24/26 94/274 soviet/9", 11)


def test_heroes_lower_morale_even_when_eliminated() -> None:
    """9.4.heroes: a Success in an Area without bonus."""
    scene = result(HEROES, (3, 3))

    assert (scene.at("9"), scene.morale) == ("24/26 94/274", 11)


@each_row(("german", "morale"), [((1, 2), 11), ((6, 6), 12)])
def test_heroes_are_ignored_on_a_repulse_and_on_an_overrun(german: tuple[int, int], morale: int) -> None:
    """9.4.heroes-ignored: the Repulse alone costs Morale; the Overrun costs nothing."""
    assert result(HEROES, german).morale == morale


def test_an_ambush_takes_the_lead_of_a_won_attack() -> None:
    """9.4.ambush: the Soviet unit is gone all the same, Morale does not change."""
    scene = result(AMBUSH, (3, 3))

    assert (scene.at("9"), scene.at(OUT_OF_ACTION)) == ("94/274", "24/26")
    assert (scene.spent(), scene.morale) == ("94/274", 12)


def test_an_ambush_takes_the_lead_of_a_drawn_attack() -> None:
    """9.4.ambush."""
    scene = result(AMBUSH, (2, 3))

    assert (scene.at("9"), scene.at(OUT_OF_ACTION)) == ("94/274 soviet/9", "24/26")


def test_a_lone_lead_lost_to_an_ambush_leaves_the_area_uncontested() -> None:
    """9.4.ambush: after a Stalemate."""
    scene = Scene({"8": "24/26 94/274"}, {"9": "?"})
    scene.activate("8")
    scene.move("24/26", "9")
    scene.attack("9", "24/26", dice=(2, 2, 1, 1), counter=AMBUSH)

    assert (scene.at("9"), scene.at(OUT_OF_ACTION)) == ("soviet/9", "24/26")


def test_an_ambush_is_ignored_on_a_repulse() -> None:
    """9.4.ambush-ignored (V10): the Repulse takes the Lead, once; the other retreats."""
    scene = result(AMBUSH, (1, 2))

    assert (scene.at("9"), scene.at(OUT_OF_ACTION), scene.at("8")) == ("soviet/9", "24/26", "94/274 94/276")
    assert scene.morale == 11


def test_an_ambush_is_ignored_on_an_overrun() -> None:
    """9.4.ambush-ignored."""
    scene = result(AMBUSH, (6, 6))

    assert (scene.at("9"), scene.spent()) == ("24/26 94/274", "24/26 94/274")


def test_fanatics_turn_a_success_into_a_stalemate() -> None:
    """9.4.fanatic: nothing is captured, Morale stays."""
    scene = first_attack(FANATIC)
    events = scene.lead("24/26", dice=(3, 3, 2, 2))

    results = [getattr(event, "value", "") for event in events if event.rule in ("9.5.5.success", "9.4.fanatic")]
    assert results == ["success", "stalemate"]
    assert (scene.at("9"), scene.spent(), scene.morale) == ("24/26 94/274 soviet/9", "24/26 94/274", 12)


@each_row(("german", "there"), [((1, 2), "soviet/9"), ((2, 3), "24/26 94/274 soviet/9"), ((6, 6), "24/26 94/274")])
def test_fanatics_change_no_other_result(german: tuple[int, int], there: str) -> None:
    """9.4.fanatic-ignored, ruling.fanatic-overrun: Repulse, Stalemate and Overrun stand."""
    assert result(FANATIC, german).at("9") == there


def test_guards_throw_a_third_die_and_drop_the_lowest() -> None:
    """9.4.guards (V4): 2, 5 and 6 make 11."""
    scene = first_attack(GUARDS)
    events = scene.lead("24/26", dice=(6, 6, 2, 5, 6))

    assert rolls(events)[1] == ("defense", (2, 5, 6), 9)
    assert "9.4.guards" in rules_of(events)
    assert {"stalemate"} == {getattr(event, "value", "") for event in events if event.rule == "9.5.5.stalemate"} - {""}


def test_guards_at_the_volga_throw_four_dice_and_drop_the_two_lowest() -> None:
    """9.4.guards-volga (V5): 1, 2, 5 and 6 make 11."""
    scene = first_attack(GUARDS, "12")
    events = scene.lead("24/26", dice=(6, 6, 1, 2, 5, 6))

    assert rolls(events)[1] == ("defense", (1, 2, 5, 6), 9)
    assert "9.4.guards-volga" in rules_of(events)
    assert scene.at("12") == "24/26 94/274 soviet/12"


def second_attack(counter: str, german: tuple[int, int]) -> Scene:
    """Attack a unit again that was Revealed by an earlier round."""
    scene = first_attack(counter)
    scene.lead("24/26", dice=(1, 2, 2, 2, *((1,) if counter == GUARDS else ())))
    scene.play(DONE)
    scene.activate("8")
    scene.move("94/276", "9")
    scene.attack("9", "94/276", dice=(*german, 1, 1))
    return scene


@each_row("counter", [HEROES, AMBUSH, FANATIC, GUARDS])
def test_a_strategy_works_in_the_round_of_the_reveal_only(counter: str) -> None:
    """4.4.strategy-once, 9.4.strategy-first-round (W11): afterwards the factor alone counts, for Guards too."""
    scene = second_attack(counter, (5, 4))

    assert scene.at("9") == "94/276"
    assert scene.morale == 11


def test_pavlovs_house_is_guards_every_time() -> None:
    """12.6.guards-every-time: the third attack meets the dice of the Volga as well."""
    scene = Scene({"14": "24/26"}, {"14": "PH"}, options={"pavlovs_house": True})
    scene.activate("14")
    events = scene.attack("14", "24/26", dice=(1, 1, 1, 2, 5, 6))

    assert rolls(events)[1] == ("defense", (1, 2, 5, 6), 12)
    assert "12.6.guards-every-time" in rules_of(events)


def test_strategies_of_units_revealed_at_set_up_do_not_work() -> None:
    """14.5.1.revealed-units: a Success in 21 eliminates the Fanatic."""
    scene = Scene({"21": "295/516 295/517"}, {"21": "E8"}, scenario="factory")
    scene.activate("21")
    scene.attack("21", "295/516 295/517")
    scene.lead("295/517", dice=(6, 6, 1, 1))

    assert scene.at("21") == "295/516 295/517"
