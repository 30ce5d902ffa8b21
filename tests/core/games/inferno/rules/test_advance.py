"""After a won combat: who advances, and who Blitzes where."""

from core.engine.selection import Choose, Done, Pick
from core.games.inferno.ids import GERMAN, HEADQUARTERS, SOVIET, SOVIET_SEAT, discards, hand, leaders
from core.games.inferno.rules.commands import Blitz, HastyAttack
from events.ids import PlaceId
from tests.support.inferno import RULES
from tests.support.inferno_combat import Fight, unit
from tests.support.rows import each_row

HOTH = "german/hoth"


def blitz(name: str, to: str) -> Blitz:
    """Return the command that moves a block on."""
    return Blitz(unit(name), PlaceId(to))


def won(german: dict[str, str], target: str = "60", **other: str) -> Fight:
    """Return an attack of all Germans that has destroyed a weak unit, before the advance."""
    fight = Fight(german=german, soviet={target: "45-rifle:1", **other}, in_play=[HOTH])
    fight.attack(" ".join(german), target, hasty=True, dice=[2, 6])
    return fight


def test_one_to_four_of_the_attackers_advance_from_any_stacks() -> None:
    """advance.german-up-to-four, advance.mandatory, advance.attackers-only: the rest stay; control changes (advance.control)."""
    fight = Fight(
        german={"59": "2-panzer 36-panzer 544-infantry", "61": "24-panzer 545-infantry", "44": "546-infantry"},
        soviet={"60": "45-rifle:1"},
    )
    fight.attack("59 61", "60", dice=[2, 6])
    assert fight.asked == "advance"
    five = ("2-panzer", "24-panzer", "36-panzer", "544-infantry", "545-infantry")
    assert fight.code(Choose(tuple(sorted(unit(name) for name in five)))) == "stacking_limit_must_hold"
    assert fight.code(Choose(())) == "advance_must_take_a_unit"
    assert fight.code(Pick(unit("546-infantry"))) == "advance_must_take_attackers"
    fight.choose("2-panzer", "24-panzer", "544-infantry", "545-infantry")
    assert (fight.place("36-panzer"), fight.place("24-panzer")) == ("59", "60")
    assert fight.table.control[PlaceId("60")] == GERMAN


def test_a_single_attacker_advances_without_a_question() -> None:
    """advance.mandatory: and captures the Spawn Hex, whose card is drawn at once (advance.control)."""
    fight = Fight(german={"20": "544-infantry"}, soviet={"3": "45-rifle:1"})
    fight.attack("20", "3", dice=[2, 6, 1, 1, 1], draws=["german/sniper-3"])
    assert fight.place("544-infantry") == "3"
    assert fight.pile(hand(fight.table.seats[0])) == ["german/sniper-3"]


def test_a_victorious_defender_does_not_move() -> None:
    """advance.defender-never: nothing is asked, and ordering an advance is refused."""
    fight = Fight(german={"60": "2-panzer"}, soviet={"59": "45-rifle:1"})
    fight.attack("59", "60", hasty=True, dice=[2, 6])
    assert not fight.asked
    assert fight.place("2-panzer") == "60"


def test_the_strongest_soviet_attacker_advances_alone() -> None:
    """advance.soviet-one, advance.soviet-strongest, soviet.hasty-attack.advance: without a question if one is stronger."""
    fight = Fight(german={"60": "544-infantry:1"}, soviet={"59": "45-rifle:2 87-rifle:3"})
    fight.attack("59", "60", hasty=True, dice=[6])
    assert fight.table.pieces_at(PlaceId("60")) == (unit("87-rifle"),)
    assert fight.table.control[PlaceId("60")] == SOVIET
    assert "blitz" not in fight.steps


def test_the_german_seat_chooses_among_equally_strong_soviets() -> None:
    """advance.soviet-strongest, soviet.deliberate-attack.still-one-card: of all Stacks of a joint attack together."""
    fight = Fight(german={"60": "544-infantry:1"}, soviet={"59": "45-rifle:3 10-nkvd:1", "61": "87-rifle:3"})
    fight.attack("59 61", "60", dice=[6])
    assert (fight.asked, fight.table.stack[-1].seat) == ("soviet_advance", "german")
    assert fight.code(Pick(unit("10-nkvd"))) == "advance_must_take_attackers"
    assert fight.code(Choose(tuple(sorted((unit("45-rifle"), unit("87-rifle")))))) == "soviet_advance_must_be_one_unit"
    fight.choose("87-rifle")
    assert fight.place("87-rifle") == "60"


def test_an_option_lets_the_soviet_seat_choose_freely() -> None:
    """advance.soviet-one: any one attacker (ruling.soviet-1v1-advance)."""
    fight = Fight(
        german={"60": "544-infantry:1"},
        soviet={"59": "45-rifle:3 10-nkvd:1"},
        mode="one_vs_one",
        options={"soviet_advance_choice": "free"},
    )
    fight.attack("59", "60", hasty=True, dice=[6])
    assert fight.table.stack[-1].seat == SOVIET_SEAT
    assert fight.code(Choose(())) == "advance_must_take_a_unit"
    fight.choose("10-nkvd")
    assert fight.place("10-nkvd") == "60"


def test_the_strongest_advances_in_one_vs_one_as_well() -> None:
    """advance.soviet-strongest, mode.1v1.rest-as-solo: without the option the Soviet seat has no choice."""
    fight = Fight(german={"60": "544-infantry:1"}, soviet={"59": "45-rifle:3 10-nkvd:1"}, mode="one_vs_one")
    fight.attack("59", "60", hasty=True, dice=[6])
    assert (fight.place("45-rifle"), fight.asked) == ("60", "")


def test_a_weaker_attacker_is_refused_for_another_reason_than_a_bystander() -> None:
    """advance.soviet-strongest, advance.attackers-only."""
    fight = Fight(german={"60": "544-infantry:1"}, soviet={"59": "45-rifle:3 87-rifle:3 10-nkvd:1", "61": "95-rifle"})
    fight.attack("59", "60", hasty=True, dice=[6])
    weaker, bystander = (fight.refusal(Pick(unit(name))) for name in ("10-nkvd", "95-rifle"))
    assert weaker is not None
    assert bystander is not None
    assert (weaker.rule, bystander.rule) == ("advance.soviet-strongest", "advance.attackers-only")


# Blitz


def test_blitz_units_that_advanced_into_a_clear_hex_may_move_on() -> None:
    """blitz.condition, units.blitz-kinds, leader.hoth, combat.sequence: not plain Infantry, nor who stayed behind."""
    fight = won({"59": "2-panzer 544-infantry 120-motorized"})
    fight.choose("2-panzer", "544-infantry")
    assert fight.asked == "blitz"
    moved = {command.unit for command in RULES.options(fight.table) if isinstance(command, Blitz)}
    assert moved == {unit("2-panzer")}
    assert (
        fight.code(blitz("544-infantry", "61")) == fight.code(blitz("120-motorized", "61")) == "decision_must_be_open"
    )


def test_no_blitz_without_hoth_nor_out_of_another_hex_than_a_clear_one() -> None:
    """leader.hoth, terrain.rough, blitz.condition."""
    fight = Fight(german={"59": "2-panzer 544-infantry"}, soviet={"60": "45-rifle:1"})
    fight.attack("59", "60", hasty=True, dice=[2, 6])
    fight.choose("2-panzer")
    assert not fight.asked
    rough = won({"42": "2-panzer 544-infantry"}, "28")
    rough.choose("2-panzer")
    assert not rough.asked


def test_a_blitz_goes_to_an_adjacent_clear_hex_without_enemies() -> None:
    """blitz.destination, blitz.no-attack: Soviets next to it do not matter (ruling.blitz-into-friends)."""
    fight = won({"59": "2-panzer 36-panzer"}, "60", **{"45": "87-rifle"})
    fight.choose("2-panzer", "36-panzer")
    for to in ("45", "62", "58", "60"):
        assert fight.code(blitz("2-panzer", to)) == "blitz_must_enter_clear_hex_without_enemies"
    assert fight.code(blitz("2-panzer", "106")) == "hex_must_be_playable"
    assert fight.code(Blitz(unit("87-rifle"), PlaceId("61"))) == "unit_must_be_own"
    fight.do(blitz("2-panzer", "44"))
    attack = HastyAttack((unit("36-panzer"),), PlaceId(""), (PlaceId("45"),))
    assert fight.code(attack) == "turn_must_have_one_action"
    assert fight.table.control[PlaceId("44")] == GERMAN


def test_a_blitz_needs_room() -> None:
    """blitz.stack-limit: four units at most."""
    fight = won({"59": "2-panzer 36-panzer"})
    full = Fight(
        german={"59": "2-panzer 36-panzer", "61": "544-infantry 545-infantry 546-infantry 211-infantry"},
        soviet={"60": "45-rifle:1"},
        in_play=[HOTH],
    )
    full.attack("59", "60", hasty=True, dice=[2, 6])
    full.choose("2-panzer")
    fight.choose("2-panzer")
    assert full.code(blitz("2-panzer", "61")) == "stacking_limit_must_hold"
    assert fight.code(blitz("2-panzer", "61")) == ""


def test_each_unit_goes_its_own_way_and_may_stay() -> None:
    """blitz.split, blitz.optional, blitz.control, control.persists-when-empty: the hex may be left empty and stays German."""
    fight = won({"59": "2-panzer 36-panzer 64-panzer-grenadier 120-motorized"})
    fight.choose("2-panzer", "36-panzer", "64-panzer-grenadier", "120-motorized")
    for name, to in (("2-panzer", "44"), ("36-panzer", "45"), ("64-panzer-grenadier", "61"), ("120-motorized", "75")):
        fight.do(blitz(name, to))
    assert not fight.table.stack
    assert fight.table.pieces_at(PlaceId("60")) == ()
    assert fight.table.control[PlaceId("60")] == GERMAN
    stay = won({"59": "2-panzer 36-panzer"})
    stay.choose("2-panzer", "36-panzer")
    stay.do(blitz("2-panzer", "44"))
    stay.do(Done())
    assert (stay.place("36-panzer"), stay.asked) == ("60", "")
    assert all(stay.table.known_to[unit(name)] == ("german",) for name in ("2-panzer", "36-panzer"))


def test_only_germans_blitz_and_only_as_attackers() -> None:
    """blitz.german-only, units.soviet-plain: no Soviet Tank does; a won Hasty Attack is enough."""
    fight = Fight(german={"60": "544-infantry:1"}, soviet={"59": "6-tank"}, in_play=[HOTH])
    fight.attack("59", "60", hasty=True, dice=[6])
    assert fight.place("6-tank") == "60"
    assert not fight.asked


# Two German seats


def joint(german: dict[str, str]) -> Fight:
    """Return a joint attack of Yellow with Blue, won before the advance."""
    fight = Fight(german=german, soviet={"60": "45-rifle:1"}, mode="co_op", in_play=[HOTH])
    fight.attack(" ".join(german), "60", dice=[2, 6] if "panzer" in german["59"] else [2] * 5 + [6])
    return fight


def asked_seat(fight: Fight) -> str:
    """Return who is asked."""
    return fight.table.stack[-1].seat


def test_each_seat_decides_on_its_own_units_and_no_stack_is_mixed() -> None:
    """mode.co-op.joint-deliberate-attack, mode.co-op.no-mixed-stack: ruling.co-op-partner-consent; the active seat first."""
    fight = joint({"59": "2-panzer", "61": "36-panzer 576-infantry"})
    assert (fight.asked, asked_seat(fight)) == ("advance", "yellow")
    assert fight.code(Pick(unit("36-panzer"))) == "stack_must_be_of_seats_colour"
    fight.choose("2-panzer", "576-infantry")
    assert fight.asked == "blitz"
    assert fight.table.pieces_at(PlaceId("60")) == (unit("2-panzer"), unit("576-infantry"))


def test_the_partner_may_go_along_with_white_units() -> None:
    """mode.co-op.joint-deliberate-attack, mode.co-op.leaders-shared: together they take the hex, and each Blitzes its own."""
    fight = joint({"59": "2-panzer", "61": "36-panzer 576-infantry"})
    fight.choose("576-infantry")
    assert asked_seat(fight) == "blue"
    fight.choose("36-panzer")
    assert set(fight.table.pieces_at(PlaceId("60"))) == {unit("36-panzer"), unit("576-infantry")}
    assert (fight.asked, asked_seat(fight)) == ("blitz", "blue")
    fight.do(blitz("36-panzer", "44"))
    assert not fight.asked


def test_the_partner_fills_the_hex_at_most() -> None:
    """stack.limit, advance.german-up-to-four: four units of both seats together; a full hex asks nobody."""
    german = {"59": "2-panzer 576-infantry 577-infantry 578-infantry", "61": "36-panzer 24-panzer"}
    fight = joint(german)
    fight.choose("576-infantry", "577-infantry", "578-infantry")
    assert asked_seat(fight) == "blue"
    assert fight.code(Choose((unit("24-panzer"), unit("36-panzer")))) == "stacking_limit_must_hold"
    fight.choose("24-panzer")
    assert len(fight.table.pieces_at(PlaceId("60"))) == 4


def test_if_the_partner_refuses_the_active_seat_must_advance() -> None:
    """advance.mandatory: at least one unit (ruling.co-op-partner-consent)."""
    fight = joint({"59": "2-panzer", "61": "36-panzer 576-infantry"})
    fight.do(Choose(()))
    assert asked_seat(fight) == "blue"
    fight.do(Choose(()))
    assert asked_seat(fight) == "yellow"
    assert fight.code(Choose(())) == "advance_must_take_a_unit"
    fight.choose("2-panzer")
    assert fight.place("2-panzer") == "60"


def test_the_partner_must_advance_if_the_active_seat_has_nobody_left() -> None:
    """advance.mandatory, mode.co-op.active-stack-needed: only units of the partner have survived."""
    fight = Fight(
        german={"59": "544-infantry:1", "61": "36-panzer 24-panzer"},
        soviet={"60": "45-rifle:1"},
        mode="co_op",
        hands={"soviet": ["soviet/sniper-1"]},
    )
    fight.attack("59 61", "60", draws=["soviet/sniper-1"], dice=[2, 6])
    assert asked_seat(fight) == "blue"
    assert fight.code(Choose(())) == "advance_must_take_a_unit"


@each_row(("to", "code"), [("61", "yellow_and_blue_must_not_mix"), ("44", "")])
def test_a_blitz_does_not_mix_yellow_and_blue(to: str, code: str) -> None:
    """mode.co-op.no-mixed-stack: in any hex that is entered."""
    fight = Fight(
        german={"59": "2-panzer 544-infantry", "61": "36-panzer"},
        soviet={"60": "45-rifle:1"},
        mode="co_op",
        in_play=[HOTH],
    )
    fight.attack("59", "60", hasty=True, dice=[2, 6])
    fight.choose("2-panzer")
    assert fight.code(blitz("2-panzer", to)) == code


# What the Soviets lose with a hex


def test_germans_who_advance_destroy_a_fortification() -> None:
    """designer.fortification.destroyed: for good, though the hex is lost again."""
    fight = Fight(german={"42": "2-panzer"}, soviet={"28": "45-rifle:1"}, markers={"28": ["fortification/brown"]})
    fight.attack("42", "28", hasty=True, dice=[2, 6])
    assert fight.place("2-panzer") == "28"
    assert "28" not in fight.table.markers


def test_germans_who_enter_the_headquarters_end_chuikovs_effects() -> None:
    """designer.chuikov.lost: card and block are gone."""
    fight = Fight(
        german={"8": "2-panzer"},
        soviet={"9": "45-rifle:1"},
        in_play=["soviet/chuikov"],
        markers={"9": [HEADQUARTERS]},
        options={"designers_way": "hard"},
    )
    fight.attack("8", "9", hasty=True, dice=[2, 2, 6, 1, 1, 1], draws=["german/sniper-2"])
    assert "9" not in fight.table.markers
    assert fight.pile(leaders(SOVIET)) == []
    assert fight.pile(discards(SOVIET)) == ["soviet/chuikov"]
