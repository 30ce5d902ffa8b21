"""What has left the table is told by side and kind, as far as it holds at a moment."""

from typing_extensions import override

from core.narration.strips import Cell
from core.telling.names import IdsOnly, Names
from events.codec import replace
from events.ids import PUBLIC, GameKey, MatchId, PieceId, PlaceId, Side
from projections.losses import LEFT, OFF_TABLE, RETURNED, Loss
from server.page_parts.lost_strip import lost_strip
from server.page_parts.story import Story

RED, BLUE = Side("red"), Side("blue")


class Told(Story):
    """A story with these losses: two tanks and a truck of red, a tank of blue, and a piece that only went into a box."""

    @override
    def losses(self) -> list[Loss]:
        """Return the losses."""
        tank = Loss(3, 1, RED, PieceId("a"), "tank", LEFT, PlaceId("x"), OFF_TABLE)
        return [
            replace(tank, number=1, kind="truck"),
            replace(tank, number=2, to=PlaceId("box")),
            tank,
            replace(tank, number=4, change=RETURNED),
            replace(tank, number=5),
            replace(tank, number=6, side=BLUE),
        ]


def test_losses_that_leave_the_table_stand_by_side_and_kind() -> None:
    story = Told(MatchId("m"), PUBLIC, Names(IdsOnly(GameKey("skirmish"))), None)
    strip, before = lost_strip(story, 6), lost_strip(story, 1)

    assert lost_strip(story, 0) is None
    assert before is not None and before.note == "red 1"
    assert strip is not None and strip.note == "red 3 and blue 1"
    assert strip.rows == (
        (Cell("tank", label="2", side=RED), Cell("truck", label="1", side=RED)),
        (Cell("tank", label="1", side=BLUE),),
    )
