"""Finds events in what a seat has seen of a match: by rule, card, kind, dice, seat, what they name, and their sentences."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property

from cli.schemas.finding import FoundShape
from core.errors import RulesetMissing
from core.game_files.rulebook import Rulebook, load_match_rulebook, load_rulebook
from core.registry.games import game_keys, load_game
from core.suggestions import unknown
from core.telling.names import Names
from core.telling.narrator import Narrator
from core.telling.phrases import plain_words
from events.codec import Struct, replace, tag_of
from events.ids import ARBITER, NO_SEAT, PUBLIC, GameKey, MatchId, Seat
from events.vocabulary import CURRENT, AttributeSet, DiceRolled, Event, MatchEnded, MatchForked, RulingMade, events_with
from projections.fork_points import fork_points
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.undo_history import undone_events
from projections.state.view import EventSlice

OF_CARDS = frozenset(
    kind for kind in events_with(lambda traits: traits.of == "cards") if "card" in kind.__struct_fields__
)
"""Events of one card."""

ENDS_BY_THE_ARBITER = ("awarded", "annulled")

_WORDS = frozenset(("rule", "purpose", "result", "text", "name", "credential", "seed", "answer"))
"""The fields of events that hold other text than ids."""

KINDS = tuple(sorted({tag_of(type_).partition("/")[0] for type_ in CURRENT}))


class Wanted(Struct, frozen=True, kw_only=True, dict=True):
    """Conditions on an event; empty fields do not matter.

    Attributes:
        rule: The id of the rule that caused it or any number in it, or a section of the rulebook.
        card: Part of the id or the name of a card that is drawn, played, discarded or moved.
        about: Part of the id or the name of anything that it names, such as a piece or a place.
        kinds: Kinds of events, as in `dice-rolled`.
        dice: The number of dice of a roll.
        faces: Faces that a roll shows, as often as they are listed.
        by: The seat whose command it belongs to.
        text: Part of its sentence.
    """

    rule: str = ""
    card: str = ""
    about: str = ""
    kinds: tuple[str, ...] = ()
    dice: int = 0
    faces: tuple[int, ...] = ()
    by: Seat = NO_SEAT
    text: str = ""

    @cached_property
    def fitting(self) -> frozenset[type]:
        """The types of events that can fit; none if the wishes contradict each other."""
        types: set[type] = {
            type_ for type_ in CURRENT if not self.kinds or tag_of(type_).partition("/")[0] in self.kinds
        }
        if self.dice or self.faces:
            types &= {DiceRolled}
        return frozenset(types & OF_CARDS if self.card else types)

    @cached_property
    def plain_text(self) -> str:
        """The part of the sentence, as it is compared."""
        return plain_words(self.text)

    def may_fit(self, event: Event) -> bool:
        """Return whether an event fits, as far as that depends on the event alone."""
        if type(event) not in self.fitting:
            return False
        if self.rule and not any(_is_of(self.rule, rule) for rule in _rules(event)):
            return False
        if not isinstance(event, DiceRolled):
            return True
        if self.dice and len(event.faces) != self.dice:
            return False
        return not self.faces or Counter(self.faces) <= Counter(event.faces)

    def fits_by_name(self, event: Event, names: Names) -> bool:
        """Return whether an event fits by the names of what it is about."""
        if self.card:
            card = getattr(event, "card", None) if type(event) in OF_CARDS else None
            if not card or not _is_named(self.card, card, names):
                return False
        return not self.about or any(_is_named(self.about, id_, names) for id_ in _ids(event))


def checked_kinds(kinds: Sequence[str]) -> tuple[str, ...]:
    """Return kinds of events as the vocabulary spells them; `_` and `-` are the same.

    Raises:
        ValueError: One is not known; the message suggests others.
    """
    spelled = tuple(kind.strip().replace("_", "-").partition("/")[0] for kind in kinds)
    for kind in spelled:
        if kind not in KINDS:
            raise ValueError(unknown("kind of event", kind, list(KINDS)))
    return spelled


def checked_rule(rule: str) -> None:
    """Check that an installed game, or the rules common to all matches, have a rule or a ruling, or a section with any.

    Raises:
        ValueError: None has it; the message suggests others.
    """
    known = [str(one) for book in _rulebooks() for one in (*book.rules, *book.rulings)]
    if not any(_is_of(rule, one) for one in known):
        raise ValueError(unknown("rule", rule, known, listed_by="`wardiary rules GAME`"))


def _rulebooks() -> Iterator[Rulebook]:
    yield load_match_rulebook()
    for key in game_keys():
        with suppress(RulesetMissing):
            yield load_rulebook(load_game(key).package)


def _is_of(wanted: str, rule: str) -> bool:
    """Return whether a rule is the wanted one, or lies in that section of the rulebook."""
    return rule == wanted or rule.startswith(f"{wanted}.")


def _rules(event: Event) -> Iterator[str]:
    """Return the rule of an event, those of the numbers that were added in it, and the one on which the arbiter ruled."""
    yield event.rule
    if isinstance(event, DiceRolled):
        yield from (part.rule for part in event.modifiers)
    elif isinstance(event, AttributeSet) and event.parts:
        yield from (part.rule for part in event.parts)
    elif isinstance(event, RulingMade):
        yield from (one for one in (event.about, *event.cites) if one)


def _ids(event: Event) -> Iterator[str]:
    """Return everything that an event names."""
    for field in event.__struct_fields__:
        value = getattr(event, field)
        if field in _WORDS or not value:
            continue
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            yield from (one for one in value if isinstance(one, str))


def _is_named(text: str, id_: str, names: Names) -> bool:
    wanted = plain_words(text)
    return wanted in plain_words(id_) or wanted in plain_words(names.anything(id_))


def found_in(
    match: MatchId, game: GameKey, slices: Iterable[EventSlice], names: Names, wanted: Wanted, *, file: str = ""
) -> list[FoundShape]:
    """Return the events of a stream that fit, in order.

    Args:
        match: The match.
        game: Its game.
        slices: What the viewing seat has seen, from the first event on.
        names: The names of the match.
        wanted: What the events must be like.
        file: The archive that holds the match.
    """
    teller = Narrator(names)
    table = teller.table
    found: list[FoundShape] = []
    events: list[Event] = []
    folded = 0
    for seen in slices:
        start = len(events)
        events += seen.events
        hits = [place for place, event in enumerate(seen.events, start=start) if wanted.may_fit(event)]
        if not hits:
            continue
        fold(events[folded:start], table)
        folded = start
        by, is_over = _decider(seen, table), table.ended is not None
        if wanted.by not in (NO_SEAT, by):
            continue
        is_new_deal = isinstance(seen.events[0], MatchForked)
        for place in hits:
            fold(events[folded:place], table)
            folded, event = place, events[place]
            if not wanted.fits_by_name(event, teller.names):
                continue
            sentence = teller.sentence(event)
            if wanted.text and wanted.plain_text not in plain_words(sentence):
                continue
            found.append(
                FoundShape(
                    match=match,
                    seq=place + 1,
                    at=seen.at,
                    game=game,
                    event=event,
                    sentence=sentence,
                    by=by,
                    fork=fork_points(event, place + 1, seen.first, seen.last, is_new_deal=is_new_deal, is_over=is_over),
                    file=file,
                )
            )
    undone = undone_events(events, 1) if found else frozenset()
    return [replace(one, undone=True) if one.seq in undone else one for one in found] if undone else found


def _decider(seen: EventSlice, before: Table) -> Seat:
    """Return the seat whose command a slice is, as far as its events and the open question tell."""
    first = seen.events[0]
    by = first.traits.by
    if by == "seat":
        named: Seat = getattr(first, by)
        return named
    if by == "arbiter" or (isinstance(first, MatchEnded) and first.kind in ENDS_BY_THE_ARBITER):
        return ARBITER
    return NO_SEAT if before.top is None else before.top.seat


def may_view(seat: Seat, seats: Iterable[Seat]) -> bool:
    """Return whether a match with these seats can be viewed as a seat."""
    return seat in {PUBLIC, ARBITER, *seats}
