"""Tries, positions and notations that a seat gets hold nothing that it does not know: two truths that look the same to it give the same bytes."""

from collections import Counter
from collections.abc import Sequence
from random import Random

from core.notation.notation_text import notation_text
from core.notation.recorded_notation import NotationWriter, seen_of
from core.position_files.position_toml import position_text
from core.position_files.saved_position import NoPosition, dealt, saved_position
from core.registry.games import load_game
from events.codec import encode
from events.commit import Commit
from events.ids import PUBLIC, MatchId, Seat
from events.vocabulary import Event
from projections.state.view import SeatView
from server.playouts.trial_job import Batch, TrialPlan, run_batch
from tests.core.games.advance.test_noninterference import SECRETS as ADVANCE
from tests.core.games.axis_allies.test_noninterference import SECRETS as AXIS_ALLIES
from tests.core.games.battle.test_noninterference import SECRETS as BATTLE
from tests.core.games.inferno.test_noninterference import SECRETS as INFERNO
from tests.core.test_fuzz import GIVEN, scenes
from tests.support.desk import Desk
from tests.support.noninterference import Parted, Secrets, Twins, Wanderer
from tests.support.playouts import random_options
from tests.support.rows import each_row

MOMENTS = 1.25
"""Moments of each game for a unit of a larger budget: with the long one more than a hundred thousand texts are generated."""

STEPS = 6
"""How far the two truths are played on side by side, so that orders and draws differ too."""

TRIES, POSITIONS = 100, 3
"""At each moment, if the budget is larger; notations are as long as a match, and one does."""


class Texts:
    """What a seat gets at the end of a stream of commits; `counts` are how many there were of each kind.

    Args:
        desk: The match as it was opened.
        commits: All of them.
        seat: Who reads.
        options: What it can choose now, as JSON; empty if another seat decides.
        share: How much is generated, 0 to 1.
    """

    def __init__(
        self, desk: Desk, commits: Sequence[Commit], seat: Seat, options: Sequence[bytes], share: float
    ) -> None:
        self.bound = desk.match.ruleset.game
        self.opened = desk.table
        self.seat = seat
        view = SeatView(seat)
        pairs = [(commit, view.take(commit.events, commit.at, commit.last)) for commit in commits]
        self.told = [seen_of(slice_, commit) for commit, slice_ in pairs if slice_ is not None]
        self.events: list[Event] = [event for one in self.told for event in one.events]
        self.options, self.share = options or [b""], share
        self.counts: Counter[str] = Counter()

    def all(self) -> list[bytes]:
        """Generate everything."""
        return [*self._tries(), *self._positions(), self._notation()]

    def _tries(self) -> list[bytes]:
        seats = tuple([(seat, "random") for seat in self.opened.seats])
        plan = TrialPlan(self.opened.game, self.bound, encode(self.events), False, seats, "7", "step")
        times = max(1, round(TRIES * self.share / len(self.options)))
        found = [encode(one) for option in self.options for one in run_batch(Batch(plan, option, 0, times))]
        self.counts["tries"] += len(found)
        return found

    def _positions(self) -> list[bytes]:
        table, found = self.opened, list[bytes]()
        inventory = self.bound.inventory(table.scenario, table.options)
        plays = load_game(table.game).scenario(table.scenario).mode(table.mode).seats
        for seed in range(max(1, round(POSITIONS * self.share))):
            try:
                whole = dealt(self.bound.rules, inventory, self.events, Random(seed).randrange)
            except NoPosition as error:
                return [str(error).encode()]
            found.append(position_text(saved_position(self.events, plays, table=whole)).encode())
        self.counts["positions"] += len(found)
        return found

    def _notation(self) -> bytes:
        self.counts["notations"] += 1
        return notation_text(NotationWriter(self.bound).notation(MatchId("m"), self.told)).encode()


def opened(game: str, number: int) -> Desk:
    """Open a match in each scenario and mode in turn, with random options."""
    scenes_of_game = [one for one in scenes() if one[0] == game]
    _, scenario, mode = scenes_of_game[number % len(scenes_of_game)]
    record = load_game(game)
    options = random_options(record, record.scenario(scenario), Random(number), mode, GIVEN.get(game, {}))
    return Desk.open(game, scenario, mode=mode, options=options, seed=str(number), name=f"texts-{number}")


def compared(desk: Desk, walk: Wanderer, twins: Twins, share: float) -> Counter[str]:
    """Play two truths on, compare what the onlooker gets of both, and return how many texts that were."""
    for _ in range(STEPS):
        if twins.first.ended is not None:
            break
        try:
            twins.step()
        except Parted:
            break
    if twins.first.ended is not None:
        return Counter()
    top, rules = twins.first.top, walk.ruleset.rules
    is_own = top is not None and top.seat == twins.seat
    options = [encode(one) for one in rules.options(twins.first)[:3]] if is_own else []
    first, second = (Texts(desk, [*walk.commits, *commits], twins.seat, options, share) for commits in twins.commits)

    assert first.all() == second.all(), twins.told("what is generated differs")
    return first.counts + second.counts


@each_row(
    ("game", "secrets"), [("advance", ADVANCE), ("axis_allies", AXIS_ALLIES), ("battle", BATTLE), ("inferno", INFERNO)]
)
def test_what_a_seat_gets_depends_on_nothing_that_it_does_not_know(game: str, secrets: Secrets, budget: float) -> None:
    wanted, share, often = (1, 0.04, 0.2) if budget <= 1 else (round(MOMENTS * budget), 1.0, 0.02)
    found, number, texts = 0, 0, Counter[str]()
    while found < wanted:
        desk = opened(game, number)
        onlookers = (*desk.table.seats, PUBLIC)
        walk = Wanderer(desk, onlookers, number)
        number += 1
        while found < wanted and walk.step():
            if walk.table.ended is None and walk.rng.random() < often:
                count = compared(desk, walk, walk.twins(secrets, walk.rng.choice(onlookers)), share)
                found += bool(count)
                texts += count

    assert min(texts[kind] for kind in ("tries", "positions", "notations")) > 0
