"""Plans the matches of a simulation: scenarios, modes, options and bots in all combinations."""

from collections.abc import Iterator, Mapping, Sequence

from core.checking.randomness import MakeRandomness, Randomness
from core.checking.simulated_match import Plan
from core.game.game_record import Game, Mode, OptionSpec, Scenario, needless_options
from events.ids import Seat
from events.vocabulary import Value


def plans(
    game: Game,
    *,
    matches: int,
    bots: Sequence[str],
    scenarios: Sequence[tuple[Scenario, Mode]],
    named: Mapping[str, Value],
    is_swept: bool,
    seed: str,
    steps_max: int,
    is_audited: bool,
    save_failures: str,
    make_randomness: MakeRandomness,
) -> Iterator[Plan]:
    """Plan matches; the same arguments give the same plans.

    Args:
        game: The game.
        matches: The number of matches.
        bots: Policies, at least one.
        scenarios: Scenarios with a mode each, at least one; they take turns.
        named: Options that are the same in all matches.
        is_swept: Whether the other options vary.
        seed: The source of all random choices.
        steps_max: How many commands a match may have.
        is_audited: Whether each match is audited.
        save_failures: Folder for the archives of failed matches; empty to save none.
        make_randomness: Returns the source of the options that vary.
    """
    for number in range(matches):
        scenario, mode = scenarios[number % len(scenarios)]
        # Bots change once all scenarios have had their turn, so that each plays each.
        turn = number // len(scenarios)
        specs = [spec for spec in game.options if spec.is_for(scenario, mode)]
        options = {key: value for key, value in named.items() if key in {spec.key for spec in specs}}
        if is_swept:
            free = [spec for spec in specs if spec.key not in named]
            options |= swept(free, turn // max(1, len(bots)), make_randomness(f"{seed}/{number}"))
        yield Plan(
            number=number + 1,
            game=game.key,
            scenario=scenario.key,
            mode=mode.key,
            options=options,
            bots=seated(tuple(mode.seats), bots, turn),
            seed=f"{seed}/{number + 1}",
            steps_max=steps_max,
            is_audited=is_audited,
            save_failures=save_failures,
        )


def seated(seats: Sequence[Seat], bots: Sequence[str], turn: int) -> dict[Seat, str]:
    """Let the bots take turns: over the seats, and from match to match."""
    return {seat: bots[(place + turn) % len(bots)] for place, seat in enumerate(seats)}


def swept(specs: Sequence[OptionSpec], turn: int, dice: Randomness) -> dict[str, Value]:
    """Choose options: first none, then all switches, then each switch alone, then random combinations; none without one that it needs."""
    known = {spec.key: spec for spec in specs}
    values = _varied(specs, turn, dice)
    needless = needless_options(known, values)
    return {key: value for key, value in values.items() if key not in needless}


def _varied(specs: Sequence[OptionSpec], turn: int, dice: Randomness) -> dict[str, Value]:
    switches = [spec for spec in specs if isinstance(spec.default, bool)]
    if turn == 0:
        return {}
    if turn == 1:
        return {spec.key: True for spec in switches}
    if turn - 2 < len(switches):
        return {switches[turn - 2].key: True}
    return {spec.key: _any_value(spec, dice) for spec in specs}


def _any_value(spec: OptionSpec, dice: Randomness) -> Value:
    if isinstance(spec.default, bool):
        return dice.random() < 0.5
    if isinstance(spec.default, int):
        return dice.randint(spec.low, spec.high)
    if isinstance(spec.default, str):
        return dice.choice(spec.choices)
    return tuple(choice for choice in spec.choices if dice.random() < 0.5)
