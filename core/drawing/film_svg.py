"""Draws several moments of a match as one SVG that shows them one after the other, again and again; it needs no script."""

from collections.abc import Sequence

from core.drawing.picture_svg import Picture, head
from core.svg.palette import style_sheet
from core.svg.shared_shapes import shared_elements, shared_parts
from core.svg.svg_text import element, short
from core.svg.themes import AUTO

FILM = """
.frame{{visibility:hidden;animation:shown {whole:.3f}s step-end infinite}}
.frame:first-of-type{{visibility:visible}}
@keyframes shown{{0%{{visibility:visible}}{part:.6f}%{{visibility:hidden}}100%{{visibility:hidden}}}}
@media (prefers-reduced-motion:reduce){{.frame{{animation:none}}}}
"""
"""Each picture is visible in its own part of the film. What shows no animations shows the first one, as for a reader who wants none."""


def draw_film(pictures: Sequence[Picture], seconds: float, theme: str = AUTO) -> str:
    """Draw pictures as a film that repeats.

    Args:
        pictures: At least one. Smaller ones lie in the upper left corner of the largest.
        seconds: How long each is shown.
        theme: The colours, one of `themes.THEMES`.

    Returns:
        A whole SVG document that ends with a line feed, in which what several pictures have in common is written once.
    """
    width, height = max(one.width for one in pictures), max(one.height for one in pictures)
    made, drawn = shared_parts([one.parts for one in pictures], "s")
    made, *drawn = shared_elements([made, *drawn], "o")
    film = FILM.format(whole=seconds * len(pictures), part=100 / len(pictures)) if len(pictures) > 1 else ""
    frames = [
        f'<g class="frame" style="animation-delay:{seconds * number:.3f}s">{one}</g>'
        for number, one in enumerate(drawn)
    ]
    ground = element("rect", {"width": short(width), "height": short(height), "class": "f-paper"})
    whole = Picture(pictures[0].title, width, height, (ground, *frames))
    return "\n".join([*head(whole, style_sheet(theme) + film, made), *whole.parts, "</svg>\n"])
