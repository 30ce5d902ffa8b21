"""The links of sealed dice: the published test vectors, chains, and how likely results are."""

import hmac
from collections import Counter
from hashlib import sha256

import pytest

from core.chance.links import LinkChain, LinkedChance, SealedChance, ServerLinks, context, step
from core.chance.schemes import SEALED
from events.ids import Seat
from events.vocabulary import ChanceScheme, LinksOpened
from projections.state.links import Chain, Links
from tests.support.rows import each_row
from tests.support.second_verifier import VERIFY

SEED = bytes(range(32)).hex()
STREAM = "0123456789abcdef"
RED, BLUE = Seat("red"), Seat("blue")
ANCHOR = "121b7b5b0709bdc8b3932b5c2f56dcf83d3bc0305abf93f9e1203795d69ae669"
RED_ANCHOR = "b7c9c68d11681f21077c90b42849e1e77cf4e87799233e2b0e8cccddbfb7f31f"
RED_LINK = "1fc56b2286549ef71b6f3594c760a88857eb88db94edc5afeb6d2132f9468590"
LENGTH = 16_384
BLUE_ANCHOR = "4590a86e14bd4cf8a414be5c87f27258d1a78540b084afceb6e0654cb29345ee"
OPEN_KEY = "4c305304d729126db32c9dfef8276790a74b18a28240dd37cffa45d98bc814ce"
VEILED_KEY = "4135a64803a5fa7db0e6277cd4aaca028a1120f4c4f6c38d3b14aa7f955e816c"


def test_the_chains_of_server_and_seats_are_those_of_the_published_vectors() -> None:
    server = ServerLinks(SEED, STREAM, LENGTH)
    red, blue = (LinkChain(sha256(name).digest(), LENGTH) for name in (b"red tip", b"blue tip"))

    assert server.chain.anchor == ANCHOR
    assert server.chain.link(1).hex() == "ad9c2e70882cc969ac24bd8eb32e7767104aac4548ecb9c16702909900f21849"
    assert server.veil_commitment == "9b936201903d9e1dde02dd0942891b506193e52369705d98c7df46071cabf20a"
    assert (red.anchor, red.link(1).hex(), blue.anchor) == (RED_ANCHOR, RED_LINK, BLUE_ANCHOR)
    assert VERIFY.before(RED_LINK) == RED_ANCHOR


def test_the_keys_are_those_of_the_published_vectors() -> None:
    server = ServerLinks(SEED, STREAM, LENGTH)
    text = context(STREAM, 1, {RED: RED_LINK, BLUE: BLUE_ANCHOR})

    assert text.decode() == f"wardiary chance 2|{STREAM}|1|blue={BLUE_ANCHOR}|red={RED_LINK}"
    assert hmac.digest(server.chain.link(1), text, "sha256").hex() == OPEN_KEY
    assert hmac.digest(server.veil, text, "sha256").hex() == VEILED_KEY


def test_the_results_are_those_of_the_published_vectors() -> None:
    scheme = ChanceScheme(scheme=SEALED, commitment=ANCHOR, stream=STREAM)
    before = Links(ANCHOR, chains={RED: Chain(RED_ANCHOR), BLUE: Chain(BLUE_ANCHOR)})
    chance = SealedChance(scheme, ServerLinks(SEED, STREAM, LENGTH), before, seed=SEED, seat=RED, share=RED_LINK)
    many = [str(number) for number in range(300)]

    opened = chance.prepare(is_veiled=False)
    found: list[object] = [chance.dice(0, 3, 6, "x"), chance.dice(0, 2, 10, "x"), chance.pick(0, many[:52], "x")]
    assert chance.prepare(is_veiled=True) is None
    found.append(chance.pick(0, many[:52], "x"))
    assert chance.prepare(is_veiled=False) is None
    found.append(chance.pick(0, many, "x"))

    assert isinstance(opened, LinksOpened)
    assert (opened.number, opened.seat, opened.share) == (1, RED, RED_LINK)
    assert found == [(5, 2, 6), (3, 1), 48, 2, 174]


@each_row(
    ("key", "call", "count", "size", "numbers"),
    [
        (OPEN_KEY, 1, 3, 6, [4, 1, 5]),
        (OPEN_KEY, 2, 2, 10, [2, 0]),
        (OPEN_KEY, 3, 1, 52, [48]),
        (VEILED_KEY, 4, 1, 52, [2]),
        (OPEN_KEY, 5, 1, 300, [174]),
    ],
)
def test_the_second_verifier_has_the_results_of_the_published_vectors(
    key: str, call: int, count: int, size: int, numbers: list[int]
) -> None:
    assert VERIFY.numbers(bytes.fromhex(key), str(call), count, size) == numbers


@each_row("length", [1, 2, 127, 128, 129, 256, 300])
def test_each_link_is_the_hash_of_the_next_in_any_order(length: int) -> None:
    chain = LinkChain(b"t" * 32, length)
    links = {number: chain.link(number) for number in [*range(length, -1, -2), *range(length + 1)]}

    assert links[length] == b"t" * 32
    assert all(step(links[number + 1]) == links[number] for number in range(length))
    for beyond in (-1, length + 1):
        with pytest.raises(IndexError, match="has no link"):
            chain.link(beyond)


def test_all_faces_are_equally_likely() -> None:
    """Sixty thousand dice of many keys: chi-squared with 5 degrees of freedom is above 20.5 once in a thousand times."""
    rolls = [LinkedChance(sha256(bytes([key])).digest()).dice(0, 600, 6, "x") for key in range(100)]
    counts = Counter(face for roll in rolls for face in roll)

    assert sum((counts[face] - 10_000) ** 2 / 10_000 for face in range(1, 7)) < 20.5
