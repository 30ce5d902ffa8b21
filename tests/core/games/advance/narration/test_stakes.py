"""Questions and options of attacks and reinforcements say which units they are about, what support adds, and what the dice are."""

from core.engine.selection import Done, Pick
from core.games.advance.memory import REPULSE, RESULT, SUCCESS
from core.games.advance.narration.advance_narration import AdvanceNarration
from core.games.advance.rules.commands import Buy, DeclareAttack, Move, NameLead
from core.telling.names import Names
from core.telling.narrator import Narrator
from events.ids import PieceId, PlaceId, RuleId, Seat
from events.vocabulary import AttributeSet, Modifier
from projections.state.table import Open, Table
from tests.support.advance import scene as whole_scene
from tests.support.advance_rounds import BOARD, Scene
from tests.support.rows import each_row

NARRATION = AdvanceNarration(BOARD)
T2 = ("245A", "389/544", "389/545", "389/546")
TEN = NARRATION.area("10")


def asked(table: Table) -> str:
    """Return the open question."""
    assert table.top is not None
    return NARRATION.question(table, table.top)


def supported(support: tuple[int, int, int], counter: str = "H1") -> Scene:
    """Return an attack of two units on Area 10, its support still to be placed."""
    scene = Scene({"8": "29/15 29/71"}, {"10": counter}, support=support, in_force="10")
    scene.activate("8")
    scene.move("29/15", "10")
    scene.move("29/71", "10")
    scene.attack("10", "29/15 29/71")
    scene.play(NameLead(PieceId("29/15")))
    return scene


def test_support_is_offered_with_what_it_does_and_how_much_is_left() -> None:
    """9.5.2.c-support, 9.5.3.d-air."""
    scene = supported((2, 1, 1))

    def offered() -> list[str]:
        return [NARRATION.describe(scene.table, one) for one in scene.options if isinstance(one, Pick)]

    assert offered() == [
        "Place Artillery Support (Attack Value +2; 2 Available)",
        "Place Engineer Support (Attack Value +2; 1 Available)",
        "Place Air Support (Defense Value -1d6; 1 Available)",
    ]
    scene.play(Pick("artillery"))
    assert offered()[0] == "Place Artillery Support (Attack Value +2; 1 Available)"


def test_guards_are_asked_about_with_their_dice() -> None:
    """9.4.guards, 9.4.guards-volga: Area 10 is at the Volga."""
    guards = next(
        one.id for one in BOARD.counters.values() if one.strategy == "guards" and one.terrain == "heavy_urban"
    )

    assert asked(supported((1, 0, 0), guards).table).endswith(" with the 2 highest of 4 dice")
    assert "dice" not in asked(supported((1, 0, 0)).table)


@each_row(
    ("counter", "in_force", "words"),
    [
        ("ambush", "10", "because of the Ambush it goes Out of Action unless the attack is an Overrun"),
        # Its Defense Strategy worked in an earlier Action Round.
        ("ambush", "", "a Repulse puts it Out of Action"),
        ("guards", "10", "a Repulse puts it Out of Action"),
    ],
)
def test_the_lead_is_asked_about_with_what_puts_it_out_of_action(counter: str, in_force: str, words: str) -> None:
    """9.4.ambush, 9.5.5.repulse-losses: an Ambush is ignored by an Overrun alone, since a Repulse takes the Lead as well."""
    kinds = [one for one in BOARD.counters.values() if one.strategy == counter and one.terrain == "heavy_urban"]
    scene = Scene({"8": "29/15 29/71"}, {"10": kinds[0].id}, in_force=in_force)
    scene.activate("8")
    scene.move("29/15", "10")
    scene.move("29/71", "10")
    scene.attack("10", "29/15 29/71")

    assert asked(scene.table).startswith(
        f"which unit leads the attack on {TEN}: its Attack Factor counts, and {words}; so far Defense Value "
    )


def test_a_move_is_offered_with_the_mf_left_and_the_attack_that_it_commits_to() -> None:
    """8.2.costs, 9.1.mandatory: an Area that is Contested already need not be attacked."""
    scene = Scene({"8": "29/15 29/PZ", "10": "24/21"}, {"10": "L5", "7": "?"})
    scene.activate("8")

    def offered(unit: str, to: str) -> str:
        return NARRATION.describe(scene.table, Move(PieceId(unit), PlaceId(to)))

    seven, nine = NARRATION.area("7"), NARRATION.area("9")
    assert (
        offered("29/15", "7") == f"Move 29/15 to {seven} for 4 of 4 MF: Mandatory Attack on an Unrevealed Soviet unit"
    )
    assert offered("29/PZ", "10") == f"Move 29/PZ to {TEN} for 3 of 6 MF, where a Revealed Soviet unit is"
    assert offered("29/PZ", "9") == f"Move 29/PZ to {nine} for 2 of 6 MF"
    scene.move("29/PZ", "9")
    assert " of 4 MF" in offered("29/PZ", "8")


def test_the_end_of_a_round_is_asked_about_only_when_it_may_end() -> None:
    """9.1.mandatory: not before anything is done, and not while a Mandatory Attack is due."""
    scene = Scene({"8": "29/15 29/PZ"}, {"10": "L5", "7": "?"})
    scene.activate("8")
    before = asked(scene.table)
    scene.move("29/15", "9")
    moved = asked(scene.table)
    scene.move("29/PZ", "10")

    assert before == f"the next move or attack of the Action Round in {NARRATION.area('8')}"
    assert moved == f"{before}, or its end"
    assert asked(scene.table) == before


def test_a_choice_of_attackers_names_the_groups_that_never_attack_together() -> None:
    """9.3.no-joint-attack."""
    scene = Scene({"10": "24/26 24/PZ 24/21"}, {"10": "L13"})
    scene.activate("10")
    scene.play(DeclareAttack(PlaceId("10")))

    assert asked(scene.table) == f"which of the units in the Contested {TEN} attack; so far Defense Value 11"
    assert NARRATION.describe(scene.table, Pick("24/26")) == "Attack with 24/26 (Attack Factor 6)"
    scene = Scene({"10": "24/26 24/PZ 24/21"}, {"10": "L13"})
    scene.activate("10")
    scene.move("24/PZ", "8")
    scene.move("24/PZ", "10")
    scene.play(DeclareAttack(PlaceId("10")))
    assert asked(scene.table).endswith(
        f"attack {TEN}: those that entered it or those in it already, never both together; so far Defense Value 11"
    )
    assert NARRATION.describe(scene.table, Pick("24/PZ")).endswith(f"), which entered from {NARRATION.area('8')}")
    assert NARRATION.describe(scene.table, Pick("24/26")) == (
        "Attack with 24/26 (Attack Factor 6), which was in the Contested Area already"
    )


def test_units_that_entered_a_contested_area_are_asked_about_as_such() -> None:
    """9.2.optional."""
    scene = Scene({"8": "29/PZ 29/15", "10": "71/191"}, {"10": "L13"})
    scene.activate("8")
    scene.move("29/PZ", "10")
    scene.move("29/15", "10")
    scene.play(DeclareAttack(PlaceId("10")))

    assert asked(scene.table) == f"which of the units that entered {TEN} attack; so far Defense Value 11"


def test_what_defends_an_area_is_not_told_before_it_is_revealed() -> None:
    """4.4.unrevealed-hidden"""
    scene = Scene({"8": "29/PZ 29/15"}, {"10": "?"})
    scene.activate("8")
    scene.move("29/PZ", "10")
    attack = Open("attackers", Seat("german"), {"area": "10"})

    assert NARRATION.question(scene.table, attack) == f"which of the units that entered {TEN} attack"


@each_row(("soviet", "is_final"), [({"10": "L13"}, True), ({}, False)])
def test_the_end_of_the_purchases_is_final_if_bloody_streets_follow(soviet: dict[str, str], *, is_final: bool) -> None:
    """6.4.1.roll: for Contested Areas of urban terrain, such as 10."""
    table = Scene({"10": "24/26"}, soviet).table
    table.stack = (Open("supply", Seat("german")),)

    assert NARRATION.is_final(table, Done()) is is_final
    assert not NARRATION.is_final(table, Buy("artillery"))


@each_row(
    ("others", "options", "how"),
    [
        ({}, {}, "enter, in one Area"),
        ({}, {"reinforcement_delay": "at-will"}, "enter, in one Area, or whether they wait"),
        (
            {"244A": "1", "71/191": "2"},
            {"reinforcement_without_room": "place-what-fits"},
            "enter, as many as there is room for",
        ),
    ],
)
def test_reinforcements_are_asked_about_by_name(others: dict[str, str], options: dict[str, str], how: str) -> None:
    """6.1.1.one-area, ruling.reinforcement-may, ruling.reinforcement-room."""
    units = {**dict.fromkeys(T2, "reinforcements/t2"), **others}
    scene = whole_scene(phase="dawn", turn=2, units=units, soviets={"10": "?"}, options=options)

    assert asked(scene.table) == f"where 245A, 389/544, 389/545 and 389/546 {how}"


def test_a_result_is_told_with_its_totals_and_what_an_overrun_needs() -> None:
    """9.5.5.overrun-margin: a result is no number to which its parts add up."""
    dice = RuleId("9.5.1.dice")
    totals = (Modifier(dice, "Attack Total", 23), Modifier(dice, "Defense Total", -20))
    needed = Modifier(RuleId("9.5.5.overrun-margin"), "margin to exceed for an Overrun", -9)
    narrator = Narrator(Names(NARRATION), Table())

    def told(result: str, parts: tuple[Modifier, ...] | None) -> str:
        rule = RuleId(f"9.5.5.{result}")
        return narrator.sentence(AttributeSet(rule=rule, on="8", key=RESULT.key, value=result, parts=parts))

    sawmill = NARRATION.area("8")
    assert told(SUCCESS, (*totals, needed)) == (
        f"The attack on {sawmill} is a Success (23 : 20, by 3; an Overrun needs more than 9)."
    )
    assert told(REPULSE, totals) == f"The attack on {sawmill} is Repulsed (23 : 20)."
    assert told(SUCCESS, None) == f"The attack on {sawmill} is a Success."
