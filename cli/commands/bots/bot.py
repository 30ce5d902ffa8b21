"""Lets a bot play a seat over sockets."""

import os
from contextlib import ExitStack, suppress
from typing import NamedTuple

from cli.commands.playing.seats import proves
from cli.schemas.server import BotShape
from cli.shell.child_bot import EXEC, BotFault, ChildBot, bot_of, check_bot_exists
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from cli.shell.remote import match_on
from cli.shell.seat_secrets import BOTS_VARIABLE, bots_of, keep_secret, played_here, read_secrets, secret_kept
from cli.views.kept_evidence import keep_afterwards
from core.bots.budget import parse_budget
from core.errors import UnknownName
from core.game.game_record import Game
from core.match.link_commands import BOT_HOLDER
from core.registry.games import load_game
from core.suggestions import unknown
from events.ids import PUBLIC, MatchId, Seat
from server.broker.serving import ADDRESS
from server.client.bots import BotReport, game_on_board, run_bot, sit_down, take_over
from server.client.client import Client
from server.protocol.bot_seats import bot_name
from server.protocol.errors import RequestFailed


class BotWish(NamedTuple):
    """The arguments of `bot`."""

    game: str
    match: str
    seat: str
    policy: str
    seed: str
    commands: int
    name: str = ""
    budget: str = ""


def play_bot(context: Context, wish: BotWish) -> None:
    """Take a seat and play until the match ends.

    Raises:
        UserError: A number is out of range, or the match is of another game.
        BudgetInvalid: The budget cannot be read.
        UnknownName: There is no such game, seat or policy.
        BotFault: A bot that is a child process has done what it must not do.
        RequestFailed: The server refuses.
        TimedOut: It does not answer.
    """
    if wish.commands < 0:
        raise usage("--commands is 0 or more")
    game = load_game(wish.game)
    parse_budget(wish.budget)
    check_bot_exists(game, wish.policy)
    seat = Seat(wish.seat) if wish.seat else game.seats[0]
    if seat not in game.seats:
        raise UnknownName(unknown(f"seat of {game.key}", seat, [str(known) for known in game.seats]))
    name = wish.name or bot_name(EXEC.rstrip(":") if wish.policy.startswith(EXEC) else wish.policy)
    with context.connect(context.address or ADDRESS) as client, ExitStack() as locks:
        client.holder = BOT_HOLDER
        if wish.match:
            match = match_on(client, wish.match).match
            played = client.state(match, PUBLIC).table.game
            if played != game.key:
                raise usage(f"match {match} is of {played}, not of {game.key}")
            plays = "plays on as" if _is_seated(context, client, match, seat, name) else "plays"
        else:
            match, plays = _left(context, client, game, seat, locks), "plays on as"
            if not match:
                match, plays = sit_down(client, game.key, seat, name), "plays"
                keep_secret(_bots(context), match, seat, client.token(match, seat))
        locks.enter_context(played_here(match, seat))
        context.echo_err(f"{name} {plays} {seat} in match {match}")
        report = _play_on(context, client, match, seat, wish)
        while report.goes_on and take_over(client, match, report.goes_on, seat, name):
            keep_secret(_bots(context), match, seat, "")
            match = report.goes_on
            locks.enter_context(played_here(match, seat))
            keep_secret(_bots(context), match, seat, client.token(match, seat))
            context.echo_err(f"{name} plays on as {seat} in match {match}, by a ruling")
            report = _play_on(context, client, match, seat, wish)
    if context.address:
        keep_afterwards(context, match)
    if report.ended is not None:
        keep_secret(_bots(context), match, seat, "")
    shape = BotShape(
        match=report.match, seat=report.seat, policy=wish.policy, commands=report.commands, ended=report.ended
    )
    result = "" if report.ended is None else f"; {report.ended.result}"
    context.print_result(shape, [f"{report.match}: {name} played {report.commands} commands as {report.seat}{result}"])


def _play_on(context: Context, client: Client, match: MatchId, seat: Seat, wish: BotWish) -> BotReport:
    """Play a seat until its match ends."""
    bound = game_on_board(client, match, seat, client.state(match, seat).table)
    policy = bot_of(wish.policy, load_game(wish.game), bound, shows_errors=context.is_verbose)
    try:
        return run_bot(
            client,
            match,
            seat,
            policy,
            wish.seed,
            budget=parse_budget(wish.budget),
            commands_max=wish.commands or None,
            notice=context.echo_err,
        )
    except RequestFailed as error:
        if isinstance(policy, ChildBot) and error.reply.refusal:
            raise BotFault(wish.policy, f"played an illegal command: {error}") from None
        raise
    finally:
        if isinstance(policy, ChildBot):
            policy.end()


def _bots(context: Context) -> str:
    """Return under which name the secrets of bots are kept."""
    return os.environ.get(BOTS_VARIABLE, "") or bots_of(context.address or ADDRESS)


def _left(context: Context, client: Client, game: Game, seat: Seat, locks: ExitStack) -> MatchId:
    """Return a match of a game that a bot of this user plays and no process goes on with, since its own has ended; empty if there is none."""
    for match, seats in read_secrets(_bots(context)).items():
        secret = seats.get(seat, "")
        # A match of another store at this address is not known here.
        with suppress(RequestFailed):
            table = client.state(match, PUBLIC).table
            is_open = table.game == game.key and (table.ended is None or bool(table.goes_on))
            if secret and is_open and proves(table, seat, secret) and locks.enter_context(played_here(match, seat)):
                client.add_token(match, seat, secret)
                return match
    return MatchId("")


def _is_seated(context: Context, client: Client, match: MatchId, seat: Seat, name: str) -> bool:
    """Sit down in a seat, or return true if a secret that was typed or kept proves that it is ours already.

    Raises:
        RequestFailed: It is taken or reserved, and no secret opens it.
    """
    table, typed = client.state(match, PUBLIC).table, context.settings.token
    kept = [
        read_secrets(server).get(match, {}).get(seat, "") for server in (_bots(context), context.address or ADDRESS)
    ]
    for secret in (typed, *kept):
        if secret and proves(table, seat, secret):
            client.add_token(match, seat, secret)
            return True
    with secret_kept(_bots(context), match, seat) as secret:
        client.take_seat(match, seat, name, secret=secret, invitation=typed)
    return False
