"""Random matches of any game, watched after every command, and kept as a file when something is wrong.

A watch is a function that looks at a match after each commit and raises an `AssertionError` where something does not
hold. A match in which one does is saved as a store that `wardiary --store FILE show MATCH` opens.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from random import Random

from core.command import Command
from core.game import Game, Scenario
from core.games import load_game
from core.match import Match, Prepared
from core.refusal import Refusal
from core.rulebook import Rulebook, load_rulebook
from events.codec import encode
from events.commit import decode_commit
from events.ids import ARBITER, PUBLIC, Seat
from events.log import NewCommit
from events.vocabulary import Event, Value
from projections.fold import fold
from projections.table import Table, decode_table
from projections.view import see, seen_events
from server.store.sqlite_log import SqliteLog
from tests.support.desk import Desk
from tests.support.wishes import unasked

STEPS_MAX = 20_000
Watch = Callable[[Desk], None]


class Playout:
    """A random match.

    Args:
        game: Its key.
        scenario: Its scenario.
        seed: Everything random comes from it: the options, the choices and, unless sealed, the dice.
        given: Options that are not left to chance.
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
        """Open the match."""
        self.rng = Random(f"{game}/{scenario}/{mode}/{seed}")
        self.tastes: dict[str, float] = {}
        self.views: dict[Seat, tuple[int, Table]] = {}
        self.keenness = self.rng.choice((0.0, 0.5, 0.9))
        record = load_game(game)
        policies = [*record.policies.values()]
        self.policy = self.rng.choice(policies) if policies and self.rng.random() < 0.4 else None
        options = {**random_options(record, record.scenario(scenario), self.rng), **(given or {})}
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

    def run(self, watches: Sequence[Watch] = (), *, keep: Path | None = None) -> Desk:
        """Play to the end and watch every commit.

        Args:
            watches: What to look at.
            keep: A folder for the match if something is wrong.

        Raises:
            AssertionError: Something is wrong; the message says where the match was saved.
        """
        try:
            for watch in watches:
                watch(self.desk)
            for _ in self.steps():
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
        seq, table = self.views.get(seat, (0, Table()))
        for stored in self.desk.log.read(self.desk.match.id, seq):
            fold(seen_events(decode_commit(stored.body).events, seat), table)
            seq = stored.last
        self.views[seat] = (seq, table)
        return table

    def choose(self, options: Sequence[Command]) -> Command:
        """Choose by this match's taste: it likes some kinds of commands more than others, and often the last of a kind.

        Without tastes all matches would be alike and short, and hardly ever get to where armies do something else than
        attack with what they have. A match may also have one of the game's bots choose most of the time.
        """
        top = self.desk.table.top
        if self.policy is not None and top is not None and self.rng.random() < 0.8:
            rules = self.desk.match.ruleset.rules
            return self.policy(rules, self.seen_by(top.seat), top.seat, list(options), self.rng.randrange)
        kinds: dict[str, list[Command]] = {}
        for option in options:
            kinds.setdefault(type(option).__name__, []).append(option)
        weights = [self.tastes.setdefault(kind, self.rng.choice((0.02, 0.3, 1.0, 4.0))) for kind in kinds]
        (chosen,) = self.rng.choices(list(kinds.values()), weights)
        return chosen[-1] if self.rng.random() < self.keenness else self.rng.choice(chosen)


def random_options(game: Game, scenario: Scenario, rng: Random) -> dict[str, Value]:
    """Choose a value for every option of a scenario: half the time its default, else any that is allowed."""
    given: dict[str, Value] = {}
    for spec in game.options:
        if (spec.scenarios and scenario.key not in spec.scenarios) or rng.random() < 0.5:
            continue
        if isinstance(spec.default, bool):
            given[spec.key] = not spec.default
        elif isinstance(spec.default, int):
            given[spec.key] = rng.randint(spec.low, spec.high)
        elif isinstance(spec.default, str):
            given[spec.key] = rng.choice(spec.choices)
        else:
            given[spec.key] = tuple(choice for choice in spec.choices if rng.random() < 0.5)
    return given


def save(desk: Desk, folder: Path) -> Path:
    """Write a match into a store of its own and return the file."""
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


class FoldWatch:
    """The fold of the log is the live table; its bytes give it back; a clone is another table."""

    def __init__(self) -> None:
        """Start with an empty table."""
        self.folded = Table()

    def __call__(self, desk: Desk) -> None:
        """Fold what is new and compare."""
        for stored in desk.log.read(desk.match.id, self.folded.seq):
            fold(decode_commit(stored.body).events, self.folded)
        before = encode(desk.table)
        assert encode(self.folded) == before, "the fold of the log is not the live table"
        assert decode_table(before) == desk.table, "a stored table is not read as it was"
        clone = desk.table.clone()
        for held in (clone.pieces, clone.at, clone.markers, clone.attributes, clone.tracks, clone.piles):
            held.clear()
        assert encode(desk.table) == before, "a change of the clone changed the table"


class RuleWatch:
    """Every fact cites a rule of the game's index or of the house's."""

    def __init__(self, game: str, house: Rulebook) -> None:
        """Read the index."""
        book = load_rulebook(load_game(game).package)
        self.known = {*book.rules, *book.rulings, *house.rules}
        self.seen = 0

    def __call__(self, desk: Desk) -> None:
        """Look at the new facts."""
        for commit in new_commits(desk, self.seen):
            self.seen = commit[0] + len(commit[1]) - 1
            wrong = [event for event in commit[1] if event.rule not in self.known]
            assert wrong == [], f"facts without a rule of the index: {wrong}"


def new_commits(desk: Desk, after: int) -> Iterator[tuple[int, tuple[Event, ...]]]:
    """Yield the first number and the events of each commit after an event."""
    for stored in desk.log.read(desk.match.id, after):
        yield stored.first, decode_commit(stored.body).events


class LegalityWatch:
    """What is offered is accepted, and nothing else; every refusal is of the index.

    Args:
        game: Its key.
        rng: Decides when to look, and what to ask.
        share: How often to look, 0 to 1; the first time that a kind of question comes up always.
        wishes: How many commands to ask for at a time.
    """

    def __init__(self, game: str, rng: Random, *, share: float, wishes: int) -> None:
        """Read the index."""
        self.game = game
        self.rng = rng
        self.share = share
        self.wishes = wishes
        self.codes = {refusal.code for refusal in load_rulebook(load_game(game).package).refusals}
        self.kinds: set[str] = set()
        self.met: set[str] = set()

    def __call__(self, desk: Desk) -> None:
        """Ask for what is offered and for much that is not."""
        top = desk.table.top
        kind = "" if top is None else top.kind
        if kind in self.kinds and self.rng.random() > self.share:
            return
        self.kinds.add(kind)
        match, rules = desk.match, desk.match.ruleset.rules
        options = desk.options()
        assert len(set(options)) == len(options), f"an option is offered twice: {options}"
        # A table from a snapshot has its names in another order; nothing may depend on it.
        stored = decode_table(encode(desk.table))
        assert rules.options(stored) == options, "the options are not in a stable order"
        seat = ARBITER if top is None else top.seat
        for option in options:
            refusal = rules.refuse(desk.table, seat, option)
            assert refusal is None, f"{option} is offered and refused: {refusal}"
            assert match.ruleset.game.narration.describe(desk.table, option), f"{option} is not described"
        again = Match(match.id, match.ruleset, stored, match.head, match.seed)
        for option in self.rng.sample(options, min(3, len(options))):
            done = desk.ask(option, seat)
            assert isinstance(done, Prepared), f"{option} is offered and cannot be prepared"
            redone = again.prepare(seat, encode(option), key=done.commit.key, at=done.commit.at)
            assert isinstance(redone, Prepared)
            assert redone.new == done.new, f"{option} comes out otherwise on a table from a snapshot"
        legal = set(options)
        for wish in unasked(match, self.game, options, self.rng, self.wishes):
            refusal = rules.refuse(desk.table, seat, wish)
            assert (refusal is None) == (wish in legal), (
                f"{wish} is {'accepted' if refusal is None else 'refused'}: {refusal}"
            )
            self.look(refusal)
        for other in {*desk.table.seats, PUBLIC, ARBITER, Seat("nobody")} - {seat}:
            for option in options[:2]:
                refusal = rules.refuse(desk.table, other, option)
                assert refusal is not None, f"{option} is accepted from {other}, though {seat} is asked"
                self.look(refusal)

    def look(self, refusal: Refusal | None) -> None:
        """Check a refusal's code and sentence."""
        if refusal is not None:
            self.met.add(refusal.code)
            assert refusal.code in self.codes, f"{refusal.code} is not in the index"
            assert refusal.sentence.endswith("."), f"{refusal.code} says {refusal.sentence!r}"
            assert "\n" not in refusal.sentence


def view_watch(desk: Desk) -> None:
    """Look at the newest commit: seats see secrets only where they are named, and the arbiter sees everything."""
    *_, last = desk.log.read(desk.match.id)
    for event in decode_commit(last.body).events:
        seen_by = getattr(event, "seen_by", None)
        assert see(event, ARBITER) == event
        for seat in (*desk.table.seats, PUBLIC):
            assert (see(event, seat) == event) or (seen_by is not None and seat not in seen_by)


def question_watch(desk: Desk) -> None:
    """Every question is put to a seat of the match."""
    top = desk.table.top
    assert desk.table.ended is not None or (top is not None and top.seat in desk.table.seats)
