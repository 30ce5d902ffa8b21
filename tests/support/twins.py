"""Two matches that differ only in what one seat drew."""

from collections.abc import Callable

from core.match.player_commands import AddNote
from events.codec import Raw, encode
from events.ids import MatchId, Seat
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.protocol.errors import RequestFailed
from server.protocol.wire import PlayRequest
from tests.support.browsing import secret_of
from tests.support.sitting import CountedIdentity, StillClock

RUSSIAN = Seat("russian")


def twin(log: MemoryLog, *, other_card: bool, notes: int = 0) -> MatchId:
    """Open a match whose dice and draws are typed, and play until both seats have drawn their opening hands.

    Args:
        log: Where it is stored.
        other_card: Whether the first card of the Russian hand is another one; only that seat sees it.
        notes: How many private notes that seat writes.
    """
    client = local_client(log, StillClock(), CountedIdentity())
    opened = client.open("battle", dice="manual", key="twin")
    for seat in opened.seats:
        client.take_seat(opened.match, seat, share=False, secret=secret_of(seat))
    with_draws(lambda draws: client.begin(opened.match, RUSSIAN, draws=draws), other_card=False)
    for number in range(notes):
        client.ask(
            PlayRequest(
                match=opened.match,
                seat=RUSSIAN,
                command=Raw(encode(AddNote(text=f"{number}", private=True))),
                key=f"note-{number}",
            )
        )
    for _ in range(30):
        mover = client.legal(opened.match).to_move

        def play(draws: list[str], mover: Seat = mover) -> object:
            return client.play(opened.match, mover, 1, expected=client.legal(opened.match, mover).seq, draws=draws)

        if with_draws(play, other_card=other_card) > 10:
            return opened.match
    raise AssertionError("no hand was drawn")


def with_draws(play: Callable[[list[str]], object], *, other_card: bool) -> int:
    """Play a command, typing whatever is drawn: the first of the possible names, or the last for the first Russian card."""
    draws: list[str] = []
    while True:
        try:
            play(draws)
        except RequestFailed as error:
            wanted = error.reply.wanted
            is_first = "opening hand" in str(error) and not any(card.startswith("russian/") for card in draws)
            draws.append(wanted[-1 if other_card and is_first and wanted[0].startswith("russian/") else 0])
        else:
            return len(draws)
