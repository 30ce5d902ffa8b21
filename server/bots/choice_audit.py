"""Audit of bots: whether each recorded choice of a server's bot is what its policy chooses, by its seat's view, its seed and its budget."""

from collections.abc import Callable

from core.bots.budget import BudgetInvalid, parse_policy
from core.bots.choice_record import ChoiceRecord, record_in
from core.bots.seat_knowledge import SeatKnowledge
from core.errors import KernelError
from core.match.bound_games import is_on_shipped_board
from core.registry.bot_policies import policy_version
from core.registry.games import load_game
from core.secrets.knowledge import Hidden
from events.chain import checked
from events.codec import Struct, compact, encode
from events.commit import Commit
from events.ids import GameKey, MatchId, Seat
from events.log import Log
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import SeatView
from server.bots.bot_turns import choose
from server.bots.work_messages import Question
from server.client.client import Client
from server.client.local import local_client


class OtherChoice(Struct, frozen=True):
    """A choice that the policy does not make: the event with which it begins, the seat, the bot, and what it chooses instead or why it cannot."""

    seq: int
    seat: Seat
    bot: str
    problem: str


class ChoiceAudit(Struct, frozen=True, kw_only=True):
    """The choices of a match that bots of a server made.

    Attributes:
        same: How many were made again.
        timed: How many had a budget of time, which gives another choice on another machine: they were not compared.
        other_versions: How many were made by versions that are not installed: they were not compared.
        differ: Those that are not what the policy chooses, in order.
    """

    match: MatchId
    same: int
    timed: int
    other_versions: int
    differ: tuple[OtherChoice, ...]


def audit_choices(log: Log, match: MatchId, progress: Callable[[int], None] = lambda _: None) -> ChoiceAudit:
    """Make each recorded choice of a bot again.

    Args:
        log: The log that holds the match.
        match: Its id.
        progress: Is told the number of the last event that was looked at.

    Raises:
        UnknownMatch: There is no such match.
        BrokenEvidence: It is damaged.
    """
    commits = list(checked(log.read(match), match))
    table = fold([event for commit in commits for event in commit.events])
    records = {commit.first: record for commit in commits if (record := _record(commit, match)) is not None}
    seats = {commit.seat: _Seat(commit.seat, table) for commit in commits if commit.first in records}
    same, timed, other_versions, differ = 0, 0, 0, list[OtherChoice]()
    with local_client(log) as client:
        for commit in commits:
            if (record := records.get(commit.first)) is not None:
                if not _is_installed(table.game, record):
                    other_versions += 1
                elif parse_policy(record.bot)[1].ms:
                    timed += 1
                elif problem := _problem(client, commit, record, seats[commit.seat]):
                    differ.append(OtherChoice(commit.first, commit.seat, record.bot, problem))
                else:
                    same += 1
            for seat in seats.values():
                seat.follow(commit)
            progress(commit.last)
    return ChoiceAudit(match=match, same=same, timed=timed, other_versions=other_versions, differ=tuple(differ))


class _Seat:
    """View of a seat, and what it knows, so far."""

    def __init__(self, seat: Seat, table: Table) -> None:
        self.view = SeatView(seat, limits=table.limits, table=table)
        self._known = SeatKnowledge()

    def follow(self, commit: Commit) -> None:
        """Follow a commit."""
        seen = self.view.take(commit.events, commit.at, commit.last)
        if seen is not None:
            self._known.follow(seen.events)

    def knowledge(self) -> Hidden:
        """Return what the seat knows."""
        return self._known.now()


def _record(commit: Commit, match: MatchId) -> ChoiceRecord | None:
    """Return the record of a choice in a commit of a match itself, not of one that it is a fork of."""
    return record_in(commit.key) if commit.match == match else None


def _is_installed(game: GameKey, record: ChoiceRecord) -> bool:
    """Return whether the policy of a record is installed in its version."""
    try:
        return policy_version(load_game(game), parse_policy(record.bot)[0]) == record.version
    except (KernelError, BudgetInvalid):
        return False


def _problem(client: Client, commit: Commit, record: ChoiceRecord, seat: _Seat) -> str:
    """Return how a choice differs from the recorded one; empty if it does not."""
    legal = client.legal(commit.match, commit.seat, words=False, table=True, at=seat.view.count)
    if not legal.options or legal.table is None:
        return "the seat had nothing to decide"
    question = Question(
        match=commit.match,
        seat=commit.seat,
        bot=record.bot,
        version=record.version,
        seed=record.seed,
        legal=legal,
        board=None if is_on_shipped_board(legal.table) else client.board(commit.match, commit.seat),
    )
    try:
        chosen = encode(choose(question, seat.knowledge))
    except KernelError as error:
        return str(error)
    return "" if chosen == compact(commit.command) else f"the policy chooses {chosen.decode()}"
