"""The events that a client receives: what is public of their dice is checked before they count, and what a seat was shown is known when it signs."""

from collections.abc import Sequence
from itertools import pairwise

from core.chance.public_results import unproved_result
from events.codec import Struct
from events.errors import BrokenEvidence
from events.ids import MatchId
from events.vocabulary import MatchForked
from projections.state.fold import fold
from projections.state.links import Links, links_on
from projections.state.public_record import recorded
from projections.state.table import Table
from projections.state.undo_history import FENCES
from projections.state.view import EventSlice


def fold_checked(match: MatchId, slice_: EventSlice, table: Table) -> Table:
    """Fold the events of a commit into the table before it, which is returned, once their links and public results are checked.

    Raises:
        BrokenEvidence: A link does not follow, or a result not from the links; it names the event, and the table is unchanged.
    """
    unproved = unproved_result(slice_.events, table)
    if unproved is not None:
        raise BrokenEvidence(match, *unproved)
    return fold(slice_.events, table)


class Shown(Struct, frozen=True):
    """Commits that a seat was shown: how many events, from the first one on, and the digest of what everybody was shown (`recorded`).

    `opened` are the links as these events show them; up to `repeated` a fork repeats its parent. `sent` are the last commands that were signed for the seat and may be put back.
    """

    number: int = 0
    record: str = ""
    opened: Links | None = None
    repeated: int = 0
    sent: tuple[str, ...] = ()

    def followed_by(self, slice_: EventSlice) -> "Shown":
        """Return what the seat was shown with one more commit."""
        opened, repeated, sent = self.opened, self.repeated, self.sent
        for number, event in enumerate(slice_.events, start=self.number + 1):
            repeated = event.at + 1 if isinstance(event, MatchForked) else repeated
            sent = () if type(event) in FENCES else sent
            opened = links_on(opened, event, number, repeated)
        return Shown(slice_.last, recorded(self.record, slice_.at, slice_.events), opened, repeated, sent)

    def check_again(self, match: MatchId, slices: Sequence[EventSlice]) -> None:
        """Check that commits follow each other, and those that the server shows again, if they are all that the seat was shown, and maybe more.

        Raises:
            BrokenEvidence: They are others.
        """
        for one, following in pairwise(slices):
            if following.first != one.last + 1:
                raise BrokenEvidence(match, following.first, f"the server shows it next to event {one.last}")
        number, record = 0, ""
        for slice_ in slices if self.number and slices and slices[0].first == 1 else ():
            number, record = slice_.last, recorded(record, slice_.at, slice_.events)
            if number >= self.number:
                break
        if number >= self.number and (number, record) != (self.number, self.record):
            raise BrokenEvidence(match, self.number, "the server had shown this seat another history before")
