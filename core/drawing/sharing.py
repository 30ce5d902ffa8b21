"""Makes drawings smaller: a shape that is drawn several times is written once, and so is what several drawings have in common."""

import re
from collections import Counter
from collections.abc import Sequence

_SHAPE = re.compile(r'<(?:polygon points|path d)="[^"]*"')
SHORTEST = 40
"""How long a shape is at least that is worth a definition, in characters."""
PART_MIN = 60
"""How long a part of a drawing is at least."""


def shared_shapes(drawn: str, prefix: str) -> str:
    """Return a drawing in which polygons and paths with the same corners use one definition.

    Args:
        drawn: The elements of a drawing.
        prefix: What the ids of the definitions begin with; no other id of the page may.

    Returns:
        The same picture, with the definitions at its beginning.
    """
    times = Counter(_SHAPE.findall(drawn))
    often = [shape for shape, count in times.items() if count > 1 and len(shape) >= SHORTEST]
    ids = {shape: f"{prefix}{number}" for number, shape in enumerate(often)}
    if not ids:
        return drawn
    made = "".join(f'{shape} id="{id_}"/>' for shape, id_ in ids.items())

    def used(found: re.Match[str]) -> str:
        return f'<use href="#{ids[found[0]]}"' if found[0] in ids else found[0]

    return f"<defs>{made}</defs>{_SHAPE.sub(used, drawn)}"


_ID = re.compile(r' id="place-[^"]*"')


def shared_parts(drawings: Sequence[Sequence[str]], prefix: str) -> tuple[str, list[str]]:
    """Return several drawings in which parts that two of them have in common are written once.

    Args:
        drawings: The parts of each, from the ground up.
        prefix: What the ids of the shared parts begin with; no other id of the page may.

    Returns:
        The shared parts, to be put into the `defs` of a drawing of the same page, and the drawings. Places have no ids.
    """
    plain = [[_ID.sub("", part) for part in parts] for parts in drawings]
    times = Counter(part for parts in plain for part in dict.fromkeys(parts))
    ids = {
        part: f"{prefix}{number}"
        for number, part in enumerate(one for one, count in times.items() if count > 1 and len(one) >= PART_MIN)
    }
    made = "".join(part if part.startswith("<clipPath") else f'<g id="{id_}">{part}</g>' for part, id_ in ids.items())

    def used(part: str) -> str:
        if part not in ids:
            return part
        return "" if part.startswith("<clipPath") else f'<use href="#{ids[part]}"/>'

    return made, ["".join(map(used, parts)) for parts in plain]
