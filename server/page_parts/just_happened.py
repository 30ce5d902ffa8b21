"""Summary of what has happened since the viewer's last command: what was written, what decided, who holds what, losses, arrivals and own draws."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from core.engine.reactions import PASSES
from core.telling.dice_text import Roll, added_up
from core.telling.shared_sentences import Line
from core.wording import capital, counted, does
from events.ids import NO_SIDE, PlaceId, Side
from events.vocabulary import (
    AttributeSet,
    CardDrawn,
    CardPlayed,
    DiceRolled,
    DisputeOpened,
    Event,
    NoteAdded,
    PieceMoved,
    PiecePlaced,
    PieceRevealed,
    RuleApplied,
    RulingAppealed,
    RulingMade,
    SequenceBegan,
)
from projections.combats import Combat
from server.page_parts.change_words import Change, change_words, changes_between
from server.page_parts.story import Story

WRITTEN = (NoteAdded, DisputeOpened, RulingMade, RulingAppealed)
"""What persons write into the log."""


def first_told(story: Story) -> int:
    """Return the first event of the last command of the viewer's own that did more than pass, or else that of the first question; 0 without any."""
    return story.last_deed or story.first_question or 0


def just_happened(story: Story) -> str:
    """Return what has happened since then, in sentences; empty if nothing did that decides anything.

    Moves and the like are left out: they are on the picture, and in the log.
    """
    first = first_told(story)
    if not first:
        return ""
    place = bisect_left(story.told, first, key=lambda told: told.line.first)
    lines = [told.line for told in story.told[place:]]
    notes = [line.sentence for line in lines if isinstance(_event(story, line), WRITTEN)]
    written = [note if note.endswith((".", "!", "?", "…")) else f"{note}." for note in notes]
    # What is set up changes no hands.
    changed = changes_between(story, max(first, story.set_up_end + 1), story.last)
    if fights := _fights(story, first):
        # Each has its result; of the last alone, which may have been rolled without a command of the viewer's, the dice are told.
        begun, ended = story.last_combat()
        goes_on = begun > fights[-1].last and ended == story.last
        outcome = _outcome(story, lines) or _revealed(story, lines) if goes_on else _thrown_in(story, lines, fights[-1])
        apart = [one for one in changed if not any(fight.first <= one.number <= fight.last for fight in fights)]
        said = change_words(story, apart)
        happened = [*outcome, _fights_told(story, fights), *([f"{capital(said)}."] if said else [])]
        return " ".join([*written, *happened, *_arrivals(story, first), *_own_draws(story, lines)])
    said = change_words(story, changed)
    where = _lost_at(story, first, changed)
    changes = [f"{where}{capital(said)}."] if said else []
    has_dice = any(isinstance(_event(story, line), DiceRolled) for line in lines)
    # What is lost, or changes hands, says by itself what became of the sums, and must not be cut off where there is little room.
    cards_and_sums = sorted([*_cards_of_others(story, lines), *_sums(story, lines, is_followed=not changes)])
    outcome = _outcome(story, lines) if has_dice else [sentence for _, sentence in cards_and_sums]
    outcome = outcome or _revealed(story, lines)
    results = [
        line.sentence for line in lines if isinstance(_event(story, line), AttributeSet) and _is_result(story, line)
    ]
    # Sums and cards stand before what came of them; dice behind it, as they take room, unless the result of an attack says it shortest.
    is_first = not has_dice or any(one in results for one in outcome[:1])
    happened = [*outcome, *changes] if is_first else [*changes, *outcome]
    return " ".join([*written, *happened, *_arrivals(story, first), *_own_draws(story, lines)])


def _fights(story: Story, first: int) -> list[Combat]:
    """Return the combats with dice that ended since an event, in order; none if it is a single one, and none goes on."""
    events, rolled = story.events, DiceRolled
    found = [
        one
        for one in story.combats()
        if one.last >= first and any(isinstance(event, rolled) for event in events[one.first - 1 : one.last])
    ]
    goes_on = found and story.last_combat()[0] > found[-1].last
    return found if len(found) > 1 or goes_on else []


def _fights_told(story: Story, fights: Sequence[Combat]) -> str:
    """Return the results of combats: who holds the place and how much each side lost, first of those in which a place changed hands."""
    told = [_fight_words(story, one) for one in fights]
    return f"{'; '.join([words for words, _ in sorted(told, key=lambda one: not one[1])])}."


def _fight_words(story: Story, fight: Combat) -> tuple[str, bool]:
    """Return the result of a combat in a few words, and whether a place changed hands."""
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
    where = _where(story, fight)
    return f"{held or where or 'A combat'}: {', '.join(fallen) or 'no losses'}", bool(held)


def _where(story: Story, fight: Combat) -> str:
    """Return the name of the place of a combat; empty if it has none."""
    names, began = story.names, story.events[fight.first - 1]
    values = began.arguments.values() if isinstance(began, SequenceBegan) else ()
    places = [PlaceId(one) for one in values if isinstance(one, str)]
    return next((names.place(one) for one in places if names.is_on_map(one)), "")


def _lost_at(story: Story, first: int, changed: Sequence[Change]) -> str:
    """Return the place of the only combat since an event, with a colon, if all that has changed is what was lost in it; else nothing."""
    fights = [one for one in story.combats() if one.last >= first]
    if len(fights) != 1 or any(one.place is not None for one in changed):
        return ""
    (fight,) = fights
    is_there = all(fight.first <= one.number <= fight.last for one in changed)
    where = _where(story, fight) if is_there else ""
    return f"{capital(where)}: " if where else ""


def _own_draws(story: Story, lines: Sequence[Line]) -> list[str]:
    """Return the sentences about the cards that the viewer has drawn and others do not see."""
    return [line.sentence for line in lines if _is_own_draw(story, _event(story, line))]


def _is_own_draw(story: Story, event: Event) -> bool:
    return isinstance(event, CardDrawn) and event.card is not None and story.seat in (event.seen_by or ())


def _cards_of_others(story: Story, lines: Sequence[Line]) -> list[tuple[int, str]]:
    """Return the sentences about the last card that another seat played, and what it did at once, by their events."""
    for place in range(len(lines) - 1, -1, -1):
        number = lines[place].first
        if isinstance(_event(story, lines[place]), CardPlayed) and story.decider_of(number) != story.seat:
            ends = story.commit_of(number)[1]
            did = [line for line in lines[place + 1 :] if line.last <= ends and _is_result(story, line)]
            return [(line.first, line.sentence) for line in (lines[place], *did[:1])]
    return []


def _revealed(story: Story, lines: Sequence[Line]) -> list[str]:
    """Return the sentence about the last piece that was revealed."""
    return [line.sentence for line in lines if isinstance(_event(story, line), PieceRevealed)][-1:]


def _arrivals(story: Story, first: int) -> list[str]:
    """Return how many pieces of others have come onto the map, at the set-up and since."""
    names, own, now = story.names, story.now.side_of(story.seat), story.now
    come: Counter[tuple[Side, bool]] = Counter()
    for number, event in enumerate(story.events[first - 1 :], start=first):
        if number in story.undone or not isinstance(event, PieceMoved | PiecePlaced) or not names.is_on_map(event.to):
            continue
        is_set_up = number <= story.set_up_end
        if isinstance(event, PiecePlaced):
            come[event.side, is_set_up] += 1
        elif not names.is_on_map(event.was) and event.piece in now.pieces:
            come[now.pieces[event.piece].side, is_set_up] += 1
    return [
        f"{does(names.side(side), 'place')} {counted(count, names.narration.piece_noun)}."
        if is_set_up
        else f"{names.side(side)}: {counted(count, names.narration.piece_noun)} {'enters' if count == 1 else 'enter'}."
        for (side, is_set_up), count in come.items()
        if side and side != own
    ]


def _outcome(story: Story, lines: Sequence[Line]) -> list[str]:
    """Return the sentences about what decided last: dice, or what they led to, or sums that the table does not show any more."""
    begun, ended = story.last_combat()
    fought = [line for line in lines if begun <= line.first <= ended]
    lines = fought or lines
    for place in range(len(lines) - 1, -1, -1):
        event = _event(story, lines[place])
        if isinstance(event, DiceRolled):
            if added := _throws_added(story, lines[0].first, lines[place]):
                return [added]
            after = lines[place + 1 :]
            ends = story.commit_of(lines[place].last)[1]
            return [
                next(
                    (line.sentence for line in after if line.last <= ends and _is_result(story, line)),
                    lines[place].sentence,
                )
            ]
        if isinstance(event, AttributeSet) and event.parts and (sums := _sums(story, lines[: place + 1])):
            return [sentence for _, sentence in sums]
    return []


def _sums(story: Story, lines: Sequence[Line], *, is_followed: bool = False) -> list[tuple[int, str]]:
    """Return the last sums of a kind that the table does not show, if wanted with what became of them since, by their events."""
    for line in [] if _shows_sums(story) else reversed(lines):
        event = _event(story, line)
        if isinstance(event, AttributeSet) and event.parts and not _is_less(event):
            commit = story.commit_of(line.first)
            sums = [one for one in lines if _is_like(story, one, event, commit, is_followed=is_followed)]
            return [(one.first, _without_parts(story, one)) for one in sums]
    return []


def _is_less(event: AttributeSet) -> bool:
    """Return whether a number became less, such as by what was stopped of it."""
    return isinstance(event.value, int) and isinstance(event.was, int) and event.value < event.was


def _thrown_in(story: Story, lines: Sequence[Line], fight: Combat) -> list[str]:
    """Return how often each side has hit in a combat that is over, with its dice, if several throws are added up there."""
    there = [line for line in lines if fight.first <= line.first <= fight.last]
    rolls = [line for line in there if isinstance(_event(story, line), DiceRolled)]
    added = _throws_added(story, there[0].first, rolls[-1]) if rolls else ""
    return [added] if added else []


def _throws_added(story: Story, first: int, last: Line) -> str:
    """Return how often each side has hit at the place of the last dice since an event, with its dice, if these are one of several throws there; else nothing."""
    rolls = [
        event
        for number, event in enumerate(story.events[first - 1 : last.last], start=first)
        if isinstance(event, DiceRolled) and event.each and event.needed is not None and number not in story.undone
    ]
    names, narration = story.names, story.narration
    place = PlaceId(rolls[-1].about) if rolls else PlaceId("")
    rolls = [one for one in rolls if one.about == place]
    if len(rolls) < 2 or narration is None or not names.is_on_map(place) or rolls[-1] != _event(story, last):
        return ""
    thrown: dict[Side, list[DiceRolled]] = {}
    for one in rolls:
        thrown.setdefault(narration.favours(story.now, one), []).append(one)
    if NO_SIDE in thrown:
        return ""
    said = [f"{does(names.side(side), 'hit')} {_with_dice(those)}" for side, those in thrown.items()]
    return f"{capital(names.place(place))}: {', '.join(said)}."


def _with_dice(rolls: Sequence[DiceRolled]) -> str:
    """Return how many dice of throws hit, with the faces by what they need: `2 (1, 6 at 1 or less; 3, 5 at 3 or less)`."""
    faces: dict[str, list[str]] = {}
    for one in rolls:
        faces.setdefault(Roll(one).reach(), []).extend(map(str, one.faces))
    dice = "; ".join(f"{', '.join(those)} at {reach}" for reach, those in faces.items())
    return f"{sum(Roll(one).total for one in rolls)} ({dice})"


def _event(story: Story, line: Line) -> Event:
    """Return the first event that a line tells."""
    return story.events[line.first - 1]


def _is_result(story: Story, line: Line) -> bool:
    """Return whether a line tells what came of dice or of a card, not a sum."""
    event = _event(story, line)
    if isinstance(event, AttributeSet):
        return bool(event.parts) and not isinstance(event.value, int)
    return isinstance(event, RuleApplied) and event.outcome != PASSES


def _is_like(story: Story, line: Line, event: AttributeSet, commit: tuple[int, int], *, is_followed: bool) -> bool:
    """Return whether a line tells a sum of the same kind and commit as an event, or, if that is wanted, what became of one since."""
    other = _event(story, line)
    if not isinstance(other, AttributeSet) or other.key != event.key:
        return False
    return is_followed if line.first > commit[1] else bool(other.parts) and line.first >= commit[0]


def _without_parts(story: Story, line: Line) -> str:
    event = _event(story, line)
    assert isinstance(event, AttributeSet)
    return line.sentence.replace(f" ({added_up(event.parts or (), story.names.part)})", "")


def _shows_sums(story: Story) -> bool:
    """Return whether the open question shows what the sides have so far."""
    now = story.now
    return now.top is not None and story.names.narration.sums(now, now.top) is not None
