"""A match that stands still because it was played under other rules than are installed, and the command that adopts these."""

from core.match.ruleset import AdoptRules, may_adopt, under_other_rules
from events.codec import Raw, encode
from events.ids import Seat
from projections.catalogue import InstalledRules
from projections.state.table import Table
from server.protocol.replies import LegalOption


def standstill(table: Table, installed: InstalledRules) -> str:
    """Return why a match stands still, in a sentence."""
    return f"{under_other_rules(table, installed.edition, installed.rules)}: nothing is decided here until these are adopted."


def adoption(table: Table, seat: Seat, installed: InstalledRules) -> LegalOption | None:
    """Return the command by which a seat adopts the installed rules, or None if it does not decide that.

    It is not an option of a decision, so that no bot ever chooses it: only a person is asked.
    """
    if not may_adopt(table, seat):
        return None
    words = f"Adopt the installed rules, edition {installed.edition}, and go on; everybody sees it"
    return LegalOption(1, Raw(encode(AdoptRules(rules=installed.rules))), words)
