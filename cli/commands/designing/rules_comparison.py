"""Compares two rules by simulated pairs of matches with the same seeds."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cli.commands.designing.simulation_job import Outcome
from cli.commands.playing.new import parse_options
from cli.output.columns import in_columns
from cli.schemas.trials import MeasureShape, RulesComparedShape
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from cli.shell.input_files import read_text
from core.checking.simulated_match import Files, Plan
from core.game.game_record import Game
from core.match.bound_games import bound_game
from core.telling.names import Names
from core.trials.paired import Measured, measured
from core.trials.trial_words import count_words, number, percent
from core.wording import counted, joined
from events.ids import GameKey
from events.vocabulary import Value

WON = "won by "
"""What the name of a figure begins with that is a share of victories."""


class Other(NamedTuple):
    """The other rules of a comparison, as given: options, a board file and a variant."""

    options: Sequence[str] = ()
    board: str = ""
    variant: str = ""


class OtherRules(NamedTuple):
    """The other rules of a comparison, as read: the options that are set otherwise, and the files from which matches begin."""

    options: Mapping[str, Value]
    files: Files

    def planned(self, plan: Plan, files: Files) -> list[tuple[Plan, Files]]:
        """Return the two matches of a pair."""
        return [(plan, files), (plan._replace(options={**plan.options, **self.options}), self.files)]


def words_of(other: Other) -> str:
    """Return the other rules in words, such as `rubble=true and the variant Mine`."""
    board = f"the variant {other.variant}" if other.variant else "the other board"
    return joined([*other.options, *([board] if other.board else [])])


def board_of(other: Other) -> str | None:
    """Return the text of the other board; None if there is none.

    Raises:
        UserError: It cannot be read, or a variant is named without a board.
    """
    if other.variant and not other.board:
        raise usage("--against-variant names the variant of a board: give its file with --against-board")
    return read_text(other.board) if other.board else None


def other_rules(game: Game, other: Other, files: Files, plan: Plan) -> OtherRules | None:
    """Read the other rules of a comparison; None if there is none.

    Args:
        game: The game.
        other: The other rules, as given.
        files: What the matches of the first rules begin from.
        plan: The first match of them.

    Raises:
        UserError: The other rules are those of the first matches, or an option does not exist.
        SetupInvalid: A value does not fit, the board has defects, or the game has no such variant.
    """
    if not any(other):
        return None
    options = parse_options(game, other.options)
    scenario = game.scenario(plan.scenario)
    mode = scenario.mode(plan.mode)
    first, second = (game.full_options(scenario, mode, given) for given in (plan.options, {**plan.options, **options}))
    board = board_of(other)
    found = OtherRules(options, files._replace(board=board, variant=other.variant) if board is not None else files)
    bound_game(game.key, found.files.board, found.files.variant)
    if (second, found.files) == (first, files):
        raise usage("the rules after --against are those before it: name an option or a board that differs")
    return found


def compared(outcomes: Sequence[Outcome], other: Other) -> RulesComparedShape | None:
    """Compare pairs of matches, whose outcomes follow each other; None if no pair ended well.

    A pair in which a match failed is left out.
    """
    pairs = [
        (first, second)
        for first, second in zip(outcomes[::2], outcomes[1::2], strict=False)
        if not (first.problem or second.problem)
    ]
    if not pairs:
        return None
    figures = [(_figures(first), _figures(second)) for first, second in pairs]
    measures = {
        name: measured([first.get(name, 0.0) for first, _ in figures], [second.get(name, 0.0) for _, second in figures])
        for name in figures[0][0]
    }
    return RulesComparedShape(
        game=GameKey(pairs[0][0].plan.game),
        other=words_of(other),
        pairs=len(pairs),
        measures=tuple([MeasureShape(name=name, measured=one) for name, one in measures.items()]),
    )


def _figures(outcome: Outcome) -> dict[str, float]:
    """Return what is compared of a match."""
    return {
        **{f"{WON}{side}": share for side, share in outcome.won.items()},
        "rounds": outcome.rounds,
        "commands": outcome.steps,
        **outcome.counts,
    }


def comparison_lines(context: Context, names: Names, found: RulesComparedShape) -> Iterator[str]:
    """Yield a comparison as a table, and what can be said of it."""
    told = [one for one in found.measures if one.name.startswith(WON) or one.measured.difference.value]
    rows = [
        [
            measure_words(names, one.name),
            _figure(one, one.measured.first.value),
            _figure(one, one.measured.second.value),
            _difference(one),
            "yes" if one.measured.is_told else _open(one.measured),
        ]
        for one in told
    ]
    yield from in_columns(["", "As given", f"With {found.other}", "Difference", "Told"], rows, max(context.width, 100))
    yield ""
    likely = [one for one in told if one.measured.is_told]
    yield (
        f"{counted(found.pairs, 'pair')} of matches with the same seeds: with {found.other}, "
        + (
            f"{counted(len(likely), 'figure')} of {len(told)} differ{'s' if len(likely) == 1 else ''} by more than luck."
            if likely
            else "no figure differs by more than luck."
        )
    )
    yield "Of twenty figures that differ by luck alone, one is told nevertheless."


def measure_words(names: Names, name: str) -> str:
    """Return what is measured, in words."""
    if name.startswith(WON):
        return f"Won by {names.of(name.removeprefix(WON))}"
    words = {"rounds": f"{names.round}s", "commands": "Commands"}.get(name) or count_words(names, name)
    return words[:1].upper() + words[1:]


def _figure(one: MeasureShape, value: float) -> str:
    return f"{100 * value:.0f} %" if one.name.startswith(WON) else f"{value:.1f}"


def _difference(one: MeasureShape) -> str:
    difference = one.measured.difference
    text = percent(difference) if one.name.startswith(WON) else number(difference)
    return text if difference.value <= 0 else f"+{text}"


def _open(found: Measured) -> str:
    return f"about {counted(found.needed, 'pair')} would tell" if found.needed else "alike"
