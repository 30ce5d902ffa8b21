"""The faces that a fork chose for its next dice, and which rolls show them."""

from itertools import takewhile

from events.codec import Struct
from events.vocabulary import DiceRolled


class ChosenFaces(Struct, frozen=True):
    """The faces that a fork chose for its next dice, those of the events after `after`; at least one."""

    after: int
    faces: tuple[int, ...]


def chosen_on(chosen: ChosenFaces | None) -> ChosenFaces | None:
    """Return chosen faces as a fork repeats or continues them: not counting the forking event."""
    return None if chosen is None else ChosenFaces(chosen.after + 1, chosen.faces)


def chosen_for(chosen: ChosenFaces | None, seq: int, count: int, sides: int) -> tuple[int, ...]:
    """Return the chosen faces of a roll; fewer than its dice, or none, if the others are rolled.

    Args:
        chosen: The faces that a fork chose, as far as they have not been used.
        seq: The number of the event of the roll.
        count: The number of dice.
        sides: The largest face of such a die; a larger chosen face does not count, nor does any after it.
    """
    if chosen is None or seq <= chosen.after:
        return ()
    return tuple(takewhile(lambda face: face <= sides, chosen.faces[:count]))


def with_chosen(chosen: ChosenFaces | None, seq: int, faces: tuple[int, ...], sides: int) -> tuple[int, ...]:
    """Return rolled faces with the chosen ones in place of the first; see `chosen_for`."""
    used = chosen_for(chosen, seq, len(faces), sides)
    return (*used, *faces[len(used) :])


def left_of_chosen(chosen: ChosenFaces | None, seq: int, roll: DiceRolled) -> ChosenFaces | None:
    """Return the chosen faces that a roll, event `seq`, has not used; None if a die could not show the next one."""
    if chosen is None or seq <= chosen.after:
        return chosen
    used = chosen_for(chosen, seq, len(roll.faces), roll.sides)
    fits = len(used) == min(len(roll.faces), len(chosen.faces))
    left = chosen.faces[len(used) :] if fits else ()
    return ChosenFaces(chosen.after, left) if left else None
