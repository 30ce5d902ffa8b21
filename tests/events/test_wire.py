"""Every shipped event stays readable: each tag has its bytes in `fixtures/wire`, and their meaning never changes.

A failing test here says that a shipped event was changed. Leave the event as it was: put the new version under a new tag into
the vocabulary, the old struct into `events.upcast`, and its bytes stay where they are. New tags add their bytes.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.codec import DecodeError, Decoder, any_of, encode, schema, tag_of
from events.commit import Commit, chain_hash, decode_canonical, decode_commit, encode_commit
from events.upcast import HISTORY
from events.vocabulary import CURRENT, BaseEvent, Event
from tests.events.retired import DiceRolled0
from tests.support.rows import each_row

WIRE = Path(__file__).parents[2] / "fixtures" / "wire"
EVERY: tuple[type[BaseEvent], ...] = (*CURRENT, *HISTORY.types, DiceRolled0)
TYPES = {tag_of(type_): type_ for type_ in EVERY}


def fixtures() -> Iterator[str]:
    """Yield the tags that have their bytes in the folder."""
    for path in sorted(WIRE.glob("*/*.json")):
        yield path.relative_to(WIRE).with_suffix("").as_posix()


def line(tag: str) -> bytes:
    """Return the bytes of a tag without their line feed."""
    content = (WIRE / f"{tag}.json").read_bytes()

    assert content.endswith(b"\n")
    assert content.count(b"\n") == 1
    return content[:-1]


def test_every_tag_has_its_bytes_and_no_bytes_are_without_a_tag() -> None:
    assert sorted(fixtures()) == sorted([*TYPES, "commit/1"])


def test_every_tag_is_unique_and_has_a_version() -> None:
    tags = [tag_of(type_) for type_ in (*CURRENT, *HISTORY.types)]

    assert sorted(tags) == sorted(set(tags))
    assert [tag for tag in tags if not re.fullmatch(r"[a-z]+(-[a-z]+)+/[1-9][0-9]*", tag)] == []


@each_row("tag", sorted(TYPES))
def test_the_bytes_of_a_tag_are_read_and_written_the_same(tag: str) -> None:
    decoder: Decoder[tuple[BaseEvent, ...]] = Decoder(any_of(EVERY))
    (event,) = decoder.decode(b"[" + line(tag) + b"]")

    assert type(event) is TYPES[tag]
    assert encode(event) == line(tag)


@each_row("tag", sorted(TYPES))
def test_the_bytes_of_a_tag_contain_every_field(tag: str) -> None:
    """A field with its default value is not in the bytes, so its loss would not be noticed."""
    fields = [name for name in TYPES[tag].__struct_fields__ if name not in json.loads(line(tag))]

    assert fields == []


def test_the_bytes_of_a_commit_are_read_and_written_the_same() -> None:
    body = line("commit/1")
    commit = decode_canonical(body)

    assert encode_commit(commit) == body
    assert (commit.match, commit.first, commit.last, commit.at) == ("m-7f3a", 41, 42, 1_700_000_000_123)
    assert [tag_of(type(event)) for event in commit.events] == ["piece-moved/1", "dice-rolled/1"]
    assert chain_hash(body) == "60e4aa0ccc11c46a00bf4386304a0168ddba02b1c83f4ffe849393a9e739be74"


def bare(value: object) -> object:
    """Remove titles and descriptions from a schema."""
    if isinstance(value, dict):
        return {name: bare(part) for name, part in value.items() if name not in {"description", "title"}}
    return [bare(part) for part in value] if isinstance(value, list) else value


def test_fields_types_and_defaults_are_unchanged() -> None:
    """An omitted field has its default value, so defaults are part of the meaning of bytes."""
    shipped = json.loads((WIRE / "schema.json").read_bytes())

    assert bare(json.loads(encode(schema(Commit)))) == shipped


@each_row("tag", sorted(tag_of(type_) for type_ in CURRENT))
def test_decoding_is_strict(tag: str) -> None:
    """An unknown or a missing field is refused."""
    head, _ = line("commit/1").split(b'"events":[')
    event: dict[str, object] = json.loads(line(tag))
    spoilt = [{**event, "more": 1}, *({k: v for k, v in event.items() if k != name} for name in ("event", "rule"))]
    for each in spoilt:
        with pytest.raises(DecodeError, match=r"\$.events\[0\]"):
            decode_commit(head + b'"events":[' + encode(each) + b"]}")


def test_the_vocabulary_lists_every_event() -> None:
    """An event outside the union could be made but not read."""
    made = {type_ for type_ in BaseEvent.__subclasses__() if type_.__module__ == "events.vocabulary"}

    assert made == set(CURRENT)
    assert isinstance(DiceRolled0, type)
    assert not issubclass(DiceRolled0, Event)
