"""The arbiter's verbs: invitations, replaced players, pauses, awards, annulments, and who may be the arbiter."""

from shlex import quote
from typing import NamedTuple, get_args

from cli.commands.playing.choose import send
from cli.commands.playing.seats import hold_office
from cli.schemas.server import ArbitersShape, InvitationShape
from cli.shell.arguments import parse_duration, parse_remarked, parse_whole
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from cli.shell.seat_secrets import keep_secret, read_secrets
from cli.views.named_match import named_match
from core.match.arbiter_commands import AnnulMatch, AwardMatch, PauseMatch, ReplacePlayer, ReserveSeat, ResumeMatch
from core.match.arbitration.disputes import Appeal, OpenDispute, line_defect
from core.match.match_commands import MatchCommand
from core.match.player_commands import MakeRuling
from core.registry.games import typed_key
from core.suggestions import unknown
from core.telling.cited_rules import rule_defect
from core.telling.phrases import listed
from core.wording import counted
from events.codec import encode
from events.ids import ARBITER, MatchId, RuleId, Seat
from events.vocabulary import Effect
from projections.state.offices import Dispute
from server.client.adopting import HandedOver
from server.protocol.clock import SystemClock
from server.protocol.identity import SystemIdentity, credential


def invite(
    context: Context, match: str, seat: str, name: str, *, lasting: str | None, key: str, is_withdrawn: bool
) -> None:
    """Reserve a seat and print the invitation, or withdraw it.

    Args:
        context: The command line.
        match: The match, as typed.
        seat: The seat.
        name: For whom.
        lasting: How long the invitation holds, as typed; None for ever.
        key: The public key with which the player has to sign; empty for any.
        is_withdrawn: Whether it is withdrawn.

    Raises:
        UserError: There is no such match, or the duration is not valid.
        RequestFailed: The rules refuse, or this client is not the arbiter.
    """
    secret = "" if is_withdrawn else SystemIdentity().token()
    if (lasting is not None or key) and is_withdrawn:
        raise usage("--withdraw excludes --for and --key")
    until = SystemClock().now_ms() + parse_duration(lasting) if lasting is not None else 0
    command = ReserveSeat(seat=Seat(seat), name=name, credential=_hash(secret), until=until, key=key)
    _hand_out(context, match, command, name, secret)


def replace_player(context: Context, match: str, seat: str, name: str, reason: str) -> None:
    """Remove a player from a seat and print the invitation to it.

    Raises:
        UserError: There is no such match.
        RequestFailed: As `invite`.
    """
    secret = SystemIdentity().token()
    command = ReplacePlayer(seat=Seat(seat), name=name, credential=_hash(secret), reason=reason)
    _hand_out(context, match, command, name, secret)


def pause(context: Context, match: str, reason: str) -> None:
    """Pause a match."""
    send(context, match, ARBITER, PauseMatch(reason=reason))


def resume(context: Context, match: str) -> None:
    """Resume a match."""
    send(context, match, ARBITER, ResumeMatch())


def award(context: Context, match: str, to: tuple[str, ...], reason: str) -> None:
    """End a match for its winners."""
    send(context, match, ARBITER, AwardMatch(to=to, reason=reason))


def annul(context: Context, match: str, reason: str) -> None:
    """End a match without a result."""
    send(context, match, ARBITER, AnnulMatch(reason=reason))


class Ruled(NamedTuple):
    """A ruling beside its text, as typed."""

    rules: tuple[str, ...] = ()
    at: int | None = None
    effect: str = ""
    line: str = ""
    reverses: bool = False
    house: str = ""


def record_ruling(context: Context, match: str, text: str, ruled: Ruled) -> None:
    """Record a ruling, on rules or printed sections of the game or ones common to all matches, and on a dispute with its effect.

    Raises:
        UserError: There is no such match, rule or effect, or the match does not go on as the named one; similar names are suggested.
        RequestFailed: The rules refuse, or this client is not the arbiter.
    """
    named = parse_remarked(match)
    known = named_match(context, named, ARBITER)
    for rule in ruled.rules:
        _check_rule(context, known, rule)
    effects: tuple[Effect, ...] = get_args(Effect)
    effect = next((one for one in effects if one == ruled.effect), None)
    if effect is None:
        raise usage(unknown("effect of a ruling", ruled.effect, [one for one in effects if one]), "unknown_name")
    line = _line(context, known, ruled.line, effect) if ruled.line else MatchId("")
    rules = [RuleId(rule) for rule in ruled.rules]
    command = MakeRuling(
        text=text,
        about=rules[0] if rules else None,
        at=ruled.at,
        cites=tuple(rules[1:]),
        effect=effect,
        line=line,
        reverses=ruled.reverses,
        house=ruled.house,
    )
    was = context.client.state(known).table.dispute(ruled.at) if line else None
    send(context, named, ARBITER, command)
    if line:
        _hand_over(context, known, was, line, text)


def _line(context: Context, match: MatchId, text: str, effect: Effect) -> MatchId:
    """Return the match as which a disputed one goes on: a fork of it, or one of the same game that was opened with a position.

    Raises:
        UserError: It is neither, or over.
    """
    line = named_match(context, text)
    now, then = context.client.state(line).table, context.client.state(match).table
    if defect := line_defect(match, then, line, now, effect):
        is_edit = effect == "edit"
        way = (
            f"new {typed_key(then.game)} --position FILE --free-seats"
            if is_edit
            else f"fork {match}@SEQ --seat arbiter"
        )
        raise usage(f"{defect}; `wardiary {way}` makes another one", "unknown_match")
    hold_office(context, line, "" if then.arbiter is None else then.arbiter.name)
    return line


def _hand_over(context: Context, match: MatchId, was: Dispute | None, line: MatchId, text: str) -> None:
    """Let the players of a match have their seats in the line as which it goes on, and end the line of the ruling that was reversed."""
    client = context.client
    if was is not None and was.line and was.line != line:
        if client.rule_on_line(named_match(context, was.line), line, text):
            context.echo_err(f"{was.line} goes on as {line}, too")
        _tell_seats(context, line, client.hand_over(was.line, line))
    _tell_seats(context, line, client.hand_over(match, line))


def _tell_seats(context: Context, line: MatchId, done: HandedOver) -> None:
    if done.bots:
        context.echo_err(f"the bots of the server play on in {line}: {listed(done.bots)}")
    if done.kept:
        context.echo_err(
            f"in {line} the players have their seats: {listed(done.kept)}; `wardiary sit {line} --seat {done.kept[0]}` takes one there"
        )
    if done.problem:
        context.echo_err(
            f"in {line} seats are not handed over ({done.problem}): be its arbiter, and invite the players"
        )


def open_dispute(context: Context, match: str, text: str, seat: str, *, at: int, pauses: bool) -> None:
    """Dispute an event, as a player or as the arbiter, who may pause the match with it."""
    send(context, parse_remarked(match), seat, OpenDispute(at=at, text=text, pauses=pauses))


def appeal(context: Context, match: str, text: str, seat: str, at: int) -> None:
    """Appeal against the ruling on a dispute."""
    send(context, parse_remarked(match), seat, Appeal(at=at, text=text))


def appoint(context: Context, add: str | None, remove: str | None) -> None:
    """Give or end a capability for all matches of the server or the store; without either list who has one.

    Raises:
        UserError: Both were asked for, or a name is blank.
        RequestFailed: This client is not the store's owner, nobody of that name has a capability, or somebody has one already.
    """
    if add is not None and remove is not None:
        raise usage("--add and --remove exclude each other")
    name = add if remove is None else remove
    if name is not None and not name.strip():
        raise usage("--add and --remove need a name")
    if not (add or context.address):
        # Only the first capability makes a store; where there is none, this raises the error.
        context.open_for_reading()
    secret = SystemIdentity().token() if add else ""
    reply = context.client.appoint(name or "", _hash(secret))
    shape = ArbitersShape(names=reply.names, ended=reply.ended, name=add or "", capability=secret)
    context.print_result(shape, [secret] if add else reply.names)
    if reply.ended:
        offices = counted(len(reply.ended), "office")
        context.echo_err(f"{offices} ended with a capability, and the log says so: {', '.join(reply.ended)}")
    if add:
        context.echo_err(
            f"hand this capability to {add}, who takes the arbiter's seat of any match with it: "
            "wardiary sit MATCH --seat arbiter --token CAPABILITY"
        )


def _hand_out(context: Context, match: str, command: MatchCommand, name: str, secret: str) -> None:
    """Send a command that reserves a seat, and print the secret that opens it."""
    assert isinstance(command, ReserveSeat | ReplacePlayer)
    known = named_match(context, parse_whole(match), ARBITER)
    played = context.client.play(known, ARBITER, encode(command))
    is_kept = context.address and command.seat in read_secrets(context.address).get(known, {})
    if is_kept and command.seat != ARBITER:
        # The seat of a fork that the arbiter had is another's now.
        keep_secret(context.address, known, command.seat, "")
    shape = InvitationShape(match=known, seat=command.seat, name=name, seq=played.seq, invitation=secret)
    context.print_result(shape, [secret] if secret else [f"{known}: the invitation to {command.seat} is withdrawn"])
    if secret:
        whom = name or ("the arbiter" if command.seat == ARBITER else "the player")
        # The name is also the default; only an arbiter must have one.
        named = f"--name {quote(name)} " if name else "--name NAME " if command.seat == ARBITER else ""
        context.echo_err(
            f"hand this invitation to {whom}; it opens the seat once: "
            f"wardiary sit {known} --seat {command.seat} {named}--token INVITATION"
        )


def _check_rule(context: Context, match: MatchId, rule: str) -> None:
    game = context.client.state(match).table.game
    if defect := rule_defect(game, rule, f"`wardiary rules {typed_key(game)}`"):
        raise usage(defect, "unknown_name")


def _hash(secret: str) -> str:
    return credential(secret) if secret else ""
