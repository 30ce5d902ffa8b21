"""What the others agree to is taken back, over sockets and on a store."""

from pathlib import Path

import pytest

from server.broker.broker import Broker
from tests.cli.running import Player, Terminal
from tests.support.second_verifier import VERIFY
from tests.support.sitting import OWNER

ROLL, STAND = '{"do":"roll"}', '{"do":"reply","contest":false}'


@pytest.fixture
def ada(tmp_path: Path, broker: Broker) -> Player:
    return Player(tmp_path / "ada", broker)


@pytest.fixture
def ben(tmp_path: Path, broker: Broker) -> Player:
    return Player(tmp_path / "ben", broker)


def opened(ada: Player, ben: Player, *more: str) -> tuple[str, dict[str, Player]]:
    """Open a match with sealed dice and signing players; return it with who has which seat."""
    match = ada.done("new", "skirmish", "--free-seats", *more).strip()
    ada.done("sit", match, "--seat", "red", "--name", "Ada")
    ben.done("sit", match, "--seat", "blue", "--name", "Ben")
    return match, {"red": ada, "blue": ben}


def test_a_roll_is_taken_back_by_consent_with_sealed_dice_and_signatures(
    ada: Player, ben: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, seats = opened(ada, ben)
    ada("choose", match, "begin")
    (state,) = ada("legal", match, "--json").objects
    mover = str(state["seat"])
    other = "blue" if mover == "red" else "red"
    seats[mover].done("choose", match, ROLL)
    # The other one owes a link for the dice, which its own program opens when it decides.
    (due,) = seats[other]("legal", match, "--json").objects
    assert (due["link_due"], bool(due["options"])) == ("", True)
    seats[other].done("choose", match, STAND)
    asker = seats[mover]
    assert asker("undo", match, "--seat", mover).code == 5

    asked = asker.done("undo", match, "--ask", "--seat", mover)
    told = [seats[other].done(*verb) for verb in (("legal", match), ("show", match), ("list",))]
    agreed = seats[other].done("undo", match, "--agree")

    wish = f"{mover.capitalize()} asks {other.capitalize()} to agree that all after event"
    assert [one in text for one, text in zip((wish, wish, "asked to take back"), told, strict=True)] == [True] * 3
    assert "`undo --agree` or `undo --refuse`" in told[0]
    assert "asked to take back" not in seats[other].done("list")
    assert "to agree that all after event" in asked
    assert ", as agreed." in agreed
    (now,) = ada("legal", match, "--json").objects
    assert (now["decision"], now["seat"]) == (state["decision"], mover)
    asker.done("choose", match, ROLL)
    asker.done("undo", match, "--ask", "--seat", mover)
    assert "refuses" in seats[other].done("undo", match, "--refuse")
    assert seats[other]("undo", match, "--agree").code == 5
    asker.done("choose", match, "resign", "--seat", mover)
    file = str(ada.file.parent / "match.ndjson")
    assert ada("export", match, file, WARDIARY_OWNER=OWNER).code == 0
    assert ada("audit", file).code == 0
    monkeypatch.setattr("sys.argv", ["verify.py", file])
    assert VERIFY.main() == 0


def test_what_was_taken_back_through_a_server_is_put_back_by_the_next_verb(ada: Player, ben: Player) -> None:
    """Each verb is a process of its own; what they sent and signed is remembered beside the secrets of the seats."""
    match, seats = opened(ada, ben, "-o", "fog=on")
    ada("choose", match, "begin")
    (state,) = ada("legal", match, "--json").objects
    mover = str(state["seat"])
    seats[mover].done("choose", match, '{"do":"hide"}')
    seats[mover].done("undo", match)

    assert seats[mover].done("redo", match)
    assert seats[mover]("redo", match).code == 5


def test_a_match_that_does_not_allow_it_takes_nothing_back_by_consent(terminal: Terminal) -> None:
    for word, code in (("free", 0), ("no", 5)):
        match = terminal.done("new", "skirmish", "--dice", "seeded:1", "-o", "fog=on", "--take-back", word).out.strip()
        terminal.done("choose", match, '{"do":"hide"}')

        assert terminal("undo", match, "--ask").code == 5
        assert terminal("undo", match).code == code
    assert terminal("new", "skirmish", "--take-back", "maybe").code == 2
