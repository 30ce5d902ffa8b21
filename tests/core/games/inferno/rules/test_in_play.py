"""Nothing is on the table but what the inventory declares, in any match, after any command."""

from collections.abc import Callable

import pytest

from core.games.inferno.ids import CO_OP, ONE_VS_ONE, SOLO, TWO_VS_ONE
from core.games.inferno.memory import in_play
from core.games.inferno.options import DESIGNERS_WAY, PIONEER_672_EXTRA
from core.positions.inventory_checks import table_defects
from events.vocabulary import Value
from tests.support.desk import Desk
from tests.support.inferno import BOARD
from tests.support.playouts import Playout
from tests.support.rows import each_row

LEVELS = ("off", "random", "german", "soviet-easy", "hard")


def inventory_watch(options: dict[str, Value]) -> Callable[[Desk], None]:
    """Return a watch over what is on the table of a match with some options."""
    declared = in_play(BOARD, "standard", options)

    def watch(desk: Desk) -> None:
        assert table_defects(declared, desk.table) == []

    return watch


@pytest.mark.long
@each_row(("mode", "level"), [*zip((SOLO, CO_OP, ONE_VS_ONE, TWO_VS_ONE, SOLO), LEVELS, strict=True)])
def test_a_table_holds_what_the_inventory_declares(mode: str, level: str) -> None:
    options: dict[str, Value] = {DESIGNERS_WAY.key: level, PIONEER_672_EXTRA.key: level == "random"}
    desk = Playout("inferno", "standard", LEVELS.index(level), mode=mode, given=options).run([inventory_watch(options)])

    assert desk.table.ended is not None
