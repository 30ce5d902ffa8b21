"""What a fork deals agrees with all that the forking seat has seen: with the new blocks the match could have gone the same way."""

from collections.abc import Sequence
from random import Random

import pytest
from typing_extensions import override

from core.chance.recorded_chance import Drawn, drawn_name
from core.engine.chance_port import Chance
from core.games.inferno.ids import (
    CO_OP,
    GERMAN,
    GERMAN_POOL,
    ONE_VS_ONE,
    PLAYS,
    SETUP_UNITS,
    SOLO,
    TWO_VS_ONE,
    removed_box,
)
from core.games.inferno.memory import EXHAUSTED
from core.games.inferno.rules.clues import Clues
from core.games.inferno.rules.reinforcement import NO_REMOVAL
from core.games.inferno.rules.spawn import RANDOM_EDGE
from core.match.live_match import Match, load_match
from core.refusal import Refusal
from core.secrets.knowledge import Hidden
from events.codec import encode
from events.commit import Commit
from events.ids import PUBLIC, CardId, PieceId, Seat
from events.log import NewCommit
from events.memory_log import MemoryLog
from events.vocabulary import (
    AttributeSet,
    CardDrawn,
    DiceRolled,
    Event,
    PieceDrawn,
    PiecePlaced,
    PieceReturned,
    RuleApplied,
)
from projections.state.table import Table
from projections.state.view import see, seen_events
from tests.support.desk import Desk
from tests.support.inferno import BOARD, order, scene
from tests.support.playouts import Playout
from tests.support.rows import each_row
from tests.support.soak import sampled

MODES = (SOLO, CO_OP, ONE_VS_ONE, TWO_VS_ONE)


class Otherwise:
    """The units and edges that blocks unseen by a seat would have had from the beginning, by what a fork dealt.

    Args:
        events: The events of the parent, up to the fork.
        unseen: The blocks that the seat has never seen.
        dealt: The table of the fork.
    """

    def __init__(self, events: Sequence[Event], unseen: set[PieceId], dealt: Table) -> None:
        self.unseen = unseen
        self.dealt = dealt
        last: dict[PieceId, int] = {}
        for number, event in enumerate(events):
            if isinstance(event, PieceReturned):
                last[event.piece] = number
        self.set_up: list[str] = []
        self.here: dict[str, list[str]] = {}
        self.ended = last
        for number, event in enumerate(events):
            if isinstance(event, PieceDrawn) and event.pool == SETUP_UNITS:
                self.set_up.append(self.unit(event.piece, number) or str(event.drawn))
            elif isinstance(event, PiecePlaced) and event.rule == "setup.step-8":
                placed = self.unit(event.piece, number) or str(event.kind)
                if BOARD.blocks[CardId(placed)].start is None:
                    self.here.setdefault(event.to, []).append(placed)

    def unit(self, piece: PieceId, number: int) -> str | None:
        """Return the unit dealt to a block that came at an event, or None if the seat knows it."""
        is_unseen = piece in self.unseen and number > self.ended.get(piece, -1)
        return self.dealt.pieces[piece].kind if is_unseen else None

    def name(self, event: Drawn, number: int) -> str | None:
        """Return what a draw would have given."""
        if isinstance(event, PieceDrawn):
            return self.unit(event.piece, number)
        if isinstance(event, CardDrawn):
            if event.to != SETUP_UNITS:
                return None
            pool = BOARD.blocks[CardId(str(event.card))].pool
            drawn = next(unit for unit in self.set_up if BOARD.blocks[CardId(unit)].pool == pool)
            self.set_up.remove(drawn)
            return drawn
        if event.about in self.here:
            left = self.here[event.about]
            return left.pop(left.index(event.chosen) if event.chosen in left else 0)
        piece = PieceId(event.about)
        if event.rule == RANDOM_EDGE:
            return self.dealt.pieces[piece].face if self.unit(piece, number) else None
        return self.unit(piece, number)


class OtherChance(Chance):
    """The outcomes of a recorded commit, but for the blocks that are other ones."""

    def __init__(self, commit: Commit, otherwise: Otherwise) -> None:
        self.outcomes = [
            (number, event)
            for number, event in enumerate(commit.events, start=commit.first - 1)
            if isinstance(event, DiceRolled | Drawn)
        ]
        self.otherwise = otherwise

    @override
    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Roll as recorded."""
        _, event = self.outcomes.pop(0)
        assert isinstance(event, DiceRolled) and len(event.faces) == count
        return event.faces

    @override
    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Draw as recorded, or the other block."""
        number, event = self.outcomes.pop(0)
        assert isinstance(event, Drawn)
        name = self.otherwise.name(event, number) or str(drawn_name(event))
        assert name in candidates, f"{name} cannot have been drawn for {purpose}"
        return candidates.index(name)

    @override
    def reveal(self) -> str:
        """Return no seed."""
        return ""


def begun(desk: Desk) -> Match:
    """Return a match just after it was opened."""
    log = MemoryLog()
    stored = next(iter(desk.log.read(desk.match.id)))
    log.append([NewCommit(stored.match, stored.first, stored.last, stored.key, stored.hash, stored.body, None, "")])
    return load_match(log, desk.match.id)


def check_same_way(parent: Desk, at: int, fork: Desk, seat: Seat) -> int:
    """Play the commands of a match again with the blocks that a fork dealt; return how many blocks were other ones.

    Raises:
        AssertionError: The seat would have seen something else, or a command would not have been legal.
    """
    events = parent.events[:at]
    unseen = {*Hidden(seen_events(events, seat)).unseen}
    otherwise = Otherwise(events, unseen, fork.table)
    match = begun(parent)
    for commit in parent.commits[1:]:
        if commit.last > at:
            break
        done = match.prepare(
            commit.seat, bytes(commit.command), key=commit.key, at=0, chance=OtherChance(commit, otherwise)
        )
        assert not isinstance(done, Refusal), f"event {commit.first}: {bytes(commit.command)!r} is refused: {done}"
        assert seen(done.commit.events, seat) == seen(commit.events, seat), (
            f"event {commit.first} looks different to {seat}"
        )
        match.adopt(done)
    truth = match.table.pieces
    assert {piece: truth[piece] for piece in unseen} == {piece: fork.table.pieces[piece] for piece in unseen}
    return sum(parent_kind(events, piece) != truth[piece].kind for piece in unseen)


def parent_kind(events: Sequence[Event], piece: PieceId) -> str:
    """Return what a block was in the parent."""
    kinds = [event.kind for event in events if isinstance(event, PiecePlaced) and event.piece == piece and event.kind]
    drawn = [event.drawn for event in events if isinstance(event, PieceDrawn) and event.piece == piece]
    return str((drawn or kinds)[-1])


def seen(events: Sequence[Event], seat: Seat) -> list[bytes]:
    """Return what a seat sees of a commit."""
    return [encode(shown) for shown in (see(event, seat) for event in events) if shown is not None]


@pytest.mark.parametrize("mode", sampled(MODES, lambda mode: mode == ONE_VS_ONE))
def test_with_the_blocks_of_a_fork_the_match_could_have_gone_the_same_way(mode: str, budget: float) -> None:
    """fog.blocks-upright, fog.spawn-kind-public, mode.co-op.no-mixed-stack, match.resample: no order would have been refused, and
    the forking seat would have seen the same."""
    changed = 0
    for seed in range(max(1, round(budget))):
        parent = Playout("inferno", "standard", 300 + seed, mode=mode).run()
        rng = Random(seed)
        ends = [commit.last for commit in parent.commits if commit.first > 2]
        for number in range(3):
            seat = (PUBLIC, *reversed(PLAYS[mode]))[number % (len(PLAYS[mode]) + 1)]
            at = rng.choice(ends[: max(1, len(ends) * (number + 1) // 3)])
            fork = parent.fork(at, "seeded", f"fork {number}", seat, hidden="resample", seed=str(number))
            changed += check_same_way(parent, at, fork, seat)

    assert changed > 0


@pytest.mark.parametrize("mode", sampled(MODES, lambda mode: mode == ONE_VS_ONE))
def test_what_happened_agrees_with_what_is_inferred_from_it(mode: str, budget: float) -> None:
    """match.resample: the true deal is one that a fork could give."""
    for seed in range(max(1, round(budget))):
        parent = Playout("inferno", "standard", 400 + seed, mode=mode).run()
        commits = parent.commits
        for commit in commits[5 :: max(1, len(commits) // 10)]:
            events = parent.events[: commit.last]
            clues = Clues(BOARD, Hidden(seen_events(events, PUBLIC)).history)
            kinds = {
                event.piece: str(event.kind)
                for event in events
                if isinstance(event, PiecePlaced) and event.side == GERMAN and event.kind
            } | {
                event.piece: str(event.drawn)
                for event in events
                if isinstance(event, PieceDrawn) and event.pool == GERMAN_POOL
            }
            colours = {piece: BOARD.blocks[CardId(kind)].colour for piece, kind in kinds.items()}
            assert all(clues.may_be(piece, CardId(kind)) for piece, kind in kinds.items())
            assert all({colours[one], colours[other]} != {"yellow", "blue"} for one, other in clues.pairs)
            assert all(any(colours[piece] in some for piece in group) for group, some in clues.shared)


def test_a_unit_that_enters_without_a_question_may_be_of_the_other_seat() -> None:
    """german.reinforce.must-deploy: once a single hex is open all units that can enter do so, and nobody is asked for them."""
    held = {"X": ["2-panzer", "79-panzer-grenadier", "64-panzer-grenadier"]}
    track = {2: ["544-infantry"], 3: ["267-infantry"], 4: ["274-infantry"]}
    table = scene(german=held, soviet={"19": ["98-rifle"]}, control={"soviet": ["Y"]}, track=track, mode=CO_OP)
    table.do("yellow", order("reinforce"), dice=[2, 3, 4, 2, 3, 4], draws=("german/stuka-1",))
    table.do("yellow", order("deploy", unit=table.piece("544-infantry"), to="X"), dice=[4])
    clues = Clues(BOARD, seen_events(table.past, PUBLIC))

    assert table.kinds("Z") == ["267-infantry", "274-infantry"]
    assert all(clues.may_be(piece, CardId(table.table.pieces[piece].kind)) for piece in table.at("Z"))


@each_row("is_exhausted", [False, True])
def test_a_row_that_is_exhausted_says_nothing_of_where_its_unit_is(*, is_exhausted: bool) -> None:
    """german.reinforce.removal-impossible: the unit may have come onto the map since no die can Remove it any more."""
    row, unit = next(iter(BOARD.removed_units.items()))
    table = scene(german={"Y": [unit]})
    box = removed_box(row)
    events = list(table.past)
    if is_exhausted:
        events.append(AttributeSet(rule=NO_REMOVAL, on=box, key=EXHAUSTED.key, value=True, was=None))
    events.append(RuleApplied(rule=NO_REMOVAL, outcome="no other die Removes the unit of the row", about=box))

    assert Clues(BOARD, events).may_be(table.piece(unit), unit) == is_exhausted
