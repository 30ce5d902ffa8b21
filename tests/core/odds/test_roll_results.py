"""Results of a roll that can be told apart, against every single throw."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product

from core.odds.roll_results import Roll, judged_faces, results_of, results_together
from tests.support.rows import each_row


def by_hand(roll: Roll, read: Callable[[Sequence[int]], object]) -> Counter[object]:
    return Counter([read(faces) for faces in product(range(1, roll.sides + 1), repeat=roll.count)])


def collapsed(roll: Roll, read: Callable[[Sequence[int]], object]) -> Counter[object]:
    found: Counter[object] = Counter()
    for one in results_of(roll):
        found[read(one.faces[0])] += one.ways
    return found


@each_row("roll", [Roll(1, 6), Roll(2, 6), Roll(3, 6), Roll(4, 6, keep=2), Roll(3, 6, keep=2), Roll(2, 10)])
def test_sums_come_in_as_many_ways_as_among_all_throws(roll: Roll) -> None:
    def read(faces: Sequence[int]) -> int:
        return sum(sorted(faces)[-roll.keep :])

    assert collapsed(roll, read) == by_hand(roll, read)


@each_row("marked", [frozenset[int](), frozenset({1}), frozenset({1, 6})])
@each_row("or_less", [True, False])
def test_hits_and_marked_faces_come_in_as_many_ways_as_among_all_throws(
    *, or_less: bool, marked: frozenset[int]
) -> None:
    classes = judged_faces(6, 4, 1 if or_less else -1, or_less=or_less, marked=marked)
    roll = Roll(4, 6, 0, classes)

    def read(faces: Sequence[int]) -> tuple[int, ...]:
        hits = sum(face <= 5 if or_less else face >= 5 for face in faces if face not in marked)
        return hits, *[faces.count(face) for face in sorted(marked)]

    assert collapsed(roll, read) == by_hand(roll, read)


def test_a_roll_of_hits_has_one_result_more_than_dice() -> None:
    assert len(results_of(Roll(9, 6, 0, judged_faces(6, 2, 0, or_less=True)))) == 10


def test_rolls_that_only_count_together_add_up_their_hits() -> None:
    first, second = (
        Roll(2, 6, 0, judged_faces(6, 2, 0, or_less=True)),
        Roll(3, 6, 0, judged_faces(6, 4, 0, or_less=True)),
    )
    found: Counter[int] = Counter()
    for one in results_together((first, second)):
        low, high = one.faces
        found[sum(face <= 2 for face in low) + sum(face <= 4 for face in high)] += one.ways
    throws = product(range(1, 7), repeat=5)
    by_throw = Counter([sum(face <= 2 for face in all_[:2]) + sum(face <= 4 for face in all_[2:]) for all_ in throws])

    assert found == by_throw
    assert len(results_together((first, second))) == 6


def test_a_number_that_no_face_reaches_leaves_one_result() -> None:
    (only,) = results_of(Roll(3, 6, 0, judged_faces(6, 9, 0, or_less=False)))

    assert only.ways == 216
