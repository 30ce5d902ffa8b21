"""The audit of what needs no rules: each recorded die and draw follows from its seed, and the events can have happened.

A record names what each outcome was for, and the table before it says which number it is bound to and what lies in a pile. So dice and
draws are checked for any rules, also for those that are not installed. That something was rolled or drawn at all, and for
that purpose, is a decision of the rules.
"""

from collections.abc import Sequence

from core.chance.recorded_chance import Drawn, Judge, RecordedChance, Rolled, drawn_name
from core.engine.chance_port import Weighted
from core.errors import RecordDiffers
from core.history.bounded_fold import BoundedFold
from core.match.match_creation import rules_problem
from core.match.ruleset import ADOPT, AdoptRules, may_adopt
from events.codec import encode
from events.commit import Commit
from events.vocabulary import (
    CardDrawn,
    ChosenByChance,
    DiceRolled,
    HiddenDiceRolled,
    MatchForked,
    MatchOpened,
    PieceDrawn,
    RulesAdopted,
)
from projections.state.table import Table

SIZE_MAX = 1 << 62
"""The most sides of a die, and the greatest sum of odds, that any rules have."""

FIRST_ONLY = (MatchOpened, MatchForked, RulesAdopted)
"""Events that change the source of dice or the rules; each begins a commit, where the audit checks it."""


def check_record(commit: Commit, table: Table, judge: Judge) -> None:
    """Check the outcomes of chance in a commit, and that its events can follow each other.

    Args:
        commit: The commit.
        table: The table before it; it stays as it is.
        judge: Returns the source that must agree with the outcome of an event's number, or None if its seed is not known.

    Raises:
        RecordDiffers: An outcome is not what its seed gives, or not possible.
        BrokenEvidence: The events cannot have happened.
    """
    after = table.clone()
    folding = BoundedFold(after)
    for place, event in enumerate(commit.events):
        if place and isinstance(event, FIRST_ONLY):
            raise RecordDiffers(after.seq + 1, f"{type(event).__name__} is not the first event of its command")
        if isinstance(event, Rolled | Drawn):
            _check_outcome(after, event, judge)
        folding.take((event,), commit.match, 0)


def check_fork_record(commit: Commit) -> None:
    """Check that the first commit of a fork holds no outcomes of the game's dice and draws: a new deal is recorded as a whole.

    Raises:
        RecordDiffers: It holds one, or another event that can only be the first of a command.
    """
    for number, event in enumerate(commit.events[1:], start=commit.first + 1):
        if isinstance(event, (*FIRST_ONLY, DiceRolled, HiddenDiceRolled, CardDrawn, PieceDrawn, ChosenByChance)):
            raise RecordDiffers(number, f"{type(event).__name__} is not part of a fork's new deal")


def _check_outcome(table: Table, event: Rolled | Drawn, judge: Judge) -> None:
    position = table.chance_position
    record = RecordedChance((event,), judge=judge, uncounted=table.seq + 1 - position)
    record.prepare(is_veiled=_is_veiled(table, event))
    if isinstance(event, Rolled):
        if not 1 <= event.sides <= SIZE_MAX:
            raise RecordDiffers(table.seq + 1, f"no die for {event.purpose} has {event.sides} sides")
        count = event.count if isinstance(event, HiddenDiceRolled) else len(event.faces)
        if count < 1:
            raise RecordDiffers(table.seq + 1, f"no dice were rolled for {event.purpose}")
        record.dice(position, count, event.sides, event.purpose)
        return
    candidates = _candidates(table, event)
    is_there = not isinstance(event, PieceDrawn) or event.drawn in table.pile(event.pool).cards
    if drawn_name(event) not in candidates or not is_there:
        raise RecordDiffers(table.seq + 1, f"what is drawn for {event.purpose} is not among what could be drawn")
    record.pick(position, candidates, event.purpose)


def _is_veiled(table: Table, event: Rolled | Drawn) -> bool:
    """Return whether some seats may not know an outcome, or what it was taken from."""
    if isinstance(event, DiceRolled):
        return False
    if event.seen_by is not None or not isinstance(event, CardDrawn | PieceDrawn):
        return event.seen_by is not None
    if isinstance(event, PieceDrawn) and event.weights:
        return False
    return table.pile(event.pool if isinstance(event, PieceDrawn) else event.deck).seen_by is not None


def _candidates(table: Table, event: Drawn) -> Sequence[str]:
    """Return what an outcome was drawn from, in order: the candidates or odds that the event names, else its pile."""
    if isinstance(event, ChosenByChance):
        return event.candidates or ()
    if isinstance(event, PieceDrawn) and event.weights:
        if min(event.weights.values()) < 1 or sum(event.weights.values()) > SIZE_MAX:
            raise RecordDiffers(table.seq + 1, f"the odds for {event.purpose} are not possible")
        return Weighted(tuple(event.weights), tuple(event.weights.values()))
    return table.pile(event.pool if isinstance(event, PieceDrawn) else event.deck).cards


def adoption_problem(commit: Commit, adopted: RulesAdopted, table: Table) -> str:
    """Return the defect of a change of rules as the match records it; empty if there is none.

    Args:
        commit: The commit that begins with it.
        adopted: The change.
        table: The table before it.
    """
    if (adopted.rules_was, adopted.edition_was) != (table.rules, table.edition):
        return f"the rules before were edition {table.edition}, {table.rules[:12]}…, not edition {adopted.edition_was}, {adopted.rules_was[:12]}…"
    if problem := rules_problem(adopted.rules):
        return problem
    is_asked = bytes(commit.command) == encode(AdoptRules(rules=adopted.rules))
    if (
        adopted.rule != ADOPT
        or adopted.seat != commit.seat
        or not is_asked
        or adopted.rules == table.rules
        or len(commit.events) > 1
    ):
        return "the rules were not adopted by the command that adopts them"
    if table.ended is not None or not may_adopt(table, commit.seat):
        return f"the {commit.seat} seat could not adopt rules here"
    return ""
