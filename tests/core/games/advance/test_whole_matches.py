"""What holds in every match, tried on matches of random legal commands from the set-up to the end.

The number of matches grows with the budget.
"""

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from random import Random

from core.chance.chance_sources import KeyedChance, key_of
from core.chance.recorded_chance import RecordedChance
from core.checking.choice_comparison import makes_a_whole
from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.selection import onward
from core.games.advance.components.board_records import FACTORY, MAIN
from core.games.advance.ids import GERMAN_SEAT, REVEALED, SUPPORT, USED, soviet_unit
from core.games.advance.options import OPTIONS
from core.games.advance.rules.changes import MORALE_SOURCES
from core.games.advance.rules.commands import Buy, DeclareAttack, PlaceGroup
from core.games.advance.rules.queries import (
    contested_areas,
    germans_at,
    soviet_areas,
)
from events.codec import encode
from events.ids import PlaceId, RuleId
from events.vocabulary import (
    ChanceScheme,
    DecisionOpened,
    Event,
    MatchBegan,
    MatchOpened,
    PhaseBegan,
    PieceMoved,
    PiecePlaced,
    PieceRemoved,
    PieceRevealed,
    PieceTurned,
    RoundBegan,
    TrackMoved,
    Value,
)
from projections.state.fold import fold
from projections.state.table import Table
from projections.table_codec import decode_table, encode_table
from tests.support.advance import BOARD, NARRATION, RULES, game, order
from tests.support.advance_wishes import wishes

INDEX = tomllib.loads(files("core.games.advance").joinpath("data", "rules.toml").read_text())
PHASES = ["dawn", "random_event", "supply", "combat", "end"]
STEPS_MAX = 5_000


class Playout:
    """A match played by chance.

    Args:
        seed: Of dice and choices.
        scenario: Which scenario is played.
    """

    def __init__(self, seed: int, scenario: str) -> None:
        record = game()
        chosen = record.scenario(scenario)
        self.random = Random(seed)
        self.events: list[Event] = []
        mode = chosen.mode("")
        options = record.full_options(chosen, mode, self._options(scenario))
        self.table = Table()
        self.chance = KeyedChance(key_of(str(seed).encode()), "playout")
        draft = Draft(self.table, self.chance)
        draft.emit(
            MatchOpened(
                rule=RuleId("match.open"),
                game=record.key,
                edition="1.0",
                scenario=chosen.key,
                options=options,
                sides=record.sides,
                seats=tuple(mode.seats),
                plays=mode.seats,
                rules=BOARD.source.digest,
                board=BOARD.source.digest,
                chance=ChanceScheme(scheme="seeded/1", seed=str(seed)),
            )
        )
        draft.emit(MatchBegan(rule=RuleId("match.begin")))
        RULES.set_up(draft)
        self.events += draft.events

    def _options(self, scenario: str) -> dict[str, Value]:
        """Choose each option at random, and not only where it is at its default."""
        given: dict[str, Value] = {}
        for spec in OPTIONS:
            if spec.scenarios and scenario not in spec.scenarios:
                continue
            if isinstance(spec.default, bool):
                given[spec.key] = self.random.random() < 0.5
            elif isinstance(spec.default, str):
                given[spec.key] = self.random.choice(spec.choices)
        return given

    def steps(self) -> Iterator[tuple[Command, list[Event]]]:
        """Play to the end, yielding each command with the events that came of it."""
        for _ in range(STEPS_MAX):
            options = RULES.options(self.table)
            if self.table.ended is not None:
                return
            assert options, "a dead end"
            command = self.random.choice(onward(options))
            draft = Draft(self.table, self.chance)
            RULES.take(draft, command)
            self.events += draft.events
            yield command, draft.events
        raise AssertionError("the match does not end")


def played(budget: float, scenarios: tuple[str, ...] = (MAIN, FACTORY)) -> Iterator[Playout]:
    """Play some matches to the end."""
    for seed in range(max(1, round(2 * budget))):
        for scenario in scenarios:
            playout = Playout(seed, scenario)
            for _ in playout.steps():
                pass
            yield playout


def test_every_match_ends_by_the_rules(budget: float) -> None:
    """5.1.nine-turns, 14.1.five-turns: with a printed result, on its last turn at the latest."""
    results = set()
    for playout in played(budget):
        assert playout.table.ended is not None
        assert playout.table.ended.kind == "rules"
        assert playout.table.round <= BOARD.scenarios[playout.table.scenario].last_turn
        results.add(playout.table.ended.result)

    assert results <= {
        "German Automatic Victory",
        "Soviet Automatic Victory",
        "German Operational Victory",
        "Soviet Victory",
    }


def test_every_event_cites_a_rule_of_the_index(budget: float) -> None:
    known = {entry["id"] for entry in (*INDEX["rule"], *INDEX["ruling"])} | {"match.open", "match.begin"}

    for playout in played(budget):
        assert {event.rule for event in playout.events} - known == set()


def test_stacks_never_grow_too_high(budget: float) -> None:
    """7.1.german-four, 7.1.soviet-one, 3.6.used-box: after every single command."""
    for seed in range(max(1, round(3 * budget))):
        playout = Playout(seed, MAIN)
        for _ in playout.steps():
            table = playout.table
            assert all(len(germans_at(table, area)) <= 4 for area in BOARD.areas)
            for marker in SUPPORT:
                lying = sum(there.get(marker, 0) for there in table.markers.values())
                assert lying == BOARD.markers.of(marker)


def test_soviet_units_never_move(budget: float) -> None:
    """8.1.2.soviets-never-move, 5.4.no-further-soviets: they leave their Area by elimination and none comes later."""
    for playout in played(budget):
        began = next(at for at, event in enumerate(playout.events) if isinstance(event, PhaseBegan))
        moves = {event.to for event in playout.events if isinstance(event, PieceMoved) and "soviet/" in event.piece}
        placed = [event for event in playout.events[began:] if isinstance(event, PiecePlaced)]

        assert moves <= {"eliminated"}
        assert placed == []


def test_revealed_units_stay_revealed_and_differ(budget: float) -> None:
    """4.4.revealed-for-good, 5.4.one-counter-per-area, 9.4.reveal: each counter comes once, of the Area's terrain."""
    for playout in played(budget):
        revealed = [event for event in playout.events if isinstance(event, PieceRevealed)]
        kinds = [event.kind for event in revealed]
        turned_back = [
            event for event in playout.events if isinstance(event, PieceTurned) and event.face == "unrevealed"
        ]

        assert len(set(kinds)) == len(kinds)
        assert turned_back == []
        for event in revealed:
            counter = next(one for one in (*BOARD.counters.values(), BOARD.pavlovs_house) if one.id == event.kind)
            assert counter.terrain == BOARD.areas[PlaceId(event.piece.removeprefix("soviet/"))].terrain


def test_control_only_ever_becomes_german(budget: float) -> None:
    """3.4.record-control, 7.4.vacant-is-german, 5.4.no-further-soviets: the count never falls and is always right."""
    for playout in played(budget, (MAIN,)):
        table = playout.table
        counts = [event for event in playout.events if isinstance(event, TrackMoved) and event.track == "control_count"]

        assert all(event.to > event.was for event in counts)
        assert table.track(counts[-1].track) == 50 - len(soviet_areas(table, BOARD))
        assert counts[0].to == 9
        for area in BOARD.areas:
            held = "soviet" if soviet_at_end(table, area) else "german"
            assert table.control[area] == held


def soviet_at_end(table: Table, area: PlaceId) -> bool:
    return area in soviet_areas(table, BOARD)


def test_contested_areas_are_revealed_between_rounds(budget: float) -> None:
    """7.3.contested-is-revealed: no Area holds both a German unit and an Unrevealed Soviet one."""
    for seed in range(max(1, round(3 * budget))):
        playout = Playout(seed, FACTORY if seed % 2 else MAIN)
        for _ in playout.steps():
            table = playout.table
            if table.top is not None and table.top.kind == "activate":
                assert all(
                    table.pieces[soviet_unit(area)].face == REVEALED
                    for area in BOARD.areas
                    if (area in contested_areas(table, BOARD))
                )


def test_morale_moves_for_seven_causes(budget: float) -> None:
    """5.2.morale-sources, 5.2.morale-bounds: fold any log."""
    for playout in played(budget):
        moved = [event for event in playout.events if isinstance(event, TrackMoved) and event.track == "morale"][1:]

        assert {event.rule for event in moved} <= MORALE_SOURCES
        assert all(0 <= event.to <= 19 for event in moved)


def test_phases_keep_their_order(budget: float) -> None:
    """6.0.five-phases, 3.2.turn-track: Dawn, Random Event, Supply, Combat, End, and turn by turn."""
    for playout in played(budget):
        scenario = BOARD.scenarios[playout.table.scenario]
        phases: list[str] = []
        for event in playout.events:
            if isinstance(event, PhaseBegan):
                phases.append(event.phase)
            elif isinstance(event, RoundBegan) and phases:
                expected = [phase for phase in PHASES if phase != "random_event" or event.was != 10]
                assert phases == expected
                assert event.number == event.was + 1
                phases = []

        assert phases == [phase for phase in PHASES if phase in phases]
        assert scenario.first_turn <= playout.table.round <= scenario.last_turn


def test_all_questions_are_the_german_seats(budget: float) -> None:
    """1.0.one-player."""
    for playout in played(budget):
        seats = {event.seat for event in playout.events if isinstance(event, DecisionOpened)}

        assert seats == {"german"}


def test_units_leave_for_good_only_on_turn_9(budget: float) -> None:
    """3.7.out-of-action-box, 6.1.2.withdrawal-turn-9: no German unit is destroyed by combat."""
    for playout in played(budget):
        removed = {event.rule for event in playout.events if isinstance(event, PieceRemoved)}

        assert removed <= {"6.1.2.withdrawal-turn-9"}


def test_folding_the_log_gives_the_live_table(budget: float) -> None:
    for playout in played(budget):
        assert encode_table(fold(playout.events)) == encode_table(playout.table)


def test_a_table_from_a_snapshot_plays_on_alike(budget: float) -> None:
    """The order of names in a stored table is another one; events must not depend on it."""
    for seed in range(max(1, round(2 * budget))):
        playout = Playout(seed, MAIN)
        before = encode_table(playout.table)
        for command, events in playout.steps():
            stored = decode_table(before)
            draft = Draft(stored, RecordedChance(events))
            assert RULES.refuse(stored, GERMAN_SEAT, command) is None
            RULES.take(draft, command)
            assert encode(draft.events) == encode(events)
            before = encode_table(playout.table)


def test_what_is_offered_is_accepted_and_nothing_else(budget: float) -> None:
    """Legal and accepted are the same, in both directions, whatever is asked."""
    seen: set[str] = set()
    for seed in range(max(2, round(2 * budget))):
        playout = Playout(seed, FACTORY if seed % 2 else MAIN)
        for _ in playout.steps():
            table = playout.table
            if table.top is None or (table.top.kind in seen and playout.random.random() > 0.02):
                continue
            seen.add(table.top.kind)
            offered = RULES.options(table)
            assert [option for option in offered if RULES.refuse(table, GERMAN_SEAT, option) is not None] == []
            legal = set(offered)
            for wish in wishes(table):
                is_accepted = RULES.refuse(table, GERMAN_SEAT, wish) is None
                assert is_accepted == (wish in legal or (is_accepted and makes_a_whole(RULES, table, wish))), wish

    assert {"supply", "activate", "act", "lead"} <= seen


def test_options_are_each_once_and_in_a_stable_order(budget: float) -> None:
    for seed in range(max(1, round(2 * budget))):
        playout = Playout(seed, MAIN)
        for command, _ in playout.steps():
            options = RULES.options(playout.table)
            assert len(set(options)) == len(options)
            assert RULES.options(decode_table(encode_table(playout.table))) == options
            assert isinstance(NARRATION.describe(playout.table, command), str)


def test_hidden_counters_are_named_nowhere() -> None:
    """4.4.unrevealed-hidden: what no seat has seen is in no event but in the public list of the mix."""
    playout = Playout(1, MAIN)
    unrevealed = [piece for piece in playout.table.pieces.values() if piece.face == "unrevealed"]

    assert len(unrevealed) == 41
    assert {(piece.kind, piece.steps) for piece in unrevealed} == {("", 0)}


def test_commands_are_values() -> None:
    """The same wish is the same command, so that it can be looked up among the options."""
    assert {Buy("air"), Buy("air")} == {Buy("air")}
    assert isinstance(order("place-group", units=[], area="1"), PlaceGroup)
    assert isinstance(order("declare-attack", area="1", units=[]), DeclareAttack)
    assert USED == "used"
