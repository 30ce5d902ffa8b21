"""The narration of this game, bound to its boards: names, and the way to options, questions, events and pictures."""

from collections.abc import Mapping, Sequence

from typing_extensions import override

from core.components.inventory import Memory
from core.engine.command import Command
from core.engine.selection import Done, Pick
from core.game_files.printed_names import printed_words
from core.games.axis_allies import ids
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.inventory import inventory
from core.games.axis_allies.narration.deciding import deciding
from core.games.axis_allies.narration.forces import WORDS, Forces
from core.games.axis_allies.narration.meant import pieces_meant
from core.games.axis_allies.narration.options import Options
from core.games.axis_allies.narration.questions import details, question
from core.games.axis_allies.narration.telling import Teller
from core.games.axis_allies.rules import commands
from core.games.axis_allies.rules.assigned_fire import INTERDICTING
from core.games.axis_allies.rules.attack import CROSSING_FIRE
from core.games.axis_allies.rules.combat import ATTACK_FIRE, DEFENCE_FIRE
from core.games.axis_allies.rules.reaction import AMBUSH
from core.narration.narration_port import Pictures
from core.narration.place_name import PlaceName
from core.narration.printed_narration import Kinds, PrintedNarration
from core.narration.told_option import Told
from events.ids import NO_SIDE, CardId, PieceId, RuleId, Side
from events.vocabulary import DiceRolled, Event
from projections.state.table import Open, Table

FIRE_OF_TURN = (ATTACK_FIRE, CROSSING_FIRE)
FIRE_IN_REACTION = (DEFENCE_FIRE, AMBUSH, "Air Defense", INTERDICTING.name)
"""The purposes of dice of the side whose turn it is, and of the other side."""


FINAL: Kinds = frozenset(
    {
        ("ambush", commands.Ambush),
        ("assign_air_defense", Done),
        ("assign_bombardment", Done),
        ("designate", Done),
        ("designate", Pick),
        ("front", commands.Front),
        ("launch", commands.Launch),
        ("next_combat", Pick),
        ("next_crossing", Pick),
        ("spend_token", commands.Decline),
        ("spend_token", commands.FightUnsupplied),
        ("spend_token", commands.KeepTokens),
        ("spend_token", commands.Spend),
    }
)
"""After which commands, by the kind of question, dice fall or cards are shown as a rule."""


MOVES: Sequence[tuple[type[Command], str]] = (
    (commands.Move, ""),
    (commands.Blitz, ""),
    (commands.ExitPair, ""),
    (commands.Fly, ""),
)
"""The sorts of commands of the Movement phases."""


class AxisAlliesNarration(PrintedNarration):
    """Names, sentences and pictures; see `core.narration.narration_port.Narration`."""

    final = FINAL

    def __init__(self, board: Board) -> None:
        self.board = board
        self.forces = Forces(board)
        self.inventory = inventory(board, Memory())
        kinds = {str(kind): printed for kind, printed in self.forces.kinds.items()}
        super().__init__({**self.inventory.names, **kinds, **printed_words(ids.PACKAGE)})
        self.options = Options(self.forces, self.name)
        self.teller = Teller(self.forces, self.name)

    @override
    def load_pictures(self) -> Pictures:
        """Import what renders tables, and return it."""
        from core.games.axis_allies.narration.pictures import AxisAlliesPictures

        return AxisAlliesPictures(self.forces, self.name, [one for one in self.place_names() if one.is_box])

    @override
    def name(self, id_: str) -> str:
        """Return the printed name of an id, of a class of units (`queries.like`) that a selection names, or of what names a target."""
        is_class = id_ not in self.names and CardId(id_.split(" ", maxsplit=1)[0]) in self.forces.kinds
        return self.forces.like(id_) if is_class else WORDS["shooters"].get(id_) or super().name(id_)

    @override
    def pieces_meant(self, table: Table, command: Command) -> Mapping[str, tuple[PieceId, ...]]:
        """Return the units of each class that a command names."""
        return pieces_meant(self.board, table, command)

    @override
    def piece(self, table: Table, piece: PieceId) -> str:
        """Return the type of a unit: like units of a place are interchangeable, and players do not number them."""
        there = table.pieces.get(piece)
        return self.name(piece) if there is None else self.forces.kind(there.kind)

    def question(self, table: Table, asked: Open) -> str:
        """Return the text of an open question or a sequence."""
        return question(self.forces, self.name, table, asked)

    @override
    def details(self, table: Table, asked: Open) -> tuple[str, ...]:
        """Return the forces that a question or a combat is about, a line a side."""
        return details(self.forces, self.name, table, asked)

    def tell(self, table: Table, run: Sequence[Event]) -> str | None:
        """Return the game's sentence for events in a row; empty for the default sentence, None for no sentence."""
        return self.teller.tell(table, run)

    @override
    def card_text(self, card: str, table: Table | None = None) -> str:
        """Return the units that an Operation Uranus card brings; empty for anything else."""
        units = self.forces.on_card(CardId(card))
        return f"{units}." if units else ""

    @override
    def is_force(self, kind: str) -> bool:
        """Return whether a kind is one of units: a supply token that is spent, and delivered again, is no loss."""
        return kind != ids.SUPPLY

    @override
    def deciding(self, table: Table, event: Event) -> tuple[RuleId, ...]:
        """Return the rules that decide an event besides the one that it cites."""
        return deciding(table, self.board, event)

    @override
    def is_outdone(self, table: Table, command: Command) -> bool:
        """Return whether a supply token would be spent on a force that is supplied."""
        return self.options.is_wasted(table, command)

    @override
    def favours(self, table: Table, roll: DiceRolled) -> Side:
        """Return the side that fires; the weather and the rolls of optional rules are better for neither."""
        if roll.purpose in FIRE_OF_TURN:
            return table.turn
        if roll.purpose in FIRE_IN_REACTION:
            return ids.enemy(table.turn)
        return ids.ALLIES if roll.purpose == "Bombardment" else NO_SIDE

    @override
    def told(self, table: Table, command: Command) -> Told:
        """Return what a command would do, and what it costs or begins."""
        return self.options.told(table, command)

    @override
    def sorts(self, table: Table, asked: Open) -> Sequence[tuple[type[Command], str]]:
        """Return the ways to move in the order of their use."""
        return MOVES

    @override
    def place_names(self) -> tuple[PlaceName, ...]:
        """Name the zones, Volga Crossings and Ambush Sites in the order of the file, then the places beside the boards."""
        board = self.board
        labels = {**dict.fromkeys([*board.zones, *board.crossings], ""), **dict.fromkeys(board.sites, "*")}
        beside = [place for group in self.inventory.places for place in group.names if place not in labels]
        on_map = [PlaceName(place, self.name(place), label) for place, label in labels.items()]
        skies = set(map(ids.above, board.crossings))
        boxes = [PlaceName(box, self.name(box), "", is_box=True, is_above=box in skies) for box in beside]
        return (*on_map, *boxes)
