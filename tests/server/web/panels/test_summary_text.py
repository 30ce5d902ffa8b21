"""The list of matches says in a line how a match ended."""

from events.ids import GameKey, MatchId, Seat, Side
from projections.catalogue import MatchSummary
from projections.state.table import Ended
from server.web.panels.summary_text import SummaryWords


def stand(result: str) -> str:
    """Return what is said of a match that the German has won."""
    ended = Ended("rules", result, (Side("german"),))
    seats = (Seat("german"), Seat("russian"))
    summary = MatchSummary(MatchId("m"), GameKey("battle"), "standard", 9, seats, began=True, ended=ended)
    return SummaryWords(summary).stand()


def test_a_winner_whom_the_result_names_is_not_named_again() -> None:
    assert stand("German Victory") == "Over: German Victory"
    assert stand("Resignation") == "Over: Resignation, won by German"
