"""The report of a match."""

from cli.schemas.base import Shape
from server.report.figures import Figures


class ReportShape(Shape, frozen=True, kw_only=True, tag="report"):
    """The figures of a report, and the file that it was written to; empty if none was."""

    file: str
    figures: Figures
