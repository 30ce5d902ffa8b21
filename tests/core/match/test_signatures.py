"""Signed commands: what a dishonest operator could do with the database in hand is tried here, with all hashes computed anew, and found by the audit.

The operator of these tests writes every byte of the archive as they like. They do not have the keys of the players.
"""

from functools import cache

import pytest

from core.match.command_keys import before_answer, before_in_order, follow_up_key, order_key
from core.match.player_commands import RegisterKey
from events.codec import Raw, encode, replace
from events.commit import Commit
from events.ids import MatchId, RuleId, Seat
from events.transparency.signed_command import SeatSigner, opening_digest, text_to_sign
from events.vocabulary import KeyRegistered, MatchOpened, NoteAdded, SeatLeft, SeatTaken
from tests.support.desk import Desk
from tests.support.mutated_archives import Lines
from tests.support.rows import each_row
from tests.support.second_verifier import VERIFY
from tests.support.signed import OPERATOR, Players, signed_anew
from tests.support.skirmish import BLUE, RED
from tests.support.soak import sampled


@cache
def played(dice: str = "seeded") -> Players:
    """Return a match in which both seats sign; tests do not change it."""
    return Players(dice=dice).play(12)


def problem(players: Players, commits: list[Commit]) -> str:
    """Return what an audit finds in a match that was written anew."""
    findings = players.rewritten(commits).report.findings
    return findings[0].problem if findings else ""


def of_red(commits: list[Commit]) -> int:
    """Return the place of the last command of the game that red signed alone, not an order."""
    return max(
        place
        for place, one in enumerate(commits)
        if one.seat == RED and one.signature and b"match:" not in bytes(one.command)
    )


def other_base64(signature: str) -> str:
    """Return the signature with another first character."""
    return ("B" if signature[0] == "A" else "A") + signature[1:]


# The ordinary way


def arbiters_note(like: Commit, text: str, author: Seat) -> Commit:
    """Return a note that the arbiter sends without a signature, as the event says by `author`."""
    return replace(
        like,
        seat=Seat("arbiter"),
        key="n",
        command=Raw(encode({"do": "match:note", "text": text})),
        expected=0,
        signature="",
        events=(NoteAdded(rule=RuleId("match.notes"), seat=author, text=text),),
    )


@each_row("game", ["skirmish", "advance", "battle", "inferno", "axis-allies"])
@pytest.mark.parametrize("dice", sampled(["seeded", "sealed"], lambda dice: dice == "sealed"))
def test_every_game_is_played_with_signatures_and_its_audit_is_clean(game: str, dice: str) -> None:
    players = Players(game, dice=dice).play(25)
    report = players.report

    assert (report.findings, report.verdict) == ((), "clean")
    assert {seat: (one.unsigned, len(one.keys)) for seat, one in report.signatures.items()} == dict.fromkeys(
        players.clients, (0, 1)
    )
    assert sum(one.signed for one in report.signatures.values()) > 12


def test_a_seat_without_a_key_plays_as_ever_and_the_report_says_so() -> None:
    players = Players(signing=lambda seat: seat == RED).play(20)
    report = players.report

    assert report.clean
    assert (report.signatures[RED].unsigned, report.signatures[BLUE].signed) == (0, 0)
    assert report.signatures[BLUE].unsigned > 3


def test_the_text_and_the_signature_are_those_of_the_published_vector() -> None:
    """The example of `docs/protocol.md`, which every program can compute."""
    from base64 import b64encode
    from hashlib import sha256

    from events.ids import Digest
    from events.transparency.signed_note import Signer

    text = text_to_sign(
        MatchId("e0cd7686eee0accc"),
        Digest(sha256(b"opening").hexdigest()),
        RED,
        key="6110e5781bcccea696762e61",
        command=b'{"do":"attack","at":"minsk"}',
        expected=41,
        record="3 E29zUUqicC3sWrEb2D7lWmLmf4bU3glN0YgWF63CNeE=",
    )
    signer = Signer("", bytes(range(0x40, 0x60)))

    assert signer.verifier.key.hex() == "2543b92ff1095511476adc8369db6ddc933665a11978dda1404ee1066ca9559d"
    assert b64encode(signer.sign(text)).decode() == (
        "tlR8Brj0JpGBHlLBlR0vwF70eqxL1bOffR+leIRh4qKTpcLQW9fkE+fz6oEvYMhU8OB6RljW0NmcnkXI7xiTCg=="
    )


# Change, invent, leave out


@each_row(
    "change",
    [
        {"command": Raw(b'{"do":"another"}')},
        {"key": "another key"},
        {"signature": ""},
        {"seat": BLUE},
        {"signature": OPERATOR.sign("x")},
        {"signature": "not base64"},
    ],
)
def test_each_field_of_a_signed_command_that_is_changed_is_found(change: dict[str, object]) -> None:
    players = played()
    commits = players.commits
    place = of_red(commits)
    commits[place] = replace(commits[place], **change)
    found = problem(players, commits)

    assert "sign" in found


@each_row("by", [-1, 1])
def test_a_changed_number_of_events_that_a_seat_had_seen_is_found(by: int) -> None:
    players = played()
    commits = players.commits
    place = of_red(commits)
    changed = replace(commits[place], expected=commits[place].expected + by)
    commits[place] = changed

    assert "had seen" in problem(players, commits)


def test_a_seat_that_signs_for_another_number_of_events_is_found_and_refused() -> None:
    """Its own signature, kept back by the operator and put behind another event."""
    players = played()
    commits = players.commits
    place = of_red(commits)
    note = arbiters_note(commits[place], "wait", Seat("arbiter"))
    commits.insert(place, note)

    assert "had seen" in problem(players, commits)


def test_an_invented_command_is_found_whoever_signs_it() -> None:
    players = played()
    commits = players.commits
    place = of_red(commits)
    invented = replace(commits[place], key="invented")

    assert "not that of the key" in problem(players, [*commits[:place], invented])
    assert "not that of the key" in problem(players, [*commits[:place], signed_anew(invented, commits)])
    assert "not signed" in problem(players, [*commits[:place], replace(invented, expected=0, signature="")])


def test_a_command_that_is_left_out_is_found_by_the_next_signature_of_its_seat() -> None:
    """Also by that of another seat which has seen it."""
    players = played()
    commits = players.commits
    places = [place for place, one in enumerate(commits) if one.signature and b"match:" not in bytes(one.command)]

    assert [problem(players, [*commits[:place], *commits[place + 1 :]]) for place in places[:-1]].count("") == 0


def test_the_rules_the_options_and_the_board_of_the_opening_are_signed() -> None:
    players = played()
    commits = players.commits
    opening = commits[0].events[0]
    assert isinstance(opening, MatchOpened)
    for changed in (replace(opening, title="Another"), replace(opening, rules="f" * 64)):
        commits[0] = replace(commits[0], events=(changed,))

        assert "not that of the key" in problem(players, commits)


def test_a_signature_holds_in_no_other_match_and_for_no_other_seat() -> None:
    players = played()
    commits = players.commits
    place = of_red(commits)
    opening = commits[0].events[0]
    assert isinstance(opening, MatchOpened)
    one, digest = commits[place], opening_digest(opening)
    fields = {"key": one.key, "command": bytes(one.command), "expected": one.expected}
    texts = {
        text_to_sign(match, its, seat, **fields)  # type: ignore[arg-type]
        for match in (players.match, MatchId("other"))
        for seat in (RED, BLUE)
        for its in (digest, "0" * 64)
    }

    assert len(texts) == 8


def test_the_command_and_its_signature_of_one_match_are_refused_in_its_fork() -> None:
    players = Players().play(8)
    fork = players.clients[RED].fork(players.match, RED).match
    table = players.host.state(fork).table

    assert table.keys == {}
    assert players.commits[-1].signature


def test_a_link_that_is_not_signed_hides_no_invented_events() -> None:
    """A link proves itself; what an operator adds to it does not."""
    players = Players("battle", dice="sealed").play(20)
    commits = players.commits
    place = max(
        number for number, one in enumerate(commits) if b"open-link" in bytes(one.command) and len(one.events) == 1
    )
    invented = next(event for one in commits[place:] for event in one.events if event not in commits[place].events)
    added = replace(commits[place], events=(*commits[place].events, invented))
    bare = replace(commits[place], events=(invented,))

    assert "not signed" in problem(players, [*commits[:place], added])
    assert "not signed" in problem(players, [*commits[:place], bare])


def test_events_of_another_seat_are_found_beside_a_command_of_the_arbiter() -> None:
    """Without the rules, too."""
    players = played()
    commits = players.commits
    place = of_red(commits)
    note = arbiters_note(commits[place], "I resign", RED)
    move = replace(commits[place], seat=Seat("arbiter"), expected=0, signature="")

    assert "beside a command of the seat arbiter" in problem(players, [*commits[:place], note])
    assert "plays no commands of the game" in problem(players, [*commits[:place], move])


# Keys


def test_a_key_that_is_changed_or_registered_for_another_seat_is_found() -> None:
    players = played()
    commits = players.commits
    place = next(place for place, one in enumerate(commits) if isinstance(one.events[0], SeatTaken) and one.seat == RED)
    taken = commits[place]
    stolen = tuple(
        replace(event, key=OPERATOR.public_key) if isinstance(event, KeyRegistered) else event for event in taken.events
    )
    foreign = tuple(replace(event, seat=BLUE) if isinstance(event, KeyRegistered) else event for event in taken.events)
    command = Raw(bytes(taken.command).replace(stolen_key(taken).encode(), OPERATOR.public_key.encode()))

    assert "not what the command of the seat red says" in problem(
        players, [*commits[:place], replace(taken, events=stolen)]
    )
    signed = signed_anew(taken, commits, command=command, events=stolen)
    assert "not that of the key" in problem(players, [*commits[:place], signed, *commits[place + 1 :]])
    assert "that of the seat blue, beside" in problem(players, [*commits[:place], replace(taken, events=foreign)])


def stolen_key(taken: Commit) -> str:
    """Return the key that a commit registers."""
    return next(event.key for event in taken.events if isinstance(event, KeyRegistered))


def test_a_key_that_is_left_out_leaves_signatures_that_no_key_explains() -> None:
    players = played()
    commits = players.commits
    place = next(place for place, one in enumerate(commits) if isinstance(one.events[0], SeatTaken) and one.seat == RED)
    bare = tuple(event for event in commits[place].events if not isinstance(event, KeyRegistered))
    commits[place] = replace(commits[place], events=bare, signature="")

    assert problem(players, commits)


def test_an_operator_cannot_free_the_seat_of_a_player_who_signs() -> None:
    players = played()
    commits = players.commits
    last = commits[-1]
    for seat in (RED, Seat("arbiter"), BLUE):
        left = replace(
            last,
            seat=seat,
            key="left",
            command=Raw(b'{"do":"match:leave-seat"}'),
            expected=0,
            signature="",
            events=(SeatLeft(rule="match.seats", seat=RED, name="Red"),),  # type: ignore[arg-type]
        )

        assert ("signed" if seat == RED else "that of the seat red, beside") in problem(players, [*commits, left])


def test_another_key_is_signed_with_the_one_before() -> None:
    """By the operator it cannot be: what is then signed with the new key is told, as for a player who has lost the key."""
    players = Players().play(4)
    commits = players.commits
    red, last = report_key(players, RED), commits[-1]
    event = KeyRegistered(rule="match.signatures", seat=RED, key=OPERATOR.public_key, was=red)  # type: ignore[arg-type]
    command = Raw(encode(RegisterKey(public_key=OPERATOR.public_key)))
    seen = players.desk.number(players.match, RED)
    rotation = replace(
        last, first=last.last + 1, seat=RED, key="rotation", command=command, expected=seen, events=(event,)
    )

    assert "not that of the key" in problem(players, [*commits, signed_anew(rotation, commits)])
    lost = replace(
        rotation,
        events=(replace(event, was=""),),
        command=Raw(encode(RegisterKey(public_key=OPERATOR.public_key, is_lost=True))),
    )
    report = players.rewritten([*commits, signed_anew(lost, commits)]).report

    assert report.clean
    assert [key.seq for key in report.signatures[RED].of_others] == [commits[-1].last + 1]


def report_key(players: Players, seat: Seat) -> str:
    """Return the key of a seat."""
    return players.report.signatures[seat].keys[-1].key


def test_a_seat_rotates_its_key_and_goes_on_with_the_new_one() -> None:
    players = Players().play(4)
    red = players.clients[RED]
    red.register_key(players.match, RED, SeatSigner(b"n" * 32))
    players.play(12)
    report = players.report
    first, second = report.signatures[RED].keys

    assert report.clean
    assert (second.was, report.signatures[RED].of_others) == (first.key, ())
    assert red.public_key(players.match, RED) == second.key


def test_a_player_who_has_lost_the_key_goes_on_with_another_and_every_report_says_so() -> None:
    players = Players().play(4)
    red = players.client()
    red.add_token(players.match, RED, players.clients[RED].token(players.match, RED))
    red.register_key(players.match, RED, SeatSigner(b"n" * 32), is_lost=True)
    players.clients[RED] = red
    players.play(12)
    report = players.report

    assert report.clean
    assert [key.was for key in report.signatures[RED].of_others] == [""]


def test_a_key_has_64_digits_a_known_holder_and_is_another_one() -> None:
    desk = Desk.open()
    key = OPERATOR.public_key

    assert desk.refused({"do": "match:register-key", "public_key": key.upper()}, RED) == "key_must_be_hex"
    assert (
        desk.refused({"do": "match:register-key", "public_key": key, "key_holder": "a friend"}, RED)
        == "holder_must_be_known"
    )
    desk.accept(RegisterKey(public_key=key), RED)
    assert desk.refused(RegisterKey(public_key=key), RED) == "key_must_be_new"
    assert desk.refused(RegisterKey(public_key=key), Seat("arbiter")) == "seat_must_be_taken"


# Standing answers, orders


def test_the_keys_that_a_server_derives_tell_what_they_follow() -> None:
    assert before_answer(follow_up_key("k", 1)) == "k"
    assert before_answer(follow_up_key("k", 3)) == "k/2"
    assert before_answer(follow_up_key(order_key("k", 2), 1)) == "k/0/2"
    assert [before_in_order(order_key("k", number)) for number in (1, 2, 3)] == ["", "k", "k/0/2"]
    assert (before_answer("k"), before_in_order("k/2"), before_in_order("k")) == ("", "", "")


def test_an_order_is_signed_as_a_whole_and_none_of_it_is_left_out() -> None:
    players = Players(options={"fog": True})
    order = [{"do": "hide"}, {"do": "hide-at", "place": "camp"}]
    mover = Seat(players.host.legal(players.match).to_move)
    players.clients[mover].play(players.match, mover, order)
    commits = players.commits
    first, second = commits[-2:]

    assert (second.key, second.expected) == (order_key(first.key, 2), first.expected)
    assert players.report.clean
    assert "does not follow the one before it" in problem(players, [*commits[:-2], second])
    moved = replace(second, expected=second.expected + 1)
    assert "does not follow the one before it" in problem(players, [*commits[:-1], moved])


def test_a_standing_answer_is_not_signed_and_one_that_nobody_gave_is_found() -> None:
    players = Players().until(RED, "roll")
    blue = players.clients[BLUE]
    blue.play(
        players.match,
        BLUE,
        {"do": "match:answer-always", "decision": "reply", "answer": '{"do":"reply","contest":false}'},
    )
    players.clients[RED].play(players.match, RED, {"do": "roll"})
    commits = players.commits
    answer = commits[-1]
    given = next(place for place, one in enumerate(commits) if b"answer-always" in bytes(one.command))

    assert (answer.seat, answer.signature, players.report.clean) == (BLUE, "", True)
    assert players.report.signatures[BLUE].answers == 1
    assert problem(players, [*commits[:given], *commits[given + 1 :]])
    assert "not signed" in problem(players, [*commits[:-1], replace(answer, key="another")])


# Orders cut, and what was put back


def ordered() -> tuple[Players, Seat]:
    """Return a match in which a seat has just sent an order of two commands, and the seat."""
    players = Players(options={"fog": True})
    mover = Seat(players.host.legal(players.match).to_move)
    players.clients[mover].play(players.match, mover, [{"do": "hide"}, {"do": "hide-at", "place": "camp"}])
    return players, mover


def test_an_order_that_is_cut_is_found_by_the_next_signature_of_its_seat() -> None:
    """What the seat sent last, and nothing after it, can be left out by an operator; a line of the log finds that."""
    players, mover = ordered()
    players.clients[mover].play(players.match, mover, {"do": "match:note", "text": "sent"})
    *rest, _, note = players.commits
    cut = players.rewritten([*rest, note])

    assert "had seen" in cut.report.findings[0].problem
    assert "had seen" in verdict(cut.archive())


def test_nothing_comes_between_the_commands_of_an_order() -> None:
    players, mover = ordered()
    other = next(seat for seat in players.clients if seat != mover)
    players.clients[other].play(players.match, other, {"do": "match:note", "text": "so"})
    *rest, first, second, note = players.commits
    between = players.rewritten([*rest, first, note, second])

    assert between.report.findings
    assert verdict(between.archive())


def test_what_was_put_back_is_not_put_back_again_and_not_before_it_was_taken_back() -> None:
    """A replayed redo has a key that was used, and under another one no signature."""
    players = Players(options={"fog": True}).until(RED, "hide")
    red = players.clients[RED]
    red.play(players.match, RED, {"do": "hide"})
    red.undo(players.match, RED)
    red.redo(players.match, RED)
    red.undo(players.match, RED)
    commits = players.commits
    hide, undo, redo, again = commits[-4:]
    replayed = players.rewritten([*commits, replace(redo, key=f"{redo.key}x")])
    moved = players.rewritten([*commits[:-4], hide, redo, undo, again])

    assert players.report.clean
    assert bytes(redo.command) == bytes(hide.command)
    assert "had seen 39 events, and signed for 36" in replayed.report.findings[0].problem
    assert "signatures" in verdict(replayed.archive())
    assert "used before" in verdict(with_replay(players, redo))
    assert moved.report.findings
    assert verdict(moved.archive())


def with_replay(players: Players, redo: Commit) -> bytes:
    """Return the archive with a commit once more, under its own key."""
    lines = Lines(players.archive())
    lines.commits.append(next(one for one in lines.commits if one["key"] == redo.key))
    return lines.sealed()


def verdict(archive: bytes) -> str:
    """Return what `docs/verify.py` says of an archive; empty for nothing."""
    try:
        VERIFY.check(archive)
    except VERIFY.BrokenError as error:
        return f"{error.layer}: {error}"
    return ""
