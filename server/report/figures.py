"""The figures of a match, as far as one seat has seen it: what a report shows, as data."""

from collections.abc import Sequence

from core.audit.verdicts import Audited, Check, checks_of
from core.telling.chosen_options import chosen_options, played_titles, title_of
from core.telling.names import Names
from core.telling.phrases import listed
from events.codec import Struct
from events.ids import GameKey, MatchId, Seat, Side
from events.vocabulary import (
    ArbiterLeft,
    ArbiterSeated,
    BaseEvent,
    CommandsUndone,
    DisputeOpened,
    MatchForked,
    MatchPaused,
    MatchResumed,
    NoteAdded,
    PlayerReplaced,
    RulesAdopted,
    RulingAppealed,
    RulingMade,
    SeatLeft,
    SeatViewed,
    UndoAnswered,
    UndoAsked,
)
from projections.catalogue import dice_name
from projections.control import ControlChange, ControlStand, control_history
from projections.losses import LEFT, RETURNED, Loss, RoundLosses, by_round
from projections.state.seating import former_players, winning_players
from projections.state.table import Table
from projections.thinking_time import ThinkingTime, thinking_times
from projections.tracks import TrackStand, track_history
from server.page_parts.story import Story
from server.report.luck import FairnessTest, RollLuck, SideLuck, fairness, luck_by_side, rolls_of

REFUSALS = "Refused commands are not recorded (decision 0009), so a report cannot count them."

_OCCURRENCES: dict[type[BaseEvent], str] = {
    CommandsUndone: "undone",
    UndoAsked: "undone",
    UndoAnswered: "undone",
    NoteAdded: "note",
    DisputeOpened: "dispute",
    RulingMade: "ruling",
    RulingAppealed: "appeal",
    MatchPaused: "arbiter",
    MatchResumed: "arbiter",
    RulesAdopted: "rules",
    PlayerReplaced: "arbiter",
    ArbiterSeated: "arbiter",
    ArbiterLeft: "arbiter",
    SeatLeft: "seat",
    SeatViewed: "arbiter",
}
"""The kinds of events beside the game that a report lists."""


class Place(Struct, frozen=True, kw_only=True):
    """A seat of the match: the side that it plays, and its player; empty if nobody sits there. `former` are players whom others followed."""

    seat: Seat
    side: Side
    player: str
    has_won: bool
    former: tuple[str, ...] = ()

    @property
    def seated(self) -> str:
        """Who sits there, and who did before."""
        return f"{self.player or 'nobody'}{f', formerly {listed(self.former)}' if self.former else ''}"


class Occurrence(Struct, frozen=True, kw_only=True):
    """Something beside the game at event `number`: `undone`, `note`, `dispute`, `ruling`, `appeal`, `arbiter`, `seat` or `rules`; `at` is milliseconds since 1970 (UTC)."""

    number: int
    at: int
    kind: str
    words: str


class OffField(Struct, frozen=True, kw_only=True):
    """Number of `pieces` of a side that had left the field since play began, or were removed from it, less those that returned, at the end of a round."""

    round: int
    side: Side
    pieces: int


class Figures(Struct, frozen=True, kw_only=True):
    """The figures of a match as a seat has seen it.

    `options` are those that differ from their defaults, `house_rules` what was agreed on besides. `goes_on` is the match as which this one goes on by a ruling. `result` is empty while the match runs; `winners` are sides and seats, `won_by` the names of players. `events` counts what the seat has seen, `first_at` and `last_at` are the times of the
    first and the last of these in milliseconds since 1970 (UTC). `verdict` is that of all `checks` together, and `other_rules` says under which
    rules the match was played if it is `other-rules`. `problem` says why names
    and pictures are missing, `cut` why a damaged match is told only to its last sound event; both are empty otherwise.
    """

    match: MatchId
    seat: Seat
    game: GameKey
    title: str
    edition: str
    variant: str
    scenario: str
    mode: str
    options: tuple[str, ...]
    dice: str
    parent: MatchId
    goes_on: MatchId
    house_rules: dict[str, str]
    places: tuple[Place, ...]
    result: str
    winners: tuple[str, ...]
    won_by: tuple[str, ...]
    rounds: int
    events: int
    first_at: int
    last_at: int
    verdict: str
    other_rules: str
    checks: tuple[Check, ...]
    rolls: tuple[RollLuck, ...]
    luck: tuple[SideLuck, ...]
    fairness: tuple[FairnessTest, ...]
    losses: tuple[RoundLosses, ...]
    off_field: tuple[OffField, ...]
    control: tuple[ControlStand, ...]
    control_changes: tuple[ControlChange, ...]
    tracks: tuple[TrackStand, ...]
    thinking: tuple[ThinkingTime, ...]
    occurrences: tuple[Occurrence, ...]
    refusals: str = REFUSALS
    problem: str = ""
    cut: str = ""


def figures_of(story: Story, audited: Audited, *, problem: str = "", cut: str = "") -> Figures:
    """Return the figures of a match.

    Args:
        story: The match as the seat has seen it; at least its first event.
        audited: What is known of its evidence.
        problem: Why names and pictures are missing.
        cut: Why it is told only in part.
    """
    now, events, names = story.now, story.events, story.names
    scenario, mode = played_titles(now.game, now.scenario, now.mode)
    control = control_history(events)
    lost = story.losses()
    rolls = () if story.narration is None else tuple(rolls_of(events, story.narration.favours))
    return Figures(
        match=story.match,
        seat=story.seat,
        game=now.game,
        title=title_of(now.game),
        edition=now.edition,
        variant=now.variant,
        scenario=scenario,
        mode=mode,
        options=_options(now, names),
        dice=dice_name(now.chance),
        parent=now.parent,
        goes_on=now.goes_on,
        house_rules=now.house_rules,
        places=_places(story),
        result="" if now.ended is None else now.ended.result,
        winners=() if now.ended is None else names.on(now).winners(now.ended.winners, now.ended.winning_seats),
        won_by=winning_players(now.ended, now.players),
        rounds=now.round,
        events=story.last,
        first_at=story.at(1),
        last_at=story.at(story.last),
        verdict=audited.verdict,
        other_rules=audited.other_rules,
        checks=checks_of(audited),
        rolls=rolls,
        luck=luck_by_side(rolls),
        fairness=fairness(rolls),
        losses=tuple(by_round(lost)),
        off_field=_off_field(lost),
        control=control.stands,
        control_changes=control.changes,
        tracks=_named_tracks(names, track_history(events)),
        thinking=thinking_times(story.stream()),
        occurrences=_occurrences(story),
        problem=problem,
        cut=cut,
    )


def fork_point(story: Story) -> int:
    """Return the event after which a fork left its parent, by the viewer's count; 0 for a match that is not a fork."""
    return max([event.at for event in story.events if isinstance(event, MatchForked)], default=0)


def _places(story: Story) -> tuple[Place, ...]:
    now = story.now
    ended = now.ended
    former = former_players(now.former, now.players)
    return tuple(
        Place(
            seat=seat,
            side=now.plays.get(seat, Side("")),
            player=now.players.get(seat, ""),
            has_won=ended is not None and (seat in ended.winning_seats or now.plays.get(seat) in ended.winners),
            former=former.get(seat, ()),
        )
        for seat in now.seats
    )


def _options(now: Table, names: Names) -> tuple[str, ...]:
    """Return the options that differ from their defaults; those that the game, as it is installed, does not know by their keys."""
    known = {option.key: option for option in chosen_options(now.game, now.options)}
    return tuple(
        known[key].words if key in known else f"{key}: {names.value(value)}"
        for key, value in now.options.items()
        if key not in known or not known[key].is_default
    )


def _off_field(found: Sequence[Loss]) -> tuple[OffField, ...]:
    """Return the pieces that are off the field, by round and side; a side has an entry for each round in which the number changed."""
    gone: dict[Side, int] = {}
    ends: dict[tuple[int, Side], int] = {}
    for loss in found:
        change = {LEFT: 1, RETURNED: -1}.get(loss.change, 0)
        if change:
            gone[loss.side] = gone.get(loss.side, 0) + change
            ends[loss.round, loss.side] = gone[loss.side]
    return tuple(OffField(round=round_, side=side, pieces=pieces) for (round_, side), pieces in ends.items())


def _named_tracks(names: Names, stands: tuple[TrackStand, ...]) -> tuple[TrackStand, ...]:
    """Return the stands without the tracks that only the rules use, which have no printed names."""
    return tuple(
        TrackStand(one.round, one.number, {key: value for key, value in one.values.items() if names.has_name(key)})
        for one in stands
    )


def _occurrences(story: Story) -> tuple[Occurrence, ...]:
    """Return what the sentences say of take-backs, notes, rulings and the arbiter's deeds."""
    found = []
    for told in story.told:
        first = told.line.first
        kind = _OCCURRENCES.get(type(story.events[first - 1]))
        if kind is not None:
            found.append(Occurrence(number=first, at=story.at(first), kind=kind, words=told.line.sentence))
    return tuple(found)
