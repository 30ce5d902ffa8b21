"""The codec loses nothing, has one canonical form, and answers junk with one kind of error."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.codec import (
    MESSAGE_MAX,
    DecodeError,
    Decoder,
    Raw,
    Struct,
    any_of,
    compact,
    convert,
    decode_plain,
    encode,
    encode_in_order,
    schema,
    schemas,
    tag_of,
    to_plain,
)
from events.commit import Commit, chain_hash, decode_canonical, decode_commit, encode_commit
from events.vocabulary import CURRENT, BaseEvent, ChanceScheme, Event, MatchBegan, MatchForked, Modifier
from projections.table_codec import decode_table
from tests.events.any_events import TEXTS, any_events, commits
from tests.support.rows import each_row

WIRE = Path(__file__).parents[2] / "fixtures" / "wire"
FRAMES = 20_000
DECODER: Decoder[tuple[Event, ...]] = Decoder(any_of(CURRENT))


# Round trips


@pytest.mark.soak
@pytest.mark.parametrize("type_", CURRENT, ids=[tag_of(type_) for type_ in CURRENT])
def test_every_event_survives_a_round_trip(type_: type[BaseEvent]) -> None:
    @settings(max_examples=max(1, settings().max_examples // 4))
    @given(any_events(type_))
    def check(event: Event) -> None:
        content = encode((event,))
        (again,) = DECODER.decode(content)

        assert again == event
        assert type(again) is type(event)
        assert encode((again,)) == content

    check()


@pytest.mark.soak
@given(any_events())
def test_an_event_is_one_line_of_readable_json(event: Event) -> None:
    content = encode(event)
    plain = json.loads(content)

    assert b"\n" not in content
    assert list(plain)[:2] == ["event", "rule"]
    assert json.loads(json.dumps(to_plain(event))) == decode_plain(content) == plain


@pytest.mark.soak
@given(commits())
def test_a_commit_survives_encoding_and_decoding(commit: Commit) -> None:
    body = encode_commit(commit)

    assert decode_commit(body) == decode_canonical(body) == commit
    assert encode_commit(decode_commit(body)) == body
    assert b"\n" not in body


@pytest.mark.soak
@given(commits(), st.integers(0, 10**6))
def test_a_commit_has_only_one_canonical_form(commit: Commit, place: int) -> None:
    """Additional white space gives an equal commit, but these bytes are refused."""
    body = encode_commit(commit)
    commas = [at for at, byte in enumerate(body) if byte == ord(",")]
    at = commas[place % len(commas)] + 1
    spaced = body[:at] + b" " + body[at:]
    try:
        same = decode_commit(spaced) == commit
    except DecodeError:
        same = False

    if same:
        with pytest.raises(DecodeError, match="not in its canonical form"):
            decode_canonical(spaced)


@pytest.mark.soak
@given(st.dictionaries(TEXTS, st.integers(), min_size=2, max_size=5))
def test_equal_values_have_equal_bytes_whatever_their_order(plain: dict[str, int]) -> None:
    backwards = dict(reversed(plain.items()))

    assert encode(plain) == encode(backwards)
    assert list(json.loads(encode_in_order(backwards))) == list(backwards)


def test_a_command_is_stored_as_sent_except_for_white_space() -> None:
    sent = b'{ "b" : 1.50 ,\r\n\t"a":[ 1e3, "\\u0041 b" ] }'

    assert compact(sent) == b'{"b":1.50,"a":[1e3,"\\u0041 b"]}'
    assert compact(Raw(sent)) == compact(compact(sent))


@pytest.mark.soak
@given(commits(), st.sampled_from([b'{"do" : 1}', b'\n{"do":\n1}\r\n', b" {} "]))
def test_a_foreign_command_cannot_break_the_line_of_its_commit(commit: Commit, command: bytes) -> None:
    body = encode_commit(
        Commit(**{name: getattr(commit, name) for name in commit.__struct_fields__} | {"command": Raw(command)})
    )

    assert b"\n" not in body
    assert decode_canonical(body).command == Raw(compact(command))


@each_row("command", [b"", b"{", b"\xff", b'"\xc3"', b"{'a':1}", b"1 2", b"[" * 100_000])
def test_a_command_that_is_not_json_is_refused_before_hashing(command: bytes) -> None:
    with pytest.raises(DecodeError):
        compact(command)


@each_row(
    ("text", "half"),
    [
        (rb"\ud800", rb"\ud800"),
        (rb"\uD83D\uDE00\uDE00", rb"\uDE00"),
        (rb"\udc00x", rb"\udc00"),
        (rb"\ud83d\n", rb"\ud83d"),
        (rb"\\\udfff", rb"\udfff"),
    ],
)
def test_a_lone_surrogate_is_named_in_the_error(text: bytes, half: bytes) -> None:
    sent = b'{"do":"' + text + b'"}'
    for decode in (decode_plain, compact, Decoder(dict[str, str]).decode):
        with pytest.raises(DecodeError) as caught:
            decode(sent)
        assert str(caught.value) == f"a text is not valid Unicode: {half.decode()} is half of a surrogate pair"


@each_row("text", [rb'"\ud83d\ude00', rb'"\\ud800', b'{"\\u0041":'])
def test_other_json_that_ends_too_early_is_called_truncated(text: bytes) -> None:
    with pytest.raises(DecodeError, match="truncated"):
        decode_plain(text)


def test_a_commits_hash_covers_its_domain_and_its_line() -> None:
    import hashlib

    body = (WIRE / "commit" / "1.json").read_bytes()[:-1]

    assert chain_hash(body) == hashlib.sha256(b"wardiary commit 1\n" + body).hexdigest()


# Strictness


@each_row(
    "junk",
    [
        b"",
        b"null",
        b"[1]",
        b'[{"event":"match-began/1"}]',
        b'[{"event":"match-began/1","rule":5}]',
        b'[{"event":"match-began/1","rule":"1","more":1}]',
        b'[{"event":"match-began/2","rule":"1"}]',
        b'[{"rule":"1"}]',
        b'[{"event":"round-began/1","rule":"1","number":1.5,"was":0}]',
        b'[{"event":"round-began/1","rule":"1","number":"1","was":0}]',
        b'[{"event":"round-began/1","rule":"1","number":true,"was":0}]',
        b'[{"event":"match-began/1","rule":"\xff"}]',
        b'[{"event":"match-began/1","rule":"\\ud800"}]',
        b"[" * 100_000,
    ],
)
def test_an_invalid_event_is_refused(junk: bytes) -> None:
    with pytest.raises(DecodeError):
        DECODER.decode(junk)


def test_text_that_cannot_be_encoded_is_refused_without_a_crash() -> None:
    with pytest.raises(DecodeError):
        DECODER.decode("\ud800")
    with pytest.raises(DecodeError):
        decode_plain("\ud800")


def test_foreign_data_quoted_in_an_error_is_printable() -> None:
    """It contains no line break and no control character, and is short."""
    name = "a\\nb\\u001b[2J\\u2028" + "x" * 1_000
    with pytest.raises(DecodeError) as caught:
        DECODER.decode('[{"event":"match-began/1","rule":"1","' + name + '":1}]')

    assert str(caught.value).startswith("Object contains unknown field `a\\nb\\x1b[2J\\u2028xxx")
    assert len(str(caught.value)) == MESSAGE_MAX + 1


def test_plain_data_is_converted_strictly() -> None:
    assert convert({"scheme": "manual/1"}, ChanceScheme) == ChanceScheme(scheme="manual/1")
    with pytest.raises(DecodeError, match=r"\$\.scheme"):
        convert({"scheme": 5}, ChanceScheme)


def test_a_struct_without_a_tag_has_none() -> None:
    assert (tag_of(MatchBegan), tag_of(Modifier)) == ("match-began/1", "")


def test_schemas_of_several_types_share_their_definitions() -> None:
    both = schemas([MatchForked, MatchBegan])

    assert list(both["schemas"]) == ["MatchForked", "MatchBegan"]
    assert "ChanceScheme" in both["$defs"]
    assert schema(MatchBegan)["$defs"]["MatchBegan"]["required"] == ["event", "rule"]


# Junk


def mutated(chance: random.Random, seeds: list[bytes]) -> bytes:
    """Return valid bytes with one to four random changes."""
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.randrange(1, 5)):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(6)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            data[at:at] = bytes(chance.randrange(256) for _ in range(chance.randrange(1, 4)))
        elif kind == 2:
            del data[at : at + chance.randrange(1, 30)]
        elif kind == 3:
            other = chance.choice(seeds)
            start = chance.randrange(len(other))
            data[at:at] = other[start : start + chance.randrange(1, 60)]
        elif kind == 4:
            data[at : at + 1] = chance.choice(
                [b"[", b"{", b'"', b"null", b"-1", b"1e999", b"9" * 30, b"\\ud800", b"\x00"]
            )
        else:
            del data[at:]
    return bytes(data)


def crashes(decode: Callable[[bytes], object], frames: int) -> tuple[list[tuple[bytes, str]], int]:
    """Return the frames that raised anything but `DecodeError`, and how many were accepted."""
    chance = random.Random(1942)
    seeds = [path.read_bytes()[:-1] for path in sorted(WIRE.glob("*/*.json"))]
    seeds += [
        b'{"commit":"1","match":"m","first":1,"prev":"","at":0,"seat":"","key":"","command":{},"events":['
        + seed
        + b"]}"
        for seed in seeds
    ]
    found: list[tuple[bytes, str]] = []
    taken = 0
    for _ in range(frames):
        frame = mutated(chance, seeds)
        try:
            decode(frame)
            taken += 1
        except DecodeError as error:
            if not str(error).isprintable() or len(str(error)) > MESSAGE_MAX + 1:
                found.append((frame, str(error)))
        except Exception as error:  # noqa: BLE001 - Whatever else is raised is what this looks for.
            found.append((frame, repr(error)))
    return found, taken


class Pay(Struct, frozen=True, tag_field="do", tag="pay"):
    """A command with a closed list of values."""

    what: Literal["gold", "bread"]
    to: Literal["king", 1] = "king"


class Wait(Struct, frozen=True, tag_field="do", tag="wait"):
    """Another command."""


@each_row(
    ("data", "message"),
    [
        (b'{"do":"play"}', "Invalid value 'play' - at `$.do`; it is one of pay, wait"),
        (b'{"do":"pay","what":"tea"}', "Invalid enum value 'tea' - at `$.what`; it is one of bread, gold"),
        (b'{"do":"pay"}', "Object missing required field `what`"),
    ],
)
def test_an_error_about_a_closed_list_of_values_lists_them(data: bytes, message: str) -> None:
    decoder: Decoder[Pay | Wait] = Decoder(Pay | Wait)

    with pytest.raises(DecodeError) as caught:
        decoder.decode(data)

    assert str(caught.value) == message


class Order(Struct, frozen=True):
    """A struct without a tag."""

    what: Literal["gold", "bread"]


PAY_TEA = b'{"do":"pay","what":"tea"}'


@each_row(
    ("type_", "data", "listed"),
    [
        (Pay, PAY_TEA, "; it is one of bread, gold"),
        (Pay | None, PAY_TEA, "; it is one of bread, gold"),
        (Pay | list[int], PAY_TEA, "; it is one of bread, gold"),
        (tuple[Pay | Wait, ...], b'[{"do":"play"}]', ""),
        (Pay | int, b'{"do":"play"}', "; it is one of pay"),
        (Pay, b'{"do":"pay","what":"gold","to":"queen"}', "; it is one of king"),
        (Order, b'{"what":"tea"}', ""),
        (Order | None, b'{"what":"tea"}', ""),
        (dict[str, int], b'{"what":"tea"}', ""),
    ],
)
def test_a_decoder_of_any_type_lists_the_values_of_its_tagged_structs(type_: object, data: bytes, listed: str) -> None:
    with pytest.raises(DecodeError) as caught:
        Decoder(type_).decode(data)

    assert str(caught.value).partition(";")[1:] == listed.partition(";")[1:]


@each_row("decode", [decode_commit, decode_canonical, decode_table, decode_plain, compact])
def test_junk_is_refused_with_one_kind_of_error(decode: Callable[[bytes], object], budget: float) -> None:
    found, taken = crashes(decode, round(FRAMES / 5 * budget))

    assert found == []
    assert taken < FRAMES / 5 * budget


def test_a_decoder_that_crashes_on_junk_is_found() -> None:
    found, _ = crashes(json.loads, 1_000)

    assert found != []
