"""A log in memory that appends while others decide, as a store with a second process does; when its receipts are there is left to chance."""

from collections.abc import Sequence
from random import Random

from events.log import NewCommit, Receipt
from events.memory_log import MemoryLog


class LateReceipts(MemoryLog):
    """A log whose batches are appended when their receipts are received.

    Args:
        choose: The source of chance.

    Attributes:
        not_taken: How often a batch cannot be taken (0 to 1).
        submitted: What waits.
    """

    is_impeded = is_distant = False
    not_taken = 0.1

    def __init__(self, choose: Random) -> None:
        super().__init__()
        self.choose = choose
        self.submitted: Sequence[NewCommit] = ()

    def submit(self, batch: Sequence[NewCommit]) -> bool:
        """Append a batch when its receipts are received, or never if the process dies before; sometimes it cannot be taken."""
        if self.choose.random() < self.not_taken:
            return False
        self.submitted = batch
        return True

    def has_receipts(self) -> bool:
        """Return whether there are receipts."""
        return self.choose.random() < 0.5

    def receive(self) -> list[Receipt]:
        """Append what waits, and return the receipts."""
        batch, self.submitted = self.submitted, ()
        return self.append(batch)

    def fileno(self) -> int:
        """Return no descriptor."""
        return -1
