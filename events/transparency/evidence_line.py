"""The line by which two players find out whether a server shows them the same history."""

from events.codec import DecodeError, Decoder, Struct, encode
from events.errors import ProofInvalid
from events.ids import Digest, MatchId
from events.transparency.checkpoint import Checkpoint, checkpoint_in
from events.transparency.entry import CommitEntry, entry_bytes
from events.transparency.signed_note import Verifier, read_note
from events.transparency.tlog_proof import read_proof


class EvidenceLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An entry of a match with its proof (a tlog-proof), as one line of JSON that players give each other."""

    match: MatchId
    number: int
    blinded: Digest
    proof: str

    @property
    def entry(self) -> bytes:
        """The bytes of the entry."""
        return entry_bytes(CommitEntry(match=self.match, number=self.number, blinded=self.blinded))

    @property
    def origin(self) -> str:
        """The name of the log; `read_proof` and `checkpoint_in` tell the errors."""
        return checkpoint_in(read_note(read_proof(self.proof).note)).origin

    @property
    def text(self) -> str:
        """The line."""
        return encode(self).decode()

    def check(self, verifier: Verifier) -> Checkpoint:
        """Check the proof, and return the checkpoint by which the log holds the entry; see `TlogProof.check` for the errors."""
        return read_proof(self.proof).check(self.entry, verifier)


_LINES: Decoder[EvidenceLine] = Decoder(EvidenceLine)


def read_line(text: str) -> EvidenceLine:
    """Return a line that another player gave, which is not checked yet.

    Raises:
        ProofInvalid: It is not such a line.
    """
    try:
        return _LINES.decode(text)
    except DecodeError as error:
        raise ProofInvalid(f"this is not a line that `wardiary evidence MATCH` prints: {error}") from None
