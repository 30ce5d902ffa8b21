"""`why` cites the rules that decide, even where the event cites one that tells its readers less."""

from core.games.axis_allies.ids import ALLIES, ASSAULT, AXIS, STALINGRAD, UNSUPPLIED
from core.games.axis_allies.rules.supply import AFTER_MOVE
from events.ids import RuleId, Side
from events.vocabulary import MarkerPlaced, MarkerRemoved
from tests.support.axis_allies import NARRATION, bare
from tests.support.rows import each_row

REGION = ("supply.region.trace", "supply.region.exit-zones")
HOSTILE = "supply.region.out-of-hostile"
AXIS_CITY = ("supply.city.via-region", "supply.city.axis-exits")
ALLIED_CITY = ("supply.city.via-region", "supply.city.volga-crossing")


@each_row(
    ("side", "place", "rules"),
    [
        (AXIS, "kalach", REGION),
        (AXIS, "tinguta", (*REGION, HOSTILE)),
        (ALLIES, "kalach", (*REGION, HOSTILE)),
        (AXIS, "gumrak", AXIS_CITY),
        (AXIS, STALINGRAD, AXIS_CITY),
        (ALLIES, "pavlovs_house", ALLIED_CITY),
        (ALLIES, STALINGRAD, ALLIED_CITY),
    ],
)
def test_an_unsupplied_marker_is_explained_by_the_supply_line_that_is_needed(
    side: Side, place: str, rules: tuple[str, ...]
) -> None:
    """RuleId("supply.region.trace"), RuleId("supply.region.out-of-hostile"), RuleId("supply.city.via-region"), RuleId("supply.city.volga-crossing")."""
    table = bare(control={AXIS: ["kalach", "gumrak"]}).table
    placed = MarkerPlaced(rule=AFTER_MOVE, on=place, marker=UNSUPPLIED[side])
    removed = MarkerRemoved(rule=AFTER_MOVE, on=place, marker=UNSUPPLIED[side])

    assert NARRATION.deciding(table, placed) == NARRATION.deciding(table, removed) == rules


def test_other_markers_are_explained_by_what_they_cite() -> None:
    """RuleId("zone.contested")."""
    assert NARRATION.deciding(bare().table, MarkerPlaced(rule=RuleId("1"), on="kalach", marker=ASSAULT)) == ()
