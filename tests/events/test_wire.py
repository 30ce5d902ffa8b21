"""What was ever shipped is read for ever: every tag has its bytes in `fixtures/wire`, and they mean what they meant.

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
from events.upcast import CURRENT, HISTORY
from events.vocabulary import BaseEvent, Event
from tests.events.retired import DiceRolled0

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


def test_every_tag_is_its_own_and_has_a_version() -> None:
    tags = [tag_of(type_) for type_ in (*CURRENT, *HISTORY.types)]

    assert sorted(tags) == sorted(set(tags))
    assert [tag for tag in tags if not re.fullmatch(r"[a-z]+(-[a-z]+)+/[1-9][0-9]*", tag)] == []


@pytest.mark.parametrize("tag", sorted(TYPES))
def test_the_bytes_of_a_tag_are_read_and_written_the_same(tag: str) -> None:
    decoder: Decoder[tuple[BaseEvent, ...]] = Decoder(any_of(EVERY))
    (event,) = decoder.decode(b"[" + line(tag) + b"]")

    assert type(event) is TYPES[tag]
    assert encode(event) == line(tag)


@pytest.mark.parametrize("tag", sorted(TYPES))
def test_the_bytes_of_a_tag_show_every_field_it_has(tag: str) -> None:
    """A field with its default value would not be in the bytes, and its loss would go unnoticed."""
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
    """Leave out of a schema what is for readers only."""
    if isinstance(value, dict):
        return {name: bare(part) for name, part in value.items() if name not in {"description", "title"}}
    return [bare(part) for part in value] if isinstance(value, list) else value


def test_fields_types_and_defaults_are_those_that_were_shipped() -> None:
    """A field that is left out means its default, so a default is part of what bytes mean."""
    shipped = json.loads((WIRE / "schema.json").read_bytes())

    assert bare(json.loads(encode(schema(Commit)))) == shipped


@pytest.mark.parametrize("tag", sorted(tag_of(type_) for type_ in CURRENT))
def test_decoding_is_strict(tag: str) -> None:
    """Another field, or none of an event's own, is refused: what is not understood is not believed."""
    head, _ = line("commit/1").split(b'"events":[')
    event: dict[str, object] = json.loads(line(tag))
    spoilt = [{**event, "more": 1}, *({k: v for k, v in event.items() if k != name} for name in ("event", "rule"))]
    for each in spoilt:
        with pytest.raises(DecodeError, match=r"\$.events\[0\]"):
            decode_commit(head + b'"events":[' + encode(each) + b"]}")


def test_the_vocabulary_lists_every_event_there_is() -> None:
    """An event outside the union could be made but not read."""
    made = {type_ for type_ in BaseEvent.__subclasses__() if type_.__module__ == "events.vocabulary"}

    assert made == set(CURRENT)
    assert isinstance(DiceRolled0, type)
    assert not issubclass(DiceRolled0, Event)
