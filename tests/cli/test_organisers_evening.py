"""An organiser's evening over sockets: four matches, eight seats, one player replaced, one dispute, one award, all audited and archived."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from server.broker.broker import Broker
from tests.cli.running import Player
from tests.support.sitting import OWNER

MATCHES: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "advance": ((), ("german",)),
    "battle": ((), ("russian", "german")),
    "inferno": (("--mode", "two_vs_one"), ("yellow", "blue", "soviet")),
    "axis-allies": ((), ("axis", "allies")),
}
"""The games, with the settings of their matches and the seats."""


def play_on(match: str, players: Mapping[tuple[str, str], Player], commands: int) -> None:
    """Let the players of a match play the first option, each at their own terminal."""
    anybody = next(player for (of, _), player in players.items() if of == match)
    for _ in range(commands):
        (listed,) = [one for one in anybody("list", "--json").objects if one["match"] == match]
        mover = str(listed["to_move"])
        player = players[match, mover]
        player.done("choose", match, "1", "--seat", mover, "-q")


def test_an_evening_needs_neither_the_machine_nor_the_file_of_the_server(tmp_path: Path, broker: Broker) -> None:
    operator, olga = Player(tmp_path / "operator", broker), Player(tmp_path / "olga", broker)
    capability = operator.line("arbiters", "--add", "Olga", WARDIARY_OWNER=OWNER)

    # Eight seats are handed out, each by an invitation that only its player has.
    matches: dict[str, str] = {}
    players: dict[tuple[str, str], Player] = {}
    for game, (settings, seats) in MATCHES.items():
        match = matches[game] = olga.line("new", game, *settings, "--dice", "seeded:7", "--free-seats")
        olga.done("sit", match, "--seat", "arbiter", *(() if len(matches) > 1 else ("--token", capability)))
        told = ""
        for seat in seats:
            player = players[match, seat] = Player(tmp_path / f"{game}-{seat}", broker)
            invitation = olga.line("invite", match, "--seat", seat, "--name", f"{seat} of {game}")
            told = player.done("sit", match, "--seat", seat, "--name", f"{seat} of {game}", "--token", invitation)
        assert "play has begun" in told
    assert len(players) == 8
    for match in matches.values():
        play_on(match, players, 2)

    # One player has vanished, and another one sits down.
    battle = matches["battle"]
    olga.done("pause", battle, "--reason", "The Russian player is gone.")
    gone = players[battle, "russian"]
    invitation = olga.line("replace", battle, "--seat", "russian", "--name", "Cleo", "--reason", "She did not return.")
    cleo = players[battle, "russian"] = Player(tmp_path / "cleo", broker)
    cleo.done("sit", battle, "--seat", "russian", "--name", "Cleo", "--token", invitation)
    olga.done("resume", battle)
    assert gone("note", battle, "Back!", "--seat", "russian").code == 2
    play_on(battle, players, 2)

    # One dispute: a fork shows the alternative, and a ruling settles it.
    inferno = matches["inferno"]
    before = len(olga("log", inferno, "--seat", "arbiter", "-v", "--json").objects)
    play_on(inferno, players, 1)
    fork = olga.line("fork", f"{inferno}@{before}", "--seat", "arbiter", "--dice", "fresh")
    # The alternative is the arbiter's, who has the office in it too.
    assert "Arbiter: Olga" in olga.done("show", fork, "--seat", "arbiter")
    # Nobody else may have its seats, which show what is hidden in the match; the arbiter tries every one of them.
    seat = str(next(one["to_move"] for one in olga("list", "--json").objects if one["match"] == fork))
    eve = Player(tmp_path / "eve", broker)
    assert eve("sit", fork, "--seat", seat, "--name", "Eve").code == 5
    assert eve("show", fork, "--seat", seat).code == 2
    assert "To decide" in olga.done("legal", fork)
    olga.done("choose", fork, "1", "-q")
    assert olga("diff", f"{inferno}@{before}", fork, "--seat", "arbiter").code == 0
    olga.done("ruling", inferno, "The move stands.", "--rule", "match.undo")
    assert "Ruling on match.undo: The move stands." in olga.done("log", inferno)

    # One match is awarded.
    axis = matches["axis-allies"]
    olga.done("award", axis, "--to", "axis", "--reason", "The Allies did not come.")
    assert "won by Axis (axis of axis-allies). The Allies did not come." in " ".join(olga.done("show", axis).split())

    # All is audited and archived, and the archives are audited on their own.
    audited = olga("audit", "--all")
    assert audited.code == 0, audited.err
    assert audited.out.count("is clean") == 5
    for game, match in matches.items():
        file = str(tmp_path / f"{game}.ndjson.zst")
        assert olga("export", match, file).code == 0
        assert f"Match {match} is clean" in olga.done("audit", file)
    assert not list(tmp_path.rglob("*.db"))
