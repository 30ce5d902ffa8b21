"""Bots that are child processes: a line of JSON asks each decision, a line of JSON answers it. `docs/bots.md` describes the lines.

A child knows what a policy knows: the table as its seat sees it, without a seed of dice. Its input ends with this process, however that
ends, and a bot that reads it then ends, too.
"""

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Annotated, NoReturn

from cli.shell.exit_codes import CHECK_FAILED, UserError, usage
from core.bots.bot_port import Answer, Asked, Considered, Policy
from core.bots.budget import NO_BUDGET, Budget, BudgetInvalid, parse_budget, parse_policy
from core.engine.command import Command
from core.engine.selection import onward
from core.game.bound_game import BoundGame
from core.game.game_record import Game
from core.registry.bot_policies import find_policy
from core.telling.option_parts import told_options
from events.codec import DecodeError, Decoder, Meta, Raw, Struct, encode, one_line
from events.ids import GameKey, Seat
from events.vocabulary import Value
from projections.state.table import Table
from server.protocol.replies import LegalOption

EXEC = "exec:"
"""Before the command line of a bot that is a child process, where others have the name of their policy."""

FORMAT, VERSION = "wardiary-bot", 1
LINE_BYTES_MAX = 1 << 20
SHOWN_MAX = 80
"""The most characters of an answer in a message."""

LIMIT_S = 60.0
"""How long a bot may think about a decision beyond its budget (seconds)."""
END_S = 2.0
"""How long a bot may take to end after its input has ended (seconds)."""
OF_OURS = "WARDIARY_"
"""How variables begin that a bot is not given: some of them hold secrets."""


class Beginning(Struct, frozen=True, kw_only=True):
    """The first line to a bot."""

    format: str = FORMAT
    version: int = VERSION
    game: GameKey
    scenario: str
    mode: str
    seat: Seat


class Question(Struct, frozen=True, kw_only=True):
    """A line that asks for a decision.

    `number` counts the decisions of the bot from 1, and `seed` is a random number below 2^53, its source of chance. The other fields are those of the protocol's
    `legal` and `state`, and what a policy is asked.
    """

    number: int
    decision: str
    question: str
    arguments: dict[str, Value]
    options: tuple[LegalOption, ...]
    minimum: int
    maximum: int
    may_repeat: bool
    budget: Budget
    seed: int
    table: Table


class Worth(Struct, frozen=True, forbid_unknown_fields=True):
    """An option that a bot has considered, by its number; see `Considered`."""

    option: int
    worth: float
    playouts: int = 0


class Reply(Struct, frozen=True, forbid_unknown_fields=True):
    """A line with an answer: the number of an option, or a command."""

    option: int = 0
    command: Raw = Raw(b"")
    considered: tuple[Worth, ...] = ()
    chance: Annotated[float, Meta(ge=0, le=1)] | None = None


_REPLY: Decoder[Reply] = Decoder(Reply)


class BotFault(UserError):
    """A bot has done what it must not do; `fault` says what, to be read after its name."""

    def __init__(self, bot: str, fault: str) -> None:
        super().__init__(f"the bot {bot} {fault}", CHECK_FAILED, "bot_fault")
        self.fault = fault


def program_of(bot: str) -> tuple[str, ...]:
    """Return the words of the command line of a bot that is a child process; empty for the name of a policy.

    Raises:
        UserError: It cannot be read, or there is no such program.
    """
    if not bot.startswith(EXEC):
        return ()
    try:
        words = tuple(shlex.split(bot.removeprefix(EXEC)))
    except ValueError as error:
        raise usage(f"the command line of {bot} cannot be read: {error}") from None
    if not words:
        raise usage(f"{EXEC} is followed by the command line of a bot, as in '{EXEC}python3 bot.py'")
    if shutil.which(words[0]) is None:
        raise usage(f"there is no program {words[0]} to run the bot {bot}", "unknown_program")
    return words


def check_bot_exists(game: Game, bot: str) -> None:
    """Check that a bot exists.

    Raises:
        UnknownName: There is no such policy.
        PolicyMissing: The policy cannot be loaded.
        UserError: There is no such program.
    """
    if not program_of(bot):
        find_policy(game, bot)


def parse_bot(text: str) -> tuple[str, Budget]:
    """Return a bot and its budget: `greedy`, `greedy:200ms`, `exec:COMMAND`, `exec:200ms:COMMAND`.

    Raises:
        BudgetInvalid: The budget cannot be read.
    """
    if not text.startswith(EXEC):
        return parse_policy(text)
    budget, colon, command = text.removeprefix(EXEC).partition(":")
    # A command line may have a colon of its own.
    with suppress(BudgetInvalid):
        if colon and budget:
            return f"{EXEC}{command}", parse_budget(budget)
    return text, NO_BUDGET


def title_of(bot: str, budget: Budget) -> str:
    """Return a bot with its budget as it is typed; see `parse_bot`."""
    if not str(budget):
        return bot
    return f"{EXEC}{budget}:{bot.removeprefix(EXEC)}" if bot.startswith(EXEC) else f"{bot}:{budget}"


class ChildBot:
    """A policy that asks a child process, which is started for the first decision. One plays one seat of one match.

    Args:
        bot: The bot as it is typed, without a budget.
        bound: The game, on the board of the match.
        limit_s: How long it may think about a decision beyond its budget (seconds).
        shows_errors: Whether its stderr is ours; else it is dropped.
    """

    def __init__(self, bot: str, bound: BoundGame, *, limit_s: float = LIMIT_S, shows_errors: bool = False) -> None:
        self._bot = bot
        self._bound = bound
        self._limit_s = limit_s
        self._shows_errors = shows_errors
        self._asked = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        self._reader: Thread | None = None
        self._writer: Thread | None = None

    def __call__(self, asked: Asked) -> Answer:
        """Ask the process for a decision.

        Raises:
            BotFault: It does not answer in time, or with something else than an answer.
        """
        begin = b"" if self._process is not None else self._start(asked)
        options = onward(asked.options)
        line = self._ask(begin + encode(self._question(asked, options)) + b"\n", asked.budget.ms / 1_000)
        return self._answer(asked, options, line)

    def end(self) -> bool:
        """End the process, and return whether it ended by itself as soon as its input had ended."""
        process, is_ended = self._process, True
        if process is None:
            return True
        assert process.stdin is not None
        if not _is_done(self._writer):
            # It has not read what it was sent, so that its input cannot end.
            is_ended = False
        else:
            with suppress(OSError):
                process.stdin.close()
            try:
                process.wait(END_S)
            except subprocess.TimeoutExpired:
                is_ended = False
        self._kill()
        return is_ended

    def _start(self, asked: Asked) -> bytes:
        """Start the process, and return the first line to it."""
        try:
            self._process = subprocess.Popen(  # noqa: S603 - The user names the program.
                program_of(self._bot),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if self._shows_errors else subprocess.DEVNULL,
                # In a session of its own it does not receive Ctrl-C, and is ended with all that it has started.
                start_new_session=os.name == "posix",
                env={name: value for name, value in os.environ.items() if not name.startswith(OF_OURS)},
            )
        except OSError as error:
            raise BotFault(self._bot, f"cannot be started: {error.strerror or error}") from None
        assert self._process.stdout is not None
        self._reader = _started(partial(_read, self._process.stdout, self._lines))
        table = asked.table
        begin = Beginning(game=table.game, scenario=table.scenario, mode=table.mode, seat=asked.seat)
        return encode(begin) + b"\n"

    def _question(self, asked: Asked, options: Sequence[Command]) -> Question:
        rules, table = asked.rules, asked.table
        assert table.top is not None, "there is a decision"
        self._asked += 1
        low, high = rules.bounds(table) or (0, 0)
        told = told_options(self._bound, table, options)
        return Question(
            number=self._asked,
            decision=table.top.kind,
            question=self._bound.narration.question(table, table.top),
            arguments=table.top.arguments,
            options=tuple(
                [
                    LegalOption(number, Raw(encode(option)), words, parts)
                    for number, (option, (words, parts)) in enumerate(zip(options, told, strict=True), start=1)
                ]
            ),
            minimum=low,
            maximum=high,
            may_repeat=rules.may_repeat(table),
            budget=asked.budget,
            # JavaScript knows no greater whole number.
            seed=asked.below(1 << 53),
            table=table,
        )

    def _ask(self, line: bytes, budget_s: float) -> bytes:
        """Send a line and return the next one from the process."""
        process = self._process
        assert process is not None and process.stdin is not None
        with suppress(Empty):
            if early := self._lines.get_nowait():
                self._fail(f"wrote a line before it was asked: {_shown(early)}")
            self._fail(self._ended(process))
        self._writer = _started(partial(_write, process.stdin, line))
        try:
            answer = self._lines.get(timeout=self._limit_s + budget_s)
        except Empty:
            self._fail(f"thought for more than {self._limit_s + budget_s:g} s about one decision")
        if not answer:
            self._fail(self._ended(process))
        if len(answer) > LINE_BYTES_MAX:
            self._fail(f"answered with a line of more than {LINE_BYTES_MAX} bytes")
        return answer

    def _answer(self, asked: Asked, options: Sequence[Command], line: bytes) -> Answer:
        """Return what the process answered."""
        try:
            reply = _REPLY.decode(line)
        except DecodeError as error:
            self._fail(f"answered {_shown(line)}, which is not an answer: {error}")
        looked = [reply.option] if reply.option else []
        for number in (*looked, *[one.option for one in reply.considered]):
            if not 1 <= number <= len(options):
                self._fail(f"named option {number}; the options are 1 to {len(options)}")
        if bool(reply.option) == bool(bytes(reply.command)):
            self._fail(f"answered {_shown(line)}; an answer has either an option, from 1, or a command")
        considered = tuple([Considered(options[one.option - 1], one.worth, one.playouts) for one in reply.considered])
        if reply.option:
            return Answer(options[reply.option - 1], considered, reply.chance)
        try:
            return Answer(asked.rules.decode(bytes(reply.command)), considered, reply.chance)
        except DecodeError as error:
            self._fail(f"answered {_shown(line)}, which is not a command of {asked.table.game}: {error}")

    def _ended(self, process: "subprocess.Popen[bytes]") -> str:
        """Return how a process ended that writes nothing more."""
        try:
            code = process.wait(END_S)
        except subprocess.TimeoutExpired:
            return "closed its output"
        how = f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}"
        return how if self._shows_errors else f"{how}; -v shows what it writes to stderr"

    def _fail(self, fault: str) -> NoReturn:
        self._kill()
        raise BotFault(self._bot, fault)

    def _kill(self) -> None:
        """End the process and all that it has started, and close the pipes."""
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        if process.poll() is None:
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
            process.wait()
        for thread, pipe in ((self._writer, process.stdin), (self._reader, process.stdout)):
            # A pipe that a thread still waits for cannot be closed: another process has it.
            if _is_done(thread):
                with suppress(OSError):
                    pipe.close()


def _started(work: "partial[None]") -> Thread:
    """Do in a thread what waits for a pipe, because not every system can bound how long that takes."""
    thread = Thread(target=work, daemon=True)
    thread.start()
    return thread


def _is_done(thread: Thread | None) -> bool:
    """Wait for a moment until a thread is done, and return whether it is."""
    if thread is None:
        return True
    thread.join(END_S)
    return not thread.is_alive()


def _read(pipe: IO[bytes], lines: "SimpleQueue[bytes]") -> None:
    """Pass lines on, and at the end an empty one; no more than a few that nobody has asked for, and not the rest of one that is too long."""
    for line in iter(partial(pipe.readline, LINE_BYTES_MAX + 1), b""):
        lines.put(line)
        if lines.qsize() > 1 or len(line) > LINE_BYTES_MAX:
            return
    lines.put(b"")


def _write(pipe: IO[bytes], line: bytes) -> None:
    # A process that has ended is noticed by its output.
    with suppress(OSError):
        pipe.write(line)
        pipe.flush()


def _shown(line: bytes) -> str:
    return repr(one_line(line.decode(errors="replace").rstrip("\n"), SHOWN_MAX))


def bot_of(bot: str, game: Game, bound: BoundGame, *, limit_s: float = LIMIT_S, shows_errors: bool = False) -> Policy:
    """Return a bot as it is typed, without a budget: a policy, or a `ChildBot`, which the caller ends.

    Raises:
        UnknownName: There is no such policy.
        PolicyMissing: The policy cannot be loaded.
    """
    if bot.startswith(EXEC):
        return ChildBot(bot, bound, limit_s=limit_s, shows_errors=shows_errors)
    return find_policy(game, bot)
