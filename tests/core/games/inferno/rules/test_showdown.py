"""What nobody knows is drawn at the Showdown, with the odds of the printed procedure: shuffled pools, blind draws, random spins."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from core.chance import ManualChance
from core.draft import Draft
from core.errors import DiceImpossible
from core.games.inferno.ids import EDGES, POOL_PILES, SOVIET, discards, token
from core.games.inferno.rules import spawn
from events.ids import PieceId, PlaceId, RuleId
from events.vocabulary import ChosenByChance, PieceDrawn, PieceRevealed
from tests.support.inferno import BOARD
from tests.support.inferno_combat import Fight

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


@pytest.mark.parametrize("order", list(permutations(range(3))))
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
