"""The schemes of dice: what the first event of a match says of their source, and whether a seed keeps what it promises.

Schemes:
    `sealed/2`: dice from links of the server and of the seats (`core.chance.links`); the ends of all chains are published before play, and the seed with
    the end of the match.
    `seeded/1`: HMAC-SHA256 keyed with a public seed; for simulation.
    `manual/1`: dice and draws of a real table are typed in.
"""

import hashlib
import hmac

from events.ids import MatchId
from events.vocabulary import ChanceScheme
from projections.state.links import SEALED_LINKS

SEALED = SEALED_LINKS
SEEDED = "seeded/1"
MANUAL = "manual/1"
SCHEMES = (SEALED, SEEDED, MANUAL)

LENGTH_MAX = 1 << 20
"""The most links of a chain."""


def is_hex_32(text: str) -> bool:
    """Return whether a text is 32 bytes as 64 lower-case hexadecimal digits, as sealed seeds, links and commitments are."""
    return len(text) == 64 and all(digit in "0123456789abcdef" for digit in text)


def veil_of(seed: str, stream: str) -> bytes:
    """Return the veil of a match by its sealed seed (hex)."""
    return hmac.digest(bytes.fromhex(seed), f"wardiary veil 2|{stream}".encode(), "sha256")


def committed(veil: bytes) -> str:
    """Return the commitment to a veil (hex)."""
    return hashlib.sha256(b"wardiary veil 2\n" + veil).hexdigest()


def keeps_promise(seed: str, scheme: ChanceScheme) -> bool:
    """Return whether a text is the sealed seed of a scheme, as its veil tells."""
    return scheme.scheme == SEALED and is_hex_32(seed) and committed(veil_of(seed, scheme.stream)) == scheme.veil


def scheme_problem(scheme: ChanceScheme) -> str:
    """Return why dice of a scheme can be neither rolled nor verified; empty if they can.

    All code that depends on the scheme calls this first, so that an unknown scheme is never treated as a known one.
    """
    if scheme.scheme not in SCHEMES:
        return f"dice scheme {scheme.scheme!r} is not known to this program, so its dice are not verified"
    if scheme.scheme == SEALED and not (
        is_hex_32(scheme.commitment) and is_hex_32(scheme.veil) and 1 <= scheme.length <= LENGTH_MAX
    ):
        return "the anchor, the veil or the length of the links of these sealed dice is missing or not valid"
    if scheme.scheme == SEEDED and not scheme.seed:
        return "the seed of these seeded dice is empty"
    return ""


def own_scheme_problem(scheme: ChanceScheme, match: MatchId) -> str:
    """Return why a scheme cannot be that of a match's own dice; empty if it can."""
    problem = scheme_problem(scheme)
    if problem:
        return problem
    own = {
        SEALED: ChanceScheme(
            scheme=SEALED, commitment=scheme.commitment, stream=match, veil=scheme.veil, length=scheme.length
        ),
        SEEDED: ChanceScheme(scheme=SEEDED, seed=scheme.seed),
        MANUAL: ChanceScheme(scheme=MANUAL),
    }[scheme.scheme]
    if scheme != own:
        return f"the source of dice {scheme.scheme} has other fields than match {match} can have been given"
    return ""
