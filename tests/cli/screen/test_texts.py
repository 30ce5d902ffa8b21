"""The texts of the screen: what is shown of the news, and of a message, if there is not room for all."""

from cli.screen.diary import News
from cli.screen.texts import clipped, news_lines
from tests.support.rows import each_row

NEWS = [News("Hits: 3"), News("Retreat"), News("Barrage is discarded", is_minor=True), News("Rubble"), News("a b" * 20)]


@each_row(
    ("rows", "shown"),
    [
        (4, ["· Hits: 3", "· Retreat", "· Barrage is discarded", "· Rubble"]),
        (3, ["· 2 more, in the log", "· Retreat", "· Rubble"]),
        (2, ["· 3 more, in the log", "· Rubble"]),
        (1, ["· 4 more, in the log"]),
        (0, []),
    ],
)
def test_what_is_minor_gives_way_and_then_what_is_older(rows: int, shown: list[str]) -> None:
    assert news_lines(NEWS[:4], rows, 79) == shown


def test_major_news_are_shown_and_only_minor_ones_left_out() -> None:
    news = [*NEWS[:3], NEWS[2], NEWS[3]]

    assert news_lines(news, 4, 79) == ["· 2 more, in the log", "· Hits: 3", "· Retreat", "· Rubble"]


def test_news_that_need_more_rows_than_there_are_begin() -> None:
    lines = news_lines(NEWS, 3, 20)

    assert len(lines) == 3
    assert lines[0] == "· 4 more, in the log"


def test_a_text_that_is_cut_says_so() -> None:
    assert clipped(["one", "two"], 2) == ["one", "two"]
    assert clipped(["one", "two and", "three"], 2) == ["one", "two a …"]
