"""Chapters 9.0 to 9.4: who attacks whom, the declaration, the reveal, and Barrage."""

from core.engine.selection import Pick
from core.games.advance.ids import OUT_OF_ACTION, REVEALED
from core.games.advance.memory import entry_area, has_strategy_in_force, was_attacked
from core.games.advance.narration.advance_narration import AdvanceNarration
from core.games.advance.rules.commands import DeclareAttack, NameLead
from events.ids import PieceId, PlaceId
from events.vocabulary import PieceDrawn, PieceMoved, PieceRevealed
from tests.support.advance import place_support
from tests.support.advance_rounds import (
    BOARD,
    BREAK_OFF,
    DONE,
    Scene,
    declare,
    give_up,
    move,
    rolls,
    rules_of,
)
from tests.support.rows import each_row

FOUR_29 = "29/15 29/71 29/PZ 29/RCN"


def entered(names: str, soviet: str = "?", **more: str) -> Scene:
    """Set a scene in which units of Active Area 8 have entered 10, where a Soviet unit is and perhaps Germans too."""
    german = {"8": FOUR_29}
    if "before" in more:
        german["10"] = more["before"]
    scene = Scene(german, {"10": soviet})
    scene.activate("8")
    scene.move(names, "10")
    return scene


def contested(names: str, soviet: dict[str, str], **more: str) -> Scene:
    """Set a scene in which Contested Area 10 has just been activated."""
    scene = Scene({"10": names}, soviet, spent=more.get("spent", ""))
    scene.activate("10")
    return scene


# Who attacks


def test_only_units_that_stood_in_the_active_area_attack() -> None:
    """9.0.active-units-only, 9.3.no-joint-attack: those who contest the Area already cannot join."""
    scene = entered("29/PZ", "L5", before="71/191")

    assert scene.refusal(declare("10", "71/191")) == "unit_must_be_in_active_area"
    assert scene.refusal(declare("10", "29/PZ 71/191")) == "unit_must_be_in_active_area"
    assert scene.refusal(declare("10", "29/PZ")) == ""


def test_an_attack_costs_no_mf_beyond_those_of_entering() -> None:
    """9.0.no-extra-mf: infantry without MF left attacks at full strength."""
    scene = entered("29/15")
    events = scene.attack("10", "29/15", dice=(1, 1, 6, 6), counter="H1")

    assert ("attack", (1, 1), 3 + 1) in rolls(events)


def test_units_of_a_contested_active_area_may_leave_attack_or_do_nothing() -> None:
    """9.0.contested-mix, 9.3.contested-active: one exits, two attack, one stays Fresh."""
    scene = contested("24/26 24/PZ 24/21 24/RCN", {"10": "L13"})
    scene.move("24/21", "8")
    scene.attack("10", "24/26 24/PZ")
    scene.lead("24/26", dice=(3, 2, 1, 1))
    scene.play(DONE)

    assert scene.at("8") == "24/21"
    assert scene.spent() == "24/21 24/26 24/PZ"


def test_all_some_or_none_of_the_units_in_a_contested_active_area_attack() -> None:
    """9.3.contested-active, 9.2.optional, 9.2.at-least-one: every part of the group can be picked, or named at once."""
    scene = contested("24/26 24/PZ", {"10": "L13"})

    assert [command for command in scene.options if isinstance(command, DeclareAttack)] == [declare("10", "")]
    for units in ("24/26", "24/PZ", "24/26 24/PZ"):
        assert scene.refusal(declare("10", units)) == ""
    scene.play(declare("10", ""))
    assert scene.options == [Pick("24/26"), Pick("24/PZ")]
    assert scene.refusal(DONE) == "attack_must_have_a_unit"
    assert scene.refusal(Pick("29/15")) == "unit_must_be_in_active_area"
    scene.play(Pick("24/PZ"))
    scene.play(DONE, dice=(1, 1, 1, 1))
    assert was_attacked(scene.table, PlaceId("10"))


def test_every_entrant_of_an_area_that_was_not_contested_attacks() -> None:
    """9.1.mandatory, 9.1.all-entrants: one attack is offered, and the round cannot end without it."""
    scene = entered("29/15 29/71 29/PZ")

    offered = [command.units for command in scene.options if isinstance(command, DeclareAttack)]
    assert offered == [("29/15", "29/71", "29/PZ")]
    assert scene.refusal(declare("10", "29/15 29/71")) == "all_entrants_must_attack"
    assert scene.refusal(DONE) == "mandatory_attack_must_be_resolved"


def test_entrants_of_a_contested_area_attack_as_they_like() -> None:
    """9.2.optional, ruling.entering-contested: one attacks, the other takes no part, both are Spent afterwards."""
    scene = entered("29/PZ 29/15", "L13", before="71/191")
    events = scene.attack("10", "29/PZ", dice=(3, 4, 1, 1))
    scene.play(DONE)

    assert ("attack", (3, 4), 5 + 1) in rolls(events)
    assert scene.spent() == "29/15 29/PZ"


def test_entrants_may_leave_the_attack_alone() -> None:
    """9.2.optional: none of them."""
    scene = entered("29/PZ 29/15", "L13", before="71/191")

    assert scene.refusal(DONE) == ""


@each_row(
    ("area", "names", "code"),
    [
        ("9", "24/26", "area_must_hold_soviet_unit"),
        ("51", "24/26", "area_must_exist"),
        ("10", "24/26 24/26", "choice_must_be_sorted"),
        ("12", "24/26", "attack_must_have_a_unit"),
    ],
)
def test_an_attack_needs_a_unit_and_a_soviet_unit(area: str, names: str, code: str) -> None:
    """9.2.at-least-one."""
    scene = contested("24/26 24/PZ", {"10": "L13", "12": "?"})

    assert scene.refusal(declare(area, names)) == code


def test_a_unit_that_has_left_a_contested_area_has_no_part_in_the_attack_there() -> None:
    """8.2.cost-attack-in-contested: the attack needs its whole MF; once it is back it is an entrant."""
    scene = contested("24/PZ 24/26 24/21", {"10": "L13"})
    scene.move("24/PZ", "8")

    assert scene.refusal(declare("10", "24/26 24/PZ")) == "unit_must_not_have_moved"
    assert scene.broken_rule(declare("10", "24/26 24/PZ")) == "8.2.cost-attack-in-contested"

    scene.move("24/PZ", "10")

    assert scene.refusal(declare("10", "24/26 24/PZ")) == "groups_must_attack_apart"
    assert scene.refusal(declare("10", "24/26 24/21")) == ""


def test_a_unit_that_has_attacked_in_the_contested_active_area_moves_no_more() -> None:
    """8.2.cost-attack-in-contested."""
    scene = contested("24/RCN 24/26", {"10": "L5"})
    scene.attack("10", "24/RCN", dice=(6, 6, 1, 1))

    assert scene.refusal(move("24/RCN", "12")) == "unit_must_be_fresh"


def test_units_may_reach_the_area_by_different_ways_and_remember_them() -> None:
    """9.1.entered-by-different-ways: they attack together all the same."""
    scene = Scene({"8": "29/PZ 29/RCN 29/15"}, {"10": "L13"})
    scene.activate("8")
    scene.move("29/PZ", "10")
    scene.move("29/RCN", "9", "10")

    assert [entry_area(scene.table, PieceId(name)) for name in ("29/PZ", "29/RCN")] == ["8", "9"]
    assert scene.refusal(declare("10", "29/PZ 29/RCN")) == ""


@each_row("area", ["48", "10"])
def test_northern_units_attack_in_the_north_only(area: str) -> None:
    """12.2.northern-shoulder: to enter or to attack."""
    scene = Scene({area: "16/RCN 24/26"}, {area: "L5"}, options={"northern_shoulder": True})
    scene.activate(area)

    assert scene.refusal(declare(area, "16/RCN")) == ("" if area == "48" else "northern_units_must_stay_north")
    assert scene.refusal(declare(area, "24/26")) == ""


# The Area is closed


def test_an_attack_follows_all_entries_and_closes_the_area() -> None:
    """9.0.all-entered-first, 8.1.reveal-before-combat: no unit follows once the Soviet unit is Revealed."""
    scene = entered("29/15 29/PZ")

    assert scene.table.pieces[PieceId("soviet/10")].kind == ""

    scene.attack("10", "29/15 29/PZ", counter="H3")

    assert scene.table.pieces[PieceId("soviet/10")].face == REVEALED

    scene.lead("29/15", dice=(1, 1, 6, 6))

    assert scene.refusal(move("29/RCN", "10")) == "area_must_not_have_been_attacked"


def test_an_area_that_was_taken_is_closed_for_the_rest_of_the_round() -> None:
    """8.2.1.no-entry-after-attack: in a later activation it is open."""
    scene = Scene({"6": "29/PZ 29/RCN"}, {"7": "L5"})
    scene.activate("6")
    scene.move("29/PZ", "7")
    scene.attack("7", "29/PZ", dice=(6, 6, 1, 1))

    assert scene.refusal(move("29/RCN", "7")) == "area_must_not_have_been_attacked"

    scene.play(DONE)
    scene.activate("6")

    assert scene.refusal(move("29/RCN", "7")) == ""


def test_an_area_is_attacked_once_in_a_round() -> None:
    """8.2.1.one-attack-per-area: the others attack in a later round."""
    scene = contested("24/26 24/PZ 24/21 24/RCN", {"10": "H5"})
    scene.attack("10", "24/26 24/PZ")
    scene.lead("24/26", dice=(3, 3, 1, 1))

    assert scene.refusal(declare("10", "24/21 24/RCN")) == "area_must_not_have_been_attacked"
    assert scene.broken_rule(declare("10", "24/21 24/RCN")) == "8.2.1.one-attack-per-area"

    scene.play(DONE)
    scene.activate("10")

    assert scene.refusal(declare("10", "24/21 24/RCN")) == ""


def test_other_units_may_move_before_and_after_an_attack() -> None:
    """9.0.others-may-move."""
    scene = entered("29/15", "L13")
    scene.attack("10", "29/15", dice=(1, 1, 6, 6))
    scene.move("29/PZ", "9")

    assert scene.at("9") == "29/PZ"


def test_units_that_took_no_part_in_a_won_attack_may_leave_freely() -> None:
    """9.3.stays-after-success, ruling.contested-exit-moment: 10 is not Contested any more."""
    scene = contested("24/26 24/PZ", {"10": "L5", "12": "?"})
    scene.attack("10", "24/26", dice=(6, 6, 1, 1))
    scene.move("24/PZ", "12")

    assert scene.refusal(DONE) == "mandatory_attack_must_be_resolved"


def test_paused_units_do_not_attack() -> None:
    """6.2.chart.7-8: neither move nor attack."""
    scene = Scene({"10": "71/191 24/PZ"}, {"10": "L5"}, event={"paused": ("division/71",), "event_roll": 7})
    scene.activate("10")

    assert scene.refusal(declare("10", "71/191 24/PZ")) == "unit_must_not_be_paused"
    assert [command for command in scene.options if isinstance(command, DeclareAttack)] == [declare("10", "24/PZ")]


# The reveal


def test_the_declaration_turns_the_unit_up_before_the_lead_is_asked_for() -> None:
    """9.4.reveal, 5.4.one-counter-per-area (W6): a Heavy Urban counter not seen so far."""
    scene = entered(FOUR_29)
    events = scene.attack("10", FOUR_29, counter="H3")

    drawn = [(event.pool, event.drawn, event.rule) for event in events if isinstance(event, PieceDrawn)]
    revealed = [(event.piece, event.kind, event.rule) for event in events if isinstance(event, PieceRevealed)]
    assert drawn == [("mix/heavy_urban", "H3", "9.4.reveal")]
    assert revealed == [("soviet/10", "H3", "9.4.reveal")]
    assert scene.asked == "lead"


def test_a_revealed_unit_stays_revealed_when_all_german_units_have_left() -> None:
    """4.4.revealed-for-good: entering its Area costs 3 MF from then on."""
    scene = entered("29/15 29/PZ")
    scene.attack("10", "29/15 29/PZ", counter="H3")
    scene.lead("29/15", dice=(1, 1, 6, 6))
    scene.play(DONE)
    scene.activate("8")
    events = scene.move("29/RCN", "10")

    assert "8.2.cost-revealed" in rules_of(events)


def test_no_counter_of_a_contested_area_is_hidden_between_rounds() -> None:
    """7.3.contested-is-revealed: the first entry forces an attack, and that reveals."""
    scene = entered("29/15 29/PZ")
    scene.attack("10", "29/15 29/PZ", counter="H3")
    scene.lead("29/15", dice=(6, 6, 1, 2))

    assert scene.table.pieces[PieceId("soviet/10")].face == REVEALED


# Barrage


def test_barrage_is_answered_before_anything_else() -> None:
    """9.4.barrage-choice: no Lead before that."""
    scene = entered("29/15 29/PZ")
    scene.attack("10", "29/15 29/PZ", counter="H2")

    assert scene.asked == "barrage"
    assert scene.options == [give_up("29/15"), give_up("29/PZ"), BREAK_OFF]
    assert scene.refusal(NameLead(PieceId("29/PZ"))) == "barrage_must_be_answered"
    assert scene.refusal(give_up("29/71")) == "barrage_must_be_answered"


def test_a_unit_lost_to_barrage_is_out_of_the_combat() -> None:
    """9.4.barrage-lose-one: no +1, no third regiment, no place for a marker, and no Morale."""
    scene = Scene({"8": "71/191 71/194 71/211"}, {"10": "?"}, support=(4, 0, 0))
    scene.activate("8")
    scene.move("71/191 71/194 71/211", "10")
    scene.attack("10", "71/191 71/194 71/211", counter="H2")
    lost = scene.play(give_up("71/211"))
    scene.lead("71/191")

    assert "9.4.barrage-lose-one" in rules_of(lost)
    assert scene.morale == 12
    assert [scene.refusal(place_support(count)) for count in (2, 3)] == ["", "support_must_not_exceed_attackers"]
    assert rolls(scene.support(0, 0, 0, dice=(1, 1, 6, 6)))[0] == ("attack", (1, 1), 3 + 1 + 1)


def test_a_lone_attacker_given_up_to_barrage_ends_the_attack() -> None:
    """9.4.barrage-lone: no dice, no Morale, no markers; the Soviet unit stays, Revealed."""
    scene = Scene({"8": "29/15 29/71"}, {"10": "?"}, support=(1, 0, 0))
    scene.activate("8")
    scene.move("29/15", "10")
    scene.attack("10", "29/15", counter="H2")
    said = "Put 29/15 (Attack Factor 3) Out of Action, which ends the attack: nobody else takes part"
    assert AdvanceNarration(BOARD).describe(scene.table, give_up("29/15")) == said
    events = scene.play(give_up("29/15"))

    assert rolls(events) == []
    assert [event.rule for event in events if isinstance(event, PieceMoved)] == ["9.4.barrage-lone"]
    assert scene.at(OUT_OF_ACTION) == "29/15"
    assert (scene.morale, scene.available()) == (12, (1, 0, 0))
    assert scene.table.pieces[PieceId("soviet/10")].face == REVEALED
    assert not has_strategy_in_force(scene.table, PlaceId("10"))


def test_attackers_that_break_off_under_barrage_retreat_spent() -> None:
    """9.4.barrage-retreat, 9.5.8.barrage-too: nothing is lost, the strategy is used up, the Area counts as attacked."""
    scene = Scene({"6": "29/15 29/PZ 29/RCN"}, {"7": "?"}, support=(1, 0, 0))
    scene.activate("6")
    scene.move("29/15 29/PZ", "7")
    scene.attack("7", "29/15 29/PZ", counter="L3")
    events = scene.play(BREAK_OFF)

    assert [event.rule for event in events if isinstance(event, PieceMoved)] == ["9.5.8.entry-area"] * 2
    assert (scene.at("6"), scene.spent()) == ("29/15 29/PZ 29/RCN", "29/15 29/PZ")
    assert (scene.morale, scene.available()) == (12, (1, 0, 0))
    assert was_attacked(scene.table, PlaceId("7"))
    assert scene.refusal(move("29/RCN", "7")) == "area_must_not_have_been_attacked"


def test_barrage_works_once() -> None:
    """9.4.barrage-retreat, 9.4.strategy-first-round: the next attack meets the factor alone."""
    scene = Scene({"6": "29/15 29/PZ 29/RCN"}, {"7": "?"})
    scene.activate("6")
    scene.move("29/15", "7")
    scene.attack("7", "29/15", counter="L3")
    scene.play(BREAK_OFF)
    scene.play(DONE)
    scene.activate("6")
    scene.move("29/PZ 29/RCN", "7")
    scene.attack("7", "29/PZ 29/RCN")

    assert scene.asked == "lead"


def test_a_barrage_unit_revealed_at_set_up_fires_no_barrage() -> None:
    """14.5.1.revealed-units: its strategy has no effect in the scenario."""
    scene = Scene({"45": "94/267 94/274"}, {"44": "C3"}, scenario="factory")
    scene.activate("45")
    scene.move("94/267 94/274", "44")
    scene.attack("44", "94/267 94/274")

    assert scene.asked == "lead"


def test_the_attack_is_declared_in_an_area_of_the_map() -> None:
    """3.1.fifty-areas."""
    scene = entered("29/15")

    assert scene.refusal(DeclareAttack(PlaceId("0"), (PieceId("29/15"),))) == "area_must_exist"


def test_several_attacks_may_be_open_at_once() -> None:
    """8.2.1.different-destinations, ruling.interleaved-attacks: the player chooses which is fought first."""
    scene = Scene({"8": FOUR_29}, {"10": "?", "7": "?"})
    scene.activate("8")
    scene.move("29/15", "10")
    scene.move("29/PZ", "7")

    assert scene.refusal(declare("10", "29/15")) == ""
    assert scene.refusal(declare("7", "29/PZ")) == ""
    assert scene.refusal(DONE) == "mandatory_attack_must_be_resolved"


def test_strategies_of_units_revealed_at_set_up_may_be_agreed_to_work_once() -> None:
    """14.5.1.revealed-units, ruling.revealed-at-setup: the other reading, as an option of the match."""
    scene = Scene({"45": "94/267 94/274"}, {"44": "C3"}, scenario="factory", in_force="44")
    scene.activate("45")
    scene.move("94/267 94/274", "44")
    scene.attack("44", "94/267 94/274")

    assert scene.asked == "barrage"
