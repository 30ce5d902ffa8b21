"""Replays matches under other rules, and tells by rule which decisions they refuse or decide otherwise."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from cli.commands.designing.rules_comparison import Other, board_of, words_of
from cli.commands.playing.new import parse_options
from cli.commands.records.archives import archives_at, read, tell_crlf
from cli.output.columns import in_columns
from cli.schemas.evidence import DecidedShape, RuleCountShape, RulesDiffShape, RulesDiffSumShape
from cli.shell.arguments import parse_whole
from cli.shell.context import Context
from cli.shell.exit_codes import UserError, fault_of, usage
from cli.views.match_filter import listed_game
from core.audit.rules_diff import RulesDiff, rules_diff
from core.errors import KernelError
from core.history.match_reader import find_match
from core.match.bound_games import bound_game
from core.registry.games import load_game
from core.wording import counted
from events.archive_reader import store_archive
from events.codec import replace
from events.commit import decode_commit
from events.errors import LogError
from events.ids import GameKey, MatchId, RuleId
from events.log import Log
from events.memory_log import MemoryLog
from events.vocabulary import MatchOpened


class Source(NamedTuple):
    """A match that is replayed: what it is called, and what reads it: returns the log that holds it and its id."""

    name: str
    read: Callable[[], tuple[Log, MatchId]]


def diff_rules(context: Context, where: str, other: Other, game: str) -> None:
    """Replay matches, and print what other rules refuse or decide otherwise, by match and by rule.

    Raises:
        UserError: No other rules are named, there are no matches, or matches are of several games. Damaged matches are named after all others have been replayed.
    """
    if not any(other):
        raise usage("name the other rules: --against KEY=VALUE, or --against-board FILE")
    board = board_of(other)
    wanted, replayed, wrong = listed_game(context, game), list[RulesDiffShape](), list[UserError]()
    found: GameKey = wanted
    sources = _sources(context, where)
    with context.progress("replaying", len(sources)) as progress:
        for source in sources:
            progress.advance()
            try:
                log, match = source.read()
                its = _game(log, match)
            except LogError as error:
                wrong.append(_not_replayed(source, error))
                continue
            if wanted not in ("", its):
                continue
            if found not in ("", its):
                raise usage(f"these are matches of {found} and of {its}: name one game with --game")
            found = its
            options = parse_options(load_game(its), other.options)
            bound = None if board is None else bound_game(its, board, other.variant)
            try:
                replayed.append(_replayed(context, source.name, rules_diff(log, match, options, bound)))
            except (KernelError, LogError) as error:
                wrong.append(_not_replayed(source, error))
    if not replayed and not wrong:
        raise usage("there are no matches to replay: `wardiary list` shows what there is")
    if replayed:
        summary = _summary(replayed)
        context.print_result(summary, _lines(context, replayed, summary, words_of(other)))
    if wrong:
        worst, names = max(wrong, key=lambda one: one.exit_code), list(map(str, wrong))
        raise UserError(f"not replayed: {'; '.join(names)}", worst.exit_code, worst.code, defects=names)


def _not_replayed(source: Source, error: KernelError | LogError) -> UserError:
    """Return why a match was not replayed, under its name."""
    found = fault_of(error)
    return UserError(f"{source.name}: {error}", found.exit_code, found.code)


def _sources(context: Context, where: str) -> list[Source]:
    """Return the matches: of an archive, of a folder of them, or of the store."""
    path = Path(where) if where else None
    if path is not None and path.exists():
        return [Source(str(name), partial(_from_archive, context, str(name))) for name in archives_at(path)]
    matches = [find_match(context.log, parse_whole(where))] if where else context.log.matches()
    return [Source(f"match {match}", partial(_from_store, context, match)) for match in matches]


def _from_archive(context: Context, name: str) -> tuple[Log, MatchId]:
    log, archive = MemoryLog(), read(name)
    tell_crlf(context, name, has_crlf=archive.has_crlf)
    return log, store_archive(archive, log).match


def _from_store(context: Context, match: MatchId) -> tuple[Log, MatchId]:
    return context.log, match


def _game(log: Log, match: MatchId) -> GameKey:
    """Return the game of a match, by its opening."""
    opening = decode_commit(next(iter(log.read(match))).body).events[0]
    return opening.game if isinstance(opening, MatchOpened) else GameKey("")


def _replayed(context: Context, name: str, found: RulesDiff) -> RulesDiffShape:
    """Return a match that was replayed; as JSON it is printed at once."""
    shape = RulesDiffShape(
        match=found.match,
        source=name,
        decisions=found.decisions,
        differences=tuple(
            [
                DecidedShape(
                    seq=one.difference.seq,
                    seat=one.seat,
                    recorded=one.difference.rule,
                    given=one.difference.given or one.difference.rule,
                    is_illegal=one.difference.is_refused,
                    problem=one.difference.problem,
                )
                for one in found.decided
            ]
        ),
    )
    if context.is_json:
        context.print_json(shape)
    return shape


def _summary(replayed: Sequence[RulesDiffShape]) -> RulesDiffSumShape:
    rules: dict[tuple[RuleId, RuleId], RuleCountShape] = {}
    for one in replayed:
        for each in one.differences:
            pair = (each.given, each.recorded)
            known = rules.get(pair) or RuleCountShape(
                given=each.given,
                recorded=each.recorded,
                illegal=0,
                otherwise=0,
                first=f"{one.match}@{each.seq}",
                problem=each.problem,
            )
            rules[pair] = replace(
                known, illegal=known.illegal + each.is_illegal, otherwise=known.otherwise + (not each.is_illegal)
            )
    return RulesDiffSumShape(
        matches=len(replayed),
        decisions=sum(one.decisions for one in replayed),
        alike=sum(not one.differences for one in replayed),
        rules=tuple(sorted(rules.values(), key=lambda one: -one.illegal - one.otherwise)),
    )


def _lines(
    context: Context, replayed: Sequence[RulesDiffShape], summary: RulesDiffSumShape, words: str
) -> Iterator[str]:
    yield f"{counted(summary.decisions, 'decision')} of {counted(summary.matches, 'match', 'matches')}, decided again with {words} from the tables that were:"
    if summary.rules:
        rows = [
            [
                one.given,
                "" if one.recorded == one.given else f"instead of {one.recorded}",
                str(one.illegal),
                str(one.otherwise),
                one.first,
            ]
            for one in summary.rules
        ]
        yield ""
        yield from in_columns(["Rule", "", "Illegal", "Otherwise", "First"], rows, context.width, right=(2, 3))
        yield ""
    for one in replayed:
        if one.differences:
            first, count = one.differences[0], len(one.differences)
            yield f"Match {one.match}: the same up to event {first.seq - 1}, then {counted(count, 'decision')} otherwise."
    yield f"{counted(summary.alike, 'match', 'matches')} would be the same to the end."
