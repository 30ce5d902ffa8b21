"""The schemes of dice: what the first event of a match says of their source, and whether a seed keeps what it promises.

Schemes:
    `sealed/2`: dice from links of the server and of the seats (`core.chance.links`); the ends of all chains are published before play, and the seed with
    the end of the match.
    `sealed/1`: HMAC-SHA256 keyed with a secret seed, mixed with each seat's contribution; the seed's SHA-256 is published
    before play and the seed itself at the end.
    `seeded/1`: the same with a public seed; for simulation.
    `manual/1`: dice and draws of a real table are typed in.
"""

import hashlib
import hmac

from events.ids import MatchId
from events.vocabulary import ChanceScheme
from projections.state.links import SEALED_LINKS

SEALED_2 = SEALED_LINKS
SEALED = "sealed/1"
SEEDED = "seeded/1"
MANUAL = "manual/1"
SCHEMES = (SEALED_2, SEALED, SEEDED, MANUAL)

LENGTH_MAX = 1 << 20
"""The most links of a chain."""

IS_SEALED = frozenset((SEALED_2, SEALED))
"""The schemes with a secret seed."""


def is_hex_32(text: str) -> bool:
    """Return whether a text is 32 bytes as 64 lower-case hexadecimal digits, as sealed seeds and commitments are."""
    return len(text) == 64 and all(digit in "0123456789abcdef" for digit in text)


def commitment(seed: str) -> str:
    """Return the published commitment to a sealed seed (hex): the SHA-256 of its bytes."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def veil_of(seed: str, stream: str) -> bytes:
    """Return the veil of a match by its sealed seed (hex)."""
    return hmac.digest(bytes.fromhex(seed), f"wardiary veil 2|{stream}".encode(), "sha256")


def committed(veil: bytes) -> str:
    """Return the commitment to a veil (hex)."""
    return hashlib.sha256(b"wardiary veil 2\n" + veil).hexdigest()


def keeps_promise(seed: str, scheme: ChanceScheme) -> bool:
    """Return whether a text is the sealed seed that a scheme is committed to; of links it is told by the veil."""
    if not is_hex_32(seed):
        return False
    if scheme.scheme == SEALED_2:
        return committed(veil_of(seed, scheme.stream)) == scheme.veil
    return scheme.scheme == SEALED and commitment(seed) == scheme.commitment


def scheme_problem(scheme: ChanceScheme) -> str:
    """Return why dice of a scheme can be neither rolled nor verified; empty if they can.

    All code that depends on the scheme calls this first, so that an unknown scheme is never treated as a known one.
    """
    if scheme.scheme not in SCHEMES:
        return f"dice scheme {scheme.scheme!r} is not known to this program, so its dice are not verified"
    if scheme.scheme == SEALED_2 and not (
        is_hex_32(scheme.commitment) and is_hex_32(scheme.veil) and 1 <= scheme.length <= LENGTH_MAX
    ):
        return "the anchor, the veil or the length of the links of these sealed dice is missing or not valid"
    if scheme.scheme == SEALED and not is_hex_32(scheme.commitment):
        return "the commitment to the seed of these sealed dice is missing or not 64 lower-case hexadecimal digits"
    if scheme.scheme == SEEDED and not scheme.seed:
        return "the seed of these seeded dice is empty"
    return ""


def own_scheme_problem(scheme: ChanceScheme, match: MatchId) -> str:
    """Return why a scheme cannot be that of a match's own dice; empty if it can."""
    problem = scheme_problem(scheme)
    if problem:
        return problem
    own = {
        SEALED_2: ChanceScheme(
            scheme=SEALED_2, commitment=scheme.commitment, stream=match, veil=scheme.veil, length=scheme.length
        ),
        SEALED: ChanceScheme(scheme=SEALED, commitment=scheme.commitment, stream=match),
        SEEDED: ChanceScheme(scheme=SEEDED, seed=scheme.seed),
        MANUAL: ChanceScheme(scheme=MANUAL),
    }[scheme.scheme]
    if scheme != own:
        return f"the source of dice {scheme.scheme} has other fields than match {match} can have been given"
    return ""
