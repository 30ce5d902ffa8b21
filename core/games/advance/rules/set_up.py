"""Setting up: chapter 5 for the main game, 14.1 to 14.5 for the Factory District Scenario. Nothing is chosen here."""

from collections.abc import Mapping

from core.engine.draft import Draft
from core.games.advance import ids, options
from core.games.advance.components.board_model import Board, Scenario
from core.games.advance.components.board_records import MAIN, TERRAINS
from core.games.advance.memory import DUE, STRATEGY_IN_FORCE
from core.games.advance.rules.queries import german_control_count
from events.codec import Struct
from events.ids import NO_SIDE, CardId, PieceId, PlaceId, RuleId, TrackId
from events.vocabulary import ControlChanged, TrackMoved, Value

ONE_PLAYER = RuleId("1.0.one-player")
REDUCED_START = RuleId("12.7.start-at-fifteen")
CONTROL_COUNT_START = RuleId("5.2.control-count-start")


class SetupRules(Struct, frozen=True):
    """The rule under which each part of a scenario is set up."""

    turn: RuleId
    morale: RuleId
    supply: RuleId
    support: RuleId
    control: RuleId
    german: RuleId
    arriving: RuleId
    soviet: RuleId
    pool: RuleId


MAIN_SETUP = SetupRules(
    turn=RuleId("5.2.turn-marker"),
    morale=RuleId("5.2.morale-start"),
    supply=RuleId("5.2.supply-start"),
    support=RuleId("5.2.support-start"),
    control=RuleId("3.1.1.identifier"),
    german=RuleId("5.3.1.german-setup"),
    arriving=RuleId("5.3.2.reinforcement-marks"),
    soviet=RuleId("5.4.one-counter-per-area"),
    pool=RuleId("5.4.one-counter-per-area"),
)

FACTORY_SETUP = SetupRules(
    turn=RuleId("14.1.five-turns"),
    morale=RuleId("14.2.morale-start"),
    supply=RuleId("14.2.supply-start"),
    support=RuleId("14.2.supply-start"),
    control=RuleId("14.2.control-markers"),
    german=RuleId("14.3.1.german-setup"),
    arriving=RuleId("14.4.turn-12-group"),
    soviet=RuleId("14.5.1.soviet-setup"),
    pool=RuleId("14.5.1.pool"),
)


def setup_rules(scenario: str) -> SetupRules:
    """Return the rules of a scenario's set-up. What chapter 14 leaves alone is as in the main game.

    Source: RuleId("14.0.inherits").
    """
    return MAIN_SETUP if scenario == MAIN else FACTORY_SETUP


def set_up(draft: Draft, board: Board) -> None:
    """Set the table up for the scenario and the options that lie on it, up to the first Dawn.

    Source: 5.0, 14.2 to 14.5.
    """
    scenario = board.scenarios[draft.table.scenario]
    rules = setup_rules(scenario.key)
    draft.begin_turn(ids.GERMAN, ONE_PLAYER)
    draft.begin_round(scenario.first_turn, rules.turn)
    set_tracks(draft, scenario, rules, {})
    for marker in ids.SUPPORT:
        draft.mark(ids.USED, marker, rules.support, board.markers.of(marker))
    place_soviets(draft, board, scenario, rules)
    form_mixes(draft, board, pool(draft.table.options, scenario, board), rules)
    show_control(draft, board, scenario, rules)
    place_germans(draft, board, scenario, rules)


def set_tracks(draft: Draft, scenario: Scenario, rules: SetupRules, stated: Mapping[TrackId, int]) -> None:
    """Put the markers of Morale and supply onto their tracks, as printed unless a position states otherwise.

    Source: 5.2, 12.7, 14.2, ruling.starting-morale.
    """
    is_reduced = scenario.key == MAIN and options.REDUCED_STARTING_MORALE.is_on(draft.table)
    morale = options.STARTING_MORALE.number(draft.table) if is_reduced else scenario.morale
    _set_track(draft, ids.MORALE, stated.get(ids.MORALE, morale), REDUCED_START if is_reduced else rules.morale)
    _set_track(draft, ids.SUPPLY, stated.get(ids.SUPPLY, scenario.supply), rules.supply)


def _set_track(draft: Draft, track: TrackId, to: int, rule: RuleId) -> None:
    """Put a marker onto a track, on 0 too, so that the table shows that the track is in use."""
    draft.emit(TrackMoved(rule=rule, track=track, to=to, was=0))


def show_control(draft: Draft, board: Board, scenario: Scenario, rules: SetupRules) -> None:
    """Record who controls each Area, and how many are German. That captures nothing, so Morale stays as it is.

    Source: 3.1.1, 5.2, 14.2, ruling.setup-no-bonus.
    """
    for area in board.areas:
        to = ids.GERMAN if ids.soviet_unit(area) not in draft.table.pieces else ids.SOVIET
        draft.emit(ControlChanged(rule=rules.control, place=area, to=to, was=NO_SIDE))
    if scenario.counts_control:
        _set_track(draft, ids.CONTROL_COUNT, german_control_count(draft.table, board), CONTROL_COUNT_START)


def place_germans(draft: Draft, board: Board, scenario: Scenario, rules: SetupRules) -> None:
    """Put every German unit of the scenario where its counter says, all Fresh; others do not exist here.

    Source: 14.3, RuleId("5.3.all-fresh"), RuleId("4.3.factory-only-units"), RuleId("14.4.no-other-units").
    """
    for unit, area in scenario.german_setup.items():
        place_german(draft, board, unit, area, rules.german)
    for unit in scenario.out_of_action:
        place_german(draft, board, unit, ids.OUT_OF_ACTION, RuleId("14.3.1.out-of-action"))
    for group in scenario.groups:
        box = ids.reinforcement_box(group.tag)
        for unit in group.units:
            place_german(draft, board, unit, box, rules.arriving)
        DUE.set(draft, box, group.turn, rules.arriving)


def place_german(
    draft: Draft, board: Board, unit: PieceId, to: PlaceId, rule: RuleId, *, face: str = ids.FRESH
) -> None:
    """Bring a German unit onto the table."""
    draft.place(unit, to, rule, kind=board.units[unit].kind, side=ids.GERMAN, face=face)


def place_soviet(draft: Draft, unit: PieceId, to: PlaceId, counter: CardId | None, rule: RuleId) -> None:
    """Put a Soviet unit into its Area: Revealed if its counter is known, else Unrevealed, to be drawn when it is Revealed.

    Source: 5.4, 14.5.1, ruling.draw-at-reveal.
    """
    draft.place(unit, to, rule, kind=counter or "", side=ids.SOVIET, face=ids.REVEALED if counter else ids.UNREVEALED)


def place_soviets(draft: Draft, board: Board, scenario: Scenario, rules: SetupRules) -> None:
    """Put one Soviet unit into each Area that begins Soviet. Pavlov's House replaces the Fanatic of its Area.

    Source: 5.4, 14.5.1, 14.5.2, ruling.pavlov-factory.
    """
    house = board.pavlovs_house.id
    for row in scenario.soviet_setup:
        unit, counter = ids.soviet_unit(row.area), row.counter
        if counter is None:
            place_soviet(draft, unit, row.area, None, rules.soviet)
            continue
        if row.area == ids.PAVLOV_AREA and options.PAVLOVS_HOUSE.is_on(draft.table):
            counter = house
        rule = RuleId("14.5.2.pavlov-in-14") if counter == house else RuleId("14.5.1.revealed-units")
        place_soviet(draft, unit, row.area, counter, rule)
        if options.STRATEGIES_OF_UNITS_REVEALED_AT_SETUP.chosen(draft.table) == "first-attack":
            STRATEGY_IN_FORCE.set(draft, unit, value=True, rule=rule)


def pool(settings: Mapping[str, Value], scenario: Scenario, board: Board) -> tuple[CardId, ...]:
    """Return the counters from which Unrevealed units are drawn: in the main game with Pavlov's House if 12.6 is on.

    Args:
        settings: The options of the match; one that is left out has its default.
        scenario: The scenario that is played.
        board: Has the counters.

    Source: 5.4, 12.6, 14.5.1, RuleId("4.5.8.pavlov-only-optional").
    """
    added = scenario.key == MAIN and settings.get(options.PAVLOVS_HOUSE.key) is True
    return (*scenario.pool, board.pavlovs_house.id) if added else scenario.pool


def form_mixes(draft: Draft, board: Board, counters: tuple[CardId, ...], rules: SetupRules) -> None:
    """Form the mix of counters of each terrain. What is left of it at the end of the match is never seen.

    Source: RuleId("5.4.excess-unseen").
    """
    for terrain in TERRAINS:
        cards = tuple([card for card in counters if board.counter(card).terrain == terrain])
        if cards:
            has_pavlov = board.pavlovs_house.id in cards
            draft.form(ids.mix(terrain), cards, RuleId("12.6.in-the-mix") if has_pavlov else rules.pool)
