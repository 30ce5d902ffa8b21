"""Options that a page offers, in their order and with their keys: by kind if there are many, the rest narrowed by what was chosen, and last what ends the step."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from core.chance.schemes import MANUAL
from core.legal.repeats import repeats
from events.ids import PlaceId
from server.protocol.replies import LegalOption, LegalReply
from server.web.backend.actions import TIMES_MAX
from server.web.http.cookies import Confirmation
from server.web.panels.option_filter import PIECE_SEPARATOR, SORT, OptionSubjects
from server.web.panels.option_words import (
    SHORT,
    Kind,
    act_and_consequence,
    act_anywhere,
    each_once,
    first_of,
    in_brief,
    kinds_of,
    labels_of,
    of_its_kind,
    only_subject,
    shared,
    subject_of,
    way_of,
    without_chosen,
    without_places,
    without_shared,
)
from server.web.panels.page_model import PageModel
from server.web.panels.whole_choices import Together, all_together

BUTTONS_MAX = 9
"""More options than these are first kinds, and then the things that they are about: each button has one key."""
ROW, LINE, LINE_CHARACTERS = 48, 19, 34
"""How high a row and each further line of its words are in one column, in pixels, and how many characters a line has."""


class Row(NamedTuple):
    """Options that stand together: as buttons, under a `title` if they are what is left of a thing and with what they `share`, or behind a link with a `key` under a `thing` that they are about, or under what a `group` of them is for; those under what their piece does are told by where, and many may be folded, as those that are `is_of_all`, for a whole stack, which it need not name again. A thing may be a place with a stack of pieces, or a target of what was chosen."""

    options: Sequence[LegalOption]
    title: str = ""
    thing: str = ""
    remark: str = ""
    key: int = 0
    shared: str = ""
    is_by_act: bool = False
    is_folded: bool = False
    is_stack: bool = False
    is_target: bool = False
    is_group: bool = False
    is_of_all: bool = False

    @property
    def ways(self) -> str:
        """Who is there, of a stack with short names; or else how many options there are, after what all of them cost."""
        there = first_of([subject_of(one) for one in self.options]) if self.is_stack else ""
        if len(there) in SHORT:
            return there
        first, *others = {one.parts.consequence.partition(":")[0] for one in self.options}
        cost = f"{first}, " if first and not others else ""
        return f"{cost}{len(self.options)} ways"


class OfferedOptions(NamedTuple):
    """Options that a page offers.

    Attributes:
        kinds: The kinds of all options, if there are many options and several kinds; what was chosen may be of one of them.
        rows: The options that fit what was chosen; none while one of several kinds is to be chosen.
        outdone: Those of them that others outdo.
        ending: What ends the step, if something does; it always can be chosen.
        keys: The keys of the options that have a button, by their numbers, and of those that are the same in words, of which the first alone has one.
        labels: Their words in this company, and the consequence apart from these.
        texts: What the card says that each option is about, where nothing beside it does.
        repeats: How often each of those can be played at once that can be repeated, such as a move of like pieces.
        alone: Who can do all of them, if that is one piece of a chosen place; they do not name it.
        places: Where on the map they lead, by their numbers.
        maps: On which other map that is than where the first leads.
        together: For each place where all pieces of the chosen place can go at once, the options that are played then.
    """

    kinds: Sequence[Kind]
    rows: Sequence[Row]
    outdone: Sequence[LegalOption]
    ending: LegalOption | None
    keys: Mapping[int, int]
    labels: Mapping[int, tuple[str, str]]
    texts: Mapping[int, str]
    repeats: Mapping[int, int] = {}
    together: Sequence[Together] = ()
    alone: str = ""
    places: Mapping[int, PlaceId] = {}
    maps: Mapping[int, str] = {}

    @property
    def choices(self) -> Sequence[LegalOption]:
        """The options that have a button; what ends the step, and those that others outdo, come last."""
        rows = [one for row in self.rows if not row.thing for one in row.options]
        single = [kind.options[0] for kind in self.kinds if len(kind.options) == 1]
        ending = [] if self.ending is None else [self.ending]
        return list({one.number: one for one in (*rows, *single, *ending, *self.outdone)}.values())

    @property
    def height(self) -> int:
        """About how high the list of them is in one column, in pixels: each link is one row, and the words of a button take as many lines as they need."""
        links = sum(bool(row.thing) for row in self.rows) + sum(len(kind.options) != 1 for kind in self.kinds)
        said = [" ".join([*self.labels[one.number], self.texts.get(one.number, "")]) for one in self.choices]
        lines = sum(max(1, len(words) // LINE_CHARACTERS) for words in said)
        return ROW * (links + len(said) + len(self.together)) + LINE * (lines - len(said))


def offered_options(model: PageModel, subjects: OptionSubjects, legal: LegalReply) -> OfferedOptions:
    """Return what the page offers of the options of a question."""
    about = model.decision.about
    ending = next((one for one in legal.options if one.parts.ends), None)
    every = [one for one in legal.options if one is not ending]
    choices, left = each_once(every), each_once(subjects.in_order(subjects.narrowed(every, about), about))
    useful = subjects.of_use(left)
    kinds = kinds_of(legal, subjects, subjects.of_use(choices)) if len(choices) > BUTTONS_MAX else ()
    if map_ := model.map_view.key:
        kinds = [kind._replace(is_elsewhere=not subjects.begin_on(map_, kind.options)) for kind in kinds]
    is_by_kind = sum(bool(kind.options) for kind in kinds) > 1 and not about
    rows = [] if is_by_kind else _rows(model, subjects, useful)
    outdone = [] if is_by_kind else [one for one in left if one not in useful]
    keys, rows = _with_keys(rows, outdone)
    single = [kind.options[0] for kind in kinds if len(kind.options) == 1]
    shown = [one for one in (*useful, *outdone) if one.number in keys]
    labels = {ending.number: act_and_consequence(ending)} if ending else {}
    labels |= {one.number: of_its_kind(subjects, one) for one in single}
    titled = {one.number: row.options for row in rows if row.title and not row.thing for one in row.options}
    among = {one.number: titled.get(one.number, left) for one in shown}
    alone = only_subject(useful) if all(map(subjects.is_place, about)) else ""
    is_subject_chosen = bool(alone) or not all(map(subjects.is_place, about))
    labels |= labels_of(subjects, shown, among, is_subject_chosen=is_subject_chosen)
    placed = [
        row.options for row in rows if row.is_by_act and len({one.parts.to for one in row.options}) == len(row.options)
    ]
    labels |= {one.number: (one.parts.to, labels[one.number][1]) for those in placed for one in those}
    ways = {
        # Their kind stands above them.
        one.number: way_of(one).removeprefix(f"{one.parts.kind} ")
        for row in rows
        if row.is_of_all
        for one in row.options
    }
    labels |= {number: (way, labels[number][1]) for number, way in ways.items() if way}
    keys |= {ending.number: 0} if ending else {}
    chosen = [subjects.called(one) for one in about if not one.startswith(SORT)]
    labels |= without_chosen(chosen, {one.number: labels[one.number] for one in shown})
    near = [subjects.short_place(PlaceId(one)) for one in about if subjects.is_place(one)]
    near += subjects.only_place(useful)
    rows = [row._replace(title=without_places(row.title, [*chosen, *near])) if row.title else row for row in rows]
    rows = [
        row if row.thing else row._replace(shared=shared([labels[one.number] for one in row.options])) for row in rows
    ]
    for row in rows:
        labels |= {one.number: without_shared(labels[one.number], row.shared) for one in row.options if row.shared}
    labels = in_brief(labels, subjects.brief_places(shown))
    is_said = any(subject_of(one) in labels[one.number][0] for one in shown)
    texts = _texts(model, subjects, rows, labels)
    first = {(one.words, one.parts): keys[one.number] for one in shown if one.words}
    keys |= {one.number: first[one.words, one.parts] for one in every if (one.words, one.parts) in first}
    places = {
        one.number: PlaceId(place) for one, named in subjects.of(shown) for place in named if subjects.is_place(place)
    }
    alone, maps = "" if is_said else alone, subjects.other_maps(places)
    return OfferedOptions(kinds, rows, outdone, ending, keys, labels, texts, alone=alone, places=places, maps=maps)


def offered_now(model: PageModel, subjects: OptionSubjects) -> OfferedOptions | None:
    """Return what the page offers of the options of the open question, with how often each can be played at once; None if its seat is not to decide."""
    legal = model.decision.legal
    if legal is None or legal.to_move != model.seat:
        return None
    return with_repeats(model, offered_options(model, subjects, legal))


def with_repeats(model: PageModel, offered: OfferedOptions) -> OfferedOptions:
    """Add how often options with a button can be played at once; not with typed dice, or if each command is to be confirmed."""
    bound, now = model.bound, model.story.now
    if bound is None or now.chance.scheme == MANUAL or model.decision.confirmation is Confirmation.EACH:
        return offered
    if not model.is_of_one_moment:
        # The match has gone on while the page was made, perhaps to a question that has other answers.
        return offered
    found = {}
    shown = [one for row in offered.rows if not row.thing for one in row.options]
    for one in shown[:BUTTONS_MAX]:
        command = bound.rules.decode(bytes(one.command))
        if not bound.narration.is_final(now, command) and (times := repeats(bound.rules, now, command, TIMES_MAX)) > 1:
            found[one.number] = times
    offered = offered._replace(repeats=found)
    together = all_together(model, bound, [one for row in offered.rows for one in row.options], found)
    # They stand above the rows, and have the first keys.
    count = len(together)
    keys = {number: key + count if key else key for number, key in offered.keys.items()}
    rows = [row._replace(key=row.key + count) if row.thing else row for row in offered.rows]
    together = [one._replace(key=key) for key, one in enumerate(together, start=1)]
    return offered._replace(together=together, keys=keys, rows=rows)


def _with_keys(rows: Sequence[Row], outdone: Sequence[LegalOption]) -> tuple[dict[int, int], list[Row]]:
    """Return the keys of the options that have a button, and the rows with those of the links."""
    keys: dict[int, int] = {}
    found: list[Row] = []
    key = 0
    for row in rows:
        for one in () if row.thing else row.options:
            key += 1
            keys[one.number] = key
        key += bool(row.thing)
        found.append(row._replace(key=key) if row.thing else row)
    return keys | {one.number: number for number, one in enumerate(outdone, start=key + 1)}, found


# Rows


def _rows(
    model: PageModel, subjects: OptionSubjects, options: Sequence[LegalOption], *, is_of_stack: bool = False
) -> list[Row]:
    """Return options as buttons, under what they are for; many of them under what each names first, a piece of a stack under its place, or with what a card says."""
    if options and all(one.parts.group for one in options):
        groups = sorted({one.parts.group for one in options})
        return [Row([one for one in options if one.parts.group == group], group, is_group=True) for group in groups]
    if len(options) <= BUTTONS_MAX:
        return [Row(options)]
    about = model.decision.about
    apart = subjects.told_apart(options, about)
    if cards := list(_of_cards(model, subjects, apart)):
        return cards
    is_thing_chosen = any(not one.startswith(SORT) for one in about)
    if all_go := _of_whole(subjects, options, about):
        going = {one.number for row in all_go for one in row.options}
        return [*all_go, *_rows(model, subjects, [one for one in options if one.number not in going], is_of_stack=True)]
    # The other pieces of what was chosen are still to be chosen one by one.
    stacks = set() if is_thing_chosen or is_of_stack else subjects.stacks(apart)
    folds = _folds(subjects, apart, stacks)
    if len(folds) > BUTTONS_MAX and not is_thing_chosen:
        # Where many pieces can be chosen, those of a place are found there, with what all of them can do.
        stacks |= subjects.shared_places(next(iter(things)) for things, _ in folds.values())
        folds = _folds(subjects, apart, stacks)
    if len(folds) <= 1:
        return _by_act([Row(options)])
    rows = []
    for title, (things, found) in folds.items():
        first = next(iter(things))
        is_stack = first in stacks
        figures = _figures(model, subjects, first)
        row = Row(
            found,
            title,
            PIECE_SEPARATOR.join(things),
            figures,
            is_stack=is_stack,
            is_target=subjects.is_place(first) and not is_stack,
        )
        rows.append(row if title and len(found) > 1 else Row(found))
    return _by_act(rows) if about else _with_first_open(rows)


def _of_whole(subjects: OptionSubjects, options: Sequence[LegalOption], about: Sequence[str]) -> list[Row]:
    """Return what the whole of a chosen stack can do, by kind, folded if that is longer than a screen; nothing if no part of it can do anything else."""
    whole = subjects.whole(options, about)
    if not 0 < len(whole) < len(options):
        return []
    kinds: dict[str, list[LegalOption]] = {}
    for one in whole:
        kinds.setdefault(one.parts.kind, []).append(one)
    who = whole[0].parts.who
    said = f"All of it: {who}" if len(who) in SHORT else "All of it"
    is_long = len(whole) > BUTTONS_MAX
    return [
        Row(those, f"{kind} with all of it" if len(kinds) > 1 else said, is_folded=is_long, is_of_all=True)
        for kind, those in kinds.items()
    ]


def _folds(
    subjects: OptionSubjects, apart: Sequence[tuple[LegalOption, Sequence[str]]], stacks: Collection[str]
) -> Mapping[str, tuple[Mapping[str, None], list[LegalOption]]]:
    """Return options by what each names first, a piece of a stack by its place, under names that are brief as far as they differ; things of one name, such as two copies of a card, are chosen together."""
    folds: dict[str, tuple[dict[str, None], list[LegalOption]]] = {}
    for option, named in apart:
        first = named[0] if named else ""
        place = subjects.place_of(first)
        thing = place if place is not None and place in stacks else first
        things, found = folds.setdefault(subjects.called(thing) if thing else "", ({}, []))
        things[thing] = None
        found.append(option)
    brief = {name: name and subjects.called(next(iter(things)), is_brief=True) for name, (things, _) in folds.items()}
    counts = Counter(brief.values())
    return {brief[name] if counts[brief[name]] == 1 else name: fold for name, fold in folds.items()}


def _by_act(rows: list[Row]) -> list[Row]:
    """Return rows of which many options of one piece, such as flights, are found by what it does, and then by where.

    What it does in several ways at one place stands with the rest of each: a fight that goes on must not lie behind a link at the end.
    """
    near = [row for row in rows if not row.remark and (row.is_target or not row.title)]
    every = [one for row in near for one in row.options]
    acts: dict[str, list[LegalOption]] = {}
    for one in sorted(every, key=lambda one: one.number):
        acts.setdefault(act_anywhere(one), [])
    for one in every:
        acts[act_anywhere(one)].append(one)
    if len(every) <= BUTTONS_MAX or "" in acts or len(acts) > BUTTONS_MAX:
        return rows
    # What is looked for least is a click away where all would be longer than a screen.
    is_long = len(every) > 2 * BUTTONS_MAX
    groups = [
        Row(those, act, is_by_act=True, is_folded=is_long and place > 0 and len(those) > 1)
        for place, (act, those) in enumerate(acts.items())
    ]
    # What comes into a chosen place stays behind what goes out of it.
    before = rows.index(near[0])
    return [*rows[:before], *groups, *[row for row in rows[before:] if row not in near]]


def _with_first_open(rows: Sequence[Row]) -> list[Row]:
    """Return rows of a question before anything is chosen, with one option at least in direct reach: if all are behind links, those of the first stand open under its title."""
    first = rows[0]
    is_closed = all(row.thing for row in rows) and len(first.options) <= BUTTONS_MAX
    return [first._replace(thing=""), *rows[1:]] if is_closed else list(rows)


def _figures(model: PageModel, subjects: OptionSubjects, thing: str) -> str:
    """Return what is printed on a thing, such as what a card says, if the map does not show it."""
    narration = model.story.narration
    is_seen = subjects.place_of(thing) is not None
    return "" if narration is None or is_seen else narration.card_text(thing, model.story.now).removesuffix(".")


def _of_cards(
    model: PageModel, subjects: OptionSubjects, apart: Sequence[tuple[LegalOption, Sequence[str]]]
) -> Iterator[Row]:
    """Yield options that are about a card each with what it says, those that say the same together; nothing if others are among them."""
    said: dict[str, list[LegalOption]] = {}
    for option, named in apart:
        text = card_text(model, subjects, named) if len(named) == 1 else ""
        if not text:
            return
        said.setdefault(text, []).append(option)
    yield from (Row(found, remark=text) for text, found in said.items())


def card_text(model: PageModel, subjects: OptionSubjects, named: Sequence[str]) -> str:
    """Return what a card says that an option spends, whatever its target is; nothing of a piece that the option does something with."""
    narration = model.story.narration
    first = next(iter(named), "")
    is_card = subjects.place_of(first) is None and (len(named) == 1 or first not in subjects.now.pieces)
    if narration is None or model.decision.legal is None or not is_card:
        return ""
    return narration.card_text(first, model.story.now)


def _texts(
    model: PageModel, subjects: OptionSubjects, rows: Sequence[Row], labels: Mapping[int, tuple[str, str]]
) -> Mapping[int, str]:
    """Return what the cards say of which options have a button, once for the targets of a card, unless it stands above or below all of these or their words say it."""
    shown = [one for row in rows if not row.thing and not row.remark for one in row.options]
    chosen = {thing for one in model.decision.about for thing in one.split(PIECE_SEPARATOR)}
    said = {number: " ".join(words).casefold() for number, words in labels.items()}
    found: dict[str, int] = {}
    for option, named in subjects.of(shown):
        text = "" if named and named[0] in chosen else card_text(model, subjects, named)
        if text and text.removesuffix(".").casefold() not in said.get(option.number, ""):
            found.setdefault(text, option.number)
    return {number: text for text, number in found.items()}
