"""A match: opening, deciding, loading, and earlier tables."""

from hashlib import sha256
from random import Random

import pytest

from core.chance.chance_sources import ManualChance
from core.errors import (
    DiceImpossible,
    DiceMissing,
    RulesetDamaged,
    RulesetMissing,
    SchemeUnusable,
    SeedMissing,
    SetupInvalid,
    UnknownName,
)
from core.history.match_reader import check_seat, events_of, find_match, table_at
from core.match.live_match import Match, Prepared, load_match, own_board, own_position, ruleset_of
from core.match.match_creation import Opening, open_match, text_digest
from core.positions.position import Position, parse_position
from events.codec import encode, replace
from events.commit import decode_commit
from events.errors import LostRace, UnknownMatch
from events.ids import ARBITER, PUBLIC, Digest, GameKey, MatchId, Seat
from events.log import Appended, NewCommit
from events.memory_log import MemoryLog
from events.vocabulary import ChanceScheme, Event, MatchOpened, SeatTaken, Value
from projections.snapshot import take_snapshot
from projections.state.fold import fold
from projections.state.links import links_of
from projections.table_codec import decode_table, encode_table
from tests.support.desk import NOON, SEED, Desk
from tests.support.forgery import changed, forged
from tests.support.rows import each_row
from tests.support.skirmish import BOARD, score

RED = Seat("red")
BLUE = Seat("blue")
POSITION = """
format = "wardiary-position/1"
game = "skirmish"
turn = "blue"
round = 3
tracks = { "score/red" = 12 }
options = { fog = true }
[[pieces]]
id = "red-flag"
place = "field"
kind = "flag"
side = "red"
[[pieces]]
id = "blue-flag"
place = "camp"
kind = "flag"
side = "blue"
"""


def opening(**more: object) -> Opening:
    """Return the opening of a match."""
    return Opening(**{"game": "skirmish", "dice": "seeded", "seed": "1", **more})  # type: ignore[arg-type]


# Opening


def test_the_first_event_holds_everything_that_never_changes() -> None:
    """match.open"""
    desk = Desk.open(dice="sealed", options={"speed": 5})
    first = desk.events[0]

    assert isinstance(first, MatchOpened)
    assert (first.game, first.scenario, first.mode, first.seats) == ("skirmish", "field", "", ("red", "blue"))
    assert first.options == {"bug": "none", "fog": False, "speed": 5, "omens": ("comet",)}
    assert first.chance.stream == "m1"
    assert len(first.chance.commitment) == len(first.rules) == len(first.board) == 64
    assert SEED not in encode(first).decode()


@each_row(
    ("wrong", "error", "words"),
    [
        ({"game": "chess"}, UnknownName, "no game is called 'chess'"),
        ({"scenario": "feild"}, UnknownName, "did you mean field?"),
        ({"scenario": "night", "mode": "sun"}, UnknownName, "'sun'"),
        ({"mode": "dark"}, UnknownName, "'dark'"),
        ({"dice": "loaded"}, UnknownName, "source of dice"),
        ({"dice": "sealed", "seed": ""}, SetupInvalid, "64 lower-case hexadecimal digits"),
        ({"dice": "seeded", "seed": ""}, SetupInvalid, "must not be empty"),
        ({"dice": "sealed", "seed": "zz" * 32}, SetupInvalid, "64 lower-case hexadecimal digits"),
        ({"options": {"speed": 99}}, SetupInvalid, "option speed must be 1 to 5, not 99"),
        ({"options": {"haste": True}}, SetupInvalid, "'haste'"),
        ({"board": "goal = ["}, SetupInvalid, "the board is not valid TOML"),
        ({"board": "size = 3"}, SetupInvalid, "the board must say a goal"),
        ({"position": "["}, SetupInvalid, "the position, line 1: end of file: not valid TOML"),
        ({"position": "[" * 50_000}, SetupInvalid, "the line has 50000 characters"),
        ({"position": "format = 1"}, SetupInvalid, "the position, line 1, column 1: it must say format"),
        ({"position": POSITION + "\nhat = 1"}, SetupInvalid, "hat"),
        ({"position": POSITION.replace('"skirmish"', '"advance"')}, SetupInvalid, "for game advance"),
        ({"position": POSITION + '\nscenario = "field"'}, SetupInvalid, "scenario"),
        ({"position": POSITION.replace('"red-flag"', '"king"')}, SetupInvalid, "no piece in play is called 'king'"),
    ],
)
def test_an_impossible_opening_is_refused_in_one_line(
    wrong: dict[str, object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error) as caught:
        open_match(MatchId("m1"), opening(**wrong), key="k", at=NOON)

    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_defect_of_a_position_is_named_at_once() -> None:
    wrong = POSITION.replace('"red-flag"', '"king"').replace('"camp"', '"moon"')
    with pytest.raises(SetupInvalid) as caught:
        open_match(MatchId("m1"), opening(position=wrong), key="k", at=NOON)

    assert len(caught.value.defects) == 2


def test_a_position_supplies_scenario_and_options_that_the_opening_omits() -> None:
    desk = Desk.open(position=POSITION)

    assert desk.table.options["fog"] is True
    assert (desk.table.round, desk.table.turn, desk.table.track(score(RED))) == (3, "blue", 12)
    assert desk.table.position == text_digest(POSITION)
    desk.play(500, Random(1))
    assert desk.audit().findings == ()


@each_row(
    ("scenario", "mode", "said"),
    [
        ("scenario", "", "the position is for scenario other, not standard"),
        ("", "solo", "the position is for mode two_vs_one, not solo"),
    ],
)
def test_an_opening_cannot_contradict_the_scenario_or_mode_of_its_position(scenario: str, mode: str, said: str) -> None:
    its = 'scenario = "other"' if scenario else 'mode = "two_vs_one"'
    position = f'format = "wardiary-position/1"\ngame = "inferno"\n{its}\n'
    with pytest.raises(SetupInvalid, match=said):
        Desk.open("inferno", "standard", mode=mode, position=position)


def test_the_openings_options_override_those_of_the_position() -> None:
    options: dict[str, Value] = {"fog": False}

    assert Desk.open(position=POSITION, options=options).table.options["fog"] is False


def test_an_owners_board_is_attached_and_found_again() -> None:
    board = BOARD + "# ours\n"
    desk = Desk.open(board=board)

    assert desk.table.board == text_digest(board)
    assert ruleset_of(desk.log, desk.table).game.board_digest == text_digest(board)
    desk.play(500, Random(1))
    assert desk.audit().findings == ()


def test_files_of_a_match_are_given_as_they_were_attached_and_shipped_ones_are_not() -> None:
    board = BOARD + "# ours\n"
    desk, plain = Desk.open(board=board, position=POSITION), Desk.open()

    assert (own_board(desk.log, desk.table), own_position(desk.log, desk.table)) == (board, POSITION)
    assert (own_board(plain.log, plain.table), own_position(plain.log, plain.table)) == (None, None)


@each_row(("more", "what"), [({"board": BOARD + "# ours\n"}, "board"), ({"position": POSITION}, "position")])
def test_a_match_with_missing_files_is_not_loaded(more: dict[str, str], what: str) -> None:
    opened = open_match(MatchId("m1"), opening(**more), key="k", at=NOON)
    log = MemoryLog()
    log.append([opened.prepared.new])
    with pytest.raises(RulesetMissing, match=f"opened with another {what}"):
        load_match(log, MatchId("m1"))


@each_row("content", [b"\xff\xfe", b"\x89PNG\r\n", b"a = '\xed\xa0\x80'"])
@each_row("what", ["board", "position"])
def test_a_binary_file_of_a_match_is_named(content: bytes, what: str) -> None:
    log, digest = MemoryLog(), Digest(sha256(content).hexdigest())
    log.attach(digest, content)
    table = replace(Desk.open().table, **{what: digest})
    named = rf"^the {what} that .* cannot be used: the {what} of the match is not text: byte \d+ is invalid UTF-8$"
    for read in (ruleset_of, own_board if what == "board" else own_position):
        with pytest.raises(RulesetMissing, match=named):
            read(log, table)


@each_row("what", ["board", "position"])
def test_a_changed_file_of_a_match_is_named(what: str) -> None:
    log, digest = MemoryLog(), text_digest(POSITION)
    log.attach(digest, POSITION.encode())
    log._attachments[digest] = POSITION.replace("1", "2").encode()
    table = replace(Desk.open().table, **{what: digest})
    with pytest.raises(RulesetDamaged, match=f"^the {what} that the match was opened with .* is damaged"):
        ruleset_of(log, table)


def test_a_position_is_parsed_once_for_all_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def counted(text: str) -> Position:
        parsed.append(text)
        return parse_position(text)

    monkeypatch.setattr("core.match.bound_games.parse_position", counted)
    desk = Desk.open(position=POSITION + "# this one\n")
    first = ruleset_of(desk.log, desk.table)
    again = [load_match(desk.log, desk.match.id).ruleset.position for _ in range(3)]

    assert len(parsed) == 1
    assert all(one is first.position for one in again)


def test_a_match_of_a_missing_game_is_refused_with_its_name() -> None:
    table = replace(Desk.open().table, game=GameKey("chess"))
    with pytest.raises(RulesetMissing, match="no game is called 'chess'"):
        ruleset_of(MemoryLog(), table)


# Deciding


def test_nothing_changes_before_a_commit_is_adopted() -> None:
    desk = Desk.open().play(3, Random(1))
    before = encode_table(desk.table)
    head = desk.match.head
    for command in desk.options():
        done = desk.ask(command)

        assert isinstance(done, Prepared)
        assert encode_table(desk.table) == before
        assert desk.match.head == head


def test_a_refused_command_leaves_no_trace() -> None:
    desk = Desk.open()
    before = encode_table(desk.table)
    desk.refused({"do": "play", "card": "card-99"})
    desk.refused({"do": "roll"}, Seat("public"))

    assert encode_table(desk.table) == before


def test_the_recorded_command_is_the_canonical_one() -> None:
    desk = Desk.open()
    desk.accept({"do": "roll"})
    asked = next(seat for seat in desk.table.seats if seat != desk.table.turn_seat)
    done = desk.match.prepare(asked, b'{ "contest":true , "do" : "reply"}', key="k", at=NOON)

    assert isinstance(done, Prepared)
    assert bytes(done.commit.command) == b'{"do":"reply","contest":true}'


def test_of_two_commits_from_one_table_the_second_loses_the_race() -> None:
    desk = Desk.open()
    one = desk.ask({"do": "roll"}, key="one")
    two = desk.ask({"do": "roll"}, key="two")
    assert isinstance(one, Prepared)
    assert isinstance(two, Prepared)
    receipts = desk.log.append([one.new, two.new])

    assert isinstance(receipts[0], Appended)
    assert isinstance(receipts[1], LostRace)


def test_typed_dice_must_be_exactly_those_needed() -> None:
    desk = Desk.open(dice="manual")
    cards = ("card-1", "card-2", "card-3", "card-4")
    begin = {"do": "match:begin"}
    with pytest.raises(DiceMissing, match="1 more die"):
        desk.ask(begin, RED, dice=(), draws=cards)
    with pytest.raises(DiceImpossible, match="left over: 3, 4"):
        desk.ask(begin, RED, dice=(6, 3, 4), draws=cards)
    with pytest.raises(DiceImpossible, match="'card-1' cannot be drawn"):
        desk.ask(begin, RED, dice=(6,), draws=(*cards[:3], "card-1"))

    assert not desk.table.began


def test_a_refusal_needs_no_dice() -> None:
    desk = Desk.open(dice="manual")
    desk.accept({"do": "match:begin"}, RED, dice=(6,), draws=("card-1", "card-2", "card-3", "card-4"))

    assert desk.refused({"do": "reply", "contest": True}) == "answer_must_fit"


@each_row("dice", ["seeded", "sealed"])
def test_typed_dice_are_refused_in_a_match_that_rolls_its_own(dice: str) -> None:
    desk = Desk.open(dice=dice)
    with pytest.raises(DiceImpossible, match="rolls its own dice"):
        desk.ask({"do": "roll"}, dice=(6, 6))
    own = desk.ask({"do": "roll"})
    empty = desk.match.prepare(desk.table.turn_seat, b'{"do":"roll"}', key="k", at=NOON, chance=ManualChance())

    assert isinstance(own, Prepared)
    assert isinstance(empty, Prepared)
    assert empty.commit.events == own.commit.events


def test_sealed_dice_cannot_be_rolled_without_their_seed() -> None:
    desk = Desk.open(dice="sealed")
    copied = MemoryLog()
    for stored in desk.log.read(desk.match.id):
        copied.append([NewCommit(stored.match, stored.first, stored.last, stored.key, stored.hash, stored.body)])
    elsewhere = Desk(copied, load_match(copied, desk.match.id))

    assert elsewhere.table == desk.table
    with pytest.raises(SeedMissing, match="fork it with fresh dice"):
        elsewhere.ask({"do": "roll"})


def with_chance(scheme: ChanceScheme) -> Match:
    """Return a match that waits for its last player, with this source of dice."""
    match = Desk.open(seats=(RED,)).match
    table = match.table.clone()
    table.chance, table.links = scheme, links_of(scheme)
    return Match(match.id, match.ruleset, table, match.head, "")


@each_row(
    ("scheme", "error"),
    [
        (ChanceScheme(scheme="sealed/3", commitment="a" * 64), SchemeUnusable),
        (ChanceScheme(scheme=""), SchemeUnusable),
        (ChanceScheme(scheme="sealed/2", commitment="a" * 64, veil="a" * 64, length=9), SeedMissing),
        (ChanceScheme(scheme="sealed/2"), SchemeUnusable),
        (ChanceScheme(scheme="seeded/1"), SchemeUnusable),
    ],
)
def test_a_match_with_unknown_dice_or_without_a_seed_does_not_begin(
    scheme: ChanceScheme, error: type[Exception]
) -> None:
    """match.begin: otherwise it would begin with the dice of an empty seed."""
    with pytest.raises(error):
        with_chance(scheme).prepare(BLUE, b'{"do":"match:take-seat","seat":"blue"}', key="k", at=1)


@each_row("scheme", ["sealed/3", ""])
def test_a_fork_cannot_continue_unknown_dice(scheme: str) -> None:
    """match.fork: a fork with dice of its own is allowed."""
    desk = Desk.open().play(3, Random(1))

    def reopened(event: Event) -> Event:
        return replace(event, chance=ChanceScheme(scheme=scheme))

    unknown = forged(desk, changed(desk.commits, 1, reopened), covered=True)
    with pytest.raises(SchemeUnusable, match="use fresh dice"):
        unknown.fork(desk.match.head.seq, "same")
    fork = unknown.fork(desk.match.head.seq, "fresh").play(3, Random(2))
    assert fork.table.links is not None
    assert fork.table.links.opened > 0


def test_a_match_with_unknown_dice_accepts_no_command() -> None:
    match = with_chance(ChanceScheme(scheme="sealed/3"))
    with pytest.raises(SchemeUnusable, match="'sealed/3' is not known to this program"):
        match.prepare(RED, b'{"do":"match:note","text":"x"}', key="k", at=1)


def test_a_fork_is_not_played_on_with_the_seed_of_its_parent() -> None:
    """An imported fork has no seed in the store, but its parent may have one."""
    parent = Desk.open(dice="sealed").play(4, Random(1))
    fork = parent.fork(parent.match.head.seq)
    stream = parent.log._streams[fork.match.id]  # type: ignore[attr-defined]
    stream.seed = ""
    loaded = load_match(parent.log, fork.match.id)

    assert loaded.seed == ""
    with pytest.raises(SeedMissing):
        loaded.chance().dice(1, 1, 6, "x")


# Loading and looking back


def test_a_loaded_match_equals_the_live_one() -> None:
    live = Desk.open(dice="sealed").play(9, Random(1))
    loaded = load_match(live.log, live.match.id)

    assert (loaded.id, loaded.table, loaded.head, loaded.seed) == (
        live.match.id,
        live.table,
        live.match.head,
        live.match.seed,
    )


def test_the_table_at_every_event_is_the_fold_up_to_it() -> None:
    desk = Desk.open().play(500, Random(1))
    events = desk.events
    for seq in range(len(events) + 1):
        assert table_at(desk.log, desk.match.id, seq) == fold(events[:seq])


def test_the_table_at_an_event_is_taken_from_the_snapshot_before_it() -> None:
    desk = Desk.open().play(6, Random(1))
    fake = desk.table.clone()
    fake.edition = "from the snapshot"
    desk.log.save_snapshot(desk.match.id, fake.seq, take_snapshot(fake, desk.match.head.hash))

    assert table_at(desk.log, desk.match.id, fake.seq).edition == "from the snapshot"
    assert table_at(desk.log, desk.match.id, fake.seq - 1).phase != "from the snapshot"


def test_a_damaged_snapshot_is_ignored() -> None:
    desk = Desk.open().play(6, Random(1))
    desk.log.save_snapshot(desk.match.id, desk.table.seq, b"spoilt")

    assert table_at(desk.log, desk.match.id, desk.table.seq) == desk.table


@each_row("seq", [-1, 10_000])
def test_a_missing_event_is_named(seq: int) -> None:
    desk = Desk.open()
    with pytest.raises(UnknownName, match=f"there is no event {seq}"):
        table_at(desk.log, desk.match.id, seq)


def test_the_events_up_to_a_number_may_end_in_the_middle_of_a_commit() -> None:
    desk = Desk.open().play(5, Random(1))
    for seq in range(1, desk.match.head.seq + 1):
        assert events_of(desk.log, desk.match.id, seq) == desk.events[:seq]


def test_a_match_is_found_by_an_unambiguous_prefix_of_its_id() -> None:
    log = MemoryLog()
    for name in ("apple", "apricot", "app"):
        Desk.open(log=log, name=name)

    assert find_match(log, "apr") == "apricot"
    assert find_match(log, "app") == "app"
    with pytest.raises(UnknownName, match=r"several matches begin with 'ap': app, apple, apricot$"):
        find_match(log, "ap")
    with pytest.raises(UnknownMatch):
        find_match(log, "pear")
    with pytest.raises(UnknownMatch):
        find_match(log, "")


def test_the_seats_of_a_match_include_players_and_spectators() -> None:
    desk = Desk.open()

    assert [check_seat(desk.table, seat) for seat in (RED, PUBLIC, ARBITER)] == [RED, PUBLIC, ARBITER]
    with pytest.raises(UnknownName, match="'green'"):
        check_seat(desk.table, Seat("green"))


# The log


@each_row("seed", range(5))
def test_folding_the_log_gives_the_live_table_after_each_commit(seed: int) -> None:
    Desk.open().play(500, Random(seed), after=check_fold)


def check_fold(desk: Desk) -> None:
    """Compare the live table with the fold, with its decoded bytes, and with its clone."""
    table = desk.table
    assert fold(desk.events) == table
    assert decode_table(encode_table(table)) == table
    clone = table.clone()
    assert clone == table
    clone.pieces.clear()
    clone.at.clear()
    clone.markers.clear()
    clone.tracks.clear()
    clone.piles.clear()
    assert fold(desk.events) == table


def test_the_same_seed_and_the_same_commands_give_the_same_log() -> None:
    logs = [
        [stored.body for stored in Desk.open(dice="sealed").play(500, Random(4)).log.read(MatchId("m1"))]
        for _ in range(2)
    ]

    assert logs[0] == logs[1]
    assert len(logs[0]) > 10


def test_a_commit_survives_a_round_trip() -> None:
    desk = Desk.open().play(500, Random(1))
    for stored in desk.log.read(desk.match.id):
        commit = decode_commit(stored.body)

        assert encode(commit) == stored.body


def test_taking_a_seat_records_only_the_hash_of_the_secret() -> None:
    desk = Desk.open(seats=())
    done = desk.accept({"do": "match:take-seat", "seat": "red", "credential": "ab" * 32}, RED)
    taken = done.commit.events[0]

    assert isinstance(taken, SeatTaken)
    assert taken.credential == "ab" * 32


def test_match_commands_and_game_commands_are_distinguished_by_their_tag() -> None:
    match: Match = Desk.open().match

    assert type(match.decode(b'{"do":"match:resign"}')).__name__ == "Resign"
    assert type(match.decode(b'{"do":"roll"}')).__name__ == "Roll"


def test_a_position_is_checked_under_the_options_that_the_match_is_opened_with() -> None:
    """Pavlov's House exists only with the optional rule 12.6, which the opening switches on."""
    position = """
format = "wardiary-position/1"
game = "advance"
phase = "combat"
decision = { kind = "activate" }
pieces = [{ id = "94/267", place = "5" }, { id = "soviet/14", place = "14", kind = "PH" }]
"""
    with pytest.raises(SetupInvalid, match="PH"):
        Desk.open("advance", position=position)
    desk = Desk.open("advance", position=position, options={"pavlovs_house": True})

    assert desk.table.scenario == "main"
