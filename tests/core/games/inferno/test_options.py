"""Options beyond what holds for every game: those of the Designer's Way."""

from core.games.inferno.options import DESIGNER, DESIGNERS_WAY, OPTIONS


def test_options_of_the_designers_way_need_it() -> None:
    """designer.optional: without the Designer's Way they cannot be set."""
    assert {spec.key for spec in OPTIONS if spec.needs == DESIGNERS_WAY.key} == {
        spec.key for spec in DESIGNER if spec != DESIGNERS_WAY
    }
