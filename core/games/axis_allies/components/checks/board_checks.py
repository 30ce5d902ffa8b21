"""What several places of a board file say together.

Each demand is either one without which no match can be played, or a statement of the rulebook's text that the shipped file cannot
show figure by figure, because it is about sums, places or rows that are reconstructed. Only a variant may contradict the latter.
"""

from core.components.findings import Findings
from core.components.shared_checks import check_ids, check_names
from core.games.axis_allies.components.board_records import BoardFile
from core.games.axis_allies.components.checks.chart_checks import check_charts
from core.games.axis_allies.components.checks.map_checks import ZONES, check_map
from core.games.axis_allies.components.checks.text_checks import check_text
from core.toml_lines import Path


def check_board(file: BoardFile, findings: Findings) -> None:
    """Note all that keeps a board from being played on, and all that contradicts the text."""
    check_names(findings, ZONES, {row.id: row.name for row in file.zones.rows})
    rows: dict[Path, tuple[str, ...]] = {
        ZONES: tuple(row.id for row in file.zones.rows),
        ("crossings", "rows"): tuple(row.id for row in file.crossings.rows),
        ("ambush_sites", "rows"): tuple(row.id for row in file.ambush_sites.rows),
        ("units", "rows"): tuple(row.id for row in file.units.rows),
        ("uranus", "cards"): tuple(row.id for row in file.uranus.cards),
    }
    check_ids(findings, [((*path, index), id_) for path, ids in rows.items() for index, id_ in enumerate(ids)])
    check_map(file, findings)
    check_charts(file, findings)
    if not findings.has_any():
        check_text(file, findings)
