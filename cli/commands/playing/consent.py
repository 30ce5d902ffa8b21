"""Asks the other seats to agree that commands are taken back, and answers such a request."""

from cli.commands.playing.choose import send
from cli.shell.context import Context
from cli.shell.exit_codes import REFUSED, UserError, usage
from cli.shell.seat_secrets import read_secrets
from cli.views.named_match import named_at_head
from core.match.arbitration.consents import AskUndo, answer_to
from core.match.live_match import load_match
from events.ids import ARBITER, PUBLIC, Seat


def ask_undo(context: Context, match: str, seat: str, to: int | None) -> None:
    """Ask that a seat's last command, by default of the seat that decided last, or all after an event is taken back.

    Raises:
        RequestFailed: The rules refuse, such as what can be taken back at once.
    """
    if not seat and not context.address:
        last = load_match(context.log, named_at_head(context, match)).recent.all
        seat = last[-1].seat if last else seat
    send(context, match, seat, AskUndo(to=to))


def answer_undo(context: Context, match: str, seat: str, *, agrees: bool) -> None:
    """Agree to what another seat asks to take back, or refuse it; by default as the seat that is asked.

    Raises:
        UserError: Nothing is asked for.
        RequestFailed: The rules refuse.
    """
    known, client = named_at_head(context, match, seat), context.client
    own = [Seat(seat)] if seat else list(read_secrets(context.address).get(known, {})) if context.address else []
    if context.address and not own:
        raise usage(f"you have no seat in match {known}: `sit` takes one", "not_your_seat")
    asked = client.state(known, own[0] if own else PUBLIC if context.address else ARBITER).table.asked_back
    chair = next((one for one in (() if asked is None else asked.awaited) if not own or one in own), None)
    answer = None if chair is None else answer_to(client.state(known, chair).table, chair, agrees=agrees)
    if chair is None or answer is None:
        why = "nothing is asked of this seat: it was answered, or play went on"
        raise UserError(why, REFUSED, "request_must_be_open")
    send(context, match, chair, answer)
