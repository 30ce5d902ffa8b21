"""Archives that a forger has changed and given new hashes: one change anywhere, or in what dice and draws depend on."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from random import Random
from typing import Any

Record = dict[str, Any]


class Lines:
    """The parts of an archive.

    Args:
        data: An archive.
    """

    def __init__(self, data: bytes) -> None:
        records = [json.loads(line) for line in data.splitlines()]
        self.header: Record = records[0]
        self.files: list[Record] = [one for one in records if "attachment" in one]
        self.commits: list[Record] = [one for one in records if "commit" in one]

    def under_other_rules(self) -> "Lines":
        """Let the match name rules that nobody has, so that an audit judges its evidence alone."""
        for commit in self.commits:
            for event in commit["events"]:
                if event["event"] == "match-opened/1":
                    event["rules"] = "f" * 64
        return self

    def sealed(self, commits: Sequence[Record] | None = None) -> bytes:
        """Return an archive of commits with numbers and hashes that fit."""
        lines = [dumped(self.header), *map(dumped, self.files)]
        seq, head = 0, "0" * 64
        for commit in self.commits if commits is None else commits:
            line = dumped({**commit, "first": seq + 1, "prev": head})
            seq, head = seq + len(commit["events"]), hashlib.sha256(b"wardiary commit 1\n" + line).hexdigest()
            lines.append(line)
        body = b"".join(line + b"\n" for line in lines)
        end = {"end": "wardiary-archive/1", "events": seq, "head": head, "sha256": hashlib.sha256(body).hexdigest()}
        return body + dumped(end) + b"\n"

    def mutated(self, choose: Random) -> list[Record]:
        """Return the commits with one change: a commit or an event is left out or moved, or a field has another value."""
        commits: list[Record] = json.loads(json.dumps(self.commits))
        what = choose.random()
        if what < 0.08:
            del commits[choose.randrange(1, len(commits))]
            return commits
        if what < 0.12:
            place = choose.randrange(1, len(commits) - 1)
            commits[place : place + 2] = reversed(commits[place : place + 2])
            return commits
        # Each kind of event is as likely as any other, however often it comes.
        kinds: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, commit in enumerate(commits):
            for place, event in enumerate(commit["events"]):
                kinds[event["event"]].append((number, place))
        number, place = choose.choice(kinds[choose.choice(sorted(kinds))])
        events = commits[number]["events"]
        if what < 0.2 and len(events) > 1:
            del events[place]
            return commits
        event = events[place]
        name = choose.choice([one for one in event if one not in ("event", "rule")] or ["event"])
        event[name] = other(event[name], choose)
        return commits


def dumped(record: object) -> bytes:
    """Return a record as an archive writes it."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()


def other(value: Any, choose: Random) -> Any:
    """Return another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + choose.choice([-1, 1, 2, 7])
    if isinstance(value, str):
        place = choose.randrange(len(value)) if value else 0
        return value[:place] + choose.choice("0123456789abcdef") + value[place + 1 :]
    if isinstance(value, list) and value:
        place = choose.randrange(len(value))
        changed = [other(value[place], choose), choose.choice(value)] if choose.random() < 0.5 else []
        return [*value[:place], *changed[:1], *value[place + 1 :], *changed[1:]]
    if isinstance(value, dict) and value:
        name = choose.choice(list(value))
        return {**value, name: other(value[name], choose)}
    return ["x"] if value == [] else "x"
