"""Trust policies: the logs that are believed, and the witnesses of whom so many must have cosigned a checkpoint.

Source: C2SP tlog-policy.
"""

from collections.abc import Mapping, Sequence

from events.codec import Struct
from events.errors import LogKeyUnusable, ProofInvalid
from events.transparency.cosignature import cosigned_at, read_witness
from events.transparency.signed_note import Verifier, read_note, read_verifier

NONE = "none"

LINES_MAX = 200
"""The most lines of a policy; more than a hundred logs, witnesses and groups."""


class Group(Struct, frozen=True):
    """Witnesses or groups, of which at least so many must have cosigned."""

    least: int
    members: tuple[str, ...]


class Policy(Struct, frozen=True):
    """A policy. Witnesses and groups have names of the file's own; `quorum` is one of them, or `none`."""

    logs: tuple[Verifier, ...]
    witnesses: Mapping[str, Verifier]
    groups: Mapping[str, Group]
    quorum: str

    def log(self, name: str) -> Verifier | None:
        """Return the key of a log that is believed, by the log's name; None if it is not."""
        return next((key for key in self.logs if key.name == name), None)

    def holds(self, note: str) -> bool:
        """Return whether enough witnesses have cosigned a checkpoint; see `check` for the other errors."""
        return self.quorum == NONE or self._holds(self.quorum, self._times(note))

    def check(self, note: str) -> dict[str, int]:
        """Return when each of the known witnesses has cosigned a checkpoint (seconds since 1970), by its name in the policy.

        Raises:
            ProofInvalid: Those are too few, a cosignature is not valid, or it is not a note.
        """
        found = self._times(note)
        if not self.holds(note):
            by = ", ".join(found) or "none of the witnesses"
            raise ProofInvalid(f"the checkpoint is cosigned by {by}: the policy asks for {self._words(self.quorum)}")
        return found

    def _times(self, note: str) -> dict[str, int]:
        read = read_note(note)
        times = {name: cosigned_at(read, key) for name, key in self.witnesses.items()}
        return {name: at_s for name, at_s in times.items() if at_s is not None}

    def _holds(self, name: str, found: Mapping[str, int]) -> bool:
        if name in self.witnesses:
            return name in found
        group = self.groups[name]
        return sum(self._holds(one, found) for one in group.members) >= group.least

    def _words(self, name: str) -> str:
        if name in self.witnesses:
            return name
        group = self.groups[name]
        return f"{group.least} of {name} ({', '.join(group.members)})"


def read_policy(text: str) -> Policy:
    """Return the policy in a file.

    Raises:
        LogKeyUnusable: A line is malformed, names what no line before it defines, or a key is not one; the message says which.
    """
    lines, reader = text.split("\n"), _Reader()
    if len(lines) > LINES_MAX:
        raise LogKeyUnusable(f"a policy has at most {LINES_MAX} lines")
    for number, line in enumerate(lines, start=1):
        words = line.split()
        if words and not words[0].startswith("#"):
            try:
                reader.take(words)
            except LogKeyUnusable as error:
                raise LogKeyUnusable(f"line {number} of the policy: {error}") from None
    if not reader.quorum:
        raise LogKeyUnusable("the policy has no line `quorum NAME`; `quorum none` asks for no witness")
    return Policy(tuple(reader.logs), reader.witnesses, reader.groups, reader.quorum)


class _Reader:
    """Reads lines, and holds what they have defined so far."""

    def __init__(self) -> None:
        self.logs: list[Verifier] = []
        self.witnesses: dict[str, Verifier] = {}
        self.groups: dict[str, Group] = {}
        self.quorum = ""

    def take(self, words: Sequence[str]) -> None:
        """Take the words of a line."""
        match words:
            case ["log", key] | ["log", key, _]:
                self.logs.append(_new(read_verifier(key), self.logs))
            case ["witness", name, key] | ["witness", name, key, _]:
                self.witnesses[self._free(name)] = _new(read_witness(key), list(self.witnesses.values()))
            case ["group", name, least, *members] if members:
                self.groups[self._free(name)] = self._group(least, members)
            case ["quorum", name] if not self.quorum and (name == NONE or name in {*self.witnesses, *self.groups}):
                self.quorum = name
            case _:
                raise LogKeyUnusable(
                    "it is not `log KEY`, `witness NAME KEY`, `group NAME all|any|NUMBER NAME…`, or the one `quorum NAME` of a name that stands above"
                )

    def _free(self, name: str) -> str:
        if name in (NONE, *self.witnesses, *self.groups):
            raise LogKeyUnusable(f"the name {name} is taken")
        return name

    def _group(self, least: str, members: Sequence[str]) -> Group:
        used = {one for group in self.groups.values() for one in group.members}
        free = {*self.witnesses, *self.groups} - used
        if not free.issuperset(members) or len(set(members)) != len(members):
            raise LogKeyUnusable("each member of a group is a name that stands above, and in no other group")
        number = int(least) if least.isdecimal() and least.isascii() else 0
        count = {"any": 1, "all": len(members)}.get(least, number)
        if not 1 <= count <= len(members):
            raise LogKeyUnusable(f"all, any, or 1 to {len(members)} of these members must cosign, not {least}")
        return Group(count, tuple(members))


def _new(key: Verifier, known: Sequence[Verifier]) -> Verifier:
    if any(one.key == key.key for one in known):
        raise LogKeyUnusable(f"the key of {key.name} stands above already")
    return key
