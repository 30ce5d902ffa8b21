"""Dice that only some seats see: rolled by `Draft.dice` with `seen_by`, they lie on something until they are shown or taken away.

Their faces are a secret attribute, which an inventory declares as `DICE`: its viewers see it, `show` tells it to all, and a fork by a seat
that does not know the faces rolls them again.
"""

from core.engine.attributes import Attribute
from core.engine.draft import Draft
from core.engine.draft_chance import HIDDEN_DICE
from events.ids import RuleId
from projections.state.table import Table

DICE: Attribute[str] = Attribute(HIDDEN_DICE, str)
"""The faces of the dice on something, in ascending order: `1 3 3 5`."""


def faces_on(table: Table, on: str) -> tuple[int, ...]:
    """Return the faces of the dice on something, in ascending order; none if there are no dice, or if the viewer does not know them."""
    return tuple(map(int, (DICE.of(table, on) or "").split()))


def show_dice(draft: Draft, on: str, rule: RuleId) -> tuple[int, ...]:
    """Show the dice on something to all seats, and return their faces."""
    faces = DICE.of(draft.table, on)
    if faces is not None:
        DICE.set(draft, on, faces, rule)
    return faces_on(draft.table, on)


def take_dice_away(draft: Draft, on: str, rule: RuleId) -> None:
    """Take the dice on something away; do nothing if there are none."""
    DICE.forget(draft, on, rule)
