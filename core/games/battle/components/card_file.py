"""The cards of a match: the packaged ones, or those of an owner's own file after it has been checked.

The parts are in `card_model`; what any owner's file must satisfy is in `checks`, which the packaged cards do not need: the
tests have checked them.
"""

import tomllib
from functools import cache
from hashlib import sha256
from importlib.resources import files

from core.games.battle.components.card_loader import build_cards
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import PACKAGE
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
    # Play with the packaged cards, the usual ones, does without all that checks a file.
    from core.games.battle.components.checks.card_checks import checked_cards

    return checked_cards(source)


def card_digest(data: bytes) -> Digest:
    """Return the name under which a match records its cards: the SHA-256 over the file's exact bytes."""
    return Digest(sha256(data).hexdigest())


@cache
def packaged_bytes() -> bytes:
    """Return the card file that ships with the game."""
    return files(PACKAGE).joinpath(*CARD_FILE).read_bytes()


@cache
def _packaged_cards() -> Cards:
    # The tests have checked the packaged file, so that opening a match need not check it again.
    data = packaged_bytes()
    return build_cards(tomllib.loads(data.decode()), card_digest(data), is_packaged=True)
