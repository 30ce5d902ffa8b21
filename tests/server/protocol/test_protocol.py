"""The protocol: its document, its bytes, its schemas, and decoding of noise."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random

from core.match.match_commands import MATCH_COMMANDS
from core.odds.odds_lines import Line, Mean, Odds, Outcome
from core.odds.option_odds import OptionOdds
from events.archive import Attachment
from events.codec import DecodeError, Raw, Struct, encode, tag_of
from events.ids import ARBITER, Digest, GameKey, MatchId, RuleId, Seat, Side, StudyId, match_id
from events.studies.study_entry import CommentWritten
from events.transparency.key_changes import KeyChange
from events.vocabulary import DecisionClosed, DiceRolled
from projections.catalogue import MatchSummary
from projections.state.offices import Invitation
from projections.state.table import Ended, Table
from projections.state.view import EventSlice
from server.protocol.messages import decode_reply, decode_request, message_id
from server.protocol.protocol_schema import CODES, PUBLICATIONS, wire_schemas
from server.protocol.publications import EventsPublication, HeartbeatPublication, TooManyPublication, decode_publication
from server.protocol.replies import (
    AppointedReply,
    BoardReply,
    BotReply,
    CheckpointReply,
    CommitsReply,
    EntriesReply,
    FailedReply,
    HelloReply,
    LegalOption,
    LegalReply,
    ListedStudy,
    LogReply,
    MatchesReply,
    OddsReply,
    OpenedReply,
    PlayedReply,
    ProofReply,
    StateReply,
    StudiesReply,
    StudyReply,
    TakenReply,
    TileReply,
    WrittenReply,
)
from server.protocol.wire import (
    REPLIES,
    REQUESTS,
    AppointRequest,
    BeginRequest,
    BoardRequest,
    BotRequest,
    CheckpointRequest,
    CommitsRequest,
    EntriesRequest,
    ForkRequest,
    HelloRequest,
    LeaveRequest,
    LegalRequest,
    LogRequest,
    MatchesRequest,
    OddsRequest,
    OpenRequest,
    PlayRequest,
    ProofRequest,
    RedoRequest,
    StateRequest,
    StudiesRequest,
    StudyRequest,
    TakeRequest,
    TileRequest,
    WriteStudyRequest,
)
from tests.support.protocol_tables import DOCUMENT, SECTION, tables
from tests.support.rows import each_row
from tests.support.served import served

ROOT = Path(__file__).parents[3]
WIRE = ROOT / "fixtures" / "protocol" / "1.jsonl"

MATCH = MatchId("abcdefghij234567")
RED = Seat("red")
INVITED = {RED: Invitation("Ann", "ab", 1_795_946_400_000)}
HIT = Outcome("hit", 0.5, 0.5, 0.5, is_good=True)
ODDS = Odds((Line("Shot", (Outcome("miss", 0.5, 0.5, 0.5), HIT), HIT, Mean(0.5, 0.5, 0.5)),), 6, assumed=("no card",))
ROLLED = DiceRolled(rule=RuleId("9.5.2"), faces=(3, 4), purpose="assault")
SEEN = EventSlice(7, 1_700_000_000_000, (DecisionClosed(rule=RuleId("9.1"), kind="turn", seat=RED), ROLLED))
SAMPLES: tuple[Struct, ...] = (
    HelloRequest(id="1"),
    OpenRequest(
        id="2", game="skirmish", options={"fog": True, "speed": 2, "omens": ("comet",)}, invitations=INVITED, key="k"
    ),
    TakeRequest(match=MATCH, seat=RED, name="Ann", secret="s" * 32, invitation="i", key="k"),
    BotRequest(match=MATCH, seat=RED, policy="greedy", invitation="i", key="k", visitor="192.0.2.1"),
    LeaveRequest(match=MATCH, seat=RED, token="t", key="k", expected=3),
    BeginRequest(match=MATCH, seat=RED, token="t", dice=(6,), draws=("card-1",)),
    PlayRequest(match=MATCH, seat=RED, token="t", key="k", expected=8, command=Raw(b'{"do":"roll"}')),
    RedoRequest(match=MATCH, seat=RED, token="t", key="k", expected=8, everything=True),
    LegalRequest(match=MATCH, words=False),
    OddsRequest(match=MATCH, seat=RED, token="t", numbers=(1, 2), command={"do": "roll"}, at=8),
    StateRequest(match=MATCH, at=4),
    LogRequest(match=MATCH, since=9, limit=5),
    ForkRequest(match=MATCH, at=9, dice="same", hidden="truth", faces=(1,), draws=("card-2",), key="k"),
    MatchesRequest(after=MATCH, limit=3),
    BoardRequest(match=MATCH),
    CommitsRequest(match=MATCH, seat=ARBITER, token="t", since=8),
    CheckpointRequest(since=9),
    EntriesRequest(match=MATCH, seat=RED, token="t", after=8),
    TileRequest(level=-1, number=2, width=256),
    ProofRequest(match=MATCH, seat=RED, token="t", at=8),
    StudiesRequest(match=MATCH, seat=RED, token="t"),
    StudyRequest(match=MATCH, study=StudyId("aaaaaaaa"), after=2),
    WriteStudyRequest(
        match=MATCH,
        study=StudyId("aaaaaaaa"),
        number=2,
        previous=Digest("ab"),
        author="Ann",
        said=CommentWritten(at=7, text="so", mark="!?"),
    ),
    AppointRequest(token="t", name="Olga", credential="ab"),
    HelloReply(id="1", version="0.1.0", protocols=("wardiary/1",), games=(GameKey("skirmish"),), heartbeat_s=5.0),
    OpenedReply(match=MATCH, seats=(RED,), seq=1, repeated=True),
    TakenReply(match=MATCH, seat=RED, token="t", seq=2, began=False),
    BotReply(match=MATCH, seat=RED, name="greedy bot", seq=3, began=True),
    PlayedReply(id="5", match=MATCH, seq=8, slices=(SEEN,), left=2),
    LegalReply(
        match=MATCH,
        seq=8,
        decision="turn",
        to_move=RED,
        arguments={"area": "camp"},
        options=(LegalOption(1, Raw(b'{"do":"roll"}'), "Roll."),),
    ),
    OddsReply(match=MATCH, seq=8, decision="turn", to_move=RED, options=(OptionOdds(1, ODDS), OptionOdds(2))),
    StateReply(match=MATCH, seat=RED, seq=0, table=Table()),
    LogReply(match=MATCH, seq=8, slices=(SEEN,)),
    MatchesReply(
        matches=(
            MatchSummary(
                MATCH,
                GameKey("skirmish"),
                "field",
                8,
                (RED,),
                {RED: Side("red")},
                {RED: "Ann"},
                variant="Long Field",
                began=True,
                ended=Ended("rules", "Goal", (Side("red"),), (RED,)),
            ),
        ),
        more=True,
    ),
    BoardReply(match=MATCH, text="goal = 3\n"),
    CommitsReply(
        match=MATCH,
        seq=8,
        head=Digest("ab"),
        commits=(Raw(b'{"commit":"1"}'),),
        files=(Attachment(attachment=Digest("cd"), text="x"),),
    ),
    CheckpointReply(
        note="log\n9\nab=\n\n— log cd=\n", consistency=("ef=",), changes=(KeyChange(key="b", was="a", proof="c"),)
    ),
    EntriesReply(match=MATCH, entries=("{}",), nonces=("ab",)),
    TileReply(content="YQ=="),
    ProofReply(match=MATCH, entry="{}", proof="proof", nonce="ab", last=8),
    StudiesReply(match=MATCH, studies=(ListedStudy(study=StudyId("aaaaaaaa"), title="So", author="Ann", comments=1),)),
    StudyReply(match=MATCH, study=StudyId("aaaaaaaa"), count=1, entries=(Raw(b"{}"),), numbers=((7, 5),)),
    WrittenReply(match=MATCH, study=StudyId("aaaaaaaa"), number=2, hash=Digest("ab"), repeated=True),
    AppointedReply(names=("Olga",)),
    FailedReply(id="9", code="refused", message="No.", refusal="seat_must_be_asked", rule=RuleId("1.turn"), number=2),
    EventsPublication(match=MATCH, seat=RED, first=7, at=1_700_000_000_000, events=SEEN.events),
    HeartbeatPublication(match=MATCH, seat=RED, seq=8),
    TooManyPublication(match=MATCH, seat=RED, message="use another connection"),
)


def decoded(data: bytes) -> Struct:
    """Decode a message of any type."""
    for field, decode in (("ask", decode_request), ("reply", decode_reply), ("pub", decode_publication)):
        if field in json.loads(data):
            found = decode(data)
            assert isinstance(found, Struct)
            return found
    raise AssertionError(data)


@each_row("name", ["requests", "replies", "publications", "codes", "commands"])
def test_the_document_agrees_with_the_code(name: str) -> None:
    """`python -m tests.support.protocol_tables` writes the tables again."""
    written = {found[2]: found[0] for found in SECTION.finditer(DOCUMENT.read_text(encoding="utf-8"))}

    assert written[name] == f"<!-- {name} -->\n{tables()[name]}<!-- end -->"


def test_bots_are_told_of_every_command_that_all_matches_take() -> None:
    page = (DOCUMENT.parent / "bots.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `(?:\{\"do\":\")?(match:[a-z-]+)", page, re.MULTILINE)

    assert sorted(told) == sorted(tag_of(type_) for type_ in MATCH_COMMANDS)


def test_exactly_the_used_error_codes_are_documented() -> None:
    used: set[str] = set()
    for path in sorted((ROOT / "server").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        words = {
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        used |= {word for word in words if path.name != "schema.py" and re.fullmatch(r"[a-z]+(_[a-z]+)*", word)} & set(
            CODES
        )
        for call in ast.walk(tree):
            named = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "denied"
            if isinstance(call, ast.Call) and named and isinstance(call.args[0], ast.Constant):
                assert call.args[0].value in CODES, f"{path.name}:{call.lineno}"

    assert used == set(CODES)


def test_there_is_a_sample_of_every_message() -> None:
    assert [type(sample) for sample in SAMPLES] == [*REQUESTS, *REPLIES, *PUBLICATIONS]


def test_the_bytes_of_every_message_are_unchanged() -> None:
    """Tables may get new fields, so the message with a table is only required to stay readable."""
    kept = WIRE.read_bytes().splitlines()
    written = [encode(sample) for sample in SAMPLES]
    tables_at = [number for number, sample in enumerate(SAMPLES) if isinstance(sample, StateReply)]

    assert [line for number, line in enumerate(written) if number not in tables_at] == [
        line for number, line in enumerate(kept) if number not in tables_at
    ]
    assert [encode(decoded(line)) for line in kept] == written


@each_row("sample", SAMPLES)
def test_every_message_survives_a_round_trip(sample: Struct) -> None:
    assert encode(decoded(encode(sample))) == encode(sample)


def test_every_message_has_a_schema_under_its_name() -> None:
    named = wire_schemas()["schemas"]

    assert isinstance(named, dict)
    assert list(named) == [type_.__name__ for type_ in (*REQUESTS, *REPLIES, *PUBLICATIONS)]
    assert b"$defs" in encode(wire_schemas())


def test_every_message_has_a_unique_tag() -> None:
    for types in (REQUESTS, REPLIES, PUBLICATIONS):
        assert len({tag_of(type_) for type_ in types}) == len(types)


def test_a_client_ignores_unknown_fields_of_replies() -> None:
    assert decode_reply(b'{"reply":"board","match":"m","later":true}') == BoardReply(match=MatchId("m"))


@each_row(
    ("data", "id_"),
    [
        (b'{"id":"7","ask":"sing"}', "7"),
        (b'{"ask":"sing"}', ""),
        (b'{"id":7}', ""),
        (b"[]", ""),
        (b"\xff", ""),
        (b"", ""),
    ],
)
def test_the_id_of_an_invalid_request_is_found_if_it_has_one(data: bytes, id_: str) -> None:
    assert message_id(data) == id_


def test_decoders_answer_noise_only_with_their_own_error(budget: float) -> None:
    choose = Random(1942)
    good = [encode(sample) for sample in SAMPLES]
    refused = 0
    for _ in range(max(1, round(4_000 * budget))):
        body = bytearray(choose.choice(good))
        for _ in range(choose.randrange(1, 5)):
            at = choose.randrange(len(body))
            body[at : at + choose.randrange(3)] = choose.choice(
                [b"", b"\0", b'"', b"{", b"]", b"1e400", b"\xed\xa0\x80", b"null"]
            )
            body = body or bytearray(b"{")
        for decode in (decode_request, decode_reply, decode_publication):
            try:
                decode(bytes(body))
            except DecodeError:
                refused += 1
        message_id(bytes(body))

    assert refused > 1_000


def test_a_match_id_is_derived_from_its_key_and_safe_in_a_topic() -> None:
    ids = {match_id(f"key {number}") for number in range(1_000)}

    assert len(ids) == 1_000
    assert all(re.fullmatch("[a-z2-7]{16}", one) for one in ids)
    assert match_id("the same") == match_id("the same")


def test_the_client_printed_in_the_document_works() -> None:
    code = re.search(r"<!-- example -->\n```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    with served() as broker:
        finished = subprocess.run(
            [sys.executable, "-c", code[1], broker.address, "skirmish", "6"],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    assert finished.returncode == 0, finished.stderr
    assert int(finished.stdout) > 25
