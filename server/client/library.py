"""Matches in memory for programs: open, play, inspect, fork and audit them. This is the API of `import wardiary`.

A thin layer over the owner's client and the projections: a match here has the same log, rules and secrets as one on a server, but
nothing is written to disk before `Match.save`.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from os import PathLike
from pathlib import Path
from random import Random
from time import perf_counter
from typing import NamedTuple

from core.audit.archive_checks import check_archive
from core.audit.audit_report import AuditReport
from core.audit.match_audit import audit_match
from core.bots.bot_port import Answer, Asked, Policy, answer_of
from core.bots.budget import parse_budget
from core.bots.sampler import Sampler
from core.bots.seat_knowledge import SeatKnowledge
from core.engine.command import Command
from core.errors import RulesetMissing, UnknownName
from core.game.bound_game import BoundGame
from core.game.game_record import Game
from core.history.match_reader import read_match
from core.match.live_match import game_of
from core.odds.option_odds import OptionOdds
from core.registry.bot_policies import find_policy
from core.registry.games import game_keys, load_game
from core.telling.option_parts import OptionParts
from events.archive import export_match
from events.archive_reader import read_archive, store_archive
from events.ids import ARBITER, MatchId, Seat
from events.memory_log import MemoryLog
from events.vocabulary import Event, Value
from projections.state.fold import fold
from projections.state.table import Ended, Table
from projections.state.view import EventSlice
from server.client.calls import AnyCommand
from server.client.local import local_client
from server.store.archive_file import archive_lines, write_archive


class Option(NamedTuple):
    """A legal command: its number (1-based), the command, its description, and the description in parts.

    What ends the step, if that is possible, comes last; its number is 0 as well.
    """

    number: int
    command: Command
    words: str
    parts: OptionParts


class Step(NamedTuple):
    """An event of a match: its number in the viewing seat's stream, the event, and the table after it."""

    number: int
    event: Event
    table: Table


class Match:
    """A match in memory. Make one with `open` or `load`.

    Methods that take a seat show what that seat may see, with the numbers of its own stream; without a seat they show everything, as
    to an arbiter. Commands that are not legal raise `RequestFailed`, whose `reply` has the refusal's code and rule.

    Args:
        log: The log that holds it.
        id: Its id in that log.
    """

    def __init__(self, log: MemoryLog, id: MatchId) -> None:  # noqa: A002 - The word of the field.
        self.id = id
        self._log = log
        self._client = local_client(log)
        self._game: BoundGame | None = None

    def __repr__(self) -> str:  # type: ignore[explicit-override]
        """Return the game, the id and the number of events."""
        return f"<Match {self.id} of {self.table().game}, {len(self)} events>"

    def __len__(self) -> int:
        """Return the number of events."""
        return self._log.head(self.id).seq

    @property
    def game(self) -> BoundGame:
        """The game on the match's board: its rules, its narration, its positions."""
        if self._game is None:
            self._game = game_of(self._log, self.table())
        return self._game

    @property
    def seat_to_move(self) -> Seat | None:
        """The seat that is to decide, or None."""
        top = self.table().top
        return None if top is None or not top.seat else top.seat

    @property
    def ended(self) -> Ended | None:
        """How the match ended, or None while it runs."""
        return self.table().ended

    def table(self, seat: str = ARBITER, at: int | None = None) -> Table:
        """Return the table as a seat sees it, now or after its event `at`; it is the caller's own copy."""
        return self._client.state(self.id, Seat(seat), at).table

    def legal(self) -> list[Option]:
        """Return the legal commands of the seat that is to decide; empty before play begins and after the match has ended."""
        decode = self.game.rules.decode
        options = self._client.legal(self.id, ARBITER).options
        return [Option(one.number, decode(bytes(one.command)), one.words, one.parts) for one in options]

    def odds(self, *options: Option | int, seat: str = "") -> tuple[OptionOdds, ...]:
        """Return the chances of options of the open decision, by default of all that lead to dice, flips or draws that decide.

        Args:
            options: Some of `legal`, or their numbers.
            seat: Whose knowledge counts, `arbiter` for everything; by default that of the seat that is to decide.
        """
        top = self.table().top
        asker = Seat(seat) if seat or top is None else top.seat
        numbers = [one if isinstance(one, int) else one.number for one in options]
        return self._client.odds(self.id, asker or ARBITER, numbers).options

    def play(
        self,
        command: AnyCommand | Option | list[Option],
        seat: str = "",
        *,
        dice: tuple[int, ...] = (),
        draws: tuple[str, ...] = (),
    ) -> list[Event]:
        """Play a command, or several as one order, and return the events.

        Args:
            command: One of `legal`, its number, a command of the game, or its JSON as text or as a dictionary. A list is an
                order: all of its commands are played or none, but nothing after a fence such as dice or a draw.
            seat: The seat that plays it; by default the one that is to decide.
            dice: The faces that were rolled, for a match with manual dice.
            draws: What was drawn, for a match with manual dice.

        Raises:
            RequestFailed: The command is not legal, or dice are missing; the match is unchanged.
            GameFault: The game's rules raised an error, which is the cause; the match is unchanged.
        """
        wanted: AnyCommand
        if isinstance(command, Option):
            wanted = command.command
        elif isinstance(command, list):
            wanted = [one.command if isinstance(one, Option) else one for one in command]
        else:
            wanted = command
        player = Seat(seat) if seat else self.seat_to_move or ARBITER
        before = len(self)
        self._client.play(self.id, player, wanted, dice=dice, draws=draws)
        return [event for slice_ in self._client.log(self.id, ARBITER, before) for event in slice_.events]

    def adopt_rules(self, seat: str = "") -> None:
        """Go on under the installed rules in a match that was played under others until now; the log says so.

        Args:
            seat: The seat that decides it; by default the one that is to decide.

        Raises:
            RequestFailed: The match is played under the installed rules, or this seat does not decide about its rules.
        """
        player = Seat(seat) if seat else self.seat_to_move or ARBITER
        self._client.adopt_rules(self.id, player, load_game(self.table().game).rules_digest)

    def suggest(self, policy: str | Policy = "random", seed: str = "0", *, budget: str = "") -> Command:
        """Return the command that a bot would play for the seat that is to decide; see `consider`."""
        return self.consider(policy, seed, budget=budget).command

    def consider(self, policy: str | Policy = "random", seed: str = "0", *, budget: str = "") -> Answer:
        """Ask a bot for the seat that is to decide: the command that it would play, and what it considered. It knows what that seat knows.

        Args:
            policy: The name of a policy of the game, or `random`; or a function, as in `wardiary.game.Policy`.
            seed: The same seed and table give the same suggestion.
            budget: How much it may think: `500` playouts, `200ms`; empty if that is left to it.

        Raises:
            UnknownName: The game has no such policy.
            BudgetInvalid: The budget cannot be read.
            ValueError: No decision is open.
        """
        table = self.table()
        if table.top is None or not table.top.seat:
            raise ValueError(f"match {self.id} has no open decision")
        seat = table.top.seat
        asked = Asked(
            self.game.rules,
            self.table(seat),
            seat,
            [option.command for option in self.legal()],
            Random(f"{seed}/{table.seq}").randrange,  # noqa: S311 - A bot's choices are not secret.
            budget=parse_budget(budget),
            knowledge=lambda: SeatKnowledge(self.events(seat)).now(),
            inventory=lambda: self.game.inventory(table.scenario, table.options),
            clock=perf_counter,
        )
        return answer_of(find_policy(load_game(table.game), policy) if isinstance(policy, str) else policy, asked)

    def imagine(self, seat: str = "", seed: str = "0") -> Sampler:
        """Return worlds to try commands on: copies of the position in which what a seat does not know is dealt anew.

        Args:
            seat: Whose knowledge counts, `arbiter` for everything; by default that of the seat that is to decide.
            seed: Of the deals, dice and draws; the same seed and events of the seat give the same worlds.

        Raises:
            ValueError: No seat is named, and no decision is open.
            RulesetMissing: The match is played under other rules than are installed.
            KernelError: What is hidden cannot be dealt.
        """
        table = self.table()
        seat = seat or self.seat_to_move or ""
        if not seat:
            raise ValueError(f"match {self.id} has no open decision; name a seat")
        if table.rules != load_game(table.game).rules_digest:
            raise RulesetMissing(f"match {self.id} is played under other rules than are installed; adopt them first")
        inventory = self.game.inventory(table.scenario, table.options)
        below = Random(seed).randrange  # noqa: S311 - Nothing of a world is secret.
        return Sampler(self.game.rules, inventory, SeatKnowledge(self.events(seat)).now(), below)

    def events(self, seat: str = ARBITER) -> list[Event]:
        """Return all events that a seat has seen."""
        return [event for slice_ in self._slices(seat) for event in slice_.events]

    def replay(self, seat: str = ARBITER) -> Iterator[Step]:
        """Yield every event that a seat has seen, each with the table after it as that seat saw it."""
        table = Table()
        for slice_ in self._slices(seat):
            for number, event in enumerate(slice_.events, slice_.first):
                fold([event], table)
                yield Step(number, event, table.clone())

    def _slices(self, seat: str) -> list[EventSlice]:
        return self._client.log(self.id, Seat(seat))

    def fork(
        self,
        at: int | None = None,
        seat: str = ARBITER,
        *,
        dice: str = "fresh",
        seed: str = "",
        hidden: str = "",
        faces: Sequence[int] = (),
    ) -> "Match":
        """Return a new match that shares this one's events up to a seat's event, by default the last, and continues independently.

        Args:
            at: The number of the event in the seat's stream.
            seat: The forking seat.
            dice: `fresh`, `same`, `seeded` or `manual`.
            seed: For seeded dice.
            hidden: `truth` keeps what is hidden as it is, `resample` deals again what the seat does not know; by default the arbiter's
                fork keeps it and every other one deals it again.
            faces: The faces of its next dice, which the log names as chosen; the dice after them are rolled.

        Raises:
            RequestFailed: There is no such event, or the fork cannot be made.
        """
        hidden = hidden or ("truth" if seat == ARBITER else "resample")
        opened = self._client.fork(self.id, Seat(seat), at, dice=dice, seed=seed, hidden=hidden, faces=faces)
        return Match(self._log, opened.match)

    def audit(self) -> AuditReport:
        """Check the hash chain and the dice, and play every command again; `clean` is true if nothing was found."""
        return audit_match(self._log, self.id)

    def save(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write the match to an archive, with all its secrets; compressed if the name ends in `.zst`.

        Args:
            path: The file. An archive of the same match is replaced.
            force: Whether another file is replaced, too, unless it is a store, a key or a file of secrets.

        Raises:
            OutputRefused: What is there stays.
        """
        read_match(self._log, self.id)
        write_archive(Path(path), export_match(self._log, self.id), is_forced=force)


def games() -> list[Game]:
    """Return the record of every game that can be played: its key, title, scenarios and options."""
    return [load_game(key) for key in game_keys()]


def open_match(
    game: str,
    scenario: str = "",
    *,
    mode: str = "",
    options: dict[str, Value] | None = None,
    dice: str = "sealed",
    seed: str = "",
    board: str | None = None,
    variant: str = "",
    position: str | None = None,
    begin: bool = True,
) -> Match:
    """Open a match in memory.

    Args:
        game: The key of a game; `games` lists them.
        scenario: One of its scenarios; by default the first.
        mode: A mode of the scenario, if it has several.
        options: Options of the scenario, by key; values are typed (`True`, 3, `"none"`) or text as on the command line (`"on"`, `"3"`).
        dice: `sealed`, `seeded` (the same seed, the same dice) or `manual` (typed in).
        seed: For seeded dice.
        board: The text of another board file.
        variant: The name of a variant, whose board contradicts the printed game.
        position: The text of a position file to start from.
        begin: Whether to take all seats at once; then play begins, unless dice have to be typed in.

    Raises:
        RequestFailed: The match cannot be opened; every defect is named.
    """
    log = MemoryLog()
    client = local_client(log)
    with suppress(UnknownName):
        # A game that does not exist is refused with the rest.
        options = load_game(game).typed_options(options or {})
    opened = client.open(
        game,
        scenario,
        mode=mode,
        options=options,
        dice=dice,
        seed=seed,
        board=board,
        variant=variant,
        position=position,
    )
    if begin:
        for seat in opened.seats:
            # One program plays all seats, so that chains of links would prove nothing more.
            client.take_seat(opened.match, seat, share=False)
    return Match(log, opened.match)


def load_match(path: str | PathLike[str]) -> Match:
    """Load a match from an archive and check all of it.

    Raises:
        ArchiveError: The file differs from what was exported, or the match could never be played.
        RulesetMissing: Its game is not installed.
        StoreUnavailable: The file cannot be read.
    """
    archive = read_archive(archive_lines(Path(path)))
    check_archive(archive)
    log = MemoryLog()
    return Match(log, store_archive(archive, log).match)
