"""Fork a match."""

from collections.abc import Sequence

from cli.commands.playing.seats import keep_seats
from cli.schemas.matches import OpenedShape
from cli.shell.arguments import parse_faces, parse_point
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from cli.views.named_match import view_match
from cli.views.option_words import with_names
from cli.views.stored_match import StoredMatch
from events.ids import ARBITER, PUBLIC
from server.protocol.errors import RequestFailed


def fork(
    context: Context, point: str, seat: str, *, dice: str, hidden: str, faces: str = "", draws: Sequence[str] = ()
) -> None:
    """Open a fork of a match at a point.

    The store's owner may keep hidden information, and does by default; `hidden="resample"` deals again what `seat` does not know.
    Through a server the seat forks, and the server decides what it may keep. The point's number is that seat's. `faces` are those of the
    next dice, as typed; with manual dice they and `draws` finish the command that the fork cuts.

    Raises:
        UserError: An argument is not valid.
        RequestFailed: The match cannot be forked like this.
    """
    prefix, number = parse_point(point)
    seen = view_match(context, prefix, seat)
    if number is not None and not 1 <= number <= seen.last:
        if number < 1:
            hint = ": fork at event 1"
        else:
            hint = "" if seen.table().ended is not None else f": fork at event {seen.last}"
        raise usage(
            f"match {seen.match} has events 1 to {seen.last} for {seen.seat}; there is no event {number}{hint}",
            "unknown_sequence",
        )
    seen.number = number or seen.last
    source, seed = parse_fork_dice(dice)
    chosen = parse_faces(faces)
    asker, at, viewer = seen.seat, seen.number, PUBLIC
    if isinstance(seen, StoredMatch):
        hidden, viewer = hidden or "truth", seen.seat
        if hidden != "resample":
            asker, at = ARBITER, seen.seq
    client = context.client
    try:
        opened = client.fork(seen.match, asker, at, dice=source, hidden=hidden, seed=seed, faces=chosen, draws=draws)
    except RequestFailed as error:
        # Names need the board, which may be what cannot be read.
        raise with_names(error, lambda: seen.names) from None
    keep_seats(context, seen.match, opened.match, asker)
    now = client.state(opened.match, viewer)
    shape = OpenedShape(
        match=opened.match,
        seq=now.seq,
        seats=opened.seats,
        began=seen.has_begun,
        parent=seen.match,
        at=seen.number,
        dice=source,
        hidden=hidden,
        faces=chosen,
    )
    context.print_result(shape, [opened.match])
    if not now.table.began:
        context.echo_err(
            f"play has not begun in the fork: `wardiary choose {opened.match} begin` takes its free seats and begins"
        )


def parse_fork_dice(text: str) -> tuple[str, str]:
    """Split `seeded:SEED` into the source of dice and its seed; other sources have no seed.

    Raises:
        UserError: Seeded dice have no seed, or other dice have one.
    """
    source, colon, seed = text.partition(":")
    known = ("fresh", "same", "manual", "seeded")
    if source not in known or bool(seed) != (source == "seeded") or (colon and not seed):
        raise usage(f"a fork's dice are fresh, same, manual or seeded:SEED, not {text!r}", "unknown_dice")
    return source, seed
