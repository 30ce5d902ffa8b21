"""A secret attribute leaves no trace: twin matches of the test game look the same to a seat that must not know it.

The twins differ in the place of the opponent's ambush. Planted leaks show that the comparison finds leaks.
"""

from collections.abc import Callable

import pytest

import tests.support.skirmish as game
from core.engine.command import Command
from core.engine.dealing import Dealing
from core.engine.draft import Draft
from core.errors import KernelError
from core.match import undo as undo_to
from events.ids import ARBITER, PUBLIC, PileId, PlaceId, Seat
from events.vocabulary import SECRETS as SECRET_FIELDS
from events.vocabulary import AttributeSet, BaseEvent, Lifetime
from projections.state.fold import fold
from projections.state.table import Open, Table
from projections.state.view import seen_events
from tests.support.desk import Desk
from tests.support.noninterference import Secrets, Wanderer
from tests.support.skirmish import AMBUSH, BLUE, RED, Hide, HideAt, Reply, hand

ONLOOKERS = (RED, BLUE, PUBLIC)


def comes_to_light(first: Table, second: Table, command: Command) -> bool:
    """Return whether a command springs an ambush whose place differs between the twins."""
    seat = Seat("") if first.top is None else first.top.seat
    return command == Reply(contest=True) and first.attribute(seat, AMBUSH) != second.attribute(seat, AMBUSH)


def is_secret_choice(asked: Open) -> bool:
    """Return whether a question asks for the place of an ambush, which only its owner knows."""
    return asked.kind == "hide"


def never_known(seat: Seat) -> tuple[PileId, ...]:
    """Return the hands that a seat may not see."""
    return tuple(hand(other) for other in (RED, BLUE) if other != seat)


SECRETS = Secrets(
    game="skirmish",
    is_secret_choice=is_secret_choice,
    comes_to_light=comes_to_light,
    never_known=never_known,
    decline=Reply(contest=False),
    wild_commands=(Hide, HideAt, Reply),
)


def compared(seeds: range) -> tuple[int, int]:
    """Compare twins in some matches in fog.

    Returns:
        At how many positions the twins differed in an attribute, and how many commands were taken back.
    """
    found = undone = 0
    for seed in seeds:
        desk = Desk.open(options={"fog": True}, seed=str(seed))
        walk = Wanderer(desk, ONLOOKERS, seed)
        while walk.step():
            twins = walk.twins(SECRETS, walk.rng.choice(ONLOOKERS))
            twins.play(8)
            found += twins.first.attributes != twins.second.attributes
            undone += twins.undone
    return found, undone


def test_the_twins_look_the_same_whatever_the_place_of_the_ambush() -> None:
    """ACID 11: this holds also when commands are taken back."""
    found, undone = compared(range(12))

    assert found > 20
    assert undone > 20


@pytest.mark.interpreted
def test_a_refusal_that_counts_private_events_of_others_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """ACID 12: event numbers in refusals are those of the asking seat; the planted fault uses the log's."""

    def number(table: Table, seat: Seat, seq: int) -> int:
        return seq

    monkeypatch.setattr(undo_to, "seat_number", number)

    with pytest.raises(AssertionError):
        compared(range(12))


def _openly(draft: Draft, seat: Seat, place: PlaceId) -> None:
    draft.set_attribute(seat, AMBUSH, place, game.RULE)


def _only_where_it_changes(draft: Draft, seat: Seat, place: PlaceId) -> None:
    if draft.table.attribute(seat, AMBUSH) != place:
        draft.set_attribute(seat, AMBUSH, place, game.RULE, seen_by=(seat,))


def _for_longer_in_the_field(draft: Draft, seat: Seat, place: PlaceId) -> None:
    until: Lifetime = "round" if place == game.FIELD else ""
    draft.set_attribute(seat, AMBUSH, place, game.RULE, until=until, seen_by=(seat,))


@pytest.mark.parametrize("leak", [_openly, _only_where_it_changes, _for_longer_in_the_field])
def test_a_planted_leak_is_found(leak: Callable[[Draft, Seat, PlaceId], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game, "lay_ambush", leak)

    with pytest.raises(AssertionError):
        compared(range(12))


@pytest.mark.parametrize("left", [("value",), ("was",)])
def test_a_leak_of_any_secret_field_is_found(left: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    event: type[BaseEvent] = AttributeSet
    monkeypatch.setitem(SECRET_FIELDS, event, left)

    with pytest.raises(AssertionError):
        compared(range(12))


def ambushed() -> tuple[Desk, Seat, Seat]:
    """Open a match in which one seat has laid an ambush; return it with that seat and its opponent."""
    desk = Desk.open(options={"fog": True}, seed="1")
    owner = desk.table.turn_seat
    desk.accept(Hide())
    desk.accept(HideAt(game.CAMP))
    return desk, owner, game.other(owner)


def test_a_fork_deals_a_secret_attribute_again_as_the_game_defines() -> None:
    """match.resample: the owner is told the new value; the forking seat still does not know it."""
    desk, owner, rival = ambushed()
    at = desk.table.seq
    places = set()
    for seed in range(8):
        fork = desk.fork(at, "seeded", hidden="resample", seat=rival, name=f"f{seed}", seed=str(seed))
        place = fork.table.attribute(owner, AMBUSH)
        places.add(place)

        assert fold(seen_events(fork.events, owner)).attribute(owner, AMBUSH) == place
        assert fold(seen_events(fork.events, rival)).attribute(owner, AMBUSH) is None
        assert fork.audit().findings == ()
    assert places == {game.CAMP, game.FIELD}


def test_a_fork_is_refused_if_the_game_does_not_deal_a_secret_attribute(monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner may still fork, and so may the arbiter if the fork keeps the secret."""
    monkeypatch.setattr(game, "DEALING", Dealing())
    desk, owner, rival = ambushed()
    at = desk.table.seq

    with pytest.raises(KernelError, match="remember something in secret"):
        desk.fork(at, hidden="resample", seat=rival)
    for name, hidden, seat in (("own", "resample", owner), ("whole", "truth", ARBITER)):
        assert desk.fork(at, hidden=hidden, seat=seat, name=name).table.attribute(owner, AMBUSH) == game.CAMP
