"""Events are told with their cause: what the rule under which they happened does."""

from core.chance.chance_sources import ManualChance
from core.engine.draft import Draft
from core.engine.selection import Pick
from core.game_files.rulebook import load_rulebook
from core.games.advance.components.board_records import FACTORY
from core.games.advance.ids import AVAILABLE, ELIMINATED, MORALE, OUT_OF_ACTION, SOVIET, SUPPLY, USED
from core.games.advance.memory import ATTACKERS, BROKEN_OFF, DUE, EVENT, REPULSE, RESULT, ROLL, STRATEGY_IN_FORCE
from core.games.advance.narration.advance_narration import AdvanceNarration
from core.games.advance.narration.pictures import AdvancePictures, counter_words
from core.games.advance.narration.sentences import FATES, MORALE_CAUSES
from core.games.advance.rules.changes import MORALE_SOURCES, change_morale
from core.games.advance.rules.combat_values import defense_parts
from core.games.advance.rules.commands import Activate, NameLead
from core.telling.names import Names
from events.ids import CardId, MarkerId, PieceId, PlaceId, RuleId, Seat, TrackId
from events.vocabulary import (
    AttributeSet,
    ControlChanged,
    DiceRolled,
    Event,
    MarkerPlaced,
    MarkerRemoved,
    Modifier,
    PieceMoved,
    PiecePlaced,
    PieceRemoved,
    PieceRevealed,
    RuleApplied,
    TrackMoved,
    Value,
)
from projections.state.fold import evolve, fold
from projections.state.table import Open, Table
from tests.support.advance_rounds import BOARD, Scene
from tests.support.playouts import Playout
from tests.support.rows import each_row

NARRATION = AdvanceNarration(BOARD)


def moved(rule: str, piece: str, was: str, to: str) -> Event:
    return PieceMoved(rule=RuleId(rule), piece=PieceId(piece), was=PlaceId(was), to=PlaceId(to))


def track(rule: str, name: TrackId, was: int, to: int) -> Event:
    return TrackMoved(rule=RuleId(rule), track=name, was=was, to=to)


def attribute(rule: str, on: str, key: str, value: Value | None, was: Value | None = None) -> Event:
    return AttributeSet(rule=RuleId(rule), on=on, key=key, value=value, was=was)  # type: ignore[arg-type]


def test_causes_are_told_by_rules_of_the_index() -> None:
    rules = set(load_rulebook("core.games.advance").rules)

    assert set(FATES) | set(MORALE_CAUSES) <= rules
    assert set(MORALE_CAUSES) == MORALE_SOURCES


@each_row(
    ("event", "said"),
    [
        (
            moved("9.4.ambush", "29/15", "8", OUT_OF_ACTION),
            "Ambush at {8} puts 29/15 Out of Action.",
        ),
        (
            moved("9.4.barrage-lose-one", "29/15", "8", OUT_OF_ACTION),
            "Barrage at {8} puts 29/15 Out of Action.",
        ),
        (
            moved("9.5.5.repulse-losses", "29/15", "8", OUT_OF_ACTION),
            "29/15, which led the attack on {8}, is Out of Action after the Repulse.",
        ),
        (moved("9.5.8.entry-area", "29/15", "8", "6"), "29/15 retreats from {8} to {6}."),
        (
            moved("6.3.return-area", "29/15", OUT_OF_ACTION, "6"),
            "29/15 returns to {6} from the Out of Action Box for 1 Supply Point, 0 left.",
        ),
        (moved("9.5.5.success", "soviet/8", "8", ELIMINATED), "Soviet unit of {8} is eliminated."),
        (
            PieceRemoved(rule=RuleId("6.1.2.withdrawal-turn-9"), piece=PieceId("29/15"), was=PlaceId("8")),
            "29/15 leaves {8} and the game.",
        ),
        (track("9.4.heroes", MORALE, 14, 13), "German Morale goes from 14 to 13 (Heroes)."),
        (track("6.5.morale-loss", MORALE, 14, 13), "German Morale goes from 14 to 13 (End Phase)."),
        (
            track("9.5.5.repulse-morale", MORALE, 10, 9),
            "German Morale goes from 10 to 9 (Repulse). It is Shaken now: Attack Values no longer +1, Defense Values +1.",
        ),
        (
            track("6.3.buy-morale", MORALE, 9, 10),
            "German Morale goes from 9 to 10 (bought for 3 Supply Points, 0 left). It is Strong again: Attack Values +1, Defense Values no longer +1.",
        ),
        (
            track("10.2.minimum-sixteen", SUPPLY, 0, 16),
            "Supply Points: 16 (before: 0; less than 16 counts as 16).",
        ),
        (track("6.3.support-costs", SUPPLY, 16, 15), None),
        (
            moved("9.4.barrage-lone", "29/15", "8", OUT_OF_ACTION),
            "Barrage at {8} puts 29/15 Out of Action; nobody is left to attack.",
        ),
        (
            MarkerPlaced(rule=RuleId("6.3.support-costs"), on=AVAILABLE, marker=MarkerId("engineer"), count=2, was=1),
            "Engineer Support bought for 2 Supply Points, 0 left: 2 Available (before: 1).",
        ),
        (
            PieceRevealed(
                rule=RuleId("9.4.reveal"), piece=PieceId("soviet/8"), kind="L2", face="revealed", was="unrevealed"
            ),
            "The Soviet unit of {8} is Revealed: Ambush 5 (Light Urban); a Stalemate or a Success puts the Lead Out of Action.",
        ),
        (attribute("9.1.all-entrants", "8", ATTACKERS.key, ("29/15",)), "29/15 attacks {8} alone, and so leads."),
        (
            attribute("9.1.all-entrants", "8", ATTACKERS.key, ("29/15", "29/71")),
            "Attacking {8}: 29/15 and 29/71.",
        ),
        (MarkerRemoved(rule=RuleId("9.5.5.success"), on="soviet/8", marker=MarkerId("isolated")), None),
        (attribute("6.2.chart.15-16", EVENT, ROLL.key, 15), "Random Event 15: Artillery Shell Shortages."),
        (
            attribute("9.4.fanatic", "8", RESULT.key, "stalemate", "success"),
            "Fanatic turns the Success at {8} into a Stalemate.",
        ),
        (
            attribute("9.5.7.heroes-cancel", "soviet/8", STRATEGY_IN_FORCE.key, None, was=True),
            "Heroes and the Morale for this Area cancel each other.",
        ),
    ],
)
def test_an_event_is_told_with_its_cause(event: Event, said: str | None) -> None:
    places = {place: NARRATION.area(place) for place in ("6", "8")}

    told = None if said is None else said.replace("{6}", places["6"]).replace("{8}", places["8"])
    assert NARRATION.tell(Table(), [event]) == told


@each_row(
    ("face", "guards", "said", "rule"),
    [
        (4, 0, "4; no effect", "6.4.1.one-to-four"),
        (4, 1, "4, +1 Guards = 5; Morale -1", "6.4.1.five"),
        (5, 0, "5; Morale -1", "6.4.1.five"),
        (6, 1, "6, +1 Guards = 7; Morale -1, all German units there Spent", "6.4.1.six"),
    ],
)
def test_dice_of_bloody_streets_are_told_and_explained_with_what_they_do(
    face: int, guards: int, said: str, rule: str
) -> None:
    """6.4.1.one-to-four, 6.4.1.five, 6.4.1.six, 6.4.1.guards-modifier"""
    added = (Modifier(RuleId("6.4.1.guards-modifier"), "Guards", guards),) if guards else ()
    dice = DiceRolled(rule=RuleId("6.4.1.roll"), faces=(face,), purpose="Bloody Streets", about="7", modifiers=added)

    assert NARRATION.tell(Table(), [dice]) == f"Dice for Bloody Streets, {NARRATION.area('7')}: {said}."
    assert NARRATION.deciding(Table(), dice) == (rule,)


def test_support_markers_are_told_where_they_come_to() -> None:
    def told(box: str, count: int, was: int) -> str | None:
        rule, marker = RuleId("9.5.9.markers-used"), MarkerId("artillery")
        if not count:
            return NARRATION.tell(Table(), [MarkerRemoved(rule=rule, on=box, marker=marker)])
        return NARRATION.tell(Table(), [MarkerPlaced(rule=rule, on=box, marker=marker, count=count, was=was)])

    assert told("8", 0, 2) is told(AVAILABLE, 1, 2) is None
    assert told(USED, 3, 1) == "Artillery Support: 3 Used (before: 1)."


def test_an_area_is_named_in_one_way_everywhere() -> None:
    """The number that players type comes first, the printed name in brackets; 14 is 9 January Square."""
    names = Names(NARRATION)

    assert names.place("14") == NARRATION.area("14") == "Area 14 (9 January Square)"


def test_rounds_and_phases_have_the_printed_words() -> None:
    """The Turn Record Track counts turns, and a phase is not called like a track of the same id."""
    names = Names(NARRATION)

    assert (names.round, names.phase("supply"), names.of("supply")) == ("Turn", "Supply Phase", "Supply Points")
    assert (names.phase(""), names.phase("combat")) == ("Set-up", "Combat Phase")


def test_a_number_in_a_part_of_a_sum_is_not_the_area_of_that_number() -> None:
    assert Names(NARRATION).part("1 (at least 1)") == "1 (at least 1)"


def test_counters_are_listed_by_strategy_and_factor() -> None:
    words = AdvancePictures(BOARD, {})._counters(["H9", "", "L7", "H1", "L12", "L2"])

    assert words == "Ambush 5, 2 Ambush 6, Ambush 7, Ambush 10, Unrevealed"


def test_pavlovs_house_is_named() -> None:
    """12.6.guards-every-time."""
    assert counter_words(BOARD.pavlovs_house) == "Pavlov's House (Guards 8)"


@each_row(("result", "cause"), [(REPULSE, " after the Repulse"), (BROKEN_OFF, " because of the Barrage")])
def test_a_retreat_is_told_with_its_cause(result: str, cause: str) -> None:
    """9.5.5.repulse-retreat, 9.4.barrage-retreat."""
    table = fold([attribute("9.5.5.repulse", "8", RESULT.key, result)])
    run = [moved("9.5.8.entry-area", unit, "8", "6") for unit in ("100/369", "100/54", "29/15")]

    said = f"29/15, 100/54 and 100/369 retreat from {NARRATION.area('8')} to {NARRATION.area('6')}{cause}."
    assert NARRATION.tell(table, run) == said


def test_units_that_return_together_are_told_with_what_is_left_after_the_last() -> None:
    """6.3.return-cost: two points have been paid for the first, one is to be paid for the second."""
    table = fold([track("6.3.roll", SUPPLY, 0, 7)])
    run = [moved("6.3.return-area", unit, OUT_OF_ACTION, "6") for unit in ("29/RCN", "29/15")]

    assert str(NARRATION.tell(table, run)).endswith("for 3 Supply Points, 6 left.")


def test_the_set_up_of_the_factory_tells_the_revealed_units_and_no_area_twice() -> None:
    """14.5.1.revealed-units."""
    table, told = Table(), list[str]()
    for event in Playout("advance", FACTORY, 1).desk.events:
        told.append(NARRATION.tell(table, [event]) or "")
        if isinstance(event, ControlChanged) and event.to == SOVIET:
            assert NARRATION.tell(table, [event]) is None
        evolve(table, event)

    revealed = [said for said in told if said.startswith("Placed, Revealed: ")]
    assert [said.removeprefix("Placed, Revealed: ") for said in revealed] == [
        "Fanatic 8 (Heavy Urban) in Area 14 (9 January Square).",
        "Fanatic 9 (Elevated) in Area 21 (Mamayev Kurgan).",
        "Barrage 5 (Clear) in Area 44 (Dry Mechetka).",
    ]


def test_units_and_areas_told_together_are_joined_as_in_a_sentence() -> None:
    scene = Scene({"8": "29/15 29/71 29/RCN"}, {"10": "H2"})
    placed = [
        PiecePlaced(
            rule=RuleId("14.5.1.revealed-units"),
            piece=PieceId(f"one-{area}"),
            to=PlaceId(area),
            side=SOVIET,
            kind=CardId(scene.table.pieces[scene.table.pieces_at(PlaceId("10"))[0]].kind),
        )
        for area in ("14", "21")
    ]
    revealed = str(NARRATION.tell(Table(), placed))

    assert ") in Area 14 (9 January Square) and " in revealed
    assert NARRATION.describe(scene.table, Activate(PlaceId("8"))).endswith(": 29/15, 29/71 and 29/RCN")


def test_the_question_of_support_tells_the_values_so_far() -> None:
    """9.5.2.sum, 9.5.3.sum: what is at stake."""
    scene = Scene({"8": "29/15 29/71"}, {"10": "H2"}, support=(1, 0, 1))
    scene.activate("8")
    scene.move("29/15", "10")
    scene.move("29/71", "10")
    scene.attack("10", "29/15 29/71")
    before = NARRATION.question(scene.table, scene.table.stack[-1])
    scene.play(NameLead(PieceId("29/15")))
    after = NARRATION.question(scene.table, scene.table.stack[-1])
    value = sum(part.amount for part in defense_parts(scene.table, BOARD, PlaceId("10"), 0))

    assert before.endswith(f"; so far Defense Value {value}")
    assert after.endswith(f"; so far Attack Value {3 + 1 + 1}, Defense Value {value}")
    scene.play(Pick("artillery"))
    scene.play(Pick("air"))
    picked = NARRATION.question(scene.table, scene.table.stack[-1])
    assert picked.endswith(f"; so far Attack Value {3 + 1 + 1 + 2}, Defense Value {value} less 1d6")
    sums = NARRATION.sums(scene.table, scene.table.stack[-1])
    assert sums is not None
    assert [(one.title, one.total, one.note) for one in sums] == [
        ("Attack Value", 7, ""),
        ("Defense Value", value, "less 1d6"),
    ]
    asked = scene.table.stack[-1]
    scene.table.markers.setdefault(PlaceId("10"), {})[MarkerId("artillery")] = 1
    # One of the two lies there already, while the other is being placed.
    assert NARRATION.question(scene.table, asked) == picked


@each_row(
    ("event", "artillery", "air"),
    [
        ({}, 2, "Defense Value -1d6"),
        ({"shell_shortages": 1}, 1, "Defense Value -1d6"),
        ({"air_ban": True}, 2, "may not be placed this turn"),
    ],
)
def test_who_buys_support_reads_what_it_does_this_turn(event: dict[str, int], artillery: int, air: str) -> None:
    table = Scene({"10": "29/15"}, {"10": "H3"}, event=event).table

    assert NARRATION.details(table, Open("supply", Seat("german"))) == (
        f"Artillery Support: Attack Value +{artillery}; Engineer Support: Attack Value +2; Air Support: {air}",
    )
    assert NARRATION.details(table, Open("support", Seat("german"))) == ()


def due(scenario: str, turn: int, box: str, back: int) -> str | None:
    """Return what is told when a group in a box becomes due."""
    event = AttributeSet(rule=RuleId("6.2.1"), on=box, key=DUE.key, value=back)
    return NARRATION.tell(Table(scenario=scenario, round=turn), [event])


@each_row(
    ("scenario", "turn", "said"),
    [
        ("main", 7, "may enter from turn 8 on"),
        ("main", 8, "does not return"),
        ("factory", 13, "may enter from turn 14 on"),
        ("factory", 14, "does not return"),
    ],
)
def test_a_withdrawn_division_is_told_to_return_only_if_it_does(scenario: str, turn: int, said: str) -> None:
    """6.1.2.withdrawal-turn-9, ruling.turn-8-breakthrough: on turn 9 the 29th leaves for good; the match may end before, too."""
    told = due(scenario, turn, "withdrawn/29", turn + 1)

    assert told is not None
    assert told.endswith(f": {said}.")


def test_morale_that_cannot_go_lower_is_told() -> None:
    """5.2.morale-bounds, 9.5.5.repulse-morale."""
    draft = Draft(Table(), ManualChance())
    draft.track(MORALE, 1, RuleId("5.2"))
    change_morale(draft, BOARD, -1, RuleId("9.5.5.repulse-morale"))
    change_morale(draft, BOARD, -1, RuleId("9.5.5.repulse-morale"))
    change_morale(draft, BOARD, 0, RuleId("9.5.5.repulse-morale"))

    assert [event.outcome for event in draft.events if isinstance(event, RuleApplied)] == [
        "Morale stays at 0, the lowest there is"
    ]


def test_air_support_that_is_free_is_told_as_such() -> None:
    """6.3.free-air."""
    event = MarkerPlaced(rule=RuleId("6.3.free-air"), on=AVAILABLE, marker=MarkerId("air"), count=1)

    assert NARRATION.tell(Table(), [event]) == "Free Air Support: 1 Available."


def test_the_question_of_support_says_how_many_markers_can_be_placed_and_why_none_of_air() -> None:
    """9.5.4.limit, 12.5.contested-urban."""
    scene = Scene({"10": "29/15 29/71"}, {"10": "H2"}, support=(1, 0, 2), options={"limited_air_power": True})
    scene.activate("10")
    scene.attack("10", "29/15 29/71")
    scene.play(NameLead(PieceId("29/15")))
    asked = NARRATION.question(scene.table, scene.table.stack[-1])

    assert asked.startswith(
        "which support to place for the attack on Area 10 (Grain Elevator) "
        "(at most 1 marker; no Air Support in an urban Area that was Contested when the round began)"
    )
