"""Reports are written of matches of the store, of a server and of archives; many have an index and a CSV file; bad input is told in a line."""

import csv
import stat
from pathlib import Path
from typing import Any

import html5lib
import pytest

from cli.commands.proofs import report_sources
from cli.commands.proofs.audit import audited
from cli.shell.context import Context
from core.audit.audit_report import AuditReport
from core.audit.verdicts import Audited
from events.codec import replace
from events.ids import MatchId, Seat
from events.log import Log
from server.client.client import Client
from server.page_parts.story import Story
from server.report.report import Report, make_report
from tests.cli.running import Player, Ran, Terminal
from tests.cli.test_damage import DAMAGES
from tests.support.browsing import found, secret_of, words
from tests.support.parsing import parsed
from tests.support.served import play_through, seated
from tests.support.sitting import OWNER
from tests.support.tampering import tamper, write_anew

RED = Seat("red")


@pytest.fixture
def played(terminal: Terminal, skirmish: str) -> str:
    """A match in which something was played."""
    for command in ("1", "1", "1"):
        terminal.done("choose", skirmish, command)
    return skirmish


def text_of(path: Path) -> str:
    return words(parsed(path.read_text(encoding="utf-8")))


def lines_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "matches.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


# One match


def test_the_report_of_a_match_is_a_file(terminal: Terminal, played: str, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    ran = terminal.done("report", played, "-o", str(path))

    assert ran.out.startswith(f"{played}: ✓ holds, ")
    assert ran.out.endswith(f" kB to {path}\n")
    assert "Ada" in text_of(path)
    assert "The match is running" in text_of(path)


def test_it_can_be_put_out_instead(terminal: Terminal, played: str, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    terminal.done("report", played, "-o", str(path))

    assert terminal.done("report", played, "-o", "-").out == path.read_text(encoding="utf-8")


def test_an_archive_gives_the_same_report_as_the_store(terminal: Terminal, played: str, tmp_path: Path) -> None:
    archive = tmp_path / "match.ndjson.zst"
    terminal.done("export", played, str(archive))

    here = terminal.done("report", played, "-o", "-").out
    assert Terminal(tmp_path / "none.db").done("report", str(archive), "-o", "-").out == here
    assert Terminal(tmp_path / "none.db").done("report", "-", "-o", "-", typed=archive.read_bytes()).out == here


def test_its_figures_are_printed_as_json(terminal: Terminal, played: str, tmp_path: Path) -> None:
    (alone,) = terminal.done("report", played, "--json").objects
    (written,) = terminal.done("report", played, "--json", "-o", str(tmp_path / "r.html")).objects
    statistics = terminal.done("show", played, "--statistics", "--json").objects[0]
    figures = alone["figures"]
    assert isinstance(figures, dict)

    assert (alone["shape"], alone["file"]) == ("report", "")
    assert written == {**alone, "file": str(tmp_path / "r.html")}
    assert (figures["match"], figures["verdict"], figures["refusals"] != "") == (played, "holds", True)
    assert figures["losses"] == statistics["losses_by_round"]
    assert figures["control"] == statistics["control"]
    assert len(figures["rolls"]) == sum(dice["rolls"] for dice in statistics["all_dice"])  # type: ignore[attr-defined]


def test_a_report_with_secrets_can_be_read_by_its_owner_only(terminal: Terminal, played: str, tmp_path: Path) -> None:
    modes = []
    for seat in ("public", "red", "arbiter"):
        path = tmp_path / f"{seat}.html"
        terminal.done("report", played, "-o", str(path), "--seat", seat)
        modes.append(stat.S_IMODE(path.stat().st_mode) & 0o077)

    assert modes[1:] == [0, 0]
    assert modes[0] != 0
    assert "as Red sees it" in text_of(tmp_path / "red.html")


def test_what_was_noted_ruled_and_taken_back_is_listed(terminal: Terminal, skirmish: str, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    terminal.done("note", skirmish, "what a roll", "--seat", "red")
    terminal.done("ruling", skirmish, "it stands")
    terminal.done("report", skirmish, "-o", str(path))
    beside = words(found(html5lib.parse(path.read_text(encoding="utf-8")), "section", "beside")[0])

    assert "what a roll" in beside
    assert "Ruling: it stands" in beside
    assert (
        "There were no take-backs, no other deeds of the arbiter, no players who left and no changes of the rules."
        in beside
    )
    assert "Refused commands are not recorded" in beside


# Bad input


def failed(ran: Ran, code: int, *said: str) -> None:
    assert ran.code == code, ran
    assert len(ran.err.splitlines()) == 1
    assert [one for one in said if one not in ran.err] == []


def test_what_is_to_be_reported_must_be_named(terminal: Terminal, played: str, tmp_path: Path) -> None:
    failed(terminal("report", "-o", "x"), 2, "name a match")
    failed(terminal("report", played, "--all", "-o", "x"), 2, "name a match")
    failed(terminal("report", played), 2, "-o")
    failed(terminal("report", "nothing", "-o", str(tmp_path / "x")), 2, "'nothing'")
    failed(terminal("report", played, "-o", str(tmp_path / "x"), "--seat", "green"), 2, "green")
    assert not (tmp_path / "x").exists()


def test_a_file_that_exists_is_replaced_by_force_only(terminal: Terminal, played: str, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("mine", encoding="utf-8")
    failed(terminal("report", played, "-o", str(path)), 3, "exists; --force")
    assert path.read_text(encoding="utf-8") == "mine"

    terminal.done("report", played, "-o", str(path), "--force")
    assert "Ada" in text_of(path)


def test_a_place_that_cannot_be_written_is_told(terminal: Terminal, played: str, tmp_path: Path) -> None:
    failed(
        terminal("report", played, "-o", str(tmp_path / "no" / "r.html")),
        3,
        "r.html cannot be written: No such file or directory",
    )
    failed(terminal("report", played, "-o", str(tmp_path)), 3, "is a folder")
    failed(terminal("report", "--all", "-o", str(terminal.store)), 3, "is a file")
    failed(terminal("report", "--all", "-o", "-"), 2, "are a folder")
    assert list(tmp_path.glob(".*")) == []


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_match_is_told_as_far_as_it_is_sound(
    damage: str, terminal: Terminal, played: str, tmp_path: Path
) -> None:
    path = tmp_path / "report.html"
    DAMAGES[damage](terminal.store)
    audit = terminal("audit", played)
    ran = terminal("report", played, "-o", str(path), "--seat", "arbiter")

    assert (ran.code, ran.err) == (audit.code, audit.err)
    assert ran.code == 4
    assert f"{played}: ✗ broken" in ran.out
    assert "The evidence is broken" in text_of(path)
    assert "as the arbiter sees it" in text_of(path)
    assert "The match goes on as far as it is told" in text_of(path)
    assert "The match is told up to event" in text_of(path)
    assert "is opened" in text_of(path)


def test_of_a_damaged_archive_what_comes_before_is_told(terminal: Terminal, played: str, tmp_path: Path) -> None:
    archive, path = tmp_path / "match.ndjson", tmp_path / "report.html"
    terminal.done("export", played, str(archive))
    lines = archive.read_bytes().splitlines(keepends=True)
    archive.write_bytes(b"".join([*lines[:-3], lines[-3].replace(b'"seat":', b'"seat" :'), *lines[-2:]]))
    ran = terminal("report", str(archive), "-o", str(path), "--seat", "arbiter")

    failed(ran, 4, f"archive line {len(lines) - 2}")
    assert f"archive line {len(lines) - 2}" in text_of(path)
    assert "The match is told up to event" in text_of(path)


def test_an_archive_that_is_cut_off_is_told_to_its_end(terminal: Terminal, played: str, tmp_path: Path) -> None:
    archive, path = tmp_path / "match.ndjson", tmp_path / "report.html"
    terminal.done("export", played, str(archive))
    lines = archive.read_bytes().splitlines(keepends=True)
    archive.write_bytes(b"".join(lines[:-1]))

    failed(terminal("report", str(archive), "-o", str(path)), 4, "cut off")
    assert "✗ broken" in text_of(path)


def test_of_an_archive_without_a_sound_commit_there_is_no_report(terminal: Terminal, tmp_path: Path) -> None:
    archive, path = tmp_path / "match.ndjson", tmp_path / "report.html"
    archive.write_text('{"archive":"wardiary-archive/1"', encoding="utf-8")

    failed(terminal("report", str(archive), "-o", str(path)), 4, "archive")
    assert not path.exists()


def test_what_only_one_seat_saw_is_no_evidence(terminal: Terminal, played: str, tmp_path: Path) -> None:
    view = tmp_path / "view.ndjson"
    terminal.done("export", played, str(view), "--seat", "red")

    failed(terminal("report", str(view), "-o", str(tmp_path / "r.html")), 2, "what one seat saw")


# Many matches


@pytest.fixture
def folder(terminal: Terminal, played: str, tmp_path: Path) -> Path:
    """A folder of archives: a sound one, a damaged one, one that cannot be read, and a file that is not an archive."""
    found = tmp_path / "evening"
    found.mkdir()
    terminal.done("export", played, str(found / "a.ndjson.zst"))
    terminal.done("export", played, str(found / "b.ndjson"))
    data = (found / "b.ndjson").read_bytes()
    (found / "b.ndjson").write_bytes(data.replace(b'"name":"Ada"', b'"name":"Ava"', 1))
    (found / "c.ndjson").write_bytes(b"nothing")
    (found / "notes.txt").write_text("no archive", encoding="utf-8")
    return found


def test_a_folder_of_archives_has_an_index_and_a_table(terminal: Terminal, folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "reports"
    ran = terminal("report", str(folder), "-o", str(output))
    lines = lines_of(output)

    assert ran.code == 4
    assert [(one["file"], one["verdict"]) for one in lines] == [("a.html", "holds"), ("b.html", "broken"), ("c", "")]
    assert lines[2]["problem"] != ""
    assert sorted(path.name for path in output.iterdir()) == ["a.html", "b.html", "index.html", "matches.csv"]
    assert "Reports of 3 matches" in text_of(output / "index.html")


def test_a_stores_file_can_be_named_instead_of_a_match(terminal: Terminal, played: str, tmp_path: Path) -> None:
    elsewhere = Terminal(tmp_path / "none.db")
    elsewhere.done("report", str(terminal.store), "-o", str(tmp_path / "one"))
    terminal.done("report", "--all", "-o", str(tmp_path / "other"))

    assert [one["match"] for one in lines_of(tmp_path / "one")] == [played]
    for name in (f"{played}.html", "index.html", "matches.csv"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()


def test_many_reports_as_json_have_a_line_each(terminal: Terminal, folder: Path) -> None:
    ran = terminal("report", str(folder), "--json")

    assert ran.code == 4
    assert [one["shape"] for one in ran.objects] == ["report", "report"]


def test_a_folder_that_is_not_empty_is_written_to_by_force_only(
    terminal: Terminal, played: str, tmp_path: Path
) -> None:
    output = tmp_path / "reports"
    terminal.done("report", "--all", "-o", str(output))
    failed(terminal("report", "--all", "-o", str(output)), 3, "is not empty; --force")
    terminal.done("report", "--all", "-o", str(output), "--force")

    assert len(lines_of(output)) == 1
    assert played in text_of(output / "index.html")


def test_an_empty_folder_and_an_empty_store_have_nothing_to_report(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    failed(terminal("report", str(tmp_path / "empty"), "-o", str(tmp_path / "x")), 2, "holds no archives")
    failed(terminal("report", "--all", "-o", str(tmp_path / "x")), 3, "there is no store")
    assert not (tmp_path / "x").exists()


def test_many_reports_show_their_progress(
    terminal: Terminal, played: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[str, int | None]] = []
    progress = Context.progress

    def watched(self: Context, title: str, total: int | None) -> object:
        shown.append((title, total))
        return progress(self, title, total)

    monkeypatch.setattr(Context, "progress", watched)
    terminal.done("report", "--all", "-o", str(tmp_path / "reports"))

    assert ("reporting", 1) in shown
    assert played in text_of(tmp_path / "reports" / "index.html")


# Through a server


def test_the_operator_gets_a_report_with_its_checks_through_a_server(
    client: Client, player: Player, tmp_path: Path
) -> None:
    match = seated(client)
    path = tmp_path / "report.html"
    ran = player("report", match, "-o", str(path), "--seat", "arbiter", WARDIARY_OWNER=OWNER)

    assert (ran.code, ran.err) == (0, "")
    assert "Head:" in text_of(path)


def test_others_get_a_report_of_what_they_see_which_says_that_nothing_was_checked(
    client: Client, player: Player, tmp_path: Path
) -> None:
    opened = client.open("skirmish", dice="seeded", seed="3")
    for seat in opened.seats:
        client.take_seat(opened.match, seat, secret=secret_of(seat))
    path, own = tmp_path / "report.html", tmp_path / "own.html"

    assert player("report", opened.match, "-o", str(path)).code == 0
    assert "Nothing was checked: the server sends the evidence of this match to its arbiter only." in text_of(path)
    assert player("report", opened.match, "-o", str(own), "--seat", "red").code == 2
    assert player("report", opened.match, "-o", str(own), "--seat", "red", "--token", secret_of(RED)).code == 0
    assert "as Red sees it" in text_of(own)


def test_all_matches_of_a_server_are_reported(client: Client, player: Player, tmp_path: Path) -> None:
    matches = [seated(client), seated(client)]
    play_through(client, matches[0])
    output = tmp_path / "reports"

    assert player("report", "--all", "-o", str(output), WARDIARY_OWNER=OWNER).code == 0
    assert [(one["match"], one["verdict"]) for one in lines_of(output)] == [(match, "holds") for match in matches]


def test_a_damaged_match_does_not_keep_the_others_from_being_reported(
    terminal: Terminal, played: str, tmp_path: Path
) -> None:
    other = terminal.line("new", "skirmish", "--dice", "seeded:3", "--name", "Bea")
    tamper(terminal.store, '"name":"Ada"', '"name":"Ava"')
    output = tmp_path / "reports"

    assert terminal("report", "--all", "-o", str(output)).code == 4
    assert [(one["match"], one["verdict"]) for one in lines_of(output)] == [(played, "broken"), (other, "holds")]


def test_a_match_with_times_that_no_calendar_has_is_reported_among_others(
    terminal: Terminal, played: str, tmp_path: Path
) -> None:
    other = terminal.line("new", "skirmish", "--dice", "seeded:3", "--name", "Bea")
    write_anew(terminal.store, played, lambda commit: replace(commit, at=253_402_300_800_000))
    output = tmp_path / "reports"
    terminal("report", "--all", "-o", str(output))
    lines = lines_of(output)

    assert [one["match"] for one in lines] == [played, other]
    assert lines[0]["first_at"] == "253402300800000 ms since 1970"
    assert "253402300800000 ms since 1970" in text_of(output / "index.html")


def test_a_match_that_cannot_be_told_is_named_among_the_others(
    terminal: Terminal, played: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = terminal.line("new", "skirmish", "--dice", "seeded:3", "--name", "Bea")

    def made(story: Story, audited: Audited, *, problem: str, cut: str) -> Report:
        if story.match == played:
            raise KeyError("nothing")
        return make_report(story, audited, problem=problem, cut=cut)

    monkeypatch.setattr(report_sources, "make_report", made)
    output = tmp_path / "reports"
    ran = terminal("report", "--all", "-o", str(output))
    first, second = lines_of(output)

    assert ran.code == 4
    assert f"there is no report of {played}: its events cannot be told" in ran.err
    assert "do not follow the rules" in first["problem"]
    assert second["match"] == other


def test_a_report_tells_what_was_audited_though_others_append_meanwhile(
    terminal: Terminal, played: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit = audited
    known: list[int] = []

    def then_appended(log: Log, match: MatchId, *progress: Any) -> AuditReport:
        report = audit(log, match, *progress)
        known.append(report.events)
        terminal.done("note", match, "meanwhile", "--seat", "red")
        return report

    monkeypatch.setattr(report_sources, "audited", then_appended)
    output = tmp_path / "reports"
    terminal.done("report", "--all", "--seat", "arbiter", "-o", str(output))
    (line,) = lines_of(output)

    assert (line["match"], line["events"], line["verdict"]) == (played, str(known[0]), "holds")
    assert "meanwhile" not in text_of(output / f"{played}.html")
