"""Owners' boards: correcting a reconstructed figure is always allowed, changing a printed one only under a variant's name."""

from random import Random
from typing import Annotated, Any

import pytest

from core.components.component_file import ComponentFile, Source
from core.components.fields import Name, ProvenanceSections
from core.errors import SetupInvalid
from core.file_checks.checked_file import CheckedFile, read_file
from core.games.advance.components.board import BOARD_FILE
from core.games.battle.components.card_file import CARD_FILE
from core.games.battle.options import OPTIONS
from core.match.match_creation import Opening, open_match
from core.toml.findings import Findings
from events.codec import Meta, Struct
from events.ids import MatchId
from events.vocabulary import MatchOpened
from tests.support.desk import Desk
from tests.support.rows import each_row
from tests.support.soak import sampled


class Unit(Struct, frozen=True):
    """A counter."""

    id: Name
    attack: Annotated[int, Meta(ge=1, le=9)]


class Weather(Struct, frozen=True):
    """The weather of a day."""

    id: Name
    movement: Annotated[int, Meta(ge=0, le=9)]


class Box(ProvenanceSections, frozen=True, kw_only=True):
    """What is in the box."""

    unit: tuple[Unit, ...]
    weather: tuple[Weather, ...]


SHIPPED = """
[provenance]
printed = { kind = "rulebook", text = "The rulebook says so." }
guess = { kind = "reconstructed", text = "The card was lost." }
[[unit]]
prov = "printed"
id = "infantry"
attack = 1
[[weather]]
prov = { id = "printed", movement = "guess" }
id = "mud"
movement = 2
"""


def built(file: Box, source: Source) -> tuple[Box, Source]:
    """Return the box."""
    return file, source


def unchecked(file: Box, findings: Findings) -> None:
    """Check nothing across rows."""


BOX = ComponentFile("tests.acid", Box, built, unchecked)
BOX.__dict__["shipped_bytes"] = SHIPPED.encode()


def read(*changes: tuple[str, str], variant: str = "") -> CheckedFile[Box] | list[str]:
    """Read a changed box, or return what is wrong with it."""
    text = SHIPPED
    for old, new in changes:
        text = text.replace(old, new)
    found = read_file(BOX, text.encode(), variant)
    return found if isinstance(found, CheckedFile) else [defect.sentence() for defect in found]


def test_a_corrected_reconstruction_is_not_a_variant() -> None:
    """ACID 39: a reconstructed figure may be corrected; the correction is listed and needs no variant name."""
    found = read(("movement = 2", "movement = 3"))

    assert isinstance(found, CheckedFile)
    assert [(one.where, one.shipped, one.own, one.is_printed) for one in found.differences] == [
        ("weather.mud.movement", "2", "3", False)
    ]
    assert found.source.variant == ""


def test_a_correction_may_not_be_called_a_variant() -> None:
    """ACID 39: a variant name is refused if no printed figure is changed."""
    found = read(("movement = 2", "movement = 3"), variant="Mine")

    assert found == [
        "line 1: file: contradicts nothing that is printed; expected no variant's name, or another figure",
    ]


def test_a_changed_printed_figure_makes_a_variant() -> None:
    """ACID 39: a printed figure may be changed only under a variant name."""
    found = read(("attack = 1", "attack = 2"), variant="Strong Infantry")

    assert read(("attack = 1", "attack = 2")) == [
        "line 8, column 1: unit[id 'infantry'].attack: is 2; expected 1, as printed, or the name of a variant"
    ]
    assert isinstance(found, CheckedFile)
    assert [(one.where, one.own, one.is_printed) for one in found.differences] == [("unit.infantry.attack", "2", True)]
    assert found.source.variant == "Strong Infantry"


def test_a_variant_may_not_be_malformed() -> None:
    """ACID 39: a variant's file must have the right form too."""
    assert read(("attack = 1", "attack = 10"), variant="Titans") == [
        "line 8, column 1: unit[id 'infantry'].attack: is 10; expected a whole number from 1 to 9"
    ]


def test_relabelling_a_printed_figure_does_not_make_it_reconstructed() -> None:
    """ACID 39: the shipped file decides which figures are printed, not the owner's."""
    found = read(('prov = "printed"', 'prov = "guess"'), ("attack = 1", "attack = 2"))

    assert isinstance(found, list)


# In a match

BOARD = BOARD_FILE.shipped_bytes.decode().replace("cost_vacant = 1", "cost_vacant = 2")


def opened(**wish: str) -> MatchOpened:
    """Return the first event of a match of Advance opened with this board and variant."""
    opening = Opening(game="advance", dice="seeded", seed="1", board=BOARD, variant=wish.get("variant", ""))
    (event,) = open_match(MatchId("m"), opening, key="k", at=1).prepared.commit.events
    assert isinstance(event, MatchOpened)
    return event


def test_the_first_event_names_the_variant() -> None:
    """ACID 39: mode, seats, sides, edition, board digest and variant are in the first event."""
    event = opened(variant="Slow March")

    assert (event.variant, event.board != BOARD_FILE.load().source.digest) == ("Slow March", True)


def test_a_changed_printed_figure_without_a_variant_name_is_refused() -> None:
    """ACID 39: the message names the place of the figure."""
    with pytest.raises(SetupInvalid, match=r"line \d+, column 1: movement.cost_vacant: is 2; expected 1, as printed"):
        opened()


@each_row("variant", ["x" * 61, " ", "a\nb", "a\x1b"])
def test_the_name_of_a_variant_is_one_short_line(variant: str) -> None:
    with pytest.raises(SetupInvalid, match="the name of a variant must be 1 to 60 characters on one line"):
        opened(variant=variant)


def test_a_variant_needs_a_board_of_its_own() -> None:
    with pytest.raises(SetupInvalid, match="a variant needs a board of its own"):
        open_match(MatchId("m"), Opening(game="advance", dice="manual", variant="Mine"), key="k", at=1)


def test_a_fork_of_a_variant_is_played_under_its_rules() -> None:
    """ACID 39: the shared first event names the variant, and the audit finds no defect."""
    desk = Desk.open("advance", board=BOARD, variant="Slow March")
    for _ in range(5):
        desk.accept(desk.options()[0])
    fork = desk.fork(desk.table.seq)

    assert (fork.table.variant, fork.match.ruleset.rules.options(fork.table)) == ("Slow March", desk.options())
    assert desk.audit().findings == ()


FILES: dict[str, ComponentFile[Any, Any]] = {"advance": BOARD_FILE, "battle": CARD_FILE}


def designed(game: str, rng: Random) -> tuple[str, bool]:
    """Change some figures of a shipped file within its schema, and return whether it can be played as a variant."""
    components = FILES[game]
    lines = components.shipped_bytes.decode().split("\n")
    places = [index for index, line in enumerate(lines) if " = " in line and line.split(" = ")[1].lstrip("-").isdigit()]
    for index in rng.sample(places, 6):
        key, value = lines[index].split(" = ")
        lines[index] = f"{key} = {max(0, int(value) + rng.choice((-2, -1, 1, 2, 5)))}"
    text = "\n".join(lines)
    return text, isinstance(read_file(components, text.encode(), "Wild"), CheckedFile)


@pytest.mark.parametrize("game", ["advance", "battle"])
@pytest.mark.parametrize("seed", sampled(range(2), lambda seed: seed == 0))
def test_every_accepted_variant_can_be_played_to_the_end(game: str, seed: int) -> None:
    """ACID 39: every accepted variant satisfies the assumptions of the rules."""
    rng = Random(f"{game} {seed}")
    text, is_playable = designed(game, rng)
    while not is_playable:
        text, is_playable = designed(game, rng)
    options = (
        {spec.key: spec.default for spec in OPTIONS} | {"turn_cap": 6, "action_cap": 20} if game == "battle" else {}
    )
    desk = Desk.open(game, options=options, seed=str(seed), board=text, variant="Wild")
    for _ in range(6_000):
        if desk.table.ended is not None:
            break
        desk.accept(rng.choice(desk.options()))

    assert desk.table.ended is not None
