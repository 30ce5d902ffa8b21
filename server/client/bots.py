"""Bots: they play a seat through the same client as a player and see only what their seat sees."""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from time import perf_counter

from core.bots.bot_port import Asked, Policy, answer_of
from core.bots.budget import NO_BUDGET, Budget
from core.bots.seat_knowledge import SeatKnowledge
from core.engine.command import Command
from core.errors import UnknownName
from core.game.bound_game import BoundGame
from core.match.arbitration.consents import answer_to
from core.match.bound_games import bound_game, is_on_shipped_board
from core.registry.bot_policies import find_policy
from core.registry.games import load_game, typed_key
from core.secrets.knowledge import Hidden
from core.suggestions import unknown
from events.codec import Struct, encode
from events.ids import MatchId, Seat
from projections.state.seating import part_of
from projections.state.table import Ended, Table
from server.client.adopting import standstill
from server.client.client import Client, Following
from server.client.seat_calls import MOVED_ON
from server.protocol.errors import RequestFailed
from server.protocol.identity import credential
from server.protocol.replies import LegalReply

WAIT_S = 1.0
"""How long a bot waits for events before it checks whether to stop (seconds)."""

PASSING = frozenset({"lost_race", "not_your_turn"})
"""Codes which mean that the match moved on while the bot was choosing; it chooses again."""


TAKEN = frozenset({"seat_must_be_free", "seat_must_be_open"})
"""Refusals of a seat that another player has, or is invited to."""


class BotReport(Struct, frozen=True):
    """The result of a bot's run: the number of commands it played, how the match ended, or None, and the match as which it goes on by a ruling."""

    match: MatchId
    seat: Seat
    commands: int
    ended: Ended | None
    goes_on: MatchId = MatchId("")


class Bot:
    """Chooses commands for one seat.

    Args:
        game: The match's game, on its board.
        seat: The seat it plays.
        policy: The policy.
        seed: The same seed, options and tables give the same choices.
        knowledge: Returns what the seat knows, for a policy that imagines; called only then.
        budget: How much the policy may think about each decision.
    """

    def __init__(
        self,
        game: BoundGame,
        seat: Seat,
        policy: Policy,
        seed: str,
        *,
        knowledge: Callable[[], Hidden] | None = None,
        budget: Budget = NO_BUDGET,
    ) -> None:
        self._game = game
        self._seat = seat
        self._policy = policy
        self._below = Random(seed).randrange  # noqa: S311 - A bot's choices are not secret.
        self._knowledge = knowledge
        self._budget = budget

    def choice(self, table: Table, legal: LegalReply) -> Command:
        """Choose one of the legal commands; there must be at least one."""
        rules = self._game.rules
        asked = Asked(
            rules,
            table,
            self._seat,
            [rules.decode(bytes(option.command)) for option in legal.options],
            self._below,
            budget=self._budget,
            knowledge=self._knowledge,
            inventory=lambda: self._game.inventory(table.scenario, table.options),
            clock=perf_counter,
        )
        return answer_of(self._policy, asked).command


class Followed:
    """Knowledge of a seat of a match: asked for when it is needed, and then only what is new.

    Args:
        client: Knows the seat's secret.
        match: The match.
        seat: The seat.
    """

    def __init__(self, client: Client, match: MatchId, seat: Seat) -> None:
        self._client = client
        self._match = match
        self._seat = seat
        self._known = SeatKnowledge()

    def __call__(self) -> Hidden:
        """Return what the seat knows.

        Raises:
            RequestFailed: The client does not hold the seat.
        """
        for slice_ in self._client.log(self._match, self._seat, self._known.count):
            self._known.follow(slice_.events)
        return self._known.now()


def run_bot(
    client: Client,
    match: MatchId,
    seat: Seat,
    policy: str | Policy = "random",
    seed: str = "0",
    *,
    budget: Budget = NO_BUDGET,
    commands_max: int | None = None,
    is_stopped: Callable[[], bool] = lambda: False,
    notice: Callable[[str], None] = lambda _: None,
) -> BotReport:
    """Play a seat that the client has taken, until the match ends.

    Args:
        client: Knows the seat's secret.
        match: The match.
        seat: The seat.
        policy: A policy, or its name, as in `core.registry.bot_policies`.
        seed: The seed of the policy's random choices.
        budget: How much it may think about each decision.
        commands_max: Stop after this many commands.
        is_stopped: Called about once a second; returns whether to stop.
        notice: Called with a sentence when the match stands still under other rules, which a bot never adopts.

    Raises:
        UnknownName: The game has no such policy.
        RequestFailed: The client does not hold the seat, or a chosen command was refused, which is a defect of the policy.
    """
    with client.follow(match, seat) as following:
        table = following.table
        chooses = find_policy(load_game(table.game), policy) if isinstance(policy, str) else policy
        bound, knowledge = game_on_board(client, match, seat, table), Followed(client, match, seat)
        bot = Bot(bound, seat, chooses, seed, knowledge=knowledge, budget=budget)
        commands, told = 0, ""
        while following.table.ended is None and commands != commands_max and not is_stopped():
            done, still = _step(client, match, seat, bot, following)
            commands += done
            if still and still != told:
                notice(still)
                told = still
        return BotReport(match, seat, commands, following.table.ended, following.table.goes_on)


def take_over(client: Client, match: MatchId, line: MatchId, seat: Seat, name: str) -> bool:
    """Take a seat of a match in the one as which it goes on, as soon as the arbiter hands it over; return whether that happens before it ends.

    Raises:
        RequestFailed: The server does not give the seat.
    """
    secret = client.token(match, seat)
    with client.follow(line) as following:
        while following.table.ended is None:
            invited = following.table.reserved.get(seat)
            if invited is not None and invited.credential == credential(secret):
                client.take_seat(line, seat, name, invitation=secret)
                return True
            following.next(WAIT_S)
    return False


def game_on_board(client: Client, match: MatchId, seat: Seat, table: Table) -> BoundGame:
    """Return the game of a match on the board on which it is played."""
    board = None if is_on_shipped_board(table) else client.board(match, seat)
    return bound_game(load_game(table.game).key, board, table.variant)


def _step(client: Client, match: MatchId, seat: Seat, bot: Bot, following: Following) -> tuple[int, str]:
    """Play one command if this seat is to decide, agree if it is asked whether commands may be taken back, otherwise wait for events.

    Returns:
        The number of commands played, and why the match stands still; empty if it does not.
    """
    while following.next(0.0) is not None:
        pass
    if following.table.ended is not None:
        return 0, ""
    if part_of(following.table, seat):
        for done in client.do_part(match, seat, following.table):
            following.heed(done)
        return 0, ""
    if (agreed := answer_to(following.table, seat, agrees=True)) is not None:
        with suppress(RequestFailed):
            following.heed(client.play(match, seat, encode(agreed), expected=following.seq))
        return 0, ""
    top = following.table.top
    if top is None or top.seat != seat or following.table.paused is not None:
        following.next(WAIT_S)
        return 0, ""
    legal = client.legal(match, seat, words=False)
    if legal.seq != following.seq or not legal.options:
        following.next(WAIT_S)
        return 0, "" if legal.installed is None else standstill(following.table, legal.installed)
    try:
        reply = client.play(match, seat, bot.choice(following.table, legal), expected=legal.seq)
    except RequestFailed as error:
        if error.reply.refusal in MOVED_ON:
            # Another seat opens a link first.
            following.next(WAIT_S)
            return 0, ""
        if error.code in PASSING:
            return 0, ""
        raise
    following.heed(reply)
    return 1, ""


def sit_down(client: Client, game: str, seat: Seat, name: str = "") -> MatchId:
    """Take the seat in the first match of a game where it is free, or else open a match and take the seat there.

    Raises:
        UnknownName: There is no such game or seat.
        RequestFailed: The server refuses to open the match or to give the seat.
    """
    record = load_game(game)
    if seat not in record.seats:
        raise UnknownName(unknown(f"seat of {typed_key(record.key)}", seat, [str(one) for one in record.seats]))
    for known in client.matches():
        is_free = seat in known.seats and seat not in known.players and seat not in known.reserved
        if known.game == record.key and known.ended is None and is_free:
            try:
                return client.take_seat(known.match, seat, name).match
            except RequestFailed as error:
                # Another player was quicker, or the match is damaged: try the next one.
                if error.reply.refusal not in TAKEN and error.code != "evidence_broken":
                    raise
    scenario, mode = record.first_with(seat)
    opened = client.open(game, scenario.key, mode=mode.key)
    return client.take_seat(opened.match, seat, name).match
