"""Numbers of options: an action for each, which is the same wherever the same command is legal, as far as that can be; and tokens of what it says."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from zlib import crc32

from core.engine.command import Command
from core.errors import KernelError
from events.codec import encode, tag_of

ACTIONS = 4_096
"""How many actions there are: more than options of any question."""

TOKENS = 16
"""How many tokens of an option are told at most."""

TOKENS_MOST = 65_535
"""The largest token; 0 is none."""


class ActionIllegal(KernelError, ValueError):
    """An action that is no option now; the message says which are."""


def action_numbers(options: Sequence[Command]) -> dict[int, Command]:
    """Return the options by their actions, 0 to `ACTIONS` - 1.

    An action follows from the bytes of the command. Where another option of the list has it already, which seldom happens, the next free one is taken.

    Raises:
        KernelError: There are more options than actions.
    """
    if len(options) > ACTIONS:
        raise KernelError(f"a question has {len(options)} options; learning environments have {ACTIONS} actions")
    numbers = [*map(_wanted, options)]
    found = dict(zip(numbers, options, strict=True))
    if len(found) == len(options):
        return found
    found.clear()
    for wanted, command in zip(numbers, options, strict=True):
        number = wanted
        while number in found:
            number = (number + 1) % ACTIONS
        found[number] = command
    return found


@lru_cache(maxsize=1 << 16)
def _wanted(command: Command) -> int:
    """Return the action that an option has where no other one has it."""
    return crc32(encode(command)) % ACTIONS


@lru_cache(maxsize=1 << 16)
def tokens_of(command: Command) -> tuple[int, ...]:
    """Return the tokens of a command, `TOKENS` at most: hashes of its kind, and of each of its fields with its value, 1 to `TOKENS_MOST`.

    Equal fields have equal tokens in all commands of a kind, so that a linear function of them learns about commands that it has not met.
    """
    return tuple([1 + crc32(word.encode()) % TOKENS_MOST for word in _words(command)][:TOKENS])


def _words(command: Command) -> Iterator[str]:
    """Yield the kind of a command, and each of its fields with each of its values."""
    kind = tag_of(type(command))
    yield kind
    for name in command.__struct_fields__:
        value: object = getattr(command, name)
        for one in value if isinstance(value, tuple) else (value,):
            yield f"{kind} {name} {one}"


def option_at(actions: dict[int, Command], action: int) -> Command:
    """Return the option of an action.

    Raises:
        ActionIllegal: It is no option now.
    """
    if action not in actions:
        some = ", ".join(map(str, sorted(actions)[:5]))
        more = f" and {len(actions) - 5} more" if len(actions) > 5 else ""
        raise ActionIllegal(f"action {action} is not legal; legal are {some}{more}, as the action mask says")
    return actions[action]
