"""Explains an event: the command, the rule, the dice with their arithmetic, the rulings."""

from cli.output.explanation import explained, explained_lines
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from cli.views.named_match import arbiters_point, view_match
from events.ids import ARBITER


def explain(context: Context, point: str, seat: str, of: str = "") -> None:
    """Explain the event of a point.

    Raises:
        UserError: No event was named, or there is no event of that number.
    """
    if of:
        point, seat = arbiters_point(context, point, of), ARBITER
    seen = view_match(context, point, seat)
    if "@" not in point:
        raise usage(f"which event? Write {point}@SEQ, with a number from 1 to {seen.number}")
    shape, books = explained(seen)
    context.print_result(shape, explained_lines(shape, books, seen.names, context.width))
