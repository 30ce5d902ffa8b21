"""Sealed dice are fair in the long run: of a real chain of links, a hundred million at the long budget and a hundred thousand at budget 1.

Each statistic has a threshold that fair dice exceed once in a million times. The dice of a budget are always the same ones, since seed and links are fixed.
"""

from math import sqrt

from core.chance.links import LENGTH, LinkChain, SealedChance, ServerLinks, linked_scheme, tip_of
from events.ids import MatchId, Seat
from events.vocabulary import LinksOpened
from projections.state.links import Chain, Links
from tests.support.rows import each_row

RED, BLUE = Seat("red"), Seat("blue")
SEED = bytes(range(32)).hex()
A_COMMAND = 2_000
"""How many dice one link gives; a match rolls fewer, which would only take longer here."""
A_ROLL = 20


def fallen(match: MatchId, count: int, *, is_veiled: bool) -> bytes:
    """Return at least so many dice, less 1 each, that a match of two seats rolls in turn."""
    scheme = linked_scheme(SEED, match)
    server = ServerLinks(SEED, match)
    chains = {seat: LinkChain(tip_of(b"secret", f"{match}|{seat}")) for seat in (RED, BLUE)}
    links = Links(scheme.commitment, chains={seat: Chain(chain.anchor) for seat, chain in chains.items()})
    faces = bytearray()
    for number in range(1, LENGTH + 1):
        seat = (RED, BLUE)[number % 2]
        own = links.chains[seat]
        share = chains[seat].link(own.opened + 1).hex()
        chance = SealedChance(scheme, server, links, seed=SEED, seat=seat, share=share)
        opened = chance.prepare(is_veiled=is_veiled)
        assert isinstance(opened, LinksOpened)
        for _ in range(A_COMMAND // A_ROLL):
            faces += bytes(chance.dice(0, A_ROLL, 6, "x"))
        links = Links(opened.link, number, {**links.chains, seat: Chain(share, own.opened + 1)})
        if len(faces) >= count:
            break
    return bytes(faces).translate(bytes(max(0, face - 1) for face in range(256)))


def chi_square(counts: list[int]) -> float:
    """Return Pearson's statistic of counts that should be equal."""
    mean = sum(counts) / len(counts)
    return sum((count - mean) ** 2 / mean for count in counts)


@each_row("is_veiled", [False, True])
def test_faces_pairs_and_runs_of_sealed_dice_are_those_of_fair_dice(budget: float, *, is_veiled: bool) -> None:
    """Pearson's chi-square test of faces and of pairs, and the runs test of Wald and Wolfowitz of high and low dice."""
    wanted = round(50_000 * budget) if budget < 100 else 50_000_000
    faces, pairs, high, changes, count = [0] * 6, [0] * 36, 0, 0, 0
    for number in range(1_000):
        some = fallen(MatchId(f"m{number}"), wanted - count, is_veiled=is_veiled)
        some = some[: len(some) // 2 * 2]
        # Bytes are added as one large number: no sum of a pair is above 35, so that nothing carries.
        firsts = some[::2].translate(bytes(6 * min(face, 5) for face in range(256)))
        both = (int.from_bytes(firsts) + int.from_bytes(some[1::2])).to_bytes(len(firsts))
        is_high = some.translate(bytes(face > 2 for face in range(256)))
        turned = int.from_bytes(is_high[1:]) ^ int.from_bytes(is_high[:-1])
        faces = [known + some.count(face) for face, known in enumerate(faces)]
        pairs = [known + both.count(pair) for pair, known in enumerate(pairs)]
        high, changes, count = high + is_high.count(1), changes + turned.bit_count(), count + len(some)
        if count >= wanted:
            break
    low = count - high
    expected = 2 * high * low / count
    deviation = abs(changes - expected) / sqrt(expected * (expected - 1) / (count - 1))

    assert count >= wanted
    # Five and thirty-five degrees of freedom.
    assert chi_square(faces) < 36.1
    assert chi_square(pairs) < 92.0
    assert deviation < 4.9
