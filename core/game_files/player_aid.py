"""The player aid of a game: its goal, a turn, what can be done, the numbers, and a first match, read from the game's `data/aid.toml`.

The texts are our own. A number stands in them as the place where the board file has it, `{rules.move_cost}`, so that it is stated once and
follows an owner's own board; with a word behind it, `{rules.move_cost Ration}`, it is counted: `1 Ration`, `2 Rations`.
"""

import re
from collections.abc import Mapping
from importlib.resources import files

from core.errors import KernelError
from core.toml.outside_toml import OutsideText, read_outside
from core.wording import counted
from events.codec import DecodeError, Struct, convert
from events.ids import RuleId

AID_FILE = "aid.toml"
FIGURE = re.compile(r"\{([A-Za-z0-9_.]+)(?: ([A-Za-z ]+))?\}")
"""A number of the board: the path to it, and what it counts."""


class AidInvalid(KernelError):
    """A player aid cannot be read; the message says why."""


class AidStep(Struct, frozen=True):
    """A part of a turn; `phases` are those that the table has meanwhile, if it has any, or else `side` is the one whose turn it is."""

    title: str
    text: str
    rule: RuleId
    phases: tuple[str, ...] = ()
    side: str = ""


class AidRow(Struct, frozen=True):
    """Something that can be done, or a number: its name, what it costs or comes to, a sentence, and the rule behind it."""

    name: str
    rule: RuleId
    cost: str = ""
    text: str = ""


class AidTable(Struct, frozen=True):
    """Rows under a title."""

    title: str
    row: tuple[AidRow, ...]


class Advice(Struct, frozen=True):
    """A sentence for the first times that a question of a kind is put, in rounds up to `last_round`."""

    question: str
    text: str
    last_round: int = 1


class FirstMatch(Struct, frozen=True):
    """A match that explains itself: its seeded dice, by which it is known, the seat of the newcomer, and a sentence for its first questions."""

    seed: str
    seat: str
    text: str
    advice: tuple[Advice, ...]

    def for_question(self, kind: str, round_: int) -> str:
        """Return the advice for a question in a round; empty if there is none."""
        fitting = (one.text for one in self.advice if one.question == kind and round_ <= one.last_round)
        return next(fitting, "")


class PlayerAid(Struct, frozen=True):
    """The aid of a game."""

    goal: str
    turn: tuple[AidStep, ...]
    table: tuple[AidTable, ...]
    first_match: FirstMatch | None = None


def load_aid(package: str, board: bytes) -> PlayerAid | None:
    """Return the aid of a game with the numbers of a board; None for a game without one.

    Args:
        package: The game's import name.
        board: The board file that is played on; empty for a game without a board.

    Raises:
        AidInvalid: The aid is malformed, or names a number that the board does not have.
    """
    try:
        text = files(package).joinpath("data").joinpath(AID_FILE).read_text(encoding="utf-8")
    except (ModuleNotFoundError, OSError):
        return None
    try:
        return convert(with_figures(_plain(text), _plain(board)), PlayerAid)
    except (DecodeError, ValueError) as error:
        raise AidInvalid(f"the player aid of {package} cannot be read: {error}") from None


def _plain(source: bytes | str) -> dict[str, object]:
    read = read_outside(source)
    if isinstance(read, OutsideText):
        return read.plain
    raise ValueError(f"line {read.line}: {read.problem}")


def with_figures(value: object, figures: Mapping[str, object]) -> object:
    """Return plain data in whose texts the numbers of a board are filled in.

    Raises:
        ValueError: The board has no such number.
    """
    if isinstance(value, str):
        return FIGURE.sub(lambda found: _figure(figures, found[1], found[2] or ""), value)
    if isinstance(value, dict):
        return {key: with_figures(one, figures) for key, one in value.items()}
    return [with_figures(one, figures) for one in value] if isinstance(value, list) else value


def _figure(figures: Mapping[str, object], path: str, thing: str) -> str:
    found: object = figures
    for key in path.split("."):
        if isinstance(found, list):
            # A row of a table, by its id.
            found = next((row for row in found if isinstance(row, dict) and row.get("id") == key), None)
        else:
            found = found.get(key) if isinstance(found, dict) else None
    if isinstance(found, int) and not isinstance(found, bool):
        return counted(found, thing) if thing else str(found)
    raise ValueError(f"the board has no number {path}")
