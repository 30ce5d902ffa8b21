"""The turns of a server's bots: one command of a bot, and the process that plays them in turn."""

import signal
import time
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing.connection import Connection

from core.errors import KernelError
from core.match.arbitration.consents import answer_to
from core.match.bound_games import bound_game, is_on_shipped_board
from core.registry.bot_policies import find_policy
from core.registry.games import GAMES, load_game
from events.codec import Struct, encode
from events.ids import GameKey, MatchId, Seat
from server.client.bots import PASSING, Bot, Followed
from server.client.client import Client
from server.client.retry import RetryPolicy
from server.client.seat_calls import MOVED_ON, part_of
from server.client.sockets import connect
from server.protocol.bot_seats import bot_signer, bot_tip
from server.protocol.curve import CurveKey
from server.protocol.errors import RequestFailed, ServerError

RETRY = RetryPolicy(timeout_s=10.0, tries=3)
SEATS_MAX = 512
"""Of how many seats the process keeps the chains; a chain is made anew in some milliseconds."""
PAUSE_S = 0.5
"""How long a bot waits for a server that is busy (seconds)."""


class Turn(Struct, frozen=True):
    """A bot that is to decide, or to open a link: its match, its seat and the secret that proves it, and the policy that chooses.

    From `links` its chains follow; see `server.protocol.bot_seats.bot_tip`.
    """

    match: MatchId
    seat: Seat
    policy: str
    secret: str
    links: str = ""


class Connecting(Struct, frozen=True):
    """The way of the bots to their server: where it takes requests, and the keys of an encrypted connection."""

    address: str
    server_key: str = ""
    secret_key: bytes = b""


def play_turn(client: Client, turn: Turn) -> bool:
    """Play one command of a bot, or open the links that it owes.

    Args:
        client: A client of the server.
        turn: The bot.

    A bot agrees whenever it is asked whether commands may be taken back.

    Returns:
        Whether the bot may have to decide again. It has not if another seat decides or has to open a link first, the match is over or paused, or
        is played under other rules than the installed ones, which a bot never adopts.

    Raises:
        RequestFailed: The seat has another player, or a chosen command was refused, which is a defect of the policy.
        KernelError: The game, its board or the policy is not installed.
    """
    client.add_token(turn.match, turn.seat, turn.secret)
    client.add_signer(turn.match, turn.seat, bot_signer(turn.links))
    legal = client.legal(turn.match, turn.seat, words=False, table=True)
    table = legal.table
    if table is None or table.ended is not None or table.paused is not None:
        return False
    if table.links is not None and table.links.held(turn.seat) is not None:
        client.add_chain(turn.match, turn.seat, bot_tip(turn.links, table.links.anchors(turn.seat)))
        if part_of(table, turn.seat):
            return bool(client.do_part(turn.match, turn.seat, table))
    if (agreed := answer_to(table, turn.seat, agrees=True)) is not None:
        with suppress(RequestFailed):
            client.play(turn.match, turn.seat, encode(agreed), expected=legal.seq)
        return True
    if not legal.options:
        return False
    game = load_game(table.game)
    board = None if is_on_shipped_board(table) else client.board(turn.match, turn.seat)
    bound = bound_game(game.key, board, table.variant)
    # The secret makes choices by lot unpredictable, and the event makes those of one match different.
    knowledge = Followed(client, turn.match, turn.seat)
    bot = Bot(bound, turn.seat, find_policy(game, turn.policy), f"{turn.secret}/{legal.seq}", knowledge=knowledge)
    try:
        client.play(turn.match, turn.seat, bot.choice(table, legal), expected=legal.seq)
    except RequestFailed as error:
        if error.reply.refusal in MOVED_ON:
            return False
        if error.code not in PASSING:
            raise
    return True


def play_turns(pipe: Connection, way: Connecting, games: Mapping[GameKey, str]) -> None:
    """Play the turns that come through a pipe, one command after the other, round the bots that are to decide, until it is closed.

    Args:
        pipe: Brings turns; what goes wrong with one goes back as text.
        way: Leads to the server.
        games: The games that the server knows.
    """
    # Ctrl-C reaches both processes; the server decides when this one ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    GAMES.update(games)
    client_key = CurveKey(way.secret_key) if way.secret_key else None
    turns: OrderedDict[tuple[MatchId, Seat], Turn] = OrderedDict()
    known: OrderedDict[tuple[MatchId, Seat], None] = OrderedDict()
    with connect(way.address, retry_policy=RETRY, server_key=way.server_key, client_key=client_key) as client:
        while True:
            try:
                while pipe.poll(0 if turns else None):
                    turn = pipe.recv()
                    turns[turn.match, turn.seat] = turn
                seat, turn = turns.popitem(last=False)
                known[seat] = None
                known.move_to_end(seat)
                if len(known) > SEATS_MAX:
                    client.forget(*known.popitem(last=False)[0])
                if _goes_on(client, turn, pipe):
                    turns.setdefault((turn.match, turn.seat), turn)
            except (EOFError, OSError):
                return


def _goes_on(client: Client, turn: Turn, pipe: Connection) -> bool:
    """Play one command of a bot, and return whether to come back to it."""
    try:
        return play_turn(client, turn)
    except RequestFailed as error:
        if error.reply.retry:
            time.sleep(PAUSE_S)
            return True
        pipe.send(f"{turn.match} {turn.seat}: {error}")
    except ServerError:
        # The server does not answer: it is being ended, or is started again.
        time.sleep(PAUSE_S)
        return True
    except KernelError as error:
        pipe.send(f"{turn.match} {turn.seat}: {error}")
    except Exception as error:  # noqa: BLE001 - A fault in one game's policy must not end the bots of the others.
        pipe.send(f"{turn.match} {turn.seat}: a fault of the policy {turn.policy}: {error!r}")
    return False
