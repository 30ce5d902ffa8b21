"""Names of forks: each is called by what was first done in it, as everybody has seen that."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence

from core.telling.names import Names
from core.telling.narrator import Narrator
from events.ids import PUBLIC, MatchId
from events.vocabulary import BaseEvent, MatchForked, SecretsRedealt
from projections.catalogue import MatchSummary
from projections.chronicle import Chronicler
from projections.state.table import Table
from projections.state.undo_history import KEPT, undone_events
from projections.state.view import EventSlice
from server.page_parts.untold_matches import UNTOLD
from server.protocol.errors import RequestFailed, TimedOut
from server.web.backend.gateway import Caller

EVENTS_MAX = 100
"""What is done first is looked for in so many events of a fork."""
NAMES_MAX = 2_000
"""How many names are kept."""
WAIT_S = 3.0
"""How long a page waits for the names of its lines (seconds)."""
NAME_LENGTH_MAX = 110
"""How many characters a name has at most."""
BESIDE: frozenset[type[BaseEvent]] = KEPT | {MatchForked, SecretsRedealt}
"""Events that do not play on."""


class ForkNames:
    """The names of forks that were listed lately; they never change once a line has gone far enough."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[MatchId, int], str] = OrderedDict()

    async def of(self, caller: Caller, lines: Sequence[MatchSummary], names: Names) -> Mapping[MatchId, str]:
        """Return the names of forks of one family; one in which nothing was done yet, or that cannot be read, has none.

        Args:
            caller: Any visitor.
            lines: The forks.
            names: The names of the family's game.

        A name that takes the broker long, as in a fork of a long match, is there for the next page.
        """
        forks = [one for one in lines if one.parent and one.forked_at and not one.problem]
        asking = {one.match: asyncio.create_task(self._name(caller, one, names)) for one in forks}
        if asking:
            await asyncio.wait(asking.values(), timeout=WAIT_S)
        return {match: task.result() for match, task in asking.items() if task.done() and task.result()}

    async def _name(self, caller: Caller, line: MatchSummary, names: Names) -> str:
        key = line.match, min(line.seq, line.forked_at + EVENTS_MAX)
        if key not in self._known:
            try:
                table = (await caller.state(line.match, PUBLIC, at=line.forked_at)).table
                slices = (await caller.part_of_log(line.match, PUBLIC, line.forked_at, EVENTS_MAX)).slices
            except (RequestFailed, TimedOut):
                return ""
            try:
                self._known[key] = first_done(names, table, slices)
            except UNTOLD:
                # Its own page says that its events do not follow the rules.
                self._known[key] = ""
            if len(self._known) > NAMES_MAX:
                self._known.popitem(last=False)
        return self._known[key]


def first_done(names: Names, table: Table, slices: Sequence[EventSlice]) -> str:
    """Return what the first command that was not taken back did, and what came of it, in a sentence or two; empty if there is none.

    Args:
        names: The names of the match.
        table: The table before the first slice.
        slices: The commits that follow.
    """
    events = [event for slice_ in slices for event in slice_.events]
    undone = undone_events(events, slices[0].first if slices else 1)
    for sentences in _told(names, table, slices, undone):
        if sentences:
            said = [sentences[0], *sentences[-1:][: len(sentences) - 1]]
            return _shortened(" … ".join(one.removesuffix(".") for one in said))
    return ""


def _shortened(text: str) -> str:
    return text if len(text) <= NAME_LENGTH_MAX else f"{text[:NAME_LENGTH_MAX].rpartition(' ')[0]} …"


def _told(names: Names, table: Table, slices: Sequence[EventSlice], undone: frozenset[int]) -> Iterator[Sequence[str]]:
    """Yield the sentences of each commit that plays on."""
    narrator, chronicler = Narrator(names, table), Chronicler()
    for slice_ in slices:
        beside = {number for number, event in enumerate(slice_.events, slice_.first) if type(event) in BESIDE}
        lines = narrator.lines(chronicler.take(slice_))
        yield [line.sentence for line in lines if line.first not in beside | undone]
