"""Options that were tried out."""

from cli.schemas.base import Shape
from core.trials.comparison import Mean, Share, Verdict
from events.codec import Struct
from events.ids import MatchId, Seat


class TriedShape(Struct, frozen=True, kw_only=True):
    """The outcomes of an option: `won` for who decides (null if not all trials came to the end), the results of the matches, and what was counted."""

    number: int
    words: str
    won: Share | None
    results: dict[str, Share]
    counts: dict[str, Mean]


class TrialsShape(Shape, frozen=True, kw_only=True, tag="trials"):
    """Options of a decision after event `seq` that were tried `times` times each, and how the best one compares with the next one."""

    match: MatchId
    seq: int
    seat: Seat
    decision: str
    policy: str
    until: str
    seed: str
    times: int
    options: tuple[TriedShape, ...]
    verdict: Verdict | None
