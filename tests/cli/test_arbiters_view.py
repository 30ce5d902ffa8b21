"""Through a server the arbiter sees what a seat saw at a moment, under that seat's numbers."""

from pathlib import Path

import pytest

from server.broker.broker import Broker
from tests.cli.running import Player
from tests.support.sitting import OWNER


@pytest.fixture
def red(tmp_path: Path, broker: Broker) -> Player:
    return Player(tmp_path / "red", broker)


@pytest.fixture
def blue(tmp_path: Path, broker: Broker) -> Player:
    return Player(tmp_path / "blue", broker)


@pytest.fixture
def match(red: Player, blue: Player) -> str:
    """A match with hands, private notes of both, and a decision of red."""
    opened = red.done("new", "skirmish", "--dice", "seeded:2", "-o", "fog=on", "--free-seats").strip()
    red.done("sit", opened, "--seat", "red", "--name", "Ada")
    blue.done("sit", opened, "--seat", "blue", "--name", "Ben")
    red.done("note", opened, "mine", "--private")
    blue.done("note", opened, "mine, too", "--private")
    for player in (blue, red):
        player("choose", opened, '{"do":"hide"}')
        player("choose", opened, '{"do":"hide-at","place":"camp"}')
    return opened


@pytest.mark.parametrize(
    "words",
    [
        "show MATCH",
        "show MATCH@24",
        "log MATCH",
        "log MATCH --from 9 --to 24",
        "explain MATCH@24",
        "replay MATCH --step command",
        "diff MATCH@20 MATCH",
        "find MATCH --about camp",
        "show MATCH --statistics",
    ],
)
def test_the_arbiter_sees_what_a_seat_saw(match: str, red: Player, player: Player, words: str) -> None:
    typed = [*words.replace("MATCH", match).split(), "--seat", "red", "--json", "-q"]
    own = red(*typed)
    seen = player(*typed, WARDIARY_OWNER=OWNER)

    assert (own.code, own.err) == (0, "")
    if words.startswith("explain"):
        # The arbiter may fork anywhere.
        own, seen = (ran._replace(out=ran.out.partition('"fork"')[0]) for ran in (own, seen))
    if words.startswith("show") and "@" in words:
        assert '"mine, too"' not in seen.out
    assert (seen.code, seen.out) == (0, own.out)


def test_a_client_without_the_office_sees_no_seat(match: str, player: Player) -> None:
    assert player("show", match, "--seat", "red").code == 2


@pytest.mark.parametrize("seat", ["red", "blue"])
def test_the_arbiter_sees_the_options_that_a_seat_had(
    match: str, red: Player, blue: Player, player: Player, seat: str
) -> None:
    own = {"red": red, "blue": blue}[seat]
    count = len(own.done("log", match, "--seat", seat, "--json").splitlines())
    had = 0
    for number in range(count - 12, count + 1):
        typed = ["legal", f"{match}@{number}", "--seat", seat, "--json"]
        theirs, seen = own(*typed), player(*typed, WARDIARY_OWNER=OWNER)
        shown = theirs.out.replace(_withdraw(theirs.out), "") if theirs.out else ""

        assert (seen.code, seen.out.replace(_withdraw(seen.out), "") if seen.out else "") == (theirs.code, shown)
        had += theirs.code == 0

    assert had > 1


def _withdraw(out: str) -> str:
    return out[out.index('"undo_to"') :]


def test_everybody_is_told_once_which_view_was_looked_at(match: str, red: Player, blue: Player, player: Player) -> None:
    for _ in range(2):
        player.done("show", f"{match}@9", "--seat", "red", WARDIARY_OWNER=OWNER)
    told = "The operator looks at the match as Red saw it after event 9."
    logs = [one.done("log", match, "--seat", seat) for one, seat in ((red, "red"), (blue, "blue"))]

    assert [log.count(told) for log in logs] == [1, 1]
    assert player("audit", match, WARDIARY_OWNER=OWNER).code == 0


def test_a_search_is_on_record_in_the_matches_of_which_it_shows_something(match: str, player: Player) -> None:
    def search(about: str) -> int:
        player("find", match, "--about", about, "--seat", "red", WARDIARY_OWNER=OWNER)
        return player.done("log", match).count("as Red saw it")

    assert [search("Nowhere"), search("camp"), search("camp")] == [0, 1, 2]
