"""Follow all matches of a server or a store: one line whenever a match moves on, waits for another seat, or gets late."""

from collections.abc import Callable
from time import sleep

from cli.commands.viewing.matches import awaited, entries, match_shape, parse_late, standing
from cli.shell.context import Context
from core.registry.games import typed_key
from events.ids import MatchId
from projections.catalogue import MatchSummary

LOOK_S = 2.0
"""How long to wait between two looks at the list (seconds)."""


def watch_all(context: Context, late_after: str, pause: Callable[[float], None] = sleep) -> None:
    """Print a line for every match, and another one whenever its state changes, until Ctrl-C.

    Args:
        context: The run of the verb.
        late_after: After what time a decision is late; empty for never.
        pause: Waits for some seconds.

    Raises:
        UserError: The text is not a duration.
        TimedOut: The server does not answer.
    """
    known: dict[MatchId, tuple[object, ...]] = {}
    while True:
        late = parse_late(late_after)
        for entry in entries(context):
            is_late = late.is_late(entry)
            state = _state(entry, is_late=is_late)
            if known.get(entry.match) != state:
                known[entry.match] = state
                waits = awaited(entry, late)
                told = entry.problem or f"{standing(entry)}{f', waits for {waits}' if waits else ''}"
                line = f"{entry.match}  {typed_key(entry.game)}, {told}, event {entry.seq}"
                context.print_result(match_shape(entry, late=late), [line])
        context.flush()
        pause(LOOK_S)


def _state(entry: MatchSummary, *, is_late: bool) -> tuple[object, ...]:
    """Return what is worth a line if it changes."""
    ended = entry.ended is not None
    return entry.phase, entry.round, entry.to_move, ended, entry.paused, len(entry.players), entry.problem, is_late
