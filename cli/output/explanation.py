"""Explanation of an event: its command, the rule, the dice with their arithmetic, the rulings."""

from collections.abc import Iterator, Sequence
from itertools import starmap

from cli.output.columns import in_columns, wrapped
from cli.output.rule_entries import entry_lines, entry_shape
from cli.schemas.evidence import ExplainedShape, RollShape
from cli.views.match_view import MatchView
from core.errors import RulesetMissing, SetupInvalid
from core.game.bound_game import BoundGame
from core.odds.odds_text import share_text
from core.telling.chapter_account import account
from core.telling.chosen_options import chosen_options
from core.telling.cited_rules import RuleBooks
from core.telling.command_text import command_words
from core.telling.dice_text import Roll, dice_of
from core.telling.names import Names
from core.telling.narrator import Narrator
from core.telling.phrases import signed
from core.telling.roll_chance import chance_of
from events.ids import PUBLIC
from events.vocabulary import AttributeSet, DiceRolled, Modifier
from projections.fork_points import points_of
from projections.state.undo_history import undone_events
from projections.state.view import EventSlice
from server.page_parts.times import moment_words


def explained(seen: MatchView) -> tuple[ExplainedShape, RuleBooks]:
    """Explain the last event of the view, and return the rule indexes as well."""
    known = seen.slice_at(seen.number)
    so_far = known.events[: seen.number - known.first + 1]
    event = so_far[-1]
    opened = seen.table(1)
    books = RuleBooks(opened.game)
    rule = books.find(event.rule)
    is_over = seen.table(known.first - 1).ended is not None
    fork = dict(points_of([known], after=seen.closed_upto, is_over=is_over))[seen.number]
    is_closed = fork.to_decide is None and 1 < known.first <= seen.closed_upto + 1
    before = seen.table(seen.number - 1)
    teller = Narrator(seen.names, before)
    bound = _bound(seen)
    favours = None if bound is None else bound.narration.favours
    behind = dice_of(list(seen.events(upto=seen.number)), known.first, seen.names.on(before), favours)
    shape = ExplainedShape(
        match=seen.match,
        seat=seen.seat,
        seq=seen.number,
        at=known.at,
        event=event,
        sentence=teller.sentence(event),
        details=teller.details(event),
        undone=seen.number in undone_events(seen.events(upto=seen.last)),
        rule=None if rule is None else entry_shape(*rule),
        decided_by=seen.names.narration.deciding(before, event),
        options=books.options_on(event.rule, chosen_options(opened.game, opened.options)),
        command=_command(seen, known),
        rolls=tuple(starmap(_roll, behind)),
        account=account(seen, seen.number),
        fork=fork,
        parent=seen.table(seen.last).parent if is_closed else None,
    )
    return shape, books


def _command(seen: MatchView, known: EventSlice) -> str:
    """Return the command in words, as `core.telling.command_text` tells it; empty if it is not known."""
    commit = seen.commit_at(seen.number)
    if commit is None:
        return ""
    return command_words(seen.names, commit, known.events, seen.table(known.first - 1), _bound(seen))


def _bound(seen: MatchView) -> BoundGame | None:
    """Return the game of a match on its board; None if its rules or its board are missing."""
    try:
        return seen.bound
    except (RulesetMissing, SetupInvalid):
        return None


def _roll(number: int, event: DiceRolled) -> RollShape:
    roll = Roll(event)
    return RollShape(
        seq=number,
        purpose=event.purpose,
        faces=event.faces,
        counted=roll.counted,
        modifiers=event.modifiers,
        total=roll.total,
        needed=event.needed,
        each=event.each,
        or_less=event.or_less,
        words=roll.words(),
        chance=chance_of(event),
    )


def explained_lines(shape: ExplainedShape, books: RuleBooks, names: Names, width: int) -> Iterator[str]:
    """Return an explanation as text."""
    yield from wrapped(
        f"Event {shape.seq}: ", f"{shape.sentence}{' (taken back later)' if shape.undone else ''}", width
    )
    for detail in shape.details:
        yield from wrapped("  ", detail, width)
    if shape.at:
        yield f"  {moment_words(shape.at)}"
    if shape.command:
        yield from wrapped("Command of ", shape.command, width)
    yield ""
    for decides in shape.decided_by:
        yield from wrapped("Decided by ", f"{decides}: {books.text(decides)}", width)
    if shape.rule is None:
        yield f"Rule {shape.event.rule}: not in the rules as they are now"
    else:
        yield from entry_lines(shape.rule, width, shape.options)
    if isinstance(shape.event, AttributeSet) and shape.event.parts:
        yield ""
        yield from in_columns(["", "", "", ""], _parts(books, names, shape.event.parts), width, right=[0])
    for roll in shape.rolls:
        yield from _roll_lines(roll, books, names, width)
    yield from _fork_lines(shape)
    if len(shape.account) > 1:
        yield ""
        yield "The chapter of which it is part:"
        for line in shape.account:
            yield from wrapped(f"{line.numbers:>9}  ", line.sentence, width)


def _roll_lines(roll: RollShape, books: RuleBooks, names: Names, width: int) -> Iterator[str]:
    """Return one roll with its arithmetic, the number needed and the chance of its result."""
    yield ""
    yield f"Event {roll.seq}, dice for {roll.purpose}: {', '.join(str(face) for face in roll.faces)}"
    if not roll.each:
        yield from in_columns(["", "", "", ""], _sum(books, names, roll), width, right=[0])
    elif roll.modifiers:
        yield "  added to the number needed:" if roll.or_less else "  added to each die:"
        parts = [[f"    {amount}", *rest] for amount, *rest in _parts(books, names, roll.modifiers)]
        yield from in_columns(["", "", "", ""], parts, width, right=[0])
    if roll.needed is not None:
        reached = f" by each die; reached by {roll.total} of {len(roll.counted)}" if roll.each else ""
        yield f"  needed: {_needed(roll)}{reached}"
    if roll.chance is not None:
        what = f"{roll.total} of {len(roll.counted)}" if roll.each else roll.total
        yield f"  chance of {what} or more: {share_text(roll.chance)}"


def _fork_lines(shape: ExplainedShape) -> Iterator[str]:
    """Return the commands that change the event."""
    points, viewer = shape.fork, "" if shape.seat == PUBLIC else f" --seat {shape.seat}"
    if points.to_decide is None:
        if shape.parent is not None:
            yield ""
            yield f"This came with the fork of match {shape.parent}: to change it, fork that match."
        return
    yield ""
    if points.to_roll is not None:
        faces = ""
        if isinstance(shape.event, DiceRolled):
            faces = (
                f"; to choose their faces, add --faces {','.join(str(shape.event.sides) for _ in shape.event.faces)}"
            )
        what = "roll these dice" if faces else "draw this"
        yield f"To {what} again: wardiary fork {shape.match}@{points.to_roll}{viewer}{faces}"
    what = "this" if points.to_decide in (shape.seq, shape.seq - 1) else "the command behind it"
    yield f"To decide {what} again: wardiary fork {shape.match}@{points.to_decide}{viewer}"


def _needed(roll: RollShape) -> str:
    """Return the number needed; what is added to it, and not to the dice, is counted in."""
    if not roll.or_less:
        return str(roll.needed)
    added = sum(part.amount for part in roll.modifiers)
    first = f" ({roll.needed} {signed(added)})" if added else ""
    return f"{(roll.needed or 0) + added}{first} or less"


def _sum(books: RuleBooks, names: Names, roll: RollShape) -> list[list[str]]:
    return [
        [f"    {sum(roll.counted)}", " + ".join(str(face) for face in roll.counted), "dice", ""],
        *_parts(books, names, roll.modifiers),
        [f"= {roll.total}", "", "", ""],
    ]


def _parts(books: RuleBooks, names: Names, parts: Sequence[Modifier]) -> list[list[str]]:
    return [[signed(part.amount), names.part(part.what), part.rule, books.text(part.rule)] for part in parts]
