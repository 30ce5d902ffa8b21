"""Makes what is kept of a match, its report or its film, in a process of its own, which the pictures keep busy for seconds.

On standard input it gets a line that says what is wanted, and then a line for each commit that a seat has seen; it prints the file.
"""

import sys
from collections.abc import Iterable

from core.audit.audit_report import AuditReport
from core.audit.verdicts import Audited
from core.match.bound_games import bound_game
from core.telling.chosen_options import title_of
from core.telling.names import Names
from events.codec import Decoder, Struct
from events.ids import GameKey, MatchId, Seat
from server.page_parts.piped_match import given
from server.page_parts.story import Story
from server.report.film import make_film
from server.report.report import make_report

REPORT, FILM = "report", "film"
NOT_AUDITED = "the pages have not audited the match; `wardiary report` does"


class Wanted(Struct, frozen=True, kw_only=True):
    """Request for the report or the film of a match as a seat has seen it.

    `board` is the text of a board that does not ship with the game; `audit` what was found by the last audit, if there was one.
    """

    what: str
    match: MatchId
    seat: Seat
    game: GameKey
    board: str | None = None
    variant: str = ""
    audit: AuditReport | None = None


_WANTED: Decoder[Wanted] = Decoder(Wanted)


def made(lines: Iterable[bytes]) -> str:
    """Return the file that is wanted; see `server.page_parts.piped_match`.

    Raises:
        DecodeError: The lines are others.
        SetupInvalid: The board is not valid.
    """
    wanted, seen = given(lines, _WANTED)
    narration = bound_game(wanted.game, wanted.board, wanted.variant).narration
    story = Story(wanted.match, wanted.seat, Names(narration), narration)
    for slice_ in seen:
        story.take(slice_)
    if wanted.what == FILM:
        return make_film(story, narration, title_of(wanted.game))
    checked = Audited(report=wanted.audit, why_not=NOT_AUDITED, parent=story.now.parent)
    return make_report(story, checked).page


if __name__ == "__main__":
    sys.stdout.buffer.write(made(sys.stdin.buffer).encode())
