"""The whole evidence is there for who may have it, and a browser can check it without our program."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.archive import export_match
from events.ids import ARBITER, MatchId
from events.memory_log import MemoryLog
from server.client.local import local_client
from tests.project.tree import ROOT
from tests.support.browsing import HTML, Pages, browsed, found, played, read, words
from tests.support.sitting import OWNER

NODE = shutil.which("node")
CHECK = (
    "const {check} = require(process.argv[1]);"
    "check(new Uint8Array(require('fs').readFileSync(process.argv[2])))"
    ".then((found) => console.log(JSON.stringify(found)), (error) => { console.log(error.message); process.exit(1); });"
)


class Shelf:
    """A log with an open match that is over and one with secret hands, and their pages."""

    def __init__(self, log: MemoryLog, pages: Pages, address: str) -> None:
        self.log = log
        self.pages = pages
        self.address = address


def ended(log: MemoryLog, game: str, commands: int) -> MatchId:
    match = played(log, game, commands, dice="sealed")
    client = local_client(log)
    client.play(match, client.legal(match).to_move, {"do": "match:resign"})
    return match


@pytest.fixture(scope="module")
def shelf() -> Iterator[Shelf]:
    log = MemoryLog()
    with browsed(log) as (pages, broker):
        yield Shelf(log, pages, broker.address)


@pytest.fixture(scope="module")
def open_match(shelf: Shelf) -> MatchId:
    return ended(shelf.log, "advance", 4)


@pytest.fixture(scope="module")
def secret_match(shelf: Shelf) -> MatchId:
    return ended(shelf.log, "battle", 12)


def test_a_match_without_secrets_that_is_over_has_its_archive_for_everybody(shelf: Shelf, open_match: MatchId) -> None:
    browser = shelf.pages.browser()
    page = read(browser.get(f"/m/{open_match}"))
    (button,) = [one for one in page.iter(f"{HTML}button") if "data-verify" in one.attrib]

    assert browser.get(button.attrib["data-verify"]).content == b"".join(export_match(shelf.log, open_match))
    assert button.attrib["data-head"] == shelf.log.head(open_match).hash
    assert "Head of the chain" in words(found(page, "section", "evidence")[0])


def test_a_match_with_secrets_has_it_for_the_arbiter_only(shelf: Shelf, secret_match: MatchId) -> None:
    browser = shelf.pages.browser()
    page = read(browser.get(f"/m/{secret_match}"))

    assert [one for one in page.iter(f"{HTML}button") if "data-verify" in one.attrib] == []
    assert shelf.log.head(secret_match).hash not in browser.get(f"/m/{secret_match}").text
    assert browser.get(f"/m/{secret_match}/archive.ndjson").status_code == 403
    with Pages(shelf.address, is_operator_allowed=True) as pages:
        owner = pages.browser()
        owner.sit(secret_match, ARBITER, OWNER)
        archive = owner.get(f"/m/{secret_match}/archive.ndjson?seat=arbiter")

        assert archive.content == b"".join(export_match(shelf.log, secret_match))


def test_a_running_match_shows_no_head(shelf: Shelf) -> None:
    match = played(shelf.log, "advance", 1)
    page = shelf.pages.browser().get(f"/m/{match}").text

    assert shelf.log.head(match).hash not in page
    assert "data-verify" not in page


def checked(folder: Path, archive: bytes) -> tuple[int, str]:
    """Check an archive with the script of the page, outside a browser."""
    assert NODE is not None
    file = folder / "match.ndjson"
    file.write_bytes(archive)
    script = ROOT / "server" / "web" / "static" / "verify.js"
    ran = subprocess.run([NODE, "-e", CHECK, str(script), str(file)], capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout.strip() or ran.stderr


@pytest.mark.skipif(NODE is None, reason="the script of the page is run by node, which is not installed")
def test_the_script_of_the_page_checks_an_archive(shelf: Shelf, open_match: MatchId, tmp_path: Path) -> None:
    code, said = checked(tmp_path, b"".join(export_match(shelf.log, open_match)))
    told = json.loads(said)

    assert code == 0
    assert (told["head"], told["events"]) == (shelf.log.head(open_match).hash, shelf.log.head(open_match).seq)
    assert told["dice"].startswith("the revealed seed fits")


@pytest.mark.skipif(NODE is None, reason="the script of the page is run by node, which is not installed")
@pytest.mark.parametrize("part", [0.3, 0.6, 0.999])
def test_the_script_of_the_page_finds_a_changed_byte(
    shelf: Shelf, open_match: MatchId, tmp_path: Path, part: float
) -> None:
    archive = bytearray(b"".join(export_match(shelf.log, open_match)))
    at = next(at for at in range(round(len(archive) * part), 0, -1) if chr(archive[at]).isdecimal())
    archive[at] = ord("1") if archive[at] != ord("1") else ord("2")
    code, said = checked(tmp_path, bytes(archive))

    assert code == 1
    assert said
