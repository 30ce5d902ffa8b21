"""Checks that an archive holds a match that can be loaded here, before any of it is stored.

The chain was checked when the archive was read. Here its attached files are parsed for its game and its events are
folded. Whether the rules give the same events is checked by the audit.
"""

from core.errors import RulesetMissing, SetupInvalid, UnknownName
from core.game.bound_game import BoundGame
from core.game.game_record import Game
from core.history.match_reader import read_match
from core.match.live_match import stored_game, stored_position
from core.match.match_creation import check_position, opened_with, rules_problem, settled_sides
from core.match.ruleset import Ruleset
from core.registry.games import load_game
from events.archive import attached
from events.archive_reader import Archive, store_archive
from events.errors import ArchiveError, BrokenEvidence
from events.ids import Digest
from events.log import Log
from events.memory_log import MemoryLog
from events.vocabulary import MatchOpened
from projections.state.table import Table


def check_archive(archive: Archive) -> None:
    """Check that an archive's match can be loaded.

    Raises:
        ArchiveError: A file that it was opened with is missing or not valid, or its events are not possible. The message
            names the first wrong line.
        RulesetMissing: Its game is not installed here.
    """
    log = MemoryLog()
    store_archive(archive, log)
    lines = _Lines(archive)
    try:
        kept = read_match(log, archive.match)
    except BrokenEvidence as error:
        raise lines.of_event(error.seq, error.problem) from None
    opening = kept.commits[0].events[0]
    assert isinstance(opening, MatchOpened), "the chain check lets every match begin with its opening"
    try:
        game = load_game(opening.game)
    except UnknownName as error:
        raise RulesetMissing(f"match {archive.match} cannot be imported: {error}") from None
    lines.check_files(opening)
    _check_opening(lines, game, opening, kept.table)
    bound = _bound(lines, log, opening, kept.table)
    _check_position(lines, log, bound, opening, kept.table)


class _Lines:
    """Builds the errors of an archive, with their lines.

    Args:
        archive: The archive that was read.
    """

    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    def check_files(self, opening: MatchOpened) -> None:
        """Check that every file that the match was opened with is there.

        Raises:
            ArchiveError: One is missing; the line is the one where it is expected.
        """
        for digest in attached(opening):
            if digest not in self.archive.attachments:
                what = "board" if digest == opening.board else "position"
                raise self.of_file(opening, digest, f"the {what} that the match was opened with is missing")

    def of_file(self, opening: MatchOpened, digest: Digest | None, problem: str) -> ArchiveError:
        """Return the error of a file that a match was opened with."""
        number = [None, *attached(opening)].index(digest)
        return ArchiveError(1 + number, f"{problem} (SHA-256 {digest})")

    def of_event(self, seq: int, problem: str) -> ArchiveError:
        """Return the error of the commit that an event belongs to."""
        commits = self.archive.commits
        index = next(index for index, commit in enumerate(commits) if commit.last >= seq)
        return ArchiveError(2 + len(self.archive.attachments) + index, problem, commits[index].match, seq)


def _is_of_these_rules(game: Game, opening: MatchOpened, table: Table) -> bool:
    """Return whether the opening must agree with the installed rules: a match under way may have been opened under older rules."""
    return not table.began or opening.rules == game.rules_digest


def _check_opening(lines: _Lines, game: Game, opening: MatchOpened, table: Table) -> None:
    if problem := rules_problem(opening.rules):
        raise lines.of_event(1, problem)
    try:
        scenario = game.scenario(opening.scenario)
        mode = scenario.mode(opening.mode)
        if _is_of_these_rules(game, opening, table):
            game.full_options(scenario, mode, opening.options)
    except (UnknownName, SetupInvalid) as error:
        raise lines.of_event(1, str(error)) from None
    named = (opening.scenario, opening.mode, opening.sides, opening.seats)
    if named != (scenario.key, mode.key, game.sides, tuple(mode.seats)):
        raise lines.of_event(1, f"the sides, the seats or the mode are not those of scenario {scenario.key}")


def _bound(lines: _Lines, log: Log, opening: MatchOpened, table: Table) -> BoundGame:
    try:
        return stored_game(log, table)
    except SetupInvalid as error:
        raise lines.of_file(opening, opening.board, f"the board is not valid: {error}") from None


def _check_position(lines: _Lines, log: Log, bound: BoundGame, opening: MatchOpened, table: Table) -> None:
    game = load_game(opening.game)
    mode = game.scenario(opening.scenario).mode(opening.mode)
    try:
        position = stored_position(log, table)
        plays = settled_sides(game, mode, {} if position is None else position.plays)
        # Also for a match under other rules: to be continued here it must be possible under the installed rules.
        if position is not None:
            check_position(
                Ruleset(bound, position, game.edition, game.rules_digest), opened_with(game, opening, position)
            )
    except (UnknownName, SetupInvalid) as error:
        raise lines.of_file(opening, opening.position, f"the position is not valid: {error}") from None
    if opening.plays != plays:
        raise lines.of_event(1, "the seats play other sides than the mode and the position say")
