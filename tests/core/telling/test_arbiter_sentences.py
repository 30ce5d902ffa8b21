"""What the log says of the arbiter's deeds."""

from core.telling.names import IdsOnly, Names
from core.telling.narrator import Narrator
from events.ids import ARBITER, GameKey, RuleId, Seat, Side
from events.vocabulary import (
    ArbiterLeft,
    ArbiterSeated,
    Event,
    MatchEnded,
    MatchPaused,
    MatchResumed,
    PlayerReplaced,
    SeatReserved,
    SeatViewed,
)
from tests.support.rows import each_row

RULE = RuleId("match.arbiter")
RED = Seat("red")


@each_row(
    ("event", "sentence"),
    [
        (
            SeatReserved(rule=RULE, seat=RED, name="Ada", credential="ab"),
            "The red seat is reserved for Ada, by invitation.",
        ),
        (SeatReserved(rule=RULE, seat=RED, credential="ab"), "The red seat is reserved by invitation."),
        (
            SeatReserved(rule=RULE, seat=RED, credential="ab", until=1),
            "The red seat is reserved by invitation, for a time.",
        ),
        (SeatReserved(rule=RULE, seat=ARBITER), "The invitation to the arbiter's seat is withdrawn."),
        (
            PlayerReplaced(rule=RULE, seat=RED, name="Ben", reason="He did not come back."),
            "The arbiter removes Ben from the red seat: He did not come back.",
        ),
        (
            ArbiterSeated(rule=RULE, name="Olga", credential="ab"),
            "Olga is now the arbiter, who sees everything that is hidden.",
        ),
        (ArbiterLeft(rule=RULE, name="Olga"), "Olga is no longer the arbiter."),
        (MatchPaused(rule=RULE, reason="Dinner"), "The match is paused: Dinner."),
        (
            SeatViewed(rule=RULE, seat=RED, at=7, name="Olga"),
            "Olga, the arbiter, looks at the match as red saw it after event 7.",
        ),
        (MatchResumed(rule=RULE), "The match goes on."),
        (
            MatchEnded(rule=RULE, kind="awarded", result="Awarded", winners=(Side("red"),), reason="Ben is gone"),
            "The match is over: Awarded by the arbiter. Winner: red. Ben is gone.",
        ),
        (
            MatchEnded(
                rule=RULE,
                kind="awarded",
                result="Awarded",
                winners=(Side("axis"),),
                winning_seats=(Seat("yellow"), Seat("blue")),
                reason="",
            ),
            "The match is over: Awarded by the arbiter. Winner: axis (yellow and blue).",
        ),
        # A result that names the winner is enough.
        (
            MatchEnded(rule=RULE, kind="victory", result="red Victory", winners=(Side("red"),)),
            "The match is over: red Victory.",
        ),
        (
            MatchEnded(rule=RULE, kind="annulled", result="Annulled", reason="Nobody came."),
            "The match is over: Annulled. No player has won. Nobody came.",
        ),
    ],
)
def test_the_deeds_of_the_arbiter_are_told(event: Event, sentence: str) -> None:
    assert Narrator(Names(IdsOnly(GameKey("none")))).sentence(event) == sentence
