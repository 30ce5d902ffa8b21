"""Narrations return printed names, and load what renders tables only when a table is rendered."""

from typing_extensions import override

from core.engine.command import Command
from core.narration.narration_port import Pictures
from core.narration.place_name import PlaceName
from core.narration.printed_narration import PrintedNarration
from core.narration.render_model import MapPlace, Panel, Picture
from core.narration.sheet import Drawing
from core.narration.told_option import Told
from events.ids import PlaceId
from projections.state.table import Table

HILL = PlaceId("hill")
PICTURE = Picture(below=(Panel(title="The map"),))


class Drawn:
    """Renders every table alike."""

    def drawing(self, table: Table) -> Drawing | None:
        return None

    def picture(self, table: Table) -> Picture | None:
        """Return the rendering of a table."""
        return PICTURE

    def places(self) -> tuple[MapPlace, ...]:
        return (MapPlace(HILL, "Hill 102", "102", 500, 300, only_in=("long",)),)


class Narration(PrintedNarration):
    """Counts how often the pictures are loaded."""

    loaded = 0

    @override
    def load_pictures(self) -> Pictures:
        """Return what renders tables."""
        self.loaded += 1
        return Drawn()

    @override
    def told(self, table: Table, command: Command) -> Told:
        """Return no words."""
        return Told("")


def test_an_id_without_a_printed_name_is_its_own_name() -> None:
    narration = Narration({"hill": "Hill 102"})

    assert (narration.name("hill"), narration.name("ford")) == ("Hill 102", "ford")


def test_pictures_are_loaded_once_and_only_when_a_table_is_rendered() -> None:
    narration = Narration({})
    before = narration.loaded
    pictures = [narration.picture(Table()), narration.picture(Table())]

    assert (before, pictures, narration.loaded) == (0, [PICTURE, PICTURE], 1)


def test_places_are_named_as_they_are_drawn_unless_the_game_names_them_itself() -> None:
    assert Narration({}).place_names() == (PlaceName(HILL, "Hill 102", "102", only_in=("long",)),)


def test_the_consequence_of_an_option_is_how_its_sentence_goes_on_without_what_joins_the_two() -> None:
    told = [
        Told("Move", tail)
        for tail in ("", " for 1 Ration", ", 2 left", ": Russian 4", "; 3 over (at most 5)", " (this decides (all))")
    ]

    assert [one.words for one in told][-1] == "Move (this decides (all))"
    assert [one.consequence for one in told] == [
        "",
        "for 1 Ration",
        "2 left",
        "Russian 4",
        "3 over (at most 5)",
        "this decides (all)",
    ]
