"""The names of one match, joined in from its rules: places with their labels, pieces, seats, rules of a sentence."""

from cli.words import spoken
from core.game import BoundRules, MapPlace
from events.ids import PlaceId


class Names:
    """What ids are called.

    Args:
        rules: Know the printed names.
    """

    def __init__(self, rules: BoundRules) -> None:
        """Look the places up."""
        self.rules = rules
        self.places: dict[PlaceId, MapPlace] = {place.id: place for place in rules.places()}

    def of(self, id_: str) -> str:
        """Return the printed name of anything that is no place of the map."""
        name = self.rules.name(id_)
        return spoken(name) if name == id_ and id_.replace("_", "").isalpha() else name

    def has_name(self, id_: str) -> bool:
        """Say whether something has a printed name: what the rules merely remember has none."""
        return self.rules.name(id_) != id_

    def place(self, place: str) -> str:
        """Return a place's label and name."""
        known = self.places.get(PlaceId(place))
        if known is None:
            return self.of(place)
        return f"{self.label(known)} {known.name}".lstrip()

    def label(self, place: MapPlace) -> str:
        """Return a place's label, unless its name says it as well."""
        return "" if f" {place.label} " in f" {place.name} " else place.label

    def piece(self, piece: str, place: str) -> str:
        """Return a piece's name where it is said as well in which place it stands, which is then not said twice."""
        known = self.places.get(PlaceId(place))
        name = self.of(piece)
        return name if known is None else name.removesuffix(f" of {known.name}")

    def anything(self, id_: str) -> str:
        """Return the name of what may be a place, a piece or something else."""
        return self.place(id_) if PlaceId(id_) in self.places else self.of(id_)

    def side(self, seat: str) -> str:
        """Return the name of a side; nobody where it is empty."""
        return self.of(seat) if seat else "nobody"

    def is_on_map(self, place: str) -> bool:
        """Say whether a place is part of the map, and no box beside it."""
        known = self.places.get(PlaceId(place))
        return known is not None and not known.is_box
