"""The part of the fold that applies events of the stack: questions, sequences and their steps."""

from events.ids import NO_SEAT
from events.vocabulary import (
    DecisionClosed,
    DecisionOpened,
    SequenceBegan,
    SequenceEnded,
    StepBegan,
)
from projections.state.attributes import lapse
from projections.state.table import Open, Table


def decision_opened(table: Table, event: DecisionOpened) -> None:
    """Push a question onto the stack, replacing an answered one if there is one."""
    if event.was:
        _cut(table, len(table.stack) - 1)
    table.stack = (*table.stack, Open(event.kind, event.seat, event.arguments or {}))


def top_closed(table: Table, event: DecisionClosed) -> None:
    """Pop the topmost element off the stack."""
    _cut(table, len(table.stack) - 1)


def _cut(table: Table, height: int) -> None:
    """Cut the stack to a depth; attributes bound to the removed elements end."""
    table.stack = table.stack[:height]
    if table.terms:
        lapse(table)


def sequence_began(table: Table, event: SequenceBegan) -> None:
    """Push a sequence onto the stack, at its first step."""
    if event.was:
        _cut(table, len(table.stack) - 1)
    table.stack = (*table.stack, Open(event.kind, NO_SEAT, event.arguments, step=event.step))


def step_began(table: Table, event: StepBegan) -> None:
    """Advance a sequence to a step; elements above it are removed."""
    depth = table.depth_of(event.kind)
    if depth:
        at = table.stack[depth - 1]
        table.stack = (*table.stack[: depth - 1], Open(at.kind, at.seat, at.arguments, step=event.step))
        if table.terms:
            lapse(table, "step")


def sequence_ended(table: Table, event: SequenceEnded) -> None:
    """Remove a sequence from the stack, with the elements above it."""
    depth = table.depth_of(event.kind)
    if depth:
        _cut(table, depth - 1)
