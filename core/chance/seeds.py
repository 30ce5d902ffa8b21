"""Finds the sealed seeds of a match: that in a store, and those revealed in its family of forks.

A fork that cuts a command repeats outcomes of its parent, whose seed is revealed there. Families may be deep: every ancestor is visited once, and
only its own commits are read.
"""

from collections.abc import Iterable, Iterator

from core.chance.schemes import SEALED, is_hex_32, keeps_promise
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
    """Return the sealed seed (hex) of a match's dice, or an empty string if they are not sealed or the store does not have the seed."""
    seed = log.seed(match)
    return seed if keeps_promise(seed, scheme) else ""


def seed_problem(log: Log, match: MatchId) -> str:
    """Return the defect of the stored seed of a match's own stream; empty if there is none, or no seed is stored.

    Raises:
        UnknownMatch: There is no such match.
        BrokenEvidence: Data read of it is damaged; also StoreDamaged.
    """
    seed = log.seed(match)
    if not seed:
        return ""
    scheme = own_scheme(log, match)
    if scheme is None or scheme.scheme != SEALED:
        return f"a sealed seed is stored for match {match}, whose dice are not sealed"
    if not keeps_promise(seed, scheme):
        return f"the sealed seed of match {match} does not match its commitment: no dice can be rolled with it"
    return ""


def lacks_seed(log: Log, match: MatchId) -> bool:
    """Return whether the dice of a match are sealed with a seed that is neither stored nor revealed here.

    This is so for an imported match that runs elsewhere, and if the seed was lost.

    Raises:
        UnknownMatch: There is no such match.
        BrokenEvidence: Data read of it is damaged; also StoreDamaged.
    """
    scheme = own_scheme(log, match)
    if scheme is None or scheme.scheme != SEALED or kept_seed(log, match, scheme):
        return False
    return not seed_for(scheme, revealed_seeds(log, match))


def own_scheme(log: Log, match: MatchId) -> ChanceScheme | None:
    """Return the source of dice of a match from the first of its own commits, or None if that cannot be read."""
    origin = log.origin(match)
    start = 0 if origin is None else origin.seq
    first = next(iter(log.read(match, start, start + 1)), None)
    try:
        opening = None if first is None else decode_commit(first.body).events[0]
    except (DecodeError, IndexError):
        return None
    return opening.chance if isinstance(opening, MatchOpened | MatchForked) else None


def seed_for(scheme: ChanceScheme, seeds: Iterable[str]) -> str:
    """Return the seed that a scheme is committed to, or an empty text if it is not among some seeds."""
    return next((seed for seed in seeds if keeps_promise(seed, scheme)), "")


def revealed_seeds(log: Log, match: MatchId) -> list[str]:
    """Return the seeds revealed in a match and its ancestors.

    Commits that cannot be read are skipped: the audit reports them.
    """
    seeds: list[str] = []
    for member, origin in family(log, match):
        for stored in log.read(member, 0 if origin is None else origin.seq):
            if b'"seed-revealed/' not in stored.body:
                continue
            try:
                events = decode_commit(stored.body).events
            except DecodeError:
                continue
            seeds += [event.seed for event in events if isinstance(event, SeedRevealed) and is_hex_32(event.seed)]
    return seeds
