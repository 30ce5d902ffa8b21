"""The audit names the first wrong event of a forged log, and finds no defect in an honest one."""

from collections.abc import Callable
from hashlib import sha256
from random import Random

import pytest

from core.audit.audit_report import AuditReport
from core.audit.match_audit import audit_match
from core.chance.schemes import committed, veil_of
from core.match.player_commands import AddNote
from events.codec import Raw, replace
from events.commit import Commit, Head, chain_hash, encode_commit
from events.ids import Digest, MatchId, RuleId, Seat
from events.log import Stored
from events.vocabulary import (
    CardDrawn,
    ChanceScheme,
    DiceRolled,
    Event,
    MatchForked,
    MatchOpened,
    SecretsRedealt,
    SeedRevealed,
    StandingAnswersRevealed,
    TrackMoved,
)
from tests.support.desk import Desk
from tests.support.forgery import changed, forged, renumbered, with_command
from tests.support.links import LinkedDesk
from tests.support.rows import each_row
from tests.support.skirmish import SkirmishRules


def played(dice: str = "seeded", steps: int = 500) -> Desk:
    """Play a match of the test game."""
    return Desk.open(dice=dice).play(steps, Random(1))


def typed() -> Desk:
    """Play a match with typed dice."""
    desk = Desk.open(dice="manual")
    cards = [f"card-{number}" for number in range(1, 5)]
    desk.accept({"do": "match:begin"}, Seat("red"), dice=(6,), draws=cards)
    desk.accept({"do": "roll"}, dice=(4, 5))
    desk.accept({"do": "reply", "contest": False})
    desk.accept({"do": "roll"}, dice=(2, 3))
    desk.accept({"do": "reply", "contest": True}, dice=(6,))
    return desk


def finding(report: AuditReport) -> int:
    """Return the number of the event that an audit found."""
    assert len(report.findings) == 1, report
    return report.findings[0].seq


def numbers(desk: Desk, kind: type[Event]) -> list[int]:
    """Return the numbers of all events of a kind."""
    return [number for number, event in enumerate(desk.events, start=1) if isinstance(event, kind)]


def commit_of(desk: Desk, number: int) -> Commit:
    """Return the commit that holds an event."""
    return next(commit for commit in desk.commits if commit.first <= number <= commit.last)


# Honest matches


@each_row(
    ("desk", "dice"),
    [
        (lambda: played("seeded"), "checked"),
        (lambda: played("sealed"), "checked"),
        (lambda: played("sealed", steps=5), "sealed"),
        (typed, "typed"),
        (lambda: played("seeded").fork(40, "fresh"), "mixed"),
        (lambda: played("sealed").fork(40, "fresh"), "sealed"),
        (lambda: played("seeded").fork(40, "same"), "checked"),
    ],
)
def test_an_honest_match_is_clean_and_the_report_states_how_far_its_dice_were_checked(
    desk: Callable[[], Desk], dice: str
) -> None:
    match = desk()
    report = match.audit()

    assert report.findings == ()
    assert report.clean
    assert report.dice == dice
    assert (report.events, report.head) == (match.match.head.seq, match.match.head.hash)
    assert report.commits == len(match.commits)
    assert [one.rules for one in report.played_under] == [report.rules_now] == [match.table.rules]


@each_row(
    ("desk", "secured", "unsecured"),
    [
        (LinkedDesk.linked, {"blue": "", "red": ""}, ()),
        (lambda: LinkedDesk.linked(secured=lambda seat: seat == "red"), {"red": ""}, ("blue",)),
        (lambda: Desk.open(dice="sealed"), {}, ("red", "blue")),
        (lambda: played("seeded", steps=5), {}, ()),
        (lambda: LinkedDesk.linked().play(4, Random(1)).fork(40, "fresh"), {}, ("red", "blue")),
    ],
)
def test_the_report_names_the_seats_that_open_links_and_those_that_do_not(
    desk: Callable[[], Desk], secured: dict[Seat, str], unsecured: tuple[Seat]
) -> None:
    """match.links"""
    report = desk().audit()

    assert (report.secured, report.unsecured) == (secured, unsecured)


def test_an_audit_reports_its_progress() -> None:
    desk = played()
    heard: list[int] = []

    audit_match(desk.log, desk.match.id, heard.append)

    assert heard == [commit.last for commit in desk.commits]


def test_notes_rulings_and_a_change_of_players_are_audited_as_well() -> None:
    desk = played(dice="sealed", steps=4)
    desk.accept(AddNote(text="for all"), Seat("red"))
    desk.accept(AddNote(text="for me", private=True), Seat("blue"))
    desk.accept({"do": "match:ruling", "text": "so it is", "about": "1.turn"}, Seat("arbiter"))
    desk.accept({"do": "match:leave-seat"}, Seat("red"))
    desk.accept({"do": "match:take-seat", "seat": "red", "name": "Another"}, Seat("red"))
    desk.accept(
        {"do": "match:answer-always", "decision": "reply", "answer": '{"do":"reply","contest":true}'}, Seat("red")
    )
    desk.play(500, Random(2))

    assert desk.table.ended is not None
    assert desk.audit().findings == ()
    assert desk.audit().dice == "checked"


# Forged matches with the original hashes


def other_rule(event: Event) -> Event:
    """Return an event that cites another rule."""
    return replace(event, rule=RuleId("0.forged"))


def test_any_changed_event_breaks_the_hash_of_its_commit() -> None:
    desk = played()
    for number in range(1, len(desk.events) + 1):
        report = forged(desk, changed(desk.commits, number, other_rule), covered=False).audit()

        assert finding(report) == commit_of(desk, number).first
        assert "hash" in report.findings[0].problem


def test_any_flipped_bit_breaks_the_hash_of_its_commit(budget: float) -> None:
    desk = played()
    rng = Random(3)
    stream = desk.log._streams[desk.match.id]  # type: ignore[attr-defined]
    honest = list(stream.commits)
    for _ in range(round(200 * budget)):
        place = rng.randrange(len(honest))
        body = bytearray(honest[place].body)
        body[rng.randrange(len(body))] ^= 1 << rng.randrange(8)
        stream.commits = [*honest]
        stream.commits[place] = Stored(
            honest[place].match,
            honest[place].first,
            honest[place].last,
            honest[place].key,
            honest[place].hash,
            bytes(body),
        )

        assert finding(desk.audit()) == honest[place].first


@each_row("place", [0, 1, 5, 9])
def test_a_dropped_commit_is_found_at_its_first_event(place: int) -> None:
    desk = played()
    report = forged(desk, [*desk.commits[:place], *desk.commits[place + 1 :]], covered=False).audit()

    assert finding(report) == desk.commits[place].first


def test_two_swapped_commits_are_found_at_the_first() -> None:
    desk = played()
    report = forged(
        desk, [*desk.commits[:5], desk.commits[6], desk.commits[5], *desk.commits[7:]], covered=False
    ).audit()

    assert finding(report) == desk.commits[5].first


# Forged matches with a valid chain


def test_any_changed_event_is_found_at_its_number_despite_a_valid_chain() -> None:
    desk = played("sealed")
    for number in range(1, len(desk.events) + 1):
        report = forged(desk, changed(desk.commits, number, other_rule), covered=True).audit()

        assert finding(report) == number


@each_row("seat", ["red", "blue", "arbiter", "public", "nobody"])
def test_another_sender_of_any_command_is_found(seat: str) -> None:
    """match.seats: also of the commands that take the seats."""
    desk = played()
    for place, commit in enumerate(desk.commits):
        if commit.seat != seat:
            other = [*desk.commits[:place], replace(commit, seat=Seat(seat)), *desk.commits[place + 1 :]]

            assert finding(forged(desk, other, covered=True).audit()) == commit.first


@each_row("dice", ["seeded", "sealed"])
def test_a_changed_die_is_found_because_the_seed_gives_another(dice: str) -> None:
    desk = played(dice)

    def turned(event: Event) -> Event:
        assert isinstance(event, DiceRolled)
        return replace(event, faces=tuple(face % 6 + 1 for face in event.faces))

    for number in numbers(desk, DiceRolled):
        report = forged(desk, changed(desk.commits, number, turned), covered=True).audit()

        assert finding(report) == number
        assert "the seed does not give" in report.findings[0].problem
        # The finding has the number of its event already.
        assert not report.findings[0].problem.startswith("event")


def test_a_changed_typed_die_is_found_where_later_events_contradict_it() -> None:
    desk = typed()
    roll = numbers(desk, DiceRolled)[1]
    report = forged(
        desk,
        changed(desk.commits, roll, lambda event: replace(event, faces=(1, 1))),
        covered=True,
    ).audit()

    assert finding(report) == roll + 1


@each_row("faces", [(0, 3), (7, 3), (3,), (1, 2, 3)])
def test_impossible_dice_are_found_at_their_event(faces: tuple[int, ...]) -> None:
    desk = typed()
    roll = numbers(desk, DiceRolled)[1]
    report = forged(
        desk,
        changed(desk.commits, roll, lambda event: replace(event, faces=faces)),
        covered=True,
    ).audit()

    assert finding(report) == roll


def test_a_changed_result_is_found_at_its_event() -> None:
    desk = played()
    number = numbers(desk, TrackMoved)[1]
    report = forged(
        desk,
        changed(desk.commits, number, lambda event: replace(event, to=19)),
        covered=True,
    ).audit()

    assert finding(report) == number


@each_row("place", [2, 5, 9])
def test_a_dropped_commit_is_found_despite_a_valid_chain(place: int) -> None:
    desk = played()
    dropped = [*desk.commits[:place], *desk.commits[place + 1 :]]

    assert finding(forged(desk, dropped, covered=True).audit()) == desk.commits[place].first
    found = finding(forged(desk, renumbered(dropped), covered=True).audit())
    assert desk.commits[place].first <= found <= desk.commits[place].last


def test_a_dropped_or_repeated_event_is_found() -> None:
    desk = played()
    place = 6
    commit = desk.commits[place]
    shorter = replace(commit, events=commit.events[:-1])
    longer = replace(commit, events=(*commit.events, commit.events[-1]))
    for forgery in (shorter, longer):
        commits = renumbered([*desk.commits[:place], forgery, *desk.commits[place + 1 :]])

        assert finding(forged(desk, commits, covered=True).audit()) == (
            commit.last if forgery is shorter else commit.last + 1
        )


def test_swapped_commits_are_found_despite_a_valid_chain() -> None:
    desk = played()
    swapped = renumbered([*desk.commits[:5], desk.commits[6], desk.commits[5], *desk.commits[7:]])
    found = finding(forged(desk, swapped, covered=True).audit())

    assert desk.commits[5].first <= found <= desk.commits[5].last


def test_a_changed_command_is_found_at_its_commit() -> None:
    desk = played()
    place = next(n for n, commit in enumerate(desk.commits) if b'"roll"' in bytes(commit.command))
    for command in ({"do": "omen"}, {"do": "reply", "contest": True}, {"do": "fly"}, 7):
        commits = desk.commits
        commits[place] = with_command(commits[place], command)
        found = finding(forged(desk, commits, covered=True).audit())

        assert commits[place].first <= found <= commits[place].last


def test_a_command_in_non_canonical_form_is_found() -> None:
    desk = played()
    place = next(n for n, commit in enumerate(desk.commits) if b'"reply"' in bytes(commit.command))
    commits = desk.commits

    commits[place] = replace(commits[place], command=Raw(b'{"contest": false, "do": "reply"}'))

    assert finding(forged(desk, commits, covered=True).audit()) == commits[place].first


def test_a_changed_seat_is_found_at_its_commit() -> None:
    desk = played()
    place = 7
    commits = desk.commits
    commits[place] = replace(commits[place], seat=Seat("arbiter"))

    assert finding(forged(desk, commits, covered=True).audit()) == commits[place].first


@each_row(
    "change",
    [
        {"edition": "9.9"},
        {"scenario": "night"},
        {"scenario": "nowhere"},
        {"mode": "dark"},
        {"options": {"fog": True}},
        {"seats": (Seat("red"),)},
    ],
)
def test_a_changed_opening_is_found(change: dict[str, object]) -> None:
    desk = played()

    def reopened(event: Event) -> Event:
        return replace(event, **change)

    report = forged(desk, changed(desk.commits, 1, reopened), covered=True).audit()

    assert finding(report) == 1


@each_row("change", [{"game": "chess"}, {"board": Digest("0" * 64)}, {"position": Digest("0" * 64)}])
def test_a_match_with_missing_rules_is_neither_clean_nor_broken(change: dict[str, object]) -> None:
    desk = played()

    def reopened(event: Event) -> Event:
        return replace(event, **change)

    report = forged(desk, changed(desk.commits, 1, reopened), covered=True).audit()

    assert (report.verdict, report.findings, report.dice) == ("unchecked", (), "checked")
    assert str(next(iter(change.values())))[:12] in report.unchecked
    assert report.events == desk.match.head.seq


@each_row(
    ("scheme", "words", "dice"),
    [
        ({"scheme": "sealed/3"}, "'sealed/3' is not known to this program, so its dice are not verified", "unknown"),
        ({"scheme": ""}, "'' is not known", "unknown"),
        ({"commitment": ""}, "anchor", "checked"),
        ({"commitment": "5eed" * 15}, "anchor", "checked"),
        ({"veil": sha256(b"").hexdigest()[:63] + "X"}, "veil", "sealed"),
        ({"length": 0}, "length", "checked"),
        ({"stream": "m2"}, "other fields", "sealed"),
        ({"seed": "1"}, "other fields", "checked"),
        ({"shift": 1}, "other fields", "checked"),
        ({"scheme": "seeded/1"}, "empty", "checked"),
    ],
)
def test_a_source_of_dice_that_is_unknown_or_not_valid_is_found(
    scheme: dict[str, object], words: str, dice: str
) -> None:
    """match.open: an unknown scheme used to be reported as checked."""
    desk = played("sealed")

    def reopened(event: Event) -> Event:
        assert isinstance(event, MatchOpened)
        return replace(event, chance=replace(event.chance, **scheme))

    report = forged(desk, changed(desk.commits, 1, reopened), covered=True).audit()

    assert finding(report) == 1
    assert words in report.findings[0].problem
    assert report.dice == dice


def test_an_empty_seed_is_invalid_even_with_its_commitment() -> None:
    """match.reveal: the veil that was promised is that of an empty seed."""
    desk = played("sealed")
    commits = desk.commits
    opening = commits[0].events[0]
    assert isinstance(opening, MatchOpened)
    veil = committed(veil_of("", desk.match.id))
    empty = replace(opening, chance=replace(opening.chance, veil=veil))
    commits[0] = replace(commits[0], events=(empty,))
    last = numbers(desk, SeedRevealed)[0]
    forgery = changed(commits, last, lambda event: replace(event, seed=""))
    report = forged(desk, forgery, covered=True).audit()

    assert finding(report) == last
    assert report.dice == "sealed"


@each_row("change", [{"command": Raw(b"{}")}, {"seat": Seat("red")}])
def test_an_opening_by_another_command_or_seat_is_found(change: dict[str, object]) -> None:
    desk = played()
    commits = desk.commits
    commits[0] = replace(commits[0], **change)

    assert finding(forged(desk, commits, covered=True).audit()) == 1


def test_a_commit_in_non_canonical_form_is_found_despite_a_valid_chain() -> None:
    desk = played(steps=3)
    stream = desk.log._streams[desk.match.id]  # type: ignore[attr-defined]
    last = stream.commits[-1]
    body = last.body.replace(b'","', b'", "', 1)
    stream.commits[-1] = Stored(last.match, last.first, last.last, last.key, chain_hash(body), body)

    assert finding(desk.audit()) == last.first


def test_an_idempotency_key_that_was_used_twice_is_found() -> None:
    desk = played()
    commits = desk.commits
    commits[7] = replace(commits[7], key=commits[6].key)

    assert finding(forged(desk, commits, covered=True).audit()) == commits[7].first


def test_a_changed_seed_in_the_opening_is_found_at_the_first_draw() -> None:
    desk = played()

    def reseeded(event: Event) -> Event:
        return replace(event, chance=ChanceScheme(scheme="seeded/1", seed="99"))

    report = forged(desk, changed(desk.commits, 1, reseeded), covered=True).audit()

    assert finding(report) in numbers(desk, CardDrawn)[:4]


def test_a_log_without_its_beginning_is_found() -> None:
    desk = played()
    report = forged(desk, renumbered(desk.commits[1:]), covered=True).audit()

    assert finding(report) == 1


def test_a_second_opening_is_found() -> None:
    desk = played()
    again = renumbered([*desk.commits[:4], desk.commits[0], *desk.commits[4:]])

    assert finding(forged(desk, again, covered=True).audit()) == desk.commits[4].first


def test_a_commit_without_events_is_found() -> None:
    desk = played()
    commits = desk.commits
    commits[4] = replace(commits[4], events=())

    assert finding(forged(desk, commits, covered=True).audit()) == desk.commits[4].first


def test_a_commit_of_another_match_is_found() -> None:
    desk = played()
    commits = desk.commits
    commits[4] = replace(commits[4], match=MatchId("other"))

    assert finding(forged(desk, commits, covered=True).audit()) == desk.commits[4].first


@each_row("seed", ["00" * 32, "no hex", "5eed"])
def test_a_seed_that_does_not_match_its_commitment_is_found(seed: str) -> None:
    desk = played("sealed")
    number = numbers(desk, SeedRevealed)[0]
    report = forged(
        desk,
        changed(desk.commits, number, lambda event: replace(event, seed=seed)),
        covered=True,
    ).audit()

    assert finding(report) == number


def test_an_end_that_keeps_standing_answers_secret_is_found() -> None:
    """match.disclose"""
    desk = Desk.open()
    answer = {"do": "match:answer-always", "decision": "reply", "answer": '{"do":"reply","contest":true}'}
    desk.accept(answer, Seat("red"))
    desk.accept({"do": "match:resign"}, Seat("red"))
    commits = desk.commits
    last = commits[-1]
    assert isinstance(last.events[-1], StandingAnswersRevealed)
    commits[-1] = replace(last, events=last.events[:-1])

    assert finding(forged(desk, commits, covered=True).audit()) == len(desk.events)


@each_row(("rules", "verdict"), [("0" * 64, "other-rules"), ("", "broken")])
def test_an_opening_without_one_of_the_options_is_found(rules: str, verdict: str) -> None:
    """match.open: other rules may have had other options, so that it is a difference under those."""
    desk = played()

    def reopened(event: Event) -> Event:
        assert isinstance(event, MatchOpened)
        known = {key: value for key, value in event.options.items() if key != "fog"}
        return replace(event, options=known, rules=rules or event.rules)

    report = forged(desk, changed(desk.commits, 1, reopened), covered=True).audit()

    found = [one.seq for one in report.findings] + [one.seq for one in report.differences]

    assert (report.verdict, found[0]) == (verdict, 1)


@each_row("change", [{"answer": '{"do":"reply","contest":false}'}, {"after": 1}, {"seat": "blue"}])
def test_a_falsely_disclosed_standing_answer_is_found(change: dict[str, object]) -> None:
    """match.disclose"""
    desk = Desk.open()
    answer = {"do": "match:answer-always", "decision": "reply", "answer": '{"do":"reply","contest":true}'}
    desk.accept(answer, Seat("red"))
    desk.accept({"do": "match:resign"}, Seat("red"))
    told = desk.events[-1]
    assert isinstance(told, StandingAnswersRevealed)
    other = (replace(told.answers[0], **change),)
    report = forged(
        desk,
        changed(desk.commits, len(desk.events), lambda event: replace(event, answers=other)),
        covered=True,
    ).audit()

    assert finding(report) == len(desk.events)


def test_a_forking_event_inserted_into_a_match_is_found() -> None:
    """Otherwise a forger could replace rolled dice by typed ones."""
    desk = played()
    slipped = MatchForked(
        rule=RuleId("match.fork"),
        parent=desk.match.id,
        at=desk.commits[5].last,
        chance=ChanceScheme(scheme="manual/1"),
        hidden="truth",
        seat=Seat("arbiter"),
    )
    commits = desk.commits
    commits = renumbered([*commits[:6], replace(commits[6], key="slipped", events=(slipped,)), *commits[6:]])

    assert finding(forged(desk, commits, covered=True).audit()) == desk.commits[6].first


def test_a_fork_that_names_another_parent_or_place_is_found() -> None:
    parent = played()
    for change in ({"parent": MatchId("other")}, {"at": 3}):
        fork = parent.fork(parent.commits[6].last, "seeded", name=f"fork-{len(parent.log.matches())}")
        stream = parent.log._streams[fork.match.id]  # type: ignore[attr-defined]
        first = fork.commits[7]

        forgery = replace(first, events=(replace(first.events[0], **change),))
        body = encode_commit(forgery)
        stream.commits[0] = Stored(fork.match.id, first.first, first.last, first.key, chain_hash(body), body)
        parent.log._streams[MatchId("other")] = parent.log._streams[MatchId("m1")]  # type: ignore[attr-defined]

        assert finding(fork.audit()) == first.first


def test_a_fork_that_deals_other_cards_than_existed_is_found() -> None:
    parent = played(steps=6)
    fork = parent.fork(parent.commits[4].last, "seeded", hidden="resample", seat=Seat("red"))
    stream = parent.log._streams[fork.match.id]  # type: ignore[attr-defined]
    first = fork.commits[5]

    redealt = next(event for event in first.events if isinstance(event, SecretsRedealt))
    assert redealt.cards is not None
    for cards in (redealt.cards[1:], (*redealt.cards[1:], redealt.cards[1])):
        events = tuple(replace(event, cards=cards) if event is redealt else event for event in first.events)
        body = encode_commit(replace(first, events=events))
        stream.commits[0] = Stored(fork.match.id, first.first, first.last, first.key, chain_hash(body), body)

        assert first.first <= finding(fork.audit()) <= first.last


# Forgeries that only a recorded hash reveals


def test_a_cut_off_tail_is_found_with_a_recorded_hash() -> None:

    desk = played()
    kept = desk.match.head
    cut = forged(desk, desk.commits[:-3], covered=True)

    assert cut.audit().clean
    assert finding(audit_match(cut.log, cut.match.id, witness=kept)) == desk.commits[-3].first


def test_a_replaced_history_is_found_with_a_recorded_hash() -> None:

    desk = played("sealed", steps=8)
    kept = Head(desk.commits[6].last, list(desk.log.read(desk.match.id))[6].hash)
    anew = Desk.open(dice="sealed").play(8, Random(9))

    assert anew.audit().clean
    assert finding(audit_match(anew.log, anew.match.id, witness=kept)) <= kept.seq
    assert audit_match(desk.log, desk.match.id, witness=kept).clean


def test_a_store_that_reports_a_wrong_number_of_events_is_found() -> None:
    desk = played()

    class Boasting(type(desk.log)):  # type: ignore[misc]
        def head(self, match: MatchId) -> Head:
            return Head(10_000, Digest("0" * 64))

    boasting = Boasting()
    boasting._streams = desk.log._streams  # type: ignore[attr-defined]

    assert finding(Desk(boasting, desk.match).audit()) == desk.match.head.seq + 1


# Matches that begin from a position

POSITION = 'format = "wardiary-position/1"\ngame = "skirmish"\n'


def from_position(text: str, monkeypatch: pytest.MonkeyPatch, **fields: object) -> Desk:
    """Return a match opened by rules that refuse no position, with a changed opening."""
    with monkeypatch.context() as patched:
        patched.setattr(SkirmishRules, "check_position", lambda *_: ())
        desk = Desk.open(dice="seeded", position=text).play(4, Random(1))
    return forged(desk, changed(desk.commits, 1, lambda event: replace(event, **fields)), covered=True)


def test_an_honest_position_is_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    """match.open"""
    assert from_position(POSITION, monkeypatch).audit().findings == ()


@pytest.mark.parametrize("rules", [None, "0" * 64])
def test_a_position_that_the_rules_refuse_is_named(rules: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """match.open: it is a finding if the match names these rules, and else a difference."""
    text = POSITION + 'pieces = [{ id = "red-spy", place = "moon", kind = "spy" }]'
    desk = from_position(text, monkeypatch, **({} if rules is None else {"rules": Digest(rules)}))
    report = desk.audit()
    said = [(one.seq, one.problem) for one in report.findings] + [(one.seq, one.problem) for one in report.differences]

    assert report.verdict == ("broken" if rules is None else "other-rules")
    assert said[0] == (
        1,
        f"the installed rules {report.rules_now[:12]}… refuse the position of this match: no place for red-spy is called 'moon'; there are: field, camp",
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('game = "chess"', "the position is for game chess, not skirmish"),
        ('game = "skirmish"\nscenario = "sea"', "the position is for scenario sea, not field"),
        ('game = "skirmish"\noptions = { rain = true }', "no option of skirmish in scenario field is called 'rain'"),
    ],
)
def test_a_position_of_another_match_is_found(line: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """match.open"""
    text = f'format = "wardiary-position/1"\n{line}\n'
    desk = from_position(POSITION, monkeypatch, position=Digest(sha256(text.encode()).hexdigest()))
    desk.log.attach(Digest(sha256(text.encode()).hexdigest()), text.encode())
    (found,) = desk.audit().findings

    assert found.seq == 1
    assert found.problem.startswith(said)


@each_row("rules", ["", "0" * 63, "X" * 64, "x" * 100_000])
def test_rules_that_are_not_named_by_a_digest_are_found(rules: str) -> None:
    """match.open"""
    desk = played(steps=4)
    report = forged(
        desk, changed(desk.commits, 1, lambda event: replace(event, rules=Digest(rules))), covered=True
    ).audit()

    assert [one.problem for one in report.findings] == ["the rules digest is not 64 lower-case hexadecimal digits"]
