"""The cards of a match: the packaged ones, or those of an owner's own file after it has been checked.

The parts are in `card_model`. What any card file must satisfy is in `card_form` and `rules_form` (form, words, figures of the
rules), `card_checks` (what several places of a file say together), `card_facts` and `action_facts` (what the rulebook's text
says of single cards) and `card_provenance` (what the file says about its sources).
"""

import tomllib
from functools import cache
from hashlib import sha256
from importlib.resources import files

from core.board_file import BoardInvalid, Findings
from core.games.battle.components.card_loader import build_cards
from core.games.battle.components.card_model import Cards
from core.games.battle.components.card_rows import read_rows
from core.games.battle.components.checks.action_card_constraints import check_actions
from core.games.battle.components.checks.card_constraints import check_facts
from core.games.battle.components.checks.card_schema import CARD_FORM
from core.games.battle.components.checks.playable_cards import check_cards
from core.games.battle.components.checks.provenance import check_provenance
from core.outside_toml import TextDefect, outside_bytes, read_outside
from events.ids import Digest

CARD_FILE = ("data", "board.toml")


def load_cards(source: bytes | str | None = None) -> Cards:
    """Return the packaged cards, or those of an owner's file.

    Args:
        source: The file's exact bytes, or its text if it never was a file; None for the packaged cards, read once.

    Raises:
        BoardInvalid: The file has defects; all of them are listed.
    """
    if source is None:
        return _packaged_cards()
    cards = read_cards(outside_bytes(source))
    if not isinstance(cards, Cards):
        raise BoardInvalid(cards)
    return cards


def read_cards(data: bytes) -> Cards | tuple[TextDefect, ...]:
    """Check a card file and make its cards; never raises.

    Args:
        data: Anything.

    Returns:
        The cards, or every defect of the file, in the order of their lines, at least one.
    """
    text = read_outside(data)
    if isinstance(text, TextDefect):
        return (text,)
    findings = Findings(text)
    CARD_FORM.check(text.plain, (), findings)
    rows = read_rows(text.plain, list(findings.paths))
    check_cards(text.plain, rows, findings)
    check_facts(rows, findings)
    check_actions(rows, findings)
    check_provenance(text.plain, findings)
    defects = findings.defects()
    if defects:
        return defects
    return build_cards(text.plain, card_digest(data), is_packaged=data == packaged_bytes())


def card_digest(data: bytes) -> Digest:
    """Return the name under which a match records its cards: the SHA-256 over the file's exact bytes."""
    return Digest(sha256(data).hexdigest())


@cache
def packaged_bytes() -> bytes:
    """Return the card file that ships with the game."""
    return files("core.games.battle").joinpath(*CARD_FILE).read_bytes()


@cache
def _packaged_cards() -> Cards:
    # The tests have checked the packaged file, so that opening a match need not check it again.
    data = packaged_bytes()
    return build_cards(tomllib.loads(data.decode()), card_digest(data), is_packaged=True)
