"""The Soviet turn as players tell it: the counts with the line of the algorithm that decides, the compass dice, and who enters."""

from collections.abc import Sequence

from core.games.inferno import memory
from core.games.inferno.ids import GERMAN
from core.games.inferno.narration.names import Names
from core.games.inferno.rules.queries import side_in, soviet_spawn_hexes, stack, top_stacked
from core.wording import counted, joined
from events.ids import PieceId, PlaceId, RuleId
from events.vocabulary import AttributeSet, DiceRolled
from projections.state.table import Table

BY_DICE = RuleId("soviet.move.roll-per-hex")
RESOLVED = RuleId("soviet.move.resolve-ascending")

PLANS = {
    "draw": "The Soviets draw a card and their turn is over (algorithm, line 1): they control no Soviet Spawn Hex.",
    "spawn": "Spawn Action (algorithm, line 4A): {counts}.",
    "roll": "Movement Action (algorithm, line 4B): {counts}.",
    "must_spawn": "The Spawn Action is due (step 3): {counts}.",
    "choose": "A Movement Action or a Draw Action, as the Soviet player chooses (step 3): {counts}.",
}
"""How a Soviet turn begins, by its plan."""


def top_words(table: Table, top: Sequence[PlaceId]) -> str:
    """Return how many Top Stacked Hexes there are, which, and how many units each holds."""
    hexes = counted(len(top), "Top Stacked Hex")
    if not top:
        return hexes
    each = " each" if len(top) > 1 else ""
    return f"{hexes} ({joined(top)}; {counted(len(stack(table, top[0])), 'unit')}{each})"


class SovietTeller:
    """Tells the Soviet turn.

    Args:
        names: The board, and what everything is called.
    """

    def __init__(self, names: Names) -> None:
        self.names = names
        self.board = names.board

    def plan(self, table: Table, plan: str) -> str:
        """Return what the counts at the beginning of a Soviet turn call for."""
        return PLANS[plan].format(counts=self.counts(table)) if plan in PLANS else ""

    def counts(self, table: Table) -> str:
        """Return the two counts that the algorithm compares, and how they compare."""
        spawn, top = soviet_spawn_hexes(table, self.board), top_stacked(table, self.board)
        are = "more than" if len(top) > len(spawn) else "not more than"
        return f"{top_words(table, top)}, {are} {counted(len(spawn), 'Soviet-controlled Spawn Hex')}"

    def compass(self, table: Table, event: DiceRolled) -> str:
        """Return a compass die with the hex to which it leads; empty for other dice."""
        if event.rule != BY_DICE or event.about not in self.board.hexes:
            return ""
        to = self.board.hexes[PlaceId(event.about)].next_hex(event.faces[0])
        where = "off the map" if to is None else f"towards {self.names.name(to)}"
        germans = ", where Germans are" if to is not None and side_in(table, to) == GERMAN else ""
        return f"Compass die of {self.names.name(event.about)}: {event.faces[0]}, {where}{germans}."

    def to_act(self, table: Table, event: AttributeSet) -> str:
        """Return whose die is resolved now; empty if which Top Stacked Hexes act has been told with the counts."""
        if event.rule != RESOLVED or not isinstance(event.was, tuple):
            return ""
        left = event.value if isinstance(event.value, tuple) else ()
        acted = [PlaceId(place) for place in event.was if place not in left]
        said = [f"{die} of {self.names.name(place)}" for place in acted if (die := memory.DIE.of(table, place))]
        return f"The lowest die that is left: {said[0]}." if said else ""

    def entered(self, table: Table, units: Sequence[str], pool: str) -> str:
        """Return which blocks came from a pool into which hexes; what they are only where the reader knows it."""
        said = []
        for unit in units:
            piece = table.pieces[PieceId(unit)]
            place = self.names.name(piece.place)
            known = f"{self.names.piece(table, piece.id)} enters in {place}"
            said.append(known if piece.kind else f"a new {self.names.block(table, piece.id)} enters hidden in {place}")
        return f"From the {pool.capitalize()} pool: {'; '.join(said)}." if said else ""
