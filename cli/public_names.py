"""The public names of `import wardiary`, loaded together when the first of them is used."""

from core.audit.audit_report import AuditReport
from core.bots.sampler import Sampler
from core.bots.world import NotLegal, World
from core.registry.game_fault import GameFault
from events.ids import ARBITER, PUBLIC
from projections.state.table import Table
from server.client.library import Match, Option, Step, games, load_match, open_match
from server.protocol.errors import RequestFailed

EXPORTS: dict[str, object] = {
    "ARBITER": ARBITER,
    "PUBLIC": PUBLIC,
    "AuditReport": AuditReport,
    "GameFault": GameFault,
    "Match": Match,
    "NotLegal": NotLegal,
    "Option": Option,
    "RequestFailed": RequestFailed,
    "Sampler": Sampler,
    "Step": Step,
    "Table": Table,
    "World": World,
    "games": games,
    "load": load_match,
    "open": open_match,
}
