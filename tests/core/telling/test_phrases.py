"""Who has won is said once: not again where the result says it."""

import pytest

from core.telling.phrases import over, unnamed, winning, won


@pytest.mark.parametrize(
    ("result", "winners", "left", "said", "ended"),
    [
        ("Soviet Victory", ("Soviet",), (), "", "Soviet Victory"),
        ("Resignation", ("Soviet",), ("Soviet",), "the Soviet side", "Resignation. Winner: Soviet"),
        ("Goal", ("Red", "Blue"), ("Red", "Blue"), "the Red side and the Blue side", "Goal. Winners: Red and Blue"),
        ("Prepared", ("Red",), ("Red",), "the Red side", "Prepared. Winner: Red"),
        ("Time", ("Axis (Blue)",), ("Axis (Blue)",), "Axis (Blue)", "Time. Winner: Axis (Blue)"),
        ("Draw", (), (), "", "Draw. No player has won"),
    ],
)
def test_winners_are_named_where_the_result_does_not(
    result: str, winners: tuple[str, ...], left: tuple[str, ...], said: str, ended: str
) -> None:
    assert unnamed(result, winners) == left
    assert winning(result, winners) == said
    assert won(result, winners) == (f"Won by {said}." if said else "" if winners else "No player has won.")
    assert over(result, winners) == ended
