"""The golden match of the command line, and the output of three verbs for it, word for word.

    make golden

writes the output again. Read the difference before you commit it. The match is an archive, so that a change of the rules alone changes
nothing here; it is played again under the current rules only if it can no longer be imported. What other verbs must say of
the match is in `tests.cli.test_golden`, a line each, so that a better sentence changes one file.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from freezegun import freeze_time

from cli.shell import exit_codes
from core.registry.games import load_game
from events.archive import export_match
from events.ids import ARBITER, MatchId, Seat
from events.memory_log import MemoryLog
from server.client.bots import Bot
from server.client.local import local_client
from server.store.archive_file import write_archive
from tests.cli.running import Terminal
from tests.project.tree import ROOT
from tests.support.sitting import CountedIdentity, StillClock

FOLDER = ROOT / "fixtures" / "cli"
ARCHIVE = FOLDER / "match.ndjson"
COMMANDS_PLAYED = 75

COMMANDS: dict[str, list[str]] = {
    "show": ["show", "MATCH"],
    "log": ["log", "MATCH", "--from", "192", "--to", "300"],
    "explain": ["explain", "MATCH@DICE"],
}
"""The verbs, each with what follows it; DICE is the number of the last dice that anything was added to."""

NOW = "2023-11-15 12:00:00"
"""When the verbs are run, half a day after the match was played."""


def play() -> None:
    """Play the match; it is always the same under the same rules."""
    log = MemoryLog()
    client = local_client(log, StillClock(), CountedIdentity())
    match = client.open("advance", dice="seeded", seed="1942").match
    seat = Seat("german")
    client.take_seat(match, seat, "Ada", share=False)
    game = load_game("advance")
    bot = Bot(game.bind(None), seat, game.policies["greedy"], "1942")
    for _ in range(COMMANDS_PLAYED):
        legal = client.legal(match, seat, words=False)
        client.play(match, seat, bot.choice(client.state(match, ARBITER).table, legal), expected=legal.seq)
    FOLDER.mkdir(parents=True, exist_ok=True)
    write_archive(ARCHIVE, export_match(log, match))


def opened(store: Path) -> tuple[Terminal, MatchId]:
    """Import the golden match into a store."""
    terminal = Terminal(store)
    return terminal, MatchId(terminal.line("import", str(ARCHIVE)))


def said(terminal: Terminal, match: MatchId, words: list[str]) -> str:
    """Return the output of a command for the match."""
    dice = _last_sum(terminal, match) if any("DICE" in word for word in words) else ""
    # A list says how long ago something was. The match may be older than the installed rules, under which it would stand still.
    with freeze_time(NOW), patch("core.registry.installed_rules._other_rules", return_value=None):
        return terminal.done(*(word.replace("MATCH", match).replace("DICE", dice) for word in words)).out


def _last_sum(terminal: Terminal, match: MatchId) -> str:
    events = terminal.done("log", match, "--json").objects
    sums = [one["seq"] for one in events if '"modifiers"' in str(one).replace("'", '"')]
    return str(sums[-1])


def main() -> None:
    """Write all texts again."""
    with TemporaryDirectory() as folder:
        store = Path(folder) / "store.db"
        if Terminal(store)("import", str(ARCHIVE)).code != exit_codes.DONE:
            print(f"{ARCHIVE.relative_to(ROOT)} is played afresh")  # noqa: T201
            play()
        terminal, match = opened(store)
        for name, words in COMMANDS.items():
            (FOLDER / f"{name}.txt").write_text(said(terminal, match, words), encoding="utf-8")


if __name__ == "__main__":
    main()
