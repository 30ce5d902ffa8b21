"""Standing of two bots after some pairs: score, Elo, sequential test, sides and faults, as a shape and in words."""

from collections import Counter
from collections.abc import Iterator
from math import isfinite

from cli.commands.bots.arena_job import ADJUDICATED, FORFEIT, NO_END
from cli.schemas.arena import ArenaShape, PairShape, StrengthShape
from core.checking.pentanomial import RESULTS, Elo, Sprt, elo_of, sprt_of
from core.wording import counted
from events.ids import Seat


class Standing:
    """Pairs that were played, and what follows from them.

    Args:
        settings: Those of the arena.
        bounds: The differences of Elo of the sequential test; None without one.
    """

    def __init__(self, settings: ArenaShape, bounds: tuple[float, float] | None) -> None:
        self._settings = settings
        self._bounds = bounds
        self._counts = [0] * RESULTS
        self.pairs: list[PairShape] = []

    def add(self, pair: PairShape) -> None:
        """Add the next pair."""
        self.pairs.append(pair)
        self._counts[pair.half_points] += 1

    @property
    def test(self) -> Sprt | None:
        """The state of the sequential test, if there is one."""
        return None if self._bounds is None else sprt_of(tuple(self._counts), *self._bounds)

    @property
    def is_decided(self) -> bool:
        """Whether the sequential test has ended."""
        return self.test is not None and self.test.verdict is not None

    def strength(self) -> StrengthShape:
        """Return the strength by all pairs, at least one."""
        found, test = elo_of(tuple(self._counts)), self.test
        matches = [match for pair in self.pairs for match in pair.matches if match.result != FORFEIT]
        won = Counter(seat for match in matches for seat in match.winning_seats)
        sat = Counter(seat for match in matches for seat in match.seats)
        return StrengthShape(
            game=self._settings.game,
            bots=self._settings.bots,
            pairs=tuple(self._counts),
            score=round(found.score, 4),
            score_low=round(found.score_low, 4),
            score_high=round(found.score_high, 4),
            elo=_rounded(found.elo),
            elo_low=_rounded(found.low),
            elo_high=_rounded(found.high),
            won={seat: round(won[seat] / count, 4) for seat, count in sorted(sat.items())},
            ms_per_decision=(self._ms_per_decision(1), self._ms_per_decision(2)),
            faults=(len(self._faults(1)), len(self._faults(2))),
            llr=None if test is None else round(test.llr, 3),
            llr_bound=None if test is None else round(test.bound, 3),
            stronger=None if test is None else test.verdict,
        )

    def lines(self) -> Iterator[str]:
        """Yield the strength by all pairs, at least one, in words."""
        settings, strength = self._settings, self.strength()
        first, second = settings.bots
        where = " ".join([one for one in (settings.scenario, settings.mode) if one])
        yield f"{counted(len(self.pairs), 'pair')} of {where}, seed {settings.seed}."
        yield (
            f"{first} scores {strength.score:.1%} ({strength.score_low:.1%} to {strength.score_high:.1%}); "
            f"Elo {_elo_text(elo_of(tuple(self._counts)))}."
        )
        yield f"Points of its pairs: {', '.join(f'{points / 2:g}: {count}' for points, count in enumerate(self._counts))}."
        yield f"Won by seat: {', '.join(f'{seat} {share:.0%}' for seat, share in strength.won.items()) or 'none'}."
        ms = strength.ms_per_decision
        yield f"A decision takes {first} {ms[0]:.1f} ms, {second} {ms[1]:.1f} ms."
        unended = sum(match.result == NO_END for pair in self.pairs for match in pair.matches)
        if unended:
            yield (
                f"{counted(unended, 'match', 'matches')} had no end after {settings.steps_max} commands, "
                "and count as drawn."
            )
        agreed = sum(match.result == ADJUDICATED for pair in self.pairs for match in pair.matches)
        if agreed:
            yield (
                f"{counted(agreed, 'match', 'matches')} ended when all bots had said {counted(settings.times, 'time')} "
                f"in a row that the same one wins with {settings.sure:.0%} or more."
            )
        if self.test is not None:
            yield _test_text(first, self.test)
        for bot, title in enumerate(settings.bots, start=1):
            faults = self._faults(bot)
            if faults:
                number, seat, fault = faults[0]
                yield (
                    f"{title} lost {counted(len(faults), 'match', 'matches')} by its own fault; "
                    f"in pair {number}, as {seat}, it {fault}."
                )

    def failure(self) -> str:
        """Return which bot has lost every match that it played by its own fault, so that nothing is known of its strength; empty if none has."""
        said = []
        for bot, title in enumerate(self._settings.bots, start=1):
            played = sum(bot in match.seats.values() for pair in self.pairs for match in pair.matches)
            faults = self._faults(bot)
            if faults and len(faults) == played:
                said.append(f"{title} lost every match by its own fault: it {faults[0][2]}")
        return "; ".join(said)

    def _ms_per_decision(self, bot: int) -> float:
        matches = [match for pair in self.pairs for match in pair.matches]
        sat = [(match, seat) for match in matches for seat, number in match.seats.items() if number == bot]
        decisions = sum([match.decisions[seat] for match, seat in sat])
        return round(sum([match.ms[seat] for match, seat in sat]) / decisions, 3) if decisions else 0.0

    def _faults(self, bot: int) -> list[tuple[int, Seat, str]]:
        """Return the faults by which a bot lost: the number of the pair, its seat and the fault."""
        return [
            (pair.number, match.at_fault, match.fault)
            for pair in self.pairs
            for match in pair.matches
            if match.fault and match.seats[match.at_fault] == bot
        ]


def _rounded(elo: float) -> float | None:
    return round(elo, 1) if isfinite(elo) else None


def _elo_text(found: Elo) -> str:
    told = [
        f"{one:+.0f}" if isfinite(one) else f"{'+' if one > 0 else '-'}∞" for one in (found.elo, found.low, found.high)
    ]
    return f"{told[0]} ({told[1]} to {told[2]})"


def _test_text(first: str, test: Sprt) -> str:
    state = f"SPRT {test.low:g} to {test.high:g} Elo: LLR {test.llr:.2f}, bounds ±{test.bound:.2f}"
    if test.verdict is None:
        return f"{state}; not decided, more pairs are needed."
    nearer, other = (test.high, test.low) if test.verdict else (test.low, test.high)
    return f"{state}; {first} is nearer to {nearer:g} Elo than to {other:g}."
