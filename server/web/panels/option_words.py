"""Words of an option among others: what is done, what comes of that, and what tells it from those beside it; and those of a kind of options."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.telling.option_parts import sort_in
from core.telling.phrases import listed
from core.wording import capital, in_common
from server.protocol.replies import LegalOption, LegalReply
from server.web.panels.option_filter import SORT, OptionSubjects

WHO_CHARACTERS_MAX = 60
"""How long the names of the pieces may be that an option is told by."""
SHORT = range(1, WHO_CHARACTERS_MAX + 1)
"""How long what a row says may be."""
SUMMARY_MAX = 2
"""The most things that the row of a kind names."""
TAKEN_LETTERS = frozenset("nwt")
"""Letters that are keys of something else on the page of a match."""


def act_and_consequence(option: LegalOption) -> tuple[str, str]:
    """Return the sentence of an option up to its consequence, and the consequence, which may be empty."""
    consequence = option.parts.consequence
    act, found, rest = option.words.rpartition(consequence) if consequence else ("", "", "")
    return (act.rstrip(" :;,("), f"{found}{rest.removesuffix(')')}") if act else (option.words, "")


def without_places(words: str, places: Sequence[str]) -> str:
    """Return what an option says without from where, to where or at which place, where that is chosen already: `Move 39th Guards`; one place of several stays."""
    for place in places:
        words = re.sub(
            rf"(?:(?:, which goes)? to|(?: and place it|,)? at| from) {re.escape(place)}(?!\w| \(|, | and (?!place it))",
            "",
            words,
        )
    return words


def without_subject(option: LegalOption) -> str:
    """Return the sentence of an option without the piece that it is about and where that is, which the page says above; nothing if it does not begin so."""
    act, _ = act_and_consequence(option)
    name = subject_of(option)
    _, found, left = act.replace(f" from {option.parts.start}", "", 1).partition(f"{name} ")
    is_alone = found and left[:1].isalpha() and not left.startswith("and ")
    return capital(left) if name and is_alone else ""


def way_of(option: LegalOption) -> str:
    """Return what pieces do by an option without their names, where they are, and the heading of its kind; nothing if the sentence does not say it so."""
    act, _ = act_and_consequence(option)
    before, found, way = act.partition(f" from {option.parts.start} ")
    opening, colon, _ = before.rpartition(": ")
    return f"{opening}: {way}".removeprefix(f"{option.parts.kind}: ") if found and colon else ""


def act_anywhere(option: LegalOption) -> str:
    """Return what its piece does by an option without where to, as in `Flies to attack`; nothing if the sentence does not say that."""
    to = option.parts.to
    before, found, after = without_subject(option).partition(to) if to else ("", "", "")
    act = before.strip().removesuffix(" to").removesuffix(" the")
    return f"{act}{after}" if found and act.casefold() != "to" else ""


def subject_of(option: LegalOption) -> str:
    """Return the name of the first piece that an option is about, without what is said of it, or of what it takes along, in brackets."""
    return option.parts.who.partition(" (")[0]


def only_subject(options: Sequence[LegalOption]) -> str:
    """Return the piece that all of several options are about, if each leads from the place of it to another; else nothing."""
    movers = {(subject_of(one), one.parts.start) for one in options}
    is_moved = len(options) > 1 and all(one.parts.to for one in options)
    return movers.pop()[0] if len(movers) == 1 and is_moved else ""


def besides(consequence: str, words: str) -> str:
    """Return a consequence unless the words of the option say it already, as who attacks says with whom."""
    return "" if consequence.removeprefix("with ") == words else consequence


def is_on_the_spot(option: LegalOption) -> bool:
    """Return whether pieces act where they are, such as in a Control Area of the Location that they attack."""
    return bool(option.parts.to) and option.parts.start.startswith(option.parts.to)


def told_apart(option: LegalOption, shown: Sequence[LegalOption], among: Sequence[LegalOption]) -> str:
    """Return by who, from where and to where an option differs from those among which it is; nothing if it stands beside other kinds, or does not differ."""
    if len(shown) < 2 or len({one.parts.kind for one in shown}) > 1:
        return ""
    if all(map(is_on_the_spot, shown)):
        # What is done where its pieces are is told by its place.
        return ""
    differs = {name: len({getattr(one.parts, name) for one in among}) > 1 for name in ("who", "start", "to")}
    parts = option.parts
    # A whole stack goes without saying where no two leave one place for another.
    ways = Counter([(one.parts.start, one.parts.to) for one in shown])
    is_said = len(parts.who) > WHO_CHARACTERS_MAX and differs["start"] and ways[parts.start, parts.to] == 1
    who = parts.who if differs["who"] and not is_said else ""
    # Like pieces of several places are told apart by where they go.
    is_of_one = len({one.parts.start for one in shown if one.parts.who == parts.who}) > 1 or " and " not in parts.start
    start = parts.start if differs["start"] and not (who and not (differs["to"] and is_of_one)) else ""
    to = parts.to if differs["to"] else ""
    if who and differs["start"] and not start and not to and shown[0].parts.kind:
        # What is done at several places is not told by who does it.
        return ""
    if not who:
        # Whence alone would read as whither.
        return to if not start else f"from {start} to {parts.to}" if parts.to else start
    return f"{who}{f' from {start}' if start else ''}{f' to {to}' if to else ''}"


def shared(labels: Sequence[tuple[str, str]]) -> str:
    """Return what comes of each of several options, or with which words that begins up to a colon; nothing if they have none in common."""
    consequences = {consequence for _, consequence in labels}
    first = next(iter(consequences)) if len(labels) > 1 else ""
    if len(consequences) == 1:
        return first
    begins = {one.partition(": ")[0] for one in consequences}
    return begins.pop() if len(begins) == 1 else ""


def without_shared(label: tuple[str, str], said: str) -> tuple[str, str]:
    """Return the words of an option, and what comes of it without what is said of all beside it."""
    words, consequence = label
    return words, consequence.removeprefix(said).removeprefix(": ")


def each_once(options: Sequence[LegalOption]) -> list[LegalOption]:
    """Return options without those that say the same as one before, such as for another copy of a card: nobody can tell which is chosen."""
    found: dict[object, LegalOption] = {}
    for one in options:
        found.setdefault((one.words or one.number, one.parts), one)
    return list(found.values())


def of_its_kind(subjects: OptionSubjects, option: LegalOption) -> tuple[str, str]:
    """Return the heading of the only option of its kind, and its way with the consequence, as of kinds with several; else the sentence."""
    parts = option.parts
    if not (parts.start and parts.to and subjects.is_whole(option)) or is_on_the_spot(option):
        return act_and_consequence(option)
    who = parts.who if len(parts.who) <= WHO_CHARACTERS_MAX else ""
    way = f"{who} from {parts.start} to {parts.to}".strip()
    return parts.kind, f"{way}: {parts.consequence}" if parts.consequence else way


def labels_of(
    subjects: OptionSubjects,
    shown: Sequence[LegalOption],
    among: Mapping[int, Sequence[LegalOption]],
    *,
    is_subject_chosen: bool,
) -> dict[int, tuple[str, str]]:
    """Return the words of options that stand together: what tells them apart if that is all they say, or else the sentence, and the consequence.

    Args:
        subjects: What options are about.
        shown: Those with a button.
        among: For each, those from which it is to be told apart: what stands under its title, or else all that fit what was chosen, also behind links.
        is_subject_chosen: Whether something else than a place was chosen.
    """
    short = {one.number: told_apart(one, shown, among[one.number]) for one in shown if subjects.is_whole(one)}
    for one, named in subjects.of(shown):
        # Where to and whom one attacks from there are not two places to go to.
        before, found, _ = short.get(one.number, "").rpartition(f"to {one.parts.to}")
        way = way_of(one) if found and subjects.leads_on(named) else ""
        short |= {one.number: f"{before.rstrip()}: {way}" if before else way} if way else {}
    subject = {(subject_of(one), one.parts.start) for one in shown}
    if is_subject_chosen and len(subject) == 1:
        (name, _), ways = subject.pop(), {one.number: without_subject(one) for one in shown}
        is_named = any(name in short.get(one.number, name) for one in shown)
        short = ways if is_named and all(ways.values()) else short
    counts = Counter([(words, one.parts.consequence) for one in shown if (words := short.get(one.number))])
    return {
        one.number: (words, besides(one.parts.consequence, words))
        if (words := short.get(one.number)) and counts[words, one.parts.consequence] == 1
        else act_and_consequence(one)
        for one in shown
    }


def without_chosen(chosen: Sequence[str], labels: Mapping[int, tuple[str, str]]) -> dict[int, tuple[str, str]]:
    """Return labels without the places that are chosen, as far as they are still told apart."""
    short = {number: (without_places(words, chosen), rest) for number, (words, rest) in labels.items()}
    counts = Counter(short.values())
    return {number: said for number, said in short.items() if said[0] and counts[said] == 1}


def in_brief(labels: Mapping[int, tuple[str, str]], brief: Mapping[str, str]) -> dict[int, tuple[str, str]]:
    """Return labels with brief names of places in place of their names."""

    def told(text: str) -> str:
        for name, said in brief.items():
            text = text.replace(name, said)
        return text

    return {number: (told(words), told(rest)) for number, (words, rest) in labels.items()}


def done_by_all(to: str, act: str) -> str:
    """Return what all pieces of a place do that go to another, as in `fly to attack Kalach`; only where to if that is all that each does.

    Args:
        to: Where they go.
        act: What each does, without who and from where, as in `Flies to attack Kalach`; it may be empty.
    """
    verb, _, rest = act.partition(" ")
    if not act or verb.casefold() == "to":
        return f"to {to}"
    verb = f"{verb[:-3]}y" if verb.endswith("ies") else verb.removesuffix("s")
    return f"{verb.casefold()} {rest}{' each' if ' with ' in rest else ''}"


def common_end(sentences: Sequence[str]) -> str:
    """Return the whole words with which sentences end alike, of which the first is a verb in the singular."""
    ends = in_common([" ".join(reversed(one.split())) for one in sentences])
    return " ".join(reversed(ends.split()))


# Kinds


def first_of(names: Sequence[str]) -> str:
    """Return the first of some names, each once, and how many more there are."""
    every = list(dict.fromkeys(names))
    more = len(every) - SUMMARY_MAX
    return listed([*every[: SUMMARY_MAX + (more == 1)], *([f"{more} more"] if more > 1 else [])])


class Kind(NamedTuple):
    """A kind of options: what chooses it, its heading, its key, its options, why it has none, what they are about, and whether they begin on another map than the visitor looks at."""

    chosen_by: str
    heading: str
    key: str
    options: Sequence[LegalOption]
    why: str
    about: Sequence[str] = ()
    is_elsewhere: bool = False

    @property
    def summary(self) -> str:
        """What its options are about, the first by name; or where they are, or else how many there are."""
        places = [one.parts.start.partition(" (")[0] for one in self.options]
        where = f"from {first_of(places)}" if all(places) else ""
        said = next((one for one in (first_of(self.about) if all(self.about) else "", where) if len(one) in SHORT), "")
        return said or f"{len(self.options)} ways"


def kinds_of(legal: LegalReply, subjects: OptionSubjects, choices: Sequence[LegalOption]) -> Sequence[Kind]:
    """Return the kinds of many options; none if the question has one kind only."""
    by_heading: dict[str, list[LegalOption]] = {kind.kind: [] for kind in legal.kinds}
    for one in choices:
        by_heading.setdefault(one.parts.kind, []).append(one)
    if len(by_heading) < 2:
        return ()
    why = {kind.kind: kind.why for kind in legal.kinds}
    keys = _letters(list(by_heading))
    return [
        Kind(_chosen_by(own), heading, keys.get(heading, ""), own, why.get(heading, ""), subjects.leaders(own))
        for heading, own in by_heading.items()
    ]


def _chosen_by(options: Sequence[LegalOption]) -> str:
    return f"{SORT}{sort_in(bytes(options[0].command))}" if options else ""


def _letters(headings: Sequence[str]) -> Mapping[str, str]:
    """Return a letter for each kind, the first of its own that is free."""
    found: dict[str, str] = {}
    for heading in headings:
        free = (one for one in heading.casefold() if one.isascii() and one.isalpha())
        letter = next((one for one in free if one not in TAKEN_LETTERS and one not in found.values()), "")
        if letter:
            found[heading] = letter
    return found
