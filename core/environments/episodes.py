"""Episodes: matches without a log, moment by moment, each with the table as every seat sees it."""

from collections.abc import Sequence

from core.bots.evaluation import points
from core.bots.world import World, bare
from core.chance.chance_sources import ManualChance
from core.engine.chance_port import Chance
from core.engine.command import Command
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.selection import onward
from core.environments.layout import DIGITS, VERSION, Layout
from core.match.match_commands import BEGIN, SEATS
from core.match.match_creation import Opening, open_match
from core.registry.games import load_game
from events.codec import replace
from events.ids import MatchId, Seat
from events.vocabulary import Event, MatchBegan, SeatTaken
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import is_known_to_all, see

COMMANDS_MOST = 20_000
"""After so many commands an episode is cut short, unless another number is given."""


class Moment:
    """A moment of an episode. It is never changed: playing on gives another one.

    Attributes:
        table: The true table.
        views: The table as each seat sees it; the true one itself for a seat that has seen everything.
        commands: How many commands led here.
        events: What happened since the moment before, for the arbiter's eyes.
    """

    __slots__ = ("commands", "events", "table", "views")

    def __init__(self, table: Table, views: dict[Seat, Table], commands: int, events: Sequence[Event]) -> None:
        self.table = table
        self.views = views
        self.commands = commands
        self.events = events

    def __deepcopy__(self, memo: dict[int, object]) -> "Moment":
        """Return the moment itself, which nothing changes."""
        return self

    @property
    def seat_to_move(self) -> Seat | None:
        """The seat that is to decide, or None."""
        top = self.table.top
        return None if top is None or not top.seat or self.table.ended is not None else top.seat

    def reward(self, seat: Seat) -> float:
        """Return the reward of a seat: 1 for a win, -1 for a loss, 0 while the match runs and where nobody has won."""
        ended = self.table.ended
        return 0.0 if ended is None else 2.0 * points(ended, seat, self.table.side_of(seat)) - 1.0


class Episodes:
    """Episodes of a game with one scenario, mode and options.

    Attributes:
        game: The record of the game.
        rules: Its rules.
        inventory: What is in play.
        seats: The seats.
        layout: The layout of the vector of a view.
        name: The name of the spaces: game, version of the encodings, and the beginning of the digest of the layout.

    Args:
        opening: The game, and how it is played. Its dice do not count: each episode has a source of chance of its own.

    Raises:
        UnknownName: There is no such game, scenario or mode.
        SetupInvalid: The options, the board or the position are wrong; every defect is listed.
    """

    def __init__(self, opening: Opening) -> None:
        first = open_match(MatchId("episode"), replace(opening, dice="manual", seed=""), key="", at=0)
        draft = Draft(first.prepared.table.clone(), ManualChance())
        for seat in draft.table.seats:
            draft.emit(SeatTaken(rule=SEATS, seat=seat, name=seat))
        draft.emit(MatchBegan(rule=BEGIN))
        self._table = draft.table
        self._opened = (*first.prepared.commit.events, *draft.events)
        self._ruleset = first.ruleset
        self.game = load_game(opening.game)
        self.rules = first.ruleset.rules
        self.seats = draft.table.seats
        self.inventory = first.ruleset.game.inventory(draft.table.scenario, draft.table.options)
        kinds = self.rules.kinds if isinstance(self.rules, DecisionRules) else ()
        self.layout = Layout(self.inventory, kinds, self.seats, draft.table.sides)
        self.name = f"wardiary/{self.game.key}/view-{VERSION}/{self.layout.digest[:DIGITS]}"

    def begin(self, chance: Chance) -> Moment:
        """Return the first moment of another episode.

        Args:
            chance: Decides what the set-up rolls and draws.
        """
        draft = Draft(self._table.clone(), chance)
        self._ruleset.set_up(draft)
        events, table = [*self._opened, *draft.events], bare(draft.table)
        views: dict[Seat, Table] = {}
        for seat in self.seats:
            seen = _seen(events, seat)
            views[seat] = table if _is_whole(events, seen) else bare(fold(seen))
        return Moment(table, views, 0, events)

    def options(self, moment: Moment) -> list[Command]:
        """Return the legal commands of the seat that is to decide, without those that take a pick back; empty if none is."""
        return [] if moment.seat_to_move is None else onward(self.rules.options(moment.table))

    def play(self, moment: Moment, command: Command, chance: Chance, listed: Sequence[Command] = ()) -> Moment:
        """Return the moment after a command of the seat that is to decide.

        Args:
            moment: The moment before.
            command: One of the options, or a whole choice to which they lead.
            chance: Decides what is rolled and drawn.
            listed: Commands that are known to be legal.

        Raises:
            NotLegal: The rules do not allow it.
        """
        world = World(self.rules, moment.table, chance, listed)
        events = world.play(command)
        table = world.table
        is_open = is_known_to_all(events)
        views: dict[Seat, Table] = {}
        for seat, view in moment.views.items():
            seen = events if is_open else _seen(events, seat)
            is_same = view is moment.table and (is_open or _is_whole(events, seen))
            views[seat] = table if is_same else fold(seen, view.clone())
        return Moment(table, views, moment.commands + 1, events)


def _seen(events: Sequence[Event], seat: Seat) -> list[Event]:
    """Return events as a seat may see them; none of them is a fork or takes something back."""
    return [seen for event in events if (seen := see(event, seat)) is not None]


def _is_whole(events: Sequence[Event], seen: Sequence[Event]) -> bool:
    """Return whether a seat sees all of some events as they are."""
    return len(events) == len(seen) and all(one is other for one, other in zip(events, seen, strict=True))
