"""No verb names a card that the viewing seat, or the public, cannot know: tried at random positions of a game with secret hands."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from core.engine.decision import Rules
from core.games.battle.ids import SEATS
from core.games.battle.narration.battle_narration import BattleNarration
from core.history.match_reader import events_of
from events.archive import export_match
from events.archive_reader import import_archive
from events.codec import encode
from events.ids import ARBITER, PUBLIC, CardId, MatchId, Seat
from events.vocabulary import Event, MatchForked
from projections.state.fold import fold
from projections.state.view import see
from server.store.sqlite_log import SqliteLog
from tests.cli.running import Terminal
from tests.support.desk import Desk
from tests.support.rows import each_row
from tests.support.soak import sampled

WATCHERS = (*SEATS, PUBLIC)
CARD = re.compile(r"(?:german|russian)/[a-z0-9_]+-\d+")


@pytest.fixture(autouse=True)
def _cards_by_their_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """Name cards by their ids in sentences: copies share a printed name, but only some of them are secret."""
    name = BattleNarration.name
    monkeypatch.setattr(
        BattleNarration, "name", lambda self, id_: id_ if CardId(id_) in self.cards.cards else name(self, id_)
    )


class Position:
    """A store with a match and its forks by either seat, and the cards that each seat can know.

    Args:
        folder: Where the store lies.
        seed: Of everything.
        commands: How many were played.
    """

    def __init__(self, folder: Path, seed: int, commands: int) -> None:
        self.folder = folder
        self.terminal = Terminal(folder / "store.db")
        rng = Random(seed)
        desk = Desk.open("battle", options={"turn_cap": 40}, seed=str(seed), name=f"parent-{seed}")
        for seat in SEATS:
            desk.accept({"do": "match:note", "text": f"the plan of {seat}", "private": True}, seat)
        desk.play(commands, rng)
        end = desk.match.head.seq
        self.matches = [desk]
        for seat in SEATS:
            fork = desk.fork(end, "seeded", f"fork-{seat}", seat, hidden="resample")
            for taken in SEATS:
                fork.accept({"do": "match:take-seat", "seat": taken}, taken)
            self.matches.append(fork.play(6, rng))
        log = SqliteLog(self.terminal.store)
        for one in self.matches:
            import_archive(export_match(one.log, one.match.id), log)
        log.close()

    def events(self, match: MatchId, terminal: Terminal) -> list[Event]:
        """Return all unredacted events of a store."""
        log = SqliteLog(terminal.store, read_only=True)
        try:
            return events_of(log, match)
        finally:
            log.close()

    def copy(self) -> Terminal:
        """Return a copy of the store that a test may change."""
        path = self.folder / "copy.db"
        for suffix in ("", "-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        shutil.copy(self.terminal.store, path)
        return Terminal(path)


def seen_by(events: list[Event], seat: Seat) -> list[Event]:
    """Return what a seat may see, computed independently: of shared events, no more than the forking seat could see."""
    forked = next((number for number, event in enumerate(events) if isinstance(event, MatchForked)), 0)
    seen: list[Event] = []
    for number, event in enumerate(events):
        shown: Event | None = event
        if number < forked:
            fork = events[forked]
            assert isinstance(fork, MatchForked)
            shown = see(event, fork.seat)
        shown = None if shown is None else see(shown, seat)
        seen += [] if shown is None else [shown]
    return seen


def named(text: str) -> set[str]:
    """Return the cards named in a text."""
    return set(CARD.findall(text))


def known(events: list[Event], seat: Seat) -> set[str]:
    """Return the cards that a seat can know."""
    return named("\n".join(encode(event).decode() for event in seen_by(events, seat)))


def looks(match: str, seat: str, last: int, rng: Random) -> Iterator[list[str]]:
    """Return every command that shows a match."""
    point = f"{match}@{rng.randint(last // 2, last)}"
    yield ["show", match]
    yield ["show", match, "-v"]
    yield ["show", point]
    yield ["show", match, "--statistics"]
    yield ["log", match]
    yield ["log", match, "-v"]
    yield ["log", match, "--from", str(max(1, last - 30))]
    yield ["legal", match]
    yield ["replay", match, "--step", "command", "-v"]
    yield ["replay", match, "--from", str(last), "--to", "1", "--step", "phase"]
    yield ["diff", point, match]
    yield ["diff", match, point, "-v"]
    yield ["export", match, "-"]
    for number in rng.sample(range(1, last + 1), 4):
        yield ["explain", f"{match}@{number}"]
    yield ["show", point, "--svg", "-"]


def said(terminal: Terminal, match: str, seat: str, last: int, rng: Random) -> Iterator[tuple[list[str], str]]:
    """Run every such command, as text or as JSON; return its stdout and stderr."""
    for arguments in looks(match, seat, last, rng):
        words = [*arguments, "--seat", seat, *rng.choice(([], ["--json"]))]
        ran = terminal.done(*words)
        yield words, ran.out + ran.err


@pytest.fixture(scope="module", params=sampled([((1, 60),), ((3, 200),)], lambda scene: scene == (1, 60)), ids=str)
def position(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Position:
    """A store with a random match stopped at one of several points."""
    seed, commands = request.param
    return Position(tmp_path_factory.mktemp("secrecy"), seed, commands)


@each_row("number", range(3))
@each_row("seat", WATCHERS)
def test_no_verb_names_a_card_that_the_seat_cannot_know(position: Position, seat: Seat, number: int) -> None:
    desk = position.matches[number]
    match, events = desk.match.id, desk.events
    stream = seen_by(events, seat)
    for words, text in said(position.terminal, match, seat, len(stream), Random(number)):
        point = words[1].partition("@")[2] if words[0] == "show" else ""
        may_know = named("\n".join(encode(event).decode() for event in stream[: int(point) if point else None]))
        assert named(text) <= may_know, words
        for other in SEATS:
            may_read = seat == other and not (number and match != f"fork-{seat}")
            assert may_read or f"the plan of {other}" not in text, words


def test_the_arbiter_sees_cards_that_the_seats_do_not(position: Position) -> None:
    """The canary: shows that the test would find a leaked card."""
    match = position.matches[0].match.id
    events = position.events(match, position.terminal)
    cards = {card for pile in fold(events).piles.values() for card in pile.cards if CARD.fullmatch(card)}
    secret = cards - known(events, PUBLIC)
    found: dict[str, set[str]] = {}
    for words, text in said(position.terminal, match, ARBITER, len(events), Random(1)):
        found[words[0]] = found.get(words[0], set()) | (named(text) & secret)

    assert secret
    assert {verb for verb, names in found.items() if names} >= {"show", "log", "replay", "export"}
    assert found["export"] == secret


@each_row("number", range(3))
def test_verbs_about_all_matches_name_no_secret_card(position: Position, number: int) -> None:
    desk = position.matches[number]
    match = desk.match.id
    may_know = known(desk.events, PUBLIC)
    for words in (["list"], ["list", "--json"], ["tree", match], ["tree", match, "--json"]):
        assert named(position.terminal.done(*words).out) <= may_know, words


@each_row("number", range(3))
def test_options_are_told_only_to_the_deciding_seat(position: Position, number: int) -> None:
    desk = position.matches[number]
    top = desk.table.top
    assert top is not None
    rules: Rules = desk.match.ruleset.rules
    for seat in WATCHERS:
        (shape,) = position.terminal.done("legal", desk.match.id, "--seat", seat, "--json").objects
        options = shape["options"]
        assert isinstance(options, list)

        assert len(options) == (len(rules.options(desk.table)) if seat == top.seat else 0)


@each_row("number", range(3))
def test_playing_shows_the_acting_seat_only_what_it_may_know(position: Position, number: int) -> None:
    desk = position.matches[number]
    match = desk.match.id
    rng = Random(number)
    terminal = position.copy()
    for _ in range(6):
        (legal,) = terminal.done("legal", match, "--json").objects
        options = legal["options"]
        if not isinstance(options, list) or not options:
            break
        before = {seat: known(position.events(match, terminal), seat) for seat in SEATS}
        seat = Seat(str(legal["seat"]))
        more = ["--json"] if rng.random() < 0.5 else ["-v"]
        ran = terminal.done("choose", match, str(rng.randint(1, len(options))), *more)
        may_know = known(position.events(match, terminal), seat)

        assert named(ran.out + ran.err) <= may_know
        assert before[seat] <= may_know


@each_row("number", range(3))
def test_following_shows_a_seat_only_what_it_may_know(position: Position, number: int) -> None:
    match = position.matches[number].match.id
    terminal = position.copy()
    terminal.done("choose", match, "resign", "--seat", SEATS[0])
    events = position.events(match, terminal)
    for seat in WATCHERS:
        for more in ([], ["--json"], ["-v"]):
            ran = terminal.done("watch", match, "--from-start", "--seat", seat, *more)

            assert named(ran.out + ran.err) <= known(events, seat)
            assert len(ran.out.splitlines()) > 10
    everything = terminal.done("watch", match, "--from-start", "--seat", ARBITER, "--json")
    assert named(everything.out) - known(events, PUBLIC)
