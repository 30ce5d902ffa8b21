"""Plans of boards: the frame of each, the river through it, and where another board lies in it. Data for drawing only, of a game's folder.

A river runs from north to south or to the east edge: the land west of it is filled by areas that touch each other, what lies beyond it
is in one piece. Coordinates are those of the game's component file, with y downwards.
"""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from itertools import pairwise

from core.components.fields import ProvenanceSections
from core.shapes.outlines import Outline, Point
from events.codec import Struct, convert

PLANS_FILE = ("data", "plans.toml")


class Frame(Struct, frozen=True):
    """The edges of a board."""

    left: int
    top: int
    right: int
    bottom: int


class Lettering(Struct, frozen=True):
    """A name along a river: its text, its middle, and how far it is turned, in degrees."""

    text: str
    at: Point
    turn: int


class Inset(Struct, frozen=True):
    """The rectangle in which another board lies, clockwise from its north-west corner, and the text in it; its east side lies at the river."""

    board: str
    text: str
    outline: Outline


class Plan(Struct, frozen=True):
    """Layout of one board.

    `room` is how much room the centre of an area has at best. The banks of the river are listed from north to south; `key` tells it from
    others where it can freeze. `beyond` is the middle of the land beyond the river.
    """

    frame: Frame
    room: Point
    west_bank: Outline
    east_bank: Outline
    beyond: Point
    key: str = ""
    letters: tuple[Lettering, ...] = ()
    inset: Inset | None = None

    @property
    def land(self) -> Outline:
        """The land west of the river, clockwise, without the inset."""
        frame, bank = self.frame, self.west_bank
        if self.inset is not None:
            north_west, north_east, _, south_west = self.inset.outline
            after = bank.index(north_east) + 1
            bank = (*bank[:after], north_west, south_west, *bank[after:])
        corner = [(frame.right, frame.bottom)] if bank[-1][0] == frame.right else []
        return ((frame.left, frame.top), *bank, *corner, (frame.left, frame.bottom))

    @property
    def land_beyond(self) -> Outline:
        """The land east of the river."""
        frame, bank = self.frame, self.east_bank
        corner = [] if bank[-1][0] == frame.right else [(frame.right, frame.bottom)]
        return ((frame.right, frame.top), *corner, *reversed(bank))

    @property
    def river(self) -> Outline:
        """The river."""
        return (*self.west_bank, *reversed(self.east_bank))

    def midstream(self, y: int) -> Point:
        """Return the middle of the river at a height."""
        return (sum(_at(bank, y) for bank in (self.west_bank, self.east_bank)) // 2, y)

    def at_edge(self, spot: Point, edge: str) -> Point:
        """Return the point of an edge, `north` to `west`, straight beyond a spot; the spot itself for no edge."""
        (x, y), frame = spot, self.frame
        ends = {"north": (x, frame.top), "south": (x, frame.bottom), "west": (frame.left, y), "east": (frame.right, y)}
        return ends.get(edge, spot)


class PlanFile(ProvenanceSections, frozen=True, kw_only=True):
    """The plans of a game's boards by their ids."""

    plans: dict[str, Plan]


def load_plans(package: str) -> Mapping[str, Plan]:
    """Return the plans that a game's package holds."""
    return convert(tomllib.loads(files(package).joinpath(*PLANS_FILE).read_text()), PlanFile).plans


def _at(bank: Outline, y: int) -> int:
    """Return where a bank is at a height."""
    (x, top), (right, below) = next(side for side in pairwise(bank) if y <= side[1][1] or side[1] == bank[-1])
    return x + (right - x) * (y - top) // (below - top)
