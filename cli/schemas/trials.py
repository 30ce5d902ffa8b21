"""Options that were tried out, and the shares of wins at the points of a match."""

from cli.schemas.base import Shape
from core.trials.comparison import Mean, Share, Verdict
from core.trials.paired import Measured
from events.codec import Struct
from events.ids import GameKey, MatchId, Seat, Side


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


class MeasureShape(Struct, frozen=True, kw_only=True):
    """A figure of pairs of matches: `won by SIDE` (0 to 1), `rounds`, `commands`, or what a game counts at the end."""

    name: str
    measured: Measured


class RulesComparedShape(Shape, frozen=True, kw_only=True, tag="rules-compared"):
    """Pairs of matches with the same seeds: the first under the rules as given, the second with `other`."""

    game: GameKey
    other: str
    pairs: int
    measures: tuple[MeasureShape, ...]


class SharePointShape(Struct, frozen=True, kw_only=True):
    """The share of the playouts after event `seq` that each side wins; a draw is shared."""

    seq: int
    won: dict[Side, Share]


class TurnShape(Struct, frozen=True, kw_only=True):
    """A turn of a match: the share changed more than by luck after event `after`, up to event `upto`."""

    after: int
    upto: int


class SharesShape(Shape, frozen=True, kw_only=True, tag="win-shares"):
    """The shares of wins at points of a match, from each of which `times` playouts were played, and its turns."""

    match: MatchId
    seat: Seat
    policy: str
    seed: str
    times: int
    points: tuple[SharePointShape, ...]
    turns: tuple[TurnShape, ...]
