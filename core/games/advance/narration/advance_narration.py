"""The narration of this game, bound to a board: names, sentences about commands, and pictures of tables on first use."""

from collections import Counter
from collections.abc import Sequence

from typing_extensions import override

from core.components.inventory import Memory
from core.engine.command import Command
from core.engine.selection import Choose, Done, Pick, Unpick
from core.game_files.printed_names import printed_words
from core.games.advance.components.board_model import Board
from core.games.advance.components.inventory import TERRAIN_NAMES, inventory
from core.games.advance.ids import AREA, GERMAN, PACKAGE, SOVIET
from core.games.advance.memory import DUE, EVENT, ActionRound, attackers
from core.games.advance.narration.sentences import COMMANDS, ENDS, in_order, streets_row, tell
from core.games.advance.narration.stakes import (
    attacking,
    entered,
    entering,
    for_sale,
    group,
    led_into_ambush,
    left,
    sums,
    support,
    supporting,
    values,
)
from core.games.advance.rules.bloody_streets import STREETS_ROLL, rule_of
from core.games.advance.rules.bloody_streets import areas as streets
from core.games.advance.rules.commands import (
    Activate,
    Buy,
    DeclareAttack,
    Move,
    PlaceGroup,
    PutOutOfAction,
    ReturnUnit,
    Stop,
)
from core.games.advance.rules.dawn import arrivals, entry_turn, group_of, listed_areas
from core.games.advance.rules.movement import Movement
from core.games.advance.rules.queries import counter_at, fresh_at, is_vacant, room
from core.games.advance.rules.refusals import question
from core.games.advance.rules.supply import purchase_cost, return_cost
from core.narration.narration_port import Pictures
from core.narration.place_name import PlaceName
from core.narration.printed_narration import Kinds, PrintedNarration
from core.narration.side_sum import SideSum
from core.narration.told_option import Told
from core.wording import counted, joined
from events.ids import NO_SIDE, PieceId, PlaceId, RuleId, Side
from events.vocabulary import DiceRolled, Event
from projections.state.table import Open, Table

FAVOURED = {
    "attack": GERMAN,
    "defense": SOVIET,
    "air support": GERMAN,
    "isolation": GERMAN,
    "supply": GERMAN,
    "supply dice that showed 1": GERMAN,
    "Bloody Streets": SOVIET,
}
"""The side for which more is better, by the purpose of a roll."""


LED_INTO_AMBUSH = (
    "which unit leads the attack on {area}: its Attack Factor counts, and because of the Ambush it goes Out of Action "
    "unless the attack is an Overrun"
)
"""What is asked where every other result puts the Lead Attacking Unit Out of Action. Source: 9.4, 9.5.5."""

VERBS = {"support": "Place", "attackers": "Attack with"}
"""What a pick does, by the kind of the question."""


FINAL: Kinds = frozenset(
    {
        ("activate", Done),
        ("attackers", Done),
        ("place_group", PlaceGroup),
        ("support", Done),
    }
)
"""After which commands, by the kind of question, dice fall or something is drawn as a rule."""


class AdvanceNarration(PrintedNarration):
    """Names, sentences and pictures; see `core.narration.narration_port.Narration`."""

    final = FINAL

    def __init__(self, board: Board) -> None:
        self.board = board
        self.movement = Movement(board)
        self.inventory = inventory(board, Memory())
        self._areas = {area.id: PlaceName(area.id, area.name, area.id, noun=AREA) for area in board.areas.values()}
        super().__init__(
            {
                **printed_words(PACKAGE),
                **TERRAIN_NAMES,
                **{scenario.key: scenario.name for scenario in board.scenarios.values()},
                **self.inventory.names,
                EVENT: "Random Event in force",
            }
        )

    @override
    def load_pictures(self) -> Pictures:
        """Import what renders tables."""
        from core.games.advance.narration.pictures import AdvancePictures

        return AdvancePictures(self.board, self.names, [place for place in self.place_names() if place.is_box])

    def area(self, id_: str) -> str:
        """Return what an id is called; an Area by its number, with its name."""
        named = self._areas.get(PlaceId(id_))
        return self.name(id_) if named is None else named.full

    def question(self, table: Table, asked: Open) -> str:
        """Return the text of an open question or a sequence."""
        said = self._particular(table, asked)
        if not said:
            said = question(table, asked, {key: self.area(str(value)) for key, value in asked.arguments.items()})
        return f"{said}{values(table, self.board, asked)}"

    @override
    def details(self, table: Table, asked: Open) -> tuple[str, ...]:
        """Return what support does this turn, which a Random Event may change, while it is bought."""
        return for_sale(table, self.board, asked, self.name)

    @override
    def sums(self, table: Table, asked: Open) -> tuple[SideSum, SideSum] | None:
        """Return the Attack Value and the Defense Value so far, while support is placed."""
        return sums(table, self.board, asked)

    def _particular(self, table: Table, asked: Open) -> str:
        """Return the text of a question that depends on which units it is about; empty for any other."""
        match asked.kind:
            case "place_group" if table.scenario in self.board.scenarios:
                return entering(table, self.board)
            case "lead" if led_into_ambush(table, self.board, PlaceId(asked.text("area"))):
                return LED_INTO_AMBUSH.format(area=self.area(asked.text("area")))
            case "support":
                area = PlaceId(asked.text("area"))
                return supporting(table, self.board, area, self.area)
            case "attackers":
                return attacking(table, PlaceId(asked.text("area")), self.area)
            case _:
                return ""

    def tell(self, table: Table, run: Sequence[Event]) -> str | None:
        """Return the game's sentence for events in a row; empty for the default sentence, None for no sentence."""
        return tell(table, run, self.area, self.board)

    @override
    def favours(self, table: Table, roll: DiceRolled) -> Side:
        """Return the side for which a higher result of a roll is better; for a Random Event it depends on the event."""
        return FAVOURED.get(roll.purpose, NO_SIDE)

    @override
    def deciding(self, table: Table, event: Event) -> tuple[RuleId, ...]:
        """Return the rule by which the die of Bloody Streets has its effect, or none; any other event cites the one that decides."""
        if not (isinstance(event, DiceRolled) and event.rule == STREETS_ROLL):
            return ()
        return (rule_of(streets_row(event, self.board)),)

    @override
    def place_names(self) -> tuple[PlaceName, ...]:
        """Name the Areas by number, then the boxes."""
        groups = [group for group in self.inventory.places if group.what not in ("Area", "division")]
        return (
            *self._areas.values(),
            *[PlaceName(box, name, "", is_box=True) for group in groups for box, name in group.names.items()],
        )

    # Commands

    @override
    def is_final(self, table: Table, command: Command) -> bool:
        """Return whether dice fall or something is drawn: of attacks those on a unit that is not Revealed, and purchases if Bloody Streets follow."""
        asked = table.top
        if isinstance(command, DeclareAttack):
            return counter_at(table, self.board, PlaceId(command.area)) is None
        if isinstance(command, Done) and asked is not None and asked.kind == "supply":
            return bool(streets(table, self.board))
        return super().is_final(table, command)

    @override
    def told(self, table: Table, command: Command) -> Told:
        """Return what a command would do, and what it costs or leads to."""
        kind = "" if table.top is None else table.top.kind
        verb = VERBS.get(kind, "Choose")
        match command:
            case Stop() if moving := ActionRound(table).moving:
                return Told(f"Stop {moving} in {self.area(table.pieces[moving].place)}")
            case Done() if kind == "support" and table.top is not None and not table.top.picked:
                return Told("Fight without support")
            case Done():
                return Told(ENDS.get(kind, "End the Combat Phase"), self._warning(table) if kind == "activate" else "")
            case Pick():
                return Told(f"{verb} {self.name(command.item)}", self._pick_remark(table, command.item))
            case Unpick():
                return Told(f"Take back: {self.name(command.item)}")
            case Choose():
                counts = Counter(map(self.name, command.items))
                items = [f"{count} {name}" if count > 1 else name for name, count in counts.items()]
                return Told(f"{verb} {joined(items) or 'no support'}")
            case Buy(what="morale"):
                return Told("Raise Morale by 1", self._remark(table, command))
            case _:
                fields = {name: self._field(getattr(command, name)) for name in command.__struct_fields__}
                printed = self.board.units.get(PieceId(fields.get("unit", "")))
                fields["factor"] = "" if printed is None else str(printed.attack_factor)
                return Told(COMMANDS[type(command)].format(**fields), self._remark(table, command))

    def _pick_remark(self, table: Table, item: str) -> str:
        """Return what a support marker does, or how strong a unit that may attack is and how it has come to the Area."""
        asked = table.top
        if asked is None or asked.kind not in ("support", "attackers"):
            return ""
        if asked.kind == "support":
            return support(table, self.board, asked, item)
        printed = self.board.units.get(PieceId(item))
        factor = "" if printed is None else f" (Attack Factor {printed.attack_factor})"
        return factor + group(table, PlaceId(asked.text("area")), item, self.area)

    def _field(self, field: str | tuple[str, ...]) -> str:
        """Return a field of a command in words; an Area has its name after its number."""
        if isinstance(field, tuple):
            return joined(in_order(field))
        return self.area(field)

    def _remark(self, table: Table, command: Command) -> str:
        """Return what a command costs, and by which units it is carried out."""
        match command:
            case Buy(what=what):
                return f" for {counted(purchase_cost(self.board, what), 'Supply Point')}"
            case ReturnUnit(unit=unit):
                cost = return_cost(self.board, unit) if unit in self.board.units else 0
                return f" for {counted(cost, 'Supply Point')}" if cost else ""
            case Activate(area=area):
                fresh = [unit for unit in fresh_at(table, area) if self.movement.may_act(table, PieceId(unit))]
                return f": {joined(in_order(fresh))}"
            case DeclareAttack(units=units):
                return f" with {joined(in_order(units))}" if units else ""
            case PutOutOfAction(unit=unit):
                is_lone = attackers(table) == (unit,)
                return ", which ends the attack: nobody else takes part" if is_lone else " and fight on"
            case Move(unit=unit, to=to) if to in self.board.areas:
                return f" for {self.movement.cost(table, to)[0]}{left(table, self.board, unit)} MF{entered(table, to)}"
            case _:
                return ""

    def _warning(self, table: Table) -> str:
        """Return a warning, one turn before a group arrives, that no Area has room for it.

        Source: 6.1.1, ruling.reinforcement-room.
        """
        scenario = self.board.scenarios[table.scenario]
        for arrival in arrivals(self.board, table.scenario):
            group = group_of(table, arrival.box)
            turn = entry_turn(table, self.board, arrival.box, DUE.of(table, arrival.box))
            if not group or turn is None or turn > table.round + 1:
                continue
            areas = listed_areas(self.board, arrival)
            fitting = [area for area in areas if is_vacant(table, area) and room(table, self.board, area) >= len(group)]
            if not fitting and table.round < scenario.last_turn:
                return f" (no Area has room next turn for {joined(in_order(group))})"
        return ""
