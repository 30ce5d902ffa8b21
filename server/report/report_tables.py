"""The tables of a report."""

from collections.abc import Iterable, Mapping, Sequence

from core.audit.verdicts import BROKEN, HOLDS, OTHER_RULES, Check
from core.telling.names import Names
from events.vocabulary import DiceRolled
from server.page_parts.dice_html import faces
from server.page_parts.html import Content, Html, span, tag
from server.page_parts.story import Story
from server.report.figures import Figures
from server.report.luck import FairnessTest, RollLuck, SideLuck
from server.report.words import deviation, duration, percent

CHECK_NAMES = {
    "chain": "Chain",
    "rules": "Rules",
    "dice": "Dice",
    "links": "Links of the dice",
    "signatures": "Signatures",
    "fork": "Origin of the fork",
}
CHECK_NAMES_OF_DRAWS = {**CHECK_NAMES, "dice": "Draws", "links": "Links of the draws"}
"""What the checks are called of a game without dice."""
VERDICTS = {HOLDS: "✓ holds", BROKEN: "✗ broken", OTHER_RULES: "– other rules"}
TESTS = {
    "faces": "Faces: chi-square test (Pearson)",
    "sum": "Sum of all faces: normal test",
    "runs": "Order of high and low dice: runs test (Wald and Wolfowitz)",
}
LONG = 30
"""Text of so many characters has a column that does not get narrow."""
UNUSUAL = 0.01
"""Below this p-value the report calls dice unusual."""

Row = Sequence[Content]


def table(
    header: Sequence[str],
    rows: Iterable[Row],
    right: Sequence[int] = (),
    class_: str = "data",
    *,
    is_labelled: bool = False,
) -> Html:
    """Return a table that can be scrolled sideways where it is too wide.

    Args:
        header: The names of the columns.
        rows: The cells of each row.
        right: The columns of numbers, from 0.
        class_: The class of the table.
        is_labelled: Whether each cell bears the name of its column, for a narrow screen on which each row is a list.
    """

    def cells(kind: str, row: Row) -> list[Html]:
        scope = "col" if kind == "th" else None
        labels = header if is_labelled and kind == "td" else [None] * len(row)
        return [
            tag(
                kind,
                {"class": _cell_class(kind, cell, is_right=place in right), "scope": scope, "data-column": label},
                cell,
            )
            for place, (cell, label) in enumerate(zip(row, labels, strict=True))
        ]

    head = tag("thead", None, tag("tr", None, cells("th", header)))
    body = tag("tbody", None, [tag("tr", None, cells("td", row)) for row in rows])
    inner = tag("table", {"class": class_}, head, body)
    return tag("div", {"class": "wide", "tabindex": 0, "role": "group", "aria-label": ", ".join(header)}, inner)


def _cell_class(kind: str, cell: Content, *, is_right: bool) -> str | None:
    if is_right:
        return "right"
    return "words" if kind == "td" and isinstance(cell, str) and len(cell) >= LONG else None


def checks_table(checks: Iterable[Check], names: Mapping[str, str]) -> Html:
    """Return every check under its name with its verdict and what it proves."""
    rows: list[Row] = [
        [
            tag("strong", None, names[one.check]),
            span(f"verdict {one.verdict}", VERDICTS.get(one.verdict, "– not proven")),
            one.words,
            one.proves,
        ]
        for one in checks
    ]
    return table(["Check", "Verdict", "Found", "What it proves, and what not"], rows, class_="data checks")


def luck_table(luck: Sequence[SideLuck], names: Names) -> Html:
    """Return the luck of each side with its band."""
    rows: list[Row] = [
        [names.side(one.side), one.rolls, deviation(one.luck), f"± {one.band:.2f}", luck_words(one)] for one in luck
    ]
    header = ["Side", "Rolls", "Luck", "95 % band", "In words"]
    return table(header, rows, right=[1, 2, 3], class_="data stacked", is_labelled=True)


def luck_words(one: SideLuck) -> str:
    """Return whether luck is usual."""
    if one.is_usual:
        return "within the band: nothing unusual"
    return f"outside the band: {'luckier' if one.luck > 0 else 'less lucky'} than more than 97.5 of 100 fair matches"


def fairness_table(tests: Sequence[FairnessTest]) -> Html:
    """Return the tests of the dice."""
    rows: list[Row] = [
        [
            f"{TESTS[one.test]}{f', {one.sides} sides' if one.sides != 6 else ''}",
            one.dice,
            f"{one.statistic:.2f}",
            f"{one.p_value:.4f}" if one.is_enough else "–",
            _fairness_words(one),
        ]
        for one in tests
    ]
    header = ["Test", "Dice", "Statistic", "p-value", "In words"]
    return table(header, rows, right=[1, 2, 3], class_="data stacked", is_labelled=True)


def _fairness_words(one: FairnessTest) -> str:
    if not one.is_enough:
        return "too few dice to say anything"
    often = f"fair dice deviate at least so far in {percent(one.p_value)} of matches"
    return f"{'unusual' if one.p_value < UNUSUAL else 'nothing unusual'}: {often}"


def counts_table(rolls: Iterable[RollLuck]) -> Html:
    """Return how often each face fell, by the size of the dice."""
    counts: dict[int, list[int]] = {}
    for roll in rolls:
        if not roll.is_chosen:
            for face in roll.faces:
                if 1 <= face <= roll.sides:
                    counts.setdefault(roll.sides, [0] * roll.sides)[face - 1] += 1
    shown = {sides: found for sides, found in counts.items() if sides <= 20}
    widest = max([0, *shown])
    header = ["Dice", *map(str, range(1, widest + 1)), "Expected of each"]
    rows: list[Row] = [
        [f"{sum(found)} of {sides} sides", *found, *[""] * (widest - sides), f"{sum(found) / sides:.1f}"]
        for sides, found in shown.items()
    ]
    return table(header, rows, right=range(1, widest + 2))


def thinking_table(figures: Figures, names: Names) -> Html:
    """Return the thinking time of each seat."""
    rows: list[Row] = [
        [
            names.seat(one.seat),
            one.decisions,
            duration(one.total_ms),
            duration(one.median_ms),
            f"{duration(one.longest_ms)} (event {one.longest_at})",
        ]
        for one in figures.thinking
    ]
    return table(["Seat", "Decisions", "In all", "Half of them at most", "Longest"], rows, right=[1, 2, 3])


def rolls_table(story: Story, rolls: Iterable[RollLuck]) -> Html:
    """Return every roll with its purpose, the chance of its result or a higher one, and its result."""
    names = story.names
    rows: list[Row] = []
    for roll in rolls:
        event = story.events[roll.number - 1]
        assert isinstance(event, DiceRolled)
        on = names.on(story.table(roll.number - 1))
        about = f", {on.anything(roll.about)}" if roll.about else ""
        reached = (
            f"{roll.result} of {len(roll.faces)}" if roll.is_count else "–" if roll.result is None else str(roll.result)
        )
        rows.append(
            [
                span("no", roll.number),
                roll.round,
                f"{roll.purpose}{about}",
                faces(event, is_shared=True),
                f"{reached}{'' if roll.needed is None or roll.is_count else f' (needed {roll.needed})'}",
                "chosen" if roll.is_chosen else "–" if roll.chance is None else percent(roll.chance),
                "–" if roll.deviation is None else deviation(roll.deviation),
                names.side(roll.side) if roll.side else "–",
            ]
        )
    header = ["Event", names.round, "For", "Dice", "Result", "This or higher", "Deviation", "Better for"]
    return table(header, rows, right=[0, 1, 4, 5, 6])
