"""The part of the fold that applies facts of the stack: questions, sequences and their steps."""

from events.ids import NO_SEAT
from events.vocabulary import (
    DecisionClosed,
    DecisionOpened,
    ProcedureBegan,
    ProcedureEnded,
    SequenceBegan,
    SequenceEnded,
    StepBegan,
)
from projections.attributes import lapse
from projections.table import Open, Table


def decision_opened(table: Table, event: DecisionOpened) -> None:
    """Put a question on the stack, in place of an answered one where there is one."""
    if event.was:
        _cut(table, len(table.stack) - 1)
    table.stack = (*table.stack, Open(event.kind, event.seat, event.arguments or {}))


def procedure_began(table: Table, event: ProcedureBegan) -> None:
    """Lay a procedure on the stack."""
    table.stack = (*table.stack, Open(event.kind, NO_SEAT, event.arguments))


def top_closed(table: Table, event: DecisionClosed | ProcedureEnded) -> None:
    """Take the topmost element off the stack."""
    _cut(table, len(table.stack) - 1)


def _cut(table: Table, height: int) -> None:
    """Leave so many elements on the stack; what ends with the others ends."""
    table.stack = table.stack[:height]
    if table.terms:
        lapse(table)


def sequence_began(table: Table, event: SequenceBegan) -> None:
    """Lay a sequence on the stack, at its first step."""
    if event.was:
        _cut(table, len(table.stack) - 1)
    table.stack = (*table.stack, Open(event.kind, NO_SEAT, event.arguments, step=event.step))


def step_began(table: Table, event: StepBegan) -> None:
    """Let a sequence go on to a step; what lies above it is over."""
    depth = table.depth_of(event.kind)
    if depth:
        at = table.stack[depth - 1]
        table.stack = (*table.stack[: depth - 1], Open(at.kind, at.seat, at.arguments, step=event.step))
        if table.terms:
            lapse(table, "step")


def sequence_ended(table: Table, event: SequenceEnded) -> None:
    """Take a sequence off the stack, with what lies above it."""
    depth = table.depth_of(event.kind)
    if depth:
        _cut(table, depth - 1)
