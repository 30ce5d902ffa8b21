"""Prints the JSON Schema of the shapes."""

from cli.schemas.all import SHAPES
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from core.suggestions import unknown
from events.codec import encode_in_order, schema, schemas, tag_of


def print_schema(context: Context, shape: str) -> None:
    """Print one shape's schema, or those of all with their shared definitions.

    Raises:
        UserError: There is no such shape.
    """
    known = {tag_of(one): one for one in SHAPES}
    if shape and shape not in known:
        raise usage(unknown("shape", shape, list(known)), "unknown_shape")
    found = schema(known[shape]) if shape else schemas(SHAPES)
    context.echo(encode_in_order(found).decode())
