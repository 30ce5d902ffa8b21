"""The statistics of a match."""

from cli.schemas.base import Shape
from events.codec import Struct
from events.ids import MatchId, Seat
from projections.control import ControlChange, ControlStand
from projections.losses import Loss, RoundLosses


class DiceShape(Struct, frozen=True, kw_only=True):
    """The dice of one purpose; `counts` is how often each face was rolled, `luck` is in standard deviations of the sum."""

    purpose: str
    sides: int
    rolls: int
    counts: tuple[int, ...]
    mean: float
    expected: float
    luck: float
    p_value: float


class StatisticsShape(Shape, frozen=True, kw_only=True, tag="statistics"):
    """The statistics of a match: dice by purpose and overall, losses, and control over time."""

    match: MatchId
    seat: Seat
    seq: int
    dice: tuple[DiceShape, ...]
    all_dice: tuple[DiceShape, ...]
    losses: tuple[Loss, ...]
    losses_by_round: tuple[RoundLosses, ...]
    control: tuple[ControlStand, ...]
    control_changes: tuple[ControlChange, ...]
