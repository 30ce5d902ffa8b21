"""The line of a position: it holds the whole position, and what is wrong with one is told."""

import zlib
from base64 import urlsafe_b64encode

import pytest

from core.errors import SetupInvalid
from core.position_files.position_line import LINE_MAX, PREFIX, is_line, position_line, text_of_line
from core.position_files.position_toml import position_text
from core.positions.position import PlacedPiece, Position, parse_position
from core.toml.outside_toml import BYTES_MAX
from events.ids import CardId, GameKey, PieceId, PileId, PlaceId
from tests.support.rows import each_row

POSITION = Position(
    format="wardiary-position/1",
    game=GameKey("battle"),
    edition="1.0",
    title='A "hard" one: Über\nall',
    round=3,
    options={"turn_cap": 7, "free_move_no_return": False, "words": ("a", "b")},
    pieces=(PlacedPiece(PieceId("a b"), PlaceId("c"), known_to=()), PlacedPiece(PieceId("d"), PlaceId("e"))),
    piles={PileId("deck"): tuple(CardId(f"card-{number}") for number in range(200))},
)
LINE = position_line(POSITION)


def sealed(data: bytes) -> str:
    """Return a line with a check that fits, whatever it holds."""
    start = f"{PREFIX}:battle:1.0:{urlsafe_b64encode(data).decode().rstrip('=')}:"
    return f"{start}{zlib.crc32(start.encode()):08x}"


def test_a_text_and_a_line_hold_the_whole_position() -> None:
    assert parse_position(position_text(POSITION)) == POSITION
    assert parse_position(text_of_line(LINE)) == POSITION
    assert LINE.startswith("wardiary-position:battle:1.0:")
    assert len(LINE.split()) == 1


def test_a_line_may_be_broken_and_quoted_as_programs_that_show_messages_do() -> None:
    broken = "\n> ".join(LINE[at : at + 70] for at in range(0, len(LINE), 70)).replace("> ", "")

    assert is_line(f"`{broken}`\n")
    assert text_of_line(f"`{broken}`\n") == position_text(POSITION)
    assert not is_line("wardiary.toml")


@each_row(
    ("line", "problem"),
    [
        (f"{PREFIX}:battle:1.0", "is cut short"),
        (LINE[:-20], "is cut short"),
        (LINE[:-4], "was changed or cut short"),
        (LINE.replace(":1.0:", ":1.1:"), "was changed or cut short"),
        (f"{LINE[:60]}é{LINE[61:]}", "has 'é' as character 61"),
        (f"{LINE}:more:and:more", "parts between colons"),
        ("x" * (LINE_MAX + 1), f"has {LINE_MAX + 1} characters"),
        (sealed(b"no"), "does not hold the text"),
        (sealed(zlib.compress(b"\xff\xfe")), "does not hold the text"),
        (sealed(zlib.compress(bytes(BYTES_MAX + 1))), f"holds more than {BYTES_MAX} bytes"),
        (sealed(zlib.compress(b"whole")[:-1]), "does not hold one whole position file"),
        (sealed(zlib.compress(b"whole") + b"more"), "does not hold one whole position file"),
    ],
)
def test_what_is_wrong_with_a_line_is_told(line: str, problem: str) -> None:
    with pytest.raises(SetupInvalid, match=r"^the line of a position ") as caught:
        text_of_line(line)

    assert problem in str(caught.value)
