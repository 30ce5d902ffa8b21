"""Values of a German seat's commands for the bot.

It brings Stacks nearer to the hexes that the Germans still need; attacks where it expects to clear a hex, with the Stacks
that raise the chance; supports attacks with cards that make a difference; and calls for Reinforcements while they can still arrive.
"""

from collections.abc import Sequence
from functools import cached_property

from core.engine.command import Command
from core.engine.selection import Pick
from core.games.inferno.bots.forces import Forces
from core.games.inferno.components.board_model import Board
from core.games.inferno.ids import GERMAN, SOVIET, hand
from core.games.inferno.rules import commands
from core.games.inferno.rules.advance import ADVANCE
from core.games.inferno.rules.cards import deck_size
from core.games.inferno.rules.ending import german_losses, objective_hexes
from core.games.inferno.rules.losses import combat, target
from core.games.inferno.rules.queries import stack, units
from core.games.inferno.rules.reinforcement_track import in_reach
from events.ids import CardId, PieceId, PlaceId, Seat
from projections.state.table import Table

GOAL = 16.0
"""What a hex that the Germans still need is worth; other worths are compared with it."""
CLEARED = 0.5
"""What any other hex is worth that is cleared, besides the way that it opens."""
STEP_DEALT = 0.3
STEP_LOST = 0.25
POINT_LOST = 2.0
"""What a lost point of the Death Pool costs at first; twice as much when the last one is at stake."""
NEAR, DECAY, FAR = 1.0, 0.7, 0.1
"""How strongly a goal draws each Step of a unit: NEAR at the goal, less by DECAY with each hex, and FAR for each hex in addition."""
REINFORCED = 0.8
"""What a unit is worth that a Call for Reinforcements brings while eight are on the map."""
LATE = 8
"""With fewer Soviet cards in the deck, new units may come too late, and losses matter less."""
CARD_KEPT = 1.0
"""What the only card is worth that is kept; one of several is worth less."""
PINNED = 0.4
"""How much of a move counts that ends next to Soviets who hold out."""
GUARD = 4.0
"""What it costs to leave a Soviet Spawn Hex empty."""
FIRST = 100.0
"""More than any other worth: at least one unit advances."""
UNREACHED = 30
"""The distance of a hex where there is no goal."""


class GermanMind:
    """One look at the table by a German seat.

    Args:
        board: The board.
        table: The table as the seat sees it.
        seat: The seat.
    """

    def __init__(self, board: Board, table: Table, seat: Seat) -> None:
        self.board = board
        self.table = table
        self.seat = seat
        self.forces = Forces(board, table)
        self.goals = frozenset([place for place in objective_hexes(table, board) if table.control.get(place) != GERMAN])
        self._pulls: dict[PlaceId, float] = {}
        self._stands: dict[PieceId, tuple[float, float]] = {}
        self.time = min(1.0, deck_size(table, SOVIET) / LATE)
        self.point = POINT_LOST * (1 + german_losses(table, board) / board.victory.german_losses) * self.time

    def worth(self, command: Command) -> float:
        """Return how good a command looks; doing nothing is worth 0."""
        match command:
            case commands.Reinforce():
                return self._reinforce()
            case commands.LongMove(units=moved, path=(*_, to)) | commands.ShortMove(units=moved, to=to):
                return self._progress(moved, to)
            case commands.HastyAttack(units=moved, to=to, targets=(place,)):
                return self._attack((*moved, *stack(self.table, to)), place, fallback=self._progress(moved, to))
            case commands.DeliberateAttack(targets=(place,), hexes=hexes):
                return self._deliberate(self._units(hexes), place)
            case commands.CommitCards(cards=cards):
                at = combat(self.table)
                return self._supported(self._units(at.texts("hexes")), target(at), cards)
            case commands.Deploy(unit=unit, to=to):
                return self.forces.unit(unit).steps * self._pull(to) + len(stack(self.table, to)) / 10
            case commands.Blitz(unit=unit, to=to):
                return self._progress((unit,), to)
            case Pick(item=item):
                return self._pick(PieceId(item))
            case commands.ExtraTurn(play=is_wanted) | commands.JoinAttack(join=is_wanted):
                return float(is_wanted)
            case _:
                return 0.0

    def _units(self, places: Sequence[str]) -> list[PieceId]:
        return [unit for place in places for unit in stack(self.table, PlaceId(place))]

    # Places

    @cached_property
    def _away(self) -> dict[PlaceId, int]:
        """How far each hex is from the nearest goal."""
        return self.forces.lookups.away(self.goals)

    def _pull(self, place: PlaceId) -> float:
        if place not in self._pulls:
            away = self._away.get(place, UNREACHED)
            self._pulls[place] = NEAR * DECAY**away - FAR * away
        return self._pulls[place]

    def _advance(self, moved: Sequence[PieceId], to: PlaceId) -> float:
        """Return how much nearer to their goals the units come that may stay together."""
        pull, gains = self._pull(to), list[float]()
        for unit in moved:
            steps, here = self._stand(unit)
            gains.append(steps * (pull - here))
        return sum(sorted(gains, reverse=True)[: self.board.limits.stack])

    def _stand(self, unit: PieceId) -> tuple[float, float]:
        """Return the Steps of a unit, and how strongly the goals draw each where it stands: asked for with each part of its Stack."""
        found = self._stands.get(unit)
        if found is None:
            place = self.table.pieces[unit].place
            found = self._stands[unit] = (self.forces.unit(unit).steps, self._pull(place))
        return found

    def _progress(self, moved: Sequence[PieceId], to: PlaceId) -> float:
        """Return how much nearer units come to what is needed, and what they capture or leave open."""
        source = self.table.pieces[moved[0]].place
        gain = GOAL if to in self.goals else self._advance(moved, to)
        if source in self.board.soviet_spawn and len(moved) == len(stack(self.table, source)):
            gain -= GUARD
        return gain

    # Attacks and cards

    def _attack(
        self, attackers: Sequence[PieceId], place: PlaceId, card_hits: float = 0.0, fallback: float = 0.0
    ) -> float:
        """Weigh what an attack may win, or what is left if it does not, against the Steps and units that it costs."""
        clash = self.forces.clash(attackers, place, card_hits)
        gain = CLEARED + (GOAL if place in self.goals else self._advance(attackers, place))
        cost = clash.suffered * STEP_LOST + self.forces.points_lost(attackers, clash.suffered) * self.point
        return clash.chance * gain + (1 - clash.chance) * fallback * PINNED + clash.dealt * STEP_DEALT - cost

    def _deliberate(self, attackers: Sequence[PieceId], place: PlaceId) -> float:
        """Judge a Deliberate Attack with the best card in the hand, if it is worth one."""
        return max(self._supported(attackers, place, cards) for cards in [(), *self._best_card])

    @cached_property
    def _held(self) -> tuple[CardId, ...]:
        return self.table.pile(hand(self.seat)).cards

    @cached_property
    def _best_card(self) -> list[tuple[CardId, ...]]:
        return [(max(self._held, key=self.forces.card_hits),)] if self._held else []

    def _supported(self, attackers: Sequence[PieceId], place: PlaceId, cards: tuple[CardId, ...]) -> float:
        """Judge an attack with cards, each of which is missed less the more are held."""
        hits = sum([self.forces.card_hits(card) for card in cards])
        return self._attack(attackers, place, hits) - (CARD_KEPT * len(cards) / len(self._held) if cards else 0.0)

    # Reinforcements, advance, losses

    def _reinforce(self) -> float:
        """Return the worth of the units that a call is expected to bring, as far as there is room."""
        rows = [len(in_reach(self.table, self.board, row)) for row in range(1, self.board.track.rows + 1)]
        room = sum(
            self.board.limits.stack - len(stack(self.table, place))
            for place in self.board.german_spawn
            if self.table.control.get(place) == GERMAN
        )
        expected = sum([min(1.0, number) for number in rows])
        on_map = len(units(self.table, self.board, GERMAN))
        return REINFORCED * min(expected, room) * 12 / (4 + on_map) * self.time

    def _pick(self, item: PieceId) -> float:
        """Advance with what comes nearer; lose the least of the own units and the most of the others."""
        asked = self.table.stack[-1]
        if asked.kind != ADVANCE:
            return self.forces.loss(item, GERMAN)
        gain = self._advance((item,), target(combat(self.table)))
        return gain + FIRST if len(asked.picked) < asked.number("least") else gain + CLEARED
