"""The options of a match: table options of the index, and the rulings that leave the players a choice."""

from core.game import OptionSpec
from events.ids import RuleId
from projections.table import Table

FREE_MOVE_NO_RETURN = "free_move_no_return"
ONE_RESHUFFLE_PER_TURN = "one_reshuffle_per_turn"
ACTION_CAP = "action_cap"
TURN_CAP = "turn_cap"
MEDAL_TO_ANY_FORCE_THERE = "medal_to_any_force_there"

OPTIONS: tuple[OptionSpec, ...] = (
    OptionSpec(
        FREE_MOVE_NO_RETURN,
        "A Force with free Moves does not return to an Area it has been in since the last other Action",
        default=True,
        rule=RuleId("move.free.no-loop"),
    ),
    OptionSpec(
        ONE_RESHUFFLE_PER_TURN,
        "An Action deck is formed anew at most once in a turn",
        default=True,
        rule=RuleId("draw.reshuffle-once-a-turn"),
    ),
    OptionSpec(
        MEDAL_TO_ANY_FORCE_THERE,
        "A Heroic Service counter may go to any own Force in the Control Area, not only to one that took part",
        default=False,
        rule=RuleId("heroic.recipient"),
    ),
    OptionSpec(
        ACTION_CAP,
        "Most Actions in one Actions step; 0 for no limit",
        default=500,
        rule=RuleId("end.action-cap"),
        low=0,
        high=100_000,
    ),
    OptionSpec(
        TURN_CAP,
        "Turns of both players after which the match is stopped without a winner; 0 for no limit",
        default=0,
        rule=RuleId("end.table-options"),
        low=0,
        high=10_000,
    ),
)


def is_on(table: Table, key: str) -> bool:
    """Whether a flag of the match is set."""
    return table.options.get(key) is True


def number(table: Table, key: str) -> int:
    """Return a number option of the match."""
    value = table.options.get(key, 0)
    assert isinstance(value, int)
    return value
