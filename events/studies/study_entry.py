"""The events of studies: what was said of a match beside it, entry by entry, chained by hashes and signed by who wrote it.

The number of an event of the match, `at`, is that of the seat whose view the study is of.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Literal

from events.codec import DecodeError, Decoder, Struct, encode
from events.errors import BrokenStudy
from events.ids import NO_SEAT, Digest, MatchId, Seat, StudyId
from events.transparency.signed_note import SIGNATURE_BYTES, Verifier, decoded

Mark = Literal["", "!!", "!", "!?", "?!", "?", "??"]
"""What is thought of an order, as in chess; empty for nothing."""


class Said(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="said", gc=False
):
    """The base of what an entry says."""


class StudyOpened(Said, frozen=True, kw_only=True, tag="study-opened/1"):
    """A study was opened, of what the seat `view` sees of the match."""

    title: str
    view: Seat


class CommentWritten(Said, frozen=True, kw_only=True, tag="comment-written/1"):
    """Something was said of event `at`, or it was marked, or both."""

    at: int
    text: str = ""
    mark: Mark = ""


class LineAdded(Said, frozen=True, kw_only=True, tag="line-added/1"):
    """A fork of the match is a line of the study; it leaves the match after event `at`."""

    at: int
    match: MatchId
    name: str


class ChapterAdded(Said, frozen=True, kw_only=True, tag="chapter-added/1"):
    """A chapter begins at event `at`; it is the last one."""

    at: int
    title: str


class OptionWins(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """An option that was tried, in words: `points` are 2 for each of its trials that who decides has won, and 1 for each draw; whether it `was_played` in the match."""

    words: str
    points: int
    was_played: bool = False

    @property
    def won(self) -> float:
        """How many of its trials were won, a draw being a half."""
        return self.points / 2


class OptionsTried(Said, frozen=True, kw_only=True, tag="options-tried/1"):
    """Options of the decision after event `at` were tried: `times` matches of each that the bot `policy` played to the end, with a seed that gives them again."""

    at: int
    policy: str
    seed: str
    times: int
    options: tuple[OptionWins, ...]


class ChaptersOrdered(Said, frozen=True, kw_only=True, tag="chapters-ordered/1"):
    """The chapters, by the numbers of their entries, were put in another order."""

    chapters: tuple[int, ...]


class EntryWithdrawn(Said, frozen=True, kw_only=True, tag="entry-withdrawn/1"):
    """An entry was withdrawn; with the first one, the whole study. It stays in the stream, and is not shown."""

    entry: int


AnySaid = StudyOpened | CommentWritten | LineAdded | OptionsTried | ChapterAdded | ChaptersOrdered | EntryWithdrawn


class StudyEntry(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """One entry of a study, its `number` from 1.

    `previous` is the hash of the entry before it. `at` is when it was written (milliseconds since 1970, UTC), `author` the name of who wrote it,
    and `seat` the seat that the author proved, if any. With `key` (hex) come a public key and its `signature` (base64) of `text_of`.
    """

    match: MatchId
    study: StudyId
    number: int
    previous: Digest = Digest("")
    at: int
    author: str
    seat: Seat = NO_SEAT
    key: str = ""
    signature: str = ""
    said: AnySaid


_DECODER: Decoder[StudyEntry] = Decoder(StudyEntry)


def named_in(body: bytes) -> tuple[MatchId, StudyId] | None:
    """Return the match and the study of an entry; None if the bytes are not one."""
    try:
        entry = _DECODER.decode(body)
    except DecodeError:
        return None
    return entry.match, entry.study


def entry_hash(body: bytes) -> Digest:
    """Return the hash of an entry, by which the next one names it."""
    return Digest(sha256(body).hexdigest())


def text_of(entry: StudyEntry) -> str:
    """Return the text that the author of an entry signs: all but its time, which the store adds."""
    said = sha256(encode(entry.said)).hexdigest()
    place = (entry.match, entry.study, str(entry.number), entry.previous or "-")
    lines = ("wardiary study 1", *place, entry.seat or "-", entry.author, said)
    return "".join([f"{line}\n" for line in lines])


def is_signed(entry: StudyEntry) -> bool:
    """Return whether the signature of an entry is that of its key."""
    signature = decoded(entry.signature)
    if signature is None or len(signature) != SIGNATURE_BYTES:
        return False
    return Verifier("", bytes.fromhex(entry.key)).check(text_of(entry), signature)


def checked_entries(
    match: MatchId, study: StudyId, bodies: Iterable[bytes], *, has_signatures_checked: bool = True
) -> Sequence[StudyEntry]:
    """Return the entries of a study.

    Args:
        match: Its match.
        study: Its id.
        bodies: The entries, as they were stored.
        has_signatures_checked: Whether signatures are checked, which takes a tenth of a second for a thousand.

    Raises:
        BrokenStudy: One cannot be read, does not follow the one before it, or its signature is not that of its key.
    """
    found: list[StudyEntry] = []
    previous = Digest("")
    for number, body in enumerate(bodies, start=1):
        try:
            entry = _DECODER.decode(body)
            is_sound = not (has_signatures_checked and entry.key) or is_signed(entry)
        except (DecodeError, ValueError) as error:
            raise BrokenStudy(match, study, number, str(error)) from None
        if (entry.match, entry.study, entry.number, entry.previous) != (match, study, number, previous):
            raise BrokenStudy(match, study, number, "it does not follow the entry before it")
        if not is_sound:
            raise BrokenStudy(match, study, number, "its signature is not that of its key")
        if isinstance(entry.said, StudyOpened) != (number == 1):
            raise BrokenStudy(match, study, number, "a study is opened by its first entry alone")
        found.append(entry)
        previous = entry_hash(body)
    return found
