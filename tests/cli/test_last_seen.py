"""What this user has seen of each match and seat is remembered in a private file that may be damaged."""

from pathlib import Path

import pytest

from cli import last_seen as module
from cli.last_seen import last_seen, remember, seen_file
from events.ids import MatchId, Seat

ONE, OTHER = MatchId("one"), MatchId("other")
RED, BLUE = Seat("red"), Seat("blue")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARDIARY_SEATS", str(tmp_path / "folder" / "seats.json"))


def test_each_match_and_seat_has_its_number() -> None:
    remember(ONE, RED, 7)
    remember(ONE, BLUE, 9)
    remember(OTHER, RED, 2)
    remember(ONE, RED, 8)

    assert (last_seen(ONE, RED), last_seen(ONE, BLUE), last_seen(OTHER, RED)) == (8, 9, 2)
    assert last_seen(OTHER, BLUE) is None
    assert seen_file().stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[1]", b'{"one":{"red":"seven"}}', b'{"one":' * 50])
def test_a_damaged_file_is_made_again(content: bytes) -> None:
    remember(ONE, RED, 7)
    seen_file().write_bytes(content)

    assert last_seen(ONE, RED) is None
    remember(ONE, RED, 8)
    assert last_seen(ONE, RED) == 8


def test_a_number_below_nothing_is_none_at_all() -> None:
    remember(ONE, RED, 7)
    seen_file().write_bytes(b'{"one":{"red":-5}}')

    assert last_seen(ONE, RED) == 0


def test_a_file_that_cannot_be_written_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("WARDIARY_SEATS", str(tmp_path / "file" / "seats.json"))
    remember(ONE, RED, 7)

    assert last_seen(ONE, RED) is None


def test_matches_that_were_seen_longest_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MATCHES_MAX", 2)
    for match in ("zulu", "alpha", "zulu", "mike"):
        remember(MatchId(match), RED, 1)

    assert [last_seen(MatchId(match), RED) for match in ("alpha", "mike", "zulu")] == [None, 1, 1]
