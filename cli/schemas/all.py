"""Lists all shapes, for their schemas."""

from cli.schemas.arena import ArenaMatchShape, ArenaShape, BotCheckShape, PairShape, StrengthShape
from cli.schemas.base import ErrorShape, Shape
from cli.schemas.evidence import (
    ArchiveShape,
    AuditShape,
    BackupShape,
    DiffShape,
    EvidenceShape,
    ExplainedShape,
    PackShape,
    StoreShape,
    VerifiedShape,
    ViewShape,
)
from cli.schemas.finding import BlameShape, FoundShape, MomentShape
from cli.schemas.games import AidShape, BoardShape, GameShape, InventoryShape, NewGameShape, RuleShape, RulingShape
from cli.schemas.matches import (
    EventShape,
    FrameShape,
    LegalShape,
    MatchShape,
    OddsShape,
    OpenedShape,
    PlayedShape,
    PlayingShape,
    SeatShape,
    TableShape,
)
from cli.schemas.report import ReportShape
from cli.schemas.server import (
    ArbitersShape,
    BotShape,
    CheckShape,
    InvitationShape,
    KeysShape,
    PagesShape,
    ServingShape,
    SimulatedShape,
    StepShape,
    SummaryShape,
)
from cli.schemas.statistics import StatisticsShape
from cli.schemas.trials import SharesShape, TrialsShape

SHAPES: tuple[type[Shape], ...] = (
    ErrorShape,
    GameShape,
    AidShape,
    RuleShape,
    RulingShape,
    BoardShape,
    InventoryShape,
    NewGameShape,
    OpenedShape,
    MatchShape,
    SeatShape,
    TableShape,
    StatisticsShape,
    EventShape,
    FoundShape,
    BlameShape,
    MomentShape,
    LegalShape,
    OddsShape,
    TrialsShape,
    SharesShape,
    PlayedShape,
    FrameShape,
    ExplainedShape,
    DiffShape,
    AuditShape,
    PackShape,
    VerifiedShape,
    StoreShape,
    EvidenceShape,
    ArchiveShape,
    ViewShape,
    BackupShape,
    ReportShape,
    InvitationShape,
    ArbitersShape,
    PlayingShape,
    PagesShape,
    ServingShape,
    KeysShape,
    BotShape,
    ArenaShape,
    ArenaMatchShape,
    BotCheckShape,
    PairShape,
    StrengthShape,
    SimulatedShape,
    SummaryShape,
    CheckShape,
    StepShape,
)
"""All shapes, in the order of the documentation."""
