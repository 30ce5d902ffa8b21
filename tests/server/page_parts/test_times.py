"""Times are told in the calendar, and those that it does not have by their number."""

from server.page_parts.times import iso, moment, moment_words
from tests.support.rows import each_row


@each_row(
    ("at_ms", "told", "written"),
    [
        (60_000, "1970-01-01 00:01 UTC", "1970-01-01T00:01:00+00:00"),
        (-62_135_596_800_000, "0001-01-01 00:00 UTC", "0001-01-01T00:00:00+00:00"),
        (253_402_300_799_000, "9999-12-31 23:59 UTC", "9999-12-31T23:59:59+00:00"),
    ],
)
def test_a_time_of_the_calendar_is_told_in_it(at_ms: int, told: str, written: str) -> None:
    assert moment(at_ms) == f'<time datetime="{written}">{told}</time>'
    assert iso(at_ms) == written


@each_row("at_ms", [-(2**63), -62_135_596_800_001, 253_402_300_800_000, 2**63 - 1])
def test_a_time_that_the_calendar_does_not_have_is_told_by_its_number(at_ms: int) -> None:
    assert moment(at_ms) == f"<span>{at_ms} ms since 1970</span>"
    assert iso(at_ms) == f"{at_ms} ms since 1970"


def test_the_time_of_a_match_without_a_clock_is_not_told() -> None:
    assert moment(0) == moment_words(0) == ""
