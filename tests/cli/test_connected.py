"""The same verbs through a server, as any client uses them: seats, secrets, and what each may see and do."""

from pathlib import Path

import pytest

import cli.commands.playing.choose
from cli.views.option_words import option_by_words
from events.codec import decode_plain
from events.ids import MatchId, Seat
from events.memory_log import MemoryLog
from server.broker.broker import Broker
from server.client.retry import RetryPolicy
from server.desk.desk import Desk
from server.protocol.replies import LegalOption, LegalReply, PlayedReply, TakenReply
from server.protocol.wire import LegalRequest, OpenRequest, PlayRequest, TakeRequest
from tests.cli.running import Player, Terminal
from tests.support.served import Raw, client_of, served
from tests.support.sitting import OWNER


@pytest.fixture
def red(tmp_path: Path, broker: Broker) -> Player:
    return Player(tmp_path / "red", broker)


@pytest.fixture
def blue(tmp_path: Path, broker: Broker) -> Player:
    return Player(tmp_path / "blue", broker)


@pytest.fixture
def match(red: Player, blue: Player) -> str:
    """A match in which both have sat down; it is blue's turn."""
    opened = red.done("new", "skirmish", "--dice", "seeded:2", "--free-seats").strip()
    red.done("sit", opened, "--seat", "red", "--name", "Ada")
    assert blue.done("sit", opened[:6], "--seat", "blue", "--name", "Ben").endswith("play has begun\n")
    return opened


def test_two_players_play_each_their_own_seat(match: str, red: Player, blue: Player) -> None:
    assert "1  " in blue.done("legal", match)
    assert "1  " not in red.done("legal", match)

    blue.done("choose", match, "1")

    assert "Blue" in red.done("log", match).splitlines()[-1]
    assert blue.done("show", match) == red.done("show", match)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["choose", "MATCH", "1"], "the public may only view a match; a command needs a seat"),
        (["legal", "MATCH", "--seat", "blue"], "no player has the seat blue"),
    ],
)
def test_who_has_no_seat_is_told_how_to_sit_down(red: Player, blue: Player, words: list[str], why: str) -> None:
    opened = red.done("new", "skirmish", "--free-seats").strip()
    ran = blue(*[opened if word == "MATCH" else word for word in words])

    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"wardiary: {why}; `wardiary sit MATCH --seat SEAT` takes a free seat\n"


@pytest.mark.parametrize("words", ["audit MATCH", "export MATCH -"])
def test_a_player_who_asks_for_the_evidence_of_a_running_match_is_told_what_a_seat_may_have(
    red: Player, blue: Player, words: str
) -> None:
    match = red.done("new", "skirmish", "--free-seats").strip()
    blue.done("sit", match, "--seat", "blue")
    ran = blue(*words.replace("MATCH", match).split())

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("wardiary: the commits of a match are for its arbiter; ")
    assert ran.err.endswith("; `wardiary export MATCH --seat SEAT` writes what a seat has seen\n")


def test_legal_of_an_earlier_event_lists_options_only_to_the_seat_that_decided(
    match: str, red: Player, blue: Player
) -> None:
    then = blue.done("legal", match)
    (shape,) = [decode_plain(line) for line in blue.done("legal", match, "--json").splitlines()]
    assert isinstance(shape, dict)
    blue.done("choose", match, "1")
    point = f"{match}@{shape['seq']}"

    assert blue.done("legal", point, "--seat", "blue") == then
    assert "1  " not in red.done("legal", point, "--seat", "red")
    assert "1  " not in red.done("legal", point, "--seat", "public")
    assert "1  " in red.done("legal", point, "--seat", "arbiter", WARDIARY_OWNER=OWNER)
    assert red("legal", point, "--seat", "blue").code == 2

    within = blue("legal", f"{match}@{int(str(shape['seq'])) + 1}", "--seat", "blue")

    assert (within.code, f"name event {shape['seq']} or " in within.err) == (2, True)


def test_a_player_forks_with_chosen_faces(match: str, red: Player, blue: Player) -> None:
    seq = len(blue.done("log", match, "--seat", "blue", "--json").splitlines())
    fork = blue.done("fork", f"{match}@{seq}", "--seat", "blue", "--faces", "6,6").strip()
    blue.done("sit", fork, "--seat", "blue")
    blue.done("choose", fork, "1")

    assert ": 6, 6 = 12" in red.done("log", fork)
    assert "the next dice show 6, 6, as chosen" in red.done("log", fork)
    assert "it shows 1 to 6" in blue("fork", f"{match}@{seq}", "--seat", "blue", "--faces", "9").err


def test_an_option_is_played_by_its_words(match: str, red: Player, blue: Player) -> None:
    words = [line[6:] for line in blue.done("legal", match).splitlines() if line.startswith("   ")]
    refused = red("choose", match, "roll")

    assert (refused.code, "belongs to blue" in refused.err) == (5, True)
    assert f"nearest: 1 {words[0]!r}" in blue("choose", match, "rol()").err

    blue.done("choose", match, words[0])

    assert "Dice for advance of blue" in red.done("log", match)


def test_who_has_several_seats_plays_and_lists_for_the_one_that_decides(red: Player) -> None:
    match = red.done("new", "skirmish", "--dice", "seeded:2").strip()
    seats = {str(decode_plain(red.done("legal", match, "--json").encode())["seat"])}  # type: ignore[index]
    red.done("choose", match, "1")
    seats.add(str(decode_plain(red.done("legal", match, "--json").encode())["seat"]))  # type: ignore[index]

    assert seats == {"red", "blue"}


def test_a_prefix_of_several_matches_names_them(red: Player, log: MemoryLog) -> None:
    Desk(log).handle_batch([OpenRequest(game="skirmish", key=f"{number}") for number in range(40)])
    first = min(log.matches())[0]
    alike = [match for match in sorted(log.matches()) if match.startswith(first)]
    ran = red("show", first)

    assert (
        ran.code,
        len(alike) > 1 and f"several matches begin with '{first}': {', '.join(alike[:5])}" in ran.err,
    ) == (2, True)
    assert red("show", "").code == red("show", "?").code == 2
    assert red.done("show", alike[0]) != ""


def test_words_are_those_of_the_moment_at_which_they_were_read(
    match: str, red: Player, blue: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overtaken(legal: LegalReply, seat: Seat, words: str) -> LegalOption:
        red.done("choose", match, '{"do":"match:note","text":"wait"}', "--seat", "red")
        return option_by_words(legal, seat, words)

    monkeypatch.setattr(cli.commands.playing.choose, "option_by_words", overtaken)
    ran = blue("choose", match, "roll")

    assert (ran.code, "the match has moved on" in ran.err) == (1, True)


def test_a_player_cannot_act_for_the_seat_of_another(match: str, red: Player) -> None:
    ran = red("choose", match, "1", "--seat", "blue")

    assert (ran.code, ran.out) == (2, "")
    assert "secret" in ran.err


def test_the_secrets_lie_in_a_file_that_only_its_owner_may_read(match: str, red: Player) -> None:
    kept = decode_plain(red.file.read_bytes())

    assert isinstance(kept, dict)
    (of_server,) = kept.values()
    assert set(of_server) == {match}
    assert set(of_server[match]) == {"red"}
    assert red.file.stat().st_mode & 0o077 == 0

    red.file.chmod(0o644)

    assert red("legal", match).code == 3


def test_a_file_of_secrets_that_holds_something_else_is_left_alone(match: str, red: Player) -> None:
    red.file.write_bytes(b"not secrets")
    ran = red("choose", match, "1")

    assert (ran.code, red.file.read_bytes()) == (3, b"not secrets")
    assert "move it away" in ran.err


def test_who_leaves_a_seat_frees_it_for_another(match: str, red: Player, blue: Player) -> None:
    blue.done("leave", match, "--seat", "blue")

    assert decode_plain(blue.file.read_bytes()) == {}
    assert blue("choose", match, "1", "--seat", "blue").code == 2

    red.done("sit", match, "--seat", "blue")
    assert "1  " in red.done("legal", match)


def test_a_taken_seat_cannot_be_taken(match: str, blue: Player) -> None:
    ran = blue("sit", match, "--seat", "red")

    assert (ran.code, "taken" in ran.err) == (5, True)


def test_to_begin_a_match_takes_the_named_seat_and_no_other(red: Player, blue: Player) -> None:
    opened = red.done("new", "skirmish", "--dice", "seeded:2", "--free-seats").strip()

    red.done("choose", opened, "begin", "--seat", "red")
    assert "Blue" not in decode_plain(red.done("show", opened, "--json").encode())["table"]["players"]  # type: ignore[index]
    blue.done("choose", opened, "begin", "--seat", "blue")

    assert "1  " in blue.done("legal", opened)


def test_who_has_all_seats_begins_a_match_with_typed_dice_without_naming_one(red: Player) -> None:
    opened = red("new", "skirmish", "--dice", "manual", "-q").out.strip()
    ran = red("choose", opened, "begin")

    assert "what was drawn for deal to red" in ran.err
    assert ran.code == 2


def test_a_match_that_waits_to_begin_lists_that_option_as_the_store_does(
    tmp_path: Path, broker: Broker, red: Player, blue: Player
) -> None:
    """To who has a seat: the option has a number, which `choose` takes. It is gone once the match has begun, and was not there before all sat."""
    terminal = Terminal(tmp_path / "store.db")
    stored = terminal("new", "skirmish", "--dice", "manual", "-q").out.strip()
    opened = red.done("new", "skirmish", "--dice", "manual", "--free-seats", "-q").strip()
    red.done("sit", opened, "--seat", "red", "--name", "Ada")
    assert "Begin the match" not in red.done("legal", opened)
    blue.done("sit", opened, "--seat", "blue", "--name", "Ben")

    assert "   1  Begin the match" in red.done("legal", opened).splitlines()
    assert "   1  Begin the match" in blue.done("legal", opened).splitlines()
    shapes = [
        decode_plain(text.encode())
        for text in (red.done("legal", opened, "--json"), terminal.done("legal", stored, "--json").out)
    ]
    served_, stored_ = [shape for shape in shapes if isinstance(shape, dict)]
    assert served_["count"] == stored_["count"] == 1
    assert [{key: option[key] for key in ("number", "command", "words")} for option in served_["options"]] == [
        {key: option[key] for key in ("number", "command", "words")} for option in stored_["options"]
    ]
    assert "what was drawn for deal to red" in red("choose", opened, "1").err
    assert "Begin the match" not in Player(tmp_path / "nobody", broker).done("legal", opened)


def test_a_typed_secret_opens_a_seat_that_was_taken_elsewhere(match: str, red: Player, blue: Player) -> None:
    secret = decode_plain(blue.file.read_bytes())[blue.variables["WARDIARY_CONNECT"]][match]["blue"]  # type: ignore[index]

    assert "1  " in red.done("legal", match, "--seat", "blue", "--token", secret)
    assert "1  " in red.done("legal", match, "--seat", "blue", WARDIARY_TOKEN=secret)


def test_the_arbiter_sees_all_by_the_secret_of_the_owner(match: str, red: Player) -> None:
    assert red("show", match, "--seat", "arbiter").code == 2
    assert "1  " in red.done("legal", match, "--seat", "arbiter", WARDIARY_OWNER=OWNER)


@pytest.mark.usefixtures("timeless")
def test_what_is_shown_through_a_server_is_what_its_store_shows(tmp_path: Path) -> None:
    from server.store.sqlite_log import SqliteLog

    terminal = Terminal(tmp_path / "store.db")
    match = terminal.line("new", "skirmish", "--dice", "seeded:2", "--name", "Ada")
    for _ in range(4):
        terminal.done("choose", match, "1")
    looks = [
        ["show", match],
        ["show", f"{match}@9"],
        ["show", match, "--statistics"],
        ["log", match],
        ["log", match, "-v", "--from", "5", "--to", "12"],
        ["log", match, "--json"],
        ["replay", match],
        ["replay", match, "--step", "event", "--json", "--from", "8", "--to", "2"],
        ["diff", f"{match}@4", match],
        ["list"],
        ["list", "--json"],
    ]
    before = [terminal.done(*words).out for words in looks]
    explained = terminal.done("explain", f"{match}@9").out.splitlines()
    with SqliteLog(terminal.store) as log, served(log) as broker:
        player = Player(tmp_path / "public", broker)
        assert [player.done(*words) for words in looks] == before
        # The command itself stays on the server.
        assert player.done("explain", f"{match}@9").splitlines() == [
            line for line in explained if not line.startswith("Command of ")
        ]


def test_explain_does_not_offer_to_fork_what_a_fork_hides(match: str, red: Player) -> None:
    red.done("note", match, "a secret", "--seat", "red", "--private")
    fork = red.done("fork", match, "--seat", "red").strip()
    explained = red.done("explain", f"{fork}@6", "--seat", "public")

    assert f"wardiary fork {fork}" not in explained
    assert f"This came with the fork of match {match}: to change it, fork that match." in explained
    assert f"fork {match}" in red.done("explain", f"{match}@6", "--seat", "public")


def test_a_player_forks_what_the_seat_knows(match: str, blue: Player, red: Player) -> None:
    blue.done("choose", match, "1")
    fork = red.done("fork", match, "--seat", "red").strip()

    assert decode_plain(red.done("show", fork, "--json").encode())["table"]["parent"] == match  # type: ignore[index]


def test_take_back_goes_through_the_server(match: str, red: Player) -> None:
    red.done("choose", match, '{"do":"match:note","text":"hello"}')
    ran = red("undo", match)

    assert "hello" in red.done("log", match)
    # A note is no command of the game.
    assert (ran.code, ran.out) == (5, "")


def test_notes_of_a_seat_go_through_the_server(match: str, red: Player, blue: Player) -> None:
    red.done("note", match, "hello", "--seat", "red")
    red.done("note", match, "a bluff", "--seat", "red", "--private")
    forged = blue("note", match, "I lose", "--seat", "red")

    assert "Note by Red (Ada): hello" in blue.done("log", match, "--seat", "blue")
    assert "a bluff" in red.done("log", match, "--seat", "red")
    assert "a bluff" not in blue.done("log", match, "--seat", "blue")
    assert (forged.code, "secret" in forged.err) == (2, True)


def test_the_arbiter_rules_through_the_server(match: str, red: Player) -> None:
    refused = red("ruling", match, "red wins")
    red.done("ruling", match, "The roll stands.", "--rule", "2.reply", WARDIARY_OWNER=OWNER)

    assert (refused.code, "secret" in refused.err) == (2, True)
    assert "Ruling on 2.reply: The roll stands." in red.done("log", match)


def test_a_standing_answer_is_played_by_the_server(match: str, red: Player, blue: Player) -> None:
    red.done("answer", match, "reply", '{"do":"reply","contest":true}', "--seat", "red")
    assert "standing answer" not in blue.done("log", match, "--seat", "blue")

    blue.done("choose", match, "roll")
    assert "Dice for contest of red" in red.done("log", match)

    red.done("answer", match, "reply", "off", "--seat", "red")
    assert "withdraws the standing answer" in red.done("log", match, "--seat", "red")


def test_a_store_and_a_server_exclude_each_other(tmp_path: Path, match: str, red: Player, broker: Broker) -> None:
    ran = red("list", "--store", str(tmp_path / "other.db"), "--connect", broker.address)
    assert (ran.code, "exclude each other" in ran.err) == (2, True)

    # A typed store comes before the variable.
    ran = red("list", "--store", str(tmp_path / "other.db"))
    assert (ran.code, "no store" in ran.err) == (3, True)


def test_verbs_of_the_store_ignore_the_server(match: str, red: Player) -> None:
    assert red("import", f"{match}.ndjson").code == 3


def test_a_match_that_the_server_does_not_have(red: Player, broker: Broker) -> None:
    ran = red("show", "nothing")
    assert (ran.code, ran.err) == (2, "wardiary: no match of this server begins with 'nothing'\n")

    with client_of(broker) as client:
        opened = {client.open("skirmish").match for _ in range(3)}
    assert opened == {MatchId(line.split()[0]) for line in red.done("list").splitlines()[1:]}
    assert len(red.done("list", "--limit", "2").splitlines()) == 3


def test_a_server_that_does_not_answer_is_an_error_in_one_line(red: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.shell.remote.RetryPolicy", lambda **_: RetryPolicy(timeout_s=0.2, tries=1))
    ran = red("list", WARDIARY_CONNECT="tcp://127.0.0.1:1")

    assert (ran.code, ran.out, ran.err.count("\n")) == (3, "", 1)


def test_an_audit_names_the_seats_whose_players_know_nothing_of_links(red: Player, broker: Broker) -> None:
    """Blue plays by bare requests, as a client of plain ZeroMQ may; red's dice depend on the links that the command line opens for red."""
    match = MatchId(red.done("new", "skirmish", "--free-seats").strip())
    red.done("sit", match, "--seat", "red", "--name", "Ada")
    secret = "b" * 32
    with Raw(broker.address) as blue:
        assert isinstance(blue.ask(TakeRequest(match=match, seat=Seat("blue"), secret=secret, key="sit")), TakenReply)
        red.done("show", match)
        for number in range(6):
            asked = blue.ask(LegalRequest(match=match, seat=Seat("blue"), token=secret))
            assert isinstance(asked, LegalReply)
            if asked.to_move == "red":
                red.done("choose", match, "1")
                continue
            command = asked.options[0].command
            play = PlayRequest(match=match, seat=Seat("blue"), token=secret, command=command, key=f"{number}")
            assert isinstance(blue.ask(play), PlayedReply)
    said = red.done("audit", match, WARDIARY_OWNER=OWNER)

    assert (
        "The sealed dice depend on links of: red. Not, or not always, of blue: the host could foresee the dice there."
        in said
    )
    assert "is clean" in said
