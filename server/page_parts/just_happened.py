"""Account of what has happened since the viewer's last command: all of it in order, in parts, and how much each decides.

A part is a sentence of the log, or several in fewer words: moves, arrivals and draws in a row, the throws of a fight, and what came of each of several fights.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from core.engine.reactions import PASSES
from core.telling.dice_text import Roll, added_up
from core.telling.shared_sentences import Line
from core.wording import capital, counted, does, joined
from events.ids import NO_SIDE, PileId, PlaceId, Side
from events.vocabulary import (
    AttributeSet,
    CardDrawn,
    CardPlayed,
    ControlChanged,
    DiceRolled,
    DisputeOpened,
    Event,
    MatchEnded,
    NoteAdded,
    PieceMoved,
    PiecePlaced,
    PieceRemoved,
    PieceReturned,
    PieceRevealed,
    RuleApplied,
    RulingAppealed,
    RulingMade,
    SequenceBegan,
    SideChanged,
    StepBegan,
    TrackMoved,
)
from projections.combats import Combat
from projections.losses import LEFT, REDUCED
from server.page_parts.change_words import change_words, changes_between
from server.page_parts.story import Story

WRITTEN = (NoteAdded, DisputeOpened, RulingMade, RulingAppealed)
"""What persons write into the log."""
RESULTS = (MatchEnded, ControlChanged, SideChanged, PieceRemoved, PieceReturned, TrackMoved, *WRITTEN)
"""What is a result whatever else it says: the end, control, losses, points, and words of persons."""
ROOMS = (100, 150, 320)
"""For how many characters a low phone, a phone and a desktop have room."""
BRACKETS = re.compile(r" \([^()]*\)")
PLACES_MAX = 2
"""How many places are named to which pieces have gone."""


class Weight(IntEnum):
    """Weight of a part: where there is little room, what decides more is shown.

    The course of play, such as moves; a change; what was shown or thrown; a result; what was lost, or an open fight has shown.
    """

    COURSE = 0
    CHANGE = 1
    CHANCE = 2
    RESULT = 3
    LOSS = 4


class Part(NamedTuple):
    """A part of what has happened: its first and last event, a sentence, and how much it decides."""

    first: int
    last: int
    words: str
    weight: Weight


class Throws(NamedTuple):
    """The dice of a combat that each count alone; `begun` is its first event."""

    begun: int


class Travel(NamedTuple):
    """Pieces of a side on their way: on the map, or else onto it, at the set-up or later."""

    side: Side
    is_on_map: bool
    is_set_up: bool


class Draws(NamedTuple):
    """Cards that the viewer does not see, drawn to a pile."""

    to: PileId


Kind = Throws | Combat | Travel | Draws | None
"""What several lines have in common that are one part: that they tell throws, the result of a combat, moves or draws; None for a line that stands alone."""


def first_told(story: Story) -> int:
    """Return the first event of the last command of the viewer's own that did more than pass, or of several that took pieces to one place in a row.

    Without any that of the first question; 0 without one.
    """
    return story.last_deed_begun or story.first_question or 0


def just_happened(story: Story, *, is_brief: bool = False) -> list[Part]:
    """Return what has happened since then, in order, without what was taken back.

    Args:
        story: The match as the viewer has seen it.
        is_brief: Whether all moves of a side, and all draws to a pile, are one part, not only those in a row, the losses of a single fight are counted,
            too, and long sentences go without brackets.
    """
    first = first_told(story)
    place = bisect_left(story.told, first, key=lambda told: told.line.first)
    if not first or place == len(story.told):
        return []
    lines = [told.line for told in story.joined(place, len(story.told) - 1)]
    fights, lost = _fights(story, first, is_brief=is_brief), _lost(story, first)
    groups: dict[tuple[Kind, int], list[Line]] = {}
    run, before = 0, None
    for line in [line for line in lines if _is_news(story, line)]:
        kind = (
            _throws_of(story, line)
            or _fight_of(story, line, fights, lost)
            or _travel(story, line)
            or _draws(story, line)
        )
        run += kind is None or kind != before
        before = kind
        is_whole = is_brief or isinstance(kind, Throws | Combat) or (isinstance(kind, Travel) and kind.is_set_up)
        groups.setdefault((kind, 0 if kind and is_whole else run), []).append(line)
    parts = [part for (kind, _), those in groups.items() for part in _parts(story, kind, those, lost)]
    begun, ended = story.last_combat()
    # What an open fight has shown is what the question is about.
    is_open = ended == story.last
    parts = [_decisive(part) if is_open and part.first >= begun else part for part in parts]
    parts = [part._replace(words=_without_brackets(part.words)) for part in parts] if is_brief else parts
    return sorted(parts, key=lambda part: (part.last, part.first))


def levels(parts: Sequence[Part]) -> dict[int, int]:
    """Return in how much room parts are shown, as places in `ROOMS`, by their places; one that is left out is not even shown in the most.

    What decides more is taken first, and of like parts the later one; the course of play is left out, but there is always one.
    """
    found: dict[int, int] = {}
    order = sorted(range(len(parts)), key=lambda at: (-parts[at].weight, -at))
    order = [at for at in order if parts[at].weight > Weight.COURSE] or order
    for level, room in enumerate(ROOMS):
        left = room - sum([len(parts[at].words) + 1 for at in found])
        for at in order:
            if at not in found and (len(parts[at].words) <= left or not found):
                found[at] = level
                left -= len(parts[at].words) + 1
    return found


def _decisive(part: Part) -> Part:
    return part._replace(weight=Weight.LOSS) if part.weight == Weight.CHANCE else part


def _without_brackets(words: str) -> str:
    """Return a sentence, without what is in brackets if it would fill a line alone."""
    return words if len(words) <= ROOMS[0] else BRACKETS.sub("", words)


def _event(story: Story, line: Line) -> Event:
    """Return the first event that a line tells."""
    return story.events[line.first - 1]


def _is_news(story: Story, line: Line) -> bool:
    """Return whether a line tells what has changed the position and holds, or what a person wrote, and the question does not show it."""
    event = _event(story, line)
    if line.first in story.undone or (event.traits.is_beside_game and not isinstance(event, WRITTEN)):
        return False
    return not (_is_sum(event) and _shows_sums(story))


def _shows_sums(story: Story) -> bool:
    """Return whether the open question shows what the sides have so far."""
    now = story.now
    return now.top is not None and story.names.narration.sums(now, now.top) is not None


def _parts(story: Story, kind: Kind, lines: Sequence[Line], lost: frozenset[int]) -> list[Part]:
    """Return the part that lines are, or a part for each where they cannot be told together."""
    first, last = lines[0].first, lines[-1].last
    match kind:
        case Throws() if words := _throws_words(story, kind, lines):
            return [Part(first, last, words, Weight.CHANCE)]
        case Combat():
            weight = Weight.LOSS if _is_lost(kind, lost) else Weight.RESULT
            return [Part(first, last, _fight_words(story, kind), weight)]
        case Travel():
            weight = Weight.CHANGE if kind.side == story.now.side_of(story.seat) else Weight.CHANCE
            words = _travel_words(story, kind, lines) if len(lines) > 1 else _said(story, lines[0])
            return [Part(first, last, words, weight)]
        case Draws() if len(lines) > 1:
            count = sum([line.last + 1 - line.first for line in lines])
            words = f"{capital(story.names.of(kind.to))}: {counted(count, 'more card')}."
            return [Part(first, last, words, Weight.CHANCE)]
        case _:
            return [Part(one.first, one.last, _said(story, one), _weight(story, one, lost)) for one in lines]


# A line that stands alone


def _said(story: Story, line: Line) -> str:
    """Return the sentence of a line; a sum without how it adds up, a move on the map without where it began."""
    event, said = _event(story, line), line.sentence
    if isinstance(event, AttributeSet) and _is_sum(event):
        said = said.replace(f" ({added_up(event.parts or (), story.names.part)})", "")
    elif isinstance(event, PieceMoved) and story.names.is_on_map(event.was):
        said = said.replace(f" from {story.names.place(event.was)}", "", 1)
    return said if said.endswith((".", "!", "?", "…")) else f"{said}."


def _weight(story: Story, line: Line, lost: frozenset[int]) -> Weight:
    """Return how much a line decides; who Controls what at the set-up changes no hands."""
    event = _event(story, line)
    if line.first <= story.set_up_end and not isinstance(event, WRITTEN):
        return Weight.COURSE
    if isinstance(event, ControlChanged) and event.to == story.now.side_of(story.seat):
        # What the own side takes is what it went for.
        return Weight.CHANCE
    if _is_lost(line, lost):
        return Weight.LOSS
    if isinstance(event, RESULTS) or _is_outcome(event):
        return Weight.RESULT
    is_own = story.decider_of(line.first) == story.seat and line.first == story.commit_of(line.first)[0]
    if is_own and isinstance(event, SequenceBegan | CardPlayed):
        return Weight.COURSE
    if isinstance(event, CardDrawn | CardPlayed | PieceRevealed) or _is_sum(event):
        return Weight.CHANCE
    if isinstance(event, DiceRolled) and event.needed is not None:
        return Weight.CHANCE
    is_passing = isinstance(event, AttributeSet) and bool(
        event.value is None or event.within or event.until in ("step", "phase")
    )
    is_pass = isinstance(event, RuleApplied) and event.outcome == PASSES
    return Weight.COURSE if is_passing or is_pass or isinstance(event, StepBegan) else Weight.CHANGE


def _is_sum(event: Event) -> bool:
    """Return whether an event sets a number that adds up."""
    return isinstance(event, AttributeSet) and bool(event.parts) and isinstance(event.value, int)


def _is_outcome(event: Event) -> bool:
    """Return whether an event tells what came of dice, not a sum."""
    return isinstance(event, AttributeSet) and bool(event.parts) and not isinstance(event.value, int)


def _lost(story: Story, first: int) -> frozenset[int]:
    """Return the events since one by which pieces or Steps were lost."""
    return frozenset([one.number for one in story.losses() if one.number >= first and one.change in (LEFT, REDUCED)])


def _is_lost(span: Line | Combat, lost: frozenset[int]) -> bool:
    return not lost.isdisjoint(range(span.first, span.last + 1))


# Fights


def _fights(story: Story, first: int, *, is_brief: bool) -> list[Combat]:
    """Return the combats with dice that ended since an event, in order; at length none if it is a single one, and none goes on."""
    found = [
        one
        for one in story.combats()
        if one.last >= first and any(isinstance(event, DiceRolled) for event in story.events[one.first - 1 : one.last])
    ]
    goes_on = found and story.last_combat()[0] > found[-1].last
    return found if is_brief or len(found) > 1 or goes_on else []


def _fight_of(story: Story, line: Line, fights: Sequence[Combat], lost: frozenset[int]) -> Combat | None:
    """Return the combat of which the result says what a line tells: that it began, who holds its place, and what was, or will be, lost."""
    event = _event(story, line)
    is_of_result = isinstance(event, ControlChanged | SequenceBegan) or _is_lost(line, lost)
    if not is_of_result and not (isinstance(event, AttributeSet) and event.names_pieces):
        return None
    return next((one for one in fights if one.first <= line.first <= one.last), None)


def _fight_words(story: Story, fight: Combat) -> str:
    """Return the result of a combat: who holds the place, and how much each side lost."""
    names, changes = story.names, changes_between(story, fight.first, fight.last)
    lost: Counter[Side] = Counter()
    for one in changes:
        lost[one.side] += 0 if one.place is not None else one.steps or 1
    sides = [(side, count) for side, count in lost.items() if side and count]
    fallen = [
        f"{names.side(side) if place else does(names.side(side), 'lose')} {count}"
        for place, (side, count) in enumerate(sides)
    ]
    held = change_words(story, [one for one in changes if one.place is not None])
    return f"{capital(held or _where(story, fight.first) or 'a combat')}: {', '.join(fallen) or 'no losses'}."


def _where(story: Story, begun: int) -> str:
    """Return the name of the place of a combat by its first event; empty if it has none."""
    names, began = story.names, story.events[begun - 1]
    values = began.arguments.values() if isinstance(began, SequenceBegan) else ()
    places = [PlaceId(one) for one in values if isinstance(one, str)]
    return next((names.place(one) for one in places if names.is_on_map(one)), "")


def _throws_of(story: Story, line: Line) -> Throws | None:
    """Return the throws of a combat to which a line belongs; the throw for a card stands alone, by the name of the card."""
    event, narration = _event(story, line), story.narration
    if not isinstance(event, DiceRolled) or not event.each or event.needed is None:
        return None
    if narration is not None and narration.card_text(event.about):
        return None
    spans = [*[(one.first, one.last) for one in story.combats()], story.last_combat()]
    return next((Throws(begun) for begun, ended in spans if begun <= line.first <= ended), None)


def _throws_words(story: Story, throws: Throws, lines: Sequence[Line]) -> str:
    """Return how often each side has hit, with its dice: `Rynok: Axis hits 2 (1, 6 at 1 or less), Allies hit 0 (6 at 3 or less)`; empty for a single throw."""
    narration, where = story.narration, capital(_where(story, throws.begun))
    rolls = [event for line in lines if isinstance(event := _event(story, line), DiceRolled)]
    # Whose turn it was then: with the last fight of a phase the turn may have passed on.
    then = story.table(lines[0].first - 1)
    thrown: dict[Side, list[DiceRolled]] = {}
    for one in rolls:
        side = NO_SIDE if narration is None else narration.favours(then, one)
        thrown.setdefault(side, []).append(one)
    if len(rolls) < 2 or not where or NO_SIDE in thrown:
        return ""
    said = [f"{does(story.names.side(side), 'hit')} {_with_dice(those)}" for side, those in thrown.items()]
    return f"{where}: {', '.join(said)}."


def _with_dice(rolls: Sequence[DiceRolled]) -> str:
    """Return how many dice of throws hit, with the faces by what they need: `2 (1, 6 at 1 or less; 3, 5 at 3 or less)`."""
    faces: dict[str, list[str]] = {}
    for one in rolls:
        faces.setdefault(Roll(one).reach(), []).extend(map(str, one.faces))
    dice = "; ".join(f"{', '.join(those)} at {reach}" for reach, those in faces.items())
    return f"{sum(Roll(one).total for one in rolls)} ({dice})"


# Moves, arrivals and draws


def _travel(story: Story, line: Line) -> Travel | None:
    """Return what pieces do by a line that leads to a place of the map."""
    event, names = _event(story, line), story.names
    if not isinstance(event, PieceMoved | PiecePlaced) or not names.is_on_map(event.to):
        return None
    piece = story.now.pieces.get(event.piece)
    side = event.side if isinstance(event, PiecePlaced) else NO_SIDE if piece is None else piece.side
    is_on_map = isinstance(event, PieceMoved) and names.is_on_map(event.was)
    return Travel(side, is_on_map=is_on_map, is_set_up=line.first <= story.set_up_end) if side else None


def _travel_words(story: Story, travel: Travel, lines: Sequence[Line]) -> str:
    """Return how many pieces of a side have moved or come, and where to."""
    names = story.names
    events = [event for line in lines for event in story.events[line.first - 1 : line.last]]
    moved = [event for event in events if isinstance(event, PieceMoved | PiecePlaced)]
    pieces = counted(len({event.piece for event in moved}), names.narration.piece_noun)
    places = [*dict.fromkeys([names.place(event.to) for event in moved])]
    more = len(places) - PLACES_MAX
    where = joined([*places[:PLACES_MAX], *([counted(more, "more place")] if more > 0 else [])])
    verb, to = ("move", "to") if travel.is_on_map else ("place", "in") if travel.is_set_up else ("bring", "to")
    return f"{does(names.side(travel.side), verb)} {pieces} {to} {where}."


def _draws(story: Story, line: Line) -> Draws | None:
    """Return to which pile cards are drawn by a line that the viewer does not see."""
    event = _event(story, line)
    return Draws(event.to) if isinstance(event, CardDrawn) and event.card is None else None
