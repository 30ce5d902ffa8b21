"""Sentences that players would use: a combat with its battle board and dice, flights, losses, supply, and options with what they begin."""

from collections.abc import Iterable, Sequence

from core.engine.command import Command
from core.engine.selection import Choose, Done, Pick, Unpick
from core.games.axis_allies.ids import (
    ALLIES,
    ALLIES_SEAT,
    ASSAULT,
    AUCTION,
    AXIS,
    AXIS_SEAT,
    BATTLE,
    FIRST_SEAT,
    FROZEN,
    RACE,
    RPC,
    SECOND_SEAT,
    STALINGRAD,
    UNSUPPLIED,
    URANUS_DRAWN,
    URANUS_FRONT,
    above,
    round_space,
    token,
    unit,
)
from core.games.axis_allies.memory import (
    ACROSS_RIVER,
    ALL,
    ATTACK_MISSION,
    BID,
    BID_FOR,
    MISSION,
    SHOTS,
    STAY,
    SUPPLIED,
    TOKENS_KEPT,
)
from core.games.axis_allies.rules import commands
from core.games.axis_allies.rules.reinforcement import COLLECT
from core.games.axis_allies.rules.supply import COMBAT_USE
from core.games.axis_allies.rules.uranus import TOGETHER
from core.telling.dice_text import dice_of
from core.telling.names import Names
from core.telling.narrator import Narrator
from core.telling.option_parts import heading_of
from events.codec import replace
from events.ids import (
    NO_SEAT,
    NO_SIDE,
    PUBLIC,
    TABLE,
    AttributeKey,
    CardId,
    MarkerId,
    PieceId,
    PlaceId,
    RuleId,
    Seat,
    Side,
)
from events.vocabulary import (
    AttributeSet,
    CardMoved,
    ControlChanged,
    DecisionOpened,
    DeckFormed,
    DiceRolled,
    Event,
    MarkerPlaced,
    MarkerRemoved,
    MatchEnded,
    Modifier,
    PieceMoved,
    PiecePlaced,
    PieceRemoved,
    PieceTurned,
    RuleApplied,
    SequenceBegan,
    SideAssigned,
    SideChanged,
    TrackMoved,
)
from projections.chronicle import chronicle
from projections.state.table import Open, Pile, Table
from projections.state.view import EventSlice, seen_events
from tests.support.axis_allies import BOARD, NARRATION, SCENE, bare, opened
from tests.support.axis_allies_fights import KALACH, RACE_CONTROL, attack_phase, contested, fought
from tests.support.rows import each_row

UNITS = {
    "kalach": {"ger_infantry": 3, "ger_tank": 1, "sov_infantry": 2, "sov_artillery": 1},
    "oblivskaya": {"ger_bomber": 1, "ger_fighter": 1},
    "novomoskovsk": {"ger_tank": 1, "ger_mech_infantry": 1},
    "pitomnik": {"sov_infantry": 2},
    "ambush_station": {"sov_infantry": 1},
}
RULE = RuleId("1")
EVERYWHERE = frozenset(str(zone) for zone, there in BOARD.zones.items() if not there.base)


def scene() -> Table:
    draft = bare(control={AXIS: RACE_CONTROL}, units=UNITS, markers={"kalach": ASSAULT}, ferries=["crossing_white"])
    return attack_phase(draft).table


def told(before: Table, events: Sequence[Event]) -> list[str]:
    """Return the log of events."""
    teller = Narrator(Names(NARRATION), before)
    chapters = chronicle([EventSlice(1, 0, tuple(events))])
    return [line.sentence for part in chapters for line in teller.lines(part.entries)]


def test_a_combat_is_told_with_its_battle_board_its_dice_and_both_losses() -> None:
    draft = contested({"ger_tank": 1, "ger_infantry": 2, "sov_infantry": 1})
    ACROSS_RIVER.set(draft, KALACH, value=True, rule=SCENE)
    before, value = draft.table.clone(), "at 3 or less (2, +1 Throw Them Back)"

    events = fought(draft, 5, 6, 3, 3).events
    (began,) = [one for one in events if isinstance(one, SequenceBegan) and one.kind == "combat"]

    assert told(before, events) == [
        "Combat in Kalach: 3 Axis units against 1 Allied unit.",
        "Attack in Kalach: 2 German Infantry at 1 or less; dice 5, 6; 0 hits.",
        "Attack in Kalach: 1 German Tank at 3 or less; dice 3; 1 hit.",
        "Casualties of the defender, removed after it fires: 1 Soviet Infantry.",
        f"Defense in Kalach: 1 Soviet Infantry {value}; dice 3; 1 hit.",
    ]
    assert Narrator(Names(NARRATION), before).details(began) == (
        "Attacker, Axis: 1 German Tank at 3 or less and 2 German Infantry at 1 or less.",
        f"Defender, Allies: 1 Soviet Infantry {value}.",
    )


def test_the_loss_of_a_defender_is_explained_by_the_dice_of_the_attackers_for_which_it_was_named() -> None:
    """combat.defender-casualties-fire-back: it is removed in a later step, in which no dice are thrown."""
    draft = contested({"ger_tank": 1, "ger_infantry": 2, "sov_infantry": 1})
    before = draft.table.clone()
    events = fought(draft, 5, 6, 3, 6).events
    (lost,) = [number for number, event in enumerate(events, start=1) if isinstance(event, PieceMoved | PieceRemoved)]
    rolls = [event for _, event in dice_of(events[:lost], lost, Names(NARRATION).on(before), NARRATION.favours)]

    assert told(before, events[lost - 1 : lost]) == ["Lost in Kalach: 1 Soviet Infantry, by the attackers' fire."]
    assert [(roll.purpose, roll.faces) for roll in rolls] == [("attack", (5, 6)), ("attack", (3,))]


def test_a_battle_that_goes_on_is_told_as_an_assault_is_that_becomes_one() -> None:
    """combat.step6.battle"""
    ends = {BATTLE: "The Battle in Kalach goes on.", ASSAULT: "Combat Marker: Battle in Kalach, which goes on."}
    for marker, last in ends.items():
        draft = contested({"ger_infantry": 1, "sov_infantry": 1}, marker=marker)
        before = draft.table.clone()

        assert told(before, fought(draft, 6, 6).events)[-1] == last


def test_losses_above_a_crossing_are_asked_for_there() -> None:
    draft = bare(
        units={above(PlaceId("crossing_brown")): {"ger_fighter": 2}}, flying=[above(PlaceId("crossing_brown"))]
    )
    asked = Open("casualties", AXIS_SEAT, {"pool": ("ger_fighter/1", "ger_fighter/2"), "hits": 1, "cause": "1"})

    assert NARRATION.question(draft.table, asked).startswith("which unit of the Axis above the Brown crossing is lost")
    assert NARRATION.question(draft.table, Open("combat", NO_SEAT, {"zone": above(PlaceId("crossing_brown"))})) == (
        "the combat above the Brown crossing"
    )


def test_hits_for_which_no_unit_is_left_are_told() -> None:
    """RuleId("combat.step2.defender-chooses"), RuleId("combat.step3.attacker-chooses")."""
    draft = contested({"ger_tank": 1, "ger_infantry": 2, "sov_infantry": 1})
    before = draft.table.clone()
    said = told(before, fought(draft, 1, 1, 3, 6).events)

    assert said[3:5] == [
        "Casualties of the defender, removed after it fires: 1 Soviet Infantry.",
        "Kalach: 2 surplus hits, for which no unit is left.",
    ]


def test_a_question_about_a_force_is_short_and_the_forces_stand_below_it() -> None:
    draft = contested({"ger_tank": 1, "ger_infantry": 2, "sov_infantry": 1})
    token = Open("spend_token", AXIS_SEAT, {"zone": KALACH, "use": COMBAT_USE})
    # No Soviet Tank is there on which the hit of Assault Guns could fall.
    hits = Open("targets", AXIS_SEAT, {"place": KALACH, "bomber": 1, "assault_gun": 1})
    axis = "Axis: 1 German Tank at 3 or less and 2 German Infantry at 1 or less"
    allies = "Allies: 1 Soviet Infantry at 2 or less"

    asked = NARRATION.question(draft.table, token)
    assert asked == "whether to spend a supply token for the Axis force in Kalach, supplied anyway"
    assert NARRATION.details(draft.table, token) == (axis, allies)
    asked = NARRATION.question(draft.table, hits)
    assert asked == "which unit types in Kalach 1 hit of Bombers must fall on, if any"
    assert NARRATION.details(draft.table, hits) == (allies,)
    assert NARRATION.details(draft.table, Open("move", AXIS_SEAT)) == ()


def removed(piece: str, was: str, rule: str) -> PieceRemoved:
    return PieceRemoved(rule=RuleId(rule), piece=PieceId(piece), was=PlaceId(was))


def moved(piece: str, was: str, to: str, rule: str) -> PieceMoved:
    return PieceMoved(rule=RuleId(rule), piece=PieceId(piece), was=PlaceId(was), to=PlaceId(to))


def marked(on: str, marker: MarkerId, rule: str = "1") -> MarkerPlaced:
    return MarkerPlaced(rule=RuleId(rule), on=on, marker=marker)


def remembered(on: str, key: str, value: str | int | bool) -> AttributeSet:
    return AttributeSet(rule=RULE, on=on, key=AttributeKey(key), value=value)


EVENTS: list[tuple[list[Event], str | None]] = [
    (
        [moved(f"ger_infantry/{number}", "kalach", "pitomnik", "movement.land.points") for number in (1, 2, 3)],
        "3 German Infantry move from Kalach to Pitomnik.",
    ),
    (
        [moved("ger_bomber/1", "oblivskaya", "kalach", "movement.air.attack-target")],
        "1 German Bomber flies from Oblivskaya to attack Kalach.",
    ),
    (
        [moved("sov_infantry/5", "krasnaya_sloboda", "crossing_white", "movement.volga.load")],
        "1 Soviet Infantry boards the ferry at the White crossing.",
    ),
    (
        [moved("token/1", "oblivskaya", "pool/allies", "supply.token.spend")],
        "The Axis spends 1 supply token in Oblivskaya for Rocket Launchers.",
    ),
    ([moved("token/8", "pool/allies", "pitomnik", "order.9.supply-tokens")], "Bought in Pitomnik: 1 supply token."),
    (
        [removed("ger_tank/1", "kalach", "unit.rocket.bombardment.casualty")],
        "Lost in Kalach: 1 German Tank, by Bombardment.",
    ),
    (
        [removed("sov_infantry/5", "ambush_station", "ambush.destroyed-if-surrounded")],
        "Lost at the Station Ambush Site: 1 Soviet Infantry, since the enemy controls all zones around the ambusher.",
    ),
    (
        [removed("ger_fighter/1", "oblivskaya", "optional.luftwaffe.roll")],
        "Lost in Oblivskaya: 1 German Fighter, to another front (Luftwaffe Priorities).",
    ),
    ([PieceTurned(rule=RULE, piece=PieceId("ger_fighter/1"), face="air", was="ground")], None),
    (
        [
            PieceTurned(rule=RULE, piece=unit(kind, 1), face="ground", was="air")
            for kind in ("ger_bomber", "ger_fighter")
        ],
        "Landed: 1 German Bomber and 1 German Fighter in Oblivskaya.",
    ),
    (
        [
            PiecePlaced(
                rule=RuleId("order.8.odd-tank"), piece=PieceId("sov_tank/1"), kind="sov_tank", side=ALLIES, to=KALACH
            )
        ],
        "Odd round, production of the tank factory in Kalach: 1 Soviet Tank.",
    ),
    ([SideChanged(rule=RULE, piece=token(1), to=ALLIES, was=AXIS)], None),
    (
        [ControlChanged(rule=RuleId("movement.blitz.consequences"), place=KALACH, to=AXIS, was=ALLIES)],
        "The Axis takes control of Kalach by Blitz.",
    ),
    ([marked("kalach", ASSAULT), marked("pitomnik", ASSAULT)], "Combat Marker: Assault in Kalach and in Pitomnik."),
    ([marked(above(PlaceId("crossing_white")), ASSAULT)], "Combat Marker: Assault at the White crossing."),
    ([MarkerRemoved(rule=RULE, on="kalach", marker=ASSAULT)], "The fight in Kalach is over."),
    ([marked("kalach", UNSUPPLIED[AXIS])], "The Axis force in Kalach is unsupplied."),
    ([marked(STALINGRAD, UNSUPPLIED[ALLIES])], "The Allied forces in Stalingrad are unsupplied."),
    (
        [marked("kalach", UNSUPPLIED[AXIS]), marked("pitomnik", UNSUPPLIED[AXIS])],
        "The Axis forces in Kalach and Pitomnik are unsupplied.",
    ),
    ([MarkerRemoved(rule=RULE, on="kalach", marker=UNSUPPLIED[AXIS])], "The Axis force in Kalach is supplied again."),
    ([MarkerRemoved(rule=RULE, on="tsatsa", marker=UNSUPPLIED[AXIS])], None),
    ([marked(round_space(7), FROZEN)], "Bad weather in round 7."),
    ([marked("don", FROZEN)], "The Don is frozen."),
    (
        [moved("ger_fighter/1", above(PlaceId("crossing_white")), "pitomnik", "optional.interceptors.return")],
        "Interceptors: 1 German Fighter returns from the White crossing to Pitomnik.",
    ),
    ([marked(round_space(6), FROZEN), marked("don", FROZEN)], "Bad weather in round 6. The Don is frozen."),
    ([remembered("sov_infantry/5", "fired", value=True)], "The ambusher at the Station Ambush Site fires."),
    (
        [RuleApplied(rule=RuleId("supply.token.optional"), outcome="no supply token is spent", about="kalach")],
        "The Axis spends no supply token for the Rocket Launchers in Kalach.",
    ),
    (
        [moved("sov_infantry/5", "pavlovs_house", "ambush_station", "ambush.enter")],
        "1 Soviet Infantry enters the Station Ambush Site from Pavlov's House.",
    ),
    (
        [moved("ger_bomber/1", "oblivskaya", above(PlaceId("crossing_white")), "movement.air.attack-target")],
        "1 German Bomber flies from Oblivskaya to attack the White crossing.",
    ),
    (
        [
            PiecePlaced(
                rule=SCENE, piece=unit("sov_infantry", number), kind="sov_infantry", side=ALLIES, to=PlaceId(to)
            )
            for number, to in ((7, "crossing_white"), (8, "ambush_tractor"))
        ],
        "Placed at the White crossing: 1 Soviet Infantry; at the Tractor Factory Ambush Site: 1 Soviet Infantry.",
    ),
    ([remembered("kalach", "across_river", value=True)], "Kalach is assaulted over a river: Throw Them Back."),
    ([remembered("kalach", "taken", "axis_attack")], ""),
    ([remembered("ger_tank/1", "move", "moved")], ""),
    (
        [AttributeSet(rule=RuleId("movement.air.stay-and-fight"), on="ger_fighter/1", key=MISSION.key, value=STAY)],
        "1 German Fighter in Oblivskaya: staying to attack.",
    ),
    (
        [
            AttributeSet(
                rule=RuleId("movement.air.unlimited"), on="ger_fighter/1", key=MISSION.key, value=ATTACK_MISSION
            )
        ],
        "",
    ),
    (
        [RuleApplied(rule=RULE, outcome="no piece is left", about="sov_tank")],
        "No piece is left for 1 Soviet Tank: it does not arrive.",
    ),
    (
        [RuleApplied(rule=RuleId("order.8.odd-tank"), outcome="a captured factory produces nothing", about="kalach")],
        "The Axis controls the factory in Kalach: it produces nothing.",
    ),
    ([TrackMoved(rule=RuleId("order.9.spend"), track=RPC[ALLIES], to=3, was=9)], "The Allies spend 6 RPCs: 3 now."),
    (
        [
            DiceRolled(
                rule=RuleId("ambush.roll"),
                faces=(2,),
                purpose="ambush",
                about="kalach",
                needed=2,
                each=True,
                or_less=True,
            )
        ],
        "Ambush in Kalach: 1 die at 2 or less; dice 2; 1 hit; the Axis chooses the casualty.",
    ),
    (
        [MatchEnded(rule=RuleId("victory.minor"), kind="rules", result="Axis Minor Victory", winners=(AXIS,))],
        "The match is over: Axis Minor Victory. No other victory is reached at the end of the last round, and the winner controls Pitomnik.",
    ),
    (
        [MatchEnded(rule=RuleId("victory.allies-major"), kind="rules", result="Allies Victory", winners=(ALLIES,))],
        "The match is over: Allies Victory. The Allies control Pitomnik, Vertyachii and Rynok and all fortified zones of the city.",
    ),
]


@each_row(("run", "sentence"), EVENTS)
def test_events_are_told_as_players_tell_them(run: list[Event], sentence: str | None) -> None:
    assert NARRATION.tell(scene(), run) == sentence


BOMBARD, DEFEND = "unit.rocket.bombardment.assign-first", "unit.artillery.air-defense.assign-first"


@each_row(
    ("rule", "targets", "zones", "sentence"),
    [
        (
            BOMBARD,
            ["kalach"],
            {"pitomnik": 1},
            "Bombardment by 1 Rocket Launcher of the units in Kalach (+1 from Pitomnik).",
        ),
        (
            BOMBARD,
            ["kalach"],
            {"kotluban": 1, "pitomnik": 2},
            "Bombardment by 3 Rocket Launchers of the units in Kalach (+1 from Kotluban, +2 from Pitomnik).",
        ),
        (DEFEND, ["kalach"], {"kalach": 2}, "Air Defense by 2 Artillery at the units in Kalach (+2 from Kalach)."),
        (
            DEFEND,
            ["above/crossing_brown", "rynok"],
            {"mamayev_kurgan": 1},
            "Air Defense by 1 Artillery each at the units above the Brown crossing and the units in Rynok (+1 from Mamayev Kurgan).",
        ),
    ],
)
def test_what_fires_from_where_at_what_is_told(
    rule: str, targets: list[str], zones: dict[str, int], sentence: str
) -> None:
    parts = tuple([Modifier(RuleId(rule), f"from {zone}", number) for zone, number in zones.items()])
    number = sum(zones.values())
    run = [AttributeSet(rule=RuleId(rule), on=at, key=SHOTS.key, value=number, parts=parts) for at in targets]

    assert told(scene(), run) == [sentence]


@each_row(
    ("rule", "to", "number", "sentence"),
    [
        ("unit.assault-gun.targeted-tanks", "tank", 1, "1 hit of Assault Guns must fall on 1 Tank."),
        ("unit.assault-gun.targeted-tanks", "tank", 2, "2 hits of Assault Guns must fall on 2 Tanks."),
        ("unit.bomber.targeted-land", "infantry", 2, "2 hits of Bombers must fall on 2 Infantry."),
        ("unit.fighter.targeted-air", "air", 1, "1 hit of Fighters must fall on 1 air unit."),
    ],
)
def test_what_targeted_hits_must_fall_on_is_told(rule: str, to: str, number: int, sentence: str) -> None:
    assert told(scene(), [RuleApplied(rule=RuleId(rule), outcome=str(number), about=to)]) == [sentence]


def test_throw_them_back_is_not_told_of_a_zone_that_nobody_defends() -> None:
    assert told(scene(), [remembered("manoilin", "across_river", value=True)]) == []


def bidding() -> Table:
    draft = opened(RACE, AUCTION)
    BID.set(draft, TABLE, 4, SCENE)
    BID_FOR.set(draft, TABLE, AXIS, SCENE)
    return draft.table


@each_row(
    ("event", "sentence"),
    [
        (
            DecisionOpened(rule=RULE, kind="auction", seat=SECOND_SEAT),
            "The First player bids 4 RPs to play the Axis.",
        ),
        (
            SideAssigned(rule=RULE, seat=SECOND_SEAT, side=ALLIES, was=NO_SIDE),
            "The Second player plays the Allies, and takes the bid of 4 RPs.",
        ),
        (
            SideAssigned(rule=RULE, seat=FIRST_SEAT, side=AXIS, was=NO_SIDE),
            "The First player plays the Axis, as it bid.",
        ),
    ],
)
def test_a_bid_names_its_bidder_and_the_award_its_taker(event: Event, sentence: str) -> None:
    assert NARRATION.tell(bidding(), [event]) == sentence


def test_the_question_for_a_bid_says_what_each_answer_brings() -> None:
    assert NARRATION.question(bidding(), Open("auction", SECOND_SEAT)) == (
        "whether to bid more than 4 RPs to play the Axis, or to take the 4 RPs and play the Allies"
    )


@each_row(
    ("seat", "sentence"),
    [
        (AXIS_SEAT, "The Axis picks the hand with the tank factory, and places it."),
        (ALLIES_SEAT, "The Allies place the tank factory."),
    ],
)
def test_the_hand_that_the_axis_picks_is_told_with_its_factory(seat: Seat, sentence: str) -> None:
    """RuleId("optional.factory-placement")."""
    asked = DecisionOpened(rule=RULE, kind="place_factory", seat=seat, arguments={"factory": "tank"})

    assert NARRATION.tell(scene(), [asked]) == sentence


def test_free_infantry_is_told_with_what_earns_it_and_where_it_may_come() -> None:
    opened = DecisionOpened(rule=RULE, kind="free_infantry", seat=AXIS_SEAT)
    lost = RuleApplied(rule=RULE, outcome="no zone for free infantry")

    assert NARRATION.tell(bare(control={AXIS: ["petrovka", "oblivskaya"]}).table, [opened]) == (
        "Even round: the Axis deploys 1 free infantry, German or Minor Axis, in Petrovka or Oblivskaya, which it controls."
    )
    assert NARRATION.tell(bare().table, [lost]) == (
        "The Allies control Perelazovskii, Petrovka and Oblivskaya: no free infantry of the even round arrives."
    )


def test_a_card_of_operation_uranus_is_one_line_with_its_zone_and_units() -> None:
    deployed = RuleApplied(rule=RULE, outcome="terkin", about=next(iter(BOARD.uranus_cards)))
    placed = PiecePlaced(rule=TOGETHER, piece=PieceId("sov_tank/1"), kind="sov_tank", side=ALLIES, to=PlaceId("terkin"))

    assert NARRATION.tell(scene(), [deployed]) == (
        "Operation Uranus card 1 is deployed in Terkin: 2 Soviet Infantry, 1 Soviet Mechanized Infantry and 1 Soviet Tank."
    )
    assert NARRATION.tell(scene(), [placed]) is None


@each_row(
    ("purpose", "face", "sentence"),
    [
        ("Luftwaffe Priorities", 4, "4; needed: 6. No air unit goes to another front."),
        (
            "Luftwaffe Priorities",
            6,
            "6; needed: 6. The Axis must send a German air unit to another front, if it has one, for RPCs.",
        ),
        ("Heroes of the Soviet Union", 5, "5; needed: 6. No unit is given."),
        (
            "Heroes of the Soviet Union",
            6,
            "6; needed: 6. The Allies must give a Soviet unit in a contested zone, if there is one; the Axis then takes a hit there.",
        ),
    ],
)
def test_a_roll_of_an_optional_rule_is_told_with_what_it_does(purpose: str, face: int, sentence: str) -> None:
    """RuleId("optional.luftwaffe.roll"), RuleId("optional.heroes.roll")."""
    dice = DiceRolled(rule=RULE, faces=(face,), purpose=purpose, needed=6)

    assert NARRATION.tell(scene(), [dice]) == f"{purpose}: {sentence}"


def test_a_fight_over_a_crossing_lists_the_ferry_and_its_cargo() -> None:
    """RuleId("optional.interceptors.crossing-combat"), RuleId("volga-attack.ferry-result")."""
    sky = above(PlaceId("crossing_white"))
    units = {sky: {"ger_bomber": 1, "sov_fighter": 1}, "crossing_white": {"sov_infantry": 1}}
    draft = bare(units=units, markers={sky: ASSAULT}, ferries=["crossing_white"], flying=[sky])
    table = attack_phase(draft).table
    MISSION.set(draft, unit("ger_bomber", 1), ATTACK_MISSION, SCENE)
    fight = SequenceBegan(rule=RULE, kind="combat", step="attack", arguments={"zone": sky})
    air = DiceRolled(
        rule=RULE, faces=(2,), purpose="attack on a Volga Crossing", about=sky, needed=3, each=True, or_less=True
    )

    assert NARRATION.tell(table, [fight]) == (
        "Combat above the White crossing: 1 Axis unit against 1 Allied unit and the ferry carrying 1 Soviet Infantry."
    )
    assert NARRATION.details(table, Open("combat", NO_SEAT, {"zone": sky})) == (
        "Attacker, Axis: 1 German Bomber at 3 or less",
        "Defender, Allies: 1 Soviet Fighter at 4 or less and the ferry carrying 1 Soviet Infantry",
    )
    assert NARRATION.details(table, Open("intercept", ALLIES_SEAT)) == (
        "attacks from the air: 1 German Bomber at the White crossing",
    )
    assert NARRATION.tell(table, [air]) == (
        "Air attack at the White crossing on the ferry carrying 1 Soviet Infantry: 1 German Bomber at 3 or less; dice 2; 1 hit."
    )
    assert NARRATION.question(table, Open("next_crossing", AXIS_SEAT)) == (
        "which Volga Crossing to attack next (the ferry carrying 1 Soviet Infantry at the White crossing)"
    )


def test_rpcs_are_collected_from_zones_that_are_joined_as_in_a_sentence() -> None:
    """order.9.collect."""
    collected = TrackMoved(rule=COLLECT[ALLIES], track=RPC[ALLIES], to=9, was=0)
    said = str(NARRATION.tell(bare().table, [collected]))

    assert said.startswith("The Allies collect 9 RPCs (Ilovinska 1, Serafimovich 1, ")
    assert said.endswith(", Southern Rail Station 1 and Grain Elevator 1): 9 now.")


def rolled(purpose: str, face: int, about: str = "", needed: int | None = None) -> DiceRolled:
    each = needed is not None
    return DiceRolled(rule=RULE, faces=(face,), purpose=purpose, about=about, needed=needed, each=each, or_less=each)


def test_a_weather_roll_is_told_with_the_faces_of_bad_weather() -> None:
    table = scene()
    table.round = 6

    assert NARRATION.tell(table, [rolled("weather", 4)]) == "Weather Roll: 4; needed for bad weather: 5 or 6."


@each_row(("face", "end"), [(1, "1 hit; the Allies choose the casualty."), (3, "0 hits.")])
def test_an_ambush_is_told_with_who_chooses_the_casualty(face: int, end: str) -> None:
    told = NARRATION.tell(scene(), [rolled("ambush", face, "kalach", 2)])

    assert told == f"Ambush in Kalach: 1 die at 2 or less; dice {face}; {end}"


def test_a_defender_that_keeps_its_supply_tokens_is_named() -> None:
    table = scene()
    table.stack = (Open("combat", Seat(""), {"zone": "kalach"}, step="defender_token"),)
    kept = RuleApplied(rule=RuleId("supply.token.optional"), outcome="no supply token is spent", about="kalach")

    assert NARRATION.tell(table, [kept]) == "The Allies spend no supply token for the force in Kalach."


OPTIONS: list[tuple[str, Command, str]] = [
    (
        "move",
        commands.Move("ger_tank", PlaceId("novomoskovsk"), KALACH),
        "Move 1 German Tank (attack value 3) over the Don from Novomoskovsk to Kalach: joins the Assault against 2 Soviet Infantry and 1 Soviet Artillery",
    ),
    (
        "move",
        commands.Move("ger_infantry", KALACH, PlaceId("pitomnik")),
        "Move 1 German Infantry (attack value 0: 1, -1 unsupplied) from Kalach to Pitomnik: Assault on 2 Soviet Infantry",
    ),
    (
        "move",
        commands.MoveStack(("ger_mech_infantry", "ger_tank"), PlaceId("novomoskovsk"), PlaceId("surovikino")),
        "Move 1 German Mechanized Infantry and 1 German Tank from Novomoskovsk to Surovikino",
    ),
    (
        "move",
        commands.Blitz(
            "ger_tank", PlaceId("novomoskovsk"), PlaceId("gromoslavka"), PlaceId("buzinovka"), with_mech=True
        ),
        "Blitz by 1 German Tank with Mechanized Infantry (attack value 3) from Novomoskovsk, takes Gromoslavka, to Buzinovka: Assault on an empty zone",
    ),
    (
        "move",
        commands.Fly("ger_bomber ground", PlaceId("oblivskaya"), PlaceId("pitomnik"), ATTACK_MISSION),
        "1 German Bomber flies from Oblivskaya to attack Pitomnik, attack value 3: Assault against 2 Soviet Infantry",
    ),
    (
        "move",
        commands.Fly("ger_bomber ground", PlaceId("oblivskaya"), PlaceId("crossing_white"), ATTACK_MISSION),
        "1 German Bomber flies from Oblivskaya to attack the White crossing, attack value 3: the ferry",
    ),
    ("move", Done(), "End the Movement phase"),
    (
        "move",
        commands.Move("ger_infantry", PlaceId("ambush_station"), PlaceId("surovikino")),
        "Move 1 German Infantry from the Station Ambush Site to Surovikino",
    ),
    (
        "move",
        commands.Move("supply", PlaceId("crossing_white"), KALACH),
        "Move 1 supply token from the White crossing to Kalach",
    ),
    (
        "move",
        commands.MoveStack(("ger_infantry",) * 9, PlaceId("novomoskovsk"), PlaceId("surovikino")),
        "Move 9 German Infantry from Novomoskovsk to Surovikino; 1 over the stacking limit",
    ),
    (
        "move",
        commands.Move("sov_infantry", PlaceId("krasnaya_sloboda"), PlaceId("crossing_white")),
        "1 Soviet Infantry boards the ferry at the White crossing, to land in Grain Elevator (White sector)",
    ),
    ("buy", commands.Buy("supply", PlaceId("oblivskaya")), "Buy 1 supply token for Oblivskaya, 1 RPC"),
    (
        "buy",
        commands.Buy("sov_tank", PlaceId("tormosin")),
        "Buy 1 Soviet Tank for Tormosin, 6 RPCs: takes control at once",
    ),
    (
        "buy",
        commands.Deploy("sov_tank", PlaceId("oblivskaya")),
        "Deploy 1 Soviet Tank in Oblivskaya: Assault on 1 German Bomber and 1 German Fighter",
    ),
    ("buy", commands.Deploy("sov_fighter", PlaceId("oblivskaya")), "Deploy 1 Soviet Fighter in Oblivskaya"),
    (
        "next_combat",
        Pick("kalach"),
        "Fight in Kalach: Axis 1 German Tank at 3 or less and 3 German Infantry at 1 or less; Allies 2 Soviet Infantry at 2 or less and 1 Soviet Artillery at 2 or less",
    ),
    ("designate", Choose(("sov_infantry", "sov_infantry")), "2 Soviet Infantry are lost"),
    (
        "casualties",
        Choose(("ger_fighter air attack", "ger_infantry", "ger_infantry")),
        "1 German Fighter (in the air and attacking) and 2 German Infantry are lost",
    ),
    ("casualties", Choose(("ger_tank",)), "1 German Tank is lost"),
    # The number of a row is typed beside these words.
    ("casualties", Pick("ger_infantry"), "German Infantry is lost"),
    ("casualties", Pick("ger_fighter air attack"), "German Fighter, in the air and attacking, is lost"),
    ("casualties", Pick("ger_bomber air supply_drop"), "German Bomber, in the air on a Supply Drop, is lost"),
    ("leave_units", Pick("sov_tank"), "Leave Soviet Tank out"),
    ("leave_units", Choose(("sov_tank", "sov_tank")), "Leave 2 Soviet Tanks out"),
    ("designate", Unpick("sov_infantry"), "Take back: 1 Soviet Infantry"),
    ("targets", Pick("bomber", "mech_infantry"), "A hit of Bombers falls on Mechanized Infantry"),
    ("targets", Unpick("bomber"), "Take back: Bombers"),
    ("targets", Pick("fighter", "air"), "A hit of Fighters falls on an air unit"),
    ("targets", Pick("assault_gun", "tank"), "A hit of Assault Guns falls on a Tank"),
    ("targets", Pick("bomber", "crossing"), "A hit of Bombers falls on the crossing"),
    (
        "deploy_card",
        commands.DeployCard(next(iter(BOARD.uranus_cards)), PlaceId("terkin")),
        "Deploy Operation Uranus card 1 (2 Soviet Infantry, 1 Soviet Mechanized Infantry and 1 Soviet Tank) in Terkin",
    ),
    ("launch", commands.Launch(), "Launch Operation Uranus"),
]


@each_row(("kind", "option", "words"), OPTIONS)
def test_options_show_the_values_that_count_and_what_they_begin(kind: str, option: Command, words: str) -> None:
    table = scene()
    table.stack = (Open(kind, Seat("allies" if kind in ("buy", "deploy_card", "designate") else "axis")),)

    assert NARRATION.describe(table, option) == words


def test_what_is_bought_says_by_how_much_it_exceeds_the_stacking_limit() -> None:
    """RuleId("order.9.krasnaya-sloboda"), RuleId("stacking.limit")."""
    table = bare(units={"krasnaya_sloboda": {"sov_infantry": 8}}).table
    table.stack = (Open("buy", ALLIES_SEAT),)
    there = PlaceId("krasnaya_sloboda")

    assert NARRATION.describe(table, commands.Buy("sov_infantry", there)).endswith(
        ", 3 RPCs; 1 over the stacking limit"
    )
    assert NARRATION.describe(table, commands.Buy("supply", there)).endswith(", 1 RPC")


def test_where_one_unit_can_be_bought_the_option_says_so() -> None:
    """RuleId("order.9.one-unit-limit"): such a row has no number, and vanishes after one unit."""
    table, there = bare(units={"veshenskaya": {"ger_infantry": 1}}).table, PlaceId("krasnoarmeysk")
    table.stack = (Open("buy", ALLIES_SEAT),)
    said = NARRATION.told(table, commands.Buy("sov_infantry", there))
    among_enemies = NARRATION.told(table, commands.Buy("sov_infantry", PlaceId("veshenskaya")))

    assert said.consequence == "3 RPCs: only 1 unit a round here"
    assert "a round here" not in among_enemies.words
    assert "a round here" not in NARRATION.describe(table, commands.Buy("supply", there))


def test_aircraft_that_land_are_taken_back_from_where_they_were_to_go() -> None:
    """Beside the aircraft that can still land a bare name was no option."""
    table = bare().table
    table.stack = (Open("land", ALLIES_SEAT).with_picks([("sov_bomber", "pitomnik")]),)

    assert NARRATION.describe(table, Unpick("sov_bomber")) == "Take back: 1 Soviet Bomber from Pitomnik"


def test_below_a_question_for_casualties_stand_the_forces_and_what_falls_afterwards() -> None:
    """combat.step2.defender-chooses, combat.step3.attacker-chooses"""
    before = fought(contested({"ger_tank": 2, "ger_infantry": 1, "sov_infantry": 2, "sov_tank": 1}), 6, 1, 6)
    assert before.asked == "allies designate"
    forces = (
        "Allies: 1 Soviet Tank at 3 or less and 2 Soviet Infantry at 2 or less",
        "Axis: 2 German Tanks at 3 or less and 1 German Infantry at 1 or less",
    )

    assert NARRATION.details(before.table, before.table.stack[-1]) == forces

    before.do(Pick("sov_infantry"), dice=(1, 6, 6))
    assert before.asked == "axis casualties"

    assert NARRATION.details(before.table, before.table.stack[-1]) == (
        *reversed(forces),
        "of the Allies removed afterwards: 1 Soviet Infantry",
    )


def test_below_a_question_for_other_losses_stand_the_forces_in_the_zone() -> None:
    """unit.rocket.bombardment.casualty"""
    pool = ("sov_infantry/1", "sov_infantry/2", "sov_artillery/1")
    asked = Open("bombardment_loss", Seat("allies"), {"pool": pool, "hits": 1, "cause": "1"})

    assert NARRATION.details(scene(), asked) == (
        "Allies: 2 Soviet Infantry and 1 Soviet Artillery",
        "Axis: 3 German Infantry and 1 German Tank",
    )


def test_like_units_that_leave_the_city_as_a_pair_are_named_together() -> None:
    """movement.force-multiplier.exit-pair"""
    pair, station = ("ger_infantry", "ger_infantry"), PlaceId("southern_rail_station")
    alike = commands.ExitPair((station, station), pair, PlaceId("pitomnik"))
    apart = commands.ExitPair((station, PlaceId("grain_elevator")), pair, PlaceId("pitomnik"))

    assert ": 2 German Infantry from Southern Rail Station:" in NARRATION.describe(scene(), alike)
    assert ": 1 German Infantry from Southern Rail Station and 1 German Infantry from Grain Elevator:" in (
        NARRATION.describe(scene(), apart)
    )


def test_below_the_question_what_to_buy_stands_of_what_no_piece_is_left() -> None:
    """ruling.chips-enforced: a piece tops each stack, so that the next one can only lie under one that is there."""
    figures = BOARD.units["sov_artillery"].figures
    zones = [zone for zone in BOARD.zones if not BOARD.zones[zone].base][:figures]
    asked, words = Open("buy", ALLIES_SEAT), "all Soviet Artillery pieces are on the boards: "
    table = bare(units={zone: {"sov_artillery": 1} for zone in zones}).table

    assert NARRATION.details(table, asked) == ()

    table.tracks[RPC[ALLIES]] = BOARD.units["sov_artillery"].cost

    assert NARRATION.details(table, asked) == (f"{words}more can only join one that is there, on a chip",)

    chips = BOARD.file.components.gray_chips + BOARD.file.components.green_chips * BOARD.file.components.green_worth
    table = bare(units={zone: {"sov_artillery": 1 + (zone == zones[0]) * chips} for zone in zones}).table
    table.tracks[RPC[ALLIES]] = BOARD.units["sov_artillery"].cost

    assert NARRATION.details(table, asked) == (f"{words}and no chip is left for more",)

    table = bare(units={zone: {"sov_artillery": 1} for zone in zones[1:]}).table
    table.tracks[RPC[ALLIES]] = BOARD.units["sov_artillery"].cost

    assert NARRATION.details(table, asked) == ()


def test_operation_uranus_cards_that_are_placed_or_listed_together_share_a_sentence() -> None:
    """setup.uranus.draws"""
    rule, pile, cards = RuleId("order.7.place"), URANUS_FRONT["southeast"], list(BOARD.uranus_cards)[:2]
    placed = [CardMoved(rule=rule, card=card, to=pile, was=URANUS_DRAWN) for card in cards]
    one, two = (f"card {BOARD.uranus_cards[card].number} (" for card in cards)

    said = str(NARRATION.tell(scene(), placed))
    assert said.startswith(f"The Allies place 2 Operation Uranus cards face down in the southeast: {one}2 Soviet ")
    assert f" and {two}" in said
    hidden = [replace(event, card=None) for event in placed]
    assert NARRATION.tell(scene(), hidden) == "The Allies place 2 Operation Uranus cards face down in the southeast."
    assert NARRATION.tell(scene(), hidden[:1]) == "The Allies place a card face down in the southeast."
    assert told(scene(), hidden) == ["The Allies place 2 Operation Uranus cards face down in the southeast."]

    formed = DeckFormed(rule=rule, deck=pile, count=2, cards=tuple(cards))
    assert str(NARRATION.tell(scene(), [formed])).startswith(f"Operation Uranus cards in the southeast: {one}")


def test_a_question_for_casualties_says_how_many_of_whom_and_why() -> None:
    pool = ("sov_infantry/1", "sov_infantry/2", "sov_artillery/1")
    asked = Open("designate", Seat("allies"), {"pool": pool, "hits": 2, "cause": "1", "bomber": ("infantry",)})

    assert NARRATION.question(scene(), asked) == (
        "which 2 units of the Allies in Kalach are lost by the attackers' fire; 1 hit of Bombers must fall on 1 Infantry"
    )
    all_picked = replace(asked, picked=pool[:2])
    assert NARRATION.question(scene(), all_picked).startswith(
        "whether to confirm 2 units of the Allies in Kalach as lost by the attackers' fire"
    )


def test_questions_say_what_is_at_stake() -> None:
    """RuleId("stacking.limit"), RuleId("movement.volga.must-offload"), RuleId("movement.air.reinforcement-must-move")."""
    units = {
        "kalach": {"sov_infantry": 9, "ger_tank": 1},
        "crossing_white": {"sov_infantry": 1},
        "pitomnik": {"sov_fighter": 1},
    }
    draft = bare(units=units, markers={"kalach": BATTLE}, ferries=["crossing_white"], flying=["pitomnik"])
    table = attack_phase(draft, ALLIES).table

    assert NARRATION.question(table, Open("move", ALLIES_SEAT)).endswith(
        "; over the stacking limit: 1 in Kalach; must land: 1 Soviet Infantry at the White crossing; must move: 1 Soviet Fighter"
    )
    assert NARRATION.question(table, Open("evict", AXIS_SEAT)).endswith("(over the stacking limit: 1 in Kalach)")
    assert NARRATION.question(table, Open("next_combat", ALLIES_SEAT)).endswith("(1 combat left)")
    assert NARRATION.question(table, Open("luftwaffe_loss", AXIS_SEAT)).endswith("for 10 RPCs (Luftwaffe Priorities)")
    assert NARRATION.question(table, Open("launch", ALLIES_SEAT)) == (
        "whether to launch Operation Uranus now (0 cards on each front), or to wait; Operation Winter Storm would begin in round 6"
    )


def test_the_casualties_over_a_crossing_name_the_ferry_with_its_cargo() -> None:
    """ruling.interceptor-crossing-hits"""
    draft = bare(units={"crossing_white": {"sov_infantry": 1}}, ferries=["crossing_white"])
    table = attack_phase(draft).table
    table.stack = (Open("designate", ALLIES_SEAT),)

    assert NARRATION.describe(table, Pick("crossing_white")) == "The ferry carrying 1 Soviet Infantry is lost"


def test_the_question_for_a_front_is_short_and_the_same_for_those_who_know_the_cards() -> None:
    """RuleId("setup.uranus.draws"), RuleId("order.7.secret")."""
    table, cards = scene(), list(BOARD.uranus_cards)[:5]
    asked = Open("front", ALLIES_SEAT)

    for pile in (Pile(cards=tuple(cards)), Pile(hidden=5)):
        table.piles = {URANUS_DRAWN: pile}
        assert NARRATION.question(table, asked) == (
            "on which front to place the 5 Operation Uranus cards drawn; as many are drawn for the other front"
        )


def test_below_the_question_for_a_front_stand_the_cards_for_those_who_know_them() -> None:
    """RuleId("setup.uranus.draws"), RuleId("order.7.secret"): the cards are looked at before the front is chosen."""
    table, asked = scene(), Open("front", ALLIES_SEAT)
    table.piles = {URANUS_DRAWN: Pile(cards=(CardId("uranus_9"),))}

    assert NARRATION.details(table, asked) == ("card 9: 1 Infantry, 1 Mechanized Infantry, 2 Tanks",)

    table.piles = {URANUS_DRAWN: Pile(hidden=5)}

    assert NARRATION.details(table, asked) == ()


def test_an_option_says_that_a_card_needs_more_pieces_than_are_left() -> None:
    """RuleId("components.limits-general"), ruling.pool-exhausted."""
    card = next(iter(BOARD.uranus_cards))
    zones = [zone for zone in BOARD.zones if not BOARD.zones[zone].base][: BOARD.units["sov_mech_infantry"].figures]
    table = bare(units={zone: {"sov_mech_infantry": 1} for zone in zones}).table
    table.stack = (Open("deploy_card", ALLIES_SEAT),)

    assert ", for which pieces run short" in NARRATION.describe(table, commands.DeployCard(card, PlaceId("tsatsa")))


@each_row(("is_bad", "has_sorties", "is_told"), [(True, False, True), (True, True, False), (False, False, False)])
def test_bad_weather_stands_below_the_question_what_to_move(is_bad: bool, has_sorties: bool, is_told: bool) -> None:
    """RuleId("order.1.weather-effect"), RuleId("optional.sorties")."""
    draft = bare(options={"bad_weather_sorties": has_sorties})
    draft.begin_round(6, SCENE)
    if is_bad:
        draft.mark(round_space(6), FROZEN, SCENE)
    said = ("bad weather: fighters can only relocate, bombers only relocate or perform Air Transport",)

    assert NARRATION.details(draft.table, Open("move", AXIS_SEAT)) == (said if is_told else ())


@each_row(("number", "seat", "is_told"), [(2, ALLIES_SEAT, True), (3, ALLIES_SEAT, False), (2, AXIS_SEAT, False)])
def test_not_one_step_back_stands_in_the_question_what_to_move_and_in_full_below_it(
    number: int, seat: Seat, is_told: bool
) -> None:
    """RuleId("movement.not-one-step-back.adjacent")."""
    draft = bare()
    draft.begin_round(number, SCENE)
    rule, asked = "Not One Step Back in rounds 1 and 2", Open("move", seat)
    said = NARRATION.details(draft.table, asked)

    assert [one.partition(":")[0] for one in said] == ([rule] if is_told else [])
    assert NARRATION.question(draft.table, asked).endswith(f"; {rule}") is is_told


def test_the_heading_of_options_is_printed_where_the_command_is_not_in_the_words_of_the_rulebook() -> None:
    names = Names(NARRATION)

    assert heading_of(b'{"do":"exit-pair"}', names) == "Leave the City Board as a Pair"
    assert heading_of(b'{"do":"move-stack"}', names) == "Move Stack"


@each_row(("zone", "is_wasted"), [("kalach", True), ("pitomnik", False)])
def test_a_token_for_a_force_that_is_supplied_stands_behind_and_is_called_wasted(zone: str, *, is_wasted: bool) -> None:
    """RuleId("supply.token.spend-when-supplied"): its values stay as they are; only the enemy cannot capture the token."""
    table = bare(control={AXIS: RACE_CONTROL}, units={zone: {"ger_tank": 1}}, held={AXIS: {PlaceId(zone): 1}}).table
    table.stack = (Open("spend_token", AXIS_SEAT, {"zone": zone, "use": COMBAT_USE}),)
    spent = NARRATION.told(table, commands.Spend(PlaceId(zone)))

    assert NARRATION.is_outdone(table, commands.Spend(PlaceId(zone))) is is_wasted
    assert ("wasted" in spent.words) is is_wasted
    assert not NARRATION.is_outdone(table, commands.KeepTokens())


@each_row(("zone", "value", "where"), [("kalach", SUPPLIED, " where a force is supplied"), ("pitomnik", ALL, "")])
def test_tokens_are_kept_for_the_forces_that_the_option_names_and_only_its_seat_is_told(
    zone: str, value: str, where: str
) -> None:
    """RuleId("supply.token.optional"): nobody announces at the table that no token will be spent."""
    table = bare(control={AXIS: RACE_CONTROL}, units={zone: {"ger_tank": 1}}).table
    table.stack = (Open("spend_token", AXIS_SEAT, {"zone": zone, "use": COMBAT_USE}),)
    kept = AttributeSet(
        rule=RULE, on=AXIS, key=TOKENS_KEPT.key, value=value, was=None, until="phase", seen_by=(AXIS_SEAT,)
    )
    words = NARRATION.describe(table, commands.KeepTokens())

    assert words.replace(",", "") == f"Keep the supply tokens here and for the rest of the phase{where}"
    assert told(table, [kept]) == [f"The Axis keeps the supply tokens for the rest of the phase{where}."]
    for seat in (ALLIES_SEAT, PUBLIC):
        assert told(table, [*seen_events([kept], seat)]) == []


@each_row(
    ("side", "zone", "control", "ferries", "cut"),
    [
        (AXIS, "tinguta", RACE_CONTROL, [], "Abganerovo Station"),
        (AXIS, "dubovka", RACE_CONTROL, [], "Ilovinska and Kotluban"),
        (AXIS, "barrikady_factory", RACE_CONTROL, [], ""),
        (ALLIES, "pavlovs_house", EVERYWHERE - {"pavlovs_house"}, [], "the Brown crossing"),
        (ALLIES, "chemical_factory", EVERYWHERE, ["crossing_brown"], "Pavlov's House"),
    ],
)
def test_a_force_that_becomes_unsupplied_is_told_with_where_its_line_is_cut(
    side: Side, zone: str, control: Iterable[str], ferries: list[str], cut: str
) -> None:
    """RuleId("supply.region.trace"), RuleId("supply.city.volga-crossing"): the places each of which alone would restore it."""
    table = bare(control={AXIS: sorted(control)}, ferries=ferries).table
    placed = MarkerPlaced(rule=RULE, on=zone, marker=UNSUPPLIED[side])
    force = {AXIS: "Axis", ALLIES: "Allied"}[side]
    where = f": its supply line is cut at {cut}" if cut else ""

    assert told(table, [placed]) == [f"The {force} force in {NARRATION.name(zone)} is unsupplied{where}."]
