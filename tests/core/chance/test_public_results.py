"""Everybody who sees public dice, draws and choices checks them as they fall, without a seed, rules or commands."""

from collections.abc import Callable
from random import Random

from core.chance.public_results import unproved_result
from core.chance.recorded_chance import Drawn, Rolled
from events.codec import replace
from events.ids import ARBITER, PUBLIC, Seat
from events.vocabulary import ChosenByChance, DiceRolled, Event, LinksOpened, PieceDrawn
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import SeatView
from tests.support.desk import Desk
from tests.support.links import LinkedDesk
from tests.support.rows import each_row
from tests.support.skirmish import RED

GAMES = ("skirmish", "advance", "battle", "inferno", "axis-allies")


def seen(desk: Desk, seat: Seat) -> list[tuple[Event, ...]]:
    """Return the events of each commit that a seat sees."""
    view = SeatView(seat)
    return [
        slice_.events for commit in desk.commits if (slice_ := view.take(commit.events, 0, commit.last)) is not None
    ]


def first_problem(commits: list[tuple[Event, ...]]) -> tuple[int, str] | None:
    """Check commit by commit, as a program that follows does, and return what is found first."""
    table = Table()
    for events in commits:
        if (found := unproved_result(events, table)) is not None:
            return found
        fold(events, table)
    return None


@each_row("game", GAMES)
@each_row("secured", ["all", "one"])
def test_what_an_honest_server_publishes_is_proved_for_every_viewer(game: str, secured: str) -> None:
    taken: list[Seat] = []

    def is_secured(seat: Seat) -> bool:
        taken.append(seat)
        return secured == "all" or len(taken) == 1

    desk = LinkedDesk.linked(game, secured=is_secured).play(60, Random(4))
    for seat in (*desk.table.seats, PUBLIC, ARBITER):
        assert first_problem(seen(desk, seat)) is None

    assert any(isinstance(event, Rolled | Drawn) for events in seen(desk, PUBLIC) for event in events)


def test_a_fork_within_a_roll_repeats_what_its_parent_proved_and_proves_what_follows() -> None:
    desk = LinkedDesk.linked("advance").play(20, Random(1))
    rolls = [number for number, event in enumerate(desk.events, start=1) if isinstance(event, DiceRolled)]
    for number in rolls[:4]:
        fork = desk.fork(number, name=f"f{number}")
        fork.play(10, Random(2))

        assert [first_problem(seen(fork, seat)) for seat in (*fork.table.seats, PUBLIC)] == [None, None]


def rolled() -> LinkedDesk:
    """Return a match in which dice have fallen several times."""
    return LinkedDesk.linked("skirmish").play(25, Random(1))


def test_every_face_that_is_changed_is_told_at_its_event() -> None:
    desk = rolled()
    tried = 0
    for seat in (RED, PUBLIC):
        commits = seen(desk, seat)
        for place, events in enumerate(commits):
            for index, event in enumerate(events):
                if isinstance(event, DiceRolled):
                    faces = (event.faces[0] % event.sides + 1, *event.faces[1:])
                    forged = (*events[:index], replace(event, faces=faces), *events[index + 1 :])
                    number = sum(map(len, commits[:place])) + index + 1
                    found = first_problem([*commits[:place], forged, *commits[place + 1 :]])

                    assert found is not None
                    assert (found[0], "the opened links give" in found[1]) == (number, True)
                    tried += 1

    assert tried > 4


@each_row(
    ("change", "said"),
    [
        (lambda event: replace(event, link="00" * 32), "not the next link of the server"),
        (lambda event: replace(event, link="no link"), "not the next link of the server"),
        (lambda event: replace(event, number=event.number + 1), "not the next link of the server"),
        (lambda event: replace(event, share="ff" * 32), "not the next link of the seat"),
        (lambda event: replace(event, seat=Seat("nobody")), "not the next link of the seat nobody"),
        (lambda event: replace(event, seat=Seat(""), share=""), "which had called for dice, was not opened"),
        (lambda event: replace(event, number=0, link=""), "no link of the seat"),
    ],
)
def test_links_other_than_the_next_are_told_at_their_event(change: Callable[[LinksOpened], Event], said: str) -> None:
    commits = seen(rolled(), PUBLIC)
    place = next(
        place
        for place, events in enumerate(commits)
        if any(isinstance(event, DiceRolled) for event in events) and any(_is_shared(event) for event in events)
    )
    index = next(index for index, event in enumerate(commits[place]) if _is_shared(event))
    event = commits[place][index]
    assert isinstance(event, LinksOpened)
    forged = (*commits[place][:index], change(event), *commits[place][index + 1 :])
    found = first_problem([*commits[:place], forged])
    number = sum(map(len, commits[:place])) + index + 1

    assert found is not None
    assert said in found[1]
    assert found[0] >= number


def test_a_choice_and_a_draw_that_all_see_are_checked_as_well() -> None:
    kinds = set()
    for game in GAMES:
        desk = LinkedDesk.linked(game).play(60, Random(4))
        commits = seen(desk, PUBLIC)
        for place, events in enumerate(commits):
            for index, event in enumerate(events):
                other = another(event)
                if other is not None and type(event) not in kinds:
                    forged = (*events[:index], other, *events[index + 1 :])
                    if first_problem([*commits[:place], forged]) is not None:
                        kinds.add(type(event))

    assert kinds == {ChosenByChance, PieceDrawn}


def another(event: Event) -> Event | None:
    """Return an event in which chance chose another candidate, if the event shows its candidates."""
    if isinstance(event, ChosenByChance) and event.candidates and len(event.candidates) > 1:
        return replace(event, chosen=next(one for one in event.candidates if one != event.chosen))
    if isinstance(event, PieceDrawn) and event.weights and len(event.weights) > 1:
        return replace(event, drawn=next(one for one in event.weights if one != event.drawn))
    return None


def test_dice_that_cannot_be_are_told_and_crash_nothing() -> None:
    commits = seen(rolled(), PUBLIC)
    place = next(place for place, events in enumerate(commits) if any(isinstance(one, DiceRolled) for one in events))
    for change in ({"sides": 0}, {"faces": ()}):
        forged = tuple(replace(one, **change) if isinstance(one, DiceRolled) else one for one in commits[place])
        found = first_problem([*commits[:place], forged])

        assert found is not None
        assert "no such dice" in found[1]


def _is_shared(event: Event) -> bool:
    return isinstance(event, LinksOpened) and bool(event.number and event.share)
