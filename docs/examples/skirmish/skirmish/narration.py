"""Names and sentences for people. Nothing that happens in a match depends on them."""

from collections.abc import Mapping, Sequence

from skirmish.components import BLUE_CAMP, CAMP_NAMES, FIELD_NAMES, FORD, HILL, NEIGHBOURS, RED_CAMP, WOOD, inventory
from skirmish.rules import FallBack, March, Rally, Stand
from wardiary.game import (
    Choose,
    Command,
    DiceRolled,
    Done,
    Drawing,
    Event,
    MapPlace,
    Open,
    Pick,
    Picture,
    PieceId,
    PlaceName,
    RuleId,
    Side,
    Table,
    Told,
    Unpick,
    printed_words,
)

NAMES = {**printed_words("skirmish"), **inventory("", {}).names}
SPOTS = {RED_CAMP: (100, 500), FORD: (500, 200), HILL: (500, 500), WOOD: (500, 800), BLUE_CAMP: (900, 500)}
"""Where places lie on a sketch of the map, 0 to 1000 both ways."""


class SkirmishNarration:
    """Says what commands, questions and events are about."""

    piece_noun = "squad"

    def name(self, id_: str) -> str:
        """Return the printed name of anything, or the id itself."""
        return NAMES.get(id_, id_)

    def told(self, table: Table, command: Command) -> Told:
        """Return what a command would do; what comes of it would follow as a second part."""
        match command:
            case March(squad, to):
                return Told(f"March with {self.name(squad)} to {self.name(to)}")
            case Rally(card):
                return Told(f"Rally with {self.name(card)}")
            case Stand():
                return Told("Stand")
            case FallBack(to):
                return Told(f"Fall back to {self.name(to)}")
            case Pick(item=squad):
                return Told(f"Rally {self.name(squad)}")
            case Unpick(item=squad):
                return Told(f"Do not rally {self.name(squad)}")
            case Choose(items=items):
                return Told(f"Rally {', '.join(self.name(item) for item in items)}")
            case _:
                return Told("Be done")

    def sorts(self, table: Table, asked: Open) -> Sequence[tuple[type[Command], str]]:
        """Leave the sorts of commands in the order of the options: there are few."""
        return ()

    def is_final(self, table: Table, command: Command) -> bool:
        """Return whether the dice fall, or a card is drawn."""
        return isinstance(command, Stand | Done)

    def piece(self, table: Table, piece: PieceId) -> str:
        """Return the printed name of a squad; all squads are known."""
        return self.name(piece)

    def is_outdone(self, table: Table, command: Command) -> bool:
        """Leave every command among the others: each has its use."""
        return False

    def question(self, table: Table, asked: Open) -> str:
        """Word a question."""
        match asked.kind:
            case "attack":
                return f"whether {self.name(asked.text('defender'))} stands against {self.name(asked.text('squad'))}"
            case "rally":
                return f"which squads are rallied, {asked.number('most')} at most"
            case _:
                return "where to march, and whether to rally"

    def details(self, table: Table, asked: Open) -> tuple[str, ...]:
        """Add nothing below a question."""
        return ()

    def sums(self, table: Table, asked: Open) -> None:
        """Add no values up."""

    def tell(self, table: Table, run: Sequence[Event]) -> str | None:
        """Leave all events to the default sentences."""
        return ""

    def is_force(self, kind: str) -> bool:
        """Every piece is lost if it leaves the map."""
        return True

    def card_text(self, card: str, table: Table | None = None) -> str:
        """Leave cards without text."""
        return ""

    def pieces_meant(self, table: Table, command: Command) -> Mapping[str, tuple[PieceId, ...]]:
        """Leave commands to name squads themselves."""
        return {}

    def favours(self, table: Table, roll: DiceRolled) -> Side:
        """Return whose squad a roll is about: more is better for its side."""
        return table.pieces[PieceId(roll.about)].side

    def deciding(self, table: Table, event: Event) -> tuple[RuleId, ...]:
        """Leave every event to the rule that it cites."""
        return ()

    def picture(self, table: Table) -> Picture | None:
        """Have tables drawn as any table is."""
        return None

    def drawing(self, table: Table) -> Drawing | None:
        """Have pictures drawn as those of any table are."""
        return None

    def place_names(self) -> tuple[PlaceName, ...]:
        """Name the places of the map."""
        return tuple([place.named for place in self.places()])

    def places(self) -> tuple[MapPlace, ...]:
        """List the places of the map."""
        names = {**CAMP_NAMES, **FIELD_NAMES}
        return tuple(
            MapPlace(place, names[place], names[place][0], x, y, NEIGHBOURS[place]) for place, (x, y) in SPOTS.items()
        )
