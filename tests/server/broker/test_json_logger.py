"""The operator's log: lines that are written together are the lines that each would be alone."""

import io

from server.broker.json_logger import TEXT_CHARACTERS_MAX, JsonLogger

COMMITTED: list[dict[str, str | int]] = [
    {"match": "one", "seq": 4, "seat": "red", "id": "c-1"},
    {"match": "two", "seq": 9, "seat": "x" * (TEXT_CHARACTERS_MAX + 1), "id": "c-2"},
]


class Noon:
    """A clock that stands still."""

    def now_ms(self) -> int:
        return 1_700_000_000_000

    def monotonic(self) -> float:
        return 0.0

    def sleep(self, seconds: float) -> None:
        """Return at once."""


def _written(level: str, *, together: bool) -> bytes:
    stream = io.BytesIO()
    logger = JsonLogger(stream, Noon(), level)
    if together:
        logger.info_each("committed", COMMITTED)
        logger.info_each("committed", [])
    else:
        for one in COMMITTED:
            logger.info("committed", **one)
    return stream.getvalue()


def test_lines_written_together_are_those_written_alone() -> None:
    assert _written("info", together=True) == _written("info", together=False)
    assert _written("info", together=True).count(b"\n") == len(COMMITTED)


def test_a_higher_level_leaves_them_out() -> None:
    assert _written("warning", together=True) == _written("warning", together=False) == b""


def test_a_line_has_its_time_its_level_its_words_and_its_fields_in_this_order() -> None:
    stream = io.BytesIO()
    JsonLogger(stream, Noon(), "warning").warning("slow", match="one")

    assert (
        stream.getvalue() == b'{"at":"2023-11-14T22:13:20.000+00:00","level":"warning","what":"slow","match":"one"}\n'
    )
