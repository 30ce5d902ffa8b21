"""The check of public results as they fall: what a viewer sees of a commit must follow from the links that are opened in it.

It needs no seed, no rules of a game and no command, so that every program that follows a match makes it at once. `core.audit` checks the rest.
"""

import hmac
from collections.abc import Sequence

from core.chance.links import LinkedChance, context, is_next
from core.chance.recorded_chance import Drawn, Rolled, drawn_name
from core.engine.chance_port import Weighted
from events.vocabulary import CardDrawn, ChosenByChance, DiceRolled, Event, LinksOpened, MatchForked, PieceDrawn
from projections.state.chosen_faces import with_chosen
from projections.state.fold import evolve
from projections.state.links import Links
from projections.state.seating import decider
from projections.state.table import Table

UNUSED = "a link of the server was opened for no result: who opens links at will chooses dice"


def unproved_result(events: Sequence[Event], table: Table) -> tuple[int, str] | None:
    """Return the number of the first event that does not follow from the links, and the defect; None if all do, or the dice have no links.

    Args:
        events: The events of one commit, as a seat sees them.
        table: The table before it, as that seat sees it; it is not changed.
    """
    if table.links is None or not any(isinstance(event, LinksOpened | Rolled | Drawn) for event in events):
        return None
    check = _Check(table.clone())
    for number, event in enumerate(events, start=table.seq + 1):
        problem = check.problem(event)
        if problem:
            return number, problem
    # A fork opens a link for what it deals anew, which may be nothing.
    is_unused = check.is_unused and not isinstance(events[0], MatchForked)
    return (table.seq + len(events), UNUSED) if is_unused else None


class _Check:
    """The check of one commit.

    Args:
        table: The table before it, which is changed.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._key = b""
        self._calls = 0

    @property
    def is_unused(self) -> bool:
        """Whether a link of the server was opened, and no result came of it."""
        return bool(self._key) and not self._calls

    def problem(self, event: Event) -> str:
        """Return why the next event is not proved, and follow it."""
        table, problem = self._table, ""
        # A fork repeats results and links of its parent up to `dice_from`.
        if table.links is not None and table.seq + 1 > table.dice_from:
            if isinstance(event, LinksOpened):
                problem = self._opened(event, table.links)
            elif isinstance(event, Rolled | Drawn):
                problem = self._result(event)
        evolve(table, event)
        return problem

    def _opened(self, event: LinksOpened, links: Links) -> str:
        last = links.last()
        if event.share:
            if event.seat not in last or not is_next(event.share, last[event.seat]):
                return f"this is not the next link of the seat {event.seat}"
            last[event.seat] = event.share
        if not event.number:
            is_payable = links.is_payable(event.seat, decider(self._table))
            return (
                "" if is_payable else f"no link of the seat {event.seat} was owed, or another seat was to decide first"
            )
        if event.number != links.opened + 1 or not is_next(event.link, links.link):
            return "this is not the next link of the server"
        if links.call is not None and (event.seat, bool(event.share)) != (links.call.seat, True):
            return f"the link of the seat {links.call.seat}, which had called for dice, was not opened"
        if self._key:
            return "links are opened once for a command"
        text = context(self._table.chance.stream, event.number, last)
        self._key = hmac.digest(bytes.fromhex(event.link), text, "sha256")
        return ""

    def _result(self, event: Rolled | Drawn) -> str:
        if not self._key:
            return "no link was opened for this result"
        chance, seq = LinkedChance(self._key, self._calls), self._table.seq + 1
        self._calls += 1
        if isinstance(event, DiceRolled):
            if event.sides < 1 or not event.faces:
                return f"no such dice can be rolled for {event.purpose}"
            rolled = chance.dice(seq, len(event.faces), event.sides, event.purpose)
            faces = with_chosen(self._table.chosen_faces, seq, rolled, event.sides)
            return "" if faces == event.faces else _differs(faces, event.faces, event.purpose)
        if not isinstance(event, Drawn):
            return ""
        candidates = _open_candidates(event, self._table)
        if not candidates:
            return ""
        name = candidates[chance.pick(seq, candidates, event.purpose)]
        return "" if name == drawn_name(event) else _differs(name, drawn_name(event), event.purpose)


def _differs(given: object, recorded: object, purpose: str) -> str:
    return f"the opened links give {given} for {purpose}, and {recorded} is on record"


def _open_candidates(event: Drawn, table: Table) -> Sequence[str]:
    """Return the candidates of a draw or choice that all seats know; empty if it is veiled."""
    if event.seen_by is not None:
        return ()
    if isinstance(event, ChosenByChance):
        return event.candidates or ()
    if isinstance(event, PieceDrawn) and event.weights:
        is_sound = min(event.weights.values()) > 0
        return Weighted(tuple(event.weights), tuple(event.weights.values())) if is_sound else ()
    pile = table.pile(event.deck if isinstance(event, CardDrawn) else event.pool)
    return () if pile.hidden or pile.seen_by is not None else pile.cards
