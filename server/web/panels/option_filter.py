"""Subjects of options in the words of a page: the pieces, places and cards that can be chosen, and the options that are left."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from core.game.bound_game import BoundGame
from core.narration.render_model import MapPlace
from core.telling.option_parts import COMMAND, heading_of_sort, sort_in
from events.codec import decode_plain
from events.ids import NO_SIDE, PieceId, PlaceId, Side
from server.page_parts.story import Story
from server.protocol.replies import LegalOption, LegalReply
from server.web.http.addresses import at_match
from server.web.panels.page_model import PageModel

UNGROUPED_MAX = 20
"""If there are more options than these, only what each names first is lit."""
SORT = f"{COMMAND}:"
"""Begins what chooses a sort of options."""
NO_TARGET = 3
"""Where an option stands that leads to no place, behind those that do."""
PIECE_SEPARATOR = "\n"
"""Joins pieces that are chosen together because one counter stands for them."""


class OptionSubjects:
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
        self._short: dict[str, str] = {}

    def of(self, options: Sequence[LegalOption]) -> list[tuple[LegalOption, list[str]]]:
        """Return options with what each is about in the order in which its command names it, each piece before its place."""
        return [(one, self._named(bytes(one.command))) for one in options]

    def told_apart(self, options: Sequence[LegalOption], about: Sequence[str]) -> list[tuple[LegalOption, list[str]]]:
        """Return options with the things by which each can be told from others.

        What every option is about is where the question is asked, not a choice, and what was chosen is chosen.
        """
        found = self.of(options)
        common = {thing for chosen in about for thing in chosen.split(PIECE_SEPARATOR)}
        if len(found) > 1:
            common |= set.intersection(*[set(subjects) for _, subjects in found])
        return [(option, [one for one in subjects if one not in common]) for option, subjects in found]

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
        chosen = {thing for one in about for thing in one.split(PIECE_SEPARATOR)}
        common: set[str | None] = {*chosen, *map(self.place_of, chosen)}
        if len(asked) > 1:
            shared: set[str] = set.intersection(*[set(subjects) for _, subjects in self.of(asked)])
            common |= shared
        return [(option, [one for _, subjects in self.of([option]) for one in subjects if one not in common])]

    def narrowed(self, options: Sequence[LegalOption], about: Sequence[str]) -> Sequence[LegalOption]:
        """Return the options about all that was chosen."""
        sorts = [chosen.removeprefix(SORT) for chosen in about if chosen.startswith(SORT)]
        wanted = [set(chosen.split(PIECE_SEPARATOR)) for chosen in about if not chosen.startswith(SORT)]
        options = [one for one in options if all(sort_in(bytes(one.command)) == sort for sort in sorts)]
        if not wanted:
            return options
        return [option for option, subjects in self.of(options) if all(one & set(subjects) for one in wanted)]

    def in_order(self, options: Sequence[LegalOption], about: Sequence[str]) -> Sequence[LegalOption]:
        """Return options as people look for them: first what is done from the place that was chosen before anything else, from one start to the most urgent target first (`_urgency`), and of the parts of a stack that go one way, the whole first."""
        # A place that was chosen after a piece is where that goes.
        place = next((one for one in about if not one.startswith(SORT)), None)
        place = place if place is not None and self.is_place(place) else None
        movers: dict[int, frozenset[str]] = {}
        comes_in: dict[int, bool] = {}
        ways: dict[tuple[str, ...], list[LegalOption]] = {}
        for option, named in self.of(options):
            start, movers[option.number] = self._movers(named)
            comes_in[option.number] = None not in (place, start) and start != place
            ways.setdefault(_way(option), []).append(option)
        whole: dict[int, LegalOption] = {}
        for there in ways.values():
            every = frozenset().union(*[movers[one.number] for one in there])
            all_go = next((one for one in there if movers[one.number] == every), None) if len(every) > 1 else None
            whole |= {one.number: all_go for one in there if all_go is not None}
        is_of_one = len({one.parts.start for one in options}) == 1 or any(not one.startswith(SORT) for one in about)
        urgency = self._urgency(options) if is_of_one else {}
        found: dict[int, LegalOption] = {}
        for one in sorted(options, key=lambda one: (comes_in[one.number], urgency.get(one.number, ()))):
            first = whole.get(one.number, one)
            found |= {first.number: first, one.number: one}
        return list(found.values())

    def whole(self, options: Sequence[LegalOption], about: Sequence[str]) -> Sequence[LegalOption]:
        """Return the options that move every piece which can leave the chosen place, or the only place; nothing for a single piece, or if one only takes others along."""
        ways = [(option, named[0] if named else "", *self._movers(named)) for option, named in self.of(options)]
        starts = {start for *_, start, _ in ways}
        there = [way for way in ways if way[2] in about or (len(starts) == 1 and None not in starts)]
        every = frozenset[str]().union(*[movers for *_, movers in there])
        is_stack = len(every) > 1 and every == {first for _, first, *_ in there}
        return [option for option, *_, movers in there if movers == every] if is_stack else []

    def _movers(self, named: Sequence[str]) -> tuple[PlaceId | None, frozenset[str]]:
        """Return where the first of the things is that an option is about, if it is a piece of the map, and which of them are pieces there."""
        start = self.place_of(named[0]) if named else None
        return start, frozenset(one for one in named if start is not None and self.place_of(one) == start)

    def leads_on(self, named: Sequence[str]) -> bool:
        """Return whether an option leads its pieces to several places, such as over one to another, or to where they attack."""
        start, _ = self._movers(named)
        return start is not None and len({one for one in named if self.is_place(one)} - {start}) > 1

    def _urgency(self, options: Sequence[LegalOption]) -> Mapping[int, tuple[object, ...]]:
        """Return by what options go one before the other, by their numbers.

        Kinds and starts stay in their order. Of the places to which one start leads, those with a fight come first, then those of the enemy, then all others,
        each time the nearest first; in the end the order of the rules decides, which is that of the board or of the alphabet.
        """
        kinds = list(dict.fromkeys([one.parts.kind for one in options]))
        starts = list(dict.fromkeys([one.parts.start for one in options]))
        steps: dict[PlaceId, Mapping[PlaceId, int]] = {}
        found: dict[int, tuple[object, ...]] = {}
        for option, named in self.of(options):
            parts = option.parts
            piece = self.now.pieces.get(PieceId(named[0])) if named else None
            to = next(
                (PlaceId(one) for one in named if self.is_place(one) and self.names.place(PlaceId(one)) == parts.to),
                None,
            )
            use: tuple[int, ...] = (NO_TARGET,)
            if piece is not None and to is not None:
                start = self.now.ground(piece.place)
                if start not in steps:
                    steps[start] = self._steps_from(start)
                use = (self._meeting(to, piece.side), steps[start].get(to, len(self.names.places)))
            found[option.number] = (kinds.index(parts.kind), starts.index(parts.start), *use)
        return found

    def _meeting(self, place: PlaceId, side: Side) -> int:
        """Return whom the pieces of a side meet at a place: 0 for a fight that goes on, 1 for the enemy alone, 2 for nobody."""
        pieces = [self.now.pieces[one] for one in self.now.pieces_at(place)]
        there = {one.side for one in pieces if self.names.narration.is_force(one.kind)}
        return 2 if not there - {side, NO_SIDE} else 1 if side not in there else 0

    def _steps_from(self, start: PlaceId) -> Mapping[PlaceId, int]:
        """Return how many steps away the places are that can be reached from one over neighbours."""
        found, front, steps = {start: 0}, [start], 0
        while front:
            around = [near for one in front if one in self._map_places for near in self._map_places[one].neighbours]
            front, steps = list(dict.fromkeys([near for near in around if near not in found])), steps + 1
            found |= dict.fromkeys(front, steps)
        return found

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

    def leaders(self, options: Sequence[LegalOption]) -> list[str]:
        """Return the names of what options are about: of a card without what it is for; of all pieces, or else of the place."""
        return [
            self.names.anything(named[0])
            if named and named[0] not in self.now.pieces and not self.is_place(named[0])
            else one.parts.who or one.parts.to
            for one, named in self.of(options)
        ]

    def begin_on(self, map_: str, options: Sequence[LegalOption]) -> bool:
        """Return whether what options name first is on one of several maps."""
        first = {PlaceId(self.place_of(named[0]) or named[0]) for _, named in self.of(options) if named}
        return any(self._map_of(place) == map_ for place in first)

    def other_maps(self, places: Mapping[int, PlaceId]) -> dict[int, str]:
        """Return the names of the maps of places that are not on that of the first, by the same numbers."""
        first = next(map(self._map_of, places.values()), "")
        return {
            number: self.names.of(there) for number, place in places.items() if (there := self._map_of(place)) != first
        }

    @cached_property
    def _map_places(self) -> Mapping[PlaceId, MapPlace]:
        """The places as they are drawn, which a game makes anew each time."""
        return {one.id: one for one in self.names.narration.places()}

    def _map_of(self, place: PlaceId) -> str:
        """Return the map on which a place is; empty if it is on none."""
        return self._map_places[place].map if place in self._map_places else ""

    def shared_places(self, things: Iterable[str]) -> set[PlaceId]:
        """Return the places of the map at which several of some things are."""
        places = Counter([place for one in things if (place := self.place_of(one)) is not None])
        return {place for place, count in places.items() if count > 1}

    def only_place(self, options: Sequence[LegalOption]) -> list[str]:
        """Return the name of the place of all pieces that options are about, as no title needs it then; nothing if there are several places."""
        places = {self.place_of(named[0]) if named else None for _, named in self.of(options)}
        place = places.pop() if len(places) == 1 else None
        return [] if place is None else [self.short_place(place)]

    def is_whole(self, option: LegalOption) -> bool:
        """Return whether an option says nothing besides its sort and what it is about, so that these tell it."""
        plain, meant = decode_plain(bytes(option.command)), self._meant(bytes(option.command))
        sort = sort_in(bytes(option.command))
        if sort == "unpick":
            # What is taken back beside what goes on would read as more of that.
            return False
        picked_for = plain.get("to") if isinstance(plain, dict) and sort == "pick" else None
        of, for_ = PlaceId(str(plain.get("item"))) if isinstance(plain, dict) else PlaceId(""), PlaceId(str(picked_for))
        if picked_for and (self.names.is_on_map(of) or not self.names.is_on_map(for_)):
            # The sentence alone tells what an item is for, such as a target, or at what it fires from one place at another.
            return False
        values = [value for name, value in plain.items() if name != "do"] if isinstance(plain, dict) else []
        ids = [one for value in values for one in (value if isinstance(value, list) else [value])]
        named = [one for one in ids if isinstance(one, str)]
        if any(map(self.place_of, named)) and any(self._is_neither(one) and one not in meant for one in named):
            # The sentence alone tells what a piece does with a card, or in which of several ways it meets something.
            return False
        return all(isinstance(one, str) and (one in meant or self._is_told(one)) for one in ids)

    def called(self, thing: str, *, is_brief: bool = False) -> str:
        """Return what a thing is called; a piece of the map with its place, which may be brief, a sort of options by its heading."""
        if thing.startswith(SORT):
            return heading_of_sort(thing.removeprefix(SORT), self.names)
        id_ = thing.partition(PIECE_SEPARATOR)[0]
        place = self.place_of(id_)
        if place is None:
            return self.names.anything(id_)
        where = self.names.place(place)
        return f"{self.names.piece(id_, place)}, at {where.partition(' (')[0] if is_brief else where}"

    def short_place(self, place: PlaceId) -> str:
        """Return the name of a place without what stands in brackets behind it, if that names no other place: `hex 3` for `hex 3 (Latoshinka)`."""
        if not self._short:
            names = [self.names.place(one.id) for one in self.names.narration.places()]
            counts = Counter([name.partition(" (")[0] for name in names])
            brief = {name: name.partition(" (")[0] for name in names}
            # A number alone is no name.
            self._short = {
                name: short if counts[short] == 1 and not short.isdigit() else name for name, short in brief.items()
            }
        name = self.names.place(place)
        return self._short.get(name, name)

    def brief_places(self, options: Sequence[LegalOption]) -> Mapping[str, str]:
        """Return what rows call the places that options are about, by their names, as far as that is brief and tells them apart."""
        named = {
            place for _, things in self.of(options) for one in things if (place := self.place_of(one) or PlaceId(one))
        }
        brief = {one.id: one.brief for one in self.names.narration.place_names() if one.brief and one.id in named}
        counts = Counter(brief.values())
        return {self.names.place(place): said for place, said in brief.items() if counts[said] == 1}

    def is_place(self, thing: str) -> bool:
        """Return whether a thing is a place of the map."""
        return self.names.is_on_map(PlaceId(thing))

    def place_of(self, id_: str) -> PlaceId | None:
        """Return the place of a piece on the map; None for anything else."""
        piece = self.now.pieces.get(PieceId(id_))
        place = None if piece is None else self.now.ground(piece.place)
        return place if place is not None and self.names.is_on_map(place) else None

    def _named(self, command: bytes) -> list[str]:
        """Return what a command is about; a page asks several times, of hundreds of options."""
        if command not in self._known:
            self._known[command] = list(dict.fromkeys(self._in(decode_plain(command), self._meant(command))))
        return self._known[command]

    def _meant(self, command: bytes) -> Mapping[str, Sequence[PieceId]]:
        if self._bound is None:
            return {}
        return self._bound.narration.pieces_meant(self.now, self._bound.rules.decode(command))

    def _is_outdone(self, command: bytes) -> bool:
        return self._bound is not None and self._bound.narration.is_outdone(self.now, self._bound.rules.decode(command))

    def _is_told(self, id_: str) -> bool:
        """Return whether an id is that of a place of the map, of a piece, or of something else with a name."""
        return self.names.is_on_map(PlaceId(id_)) or id_ in self.now.pieces or self.names.of(id_) != id_

    def _is_neither(self, id_: str) -> bool:
        """Return whether an id is that of something that is neither a place of the map nor a piece."""
        return not self.names.is_on_map(PlaceId(id_)) and id_ not in self.now.pieces

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


def _way(option: LegalOption) -> tuple[str, ...]:
    """Return what is done from where to where."""
    return (option.parts.kind, option.parts.start, option.parts.to)


def narrowed_to(model: PageModel, about: Sequence[str], *, is_elsewhere: bool = False) -> str:
    """Return the address of the page with the options about some things; of a sort alone on the map that the visitor looks at, unless it begins elsewhere."""
    map_ = "" if is_elsewhere or not all(one.startswith(SORT) for one in about) else model.map_view.key
    return at_match(model.story.match, None, model.seat, about=about, map_=map_)


def still_chosen(
    story: Story, bound: BoundGame | None, legal: LegalReply, about: Sequence[str], before: int
) -> Sequence[str]:
    """Return what stays chosen after a command, so that a stack is moved without beginning anew.

    It is where the command's piece was and where it went, as far as it was chosen, if the same question is asked again and other pieces can still do
    likewise; only where it went if that is one piece, and nothing if that was not chosen; nothing if none can, if no piece has moved on the map, such as where units are picked or Hits are absorbed one after the other, or if one
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
    subjects = OptionSubjects(story, bound)
    were, are = [
        {id_: place for id_, one in table.pieces.items() if subjects.names.is_on_map(place := table.ground(one.place))}
        for table in (old, now)
    ]
    has_moved = any(id_ in were and were[id_] != place for id_, place in are.items())
    if asked[0] != asked[1] or legal.to_move != story.seat or are.keys() - were.keys() or not has_moved:
        return ()
    chosen = [one.partition(PIECE_SEPARATOR)[0] for one in about]
    places = [old.ground(old.pieces[PieceId(one)].place) if one in old.pieces else PlaceId(one) for one in chosen]
    kept = [one for one in dict.fromkeys(places) if subjects.names.is_on_map(one)]
    if not kept:
        return ()
    named = subjects.of(legal.options)
    likewise = [set(there) for _, there in named if {*kept} <= {*there}]
    gone = {one.id for one in old.pieces.values() if one.id not in now.pieces or now.pieces[one.id].place != one.place}
    if not any(gone.isdisjoint(there) for there in likewise):
        return ()
    # Of the last piece of a stack where it goes says more than where it comes from: what else can be done there, such as an attack, is listed.
    staying = {one for there in likewise for one in there if one not in gone and subjects.place_of(one) == kept[0]}
    left = {old.ground(old.pieces[one].place) for one in gone}
    if not staying and kept[-1] in left:
        return ()
    return [one for one in (kept if len(staying) > 1 else kept[-1:]) if not all(one in there for _, there in named)]
