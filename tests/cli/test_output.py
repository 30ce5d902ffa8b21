"""Properties of all verbs: help, global options, the shapes of --json, the demonstration."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cli.commands.proofs.audit import audited
from cli.interface.typer_app import app
from cli.output.audit_text import audit_lines
from cli.schemas.all import SHAPES
from core.audit.audit_report import PlayedUnder
from core.registry.games import game_keys, load_game
from events.codec import Decoder, any_of, replace, schema, tag_of
from events.ids import MatchId
from server.store.sqlite_log import SqliteLog
from tests.cli.running import WARDIARY, Terminal
from tests.support.dictionary_keys import keys_of
from tests.support.mended import mend
from tests.support.rows import each_row

VERBS = {
    "sit", "leave", "invite", "replace", "pause", "resume", "award", "annul", "arbiters", "table", "undo", "answer", "note", "dispute", "ruling", "appeal", "play", "learn", "odds", "demo", "games", "rules", "board", "new", "list", "show", "log", "find", "legal", "choose", "replay", "fork", "tree", "diff",
    "explain", "position", "study", "try", "turning-points", "blame", "when", "audit", "evidence", "pack", "verify", "keys", "report", "export", "import", "backup", "copy", "restore", "redo", "serve", "bot", "work", "mcp", "watch", "web", "arena", "tune", "simulate", "rulesdiff", "check-bot", "check-game", "new-game", "schema",
}  # fmt: skip
QUICK = (
    "msgspec",
    "pydantic",
    "rich",
    "zmq",
    "sqlite3",
    "zstandard",
    "structlog",
    "tomllib",
    "asyncio",
    "events",
    "core",
    "server",
)
"""What showing the help must not import, because it takes its time."""


def test_all_verbs_are_there() -> None:
    assert {command.name for command in app.registered_commands} == VERBS


def test_the_help_lists_every_verb_once(terminal: Terminal) -> None:
    lines = terminal.done("--help").out.splitlines()
    listed = [line.split()[0] for line in lines if line.startswith("  ") and not line.startswith("   ")]

    assert VERBS - set(listed) == set()


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_verb_explains_itself(verb: str, terminal: Terminal) -> None:
    out = terminal.done(verb, "--help").out

    assert out.startswith(f"Usage: wardiary {verb}")
    assert "--json" in out
    assert "--store" in out


def test_without_arguments_the_help_is_shown(terminal: Terminal) -> None:
    assert terminal.done().out == terminal.done("--help").out


def test_the_version_is_that_of_the_package(terminal: Terminal) -> None:
    assert terminal.line("--version").startswith("wardiary ")


@pytest.mark.parametrize("where", ["before", "after"])
def test_global_options_stand_before_the_verb_or_after_it(where: str, terminal: Terminal, skirmish: str) -> None:
    store = ["--store", str(terminal.store), "--json"]
    elsewhere = Terminal(terminal.store.with_name("none.db"))
    ran = elsewhere.done(*store, "list") if where == "before" else elsewhere.done("list", *store)

    assert [one["match"] for one in ran.objects] == [skirmish]


def test_quiet_suppresses_notes_on_stderr(terminal: Terminal) -> None:
    assert terminal.done("new", "skirmish", "--dice", "manual", "-q").err == ""


def test_output_to_a_file_or_pipe_has_no_colours(terminal: Terminal, skirmish: str) -> None:
    assert "\x1b" not in terminal.done("show", skirmish).out + terminal.done("log", skirmish).out


def test_an_encoding_without_some_letters_is_not_an_error(golden: tuple[Terminal, str]) -> None:
    terminal, match = golden
    ran = terminal.as_process("show", match, "--statistics", PYTHONIOENCODING="ascii")

    assert (ran.code, ran.err) == (0, "")
    assert "Faces (1, 2, \\u2026)" in ran.out


def test_every_shape_has_a_schema(terminal: Terminal) -> None:
    whole = json.loads(terminal.done("schema").out)

    assert set(whole["schemas"]) == {shape.__name__ for shape in SHAPES}
    for shape in SHAPES:
        assert json.loads(terminal.done("schema", tag_of(shape)).out) == json.loads(json.dumps(schema(shape)))


def test_the_keys_of_every_dictionary_of_a_shape_are_texts() -> None:
    keys = [found for shape in SHAPES for found in keys_of(shape)]

    assert len(keys) > 10
    assert {name for name, key in keys if key is not str} == set()


def test_the_json_of_every_verb_has_its_declared_shapes(golden: tuple[Terminal, str], tmp_path: Path) -> None:
    terminal, match = golden
    decoder: Decoder[object] = Decoder(any_of(SHAPES))
    file = str(tmp_path / "match.ndjson")
    commands = [
        ["games"],
        ["games", "advance"],
        ["rules", "advance", "9.5"],
        ["rules", "advance"],
        ["learn", "battle"],
        ["learn", "battle", "retreat"],
        ["board", "advance"],
        ["list"],
        ["show", match],
        ["show", match, "--statistics"],
        ["log", match],
        ["legal", match],
        ["replay", match],
        ["tree", match],
        ["diff", f"{match}@200", match],
        ["explain", f"{match}@200"],
        ["audit", match, "-q"],
        ["export", match, file],
        ["position", "save", f"{match}@155"],
        ["position", "line", f"{match}@155"],
        ["simulate", "skirmish", "--matches", "1", "--jobs", "1", "--no-sweep"],
    ]
    for words in commands:
        ran = terminal(*words, "--json")
        assert ran.code in {0, 4}, ran.err
        lines = ran.out.splitlines()

        assert lines != []
        # Each line is one object of exactly one shape, named by its tag.
        decoder.decode(f"[{','.join(lines)}]")


def imported(*arguments: str) -> set[str]:
    """Run a command in a fresh interpreter and return the packages that it has imported."""
    code = (
        f"import sys; from cli.main import run; run({list(arguments)!r}); print('|'.join(sys.modules), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in ran.stderr.strip().split("|")}


def test_the_help_does_not_import_slow_libraries() -> None:
    assert imported("--help") & set(QUICK) == set()


def test_arguments_are_parsed_without_a_library(golden: tuple[Terminal, str]) -> None:
    terminal, match = golden

    assert (
        imported("--store", str(terminal.store), "show", match, "-q") & {"pydantic", "zmq", "structlog", "rich"}
        == set()
    )


def test_servers_and_pages_start_without_the_library_of_their_log() -> None:
    code = "import sys, server.broker.json_logger, server.broker.serving, server.web.web_server; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert {"structlog", "rich"} & {*ran.stdout.split()} == set()


def test_a_replay_does_not_import_the_rules_of_the_game(golden: tuple[Terminal, str]) -> None:
    terminal, match = golden
    code = (
        f"import sys; from cli.main import run; run(['--store', {str(terminal.store)!r}, 'replay', {match!r}]);"
        "print([name for name in sys.modules if name.startswith('core.games.')], file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stderr == "[]\n"


def test_games_are_listed_in_their_order(terminal: Terminal) -> None:
    assert [one["key"] for one in terminal.done("games", "--json").objects] == game_keys()


def test_games_show_their_editions_and_the_digests_of_their_rules(terminal: Terminal) -> None:
    shapes = terminal.done("games", "--json").objects
    listed = terminal.done("games").out.splitlines()
    shown = terminal.done("games", "skirmish").out.splitlines()

    assert [(one["edition"], one["rules_digest"]) for one in shapes] == [
        (load_game(key).edition, load_game(key).rules_digest) for key in game_keys()
    ]
    assert all(
        line.endswith(f"(edition {load_game(key).edition})") for line, key in zip(listed, game_keys(), strict=True)
    )
    assert f"Edition 0.1, rules {load_game('skirmish').rules_digest[:12]}…" in shown


def test_a_match_shows_the_edition_it_was_opened_under(terminal: Terminal, skirmish: str) -> None:
    (listed,) = terminal.done("list", "--json").objects
    (shown,) = terminal.done("show", skirmish, "--json").objects
    (audited,) = terminal.done("audit", skirmish, "--json").objects
    digest = load_game("skirmish").rules_digest

    assert listed["edition"] == "0.1"
    assert isinstance(shown["table"], dict)
    assert (shown["table"]["edition"], shown["table"]["rules"]) == ("0.1", digest)
    assert audited["played_under"] == [{"first": 1, "edition": "0.1", "rules": digest}]
    assert audited["edition_now"] == "0.1"
    assert terminal.done("audit", skirmish).out.splitlines()[-1] == (
        f"Played under skirmish, edition 0.1 (rules {digest[:12]}…)"
    )


def test_an_audit_names_both_editions_where_the_rules_have_changed(
    terminal: Terminal, skirmish: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = load_game("skirmish")
    later = replace(before, edition="0.2", deciding=("skirmish.py", "desk.py"))
    monkeypatch.setattr("tests.support.skirmish.GAME", later)
    out = terminal.done("audit", skirmish).out.splitlines()

    assert out[0].startswith(f"Match {skirmish} was played under other rules than are installed")
    assert "is clean" not in "".join(out)
    played, now = before.rules_digest[:12], later.rules_digest[:12]
    assert out[-2:] == [
        f"Played under skirmish, edition 0.1 (rules {played}…); installed: edition 0.2 (rules {now}…)",
        "A comparison, no evidence: no decision would differ today.",
    ]


def test_words_that_do_not_know_what_other_rules_led_to_are_no_internal_error(
    terminal: Terminal, skirmish: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mend(monkeypatch)

    def fails(*_: object) -> str:
        raise KeyError("glory")

    monkeypatch.setattr("tests.support.skirmish.SkirmishRules.question", fails)
    shown = terminal("show", skirmish)

    assert shown.code == 3
    assert f"match {skirmish} was played under other rules than are installed; so it cannot be shown" in shown.err


def test_a_forged_edition_is_escaped_on_the_terminal(terminal: Terminal, skirmish: str) -> None:
    report = audited(SqliteLog(terminal.store, read_only=True), MatchId(skirmish))
    forged = PlayedUnder(1, "\x1b[2J\n", report.rules_now)
    lines = [*audit_lines(replace(report, played_under=(forged,)))]

    assert "\\x1b[2J" in lines[-1]
    assert all(line.isprintable() for line in lines)


def test_a_map_is_drawn_to_a_file_or_to_stdout(terminal: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "map.svg"
    terminal.done("board", "advance", "--svg", str(file))

    assert terminal.done("board", "advance", "--svg", "-").out == file.read_text(encoding="utf-8")
    assert file.read_text(encoding="utf-8").startswith("<svg ")


def test_a_board_lists_reconstructed_figures(terminal: Terminal) -> None:
    short, long = terminal.done("board", "advance").out, terminal.done("board", "advance", "-v").out

    assert "reconstructed" in short
    assert len(long) > 2 * len(short)


def test_a_rule_is_shown_with_its_rulings(terminal: Terminal) -> None:
    out = terminal.done("rules", "advance", "8.2.cost-unrevealed").out

    assert out.startswith("Rule 8.2.cost-unrevealed (section 8.2, definition):")
    assert "Ruling ruling.reveal-closes-entry" in out


def test_a_section_shows_all_its_rules(terminal: Terminal) -> None:
    pages = {str(one["page"]) for one in terminal.done("rules", "advance", "9.5", "--json").objects}

    assert len(pages) > 3
    assert [page for page in pages if not any(named.startswith("9.5") for named in page.split(", "))] == []


@pytest.mark.parametrize(
    ("section", "rule"), [("9.4", "9.4.reveal"), ("9.4", "9.4.barrage-retreat"), ("14.5.2", "14.5.2.pavlov-in-14")]
)
def test_a_section_shows_rules_that_name_other_sections_too(terminal: Terminal, section: str, rule: str) -> None:
    assert f"Rule {rule} (" in terminal.done("rules", "advance", section).out


def test_the_demonstration_shows_every_step_and_its_store_can_be_kept(terminal: Terminal, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    ran = terminal.as_process("demo", "--json", "-q", "--keep", str(folder))
    kept = Terminal(folder / "demo.db")

    assert (ran.code, ran.err) == (0, "")
    assert [step["number"] for step in ran.objects] == list(range(1, 8))
    assert "detected: archive line" in str(ran.objects[-1]["outcome"])
    assert len(kept.done("list", "--json").objects) == 2
    assert kept.done("audit", "--all").code == 0
    assert kept("audit", str(folder / "forged.ndjson")).code == 4


@pytest.mark.long
@each_row(
    "words",
    [
        ["games"],
        ["list"],
        ["show", "MATCH"],
        ["legal", "MATCH"],
        ["replay", "MATCH"],
        ["audit", "MATCH"],
        ["schema", "event"],
    ],
)
def test_each_group_of_verbs_works_with_the_installed_command(words: list[str], golden: tuple[Terminal, str]) -> None:
    terminal, match = golden
    typed = [word.replace("MATCH", match) for word in words]
    here, there = terminal(*typed), terminal.as_process(*typed)

    # The test game is listed in this process only.
    assert (there.code, there.out) == (here.code, here.out.replace("skirmish  Skirmish (edition 0.1)\n", ""))
    assert WARDIARY.exists()


@pytest.mark.parametrize("game", game_keys())
def test_inventory_lists_every_declared_group(game: str, terminal: Terminal) -> None:
    """Every declared group has a line, and with -v every id has its name."""
    box = load_game(game).bind(None).inventory()
    page = terminal.done("board", game, "--inventory").out
    full = terminal.done("board", game, "--inventory", "-v").out
    (shape,) = terminal.done("board", game, "--inventory", "--json").objects
    groups = [*[places.what for places in box.places], *[pieces.what for pieces in box.pieces]]

    assert [what for what in groups if f"  {what}" not in page] == []
    assert [key.key for there in box.memory.of.values() for key in there if f"{key.key} (" not in page] == []
    assert [
        id_ for id_ in (*box.places_of, *box.pieces_of, *box.cards_of, *box.piles_of) if f"  {id_}" not in full
    ] == []
    tracks, pieces = shape["tracks"], shape["pieces"]
    assert isinstance(tracks, list)
    assert isinstance(pieces, list)
    assert [track["id"] for track in tracks] == [track.id for track in box.tracks]
    assert len(pieces) == len(box.pieces)
