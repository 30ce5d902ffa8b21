"""The rules of a match: those that are installed, and how a match that was played under others comes to go on under them."""

from contextlib import suppress

from core.engine.command import MatchOwnCommand
from core.engine.decision import Rules
from core.engine.draft import Draft
from core.engine.draft_chance import MatchOver
from core.game.bound_game import BoundGame
from core.match.arbiter_commands import over
from core.positions.any_moment import set_up_any_moment
from core.positions.position import Position
from core.refusal import Refusal
from events.codec import Struct
from events.ids import ARBITER, Digest, RuleId, Seat
from events.vocabulary import RulesAdopted
from projections.state.table import Table

ADOPT = RuleId("match.adopt")


class Ruleset(Struct, frozen=True):
    """The ruleset of a match: a game on a board, and the position it starts from, if any.

    `edition` and `digest` are those of the installed rules.
    """

    game: BoundGame
    position: Position | None
    edition: str
    digest: Digest

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.game.rules

    def is_in_force(self, table: Table) -> bool:
        """Return whether a match is played under these rules, so that they may decide in it."""
        return table.rules == self.digest

    def set_up(self, draft: Draft) -> None:
        """Set the table up and continue to the first decision."""
        with suppress(MatchOver):
            if self.position is None:
                self.rules.set_up(draft)
            elif self.position.stack:
                set_up_any_moment(draft, self.position)
                self.rules.settle(draft)
            else:
                self.game.positions.set_up_position(draft, self.position)
                self.rules.settle(draft)


class AdoptRules(MatchOwnCommand, frozen=True, kw_only=True, tag="match:adopt-rules"):
    """Go on under the installed rules, of which `rules` is the digest, in a match that was played under others until now."""

    rules: Digest


def may_adopt(table: Table, seat: Seat) -> bool:
    """Return whether a seat decides about the rules under which a match goes on: the arbiter if there is one, else any that plays."""
    return seat == ARBITER or (table.arbiter is None and seat in table.seats)


def adopt_rules(ruleset: Ruleset, draft: Draft, seat: Seat, command: AdoptRules) -> Refusal | None:
    """Let the match go on under the installed rules, or return the refusal; then the draft must be discarded."""
    table = draft.table
    if table.ended is not None:
        return over(table)
    if not may_adopt(table, seat):
        who = "a seat that plays, or the arbiter," if table.arbiter is None else "the arbiter of this match"
        return Refusal("seat_must_be_named", ADOPT, f"Only {who} adopts other rules.")
    if ruleset.is_in_force(table):
        return Refusal("rules_must_differ", ADOPT, "The match is played under the installed rules already.")
    if command.rules != ruleset.digest:
        here = f"edition {ruleset.edition}, {ruleset.digest[:12]}…"
        return Refusal("rules_must_be_installed", ADOPT, f"These rules are not the installed ones ({here}).")
    if not _knows_question(ruleset.rules, table):
        cannot = f"The installed rules (edition {ruleset.edition}) cannot go on from the open question of this match."
        return Refusal("rules_must_fit", ADOPT, cannot)
    draft.emit(
        RulesAdopted(
            rule=ADOPT,
            seat=seat,
            edition=ruleset.edition,
            rules=ruleset.digest,
            edition_was=table.edition,
            rules_was=table.rules,
        )
    )
    return None


def _knows_question(rules: Rules, table: Table) -> bool:
    """Return whether rules can list the options of a table to which other rules have led."""
    try:
        rules.options(table)
    except Exception:  # noqa: BLE001 - Rules at a table that they do not know may fail in any way.
        return False
    return True


def under_other_rules(table: Table, edition: str, digest: Digest) -> str:
    """Return under which rules a match is played, and that others are installed, as a clause without its end."""
    return (
        f"The match is played under edition {table.edition} (rules {table.rules[:12]}…), and installed is edition {edition} "
        f"(rules {digest[:12]}…)"
    )


def refuse_other_rules(ruleset: Ruleset, table: Table) -> Refusal:
    """Return why nothing is decided in a match while other rules than its own are installed."""
    who = "the arbiter" if table.arbiter is not None else "a seat"
    return Refusal(
        "rules_must_be_adopted",
        ADOPT,
        f"{under_other_rules(table, ruleset.edition, ruleset.digest)}. It goes on where its own rules are installed, "
        f"or once {who} adopts these.",
    )
