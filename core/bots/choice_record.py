"""Record of a bot's choice: which policy chose, in which version, with which budget and seed. It is the key of the command, so that the archive holds it."""

from events.codec import Struct

_BOT = "bot"


class ChoiceRecord(Struct, frozen=True):
    """Record of what a choice follows from, besides what the seat saw.

    Attributes:
        bot: The policy with its budget, as `core.bots.budget.parse_policy` reads it.
        version: The version of the policy, as `core.registry.bot_policies.policy_version` tells it.
        seed: The seed of its source of chance (hex).
    """

    bot: str
    version: str
    seed: str


def key_of(record: ChoiceRecord) -> str:
    """Return the key of the command that was chosen."""
    return f"{_BOT} {record.bot} {record.version} {record.seed}"


def record_in(key: str) -> ChoiceRecord | None:
    """Return the record in the key of a command, or None for a command that no bot of a server chose."""
    words = key.split(" ")
    return ChoiceRecord(*words[1:]) if len(words) == 4 and words[0] == _BOT else None
