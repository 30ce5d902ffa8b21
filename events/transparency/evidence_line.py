"""The line by which two players find out whether a server shows them the same history."""

import re
from collections.abc import Mapping

from events.codec import DecodeError, Decoder, Struct, encode
from events.errors import ProofInvalid
from events.ids import Digest, MatchId
from events.transparency.checkpoint import Checkpoint, checkpoint_in
from events.transparency.entry import CommitEntry, blinded, entry_bytes
from events.transparency.signed_note import Verifier, read_note
from events.transparency.tlog_proof import read_proof


class EvidenceLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An entry of a match with its proof (a tlog-proof), as one line of JSON that players give each other.

    With `nonce` (hex) and `last`, the log's number of the last event of the commit, it is *opened*: it proves an archive. It is then for who may have the archive.
    """

    match: MatchId
    number: int
    blinded: Digest
    proof: str
    before: Digest = Digest("")
    nonce: str = ""
    last: int | None = None

    @property
    def entry(self) -> bytes:
        """The bytes of the entry."""
        return entry_bytes(CommitEntry(match=self.match, number=self.number, blinded=self.blinded, before=self.before))

    @property
    def note(self) -> str:
        """The note of the checkpoint; `read_proof` tells the errors."""
        return read_proof(self.proof).note

    @property
    def origin(self) -> str:
        """The name of the log; `read_proof` and `checkpoint_in` tell the errors."""
        return checkpoint_in(read_note(self.note)).origin

    @property
    def text(self) -> str:
        """The line."""
        return encode(self).decode()

    def check(self, verifier: Verifier) -> Checkpoint:
        """Check the proof, and return the checkpoint by which the log holds the entry; see `TlogProof.check` for the errors."""
        return read_proof(self.proof).check(self.entry, verifier)

    def check_archive(self, hashes: Mapping[int, Digest]) -> None:
        """Check that an archive holds the commit of the entry, and so by its chain all commits before it.

        Args:
            hashes: The hashes of the match's commits in the archive, whose chain was checked, by the number of their last event.

        Raises:
            ProofInvalid: The line is not opened, or the archive holds another commit.
        """
        if not is_nonce(self.nonce) or self.last is None:
            raise ProofInvalid(
                "this line has no nonce: who may have the archive gets it with `wardiary evidence MATCH@SEQ`"
            )
        if self.last not in hashes:
            raise ProofInvalid(f"the archive has no commit of match {self.match} that ends with event {self.last}")
        if blinded(bytes.fromhex(self.nonce), hashes[self.last]) != self.blinded:
            raise ProofInvalid(
                f"the archive is not what was signed: its first {self.last} events are not those of entry {self.number} of match {self.match}"
            )


_NONCE = re.compile("[0-9a-f]{64}")
_LINES: Decoder[EvidenceLine] = Decoder(EvidenceLine)


def is_nonce(text: str) -> bool:
    """Return whether a text is a nonce: 32 bytes as lower-case hexadecimal digits."""
    return _NONCE.fullmatch(text) is not None


def read_line(text: str) -> EvidenceLine:
    """Return a line that another player gave, which is not checked yet.

    Raises:
        ProofInvalid: It is not such a line.
    """
    try:
        return _LINES.decode(text)
    except DecodeError as error:
        raise ProofInvalid(f"this is not a line that `wardiary evidence MATCH` prints: {error}") from None
