"""The options of a match: table options of the index, and the rulings that leave the players a choice."""

from core.game.game_record import OptionSpec
from events.ids import RuleId

FREE_MOVE_NO_RETURN = OptionSpec(
    "free_move_no_return",
    "A Force with free Moves does not return to an Area it has been in since the last other Action",
    default=True,
    rule=RuleId("move.free.no-loop"),
)
ONE_RESHUFFLE_PER_TURN = OptionSpec(
    "one_reshuffle_per_turn",
    "An Action deck is formed anew at most once in a turn",
    default=True,
    rule=RuleId("draw.reshuffle-once-a-turn"),
)
MEDAL_TO_ANY_FORCE_THERE = OptionSpec(
    "medal_to_any_force_there",
    "A Heroic Service counter may go to any own Force in the Control Area, not only to one that took part",
    default=False,
    rule=RuleId("heroic.recipient"),
)
ACTION_CAP = OptionSpec(
    "action_cap",
    "Most Actions in one Actions step; 0 for no limit",
    default=500,
    rule=RuleId("end.action-cap"),
    high=100_000,
)
TURN_CAP = OptionSpec(
    "turn_cap",
    "Turns of both players after which the match is stopped without a winner; 0 for no limit",
    default=0,
    rule=RuleId("end.table-options"),
    high=10_000,
)
OPTIONS = (FREE_MOVE_NO_RETURN, ONE_RESHUFFLE_PER_TURN, MEDAL_TO_ANY_FORCE_THERE, ACTION_CAP, TURN_CAP)
