"""Port of bots: what a bot is asked, and what it answers."""

from collections.abc import Callable

from core.bots.budget import NO_BUDGET, Budget
from core.bots.sampler import Sampler
from core.components.inventory import Inventory
from core.engine.command import Command
from core.engine.decision import Rules
from core.engine.option_by_chance import Below
from core.engine.selection import onward
from core.errors import KernelError
from core.secrets.knowledge import Hidden
from events.codec import Struct, replace
from events.ids import Seat
from projections.state.table import Table


class NoOption(KernelError):
    """A question of a game without an answer, by a mistake in its rules."""

    def __init__(self, table: Table) -> None:
        kind = "" if table.top is None else table.top.kind
        super().__init__(f"dead end at event {table.seq}: {kind} has no option")


class Considered(Struct, frozen=True):
    """An option that a bot has considered.

    Attributes:
        command: The option.
        worth: How good it looks to the bot, in a measure of its own: more is better.
        playouts: From how many positions the bot played on after it.
    """

    command: Command
    worth: float
    playouts: int = 0


class Answer(Struct, frozen=True):
    """The command that a bot chooses, and what it has considered; a whole choice need not be among that.

    `chance` is the chance of its seat to win, 0 to 1, as the bot sees it; None if it does not say.
    """

    command: Command
    considered: tuple[Considered, ...] = ()
    chance: float | None = None


class Asked:
    """A decision that a bot is asked for.

    Attributes:
        rules: The rules of the match.
        table: The table as the seat sees it, without the seed of the dice, from which every later result could be computed.
        seat: The seat that decides.
        below: Returns a number from 0 to n - 1: the bot's only source of chance, so that a match can be played again.
        budget: How much it may think.

    Args:
        rules: See above, as the following.
        table: The table as the seat sees it.
        seat: See above.
        options: The legal commands, at least one, or what lists them once the bot asks for them.
        below: See above.
        budget: See above.
        knowledge: Returns what the seat knows, without the seed of the dice; called only if the bot imagines.
        inventory: Returns what is in play; as `knowledge`.
        clock: Returns a time in seconds, for budgets of time; without it such a budget is taken as none.
    """

    __slots__ = (
        "_began",
        "_clock",
        "_inventory",
        "_knowledge",
        "_options",
        "below",
        "budget",
        "rules",
        "seat",
        "table",
    )

    def __init__(
        self,
        rules: Rules,
        table: Table,
        seat: Seat,
        options: list[Command] | Callable[[], list[Command]],
        below: Below,
        *,
        budget: Budget = NO_BUDGET,
        knowledge: Callable[[], Hidden] | None = None,
        inventory: Callable[[], Inventory] | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.rules = rules
        self.table = replace(table, chance=replace(table.chance, seed="")) if table.chance.seed else table
        self.seat = seat
        self._options = options
        self.below = below
        self.budget = budget
        self._knowledge = knowledge
        self._inventory = inventory
        self._clock = clock
        self._began = 0.0 if clock is None else clock()

    @property
    def options(self) -> list[Command]:
        """The legal commands.

        Raises:
            NoOption: There is none, by a mistake in the game's rules.
        """
        if not isinstance(self._options, list):
            self._options = self._options()
            if not self._options:
                raise NoOption(self.table)
        return self._options

    def any_option(self) -> Command:
        """Return a legal command by chance, each equally likely, none that takes a pick back. They are not listed for that.

        Raises:
            NoOption: There is none, by a mistake in the game's rules.
        """
        if isinstance(self._options, list):
            onwards = onward(self._options)
            return onwards[self.below(len(onwards))]
        found = self.rules.any_option(self.table, self.below)
        if found is None:
            raise NoOption(self.table)
        return found

    def spent(self, playouts: int, otherwise: int) -> float:
        """Return which share of the budget is spent, 1 or more if all of it is.

        Args:
            playouts: From how many positions the bot has played on.
            otherwise: How many it may play on from where the budget bounds neither them nor the time.
        """
        if self.budget.ms and self._clock is not None:
            return (self._clock() - self._began) * 1_000 / self.budget.ms
        return playouts / (self.budget.playouts or otherwise)

    def imagine(self) -> Sampler:
        """Return worlds that may be the true one by what the seat knows.

        Raises:
            KernelError: What is hidden cannot be dealt, or the bot is not told what its seat knows.
        """
        if self._knowledge is None or self._inventory is None:
            raise KernelError("this bot is not told what its seat knows, so that it cannot imagine positions")
        return Sampler(self.rules, self._inventory(), self._knowledge(), self.below)


Policy = Callable[[Asked], Command | Answer]
"""A bot: chooses one of the options, or a whole choice to which they lead; with an `Answer` it says what it considered."""


def answer_of(policy: Callable[[Asked], object], asked: Asked) -> Answer:
    """Ask a bot. Whether it answers with a command is not checked."""
    found = policy(asked)
    return found if isinstance(found, Answer) else Answer(found)  # type: ignore[arg-type]
