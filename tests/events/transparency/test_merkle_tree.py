"""The tree of RFC 9162 against the reference roots and a second, plain implementation that follows the text of the RFC."""

from collections.abc import Callable, Sequence
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.errors import ProofInvalid
from events.transparency.merkle_tree import EMPTY_ROOT, MerkleTree, check_consistency, check_inclusion, leaf_hash
from tests.support.rows import each_row

# Source: the tests of the reference implementation of Certificate Transparency (`merkle_tree_test.cc`).
ENTRIES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]

SIZE_MAX, LONG_SIZE_MAX = 33, 139
"""All proofs of all trees up to this size are tried, which passes two powers of 2; in the long run up to the other one, which passes two more."""


def leaf(number: int) -> bytes:
    return leaf_hash(b"%d" % number)


TREE = MerkleTree(leaf(number) for number in range(LONG_SIZE_MAX))


def plain_root(leaves: Sequence[bytes]) -> bytes:
    """MTH of RFC 9162, 2.1.1, on hashes of leaves."""
    if len(leaves) <= 1:
        return leaves[0] if leaves else sha256().digest()
    split = plain_split(len(leaves))
    return sha256(b"\1" + plain_root(leaves[:split]) + plain_root(leaves[split:])).digest()


def plain_split(size: int) -> int:
    return max(1 << power for power in range(40) if 1 << power < size)


def plain_path(index: int, leaves: Sequence[bytes]) -> list[bytes]:
    """PATH of RFC 9162, 2.1.3.1."""
    if len(leaves) == 1:
        return []
    split = plain_split(len(leaves))
    if index < split:
        return [*plain_path(index, leaves[:split]), plain_root(leaves[split:])]
    return [*plain_path(index - split, leaves[split:]), plain_root(leaves[:split])]


def plain_proof(old: int, leaves: Sequence[bytes], *, is_known: bool = True) -> list[bytes]:
    """SUBPROOF of RFC 9162, 2.1.4.1."""
    if old == len(leaves):
        return [] if is_known else [plain_root(leaves)]
    split = plain_split(len(leaves))
    if old <= split:
        return [*plain_proof(old, leaves[:split], is_known=is_known), plain_root(leaves[split:])]
    return [*plain_proof(old - split, leaves[split:], is_known=False), plain_root(leaves[:split])]


def is_refused(check: Callable[[], None]) -> bool:
    try:
        check()
    except ProofInvalid:
        return True
    return False


@each_row("size", range(1, 9))
def test_the_reference_roots(size: int) -> None:
    tree = MerkleTree(leaf_hash(bytes.fromhex(entry)) for entry in ENTRIES)

    assert tree.root(size).hex() == ROOTS[size - 1]


def test_the_root_of_an_empty_tree_is_the_hash_of_nothing() -> None:
    assert MerkleTree().root() == EMPTY_ROOT == sha256().digest()


@each_row("size", range(1, SIZE_MAX + 1))
def test_all_roots_and_proofs_of_a_size_are_those_of_the_rfc(size: int) -> None:
    check_size(size)


@pytest.mark.long
@each_row("size", range(SIZE_MAX + 1, LONG_SIZE_MAX + 1))
def test_all_roots_and_proofs_of_a_larger_size_are_those_of_the_rfc(size: int) -> None:
    check_size(size)


def check_size(size: int) -> None:
    """Compare all roots and proofs of a size with those of the plain implementation."""
    leaves = [leaf(number) for number in range(size)]
    inclusions = [TREE.inclusion(index, size) for index in range(size)]
    consistencies = [TREE.consistency(old, size) for old in range(1, size)]
    for index, path in enumerate(inclusions):
        check_inclusion(leaves[index], index, size, path, TREE.root(size))
    for old, path in enumerate(consistencies, start=1):
        check_consistency(old, TREE.root(old), size, TREE.root(size), path)

    assert MerkleTree(leaves).root() == TREE.root(size) == plain_root(leaves)
    assert inclusions == [plain_path(index, leaves) for index in range(size)]
    assert consistencies == [plain_proof(old, leaves) for old in range(1, size)]


@given(data=st.data(), size=st.integers(1, SIZE_MAX))
def test_a_proof_of_inclusion_proves_nothing_else(data: st.DataObject, size: int) -> None:
    index, claimed = data.draw(st.integers(0, size - 1)), data.draw(st.integers(-1, SIZE_MAX + 1))
    path = data.draw(changed(TREE.inclusion(index, size)))
    node = leaf(data.draw(st.integers(0, size - 1)))
    is_true = (claimed, node, path) == (index, leaf(index), TREE.inclusion(index, size))

    assert is_refused(lambda: check_inclusion(node, claimed, size, path, TREE.root(size))) is not is_true


@given(data=st.data(), size=st.integers(1, SIZE_MAX))
def test_a_proof_of_consistency_proves_nothing_else(data: st.DataObject, size: int) -> None:
    old = data.draw(st.integers(1, size))
    path = data.draw(changed(TREE.consistency(old, size)))
    old_root = TREE.root(data.draw(st.integers(0, size)))
    is_true = (path, old_root) == (TREE.consistency(old, size), TREE.root(old))

    assert is_refused(lambda: check_consistency(old, old_root, size, TREE.root(size), path)) is not is_true


def changed(path: list[bytes]) -> st.SearchStrategy[list[bytes]]:
    """Return a proof, or one of which a hash was left out, added, changed or moved."""
    places, one = st.integers(0, max(0, len(path) - 1)), st.binary(min_size=32, max_size=32)
    return st.one_of(
        st.just(path),
        places.map(lambda at: path[:at] + path[at + 1 :]),
        st.builds(lambda at, new: [*path[:at], new, *path[at:]], places, one),
        st.builds(lambda at, new: [*path[:at], new, *path[at + 1 :]], places, one),
        st.permutations(path),
    )


@each_row(("old", "size"), [(3, 2), (-1, 2), (0, 3)])
def test_a_log_that_shrinks_or_began_with_something_is_refused(old: int, size: int) -> None:
    with pytest.raises(ProofInvalid):
        check_consistency(old, TREE.root(3), size, TREE.root(size), [])


def test_every_log_continues_an_empty_one() -> None:
    check_consistency(0, EMPTY_ROOT, 5, TREE.root(5), TREE.consistency(0, 5))
