"""Narration and positions of a small game, made from its inventory, its words and its acts."""

from collections.abc import Callable, Mapping, Sequence

from typing_extensions import override

from core.authoring.act import Act, described
from core.components.inventory import Inventory
from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.hidden_dice import DICE
from core.engine.selection import Choose, Done, Pick, Unpick
from core.narration.narration_port import Pictures
from core.narration.printed_narration import PrintedNarration
from core.narration.render_model import MapPlace, Picture
from core.narration.sheet import Drawing
from core.narration.told_option import Told
from core.positions.inventory_checks import position_defects
from core.positions.position import Defect, Position, place_known, put_attributes, put_markers
from core.suggestions import unknown
from core.wording import joined
from events.ids import NO_SEAT, NO_SIDE, PieceId, RuleId, Side
from events.vocabulary import DiceRolled, Event, Value
from projections.state.table import Open, Table

MakeInventory = Callable[[str, Mapping[str, Value]], Inventory]
"""Declares what can be on the table in a scenario with some options; for the empty scenario what is in the box."""


class NoPictures:
    """Has tables drawn as those of any game are."""

    def __init__(self, places: tuple[MapPlace, ...]) -> None:
        self._places = places

    def picture(self, table: Table) -> Picture | None:
        """Return none."""
        return None

    def drawing(self, table: Table) -> Drawing | None:
        """Return none."""
        return None

    def places(self) -> tuple[MapPlace, ...]:
        """Return the places of the map."""
        return self._places


class SmallNarration(PrintedNarration):
    """Words from the acts and from the words of the game.

    Args:
        names: The printed names by id, and under `question:KIND` the words of the questions, with their arguments in braces.
        map_places: The places of the map.
    """

    def __init__(self, names: Mapping[str, str], map_places: Sequence[MapPlace]) -> None:
        super().__init__(names)
        self.map_places = tuple(map_places)

    @override
    def load_pictures(self) -> Pictures:
        return NoPictures(self.map_places)

    @override
    def told(self, table: Table, command: Command) -> Told:
        """Return what a command would do."""
        match command:
            case Act():
                return Told(described(command, self.names))
            case Pick(item=item, to=to):
                return Told(f"Pick {self.name(item)}{f' for {self.name(to)}' if to else ''}")
            case Unpick(item=item):
                return Told(f"Do not pick {self.name(item)}")
            case Choose(items=items):
                return Told(f"Pick {joined([self.name(item) for item in items])}" if items else "Pick nothing")
            case _:
                return Told("Be done" if isinstance(command, Done) else type(command).__name__)

    @override
    def is_final(self, table: Table, command: Command) -> bool:
        return isinstance(command, Act) and command.is_final

    def question(self, table: Table, asked: Open) -> str:
        """Return the words of a question, or its kind."""
        words = self.names.get(f"question:{asked.kind}", asked.kind.replace("-", " "))
        return words.format(**{name: self.names.get(str(value), value) for name, value in asked.arguments.items()})

    def tell(self, table: Table, run: Sequence[Event]) -> str | None:
        """Leave all events to the default sentences."""
        return ""

    @override
    def favours(self, table: Table, roll: DiceRolled) -> Side:
        piece = table.pieces.get(PieceId(roll.about))
        return NO_SIDE if piece is None else piece.side


class InventoryPositions:
    """Position files that put on the table what they name, and ask the question that they name or the first side's.

    Everything lies there for all to see, so that a game with piles or hidden dice needs positions of its own.

    Args:
        inventory: What is in the box.
        rule: The rule under which the table is set up.
        kinds: The kinds of question; the first one opens a position that names none.
    """

    def __init__(self, inventory: MakeInventory, rule: RuleId, kinds: Sequence[str]) -> None:
        self.inventory = inventory
        self.rule = rule
        self.kinds = tuple(kinds)

    def check_position(self, position: Position) -> tuple[Defect, ...]:
        """Return every difference from the inventory, and that a position opens with no turn or question of this game."""
        inventory = self.inventory(position.scenario, position.options)
        if inventory.piles or any(DICE in declared for declared in inventory.memory.of.values()):
            what = "this game has secrets, and a position cannot say who knows them: its author has to write how it is set up"
            return (Defect(("game",), what),)
        defects = list(position_defects(inventory, position))
        if position.turn and position.turn not in inventory.sides:
            defects.append(Defect(("turn",), unknown("side", position.turn, [*inventory.sides])))
        if position.decision is not None and position.decision.kind not in self.kinds:
            kind = unknown("question", position.decision.kind, [*self.kinds])
            defects.append(Defect(("decision", "kind"), kind))
        return tuple(defects)

    def set_up_position(self, draft: Draft, position: Position) -> None:
        """Put everything on the table, and ask the first question."""
        inventory, rule = self.inventory(position.scenario, position.options), self.rule
        for placed in position.pieces:
            group_of = inventory.pieces_of[placed.id]
            kinds = group_of.kinds.get(placed.id, (placed.id,))
            side = placed.side or (group_of.sides[0] if len(group_of.sides) == 1 else Side(""))
            steps = placed.steps or group_of.steps
            place_known(draft, placed, rule, kind=placed.kind or kinds[0], side=side, face=placed.face, steps=steps)
        for place, to in position.control.items():
            draft.control(place, to, rule)
        put_markers(draft, position.markers, rule)
        for track, value in position.tracks.items():
            draft.track(track, value, rule)
        put_attributes(draft, position, dict.fromkeys(one for of in inventory.memory.of.values() for one in of), rule)
        draft.begin_round(position.round or 1, rule)
        turn = position.turn or draft.table.sides[0]
        draft.begin_turn(turn, rule)
        asked = position.decision
        seat = (asked.seat if asked else NO_SEAT) or position.turn_seat or draft.table.seats_of(turn)[0]
        draft.ask(asked.kind if asked else self.kinds[0], seat, rule, dict(asked.arguments) if asked else None)
