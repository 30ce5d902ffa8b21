"""All shapes, for their schemas."""

from cli.shapes.base import ErrorShape, Shape
from cli.shapes.evidence import ArchiveShape, AuditShape, DiffShape, ExplainedShape, StoreShape, ViewShape
from cli.shapes.games import BoardShape, GameShape, RuleShape, RulingShape
from cli.shapes.matches import EventShape, FrameShape, LegalShape, MatchShape, OpenedShape, PlayedShape, TableShape
from cli.shapes.server import BotShape, ServingShape, SimulatedShape, StepShape, SummaryShape
from cli.shapes.statistics import StatisticsShape

SHAPES: tuple[type[Shape], ...] = (
    ErrorShape,
    GameShape,
    RuleShape,
    RulingShape,
    BoardShape,
    OpenedShape,
    MatchShape,
    TableShape,
    StatisticsShape,
    EventShape,
    LegalShape,
    PlayedShape,
    FrameShape,
    ExplainedShape,
    DiffShape,
    AuditShape,
    StoreShape,
    ArchiveShape,
    ViewShape,
    ServingShape,
    BotShape,
    SimulatedShape,
    SummaryShape,
    StepShape,
)
"""All of them, in the order in which the documentation lists them."""
