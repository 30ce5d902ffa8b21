"""`explain` gives the whole combat around an event, and tells each reader only what it knew."""

from cli.output.explanation import explained
from cli.views.stored_match import StoredMatch
from core.games.inferno.ids import GERMAN_SEAT, ONE_VS_ONE, SOLO, SOVIET_SEAT
from core.games.inferno.memory import COMBAT
from core.telling.chapter_account import account
from events.ids import ARBITER, Seat
from events.vocabulary import DiceRolled, Event, PieceMoved, PieceTurned, SequenceBegan, StepBegan
from projections.state.fold import evolve
from projections.state.table import Table
from tests.support.inferno import BOARD
from tests.support.playouts import Playout

LONG = 1
"""The seed of a match in which Close Combat takes Steps."""
FIRE = ("combat.simultaneous", "combat.urban-defender-first")


def played(mode: str, seat: Seat, seed: int = 5) -> tuple[Playout, list[Event]]:
    """Play a random match to its end, and return what a seat has seen."""
    playout = Playout("inferno", "standard", seed, mode=mode)
    for _ in playout.steps():
        pass
    return playout, list(sight(playout, seat).events())


def sight(playout: Playout, seat: Seat, number: int | None = None) -> StoredMatch:
    return StoredMatch(playout.desk.log, playout.desk.match.id, seat, number)


def test_an_event_of_a_combat_is_explained_with_the_combat_from_its_declaration_to_its_end() -> None:
    playout, events = played(SOLO, GERMAN_SEAT, LONG)
    begun = [
        at for at, event in enumerate(events, start=1) if isinstance(event, SequenceBegan) and event.kind == COMBAT
    ]
    loss = next(at for at, event in enumerate(events, start=1) if isinstance(event, PieceTurned) and event.rule in FIRE)
    whole = account(sight(playout, GERMAN_SEAT), loss)
    said = [line.sentence for line in whole]

    assert whole[0].first in begun
    assert said[0].startswith(("The German ", "The Soviet "))
    assert any(line.startswith("Showdown. ") for line in said)
    assert any(line.startswith("Close Combat, ") for line in said)
    assert any(" by Close Combat: " in line for line in said)
    assert all(account(sight(playout, GERMAN_SEAT), line.last) == whole for line in whole)


def test_an_event_before_any_declared_sequence_has_no_account() -> None:
    playout, _ = played(SOLO, GERMAN_SEAT)

    assert account(sight(playout, GERMAN_SEAT), 5) == ()


def test_the_command_of_the_other_side_is_explained_without_the_names_of_hidden_units() -> None:
    """fog.blocks-upright: all see which blocks move, so that the command is shown, but not what they are."""
    playout, events = played(ONE_VS_ONE, SOVIET_SEAT)
    names = {block.name for block in BOARD.blocks.values() if block.side == "german"}
    looked = 0
    for at, event in enumerate(events, start=1):
        if isinstance(event, PieceMoved) and event.rule == "german.short-move.one-hex":
            shape, _ = explained(sight(playout, SOVIET_SEAT, at))
            looked += bool(shape.command)

            assert not any(name in f"{shape.command} {shape.sentence}" for name in names)
    assert looked


def test_a_loss_is_explained_by_the_dice_of_the_enemy_also_after_other_losses_and_after_a_question() -> None:
    """combat.simultaneous: both sides fire, and then all lose Steps; the dice of the own side took nothing from it."""
    playout, events = played(SOLO, ARBITER, LONG)
    table, dice, late = Table(), list[str](), 0
    for at, event in enumerate(events, start=1):
        if isinstance(event, StepBegan):
            dice = []
        elif isinstance(event, DiceRolled) and event.about in table.pieces:
            dice.append(event.about)
        elif isinstance(event, PieceTurned) and event.rule == "combat.simultaneous":
            hostile = [one for one in dice if not one.startswith(table.pieces[event.piece].side)]
            rolls = explained(sight(playout, ARBITER, at))[0].rolls
            late += not isinstance(events[at - 2], DiceRolled)

            assert hostile
            assert [getattr(events[roll.seq - 1], "about", "") for roll in rolls] == hostile
        evolve(table, event)
    assert late
