"""Small signs below the name of a place, which say in little room what words would say in lines: values, works, markers."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from core.narration.sheet import Badge, Sheet
from core.svg.svg_text import content, element, short, text_at, width_of

HIGH, TEXT = 17, 12
"""The height of a badge and the size of its text, in pixels."""
GAP, PAD = 4, 4
PLATE, HEXAGON, WORD = "plate", "hexagon", "word"
"""Shapes with their text inside, and text alone."""

SHAPES: Mapping[str, tuple[int, str]] = MappingProxyType(
    {
        HEXAGON: (19, "M9.5 0 l8.5 4.5 v8 l-8.5 4.5 l-8.5 -4.5 v-8 z"),
        "fort": (15, "M1 16 v-15 h3.5 v3.5 h1.5 v-3.5 h3 v3.5 h1.5 v-3.5 h3.5 v15 h-5 v-5 h-3 v5 z"),
        "airfield": (17, "M8.5 0.5 a8 8 0 1 0 0.1 0 M8.5 3.5 v10 M3.5 7 h10 M6.5 12.5 h4"),
        "factory": (18, "M1 16 v-8 l4 -3 v3 l4 -3 v3 h1 v-7 h3.5 v7 h3.5 v8 z"),
        "cross": (14, "M4.5 2 h5 v4.5 h4.5 v5 h-4.5 v4.5 h-5 v-4.5 h-4.5 v-5 h4.5 z"),
        "burst": (
            17,
            "M8.5 0 l2 4 l4 -2 l-1.5 4.2 l4 2.3 l-4 2.3 l1.5 4.2 l-4 -2 l-2 4 l-2 -4 l-4 2 l1.5 -4.2 l-4 -2.3 l4 -2.3 l-1.5 -4.2 l4 2 z",
        ),
        "star": (16, "M8 1 l2 5 h5.5 l-4.4 3.3 l1.7 5.4 l-4.8 -3.3 l-4.8 3.3 l1.7 -5.4 l-4.4 -3.3 h5.5 z"),
        "entry": (15, "M5 1 h5 v7 h4 l-6.5 8 l-6.5 -8 h4 z"),
        "setup": (13, "M1 3 h11 v11 h-11 z"),
        "ship": (20, "M1 9 h18 l-3 6 h-12 z M10 9 v-8 M10 2 l6 4 h-6"),
        "infantry": (21, "M0.5 1.5 h20 v14 h-20 z M0.5 1.5 l20 14 M20.5 1.5 l-20 14"),
        "armour": (21, "M0.5 1.5 h20 v14 h-20 z M6 5 h9 a3.5 3.5 0 0 1 0 7 h-9 a3.5 3.5 0 0 1 0 -7"),
        "rubble": (18, "M1 15 l4 -7 l3 4 l4 -9 l5 12 z"),
    }
)
"""Each shape by its key: its width in pixels, and the path of its outline."""


def badge_width(badge: Badge) -> float:
    """Return how wide a badge is."""
    inside = width_of(badge.text, TEXT, is_bold=True) if badge.text else 0.0
    if badge.shape == WORD:
        return inside
    if badge.shape == PLATE:
        return inside + 2 * PAD
    wide = SHAPES[badge.shape][0]
    return max(wide, inside + PAD) if badge.shape == HEXAGON else wide + inside


def row_width(badges: Sequence[Badge]) -> float:
    """Return how wide badges in a row are."""
    return sum(map(badge_width, badges)) + GAP * (len(badges) - 1) if badges else 0.0


def badge_row(badges: Sequence[Badge], left: float, top: float) -> Iterable[str]:
    """Draw badges in a row from its upper left corner."""
    for badge in badges:
        drawn = "".join(_drawn(badge, left, top))
        yield element("g", {}, f"<title>{content(badge.title)}</title>", drawn) if badge.title else drawn
        left += badge_width(badge) + GAP


def badge_legend(sheet: Sheet) -> Iterable[tuple[str, str]]:
    """Yield a sample of each shape of badge that has a meaning, and what it means."""
    for shape, text in sheet.badges.items():
        if shape in SHAPES:
            yield "".join(_drawn(Badge(shape, "2" if shape == HEXAGON else ""), 4, 0)), text


def _drawn(badge: Badge, left: float, top: float) -> Iterable[str]:
    wide = badge_width(badge)
    inside = badge.shape in {PLATE, HEXAGON, WORD}
    if badge.shape == PLATE:
        box = {"x": short(left), "y": short(top), "width": short(wide), "height": HIGH, "rx": 2}
        yield element("rect", {**box, "class": "badge"})
    elif badge.shape != WORD:
        # The path comes first, so that all drawings of a shape share its definition.
        at = f"translate({short(left)} {short(top)})"
        yield f'<path d="{SHAPES[badge.shape][1]}" class="badge" transform="{at}"/>'
    if badge.text:
        middle = left + wide / 2 if inside else left + wide - width_of(badge.text, TEXT, is_bold=True) / 2
        class_ = "f-ink bold halo s-paper" if badge.shape not in {PLATE, HEXAGON} else "f-ink bold"
        yield text_at((middle, top + 12.8), badge.text, TEXT, class_)
