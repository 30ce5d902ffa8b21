"""Buildings and land from afar, as filled paths in a frame of 150 by 42 pixels."""

from collections.abc import Mapping
from types import MappingProxyType

WIDTH, HEIGHT = 150, 42

SILHOUETTES: Mapping[str, str] = MappingProxyType(
    {
        "hill": "M0 42 L40 20 Q60 9 70 8 L75 3 L80 8 Q92 10 110 21 L150 42 z",
        "chimneys": "M6 42 v-14 h14 v-6 h10 v6 h6 v-20 h6 v20 h6 v-16 h6 v16 l12 -8 v8 l12 -8 v8 l12 -8 v8 h24 v4 h12 v10 z",
        "factory": "M0 42 v-12 l16 -10 v10 l16 -10 v10 l16 -10 v10 l16 -10 v10 h30 v-20 h8 v20 h14 v-6 h14 v6 h14 v12 z",
        "store": "M14 42 v-24 h24 v-6 h76 v6 h24 v24 h-18 v-10 h-12 v10 h-16 v-10 h-14 v10 h-16 v-10 h-12 v10 z",
        "house": "M26 42 v-26 l8 -5 h82 l8 5 v26 h-16 v-9 h-10 v9 h-14 v-9 h-10 v9 h-14 v-9 h-10 v9 z",
        "silo": "M10 42 v-34 q8 -6 16 0 v34 h4 v-34 q8 -6 16 0 v34 h4 v-34 q8 -6 16 0 v34 h6 v-20 h68 v20 z",
        "airfield": "M0 42 v-3 h150 v3 z M10 39 v-12 q18 -12 36 0 v12 z M60 39 v-7 h12 v-16 h10 v16 h8 v7 z M104 34 l22 -2 l-6 -7 h4 l12 6 l10 1 l-3 4 h-38 z",
        "docks": "M0 42 v-5 h150 v5 z M14 37 v-28 h3 l34 8 v3 l-31 -5 v22 z M64 37 v-8 h20 v-7 h12 v7 h34 l-8 8 z",
        "station": "M4 42 v-16 h34 v-8 q37 -20 74 0 v8 h34 v16 h-24 v-9 h-12 v9 h-24 v-11 h-22 v11 h-24 v-9 h-12 v9 z",
    }
)
"""Each by its key."""
