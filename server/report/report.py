"""Makes the report of a match."""

from typing import NamedTuple

from core.audit.verdicts import Audited
from server.page_parts.story import Story
from server.report.figures import Figures, figures_of
from server.report.page import report_page


class Report(NamedTuple):
    """A report: its figures, and its page as HTML."""

    figures: Figures
    page: str


def make_report(story: Story, audited: Audited, *, problem: str = "", cut: str = "") -> Report:
    """Make the report of a match; it depends on nothing but the match, what was checked of it, and who looks.

    Args:
        story: The match as the seat has seen it; at least its first event.
        audited: What is known of its evidence.
        problem: Why names and pictures are missing.
        cut: Why it is told only in part.
    """
    figures = figures_of(story, audited, problem=problem, cut=cut)
    return Report(figures, report_page(story, figures))
