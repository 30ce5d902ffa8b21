"""The handlers of commands on an existing match: play, begin, leave, take a seat."""

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import TypeVar

from core.chance.chance_sources import ManualChance
from core.chance.schemes import MANUAL
from core.engine.command import Command as GameCommand
from core.engine.command import MatchOwnCommand
from core.legal.legal_options import ends_step, numbered
from core.match.arbiter_commands import ReserveSeat
from core.match.command_keys import follow_up_key, order_key
from core.match.live_match import Prepared
from core.match.player_commands import Begin, LeaveSeat
from core.match.redo import line_to_redo, next_command
from core.match.ruleset import refuse_other_rules
from core.match.signatures import MUST_BE_SIGNED, MUST_FIT, NOT_SIGNED, Signed, refuse_signature
from core.match.undo import has_fence
from core.refusal import Refusal
from events.chain import stored_commit
from events.codec import DecodeError, Decoder, Raw, Struct, compact, decode_plain, encode, replace
from events.commit import Commit
from events.ids import ARBITER, Seat
from events.vocabulary import ArbiterSeated, BaseEvent, SeatTaken
from projections.state.table import Table
from server.desk.automatic_answers import decide_chain
from server.desk.desk_context import DeskContext
from server.desk.handlers import Command, Reads, check_key_owner, match_command
from server.desk.match_cache import CachedMatch, CommittedCommand
from server.desk.match_creator import Decided
from server.protocol.errors import EXPECTED, RequestFailed, denied, lost_race, of_order, refused
from server.protocol.replies import FailedReply, PlayedReply
from server.protocol.wire import BeginRequest, CommandRequest, LeaveRequest, PlayRequest, RedoRequest, TakeRequest

C = TypeVar("C", bound=CommandRequest)

NAME_CHARACTERS_MAX = 200

ORDER_COMMANDS_MAX = 64
"""The largest number of commands in an order."""


class KernelCommand(Struct, frozen=True):
    """A command in the kernel's form: its JSON, the typed dice of a match with manual dice, and its signature."""

    body: bytes
    chance: ManualChance | None = None
    signed: Signed = NOT_SIGNED


Order = tuple[KernelCommand, ...]
"""Commands that are decided one after the other and appended together; nearly always one."""

_SEATING: frozenset[type[BaseEvent]] = frozenset((SeatTaken, ArbiterSeated))

_ORDER: Decoder[tuple[Raw, ...]] = Decoder(tuple[Raw, ...])


def _of_seat(context: DeskContext, match: CachedMatch, request: CommandRequest) -> Seat:
    return request.seat


def seat_command(
    request: type[C],
    order: Callable[[DeskContext, CachedMatch, C], Order],
    *,
    reads: Reads = Reads.NOTHING,
    actor: Callable[[DeskContext, CachedMatch, C], Seat] = _of_seat,
) -> Command[C]:
    """Return the handler of a command from a seat that has proved itself; its reply is `played`.

    Args:
        request: The type of its requests.
        order: Turns a request into commands for the kernel; raises `RequestFailed` if it cannot.
        reads: What `order` reads beside the match in memory.
        actor: Returns the seat whose commands these are; the arbiter's for what the server does for a client that has proved no seat, but may ask for it.
    """

    def admit(context: DeskContext, match: CachedMatch, request: C) -> None:
        if actor(context, match, request) == request.seat:
            context.access.check_actor(match.table, request.seat, request.token)

    def attempt(context: DeskContext, match: CachedMatch, request: C, key: str) -> Decided | FailedReply:
        actual = match.number(request.seat)
        if request.expected is not None and request.expected != actual:
            raise lost_race(request.expected, actual)
        seat = actor(context, match, request)
        acting = request if seat == request.seat else replace(request, seat=seat)
        decided = prepared_order(context, match, acting, _signed_order(request, order(context, match, request)), key)
        if isinstance(decided, Decided) and not _SEATING.isdisjoint(map(type, decided.commits[0].commit.events)):
            raise denied("malformed", "a seat is taken with the request `take`, which keeps its secret out of the log")
        return decided

    return match_command(
        request,
        key=_command_key,
        admit=admit,
        attempt=attempt,
        repeated=_played_before,
        reply=_reply_played,
        reads=reads,
    )


def _signed_order(request: CommandRequest, order: Order) -> Order:
    """Return the commands of a request with the signatures that came with it.

    Raises:
        RequestFailed: It has another number of signatures than of commands.
    """
    if not request.signatures:
        return order
    if len(request.signatures) != len(order):
        raise denied("malformed", f"{len(order)} commands need as many signatures, not {len(request.signatures)}")
    return tuple(
        [
            replace(command, signed=Signed(signature, request.expected or 0))
            for command, signature in zip(order, request.signatures, strict=True)
        ]
    )


def _command_key(request: CommandRequest) -> str:
    return request.key


def _reply_played(request: CommandRequest, decided: Decided, committed: Sequence[CommittedCommand]) -> PlayedReply:
    return _played(request, committed, left=decided.left)


def _played_before(context: DeskContext, match: CachedMatch, request: CommandRequest, first: Commit) -> PlayedReply:
    """Return the first outcome of a command or an order, standing answers included."""
    check_key_owner(first, request.seat)
    order = [first, *_stored(context, match, lambda number: order_key(request.key, number + 1))]
    last = order[-1].key
    commits = [*order, *_stored(context, match, lambda number: follow_up_key(last, number))]
    committed = [CommittedCommand(match.id, commit, match.table) for commit in commits]
    wanted = len(_in_order(request)) if isinstance(request, PlayRequest) else 1
    return _played(request, committed, repeated=True, left=max(0, wanted - len(order)))


def _stored(context: DeskContext, match: CachedMatch, key: Callable[[int], str]) -> Iterator[Commit]:
    """Return the commits with the first key, the second, and so on, as long as there are any."""
    for number in count(1):
        stored = context.log.find(match.id, key(number))
        if stored is None:
            return
        yield stored_commit(stored)


def play_command(context: DeskContext, match: CachedMatch, request: PlayRequest) -> Order:
    """Return the commands to play as JSON, also if one was chosen by its number."""
    chance = _typed(match.table, request.dice, request.draws)
    bodies = _in_order(request)
    body = bodies[0]
    if body[:1] == b"{":
        if len(bodies) > 1:
            _check_order(match, request, bodies)
        if request.expected is None and not context.access.trusted:
            _check_question(match, request.seat, body)
        return tuple([KernelCommand(one, chance) for one in bodies])
    number = decode_plain(body)
    if not isinstance(number, int) or isinstance(number, bool):
        raise denied("malformed", "a command is a JSON object or the number of an option")
    if request.expected is None and not context.access.trusted:
        raise denied("malformed", "a command by its number needs `expected`: the numbers change with every event")
    top = match.table.top
    if top is None:
        why = "the match is over" if match.table.ended is not None else "play has not begun"
        raise denied("not_your_turn", f"no decision is open: {why}")
    if top.seat != request.seat:
        raise denied("not_your_turn", f"the open decision belongs to {top.seat}, not to {request.seat}")
    if not match.match.ruleset.is_in_force(match.table):
        raise RequestFailed(refused(refuse_other_rules(match.match.ruleset, match.table)))
    rules = match.match.ruleset.rules
    options = [option for _, option in numbered(rules, match.table)]
    chosen = options[number - 1 :][:1] if number > 0 else [one for one in options if ends_step(rules, match.table, one)]
    if not chosen or number < 0:
        there = f"there are {len(options)}" if options else "no option is left"
        raise denied("unknown_choice", f"there is no option {number}; {there}")
    return (KernelCommand(encode(chosen[-1]), chance),)


def _in_order(request: PlayRequest) -> list[bytes]:
    """Return the commands of a request: those of an order, or its only command.

    Raises:
        RequestFailed: It is an empty order, has too many commands, or holds something that is no command.
    """
    body = bytes(request.command)
    if body[:1] != b"[":
        return [body]
    bodies = [bytes(one).strip() for one in _ORDER.decode(body)]
    if not 1 <= len(bodies) <= ORDER_COMMANDS_MAX:
        raise denied("malformed", f"an order holds 1 to {ORDER_COMMANDS_MAX} commands, not {len(bodies)}")
    for number, one in enumerate(bodies, start=1):
        if one[:1] != b"{":
            error = denied("malformed", "not a JSON object; numbers of options change with every command")
            raise of_order(error, number)
    return bodies


def _check_order(match: CachedMatch, request: PlayRequest, bodies: Sequence[bytes]) -> None:
    """Check that an order consists of commands of the game.

    Raises:
        RequestFailed: It holds something else, or dice were typed with it.
    """
    if request.dice or request.draws:
        raise denied(
            "malformed", "dice and draws cannot be typed with an order; send the command that needs them alone"
        )
    for number, body in enumerate(bodies, start=1):
        try:
            if isinstance(_decoded(match, body), MatchOwnCommand):
                raise denied("malformed", "not a command of the game")
        except RequestFailed as error:
            raise of_order(error, number) from None


def _decoded(match: CachedMatch, body: bytes) -> GameCommand:
    try:
        return match.match.decode(body)
    except DecodeError as error:
        raise denied("malformed", f"not a command of this match: {error}") from None


def _check_question(match: CachedMatch, seat: Seat, body: bytes) -> None:
    """Check that an answer without `expected` cannot belong to a question that was taken back.

    Raises:
        RequestFailed: Another seat has taken commands back since this one last decided.
    """
    back = match.match.recent.undone_by
    if not back or back == seat:
        return
    if not isinstance(_decoded(match, body), MatchOwnCommand):
        message = (
            f"{back} has taken commands back: name with `expected` the last event that you had seen when you decided"
        )
        raise RequestFailed(FailedReply(code="lost_race", message=message, actual=match.number(seat)))


def begin_command(context: DeskContext, match: CachedMatch, request: BeginRequest) -> Order:
    """Return the command that begins a match with manual dice."""
    return (KernelCommand(encode(Begin()), _typed(match.table, request.dice, request.draws)),)


def redo_order(context: DeskContext, match: CachedMatch, request: RedoRequest) -> Order:
    """Return the commands that the seat has taken back and puts back."""
    line = line_to_redo(context.log, match.match, request.seat)
    if not line:
        raise denied(
            "not_possible",
            "nothing is left to put back: nothing was taken back without consent, or something else was decided since",
        )
    wanted = line[:ORDER_COMMANDS_MAX] if request.everything else next_command(line)
    chance = _typed(match.table, (), ())
    return tuple([KernelCommand(bytes(one.command), chance) for one in wanted])


def leave_command(context: DeskContext, match: CachedMatch, request: LeaveRequest) -> Order:
    """Return the command that frees the seat, or that withdraws the invitation whose secret the request has."""
    given_back = context.access.opens(match.table, request.seat, request.token)
    return (KernelCommand(encode(ReserveSeat(seat=request.seat) if given_back else LeaveSeat())),)


def _who_leaves(context: DeskContext, match: CachedMatch, request: LeaveRequest) -> Seat:
    """Return the seat, or the arbiter's: the server withdraws for who holds an invitation."""
    return ARBITER if context.access.opens(match.table, request.seat, request.token) else request.seat


def prepared_order(
    context: DeskContext,
    match: CachedMatch,
    request: CommandRequest | TakeRequest,
    order: Order,
    key: str,
    *,
    token: str = "",
) -> Decided | FailedReply:
    """Decide a command, or an order up to its first fence, with the kernel, and the standing answers that follow at its end."""
    at = context.clock.now_ms()
    done: list[Prepared] = []
    for number, command in enumerate(order, start=1):
        if done:
            if has_fence(done[-1].table, done[-1].commit.first - 1):
                break
            match.match.adopt(done[-1])
        try:
            answer = _decide(
                match, request.seat, command, key=order_key(key, number), at=at, before=done[-1] if done else None
            )
        except EXPECTED as error:
            raise (of_order(error, number) if len(order) > 1 else error) from None
        if not isinstance(answer, Refusal):
            done.append(answer)
        elif len(order) == 1 or (answer.code == MUST_BE_SIGNED and not done):
            wanted = order if answer.code == MUST_BE_SIGNED else ()
            return refused(answer, request.id, tuple([encode(_decoded(match, one.body)).decode() for one in wanted]))
        else:
            # The commands before it were adopted; an error restores the match.
            raise of_order(RequestFailed(refused(answer)), number)
    commits = (*done[:-1], *decide_chain(match.match, done[-1], at))
    return Decided(match, commits, token=token, left=len(order) - len(done))


def _decide(
    match: CachedMatch, seat: Seat, command: KernelCommand, *, key: str, at: int, before: Prepared | None
) -> Prepared | Refusal:
    try:
        answer = match.match.prepare(seat, command.body, key=key, at=at, chance=command.chance, signed=command.signed)
    except DecodeError as error:
        raise denied("malformed", f"not a command of this match: {error}") from None
    if isinstance(answer, Refusal):
        return answer
    last = None if before is None else before.commit
    refusal = refuse_signature(answer.commit, match.table, last, match.match.record)
    if refusal is None:
        return answer
    canonical = bytes(answer.commit.command)
    if refusal.code == MUST_FIT and canonical != compact(command.body):
        said = "what is signed is the command in its canonical form, as in `wanted`"
        raise RequestFailed(FailedReply(code="not_canonical", message=said, wanted=(canonical.decode(),)))
    return refusal


def _typed(table: Table, dice: Sequence[int], draws: Sequence[str]) -> ManualChance | None:
    """Return the source of typed dice, or None if the match rolls its own dice.

    Raises:
        RequestFailed: Dice were typed in a match that rolls its own dice.
    """
    if table.chance.scheme == MANUAL:
        return ManualChance(dice, draws)
    if dice or draws:
        raise denied("dice_impossible", "this match rolls its own dice; none can be typed")
    return None


def _played(
    request: CommandRequest, committed: Sequence[CommittedCommand], *, left: int = 0, repeated: bool = False
) -> PlayedReply:
    slices = [slice_ for one in committed if (slice_ := one.slice_for(request.seat)) is not None]
    return PlayedReply(
        id=request.id,
        match=request.match,
        seq=committed[-1].number(request.seat),
        slices=tuple(slices),
        repeated=repeated,
        left=left,
    )


COMMANDS = (
    seat_command(LeaveRequest, leave_command, actor=_who_leaves),
    seat_command(BeginRequest, begin_command),
    seat_command(PlayRequest, play_command),
    seat_command(RedoRequest, redo_order, reads=Reads.MATCH),
)
