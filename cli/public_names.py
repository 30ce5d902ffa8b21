"""The public names of `import wardiary`, loaded together when the first of them is used."""

from core.audit.audit_report import AuditReport
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
    "Option": Option,
    "RequestFailed": RequestFailed,
    "Step": Step,
    "Table": Table,
    "games": games,
    "load": load_match,
    "open": open_match,
}
