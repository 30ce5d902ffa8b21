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
from events.vocabulary import ChanceScheme, MatchForked, MatchOpened, SeedRevealed


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


def seed_problem(log: Log, match: MatchId) -> str:
    """Return what is wrong with the seed that is kept for a match's own stream; empty if nothing is, or none is kept.

    Raises:
        UnknownMatch: There is no such match.
        BrokenEvidence: What was seen of it is not what was written; so does StoreDamaged.
    """
    seed = log.seed(match)
    if not seed:
        return ""
    scheme = own_scheme(log, match)
    if scheme is None or scheme.scheme != SEALED:
        return f"a sealed seed is kept for match {match}, whose dice are not sealed"
    if not keeps_promise(seed, scheme.commitment):
        return f"the sealed seed of match {match} does not fit the commitment to it: no dice can be rolled with it"
    return ""


def lacks_seed(log: Log, match: MatchId) -> bool:
    """Return whether the dice of a match are sealed with a seed that is neither kept nor revealed here.

    So it is with an imported match that runs elsewhere; a seed that was lost looks the same.

    Raises:
        UnknownMatch: There is no such match.
        BrokenEvidence: What was seen of it is not what was written; so does StoreDamaged.
    """
    scheme = own_scheme(log, match)
    if scheme is None or scheme.scheme != SEALED or kept_seed(log, match, scheme):
        return False
    return scheme.commitment not in revealed_seeds(log, match)


def own_scheme(log: Log, match: MatchId) -> ChanceScheme | None:
    """Return the source of dice of a match, as the first commit of its own says; None if that cannot be read."""
    origin = log.origin(match)
    start = 0 if origin is None else origin.seq
    first = next(iter(log.read(match, start, start + 1)), None)
    try:
        opening = None if first is None else decode_commit(first.body).events[0]
    except (DecodeError, IndexError):
        return None
    return opening.chance if isinstance(opening, MatchOpened | MatchForked) else None


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
