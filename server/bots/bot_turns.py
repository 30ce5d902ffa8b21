"""The turns of a server's bots: what one has to do, what it chooses, and how that is played."""

from collections.abc import Callable
from contextlib import suppress

from core.bots.budget import parse_policy
from core.bots.choice_record import ChoiceRecord, key_of
from core.engine.command import Command
from core.errors import KernelError
from core.match.arbitration.consents import answer_to
from core.match.bound_games import bound_game, is_on_shipped_board
from core.registry.bot_policies import find_policy, policy_version
from core.registry.games import load_game
from core.secrets.knowledge import Hidden
from events.codec import DecodeError, Raw, Struct, encode
from events.ids import MatchId, Seat
from projections.state.seating import part_of
from server.bots.work_messages import Question
from server.client.bots import PASSING, Bot
from server.client.client import Client
from server.client.seat_calls import MOVED_ON
from server.protocol.bot_seats import bot_signer, bot_tip, choice_seed
from server.protocol.errors import RequestFailed

SHOWN_MAX = 80
"""The most bytes of an answer in a message."""


class NotChosen(KernelError):
    """An answer to a question that is no choice."""


class Turn(Struct, frozen=True):
    """A bot that is to decide, or to open a link: its match, its seat and the secret that proves it, and the policy that chooses.

    From `links` its chains follow; see `server.protocol.bot_seats.bot_tip`.
    """

    match: MatchId
    seat: Seat
    policy: str
    secret: str
    links: str = ""


def look(client: Client, turn: Turn) -> bool | Question:
    """Look what a bot has to do, and do it if it is no decision: open the links that it owes, agree that commands are taken back.

    Args:
        client: A client of the server.
        turn: The bot.

    Returns:
        The decision that it has to take; or whether to look again. There is nothing to do if another seat decides or has to open a link first, the
        match is over or paused, or is played under other rules than the installed ones, which a bot never adopts.

    Raises:
        RequestFailed: The seat has another player.
        KernelError: The game, its board or the policy is not installed.
    """
    _prove(client, turn)
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
    return Question(
        match=turn.match,
        seat=turn.seat,
        bot=turn.policy,
        version=policy_version(load_game(table.game), parse_policy(turn.policy)[0]),
        # The secret makes choices by lot unpredictable, and the event makes those of one match different.
        seed=choice_seed(turn.secret, turn.match, turn.seat, legal.seq),
        legal=legal,
        board=None if is_on_shipped_board(table) else client.board(turn.match, turn.seat),
    )


def _prove(client: Client, turn: Turn) -> None:
    """Let a client act for the seat of a bot."""
    client.add_token(turn.match, turn.seat, turn.secret)
    client.add_signer(turn.match, turn.seat, bot_signer(turn.links))


def choose(question: Question, knowledge: Callable[[], Hidden]) -> Command:
    """Take the decision of a bot, by nothing but the question, and what the seat knows if the policy imagines.

    Raises:
        KernelError: The game, its board or the policy is not installed.
    """
    table = question.legal.table
    assert table is not None, "a question comes with its table"
    game = load_game(table.game)
    policy, budget = parse_policy(question.bot)
    bound = bound_game(game.key, question.board, table.variant)
    bot = Bot(bound, question.seat, find_policy(game, policy), question.seed, knowledge=knowledge, budget=budget)
    return bot.choice(table, question.legal)


def check_choice(question: Question, command: Raw) -> None:
    """Check that an answer is a command of the game, such as an option or a whole choice; whether it may be played the rules decide.

    Raises:
        KernelError: It is something else, such as the command to resign.
    """
    table = question.legal.table
    assert table is not None, "a question comes with its table"
    try:
        bound_game(table.game, question.board, table.variant).rules.decode(bytes(command))
    except DecodeError as error:
        raise NotChosen(f"an answer is a command of the game, not {bytes(command)[:SHOWN_MAX]!r}") from error


def settle(client: Client, turn: Turn, question: Question, command: Raw) -> bool:
    """Play what was chosen. Its key is the record of the choice, and it takes effect only if the seat has seen nothing since: never twice.

    Returns:
        Whether to look again: the bot may have to decide again, or the match has moved on.

    Raises:
        RequestFailed: The seat has another player, or the command was refused, which is a defect of the policy.
    """
    _prove(client, turn)
    key = key_of(ChoiceRecord(question.bot, question.version, question.seed))
    try:
        client.play(question.match, question.seat, command, expected=question.legal.seq, key=key)
    except RequestFailed as error:
        if error.reply.refusal in MOVED_ON:
            return False
        if error.code not in PASSING:
            raise
    return True
