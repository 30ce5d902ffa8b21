"""A refusal: the value that answers an illegal command."""

from events.codec import Struct
from events.ids import RuleId


class Refusal(Struct, frozen=True):
    """Why a command was not accepted.

    `code` is stable and worded as what must hold (`units_must_be_fresh`), `rule` the rule it would break, `sentence` for players.
    """

    code: str
    rule: RuleId
    sentence: str
