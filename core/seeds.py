"""Sealed seeds of a family of forks: which of them a store keeps, and which were revealed.

A fork may share the dice of a match further up, so a seed is looked for by its commitment in all ancestors. Families may be
deep: every ancestor is visited once, and of each only the commits that it wrote itself.
"""

from collections.abc import Iterator

from core.chance import SEALED, commitment, is_hex_32, keeps_promise
from events.codec import DecodeError
from events.commit import decode_commit
from events.ids import MatchId
from events.log import Log, Origin
from events.vocabulary import ChanceScheme, SeedRevealed


def family(log: Log, match: MatchId) -> Iterator[tuple[MatchId, Origin | None]]:
    """Yield a match and its ancestors, the nearest first, each with the origin of its stream.

    Raises:
        UnknownMatch: There is no such match.
    """
    further: MatchId | None = match
    while further is not None:
        origin = log.origin(further)
        yield further, origin
        further = None if origin is None else origin.parent


def kept_seed(log: Log, match: MatchId, scheme: ChanceScheme) -> str:
    """Return the sealed seed (hex) of a match's dice, its own or the one that it shares with an ancestor.

    Returns:
        The seed, or an empty string if the dice are not sealed or the store does not keep the seed that was committed to.
    """
    if scheme.scheme != SEALED:
        return ""
    for member, _ in family(log, match):
        seed = log.seed(member)
        if keeps_promise(seed, scheme.commitment):
            return seed
    return ""


def revealed_seeds(log: Log, match: MatchId) -> dict[str, str]:
    """Return the seeds revealed in a match and its ancestors, by their commitments.

    Commits that cannot be read are passed over: the audit names them.
    """
    seeds: dict[str, str] = {}
    for member, origin in family(log, match):
        for stored in log.read(member, 0 if origin is None else origin.seq):
            if b'"seed-revealed/' not in stored.body:
                continue
            try:
                events = decode_commit(stored.body).events
            except DecodeError:
                continue
            found = [event.seed for event in events if isinstance(event, SeedRevealed) and is_hex_32(event.seed)]
            seeds.update({commitment(seed): seed for seed in found})
    return seeds
