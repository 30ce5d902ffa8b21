"""The requirements on every game, checked after each command: behind `check-game` and the tests of all games.

A watch checks a match after a commit and raises `NotConforming` if something does not hold.
"""

import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Protocol

from core.checking.choice_comparison import makes_a_whole
from core.checking.randomness import Randomness
from core.engine.command import Command
from core.game_files.rulebook import Rulebook, load_match_rulebook
from core.legal.legal_options import named_on
from core.match.live_match import Match, Prepared
from core.narration.narration_port import Narration
from core.narration.render_model import MapPlace
from core.refusal import Refusal
from events.codec import DecodeError, decode_plain, encode, replace
from events.commit import decode_commit
from events.ids import ARBITER, NO_SEAT, NO_SIDE, PUBLIC, Seat
from events.log import Log
from events.vocabulary import Event
from projections.state.fold import evolve, fold
from projections.state.table import Table
from projections.state.view import seen_events, sees_whole
from projections.table_codec import decode_table, encode_table

NONSENSE = ("", "0", "nobody", "No Such Thing", "soviet/", "-1", "10 ", "é")
"""Names that mean nothing in any game."""


class NotConforming(AssertionError):
    """A game violates a requirement on every game; the message says which and where."""


class Playing(Protocol):
    """A match under way: the log that holds it, and the match at its head."""

    log: Log
    match: Match


Watch = Callable[[Playing], None]


def require(holds: bool, problem: str) -> None:  # noqa: FBT001 - It reads as an assertion.
    """Raise if something does not hold.

    Raises:
        NotConforming: With the problem.
    """
    if not holds:
        raise NotConforming(problem)


def new_commits(playing: Playing, after: int) -> Iterator[tuple[int, tuple[Event, ...]]]:
    """Yield the first number and the events of each commit after an event."""
    for stored in playing.log.read(playing.match.id, after):
        yield stored.first, decode_commit(stored.body).events


class FoldWatch:
    """Checks that the fold of the log is the live table, that its bytes decode to it, and that a clone is independent."""

    def __init__(self) -> None:
        self.folded = Table()

    def __call__(self, playing: Playing) -> None:
        """Fold the new events and compare."""
        for _, events in new_commits(playing, self.folded.seq):
            fold(events, self.folded)
        table = playing.match.table
        before = encode(table)
        require(encode(self.folded) == before, "the fold of the log is not the live table")
        require(decode_table(encode_table(table)) == table, "a stored table is read back differently")
        clone = table.clone()
        for held in (clone.pieces, clone.at, clone.markers, clone.attributes, clone.tracks, clone.piles):
            held.clear()
        require(encode(table) == before, "a change of the clone changed the table")


class RuleWatch:
    """Checks that every event cites a rule or ruling of the game's index, or a match rule.

    Args:
        books: The indexes.
    """

    def __init__(self, *books: Rulebook) -> None:
        self.known = {name for book in books for name in (*book.rules, *book.rulings)}
        self.seen = 0

    def __call__(self, playing: Playing) -> None:
        """Look at the new events."""
        for first, events in new_commits(playing, self.seen):
            self.seen = first + len(events) - 1
            wrong = [event for event in events if event.rule not in self.known]
            require(not wrong, f"events without a rule of the index: {wrong}")


class LegalityWatch:
    """Checks that exactly the offered options are accepted and that every refusal code is in the index.

    Args:
        book: The game's index.
        rng: Decides when to check, and what to ask.
        share: Share of the questions to check, 0 to 1; the first question of each kind always is.
        wishes: About how many other commands to try at a time.
        wild: Makes one more command from names on the table, or None to try altered options only.
    """

    def __init__(
        self,
        book: Rulebook,
        rng: Randomness,
        *,
        share: float,
        wishes: int,
        wild: Callable[[Sequence[str], Randomness], dict[str, object]] | None = None,
    ) -> None:
        self.rng = rng
        self.share = share
        self.wishes = wishes
        self.wild = wild
        self.known = {name for one in (book, load_match_rulebook()) for name in (*one.rules, *one.rulings)}
        self.codes = {refusal.code for one in (book, load_match_rulebook()) for refusal in one.refusals}
        self.kinds: set[str] = set()
        self.met: set[str] = set()

    def __call__(self, playing: Playing) -> None:
        """Try the offered options and many other commands."""
        match = playing.match
        top = match.table.top
        kind = "" if top is None else top.kind
        if kind in self.kinds and self.rng.random() > self.share:
            return
        self.kinds.add(kind)
        options = match.ruleset.rules.options(match.table)
        seat = ARBITER if top is None else top.seat
        self._offered(match, seat, options)
        self._bent(match, seat, options)
        for other in {*match.table.seats, PUBLIC, ARBITER, Seat("nobody")} - {seat}:
            for option in options[:2]:
                refusal = match.ruleset.rules.refuse(match.table, other, option)
                require(refusal is not None, f"{option} is accepted from {other}, though {seat} is asked")
                self.look(refusal)

    def _offered(self, match: Match, seat: Seat, options: Sequence[Command]) -> None:
        """Check that options are distinct, described and accepted, on a table from a snapshot as well."""
        rules = match.ruleset.rules
        require(len(set(options)) == len(options), f"an option is offered twice: {options}")
        # A table from a snapshot has its names in another order; nothing may depend on it.
        stored = decode_table(encode_table(match.table))
        require(rules.options(stored) == options, "the options are not in a stable order")
        for option in options:
            refusal = rules.refuse(match.table, seat, option)
            require(refusal is None, f"{option} is offered and refused: {refusal}")
            described = match.ruleset.game.narration.told(match.table, option).words
            require(bool(described), f"{option} is not described")
            require(match.decode(encode(option)) == option, f"{option} is decoded differently from its bytes")
        again = Match(match.id, match.ruleset, stored, match.head, match.seed, recent=match.recent)
        for option in self.rng.sample(options, min(3, len(options))):
            key = f"{match.id}-{match.head.seq}"
            done, redone = [one.prepare(seat, encode(option), key=key, at=match.head.seq) for one in (match, again)]
            require(isinstance(done, Prepared), f"{option} is offered and cannot be prepared")
            same = isinstance(done, Prepared) and isinstance(redone, Prepared) and redone.new == done.new
            require(same, f"{option} gives other events on a table from a snapshot")

    def _bent(self, match: Match, seat: Seat, options: Sequence[Command]) -> None:
        """Try commands that are most likely illegal, decoded from bytes as a client would send them."""
        legal = set(options)
        for wish in self._unasked(match, options):
            refusal = match.ruleset.rules.refuse(match.table, seat, wish)
            is_right = wish in legal or refusal is not None or makes_a_whole(match.ruleset.rules, match.table, wish)
            require(is_right, f"{wish} is accepted, but neither listed nor made of listed commands")
            require(wish not in legal or refusal is None, f"{wish} is refused: {refusal}")
            self.look(refusal)

    def _unasked(self, match: Match, options: Sequence[Command]) -> Iterator[Command]:
        names = names_on(match.table)
        wishes: list[dict[str, object]] = []
        for option in self.rng.sample(options, min(len(options), self.wishes // 4 + 1)):
            wishes += bent(option, names, self.rng)
        if self.wild is not None:
            wishes += [self.wild(names, self.rng) for _ in range(self.wishes // 2)]
        for wish in wishes:
            try:
                yield match.decode(encode(wish))
            except DecodeError:
                continue

    def look(self, refusal: Refusal | None) -> None:
        """Check a refusal's code and sentence."""
        if refusal is not None:
            self.met.add(refusal.code)
            require(refusal.code in self.codes, f"the refusal {refusal.code} is not in the index")
            require(
                refusal.rule in self.known, f"the refusal {refusal.code} names {refusal.rule}, not a rule of the index"
            )
            require(refusal.sentence.endswith("."), f"{refusal.code} says {refusal.sentence!r}")
            require("\n" not in refusal.sentence, f"{refusal.code} says {refusal.sentence!r}")


class NarrationWatch:
    """Checks that every question, every event and every seat's table can be described and drawn."""

    def __init__(self) -> None:
        self.seen = 0
        self.views: dict[Seat, Table] = {}
        self.has_picture = False

    def __call__(self, playing: Playing) -> None:
        """Narrate the new events, as each seat may see them."""
        match, narration = playing.match, playing.match.ruleset.game.narration
        fresh = list(new_commits(playing, self.seen))
        for seat in (*match.table.seats, PUBLIC, ARBITER):
            view = self.views.setdefault(seat, Table())
            for _, events in fresh:
                seen = list(seen_events(events, seat))
                for event in seen:
                    narration.tell(view, [event])
                    evolve(view, event)
            for waiting in view.stack:
                question = narration.question(view, waiting)
                require(bool(question) and not question.endswith("."), f"{waiting.kind} is worded {question!r}")
            self.has_picture = narration.picture(view) is not None or self.has_picture
        self.seen = match.table.seq


def view_watch(playing: Playing) -> None:
    """Check the newest commit: a seat sees a secret only if `seen_by` names it, and the arbiter sees everything."""
    *_, last = playing.log.read(playing.match.id)
    for event in decode_commit(last.body).events:
        seen_by = getattr(event, "seen_by", None)
        require(sees_whole(event, ARBITER), f"the arbiter does not see all of {event}")
        for seat in (*playing.match.table.seats, PUBLIC):
            is_told = sees_whole(event, seat) or (seen_by is not None and seat not in seen_by)
            require(is_told, f"{seat} does not see all of {event}")


def question_watch(playing: Playing) -> None:
    """Checks that every question goes to a seat of the match and has an answer."""
    table = playing.match.table
    top = table.top
    require(table.ended is not None or (top is not None and top.seat in table.seats), f"no seat has to decide: {top}")


def side_watch(playing: Playing) -> None:
    """Checks that owners, controllers and winners are sides of the match, and that deciders and audiences are its seats."""
    table = playing.match.table
    won = ((), ()) if table.ended is None else (table.ended.winners, table.ended.winning_seats)
    owners = {*(piece.side for piece in table.pieces.values()), *table.control.values(), *table.plays.values()}
    sides = {*owners, table.turn, *won[0]} - {NO_SIDE}
    require(sides <= {*table.sides}, f"not sides of the match: {sorted(sides - {*table.sides})}")
    *_, last = playing.log.read(playing.match.id)
    audiences = [getattr(event, "seen_by", None) or () for event in decode_commit(last.body).events]
    decide = {table.turn_seat, *table.plays, *(waiting.seat for waiting in table.stack)} - {NO_SEAT}
    seats = {*decide, *won[1], *(seat for audience in audiences for seat in audience)}
    require(seats <= {*table.seats, ARBITER}, f"not seats of the match: {sorted(seats - {*table.seats})}")


def port_problems(port: type, made: object) -> Iterator[str]:
    """Yield the members of a port that an object lacks, and its methods that cannot be called as those of the port."""
    name = type(made).__name__
    for kind in reversed(port.__mro__[:-1]):
        for member in (*inspect.get_annotations(kind), *vars(kind)):
            if member.startswith("_"):
                continue
            if not hasattr(made, member):
                yield f"{name} lacks `{member}` of the port {port.__name__}"
            elif callable(asked := getattr(kind, member, None)) and not _takes(getattr(made, member), asked):
                _, *wanted = inspect.signature(asked).parameters
                yield f"`{name}.{member}` must take ({', '.join(wanted)}), as the port {port.__name__} has it"


def _takes(method: Callable[..., object], asked: Callable[..., object]) -> bool:
    """Return whether a method can be called with all arguments of a function of a port."""
    _, *wanted = inspect.signature(asked).parameters.values()
    named = [one.name for one in wanted if one.kind is one.KEYWORD_ONLY]
    try:
        inspect.signature(method).bind(*wanted[: len(wanted) - len(named)], **dict.fromkeys(named))
    except TypeError:
        return False
    return True


def place_name_problems(narration: Narration) -> Iterator[str]:
    """Yield the places that sentences name otherwise than pictures do."""
    drawn = [place.named for place in narration.places()]
    # What a row of options calls a place in brief, no picture says.
    named = [replace(one, brief="", is_above=False) for one in narration.place_names()]
    for one, other in zip_longest(drawn, named):
        if one != other:
            yield f"`places` and `place_names` must list the same places in the same order, not {one} and {other}"
            return


def map_problems(listed: Sequence[MapPlace]) -> Iterator[str]:
    """Yield the defects of a game's map: every neighbour must exist and be a neighbour both ways, and labels must differ."""
    labels = Counter(
        (place.map, place.label) for place in listed if any(map(str.isalnum, place.label)) and not place.is_box
    )
    for (map_, label), count in labels.items():
        if count > 1:
            same = ", ".join(
                place.id for place in listed if (place.map, place.label) == (map_, label) and not place.is_box
            )
            yield f"the places {same} have one label, {label}: no sketch of the map can be drawn"
    places = {place.id: place for place in listed}
    for place in places.values():
        for neighbour in place.neighbours:
            if neighbour not in places:
                yield f"place {place.id} has a neighbour {neighbour} that does not exist"
            elif place.id not in places[neighbour].neighbours:
                yield f"place {place.id} is not a neighbour of its neighbour {neighbour}"


# Commands that were not offered


def names_on(table: Table) -> list[str]:
    """Return every name that a table holds, and some that mean nothing."""
    return sorted({*named_on(table), *NONSENSE})


def bent(command: Command, names: Sequence[str], rng: Randomness) -> Iterator[dict[str, object]]:
    """Yield a legal command with each of its fields changed in one way or another."""
    plain = decode_plain(encode(command))
    assert isinstance(plain, dict)
    for field, value in plain.items():
        if field != "do":
            yield {**plain, field: other_value(value, names, rng)}
    for field in type(command).__struct_fields__:
        if field not in plain:
            yield {**plain, field: other_value(getattr(command, field), names, rng)}


def other_value(value: object, names: Sequence[str], rng: Randomness) -> object:
    """Return another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-2, -1, 1, 2, 10**6, -(10**12)))
    if isinstance(value, list | tuple):
        return other_list(list(value), names, rng)
    if isinstance(value, dict):
        return {rng.choice(names): other_value(entry, names, rng) for entry in value.values()}
    return rng.choice(names)


def other_list(value: list[object], names: Sequence[str], rng: Randomness) -> list[object]:
    """Return a list with an item added, removed, doubled or replaced, or in another order."""
    place = rng.randrange(len(value)) if value else 0
    changed: list[object]
    match rng.randrange(5):
        case 0:
            changed = [*value, rng.choice(names)]
        case 1:
            changed = value[:place] + value[place + 1 :]
        case 2:
            changed = [*value, *value[place : place + 1]]
        case 3:
            changed = [*value[:place], rng.choice(names), *value[place + 1 :]]
        case _:
            changed = value[::-1]
    return changed
