"""The handlers of requests that take a seat: for a player, and for a bot of the server."""

from collections.abc import Sequence

from core.bots.budget import BudgetInvalid
from core.chance.links import LENGTH, LinkChain
from core.engine.command import MatchOwnCommand
from core.errors import UnknownName
from core.match.arbiter_commands import SeatArbiter, refuse_nameless
from core.match.link_commands import BOT_HOLDER, refuse_anchor
from core.match.signatures import Signed
from core.refusal import Refusal
from core.registry.bot_policies import leveled, policy_names, usual_policy
from core.registry.games import load_game
from events.codec import encode, replace
from events.commit import Commit
from events.ids import ARBITER
from events.transparency.signed_command import text_to_sign
from events.vocabulary import ArbiterSeated, SeatTaken
from projections.state.table import Table
from server.desk.access import unknown_seat
from server.desk.command_handlers import KernelCommand, prepared_order
from server.desk.desk_context import DeskContext
from server.desk.handlers import check_key_owner, match_command
from server.desk.match_cache import CachedMatch, CommittedCommand
from server.desk.match_creator import Decided
from server.protocol.bot_seats import BotSeats, bot_name, bot_signer, bot_tip, check_bot, policy_of
from server.protocol.errors import denied, refused
from server.protocol.identity import TOKEN_CHARACTERS_MAX, TOKEN_CHARACTERS_MIN, credential
from server.protocol.player_names import name_problem
from server.protocol.replies import BotReply, FailedReply, TakenReply
from server.protocol.seat_commands import command_of_take
from server.protocol.wire import BotRequest, TakeRequest


def _taken(request: TakeRequest, token: str, committed: CommittedCommand, *, repeated: bool = False) -> TakenReply:
    return TakenReply(
        id=request.id,
        match=request.match,
        seat=request.seat,
        token=token,
        seq=committed.number(request.seat),
        began=committed.table.began,
        repeated=repeated,
    )


def _take_key(request: TakeRequest) -> str:
    return request.key


def _admit_all(context: DeskContext, match: CachedMatch, request: TakeRequest) -> None:
    """Admit every client: the rules decide whether the seat is free."""


def _take(context: DeskContext, match: CachedMatch, request: TakeRequest, key: str) -> Decided | FailedReply:
    if request.seat != ARBITER and request.seat not in match.table.seats:
        raise unknown_seat(match.table, request.seat)
    token = request.secret or context.identity.token()
    if not TOKEN_CHARACTERS_MIN <= len(token) <= TOKEN_CHARACTERS_MAX:
        raise denied("malformed", f"a secret has {TOKEN_CHARACTERS_MIN} to {TOKEN_CHARACTERS_MAX} characters")
    if why := name_problem(request.name):
        raise denied("malformed", why)
    if len(request.invitation) > TOKEN_CHARACTERS_MAX:
        raise denied("malformed", f"an invitation has at most {TOKEN_CHARACTERS_MAX} characters")
    command: MatchOwnCommand
    if request.seat == ARBITER:
        command = _office(context, request, token)
    elif not context.access.trusted and (refusal := _nameless(context, match.table, request)):
        return refused(refusal, request.id)
    else:
        command = command_of_take(replace(request, secret=token))
    order = (KernelCommand(encode(command), signed=Signed(request.signature)),)
    return prepared_order(context, match, request, order, key, token=token)


def _nameless(context: DeskContext, table: Table, request: TakeRequest) -> Refusal | None:
    return refuse_nameless(table, request.seat, request.name, context.clock.now_ms())


def _office(context: DeskContext, request: TakeRequest, token: str) -> SeatArbiter:
    """Return the command that takes the arbiter's office, by a capability if the secret proves one, else by an invitation."""
    given = credential(request.invitation) if request.invitation else ""
    if context.access.is_owner(request.invitation):
        return SeatArbiter(name=request.name, credential=credential(token), is_granted=True)
    name, capability = context.access.capability(request.invitation)
    if capability:
        return SeatArbiter(name=name, credential=credential(token), capability=capability)
    return SeatArbiter(name=request.name, credential=credential(token), invitation=given)


def _reply_taken(request: TakeRequest, decided: Decided, committed: Sequence[CommittedCommand]) -> TakenReply:
    return _taken(request, decided.token, committed[-1])


def _taken_before(context: DeskContext, match: CachedMatch, request: TakeRequest, first: Commit) -> TakenReply:
    """Return the first outcome of taking a seat, with the secret that the client already knows."""
    check_key_owner(first, request.seat)
    event = next((one for one in first.events if isinstance(one, SeatTaken | ArbiterSeated)), None)
    if event is None or event.credential != credential(request.secret):
        raise denied("key_used", "this key was used before with another secret; a secret is sent only once")
    return _taken(request, request.secret, CommittedCommand(match.id, first, match.table), repeated=True)


def _bots(context: DeskContext) -> BotSeats:
    """Return the seats of the bots of this server.

    Raises:
        RequestFailed: It plays no bots.
    """
    if context.bots is None:
        raise denied("not_possible", "this server plays no bots itself; `wardiary bot` plays a seat from anywhere")
    return context.bots


def _bot_key(request: BotRequest) -> str:
    return request.key


def _admit_bot(context: DeskContext, match: CachedMatch, request: BotRequest) -> None:
    _bots(context)


def _seat_bot(context: DeskContext, match: CachedMatch, request: BotRequest, key: str) -> Decided | FailedReply:
    """Let a bot take a seat, as a player does."""
    names = policy_names(load_game(match.table.game))
    policy = _policy_before(context, request) if request.of else leveled(request.policy, names)
    policy = policy or usual_policy(names)
    _check_policy(match.table, policy)
    taken = TakeRequest(
        id=request.id,
        match=request.match,
        seat=request.seat,
        name=bot_name(policy),
        secret=_bots(context).secret(request.match, request.seat),
        invitation=request.invitation,
    )
    if request.seat == ARBITER:
        raise unknown_seat(match.table, request.seat)
    return _take(context, match, _signed(context, match.table, _secured(context, match.table, taken), key), key)


def _policy_before(context: DeskContext, request: BotRequest) -> str:
    """Return the policy of the bot of this server that has the seat in the match that goes on as this one. Its secret tells it from a person of the same name.

    Raises:
        RequestFailed: A person has it, or nobody.
    """
    before = context.summaries.of(request.of)
    known = before.credentials.get(request.seat, "")
    if not _bots(context).is_ours(request.of, request.seat, known):
        raise denied("not_possible", f"no bot of this server has the seat {request.seat} in match {request.of}")
    return policy_of(before.shown.players[request.seat])


def _signed(context: DeskContext, table: Table, taken: TakeRequest, key: str) -> TakeRequest:
    """Return the request of a bot with the key that signs its commands, this one included."""
    signer = bot_signer(_bots(context).links_secret(taken.match, taken.seat))
    taken = replace(taken, public_key=signer.public_key, key_holder=BOT_HOLDER)
    command = encode(command_of_take(taken))
    text = text_to_sign(taken.match, table.opening, taken.seat, key=key, command=command)
    return replace(taken, signature=signer.sign(text))


def _secured(context: DeskContext, table: Table, taken: TakeRequest) -> TakeRequest:
    """Return the request of a bot with the anchor of its chain, if the dice depend on links and an anchor is possible now."""
    if table.links is None:
        return taken
    secret = _bots(context).links_secret(taken.match, taken.seat)
    anchor = LinkChain(bytes.fromhex(bot_tip(secret, table.links.anchors(taken.seat) + 1))).anchor
    if refuse_anchor(table, taken.seat, anchor, LENGTH, BOT_HOLDER) is not None:
        return taken
    return replace(taken, anchor=anchor, length=LENGTH, holder=BOT_HOLDER)


def _check_policy(table: Table, text: str) -> None:
    """Check that a game has a policy, and that a bot may think as much as it says.

    Raises:
        RequestFailed: It has not, or the budget cannot be read or is too large.
    """
    try:
        check_bot(load_game(table.game), text)
    except UnknownName as error:
        raise denied("unknown_name", str(error)) from None
    except BudgetInvalid as error:
        raise denied("malformed", str(error)) from None


def _bot_seated(request: BotRequest, committed: CommittedCommand, *, repeated: bool = False) -> BotReply:
    table = committed.table
    return BotReply(
        id=request.id,
        match=request.match,
        seat=request.seat,
        name=table.players[request.seat],
        seq=committed.number(request.seat),
        began=table.began,
        repeated=repeated,
    )


def _reply_bot_seated(request: BotRequest, decided: Decided, committed: Sequence[CommittedCommand]) -> BotReply:
    return _bot_seated(request, committed[-1])


def _bot_seated_before(context: DeskContext, match: CachedMatch, request: BotRequest, first: Commit) -> BotReply:
    """Return the first outcome of seating a bot."""
    check_key_owner(first, request.seat)
    return _bot_seated(request, CommittedCommand(match.id, first, match.table), repeated=True)


SEATS = (
    match_command(
        TakeRequest, key=_take_key, admit=_admit_all, attempt=_take, repeated=_taken_before, reply=_reply_taken
    ),
    match_command(
        BotRequest,
        key=_bot_key,
        admit=_admit_bot,
        attempt=_seat_bot,
        repeated=_bot_seated_before,
        reply=_reply_bot_seated,
    ),
)
