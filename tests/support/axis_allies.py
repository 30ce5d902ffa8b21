"""The fourth game for tests: its board, and tables that are made in a few words.

    table = charts("race")
    table = bare(control={"axis": ["kalach"]}, units={"kalach": {"ger_tank": 2}}, ferries=["crossing_white"])

A bare table has all supply tokens in the pools and no units but those named; the Allies control what is not named, bases aside.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from core.chance.chance_sources import ManualChance
from core.engine.command import Command
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.draft_chance import MatchOver
from core.games.axis_allies.components.board_file import BOARD_FILE
from core.games.axis_allies.ids import (
    ALLIES,
    AXIS,
    FERRY,
    FLYING,
    GROUND,
    PHASES,
    PLAYS,
    POOL,
    RACE,
    SIDES,
    STANDARD,
    SUPPLY,
    token,
)
from core.games.axis_allies.narration.axis_allies_narration import AxisAlliesNarration
from core.games.axis_allies.options import OPTIONS
from core.games.axis_allies.rules.movement import Movement
from core.games.axis_allies.rules.queries import free_unit, tokens
from core.games.axis_allies.rules.set_up import lay_out
from core.refusal import Refusal
from events.ids import GameKey, MarkerId, PlaceId, RuleId, Side
from events.vocabulary import ChanceScheme, Event, MatchBegan, MatchOpened, Value
from projections.state.table import Table

BOARD = BOARD_FILE.load()
NARRATION = AxisAlliesNarration(BOARD)
SCENE = RuleId("setup.scenario-choice")


def opened(scenario: str = RACE, mode: str = STANDARD, options: Mapping[str, Value] | None = None) -> Draft:
    """Return the draft of a match that has just begun, with nothing on the table."""
    draft = Draft(Table(), ManualChance())
    draft.emit(
        MatchOpened(
            rule=RuleId("match.open"),
            game=GameKey("axis_allies"),
            edition="0.1",
            scenario=scenario,
            mode=mode,
            options={**{spec.key: spec.default for spec in OPTIONS}, **(options or {})},
            sides=SIDES,
            seats=tuple(PLAYS[mode]),
            plays=PLAYS[mode],
            rules=BOARD.source.digest,
            board=BOARD.source.digest,
            chance=ChanceScheme(scheme="manual/1"),
        )
    )
    draft.emit(MatchBegan(rule=RuleId("match.begin")))
    return draft


def charts(scenario: str = RACE) -> Draft:
    """Return the draft of a match whose set-up charts are laid out."""
    draft = opened(scenario)
    lay_out(draft, BOARD)
    return draft


def bare(
    control: Mapping[str, Sequence[str]] | None = None,
    units: Mapping[str, Mapping[str, int]] | None = None,
    held: Mapping[str, Mapping[str, int]] | None = None,
    markers: Mapping[str, MarkerId] | None = None,
    ferries: Sequence[str] = (),
    flying: Sequence[str] = (),
    scenario: str = RACE,
    options: Mapping[str, Value] | None = None,
) -> Draft:
    """Return the draft of a table made of what is named.

    Args:
        control: Side to zones.
        units: Place to unit types with their numbers.
        held: Side to zones with the number of its supply tokens there.
        markers: Place to a marker.
        ferries: The crossings with a ferry.
        flying: The places whose air units are in the air.
        scenario: The scenario.
        options: Options that differ from the defaults.
    """
    draft = opened(scenario, options=options)
    own = {zone: Side(side) for side, zones in (control or {}).items() for zone in zones}
    for zone, there in BOARD.zones.items():
        draft.control(zone, there.base or own.get(zone, ALLIES), SCENE)
    for number in range(1, BOARD.file.components.supply_tokens + 1):
        side = AXIS if number <= BOARD.file.components.axis_tokens else ALLIES
        draft.place(token(number), POOL[side], SCENE, kind=SUPPLY, side=side)
    for crossing in ferries:
        draft.mark(crossing, FERRY, SCENE)
    for place, marker in (markers or {}).items():
        draft.mark(place, marker, SCENE)
    for place, kinds in (units or {}).items():
        for kind, number in kinds.items():
            face = (FLYING if place in flying else GROUND) if BOARD.units[kind].is_air else ""
            for _ in range(number):
                piece = free_unit(draft.table, kind)
                draft.place(piece, PlaceId(place), SCENE, kind=kind, side=BOARD.units[kind].side, face=face)
    for side_, zones in (held or {}).items():
        for zone_, number in zones.items():
            for piece in tokens(draft.table, POOL[Side(side_)], Side(side_))[:number]:
                draft.move(piece, PlaceId(zone_), SCENE)
    return draft


class Scene:
    """A table and what is done at it, with the rules of one chapter or of the whole game.

    Args:
        draft: The draft with the table; its events are forgotten.
        rules: The rules.
    """

    def __init__(self, draft: Draft, rules: DecisionRules) -> None:
        self.table = draft.table
        self.rules = rules
        self.events: list[Event] = []

    def run(self, begin: Callable[[Draft], None], dice: Sequence[int] = (), draws: Sequence[str] = ()) -> list[Event]:
        """Begin something, go on to the next question with exactly these dice and draws, and return the events."""
        chance = ManualChance(dice, draws)
        draft = Draft(self.table, chance)
        with suppress(MatchOver):
            begin(draft)
            self.rules.settle(draft)
        chance.check_used_up()
        self.events = draft.events
        return draft.events

    def do(
        self, *commands: Command, dice: Sequence[int] = (), draws: Sequence[str] = (), is_listed: bool = True
    ) -> list[Event]:
        """Execute legal commands with exactly these dice and draws, and return the events; only whole choices are not listed."""

        def take(draft: Draft) -> None:
            for command in commands:
                assert (command in self.options) is is_listed, f"{command}: {self.refusal(command)}"
                assert self.refusal(command) is None
                self.rules.take(draft, command)

        return self.run(take, dice, draws)

    def refusal(self, command: Command) -> Refusal | None:
        """Return the refusal that answers a command of the seat that is asked, or None if it is legal."""
        top = self.table.top
        assert top is not None
        return self.rules.kinds[top.kind].refuse(self.table, top, command)

    def refused(self, command: Command) -> tuple[str, str]:
        """Return the code and the rule of the refusal that answers an illegal command."""
        refusal = self.refusal(command)
        assert refusal is not None, "the command is legal"
        assert command not in self.options
        return refusal.code, refusal.rule

    @property
    def options(self) -> list[Command]:
        """The legal commands."""
        return self.rules.options(self.table)

    @property
    def asked(self) -> str:
        """Who is asked what, as in `axis buy`; empty if no question is open."""
        top = self.table.top
        return "" if top is None else f"{top.seat} {top.kind}"

    def kinds(self, place: str) -> list[str]:
        """Return what lies in a place."""
        return [self.table.pieces[piece].kind for piece in self.table.pieces_at(PlaceId(place))]


def control_but(*zones: str) -> list[str]:
    """Return all zones but these, bases aside."""
    return [zone for zone, there in BOARD.zones.items() if there.base is None and zone not in zones]


MOVEMENT = Movement(BOARD)
MOVEMENT_RULES = DecisionRules(MOVEMENT.decisions, sequences=MOVEMENT.sequences)


def phase(
    side: Side,
    control: Sequence[str] = (),
    units: Mapping[str, Mapping[str, int]] | None = None,
    held: Mapping[str, Mapping[str, int]] | None = None,
    markers: Mapping[str, MarkerId] | None = None,
    ferries: Sequence[str] = (),
    number: int = 1,
    options: Mapping[str, Value] | None = None,
) -> Scene:
    """Begin the Movement phase of a side in a round; the Axis controls the zones named, and other arguments are those of `bare`."""
    draft = bare({AXIS: control}, units, held, markers, ferries, options=options)
    draft.begin_round(number, SCENE)
    draft.begin_turn(side, SCENE)
    draft.begin_phase(PHASES[3 if side == AXIS else 10], SCENE)
    scene = Scene(draft, MOVEMENT_RULES)
    scene.run(MOVEMENT.by_side[side].begin)
    return scene
