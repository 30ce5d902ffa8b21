"""Everything printed about random matches is in the games' own words: no ids, no internal words, no empty lines."""

import re
from collections.abc import Iterator

import pytest

from cli.commands.viewing.replay import frame_line
from cli.output.table_text import Drawing, decision_lines, heading_lines
from core.engine.decision_rules import DecisionRules
from core.game_files.printed_names import printed_words
from core.match.bound_games import bound_game
from core.registry.games import GAMES, load_game
from core.telling.names import PHASE, IdsOnly, Names
from core.telling.narrator import Narrator
from core.telling.option_parts import COMMAND
from events.commit import decode_commit
from events.ids import ARBITER, PUBLIC, GameKey
from events.vocabulary import DecisionOpened, Value
from projections.chronicle import chronicle
from projections.state.fold import evolve
from projections.state.table import Open, Table
from projections.state.view import EventSlice
from tests.support.desk import Desk
from tests.support.playouts import Playout
from tests.support.rows import each_row
from tests.support.soak import sampled

SHIPPED = [
    (game, scenario.key, mode.key)
    for game in GAMES
    if game != "skirmish"
    for scenario in load_game(game).scenarios
    for mode in scenario.modes
]


def flags(game: str, scenario: str, *, are_on: bool) -> dict[str, Value]:
    """Return every option of a scenario that is on or off, all of them one way."""
    specs = [spec for spec in load_game(game).options if not spec.scenarios or scenario in spec.scenarios]
    return {spec.key: are_on for spec in specs if isinstance(spec.default, bool)}


TOLD: list[tuple[str, str, str, dict[str, Value]]] = [
    *((game, scenario, mode, {}) for game, scenario, mode in SHIPPED if game not in ("axis_allies", "inferno")),
    ("axis_allies", "race", "auction", flags("axis_allies", "race", are_on=True)),
    ("axis_allies", "race", "standard", flags("axis_allies", "race", are_on=False)),
    ("axis_allies", "uranus", "standard", flags("axis_allies", "uranus", are_on=True)),
    ("axis_allies", "uranus", "auction", flags("axis_allies", "uranus", are_on=False)),
    ("inferno", "standard", "solo", {"designers_way": "random"}),
    ("inferno", "standard", "co_op", {"designers_way": "off"}),
    ("inferno", "standard", "one_vs_one", {"designers_way": "hard"}),
    ("inferno", "standard", "two_vs_one", {"designers_way": "off"}),
    ("inferno", "standard", "solo", {"designers_way": "german"}),
]
"""Whole matches of every scenario and mode, and options that are not left to chance."""

COMMANDS_MAX = 700
LOOK_EVERY = 41
"""Commands between two looks at the whole table; what is asked is looked at each time."""
WIDTHS = (80, 120)
STRANGE = re.compile(
    r"[^\W_]_[^\W_]|\b(None|True|False|nobody control)\b|\(\s*\)|\[\s*\]|\{|\}|: [.,)]|, ,|\b\w*[a-z][A-Z]\w*"
)
RAW = re.compile(r"[_/]|-[a-z]")
"""What an id has that no printed word does, unless the id is the printed name itself."""


def played(desk: Desk) -> Iterator[tuple[EventSlice, Table]]:
    """Yield the arbiter's view of a match, commit by commit, with the final table."""
    for stored in desk.log.read(desk.match.id, 0):
        commit = decode_commit(stored.body)
        yield EventSlice(commit.first, commit.at, commit.events), desk.table


def drawn(names: Names, table: Table) -> Iterator[str]:
    """Draw a table at every width, with its heading."""
    for width in WIDTHS:
        lines = list(Drawing(names, table, width, lambda text, _: text, is_full=False).lines())
        assert max(map(len, lines)) <= width, f"a line is wider than {width}: {max(lines, key=len)}"
        yield from lines
    yield from heading_lines(names, table, title="", match="", number=table.seq)


def told(names: Names, desk: Desk) -> Iterator[str]:
    """Return all sentences of a match, including those of the verbose log."""
    teller = Narrator(names)
    for chapter in chronicle([seen for seen, _ in played(desk)]):
        yield teller.heading(chapter.heading)
        for line in teller.lines(chapter.entries):
            yield line.sentence


def ids_of(names: Names, table: Table) -> set[str]:
    """Return every id of a table that must not be printed."""
    found = {*table.pieces, *table.at, *table.control, *table.tracks, *table.piles, table.phase}
    for on, there in table.markers.items():
        found |= {on, *there}
    return {id_ for id_ in found if RAW.search(id_) and names.narration.name(id_) != id_}


def wrong(names: Names, table: Table, lines: list[str]) -> list[str]:
    """Return the lines that contain an id or an internal word."""
    ids = ids_of(names, table)
    seats = re.compile(rf"\b({'|'.join(seat for seat in table.seats)})\b")
    return [
        line
        for line in dict.fromkeys(lines)
        if STRANGE.search(line) or seats.search(line) or any(id_ in line for id_ in ids)
    ]


def is_short(game: str, scenario: str, mode: str, given: dict[str, Value]) -> bool:
    """Return whether a match is always told: a short one of each game."""
    if game == "inferno":
        return mode == "one_vs_one" and given["designers_way"] != "off"
    return (game, scenario, mode) in (
        ("advance", "factory", ""),
        ("axis_allies", "race", "auction"),
    ) or game == "battle"


@pytest.mark.parametrize(("game", "scenario", "mode", "given"), sampled(TOLD, is_short))
def test_printed_text_is_in_the_words_of_the_game(game: str, scenario: str, mode: str, given: dict[str, Value]) -> None:
    playout = Playout(game, scenario, 4200, mode=mode, given=given)
    narration = playout.desk.match.ruleset.game.narration
    names = Names(narration)
    lines: list[str] = []
    for number, _ in enumerate(playout.steps()):
        table = playout.desk.table
        lines += decision_lines(names, table)
        if number % LOOK_EVERY == 0 or table.ended is not None:
            options = [narration.told(table, option).words for option in playout.desk.options()]
            assert len(set(options)) == len(options) or game == "inferno", "there, copies of a card are alike"
            lines += options
            for seat in (ARBITER, PUBLIC, *table.seats):
                lines += drawn(names, table if seat == ARBITER else playout.seen_by(seat))
            lines.append(frame_line(lambda id_: names.of(id_) if names.has_name(id_) else "", table))
    sentences = list(told(names, playout.desk))

    assert [said for said in sentences if said[0].islower()] == []
    assert len({*lines, *sentences}) > 200
    assert wrong(names, playout.desk.table, [*lines, *sentences]) == []


@pytest.mark.parametrize(
    ("game", "scenario", "mode"),
    sampled(SHIPPED, lambda game, _, mode: game in ("advance", "battle") or mode in ("auction", "one_vs_one")),
)
def test_every_question_has_a_printed_name(game: str, scenario: str, mode: str) -> None:
    playout = Playout(game, scenario, 77, mode=mode)
    names = Names(playout.desk.match.ruleset.game.narration)
    for number, _ in enumerate(playout.steps()):
        if number == COMMANDS_MAX:
            break
    asked, table = set(), Table()
    for event in [event for seen, _ in played(playout.desk) for event in seen.events]:
        if isinstance(event, DecisionOpened):
            top = Open(event.kind, event.seat, event.arguments or {})
            asked.add(names.narration.question(table, top))
        evolve(table, event)

    assert len(asked) > 4
    assert wrong(names, playout.desk.table, sorted(asked)) == []


@each_row(
    "line",
    ["pay_cards", "None", "face down: False", "draw (about: )", "Supply []", "{unit}", "location: , left", "isOn"],
)
def test_internal_words_are_found(line: str) -> None:
    assert STRANGE.search(line)


@each_row("key", GAMES)
def test_sequences_with_their_steps_and_decisions_with_standing_answers_have_names(key: str) -> None:
    """The log tells them; an id would be read as a word of the program."""
    game = bound_game(load_game(key).key, None)
    assert isinstance(game.rules, DecisionRules)
    ids = {f"sequence:{kind}" for kind in game.rules.sequences}
    ids |= {f"{kind}:{step.name}" for kind, found in game.rules.sequences.items() for step in found.steps}
    ids |= {f"decision:{kind}" for kind in game.rules.standing_decisions}
    others = (f"{PHASE}:", f"{COMMAND}:", "short:")
    declared = {id_ for id_ in printed_words(GAMES[load_game(key).key]) if ":" in id_ and not id_.startswith(others)}

    assert {id_ for id_ in ids if game.narration.name(id_) == id_} == set()
    assert declared == ids
    assert not any("_" in game.narration.name(id_) for id_ in ids)


def test_a_sequence_without_a_name_is_told_by_its_words() -> None:
    names = Names(IdsOnly(GameKey("")))

    assert (names.sequence("card_attack"), names.step("card_attack", "put_away")) == ("card attack", "put away")
