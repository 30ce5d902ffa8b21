"""Simulates one match from its opening to its end and audits it. Runs in a process of its own."""

import random
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from core.checking.simulated_match import NO_FILES, Files, Plan, SimulatedMatch, WentWrong
from core.registry.game_fault import told, traceback_of
from core.registry.games import packages, typed_key
from core.trials.trial import counted_on
from events.archive import export_match
from events.ids import Digest, MatchId, Seat, Side
from events.log import NewCommit
from projections.state.table import Table
from server.store.archive_file import SUFFIX, write_archive


class Outcome(NamedTuple):
    """The result. `problem` is empty if the match ended by the rules and its audit was clean.

    `won` is how much of the victory each side has, from 0 to 1, a half each if nobody has won; `counts` are those of the last table, see `core.trials.trial.Outcome`.
    `file` is the archive to which the match was saved, if it was; `commits` and `attachments` are the match itself, if it is to be
    stored by the process that simulates. `trace` is the traceback of an error that was raised.
    """

    plan: Plan
    steps: int
    events: int
    rounds: int
    result: str
    winners: tuple[Side, ...]
    winning_seats: tuple[Seat, ...]
    problem: str
    file: str
    match: MatchId
    commits: tuple[NewCommit, ...] = ()
    attachments: Mapping[Digest, bytes] = {}
    trace: str = ""
    won: Mapping[Side, float] = {}
    counts: Mapping[str, int] = {}


def play_match(
    plan: Plan, files: Files = NO_FILES, folder: str = "", *, is_stored: bool = False, is_forced: bool = False
) -> Outcome:
    """Play and audit one match; see `SimulatedMatch`. A failure is part of the result, not an exception.

    Args:
        plan: The match.
        files: What it begins from.
        folder: Where to save it, whether it failed or not; empty to save failures only, if the plan names a folder for them.
        is_stored: Whether the caller stores it.
        is_forced: Whether another file of the name is replaced.
    """
    game = SimulatedMatch(plan, random.Random, files)
    problem, raised = "", ""
    try:
        game.play()
        if plan.is_audited:
            game.check()
    except WentWrong as wrong:
        problem = str(wrong)
    except Exception as error:  # noqa: BLE001
        # Simulations exist to find any exception of a game's rules or of a bot.
        problem = f"at event {game.match.head.seq}: {told(error, packages())}"
        raised = traceback_of(error)
    table = game.match.table
    ended = table.ended
    file = _saved(game, folder, is_packed=True, is_forced=is_forced) if folder else ""
    if problem and plan.save_failures:
        file = _saved(game, plan.save_failures, is_packed=False, is_forced=is_forced)
    return Outcome(
        plan=plan,
        steps=game.steps,
        events=table.seq,
        rounds=table.round,
        result="" if ended is None else ended.result,
        winners=() if ended is None else ended.winners,
        winning_seats=() if ended is None else ended.winning_seats,
        problem=problem,
        file=file,
        match=game.id,
        commits=game.commits() if is_stored else (),
        attachments=game.attachments if is_stored else {},
        trace=raised,
        won=_won(table),
        counts=counted_on(table, [place.id for place in game.match.ruleset.game.narration.place_names()]),
    )


def play_planned(
    planned: tuple[Plan, Files], folder: str = "", *, is_stored: bool = False, is_forced: bool = False
) -> Outcome:
    """Play and audit one match of several that begin from other files; see `play_match`."""
    plan, files = planned
    return play_match(plan, files, folder, is_stored=is_stored, is_forced=is_forced)


def _won(table: Table) -> dict[Side, float]:
    """Return how much of the victory each side has."""
    ended = table.ended
    if ended is None or not (ended.winners or ended.winning_seats):
        return dict.fromkeys(table.sides, 0.5)
    winners = {*ended.winners, *map(table.side_of, ended.winning_seats)}
    return {side: float(side in winners) for side in table.sides}


def _saved(game: SimulatedMatch, folder: str, *, is_packed: bool, is_forced: bool) -> str:
    """Save a match as an archive, compressed or not, and replace another file if forced to; return the file's name."""
    plan = game.plan
    name = f"{typed_key(plan.game)}-{plan.number}-{game.id}.ndjson{SUFFIX if is_packed else ''}"
    path = Path(folder) / name
    write_archive(path, export_match(game.log, game.id), is_forced=is_forced)
    return str(path)
