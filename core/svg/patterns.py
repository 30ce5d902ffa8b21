"""Patterns that say what colours say, for those who do not tell the colours apart, and for print."""

from collections.abc import Mapping
from types import MappingProxyType

HATCHING = "M-3 3 l6 -6 M0 12 l12 -12 M9 15 l6 -6"
"""The strokes of hatching in a tile of 12 by 12 pixels."""

PATTERNS: Mapping[str, tuple[int, int, str]] = MappingProxyType(
    {
        "grass": (34, 30, "M6 12 l2 -5 M9 12 l3 -4 M24 27 l2 -5 M27 27 l3 -4"),
        "hachures": (26, 20, "M3 8 q5 -6 10 0 M16 18 q5 -6 10 0"),
        "blocks": (30, 26, "M4 4 h7 v6 h-7 z M18 15 h8 v5 h-8 z"),
        "brick": (20, 16, "M0 0.5 h20 M0 8.5 h20 M5 0 v8 M15 8 v8"),
        "dots": (12, 12, "M3 3 h0.1 M9 9 h0.1"),
        "stripes": (12, 12, "M0 3 h12 M0 9 h12"),
        "waves": (32, 16, "M2 6 q4 -5 8 0 t8 0 M18 14 q4 -5 8 0"),
        "ice": (44, 36, "M4 8 l9 4 l3 9 M13 12 l10 -5 M36 22 l-8 4 l1 7 M28 26 l-9 1"),
        "hatching": (12, 12, HATCHING),
        "turned": (12, 12, HATCHING),
    }
)
"""Each pattern by its key: the width and height of a tile in pixels, and the path of its strokes."""

STROKES: Mapping[str, tuple[str, float, float]] = MappingProxyType(
    {
        "waves": ("bank", 1.0, 0.5),
        "ice": ("bank", 1.0, 0.6),
        "hatching": ("ink", 1.6, 0.4),
        # Counters are light on dark ground, too.
        "turned": ("print-", 1.6, 0.4),
        "dots": ("mut", 2.2, 0.35),
        "brick": ("mut", 0.9, 0.45),
    }
)
"""The tone, width in pixels and opacity of a pattern's strokes, where they differ from `USUAL`."""
USUAL = ("mut", 1.0, 0.4)


def definitions() -> list[str]:
    """Return the patterns as SVG, each with the id `p-KEY`."""
    found = []
    for key, (width, height, path) in PATTERNS.items():
        tone, thick, opacity = STROKES.get(key, USUAL)
        found.append(
            f'<pattern id="p-{key}" width="{width}" height="{height}" patternUnits="userSpaceOnUse">'
            f'<path d="{path}" class="line s-{tone}" stroke-width="{thick}" stroke-opacity="{opacity}"/></pattern>'
        )
    return found
