"""Checks that a selection accepts as a whole choice exactly what its picks can make, and that both are told alike.

Whole choices are in no list of options, so that comparing options with what is accepted does not try them (`LegalityWatch`).
"""

from collections.abc import Iterator, Sequence

from core.checking.choice_comparison import both_ways
from core.checking.conformance import Playing, names_on, new_commits, require
from core.checking.randomness import Randomness
from core.engine.decision import Rules
from core.engine.selection import Choose, Done, Pick, after_pick
from core.match.live_match import Match
from core.telling.names import Names
from core.telling.narrator import Narrator
from events.ids import PUBLIC, PieceId, Seat
from events.vocabulary import Event
from projections.chronicle import Chronicler
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import EventSlice, seen_events

Picks = tuple[tuple[str, str], ...]
"""Items with their places; a place is empty if items are not assigned."""


class ChoiceWatch:
    """Compares, at some questions that take several items, whole choices with picks that are made one by one.

    A choice is tried that listed picks lead to, with every part of it on the way, and others that differ from one of these in an
    item or a place: one that is listed, one that is like a listed one without being listed, or any name on the table. Each must be
    accepted exactly if listed picks make it, in some order, and every option on the way must be described. One that is accepted must have the same result as its picks, and the
    other seats must be told the same sentences.

    Args:
        rng: Decides when to check, and what to try.
        share: Share of the questions to check, 0 to 1; the first question of each kind always is.
        bends: How many choices to derive from each that listed picks lead to.

    Attributes:
        tried: How many choices were tried.
        accepted: How many of them were accepted.
    """

    def __init__(self, rng: Randomness, *, share: float, bends: int) -> None:
        self.rng = rng
        self.share = share
        self.bends = bends
        self.tried = self.accepted = 0
        self._kinds: set[str] = set()
        self._views: dict[Seat, tuple[Table, int]] = {}

    def __call__(self, playing: Playing) -> None:
        """Try whole choices, if the question takes several items."""
        match = playing.match
        rules, top = match.ruleset.rules, match.table.top
        if top is None or rules.bounds(match.table) is None:
            return
        if top.kind in self._kinds and self.rng.random() > self.share:
            return
        self._kinds.add(top.kind)
        blank = match.table.clone()
        blank.stack = (*blank.stack[:-1], top.with_picks(()))
        if any(isinstance(option, Choose) for option in rules.options(blank)):
            return  # So much is picked in private in this match that only whole choices are left.
        last: Choose | None = None
        for ahead, picks, is_whole in self._walk(rules, blank):
            for option in rules.options(ahead):
                described = match.ruleset.game.narration.told(ahead, option).words
                require(bool(described), f"{option} is not described once {picks} are picked")
            last = self._compare(playing, picks, is_offered=is_whole) or last
            for bent in self._bent(rules, blank, picks):
                self._compare(playing, bent, is_offered=_is_offered(rules, blank, bent))
        if last is not None:
            self._compare_ways(playing, last)

    # What is tried

    def _walk(self, rules: Rules, blank: Table) -> Iterator[tuple[Table, Picks, bool]]:
        """Yield the table after each of some listed picks, what is picked, and whether it is a whole choice."""
        ahead, picks = blank, Picks()
        while True:
            if rules.bounds(ahead) == (1, 1):
                yield ahead, picks, False
                for pick in self.rng.sample(found := list(_listed(rules, ahead)), min(2, len(found))):
                    yield ahead, (*picks, (pick.item, pick.to)), True
                return
            yield ahead, picks, Done() in rules.options(ahead)
            further = list(_listed(rules, ahead))
            if not further:
                return
            pick = self.rng.choice(further)
            picks, ahead = (*picks, (pick.item, pick.to)), after_pick(ahead, pick)

    def _bent(self, rules: Rules, blank: Table, picks: Picks) -> Iterator[Picks]:
        """Yield choices that differ from one in an item or a place."""
        listed = list(_listed(rules, blank))
        items, places = [pick.item for pick in listed], [pick.to for pick in listed]
        for _ in range(self.bends):
            at = self.rng.randrange(len(picks)) if picks else 0
            item, to = picks[at] if picks else ("", "")
            before, after = picks[:at], picks[at + 1 :]
            match self.rng.randrange(6):
                case 0:
                    yield (*picks, (self._name(blank, items), self._name(blank, places)))
                case 1:
                    yield (*before, *after)
                case 2:
                    yield (*picks, *picks[at : at + 1])
                case 3:
                    yield (*before, (self._name(blank, items), to), *after)
                case 4:
                    yield (*before, (item, self._name(blank, places)), *after)
                case _ if len(picks) > 1:
                    other, place = after[0] if after else before[0]
                    left = [*before, *after]
                    left.remove((other, place))
                    yield (*left, (item, place), (other, to))
                case _:
                    yield tuple((pick.item, pick.to) for pick in self.rng.sample(listed, min(2, len(listed))))

    def _name(self, table: Table, listed: Sequence[str]) -> str:
        """Return a listed name, one of a piece that is like a listed one, or any other."""
        name = self.rng.choice(listed) if listed else ""
        match self.rng.randrange(3):
            case 0:
                return name
            case 1 if PieceId(name) in table.pieces:
                piece = table.pieces[PieceId(name)]
                return self.rng.choice(
                    [one for one in table.pieces_at(piece.place) if table.pieces[one].kind == piece.kind]
                )
            case _:
                return self.rng.choice(names_on(table))

    # What must hold

    def _compare(self, playing: Playing, picks: Picks, *, is_offered: bool) -> Choose | None:
        """Compare whether a choice is accepted with whether listed picks make it; return it if so."""
        match = playing.match
        rules, table = match.ruleset.rules, match.table
        assert table.top is not None
        wish = _whole(picks)
        refusal = rules.refuse(table, table.top.seat, wish)
        self.tried += 1
        require(refusal is not None or is_offered, f"{wish} is accepted, but listed picks do not make it")
        require(refusal is None or not is_offered, f"{wish} is made of listed picks and refused: {refusal}")
        if refusal is not None:
            return None
        self.accepted += 1
        return wish

    def _compare_ways(self, playing: Playing, wish: Choose) -> None:
        """Check that a choice has the result of its picks, and that no other seat is told how it was sent."""
        match = playing.match
        top, ways = match.table.top, both_ways(match.ruleset.rules, match.table, wish)
        require(ways is not None and ways.are_same, f"{wish} has another result than its picks")
        assert top is not None and ways is not None
        for seat in (*match.table.seats, PUBLIC):
            if seat != top.seat:
                view = self._view(playing, seat)
                whole, small = (_told(match, view, events, seat) for events in (ways.whole, ways.small))
                require(whole == small, f"{seat} is told of {wish}: {whole}, and of its picks: {small}")

    def _view(self, playing: Playing, seat: Seat) -> Table:
        """Return the table as a seat knows it."""
        view, last = self._views.get(seat, (Table(), 0))
        for first, events in new_commits(playing, last):
            fold(seen_events(events, seat), view)
            last = first + len(events) - 1
        self._views[seat] = view, last
        return view


def _whole(picks: Picks) -> Choose:
    """Return the command that sends a whole choice."""
    ordered = sorted(picks)
    places = tuple([to for _, to in ordered])
    return Choose(tuple([item for item, _ in ordered]), places if any(places) else ())


def _listed(rules: Rules, table: Table) -> list[Pick]:
    """Return the listed picks that add an item; others move one."""
    assert table.top is not None
    picked = () if rules.may_repeat(table) else table.top.picked
    return [one for one in rules.options(table) if isinstance(one, Pick) and one.item not in picked]


def _is_offered(rules: Rules, blank: Table, picks: Picks) -> bool:
    """Return whether listed picks, one after the other, make a choice."""
    ahead, left = blank, list(picks)
    while left:
        is_single = rules.bounds(ahead) == (1, 1)
        pick = next((one for one in _listed(rules, ahead) if (one.item, one.to) in left), None)
        if pick is None or (is_single and len(left) > 1):
            return False
        if is_single:
            return True
        left.remove((pick.item, pick.to))
        ahead = after_pick(ahead, pick)
    return Done() in rules.options(ahead)


def _told(match: Match, view: Table, events: Sequence[Event], seat: Seat) -> list[str]:
    """Return the sentences of a seat for events."""
    seen = EventSlice(view.seq + 1, 0, tuple(seen_events(events, seat)))
    narrator = Narrator(Names(match.ruleset.game.narration), view)
    return [line.sentence for line in narrator.lines(Chronicler().take(seen))]
