"""Streams of JetStream: making them, reading messages from any replica or from the leader, and publishing under a condition.

Source: docs.nats.io/reference/reference-protocols/nats_api_reference, and the decisions 31 (direct get) and 50 (atomic batches) of the NATS project.
"""

import json
import secrets
import time
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence

from events.codec import Struct
from events.errors import StoreUnavailable
from server.store.jetstream.link import Link
from server.store.jetstream.protocol import VERSION_LINE, Message
from server.store.remote import outage

PART = 256
"""How many messages are read at once."""

BYTES_MAX = 4 << 20
"""How many bytes are read at once."""

LATE_PAUSE_S = 0.02
"""How long a reader waits for a replica that is late (seconds)."""

CONFLICTS = frozenset({10071, 10077, 10164, 10176})
"""Codes of a publication whose condition does not hold, or a part of which was refused for that."""

NO_LEADER = 10008
"""Code of a server that knows no leader of a stream."""

NO_RESPONDERS, NOT_FOUND, END_OF_BATCH = 503, 404, 204


class Kept(Struct, frozen=True):
    """A message in a stream: its number, from 1, its subject, headers and content."""

    number: int
    subject: str
    headers: Mapping[str, str]
    data: bytes


class Conflict(Exception):
    """The condition of a publication does not hold, so nothing of it was stored."""


class Refused(StoreUnavailable):
    """The cluster refused a request, so that nothing was stored; `code` is the cluster's."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class Stream:
    """One stream.

    Args:
        link: The connection.
        name: Its name.
    """

    def __init__(self, link: Link, name: str) -> None:
        self._link = link
        self.name = name

    def is_made(self, config: Mapping[str, object]) -> bool:
        """Return whether the stream exists; then its configuration must be this one.

        Raises:
            StoreUnavailable: It exists with another configuration, or cannot be read.
        """
        info = self._api("STREAM.INFO", {})
        if _part(info, "error").get("code") == NOT_FOUND:
            return False
        if "error" in info:
            raise _refused(info, f"the stream {self.name} cannot be read")
        self._check(info, config)
        return True

    def make(self, config: Mapping[str, object]) -> None:
        """Create the stream; one that another writer creates meanwhile must have this configuration.

        Raises:
            StoreUnavailable: It has another one, or the cluster cannot hold it.
        """
        info, replicas = self._api("STREAM.CREATE", {"name": self.name, **config}), config["num_replicas"]
        if "error" in info:
            needed = f" with {replicas} replicas, which need as many servers" if replicas != 1 else ""
            raise _refused(info, f"the stream {self.name} cannot be made{needed}")
        self._check(info, config)

    def _check(self, info: Mapping[str, object], config: Mapping[str, object]) -> None:
        there, replicas = _part(info, "config"), config["num_replicas"]
        found = there.get("num_replicas")
        if there.get("description") == config["description"] and found != replicas:
            raise StoreUnavailable(
                f"the store has {found} replicas, not {replicas}: write ?replicas={found} in its address"
            )
        for key, value in config.items():
            if key != "republish" and there.get(key) != value:
                raise StoreUnavailable(
                    f"the stream {self.name} of the cluster has {key} {there.get(key)!r}, not {value!r}: it is not a store of this version"
                )

    def _api(self, what: str, data: Mapping[str, object]) -> Mapping[str, object]:
        reply = self._link.ask(f"$JS.API.{what}.{self.name}", data, _is_vague)
        if reply.status == NO_RESPONDERS:
            raise StoreUnavailable("the servers of the cluster run without JetStream")
        return _answer(reply)

    def last(self, subject: str) -> Kept | None:
        """Return the last message of a subject, which may have wildcards, as the leader has it; None if there is none."""
        reply = self._api("STREAM.MSG.GET", {"last_by_subj": subject})
        if "error" in reply:
            if _part(reply, "error").get("code") == NOT_FOUND:
                return None
            raise _refused(reply, f"the stream {self.name} cannot be read")
        found = _part(reply, "message")
        headers = _headers(b64decode(str(found.get("hdrs", ""))))
        return Kept(_number(found, "seq"), str(found["subject"]), headers, b64decode(str(found.get("data", ""))))

    def created(self) -> str:
        """Return when the stream was made, as its servers tell it, which is the same for as long as it exists."""
        return str(self._api("STREAM.INFO", {}).get("created", ""))

    def last_number(self) -> int:
        """Return the number of the last message, as the leader has it; 0 if there is none."""
        info = self._api("STREAM.INFO", {})
        if "error" in info:
            raise _refused(info, f"the stream {self.name} cannot be read")
        return _number(_part(info, "state"), "last_seq")

    def some(self, question: Mapping[str, object]) -> list[Kept]:
        """Return messages that any replica finds; it may be late. Of many only a part is returned."""
        return self._link.again(lambda: self._some(question))

    def _some(self, question: Mapping[str, object]) -> list[Kept]:
        # The first message is an answer, too, where a batch is asked for, of which more can be asked.
        briefly = {**question, "batch": 1} if "batch" in question else None
        reply = self._link.ask_any(f"$JS.API.DIRECT.GET.{self.name}", question, briefly)
        found: list[Kept] = []
        try:
            while True:
                message = self._link.next_of(reply, self._link.due())
                if message.status in (NOT_FOUND, END_OF_BATCH):
                    return found
                if message.status:
                    raise StoreUnavailable(f"the stream {self.name} cannot be read: status {message.status}")
                found.append(_kept(message))
                if "batch" not in question and "multi_last" not in question:
                    return found
        finally:
            self._link.forget(reply)

    def last_of(self, subjects: Sequence[str]) -> list[Kept]:
        """Return the last messages of some subjects, as any replica has them."""
        return self.some({"multi_last": list(subjects)})

    def between(self, first: int, last: int, subject: str = "", limit: int = 0) -> Iterator[Kept]:
        """Yield the messages with numbers from `first` to `last`, of one subject or of all, waiting for replicas that are late.

        Message `last` must be there.

        Raises:
            StoreUnavailable: No replica has them.
        """
        due = self._link.due()
        left = limit or last
        while first <= last and left > 0:
            question: dict[str, object] = {"seq": first, "batch": min(PART, left), "max_bytes": BYTES_MAX}
            if subject:
                question["next_by_subj"] = subject
            found = self.some(question)
            for one in found:
                if one.number > last:
                    return
                yield one
                left -= 1
            if found:
                first, due = found[-1].number + 1, self._link.due()
            elif time.monotonic() >= due:
                raise StoreUnavailable(f"the stream {self.name} does not have what its leader has")
            else:
                time.sleep(LATE_PAUSE_S)

    # Publishing

    def begin(self, messages: Sequence[tuple[str, bytes, dict[str, str]]]) -> str:
        """Publish messages, all or none; return the name of the reply."""
        if len(messages) > 1:
            batch = secrets.token_hex(12)
            for number, (_, _, headers) in enumerate(messages, start=1):
                headers |= {"Nats-Batch-Id": batch, "Nats-Batch-Sequence": str(number)}
            messages[-1][2]["Nats-Batch-Commit"] = "1"
        return self._link.begin(messages)

    def acknowledged(self, message: Message) -> int:
        """Return the number of the last message that was published, according to the reply.

        Raises:
            Conflict: A condition does not hold; nothing was stored.
            Refused: The cluster refused it; nothing was stored.
        """
        if message.status == NO_RESPONDERS:
            raise Refused("the cluster has no leader for this store at the moment; nothing was done", NO_RESPONDERS)
        answer = _answer(message)
        if "error" not in answer:
            return _number(answer, "seq")
        if _part(answer, "error").get("err_code") in CONFLICTS:
            raise Conflict
        raise _refused(answer, "nothing was stored")

    def publish_soon(self, messages: Sequence[tuple[str, bytes, dict[str, str]]]) -> None:
        """Publish what need not be stored: a stream without a leader is not waited for, and the connection stays; see `acknowledged` for the errors."""
        reply = self.begin(messages)
        if not self._link.await_any([reply], outage.PROBE_S):
            self._link.forget(reply)
            raise StoreUnavailable("the cache does not answer")
        self.acknowledged(self._link.finish(reply))

    def publish(self, messages: Sequence[tuple[str, bytes, dict[str, str]]]) -> int:
        """Publish messages, all or none, and return the number of the last; see `acknowledged` for the errors, and `Link.finish`."""
        return self.acknowledged(self._link.finish(self.begin(messages)))


def _answer(message: Message) -> Mapping[str, object]:
    """Return an answer of the servers, which is an object in JSON.

    Raises:
        StoreUnavailable: It is something else.
    """
    try:
        found = json.loads(message.data)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise StoreUnavailable(f"the cluster answers with something else than JSON: {message.data[:80]!r}")
    return found


def _is_vague(message: Message) -> bool:
    return not message.status and _part(_answer(message), "error").get("err_code") == NO_LEADER


def _part(answer: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = answer.get(name)
    return found if isinstance(found, dict) else {}


def _number(answer: Mapping[str, object], name: str) -> int:
    found = answer.get(name)
    return found if isinstance(found, int) else 0


def _refused(answer: Mapping[str, object], what: str) -> Refused:
    error = _part(answer, "error")
    return Refused(f"{what}: the cluster says: {error.get('description', 'unknown')}", _number(error, "err_code"))


def _kept(message: Message) -> Kept:
    headers = message.headers
    return Kept(int(headers["Nats-Sequence"]), headers["Nats-Subject"], headers, message.data)


def _headers(head: bytes) -> dict[str, str]:
    assert not head or head.startswith(VERSION_LINE.encode())
    parts = [line.partition(":") for line in head.decode().split("\r\n")[1:] if line]
    return {name: text.strip() for name, _, text in parts}
