"""Tracks are noted at the end of each round, and now."""

from events.ids import RuleId, TrackId
from events.vocabulary import Event, RoundBegan, TrackMoved
from projections.tracks import TrackStand, track_history

RULE = RuleId("1")
MORALE = TrackId("morale")


def moved(to: int, was: int) -> Event:
    return TrackMoved(rule=RULE, track=MORALE, to=to, was=was)


def began(number: int) -> Event:
    return RoundBegan(rule=RULE, number=number, was=number - 1)


def test_tracks_are_noted_at_the_end_of_each_round_and_now() -> None:
    events = [moved(19, 0), began(1), moved(17, 19), began(2), moved(12, 17)]

    assert track_history(events) == (TrackStand(1, 3, {MORALE: 17}), TrackStand(2, 5, {MORALE: 12}))


def test_without_rounds_there_is_only_the_present() -> None:
    assert track_history([moved(3, 0)]) == (TrackStand(0, 1, {MORALE: 3}),)
