"""A Call for Reinforcements: cards, dice, Removals, deployment, and what goes back to the track."""

from core.engine.command import Command
from core.games.inferno.ids import CO_OP, GERMAN, ONE_VS_ONE, RAUS, SOLO, removed_box, track_box
from core.games.inferno.memory import ADVANTAGES
from core.games.inferno.rules.reinforcement_track import fewest, in_reach, row_units
from events.ids import PieceId, PileId, RuleId
from events.vocabulary import CardDrawn, DecisionOpened, DiceRolled, PieceMoved, PieceRevealed, RuleApplied, Value
from tests.support.inferno import BOARD, Scene, order, scene
from tests.support.rows import each_row

CALL = order("reinforce")
CARD = "german/stuka-1"
FAR = {"19": ["98-rifle"]}
"""A Soviet unit that a die of 4 moves."""
R_UNIT = "64-panzer-grenadier"
BLUES = ["267-infantry", "274-infantry", "276-infantry", "669-infantry", "670-infantry"]
WHITES = ["576-infantry", "577-infantry", "578-infantry", "208-infantry"]
YELLOWS = ["544-infantry", "545-infantry", "546-infantry", "191-infantry"]


def called(table: Scene, faces: list[int], seat: str = "german", draws: tuple[str, ...] = (CARD,)) -> Scene:
    """Call for Reinforcements with these dice; the turn does not end."""
    table.do(seat, CALL, dice=faces, draws=draws)
    return table


def deploy(table: Scene, unit: str, to: str) -> Command:
    """Return a deployment."""
    return order("deploy", unit=table.piece(unit), to=to)


def picked_up(table: Scene) -> list[str]:
    """Return the units that were picked up."""
    return sorted(table.kinds("called"))


def test_a_card_is_drawn_first_two_with_paulus() -> None:
    """german.reinforce.draw-card, leader.paulus, ruling.paulus-timing"""
    one = called(scene(soviet=FAR, track={2: [BLUES[0]]}), [2, 2, 2, 2, 2, 2])
    two = called(
        scene(soviet=FAR, track={2: [BLUES[0]]}, in_play=["german/paulus"]), [2] * 6, draws=(CARD, "german/stuka-2")
    )

    causes = [event.rule for event in two.events if isinstance(event, CardDrawn)]

    assert (one.count("german_hand"), two.count("german_hand")) == (1, 2)
    assert causes == ["german.reinforce.draw-card", "leader.paulus"]
    assert next(event for event in one.events if isinstance(event, DiceRolled)).faces == (2,) * 6


def test_each_die_takes_the_leftmost_unit_of_its_row() -> None:
    """german.reinforce.six-dice, german.reinforce.leftmost, german.reinforce.pick-up; T2"""
    track = {
        2: [YELLOWS[0], BLUES[0]],
        3: [YELLOWS[1], BLUES[1]],
        4: [YELLOWS[2], BLUES[2]],
        5: [YELLOWS[3], WHITES[0], WHITES[1], BLUES[3]],
    }
    table = called(scene(soviet=FAR, track=track), [2, 3, 4, 5, 5, 5])

    assert picked_up(table) == sorted([BLUES[0], BLUES[1], BLUES[2], BLUES[3], WHITES[1], WHITES[0]])
    assert [len(row_units(table.table, BOARD, row)) for row in range(1, 7)] == [0, 1, 1, 1, 1, 0]


def test_picked_up_units_are_seen_by_the_germans_only() -> None:
    """german.reinforce.pick-up, fog.reinforcements-facedown"""
    table = called(scene(soviet=FAR, track={2: [BLUES[0]]}, mode=ONE_VS_ONE), [2] * 6)
    (shown,) = [event for event in table.events if isinstance(event, PieceRevealed)]

    assert shown.seen_by == ("german",)


def test_reinforcements_are_the_whole_turn() -> None:
    """german.reinforce.uses-turn"""
    table = called(scene(german={"75": [R_UNIT]}, soviet=FAR, track={2: [BLUES[0]]}), [2] * 6)
    move = order("short-move", units=table.tokens(R_UNIT), to="60")

    assert table.refused("german", move) == "turn_must_have_one_action"

    table.do("german", deploy(table, BLUES[0], "Z"), dice=[4])

    assert table.kinds("Z") == [BLUES[0]]
    assert table.table.pieces[table.piece(BLUES[0])].face == "edge-1"
    assert table.table.round == 2


@each_row(
    ("unit", "to", "code"),
    [
        (BLUES[0], "X", "blue_units_must_enter_in_z"),
        (YELLOWS[0], "Z", "yellow_units_must_enter_in_x_or_y"),
        (WHITES[0], "W", "reinforcements_must_enter_in_spawn_hex"),
        (WHITES[0], "9", "reinforcements_must_enter_in_spawn_hex"),
        (WHITES[0], "Q", "hex_must_be_playable"),
        (WHITES[0], "X", "entry_hex_must_have_room"),
        (YELLOWS[0], "Y", "entry_hex_must_be_german_controlled"),
    ],
)
def test_a_deployment_is_refused(unit: str, to: str, code: str) -> None:
    """german.reinforce.blue-in-z, german.reinforce.yellow-in-x-y, german.reinforce.white-anywhere, german.reinforce.not-in-w,
    german.reinforce.no-overstack, german.reinforce.hex-lost
    """
    full = {"X": [R_UNIT, "2-panzer", "79-panzer-grenadier", "120-motorized"], "Z": ["24-panzer", "36-panzer"]}
    track = {1: [BLUES[0]], 2: [YELLOWS[0]], 3: [WHITES[0]]}
    table = called(scene(german=full, soviet=FAR, control={"soviet": ["Y"]}, track=track), [1, 2, 3, 6, 6, 6])

    assert table.refused("german", deploy(table, unit, to)) == code


def test_only_units_of_this_call_are_deployed_and_none_is_held_back() -> None:
    """german.reinforce.pick-up, german.reinforce.must-deploy, german.reinforce.removed-for-good"""
    table = called(
        scene(german={"75": ["2-panzer"]}, soviet=FAR, track={2: [WHITES[0]]}, removed={1: R_UNIT}), [2, 6, 6, 6, 6, 6]
    )
    withheld = order("return-unit", unit=table.piece(WHITES[0]))

    assert table.refused("german", deploy(table, "2-panzer", "X")) == "unit_must_be_picked_up"
    assert table.refused("german", deploy(table, R_UNIT, "X")) == "unit_must_be_picked_up"
    assert table.refused("german", withheld) == "deployable_unit_must_be_deployed"


# What goes back


def test_units_without_a_place_go_back_to_the_row_with_the_fewest() -> None:
    """german.reinforce.return-order, german.reinforce.return-facedown; ruling.reinforce-return-spread, ruling.reinforce-return-box"""
    track = {1: [YELLOWS[0], BLUES[0]], 2: [BLUES[1], BLUES[2]], 3: [YELLOWS[1]], 4: [YELLOWS[2]], 5: [YELLOWS[3]]}
    table = called(scene(soviet=FAR, control={"soviet": ["Z"]}, track=track), [1, 2, 2, 6, 6, 6])

    assert table.asked == "german return_unit"
    assert fewest(table.table, BOARD) == 2
    assert table.refused("german", deploy(table, BLUES[0], "Z")) == "entry_hex_must_be_german_controlled"

    for unit in (BLUES[2], BLUES[0]):
        table.do("german", order("return-unit", unit=table.piece(unit)), dice=[4] if unit == BLUES[0] else [])

    rows = [len(row_units(table.table, BOARD, row)) for row in range(1, 7)]
    assert rows == [2, 1, 1, 1, 1, 1]
    assert (table.kinds(track_box(2, 5)), table.kinds(track_box(6, 5))) == ([BLUES[2]], [BLUES[0]])
    assert table.table.known_to[table.piece(BLUES[0])] == ()


# Removal


@each_row("place", ["75", "X"])
def test_a_die_on_an_empty_row_removes_its_unit_once(place: str) -> None:
    """german.reinforce.empty-row, german.reinforce.removed-for-good, german.reinforce.removed-not-destroyed; T3"""
    table = scene(german={place: [R_UNIT, "2-panzer"]}, soviet=FAR)
    table.do("german", CALL, dice=[1, 1, 6, 6, 6, 6, 4], draws=(CARD,))

    assert table.kinds(removed_box(1)) == [R_UNIT]
    assert table.at("death_pool") == ()
    assert sum(isinstance(event, PieceMoved) and event.to == removed_box(1) for event in table.events) == 1

    table.do("german", CALL, dice=[1, 1, 6, 6, 6, 6, 1], draws=("german/stuka-2", "soviet/aa-7"))

    assert table.kinds(removed_box(1)) == [R_UNIT]


def test_a_unit_picked_up_in_this_call_is_removed_as_well() -> None:
    """german.reinforce.removal-same-phase, ruling.reinforce-removal-time"""
    table = scene(soviet=FAR, track={2: ["103-panzer-grenadier"]})
    table.do("german", CALL, dice=[3, 2, 6, 6, 6, 6, 4], draws=(CARD,))
    removals = [event.rule for event in table.events if isinstance(event, PieceMoved) and event.to == removed_box(3)]

    assert removals == ["german.reinforce.removal-same-phase"]
    assert table.kinds(removed_box(3)) == ["103-panzer-grenadier"]


def test_a_unit_that_would_go_back_to_the_track_is_removed_first() -> None:
    """ruling.reinforce-returned-then-removed: Z has no room for it."""
    table = scene(german={"Z": BLUES[:4]}, soviet=FAR, track={2: ["103-panzer-grenadier"]})
    table.do("german", CALL, dice=[3, 2, 6, 6, 6, 6, 4], draws=(CARD,))

    assert table.kinds(removed_box(3)) == ["103-panzer-grenadier"]
    assert row_units(table.table, BOARD, 1) == []


@each_row("where", ["track", "dead"])
def test_a_unit_that_cannot_be_removed_stays(where: str) -> None:
    """german.reinforce.removal-impossible, ruling.reinforce-removal-retry"""
    table = scene(soviet=FAR, track={2: [R_UNIT]}) if where == "track" else scene(soviet=FAR, dead=[R_UNIT])
    table.do("german", CALL, dice=[1, 6, 6, 6, 6, 6, 4], draws=(CARD,))

    assert table.at(removed_box(1)) == ()


@each_row(("is_retried", "removed"), [(True, [R_UNIT]), (False, [])])
def test_an_impossible_removal_is_tried_again_unless_an_option_says_otherwise(
    is_retried: bool, removed: list[str]
) -> None:
    """ruling.reinforce-removal-retry"""
    table = scene(soviet=FAR, track={2: [R_UNIT]}, options={"removal_retry": is_retried})
    table.do("german", CALL, dice=[1, 6, 6, 6, 6, 6, 4], draws=(CARD,))
    table.do("german", CALL, dice=[1, 2, 6, 6, 6, 6], draws=("german/stuka-2",)) if not is_retried else table.do(
        "german", CALL, dice=[1, 2, 6, 6, 6, 6, 1], draws=("german/stuka-2", "soviet/aa-7")
    )

    assert table.kinds(removed_box(1)) == removed


def test_row_six_has_no_unit_in_the_basic_game() -> None:
    """german.reinforce.row-six-basic, ruling.row-six, ruling.reinforce-empty-track"""
    table = scene(german={"75": [R_UNIT]}, soviet=FAR)
    table.do("german", CALL, dice=[6] * 6 + [4], draws=(CARD,))

    assert applied(table) == [("german.reinforce.row-six-basic", removed_box(6))]
    assert table.at(removed_box(6)) == ()
    assert not table.table.marker(removed_box(6), RAUS)


@each_row(("options", "row"), [({}, [WHITES[0]]), ({"row_after_removal": "in-use"}, [])])
def test_dice_of_a_row_whose_unit_was_removed_do_nothing(options: dict[str, Value], row: list[str]) -> None:
    """german.reinforce.removed-for-good, ruling.reinforce-row-after-removal: though a unit has been put back into the row."""
    table = scene(soviet=FAR, track={1: [WHITES[0]]}, removed={1: R_UNIT}, options=options)
    table.do("german", CALL, dice=[1, 6, 6, 6, 6, 6, *([4] if row else [])], draws=(CARD,))

    assert [table.table.pieces[piece].kind for piece in row_units(table.table, BOARD, 1)] == row
    assert (("german.reinforce.removed-for-good", removed_box(1)) in applied(table)) == bool(row)


def test_the_bot_expects_no_unit_of_a_row_whose_dice_do_nothing() -> None:
    """ruling.reinforce-row-after-removal"""
    table = scene(soviet=FAR, track={1: WHITES[:2], 2: [WHITES[2]]}, removed={1: R_UNIT}).table

    assert [len(in_reach(table, BOARD, row)) for row in (1, 2)] == [0, 1]


# One place


@each_row(
    ("mode", "open_to", "there", "asked"),
    [
        (SOLO, "Z", 1, "german action"),
        (SOLO, "Z", 3, "german deploy"),
        (SOLO, "YZ", 1, "german deploy"),
        (CO_OP, "X", 2, "blue action"),
    ],
)
def test_units_that_can_enter_in_one_hex_only_enter_without_a_question(
    mode: str, open_to: str, there: int, asked: str
) -> None:
    """german.reinforce.must-deploy: there is nothing to choose unless two hexes are open or one has not room for all."""
    lost = [place for place in "XYZ" if place not in open_to]
    full = {open_to[0]: ["2-panzer", "79-panzer-grenadier", "120-motorized"][:there], "75": [R_UNIT]}
    table = scene(german=full, soviet=FAR, control={"soviet": lost}, track={2: [WHITES[0]], 3: [WHITES[1]]}, mode=mode)
    seat = str(table.table.turn_seat)
    table.do(seat, CALL, dice=[2, 3, 6, 6, 6, 6, *([4] if asked.endswith("action") else [])], draws=(CARD,))

    assert table.asked == asked
    assert len(table.at(open_to[0])) == there + (2 if asked.endswith("action") else 0)


def test_whether_a_question_is_asked_tells_nothing_of_the_units() -> None:
    """fog.blocks-upright: the Soviet player sees the same questions, whatever the units are that were picked up."""
    soviets = scene(soviet=FAR, control={"soviet": ["X", "Y"]}, track={2: [BLUES[0]], 3: [BLUES[1]]}, mode=ONE_VS_ONE)
    others = scene(soviet=FAR, control={"soviet": ["X", "Y"]}, track={2: [YELLOWS[0]], 3: [BLUES[1]]}, mode=ONE_VS_ONE)
    asked = [
        [event.kind for event in called(table, [2, 3, 6, 6, 6, 6]).events if isinstance(event, DecisionOpened)]
        for table in (soviets, others)
    ]

    assert asked == [["soviet_action"]] * 2


def applied(table: Scene) -> list[tuple[str, str]]:
    """Return which rules took effect on rows, and at which box."""
    return [(event.rule, event.about) for event in table.events if isinstance(event, RuleApplied)]


@each_row("is_retried", [True, False])
def test_a_die_without_effect_says_why(is_retried: bool) -> None:
    """german.reinforce.removal-impossible, german.reinforce.removed-for-good"""
    removed = scene(soviet=FAR, removed={1: R_UNIT})
    removed.do("german", CALL, dice=[1, 1, 6, 6, 6, 6, 4], draws=(CARD,))

    assert applied(removed)[0] == ("german.reinforce.removed-for-good", removed_box(1))

    table = scene(soviet=FAR, track={2: [R_UNIT]}, options={"removal_retry": is_retried})
    for card in (CARD, "german/stuka-2"):
        table.do("german", CALL, dice=[1] * 6 + [4], draws=(card,))

        assert applied(table) == [("german.reinforce.removal-impossible", removed_box(1))]


def test_the_track_of_the_set_up_is_drawn_by_its_odds() -> None:
    """setup.step-9, fog.reinforcements-facedown: the last box of a row holds White Infantry."""
    from core.chance.chance_sources import ManualChance
    from core.engine.draft import Draft
    from core.games.inferno.rules.reinforcement_track import show
    from events.vocabulary import PieceDrawn

    table = scene(soviet=FAR)
    draft = Draft(table.table.clone(), ManualChance((), ["576-infantry"]))
    white = {block.id for block in BOARD.blocks.values() if block.colour == "white" and not block.is_axe}
    others = tuple(block.id for block in BOARD.blocks_of(GERMAN) if block.start is None)[3:]
    draft.form(PileId("german_pool"), others, RuleId("setup.step-7"))
    for row in range(1, 7):
        for box in range(1, 6):
            draft.place(
                PieceId(f"german/{row}{box}"),
                track_box(row, box),
                RuleId("setup.step-9"),
                kind="",
                side=GERMAN,
                seen_by=(),
            )
    show(draft, BOARD, PieceId("german/15"))
    drawn = next(event for event in draft.events if isinstance(event, PieceDrawn))

    assert drawn.weights is not None
    assert set(drawn.weights) == white


# The Designer's Way


def test_raus_brings_the_sixth_panzer_division_onto_the_track() -> None:
    """designer.advantage.sixth-panzer, designer.sixth-panzer.placement, designer.sixth-panzer.white; ruling.sixth-panzer-same-call"""
    track = {
        1: [YELLOWS[0], YELLOWS[1]],
        2: [BLUES[0]],
        3: [BLUES[1]],
        4: [WHITES[0], WHITES[1]],
        5: [WHITES[2], WHITES[3]],
    }
    table = scene(soviet=FAR, track=track, options={"designers_way": "random"})
    table.table.attributes[GERMAN] = {ADVANTAGES.key: ("sixth_panzer",)}
    called(table, [6] * 6, draws=(CARD, "114-panzer-grenadier", "11-panzer"))

    assert table.table.marker(removed_box(6), RAUS) == 1
    assert table.asked == "german return_unit"

    for unit in ("11-panzer", "4-panzer-grenadier"):
        table.do("german", order("return-unit", unit=table.piece(unit)), dice=[4] if unit[0] == "4" else [])

    assert [len(row_units(table.table, BOARD, row)) for row in range(1, 7)] == [2, 2, 2, 2, 2, 1]
    assert table.kinds(track_box(6, 5)) == ["11-panzer"]


# Two German seats


def test_white_units_fill_the_callers_hexes_first_and_the_partner_places_his_colour() -> None:
    """mode.co-op.white-reinforcements, mode.co-op.other-colour-reinforcements; ruling.co-op-place-other-colour"""
    german = {"Z": ["21-panzer-grenadier", "24-panzer", "36-panzer"], "75": [R_UNIT]}
    track = {2: [WHITES[0]], 3: [WHITES[1]], 4: [YELLOWS[0]], 5: [YELLOWS[1]]}
    table = scene(german=german, soviet=FAR, track=track, mode=CO_OP, round_=1)

    called(table, [2, 3, 4, 6, 6, 6], seat="blue")

    assert table.asked == "blue deploy"
    assert table.refused("blue", deploy(table, WHITES[0], "X")) == "white_units_must_fill_callers_hexes_first"
    assert table.refused("blue", deploy(table, YELLOWS[0], "X")) == "stack_must_be_of_seats_colour"

    table.do("blue", deploy(table, WHITES[0], "Z"))
    table.do("blue", deploy(table, WHITES[1], "X"))

    assert table.asked == "yellow deploy"

    table.do("yellow", deploy(table, YELLOWS[0], "Y"), dice=[4])

    assert table.kinds("Y") == [YELLOWS[0]]


def test_white_units_enter_in_the_partners_hexes_where_the_callers_are_lost() -> None:
    """ruling.co-op-own-hexes-closed, german.reinforce.hex-lost"""
    table = scene(
        soviet={**FAR, "Z": ["45-rifle"]}, german={"75": [R_UNIT]}, track={2: [WHITES[0]]}, mode=CO_OP, round_=1
    )
    called(table, [2, 6, 6, 6, 6, 6], seat="blue")

    assert table.refused("blue", deploy(table, WHITES[0], "Z")) == "entry_hex_must_be_german_controlled"
    assert deploy(table, WHITES[0], "X") in table.options


def test_yellow_and_blue_do_not_mix_where_they_enter() -> None:
    """mode.co-op.no-mixed-stack"""
    table = scene(german={"X": [BLUES[0]], "75": [R_UNIT]}, soviet=FAR, track={2: [YELLOWS[0]]}, mode=CO_OP)
    called(table, [2, 6, 6, 6, 6, 6], seat="yellow")

    assert table.refused("yellow", deploy(table, YELLOWS[0], "X")) == "yellow_and_blue_must_not_mix"


def test_a_deployment_does_not_disclose_the_colour_of_a_unit() -> None:
    """fog.blocks-upright: what the Soviet seat sees of it is the same for a White and a Blue unit in Z."""
    table = called(scene(soviet=FAR, track={2: [BLUES[0], WHITES[0]]}, mode=ONE_VS_ONE), [2] * 6)
    rules = set[str]()
    for unit in (BLUES[0], WHITES[0]):
        table.do("german", deploy(table, unit, "Z"))
        rules.update(event.rule for event in table.events if isinstance(event, PieceMoved))

    assert len(rules) == 1
