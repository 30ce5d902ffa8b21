"""Port of a game's rolls: which of them decide something, and what their results are called."""

from collections.abc import Sequence

from core.engine.command import Command
from events.codec import Struct
from events.ids import CardId, PileId, RuleId, Seat
from events.vocabulary import Event
from projections.state.table import Table

NO_MARKS: frozenset[int] = frozenset()


class Result(Struct, frozen=True, order=True):
    """Result of dice and draws in one respect.

    Attributes:
        about: The respect, such as "Result" or "Hits on the Germans"; it heads the line of chances.
        rank: The order of the results of a line: the better for the seat, the higher.
        words: The printed term of the result.
        is_good: Whether the seat got what it rolled for; the shares of such results are told as one.
        number: The number that the result is, if it is one, so that the mean can be told.
        aim: What the good results of the line are called together, such as "Success or Overrun"; the same for all results of a line.
    """

    about: str
    rank: int
    words: str
    is_good: bool = False
    number: int | None = None
    aim: str = ""


class Assumed(Struct, frozen=True):
    """The answer that is assumed to a question that lies between a command and its dice.

    Attributes:
        command: The answer; None for the first option, where any leads to the same results.
        words: The assumption in words; empty where it makes no difference.
    """

    command: Command | None = None
    words: str = ""


class GameRolls:
    """Rolls of a game; by default none decides anything that a seat would weigh before it.

    `weighed` are the kinds of questions of which some options lead to dice or draws that are followed: there chances are offered.
    """

    weighed: frozenset[str] = frozenset()

    def may_roll(self, table: Table, command: Command) -> bool:
        """Return whether a command that answers a weighed question may lead to dice or draws that are followed before the next one, as far as that is known without a try."""
        return True

    def follows(self, table: Table, purpose: str) -> bool:
        """Return whether dice or a draw are followed; others end what is counted, since their results are no matter of the option before."""
        return False

    def marked(self, table: Table, purpose: str, about: str) -> frozenset[int]:
        """Return the faces of dice, each judged by itself, that mean more to the rules than a hit or a miss."""
        return NO_MARKS

    def pool(self, table: Table, purpose: str, about: str, rule: RuleId) -> str:
        """Return a name that rolls in a row share if the rules only use what all their dice show together; empty if they do not."""
        return ""

    def alike(self, purpose: str, name: CardId) -> str:
        """Return a key that cards and counters share which lead to the same if they are drawn for a purpose."""
        return name

    def turned_up(self, table: Table) -> Sequence[PileId]:
        """Return the piles whose cards a command may turn up though they were drawn before."""
        return ()

    def assumes(self, table: Table, seat: Seat) -> Assumed | None:
        """Return the answer that is assumed to the open question, so that the dice after it are counted; None if it ends the counting.

        Args:
            table: The table with the question on top.
            seat: Whose chances are counted.
        """
        return None

    def is_settled(self, table: Table, event: Event) -> bool:
        """Return whether the results are fixed after an event, so that the rest of the command need not be run."""
        return False

    def reads_hidden(self, table: Table) -> bool:
        """Return whether results depend on hidden things that are neither drawn nor turned up, such as enemy pieces."""
        return False

    def results(self, before: Table, after: Table, events: Sequence[Event], seat: Seat) -> tuple[Result, ...]:
        """Return what a command has led to, one result in each respect; none if nothing was decided.

        Args:
            before: The table before the command.
            after: The table after it, as far as it was run.
            events: The events between.
            seat: Whose chances are counted.
        """
        return ()


NO_ROLLS = GameRolls()
