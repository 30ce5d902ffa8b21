"""A match that bots play in memory, from its opening to its end, under watch."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from core.audit.match_audit import audit_match
from core.bots.bot_port import Asked, NoOption, Policy, answer_of
from core.bots.budget import NO_BUDGET, Budget
from core.bots.seat_knowledge import SeatKnowledge
from core.checking.conformance import Watch
from core.checking.randomness import MakeRandomness, Randomness
from core.engine.command import Command
from core.engine.decision import Rules
from core.history.match_reader import events_of
from core.match.live_match import Match, Prepared, load_match
from core.match.match_creation import Opening, open_match
from core.match.player_commands import TakeSeat
from core.refusal import Refusal
from core.registry.bot_policies import find_policy
from core.registry.games import load_game
from core.secrets.knowledge import Hidden
from events.codec import encode
from events.ids import Seat, match_id
from events.log import Log, NewCommit
from events.memory_log import MemoryLog
from events.vocabulary import Value
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import seen_events


class Plan(NamedTuple):
    """A match to be played: everything its course depends on."""

    number: int
    game: str
    scenario: str
    mode: str
    options: dict[str, Value]
    bots: dict[Seat, str]
    seed: str
    steps_max: int
    is_audited: bool
    save_failures: str


class Files(NamedTuple):
    """Files from which all matches of a simulation begin: an owner's own board, the name of a variant, a position; texts of files, or None."""

    board: str | None = None
    variant: str = ""
    position: str | None = None


NO_FILES = Files()


class WentWrong(Exception):
    """A match cannot go on as it should; the message says what is wrong."""


class _Player:
    """A bot at a seat: a policy, its own random numbers, and the table as the seat sees it."""

    def __init__(self, plan: Plan, seat: Seat, policy: Policy, choices: Randomness) -> None:
        self.seat = seat
        self.policy = policy
        self.table = Table()
        self.below = choices.randrange
        self.known: SeatKnowledge | None = None


class SimulatedMatch:
    """A match under way in memory.

    Args:
        plan: What its course depends on, besides the rules.
        make_randomness: Returns the source of a bot's choices, which are not secret.
        files: What it begins from.
    """

    def __init__(self, plan: Plan, make_randomness: MakeRandomness, files: Files = NO_FILES) -> None:
        self.plan = plan
        self.log: Log = MemoryLog()
        self.budgets: dict[Seat, Budget] = {}
        """How much the bots may think, if that is bounded."""
        self.clock: Callable[[], float] | None = None
        """Measures their budgets of time."""
        self.steps = 0
        game = load_game(plan.game)
        # Matches of other rules, bots or settings may be saved in the same store.
        course = (*plan[1:8], game.rules_digest, *files)
        self.id = match_id(f"simulated {course}")
        opening = Opening(
            game=game.key,
            scenario=plan.scenario,
            mode=plan.mode,
            options=plan.options,
            dice="seeded",
            seed=plan.seed,
            board=files.board,
            variant=files.variant,
            position=files.position,
        )
        opened = open_match(self.id, opening, key="open", at=0)
        self.attachments = opened.attachments
        for digest, content in opened.attachments.items():
            self.log.attach(digest, content)
        self.log.append([opened.prepared.new])
        self.match: Match = load_match(self.log, self.id)
        self.rules: Rules = self.match.ruleset.rules
        self.players = [
            _Player(plan, seat, self.policy(name), make_randomness(f"{plan.seed}/{seat}"))
            for seat, name in plan.bots.items()
        ]
        self._let_see(opened.prepared)
        for player in self.players:
            command = TakeSeat(seat=player.seat, name=f"{plan.bots[player.seat]} bot")
            self._accept(player.seat, encode(command))

    def _let_see(self, done: Prepared) -> None:
        for player in self.players:
            seen = tuple(seen_events(done.commit.events, player.seat))
            fold(seen, player.table)
            if player.known is not None:
                player.known.follow(seen)

    def _accept(self, seat: Seat, command: bytes) -> None:
        done = self.match.prepare(seat, command, key=str(self.match.head.seq), at=0)
        if isinstance(done, Refusal):
            raise WentWrong(f"the option {command.decode()} is refused: {done.sentence} ({done.rule})")
        self.log.append([done.new])
        self.match.adopt(done)
        self._let_see(done)

    def play(self, watches: Sequence[Watch] = ()) -> None:
        """Play until the match ends.

        Args:
            watches: Checks that run before the first command of the game and after each.

        Raises:
            WentWrong: It does not end, or an option is refused.
            NotConforming: A watch found something wrong.
        """
        for watch in watches:
            watch(self)
        players = {player.seat: player for player in self.players}
        while (table := self.match.table).ended is None:
            if self.steps >= self.plan.steps_max:
                raise WentWrong(f"no end after {self.steps} commands")
            if table.top is None or table.top.seat not in players:
                raise WentWrong(f"no seat has to decide at event {table.seq}")
            player = players[table.top.seat]
            asked = Asked(
                self.rules,
                player.table,
                player.seat,
                partial(self.rules.options, player.table),
                player.below,
                budget=self.budgets.get(player.seat, NO_BUDGET),
                knowledge=partial(self._knowledge, player),
                inventory=partial(self.match.ruleset.game.inventory, table.scenario, table.options),
                clock=self.clock,
            )
            try:
                command = self.choose(player.policy, asked)
            except NoOption as error:
                raise WentWrong(str(error)) from error
            self._accept(player.seat, encode(command))
            self.steps += 1
            for watch in watches:
                watch(self)

    def policy(self, name: str) -> Policy:
        """Return the bot of a name."""
        return find_policy(load_game(self.plan.game), name)

    def choose(self, policy: Policy, asked: Asked) -> Command:
        """Ask the policy of a seat."""
        return answer_of(policy, asked).command

    def _knowledge(self, player: _Player) -> Hidden:
        """Return what a seat knows; from the first time on it is followed."""
        if player.known is None:
            player.known = SeatKnowledge(seen_events(events_of(self.log, self.id), player.seat))
        return player.known.now()

    def check(self) -> None:
        """Audit the match, and compare each seat's table with its events.

        Raises:
            WentWrong: Something does not hold.
        """
        report = audit_match(self.log, self.id)
        for finding in report.findings:
            raise WentWrong(f"the audit finds at event {finding.seq}: {finding.problem}")

    def commits(self) -> tuple[NewCommit, ...]:
        """Return the commits of the match, to be appended to another log."""
        return tuple(
            NewCommit(one.match, one.first, one.last, one.key, one.hash, one.body) for one in self.log.read(self.id)
        )
