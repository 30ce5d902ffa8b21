"""The log of the server over HTTP: a stranger's reader, written from C2SP tlog-tiles alone, makes the root of each tree again from tiles."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from events.ids import MatchId
from events.memory_log import MemoryLog
from events.transparency.checkpoint import open_checkpoint
from events.transparency.signed_note import Signer
from server.client.local import local_client
from server.desk.desk import Desk
from server.protocol.clock import SystemClock
from server.protocol.identity import SystemIdentity
from server.transparency.server_log import ServerLog
from tests.events.making import Writer
from tests.project.tree import ROOT
from tests.support.browsing import Browser, Pages, played, resign
from tests.support.mutated_archives import Lines
from tests.support.rows import each_row
from tests.support.second_verifier import VERIFY
from tests.support.served import served
from tests.support.server_logs import SIGNER, KeptKey


def path_of(number: int) -> str:
    """Return the number of a tile as it stands in addresses."""
    parts = [f"{number % 1000:03}"]
    while number := number // 1000:
        parts.insert(0, f"x{number % 1000:03}")
    return "/".join(parts)


def tile(browser: Browser, level: int | str, number: int, width: int) -> bytes:
    """Read a tile."""
    partial = "" if width == 256 else f".p/{width}"
    response = browser.get(f"/log/tile/{level}/{path_of(number)}{partial}")

    assert (response.status_code, response.headers["content-type"]) == (200, "application/octet-stream")
    assert "immutable" in response.headers["cache-control"]
    return response.content


def root_of(hashes: list[bytes]) -> bytes:
    """Return the Merkle tree hash of some hashes, as RFC 6962 defines it: the left half is the largest power of two."""
    if len(hashes) == 1:
        return hashes[0]
    half = 1
    while half * 2 < len(hashes):
        half *= 2
    return sha256(b"\1" + root_of(hashes[:half]) + root_of(hashes[half:])).digest()


def level_of(browser: Browser, level: int, size: int) -> list[bytes]:
    """Return the hashes of a level of a tree, read tile by tile."""
    count, hashes = size >> 8 * level, list[bytes]()
    for number in range((count + 255) // 256):
        width = min(256, count - 256 * number)
        content = tile(browser, level, number, width)
        assert len(content) == 32 * width
        hashes += [content[at : at + 32] for at in range(0, len(content), 32)]
    return hashes


@contextmanager
def logged(commits: int) -> Iterator[Pages]:
    """Serve a log of so many entries, and its pages."""
    store = MemoryLog()
    store.append(Writer("a").commits(commits))
    log = ServerLog(store, KeptKey(), SystemClock(), SystemIdentity(), pytest.fail)
    log.finish()
    with served(desk=Desk(store, server_log=log)) as broker, Pages(broker.address) as pages:
        yield pages


@pytest.fixture(scope="module")
def small() -> Iterator[Pages]:
    """The pages of a log of three entries."""
    with logged(3) as pages:
        yield pages


@each_row("commits", [1, 255, 256, 257, 700])
def test_a_stranger_makes_the_root_again_from_tiles_and_finds_every_entry_in_them(commits: int) -> None:
    with logged(commits) as pages:
        browser = pages.browser()
        answer = browser.get("/log/checkpoint")
        origin, size = answer.text.split("\n")[:2]
        checkpoint = open_checkpoint(answer.text, SIGNER.verifier)
        leaves, above = level_of(browser, 0, int(size)), level_of(browser, 1, int(size))
        bundles = [
            tile(browser, "entries", number, min(256, int(size) - 256 * number))
            for number in range((int(size) + 255) // 256)
        ]
    entries = []
    for bundle in bundles:
        while bundle:
            length = int.from_bytes(bundle[:2])
            entries.append(bundle[2 : 2 + length])
            bundle = bundle[2 + length :]  # noqa: PLW2901 - What is left of it.

    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert (origin, int(size)) == (SIGNER.name, commits)
    assert root_of(leaves) == checkpoint.root
    assert above == [root_of(leaves[at : at + 256]) for at in range(0, len(leaves) - 255, 256)]
    assert [sha256(b"\0" + entry).digest() for entry in entries] == leaves


@each_row(
    "address",
    [
        "tile/0/000",
        "tile/0/000.p/4",
        "tile/0/000.p/0",
        "tile/0/000.p/256",
        "tile/0/000.p/03",
        "tile/0/001.p/1",
        "tile/0/0.p/3",
        "tile/0/x000/000/000.p/3",
        "tile/00/000.p/3",
        "tile/64/000.p/3",
        "tile/63/000.p/1",
        "tile/-1/000.p/3",
        "tile/entries/000",
        "tile/entries/000.p/3/more",
        "tile/secrets/000.p/3",
        "tile/0/x999/x999/x999/x999/999.p/1",
        "",
    ],
)
def test_a_tile_that_the_log_does_not_have_is_not_found(address: str, small: Pages) -> None:
    assert small.browser().get(f"/log/{address}").status_code == 404


def test_pages_of_a_server_without_a_log_say_so() -> None:
    with served(desk=Desk(MemoryLog())) as broker, Pages(broker.address) as pages:
        answer = pages.browser().get("/log/checkpoint")

    assert answer.status_code == 404
    assert "keeps no log" in answer.text


def test_the_pages_say_which_match_they_show() -> None:
    """So that who serves them can keep what its server has signed."""
    log = MemoryLog()
    match, shown = played(log, "battle", 3), list[MatchId]()
    with served(log) as broker, Pages(broker.address) as pages:
        pages.gateway.shown = shown.append
        pages.browser().get(f"/m/{match}")
        pages.browser().get("/m/nobody")

    assert shown == [match]


NODE = shutil.which("node")
OTHER_KEY = Signer(SIGNER.name, bytes(32)).verifier.text
CHECK = """
const {check, words} = require(process.argv[1]);
const read = (name) => new Uint8Array(require("fs").readFileSync(name));
check(read(process.argv[2]), read(process.argv[3]))
  .then((found) => console.log(JSON.stringify({...found, words: words(found)})))
  .catch((error) => console.log(JSON.stringify({error: error.message})));
"""


@pytest.fixture(scope="module")
def finished() -> Iterator[tuple[bytes, bytes]]:
    """The archive of a finished match and what ties it to the log of its server, both as the pages send them."""
    store = MemoryLog()
    match = played(store, "advance", 30)
    resign(local_client(store), match)
    log = ServerLog(store, KeptKey(), SystemClock(), SystemIdentity(), pytest.fail)
    log.finish()
    with served(desk=Desk(store, server_log=log)) as broker, Pages(broker.address) as pages:
        browser = pages.browser()
        page = browser.get(f"/m/{match}").text
        archive, evidence = (browser.get(f"/m/{match}/{name}.ndjson").content for name in ("archive", "evidence"))
        yield archive, evidence

    assert f'data-log="/m/{match}/evidence.ndjson"' in page
    assert "verify-log.js" in page


def test_the_evidence_of_the_pages_is_verified_as_that_of_a_pack(finished: tuple[bytes, bytes]) -> None:
    archive, evidence = finished
    found = VERIFY.check(archive, "", evidence, SIGNER.verifier.text)

    assert found["covered"] == found["events"]


def by_script(folder: Path, archive: bytes, evidence: bytes) -> dict[str, Any]:
    """Return what the script of the pages finds."""
    files = [folder / "match.ndjson", folder / "evidence.ndjson"]
    for file, content in zip(files, (archive, evidence), strict=True):
        file.write_bytes(content)
    assert NODE is not None
    script = ROOT / "server" / "web" / "http" / "static" / "verify-log.js"
    ran = subprocess.run([NODE, "-e", CHECK, str(script), *map(str, files)], capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


@pytest.mark.skipif(NODE is None, reason="the script of the pages is run by node, which is not installed")
def test_the_script_of_the_pages_checks_log_and_signature(finished: tuple[bytes, bytes], tmp_path: Path) -> None:
    found = by_script(tmp_path, *finished)

    assert (found["signed"], found["key"]) == (True, SIGNER.verifier.text)
    assert found["covered"] == VERIFY.check(finished[0])["events"]
    assert f"signed with {SIGNER.verifier.text}" in found["words"]


@pytest.mark.skipif(NODE is None, reason="the script of the pages is run by node, which is not installed")
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda a, e: (Lines(a).sealed(Lines(a).commits[:-1]), e), "of no commit of this archive"),
        (lambda a, e: (a.replace(b'"at":1', b'"at":2', 1), e), "does not lead to the root"),
        (lambda a, e: (a, e.replace(b'"nonce":"', b'"nonce":"0', 1)), "does not lead to the root"),
        (lambda a, e: (a, e.replace(b"index ", b"index 9", 1)), "does not cover"),
        (lambda a, e: (a, e.replace(b'"number":2', b'"number":3', 1)), "entry 2 of the log"),
        (lambda a, e: (a, e.replace(SIGNER.verifier.text.encode(), OTHER_KEY.encode())), "not what the key"),
        (lambda a, _: (a, b"{}\n"), "not an evidence file"),
    ],
)
def test_the_script_finds_another_history(
    change: Callable[[bytes, bytes], tuple[bytes, bytes]], said: str, finished: tuple[bytes, bytes], tmp_path: Path
) -> None:
    assert said in by_script(tmp_path, *change(*finished))["error"]
