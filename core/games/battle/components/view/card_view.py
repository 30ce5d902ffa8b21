"""The cards for people who look at them before a match: the map, the lists, and where the figures come from."""

from core.board_provenance import ProvenanceReport, provenance_lines
from core.board_svg import draw_svg
from core.components.findings import BoardInvalid
from core.game import BoardSheet
from core.games.battle.components.card_file import load_cards, packaged_bytes
from core.games.battle.components.card_rows import read_rows
from core.games.battle.components.checks.card_schema import GAME
from core.games.battle.components.checks.provenance import Origins, report_provenance
from core.games.battle.components.view.card_list import card_lines
from core.games.battle.components.view.map import LEGEND, map_places, map_remark, printed_looks
from core.outside_toml import TextDefect, read_outside


def make_sheet(text: str | None) -> BoardSheet:
    """Show the packaged cards, or an owner's.

    Raises:
        BoardInvalid: The card file has defects; all of them are listed.
    """
    cards = load_cards(text)
    plain = read_outside(packaged_bytes() if text is None else text.encode())
    if isinstance(plain, TextDefect):
        raise BoardInvalid((plain,))
    rows, origins = read_rows(plain.plain, []), Origins(plain.plain)
    report = report_provenance(plain)
    lines = provenance_lines(report)
    summary = 1 + len(report.sections)
    return BoardSheet(
        digest=cards.digest,
        map_lines=card_lines(cards, rows, origins.is_invented),
        svg=draw_svg(
            GAME, map_places(cards), printed_looks(cards, rows, origins.is_invented), LEGEND, map_remark(cards)
        ),
        counts=report.counts,
        words=report.words,
        provenance=lines[:summary],
        doubtful=(*lines[summary:], *_sentences(report)),
    )


def _sentences(report: ProvenanceReport) -> list[str]:
    """Quote what the text says wherever something invented was made to fit it."""
    cited = {
        source
        for section in report.sections
        for fact in section.facts
        if fact.word not in report.settled
        for source in fact.sources
    }
    return [f"{key}: {sentence}" for key, sentence in report.sources.items() if key in cited]
