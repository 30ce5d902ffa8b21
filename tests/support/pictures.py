"""Takes the pictures of the README from matches that bots have played: `python -m tests.support.pictures FOLDER`.

The matches have seeded dice, so that they are the same each time; what changes is how the pages show them.
"""

import sys
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser

from events.ids import PUBLIC, MatchId, Seat
from events.vocabulary import DiceRolled
from server.web.http.addresses import at_match
from tests.support.chromium import MISSING, chromium
from tests.support.site import Site, site
from tests.support.visitors import Visitor, visitors_of

SIZE = (1400, 900)
QUALITY = 60
"""Of the pictures, in per cent: text stays sharp, and each has at most 200 kB."""
BYTES_MAX = 200_000


class Shot(NamedTuple):
    """A picture: the match of a game after so many commands, when the seat that looks is to decide; or the last dice, explained."""

    name: str
    game: str
    seed: str
    commands: int
    seat: Seat
    is_explained: bool = False


SHOTS = (
    Shot("battle", "battle", "first-match", 14, Seat("russian")),
    Shot("explanation", "advance", "42", 60, PUBLIC, is_explained=True),
)


def take(browser: Browser, folder: Path) -> list[Path]:
    """Take all pictures, and return their files.

    Args:
        browser: The browser.
        folder: Where the files are written.
    """
    files: list[Path] = []
    with site() as made, visitors_of(browser) as visitors:
        for shot in SHOTS:
            match = made.prepared(shot.game, commands=shot.commands, seed=shot.seed)
            while shot.seat not in (PUBLIC, made.mover(match)):
                made.advance(match, 1)
            visitor = visitors.new(made, shot.name, width=SIZE[0], height=SIZE[1])
            _go(visitor, made, match, shot)
            file = folder / f"{shot.name}.jpg"
            visitor.page.screenshot(path=file, type="jpeg", quality=QUALITY)
            files.append(file)
    return files


def _go(visitor: Visitor, made: Site, match: MatchId, shot: Shot) -> None:
    """Open the page that is taken."""
    if shot.seat != PUBLIC:
        visitor.sit(match, shot.seat)
        return
    visitor.go(at_match(match, _last_roll(made, match), is_why=True, to="now"))


def _last_roll(made: Site, match: MatchId) -> int:
    """Return the last event with dice to which something is added."""
    events = [event for slice_ in made.owner.log(match, PUBLIC) for event in slice_.events]
    rolls = [number for number, one in enumerate(events, 1) if isinstance(one, DiceRolled) and len(one.modifiers) > 1]
    return rolls[-1]


def main() -> None:
    """Take the pictures into the named folder."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        if browser is None:
            sys.exit(MISSING)
        for file in take(browser, folder):
            sys.stdout.write(f"{file}: {file.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
