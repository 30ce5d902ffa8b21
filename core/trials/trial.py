"""One trial of one alternative: a world in which it is played, and then bots play on to a point of the sequence of play."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping

from core.bots.bot_port import Asked, Policy, answer_of
from core.bots.world import RandomChance, World, turn_of
from core.engine.chance_port import Chance
from core.engine.command import Command
from core.engine.decision import Rules
from core.engine.option_by_chance import Below
from core.errors import KernelError
from events.codec import Struct
from events.ids import PlaceId, Seat, Side
from projections.state.table import Ended, Table

COMMANDS_MAX = 10_000
"""The most commands of a trial; a match of the longest game has a third."""

HORIZONS = ("end", "round", "turn", "step")
"""Until when is played on: the end of the match, or a change of the round, of the turn, or of the phase."""


class Outcome(Struct, frozen=True):
    """The outcome of a trial.

    `ended` is how the match ended, None if it goes on there; `counts` are what a game counts: tracks by their ids, `control of SIDE` the
    number of places that a side controls, `pieces of SIDE` those on the map.
    """

    ended: Ended | None
    counts: dict[str, int]


class Trials:
    """Trials of the alternatives at one position.

    A trial has a number, and its deal, its dice and the choices of its bots follow from it and the seed: so alternatives with the same numbers are
    compared on like luck, and a trial can be repeated anywhere.

    Args:
        rules: The rules of the match.
        deal: Returns the table that is tried on, by a source of chance for what is hidden.
        policies: The bots of the seats. They see the tables of their trials whole, as searches do.
        source: Returns a random source by a text; the same text gives the same numbers.
        seed: Any text.
        until: One of `HORIZONS`.
        places: The places of the map, where pieces are counted.
    """

    def __init__(
        self,
        rules: Rules,
        deal: Callable[[Chance], Table],
        policies: Mapping[Seat, Policy],
        source: Callable[[str], Below],
        *,
        seed: str,
        until: str,
        places: Collection[PlaceId],
    ) -> None:
        self._rules = rules
        self._deal = deal
        self._policies = policies
        self._make_source = source
        self._seed = seed
        self._until = until
        self._places = frozenset(places)

    def outcome(self, alternative: Command | None, number: int) -> Outcome:
        """Try an alternative once; without one play on from the position.

        Raises:
            NotLegal: It is not possible here.
            KernelError: The bots come to no end.
        """
        table = self._deal(RandomChance(self._source(number, "deal")))
        world = World(self._rules, table, RandomChance(self._source(number, "dice")))
        below = self._source(number, "bots")
        begun = self._moment(table)
        if alternative is not None:
            world.play(alternative)

        def choose(seat: Seat) -> Command:
            asked = Asked(self._rules, world.table, seat, world.options, below)
            return answer_of(self._policies[seat], asked).command

        if not world.play_on(choose, lambda now: self._moment(now) != begun, COMMANDS_MAX):
            why = f"trial {number} has no end after {COMMANDS_MAX} commands: choose another policy, or play on less far"
            raise KernelError(why)
        return Outcome(world.ended, counted_on(world.table, self._places))

    def _source(self, number: int, what: str) -> Below:
        return self._make_source(f"{self._seed}/{number}/{what}")

    def _moment(self, table: Table) -> tuple[object, ...]:
        """Return what changes with the horizon."""
        place = (*turn_of(table), table.phase)
        return place[: {"end": 0, "round": 1, "turn": 3, "step": 4}[self._until]]


def counted_on(table: Table, places: Collection[PlaceId]) -> dict[str, int]:
    """Return what a game counts on a table; see `Outcome`."""
    held: Counter[Side] = Counter(side for side in table.control.values() if side)
    there = Counter(piece.side for piece in table.pieces.values() if piece.side and piece.place in places)
    return {
        **{str(track): value for track, value in table.tracks.items()},
        **{f"control of {side}": held[side] for side in table.sides},
        **{f"pieces of {side}": there[side] for side in table.sides},
    }
