"""Everything on the table has a printed name, and every command is a sentence."""

import re
from random import Random

import pytest

from core.engine.command import Command
from core.engine.selection import onward
from core.games.battle.rules.commands import BattleCommand
from projections.state.table import Table
from tests.support.battle import NARRATION, copies, order, place, scene
from tests.support.desk import Desk
from tests.support.rows import each_row

STEPS = 400
AN_ID = re.compile(r"[a-z0-9]_[a-z0-9]|[a-z]/[a-z]|\b[gr]_")
"""What only ids look like: words joined by an underscore or a slash."""


def random_match(seed: int) -> Desk:
    """Open a match of at most twelve turns."""
    return Desk.open("battle", options={"turn_cap": 12}, seed=str(seed))


@pytest.mark.parametrize("seed", range(3))
def test_every_command_of_a_match_is_a_sentence_without_ids(seed: int) -> None:
    desk, rng = random_match(seed), Random(seed)
    said: dict[str, Command] = {}
    kinds: set[str] = set()
    for _ in range(STEPS):
        options = desk.options()
        if not options:
            break
        sentences = [NARRATION.describe(desk.table, option) for option in options]
        said.update(zip(sentences, options, strict=True))
        kinds.update(type(option).__name__ for option in options)
        desk.accept(rng.choice(onward(options)))

    assert [sentence for sentence in said if AN_ID.search(sentence) or not re.match("[A-Z0-9]", sentence)] == []
    assert len(kinds) >= 8


def everything(table: Table) -> set[str]:
    """Collect the ids of all that lies on a table, but for what the rules merely remember."""
    found: set[str] = {*table.pieces, *table.at, *table.piles, *table.tracks, table.phase, *table.seats}
    for pile in table.piles.values():
        found.update(pile.cards)
    found.update(table.markers)
    return found


@each_row("seed", range(3))
def test_everything_on_the_table_has_a_printed_name(seed: int) -> None:
    desk, rng = random_match(seed), Random(seed)
    seen: set[str] = set()
    for _ in range(STEPS):
        seen |= everything(desk.table)
        options = desk.options()
        if not options:
            break
        desk.accept(rng.choice(onward(options)))

    names = {id_: NARRATION.name(id_) for id_ in seen}
    assert [id_ for id_, name in names.items() if not name or AN_ID.search(name)] == []
    assert [id_ for id_, name in names.items() if name == id_] == []


NAMES = [
    ("gumrak_airfield", "Gumrak Airfield"),
    ("gumrak_airfield/german/control", "Gumrak Airfield (German Control)"),
    ("the_docks/russian/perimeter", "The Docks (Russian Perimeter)"),
    ("g_16_panzer", "16th Panzer"),
    ("german/dive_bombers-1", "Dive Bombers (+1)"),
    ("hand/russian", "Russian hand"),
    ("top/russian", "top of the Russian Force deck"),
    ("bottom/german", "Destroyed Forces beneath the German Force deck"),
    ("ration", "Rations"),
    ("actions", "Actions Step"),
    ("russian", "Russian"),
]


@each_row(("id_", "name"), NAMES)
def test_names_are_the_printed_ones(id_: str, name: str) -> None:
    assert NARRATION.name(id_) == name


@each_row("id_", ["visited", "locations_in_play", "actions_taken", "table"])
def test_attributes_have_no_printed_name(id_: str) -> None:
    assert NARRATION.name(id_) == id_


SENTENCES: list[tuple[Command, str]] = [
    (
        order("move", force="g_16_panzer", to=place("GAc", "german")),
        "Move 16th Panzer to Gumrak Airfield (German Control) for no Ration",
    ),
    (
        order("move", force="g_16_panzer", to=place("GAc", "german"), free=True),
        "Move 16th Panzer to Gumrak Airfield (German Control) with the free Move of a Location",
    ),
    (
        order("play-card", card=copies("german", "supply_raid")[0], force="r_169_rifle", other="g_16_panzer"),
        "Play Supply Raid (+2) on 169th Rifle for 16th Panzer",
    ),
    (
        order("attack", location="the_docks", forces=["g_100_jager"]),
        "Attack at The Docks with 100th Jager (Combat 1) for 1 Ration",
    ),
    (order("absorb", force="r_169_rifle", by="retreat"), "169th Rifle Retreats and stops 2 Hits"),
    (order("pass"), "Pass"),
]


@each_row(("command", "sentence"), SENTENCES)
def test_a_command_says_what_it_would_do(command: Command, sentence: str) -> None:
    assert isinstance(command, BattleCommand)
    assert NARRATION.describe(scene().table, command) == sentence


def test_the_map_lists_every_area_once() -> None:
    """Ten Locations with four Areas each, then two boxes for each side."""
    places = NARRATION.places()

    assert len({spot.id for spot in places}) == len(places) == 10 * 4 + 4
    assert all(spot.name and 0 <= spot.x <= 1000 and 0 <= spot.y <= 1000 for spot in places)


def test_the_text_of_a_card_does_not_say_its_moment_twice() -> None:
    texts = [NARRATION.card_text(card) for card in NARRATION.cards.cards]

    assert [one for one in texts if "turn. In either turn" in one] == []
