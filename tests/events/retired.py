"""An event as it might have looked in an earlier version, to show what retiring an event takes.

It is here and not in `events.upcast` because no event has been retired yet. Its bytes are in `fixtures/wire`.
"""

from events.ids import RuleId
from events.upcast import History, retired
from events.vocabulary import BaseEvent, DiceRolled, Modifier


class DiceRolled0(BaseEvent, frozen=True, kw_only=True, tag="dice-rolled/0"):
    """Dice were rolled; the modifier was one number without a rule."""

    dice: tuple[int, ...]
    why: str
    drm: int = 0


def lift_dice_rolled_0(old: DiceRolled0) -> DiceRolled:
    """Give the modifier the rule of the roll."""
    modifiers = (Modifier(old.rule, "die roll modifier", old.drm),) if old.drm else ()
    return DiceRolled(rule=RuleId(old.rule), faces=old.dice, purpose=old.why, modifiers=modifiers)


WITH_OLD_DICE = History(retired(DiceRolled0, lift_dice_rolled_0))
