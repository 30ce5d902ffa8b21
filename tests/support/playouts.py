"""Random matches of any game, checked after every command, and saved to a file if a check fails.

A watch is a function that checks a match after each commit and raises an `AssertionError` if the check fails. A match that
fails is saved as a store that `wardiary --store FILE show MATCH` opens.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, islice
from pathlib import Path
from random import Random

from core.bots.bot_port import Asked, answer_of
from core.bots.search import Search
from core.checking.conformance import LegalityWatch, RuleWatch
from core.checking.randomness import Randomness
from core.engine.command import Command
from core.engine.selection import onward
from core.game.game_record import Game, Scenario, needless_options
from core.game_files.rulebook import load_match_rulebook, load_rulebook
from core.registry.games import load_game
from events.commit import decode_commit
from events.ids import Seat
from events.log import NewCommit
from events.vocabulary import Value
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import SeatView
from server.store.sqlite_log import SqliteLog
from tests.support.desk import Desk
from tests.support.wishes import commands_of, wild

STEPS_MAX = 20_000
Watch = Callable[[Desk], None]


class Playout:
    """A random match.

    Args:
        game: Its key.
        scenario: Its scenario.
        seed: The source of all randomness: the options, the choices and, unless sealed, the dice.
        given: Options with fixed values.
        mode: The mode of the scenario.
        dice: Where the dice come from.
        position: The text of a position file to start from.
    """

    def __init__(
        self,
        game: str,
        scenario: str,
        seed: int,
        *,
        given: dict[str, Value] | None = None,
        mode: str = "",
        dice: str = "seeded",
        position: str | None = None,
    ) -> None:
        self.rng = Random(f"{game}/{scenario}/{mode}/{seed}")
        self.tastes: dict[str, float] = {}
        self.views: dict[Seat, tuple[int, SeatView, Table]] = {}
        self.keenness = self.rng.choice((0.0, 0.5, 0.9))
        record = load_game(game)
        # A bot that searches would take a second for each choice.
        policies = [policy for policy in record.policies.values() if not isinstance(policy, Search)]
        self.policy = self.rng.choice(policies) if policies and self.rng.random() < 0.4 else None
        options = random_options(record, record.scenario(scenario), self.rng, mode, given)
        shown = f"{seed:064x}" if dice == "sealed" else str(seed)
        self.desk = Desk.open(
            game,
            scenario,
            mode=mode,
            options=options,
            dice=dice,
            seed=shown,
            position=position,
            name=f"{game}-{scenario}-{seed}",
        )

    def run(self, watches: Sequence[Watch] = (), *, keep: Path | None = None, most: int | None = None) -> Desk:
        """Play to the end, or a number of commands, and check every commit.

        Args:
            watches: The checks.
            keep: The folder for a failed match.
            most: The largest number of commands; by default the match is played to its end.

        Raises:
            AssertionError: A check failed; the message names the file of the saved match.
        """
        try:
            for watch in watches:
                watch(self.desk)
            for _ in islice(self.steps(), most):
                for watch in watches:
                    watch(self.desk)
            report = self.desk.audit()
            assert report.findings == (), f"the audit finds: {report.findings}"
        except Exception as error:
            if keep is None:
                raise
            saved = save(self.desk, keep)
            raise AssertionError(
                f"{error!r} - the match is kept: wardiary --store {saved} show {self.desk.match.id}"
            ) from error
        return self.desk

    def steps(self) -> Iterator[Command]:
        """Play to the end, yielding each command once its commit is in the log."""
        desk = self.desk
        for number in count():
            if desk.table.ended is not None:
                return
            assert number < STEPS_MAX, f"the match does not end within {STEPS_MAX} commands"
            options = desk.options()
            assert options, f"a dead end: {desk.table.top} has no options"
            command = self.choose(options)
            desk.accept(command)
            yield command

    def seen_by(self, seat: Seat) -> Table:
        """Return the table as a seat sees it."""
        seq, view, table = self.views.get(seat) or (0, SeatView(seat), Table())
        for stored in self.desk.log.read(self.desk.match.id, seq):
            seen = view.take(decode_commit(stored.body).events, 0, stored.last)
            fold(() if seen is None else seen.events, table)
            seq = stored.last
        self.views[seat] = (seq, view, table)
        return table

    def choose(self, options: Sequence[Command]) -> Command:
        """Choose with this match's random preferences: some kinds of commands, and often the last of a kind.

        Without tastes all matches would be alike and short, and hardly ever get to where armies do something else than
        attack with what they have. A match may also have one of the game's bots choose most of the time.
        """
        top = self.desk.table.top
        if self.policy is not None and top is not None and self.rng.random() < 0.8:
            rules = self.desk.match.ruleset.rules
            asked = Asked(rules, self.seen_by(top.seat), top.seat, list(options), self.rng.randrange)
            return answer_of(self.policy, asked).command
        kinds: dict[str, list[Command]] = {}
        for option in onward(options) if self.rng.random() < 0.9 else options:
            kinds.setdefault(type(option).__name__, []).append(option)
        weights = [self.tastes.setdefault(kind, self.rng.choice((0.02, 0.3, 1.0, 4.0))) for kind in kinds]
        (chosen,) = self.rng.choices(list(kinds.values()), weights)
        return chosen[-1] if self.rng.random() < self.keenness else self.rng.choice(chosen)


def random_options(
    game: Game, scenario: Scenario, rng: Random, mode: str = "", fixed: Mapping[str, Value] | None = None
) -> dict[str, Value]:
    """Choose a value for every option of a scenario and mode: half the time its default, else any that is allowed.

    Fixed ones keep their values, and none is set without one that it needs.
    """
    given: dict[str, Value] = {}
    for spec in game.options:
        if not spec.is_for(scenario, scenario.mode(mode)) or rng.random() < 0.5:
            continue
        if isinstance(spec.default, bool):
            given[spec.key] = not spec.default
        elif isinstance(spec.default, int):
            given[spec.key] = rng.randint(spec.low, spec.high)
        elif isinstance(spec.default, str):
            given[spec.key] = rng.choice(spec.choices)
        else:
            given[spec.key] = tuple(choice for choice in spec.choices if rng.random() < 0.5)
    given |= fixed or {}
    specs = {spec.key: spec for spec in game.options}
    needless = needless_options(specs, {**{key: spec.default for key, spec in specs.items()}, **given})
    return {key: value for key, value in given.items() if key not in needless}


def save(desk: Desk, folder: Path) -> Path:
    """Write a match to a new store and return the file."""
    path = folder / f"{desk.match.id}.sqlite"
    with SqliteLog(path) as store:
        for digest in {desk.table.board, desk.table.position}:
            content = None if digest is None else desk.log.attachment(digest)
            if digest is not None and content is not None:
                store.attach(digest, content)
        for place, stored in enumerate(desk.log.read(desk.match.id)):
            seed = desk.match.seed if place == 0 else ""
            store.append(
                [NewCommit(stored.match, stored.first, stored.last, stored.key, stored.hash, stored.body, None, seed)]
            )
    return path


# Watches for any game


def legality_watch(game: str, rng: Random, *, share: float, wishes: int) -> LegalityWatch:
    """Return the watch that compares listed and accepted commands, with arbitrary commands of the game as well."""
    kinds = commands_of(game)

    def wildly(names: Sequence[str], rng: Randomness) -> dict[str, object]:
        return wild(rng.choice(kinds), names, rng)

    return LegalityWatch(load_rulebook(load_game(game).package), rng, share=share, wishes=wishes, wild=wildly)


def rule_watch(game: str) -> RuleWatch:
    """Return the watch that checks the rules cited by events of a game."""
    return RuleWatch(load_rulebook(load_game(game).package), load_match_rulebook())
