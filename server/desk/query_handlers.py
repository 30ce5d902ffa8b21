"""The handlers of queries: server, table, log, legal commands, matches, board."""

from base64 import b64encode
from functools import cache
from hashlib import sha256

from core.history.match_reader import table_at
from core.legal.legal_options import between_decisions, legal_commands
from core.match.arbitration.consents import last_asked
from core.match.bound_games import is_on_shipped_board
from core.match.redo import line_to_redo
from core.match.undo import last_undo
from core.registry.bot_policies import policy_names
from core.registry.games import game_keys, load_game
from core.registry.installed_rules import standing_still
from core.telling.option_parts import option_kinds, told_options
from events.chain import commits_between
from events.codec import Raw, encode, replace
from events.commit import decode_commit
from events.errors import BrokenEvidence
from events.ids import ARBITER, NO_SEAT, GameKey, Seat
from events.transparency.signed_note import encode_hashes
from projections.state.table import Table
from projections.state.view import EventSlice
from server.desk.desk_context import DeskContext
from server.desk.handlers import Reads, query, seat_query
from server.desk.jobs import CountOdds, FoldView, is_long
from server.desk.match_cache import CachedMatch, CommittedCommand
from server.protocol.errors import checked_number, denied
from server.protocol.replies import (
    BoardReply,
    CheckpointReply,
    EntriesReply,
    HelloReply,
    LegalOption,
    LegalReply,
    LogReply,
    MatchesReply,
    OddsReply,
    ProofReply,
    StateReply,
    TileReply,
)
from server.protocol.wire import (
    LOG_EVENTS_MAX,
    MATCHES_MAX,
    ODDS_OPTIONS_MAX,
    PROTOCOL,
    BoardRequest,
    CheckpointRequest,
    EntriesRequest,
    HelloRequest,
    LegalRequest,
    LogRequest,
    MatchesRequest,
    OddsRequest,
    ProofRequest,
    SeatRequest,
    StateRequest,
    TileRequest,
)
from server.transparency.server_log import ServerLog

ENTRIES_MAX = 500
"""The largest number of entries in a reply to `entries`."""


def answer_hello(context: DeskContext, request: HelloRequest) -> HelloReply:
    """Return the version and the games; the broker adds the rest."""
    games = tuple(game_keys())
    return HelloReply(
        id=request.id,
        version=context.version,
        nodes=context.nodes,
        workers=context.workers,
        protocols=(PROTOCOL,),
        games=games,
        bots={} if context.bots is None else {game: _policies(game) for game in games},
        log="" if context.server_log is None or context.server_log.problem else context.server_log.verifier.text,
    )


@cache
def _policies(game: GameKey) -> tuple[str, ...]:
    return tuple(policy_names(load_game(game)))


def answer_matches(context: DeskContext, request: MatchesRequest) -> MatchesReply:
    """List matches in the order of their opening, or those whose ids begin alike."""
    limit = max(1, min(request.limit, MATCHES_MAX))
    if request.prefix and request.after:
        raise denied(
            "malformed", "`prefix` and `after` exclude each other: no more matches are listed by a prefix than fit"
        )
    if request.prefix:
        found, more = context.summaries.like(request.prefix, limit)
    else:
        found, more = context.summaries.page(request.after or None, limit)
    return MatchesReply(id=request.id, matches=tuple(found), more=more)


def answer_legal(context: DeskContext, match: CachedMatch, request: LegalRequest) -> LegalReply:
    """Return the open decision, its options for the deciding seat and the arbiter, and the table if it is requested."""
    seq = match.number(request.seat)
    table = match.table
    if request.at is not None and checked_number(request.at, seq, first=1) < seq:
        seq, table = request.at, _decided_at(context, match, request.seat, request.at)
    reply = _open_decision(context, match, request, seq, table)
    if request.table:
        reply = replace(reply, table=_view(context, match, request.seat, seq))
    if request.since is not None and request.since < match.number(request.seat):
        reply = replace(reply, slices=_seen_after(context, match, request, request.since))
    return reply


def _open_decision(
    context: DeskContext, match: CachedMatch, request: LegalRequest, seq: int, table: Table
) -> LegalReply:
    """Return the decision that is open on a table, which stands after the seat's event `seq`."""
    ruleset = match.match.ruleset
    installed = standing_still(table)
    is_stopped = installed is not None
    top = table.top
    if top is None:
        return LegalReply(id=request.id, match=match.id, seq=seq, installed=installed)
    is_now = table is match.table and not is_stopped
    undo_to = last_undo(table, match.match.recent, request.seat) if is_now else None
    may_ask = is_now and undo_to is None
    ask_undo_to = last_asked(table, match.match.recent, request.seat) if may_ask else None
    can_redo = is_now and bool(line_to_redo(context.log, match.match, request.seat))
    link_due = (table.links.awaited(top.seat) if is_now and table.links is not None else None) or NO_SEAT
    if is_stopped or link_due or request.seat not in (top.seat, ARBITER):
        return LegalReply(
            id=request.id,
            match=match.id,
            seq=seq,
            decision=top.kind,
            to_move=top.seat,
            arguments=top.arguments,
            undo_to=undo_to,
            ask_undo_to=ask_undo_to,
            can_redo=can_redo,
            installed=installed,
            link_due=link_due,
        )
    game = ruleset.game
    legal = legal_commands(game.rules, table, request.about)
    options = [LegalOption(number, Raw(encode(option))) for number, option in legal.options]
    if request.words:
        told = told_options(game, table, [option for _, option in legal.options])
        options = [replace(one, words=words, parts=parts) for one, (words, parts) in zip(options, told, strict=True)]
    return LegalReply(
        id=request.id,
        match=match.id,
        seq=seq,
        decision=top.kind,
        to_move=top.seat,
        arguments=top.arguments,
        options=tuple(options),
        count=legal.count,
        kinds=option_kinds(game, table, top) if request.words else (),
        minimum=legal.minimum,
        maximum=legal.maximum,
        may_repeat=legal.may_repeat,
        picked=legal.picked,
        places=legal.places,
        undo_to=undo_to,
        ask_undo_to=ask_undo_to,
        can_redo=can_redo,
    )


def _decided_at(context: DeskContext, match: CachedMatch, seat: Seat, number: int) -> Table:
    """Return the table after the command that ends with a seat's event.

    Raises:
        RequestFailed: No command ends there.
    """
    seq = match.log_number(seat, number)
    _, commit = next(commits_between(context.log, match.id, seq - 1, seq))
    seen = CommittedCommand(match.id, commit, match.table).slice_for(seat)
    assert seen is not None, "a seat's number is that of an event it has seen"
    if seen.last != number:
        raise denied("within_command", between_decisions(number, seen.first - 1, seen.last))
    return table_at(context.log, match.id, commit.last)


def answer_odds(context: DeskContext, match: CachedMatch, request: OddsRequest) -> OddsReply:
    """Return the chances of options of the open decision for the deciding seat and the arbiter."""
    seq = match.number(request.seat)
    table = match.table
    if request.at is not None and checked_number(request.at, seq, first=1) < seq:
        seq, table = request.at, _decided_at(context, match, request.seat, request.at)
    top = table.top
    reply = OddsReply(id=request.id, match=match.id, seq=seq)
    if top is None or table.ended is not None:
        return reply
    reply = replace(reply, decision=top.kind, to_move=top.seat)
    job = _counting(match, request)
    if job is None or request.seat not in (top.seat, ARBITER):
        return reply
    return replace(reply, options=match.odds.get(job.key, lambda _: job.run(context.log)))


def odds_job(context: DeskContext, match: CachedMatch, request: OddsRequest) -> CountOdds | None:
    """Return the job that counts the chances, unless they are known or are not told to the seat."""
    top = match.table.top
    if request.at is None and (top is None or request.seat not in (top.seat, ARBITER)):
        return None
    job = _counting(match, request)
    return None if job is None or job.key in match.odds else job


def _counting(match: CachedMatch, request: OddsRequest) -> CountOdds | None:
    """Return the job that counts what is requested; None in a match that is played under other rules than are installed.

    Raises:
        RequestFailed: Too many options are named, or the event does not exist.
    """
    if len(request.numbers) > ODDS_OPTIONS_MAX:
        raise denied("malformed", f"chances are told of at most {ODDS_OPTIONS_MAX} options at a time")
    if not match.match.ruleset.is_in_force(match.table):
        return None
    seq = match.match.head.seq if request.at is None else match.log_number(request.seat, request.at, first=1)
    return CountOdds(
        match.id, request.seat, seq, request.numbers, b"" if request.command is None else encode(request.command)
    )


def answer_state(context: DeskContext, match: CachedMatch, request: StateRequest) -> StateReply:
    """Return the table as the seat sees it, now or after an event."""
    last = match.number(request.seat)
    at = last if request.at is None else checked_number(request.at, last)
    table = _view(context, match, request.seat, at)
    installed = standing_still(match.table) if at == last else None
    return StateReply(id=request.id, match=match.id, seat=request.seat, seq=at, table=table, installed=installed)


def _view(context: DeskContext, match: CachedMatch, seat: Seat, at: int) -> Table:
    """Return the table as a seat sees it after its event `at`."""
    is_now = at == match.number(seat)
    return match.view(context.log, seat) if is_now else match.view_at(context.log, seat, at)


def legal_job(context: DeskContext, match: CachedMatch, request: LegalRequest) -> FoldView | None:
    """Return the job that folds the table; see `state_job`."""
    return state_job(context, match, request) if request.table else None


def state_job(context: DeskContext, match: CachedMatch, request: StateRequest | LegalRequest) -> FoldView | None:
    """Return the job that folds the table, unless only few events have to be folded."""
    if not is_long(match.match.head.seq):
        return None
    seq = match.match.head.seq if request.at is None else match.log_number(request.seat, request.at)
    if not is_long(match.view_cost(context.log, request.seat, seq)):
        return None
    return FoldView(match.id, request.seat, seq, match.table.limits)


def answer_log(context: DeskContext, match: CachedMatch, request: LogRequest) -> LogReply:
    """Return what the seat has seen after an event."""
    last = match.number(request.seat)
    slices = _seen_after(context, match, request, request.since, request.limit)
    return LogReply(id=request.id, match=match.id, seq=last, slices=slices, installed=standing_still(match.table))


def _seen_after(
    context: DeskContext, match: CachedMatch, request: SeatRequest, since: int, limit: int = LOG_EVENTS_MAX
) -> tuple[EventSlice, ...]:
    """Return what the seat of a request has seen after an event, up to a limit."""
    last = match.number(request.seat)
    since, limit = checked_number(since, last), max(1, min(limit, LOG_EVENTS_MAX))
    return tuple(match.slices(context.log, request.seat, since, limit)) if since < last else ()


def answer_board(context: DeskContext, match: CachedMatch, request: BoardRequest) -> BoardReply:
    """Return the text of the board that the match is played on, and whether it is the game's.

    Raises:
        BrokenEvidence: The board is damaged in the store.
    """
    content = context.log.attachment(match.table.board)
    if content is not None and sha256(content).hexdigest() != match.table.board:
        raise BrokenEvidence(match.id, 1, "the board that the match was opened with is damaged in this store")
    text = "" if content is None else content.decode()
    return BoardReply(id=request.id, match=match.id, text=text, is_shipped=is_on_shipped_board(match.table))


def answer_checkpoint(context: DeskContext, request: CheckpointRequest) -> CheckpointReply:
    """Return the last checkpoint, and ask for the next one if more was stored.

    Raises:
        RequestFailed: There is no log, or nothing in it yet.
    """
    log = _server_log(context)
    log.want()
    if not log.note:
        raise denied("not_logged", "the server has not signed a checkpoint yet; try again in a second", retry=True)
    proof = log.consistency(request.since) if 0 <= request.since <= log.size else []
    return CheckpointReply(id=request.id, note=log.note, consistency=encode_hashes(proof), changes=log.changes)


def answer_proof(context: DeskContext, match: CachedMatch, request: ProofRequest) -> ProofReply:
    """Return an entry with its proof.

    Raises:
        RequestFailed: There is no log, no such event, or no checkpoint covers an entry for it yet.
    """
    log = _server_log(context)
    if request.at is None:
        proved = log.last_proof(match.id)
    else:
        seq = match.log_number(request.seat, request.at, first=1)
        stored, _ = next(commits_between(context.log, match.id, seq - 1, seq))
        proved = log.proof(stored.match, context.log.number_of(stored.match, stored.first))
    if proved is None:
        log.want()
        raise denied("not_logged", "no checkpoint covers this yet; try again in a second", retry=True)
    reply = ProofReply(id=request.id, match=match.id, entry=proved.entry.decode(), proof=proved.proof.text)
    if request.seat != ARBITER and not match.is_disclosed(context.log):
        return reply
    (written,) = context.log.written(proved.commit - 1, 1)
    return replace(reply, nonce=proved.nonce.hex(), last=decode_commit(written.body).last)


def answer_entries(context: DeskContext, match: CachedMatch, request: EntriesRequest) -> EntriesReply:
    """Return entries of a match, and for who may have its commits what blinds them.

    Raises:
        RequestFailed: There is no log.
    """
    found = _server_log(context).entries(match.id, max(0, request.after), ENTRIES_MAX)
    is_open = request.seat == ARBITER or match.is_disclosed(context.log)
    return EntriesReply(
        id=request.id,
        match=match.id,
        entries=tuple([entry.decode() for entry, _ in found]),
        nonces=tuple([nonce.hex() for _, nonce in found]) if is_open else (),
    )


def answer_tile(context: DeskContext, request: TileRequest) -> TileReply:
    """Return a tile of the log.

    Raises:
        RequestFailed: There is no log, or no checkpoint covers such a tile.
    """
    content = _server_log(context).tile(request.level, request.number, request.width)
    if content is None:
        raise denied("not_logged", f"the log has no tile {request.number} of {request.width} at level {request.level}")
    return TileReply(id=request.id, content=b64encode(content).decode())


def _server_log(context: DeskContext) -> ServerLog:
    if context.server_log is None or context.server_log.problem:
        raise denied(
            "no_log", "this server keeps no log of entries and checkpoints, or its log has ended: ask its operator"
        )
    return context.server_log


QUERIES = (
    query(HelloRequest, answer_hello, reads=Reads.NOTHING),
    query(MatchesRequest, answer_matches),
    seat_query(LegalRequest, answer_legal, legal_job),
    seat_query(OddsRequest, answer_odds, odds_job),
    seat_query(StateRequest, answer_state, state_job),
    seat_query(LogRequest, answer_log),
    seat_query(BoardRequest, answer_board),
    query(CheckpointRequest, answer_checkpoint, reads=Reads.NOTHING),
    seat_query(EntriesRequest, answer_entries),
    query(TileRequest, answer_tile, reads=Reads.NOTHING),
    seat_query(ProofRequest, answer_proof),
)
