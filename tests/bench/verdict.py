"""Judging a line: ratios to its anchors against the required and the desired bounds."""

from tests.bench.harness import Anchor, Goal, Line

MISSED = "must missed"
REACHED = "reach reached"
KEPT = "ok"
NO_GOAL = "no goal"
NOT_MEASURED = "not measured"


def ratio(line: Line, against: Anchor | None) -> float | None:
    """Return our figure divided by the anchor's, or None if either is missing."""
    if line.ours is None or against is None or not against.figure:
        return None
    return line.ours / against.figure


def judged_figure(line: Line, goal: Goal) -> float | None:
    """Return what the goal bounds: a ratio, or our own figure for a goal against `itself`."""
    if goal.against == "itself":
        return line.ours
    return ratio(line, line.limit if goal.against == "limit" else line.peer)


def _holds(line: Line, figure: float, bound: float) -> bool:
    return figure >= bound if line.more_is_better else figure <= bound


def verdict(line: Line) -> str:
    """Summarize a line in one of five words.

    A goal whose anchor could not run is ignored; without any goal left, the line counts as not measured.
    """
    if not line.goals:
        return NO_GOAL if line.ours is not None else NOT_MEASURED
    judged = [(goal, figure) for goal in line.goals if (figure := judged_figure(line, goal)) is not None]
    if not judged:
        return NOT_MEASURED
    if not all(_holds(line, figure, goal.must) for goal, figure in judged):
        return MISSED
    aimed = [(goal.reach, figure) for goal, figure in judged if goal.reach is not None]
    if aimed and all(_holds(line, figure, reach) for reach, figure in aimed):
        return REACHED
    return KEPT
