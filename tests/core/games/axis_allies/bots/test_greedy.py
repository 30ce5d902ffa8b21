"""The bot: it plays whole matches for every seat of every mode, by what that seat sees."""

from contextlib import suppress
from random import Random

import pytest

from core.bots.bot_port import Asked
from core.chance.chance_sources import ManualChance, seeded
from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.draft_chance import MatchOver
from core.engine.selection import Choose, Done, Pick, onward
from core.games.axis_allies.bots.greedy import OFFERED, POLICIES, greedy, quick
from core.games.axis_allies.components.map_records import BOMBER
from core.games.axis_allies.ids import (
    ALLIES,
    ALLIES_SEAT,
    AUCTION,
    AXIS,
    AXIS_SEAT,
    BATTLE,
    FLYING,
    PHASES,
    RACE,
    SIDES,
    STANDARD,
    URANUS,
    above,
    enemy,
    unit,
)
from core.games.axis_allies.rules.axis_allies_rules import FIRST_ALLIED_CARD, AxisAlliesRules
from core.games.axis_allies.rules.casualties import TARGETS
from core.games.axis_allies.rules.commands import Accept, Bid, Buy, Launch, Move, MoveStack, Spend, Wait
from core.games.axis_allies.rules.movement import MOVE_UNITS
from core.games.axis_allies.rules.uranus import LAUNCHING
from events.codec import encode
from events.ids import PlaceId, Seat, Side
from events.vocabulary import Event
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import seen_events
from tests.support.axis_allies import BOARD, SCENE, Scene, bare, opened, phase
from tests.support.rows import each_row
from tests.support.soak import sampled

RULES = AxisAlliesRules(BOARD)
STEPS_MAX = 6_000
STEPS_CHECKED = 40
"""How many choices of a match are compared with the true table."""
SAME_STEPS = 80
"""How many steps of two matches are compared."""


def choose(table: Table, seat: Seat, rng: Random) -> Command:
    """Let the bot answer the open question of a table."""
    return greedy(Asked(RULES, table, seat, RULES.options(table), rng.randrange)).command


class Match:
    """A match between two bots, each of which sees what its seat sees."""

    def __init__(self, scenario: str, mode: str, seed: int, by_chance: Side | None = None) -> None:
        self.by_chance = by_chance
        draft = opened(scenario, mode)
        self.table, self.events = draft.table, list[Event](draft.events)
        self.chance = seeded(str(seed))
        self.rng = Random(seed)
        draft = Draft(self.table, self.chance)
        RULES.set_up(draft)
        self.events += draft.events
        self.views = {seat: fold(seen_events(self.events, seat)) for seat in self.table.seats}

    def step(self) -> Command:
        """Let the bot that is asked choose, and execute its command."""
        top = self.table.top
        assert top is not None
        if self.table.side_of(top.seat) == self.by_chance:
            command = self.rng.choice(onward(RULES.options(self.table)))
        else:
            command = choose(self.views[top.seat], top.seat, self.rng)
        assert RULES.refuse(self.table, top.seat, command) is None
        draft = Draft(self.table, self.chance)
        with suppress(MatchOver):
            RULES.take(draft, command)
        self.events += draft.events
        for seat, view in self.views.items():
            fold(seen_events(draft.events, seat), view)
        return command

    def play(self) -> None:
        """Play to the end."""
        for _ in range(STEPS_MAX):
            if self.table.ended is not None:
                return
            self.step()
        raise AssertionError("the match has no end")


@pytest.mark.parametrize("mode", [STANDARD, AUCTION])
@pytest.mark.parametrize("scenario", [RACE, URANUS])
def test_the_bot_chooses_what_is_legal_by_what_it_sees(scenario: str, mode: str) -> None:
    """order.7.secret: on the view of the seat that is asked the options are the true ones, and so is the choice."""
    match = Match(scenario, mode, 7)
    for _ in range(STEPS_CHECKED):
        top = match.table.top
        assert top is not None
        seen = RULES.options(match.views[top.seat])
        assert seen == RULES.options(match.table)
        command = match.step()
        assert command in seen or isinstance(command, Choose | MoveStack)


def test_the_bot_plays_the_same_match_from_the_same_seed() -> None:
    """With the same dice and the same choices among equals the log is the same."""
    first, second = (Match(URANUS, STANDARD, 3) for _ in range(2))
    steps = [(first.step(), second.step()) for _ in range(SAME_STEPS)]

    assert [one for one, _ in steps] == [other for _, other in steps]
    assert first.events == second.events


def test_the_quick_bot_chooses_among_a_few_of_many_moves() -> None:
    match = Match(RACE, STANDARD, 7)
    top = match.table.top
    while top is not None and not (top.kind == MOVE_UNITS and len(RULES.options(match.table)) > 5 * OFFERED):
        match.step()
        top = match.table.top
    assert top is not None
    options = RULES.options(match.table)
    answer = quick(Asked(RULES, match.views[top.seat], top.seat, options, match.rng.randrange))

    assert len(answer.considered) <= OFFERED + 1
    assert {encode(one.command) for one in answer.considered} <= {*map(encode, options)}
    assert RULES.refuse(match.table, top.seat, answer.command) is None


@pytest.mark.long
@pytest.mark.parametrize("side", sampled(SIDES, lambda side: side == AXIS))
def test_the_bot_beats_chance(side: Side) -> None:
    """victory.minor: on either side of the shorter scenario."""
    match = Match(URANUS, STANDARD, 5, by_chance=enemy(side))
    match.play()

    assert match.table.ended is not None
    assert match.table.ended.winners == (side,)


def test_the_bots_are_offered_by_their_names() -> None:
    assert dict(POLICIES) == {"quick": quick, "greedy": greedy}


# Single decisions


def choice(scene: Scene, seat: Seat = AXIS_SEAT) -> Command:
    """Let the bot answer the open question of a scene."""
    return choose(scene.table, seat, Random(1))


def card(number: int, draft: Draft, round_number: int = 1) -> Scene:
    """Carry an Order Card out in a round, up to its first question."""
    draft.begin_round(round_number, SCENE)
    draft.begin_turn(AXIS if number < FIRST_ALLIED_CARD else ALLIES, SCENE)
    draft.begin_phase(PHASES[number], SCENE)
    scene = Scene(draft, RULES)
    scene.run(RULES.rounds.chapters[number])
    return scene


WEST = ["novomoskovsk", "surovikino", "oblivskaya", "kalach"]
"""Zones that supply the Axis as far as the Don."""


def test_a_zone_is_attacked_by_all_that_are_needed_from_a_zone() -> None:
    units = {"kalach": {"ger_tank": 3, "ger_infantry": 3}, "pitomnik": {"sov_infantry": 2}}
    command = choice(phase(AXIS, WEST, units))

    assert isinstance(command, MoveStack)
    assert (command.origin, command.to) == ("kalach", "pitomnik")
    assert len(command.units) > 1


def test_a_hopeless_attack_is_left_alone() -> None:
    units = {"kalach": {"ger_infantry": 2}, **{zone: {"sov_infantry": 6} for zone in ("pitomnik", "buzinovka")}}
    command = choice(phase(AXIS, WEST, units))

    assert not isinstance(command, Move | MoveStack) or command.to not in ("pitomnik", "buzinovka")


def test_an_empty_zone_of_the_enemy_is_taken() -> None:
    """victory.minor: Pitomnik decides."""
    command = choice(phase(AXIS, WEST, {"kalach": {"ger_artillery": 2}}))

    assert command == Move("ger_artillery", PlaceId("kalach"), PlaceId("pitomnik"))


def test_infantry_is_doubled_on_its_way_into_the_city() -> None:
    """movement.force-multiplier.infantry"""
    scene = phase(AXIS, [*WEST, "pitomnik"], {"pitomnik": {"ger_infantry": 4}})
    command = choice(scene)

    assert isinstance(command, Move)
    assert BOARD.zones[command.to].is_city


def test_a_zone_that_matters_is_not_left_empty() -> None:
    units = {"rynok": {"sov_infantry": 1}, "vertyachii": {"ger_tank": 2}, "kotluban": {"sov_artillery": 1}}
    scene = phase(ALLIES, ["vertyachii"], units, number=4)
    chosen = [choice(scene, ALLIES_SEAT)]
    while chosen[-1] != Done():
        scene.do(chosen[-1], is_listed=not isinstance(chosen[-1], MoveStack))
        chosen.append(choice(scene, ALLIES_SEAT) if scene.asked else Done())

    assert scene.kinds("rynok")


def test_infantry_loads_onto_a_ferry() -> None:
    """movement.volga.load"""
    scene = phase(ALLIES, (), {"krasnaya_sloboda": {"sov_infantry": 1}}, ferries=["crossing_white"])

    assert choice(scene, ALLIES_SEAT) == Move("sov_infantry", BOARD.east_bank, PlaceId("crossing_white"))


def test_a_missing_ferry_is_bought_first() -> None:
    """ferry.destroyed-replaceable"""
    scene = card(9, bare(ferries=["crossing_white", "crossing_gray"]))

    assert choice(scene, ALLIES_SEAT) == Buy("ferry", PlaceId("crossing_brown"))


def test_a_force_without_supply_spends_a_token() -> None:
    """supply.token.spend"""
    units = {"pitomnik": {"ger_tank": 2, "sov_infantry": 2}}
    draft = bare(units=units, held={AXIS: {"pitomnik": 1}}, markers={"pitomnik": BATTLE})

    assert choice(card(5, draft)) == Spend(PlaceId("pitomnik"))


def test_the_cheapest_unit_is_lost() -> None:
    """combat.step2.defender-chooses"""
    units = {"pitomnik": {"ger_tank": 2, "sov_infantry": 2, "sov_tank": 2, "sov_artillery": 1}}
    draft = bare({AXIS: WEST}, units, markers={"pitomnik": BATTLE})
    scene = card(4, draft)
    scene.run(RULES.rounds.chapters[5], dice=(1, 6))

    assert choice(scene, ALLIES_SEAT) == Pick("sov_infantry")


def test_the_last_land_unit_is_not_lost_before_an_air_unit() -> None:
    """combat.step6.air-does-not-hold"""
    units = {"pitomnik": {"ger_tank": 2, "sov_infantry": 1, "sov_fighter": 1}}
    scene = card(4, bare({AXIS: WEST}, units, markers={"pitomnik": BATTLE}))
    scene.run(RULES.rounds.chapters[5], dice=(1, 6))

    assert choice(scene, ALLIES_SEAT) == Pick("sov_fighter ground")


@each_row(
    ("number", "lost", "answer"),
    [(4, 0, Wait()), (4, len(BOARD.city_rp_zones), Launch()), (6, 0, Launch())],
)
def test_uranus_is_launched_late_or_when_the_city_is_nearly_lost(number: int, lost: int, answer: Command) -> None:
    """order.7.launch"""
    scene = Scene(bare({AXIS: BOARD.city_rp_zones[:lost]}), RULES)
    draft = Draft(scene.table, ManualChance())
    draft.begin_round(number, SCENE)
    draft.ask(LAUNCHING, ALLIES_SEAT, SCENE)

    assert choice(scene, ALLIES_SEAT) == answer


def test_the_bot_bids_up_to_half_of_what_a_side_is_worth() -> None:
    """optional.bidding.award"""
    match = Match(RACE, AUCTION, 1)
    answers = [match.step()]
    while not isinstance(answers[-1], Accept):
        answers.append(match.step())

    assert [answer.rps for answer in answers if isinstance(answer, Bid)] == [1, 2, 3, 4]


def test_aircraft_of_one_kind_all_land() -> None:
    """order.6.land: the bot sends one whole choice in which a kind occurs as often as it flies."""
    field = {"oblivskaya": {"ger_bomber": 2, "ger_fighter": 1}}
    scene = Scene(bare(control={AXIS: ["oblivskaya"]}, units=field, flying=["oblivskaya"]), RULES)
    scene.run(RULES.rounds.chapters[6])
    command = choice(scene)

    assert isinstance(command, Choose)
    assert command.items == ("ger_bomber", "ger_bomber", "ger_fighter")


def test_a_bomber_above_a_crossing_aims_at_the_ferry() -> None:
    """optional.interceptors.crossing: where interceptors could be hit instead."""
    scene = Scene(bare(ferries=["crossing_brown"]), RULES)
    sky = above(PlaceId("crossing_brown"))
    draft = Draft(scene.table, ManualChance())
    draft.place(unit("ger_bomber", 1), sky, SCENE, kind="ger_bomber", side=AXIS, face=FLYING)
    draft.place(unit("sov_fighter", 1), sky, SCENE, kind="sov_fighter", side=ALLIES, face=FLYING)
    draft.begin_turn(AXIS, SCENE)
    draft.ask(TARGETS, AXIS_SEAT, SCENE, {"place": sky, BOMBER: 1})

    assert choice(scene) == Choose((BOMBER,), ("crossing",))
