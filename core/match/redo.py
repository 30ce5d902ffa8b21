"""Commands that a seat has taken back and may put back, as long as nothing else was decided since.

Nothing is decided here: taking back is possible only until something was learned, so the same commands, played again, do the same.
"""

from collections.abc import Iterable, Sequence

from core.match.command_keys import before_in_order
from core.match.live_match import Match
from core.match.recent_commits import recent_commits
from events.commit import Commit
from events.ids import Seat
from events.log import Log
from events.vocabulary import CommandsUndone
from projections.state.undo_history import FENCES, KEPT, is_secret_pick


def line_to_redo(log: Log, match: Match, seat: Seat) -> list[Commit]:
    """Return the commands that a seat can put back at the head of a match, as `undone_line` does."""
    if match.recent.undone_by != seat:
        return []
    return undone_line(recent_commits(log, match.id, match.table), seat)


def undone_line(commits: Iterable[Commit], seat: Seat) -> list[Commit]:
    """Return the commands that a seat has taken back and not played again since, in the order in which they are to be put back.

    It is empty once another command of the game follows. The secret picks of other seats do not count, which the seat does not know of.

    Args:
        commits: Those of the match since its last fence (`projections.state.undo_history`) or earlier, in order.
        seat: The seat.
    """
    done: list[Commit] = []
    # What comes first is put back last.
    undone: list[Commit] = []
    for commit in commits:
        opening = commit.events[0]
        back = commit.events[-1]
        is_agreed = isinstance(back, CommandsUndone) and bool(back.agreed)
        if is_agreed or not FENCES.isdisjoint(map(type, commit.events)):
            done, undone = [], []
        elif isinstance(opening, CommandsUndone):
            undone += reversed([one for one in done if one.first > opening.to])
            done = [one for one in done if one.first <= opening.to]
        elif _is_kept(commit) or (commit.seat != seat and _is_picked_in_secret(commit)):
            continue
        else:
            is_put_back = bool(undone) and (undone[-1].seat, undone[-1].command) == (commit.seat, commit.command)
            undone = undone[:-1] if is_put_back else []
            done.append(commit)
    return [one for one in reversed(undone) if one.seat == seat]


def next_command(line: Sequence[Commit]) -> Sequence[Commit]:
    """Return the first command of a line, or the order that begins with it, with the secret picks before it.

    A take-back restores the picks of the moment to which it returns.
    """
    for count, commit in enumerate(line, start=1):
        is_joined = count < len(line) and before_in_order(line[count].key) == commit.key
        if not is_joined and not _is_picked_in_secret(commit):
            return line[:count]
    return line


def _is_kept(commit: Commit) -> bool:
    return all(type(event) in KEPT for event in commit.events)


def _is_picked_in_secret(commit: Commit) -> bool:
    return all(map(is_secret_pick, commit.events))
