"""Methods behind the figures of a report, in words."""

from server.report.luck import BAND

METHODS: tuple[tuple[str, str], ...] = (
    (
        "Chance",
        (
            "Fair dice are independent, so in how many ways they give each result is counted exactly. “This or higher” is the chance of "
            "the result that fell or a higher one: a higher sum with all modifiers or, where each die counts alone, more dice that "
            "reach the number needed. A roll whose higher results are better for a side counts for its luck."
        ),
    ),
    (
        "Luck",
        (
            "A roll's deviation is its result less the expected one, in standard deviations of that roll; a roll that can have one "
            "result only has none. A side's luck is the sum of the deviations of the rolls that are better for it when they are higher. "
            f"Over n rolls of fair dice this sum has the mean 0 and the standard deviation √n, and is within {BAND} √n, the band, in 95 "
            "of 100 matches."
        ),
    ),
    (
        "Fairness",
        (
            "Three tests compare all dice with fair ones: the faces by Pearson's chi-square test (its p-value is that of the chi-square "
            "distribution, in closed form; at least 5 dice for each face), the sum of all faces by its normal distribution (at least 30 dice), "
            "and the order of high and low dice by the runs test of Wald and Wolfowitz (at least 10 of each). The p-value is the chance that fair "
            "dice deviate at least so far: of 100 fair matches about one has a p-value below 0.01 in any one test. Dice that a fork chose are left out."
        ),
    ),
    (
        "Thinking time",
        (
            "A decision takes from the command before it to the command that answers it, or from when its seat was taken if that is "
            "later; the time of pauses does not count."
        ),
    ),
    (
        "Losses",
        (
            "A piece is lost when it leaves the map, whether it goes to a box beside it or leaves the table, and no longer when it "
            "returns; it takes its steps along. A token that is spent is no loss. What was taken back does not count."
        ),
    ),
)
"""How the figures were made."""

OF_DICE = ("Chance", "Luck", "Fairness")
"""What is left out where no dice were rolled."""
