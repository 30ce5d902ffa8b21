"""Makes drawings smaller: a shape that is drawn several times is written once, and so are like counters and what several drawings have in common."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise

_SHAPE = re.compile(r'<(?:polygon points|path d)="[^"]*"')
SHORTEST = 40
"""How long a shape or a face is at least that is worth a definition, in characters."""
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
    return _written_once(drawn, _SHAPE, prefix, lambda shape, id_: f'{shape} id="{id_}"/>', use='<use href="#{}"')


_FACE = re.compile(
    r'(?<=</title>)<rect width="[^"]*" height="[^"]*" rx="[^"]*" class="f-counter-.*?(?=<rect x=|</g>)'
    r'|<rect x="[^"]*" y="[^"]*" width="[^"]*" height="16" rx="8" class="f-panel s-ink"[^<>]*/><text[^<>]*>[^<>]*</text>(?=</g>)'
)
"""What a counter looks like, all of it but its title and the number of like counters; and such a number."""


def shared_faces(drawn: str, prefix: str) -> str:
    """Return a drawing in which counters that look alike have one definition, each with its own title, and so have their numbers.

    Args:
        drawn: The elements of a drawing.
        prefix: What the ids of the definitions begin with; no other id of the page may.

    Returns:
        The same picture, with the definitions at its beginning.
    """
    return _written_once(drawn, _FACE, prefix, lambda face, id_: f'<g id="{id_}">{face}</g>', use='<use href="#{}"/>')


def _written_once(
    drawn: str, pattern: re.Pattern[str], prefix: str, definition: Callable[[str, str], str], use: str
) -> str:
    """Return a drawing in which what a pattern finds several times has one definition, at the beginning.

    Args:
        drawn: The elements of the drawing.
        pattern: Finds what may be written once.
        prefix: What the ids of the definitions begin with.
        definition: Returns the definition of what was found, with its id.
        use: What stands in its place, with braces for the id.
    """
    times = Counter(pattern.findall(drawn))
    often = [found for found, count in times.items() if count > 1 and len(found) >= SHORTEST]
    ids = {found: f"{prefix}{number}" for number, found in enumerate(often)}
    if not ids:
        return drawn
    made = "".join(definition(found, id_) for found, id_ in ids.items())

    def used(found: re.Match[str]) -> str:
        return use.format(ids[found[0]]) if found[0] in ids else found[0]

    return f"<defs>{made}</defs>{pattern.sub(used, drawn)}"


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
    runs = _runs(plain, [part for part, count in times.items() if count > 1 and len(part) >= PART_MIN])
    made, ids = "", dict[str, str]()
    for number, run in enumerate(runs):
        ids.update(dict.fromkeys(run, ""))
        if all(part.startswith("<clipPath") for part in run):
            made += "".join(run)
            continue
        ids[run[0]] = f"{prefix}{number}"
        made += f'<g id="{ids[run[0]]}">{"".join(run)}</g>'

    def used(part: str) -> str:
        id_ = ids.get(part)
        return part if id_ is None else id_ and f'<use href="#{id_}"/>'

    return made, ["".join(map(used, parts)) for parts in plain]


def _runs(drawings: Sequence[Sequence[str]], shared: Sequence[str]) -> list[list[str]]:
    """Return shared parts, those together that follow each other wherever they are drawn."""
    after, before = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for parts in drawings:
        for one, other in pairwise(["", *parts, ""]):
            after[one].add(other)
            before[other].add(one)
    runs: list[list[str]] = []
    for part in shared:
        if runs and before[part] == {runs[-1][-1]} and after[runs[-1][-1]] == {part}:
            runs[-1].append(part)
        else:
            runs.append([part])
    return runs


_COUNTER = re.compile(r'<(g)( transform="[^"]*")( class="counter".*?</g>)')
_ELEMENT = re.compile(r'<(rect|path|polygon|circle|text)()( [^<>]*\bclass="[^<>]*(?:/>|>[^<>]*</text>))')
_BETWEEN = "\0"
"""Stands between drawings; XML cannot contain it."""


def shared_elements(drawings: Sequence[str], prefix: str) -> list[str]:
    """Return drawings of one page in which like counters, like elements and like shapes are written once.

    Args:
        drawings: The elements of each; the first is put into the `defs` of a drawing of the page.
        prefix: What the ids of the definitions begin with; no other id of the page may.

    Returns:
        The same pictures, with the definitions at the beginning of the first.
    """
    drawn = _BETWEEN.join(drawings)
    for kind, pattern in enumerate((_COUNTER, _ELEMENT)):
        drawn = _repeated(drawn, pattern, f"{prefix}{kind}-")
    return shared_shapes(drawn, f"{prefix}-").split(_BETWEEN)


def _repeated(drawn: str, pattern: re.Pattern[str], prefix: str) -> str:
    """Return a drawing that begins with definitions of the elements that a pattern finds several times, and uses them.

    Args:
        drawn: The elements of the drawing.
        pattern: Finds an element with a class as its name, where it stands, and all else.
        prefix: What the ids of the definitions begin with.
    """
    times = Counter((name, rest) for name, _, rest in pattern.findall(drawn))
    often = [one for one, count in times.items() if count > 1 and len(one[1]) >= PART_MIN]
    ids = {one: f"{prefix}{number}" for number, one in enumerate(often)}

    def used(found: re.Match[str]) -> str:
        id_ = ids.get((found[1], found[3]))
        return found[0] if id_ is None else f'<use href="#{id_}"{found[2]}/>'

    made = [f"<{name}" + rest.replace(" class=", f' id="{id_}" class=', 1) for (name, rest), id_ in ids.items()]
    return "".join([*made, pattern.sub(used, drawn)])
