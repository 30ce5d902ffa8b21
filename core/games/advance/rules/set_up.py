"""Setting up: chapter 5 for the main game, 14.1 to 14.5 for the Factory District Scenario. Nothing is chosen here."""

from core.draft import Draft
from core.games.advance import ids
from core.games.advance.components.board_model import Board, Scenario
from core.games.advance.components.board_records import MAIN, TERRAINS, SovietSetup
from core.games.advance.memory import DUE, STRATEGY_IN_FORCE
from core.games.advance.options import (
    PAVLOVS_HOUSE,
    REDUCED_STARTING_MORALE,
    STRATEGIES_OF_UNITS_REVEALED_AT_SETUP,
    chosen,
    is_on,
    starting_morale,
)
from core.games.advance.rules.queries import german_control_count, support_total
from events.codec import Struct
from events.ids import NO_SIDE, CardId, PieceId, PlaceId, RuleId, TrackId
from events.vocabulary import ControlChanged, TrackMoved
from projections.table import Table

ONE_PLAYER = RuleId("1.0.one-player")
REDUCED_START = RuleId("12.7.start-at-fifteen")
CONTROL_COUNT_START = RuleId("5.2.control-count-start")
REVEALED_AT_SETUP = RuleId("14.5.1.revealed-units")
PAVLOV_IN_THE_MIX = RuleId("12.6.in-the-mix")
PAVLOV_IN_14 = RuleId("14.5.2.pavlov-in-14")


class SetupRules(Struct, frozen=True):
    """The rule under which each part of a scenario is set up."""

    turn: RuleId
    morale: RuleId
    supply: RuleId
    support: RuleId
    control: RuleId
    german: RuleId
    out_of_action: RuleId
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
    out_of_action=RuleId("5.3.1.german-setup"),
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
    out_of_action=RuleId("14.3.1.out-of-action"),
    arriving=RuleId("14.4.turn-12-group"),
    soviet=RuleId("14.5.1.soviet-setup"),
    pool=RuleId("14.5.1.pool"),
)


def setup_rules(scenario: str) -> SetupRules:
    """Return the rules of a scenario's set-up. What chapter 14 leaves alone is as in the main game.

    Source: 14.0, RuleId("14.0.inherits").
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
    set_morale_and_supply(draft, *starting_figures(draft.table, scenario), rules)
    put_support_in_used_box(draft, board, rules)
    place_soviets(draft, board, scenario, rules)
    form_mixes(draft, board, pool(draft.table, scenario, board), rules)
    show_control(draft, board, rules)
    if scenario.counts_control:
        set_track(draft, ids.CONTROL_COUNT, german_control_count(draft.table, board), CONTROL_COUNT_START)
    place_germans(draft, board, scenario, rules)


def starting_figures(table: Table, scenario: Scenario) -> tuple[int, int]:
    """Return Morale and Supply Points at the start. Source: 5.2, 12.7, 14.2; ruling.starting-morale."""
    reduced = scenario.key == MAIN and is_on(table, REDUCED_STARTING_MORALE)
    return starting_morale(table) if reduced else scenario.morale, scenario.supply


def set_morale_and_supply(draft: Draft, morale: int, supply: int, rules: SetupRules) -> None:
    """Put the markers of Morale and supply onto their tracks."""
    reduced = draft.table.scenario == MAIN and is_on(draft.table, REDUCED_STARTING_MORALE)
    set_track(draft, ids.MORALE, morale, REDUCED_START if reduced else rules.morale)
    set_track(draft, ids.SUPPLY, supply, rules.supply)


def set_track(draft: Draft, track: TrackId, to: int, rule: RuleId) -> None:
    """Put a marker onto a track, on 0 too, so that everybody can see that the track is in use."""
    draft.emit(TrackMoved(rule=rule, track=track, to=to, was=0))


def put_support_in_used_box(draft: Draft, board: Board, rules: SetupRules) -> None:
    """Put every support marker into the Used box. Source: 5.2, 14.2."""
    for marker in ids.SUPPORT:
        draft.mark(ids.USED, marker, rules.support, support_total(board, marker))


def show_control(draft: Draft, board: Board, rules: SetupRules) -> None:
    """Say of every Area who controls it. Nothing is captured by that, so Morale stays as it is.

    Source: 3.1.1, 14.2, ruling.setup-no-bonus.
    """
    for area in board.areas:
        to = ids.GERMAN if ids.soviet_unit(area) not in draft.table.pieces else ids.SOVIET
        draft.emit(ControlChanged(rule=rules.control, place=area, to=to, was=NO_SIDE))


def place_germans(draft: Draft, board: Board, scenario: Scenario, rules: SetupRules) -> None:
    """Put every German unit of the scenario where its counter says, all Fresh; others do not exist here.

    Source: 5.3, 14.3; RuleId("5.3.all-fresh"), RuleId("4.3.factory-only-units"), RuleId("14.4.no-other-units").
    """
    for unit, area in scenario.german_setup.items():
        place_german(draft, board, unit, area, rules.german)
    for unit in scenario.out_of_action:
        place_german(draft, board, unit, ids.OUT_OF_ACTION, rules.out_of_action)
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
    """Put a Soviet unit into its Area: Revealed where its counter is known, else Unrevealed.

    Which counter an Unrevealed one is, is drawn when it is Revealed.

    Source: 5.4, 14.5.1, ruling.draw-at-reveal.
    """
    draft.place(unit, to, rule, kind=counter or "", side=ids.SOVIET, face=ids.REVEALED if counter else ids.UNREVEALED)


def place_unrevealed(draft: Draft, area: PlaceId, rule: RuleId) -> None:
    """Put an Unrevealed Soviet unit into its Area. Source: 5.4."""
    place_soviet(draft, ids.soviet_unit(area), area, None, rule)


def place_revealed(draft: Draft, area: PlaceId, counter: CardId, rule: RuleId) -> None:
    """Put a Revealed Soviet unit into its Area. Source: 14.5.1."""
    place_soviet(draft, ids.soviet_unit(area), area, counter, rule)


def place_soviets(draft: Draft, board: Board, scenario: Scenario, rules: SetupRules) -> None:
    """Put one Soviet unit into each Area that begins Soviet. Source: 5.4, 14.5.1."""
    for row in scenario.soviet_setup:
        counter = setup_counter(draft.table, board, row)
        if counter is None:
            place_unrevealed(draft, row.area, rules.soviet)
            continue
        rule = PAVLOV_IN_14 if counter == board.pavlovs_house.id else REVEALED_AT_SETUP
        place_revealed(draft, row.area, counter, rule)
        if chosen(draft.table, STRATEGIES_OF_UNITS_REVEALED_AT_SETUP) == "first-attack":
            STRATEGY_IN_FORCE.set(draft, ids.soviet_unit(row.area), value=True, rule=rule)


def setup_counter(table: Table, board: Board, row: SovietSetup) -> CardId | None:
    """Return the counter that is Revealed from the start, or None. Pavlov's House replaces the Fanatic of its Area.

    Source: 14.5.1, 14.5.2, ruling.pavlov-factory.
    """
    replaced = row.counter is not None and row.area == ids.PAVLOV_AREA and is_on(table, PAVLOVS_HOUSE)
    return board.pavlovs_house.id if replaced else row.counter


def pool(table: Table, scenario: Scenario, board: Board) -> tuple[CardId, ...]:
    """Return the counters from which Unrevealed units are drawn: in the main game with Pavlov's House if 12.6 is on.

    Source: 5.4, 12.6, 14.5.1; RuleId("4.5.8.pavlov-only-optional").
    """
    added = scenario.key == MAIN and is_on(table, PAVLOVS_HOUSE)
    return (*scenario.pool, board.pavlovs_house.id) if added else scenario.pool


def form_mixes(draft: Draft, board: Board, counters: tuple[CardId, ...], rules: SetupRules) -> None:
    """Form the mix of counters of each terrain. What is left of it at the end of the match nobody has ever seen.

    Source: 5.4, RuleId("5.4.excess-unseen").
    """
    for terrain in TERRAINS:
        cards = tuple([card for card in counters if board.counter(card).terrain == terrain])
        if cards:
            has_pavlov = board.pavlovs_house.id in cards
            draft.form(ids.mix(terrain), cards, PAVLOV_IN_THE_MIX if has_pavlov else rules.pool)
