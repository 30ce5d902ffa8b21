"""Chances of every kind of roll in every game, against all throws one by one and against simulated ones."""

import json
from math import sqrt
from tomllib import loads

import pytest

from core.engine.command import Command
from core.engine.selection import Done
from core.errors import KernelError
from core.legal.legal_options import numbered
from core.odds.counting import odds_of
from core.odds.odds_lines import Odds
from core.odds.option_odds import odds_of_options
from core.odds.possible_tables import PossibleTables
from core.secrets.knowledge import Hidden
from events.codec import encode, replace
from events.ids import ARBITER, PileId, Seat
from projections.state.view import seen_events
from tests.project.tree import ROOT
from tests.support.desk import Desk
from tests.support.odds_runs import differences, every_throw, lines, shares, simulated, worlds_of
from tests.support.rows import each_row
from tests.support.soak import sampled

POSITIONS = ROOT / "fixtures" / "positions"
RUNS = 400
"""How many runs are simulated at budget 1; the shares of a million of them are within 0.2 % of the true ones."""
SPREAD = 4.5
"""How many standard deviations a simulated share may be off."""


def at_step(position: str, step: int) -> tuple[Desk, Command]:
    """Play the steps of a worked example up to one, and return the match with the command of that step."""
    text = (POSITIONS / f"{position}.toml").read_text(encoding="utf-8")
    plain = loads(text)
    options, mode = plain.get("options", {}), plain.get("mode", "")
    game = position.partition("/")[0]
    desk = Desk.open(game, plain["scenario"], mode=mode, options=options, dice="manual", position=text)
    desk.accept({"do": "match:begin"}, desk.table.seats[0])
    for one in plain["steps"][:step]:
        if "refused" not in one:
            desk.accept(one["command"], one.get("seat"), one.get("dice", []), one.get("draws", []))
    return desk, desk.match.decode(json.dumps(plain["steps"][step]["command"]).encode())


def asked(desk: Desk) -> Seat:
    assert desk.table.top is not None
    return desk.table.top.seat


def counted(desk: Desk, command: Command, worlds: PossibleTables) -> Odds | None:
    ruleset = desk.match.ruleset
    return odds_of(ruleset.rules, ruleset.game.rolls, worlds, asked(desk), command)


@pytest.mark.parametrize(
    ("position", "step"),
    sampled(
        [
            ("advance/v03-margin-8-is-an-overrun", 4),
            ("advance/v11-heroes-overrun", 6),
            ("advance/w13-morale-never-below-0", 2),
            ("axis_allies/t24-miss", 0),
            ("axis_allies/t36-allies-choose", 0),
            ("axis_allies/t37-must-target", 0),
        ],
        lambda position, _: position in ("advance/w13-morale-never-below-0", "axis_allies/t36-allies-choose"),
    ),
)
def test_chances_are_those_of_every_single_throw(position: str, step: int) -> None:
    desk, command = at_step(position, step)
    throws = every_throw(desk.match.ruleset.game, desk.table, asked(desk), command)
    odds = counted(desk, command, worlds_of(desk, asked(desk)))

    assert odds is not None
    assert odds.ways == next(iter(throws.values())).total()
    for about, line in lines(odds).items():
        found = {words: count / odds.ways for words, count in throws[about].items()}
        assert shares(line) == pytest.approx(found, abs=1e-12)


SIMULATED = [
    # Attacks: dice with a draw before them, Guards, the isolation die, the air die.
    ("advance/v04-guards", 2),
    ("advance/v19-isolated-guards", 2),
    ("advance/v20-limited-air", 3),
    # Flips at once, and after all that is left of a Firefight.
    ("battle/t17-big-push", 7),
    ("battle/t13-the-long-firefight", 3),
    # A combat of many units, interceptors and Air Defense.
    ("axis_allies/t13-gromoslavka", 2),
    ("axis_allies/t37-shot-down-before", 2),
    # Close Combat, Khrushchev's ones, cards with dice, a Rubble Roll.
    ("inferno/t01-adjust", 0),
    ("inferno/t22-khrushchev", 0),
    ("inferno/v07-richthofen", 1),
]


@pytest.mark.parametrize(
    ("position", "step"),
    sampled(
        SIMULATED,
        lambda position, _: (
            position.rpartition("/")[2] in ("v20-limited-air", "t17-big-push", "t37-shot-down-before", "v07-richthofen")
        ),
    ),
)
def test_chances_agree_with_simulated_rolls(position: str, step: int, budget: float) -> None:
    desk, command = at_step(position, step)
    game, seat, runs = desk.match.ruleset.game, asked(desk), int(RUNS * budget)
    odds = counted(desk, command, worlds_of(desk, ARBITER))
    found = simulated(game, lambda _: desk.table, seat, command, runs)

    assert odds is not None
    assert not odds.samples
    for about, words, share, simulated_share in differences(odds, found):
        spread = SPREAD * sqrt(share * (1 - share) / runs)
        assert abs(share - simulated_share) <= max(spread, 2 / runs), (about, words)


def test_flips_of_a_deck_that_a_seat_does_not_know_are_those_of_all_possible_deals() -> None:
    desk, command = at_step("battle/t17-big-push", 7)
    game, worlds = desk.match.ruleset.game, worlds_of(desk, asked(desk))
    odds = counted(desk, command, worlds)
    found = simulated(game, lambda number: worlds.numbered(number % 200).table, asked(desk), command, 2_000)

    assert odds is not None
    assert not odds.samples
    for about, words, share, simulated_share in differences(odds, found):
        assert abs(share - simulated_share) <= 0.06, (about, words)


def test_matches_that_differ_only_in_what_a_seat_does_not_know_give_it_the_same_chances() -> None:
    desk, command = at_step("battle/t13-the-long-firefight", 3)
    seat, rules = asked(desk), desk.match.ruleset.rules
    known = Hidden(seen_events(desk.events, seat))
    other = "german" if seat == "russian" else "russian"
    deck, hand = PileId(f"deck/{other}"), PileId(f"hand/{other}")
    twin = desk.table.clone()
    held, lying = twin.pile(hand).cards, twin.pile(deck).cards
    values = desk.match.ruleset.game.rolls.alike
    taken = next(card for card in lying if values("flip", card) != values("flip", held[0]))
    twin.piles[hand] = replace(twin.pile(hand), cards=(taken, *held[1:]))
    twin.piles[deck] = replace(twin.pile(deck), cards=(held[0], *[card for card in lying if card != taken]))
    box = desk.match.ruleset.game.inventory(twin.scenario, twin.options)

    def chances(asker: Seat) -> list[bytes]:
        tables = [PossibleTables(rules, table, asker, box, lambda: known) for table in (desk.table, twin)]
        return [encode(counted(desk, command, one)) for one in tables]

    found, open_ones = chances(seat), chances(ARBITER)

    assert found[0] == found[1]
    assert open_ones[0] != open_ones[1]


@pytest.mark.long
def test_hidden_blocks_are_dealt_and_every_share_has_its_interval() -> None:
    desk, command = at_step("inferno/t19-aa", 0)
    worlds = worlds_of(desk, asked(desk))
    odds = counted(desk, command, worlds)

    assert odds is not None
    assert odds.samples
    assert odds == counted(desk, command, worlds_of(desk, asked(desk)))
    for line in odds.lines:
        assert sum(one.share for one in line.outcomes) == pytest.approx(1)
        assert all(one.low < one.share < one.high or one.share in (0, 1) for one in line.outcomes)


def test_what_cannot_be_dealt_is_an_error_in_words() -> None:
    desk, command = at_step("inferno/t13-third-marine", 0)

    with pytest.raises(
        KernelError,
        match=r"what is hidden in infantry_pool, .* cannot be dealt: the inventory of the game names 51 of 53",
    ):
        counted(desk, command, worlds_of(desk, asked(desk)))


def test_options_are_numbered_as_they_are_listed() -> None:
    desk, _ = at_step("advance/v07-support-limits", 5)
    ruleset = desk.match.ruleset
    worlds = worlds_of(desk, asked(desk))
    every = odds_of_options(ruleset.rules, ruleset.game.rolls, desk.table, worlds)
    (last,) = odds_of_options(ruleset.rules, ruleset.game.rolls, desk.table, worlds, [len(desk.options())])

    assert [one.number for one in every] == [number for number, _ in numbered(ruleset.rules, desk.table)]
    assert last == every[-1]
    assert last.odds == counted(desk, Done(), worlds)


@each_row(
    ("position", "tag"),
    [("advance/v03-margin-8-is-an-overrun", 1), ("battle/t05-sniper-cancels-a-move", 0)],
)
def test_an_option_that_rolls_nothing_has_no_chances(position: str, tag: int) -> None:
    desk, command = at_step(position, tag)

    assert counted(desk, command, worlds_of(desk, asked(desk))) is None


def test_a_question_between_is_answered_and_the_answer_is_told() -> None:
    desk, command = at_step("advance/v07-support-limits", 4)
    odds = counted(desk, command, worlds_of(desk, asked(desk)))

    assert odds is not None
    assert odds.assumed == ("without support, which is chosen next",)
