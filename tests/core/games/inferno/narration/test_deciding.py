"""`why` cites the rules that decide, even where the event cites one that tells its readers less."""

from collections.abc import Sequence

from core.chance.chance_sources import ManualChance
from core.engine.draft import Draft
from core.games.inferno import memory
from core.games.inferno.ids import CALLED, CO_OP, DEATH_POOL, GERMAN, ONE_VS_ONE, SOVIET, token
from core.games.inferno.rules.spawn import deploy
from events.ids import CardId, PileId, PlaceId, RuleId, Seat
from events.vocabulary import Event, PieceMoved, PieceReturned, PieceTurned, SequenceBegan, Value
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import seen_events
from tests.support.inferno import BOARD, NARRATION, Scene, order, scene
from tests.support.inferno_combat import Fight, commit
from tests.support.rows import each_row

BLUE, WHITE, YELLOW = "267-infantry", "576-infantry", "544-infantry"
FIRE, DEPLOYMENT = RuleId("combat.simultaneous"), RuleId("german.reinforce.must-deploy")
FIGHT = scene(german={"57": [BLUE]}, soviet={"42": ["6-tank"]})
UNIT, ENEMY = token(GERMAN, 1), token(SOVIET, 1)
STRONGEST = "hits.strongest-first"
DELIBERATE = (
    "german.deliberate-attack.one-target",
    "german.deliberate-attack.adjacent-stacks",
    "german.deliberate-attack.all-units-of-stack",
    "german.deliberate-attack.no-movement",
)

HASTY = ("german.hasty-attack.must-attack", "german.hasty-attack.one-target", "german.hasty-attack.all-units")


def decided(past: Sequence[Event], rule: str) -> list[tuple[str, ...]]:
    """Return what decides each event that cites a rule."""
    return [
        tuple(NARRATION.deciding(fold(past[:index]), event)) for index, event in enumerate(past) if event.rule == rule
    ]


def called(mode: str, unit: str) -> tuple[Scene, Event]:
    """Pick a unit up, and return how it enters."""
    table = scene(soviet={"19": ["98-rifle"]}, track={2: [unit]}, mode=mode)
    seat = str(table.table.turn_seat)
    table.do(seat, order("reinforce"), dice=[2] * 6, draws=("german/stuka-1",))
    return table, PieceMoved(rule=DEPLOYMENT, piece=table.piece(unit), was=CALLED, to=PlaceId("Z"))


@each_row(
    ("mode", "unit", "rules"),
    [
        (ONE_VS_ONE, BLUE, ("german.reinforce.blue-in-z",)),
        (ONE_VS_ONE, YELLOW, ("german.reinforce.yellow-in-x-y",)),
        (ONE_VS_ONE, WHITE, ("german.reinforce.white-anywhere",)),
        (CO_OP, WHITE, ("german.reinforce.white-anywhere", "mode.co-op.white-reinforcements")),
    ],
)
def test_a_unit_enters_by_the_rule_of_its_army(mode: str, unit: str, rules: tuple[str, ...]) -> None:
    """german.reinforce.blue-in-z, german.reinforce.yellow-in-x-y, german.reinforce.white-anywhere"""
    table, entered = called(mode, unit)

    assert NARRATION.deciding(table.table, entered) == rules


def test_the_enemy_is_not_told_which_army_a_unit_is_of() -> None:
    """fog.blocks-upright"""
    table, entered = called(ONE_VS_ONE, BLUE)

    assert NARRATION.deciding(fold(seen_events(table.past, Seat(SOVIET))), entered) == ()


@each_row(
    ("event", "rules"),
    [
        (
            PieceTurned(rule=FIRE, piece=UNIT, face="edge-2", was="edge-1", steps=3, steps_was=4),
            (STRONGEST, "hits.reduce"),
        ),
        (
            PieceTurned(
                rule=RuleId("ai.adjust-no-dot"), piece=ENEMY, face="edge-3", was="edge-4", steps=1, steps_was=0
            ),
            (),
        ),
        (
            PieceReturned(rule=FIRE, piece=ENEMY, was=PlaceId("42"), to=PileId("tank_pool"), card=CardId("6-tank")),
            (STRONGEST, "hits.soviet-to-pool"),
        ),
        (
            PieceMoved(rule=FIRE, piece=UNIT, to=DEATH_POOL, was=PlaceId("57")),
            (STRONGEST, "hits.german-to-death-pool"),
        ),
        (PieceMoved(rule=RuleId("german.short-move.one-hex"), piece=UNIT, to=PlaceId("58"), was=PlaceId("57")), ()),
    ],
)
def test_a_loss_is_decided_by_strength_and_by_where_destroyed_units_go(event: Event, rules: tuple[str, ...]) -> None:
    """hits.strongest-first, hits.reduce, hits.soviet-to-pool, hits.german-to-death-pool"""
    assert NARRATION.deciding(FIGHT.table, event) == rules


@each_row(
    ("side", "is_deliberate", "rules"),
    [
        (GERMAN, 1, DELIBERATE),
        (GERMAN, 0, HASTY),
        (SOVIET, 1, ("soviet.deliberate-attack.all-adjacent",)),
        (SOVIET, 0, ("soviet.hasty-attack.whole-stack",)),
    ],
)
def test_an_attack_is_decided_by_what_it_may_name_and_who_takes_part(
    side: str, is_deliberate: int, rules: tuple[str, ...]
) -> None:
    """german.deliberate-attack.adjacent-stacks, german.hasty-attack.one-target, soviet.hasty-attack.whole-stack"""
    about: dict[str, Value] = {"target": "42", "hexes": ("57",), "attacker": side, "is_deliberate": is_deliberate}
    began = SequenceBegan(rule=RuleId("rule"), kind=memory.COMBAT, step="showdown", arguments=about)

    assert NARRATION.deciding(Table(), began) == rules


def test_a_hit_on_a_chosen_unit_is_decided_by_who_chooses() -> None:
    """hits.tie-german-chooses: all hits that the answer takes, but not those before it."""
    fight = Fight(german={"59": "2-panzer"}, soviet={"60": "45-rifle 87-rifle 95-rifle"})
    fight.attack("59", "60", dice=[2] * 12 + [6, 6, 1, 1])
    fight.choose("45-rifle", "95-rifle")
    strong = Fight(german={"59": "2-panzer"}, soviet={"60": "45-rifle"})
    strong.attack("59", "60", dice=[2] * 4 + [6, 1, 1, 1])

    chosen = (STRONGEST, "hits.tie-german-chooses", "hits.reduce")
    assert [rules for rules in decided(fight.past, FIRE) if STRONGEST in rules] == [chosen, chosen]
    assert [rules for rules in decided(strong.past, FIRE) if STRONGEST in rules] == [(STRONGEST, "hits.reduce")]


@each_row(
    ("german", "hands", "rule"),
    [
        ("544-infantry", {"soviet": ["soviet/anti_tank-1"]}, "soviet.card.anti-tank"),
        ("2-panzer", {"soviet": ["soviet/sniper-1"]}, "soviet.card.sniper"),
        ("544-infantry", {"german": ["german/pak-1"]}, "german.card.pak"),
    ],
)
def test_hits_without_a_unit_of_their_kind_are_lost_by_the_rule_of_the_card(
    german: str, hands: dict[str, list[str]], rule: str
) -> None:
    """soviet.card.anti-tank, soviet.card.sniper, german.card.pak: units remain, but none that the card can hit."""
    fight = Fight(german={"42": german}, soviet={"28": "45-rifle"}, hands=hands)
    fight.attack("42", "28", draws=hands.get("soviet", ()))
    if "german" in hands:
        fight.do(commit(*hands["german"]))

    assert decided(fight.past, "hits.excess-lost") == [(rule,)]


def test_hits_are_lost_by_no_other_rule_where_no_unit_remains() -> None:
    """hits.excess-lost"""
    fight = Fight(german={"59": "2-panzer"}, soviet={"60": "45-rifle:1"})
    fight.attack("59", "60", dice=[6] * 5)

    assert decided(fight.past, "hits.excess-lost") == [()]


def test_a_unit_that_spawns_is_decided_by_the_table_and_its_order() -> None:
    """soviet.spawn.table, soviet.spawn.order: the table is a reconstruction, which a ruling explains."""
    draft = Draft(FIGHT.table, ManualChance())
    deploy(draft, BOARD, "tank", PlaceId("9"), RuleId("soviet.spawn.random"))

    assert {NARRATION.deciding(FIGHT.table, event) for event in draft.events} == {
        ("soviet.spawn.table", "soviet.spawn.order", "ruling.spawn-icons")
    }
