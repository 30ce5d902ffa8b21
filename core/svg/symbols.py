"""Symbols on counters: the signs of arms on maps, and other small pictures, as strokes in a frame of 22 by 14 pixels."""

from collections.abc import Mapping
from types import MappingProxyType

WIDTH, HEIGHT = 22, 14

_FRAME = "M0 0 h22 v14 h-22 z"

SYMBOLS: Mapping[str, str] = MappingProxyType(
    {
        "infantry": f"{_FRAME} M0 0 l22 14 M22 0 l-22 14",
        "armour": f"{_FRAME} M6 3.5 h10 a3.5 3.5 0 0 1 0 7 h-10 a3.5 3.5 0 0 1 0 -7",
        "mechanized": f"{_FRAME} M0 0 l22 14 M22 0 l-22 14 M6 3.5 h10 a3.5 3.5 0 0 1 0 7 h-10 a3.5 3.5 0 0 1 0 -7",
        "motorized": f"{_FRAME} M0 0 l22 14 M22 0 l-22 14 M4 17.5 a2 2 0 1 0 4 0 a2 2 0 1 0 -4 0 M14 17.5 a2 2 0 1 0 4 0 a2 2 0 1 0 -4 0",
        "reconnaissance": f"{_FRAME} M0 14 l22 -14",
        "assault-gun": f"{_FRAME} M11 1.5 v11",
        "artillery": f"{_FRAME} M9 7 a2 2 0 1 0 4 0 a2 2 0 1 0 -4 0 M10 7 h2 M10 6 h2 M10 8 h2",
        "rocket": f"{_FRAME} M11 12 v-9 M7 6 l4 -4 l4 4 M7 9 l4 -4 l4 4",
        "engineer": f"{_FRAME} M6 11 v-7 h10 v7 M11 4 v7",
        "marine": f"{_FRAME} M0 0 l22 14 M22 0 l-22 14 M11 1.5 v11",
        "fighter": "M11 0 v14 M1 6 h20 M7 13 h8",
        "bomber": "M10 0 v14 M12 0 v14 M0 5 h22 M0 7 h22 M6 13 h10",
        "transport": "M11 0 v14 M0 4 h22 M2 6 h18 M6 13 h10",
        "ship": "M1 8 h20 l-3 5 h-14 z M11 8 v-7 M11 2 l6 4 h-6",
        "star": "M11 0 l2 5 h5.5 l-4.5 3.3 l1.8 5.4 l-4.8 -3.2 l-4.8 3.2 l1.8 -5.4 l-4.5 -3.3 h5.5 z",
        "cross": "M8 0 h6 v4 h4 v6 h-4 v4 h-6 v-4 h-4 v-6 h4 z",
        "headquarters": f"{_FRAME} M0 14 v6 M0 4 h22",
        "leader": "M11 1 a3 3 0 1 0 0.1 0 M4 14 q0 -6 7 -6 q7 0 7 6 z",
        "supply": "M4 13 h14 v-7 h-14 z M4 6 l3 -4 h8 l3 4 M11 6 v7",
        "fortification": "M1 13 v-9 h4 v3 h4 v-3 h4 v3 h4 v-3 h4 v9 z",
        "rubble": "M1 13 l5 -8 l4 5 l4 -8 l7 11 z",
        "combat": "M11 0 l2 4.5 l5 -2.5 l-2 5 l5 1 l-5 2 l1 4 l-5 -2 l-3 2 l-1 -3 l-5 0 l3 -4 l-4 -3 l5 -0.5 z",
    }
)
"""Each symbol by its key: the path of its strokes."""
