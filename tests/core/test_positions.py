"""Worked examples as positions: every step of every file in `fixtures/positions/<game>/`, played with typed dice."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.match.bound_games import bound_game
from core.match.live_match import Prepared
from core.positions.position import Outcome, Position, Step, parse_position
from core.refusal import Refusal
from core.registry.games import game_keys
from events.codec import decode_plain, encode, replace
from events.ids import AttributeKey, GameKey
from events.vocabulary import Event, Value
from projections.state.table import Table
from projections.table_codec import encode_table
from tests.project.tree import ROOT
from tests.support.desk import Desk
from tests.support.rows import each_row

POSITIONS = ROOT / "fixtures" / "positions"
FILES = [path for key in game_keys() for path in sorted((POSITIONS / key).glob("*.toml"))]


def position_of(path: Path) -> Position:
    """Read a file."""
    return parse_position(path.read_text(encoding="utf-8"))


@each_row("path", FILES)
def test_a_worked_example_has_its_stated_outcome(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    position = parse_position(text)
    desk = Desk.open(position.game, dice="manual", position=text)
    steps = list(position.steps)
    begin = steps.pop(0) if steps and steps[0].command == BEGIN else Step(BEGIN)
    take(desk, begin, f"{path.name}, the beginning")
    for number, step in enumerate(steps, start=1):
        take(desk, step, f"{path.name}, step {number} {step.command}")

    assert desk.audit().findings == ()


BEGIN: dict[str, object] = {"do": "match:begin"}


def take(desk: Desk, step: Step, where: str) -> None:
    """Take one step and compare its outcome."""
    before = encode_table(desk.table)
    seat = step.seat or (desk.table.top.seat if desk.table.top else desk.table.seats[0])
    answer = desk.ask(step.command, seat, dice=step.dice, draws=step.draws)
    if step.refused:
        assert isinstance(answer, Refusal), f"{where} was accepted"
        assert answer.code == step.refused, where
        assert encode_table(desk.table) == before, where
    else:
        assert isinstance(answer, Prepared), f"{where} was refused: {answer}"
        desk.log.append([answer.new])
        desk.match.adopt(answer)
        compare_events(answer.commit.events, step, where)
    if step.after is not None:
        compare_table(desk, step.after, where)


def compare_events(events: Sequence[Event], step: Step, where: str) -> None:
    """Assert that the expected events occur in their order, and none of the absent ones."""
    plain = [described(event) for event in events]
    place = 0
    for wanted in step.expect:
        found = next((n for n in range(place, len(plain)) if fits(plain[n], wanted)), None)
        assert found is not None, f"{where}: {wanted} did not happen, or not in this order; there was: " + "\n".join(
            str(event) for event in plain
        )
        place = found + 1
    for unwanted in step.absent:
        assert [event for event in plain if fits(event, unwanted)] == [], f"{where}: {unwanted} must not happen"


def described(event: Event) -> dict[str, object]:
    """Return an event as plain data with its tag, and for dice with the sum of the modifiers."""
    plain = decode_plain(encode(event))
    assert isinstance(plain, dict)
    plain["bonus"] = sum(modifier.amount for modifier in getattr(event, "modifiers", ()))
    return plain


def fits(event: Mapping[str, object], wanted: Mapping[str, object]) -> bool:
    """Return whether an event has all the wanted fields; an omitted field counts as empty."""
    for name, value in wanted.items():
        actual = event.get(name, type(value)())
        if name == "event" and isinstance(value, str) and "/" not in value:
            actual = str(actual).partition("/")[0]
        if actual != value:
            return False
    return True


def compare_table(desk: Desk, wanted: Outcome, where: str) -> None:
    """Compare the expected outcome with the table."""
    table = desk.table
    actual, expected = seen(table, wanted), said(wanted)
    if wanted.legal is not None:
        actual["legal"] = sorted(encode(command).decode() for command in desk.options())
        expected["legal"] = sorted(encode(desk.match.decode(encode(command))).decode() for command in wanted.legal)

    assert actual == expected, where


def said(wanted: Outcome) -> dict[str, object]:
    """Return the expectations of an outcome, without omitted ones."""
    plain = decode_plain(encode(wanted))
    assert isinstance(plain, dict)
    return {name: value for name, value in plain.items() if value not in (None, {}) and name != "legal"}


def seen(table: Table, wanted: Outcome) -> dict[str, object]:
    """Return the values of the table for the same expectations."""
    pieces = table.pieces
    found: dict[str, object] = {
        "round": table.round,
        "phase": table.phase,
        "decision": table.top.kind if table.top else "",
        "tracks": {track: table.track(track) for track in wanted.tracks},
        "places": {piece: pieces[piece].place if piece in pieces else "" for piece in wanted.places},
        "faces": {piece: pieces[piece].face if piece in pieces else "" for piece in wanted.faces},
        "control": {place: table.control.get(place, "") for place in wanted.control},
        "markers": {on: {kind: table.marker(on, kind) for kind in kinds} for on, kinds in wanted.markers.items()},
        "attributes": {
            on: {key: _plain(table, on, key, value) for key, value in keys.items()}
            for on, keys in wanted.attributes.items()
        },
        "forgotten": {
            on: [key for key in keys if table.attribute(on, key) is None] for on, keys in wanted.forgotten.items()
        },
        "piles": {pile: table.pile(pile).count for pile in wanted.piles},
        "result": table.ended.result if table.ended else "",
    }
    return {name: value for name, value in found.items() if name in said(wanted)}


def _plain(table: Table, on: str, key: AttributeKey, wanted: Value) -> object:
    """Return an attribute as written in a file; a missing one is empty text, or 0 if the file expects 0."""
    value = table.attribute(on, key)
    if value is None and wanted == 0:
        return wanted
    return list(value) if isinstance(value, tuple) else "" if value is None else value


@each_row("game", game_keys())
def test_markers_of_which_there_are_none_may_be_stated_as_0(game: str) -> None:
    """In one position of each game, on everything on which they may lie."""
    path = next(path for path in FILES if path.parent.name == game)
    text = path.read_text(encoding="utf-8")
    desk = Desk.open(game, dice="manual", position=text)
    table, bound = desk.table, bound_game(GameKey(game), None)
    inventory = bound.inventory(table.scenario, table.options)
    position = parse_position(text)
    things = [*inventory.places_of, *[piece.id for piece in position.pieces]]
    markers = {on: dict(position.markers.get(on, {})) for on in things}
    for on in things:
        for counters in inventory.counters:
            if inventory.group_of[on] in counters.on:
                markers[on] = {**dict.fromkeys(counters.faces, 0), **markers[on]}

    defects = bound.positions.check_position(replace(position, markers=markers))

    # What a position cannot state at all is refused by its name.
    assert [defect for defect in defects if "is called" not in defect.problem] == []


def test_every_example_names_its_source_and_has_steps() -> None:
    silent = [path.name for path in FILES if not position_of(path).source or not position_of(path).title]
    idle = [
        path.name
        for path in FILES
        if not any(step.refused or step.expect or step.absent or step.after for step in position_of(path).steps)
    ]

    assert (silent, idle) == ([], [])


def test_every_example_is_in_the_folder_of_its_game() -> None:
    astray = [path.name for path in FILES if position_of(path).game != path.parent.name]

    assert astray == []


WANTED = {
    "advance": [*[f"W{number}" for number in range(1, 22)], *[f"V{number}" for number in range(1, 26)]],
    "axis_allies": [f"T{number}" for number in range(1, 38) if number not in (33, 35)],
    "battle": [*[f"T{number}" for number in range(1, 18)], "S0", "S45"],
    "inferno": [
        *[f"T{number}" for number in range(1, 26) if number != 18],
        *[f"V{number}" for number in range(1, 18)],
    ],
}
"""The worked examples of each game, as its notes number them, but for those that no position has, of a set-up, chips or bids: T18 of
inferno, T33 and T35 of axis_allies."""


@each_row("game", sorted(WANTED))
def test_every_worked_example_of_a_game_is_there(game: str) -> None:
    told = {
        name
        for path in FILES
        if path.parent.name == game
        for name in re.findall(r"\b[STVW]\d+\b", position_of(path).source)
    }

    assert sorted(set(WANTED[game]) - told) == []
