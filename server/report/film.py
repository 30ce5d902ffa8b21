"""The film of a match: the table after each round, one after the other."""

from itertools import pairwise

from core.drawing.drawing import picture_of
from core.drawing.film_svg import draw_film
from core.narration.narration_port import Narration
from projections.chronicle import Heading
from server.page_parts.story import Story
from server.report.moments import stretches

SECONDS = 1.5
"""How long each picture is shown."""


def make_film(story: Story, narration: Narration, title: str) -> str:
    """Return a film of a match as an SVG document that browsers play: the pictures of its report.

    Args:
        story: The match as the seat has seen it.
        narration: What draws it.
        title: The title of the game.
    """
    moments = [0, *[part.last for part in stretches(story) if part.is_drawn]]
    tables = [story.table(number) for number in moments]
    near = story.now.side_of(story.seat)
    pictures = [
        picture_of(narration, table, title, story.heading(Heading.of(table)), before=before, near=near)
        for before, table in pairwise(tables)
    ]
    return draw_film(pictures, SECONDS)
