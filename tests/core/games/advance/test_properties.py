"""What holds in every match of this game, looked at after every single command of random matches.

The watches that fit any game are in `tests/support/playouts.py`; here are those that know the game. At the end, faults
planted in the rules: each of them has to be found.
"""

from pathlib import Path
from random import Random

import pytest

from core.checking.conformance import FoldWatch, question_watch
from core.checking.inventory_watch import InventoryWatch
from core.engine.question import Question
from core.games.advance.components.board import BOARD_FILE
from core.games.advance.components.board_records import FACTORY, MAIN
from core.games.advance.ids import (
    AVAILABLE,
    CONTROL_COUNT,
    GERMAN,
    GERMAN_SEAT,
    SOVIET,
    USED,
)
from core.games.advance.memory import ATTRIBUTES, TURN
from core.games.advance.rules import movement, queries, supply
from events.codec import encode
from events.commit import decode_commit
from events.ids import ARBITER, PUBLIC, PieceId, Seat
from events.vocabulary import (
    ControlChanged,
    DeckFormed,
    Event,
    PieceDrawn,
    PieceMoved,
    PiecePlaced,
    PieceRemoved,
    PieceRevealed,
    TrackMoved,
)
from projections.state.table import Table
from projections.state.view import see
from tests.support.desk import Desk
from tests.support.playouts import Playout, Watch, legality_watch, rule_watch

BOARD = BOARD_FILE.load()

MORALE_CAUSES = frozenset(
    (
        "6.2.1.morale-per-missing-unit",
        "6.3.buy-morale",
        "6.4.1.five",
        "6.4.1.six",
        "9.4.heroes",
        "9.5.5.repulse-morale",
        "9.5.7.captured-area-bonus",
        "6.5.morale-loss",
    )
)
"""The seven causes of 5.2.morale-sources; Bloody Streets has a rule for the 5 and one for the 6."""


def control_watch(desk: Desk) -> None:
    """Look at who controls what; where everything may lie the inventory says."""
    table = desk.table
    for area in BOARD.areas:
        here = [table.pieces[piece].side for piece in table.pieces_at(area)]
        holder = SOVIET if SOVIET in here else GERMAN
        assert table.control[area] == holder, f"7.4.vacant-is-german: Area {area} is {table.control[area]}'s"
    if table.scenario == MAIN:
        count = len(BOARD.areas) - sum(side == SOVIET for side in table.control.values())
        assert table.track(CONTROL_COUNT) == count, "3.4.record-control"


def rest_watch(desk: Desk) -> None:
    """Look at the table between two Action Rounds: nothing is left of the last one."""
    table = desk.table
    if table.top is None or table.top.kind != "activate":
        return
    for area in BOARD.areas:
        if area in queries.contested_areas(table, BOARD):
            assert queries.is_revealed(table, area), f"7.3.contested-is-revealed: Area {area}"
    lying = {marker for on, there in table.markers.items() for marker in there if on not in (AVAILABLE, USED)}
    assert lying <= {"isolated"}, f"markers are left over: {lying}"
    lasting = {attribute.key for attribute in ATTRIBUTES if attribute.within in ((), (TURN,))}
    left = {f"{key} of {on}" for on, there in table.attributes.items() for key in there if key not in lasting}
    assert left == set(), f"this is still remembered: {left}"


class LogWatch:
    """Look at the events as they come: what moves Morale, what becomes of units, and what no seat may know yet."""

    def __init__(self) -> None:
        self.seen = 0
        self.began = False
        self.units: frozenset[PieceId] = frozenset()
        self.named: set[str] = set()

    def __call__(self, desk: Desk) -> None:
        """Look at what is new."""
        for stored in desk.log.read(desk.match.id, self.seen):
            commit = decode_commit(stored.body)
            self.seen = commit.last
            for event in commit.events:
                self.look(event, desk.table)
        if not self.began and desk.table.began:
            self.began = True
            self.units = frozenset(piece.id for piece in desk.table.pieces.values() if piece.side == GERMAN)

    def look(self, event: Event, table: Table) -> None:
        """Look at one event."""
        for seat in (GERMAN_SEAT, PUBLIC, ARBITER, Seat("nobody")):
            assert see(event, seat) is event, f"{seat} sees another event than {event}"
        if isinstance(event, TrackMoved) and event.track == "morale" and self.began:
            assert event.rule in MORALE_CAUSES, f"5.2.morale-sources: {event}"
            assert abs(event.to - event.was) <= 4, f"Morale leaps: {event}"
        if isinstance(event, TrackMoved) and event.track == "control_count":
            assert event.to > event.was, f"5.4.no-further-soviets: {event}"
        if isinstance(event, ControlChanged) and self.began:
            assert event.to == GERMAN, f"5.4.no-further-soviets: {event}"
        if isinstance(event, PiecePlaced):
            assert not self.began, f"5.4.no-further-soviets: {event} after the set-up"
        if isinstance(event, PieceRemoved):
            assert event.rule == "6.1.2.withdrawal-turn-9", f"3.7.out-of-action-box: {event}"
        if isinstance(event, PieceMoved) and event.piece.startswith("soviet/"):
            assert event.to == "eliminated", f"8.1.2.soviets-never-move: {event}"
        self.look_for_secrets(event)

    def look_for_secrets(self, event: Event) -> None:
        """Counters are in the public list of their mix; after that only what has been drawn is named."""
        if isinstance(event, DeckFormed):
            return
        if isinstance(event, PieceDrawn | PieceRevealed):
            self.named.add(str(event.drawn if isinstance(event, PieceDrawn) else event.kind))
        if isinstance(event, PiecePlaced) and event.face == "revealed":
            self.named.add(str(event.kind))
        text = encode(event).decode()
        early = [name for name in COUNTERS if f'"{name}"' in text and name not in self.named]
        assert early == [], f"4.4.unrevealed-hidden: {text} names {early}"


COUNTERS = [str(counter) for counter in (*BOARD.counters, BOARD.pavlovs_house.id)]


def watches(seed: int) -> list[Watch]:
    """Return all of them."""
    return [
        FoldWatch(),
        rule_watch("advance"),
        legality_watch("advance", Random(seed), share=0.02, wishes=100),
        control_watch,
        rest_watch,
        LogWatch(),
        question_watch,
        InventoryWatch(),
    ]


@pytest.mark.parametrize("scenario", [MAIN, FACTORY])
def test_every_promise_holds_in_random_matches(scenario: str, budget: float, tmp_path: Path) -> None:
    for seed in range(round(max(1, budget))):
        dice = "sealed" if (seed % 2 == 0) == (scenario == MAIN) else "seeded"
        desk = Playout("advance", scenario, 1000 + seed, dice=dice).run(watches(seed), keep=tmp_path)

        assert desk.table.ended is not None


def test_seats_that_watch_get_the_stream_of_the_seat_that_plays() -> None:
    """4.4.unrevealed-hidden: no stream is redacted, because what is hidden does not exist yet."""
    desk = Playout("advance", MAIN, 7).run()
    streams = {
        seat: [encode(seen) for event in desk.events if (seen := see(event, seat)) is not None]
        for seat in (GERMAN_SEAT, PUBLIC, ARBITER)
    }

    assert streams[PUBLIC] == streams[GERMAN_SEAT] == streams[ARBITER]


def test_two_matches_that_differ_in_what_will_be_drawn_have_the_same_log_up_to_the_draw() -> None:
    """4.4.unrevealed-hidden: matches sealed with other seeds but with the same dice so far look the same to all seats."""
    one = Playout("advance", MAIN, 1).desk
    other = Playout("advance", MAIN, 1).desk
    mixes = [
        {pile: cards for pile, cards in desk.table.piles.items() if pile.startswith("mix/")} for desk in (one, other)
    ]
    unrevealed = [piece for piece in one.table.pieces.values() if piece.face == "unrevealed"]

    assert mixes[0] == mixes[1]
    assert sum(len(cards.cards) for cards in mixes[0].values()) >= 55
    assert {piece.kind for piece in unrevealed} == {""}


# Faults planted in the rules


@pytest.mark.interpreted
def test_a_planted_stacking_fault_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """7.1.german-four."""
    monkeypatch.setattr(movement, "room", lambda *_: 1)

    assert "German units at most" in found(tmp_path)


@pytest.mark.long
@pytest.mark.interpreted
def test_planted_morale_faults_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """5.2.morale-bounds."""

    def unbounded(draft: object, board: object, amount: int, rule: object) -> None:
        draft.track("morale", draft.table.track("morale") + amount, rule)  # type: ignore[attr-defined]

    for module in ("ending", "combat_results", "bloody_streets"):
        monkeypatch.setattr(f"core.games.advance.rules.{module}.change_morale", unbounded)

    assert "track morale is" in found(tmp_path)


@pytest.mark.interpreted
def test_a_planted_marker_fault_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """4.5.marker-totals."""

    def doubled(draft: object, marker: object, count: int, rule: object, *, source: str, to: str) -> None:
        draft.mark(to, marker, rule, draft.table.marker(to, marker) + count)  # type: ignore[attr-defined]

    monkeypatch.setattr(supply, "move_markers", doubled)

    assert "lie on the table" in found(tmp_path)


@pytest.mark.interpreted
def test_a_planted_leak_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    original = supply.ask

    def leaking(draft: object) -> None:
        draft.mark("event", draft.table.pile("mix/heavy_urban").cards[0], "6.3.order")  # type: ignore[attr-defined]
        original(draft)  # type: ignore[arg-type]

    monkeypatch.setattr(supply, "ask", leaking)

    assert "4.4.unrevealed-hidden" in found(tmp_path)


def test_a_planted_precedence_of_what_is_not_offered_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Question, "refuse", lambda *_: None)

    assert "is accepted" in found(tmp_path)


def found(tmp_path: Path) -> str:
    """Play until a fault is found and return what was said of it."""
    for seed in range(12):
        for scenario in (FACTORY, MAIN):
            try:
                Playout("advance", scenario, seed).run(watches(seed), keep=tmp_path)
            except AssertionError as error:
                assert list(tmp_path.glob("*.sqlite"))
                return str(error)
    return "nothing"
