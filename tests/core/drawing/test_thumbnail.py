"""A thumbnail shows a position without text, and fits into a list."""

from xml.etree.ElementTree import fromstring

from core.drawing.thumbnail import BYTES_MAX, EMPTY, thumbnail, thumbnail_document
from core.match.bound_games import bound_game
from core.registry.games import GAMES
from events.ids import GameKey
from events.memory_log import MemoryLog
from projections.state.table import Table
from server.client.local import local_client
from server.web.backend.thumbnails import card_of
from tests.support.browsing import play_on
from tests.support.rows import each_row


@each_row("game", GAMES)
def test_a_thumbnail_of_a_position_has_no_text_and_few_bytes(game: GameKey) -> None:
    log = MemoryLog()
    client = local_client(log)
    opened = client.open(game, dice="seeded", seed="7")
    for seat in opened.seats:
        client.take_seat(opened.match, seat, "Ada")
    play_on(client, opened.match, 40)
    svg = thumbnail(bound_game(game, None).narration, client.state(opened.match).table)
    tags = {one.tag.rpartition("}")[2] for one in fromstring(thumbnail_document(svg)).iter()}

    assert len(svg.encode()) <= BYTES_MAX
    assert tags.isdisjoint({"text", "title"})
    assert "url(#" not in svg
    assert svg.count("counter-") > 2


@each_row("game", GAMES)
def test_every_game_brings_a_card_that_is_a_thumbnail(game: GameKey) -> None:
    """`python -m tests.support.game_cards` draws them again."""
    card = card_of(game)

    assert card.startswith("<svg ")
    assert card != EMPTY
    assert len(card.encode()) <= BYTES_MAX
    assert "<text" not in card


def test_a_game_without_a_map_has_an_empty_thumbnail() -> None:
    class Mapless:
        def drawing(self, table: Table) -> None:
            return None

        def places(self) -> tuple[()]:
            return ()

    assert thumbnail(Mapless(), Table()) == EMPTY  # type: ignore[arg-type]
