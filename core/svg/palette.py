"""Colours by tone, on light and on dark ground and for print, as the style sheet of a drawing.

Text keeps a contrast of 4.5 to 1 on every ground that it stands on; the tests count it.
"""

from collections.abc import Mapping
from types import MappingProxyType

from core.svg.themes import AUTO, DARK, PRINT

TONES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "paper": ("#f2ead8", "#1b1a16"),
        "panel": ("#fbf7ec", "#24221d"),
        "frame": ("#cbbf9f", "#4f4a3c"),
        "ink": ("#25211a", "#ece5d4"),
        "mut": ("#5f574b", "#b5aa95"),
        "bad": ("#a02c1b", "#ff9a84"),
        "loss": ("#a02c1b", "#ff9a84"),
        "gold": ("#f2b21c", "#ffc53d"),
        "on-gold": ("#3a2700", "#2a1d00"),
        "clear": ("#ebe2c6", "#4a4738"),
        "rough": ("#d8c494", "#57492f"),
        "elevated": ("#decb9d", "#57492f"),
        "light": ("#e4d9c6", "#47423a"),
        "heavy": ("#cfc0ad", "#57493e"),
        "none": ("#eee8d6", "#3d3d34"),
        "west": ("#dccb9f", "#524a30"),
        "gray": ("#d3cdcb", "#45454a"),
        "brown": ("#e0c39c", "#57432b"),
        "white": ("#f7f5ee", "#52514a"),
        "water": ("#bcd0d0", "#25383c"),
        "ice": ("#eef5f6", "#2f4348"),
        "bank": ("#3f5a5f", "#6f9299"),
        "road": ("#8f3a2c", "#d98d78"),
        "first": ("#4d5b48", "#a9bd9d"),
        "second": ("#8a3122", "#e08a72"),
        "third": ("#2f4f7a", "#8fb2dd"),
        "fourth": ("#6a4a78", "#c3a3d1"),
        "area-first": ("#d9dccb", "#3a4034"),
        "area-second": ("#ecd9c9", "#4a332b"),
        "star": ("#ffd76a", "#ffd76a"),
        "counter-first": ("#cdd3c2", "#bcc4b0"),
        "counter-second": ("#85301f", "#9a3826"),
        "counter-third": ("#c3d0e2", "#aebfd6"),
        "counter-fourth": ("#d8c9df", "#c6b3cf"),
        "counter-": ("#e9dfc4", "#cfc5a8"),
        "print-first": ("#1c2118", "#161a13"),
        "print-second": ("#fff3e8", "#fff3e8"),
        "print-third": ("#131c2a", "#131c2a"),
        "print-fourth": ("#241a29", "#241a29"),
        "print-": ("#25211a", "#1b1a16"),
    }
)
"""Each tone on light and on dark ground."""

RANKS = ("first", "second", "third", "fourth")
"""The tones of sides, in the order of a sheet's sides."""

WATER = "water"
"""The tone of ground that is not land."""

PAPER_IN_PRINT = "#ffffff"
TITLES = "'Times New Roman', 'Liberation Serif', Georgia, serif"
FONTS = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

BAND = 6
"""The width of the band inside a place that shows who holds it, in pixels; the other half of its line is cut off."""

RULES = f"""text {{ font-family: {FONTS}; }}
.bold {{ font-weight: bold; }}
.titled {{ font-family: {TITLES}; font-weight: bold; }}
.halo {{ text-anchor: middle; paint-order: stroke; stroke-width: 3px; stroke-linejoin: round; }}
.line {{ fill: none; stroke-linejoin: round; stroke-linecap: round; }}
.band {{ fill: none; stroke-linejoin: round; stroke-linecap: round; stroke-width: {2 * BAND}px; stroke-opacity: 0.6; }}
.bare {{ fill: none; }}
"""


def style_sheet(theme: str) -> str:
    """Return the rules of a drawing: `f-TONE` fills with a tone, `s-TONE` strokes with it."""
    if theme == AUTO:
        return f"{RULES}{_tones(0)}@media screen and (prefers-color-scheme: dark) {{\n{_tones(1)}}}\n"
    paper = f".f-paper {{ fill: {PAPER_IN_PRINT}; }}\n" if theme == PRINT else ""
    return f"{RULES}{_tones(1 if theme == DARK else 0)}{paper}"


def _tones(column: int) -> str:
    return (
        "".join(
            f".f-{tone} {{ fill: {colours[column]}; }}\n.s-{tone} {{ stroke: {colours[column]}; }}\n"
            for tone, colours in TONES.items()
        )
        + f".badge {{ fill: {TONES['panel'][column]}; stroke: {TONES['ink'][column]}; stroke-width: 1.3px; }}\n"
    )
