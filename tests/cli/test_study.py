"""The verb `study`: what is said of a match beside it, on a store and through a server, who may read it, and what is wrong in one line."""

import re
import sqlite3
from pathlib import Path

import pytest

from events.ids import MatchId
from server.broker.broker import Broker
from server.store.sqlite_log import SqliteLog
from tests.cli.running import Player, Ran, Terminal

MOVES = 26
"""Commands until the decks are formed, whose order is secret."""

BY = ("--name", "Ada")


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("WARDIARY_SEATS", str(tmp_path / "seats.json"))
    return Terminal(tmp_path / "store.db")


@pytest.fixture
def match(terminal: Terminal) -> str:
    """A running match without hidden things."""
    match = terminal.line("new", "skirmish", "--dice", "seeded:2")
    for _ in range(3):
        terminal.done("choose", match, "1")
    return match


@pytest.fixture
def study(terminal: Terminal, match: str) -> str:
    return terminal.line("study", "open", match, "How it began", *BY)


def shown(terminal: Terminal, study: str) -> list[str]:
    return terminal.done("study", "show", study).out.splitlines()


def test_a_study_has_comments_marks_lines_and_chapters_and_touches_no_match(
    terminal: Terminal, match: str, study: str
) -> None:
    before = terminal.done("log", match, "-v").out
    fork = terminal.line("fork", f"{match}@6", "--dice", "seeded:9")
    terminal.done("choose", fork, "2")
    for words in (
        ("comment", f"{study}@7", "Too early:\nwait.", "--mark", "?!"),
        ("mark", f"{study}@9", "!"),
        ("line", study, "Wait first", "--fork", fork),
        ("chapter", f"{study}@1", "Before play"),
        ("chapter", f"{study}@7", "Play"),
        ("order", study, "6,5"),
    ):
        terminal.done("study", *words, *BY)
    (json,) = terminal.done("study", "show", study[:-3], "--seat", "public", "--json").objects
    (listed,) = terminal.done("study", "list", match, "--json").objects

    assert terminal.done("log", match, "-v").out == before
    found = json["study"]
    assert isinstance(found, dict)
    assert [(one["at"], one["mark"], one["text"]) for one in found["comments"]] == [
        (7, "?!", "Too early:\nwait."), (9, "!", ""),
    ]  # fmt: skip
    assert [(one["title"], one["at"]) for one in found["chapters"]] == [("Play", 7), ("Before play", 1)]
    (line,) = found["lines"]
    told = json["lines"][0]  # type: ignore[index]
    assert (line["match"], line["name"], line["at"]) == (fork, "Wait first", told["first"]["number"] - 1)
    assert told["first"]["played"] != told["first"]["instead"] != ""
    assert [(one["comments"], one["lines"], one["chapters"]) for one in listed["studies"]] == [(2, 1, 2)]  # type: ignore[attr-defined]
    lines = shown(terminal, study)
    assert any("Ada (key " in line and "?! Too early" in line for line in lines), lines


def test_what_is_withdrawn_is_not_shown_and_stays_in_the_stream(terminal: Terminal, match: str, study: str) -> None:
    terminal.done("study", "comment", f"{study}@7", "a blunder of mine", *BY)
    terminal.done("study", "withdraw", study, "2", *BY)
    with SqliteLog(terminal.store) as log:
        kept = [bytes(body) for one in log.studies(MatchId(match)) for body in log.study(MatchId(match), one)]

    assert "blunder" not in terminal.done("study", "show", study).out
    assert (len(kept), b"blunder" in kept[1]) == (3, True)
    terminal.done("study", "withdraw", study, "1", *BY)
    assert shown(terminal, study) == [f"{study}: this study was withdrawn by its author."]
    assert terminal.done("study", "list", match).out == ""
    assert "was withdrawn" in terminal("study", "comment", f"{study}@7", "once more", *BY).err


WRONG = [
    (("comment", "STUDY@99", "so"), 2, "there is no event 99; the last is"),
    (("comment", "STUDY@0", "so"), 2, "there is no event 0; the last is"),
    (("comment", "STUDY", "so"), 2, "is about an event"),
    (("comment", "STUDY@7", ""), 2, "a text, a mark, or both"),
    (("comment", "STUDY@7", "x" * 4_001), 2, "4000 characters at most, not 4001"),
    (("comment", "STUDY@7", "a\x1b[2Jb"), 2, "control characters"),
    (("comment", "STUDY@7", "a\u202eb"), 2, "turn the direction"),
    (("comment", "STUDY@7", "so", "--mark", "!!!"), 2, "'!!!'"),
    (("chapter", "STUDY@7", "two\nlines"), 2, "on one line"),
    (("chapter", "STUDY@7", "x" * 121), 2, "120 characters at most"),
    (("line", "STUDY@7", "x"), 2, "--fork"),
    (("line", "STUDY@7", "x", "--fork", "MATCH"), 5, "is not a fork of match"),
    (("line", "STUDY@7", "x", "--fork", "OTHER"), 5, "is not a fork of match"),
    (("order", "STUDY", "1,2"), 2, "there are: none"),
    (("order", "STUDY", "a"), 2, "numbers of entries"),
    (("withdraw", "STUDY", "9"), 2, "no entry 9 to withdraw"),
    (("show", "MATCH/zzzzzzzz"), 2, "has no study 'zzzzzzzz'"),
    (("show", "MATCH"), 2, "write MATCH/STUDY"),
    (("show", "nowhere/zzzzzzzz"), 2, "no match"),
    (("shout", "STUDY"), 2, "did you mean show"),
    (("open", "MATCH", ""), 2, "has a title"),
]


@pytest.mark.parametrize(("words", "code", "said"), WRONG)
def test_what_is_wrong_with_an_entry_is_one_line(
    terminal: Terminal, match: str, study: str, words: tuple[str, ...], code: int, said: str
) -> None:
    other = terminal.line("new", "skirmish", "--dice", "seeded:2") if "OTHER" in words else ""
    typed = [word.replace("STUDY", study).replace("MATCH", match).replace("OTHER", other) for word in words]
    writes = words[0] not in ("show", "shout")
    ran = terminal("study", *typed, *(BY if writes else ()))

    assert (ran.code, ran.err.count("\n"), said in ran.err) == (code, 1, True), ran.err


def test_a_changed_study_is_broken_evidence_and_the_others_are_listed(
    terminal: Terminal, match: str, study: str, tmp_path: Path
) -> None:
    terminal.done("study", "open", match, "Another one", *BY)
    database = sqlite3.connect(terminal.store)
    database.execute("DROP TRIGGER studies_stay")
    database.execute(
        "UPDATE studies SET body = CAST(replace(CAST(body AS TEXT), 'How it', 'Why it') AS BLOB) WHERE number = 1"
    )
    database.commit()
    database.close()
    ran = terminal("study", "show", study)

    assert (ran.code, "entry 1: its signature is not that of its key" in ran.err) == (4, True), ran.err
    assert "Another one" in terminal.done("study", "list", match).out
    database = sqlite3.connect(terminal.store)
    database.execute("DROP TRIGGER commits_stay")
    database.execute("UPDATE commits SET body = x'7b7d' WHERE number = 2")
    database.commit()
    database.close()
    gone = terminal("study", "list", match)

    assert (gone.code, gone.err.count("\n"), f"match {match}, event 2" in gone.err) == (4, 1, True), gone.err


def test_options_that_were_tried_are_kept_in_a_study(terminal: Terminal, tmp_path: Path) -> None:
    match = terminal.line("new", "skirmish", "--dice", "seeded:3")
    terminal("choose", match, "-", typed="1\n1\n")
    (now,) = terminal.done("legal", match, "--seat", "arbiter", "--json").objects
    at, asked = now["seq"], ("--options", "1,2", "--times", "2", "--policy", "random", "--jobs", "1")
    terminal.done("choose", match, "2")
    study = terminal.line("study", "open", match, "What if", "--seat", "arbiter", *BY)
    out = terminal.done("try", f"{study}@{at}", *asked, *BY).out
    (json,) = terminal.done("study", "show", study, "--json").objects
    (tried,) = json["study"]["trials"]  # type: ignore[index]
    shown = terminal.done("study", "show", study).out
    file, again = tmp_path / "one.wdn", tmp_path / "two.wdn"

    assert f"{study}: entry 2" in out
    assert (tried["at"], tried["times"], tried["policy"], len(tried["options"])) == (at, 2, "random", 2)
    assert [one.get("was_played", False) for one in tried["options"]] == [False, True]
    assert "[2] Ada (arbiter, key " in shown
    assert "2 trials of each option, in which random played on to the end (seed 0)" in shown
    assert shown.count(" [played]") == 1
    for words, code, said in (
        ((f"{study}@{at}", "--until", "step", *BY), 2, "a study keeps how often options win"),
        ((study, *BY), 2, "options are tried at an event"),
        ((f"{match}@{at}", *BY), 2, "--name says who writes in a study"),
        ((f"{study}@{at}", *asked), 2, "say who writes with --name"),
        ((f"{study}@9999", *asked, *BY), 2, "there is no event 9999"),
    ):
        ran = terminal("try", *words)

        assert (ran.code, said in ran.err, ran.err.count("\n")) == (code, True, 1), ran.err
    terminal.done("export", study, "--notation", str(file))
    terminal.done("export", terminal.done("import", str(file)).out.splitlines()[-1], "--notation", str(again))
    assert "wins when random played on" in file.read_text()
    assert told(again.read_text()) == told(file.read_text())


def test_a_stranger_verifies_a_study_in_a_file_and_what_was_changed_is_found(
    terminal: Terminal, match: str, study: str, tmp_path: Path
) -> None:
    terminal.done("study", "comment", f"{study}@7", "too early", "--seat", "red", *BY)
    file, changed = tmp_path / "study.ndjson", tmp_path / "changed.ndjson"
    assert "2 entries to" in terminal.done("export", study, str(file)).out
    stranger, whole = Terminal(tmp_path / "no-store.db"), file.read_text()
    first, second = whole.splitlines()
    (checked,) = stranger.done("verify", str(file), "--json").objects
    key = checked["writers"][1]["key"]  # type: ignore[index]

    assert (checked["study"], checked["entries"], checked["signed"]) == (study.partition("/")[2], 2, 2)
    assert f"Ada (red): 1 entry, signed with the key {key}" in stranger.done("verify", str(file)).out
    assert stranger("verify", str(file), "--player", f"red={key}").code == 0
    unsigned = re.sub(r'"key":"[0-9a-f]+","signature":"[^"]+",', "", second)
    for text, more, code, said in (
        (whole.replace("too early", "too late"), (), 4, "entry 2: its signature is not that of its key"),
        (f"{second}\n", (), 4, "entry 1: it does not follow"),
        (f"{first}\n{second[:-9]}", (), 4, "entry 2: "),
        (first[:40], (), 3, "line 1 is not an entry of a study"),
        (whole, ("--player", f"red={'0' * 64}"), 4, f"signed with the key {key}, which you did not name"),
        (whole, ("--player", f"blue={key}"), 2, "blue, which wrote nothing"),
        (f"{first}\n{unsigned}", ("--player", f"red={key}"), 4, "red did not sign 1 entry"),
        (whole, ("--key", "x"), 2, "it takes --player"),
    ):
        changed.write_text(text)
        ran = stranger("verify", str(changed), *more)

        assert (ran.code, said in ran.err, ran.err.count("\n")) == (code, True, 1), ran.err


def test_an_audit_looks_at_studies_too(terminal: Terminal, match: str, study: str) -> None:
    assert f"Study {study} holds: 1 entry, 1 signed." in terminal.done("audit", match).out
    database = sqlite3.connect(terminal.store)
    database.execute("DROP TRIGGER studies_stay")
    database.execute("UPDATE studies SET body = CAST(replace(CAST(body AS TEXT), 'Ada', 'Eve') AS BLOB)")
    database.commit()
    database.close()
    for what in ((match,), ("--all",)):
        ran = terminal("audit", *what)

        assert (ran.code, f"{study}, entry 1: its signature" in ran.err) == (4, True), ran.err
        assert f"Match {match} is clean" in ran.out


def refusal(ran: Ran) -> tuple[int, bool]:
    return ran.code, "has no study" in ran.err


@pytest.fixture
def players(tmp_path: Path, broker: Broker) -> tuple[Player, Player, Player]:
    return Player(tmp_path / "ann", broker), Player(tmp_path / "ben", broker), Player(tmp_path / "eve", broker)


def test_through_a_server_a_seats_study_is_its_own_until_the_match_is_over(
    players: tuple[Player, Player, Player],
) -> None:
    ann, ben, eve = players
    match = ann.line("new", "skirmish", "--dice", "seeded:2", "--free-seats")
    ann.done("sit", match, "--seat", "blue", "--name", "Ann")
    ben("sit", match, "--seat", "red", "--name", "Ben")
    own = ann.line("study", "open", match, "My plan", "--seat", "blue")
    free = eve.line("study", "open", match, "For all to read", "--name", "Eve")
    ann.done("study", "comment", f"{own}@2", "I will wait")
    ben.done("study", "comment", f"{free}@2", "Thank you")

    assert "Ann (blue, key " in ann.done("study", "show", own)
    assert "Ben (red, key " in eve.done("study", "show", free)
    for other in (ben, eve):
        assert refusal(other("study", "show", own)) == (2, True)
        assert own not in other.done("study", "list", match)
        assert refusal(other("study", "comment", f"{own}@2", "so", "--name", "X")) == (2, True)
    assert "is withdrawn by who wrote it" in ben("study", "withdraw", free, "1").err
    eve.done("study", "withdraw", free, "2", "--name", "Eve")
    ann("choose", match, '{"do":"match:resign"}', "--seat", "blue")
    assert "I will wait" in eve.done("study", "show", own)
    file = str(ann.file.parent / "own.ndjson")
    assert "2 entries to" in eve.done("export", own, file)
    assert "Ann (blue): 2 entries, signed with the key" in eve.done("verify", file)


def stored_in(terminal: Terminal) -> list[tuple[object, object]]:
    """Return the matches of the store, and how many events each has."""
    return [(one["match"], one["seq"]) for one in terminal.done("list", "--json").objects]


def told(text: str) -> list[str]:
    """Return the lines of a notation without those that name the match and the day."""
    return [line for line in text.splitlines() if not line.startswith(("[Match ", "[Date "))]


def test_a_study_comes_back_from_its_notation(terminal: Terminal, match: str, study: str, tmp_path: Path) -> None:
    fork, other = (terminal.line("fork", f"{match}@6", "--dice", f"seeded:{seed}") for seed in (9, 8))
    terminal.done("choose", fork, "2")
    terminal.done("choose", other, "2")
    terminal.done("note", match, "?! hasty", "--seat", "red", "--at", "7")
    for words, name in (
        (("comment", f"{study}@7", "{Braces} and \\ and\ntwo lines: \u05d0", "--mark", "?!"), 'A "B" {c}: d'),
        (("mark", f"{study}@1", "!"), "Ada"),
        (("comment", f"{study}@9", "@#= all signs"), "Bea"),
        (("comment", f"{study}@9", "and another", "--mark", "??"), "Ada"),
        (("chapter", f"{study}@1", "First: one"), "Ada"),
        (("chapter", f"{study}@9", "Second"), "Ada"),
        (("order", study, "7,6"), "Ada"),
        (("line", f"{study}@6", "What if: waiting", "--fork", fork), "Ada"),
    ):
        terminal.done("study", *words, "--name", name)
    file, again = tmp_path / "one.wdn", tmp_path / "two.wdn"
    terminal.done("export", study, "--notation", str(file))
    imported, line, named = terminal.done("import", str(file)).out.splitlines()
    terminal.done("export", named, "--notation", str(again))
    (shown_first,) = terminal.done("study", "show", study, "--json").objects
    (shown_again,) = terminal.done("study", "show", named, "--json").objects

    assert told(again.read_text()) == told(file.read_text())
    assert '{@"A \\\\"B\\\\" {c\\}: d"' in file.read_text(), file.read_text()
    parts = [
        [(one["author"]["name"], one["mark"], one["text"]) for one in shown["study"]["comments"]]  # type: ignore[index]
        for shown in (shown_first, shown_again)
    ]
    assert sorted(parts[0]) == sorted(parts[1])
    assert named.startswith(f"{imported}/")
    assert [one["name"] for one in shown_again["study"]["lines"]] == ["What if: waiting"]  # type: ignore[index]
    assert [one["match"] for one in shown_again["study"]["lines"]] == [line]  # type: ignore[index]
    assert other not in file.read_text()


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("{@Eve: so}", 'a study says {@"NAME": text}'),
        ('{@"Eve" !!!: so}', "a study says"),
        ('{@"": so}', "who writes has a name"),
        ('{@"Eve": a\\u202eb}', "turn the direction"),
        ("{#x so}", "{#1 title}"),
    ],
)
def test_what_is_wrong_with_a_study_in_a_notation_is_told_with_its_line(
    terminal: Terminal, study: str, tmp_path: Path, said: str, problem: str
) -> None:
    file = tmp_path / "study.wdn"
    terminal.done("study", "comment", f"{study}@7", "here", *BY)
    terminal.done("export", study, "--notation", str(file))
    lines = file.read_text().splitlines()
    (at,) = [number for number, line in enumerate(lines, start=1) if "here" in line]
    lines[at - 1] = said
    file.write_text("\n".join([*lines, ""]))
    before = stored_in(terminal)
    ran = terminal("import", str(file))

    assert (ran.code, f"line {at}: " in ran.err, problem in ran.err) == (2, True, True), ran.err
    assert stored_in(terminal) == before


def test_a_line_is_played_from_its_orders_all_or_nothing(terminal: Terminal, tmp_path: Path) -> None:
    match = terminal.line("new", "battle", "--dice", "seeded:3")
    for _ in range(4):
        terminal.done("choose", match, "1")
    study = terminal.line("study", "open", match, "Elsewhere", "--seat", "arbiter", *BY)
    whole = terminal.done("export", match, "--notation", "-").out
    orders = [line.strip() for line in whole.splitlines() if line.startswith("  ")]
    (last,) = [one["seq"] for one in terminal.done("list", "--json").objects]
    file = tmp_path / "orders.txt"
    at = next(
        number
        for number in range(int(str(last)), 0, -1)
        if terminal("fork", f"{match}@{number}", "--dice", "manual").code == 0
    )
    (legal,) = terminal.done("legal", f"{match}@{at}", "--json").objects
    stored = stored_in(terminal)
    option = legal["options"][1]["command"]  # type: ignore[index]
    word, *arguments = option.values()
    order = " ".join([word, *map(str, arguments)])
    for text, code, problem in (
        (f"# {order}", 2, "line 1: "),
        ("", 2, "there is no order here"),
        (f"{order}\n{order}", 5, "line 2: "),
        (f"{orders[-1].partition(' ')[0]} march-off", 2, "line 1: "),
    ):
        file.write_text(text)
        ran = terminal("study", "line", f"{study}@{at}", "Another way", "--orders", str(file), *BY)

        assert (ran.code, problem in ran.err, ran.err.count("\n")) == (code, True, 1), ran.err
    assert stored_in(terminal) == stored
    file.write_text(order)
    terminal.done("study", "line", f"{study}@{at}", "Another way", "--orders", str(file), *BY)
    (shown,) = terminal.done("study", "show", study, "--json").objects
    line = shown["lines"][0]  # type: ignore[index]

    assert (line["name"], line["first"]["number"] > at) == ("Another way", True)
    assert "is clean" in terminal.done("audit", line["match"]).out
