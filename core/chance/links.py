"""The links behind sealed dice: chains of hashes that the server and the seats fix before play and open one by one.

A chain is made from its *tip* backwards: each link is the hash of the next one. Its first link, the *anchor*, is published before play. A link that
is opened can be checked against the one before it and gives away none of the later ones. The dice of a command depend on the server's link, which only the
server knows until then, and on the last opened links of all seats that have a chain.

Open results follow from what is public; veiled ones, which some seats may not know, also need the *veil*, a secret of the server until the end of the match.
"""

import hashlib
import hmac
from collections.abc import Mapping, Sequence

from typing_extensions import override

from core.chance.chance_sources import numbers
from core.chance.schemes import SEALED, committed, is_hex_32, veil_of
from core.engine.chance_port import Chance
from events.ids import NO_SEAT, MatchId, RuleId, Seat
from events.vocabulary import ChanceScheme, LinksOpened
from projections.state.links import Links

LINKS = RuleId("match.links")

OPENED_BY = "Its player's program opens it by itself when it next shows the match, as `show` does."
"""How a link that is due gets opened, as players are told."""

LENGTH = 4_096
"""The number of links of a chain; the longest match so far opened two hundred."""

KEPT_EVERY = 128
"""Of a chain every so many-th link is kept; the others are made again when they are needed."""


def step(link: bytes) -> bytes:
    """Return the link before a link of 32 bytes."""
    return hashlib.sha256(b"wardiary link 2\n" + link).digest()


def is_next(link: str, before: str) -> bool:
    """Return whether a text is the link that follows another one (hex); a text that is no link never is."""
    return is_hex_32(link) and step(bytes.fromhex(link)).hex() == before


class LinkChain:
    """A chain of links.

    Args:
        tip: Its last link, 32 secret bytes.
        length: The number of its links, the anchor not counted; 1 or more.
    """

    __slots__ = ("_block", "_block_start", "_kept", "length")

    def __init__(self, tip: bytes, length: int = LENGTH) -> None:
        self.length = length
        # From the end backwards: the links with the numbers length, length - KEPT_EVERY, and so on.
        self._kept: list[bytes] = []
        link = tip
        for back in range(length + 1):
            if back % KEPT_EVERY == 0:
                self._kept.append(link)
            if back < length:
                link = step(link)
        self._block = [link]
        self._block_start = 0

    def link(self, number: int) -> bytes:
        """Return a link: 0 is the anchor.

        Raises:
            IndexError: The chain has no such link.
        """
        if not 0 <= number <= self.length:
            raise IndexError(f"a chain of {self.length} links has no link {number}")
        if not self._block_start <= number < self._block_start + len(self._block):
            index = (self.length - number) // KEPT_EVERY
            link, last = self._kept[index], self.length - index * KEPT_EVERY
            block = [link]
            for _ in range(min(KEPT_EVERY - 1, last)):
                link = step(link)
                block.append(link)
            block.reverse()
            self._block, self._block_start = block, last - len(block) + 1
        return self._block[number - self._block_start]

    @property
    def tip(self) -> str:
        """The last link, from which all others follow (hex)."""
        return self._kept[0].hex()

    @property
    def anchor(self) -> str:
        """The link that is published before play (hex)."""
        return self.link(0).hex()


class ServerLinks:
    """The server's chain and veil of one match.

    Args:
        seed: The sealed seed (hex).
        stream: The match to which they are bound.
        length: The length of the chain.
    """

    __slots__ = ("chain", "veil")

    def __init__(self, seed: str, stream: str, length: int = LENGTH) -> None:
        secret = bytes.fromhex(seed)
        self.chain = LinkChain(tip_of(secret, stream), length)
        self.veil = veil_of(seed, stream)

    @property
    def veil_commitment(self) -> str:
        """The published commitment to the veil (hex)."""
        return committed(self.veil)


def linked_scheme(seed: str, match: MatchId, length: int = LENGTH) -> ChanceScheme:
    """Return the scheme of a match whose dice depend on links, by its sealed seed (hex)."""
    server = ServerLinks(seed, match, length)
    return ChanceScheme(
        scheme=SEALED,
        commitment=server.chain.anchor,
        stream=match,
        veil=committed(server.veil),
        length=length,
    )


def tip_of(secret: bytes, label: str) -> bytes:
    """Return the tip of the chain that belongs to a secret, under a label that no other chain of the secret has."""
    return hmac.digest(secret, f"wardiary links 2|{label}".encode(), "sha256")


def context(stream: str, number: int, links: Mapping[Seat, str]) -> bytes:
    """Return what the results of a command depend on, besides a key.

    Args:
        stream: The match to which the dice are bound.
        number: The number of the server's link.
        links: The last opened link of each seat that has a chain (hex), or its anchor.
    """
    last = "".join([f"|{seat}={links[seat]}" for seat in sorted(links)])
    return f"wardiary chance 2|{stream}|{number}{last}".encode()


class LinkedChance(Chance):
    """The results of one command, or those of its results that are open or veiled.

    Args:
        key: The open or the veiled key, 32 bytes.
        calls: How many results of the command there were before.
    """

    __slots__ = ("_calls", "_key")

    def __init__(self, key: bytes, calls: int = 0) -> None:
        self._key = key
        self._calls = calls

    def take(self, count: int, size: int, call: int) -> list[int]:
        """Return `count` numbers from 0 to `size` - 1 of a call of chance (from 1)."""
        return numbers(lambda block: hmac.digest(self._key, f"{call}|{block}".encode(), "sha256"), count, size)

    @override
    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Roll dice; see `Chance.dice`."""
        self._calls += 1
        return tuple([number + 1 for number in self.take(count, sides, self._calls)])

    @override
    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Choose a candidate; see `Chance.pick`."""
        self._calls += 1
        return self.take(1, len(candidates), self._calls)[0]

    @override
    def reveal(self) -> str:
        """Return an empty text: one link discloses no seed."""
        return ""


class SealedChance(Chance):
    """The results of one command, whose first one opens the links.

    Args:
        scheme: The scheme of the match.
        server: The links of the server.
        links: The links that are opened before the command.
        seed: The sealed seed (hex).
        seat: The seat that opens a link with the command; empty for none.
        share: Its link (hex), checked already.
    """

    def __init__(
        self,
        scheme: ChanceScheme,
        server: ServerLinks,
        links: Links,
        *,
        seed: str,
        seat: Seat = NO_SEAT,
        share: str = "",
    ) -> None:
        self._scheme = scheme
        self._server = server
        self._links = links
        self._seed = seed
        self._seat = seat
        self._share = share
        self._is_veiled = False
        self._calls = 0
        self._open: LinkedChance | None = None
        self._veiled: LinkedChance | None = None

    @override
    def prepare(self, *, is_veiled: bool) -> LinksOpened | None:
        """Open the links for the first result of the command; see `Chance.prepare`."""
        self._is_veiled = is_veiled
        if self._open is not None:
            return None
        number = self._links.opened + 1
        link = self._server.chain.link(number)
        last = self._links.last()
        if self._share:
            last[self._seat] = self._share
        text = context(self._scheme.stream, number, last)
        self._open = LinkedChance(hmac.digest(link, text, "sha256"))
        self._veiled = LinkedChance(hmac.digest(self._server.veil, text, "sha256"))
        return LinksOpened(rule=LINKS, number=number, link=link.hex(), seat=self._seat, share=self._share)

    def _numbers(self, count: int, size: int) -> list[int]:
        source = self._veiled if self._is_veiled else self._open
        assert source is not None, "links are opened before a result is asked for"
        self._calls += 1
        return source.take(count, size, self._calls)

    @override
    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Roll dice; see `Chance.dice`."""
        return tuple([number + 1 for number in self._numbers(count, sides)])

    @override
    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Choose a candidate; see `Chance.pick`."""
        return self._numbers(1, len(candidates))[0]

    @override
    def reveal(self) -> str:
        """Return the seed to publish."""
        return self._seed
