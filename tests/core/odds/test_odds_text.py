"""Chances in words."""

from core.narration.game_rolls import Result
from core.odds.odds_lines import Line, Mean, Odds, Outcome, sampled_lines
from core.odds.odds_text import basis, headline, line_text, mean_text, outcome_text, share_text
from tests.support.rows import each_row


@each_row(
    ("share", "told"),
    [
        (0, "0 %"),
        (0.0001, "under 0.1 %"),
        (0.0463, "4.6 %"),
        (0.24, "24 %"),
        (0.787, "79 %"),
        (0.9912, "99.1 %"),
        (0.99999, "over 99.9 %"),
        (1, "100 %"),
    ],
)
def test_a_share_is_told_as_exactly_as_it_matters(share: float, told: str) -> None:
    assert share_text(share) == told


def test_a_share_taken_at_random_has_its_interval() -> None:
    assert outcome_text(Outcome("held", 0.61, 0.561, 0.66)) == "61 % (56 to 66)"


def test_the_mean_of_losses_is_at_least_none() -> None:
    (line,) = sampled_lines(
        {Result("Steps lost", number, str(number), number=number): of for number, of in ((0, 63), (1, 1))}, 64, 64
    )

    assert line.mean is not None
    assert line.mean.high > line.mean.value
    assert mean_text(line.mean) == "0.0 (0.0 to 0.0)"


COUNTED = Odds(
    (
        Line(
            "Result of the attack",
            (Outcome("Repulse", 0.25, 0.25, 0.25), Outcome("Success", 0.75, 0.75, 0.75, is_good=True)),
            Outcome("Success or Overrun", 0.75, 0.75, 0.75, is_good=True),
        ),
    ),
    1296,
    assumed=("without support",),
)


def test_a_line_tells_every_result_from_the_worst() -> None:
    assert line_text(COUNTED.lines[0]) == "Result of the attack: Repulse 25 %, Success 75 %"


def test_the_headline_is_the_chance_of_what_is_rolled_for() -> None:
    assert headline(COUNTED) == "75 % Success or Overrun"


def test_without_such_a_chance_the_headline_is_the_means() -> None:
    line = Line("Hits on the German side", (Outcome("2", 1, 1, 1),), None, Mean(2, 2, 2))

    other = Line("Hits on the Russian side", (Outcome("3", 1, 1, 1),), None, Mean(3, 3, 3))

    assert headline(Odds((line,), 4)) == "Hits on the German side 2.0 on average"
    assert headline(Odds((line, other), 4)) == "Hits on the German side 2.0, Russian side 3.0 on average"


def test_where_what_is_rolled_for_is_all_but_excluded_the_headline_is_the_means() -> None:
    """In a long fight `under 0.1 % only the Allies are left` says nothing of the next round."""
    hits = Line("Hits of the Allies", (Outcome("2", 1, 1, 1),), None, Mean(2, 2, 2))
    hardly, likely = (
        Line("The zone", (Outcome("taken", share, share, share, is_good=True),), Outcome("taken", share, share, share))
        for share in (0.0001, 0.2)
    )

    assert headline(Odds((hardly, hits), 4)) == "Hits of the Allies 2.0 on average"
    assert headline(Odds((likely, hits), 4)) == "20 % taken"
    assert headline(Odds((hardly,), 4)) == "under 0.1 % taken"


def test_the_chance_in_a_few_words_says_that_it_was_sampled_behind_what_it_is_of() -> None:
    line = Line("Hex 3", (), Outcome("held", 0.085, 0.03, 0.21, is_good=True))

    assert headline(Odds((line,), 40)) == "8.5 % held (sampled: 3 to 21 %)"


def test_it_is_said_over_what_chances_were_counted() -> None:
    assert basis(COUNTED) == "Counted over all 1,296 equally likely ways. Assumed: without support."
    assert basis(Odds(COUNTED.lines, 0, 400)) == (
        "Taken from 400 ways at random; in brackets what holds 19 times in 20."
    )
