"""The seed of a match's own dice is stored, revealed, or lacking."""

from collections.abc import Callable

from core.chance.links import linked_scheme
from core.chance.seeds import kept_seed, lacks_seed, own_scheme, revealed_seeds
from events.archive import export_match
from events.archive_reader import read_archive, store_archive
from events.ids import Seat
from events.log import Log
from events.memory_log import MemoryLog
from tests.support.desk import SEED, Desk
from tests.support.rows import each_row

RED = Seat("red")
OTHER = "0e" * 32


def ended(desk: Desk) -> Desk:
    desk.accept({"do": "match:resign"}, RED)
    return desk


def elsewhere(desk: Desk) -> Log:
    """Return a log that holds only what an archive of the match tells."""
    log = MemoryLog()
    store_archive(read_archive(export_match(desk.log, desk.match.id)), log)
    return log


def forked(dice: str) -> Desk:
    parent = Desk.open(dice="sealed")
    return parent.fork(parent.match.head.seq, dice, seed=OTHER)


@each_row(
    ("desk", "lacks"),
    [
        (lambda: Desk.open(dice="sealed"), True),
        (lambda: ended(Desk.open(dice="sealed")), False),
        (lambda: Desk.open(dice="seeded"), False),
        (lambda: Desk.open(dice="manual", seats=()), False),
        (lambda: forked("fresh"), True),
        (lambda: ended(forked("fresh")), False),
        (lambda: forked("manual"), False),
    ],
)
def test_a_seed_is_lacking_where_dice_are_sealed_with_one_that_is_neither_stored_nor_revealed(
    desk: Callable[[], Desk], lacks: bool
) -> None:
    """Where the match is played its seed is always stored."""
    played = desk()

    assert not lacks_seed(played.log, played.match.id)
    assert lacks_seed(elsewhere(played), played.match.id) == lacks


def test_a_match_has_the_dice_that_its_own_first_commit_names() -> None:
    """Of a fork that is the one that made it a fork, whatever its parent's dice were."""
    fork = forked("fresh")
    parent = own_scheme(fork.log, fork.table.parent)
    own = own_scheme(fork.log, fork.match.id)

    assert own == fork.table.chance == linked_scheme(OTHER, fork.match.id)
    assert parent == linked_scheme(SEED, fork.table.parent)
    assert (kept_seed(fork.log, fork.match.id, own), kept_seed(fork.log, fork.table.parent, parent)) == (OTHER, SEED)


def test_revealed_seeds_are_found_in_a_match_and_its_ancestors() -> None:
    fork = ended(forked("fresh"))

    assert revealed_seeds(fork.log, fork.match.id) == [OTHER]
