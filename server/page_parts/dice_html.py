"""Dice as faces: which were rolled, which of them count, and how they add up."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from core.telling.dice_text import Roll
from core.telling.names import Names
from core.telling.phrases import signed
from events.ids import RuleId
from events.vocabulary import DiceRolled, Modifier
from server.page_parts.html import Attribute, Html, span, tag

PIPS = {
    1: ((12, 12),),
    2: ((7, 7), (17, 17)),
    3: ((7, 7), (12, 12), (17, 17)),
    4: ((7, 7), (17, 7), (7, 17), (17, 17)),
    5: ((7, 7), (17, 7), (12, 12), (7, 17), (17, 17)),
    6: ((7, 6), (17, 6), (7, 12), (17, 12), (7, 18), (17, 18)),
}
"""Where the pips of each face are, on a die of 24 by 24 pixels."""
DICE_MAX = 256
"""How many drawn dice are kept; those with six sides are 24."""


def faces(event: DiceRolled, *, is_shared: bool = False) -> Html:
    """Return the faces of a roll; those that do not count are dashed and say so.

    Args:
        event: The roll.
        is_shared: Whether the page has the pips once for all dice (`shared_pips`).
    """
    counting = zip(event.faces, Roll(event).counting(), strict=True)
    return span("dice", [_die(face, event.sides, counts=counts, is_shared=is_shared) for face, counts in counting])


def shared_pips() -> Html:
    """Return a drawing of no size with the pips of all faces, for a page with many dice."""
    pips = [tag("g", {"id": f"pips-{face}", "fill": "currentColor"}, _pips(face)) for face in PIPS]
    return tag("svg", {"class": "defs", "width": 0, "height": 0, "aria-hidden": "true"}, tag("defs", None, pips))


@lru_cache(maxsize=DICE_MAX)
def _die(face: int, sides: int, *, counts: bool, is_shared: bool) -> Html:
    words = str(face) if counts else f"{face}, does not count"
    attributes: dict[str, Attribute] = {"viewBox": "0 0 24 24", "role": "img", "aria-label": words}
    attributes["class"] = "die" if counts else "die off"
    frame = tag("rect", {"x": 1, "y": 1, "width": 22, "height": 22, "rx": 5})
    if sides == 6 and face in PIPS:
        inside = [tag("use", {"href": f"#pips-{face}"})] if is_shared else _pips(face)
    else:
        inside = [tag("text", {"x": 12, "y": 17, "text-anchor": "middle", "font-size": 14}, face)]
    return tag("svg", attributes, None if is_shared else tag("title", None, words), frame, inside)


def _pips(face: int) -> list[Html]:
    return [tag("circle", {"cx": x, "cy": y, "r": "2.3"}) for x, y in PIPS[face]]


def no_text(rule: RuleId) -> str:
    """Return no text of a rule."""
    return ""


def arithmetic(event: DiceRolled, names: Names, text: Callable[[RuleId], str] = no_text) -> Html:
    """Return how the dice add up, or how many of them reach the number needed.

    Args:
        event: The roll.
        names: The names of the match.
        text: Returns the text of a rule, to be told with what it adds.
    """
    roll = Roll(event)
    if event.each and not event.modifiers:
        return Html("")
    rolled = None if event.each else _row(str(sum(roll.counted)), " + ".join(map(str, roll.counted)), "dice", "")
    total = (
        None
        if event.each
        else tag(
            "tr", {"class": "total"}, tag("td", {"class": "right"}, roll.total), tag("td", {"colspan": 2}, "in all")
        )
    )
    return tag("table", {"class": "sum"}, tag("tbody", None, rolled, added(event.modifiers, names, text), total))


def added(parts: Sequence[Modifier], names: Names, text: Callable[[RuleId], str] = no_text) -> list[Html]:
    """Return the numbers that are added, each with its rule, as rows of a table."""
    return [_row(signed(part.amount), names.part(part.what), part.rule, text(part.rule)) for part in parts]


def _row(amount: str, what: str, rule: str, text: str) -> Html:
    said = [span("rule", rule), f" {text}"] if text else rule
    cells = [
        tag("td", {"class": "right"}, amount),
        tag("td", None, what),
        tag("td", {"class": "of" if text else "rule"}, said),
    ]
    return tag("tr", None, cells)


def needed(event: DiceRolled) -> str:
    """Return the number needed and how far it was reached; empty if none is."""
    if event.needed is None:
        return ""
    roll = Roll(event)
    if event.each:
        wanted = roll.limit() if event.or_less else f"{event.needed} or more"
        return f"Needed by each die: {wanted}; reached by {roll.total} of {len(roll.counted)}."
    return f"Needed: {event.needed}."
