"""The watch over sentences that several events share finds one that says of all what is true of the first."""

from collections.abc import Sequence

import pytest

from core.checking.conformance import NotConforming
from core.checking.sentence_watch import SentenceWatch, disagreement
from core.games.advance.narration import sentences
from core.registry.games import load_game
from core.telling.names import Names
from core.telling.narrator import Narrator
from events.ids import CardId, PieceId, PlaceId, RuleId, Side
from events.vocabulary import Event, PiecePlaced
from projections.state.table import Table
from tests.core.test_positions import POSITIONS
from tests.support.playouts import Playout
from tests.support.rows import each_row

SOVIET, GIVEN = Side("soviet"), RuleId("5.4.one-counter-per-area")


def placed(area: str, kind: str, face: str) -> Event:
    """Return a Soviet unit that a position places."""
    return PiecePlaced(
        rule=GIVEN, piece=PieceId(f"soviet/{area}"), to=PlaceId(area), side=SOVIET, kind=CardId(kind), face=face
    )


@each_row("game", ["advance", "battle", "inferno", "axis_allies"])
def test_a_match_is_told_without_a_contradiction(game: str) -> None:
    desk = Playout(game, "", 3).run([SentenceWatch()], most=25)

    assert desk.table.seq > 0


def test_a_sentence_that_names_the_first_of_its_events_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here a position with a Revealed and another Soviet unit."""
    text = (POSITIONS / "advance" / "v06-defense-never-below-0.toml").read_text(encoding="utf-8")
    monkeypatch.setattr(sentences, "_placed", lambda run, _: f"Placed: {run[0].face}.")
    with pytest.raises(NotConforming, match="a sentence says of 2 events what is true of one only"):
        Playout("advance", "", 1, position=text).run([SentenceWatch()], most=1)


@each_row(
    "run",
    [
        [placed("10", "H3", "revealed"), placed("12", "", "")],
        [placed("12", "", ""), placed("10", "H3", "revealed"), placed("13", "", "")],
    ],
)
def test_revealed_and_other_soviet_units_are_told_apart(run: Sequence[Event]) -> None:
    """12.2: what is not Revealed is not named."""
    teller = Narrator(Names(load_game("advance").bind(None).narration), Table())

    assert disagreement(teller, run) == ()
    assert teller.sentence_of(run).startswith("Placed, Revealed: Fanatic 8 (Heavy Urban) in Area 10 (Grain Elevator).")
