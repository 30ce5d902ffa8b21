"""Forks of matches of this game, at every event: also in the middle of what one command caused."""

from random import Random

import pytest

from core.games.advance.components.board_records import FACTORY, MAIN
from core.games.advance.ids import GERMAN_SEAT
from core.positions.position import Step, parse_position
from events.codec import decode_plain, encode, to_plain
from events.ids import MatchId
from events.memory_log import MemoryLog
from events.vocabulary import CardDrawn, DiceRolled, Event, MatchForked, PieceDrawn
from projections.state.fold import fold
from projections.state.table import Table
from tests.core.test_positions import BEGIN, POSITIONS, take
from tests.support.desk import Desk
from tests.support.playouts import Playout
from tests.support.soak import few, sampled

BOOKKEEPING = (
    "seq",
    "chance",
    "parent",
    "players",
    "credentials",
    "dice_from",
    "links",
    "keys",
    "keys_from",
    "past",
    "unnumbered",
    "private_notes",
)


def position(table: Table) -> dict[str, object]:
    """Return all of a table but what a fork changes."""
    plain = to_plain(table)
    assert isinstance(plain, dict)
    return {name: value for name, value in plain.items() if name not in BOOKKEEPING}


def own(fork: Desk) -> list[Event]:
    """Return the events of a fork without the one that begins it."""
    return [event for event in fork.events if not isinstance(event, MatchForked)]


def points(events: list[Event], budget: float, rng: Random) -> list[int]:
    """Choose where to fork: everywhere at the long budget, else here and there."""
    share = 1.0 if budget >= 100 else 0.004 * budget
    return [at for at in range(1, len(events) + 1) if rng.random() < share]


@pytest.mark.parametrize("scenario", sampled([MAIN, FACTORY], lambda scenario: scenario == FACTORY))
@pytest.mark.parametrize("dice", sampled(["seeded", "sealed"], lambda dice: dice == "sealed"))
def test_a_fork_at_any_event_has_the_parents_table_and_plays_to_the_end(
    scenario: str, dice: str, budget: float
) -> None:
    parent = Playout("advance", scenario, 4, dice=dice).run()
    events = parent.events
    table, folded = Table(), 0
    for at in points(events, budget, Random(scenario)):
        fold(events[folded:at], table)
        folded = at
        fork = parent.fork(at, "fresh", name=f"fork-{at}", seed=f"{at:064x}")

        assert own(fork)[:at] == events[:at]
        assert position(fold(fork.events[: at + 1])) == position(table)

        if not fork.table.began:
            fork.accept({"do": "match:take-seat", "seat": "german"}, GERMAN_SEAT)
        playout = Playout("advance", scenario, at)
        playout.desk = fork
        for _ in playout.steps():
            continue

        assert fork.table.ended is not None
        assert fork.audit().findings == ()


def test_the_same_dice_and_commands_give_the_same_match_from_any_event(budget: float) -> None:
    parent = Playout("advance", MAIN, 4).run()
    events, commits = parent.events, parent.commits
    for at in points(events, budget, Random(MAIN)):
        fork = parent.fork(at, "same", name=f"same-{at}")
        for commit in commits:
            if commit.first >= fork.match.head.seq and fork.table.ended is None:
                command = decode_plain(bytes(commit.command))
                assert isinstance(command, dict)
                fork.accept(command, commit.seat)

        assert own(fork) == events


@pytest.mark.parametrize("name", few(["example-of-play", "w19-barrage-retreat", "w21-factory-breakthrough"]))
def test_a_match_with_typed_dice_can_be_forked_at_any_event_if_the_dice_still_needed_are_typed(name: str) -> None:
    text = (POSITIONS / "advance" / f"{name}.toml").read_text(encoding="utf-8")
    example = parse_position(text)
    parent = Desk.open("advance", dice="manual", position=text, log=MemoryLog())
    steps = list(example.steps)
    for step in [steps.pop(0) if steps[0].command == BEGIN else Step(BEGIN), *steps]:
        take(parent, step, name)
    events = parent.events
    for commit in parent.commits[1:]:
        for place in range(len(commit.events)):
            at = commit.first + place
            rest = [] if at == commit.last else list(commit.events[place + 1 :])
            faces = tuple(face for event in rest if isinstance(event, DiceRolled) for face in event.faces)
            draws = tuple(str(event.drawn) for event in rest if isinstance(event, PieceDrawn))
            assert not any(isinstance(event, CardDrawn) for event in rest)
            fork = parent.fork(at, "manual", name=MatchId(f"{name}-{at}"), faces=faces, draws=draws)

            assert [encode(event) for event in own(fork)] == [encode(event) for event in events[: max(at, commit.last)]]
            assert fork.audit().findings == ()


def test_a_fork_keeps_what_was_not_drawn_yet_open() -> None:
    """ruling.draw-at-reveal: with other dice another counter may come up where none had been seen."""
    parent = Playout("advance", MAIN, 4).run()
    at = next(number for number, event in enumerate(parent.events, start=1) if isinstance(event, PieceDrawn))
    drawn = set()
    for seed in range(12):
        fork = parent.fork(at - 1, "seeded", name=f"fork-{seed}", seed=str(seed))
        event = own(fork)[at - 1]
        assert isinstance(event, PieceDrawn)
        drawn.add(event.drawn)

    assert len(drawn) > 1
