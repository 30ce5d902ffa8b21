"""Scenes of the first game for tests: a table in a few words, played by the whole rules with typed dice and draws.

    table = scene(phase="supply", decision="supply", units={"29/15": "6"}, out="29/RCN", supply=3)
    table.do(order("return-unit", unit="29/RCN", area="6"))

A scene is set up like a position file, so what cannot be a position cannot be a scene. Areas without a Soviet unit are
Vacant. Where a phase is named without a decision it begins, with its rolls.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar

from core.chance.chance_sources import ManualChance
from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.selection import Choose
from core.game.game_record import Game
from core.games.advance.components.board import BOARD_FILE
from core.games.advance.ids import FRESH, GERMAN, GERMAN_SEAT, OUT_OF_ACTION, SPENT, soviet_unit
from core.games.advance.narration.advance_narration import AdvanceNarration
from core.games.advance.options import OPTIONS
from core.games.advance.positions.advance_positions import AdvancePositions
from core.games.advance.rules.advance_rules import AdvanceRules
from core.positions.position import FORMAT, PlacedPiece, Position, Question
from core.refusal import Refusal
from core.registry.games import load_game
from events.codec import encode
from events.ids import AttributeKey, CardId, GameKey, MarkerId, PieceId, PileId, PlaceId, RuleId, Seat, TrackId
from events.vocabulary import ChanceScheme, DiceRolled, Event, MatchBegan, MatchOpened, Value
from projections.state.table import Table

BOARD = BOARD_FILE.load()
RULES = AdvanceRules(BOARD)
NARRATION = AdvanceNarration(BOARD)
POSITIONS = AdvancePositions(BOARD)

_Event = TypeVar("_Event")


def game() -> Game:
    """Return the game's record."""
    return load_game("advance")


class Scene:
    """A table, the events that set it up, and methods to play and inspect it."""

    def __init__(self, table: Table, events: list[Event]) -> None:
        self.table = table
        self.events = events

    # Playing

    def do(self, command: Command, dice: Sequence[int] = (), draws: Sequence[str] = ()) -> list[Event]:
        """Carry out a legal command with exactly these dice and draws, and return the events."""
        refusal = RULES.refuse(self.table, GERMAN_SEAT, command)
        assert refusal is None, refusal
        chance = ManualChance(dice, draws)
        draft = Draft(self.table, chance)
        RULES.take(draft, command)
        chance.check_used_up()
        return draft.events

    def refusal(self, command: Command, seat: str = GERMAN) -> Refusal:
        """Return the refusal that answers an illegal command."""
        refusal = RULES.refuse(self.table, Seat(seat), command)
        assert refusal is not None, "the command is legal"
        assert seat != GERMAN or command not in self.options, "the options list an illegal command"
        return refusal

    def refused(self, command: Command, seat: str = GERMAN) -> str:
        """Return the code of the refusal that answers an illegal command."""
        return self.refusal(command, seat).code

    # Inspection

    @property
    def options(self) -> list[Command]:
        """The legal commands."""
        return RULES.options(self.table)

    @property
    def asked(self) -> str:
        """The kind of the open question; empty when there is none."""
        return "" if self.table.top is None else self.table.top.kind

    def at(self, place: str) -> str:
        """Return what is in an Area or box, sorted by name, separated by blanks."""
        return " ".join(sorted(self.table.pieces_at(PlaceId(place))))

    def face(self, unit: str) -> str:
        """Return whether a unit is Fresh or Spent, Revealed or Unrevealed."""
        return self.table.pieces[PieceId(unit)].face

    def track(self, track: str) -> int:
        """Return where a track stands."""
        return self.table.track(TrackId(track))

    @property
    def morale(self) -> int:
        """German Morale."""
        return self.track("morale")

    @property
    def supply(self) -> int:
        """Supply Points not spent."""
        return self.track("supply")

    def marker(self, on: str, marker: str) -> int:
        """Return how many markers of a kind lie on something."""
        return self.table.marker(on, MarkerId(marker))

    def attribute(self, on: str, key: str) -> Value | None:
        """Return what the rules remember of something, or None."""
        return self.table.attribute(on, AttributeKey(key))

    @property
    def result(self) -> str:
        """How the match ended; empty while it runs."""
        return "" if self.table.ended is None else self.table.ended.result


def scene(
    *,
    scenario: str = "main",
    turn: int = 3,
    phase: str = "combat",
    decision: str = "",
    area: str = "",
    units: Mapping[str, str] | None = None,
    spent: str = "",
    out: str = "",
    soviets: Mapping[str, str] | None = None,
    morale: int = 12,
    supply: int = 0,
    available: Mapping[str, int] | None = None,
    event: Mapping[str, Value] | None = None,
    attributes: Mapping[str, Mapping[str, Value]] | None = None,
    markers: Mapping[str, Mapping[str, int]] | None = None,
    piles: Mapping[str, Sequence[str]] | None = None,
    options: Mapping[str, Value] | None = None,
    dice: Sequence[int] = (),
) -> Scene:
    """Set a scene.

    Args:
        scenario: `main` or `factory`.
        turn: The turn as printed.
        phase: The phase that begins, or that is under way where a decision is named.
        decision: The open question, by its kind; empty lets the phase begin.
        area: The argument of a question within an attack.
        units: German unit to Area or box.
        spent: Which of them are Spent, separated by blanks.
        out: Units Out of Action, separated by blanks.
        soviets: Area to the Soviet unit's counter, or `?` for an Unrevealed one.
        morale: German Morale.
        supply: Supply Points.
        available: Support markers that are Available, by type; the others are Used.
        event: What is remembered of the event in force.
        attributes: What else is remembered, by what it is of.
        markers: Other markers, by what they lie on.
        piles: Counters left, by pile, where it is not all that are not on the table.
        options: Options of the match.
        dice: What is rolled until the first question.
    """
    lying = {on: {MarkerId(name): count for name, count in there.items()} for on, there in (markers or {}).items()}
    if available:
        lying["available"] = {MarkerId(name): count for name, count in available.items()}
    remembered = {**(attributes or {}), **({"event": event} if event else {})}
    arguments: dict[str, Value] = {"area": area} if area else {}
    position = Position(
        format=FORMAT,
        game=GameKey("advance"),
        scenario=scenario,
        options=dict(options or {}),
        round=turn,
        phase=phase,
        tracks={TrackId("morale"): morale, TrackId("supply"): supply},
        pieces=_pieces(units or {}, spent, out, soviets or {}),
        markers=lying,
        attributes={on: {AttributeKey(key): one for key, one in there.items()} for on, there in remembered.items()},
        piles={PileId(pile): tuple([CardId(card) for card in cards]) for pile, cards in (piles or {}).items()},
        decision=Question(decision, GERMAN_SEAT, arguments) if decision else None,
    )
    return from_position(position, dice)


def _pieces(units: Mapping[str, str], spent: str, out: str, soviets: Mapping[str, str]) -> tuple[PlacedPiece, ...]:
    pieces = [
        PlacedPiece(PieceId(unit), PlaceId(place), face=SPENT if unit in spent.split() else FRESH)
        for unit, place in units.items()
    ]
    pieces += [PlacedPiece(PieceId(unit), OUT_OF_ACTION) for unit in out.split()]
    pieces += [
        PlacedPiece(soviet_unit(PlaceId(area)), PlaceId(area), kind="" if counter == "?" else counter)
        for area, counter in soviets.items()
    ]
    return tuple(pieces)


def from_position(position: Position, dice: Sequence[int] = (), draws: Sequence[str] = ()) -> Scene:
    """Set the scene that a position describes, which must be without defects."""
    assert POSITIONS.check_position(position) == ()
    draft = _opened(position.scenario, position.options, dice, draws)
    POSITIONS.set_up_position(draft, position)
    RULES.settle(draft)
    return _scene(draft)


def drafting(table: Scene, dice: Sequence[int] = (), draws: Sequence[str] = ()) -> Draft:
    """Return a draft that changes a scene's table directly, for functions that the rules share."""
    return Draft(table.table, ManualChance(dice, draws))


def new_match(scenario: str = "main", options: Mapping[str, Value] | None = None, dice: Sequence[int] = ()) -> Scene:
    """Set a scenario up. The dice are those of the Random Event of the first turn, where it has one, and of supply."""
    draft = _opened(scenario, options or {}, dice, ())
    RULES.set_up(draft)
    return _scene(draft)


def _opened(scenario: str, options: Mapping[str, Value], dice: Sequence[int], draws: Sequence[str]) -> Draft:
    record = game()
    chosen = record.scenario(scenario)
    mode = chosen.mode("")
    draft = Draft(Table(), ManualChance(dice, draws))
    draft.emit(
        MatchOpened(
            rule=RuleId("match.open"),
            game=record.key,
            edition="1.0",
            scenario=chosen.key,
            options=record.full_options(chosen, mode, options),
            sides=record.sides,
            seats=tuple(mode.seats),
            plays=mode.seats,
            rules=BOARD.source.digest,
            board=BOARD.source.digest,
            chance=ChanceScheme(scheme="manual/1"),
        )
    )
    draft.emit(MatchBegan(rule=RuleId("match.begin")))
    return draft


def _scene(draft: Draft) -> Scene:
    assert isinstance(draft.chance, ManualChance)
    draft.chance.check_used_up()
    return Scene(draft.table, draft.events[2:])


def order(do: str, **fields: object) -> Command:
    """Return a command by its tag and fields, as a player would send it."""
    return RULES.decode(encode({"do": do, **fields}))


def place_support(artillery: int = 0, engineer: int = 0, air: int = 0) -> Choose:
    """Return the whole choice of so many support markers of each type."""
    return Choose((*["air"] * air, *["artillery"] * artillery, *["engineer"] * engineer))


DONE = order("done")

# Events in few words


def rules_of(events: Sequence[Event]) -> list[str]:
    """Return the rules that events cite, in order, repeated ones once."""
    return list(dict.fromkeys(str(event.rule) for event in events))


def of_type(events: Sequence[Event], type_: type[_Event]) -> list[_Event]:
    """Return the events of one type."""
    return [event for event in events if isinstance(event, type_)]


def rolls(events: Sequence[Event]) -> list[tuple[str, str, tuple[int, ...]]]:
    """Return what was rolled: the purpose, what it is about, and the faces."""
    return [(event.purpose, event.about, event.faces) for event in of_type(events, DiceRolled)]


def some_options(rng: Random, scenario: str) -> dict[str, Value]:
    """Choose a value for every option of a scenario that is not a list."""
    chosen: dict[str, Value] = {}
    for spec in OPTIONS:
        if spec.scenarios and scenario not in spec.scenarios:
            continue
        if isinstance(spec.default, bool):
            chosen[spec.key] = rng.random() < 0.5
        elif isinstance(spec.default, str):
            chosen[spec.key] = rng.choice(spec.choices)
        else:
            chosen[spec.key] = spec.default
    return chosen
