"""A growing Merkle tree with SHA-256: leaves, roots, and proofs of inclusion and consistency.

Source: RFC 9162, section 2.1.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256

from events.errors import ProofInvalid

HASH_BYTES = 32

EMPTY_ROOT = sha256(b"").digest()
"""The root of a tree without leaves."""

PATH_MAX = 64
"""More hashes than the proof of any tree has that can be built."""


def leaf_hash(entry: bytes) -> bytes:
    """Return the hash of an entry: 32 bytes, like all hashes here."""
    return sha256(b"\0" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of a node with two children."""
    return sha256(b"\1" + left + right).digest()


class MerkleTree:
    """A tree to which leaves are appended. It keeps the hash of every full subtree: 64 bytes for each leaf.

    All methods that take a size also answer for an earlier state of the tree.

    Args:
        leaves: The hashes of the first leaves.
    """

    __slots__ = ("_levels",)

    def __init__(self, leaves: Iterable[bytes] = ()) -> None:
        # Level n holds the hashes of the full subtrees of 2**n leaves, from the left.
        self._levels: list[bytearray] = [bytearray()]
        for leaf in leaves:
            self.append(leaf)

    def __len__(self) -> int:
        return len(self._levels[0]) // HASH_BYTES

    def append(self, leaf: bytes) -> None:
        """Append the hash of a leaf."""
        number, height = len(self), 0
        self._levels[0] += leaf
        # Each right child completes its parent.
        while number & 1:
            level = self._levels[height]
            leaf = node_hash(bytes(level[-2 * HASH_BYTES : -HASH_BYTES]), leaf)
            number, height = number >> 1, height + 1
            if height == len(self._levels):
                self._levels.append(bytearray())
            self._levels[height] += leaf

    def leaf(self, index: int) -> bytes:
        """Return the hash of a leaf (from 0)."""
        return self._hash(index, index + 1)

    def hashes(self, height: int, start: int, end: int) -> bytes:
        """Return the hashes of whole subtrees of `2 ** height` leaves, one after the other, from number `start` to before `end`."""
        return bytes(self._levels[height][start * HASH_BYTES : end * HASH_BYTES])

    def root(self, size: int | None = None) -> bytes:
        """Return the root over the first `size` leaves; by default over all."""
        size = len(self) if size is None else size
        assert 0 <= size <= len(self), "a root covers leaves that there are"
        return self._hash(0, size) if size else EMPTY_ROOT

    def inclusion(self, index: int, size: int) -> list[bytes]:
        """Return the proof that the leaf `index` (from 0) lies in the tree of the first `size` leaves."""
        assert 0 <= index < size <= len(self), "a proof is of a leaf that there is"
        path: list[bytes] = []
        start, end = 0, size
        while end - start > 1:
            middle = start + _split(end - start)
            if index < middle:
                path.append(self._hash(middle, end))
                end = middle
            else:
                path.append(self._hash(start, middle))
                start = middle
        return path[::-1]

    def consistency(self, old: int, size: int) -> list[bytes]:
        """Return the proof that the tree of the first `old` leaves is the beginning of that of the first `size`; empty if one is all or nothing."""
        assert 0 <= old <= size <= len(self), "a proof is of trees that there were"
        path: list[bytes] = []
        start, end, is_left_edge = 0, size, True
        if old in (0, size):
            return path
        while old != end:
            middle = start + _split(end - start)
            if old <= middle:
                path.append(self._hash(middle, end))
                end = middle
            else:
                path.append(self._hash(start, middle))
                start, is_left_edge = middle, False
        # The verifier knows the old root itself.
        return path[::-1] if is_left_edge else [self._hash(start, end), *path[::-1]]

    def _hash(self, start: int, end: int) -> bytes:
        """Return the hash of a subtree, of which only the right edge may be incomplete."""
        size = end - start
        if not size & (size - 1):
            place = start // size * HASH_BYTES
            return bytes(self._levels[size.bit_length() - 1][place : place + HASH_BYTES])
        middle = start + _split(size)
        return node_hash(self._hash(start, middle), self._hash(middle, end))


def _split(size: int) -> int:
    """Return how many of several leaves lie in the left subtree: the largest power of 2 below their number."""
    return 1 << (size - 1).bit_length() - 1


def check_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> None:
    """Check the proof that a leaf lies in a tree.

    Raises:
        ProofInvalid: It does not prove that.
    """
    if not 0 <= index < size:
        raise ProofInvalid(f"the proof is of entry {index}, but the tree has only {size}")
    node, last = index, size - 1
    for other in path:
        if last == 0:
            raise ProofInvalid("the proof has too many hashes")
        if node & 1 or node == last:
            leaf = node_hash(other, leaf)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            leaf = node_hash(leaf, other)
        node, last = node >> 1, last >> 1
    if last or leaf != root:
        raise ProofInvalid("the proof does not lead to the root of the checkpoint")


def check_consistency(old: int, old_root: bytes, size: int, root: bytes, path: Sequence[bytes]) -> None:
    """Check the proof that one tree is the beginning of another.

    Raises:
        ProofInvalid: It does not prove that.
    """
    if not 0 <= old <= size:
        raise ProofInvalid(f"a log with {size} entries cannot continue one with {old}")
    if old in (0, size):
        if path or (old == size and old_root != root) or (old == 0 and old_root != EMPTY_ROOT):
            raise ProofInvalid(f"the roots of size {old} differ")
        return
    hashes = list(path) if old & (old - 1) else [old_root, *path]
    if not hashes:
        raise ProofInvalid("the proof has no hashes")
    node, last = old - 1, size - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    first = second = hashes[0]
    for other in hashes[1:]:
        if last == 0:
            raise ProofInvalid("the proof has too many hashes")
        if node & 1 or node == last:
            first, second = node_hash(other, first), node_hash(other, second)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            second = node_hash(second, other)
        node, last = node >> 1, last >> 1
    if last or first != old_root or second != root:
        raise ProofInvalid(f"the log of {size} entries does not continue that of {old}")
