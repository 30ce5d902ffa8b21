"""The cards as a reader sees them before a match: the map, the lists with a mark on what is reconstructed, and the sources."""

from textwrap import wrap

from core.drawing.board_report import columns, component_text, make_board_report
from core.drawing.picture_svg import draw_picture
from core.file_checks.checked_file import load_file
from core.file_checks.provenance import Provenance, report_provenance
from core.file_checks.schema import at_path
from core.game.game_record import BoardReport
from core.games.battle.components.card_file import CARD_FILE
from core.games.battle.components.card_model import ActionRow, CardFile, Force, Price, UranusRow
from core.games.battle.components.view.map import sheet
from core.games.battle.components.words.card_words import (
    MARK,
    MOMENTS,
    chart_words,
    force_notes,
    note_words,
    values_words,
)
from core.games.battle.ids import GERMAN, RUSSIAN, SIDE_NAMES
from core.toml.toml_lines import Path
from core.wording import counted
from events.codec import convert, replace

TEXT_CHARACTERS = 100
NOTES = ("attack_bonus", "retreat_bonus", "free_move", "ignore_hits")

COSTS = {
    "destroy_own_forces": ("Destroy", "own Force"),
    "discard_cards": ("discard", "card"),
    "discard_rations": ("discard", "Ration"),
}


def make_report(text: str | None, variant: str = "") -> BoardReport:
    """Return the report of the shipped cards, or of others.

    Raises:
        BoardInvalid: The card file has defects; all of them are listed.
    """
    cards = load_file(CARD_FILE, text, variant)
    read = component_text(CARD_FILE, text)
    is_invented = Invented(read.plain)
    svg = draw_picture(sheet(cards, is_invented))
    lines = card_lines(convert(read.plain, CardFile), is_invented)
    board_report = make_board_report(CARD_FILE, text, variant, lines, svg)
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
    return replace(board_report, words=report.words, doubtful=(*board_report.doubtful, *quoted))


class Invented:
    """Part of a card file that comes neither from the rulebook's text nor from the printed game.

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

    def marked(self, value: object, path: Path, *fields: str) -> str:
        """Return a text from some fields, with a mark if one of them is reconstructed; an empty text gets none."""
        text = str(value)
        return f"{text}{MARK}" if text and any(self(path, field) for field in fields) else text


def card_lines(file: CardFile, is_invented: Invented) -> tuple[str, ...]:
    """List all cards of a file."""
    marked = is_invented.marked
    lines = ["Locations: Rations by Rubble, and what each does for its controller", "", *_locations(file, is_invented)]
    header = ("Force", "Combat", "Rations", "Cost", "Notes")
    for side in (GERMAN, RUSSIAN):
        forces = [(("force", index), force) for index, force in enumerate(file.force) if force.side == side]
        rows = [_force(path, force, is_invented) for path, force in forces]
        lines += ["", f"{SIDE_NAMES[side]} Forces", "", *columns(header, rows)]
    lines += ["", "Action cards: moment, and the Firefight values of the German and the Russian copies", ""]
    for index, row in enumerate(file.action):
        values = f"German {values_words(row.copies.german)}, Russian {values_words(row.copies.russian)}"
        path: Path = ("action", index)
        moment = marked(MOMENTS[row.timing], path, "timing")
        lines.append(f"{marked(row.name, path, 'name')}: {moment}; {marked(values, path, 'copies')}")
        lines += _effect(row, path, is_invented)
    lines += ["", "Operation Uranus cards, in the Russian deck: Firefight values, cost and removal", ""]
    for index, special in enumerate(file.uranus):
        path = ("uranus", index)
        values = marked(values_words(special.firefight), path, "firefight")
        cost, removal = (
            marked(_cost(special.play_cost), path, "play_cost"),
            marked(_cost(special.removal), path, "removal"),
        )
        lines.append(f"{marked(special.name, path, 'name')}: {values}; {cost}; removed: {removal}")
        lines += _effect(special, path, is_invented)
    return (*lines, "", f"{MARK} reconstructed: the rulebook's text does not give it")


def _locations(file: CardFile, is_invented: Invented) -> list[str]:
    rows: list[tuple[str, ...]] = []
    notes: list[list[str]] = []
    marked = is_invented.marked
    for index, row in enumerate(file.location):
        path: Path = ("location", index)
        kept = ("note kept" if row.note_survives else "note lost") if row.has_note else ""
        chart = marked(chart_words(row), path, "chart", "destroyed_at")
        rows.append((marked(row.name, path, "name"), chart, marked(kept, path, "note_survives")))
        notes.append(_text(marked(note_words(row), path, "note")))
    header, *lines = columns(("Location", "Rations", "When Destroyed"), rows)
    return [header, *(part for line, note in zip(lines, notes, strict=True) for part in (line, *note))]


def _force(path: Path, force: Force, is_invented: Invented) -> tuple[str, ...]:
    marked = is_invented.marked
    figures = [marked(getattr(force, field), path, field) for field in ("name", "combat", "rations", "cost")]
    return (*figures, marked(force_notes(force), path, *NOTES))


def _effect(row: ActionRow | UranusRow, path: Path, is_invented: Invented) -> list[str]:
    return _text(is_invented.marked(row.text or row.effect.op.replace("_", " "), path, "effect"))


def _cost(price: Price) -> str:
    verb, thing = COSTS[price.op]
    return f"{verb} {counted(price.count, thing)}"


def _text(text: str) -> list[str]:
    return wrap(text, TEXT_CHARACTERS, initial_indent="    ", subsequent_indent="    ")
