"""The secrets of a client's seats, and the keys with which it signs what it sends for them.

A command is signed if its seat has registered a key that this client holds: it asks once, and the server says if a signature is missing. What is signed is
what the caller wanted: nothing is signed only because the server names it.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from core.match.command_keys import order_key
from core.match.match_commands import MATCH_COMMAND_DECODER
from core.match.player_commands import RegisterKey
from core.match.signatures import MUST_BE_SIGNED, MUST_FIT
from events.codec import DecodeError, Decoder, Raw, compact, decode_plain, encode, replace
from events.errors import BrokenEvidence
from events.ids import ARBITER, PUBLIC, Digest, MatchId, Seat
from events.transparency.signed_command import SeatSigner, opening_digest, text_to_sign
from events.vocabulary import MatchOpened
from projections.state.table import Table
from projections.state.view import EventSlice
from server.client.calls import Call, ClientCall, asked
from server.client.checked_events import Shown
from server.protocol.errors import RequestFailed
from server.protocol.identity import Identity, credential
from server.protocol.replies import FailedReply, LogReply, PlayedReply, StateReply
from server.protocol.seat_commands import command_of_take
from server.protocol.wire import (
    LOG_EVENTS_MAX,
    CommandRequest,
    LogRequest,
    PlayRequest,
    RedoRequest,
    StateRequest,
    TakeRequest,
)

TRIES = 5
"""How often a command that names no event is signed again because the match has moved on."""

SENT_MAX = 64
"""How many of the last commands of a seat are remembered, to be put back: as many as one order may hold."""

OPENINGS_MAX = 10_000
"""Of how many matches the digest of the opening is kept; it is computed anew when it is needed again."""

_ORDER: Decoder[tuple[Raw, ...]] = Decoder(tuple[Raw, ...])


class SignedCalls:
    """The calls of a client that are signed.

    Args:
        identity: Generates keys and secrets.
        owner: The secret of the store's owner, for the arbiter's seat.

    Attributes:
        links_key: Returns a secret from which, with the secret of the seat, its chain of links follows, and the key that signs its commands, if several processes
            share them, one after the other; None if this client alone plays its seats.
        holder: Who holds chains and keys, if it is not the player's own program; see `SeatSecured` and `KeyRegistered`.
        openings: The digests of the openings of matches; several clients may share them.
    """

    def __init__(self, identity: Identity, owner: str = "") -> None:
        self._identity = identity
        self._owner = owner
        self._tokens: dict[tuple[MatchId, Seat], str] = {}
        self.links_key: Callable[[], bytes] | None = None
        self.holder = ""
        self.openings: dict[MatchId, Digest] = {}
        self._signers: dict[tuple[MatchId, Seat], SeatSigner] = {}
        # The seats whose commands are known to be signed.
        self._signing: set[tuple[MatchId, Seat]] = set()
        self._shown: dict[tuple[MatchId, Seat], Shown] = {}

    def add_token(self, match: MatchId, seat: Seat, token: str) -> None:
        """Add the secret of a seat that was taken earlier, or that of the store's owner for the arbiter's seat."""
        self._tokens[match, seat] = token

    def token(self, match: MatchId, seat: Seat) -> str:
        """Return the secret of a seat; empty for the public and if none is known."""
        if seat == PUBLIC:
            return ""
        return self._tokens.get((match, seat), self._owner if seat == ARBITER else "")

    def add_signer(self, match: MatchId, seat: Seat, signer: SeatSigner) -> None:
        """Add the key of a seat, which never leaves this client."""
        self._signers[match, seat] = signer

    def public_key(self, match: MatchId, seat: Seat) -> str:
        """Return the public key (hex) with which this client would sign for a seat; empty if it has none."""
        signer = self._signer(match, seat)
        return "" if signer is None else signer.public_key

    def holds_key(self, match: MatchId, seat: Seat, key: str) -> bool:
        """Return whether this client holds a key (hex) of a seat."""
        return any(signer.public_key == key for signer in self._signers_of(match, seat))

    def recall(self, match: MatchId, opening: Digest, shown: Mapping[Seat, Shown]) -> None:
        """Take over what an earlier program of the same user computed and counted: the digest of a match's opening, and what its seats were shown and sent."""
        self.openings[match] = opening
        self._shown.update({(match, seat): one for seat, one in shown.items()})

    def shown_of(self, match: MatchId) -> tuple[Digest, dict[Seat, Shown]]:
        """Return the digest of a match's opening, empty if nothing was signed, and what each seat was shown; for `recall`."""
        shown = {seat: one for (known, seat), one in self._shown.items() if known == match}
        return self.openings.get(match, Digest("")), shown

    def forget(self, match: MatchId, seat: Seat) -> None:
        """Forget the secrets of a seat, which the caller can add again."""
        for known in (self._tokens, self._signers, self._shown):
            known.pop((match, seat), None)
        self._signing.discard((match, seat))

    def _signer(self, match: MatchId, seat: Seat) -> SeatSigner | None:
        """Return the key of a seat; None if this client does not hold it."""
        return next(iter(self._signers_of(match, seat)), None)

    def _signers_of(self, match: MatchId, seat: Seat) -> list[SeatSigner]:
        """Return the keys with which this client may sign for a seat, the likeliest first: the user may have taken the seat with another program."""
        known, token = self._signers.get((match, seat)), self._tokens.get((match, seat))
        if known is not None:
            return [known]
        if self.links_key is None or token is None:
            return []
        return [
            self._derived_signer(match, seat, token, is_of_seat=one) for one in (bool(self.holder), not self.holder)
        ]

    def _derived_signer(self, match: MatchId, seat: Seat, secret: str, *, is_of_seat: bool) -> SeatSigner:
        """Return a key that follows from what processes share: that of the person, or that of a seat for which pages or bots hold the key."""
        assert self.links_key is not None, "keys follow from a secret that processes share"
        return SeatSigner(self.links_key(), f"{match}|{seat}|{credential(secret)}" if is_of_seat else "")

    def _new_signer(self, match: MatchId, seat: Seat, secret: str) -> SeatSigner:
        """Return the key with which a seat that is being taken will sign: one that follows from what processes share, or a new one of this client."""
        if self.links_key is not None:
            return self._derived_signer(match, seat, secret, is_of_seat=bool(self.holder))
        return SeatSigner(bytes.fromhex(self._identity.seed()))

    def _signed_take(self, request: TakeRequest, signer: SeatSigner | None) -> Call[TakeRequest]:
        """Return the request that takes a seat, signed with the key that it registers."""
        if signer is None:
            return request
        opening = yield from self._opening(request.match)
        request = replace(request, public_key=signer.public_key, key_holder=self.holder)
        text = text_to_sign(
            request.match, opening, request.seat, key=request.key, command=encode(command_of_take(request))
        )
        return replace(request, signature=signer.sign(text))

    def _heed_keys(self, match: MatchId, table: Table) -> None:
        """Note which seats sign with keys that this client holds, as a table shows."""
        for seat, known in table.keys.items():
            signers = self._signers_of(match, seat) if (match, seat) in self._tokens else []
            for signer in signers:
                if signer.public_key == known.key:
                    self.add_signer(match, seat, signer)
                    self._signing.add((match, seat))

    @ClientCall
    def register_key(
        self,
        match: MatchId,
        seat: Seat,
        signer: SeatSigner | None = None,
        *,
        is_lost: bool = False,
        holder: str | None = None,
    ) -> Call[PlayedReply]:
        """Register a key with which this client signs for a seat from then on.

        Args:
            match: The match.
            seat: The seat, which this client plays.
            signer: The key; by default the one that this client has for the seat.
            is_lost: Whether the key before is lost, so that it cannot sign this one: everybody is told.
            holder: Who holds the key, if it is another than of this client's keys.

        Raises:
            RequestFailed: The seat has another key, which this client does not hold, and which is not said to be lost.
        """
        present = self._signer(match, seat)
        new = signer or present or self._new_signer(match, seat, self.token(match, seat))
        request = StateRequest(match=match, seat=seat, token=self.token(match, seat))
        state = yield from asked(request, StateReply)
        has_key = seat in state.table.keys and not is_lost
        held = self.holder if holder is None else holder
        command = encode(RegisterKey(public_key=new.public_key, key_holder=held, is_lost=is_lost))
        register = PlayRequest(
            match=match,
            seat=seat,
            token=request.token,
            command=Raw(command),
            key=self._identity.key(),
            expected=state.seq,
        )
        by = present if has_key and present is not None else new
        reply = yield from asked((yield from self._with_signatures(register, [command], by)), PlayedReply)
        self.add_signer(match, seat, new)
        self._signing.add((match, seat))
        return reply

    def _opening(self, match: MatchId) -> Call[Digest]:
        """Return the digest of the opening of a match, which is computed from its first event: what a server says of it proves nothing.

        Raises:
            BrokenEvidence: The match does not begin with an opening.
        """
        if match not in self.openings:
            reply = yield from asked(LogRequest(match=match, since=0, limit=1), LogReply)
            first = reply.slices[0].events[0] if reply.slices else None
            if not isinstance(first, MatchOpened):
                raise BrokenEvidence(match, 1, "the match does not begin with its opening")
            if len(self.openings) >= OPENINGS_MAX:
                self.openings.clear()
            self.openings[match] = opening_digest(first)
        return self.openings[match]

    def _send(self, request: CommandRequest, commands: Sequence[bytes]) -> Call[PlayedReply]:
        """Send a command, signed if its seat signs; see `SeatCalls.sent`."""
        seat = request.match, request.seat
        named: Sequence[str] = ()
        if seat not in self._signing or _is_named_by_server(request):
            try:
                reply = yield from asked(request, PlayedReply)
            except RequestFailed as error:
                if error.reply.refusal != MUST_BE_SIGNED or self._signer(*seat) is None:
                    raise
                named = error.reply.wanted
            else:
                self._show(*seat, reply.slices)
                return reply
        commands = [canonical(one) for one in commands] or self._commands(request, named)
        signers = self._signers_of(*seat)
        for left in reversed(range(TRIES + len(commands))):
            signed = yield from self._with_signatures(request, commands, signers[0])
            try:
                reply = yield from asked(signed, PlayedReply)
            except RequestFailed as error:
                if error.reply.refusal == MUST_FIT and len(signers) > 1:
                    del signers[0]
                    continue
                place = (error.reply.number or 1) - 1
                if left and error.code == "not_canonical" and _is_same(error.reply.wanted, commands[place]):
                    commands[place] = error.reply.wanted[0].encode()
                elif not (left and error.code == "lost_race" and request.expected is None):
                    raise
            else:
                self.add_signer(*seat, signers[0])
                self._signing.add(seat)
                shown = self._shown.get(seat, Shown())
                self._shown[seat] = replace(shown, sent=(*shown.sent, *map(bytes.decode, commands))[-SENT_MAX:])
                self._show(*seat, reply.slices)
                return reply
        raise AssertionError("the last try returns or raises")

    def _commands(self, request: CommandRequest, named: Sequence[str]) -> list[bytes]:
        """Return the commands that a request stands for, in the form in which they are signed.

        Args:
            request: The request.
            named: What the server says that it stands for, if it names an option by its number, or puts back what was taken back.

        Raises:
            RequestFailed: What would be put back was not sent by this client.
        """
        if _is_named_by_server(request):
            known = self._shown.get((request.match, request.seat), Shown()).sent
            if isinstance(request, RedoRequest) and not (self.holder or set(known).issuperset(named)):
                said = f"another program has sent what would be put back, so that this one does not sign it; play it again: {' '.join(named)}"
                raise RequestFailed(FailedReply(code="not_possible", message=said))
            return [one.encode() for one in named]
        assert isinstance(request, PlayRequest), "`sent` is told which command any other request stands for"
        body = compact(request.command)
        return [canonical(bytes(one)) for one in _ORDER.decode(body)] if body[:1] == b"[" else [canonical(body)]

    def _counted(self, request: CommandRequest) -> Call[Shown]:
        """Return what a seat has seen before a command: what this client was shown, not what the server says that there is.

        With a larger number of events than that, a server could keep the command back until others have happened.

        Raises:
            BrokenEvidence: The command expects more events than the server shows, or it shows fewer than before.
        """
        match, seat, expected = request.match, request.seat, request.expected
        shown = yield from self._read_on(match, seat, request.token, expected)
        if expected is not None and shown.number < expected:
            # One of several servers may not have heard of them yet; asked for what follows them, it looks into the store.
            with suppress(RequestFailed):
                yield from asked(LogRequest(match=match, seat=seat, token=request.token, since=expected), LogReply)
            shown = yield from self._read_on(match, seat, request.token, expected)
        if expected is not None and shown.number < expected:
            said = f"the server shows the seat {seat} {shown.number} events, and the command is to be signed for {expected}: it could be kept back; nothing was sent"
            raise BrokenEvidence(match, shown.number + 1, said)
        return shown if expected is None else replace(shown, number=expected)

    def _read_on(self, match: MatchId, seat: Seat, token: str, upto: int | None = None) -> Call[Shown]:
        """Return what a seat was shown, once the server has shown all up to an event, by default all that there is; less if it does not show so much.

        Raises:
            BrokenEvidence: It shows fewer events than before.
        """
        shown = self._shown.get((match, seat), Shown())
        while shown.number != upto:  # If more was shown, the server is asked whether that is still there.
            log = LogRequest(match=match, seat=seat, token=token, since=shown.number, limit=LOG_EVENTS_MAX)
            try:
                reply = yield from asked(log, LogReply)
            except RequestFailed as error:
                if error.code != "unknown_sequence":
                    raise
                reply = LogReply(match=match, seq=0)
            if reply.seq < shown.number:
                said = f"the server shows the seat {seat} fewer events than the {shown.number} that it had shown it before: it has gone back; nothing was sent"
                raise BrokenEvidence(match, shown.number, said)
            was, shown = shown, self._show(match, seat, reply.slices)
            if shown == was or (upto is None and shown.number >= reply.seq):
                break
        return shown

    def _shown_upto(self, match: MatchId, seat: Seat) -> int | None:
        """Return up to which event this client was shown what a seat sees; None if it does not count for that seat."""
        return self._shown.get((match, seat), Shown()).number or (0 if (match, seat) in self._signing else None)

    def _show(self, match: MatchId, seat: Seat, slices: Sequence[EventSlice]) -> Shown:
        """Count the commits of a seat that continue those before, and return what this client was shown."""
        shown = self._shown.get((match, seat), Shown())
        for slice_ in slices:
            if slice_.first == shown.number + 1:
                self._shown[match, seat] = shown = shown.followed_by(slice_)
        return shown

    def heed(self, match: MatchId, seat: Seat, slices: list[EventSlice]) -> list[EventSlice]:
        """Count what a seat that signs was shown in any other way, so that its next signature names that, and return it; see `Shown.check_again`."""
        if self._shown_upto(match, seat) is not None:
            self._shown.get((match, seat), Shown()).check_again(match, slices)
            self._show(match, seat, slices)
        return slices

    def _with_signatures(
        self, request: CommandRequest, commands: Sequence[bytes], signer: SeatSigner
    ) -> Call[CommandRequest]:
        """Return the request that plays commands with the signatures of its seat, and with the number of events that the seat has seen."""
        match, seat = request.match, request.seat
        opening = yield from self._opening(match)
        shown = yield from self._counted(request)
        signatures = [
            signer.sign(
                text_to_sign(
                    match,
                    opening,
                    seat,
                    key=order_key(request.key, number),
                    command=command,
                    expected=shown.number,
                    record=shown.record,
                )
            )
            for number, command in enumerate(commands, start=1)
        ]
        if not isinstance(request, PlayRequest | RedoRequest):
            return replace(request, expected=shown.number, signatures=tuple(signatures))
        is_one = len(commands) == 1
        return PlayRequest(
            id=request.id,
            match=match,
            seat=seat,
            token=request.token,
            key=request.key,
            expected=shown.number,
            signatures=tuple(signatures),
            command=Raw(commands[0] if is_one else b"[" + b",".join(commands) + b"]"),
            dice=request.dice if isinstance(request, PlayRequest) else (),
            draws=request.draws if isinstance(request, PlayRequest) else (),
        )


def _is_named_by_server(request: CommandRequest) -> bool:
    """Return whether only the server knows which command a request stands for."""
    return isinstance(request, RedoRequest) or (
        isinstance(request, PlayRequest) and bytes(request.command).lstrip()[:1] not in (b"{", b"[")
    )


def _is_same(named: Sequence[str], command: bytes) -> bool:
    """Return whether a server names the command that it was sent, with its fields in another order."""
    return len(named) == 1 and decode_plain(named[0]) == decode_plain(command)


def canonical(command: bytes) -> bytes:
    """Return a command of every match in its canonical form; those of games stay as they are, which only their rules can read."""
    try:
        return encode(MATCH_COMMAND_DECODER.decode(command))
    except DecodeError:
        return command
