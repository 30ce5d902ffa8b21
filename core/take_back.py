"""Taking back: which of its last commands a seat may take back, and what stands against more.

A *fence* is a fact behind which nothing can be taken back: an outcome of chance, anything that shows a seat what was hidden
from it, a command of another seat, a fork, the beginning and the end. The log tells where commands begin, so that `Steps`
follow its commits; the table tells what was learned.
"""

from collections.abc import Iterable

from core.refusal import Refusal
from events.codec import Struct, tag_of
from events.commit import Commit
from events.ids import RuleId, Seat
from events.vocabulary import (
    AttributeSet,
    CardDiscarded,
    CardDrawn,
    CardMoved,
    CardPlayed,
    ChosenByChance,
    DeckFormed,
    DiceRolled,
    Event,
    ItemPicked,
    ItemUnpicked,
    MatchBegan,
    MatchForked,
    PieceDrawn,
    PiecePlaced,
    PieceReturned,
    PieceTurned,
    TakenBack,
)
from projections.fold import evolve
from projections.table import Table
from projections.view import log_number, seat_number
from projections.way_back import FENCES, KEPT, SINCE_DROPPED, SINCE_MAX

BACK = RuleId("match.take-back")


class Step(Struct, frozen=True):
    """A command of the game that still holds: whose it was, and the number of the last event before it."""

    seat: Seat
    before: int


class Steps(Struct, frozen=True):
    """The commands since the last fence that the kinds of facts alone tell.

    Attributes:
        taken: The commands that still hold, in order.
        fence: The number of the event that is the fence; 0 before the first.
        why: What kind of fact it is, as its tag.
        cut: The number of the last event that a fork repeats of a command that it has cut.
    """

    taken: tuple[Step, ...] = ()
    fence: int = 0
    why: str = ""
    cut: int = 0

    def followed_by(self, commit: Commit) -> "Steps":
        """Return the steps after one more commit."""
        events, opening = commit.events, commit.events[0]
        cut = opening.at + 1 if isinstance(opening, MatchForked) else self.cut
        for number in range(len(events) - 1, -1, -1):
            if type(events[number]) in FENCES:
                return Steps((), commit.first + number, tag_of(type(events[number])), cut)
        if isinstance(opening, TakenBack):
            left = tuple([step for step in self.taken if step.before < opening.to])
            return Steps(left, self.fence, self.why, cut)
        if all(type(event) in KEPT or _is_secret_pick(event) for event in events):
            return self
        if commit.first <= cut:
            return Steps((), commit.last, tag_of(MatchForked), cut)
        return Steps((*self.taken[-SINCE_MAX:], Step(commit.seat, commit.first - 1)), self.fence, self.why, cut)


def _is_secret_pick(event: Event) -> bool:
    """Return whether others do not know that there is such a fact, so that taking it back must not show either."""
    return isinstance(event, ItemPicked | ItemUnpicked) and event.seen_by is not None


NO_STEPS = Steps()
"""Those of a match that has none."""


class Way(Struct, frozen=True):
    """The commands that a seat may take back, the last one last, and why none before them."""

    steps: tuple[Step, ...]
    refusal: Refusal


def way_back(table: Table, steps: Steps, seat: Seat) -> Way:
    """Return which commands a seat may take back.

    The refusal names events in the seat's own numbers, and tells nothing of facts that the seat does not know of.
    """
    own: list[Step] = []
    refusal = _behind_fence(table, steps, seat)
    past = table.past
    for step in reversed(steps.taken):
        if past is None or step.before < past.seq:
            refusal = _refusal(
                "commands_must_be_recent",
                f"At most the last {SINCE_DROPPED} events of the game can surely be taken back.",
            )
            break
        if step.seat != seat:
            number = seat_number(table, seat, step.before + 1)
            refusal = _refusal(
                "commands_must_be_own",
                f"With event {number} the seat {step.seat} has decided; nothing up to it can be taken back.",
            )
            break
        own.append(step)
    own.reverse()
    learned = _last_learned(table, own[0].before) if own else None
    if learned is None:
        return Way(tuple(own), refusal)
    number = seat_number(table, seat, learned)
    return Way(
        tuple([step for step in own if step.before >= learned]),
        _refusal(
            "nothing_must_be_learned", f"Event {number} showed what was hidden; nothing up to it can be taken back."
        ),
    )


def refuse_take_back(table: Table, steps: Steps, seat: Seat, to: int | None) -> Refusal | Step:
    """Return the first command that a seat takes back, or why it may not.

    Args:
        table: The match as it stands.
        steps: Its last commands.
        seat: Who asks.
        to: The event, in the seat's own numbers, after which the game is to stand; None to take back the last command.
    """
    way = way_back(table, steps, seat)
    if to is None:
        return way.steps[-1] if way.steps else way.refusal
    past = table.past
    if past is None or not 0 <= to < seat_number(table, seat, table.seq):
        return _no_end(to)
    last = log_number(table, seat, to)
    if last < past.seq:
        return way.refusal
    for step in way.steps:
        if past.count(step.before) == past.count(last):
            return step
    ends = {past.count(step.before) for step in steps.taken}
    return way.refusal if past.count(last) in ends else _no_end(to)


def _no_end(to: int) -> Refusal:
    return _refusal(
        "event_must_end_command", f"Event {to} is not the last one before a command that could be taken back."
    )


def _last_learned(table: Table, before: int) -> int | None:
    """Return the number of the last event of the game behind an event that showed a seat what was hidden from it."""
    past = table.past
    assert past is not None
    earlier = table.clone()
    earlier.restore(past.game)
    found = None
    for number, event in past.numbered():
        if number > before and shows_hidden(earlier, event):
            found = number
        evolve(earlier, event)
    return found


def shows_hidden(table: Table, event: Event) -> bool:
    """Return whether a fact shows a seat something on the table that was hidden from it.

    Args:
        table: As it was before.
        event: No fact whose kind alone makes it a fence.
    """
    knew: tuple[Seat, ...] | None
    told: tuple[Seat, ...] | None = None
    if isinstance(event, CardPlayed | CardDiscarded):
        knew = table.pile(event.was).seen_by
    elif isinstance(event, CardMoved):
        knew, told = table.pile(event.was).seen_by, event.seen_by
    elif isinstance(event, DeckFormed) and table.pile(event.deck).count:
        knew, told = table.pile(event.deck).seen_by, event.seen_by
    elif isinstance(event, PiecePlaced | PieceReturned | PieceTurned):
        knew, told = table.known_to.get(event.piece), event.seen_by
    elif isinstance(event, AttributeSet) and table.attribute(event.on, event.key) is not None:
        knew, told = table.terms_of(event.on, event.key).seen_by, event.seen_by
    else:
        return False
    return knew is not None and not set(table.seats if told is None else told).issubset(knew)


def _behind_fence(table: Table, steps: Steps, seat: Seat) -> Refusal:
    number = seat_number(table, seat, steps.fence)
    what = _FENCES.get(steps.why, "event {} showed what was hidden").format(number)
    return _refusal("nothing_must_be_learned", f"{what[0].upper()}{what[1:]}; nothing up to it can be taken back.")


_FENCES = {
    "": "play has not begun by event {}",
    tag_of(CardDrawn): "a card was drawn with event {}",
    tag_of(DiceRolled): "dice were rolled with event {}",
    tag_of(MatchBegan): "play began with event {}",
    tag_of(MatchForked): "the match was forked from another by event {}",
    tag_of(ChosenByChance): "chance decided with event {}",
    tag_of(PieceDrawn): "chance decided with event {}",
}


def _refusal(code: str, sentence: str) -> Refusal:
    return Refusal(code, BACK, sentence)


def followed(commits: Iterable[Commit], steps: Steps = NO_STEPS) -> Steps:
    """Return the steps after several commits."""
    for commit in commits:
        steps = steps.followed_by(commit)
    return steps
