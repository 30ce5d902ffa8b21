"""Disputes about an event: opened by a player or the arbiter, ruled on, and once appealed; the rules are in `core/game_files/match_rules.toml`."""

from core.engine.command import MatchOwnCommand
from core.engine.draft import Draft
from core.match.arbiter_commands import PAUSE, TEXT_CHARACTERS_MAX
from core.match.arbitration.note_commands import RULE_CHARACTERS_MAX, RULINGS, refuse_event
from core.match.player_commands import MakeRuling
from core.refusal import Refusal
from events.ids import ARBITER, MatchId, RuleId, Seat
from events.vocabulary import DisputeOpened, Effect, MatchPaused, RulingAppealed, RulingMade
from projections.state.offices import Dispute, Stand
from projections.state.table import Table
from projections.state.view import log_number

DISPUTES = RuleId("match.disputes")
LINE_CHARACTERS_MAX = 200
NAME_CHARACTERS_MAX = 80
CITED_MAX = 20
CONTINUED = "Continued"
"""The result of a match that ended because it goes on as another one."""


STANDS: dict[Stand, str] = {
    "open": "waits for a ruling",
    "ruled": "was ruled on; a player may appeal",
    "appealed": "waits for the second ruling",
    "final": "was settled by the second ruling",
}
"""Where disputes stand, in words."""


class OpenDispute(MatchOwnCommand, frozen=True, kw_only=True, tag="match:dispute"):
    """Dispute what happened with event `at`, in the seat's numbers. The arbiter may pause the match with it; otherwise play goes on."""

    at: int
    text: str
    pauses: bool = False


class Appeal(MatchOwnCommand, frozen=True, kw_only=True, tag="match:appeal"):
    """Appeal against the ruling on the dispute about event `at`, in the seat's numbers."""

    at: int
    text: str


def open_dispute(draft: Draft, seat: Seat, command: OpenDispute) -> Refusal | None:
    """Open a dispute, or return the refusal; then the draft must be discarded."""
    table = draft.table
    if refusal := _refuse_words(table, seat, command):
        return refusal
    at = log_number(table, seat, command.at)
    known = table.dispute(at)
    if known is not None:
        return Refusal(
            "dispute_must_be_new",
            DISPUTES,
            f"Event {command.at} is disputed already: it {STANDS[known.stand]}.",
        )
    if command.pauses and seat != ARBITER:
        return Refusal("seat_must_be_arbiter", PAUSE, "Only the arbiter says that play stops for a dispute.")
    draft.emit(DisputeOpened(rule=DISPUTES, seat=seat, at=at, text=command.text))
    if command.pauses and table.paused is None and table.ended is None:
        draft.emit(MatchPaused(rule=PAUSE, reason=command.text))
    return None


def appeal(draft: Draft, seat: Seat, command: Appeal) -> Refusal | None:
    """Appeal against a ruling, or return the refusal; then the draft must be discarded."""
    table = draft.table
    if seat == ARBITER:
        return Refusal("seat_must_play", DISPUTES, "A player appeals; the arbiter rules.")
    if refusal := _refuse_words(table, seat, command):
        return refusal
    at = log_number(table, seat, command.at)
    dispute = table.dispute(at)
    if dispute is None or dispute.stand != "ruled":
        why = {"appealed": "a player has appealed already", "final": "the second ruling was final"}
        said = why.get("" if dispute is None else dispute.stand, "there is no ruling on it yet")
        return Refusal("ruling_must_be_made", DISPUTES, f"Nobody can appeal about event {command.at}: {said}.")
    draft.emit(RulingAppealed(rule=DISPUTES, seat=seat, at=at, text=command.text))
    return None


def refuse_ruling(table: Table, command: MakeRuling) -> Refusal | None:
    """Return why a ruling does not settle a dispute as it says, or None."""
    dispute = table.dispute(command.at)
    if dispute is not None:
        refusal = _refuse_effect(table, dispute, command)
    elif command.effect or command.reverses or command.line:
        said = "Only a ruling on a disputed event has an effect; open the dispute first."
        refusal = Refusal("dispute_must_be_open", DISPUTES, said)
    else:
        refusal = None
    return refusal or _refuse_names(command)


def _refuse_effect(table: Table, dispute: Dispute, command: MakeRuling) -> Refusal | None:
    """Return why a ruling cannot settle a dispute, or not with this effect."""
    if dispute.stand in ("ruled", "final"):
        left = "the second ruling was final" if dispute.stand == "final" else "a player may appeal once"
        said = f"The dispute about event {command.at} was ruled on; {left}."
        return Refusal("dispute_must_be_open", DISPUTES, said)
    if not command.effect:
        return Refusal("effect_must_be_named", DISPUTES, "A ruling on a dispute has an effect: stand, go-on or edit.")
    if command.reverses and dispute.stand != "appealed":
        said = "Only a ruling against which a player appealed can be reversed."
        return Refusal("ruling_must_be_made", DISPUTES, said)
    if (command.effect in ("go-on", "edit")) != bool(command.line):
        said = "With the effect go-on or edit, and only then, a ruling names the match as which it goes on."
        return Refusal("line_must_be_named", DISPUTES, said)
    if dispute.stand == "appealed" and not command.reverses:
        if (command.effect, command.line) == (dispute.effect, dispute.line):
            return None
        line = f" as {dispute.line}" if dispute.line else ""
        said = f"A ruling that confirms the first has its effect: {dispute.effect}{line}. One with another effect reverses it."
        return Refusal("effect_must_be_confirmed", DISPUTES, said)
    if command.line and (command.effect, command.line) == (dispute.effect, dispute.line) and command.reverses:
        said = f"By the first ruling the match goes on as {dispute.line} already: a ruling that leaves it so confirms it, and reverses nothing."
        return Refusal("line_must_be_another", DISPUTES, said)
    if dispute.line and not command.line and table.ended is not None and table.ended.result == CONTINUED:
        said = (
            f"The match ended when it went on as {dispute.line}."
            f" To let it stand, fork it at event {dispute.ruled - 1} and let it go on as the fork."
        )
        return Refusal("match_must_be_running", DISPUTES, said)
    if command.line and not dispute.line and table.goes_on:
        said = f"By another ruling the match goes on as {table.goes_on} already; dispute what happened there."
        return Refusal("line_must_be_one", DISPUTES, said)
    return None


def _refuse_names(command: MakeRuling) -> Refusal | None:
    """Return which of the names in a ruling is not one."""
    if len(command.line) > LINE_CHARACTERS_MAX or not command.line.isprintable():
        said = f"The id of a match is one line of {LINE_CHARACTERS_MAX} characters at most."
        return Refusal("line_must_be_named", DISPUTES, said)
    if len(command.cites) > CITED_MAX or not all(
        0 < len(one) <= RULE_CHARACTERS_MAX and one.isprintable() for one in command.cites
    ):
        return Refusal("rule_must_be_named", RULINGS, f"A ruling cites {CITED_MAX} rules at most, each by its id.")
    if command.house and not (
        command.house.strip() and len(command.house) <= NAME_CHARACTERS_MAX and command.house.isprintable()
    ):
        said = f"A house rule has a name: one line of 1 to {NAME_CHARACTERS_MAX} characters."
        return Refusal("name_must_be_printable", DISPUTES, said)
    return None


def line_defect(match: MatchId, then: Table, line: MatchId, now: Table, effect: Effect) -> str:
    """Return why a match cannot go on as another one; empty if it can. The rules of one match do not know the other, so that the arbiter's client asks.

    Args:
        match: The disputed match.
        then: Its table.
        line: The other match.
        now: Its table.
        effect: The effect of the ruling.
    """
    if effect == "go-on" and now.parent != match:
        return f"{line} is not a fork of {match}"
    if effect == "edit" and (now.position is None or (now.game, now.scenario) != (then.game, then.scenario)):
        return f"{line} was not opened with an edited table of {match}"
    if now.ended is not None:
        return f"{line} is over ({now.ended.result}), and nothing could be played in it"
    return ""


def record(draft: Draft, command: MakeRuling) -> None:
    """Record a ruling that is not refused; the match ends if it goes on as another one."""
    draft.emit(
        RulingMade(
            rule=RULINGS,
            text=command.text,
            about=command.about,
            at=command.at,
            cites=command.cites,
            effect=command.effect,
            line=command.line,
            reverses=command.reverses,
            house=command.house,
        )
    )
    if command.line and draft.table.ended is None:
        reason = "By a ruling it goes on as another match"
        draft.end_match(CONTINUED, (), DISPUTES, kind="annulled", seats=(), reason=reason)


def _refuse_words(table: Table, seat: Seat, command: OpenDispute | Appeal) -> Refusal | None:
    if seat != ARBITER and seat not in table.seats:
        return Refusal("seat_must_be_named", DISPUTES, "A seat of the match disputes what happened, or the arbiter.")
    if not 0 < len(command.text.strip()) <= TEXT_CHARACTERS_MAX:
        return Refusal(
            "reason_must_have_text",
            DISPUTES,
            f"A dispute and an appeal have a text of 1 to {TEXT_CHARACTERS_MAX} characters.",
        )
    return refuse_event(table, seat, command.at, DISPUTES)
