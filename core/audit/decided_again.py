"""Decides a recorded command again, by any rules, from the table that the record leads to."""

from collections.abc import Callable, Sequence

from core.audit.audit_report import Difference
from core.chance.recorded_chance import Judge, RecordedChance
from core.errors import KernelError, RecordDiffers
from core.match.live_match import Match
from core.refusal import Refusal
from core.registry.game_fault import told
from core.registry.games import packages
from events.codec import DecodeError, encode
from events.commit import Commit
from events.ids import RuleId
from events.vocabulary import Event


def decided_again(commit: Commit, match: Match, judge: Judge | None) -> Difference | None:
    """Return how the rules of a match decide a command otherwise than recorded, with the recorded dice and draws.

    Args:
        commit: The command with its events.
        match: The match before it, under the rules that decide.
        judge: Gives the dice and draws that are right; without one the recorded ones are.

    Raises:
        RecordDiffers: The rules ask for other dice or draws, or `judge` gives others.
        KernelError: They cannot decide it; also DecodeError.
    """
    table = match.table
    chance = RecordedChance(commit.events, judge=judge, uncounted=table.seq + 1 - table.chance_position)
    again = match.prepare(commit.seat, bytes(commit.command), key=commit.key, at=commit.at, chance=chance)
    if isinstance(again, Refusal):
        return Difference(
            commit.first,
            again.rule,
            f"the rules refuse this command: {again.sentence} ({again.rule})",
            is_refused=True,
            given=again.rule,
        )
    if bytes(again.commit.command) != bytes(commit.command):
        return Difference(commit.first, commit.events[0].rule, "the recorded command is not in its canonical form")
    return first_difference(commit, again.commit.events)


def decided_anyhow(commit: Commit, decide: Callable[[], Difference | None], whose: str) -> Difference | None:
    """Return how rules decide a command otherwise, whatever a table that they do not know does to them.

    Args:
        commit: The command with its events.
        decide: Decides it again; see `decided_again`.
        whose: The name of these rules in a sentence.
    """
    try:
        return decide()
    except RecordDiffers as error:
        return Difference(error.seq, _rule_at(commit.events, error.seq - commit.first), error.problem)
    except Exception as error:  # noqa: BLE001 - Rules at a table that they do not know may fail in any way.
        problem = (
            str(error) if isinstance(error, KernelError | DecodeError) else f"they fail: {told(error, packages())}"
        )
        return Difference(commit.first, commit.events[0].rule, f"{whose} cannot decide this command: {problem}")


def first_difference(commit: Commit, again: tuple[Event, ...]) -> Difference | None:
    """Return the first event that differs from the recorded ones."""
    for number, (recorded, played) in enumerate(zip(commit.events, again, strict=False)):
        if encode(recorded) != encode(played):
            return Difference(
                commit.first + number,
                recorded.rule,
                f"recorded is {encode(recorded).decode()}, the rules give {encode(played).decode()}",
                given=played.rule,
            )
    if len(again) != len(commit.events):
        place = min(len(again), len(commit.events))
        return Difference(
            commit.first + place,
            _rule_at(max(commit.events, again, key=len), place),
            f"recorded are {len(commit.events)} events of this command, the rules give {len(again)}",
            given=_rule_at(again, place),
        )
    return None


def _rule_at(events: Sequence[Event], place: int) -> RuleId:
    """Return the rule of an event at a place, or of the last one before it."""
    return events[min(place, len(events) - 1)].rule
