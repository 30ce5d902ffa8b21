"""The cards of a match: the packaged ones, or those of an owner's own file after it has been checked.

The parts are in `card_model`. What any card file must satisfy is in `card_form` (form, words, printed figures),
`card_checks` (what several places of a file say together) and `card_facts` (what the rulebook's text says of single cards).
"""

import tomllib
from functools import cache
from hashlib import sha256
from importlib.resources import files

from core.board_file import BoardDefect, BoardInvalid, Findings, read_board_text
from core.games.battle.card_build import build_cards
from core.games.battle.card_model import Cards
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
    # What UTF-8 cannot say is passed on as it is and then found as a defect.
    cards = read_cards(source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source)
    if not isinstance(cards, Cards):
        raise BoardInvalid(cards)
    return cards


def read_cards(data: bytes) -> Cards | tuple[BoardDefect, ...]:
    """Check a card file and make its cards; never raises.

    Args:
        data: Anything.

    Returns:
        The cards, or every defect of the file, in the order of their lines, at least one.
    """
    text = read_board_text(data)
    if isinstance(text, BoardDefect):
        return (text,)
    findings = Findings(text)
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
