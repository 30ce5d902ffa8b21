"""Shapes of what the arena prints and keeps: its settings, each pair, and the strength at the end."""

from cli.schemas.base import Shape
from events.ids import Digest, GameKey, Seat
from events.vocabulary import Value


class ArenaShape(Shape, frozen=True, kw_only=True, tag="arena"):
    """Settings of an arena, the first line of its file: another one with the same settings plays the same pairs.

    A match ends as soon as its bots agree so many `times` in a row that one of them wins with the chance `sure`; 0 for never.
    """

    game: GameKey
    scenario: str
    mode: str
    options: dict[str, Value]
    rules: Digest
    bots: tuple[str, str]
    seed: str
    steps_max: int
    stall_s: float
    sure: float = 1.0
    times: int = 0


class ArenaMatchShape(Shape, frozen=True, kw_only=True, tag="arena-match"):
    """A match of a pair. `seats` says which bot has each seat, 1 or 2. `score` is that of the first bot: 1, 0.5 or 0; in a match that the second plays alone, 1 less its own.

    `fault` says by which fault the bot at the seat `at_fault` has lost. `ms` is how long each seat has thought altogether.
    """

    seats: dict[Seat, int]
    result: str
    winning_seats: tuple[Seat, ...]
    score: float
    commands: int
    decisions: dict[Seat, int]
    ms: dict[Seat, float]
    fault: str = ""
    at_fault: Seat = Seat("")


class PairShape(Shape, frozen=True, kw_only=True, tag="arena-pair"):
    """A pair: two matches with the same dice and seats swapped. `half_points` are the first bot's, 0 to 4."""

    number: int
    seed: str
    half_points: int
    matches: tuple[ArenaMatchShape, ...]


class BotCheckShape(Shape, frozen=True, kw_only=True, tag="bot-check"):
    """Check of a bot that is a child process in a game: how many decisions it made, and what was wrong; empty if nothing was."""

    game: GameKey
    decisions: int
    problem: str


class StrengthShape(Shape, frozen=True, kw_only=True, tag="strength"):
    """Strength of the first bot against the second, with 95 % intervals; Elo is empty where it is infinite.

    `pairs` counts the pairs by the first bot's half points, 0 to 4. `won` is the share of the matches that each seat has won, `faults` how
    many matches each bot has lost by faults of its own. `llr` and `llr_bound` are those of the sequential test, `stronger` its verdict.
    """

    game: GameKey
    bots: tuple[str, str]
    pairs: tuple[int, ...]
    score: float
    score_low: float
    score_high: float
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    won: dict[Seat, float]
    ms_per_decision: tuple[float, float]
    faults: tuple[int, int]
    llr: float | None = None
    llr_bound: float | None = None
    stronger: bool | None = None


class TunedShape(Shape, frozen=True, kw_only=True, tag="tuned"):
    """Weights that were fitted to the matches of a bot. `log_loss` is that on the matches held out, `log_loss_now` that of the weights that the bot has today."""

    game: GameKey
    policy: str
    matches: int
    seed: str
    samples: int
    bias: float
    weights: dict[str, float]
    log_loss: float
    log_loss_now: float
