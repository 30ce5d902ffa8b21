"""Explains an event: the command, the rule, the dice with their arithmetic, the rulings."""

from collections.abc import Iterator, Sequence
from itertools import starmap

from cli.commands.rules import entry_lines, entry_shape
from cli.context import Context
from cli.exit_codes import usage
from cli.fork_points import points_of
from cli.match_view import MatchView, view_match
from cli.schemas.evidence import ExplainedShape, RollShape
from cli.schemas.games import RuleShape, RulingShape
from cli.text_table import in_columns, wrapped
from core.errors import RulesetMissing, SetupInvalid, UnknownName
from core.match_commands import PREFIX
from core.rulebook import Rulebook, is_match_rule, load_match_rulebook, load_rulebook
from core.telling.account import account
from core.telling.dice_text import Roll, dice_behind
from core.telling.names import Names
from core.telling.narrator import Narrator
from core.telling.phrases import signed, spoken
from events.codec import Decoder, Struct
from events.ids import RuleId
from events.vocabulary import AttributeSet, DiceRolled, MatchBegan, Modifier
from projections.view import EventSlice


class Wish(Struct, frozen=True):
    """The tag of a command, without its fields."""

    do: str


_WISH: Decoder[Wish] = Decoder(Wish)


def explain(context: Context, point: str, seat: str) -> None:
    """Explain the event of a point.

    Raises:
        UserError: No event was named, or there is no event of that number.
    """
    seen = view_match(context, point, seat)
    if "@" not in point:
        raise usage(f"which event? Write {point}@SEQ, with a number from 1 to {seen.number}")
    shape, books = explained(seen)
    context.print_result(shape, explained_lines(shape, books, seen.names, context.width))


def explained(seen: MatchView) -> "tuple[ExplainedShape, Books]":
    """Explain the last event of the view, and return the rule indexes as well."""
    known = seen.slice_at(seen.number)
    so_far = known.events[: seen.number - known.first + 1]
    event = so_far[-1]
    books = Books(seen)
    shape = ExplainedShape(
        match=seen.match,
        seq=seen.number,
        event=event,
        sentence=Narrator(seen.names, seen.table(seen.number - 1)).sentence(event),
        rule=books.entry(event.rule),
        command=_command(seen, known),
        rolls=tuple(starmap(_roll, dice_behind(so_far, known.first))),
        account=account(seen, seen.number),
        fork=dict(points_of([known]))[seen.number],
    )
    return shape, books


class Books:
    """The rules of a match's game and those of every match.

    Args:
        seen: A match.
    """

    def __init__(self, seen: MatchView) -> None:
        try:
            self.game: Rulebook | None = load_rulebook(seen.game.package)
        except UnknownName:
            self.game = None
        self.match_rules = load_match_rulebook()

    def entry(self, rule: RuleId) -> RuleShape | RulingShape | None:
        """Return a rule with its rulings, or a ruling; None if it is not known or the game is not installed."""
        book = self.match_rules if is_match_rule(rule) else self.game
        try:
            return None if book is None else entry_shape(book, book.entry(rule))
        except UnknownName:
            return None

    def text(self, rule: RuleId) -> str:
        """Return the text of a rule, or the decision of a ruling."""
        entry = self.entry(rule)
        if entry is None:
            return ""
        return entry.ruling if isinstance(entry, RulingShape) else entry.text


def _command(seen: MatchView, known: EventSlice) -> str:
    """Return the command in words, without its fields if its events hold a secret of another seat; empty if it is not known."""
    commit = seen.commit_at(seen.number)
    if commit is None:
        return ""
    who = seen.names.seat(commit.seat)
    wish = _WISH.decode(bytes(commit.command)).do
    if wish.startswith(PREFIX):
        begins = any(isinstance(event, MatchBegan) for event in commit.events)
        said = {"take-seat": "take the seat", "begin": "begin"}.get(wish.removeprefix(PREFIX))
        return f"{who}: {said or spoken(wish.removeprefix(PREFIX))}{'; play begins with it' if begins else ''}"
    if known.events != commit.events:
        return ""
    try:
        bound = seen.bound
    except (RulesetMissing, SetupInvalid):
        return f"{who}: {spoken(wish)}"
    # As the reader knew it, so that a command that shows itself whole does not name what it moved.
    before = seen.table(known.first - 1)
    return f"{who}: {bound.narration.describe(before, bound.rules.decode(bytes(commit.command)))}"


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
    )


def explained_lines(shape: ExplainedShape, books: Books, names: Names, width: int) -> Iterator[str]:
    """Return an explanation as text."""
    yield from wrapped(f"Event {shape.seq}: ", shape.sentence, width)
    if shape.command:
        yield from wrapped("Command of ", shape.command, width)
    yield ""
    if shape.rule is None:
        yield f"Rule {shape.event.rule}: not in the rules as they are now"
    else:
        yield from entry_lines(shape.rule, width)
    if isinstance(shape.event, AttributeSet) and shape.event.parts:
        yield ""
        yield from in_columns(["", "", "", ""], _parts(books, names, shape.event.parts), width, right=[0])
    for roll in shape.rolls:
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
            yield f"  needed: {roll.needed}{' or less' if roll.or_less else ''}{reached}"
    yield from _fork_lines(shape)
    if len(shape.account) > 1:
        yield ""
        yield "The chapter of which it is part:"
        for line in shape.account:
            yield from wrapped(f"{line.numbers:>9}  ", line.sentence, width)


def _fork_lines(shape: ExplainedShape) -> Iterator[str]:
    """Return the commands that change the event."""
    points = shape.fork
    if points.to_decide is None:
        return
    yield ""
    if points.to_roll is not None:
        faces = ""
        if isinstance(shape.event, DiceRolled):
            faces = (
                f"; to choose their faces, add --faces {','.join(str(shape.event.sides) for _ in shape.event.faces)}"
            )
        what = "roll these dice" if faces else "draw this"
        yield f"To {what} again: wardiary fork {shape.match}@{points.to_roll}{faces}"
    yield f"To decide this again: wardiary fork {shape.match}@{points.to_decide}"


def _sum(books: Books, names: Names, roll: RollShape) -> list[list[str]]:
    return [
        [f"    {sum(roll.counted)}", " + ".join(str(face) for face in roll.counted), "dice", ""],
        *_parts(books, names, roll.modifiers),
        [f"= {roll.total}", "", "", ""],
    ]


def _parts(books: Books, names: Names, parts: Sequence[Modifier]) -> list[list[str]]:
    return [[signed(part.amount), names.part(part.what), part.rule, books.text(part.rule)] for part in parts]
