"""The cards as a reader sees them before a match: the map, the lists, and where the figures come from."""

from core.board_svg import draw_svg
from core.components.board_report import component_text, make_board_report
from core.components.provenance import Provenance, report_provenance
from core.components.schema import at_path
from core.game import BoardReport
from core.games.battle.components.card_file import CARD_FILE
from core.games.battle.components.card_model import CardFile
from core.games.battle.components.view.card_list import card_lines
from core.games.battle.components.view.map import LEGEND, map_places, map_remark, printed_looks
from core.toml_lines import Path
from events.codec import convert, replace

TITLE = "Battle for Stalingrad"


def make_report(text: str | None, variant: str = "") -> BoardReport:
    """Show the shipped cards, or others.

    Raises:
        BoardInvalid: The card file has defects; all of them are listed.
    """
    cards = CARD_FILE.load(text, variant)
    read = component_text(CARD_FILE, text)
    is_invented = Invented(read.plain)
    looks = printed_looks(cards, is_invented)
    lines = card_lines(convert(read.plain, CardFile), is_invented)
    sheet = make_board_report(
        CARD_FILE, text, variant, lines, draw_svg(TITLE, map_places(cards), looks, LEGEND, map_remark(cards))
    )
    report = report_provenance(CardFile, read)
    # The sentences that something invented was made to fit are quoted in full.
    cited = {
        source
        for figures in report.sections.values()
        for figure in figures
        if figure.word not in report.settled
        for source in figure.sources
    }
    quoted = [f"{key}: {sentence}" for key, sentence in report.sources.items() if key in cited]
    return replace(sheet, words=report.words, doubtful=(*sheet.doubtful, *quoted))


class Invented:
    """Tells what of a card file is neither from the rulebook's text nor from the printed game.

    Args:
        plain: The file's data.
    """

    def __init__(self, plain: dict[str, object]) -> None:
        self._plain = plain
        self._provenance = Provenance(plain)

    def __call__(self, path: Path, field: str) -> bool:
        """Return whether a field of the record at a path, or a part of it, is there and reconstructed."""
        value = at_path(self._plain, (*path, field))
        parts = list(value) if isinstance(value, dict) else []
        fields: list[Path] = [(*path, field, part) for part in parts] or [(*path, field)]
        return value is not None and any(self._provenance.is_invented(one) for one in fields)
