"""The demonstration: a server, bots, a spectator; then replay, fork, audit, export, and a detected forgery.

Everything uses the public interfaces: the server and the bots are processes of their own and talk over
sockets; the rest is done by the other verbs.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

from cli.commands.viewing.replay import frame_line
from cli.output.audit_text import audit_lines
from cli.output.columns import wrapped
from cli.output.explanation import explained, explained_lines
from cli.schemas.server import StepShape
from cli.shell.arguments import shown_file
from cli.shell.context import Context
from cli.shell.exit_codes import check_failed, input_output
from cli.shell.processes import Processes
from cli.views.match_view import MatchView
from cli.views.stored_match import StoredMatch
from cli.views.timeline import Timeline
from core.audit.match_audit import audit_match
from core.game.game_record import Game
from core.registry.bot_policies import policy_names, usual_policy
from core.registry.games import game_keys, load_game
from core.telling.names import Names
from core.telling.narrator import Narrator
from events.archive import export_match
from events.archive_reader import read_archive
from events.errors import ArchiveError
from events.ids import PUBLIC, MatchId, Seat
from events.vocabulary import ControlChanged, DiceRolled, Event, MatchEnded, PieceRemoved, PieceRevealed
from projections.chronicle import Chronicler, Heading
from projections.diff import diff_tables, parting
from projections.state.table import Ended, Table
from projections.state.view import EventSlice
from server.client.client import Client
from server.client.sockets import connect
from server.store.archive_file import archive_lines, write_archive
from server.store.sqlite_log import SqliteLog
from server.store.whole_file import make_folder, write_whole

HIGHLIGHTS = (DiceRolled, ControlChanged, PieceRevealed, PieceRemoved, MatchEnded)
"""The events that count as highlights."""

PER_ROUND = 5
"""How many highlights of a round are printed; the rest is counted."""

LINE_S = 0.12
"""The pause after a line on a terminal (seconds)."""

PATIENCE_S = 120.0
"""How long the demonstration waits for an idle bot (seconds)."""


def demo(context: Context, game: str, keep: str) -> None:
    """Run the demonstration.

    Raises:
        UnknownName: There is no such game.
        UserError: A step failed, or the folder is not empty.
    """
    known = load_game(game or game_keys()[0])
    with ExitStack() as stack:
        folder = Path(keep) if keep else Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wardiary-")))
        make_folder(folder)
        if any(folder.iterdir()):
            raise input_output(f"{folder} is not empty: the demonstration keeps its files in a folder of their own")
        backstage = stack.enter_context(Processes(folder / "demo.db"))
        address = backstage.serve()
        client = stack.enter_context(connect(address))
        log = stack.enter_context(SqliteLog(backstage.store, read_only=True))
        _Show(context, known, backstage=backstage, client=client, log=log, address=address).run()
    if keep:
        context.echo_err(f"the store is {shown_file(folder / 'demo.db')}")


class _Show:
    """One run of the demonstration, step by step."""

    def __init__(
        self, context: Context, game: Game, *, backstage: Processes, client: Client, log: SqliteLog, address: str
    ) -> None:
        self.context = context
        self.game = game
        self.backstage = backstage
        self.client = client
        self.log = log
        self.address = address
        self.names = Names(game.bind(None).narration)
        self.steps = 0

    def run(self) -> None:
        """Run the steps in order."""
        policies = policy_names(self.game)
        began = time.monotonic()
        self._title("A server", f"wardiary serve   # here with a store of its own, at {self.address}")
        self._done(f"listens at {self.address}")
        match = self._play_live(usual_policy(policies))
        self._replay(match)
        self._explain(match)
        fork = self._fork(match, policies[0])
        self._audit((match, fork))
        self._forge(match)
        self.context.echo_err(f"the demonstration took {time.monotonic() - began:.0f} seconds")

    # Words

    def _title(self, title: str, by_hand: str) -> None:
        self.steps += 1
        self.title, self.by_hand = title, by_hand
        if not self.context.is_json:
            self.context.echo("" if self.steps > 1 else f"{self.game.title}\n")
            self.context.echo(self.context.paint(f"{self.steps}. {title}", ""))
            self.context.echo(f"   $ {by_hand}")
            self.context.flush()

    def say(self, lines: Iterable[str]) -> None:
        """Print lines below the step's title, on a terminal with a pause after each."""
        if self.context.is_json:
            return
        for line in lines:
            self.context.echo(f"   {line}".rstrip())
            self.context.flush()
            if sys.stdout.isatty():
                time.sleep(LINE_S)

    def _done(self, outcome: str) -> None:
        shape = StepShape(number=self.steps, title=self.title, outcome=outcome, by_hand=self.by_hand)
        self.context.print_result(shape, wrapped("   => ", outcome, self.context.width))
        self.context.flush()

    def _view_of(self, match: MatchId) -> MatchView:
        return StoredMatch(self.log, match, PUBLIC, None)

    # The steps

    def _play_live(self, policy: str) -> MatchId:
        """Let bots play a match over sockets while a spectator follows."""
        game = self.game.key.replace("_", "-")
        opened = self.client.open(self.game.key)
        match = opened.match
        self._title(
            "A match with sealed dice, played by bots over sockets and followed live",
            f"wardiary bot {game} --policy {policy}      and      wardiary watch {match[:6]} --connect {self.address}",
        )
        began = time.monotonic()
        ended = self._follow(match, opened.seats, policy)
        seconds = time.monotonic() - began
        events = self._view_of(match).last
        self._done(f"{ended.result}: {events} events in {seconds:.1f} s; the seed of the dice is now public")
        return match

    def _follow(self, match: MatchId, seats: Iterable[Seat], policy: str) -> Ended:
        """Follow a match that bots play, to its end."""
        with self.client.follow(match, PUBLIC) as following:
            report = _Report(self, following.table)
            bots = [self.backstage.bot(self.game.key, self.address, match, seat, policy) for seat in seats]
            quiet_since = time.monotonic()
            while following.table.ended is None:
                slice_ = following.next(0.5)
                if slice_ is not None:
                    quiet_since = time.monotonic()
                    report.take(slice_)
                elif _all_gone(bots) or time.monotonic() - quiet_since > PATIENCE_S:
                    raise check_failed(f"the bots stopped playing at event {following.seq}")
            report.finish()
            return following.table.ended

    def _replay(self, match: MatchId) -> None:
        """Show the match again, round by round, backwards."""
        timeline = Timeline(self._view_of(match))
        self._title(
            "Replay, here backwards by rounds",
            f"wardiary replay {match[:6]} --from {timeline.last} --to 1 --step round",
        )
        stops = timeline.stops("round", 1, timeline.last)
        self.say(frame_line(self.names.of, timeline.table(stop)) for stop in reversed(stops))
        self._done(f"{len(stops)} tables, each folded from the log")

    def _explain(self, match: MatchId) -> None:
        """Explain the last dice with modifiers."""
        seen = self._view_of(match)
        numbers = [
            number
            for number, event in enumerate(seen.events(), start=1)
            if isinstance(event, DiceRolled) and event.modifiers
        ]
        number = numbers[-1] if numbers else seen.last
        self._title("Why did that happen?", f"wardiary explain {match[:6]}@{number}")
        there = StoredMatch(self.log, match, PUBLIC, number)
        shape, books = explained(there)
        self.say(explained_lines(shape, books, there.names, self.context.width - 3))
        self._done(f"event {number} follows from rule {shape.event.rule}")

    def _fork(self, match: MatchId, policy: str) -> MatchId:
        """Fork the match in its middle and let another bot play on, with other dice."""
        seen = self._view_of(match)
        timeline = Timeline(seen)
        at = timeline.ends[len(timeline.ends) // 2]
        opened = self.client.fork(match, PUBLIC, at)
        self._title(
            f"A fork at event {at} with another course",
            f"wardiary fork {match[:6]}@{at} --dice fresh    and    wardiary diff {match[:6]} {opened.match[:6]}",
        )
        ended = self._follow(opened.match, opened.seats, policy)
        other = self._view_of(opened.match)
        self.say(_difference(seen, other))
        self._done(f"{ended.result} in the fork; the first {at} events are shared, not copied")
        return opened.match

    def _audit(self, matches: tuple[MatchId, ...]) -> None:
        """Audit both matches."""
        self._title("Audit: replay both under the rules and compare every byte", f"wardiary audit {matches[0][:6]}")
        for match in matches:
            with self.context.progress(f"auditing {match}", self.log.head(match).seq) as progress:
                report = audit_match(self.log, match, progress.reach)
            self.say(audit_lines(report))
            if not report.clean:
                raise check_failed(f"match {match}, event {report.findings[0].seq}: {report.findings[0].problem}")
        self._done("both are clean, dice included")

    def _forge(self, match: MatchId) -> None:
        """Export the match, change one byte of the archive, and detect it."""
        path = self.backstage.store.with_name("match.ndjson")
        self._title(
            "Export, and detect one changed byte",
            f"wardiary export {match[:6]} {path.name}    and    wardiary audit {path.name}",
        )
        size = write_archive(path, export_match(self.log, match))
        archive = read_archive(archive_lines(path))
        self.say([f"{path.name}: {size} bytes, {len(archive.commits)} commits; read again and checked"])
        forged = path.with_name("forged.ndjson")
        content = bytearray(path.read_bytes())
        place = content.rindex(b'"faces":[', 0, len(content) // 2) + len(b'"faces":[')
        content[place] = ord("6") if content[place] != ord("6") else ord("1")
        write_whole(forged, [bytes(content)], "archives", is_private=True)
        try:
            read_archive(archive_lines(forged))
        except ArchiveError as error:
            self._done(f"byte {place + 1} was changed, and the change is detected: {error}")
        else:
            raise check_failed(f"byte {place + 1} was changed, and the change is not detected")


class _Report:
    """Prints the highlights of each round for a spectator."""

    def __init__(self, show: _Show, table: Table) -> None:
        self._show = show
        self._teller = Narrator(show.names, table)
        self._chronicler = Chronicler(Heading.of(table))
        self._round = 0
        self._told = 0
        self._events = 0

    def take(self, seen: EventSlice) -> None:
        """Print the highlights of a slice."""
        for entry in self._chronicler.take(seen):
            if entry.heading.round != self._round:
                self.finish()
                self._round = entry.heading.round
                self._show.say([f"Round {self._round}"])
            self._events += 1
            if self._told < PER_ROUND and _is_highlight(entry.event):
                self._told += 1
                lead = f"  {entry.number:>6}  "
                self._show.say(wrapped(lead, self._teller.sentence(entry.event), self._show.context.width - 3))
            self._teller.follow(entry.event)

    def finish(self) -> None:
        """Count the events of a round that were not printed."""
        if self._events > self._told and self._round:
            self._show.say([f"          and {self._events - self._told} more events"])
        self._told = self._events = 0


def _is_highlight(event: Event) -> bool:
    """Return whether an event is a highlight; control at the start is not."""
    return isinstance(event, HIGHLIGHTS) and not (isinstance(event, ControlChanged) and not event.was)


def _all_gone(bots: "list[subprocess.Popen[bytes]]") -> bool:
    return all(bot.poll() is not None for bot in bots)


def _difference(one: MatchView, other: MatchView) -> Iterator[str]:
    """Return where two matches diverge, and how much their ends differ."""
    found = parting(one.events(), other.events())
    tables: tuple[Table, Table] = (one.table(), other.table())
    diff = diff_tables(*tables)
    if found is not None:
        yield f"they diverge at event {found.number_a}"
    yield (
        f"at their ends {len(diff.pieces)} pieces stand elsewhere, {len(diff.control)} places have another controller, "
        f"{len(diff.tracks)} tracks differ"
    )
