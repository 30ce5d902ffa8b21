"""What a game calls final is what cannot be taken back, measured in random play."""

import random
from collections import Counter

import pytest

from core.engine.command import Command
from core.engine.selection import Pick, Unpick
from core.games.inferno.ids import SOVIET_SEAT, hand
from core.games.inferno.rules.commands import HastyAttack, SovietAttack
from core.match.bound_games import bound_game
from core.match.undo import undoable
from events.codec import encode, tag_of
from events.ids import MatchId
from tests.bench.our_play import accept, begun
from tests.support.soak import sampled

FEW = 5
"""Questions and commands that are met less often prove nothing."""
COMMANDS = 600
"""How many commands of a match are looked at, at most."""

BY_TABLE = {
    ("supply", "done"),
    ("act", "declare-attack"),
    ("action", "hasty-attack"),
    ("soviet_action", "soviet-attack"),
    ("soviet_movement", "soviet-attack"),
}
"""What is final on some tables only: in *Advance to the Volga* purchases that Bloody Streets follow, and attacks on units that are not Revealed; in
*Inferno on the Volga* attacks before which no Soviet card can be chosen."""


@pytest.mark.parametrize(
    ("game", "mode", "matches"),
    sampled(
        [
            ("advance", "", 4),
            ("axis_allies", "", 1),
            ("battle", "", 2),
            ("inferno", "solo", 5),
            ("inferno", "one_vs_one", 8),
        ],
        lambda game, *_: game in ("advance", "battle"),
    ),
)
def test_what_a_game_calls_final_cannot_be_taken_back_as_a_rule(game: str, mode: str, matches: int) -> None:
    met, kept = Counter[tuple[tuple[str, str], bool]](), Counter[tuple[tuple[str, str], bool]]()
    for seed in range(matches):
        playing, dice = begun(MatchId(f"final{seed:011}"), str(seed), game, mode=mode), random.Random(seed)
        narration = bound_game(playing.table.game, None).narration
        for _ in range(COMMANDS):
            table, before = playing.table, playing.head.seq
            options, asked = playing.ruleset.rules.options(table), table.top
            if not options or asked is None:
                break
            command = options[int(dice.random() * len(options))]
            bounds = playing.ruleset.rules.bounds(table)
            if isinstance(command, Pick | Unpick) and (bounds is None or bounds[1] > 1):
                # One of several picks is undone by unpicking it, not by taking a command back.
                accept(playing, asked.seat, encode(command))
                continue
            kind = ((asked.kind, tag_of(type(command))), narration.is_final(table, command))
            met[kind] += 1
            accept(playing, asked.seat, encode(command))
            back = undoable(playing.table, playing.recent, asked.seat).commands
            kept[kind] += not back or back[-1].before != before
    often = {kind for kind in met if met[kind] >= FEW}

    assert {kind for kind, is_final in met if is_final and (kind, False) in met} <= BY_TABLE
    assert sorted(kind for kind in often if kept[kind] > 0.7 * met[kind] and not kind[1]) == []
    assert sorted(kind for kind in often if kept[kind] < 0.3 * met[kind] and kind[1]) == []
    assert any(is_final for _, is_final in often)


def test_an_attack_before_which_its_player_decides_no_more_is_final() -> None:
    """In *Inferno on the Volga* no German card is laid in a Hasty Attack; before another one a Soviet player chooses, but not with an empty hand."""
    met = set[tuple[type[Command], bool, bool]]()
    for seed in range(30):
        playing, dice = (
            begun(MatchId(f"attack{seed:010}"), str(seed), "inferno", mode="one_vs_one"),
            random.Random(seed),
        )
        narration = bound_game(playing.table.game, None).narration
        for _ in range(COMMANDS):
            table, options = playing.table, playing.ruleset.rules.options(playing.table)
            if not options or table.top is None:
                break
            has_card = table.pile(hand(SOVIET_SEAT)).count > 0
            attacks = [one for one in options if isinstance(one, HastyAttack | SovietAttack)]
            met |= {(type(one), has_card, narration.is_final(table, one)) for one in attacks}
            accept(playing, table.top.seat, encode(options[int(dice.random() * len(options))]))

    assert met == {
        (HastyAttack, True, True),
        (HastyAttack, False, True),
        (SovietAttack, True, False),
        (SovietAttack, False, True),
    }
