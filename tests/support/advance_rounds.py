"""Scenes for the chapters on Action Rounds: a table with a few units, played with typed dice and draws."""

from collections.abc import Mapping, Sequence

from core.chance.chance_sources import ManualChance
from core.checking.choice_comparison import makes_a_whole
from core.engine.command import Command
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.selection import Done
from core.engine.steps import StepSequence
from core.games.advance.components.board import BOARD_FILE
from core.games.advance.components.board_records import CLEAR, ELEVATED, HEAVY_URBAN, LIGHT_URBAN
from core.games.advance.ids import (
    AIR,
    ARTILLERY,
    AVAILABLE,
    CONTROL_COUNT,
    ENGINEER,
    FRESH,
    GERMAN,
    ISOLATED,
    MORALE,
    OUT_OF_ACTION,
    REVEALED,
    SOVIET,
    SPENT,
    UNREVEALED,
    USED,
    mix,
    soviet_unit,
)
from core.games.advance.memory import ACTION_ROUNDS, ATTACK, EVENT, EVENT_ATTRIBUTES, STRATEGY_IN_FORCE, TURN
from core.games.advance.rules.advance_rules import AdvanceRules
from core.games.advance.rules.commands import (
    Activate,
    BreakOff,
    DeclareAttack,
    Move,
    NameLead,
    PutOutOfAction,
    RetreatNext,
    RetreatTo,
    Stop,
)
from events.ids import PieceId, PlaceId, RuleId, Side
from events.vocabulary import DiceRolled, Event, Value
from projections.state.table import Table
from tests.support.advance import place_support

BOARD = BOARD_FILE.load()
SETUP = RuleId("5.0")


def combat_rules() -> tuple[DecisionRules, StepSequence]:
    """Return the rules of the Action Rounds, and a turn that has nothing else."""
    rules = AdvanceRules(BOARD)
    step = next(step for step in rules.turn.steps if step.name == ACTION_ROUNDS)
    turn = StepSequence(TURN, SETUP, [step])
    return DecisionRules(rules.kinds, sequences=(turn, rules.sequences[ATTACK])), turn


RULES, ROUNDS = combat_rules()


def place_units(draft: Draft, german: Mapping[str, str], spent: str, out: str) -> None:
    """Put German units onto the table: Area to names, and those that are Spent or Out of Action."""
    for area, names in german.items():
        for name in names.split():
            face = SPENT if name in spent.split() else FRESH
            draft.place(PieceId(name), PlaceId(area), SETUP, kind="", side=GERMAN, face=face)
    for name in out.split():
        draft.place(PieceId(name), OUT_OF_ACTION, SETUP, kind="", side=GERMAN, face=FRESH)


def place_soviets(draft: Draft, soviet: Mapping[str, str], isolated: str) -> None:
    """Put Soviet units onto the table, Area to counter or `?`, and form the mixes of what is left."""
    for area, counter in soviet.items():
        unit, place = soviet_unit(PlaceId(area)), PlaceId(area)
        kind, face = ("", UNREVEALED) if counter == "?" else (counter, REVEALED)
        draft.place(unit, place, SETUP, kind=kind, side=SOVIET, face=face)
    left = [card for card in BOARD.counters.values() if card.id not in soviet.values()]
    left.append(BOARD.pavlovs_house)
    for terrain in (CLEAR, ELEVATED, LIGHT_URBAN, HEAVY_URBAN):
        draft.form(mix(terrain), tuple([card.id for card in left if card.terrain == terrain]), SETUP)
    for area in isolated.split():
        draft.mark(soviet_unit(PlaceId(area)), ISOLATED, SETUP)


class Scene:
    """A Combat Phase that is about to begin or under way.

    Args:
        german: Area to the German units there, separated by blanks.
        soviet: Area to the Soviet counter there, `?` for an Unrevealed one. Other Areas are Vacant.
        spent: The German units that are Spent.
        out: The German units that are Out of Action.
        isolated: The Areas whose Soviet units are Isolated.
        in_force: The Areas whose Soviet units still have their Defense Strategy in force.
        support: Artillery, Engineer and Air markers Available.
        event: What is remembered of the event in force.
        morale: German Morale.
        scenario: Which scenario is played.
        options: Options of the match.
    """

    def __init__(
        self,
        german: Mapping[str, str],
        soviet: Mapping[str, str] | None = None,
        *,
        spent: str = "",
        out: str = "",
        isolated: str = "",
        in_force: str = "",
        support: tuple[int, int, int] = (0, 0, 0),
        event: Mapping[str, Value] | None = None,
        morale: int = 12,
        scenario: str = "main",
        options: Mapping[str, Value] | None = None,
    ) -> None:
        self.table = Table(scenario=scenario, options=dict(options or {}), round=3, turn=Side("german"), phase="combat")
        draft = Draft(self.table, ManualChance())
        place_soviets(draft, soviet or {}, isolated)
        place_units(draft, german, spent, out)
        for area in in_force.split():
            STRATEGY_IN_FORCE.set(draft, soviet_unit(PlaceId(area)), value=True, rule=SETUP)
        draft.track(MORALE, morale, SETUP)
        if scenario == "main":
            draft.track(CONTROL_COUNT, 50 - len(soviet or {}), SETUP)
        totals = (BOARD.markers.artillery, BOARD.markers.engineer, BOARD.markers.air)
        for marker, count, total in zip((ARTILLERY, ENGINEER, AIR), support, totals, strict=True):
            if count:
                draft.mark(AVAILABLE, marker, SETUP, count)
            if total - count:
                draft.mark(USED, marker, SETUP, total - count)
        for attribute in EVENT_ATTRIBUTES:
            if event and attribute.key in event:
                attribute.put(draft, EVENT, event[attribute.key], SETUP)
        self.begin_phase()

    def begin_phase(self) -> None:
        """Begin the Action Rounds of a Combat Phase."""
        draft = Draft(self.table, ManualChance())
        ROUNDS.begin(draft)
        RULES.settle(draft)

    # Playing

    def play(self, command: Command, dice: Sequence[int] = (), draws: Sequence[str] = ()) -> list[Event]:
        """Carry out a legal command with exactly these dice and draws, and return the events."""
        assert self.refusal(command) == ""
        chance = ManualChance(dice, draws)
        draft = Draft(self.table, chance)
        RULES.take(draft, command)
        chance.check_used_up()
        return draft.events

    def refusal(self, command: Command) -> str:
        """Return the code of the refusal that answers a command; empty if it is legal."""
        top = self.table.top
        assert top is not None, "nothing is asked"
        no = RULES.kinds[top.kind].refuse(self.table, top, command)
        is_legal = command in RULES.options(self.table) or (no is None and makes_a_whole(RULES, self.table, command))
        assert (no is None) == is_legal
        return "" if no is None else no.code

    def broken_rule(self, command: Command) -> str:
        """Return the rule that an illegal command would break."""
        top = self.table.top
        assert top is not None, "nothing is asked"
        no = RULES.kinds[top.kind].refuse(self.table, top, command)
        assert no is not None, "the command is legal"
        return no.rule

    def activate(self, area: str) -> list[Event]:
        """Open an Action Round."""
        return self.play(Activate(PlaceId(area)))

    def move(self, names: str, *ways: str) -> list[Event]:
        """Let units step, one after the other, through the same Areas."""
        return [event for name in names.split() for to in ways for event in self.play(move(name, to))]

    def attack(self, area: str, names: str, dice: Sequence[int] = (), counter: str = "") -> list[Event]:
        """Declare an attack; `counter` is drawn if the Soviet unit is Unrevealed."""
        return self.play(declare(area, names), dice, (counter,) if counter else ())

    def lead(self, name: str, dice: Sequence[int] = ()) -> list[Event]:
        """Name the Lead."""
        return self.play(NameLead(PieceId(name)), dice)

    def support(self, artillery: int, engineer: int, air: int, dice: Sequence[int] = ()) -> list[Event]:
        """Place support."""
        return self.play(place_support(artillery, engineer, air), dice)

    # Inspection

    @property
    def asked(self) -> str:
        """The kind of the open question; empty where nothing is asked."""
        return "" if self.table.top is None else self.table.top.kind

    @property
    def options(self) -> list[Command]:
        """The legal commands."""
        return RULES.options(self.table)

    @property
    def morale(self) -> int:
        """German Morale."""
        return self.table.track(MORALE)

    def at(self, area: str) -> str:
        """Return what is in an Area or box, sorted by name, separated by blanks."""
        return " ".join(sorted(self.table.pieces_at(PlaceId(area))))

    def spent(self) -> str:
        """Return the German units that are Spent, sorted by name, separated by blanks."""
        return " ".join(sorted(piece.id for piece in self.table.pieces.values() if piece.face == SPENT))

    def available(self) -> tuple[int, int, int]:
        """Return the Artillery, Engineer and Air markers that are Available."""
        return self._support(AVAILABLE)

    def used(self) -> tuple[int, int, int]:
        """Return the Artillery, Engineer and Air markers in the Used box."""
        return self._support(USED)

    def _support(self, box: str) -> tuple[int, int, int]:
        table = self.table
        return table.marker(box, ARTILLERY), table.marker(box, ENGINEER), table.marker(box, AIR)


# Commands and events in few words


def move(name: str, to: str) -> Move:
    """Return the command for a step."""
    return Move(PieceId(name), PlaceId(to))


def declare(area: str, names: str) -> DeclareAttack:
    """Return the command for an attack."""
    return DeclareAttack(PlaceId(area), tuple([PieceId(name) for name in sorted(names.split())]))


def give_up(name: str) -> PutOutOfAction:
    """Return the command that answers Barrage with a loss."""
    return PutOutOfAction(PieceId(name))


def next_unit(name: str) -> RetreatNext:
    """Return the command that names the next unit to retreat."""
    return RetreatNext(PieceId(name))


def retreat_to(area: str) -> RetreatTo:
    """Return the command that ends a retreat."""
    return RetreatTo(PlaceId(area))


def rules_of(events: Sequence[Event]) -> set[str]:
    """Return the rules that events cite."""
    return {event.rule for event in events}


def rolls(events: Sequence[Event]) -> list[tuple[str, tuple[int, ...], int]]:
    """Return the rolls: purpose, faces, and the sum of the modifiers."""
    return [
        (event.purpose, event.faces, sum(part.amount for part in event.modifiers))
        for event in events
        if isinstance(event, DiceRolled)
    ]


def parts(events: Sequence[Event], purpose: str) -> dict[str, int]:
    """Return the modifiers of a roll by rule; several modifiers of one rule are added up."""
    found: dict[str, int] = {}
    for event in events:
        if isinstance(event, DiceRolled) and event.purpose == purpose:
            for part in event.modifiers:
                found[part.rule] = found.get(part.rule, 0) + part.amount
    return found


STOP = Stop()
DONE = Done()
BREAK_OFF = BreakOff()
