"""What a seat's request would change: decided on the match in memory, ready for the log, not yet in it."""

from collections.abc import Sequence

from core.chance import MANUAL, ManualChance
from core.house import Begin, LeaveSeat, TakeSeat
from core.match import Prepared
from core.refusal import Refusal
from events.codec import DecodeError, Struct, decode_plain, encode
from events.ids import Digest
from events.vocabulary import SeatTaken
from projections.table import Table
from server.desk.access import Access, unknown_seat
from server.desk.match_cache import CachedMatch, decide_chain
from server.protocol.clock import Clock
from server.protocol.errors import denied, lost_race, refused
from server.protocol.identity import TOKEN_CHARACTERS_MAX, TOKEN_CHARACTERS_MIN, Identity, credential
from server.protocol.wire import BeginRequest, FailedReply, LeaveRequest, PlayRequest, TakeRequest

NAME_CHARACTERS_MAX = 200

SeatRequest = PlayRequest | LeaveRequest | BeginRequest
"""What an authenticated seat asks of a match that exists."""


class Decided(Struct, frozen=True):
    """What a request would change: the commits in order, the files they refer to, and the match as it will be.

    `token` is the secret of a seat that is being taken.
    """

    live: CachedMatch
    commits: tuple[Prepared, ...]
    attachments: dict[Digest, bytes] = {}
    token: str = ""


class Decider:
    """Decides requests on a match in memory, each on top of those before it.

    Args:
        access: Who may act.
        clock: Stamps commits.
        identity: Makes up keys and secrets.
    """

    def __init__(self, access: Access, clock: Clock, identity: Identity) -> None:
        """Keep the parts."""
        self._access = access
        self._clock = clock
        self._identity = identity

    def act(self, live: CachedMatch, request: SeatRequest) -> Decided | FailedReply:
        """Decide what a seat asks that has been let in.

        Raises:
            RequestFailed: It expected another number of events, the command is none, or it cannot ask for this in this way.
            KernelError: Chance cannot answer.
        """
        actual = live.number(request.seat)
        if request.expected is not None and request.expected != actual:
            raise lost_race(request.expected, actual)
        match request:
            case PlayRequest():
                chance = _typed(live.table, request.dice, request.draws)
                return self._prepare(live, request, self._command(live, request), chance)
            case BeginRequest():
                chance = _typed(live.table, request.dice, request.draws)
                return self._prepare(live, request, encode(Begin()), chance)
            case LeaveRequest():
                return self._prepare(live, request, encode(LeaveSeat()))

    def take(self, live: CachedMatch, request: TakeRequest) -> Decided | FailedReply:
        """Decide whether somebody may sit down.

        Raises:
            RequestFailed: There is no such seat, or the secret or the name is too short or too long.
        """
        if request.seat not in live.table.seats:
            raise unknown_seat(live.table, request.seat)
        token = request.secret or self._identity.token()
        if not TOKEN_CHARACTERS_MIN <= len(token) <= TOKEN_CHARACTERS_MAX:
            raise denied("malformed", f"a secret has {TOKEN_CHARACTERS_MIN} to {TOKEN_CHARACTERS_MAX} characters")
        if len(request.name) > NAME_CHARACTERS_MAX:
            raise denied("malformed", f"a name has at most {NAME_CHARACTERS_MAX} characters")
        command = TakeSeat(
            seat=request.seat, name=request.name, contribution=request.contribution, credential=credential(token)
        )
        return self._prepare(live, request, encode(command), token=token)

    def _prepare(
        self,
        live: CachedMatch,
        request: SeatRequest | TakeRequest,
        command: bytes,
        chance: ManualChance | None = None,
        token: str = "",
    ) -> Decided | FailedReply:
        at = self._clock.now_ms()
        key = request.key or self._identity.key()
        try:
            done = live.match.prepare(request.seat, command, key=key, at=at, chance=chance)
        except DecodeError as error:
            raise denied("malformed", f"this is no command of the match: {error}") from None
        if isinstance(done, Refusal):
            return refused(done, request.id)
        if not token and isinstance(done.commit.events[0], SeatTaken):
            raise denied("malformed", "a seat is taken with the request `take`, which keeps its secret")
        return Decided(live, tuple(decide_chain(live.match, done, at)), token=token)

    def _command(self, live: CachedMatch, request: PlayRequest) -> bytes:
        """Return the command as JSON, even if it was asked for by its number."""
        command = bytes(request.command)
        if command[:1] == b"{":
            return command
        number = decode_plain(command)
        if not isinstance(number, int) or isinstance(number, bool):
            raise denied("malformed", "a command is a JSON object or the number of an option")
        if request.expected is None and not self._access.trusted:
            raise denied("malformed", "a command by its number needs `expected`: the numbers change with every event")
        top = live.table.top
        if top is None:
            why = "the match is over" if live.table.ended is not None else "play has not begun"
            raise denied("not_your_turn", f"nothing is to be decided: {why}")
        if top.seat != request.seat:
            raise denied("not_your_turn", f"the open decision is put to {top.seat}, not to {request.seat}")
        options = live.match.edition.rules.options(live.table)
        if not 1 <= number <= len(options):
            raise denied("unknown_choice", f"there is no option {number}; there are {len(options)}")
        return encode(options[number - 1])


def _typed(table: Table, dice: Sequence[int], draws: Sequence[str]) -> ManualChance | None:
    """Return the source of typed dice; nothing where the match has dice of its own.

    Raises:
        RequestFailed: Dice were typed where they may not be.
    """
    if table.chance.scheme == MANUAL:
        return ManualChance(dice, draws)
    if dice or draws:
        raise denied("dice_impossible", "this match rolls its own dice; none can be typed")
    return None
