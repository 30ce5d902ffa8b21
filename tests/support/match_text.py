"""Text of a whole match for people to read and compare: a line for each command, its events indented below it.

    german: resupply card=german/rubble-3  (78 legal)
      card-discarded/1 card=german/rubble-3 to=discard/german was=hand/german  [resupply.action]

A command's line begins at the margin, so that `git diff` names it above each difference; the number is that of all commands that
were legal. An event's line ends with its rule. Every field is there and unlike values never look alike, so that equal
lines are equal events: a text without spaces, quotation marks and brackets stands bare unless it would be JSON, all else as JSON.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from events.codec import decode_plain, encode
from events.vocabulary import Event

INDENT = "  "
BARE = re.compile(r"[\w/.:'&+-]+")
COMMAND = re.compile(r"(\S+): (\S+)(.*?)  \((\d+) legal\)")
EVENT = re.compile(rf"{INDENT}(\S+)(.*?)  \[(\S+)\]")
JSON = json.JSONDecoder()

Fields = dict[str, Any]


def command_line(seat: str, command: Mapping[str, Any], legal: int) -> str:
    """Return the line of a command: who gave it, its fields, and how many commands were legal."""
    return f"{seat}: {command['do']}{_printed(command, 'do')}  ({legal} legal)"


def event_line(event: Event) -> str:
    """Return the line of an event."""
    fields = decode_plain(encode(event))
    assert isinstance(fields, dict)
    return f"{INDENT}{fields['event']}{_printed(fields, 'event', 'rule')}  [{fields['rule']}]"


def command_of(line: str) -> Fields | None:
    """Return the command of a line; None for the line of an event."""
    found = COMMAND.fullmatch(line)
    return {"do": found[2], **_parsed(found[3])} if found else None


def event_of(line: str) -> Fields:
    """Return the fields of an event's line."""
    found = EVENT.fullmatch(line)
    assert found, line
    return {"event": found[1], "rule": found[3], **_parsed(found[2])}


def _printed(fields: Mapping[str, Any], *apart: str) -> str:
    return "".join(f" {key}={_value(value)}" for key, value in fields.items() if key not in apart)


def _value(value: Any) -> str:
    if isinstance(value, str) and BARE.fullmatch(value) and not _is_json(value):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _parsed(text: str) -> Fields:
    fields: Fields = {}
    while text:
        key, _, text = text[1:].partition("=")
        bare = BARE.match(text)
        if bare and not _is_json(bare[0]):
            fields[key], end = bare[0], bare.end()
        else:
            fields[key], end = JSON.raw_decode(text)
        text = text[end:]
    return fields
