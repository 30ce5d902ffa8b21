"""Prints the statistics of a match: dice and luck, losses, control over time."""

from collections.abc import Iterator

from cli.output.columns import in_columns
from cli.schemas.statistics import DiceShape, StatisticsShape
from cli.views.match_view import MatchView
from core.telling.names import Names
from projections.control import control_history
from projections.dice import DiceTally, dice_report
from projections.losses import by_round, losses

LOSSES = ("Left the map", "Came back", "Steps lost", "Steps regained")
"""The columns of losses; a piece that leaves the map takes its steps along."""


def statistics_shape(seen: MatchView) -> StatisticsShape:
    """Compute the statistics of what a seat has seen of a match."""
    names = seen.names
    events = list(seen.events())
    dice = dice_report(events)
    lost = losses(events, names.is_in_play, names.is_force)
    control = control_history(events)
    return StatisticsShape(
        match=seen.match,
        seat=seen.seat,
        seq=seen.number,
        dice=tuple([_dice_shape(tally) for tally in dice.by_purpose]),
        all_dice=tuple([_dice_shape(tally) for tally in dice.overall]),
        losses=tuple(lost),
        losses_by_round=tuple(by_round(lost)),
        control=control.stands,
        control_changes=control.changes,
    )


def _dice_shape(tally: DiceTally) -> DiceShape:
    return DiceShape(
        purpose=tally.purpose,
        sides=tally.sides,
        rolls=tally.rolls,
        counts=tally.counts,
        mean=round(tally.mean, 4),
        expected=tally.expected,
        luck=round(tally.luck, 4),
        p_value=round(tally.p_value, 4),
    )


def statistics_lines(names: Names, figures: StatisticsShape, width: int) -> Iterator[str]:
    """Return the statistics as tables; those of dice and of control only for a game that has any."""
    rows = [_dice_row(dice) for dice in (*figures.dice, *figures.all_dice)]
    if rows:
        yield "Dice"
        titles = ["For", "Rolls", "Faces (1, 2, …)", "Mean", "Fair", "Luck", "Chance of this"]
        yield from in_columns(titles, rows, width, right=[1, 3, 4, 5, 6])
        yield ""
    yield "Losses"
    counts = [(one.left, one.returned, one.steps_lost, one.steps_regained) for one in figures.losses_by_round]
    # A kind of loss that the game does not have, or that has not happened, has no column.
    told = [place for place in range(len(LOSSES)) if any(row[place] for row in counts)]
    lost = [
        [f"  {one.round}", names.side(one.side), *(str(row[place]) for place in told)]
        for one, row in zip(figures.losses_by_round, counts, strict=True)
    ]
    titles = [f"  {names.round}", "Side", *(LOSSES[place] for place in told)]
    yield from in_columns(titles, lost, width, right=list(range(2, len(titles))))
    sides = list(dict.fromkeys(side for stand in figures.control for side in stand.held))
    if not sides:
        return
    yield ""
    yield f"Places held at the end of each {names.round.lower()}"
    held = [[f"  {stand.round}", *(str(stand.held.get(side, 0)) for side in sides)] for stand in figures.control]
    yield from in_columns(
        [f"  {names.round}", *map(names.side, sides)], held, width, right=list(range(1, len(sides) + 1))
    )


def _dice_row(dice: DiceShape) -> list[str]:
    return [
        f"  {dice.purpose or f'all dice of {dice.sides}'}",
        str(dice.rolls),
        " ".join(str(count) for count in dice.counts),
        f"{dice.mean:.2f}",
        f"{dice.expected:.1f}",
        f"{dice.luck:+.1f}",
        f"{dice.p_value:.2f}",
    ]
