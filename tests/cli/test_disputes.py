"""Disputes by the verbs of the command line, over sockets: the organiser rules, and everybody follows to the match as which it goes on."""

from pathlib import Path

import pytest

from server.broker.broker import Broker
from tests.cli.running import Player
from tests.support.second_verifier import VERIFY
from tests.support.sitting import OWNER


class Evening:
    """A match of two players with an arbiter, each at a terminal of their own.

    Args:
        folder: Where the secrets of all are.
        broker: The server.
        more: Of the match.
    """

    def __init__(self, folder: Path, broker: Broker, *more: str) -> None:
        operator = Player(folder / "operator", broker)
        self.olga, self.ada, self.ben = (Player(folder / name, broker) for name in ("olga", "ada", "ben"))
        self.capability = operator.line("arbiters", "--add", "Olga", WARDIARY_OWNER=OWNER)
        self.match = self.olga.line("new", "skirmish", "--free-seats", *(more or ("--dice", "seeded:7")))
        self.olga.done("sit", self.match, "--seat", "arbiter", "--token", self.capability)
        for seat, name, player in (("red", "Ada", self.ada), ("blue", "Ben", self.ben)):
            invitation = self.olga.line("invite", self.match, "--seat", seat, "--name", name)
            player.done("sit", self.match, "--seat", seat, "--name", name, "--token", invitation)
        self.last = len(self.olga("log", self.match, "-v", "--json").objects)

    def fork(self) -> str:
        """Return a fork that the arbiter has made at the beginning of play."""
        return self.olga.line("fork", f"{self.match}@{self.last}", "--seat", "arbiter")

    def rule(self, *arguments: str) -> str:
        """Rule on the dispute, and return what is told beside the result."""
        ran = self.olga("ruling", self.match, "So be it.", "--at", str(self.last), *arguments)
        assert ran.code == 0, ran.err
        return ran.err


@pytest.fixture
def evening(tmp_path: Path, broker: Broker) -> Evening:
    return Evening(tmp_path, broker)


def test_all_follow_to_the_match_as_which_a_disputed_one_goes_on(evening: Evening) -> None:
    match, at = evening.match, str(evening.last)
    evening.ada.done("dispute", match, "Out of range.", "--at", at)
    assert "disputed" in evening.ben.done("list")
    first, second = evening.fork(), evening.fork()

    assert f"in {first} the players have their seats: red and blue" in evening.rule(
        "--effect", "go-on", "--line", first
    )

    # Who asks what is legal in the disputed match is led on, and has the seat there.
    led = evening.ada("legal", match)
    assert (led.code, f"goes on as {first} by a ruling" in led.err) == (0, True)
    assert evening.ada.done("sit", first, "--seat", "red") == f"{first}: you play red\n"
    study = evening.olga.line("study", "open", first, "How it went on", "--seat", "arbiter")
    evening.olga.done("study", "comment", f"{study}@2", "As I see it.")
    refused = evening.ben("choose", match, "1")
    assert (refused.code, f"goes on as {first} by a ruling" in refused.err) == (5, True)
    for player in (evening.ada, evening.ben):
        player.done("legal", first)
    mover = str(evening.ada("legal", first, "--json").objects[0]["seat"])
    {"red": evening.ada, "blue": evening.ben}[mover].done("choose", first, "1", "--seat", mover)

    evening.ben.done("appeal", match, "The errata.", "--at", at)
    told = evening.rule("--effect", "go-on", "--line", second, "--reverse", "--house", "Guns")

    assert f"{first} goes on as {second}, too" in told
    assert f"goes on as {second}" in evening.ben.done("show", match)
    for player in (evening.ada, evening.ben):
        assert f"goes on as {second} by a ruling" in player("legal", first).err
    (seated,) = [one["players"] for one in evening.ada("list", "--json").objects if one["match"] == second]
    assert seated == {"red": "Ada", "blue": "Ben"}
    assert evening.olga("audit", "--all").code == 0


def test_all_follow_to_a_fork_from_before_play_began(evening: Evening) -> None:
    """Such a fork leaves the seats as they were. One that was taken with an invitation cannot be cut there."""
    within = f"{evening.match}@{evening.last - 1}"
    refused = evening.olga("fork", within, "--seat", "arbiter")
    assert (refused.code, "with an invitation that was used" in refused.err) == (5, True), refused.err
    match = evening.match = evening.olga.line("new", "skirmish", "--dice", "seeded:7", "--free-seats")
    evening.olga.done("sit", match, "--seat", "arbiter", "--token", evening.capability)
    evening.ada.done("sit", match, "--seat", "red", "--name", "Ada")
    evening.ben.done("sit", match, "--seat", "blue", "--name", "Ben")
    evening.last = len(evening.olga("log", match, "-v", "--json").objects)
    evening.ada.done("dispute", match, "The set-up.", "--at", str(evening.last))
    line = evening.olga.line("fork", f"{match}@{evening.last - 1}", "--seat", "arbiter")

    assert f"in {line} the players have their seats: red and blue" in evening.rule("--effect", "go-on", "--line", line)
    for player, seat in ((evening.ada, "red"), (evening.ben, "blue")):
        led = player("legal", match)
        assert (led.code, f"goes on as {line} by a ruling" in led.err) == (0, True), led.err
        player.done("show", line, "--seat", seat)


def test_what_is_hidden_stays_hidden_where_a_match_goes_on(
    tmp_path: Path, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match as which it goes on hides the same, so that the end by a ruling discloses nothing until that one is over."""
    evening = Evening(tmp_path, broker, "--dice", "sealed", "-o", "fog=on")
    match, players = evening.match, {"red": evening.ada, "blue": evening.ben}
    for player in players.values():
        player.done("legal", match)
    mover = str(evening.ada("legal", match, "--json").objects[0]["seat"])
    (other,) = players.keys() - {mover}
    players[mover].done("choose", match, '{"do":"hide"}')
    study = players[mover].line("study", "open", match, "Mine", "--seat", mover)
    seen = len(players[other]("log", match, "--seat", other, "--json", "-v").objects)
    evening.olga.done("dispute", match, "It was seen.", "--at", str(evening.last), "--seat", "arbiter")
    line = evening.olga.line("fork", match, "--seat", "arbiter")
    evening.rule("--effect", "go-on", "--line", line)

    forked = players[other]("fork", f"{match}@{seen}", "--seat", other, "--hidden", "truth")
    assert (forked.code, "only the arbiter may keep it" in forked.err) == (5, True), forked.err
    assert players[other]("study", "show", study).code == 2
    assert players[other]("find", match, "--kind", "seed-revealed", "--json").objects == []
    assert evening.olga("audit", match).code == 0
    evening.olga.done("annul", line, "--reason", "Tried out.")
    players[other].done("study", "show", study)
    archive = str(tmp_path / "match.ndjson")
    assert evening.olga("export", match, archive).code == 0
    monkeypatch.setattr("sys.argv", ["verify.py", archive])
    assert VERIFY.main() == 0


def test_a_match_goes_on_as_an_edited_table(evening: Evening, tmp_path: Path) -> None:
    match, at, file = evening.match, str(evening.last), str(tmp_path / "edited.toml")
    evening.olga.done("dispute", match, "A unit lay in the wrong place.", "--at", at, "--seat", "arbiter")
    assert evening.olga("position", "save", match, file, "--seat", "arbiter").code == 0
    edited = evening.olga.line("new", "skirmish", "--position", file, "--free-seats", "--dice", "seeded:8")

    assert f"in {edited} the players have their seats: red and blue" in evening.rule(
        "--effect", "edit", "--line", edited
    )
    for player in (evening.ada, evening.ben):
        assert f"goes on as {edited} by a ruling" in player("legal", match).err
    mover = str(evening.ada("legal", edited, "--json").objects[0]["seat"])
    {"red": evening.ada, "blue": evening.ben}[mover].done("choose", edited, "1", "--seat", mover)
    assert evening.olga("audit", "--all").code == 0


def test_a_match_that_is_over_or_another_one_is_not_how_it_goes_on(evening: Evening) -> None:
    dead = evening.fork()
    evening.olga.done("annul", dead, "--reason", "Tried out.")
    evening.ada.done("dispute", evening.match, "Out of range.", "--at", str(evening.last))
    arguments = ("ruling", evening.match, "So be it.", "--at", str(evening.last), "--effect")

    for effect, said in (
        ("go-on", f"{dead} is over (Annulled)"),
        ("edit", f"{dead} was not opened with an edited table"),
    ):
        refused = evening.olga(*arguments, effect, "--line", dead)
        assert (refused.code, said in refused.err) == (2, True), refused.err


def test_a_house_rule_is_that_of_a_ruling_that_holds(evening: Evening) -> None:
    match, at = evening.match, evening.last
    evening.ada.done("dispute", match, "Out of range.", "--at", str(at))
    evening.rule("--effect", "stand", "--house", "Guns")
    evening.ben.done("appeal", match, "The errata.", "--at", str(at))
    evening.rule("--effect", "stand", "--reverse", "--house", "Guns")
    ruled = [one["seq"] for one in evening.ada("find", match, "--kind", "ruling-made", "--json").objects]
    assert len(ruled) == 2
    reversed_, holds = (f"{match}@{number}" for number in ruled)

    for rules, said in (
        ((reversed_,), f"the ruling with event {ruled[0]} was reversed with event {ruled[1]}"),
        ((f"{match}@{at}",), "is no house rule"),
        ((f"{match}@9999",), "is no house rule"),
        ((holds, "Guns=Other."), "the house rule 'Guns' is given twice"),
        (("Guns=",), "the house rule 'Guns' has a text of 1 to"),
        (("=Text",), "a house rule has a name"),
    ):
        refused = evening.ada("new", "skirmish", *[word for rule in rules for word in ("--house-rule", rule)])
        assert (refused.code, said in refused.err) == (2, True), refused.err
    other = evening.ada("new", "battle", "--house-rule", holds)
    assert (other.code, "is of a match of skirmish, not of battle" in other.err) == (2, True), other.err
    assert "House rule Guns: So be it." in evening.ada.done(
        "show", evening.ada.line("new", "skirmish", "--free-seats", "--house-rule", holds)
    )
