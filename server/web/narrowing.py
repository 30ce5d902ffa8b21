"""What options are about, in the words of a page: which pieces, places and cards can be chosen, and which options are left by what was."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.drawing.lit import Lit
from core.drawing.sheet import Spread
from core.drawing.strip_svg import pieces_in
from core.ports import BoundGame
from core.selection import Unpick
from events.codec import decode_plain, tag_of
from events.ids import PieceId, PlaceId
from server.pages.story import Story
from server.protocol.replies import LegalOption, LegalReply
from server.web.addresses import at_match
from server.web.confirming import asked_about
from server.web.sight import Sight

UNGROUPED_MAX = 20
"""More options than these stand under headings."""
OR = "\n"
"""Joins pieces that are chosen together because one counter stands for them."""


class Things:
    """Names what options of a match are about: pieces and places of the map, and whatever else has a name, such as cards.

    Args:
        story: The match as its seat has seen it.
        bound: The game on its board, or None if it cannot be loaded here.
    """

    def __init__(self, story: Story, bound: BoundGame | None) -> None:
        self.now = story.now
        self.names = story.names.on(story.now)
        self._bound = bound
        self._known: dict[bytes, list[str]] = {}

    def of(self, options: Sequence[LegalOption]) -> list[tuple[LegalOption, list[str]]]:
        """Return options with what each is about in the order in which its command names it, each piece before its place."""
        return [(one, self._named(bytes(one.command))) for one in options]

    def told_apart(self, options: Sequence[LegalOption], about: Sequence[str]) -> list[tuple[LegalOption, list[str]]]:
        """Return options with the things by which each can be told from others.

        What every option is about is where the question is asked, not a choice, and what was chosen is chosen.
        """
        found = self.of(options)
        common = {thing for chosen in about for thing in chosen.split(OR)}
        if len(found) > 1:
            common |= set.intersection(*[set(things) for _, things in found])
        return [(option, [one for one in things if one not in common]) for option, things in found]

    def left_of(
        self, option: LegalOption, asked: Sequence[LegalOption], about: Sequence[str]
    ) -> list[tuple[LegalOption, list[str]]]:
        """Return the only option that is left by what was chosen with what else it is about, such as where a piece goes.

        It leaves out where the chosen pieces are, and what every option is about.

        Args:
            option: The option.
            asked: All options of the question.
            about: What was chosen.
        """
        chosen = {thing for one in about for thing in one.split(OR)}
        common: set[str | None] = {*chosen, *map(self.place_of, chosen)}
        if len(asked) > 1:
            shared: set[str] = set.intersection(*[set(things) for _, things in self.of(asked)])
            common |= shared
        return [(option, [one for _, things in self.of([option]) for one in things if one not in common])]

    def narrowed(self, options: Sequence[LegalOption], about: Sequence[str]) -> Sequence[LegalOption]:
        """Return the options about all that was chosen."""
        wanted = [set(chosen.split(OR)) for chosen in about]
        if not wanted:
            return options
        return [option for option, things in self.of(options) if all(one & set(things) for one in wanted)]

    def of_use(self, options: Sequence[LegalOption]) -> Sequence[LegalOption]:
        """Return the options without those that another one outdoes; all of them if none is left."""
        return [one for one in options if not self._is_outdone(bytes(one.command))] or options

    def stacks(self, apart: Iterable[tuple[LegalOption, Sequence[str]]]) -> set[PlaceId]:
        """Return the places whose pieces options move together, so that none of these is about one of the pieces more than about others.

        A piece that another one only takes along, such as what an aircraft carries, makes no stack of both.

        Args:
            apart: Options of one sort with the things by which each can be told from others.
        """
        crews: dict[PlaceId, dict[str, set[tuple[str, ...]]]] = {}
        for _, named in apart:
            place = self.place_of(named[0]) if named else None
            if place is not None:
                crew = tuple(dict.fromkeys([self.called(one) for one in named if self.place_of(one) == place]))
                crews.setdefault(place, {}).setdefault(crew[0], set()).add(crew)
        return {
            place
            for place, led in crews.items()
            if any(not led.keys().isdisjoint(crew[1:]) for there in led.values() for crew in there)
            or any(len(there) == 1 and len(next(iter(there))) > 1 for there in led.values())
        }

    def called(self, thing: str) -> str:
        """Return what a thing is called; a piece of the map with its place."""
        id_ = thing.partition(OR)[0]
        place = self.place_of(id_)
        if place is None:
            return self.names.anything(id_)
        return f"{self.names.piece(id_, place)}, at {self.names.place(place)}"

    def place_of(self, id_: str) -> PlaceId | None:
        """Return the place of a piece on the map; None for anything else."""
        piece = self.now.pieces.get(PieceId(id_))
        place = None if piece is None else self.now.ground(piece.place)
        return place if place is not None and self.names.is_on_map(place) else None

    def _named(self, command: bytes) -> list[str]:
        """Return what a command is about; a page asks several times, of hundreds of options."""
        if command not in self._known:
            meant: Mapping[str, Sequence[PieceId]] = {}
            if self._bound is not None:
                meant = self._bound.narration.pieces_meant(self.now, self._bound.rules.decode(command))
            self._known[command] = list(dict.fromkeys(self._in(decode_plain(command), meant)))
        return self._known[command]

    def _is_outdone(self, command: bytes) -> bool:
        return self._bound is not None and self._bound.narration.is_outdone(self.now, self._bound.rules.decode(command))

    def _is_told(self, id_: str) -> bool:
        """Return whether an id is that of a place of the map, of a piece, or of something else with a name."""
        return self.names.is_on_map(PlaceId(id_)) or id_ in self.now.pieces or self.names.of(id_) != id_

    def _in(self, value: object, meant: Mapping[str, Sequence[PieceId]]) -> Iterator[str]:
        """Yield what a part of a command is about."""
        if isinstance(value, str):
            # A place is meant besides the pieces there; a class of like pieces is nothing of its own.
            is_thing = value not in meant or self.names.is_on_map(PlaceId(value))
            for id_ in (*meant.get(value, ()), *([value] if is_thing else [])):
                place = self.place_of(id_)
                if place is not None:
                    yield from (id_, place)
                elif self._is_told(id_):
                    yield id_
        elif isinstance(value, dict):
            for name, one in value.items():
                if name != "do":
                    yield from self._in(one, meant)
        elif isinstance(value, list | tuple):
            for one in value:
                yield from self._in(one, meant)


def lit_things(sight: Sight, things: Things, spread: Spread) -> Mapping[str, Lit]:
    """Return the pieces, places and cards that the options are about; a click on one leaves only its options, and lights what these are about.

    If there are many options, of the places and cards only those are lit that each names first, such as the target of an attack, and those of its pieces.

    Args:
        sight: What the page shows.
        things: What options are about.
        spread: What lies on the map and beside it: a counter stands for all its pieces.
    """
    legal = sight.legal
    if legal is None or legal.to_move != sight.seat or sight.typed is not None:
        return {}
    asked = asked_about(sight)
    shown = things.of_use(things.narrowed(legal.options, sight.about)) if asked is None else [asked]
    stacks = [
        *spread.pieces.values(),
        *(pieces_in(cell, spread.beside) for strip in spread.strips for row in strip.rows for cell in row),
    ]
    counters = {piece: pieces for stack in stacks for pieces in stack for piece in pieces}
    is_single = len(shown) == 1 and (bool(sight.about) or asked is not None)
    apart = things.left_of(shown[0], legal.options, sight.about) if is_single else things.told_apart(shown, sight.about)

    def counter_of(thing: str) -> str:
        return counters.get(PieceId(thing), (thing,))[0]

    # In the order of the options; a click leaves all options about a thing, not only those that name it first.
    lit: dict[str, list[LegalOption]] = {
        counter_of(thing): []
        for _, named in apart
        for thing in (_first(things, named) if len(shown) > UNGROUPED_MAX else named)
    }
    meant: dict[str, dict[str, list[LegalOption]]] = {}
    for option, named in apart:
        for thing in named:
            counter = counter_of(thing)
            if counter in lit:
                meant.setdefault(counter, {}).setdefault(thing, []).append(option)
                if option not in lit[counter][-1:]:
                    lit[counter].append(option)
    return {counter_of(one.partition(OR)[0]): _given_up(sight, things, one) for one in sight.about} | {
        counter: _lit(sight, things, _alike(meant[counter]), found) for counter, found in lit.items()
    }


def _first(things: Things, named: Sequence[str]) -> list[str]:
    """Return the pieces among things, the places where they are, the first place, and the first of all else."""
    where = {one: place for one in named if (place := things.place_of(one)) is not None}
    places = [one for one in named if things.names.is_on_map(PlaceId(one))]
    near = [one for one in places if one in (places[0], *where.values())]
    return [*where, *near, *[one for one in named if one not in (*where, *places)][:1]]


def _alike(meant: Mapping[str, Sequence[LegalOption]]) -> str:
    """Return the pieces of a counter by which all its options are chosen, the first of those that the same options are about."""
    return OR.join(
        {tuple([one.number for one in found]): thing for thing, found in reversed([*meant.items()])}.values()
    )


def _lit(sight: Sight, things: Things, thing: str, found: Sequence[LegalOption]) -> Lit:
    is_single = len(found) == 1
    said = (
        f"Option {found[0].number}: {found[0].words}" if is_single else f"{things.called(thing)}: {len(found)} options"
    )
    sign, to = str(found[0].number) if is_single else "", narrowed_to(sight, (*sight.about, thing))
    # What was picked looks like what was clicked on: it can be given up, but is no longer to be chosen.
    return Lit(sign, to, said, is_chosen=all(map(_takes_back, found)))


def _takes_back(option: LegalOption) -> bool:
    """Return whether an option only takes a pick of a selection back."""
    command = decode_plain(bytes(option.command))
    return isinstance(command, dict) and command.get("do") == tag_of(Unpick)


def _given_up(sight: Sight, things: Things, thing: str) -> Lit:
    """Return a thing that was clicked on; a click gives it up again."""
    to = narrowed_to(sight, [other for other in sight.about if other != thing])
    said = f"{things.called(thing)} is chosen: choose again"
    return Lit("", to, said, is_chosen=True, is_last=thing == sight.about[-1])


def narrowed_to(sight: Sight, about: Sequence[str]) -> str:
    """Return the address of the page with the options about some things."""
    return at_match(sight.story.match, None, sight.seat, about=about)


def still_chosen(
    story: Story, bound: BoundGame | None, legal: LegalReply, about: Sequence[str], before: int
) -> Sequence[str]:
    """Return what stays chosen after a command, so that a stack is moved without beginning anew.

    It is where the command's piece was and where it went, as far as it was chosen, if the same question is asked again and other pieces can still do
    likewise; only where it went if that is one piece; nothing if none can, if no piece has moved on the map, such as where units are picked or Hits are absorbed one after the other, or if one
    has come onto it, such as in a set-up, where the next one goes elsewhere.

    Args:
        story: The match after the command.
        bound: The game on its board.
        legal: What the seat can do now.
        about: What was chosen.
        before: The last event before the command.
    """
    old, now = story.table(before), story.now
    asked = [(one.top and (one.top.kind, one.top.seat), one.round, one.turn, one.phase) for one in (old, now)]
    things = Things(story, bound)
    were, are = [
        {id_: place for id_, one in table.pieces.items() if things.names.is_on_map(place := table.ground(one.place))}
        for table in (old, now)
    ]
    has_moved = any(id_ in were and were[id_] != place for id_, place in are.items())
    if asked[0] != asked[1] or legal.to_move != story.seat or are.keys() - were.keys() or not has_moved:
        return ()
    chosen = [one.partition(OR)[0] for one in about]
    places = [old.ground(old.pieces[PieceId(one)].place) if one in old.pieces else PlaceId(one) for one in chosen]
    kept = [one for one in dict.fromkeys(places) if things.names.is_on_map(one)]
    named = things.of(legal.options)
    likewise = [set(there) for _, there in named if {*kept} <= {*there}]
    gone = {one.id for one in old.pieces.values() if one.id not in now.pieces or now.pieces[one.id].place != one.place}
    if not any(gone.isdisjoint(there) for there in likewise):
        return ()
    # Of the last piece of a stack where it goes says more than where it comes from: what else can be done there, such as an attack, is listed.
    staying = {one for there in likewise for one in there if one not in gone and things.place_of(one) == kept[0]}
    return [one for one in (kept if len(staying) > 1 else kept[-1:]) if not all(one in there for _, there in named)]
