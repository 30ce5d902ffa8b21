"""In Action Rounds what is offered is accepted and nothing else; no round is a dead end; stacks keep to their limits."""

import hashlib
import random
from itertools import combinations

import pytest

from core.chance.chance_sources import KeyedChance
from core.checking.choice_comparison import makes_a_whole
from core.engine.attributes import Declared
from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.selection import Done
from core.games.advance.ids import (
    AIR,
    ARTILLERY,
    AVAILABLE,
    ENGINEER,
    FRESH,
    GERMAN,
    ISOLATED,
    OUT_OF_ACTION,
    REVEALED,
    SPENT,
    USED,
    division_id,
    soviet_unit,
)
from core.games.advance.memory import (
    AIR_BAN,
    COMMISSARS,
    EVENT,
    EVENT_ATTRIBUTES,
    PAUSED,
    RAIN,
    SHELL_SHORTAGES,
    ActionRound,
)
from core.games.advance.rules.commands import (
    Activate,
    BreakOff,
    DeclareAttack,
    Move,
    NameLead,
    PutOutOfAction,
    RetreatNext,
    RetreatTo,
    Stop,
)
from core.games.advance.rules.queries import contested_areas, germans_at, soviet_at
from core.games.advance.rules.set_up import set_up
from events.ids import PieceId, PlaceId, RuleId
from events.vocabulary import Value
from projections.state.table import Table
from tests.support.advance import place_support, some_options
from tests.support.advance_rounds import BOARD, ROUNDS, RULES
from tests.support.soak import sampled

SETUP = RuleId("5.0")
AREAS = [*BOARD.areas, PlaceId("51"), PlaceId("")]


def begin_turn(draft: Draft, rng: random.Random) -> None:
    """Make all units Fresh, bring some back, fill the Available box, change the event, and begin the Action Rounds."""
    table = draft.table
    for unit in [piece for piece in table.pieces.values() if piece.side == GERMAN]:
        if unit.place in BOARD.areas and unit.face == SPENT:
            draft.turn(unit.id, FRESH, SETUP)
        if unit.place == OUT_OF_ACTION:
            free = [area for area in BOARD.areas if soviet_at(table, area) is None and len(germans_at(table, area)) < 4]
            draft.move(unit.id, rng.choice(free), SETUP)
            draft.turn(unit.id, FRESH, SETUP)
    for marker, count in ((ARTILLERY, 3), (ENGINEER, 2), (AIR, 2)):
        draft.mark(AVAILABLE, marker, SETUP, count)
        draft.mark(USED, marker, SETUP, 8 - count)
    for attribute in EVENT_ATTRIBUTES:
        attribute.forget(draft, EVENT, SETUP)
    effects: list[tuple[Declared, Value]] = [(AIR_BAN, True), (RAIN, 4), (SHELL_SHORTAGES, 1), (COMMISSARS, 1)]
    effects += [(PAUSED, (division_id(division),)) for division in ("24", "71")]
    effect, value = rng.choice(effects)
    effect.put(draft, EVENT, value, SETUP)
    for area in rng.sample(list(BOARD.areas), 5):
        if soviet_at(table, area) is not None:
            draft.mark(soviet_unit(area), ISOLATED, SETUP)
    ROUNDS.begin(draft)
    RULES.settle(draft)


def any_commands(rng: random.Random, table: Table) -> list[Command]:
    """Make up commands of every kind, most of them illegal but close to legal ones."""
    near = ActionRound(table).units
    units = [*near, *rng.sample(sorted(table.pieces), 3), PieceId("nobody")]
    places = [*rng.sample(AREAS, 6), *{table.pieces[unit].place for unit in near}]
    found: list[Command] = [Done(), Stop(), BreakOff()]
    for unit in units:
        found += [PutOutOfAction(unit), NameLead(unit), RetreatNext(unit)]
        found += [Move(unit, to) for to in [*places, *_around(table, unit)]]
    for area in places:
        found += [Activate(area), RetreatTo(area), DeclareAttack(area, ())]
        for count in (1, 2, 3):
            found += [DeclareAttack(area, group) for group in combinations(sorted(units), count)]
    found += [place_support(rng.randrange(5), rng.randrange(4), rng.randrange(3)) for _ in range(5)]
    return found


def _around(table: Table, unit: PieceId) -> tuple[PlaceId, ...]:
    piece = table.pieces.get(unit)
    return BOARD.adjacency.near(piece.place) if piece is not None else ()


def check_decision(rng: random.Random, table: Table) -> None:
    """Compare what is offered with what is accepted."""
    top = table.top
    assert top is not None
    decision = RULES.kinds[top.kind]
    options = RULES.options(table)
    assert options and len(set(options)) == len(options)
    for command in options:
        assert decision.refuse(table, top, command) is None, command
    offered = set(options)
    for command in any_commands(rng, table):
        no = decision.refuse(table, top, command)
        is_legal = command in offered or (no is None and makes_a_whole(RULES, table, command))
        assert (no is None) == is_legal, (top, command, no)


def check_table(table: Table) -> None:
    """Check what holds between Action Rounds: stacks, control, and that Contested Areas are Revealed."""
    for area in BOARD.areas:
        assert len(germans_at(table, area)) <= 4
        assert sum(table.pieces[piece].side != GERMAN for piece in table.pieces_at(area)) <= 1
        assert (table.control[area] == GERMAN) == (soviet_at(table, area) is None)
    for area in contested_areas(table, BOARD):
        assert table.pieces[soviet_unit(area)].face == REVEALED


@pytest.mark.parametrize("scenario", sampled(["main", "factory"], lambda scenario: scenario == "factory"))
def test_random_rounds_accept_what_they_offer_and_nothing_else(scenario: str, budget: float) -> None:
    """7.1.german-four, 7.1.soviet-one, 7.2.always-controlled, 7.2.soviet-presence, 7.4.vacant-is-german,
    7.3.contested-is-revealed, 4.2.fresh-spent: and with every mixture of options."""
    for seed in range(max(1, round(budget))):
        rng = random.Random(seed)
        table = Table(scenario=scenario, options=some_options(rng, scenario))
        draft = Draft(table, KeyedChance(hashlib.sha256(str(seed).encode()).digest(), scenario))
        set_up(draft, BOARD)
        steps = 0
        for _ in range(3):
            begin_turn(draft, rng)
            while table.stack:
                check_decision(rng, table)
                options = RULES.options(table)
                # An early end of rounds and phases would leave little to see.
                eager = [command for command in options if not isinstance(command, Done)] or options
                RULES.take(draft, rng.choice(eager if rng.random() < 0.9 else options))
                steps += 1
                if table.top is None or table.top.kind == "activate":
                    check_table(table)

        assert steps > 60
