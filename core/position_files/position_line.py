"""Position files as one line of letters, to be pasted into a message: `wardiary-position:GAME:EDITION:DATA:CHECK`.

`DATA` is the compressed text of the file in the letters of base64 for addresses, `CHECK` the CRC-32 of all before it. Spaces and line ends
within are skipped, because programs that show messages break long lines.
"""

import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode

from core.errors import SetupInvalid
from core.position_files.position_toml import position_text
from core.positions.position import Position
from core.toml.outside_toml import BYTES_MAX

PREFIX = "wardiary-position"
LINE_MAX = 2 * BYTES_MAX
"""The most characters of a line that is read."""

_DATA = re.compile(r"[A-Za-z0-9_-]*")


def position_line(position: Position) -> str:
    """Return the line of a position."""
    packed = zlib.compress(position_text(position).encode(), 9)
    data = urlsafe_b64encode(packed).decode().rstrip("=")
    start = f"{PREFIX}:{position.game}:{position.edition}:{data}:"
    return f"{start}{_check(start)}"


def is_line(text: str) -> bool:
    """Return whether a text is meant as the line of a position, and is not the name or the text of a file."""
    return text.lstrip("\ufeff \t\r\n`>\"'").startswith(f"{PREFIX}:")


def text_of_line(text: str) -> str:
    """Return the text of the position file that a line holds.

    Raises:
        SetupInvalid: It is not a whole line of a position; the message says what is wrong.
    """
    if len(text) > LINE_MAX:
        raise _wrong(f"has {len(text)} characters; at most {LINE_MAX} are possible")
    line = "".join(text.lstrip("\ufeff").split()).strip("`>\"'")
    start, _, check = line.rpartition(":")
    parts = start.split(":")
    if len(parts) < 4:
        raise _wrong("is cut short: it must end with a colon and eight hexadecimal digits")
    if len(parts) > 4:
        raise _wrong(f"has {len(parts) + 1} parts between colons; {PREFIX}:GAME:EDITION:DATA:CHECK has five")
    data = parts[3]
    if (place := _DATA.match(data)) is None or place.end() < len(data):
        at = 0 if place is None else place.end()
        number = line.index(data) + at + 1
        raise _wrong(f"has {data[at]!r} as character {number}, where a letter, a digit, - or _ must be")
    if check != _check(f"{start}:"):
        raise _wrong("was changed or cut short: its last part does not fit the rest; copy the whole line again")
    return _unpacked(data)


def _unpacked(data: str) -> str:
    opener = zlib.decompressobj()
    try:
        packed = urlsafe_b64decode(data + "=" * (-len(data) % 4))
        content = opener.decompress(packed, BYTES_MAX + 1)
        if len(content) > BYTES_MAX:
            raise _wrong(f"holds more than {BYTES_MAX} bytes, the most of a position file")
        if not opener.eof or opener.unused_data:
            raise _wrong("does not hold one whole position file")
        return content.decode()
    except (ValueError, zlib.error):
        raise _wrong("does not hold the text of a position file") from None


def _check(text: str) -> str:
    return f"{zlib.crc32(text.encode()):08x}"


def _wrong(problem: str) -> SetupInvalid:
    return SetupInvalid((f"the line of a position {problem}",))
