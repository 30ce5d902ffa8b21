"""Names of the places of a map, for sentences and lists; nothing of where they lie."""

from events.codec import Struct
from events.ids import PlaceId


class PlaceName(Struct, frozen=True):
    """The printed name of a place, and the short label that stands for it on the map.

    A box is not part of the map: its pieces wait or are out of play. `only_in` lists the keys of the scenarios and modes that have the
    place; empty for all. `noun` goes before a label that is a mere number in sentences, such as `Area`; the map and what is typed do without it.
    `brief` is what a row of a list calls the place beside others, where `name` takes too much room, such as `Red October, Perimeter`; empty for the name.
    Of a box that `is_above` places of the map, such as the sky, the pieces are in play: who goes there is not lost.
    """

    id: PlaceId
    name: str
    label: str
    is_box: bool = False
    only_in: tuple[str, ...] = ()
    noun: str = ""
    brief: str = ""
    is_above: bool = False

    @property
    def full(self) -> str:
        """What the place is called in sentences, by its label first if players name it so."""
        label = self.further_label
        if label and self.label == self.id:
            return f"{self.noun} {label} ({self.name})".lstrip()
        return f"{label} {self.name}".lstrip()

    def is_in(self, scenario: str, mode: str) -> bool:
        """Return whether a match of a scenario and mode has the place."""
        return not self.only_in or scenario in self.only_in or mode in self.only_in

    @property
    def further_label(self) -> str:
        """The label, if the name does not say it: empty if it is a word of the name or its first letters, in either case, or only a sign."""
        label, name = self.label.casefold(), self.name.casefold()
        is_sign = not any(map(str.isalnum, label))
        is_initial = label.isalpha() and name.startswith(label)
        return "" if is_sign or is_initial or f" {label} " in f" {name} " else self.label
