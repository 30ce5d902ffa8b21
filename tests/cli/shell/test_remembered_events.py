"""What this user has seen of each match and seat is remembered in a private file that may be damaged."""

from pathlib import Path

import pytest

from cli.shell import remembered_events as module
from cli.shell.remembered_events import SEEN
from events.ids import MatchId, Seat
from tests.support.rows import each_row

ONE, OTHER = MatchId("one"), MatchId("other")
RED, BLUE = Seat("red"), Seat("blue")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARDIARY_SEATS", str(tmp_path / "folder" / "seats.json"))


def test_each_match_and_seat_has_its_number() -> None:
    SEEN.remember(ONE, RED, 7)
    SEEN.remember(ONE, BLUE, 9)
    SEEN.remember(OTHER, RED, 2)
    SEEN.remember(ONE, RED, 8)

    assert (SEEN.of(ONE, RED), SEEN.of(ONE, BLUE), SEEN.of(OTHER, RED)) == (8, 9, 2)
    assert SEEN.of(OTHER, BLUE) is None
    assert SEEN.file.stat().st_mode & 0o077 == 0


@each_row("content", [b"", b"\xff\xfe", b"[1]", b'{"one":{"red":"seven"}}', b'{"one":' * 50])
def test_a_damaged_file_is_made_again(content: bytes) -> None:
    SEEN.remember(ONE, RED, 7)
    SEEN.file.write_bytes(content)

    assert SEEN.of(ONE, RED) is None
    SEEN.remember(ONE, RED, 8)
    assert SEEN.of(ONE, RED) == 8


def test_a_number_below_nothing_is_none_at_all() -> None:
    SEEN.remember(ONE, RED, 7)
    SEEN.file.write_bytes(b'{"one":{"red":-5}}')

    assert SEEN.of(ONE, RED) == 0


def test_a_file_that_cannot_be_written_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("WARDIARY_SEATS", str(tmp_path / "file" / "seats.json"))
    SEEN.remember(ONE, RED, 7)

    assert SEEN.of(ONE, RED) is None


def test_matches_that_were_seen_longest_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MATCHES_MAX", 2)
    for match in ("zulu", "alpha", "zulu", "mike"):
        SEEN.remember(MatchId(match), RED, 1)

    assert [SEEN.of(MatchId(match), RED) for match in ("alpha", "mike", "zulu")] == [None, 1, 1]
