"""What nobody knows is drawn at the Showdown, with the odds of the printed procedure: shuffled pools, blind draws, random spins."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from core.chance.chance_sources import ManualChance
from core.engine.draft import Draft
from core.errors import DiceImpossible
from core.games.inferno.ids import EDGES, POOL_PILES, SOVIET, discards, token
from core.games.inferno.rules import spawn
from events.ids import CardId, PieceId, PlaceId, RuleId
from events.vocabulary import ChosenByChance, PieceDrawn, PieceRevealed
from projections.state.table import Table
from tests.support.desk import Desk
from tests.support.inferno import BOARD
from tests.support.inferno_combat import Fight
from tests.support.noninterference import FreeChance
from tests.support.rows import each_row

RULE = RuleId("combat.showdown")
POOL = ("45-rifle", "87-rifle", "95-rifle")
RETURNED = "13-guards"
Outcome = tuple[str, ...]


def procedure() -> dict[Outcome, Fraction]:
    """Return the odds of three blocks by hand: two from the shuffled pool, a unit returns to it, and a third is drawn."""
    found: dict[Outcome, Fraction] = {}
    for first, second in permutations(POOL, 2):
        left = [*(set(POOL) - {first, second}), RETURNED]
        for third in left:
            found[first, second, third] = Fraction(1, 6 * len(left))
    return found


def spawned(draft: Draft) -> list[PieceId]:
    """Bring the three blocks as in the procedure."""
    blocks = [spawn.deploy(draft, BOARD, "infantry", PlaceId(place), RULE) for place in ("9", "13")]
    spawn.reveal(draft, BOARD, PieceId(f"soviet/{RETURNED}"), RULE)
    spawn.return_to_pool(draft, BOARD, PieceId(f"soviet/{RETURNED}"), RULE)
    blocks.append(spawn.deploy(draft, BOARD, "infantry", PlaceId("15"), RULE))
    return [block for block in blocks if block is not None]


def game_odds(order: tuple[int, ...]) -> dict[Outcome, Fraction]:
    """Return the odds of the same blocks in the game, revealed in an order."""
    found: dict[Outcome, Fraction] = {}

    def follow(shown: dict[int, str]) -> None:
        fight = Fight(german={"8": "2-panzer"}, soviet={"7": RETURNED}, pools={"infantry": POOL})
        chance = ManualChance((), [name for unit in shown.values() for name in (unit, EDGES[0])])
        draft = Draft(fight.table, chance)
        blocks = spawned(draft)
        for number in shown:
            spawn.reveal(draft, BOARD, blocks[number], RULE)
        odds = Fraction(1)
        for event in draft.events:
            if isinstance(event, PieceDrawn) and event.drawn is not None and event.weights is not None:
                odds *= Fraction(event.weights[event.drawn], sum(event.weights.values()))
        if len(shown) == len(blocks):
            found[tuple(shown[number] for number in range(len(blocks)))] = odds
            return
        for unit in (*POOL, RETURNED):
            if unit not in shown.values() and (unit != RETURNED or order[len(shown)] == 2):
                follow({**shown, order[len(shown)]: unit})

    follow({})
    return {outcome: odds for outcome, odds in found.items() if odds}


@each_row("order", list(permutations(range(3))))
def test_late_draws_have_the_odds_of_the_procedure(order: tuple[int, ...]) -> None:
    """ai.deploy-blind-draw, combat.showdown: whatever is revealed first, and no block is a unit that came to the pool later."""
    assert game_odds(order) == procedure()


def test_a_typed_draw_that_is_impossible_is_refused() -> None:
    """ai.deploy-blind-draw: the first block entered before the unit returned to the pool, so it cannot be this unit."""
    fight = Fight(german={"8": "2-panzer"}, soviet={"7": RETURNED}, pools={"infantry": POOL})
    draft = Draft(fight.table, ManualChance((), [RETURNED]))
    blocks = spawned(draft)

    with pytest.raises(DiceImpossible):
        spawn.reveal(draft, BOARD, blocks[0], RULE)


def test_the_edge_is_one_of_four_equally_likely_ones() -> None:
    """ai.random-strength: blank ones included, drawn as the unit is revealed, and set to one Step (ruling.random-edge)."""
    fight = Fight(german={"42": "2-panzer"}, soviet={}, pools={"infantry": ["10-rifle-brigade"]})
    draft = Draft(fight.table, ManualChance())
    spawn.deploy(draft, BOARD, "infantry", PlaceId("28"), RULE)
    fight.attack("42", "28", draws=["10-rifle-brigade", EDGES[3]])
    [spun] = fight.of_type(ChosenByChance)
    assert spun.candidates == EDGES
    assert fight.table.pieces[token(SOVIET, 1)].steps == 1


def test_a_unit_that_was_seen_stays_what_it_is() -> None:
    """fog.conceal-after-combat, combat.showdown: the next combat draws nothing again, and Strength is as it was left."""
    fight = Fight(german={"42": "2-panzer"}, soviet={}, pools={"infantry": POOL})
    draft = Draft(fight.table, ManualChance())
    spawn.deploy(draft, BOARD, "infantry", PlaceId("28"), RULE)
    fight.attack("42", "28", draws=["87-rifle", EDGES[1]], dice=[2, 2, 2, 6, 1, 1, 1])
    assert fight.table.known_to[token(SOVIET, 1)] == ()
    fight.attack("42", "28")
    shown = [(event.kind, event.steps) for event in fight.of_type(PieceRevealed) if event.piece == token(SOVIET, 1)]
    assert shown == [("87-rifle", 3), ("87-rifle", 2)]


def test_a_destroyed_unit_may_be_drawn_again() -> None:
    """hits.soviet-to-pool: it returns to its pool under another token (ruling.block-tracking)."""
    fight = Fight(german={"42": "2-panzer"}, soviet={"28": "45-rifle:1"}, pools={})
    fight.attack("42", "28", hasty=True, dice=[2, 6, 1, 1, 1])
    assert fight.pile(POOL_PILES["infantry"]) == ["45-rifle"]
    draft = Draft(fight.table, ManualChance((), ["45-rifle", EDGES[0]]))
    block = spawn.deploy(draft, BOARD, "infantry", PlaceId("9"), RULE)
    assert block is not None
    spawn.reveal(draft, BOARD, block, RULE)
    assert draft.table.pieces[block].kind == "45-rifle"


def test_the_committed_card_is_one_of_the_hand_with_equal_odds() -> None:
    """ai.card-play-random: every card of the hand can come, and no other."""
    held = ["soviet/sniper-1", "soviet/aa-7", "soviet/tommy_gunner-1"]
    came: Counter[str] = Counter()
    for card in held:
        fight = Fight(german={"42": "2-panzer"}, soviet={"28": "45-rifle"}, hands={"soviet": held})
        fight.attack("42", "28", hasty=True, draws=[card])
        came[fight.pile(discards(SOVIET))[0]] += 1
    assert came == Counter(held)


def test_the_last_soviet_card_drawn_in_a_combat_ends_the_game_at_once() -> None:
    """victory.soviet-decisive.deck: the combat is not finished (ruling.draw-then-last-card-in-combat)."""
    fight = Fight(
        german={"42": "2-panzer"},
        soviet={"28": "45-rifle"},
        hands={"soviet": ["soviet/infiltration-1"]},
        decks={"soviet": ["soviet/sniper-2"]},
    )
    fight.attack("42", "28", hasty=True, draws=["soviet/infiltration-1", "soviet/sniper-2"])
    assert fight.table.ended is not None
    assert not fight.dice("Close Combat")


KINDS = ("tank", "guards", "other")


def by_hand(rng: Random) -> Outcome:
    """Play the printed procedure with shuffled heaps from the set-up on: two blocks are seen, one of them returns, and three are drawn."""
    blocks = BOARD.blocks_of(SOVIET)
    tanks = [block.id for block in blocks if block.pool == "tank"]
    guards = [block.id for block in blocks if block.kind == "guards"]
    others = [block.id for block in blocks if block.pool == "infantry" and block.kind != "guards"]
    rng.shuffle(tanks)
    rng.shuffle(others)
    infantry = [*guards, *others[:18]]
    on_map = [*tanks[6:], *others[18:]]
    rng.shuffle(on_map)
    early = infantry.pop(rng.randrange(len(infantry)))
    first, second = on_map[:2]
    if BOARD.blocks[first].pool == "infantry":
        infantry.append(first)
    late = infantry.pop(rng.randrange(len(infantry)))
    return outcome(first, second, early, late, [rng.choice(EDGES) for _ in range(2)])


def by_the_game(table: Table, rng: Random) -> Outcome:
    """Let the game do the same; the early block is seen last."""
    draft = Draft(table.clone(), FreeChance(rng))
    first, second = [piece.id for piece in draft.table.pieces.values() if piece.side == SOVIET][:2]
    early = spawn.deploy(draft, BOARD, "infantry", PlaceId("15"), RULE)
    spawn.reveal(draft, BOARD, first, RULE)
    unit, edge = draft.table.pieces[first].kind, draft.table.pieces[first].face
    spawn.return_to_pool(draft, BOARD, first, RULE)
    late = spawn.deploy(draft, BOARD, "infantry", PlaceId("13"), RULE)
    assert early is not None and late is not None
    for block in (late, second, early):
        spawn.reveal(draft, BOARD, block, RULE)
    there = draft.table.pieces
    kinds = [CardId(there[block].kind) for block in (second, early, late)]
    return outcome(CardId(unit), kinds[0], kinds[1], kinds[2], [edge, there[second].face])


def outcome(first: CardId, second: CardId, early: CardId, late: CardId, edges: list[str]) -> Outcome:
    """Return what is counted of a sample: what the blocks are, whether the unit that returned came again, and the edges."""
    kinds = [kind if (kind := BOARD.blocks[unit].kind) in KINDS else "other" for unit in (first, second, early, late)]
    return (*kinds, "again" if first == late else "", *["low" if edge in EDGES[2:] else "high" for edge in edges])


def test_showdowns_have_the_distribution_of_the_printed_procedure(budget: float) -> None:
    """ai.deploy-blind-draw, ai.random-strength, setup.step-4, setup.step-5, setup.step-6: a chi-square test of two samples."""
    table = Desk.open("inferno", options={}, seed="7").table
    rng, samples = Random(20), max(400, round(400 * budget))
    hand = Counter(by_hand(rng) for _ in range(samples))
    game = Counter(by_the_game(table, rng) for _ in range(samples))
    common = [one for one in hand | game if hand[one] + game[one] >= 10]
    rest = (samples - sum(hand[one] for one in common), samples - sum(game[one] for one in common))
    pairs = [*[(hand[one], game[one]) for one in common], *([rest] if sum(rest) else [])]
    statistic = sum((first - second) ** 2 / (first + second) for first, second in pairs)
    degrees = len(pairs) - 1

    assert degrees > 10
    # Four standard deviations above the mean of the chi-square distribution.
    assert statistic < degrees + 4 * (2 * degrees) ** 0.5
