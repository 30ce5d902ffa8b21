"""Taking back: which of its last commands a seat may take back, and why no earlier ones.

A *fence* is an event behind which nothing can be taken back: an outcome of chance, anything that shows a seat what was hidden
from it, a command of another seat, a fork, the beginning and the end. The log tells where commands begin, so that `RecentCommands`
follow its commits; the table tells what was learned.
"""

from collections.abc import Iterable, Sequence

from core.match.command_keys import before_in_order
from core.refusal import Refusal
from core.wording import capital
from events.codec import Struct, replace
from events.commit import Commit
from events.ids import NO_SEAT, RuleId, Seat
from events.vocabulary import CommandsUndone, Event, LinksOpened, MatchForked
from projections.state.fold import evolve
from projections.state.table import GamePart, Table, UndoHistory
from projections.state.undo_history import FENCES, FIRM, KEPT, SINCE_DROPPED, SINCE_MAX, is_secret_pick, shows_hidden
from projections.state.view import log_number, seat_number

UNDO = RuleId("match.undo")

EARLIER_COMMANDS_MAX = 64
"""How many commands before the last fence are remembered, for what is taken back with the consent of others."""

AGREED = "commands were taken back by agreement with event {}"

LINKED = "a link for the dice was opened with event {}"

NOT_BEGUN = "play has not begun by event {}"


class RecentCommand(Struct, frozen=True):
    """A command of the game that still holds: whose it was, the number of the last event before it, and whether the one before it was sent with it, in one order."""

    seat: Seat
    before: int
    is_joined: bool = False


class RecentCommands(Struct, frozen=True):
    """The commands since the last fence that event types alone determine.

    Attributes:
        commands: The commands that still hold, in order.
        fence: The number of the event that is the fence; 0 before the first.
        why: Why it is one, as the event's traits say; empty before the first.
        cut: The number of the last event that a fork repeats of a command that it has cut.
        undone_by: The seat that took commands back last, until another seat decides: an answer may still come to a question
            that is gone.
        earlier: The last commands before the fence, as far as others may consent to take them back.
        linked: The number of the last event by which a seat opened a link that it owed: who took back what came before could choose between dice with it and without.
    """

    commands: tuple[RecentCommand, ...] = ()
    fence: int = 0
    why: str = ""
    cut: int = 0
    undone_by: Seat = NO_SEAT
    earlier: tuple[RecentCommand, ...] = ()
    linked: int = 0

    @property
    def all(self) -> tuple[RecentCommand, ...]:
        """All commands that are remembered, in order."""
        return (*self.earlier, *self.commands)

    def followed_by(self, commit: Commit) -> "RecentCommands":
        """Return the recent commands after one more commit."""
        events, opening = commit.events, commit.events[0]
        cut, undone_by = self.cut, self.undone_by
        if isinstance(opening, MatchForked):
            cut, undone_by = opening.at + 1, NO_SEAT
        elif commit.seat != undone_by:
            undone_by = NO_SEAT
        if not FENCES.isdisjoint(map(type, events)):
            number = max([number for number, event in enumerate(events) if type(event) in FENCES])
            earlier = self._behind_fence(commit, cut)
            return RecentCommands((), commit.first + number, type(events[number]).traits.fence, cut, undone_by, earlier)
        if isinstance(undone := events[-1], CommandsUndone):
            commands, earlier = [
                tuple([command for command in known if command.before < undone.to])
                for known in (self.commands, self.earlier)
            ]
            if undone.agreed:
                return RecentCommands((), commit.last, AGREED, cut, undone.seat, (*earlier, *commands))
            return RecentCommands(commands, self.fence, self.why, cut, commit.seat, earlier, self.linked)
        if isinstance(opening, LinksOpened):
            return replace(self, linked=commit.last)
        if _is_beside_game(events):
            return self
        if commit.first <= cut:
            return RecentCommands((), commit.last, MatchForked.traits.fence, cut)
        command = _command_of(commit)
        commands = (*self.commands[-SINCE_MAX:], command)
        return RecentCommands(commands, self.fence, self.why, cut, undone_by, self.earlier, self.linked)

    def _behind_fence(self, commit: Commit, cut: int) -> tuple[RecentCommand, ...]:
        """Return the commands that are remembered behind the fences of a commit, its own included."""
        opening = commit.events[0]
        if not FIRM.isdisjoint(map(type, commit.events)) or commit.first <= cut:
            return ()
        # What had called for chance began with the call.
        is_begun = isinstance(opening, LinksOpened) and opening.share
        own = () if is_begun else (_command_of(commit),)
        return (*self.all, *own)[-EARLIER_COMMANDS_MAX:]


def _command_of(commit: Commit) -> RecentCommand:
    return RecentCommand(commit.seat, commit.first - 1, bool(before_in_order(commit.key)))


def first_of_last_order(commands: Sequence[RecentCommand]) -> RecentCommand:
    """Return the first of the commands that were sent together last, which is the last command itself if it was sent alone.

    Args:
        commands: Those of one seat, in order; not empty.
    """
    return next((one for one in reversed(commands) if not one.is_joined), commands[0])


def _is_beside_game(events: Iterable[Event]) -> bool:
    """Return whether events are no command of the game that others know of."""
    return all(map(_is_beside, events))


def _is_beside(event: Event) -> bool:
    """Return whether an event is not about the game, or is a secret pick: taking that back must not show either."""
    return type(event) in KEPT or is_secret_pick(event)


NO_COMMANDS = RecentCommands()
"""Those of a match that has none."""


class Undoable(Struct, frozen=True):
    """The commands that a seat may take back, the last one last, and why no earlier ones."""

    commands: tuple[RecentCommand, ...]
    refusal: Refusal


def undoable(table: Table, recent: RecentCommands, seat: Seat) -> Undoable:
    """Return which commands a seat may take back.

    The refusal names events in the seat's own numbers, and tells nothing of events that the seat does not know of.
    """
    own: list[RecentCommand] = []
    refusal = _behind_fence(table, recent, seat)
    past = table.past
    for command in reversed(recent.commands):
        if past is None or command.before < past.seq:
            refusal = Refusal(
                "commands_must_be_recent",
                UNDO,
                f"At most the last {SINCE_DROPPED} events of the game can surely be taken back.",
            )
            break
        if command.before < recent.linked:
            refusal = _fenced(table, seat, recent.linked, LINKED)
            break
        if command.seat != seat:
            number = seat_number(table, seat, command.before + 1)
            refusal = Refusal(
                "commands_must_be_own",
                UNDO,
                f"Another seat decided with event {number}; nothing up to it can be taken back.",
            )
            break
        own.append(command)
    own.reverse()
    learned = _last_learned(table, own[0].before) if own else None
    if learned is None:
        return Undoable(tuple(own), refusal)
    number = seat_number(table, seat, learned)
    return Undoable(
        tuple([command for command in own if command.before >= learned]),
        Refusal(
            "nothing_must_be_learned",
            UNDO,
            f"Event {number} showed what was hidden; nothing up to it can be taken back.",
        ),
    )


def last_undo(table: Table, recent: RecentCommands, seat: Seat) -> int | None:
    """Return the event, in a seat's own numbers, to which the game would return if the seat took back what it sent last: a command, or an order.

    None if it cannot.
    """
    if table.ended is not None or seat not in table.seats or table.taking_back == "no":
        return None
    way = undoable(table, recent, seat)
    return seat_number(table, seat, first_of_last_order(way.commands).before) if way.commands else None


def refuse_undo(table: Table, recent: RecentCommands, seat: Seat, to: int | None) -> Refusal | RecentCommand:
    """Return the first command that a seat takes back, or why it may not.

    Args:
        table: The table at the head of the match.
        recent: Its last commands.
        seat: The seat that asks.
        to: The event, in the seat's own numbers, to return to; None to take back the last command, or the whole order of which it is the last.
    """
    if table.taking_back == "no":
        return Refusal("taking_back_must_be_allowed", UNDO, "In this match nothing is taken back.")
    way = undoable(table, recent, seat)
    if to is None:
        return first_of_last_order(way.commands) if way.commands else _nothing_left(way.refusal)
    past, seen = table.past, seat_number(table, seat, table.seq)
    if to > seen:
        return Refusal("event_must_be_seen", UNDO, f"There is no event {to}; the last is {seen}.")
    if past is None or not 0 <= to < seen:
        return _no_end(to)
    last = log_number(table, seat, to)
    if last < past.seq:
        return way.refusal
    for command in way.commands:
        if past.count(command.before) == past.count(last):
            return command
    ends = {past.count(command.before) for command in recent.commands}
    return way.refusal if past.count(last) in ends else _no_end(to)


def _nothing_left(refusal: Refusal) -> Refusal:
    """Return why a seat has no command to take back."""
    return Refusal(refusal.code, refusal.rule, f"Nothing is left to take back. {refusal.sentence}")


def _no_end(to: int) -> Refusal:
    return Refusal(
        "event_must_end_command", UNDO, f"Event {to} is not the last one before a command that could be taken back."
    )


def has_fence(table: Table, before: int) -> bool:
    """Return whether there is a fence behind an event: nothing up to it can be taken back.

    Args:
        table: The match as it stands; all events behind `before` are those of one seat.
        before: The number of an event that ends a commit.
    """
    past = table.past
    return past is None or past.seq > before or _last_learned(table, before) is not None


def _last_learned(table: Table, before: int) -> int | None:
    """Return the number of the last event of the game behind an event that showed a seat what was hidden from it."""
    past = table.past
    assert past is not None
    if past.game is None or not _hides(past, past.game):
        return None
    earlier = table.clone()
    earlier.restore(past.game)
    # The undo history of the copy would only cost time.
    earlier.past = None
    found = None
    for number, event in past.numbered():
        if number > before and shows_hidden(earlier, event):
            found = number
        evolve(earlier, event)
    return found


def _hides(past: UndoHistory, game: GamePart) -> bool:
    """Return whether anything on the table was hidden from a seat at some time since the last fence.

    Args:
        past: The undo history since then.
        game: The game state at its beginning.
    """
    return (
        bool(game.known_to)
        or any(pile.seen_by is not None for pile in game.piles.values())
        or any(terms.seen_by is not None for terms in game.terms)
        or any(getattr(event, "seen_by", None) is not None for event in past.since)
    )


def _behind_fence(table: Table, recent: RecentCommands, seat: Seat) -> Refusal:
    return _fenced(table, seat, recent.fence, recent.why or NOT_BEGUN)


def _fenced(table: Table, seat: Seat, fence: int, why: str) -> Refusal:
    what = capital(why.format(seat_number(table, seat, fence)))
    return Refusal("nothing_must_be_learned", UNDO, f"{what}; nothing up to it can be taken back.")


def undone_by(latest: Iterable[Commit]) -> Seat:
    """Return which seat has taken commands back since another one decided; see `RecentCommands.undone_by`.

    Args:
        latest: The commits of a match, the last one first; no more are read than it takes.
    """
    decided = NO_SEAT
    for commit in latest:
        opening = commit.events[0]
        if isinstance(undone := commit.events[-1], CommandsUndone):
            seat = undone.seat if undone.agreed else commit.seat
            return seat if decided in (NO_SEAT, seat) else NO_SEAT
        if isinstance(opening, MatchForked):
            return NO_SEAT
        if _is_beside_game(commit.events):
            continue
        if decided not in (NO_SEAT, commit.seat):
            return NO_SEAT
        decided = commit.seat
    return NO_SEAT


def followed(commits: Iterable[Commit], recent: RecentCommands = NO_COMMANDS) -> RecentCommands:
    """Return the recent commands after several commits."""
    for commit in commits:
        recent = recent.followed_by(commit)
    return recent
