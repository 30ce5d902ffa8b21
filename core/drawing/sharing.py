"""Makes drawings smaller: an outline that is drawn several times is written once."""

import re

_POLYGON = re.compile(r'<polygon points="([^"]*)"')


def shared_outlines(drawn: str, prefix: str) -> str:
    """Return a drawing in which polygons with the same corners use one definition.

    Args:
        drawn: The elements of a drawing.
        prefix: What the ids of the definitions begin with; no other id of the page may.

    Returns:
        The same picture, with the definitions at its beginning.
    """
    times: dict[str, int] = {}
    for corners in _POLYGON.findall(drawn):
        times[corners] = times.get(corners, 0) + 1
    ids = {
        corners: f"{prefix}{number}" for number, corners in enumerate(one for one, count in times.items() if count > 1)
    }
    if not ids:
        return drawn
    made = "".join(f'<polygon id="{id_}" points="{corners}"/>' for corners, id_ in ids.items())

    def used(found: re.Match[str]) -> str:
        return f'<use href="#{ids[found[1]]}"' if found[1] in ids else found[0]

    return f"<defs>{made}</defs>{_POLYGON.sub(used, drawn)}"
