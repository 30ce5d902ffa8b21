"""Rivers under ice: the printed map as it lies once they are frozen."""

from collections.abc import Mapping

from core.narration.sheet import Sheet
from events.codec import replace

ICE = "ice"
"""The tone and the pattern of a frozen river."""
FLOES = "30 11"
"""The dashes of a frozen river that is a line: long floes whose round ends nearly touch, unlike the sleepers of a railway."""


def frozen(sheet: Sheet, rivers: Mapping[str, str]) -> Sheet:
    """Return a sheet with some of its rivers under ice.

    Args:
        sheet: The sheet.
        rivers: What the legend says of each of these rivers, by the key of its feature or its backdrops.
    """
    features = [
        replace(one, tone=ICE, dashes=FLOES, text=rivers[one.key]) if one.key in rivers else one
        for one in sheet.features
    ]
    backdrops = [
        replace(one, tone=ICE, pattern=ICE, text=rivers[one.key]) if one.key in rivers else one
        for one in sheet.backdrops
    ]
    return replace(sheet, features=tuple(features), backdrops=tuple(backdrops))
