"""The pictures of all games say where a combat is, from its first question to its last."""

from core.drawing.drawing import drawing_of, spread_of
from core.match.bound_games import bound_game
from events.ids import GameKey, PieceId
from events.vocabulary import SequenceEnded
from projections.state.fold import evolve
from projections.state.table import Table
from tests.support.battle import NARRATION, order, place, scene
from tests.support.playouts import Playout
from tests.support.rows import each_row

COMBATS = [
    ("advance", "main", "attack", "area"),
    ("battle", "standard", "battle", "location"),
    ("inferno", "standard", "combat", "target"),
    ("axis_allies", "race", "combat", "zone"),
]


@each_row(("game", "scenario", "kind", "argument"), COMBATS)
def test_the_place_of_a_combat_is_framed_until_it_is_over(game: str, scenario: str, kind: str, argument: str) -> None:
    playout, narration = Playout(game, scenario, 5), bound_game(GameKey(game), None).narration
    for _ in playout.steps():
        if any(isinstance(event, SequenceEnded) and event.kind == kind for event in playout.desk.events):
            break
    table, moments = Table(), 0
    for event in playout.desk.events:
        evolve(table, event)
        fight = table.topmost(kind)
        if fight is not None:
            moments += 1
            spread = spread_of(drawing_of(narration, table, ""), narration, table, None)

            assert fight.text(argument) in spread.at_stake

    assert moments > 5
    assert not spread_of(drawing_of(narration, table, ""), narration, table, None).at_stake


def test_the_target_of_a_card_is_marked_while_it_may_be_answered_and_until_the_last_hit() -> None:
    """ruling.card-attack: the enemy may answer the card before its Rubble and Hits."""
    table = scene(
        forces={"g_14_panzer": "TDp", "r_169_rifle": "GAc", "r_27_tank": "GAc"},
        hands={"german": ["dive_bombers"], "russian": ["fog_of_war"]},
    )
    table.play("german", "dive_bombers", force="r_169_rifle")
    asked = list[str]()
    while table.table.top is not None and table.table.top.kind != "action":
        drawing = NARRATION.drawing(table.table)
        asked.append(table.table.top.kind)

        assert drawing is not None
        spread = spread_of(drawing, NARRATION, table.table, None)
        at_stake = {counter.title for stack in spread.stacks.values() for counter in stack if counter.is_at_stake}
        is_there = table.table.pieces[PieceId("r_169_rifle")].place == place("GAc", "russian")
        assert (place("GAc", "russian") in spread.at_stake) == is_there
        assert [title.partition(":")[0] for title in at_stake] == (["169th Rifle"] if is_there else [])
        table.do(
            str(table.table.top.seat), next((one for one in table.options if one == order("pass")), table.options[-1])
        )

    assert asked[0] == "answer_card"
    assert "absorb_hit" in asked
