"""Chapters 9.5.1 and 9.5.5 to 9.5.7: dice, results, losses, captures and Morale."""

from core.games.advance.ids import CONTROL_COUNT, ELIMINATED, ISOLATED, OUT_OF_ACTION
from core.games.advance.rules.combat_results import judge
from core.games.advance.rules.queries import contested_areas, is_vacant
from events.ids import PlaceId
from events.vocabulary import ControlChanged, TrackMoved
from tests.support.advance_rounds import BOARD, Scene, move, rolls, rules_of
from tests.support.rows import each_row

FOUR_29 = "29/15 29/71 29/PZ 29/RCN"


def mandatory(
    names: str, lead: str, dice: tuple[int, ...], *, area: str = "9", counter: str = "L9", morale: int = 12
) -> Scene:
    """Fight a Mandatory Attack from 8 on a Revealed unit whose strategy is used up."""
    scene = Scene({"8": FOUR_29}, {area: counter}, morale=morale)
    scene.activate("8")
    scene.move(names, area)
    scene.attack(area, names, () if " " in names else dice)
    if " " in names:
        scene.lead(lead, dice)
    return scene


def inside(names: str, lead: str, dice: tuple[int, ...], area: str, counter: str, **more: int) -> Scene:
    """Fight an attack from inside a Contested Area on a Revealed unit whose strategy is used up."""
    scene = Scene({area: names}, {area: counter}, morale=more.get("morale", 12))
    scene.activate(area)
    scene.attack(area, names, () if " " in names else dice)
    if " " in names:
        scene.lead(lead, dice)
    return scene


def test_two_dice_each_are_added_to_the_values() -> None:
    """9.5.1.dice, 2.1.dice-notation (W9): 14 and 6 against 9 and 7."""
    scene = Scene({"10": FOUR_29}, {"10": "H3"}, support=(1, 1, 1), event={"shell_shortages": 1}, morale=18)
    scene.activate("10")
    scene.attack("10", FOUR_29)
    scene.lead("29/RCN")
    events = scene.support(1, 1, 1, dice=(3, 2, 4, 3, 4))

    assert rolls(events)[1:] == [("attack", (2, 4), 14), ("defense", (3, 4), 9)]
    assert "9.5.5.success" in rules_of(events)


@each_row(
    ("attack", "defense", "factor", "result"),
    [
        (15, 16, 7, "repulse"),
        (16, 16, 7, "stalemate"),
        (17, 16, 7, "success"),
        (23, 16, 7, "success"),
        (24, 16, 7, "overrun"),
        (20, 16, 8, "success"),
        (17, 16, 0, "overrun"),
    ],
)
def test_the_two_totals_decide(attack: int, defense: int, factor: int, result: str) -> None:
    """9.5.5.repulse, 9.5.5.stalemate, 9.5.5.success, 9.5.5.overrun-margin (V3)."""
    assert judge(attack, defense, factor) == result


@each_row(
    ("against", "german", "result"),
    [
        ("defense-factor", (1, 1), "success"),
        ("defense-factor", (1, 2), "overrun"),
        ("defense-value", (2, 2), "success"),
        ("defense-value", (2, 3), "overrun"),
        ("defense-total", (3, 3), "success"),
        ("defense-total", (3, 4), "overrun"),
    ],
)
def test_what_an_overrun_must_exceed_can_be_agreed(against: str, german: tuple[int, int], result: str) -> None:
    """9.5.5.overrun-margin, ruling.overrun-strength: AV 10 against factor 4, DV 6 and, with Soviet 2, DT 8."""
    scene = Scene({"19": "24/26 24/PZ 24/21"}, {"19": "C1"}, options={"overrun_against": against})
    scene.activate("19")
    scene.attack("19", "24/26 24/PZ 24/21")
    events = scene.lead("24/26", dice=(*german, 1, 1))

    assert {rule for rule in rules_of(events) if rule in ("9.5.5.success", "9.5.5.overrun")} == {f"9.5.5.{result}"}


# Repulse


def test_a_repulse_takes_the_lead_and_turns_the_others_spent() -> None:
    """9.5.5.repulse, 9.5.5.repulse-losses, 3.7.out-of-action-box."""
    scene = inside("29/RCN 29/PZ 29/15", "29/RCN", (1, 1, 6, 6), "9", "L9")

    assert scene.at(OUT_OF_ACTION) == "29/RCN"
    assert scene.spent() == "29/15 29/PZ"
    assert scene.at("9") == "29/15 29/PZ soviet/9"


@each_row(("before", "after"), [(12, 11), (10, 9), (0, 0)])
def test_a_repulse_lowers_morale_once(before: int, after: int) -> None:
    """9.5.5.repulse-morale, 5.2.morale-bounds: whatever the number of units, and never below 0."""
    scene = inside(FOUR_29, "29/15", (1, 1, 6, 6), "9", "L9", morale=before)

    assert scene.morale == after


def test_a_failed_mandatory_attack_retreats() -> None:
    """9.5.5.repulse-retreat: to where it came from; the Area is not Contested."""
    scene = mandatory("29/15 29/71 29/PZ", "29/PZ", (1, 1, 6, 6))

    assert (scene.at("8"), scene.spent()) == ("29/15 29/71 29/RCN", "29/15 29/71")
    assert PlaceId("9") not in contested_areas(scene.table, BOARD)


def test_after_any_other_repulse_the_attackers_stay() -> None:
    """9.3.no-retreat: in the Contested Active Area."""
    scene = inside("24/26 24/PZ", "24/26", (1, 2, 6, 6), "10", "H3")

    assert (scene.at("10"), scene.at(OUT_OF_ACTION), scene.morale) == ("24/PZ soviet/10", "24/26", 11)


def test_entrants_of_a_contested_area_do_not_retreat() -> None:
    """9.3.no-retreat, ruling.entering-contested."""
    scene = Scene({"8": FOUR_29, "10": "71/191"}, {"10": "H3"}, spent="71/191")
    scene.activate("8")
    scene.move("29/15 29/PZ", "10")
    scene.attack("10", "29/15 29/PZ")
    scene.lead("29/PZ", dice=(1, 1, 6, 6))

    assert scene.at("10") == "29/15 71/191 soviet/10"


# Stalemate


def test_a_stalemate_leaves_all_attackers_spent_in_the_contested_area() -> None:
    """9.5.5.stalemate, ruling.stalemate-stays: after a Mandatory Attack too."""
    scene = mandatory("29/15 29/PZ", "29/PZ", (1, 3, 1, 1))

    assert (scene.at("9"), scene.spent(), scene.morale) == ("29/15 29/PZ soviet/9", "29/15 29/PZ", 12)
    assert PlaceId("9") in contested_areas(scene.table, BOARD)
    assert not is_vacant(scene.table, PlaceId("9"))


# Success and Overrun


def test_a_success_takes_the_area() -> None:
    """9.5.5.success, 7.2.marker-on-elimination, 4.5.7.control-marker, 3.4.record-control."""
    scene = Scene({"9": "24/26 24/PZ"}, {"9": "L9", "7": "?"})
    before = scene.table.track(CONTROL_COUNT)
    scene.activate("9")
    scene.attack("9", "24/26 24/PZ")
    events = scene.lead("24/26", dice=(2, 2, 1, 1))

    changes = [(event.place, event.to, event.rule) for event in events if isinstance(event, ControlChanged)]
    assert changes == [("9", "german", "7.2.marker-on-elimination")]
    assert scene.at(ELIMINATED) == "soviet/9"
    assert (scene.at("9"), scene.spent()) == ("24/26 24/PZ", "24/26 24/PZ")
    assert scene.table.track(CONTROL_COUNT) == before + 1 == 49
    assert is_vacant(scene.table, PlaceId("9"))


def test_the_factory_scenario_counts_no_areas() -> None:
    """14.2.no-control-count: a capture moves no count."""
    scene = Scene({"35": "24/26 24/PZ"}, {"35": "L18", "36": "?"}, scenario="factory")
    scene.activate("35")
    scene.attack("35", "24/26 24/PZ")
    events = scene.lead("24/26", dice=(6, 6, 1, 1))

    assert is_vacant(scene.table, PlaceId("35"))
    assert [event for event in events if isinstance(event, TrackMoved)] == []


def test_an_overrun_takes_the_area_and_gives_no_further_move() -> None:
    """9.5.5.overrun: the attackers are Spent as usual."""
    scene = mandatory("29/RCN", "29/RCN", (6, 6, 1, 1))

    assert (scene.at("9"), scene.spent()) == ("29/RCN", "29/RCN")
    assert scene.refusal(move("29/RCN", "11")) == "unit_must_be_fresh"


def test_an_overrun_cancels_an_ambush_but_brings_back_no_unit_lost_to_barrage() -> None:
    """9.5.5.overrun, 9.4.ambush-ignored."""
    scene = Scene({"8": FOUR_29}, {"9": "?"})
    scene.activate("8")
    scene.move("29/RCN 29/PZ", "9")
    scene.attack("9", "29/RCN 29/PZ", counter="L2")
    events = scene.lead("29/RCN", dice=(6, 6, 1, 1))

    assert "9.5.5.overrun" in rules_of(events)
    assert (scene.at("9"), scene.at(OUT_OF_ACTION)) == ("29/PZ 29/RCN", "")


def test_the_markers_of_an_eliminated_unit_are_free_again() -> None:
    """7.2.marker-on-elimination, 12.3.fourteen-markers."""
    scene = Scene({"9": "24/26 24/PZ"}, {"9": "L9"}, isolated="9")
    scene.activate("9")
    scene.attack("9", "24/26 24/PZ", dice=(2,))
    scene.lead("24/26", dice=(6, 6, 1, 1))

    assert scene.table.marker("soviet/9", ISOLATED) == 0


def test_a_lone_lead_lost_to_an_ambush_still_wins_the_area() -> None:
    """9.5.6.lone-lead-ambushed (W17): both units leave, the Area is German, the count rises."""
    scene = Scene({"8": "24/26 24/PZ"}, {"9": "?"})
    scene.activate("8")
    scene.move("24/26", "9")
    events = scene.attack("9", "24/26", dice=(3, 3, 1, 1), counter="L7")

    assert "9.5.6.lone-lead-ambushed" in rules_of(events)
    assert (scene.at("9"), scene.at(OUT_OF_ACTION), scene.at(ELIMINATED)) == ("", "24/26", "soviet/9")
    assert is_vacant(scene.table, PlaceId("9"))
    assert scene.table.track(CONTROL_COUNT) == 50


# Morale for captured Areas


@each_row(
    ("area", "counter", "before", "after"),
    [("10", "H3", 15, 16), ("21", "E8", 9, 10), ("15", "L9", 19, 19), ("9", "L9", 15, 15), ("28", "E2", 15, 15)],
)
def test_an_area_with_tem_4_raises_morale(area: str, counter: str, before: int, after: int) -> None:
    """9.5.7.captured-area-bonus, 5.2.morale-bounds (W11): Light Urban and Elevated exceptions too, up to 19."""
    names = "24/26 24/PZ 24/21 24/RCN"
    scene = inside(names, "24/RCN", (6, 6, 1, 1), area, counter, morale=before)

    assert scene.morale == after


@each_row("morale", [19, 10, 9, 1])
def test_heroes_and_the_bonus_cancel_each_other(morale: int) -> None:
    """9.5.7.heroes-cancel (W18): Morale does not move, not even at its limits."""
    scene = Scene({"19": "24/26 24/PZ 24/21"}, {"21": "?"}, morale=morale)
    scene.activate("19")
    scene.move("24/26 24/PZ 24/21", "21")
    scene.attack("21", "24/26 24/PZ 24/21", counter="E5")
    events = scene.lead("24/26", dice=(4, 4, 1, 2))

    assert "9.5.5.success" in rules_of(events)
    assert "9.5.7.heroes-cancel" in rules_of(events)
    assert [event for event in events if isinstance(event, TrackMoved) and event.track == "morale"] == []


def test_an_overrun_of_heroes_keeps_the_bonus() -> None:
    """9.5.7.captured-area-bonus, 9.4.heroes-ignored (V11): Mamayev Kurgan."""
    scene = Scene({"19": "24/26 24/PZ 24/21 24/RCN"}, {"21": "?"})
    scene.activate("19")
    scene.move("24/26 24/PZ 24/21 24/RCN", "21")
    scene.attack("21", "24/26 24/PZ 24/21 24/RCN", counter="E1")
    events = scene.lead("24/RCN", dice=(6, 6, 1, 1))

    assert "9.5.5.overrun" in rules_of(events)
    assert scene.morale == 13


def test_play_goes_on_at_morale_0() -> None:
    """6.4.3.victory-check, 5.2.morale-bounds: a Repulse to 0 ends nothing by itself."""
    scene = Scene({"8": FOUR_29}, {"9": "L9"}, morale=1)
    scene.activate("8")
    scene.move("29/15", "9")
    scene.attack("9", "29/15", dice=(1, 1, 6, 6))

    assert (scene.morale, scene.asked) == (0, "act")
