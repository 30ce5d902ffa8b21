"""Nothing of an Unrevealed unit exists before it is Revealed, and no seat is told anything that another is not, save private notes.

In this solitaire game the secret is what no seat knows yet: which counter an Unrevealed unit is. So twins differ in what is drawn
and what is rolled later; until then they must be equal, byte for byte. Planted leaks show that the comparison would find one.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from random import Random

import pytest
from typing_extensions import override

from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.selection import Done, onward
from core.games.advance.components.board_records import FACTORY, MAIN
from core.games.advance.ids import GERMAN_SEAT, SOVIET, UNREVEALED
from core.games.advance.rules import set_up
from core.games.advance.rules.attack import Attacks
from core.games.advance.rules.commands import Buy, DeclareAttack, Move
from core.match.player_commands import AddNote
from events.codec import encode
from events.ids import ARBITER, PUBLIC, CardId, PieceId, PileId, PlaceId, RuleId
from events.vocabulary import DiceRolled, Event, PieceDrawn
from projections.state.fold import fold
from projections.state.view import seen_events
from tests.support.desk import Desk
from tests.support.noninterference import FreeChance, Secrets, Twins, Wanderer
from tests.support.playouts import Playout
from tests.support.rows import each_row

VIEWERS = (GERMAN_SEAT, PUBLIC, ARBITER)
COMMANDS = 60
"""How far matches are followed together, if the budget is not larger: some units have attacked by then."""

SECRETS = Secrets(
    game="advance",
    is_secret_choice=lambda _: False,
    comes_to_light=lambda *_: False,
    never_known=lambda _: (),
    decline=Done(),
    wild_commands=(Buy, Move, DeclareAttack),
)


class OtherDraws(FreeChance):
    """Chance whose first outcomes depend on one number alone, and whose draws and later dice on another.

    Args:
        early: Decides the dice before the first draw.
        late: Decides the draws, and the dice after the first one.
    """

    def __init__(self, early: int, late: int) -> None:
        super().__init__(Random(early))
        self.late = Random(late)

    @override
    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Draw."""
        self.rng = self.late
        return self.late.randrange(len(candidates))


def follow(scenario: str, commands: int) -> Iterator[Desk]:
    """Play random matches with random options, one after the other, and yield their desks after each of so many commands."""
    playouts = (Playout("advance", scenario, seed) for seed in count(1))
    return islice((playout.desk for playout in playouts for _ in playout.steps()), commands)


def before_the_draw(events: Sequence[Event]) -> list[bytes]:
    """Return events as they are sent, up to the first draw and without it."""
    kinds = [isinstance(event, PieceDrawn) for event in events]
    return [encode(event) for event in (events[: kinds.index(True)] if True in kinds else events)]


def carried_out(desk: Desk, command: Command, early: int, late: int) -> list[Event]:
    """Carry out a command on a copy of the table, and return its events."""
    draft = Draft(desk.table.clone(), OtherDraws(early, late))
    desk.match.ruleset.rules.take(draft, command)
    return draft.events


def compare_draws(scenario: str, commands: int) -> int:
    """Carry out options of matches twice, with other counters drawn, and compare all that comes before the draw.

    Returns:
        With how many options something else was drawn.
    """
    differed, rng = 0, Random(scenario)
    for desk in follow(scenario, commands):
        for option in rng.sample(options := onward(desk.options()) if desk.options() else [], min(4, len(options))):
            early = rng.getrandbits(32)
            first, second = (carried_out(desk, option, early, late) for late in (1, 2))
            assert before_the_draw(first) == before_the_draw(second), f"{option} depends on what it draws"
            differed += encode(first) != encode(second)
    return differed


def look(scenario: str, commands: int) -> int:
    """Follow matches, and check that each viewer's stream and table are the whole truth; return the number of Unrevealed units met."""
    met = 0
    for number, desk in enumerate(follow(scenario, commands)):
        hidden = [piece for piece in desk.table.pieces.values() if piece.side == SOVIET and piece.face == UNREVEALED]
        met += len(hidden)
        assert not any(piece.kind for piece in hidden), "an Unrevealed unit is known"
        if number % 20 == 0:
            whole = encode(desk.table)
            for viewer in VIEWERS:
                seen = list(seen_events(desk.events, viewer))
                assert [encode(event) for event in seen] == [encode(event) for event in desk.events], (
                    f"{viewer} misses something"
                )
                assert encode(fold(seen)) == whole
    return met


@each_row("scenario", [MAIN, FACTORY])
def test_what_is_drawn_leaves_no_trace_before_it_is_drawn(scenario: str, budget: float) -> None:
    """4.4.unrevealed-hidden, ruling.draw-at-reveal: in events, dice or their number."""
    assert compare_draws(scenario, round(COMMANDS * budget)) > 0


@each_row("scenario", [MAIN, FACTORY])
def test_every_seat_and_spectator_sees_the_whole_truth(scenario: str, budget: float) -> None:
    """1.0.one-player, 4.4.unrevealed-hidden, 5.4.excess-unseen: no event has an audience, and nobody knows an Unrevealed unit."""
    assert look(scenario, round(COMMANDS * budget)) > COMMANDS


def compare_notes(seed: int, positions: int) -> int:
    """Play twins of which one has private notes, as a spectator sees them; return how many notes were written."""
    walk = Wanderer(Desk.open("advance", seed=str(seed), name="wanderer"), (PUBLIC,), seed)
    written = 0
    for number in range(positions):
        assert walk.step()
        if number % 4:
            continue
        twins = Twins(walk.ruleset, SECRETS, (walk.table, walk.table), walk.views[PUBLIC], PUBLIC, walk.rng)
        twins.unseen(GERMAN_SEAT, AddNote(text="the plan", private=True))
        written += 1
        twins.play(3)
    return written


def test_private_notes_leave_no_trace_for_a_spectator(budget: float) -> None:
    """match.note: the numbers of later events are the same as well."""
    assert compare_notes(3, round(40 * budget)) >= 10


# Leaks that were planted


def draws_at_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The units are drawn as they are placed, and only nobody is told."""
    original = set_up.place_soviet

    def place_soviet(draft: Draft, unit: PieceId, to: PlaceId, counter: CardId | None, rule: RuleId) -> None:
        original(draft, unit, to, counter, rule)
        draft.emit(PieceDrawn(rule=rule, pool=PileId("mix"), drawn=CardId("C1"), purpose="", seen_by=()))

    monkeypatch.setattr(set_up, "place_soviet", place_soviet)


def peeks_at_the_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """The declaration of an attack rolls a die that depends on the counter to come."""
    original = Attacks.declare

    def declare(self: Attacks, draft: Draft, now: object, command: DeclareAttack) -> None:
        if command.units:
            peeked = draft.chance.pick(0, ("a", "b", "c", "d", "e", "f"), "the next counter")
            rule = RuleId("9.5.sequence")
            draft.emit(DiceRolled(rule=rule, purpose="attack", sides=6, faces=(1 + peeked,)))
        original(self, draft, now, command)  # type: ignore[arg-type]

    monkeypatch.setattr(Attacks, "declare", declare)


def knows_too_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every unit has its counter from the set-up on."""

    def place_soviet(draft: Draft, unit: PieceId, to: PlaceId, counter: CardId | None, rule: RuleId) -> None:
        draft.place(unit, to, rule, kind="C1", side=SOVIET, face=UNREVEALED)

    monkeypatch.setattr(set_up, "place_soviet", place_soviet)


def tells_the_german_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is drawn is told to the seat, but not to spectators."""
    original = Draft.draw_piece

    def draw_piece(self: Draft, pool: PileId, purpose: str, rule: RuleId) -> CardId:
        return original(self, pool, purpose, rule, seen_by=(GERMAN_SEAT,))

    monkeypatch.setattr(Draft, "draw_piece", draw_piece)


LEAKS: tuple[tuple[Callable[[pytest.MonkeyPatch], None], Callable[[], object], str], ...] = (
    (draws_at_set_up, lambda: look(MAIN, 3), "misses something"),
    (peeks_at_the_draw, lambda: compare_draws(MAIN, COMMANDS), "depends on what it draws"),
    (knows_too_early, lambda: look(MAIN, COMMANDS), "an Unrevealed unit is known"),
    (tells_the_german_alone, lambda: look(MAIN, COMMANDS), "misses something"),
)


@pytest.mark.parametrize(("leak", "search", "words"), LEAKS, ids=[leak.__name__ for leak, *_ in LEAKS])
@pytest.mark.interpreted
def test_a_planted_leak_is_found(
    leak: Callable[[pytest.MonkeyPatch], None],
    search: Callable[[], object],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    leak(monkeypatch)
    with pytest.raises(AssertionError, match=words):
        search()
