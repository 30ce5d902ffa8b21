"""Signatures of seats as an audit tells of them: how many commands were signed, and with which keys. `core.match.signatures` checks them."""

from collections.abc import Mapping

from events.codec import Struct, replace
from events.commit import Commit
from events.ids import Seat
from events.vocabulary import KeyRegistered, MatchForked, PlayerReplaced
from projections.state.table import Table


class RegisteredKey(Struct, frozen=True, omit_defaults=True):
    """A key of a seat (hex): the event that registered it, its holder, and the key before, which signed it; see `KeyRegistered`."""

    seq: int
    key: str
    holder: str = ""
    was: str = ""


class SeatSignatures(Struct, frozen=True):
    """The commands of a seat: those that it signed, those that it did not because it had no key, and its standing answers and links while it had one.

    `replaced` are the events by which an arbiter replaced a player who signed, and `since` is the number of commands that were not signed after the first of these.
    """

    signed: int = 0
    unsigned: int = 0
    answers: int = 0
    keys: tuple[RegisteredKey, ...] = ()
    replaced: tuple[int, ...] = ()
    since: int = 0

    @property
    def owners(self) -> list[tuple[str, ...]]:
        """The keys of each player: those together of which one has signed the next."""
        found: list[tuple[str, ...]] = []
        for one in self.keys:
            found[-1:] = [(*found[-1], one.key)] if one.was and found else [*found[-1:], (one.key,)]
        return found

    @property
    def of_others(self) -> tuple[RegisteredKey, ...]:
        """The keys after the first that the one before did not sign: of a player who had lost it, or of another player."""
        return tuple([key for key in self.keys[1:] if not key.was])


def counted(found: Mapping[Seat, SeatSignatures], commit: Commit, table: Table) -> dict[Seat, SeatSignatures]:
    """Return the signatures of seats with one more commit.

    A fork begins anew, for its seats have other players: only what was not signed in its parent stays known as that.

    Args:
        found: Those before it.
        commit: A commit.
        table: The table before it.
    """
    if isinstance(commit.events[0], MatchForked):
        return {seat: SeatSignatures(unsigned=one.unsigned) for seat, one in found.items() if one.unsigned}
    if commit.first <= table.keys_from:
        # It repeats what the fork has cut, which was signed in the parent.
        return dict(found)
    for number, event in enumerate(commit.events, start=commit.first):
        if isinstance(event, PlayerReplaced) and event.seat in table.keys:
            signer = found.get(event.seat, SeatSignatures())
            found = {**found, event.seat: replace(signer, replaced=(*signer.replaced, number))}
    seat = commit.seat
    if seat not in table.seats:
        return dict(found)
    one = found.get(seat, SeatSignatures())
    keys = tuple(
        [
            RegisteredKey(number, event.key, event.holder, event.was)
            for number, event in enumerate(commit.events, start=commit.first)
            if isinstance(event, KeyRegistered)
        ]
    )
    is_signed, has_key = bool(commit.signature), seat in table.keys
    return {
        **found,
        seat: replace(
            one,
            signed=one.signed + is_signed,
            unsigned=one.unsigned + (not is_signed and not has_key),
            since=one.since + (not is_signed and not has_key and bool(one.replaced)),
            answers=one.answers + (not is_signed and has_key),
            keys=(*one.keys, *keys),
        ),
    }
