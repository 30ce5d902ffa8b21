"""Matches that stand still because they are played under other rules than are installed."""

from core.errors import RulesetMissing, UnknownName
from core.registry.games import load_game
from events.codec import replace
from events.ids import Digest, GameKey
from projections.catalogue import InstalledRules, MatchSummary, Summary
from projections.state.table import Table


def standing_still(table: Table) -> InstalledRules | None:
    """Return the installed rules if a match is played under others and is not over: nothing is decided in it until these are adopted."""
    return None if table.ended is not None else _other_rules(table.game, table.rules)


def shown_today(summary: Summary, at: int) -> MatchSummary:
    """Return what everybody sees of a match at a time (milliseconds since 1970, UTC), and the installed rules if it stands still under others."""
    shown = summary.shown_at(at)
    installed = None if shown.ended is not None else _other_rules(shown.game, summary.rules)
    return shown if installed is None else replace(shown, installed=installed)


def _other_rules(game: GameKey, rules: Digest) -> InstalledRules | None:
    """Return the installed rules of a game unless they are these; also None if it is not installed."""
    try:
        record = load_game(game)
    except (UnknownName, RulesetMissing):
        return None
    now = record.rules_digest
    return None if now == rules else InstalledRules(record.edition, now)
