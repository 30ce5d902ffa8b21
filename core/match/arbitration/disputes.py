"""Disputes about an event: opened by a player or the arbiter, ruled on, and once appealed; the rules are in `core/game_files/match_rules.toml`."""

from core.engine.command import MatchOwnCommand
from core.engine.draft import Draft
from core.match.arbiter_commands import PAUSE, TEXT_CHARACTERS_MAX
from core.match.note_commands import RULE_CHARACTERS_MAX, RULINGS, refuse_event
from core.match.player_commands import MakeRuling
from core.refusal import Refusal
from events.ids import ARBITER, RuleId, Seat
from events.vocabulary import DisputeOpened, MatchPaused, RulingAppealed, RulingMade
from projections.state.table import Table
from projections.state.view import log_number

DISPUTES = RuleId("match.disputes")
LINE_CHARACTERS_MAX = 200
NAME_CHARACTERS_MAX = 80
CITED_MAX = 20


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
    if str(at) in table.disputes:
        stands = {
            "open": "waits for a ruling",
            "ruled": "was ruled on; a player may appeal",
            "appealed": "waits for the second ruling",
            "final": "was settled",
        }
        return Refusal(
            "dispute_must_be_new",
            DISPUTES,
            f"Event {command.at} is disputed already: it {stands[table.disputes[str(at)]]}.",
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
    if table.disputes.get(str(at)) != "ruled":
        said = f"There is no ruling on event {command.at} against which nobody has appealed yet."
        return Refusal("ruling_must_be_made", DISPUTES, said)
    draft.emit(RulingAppealed(rule=DISPUTES, seat=seat, at=at, text=command.text))
    return None


def refuse_ruling(table: Table, command: MakeRuling) -> Refusal | None:
    """Return why a ruling does not settle a dispute as it says, or None."""
    stand = None if command.at is None else table.disputes.get(str(command.at))
    if stand is None and (command.effect or command.reverses or command.line):
        return Refusal(
            "dispute_must_be_open", DISPUTES, "Only a ruling on a disputed event has an effect; open the dispute first."
        )
    if stand in ("ruled", "final"):
        return Refusal(
            "dispute_must_be_open",
            DISPUTES,
            f"The dispute about event {command.at} was ruled on; a player may appeal once.",
        )
    if stand is not None and not command.effect:
        return Refusal("effect_must_be_named", DISPUTES, "A ruling on a dispute has an effect: stand, go-on or edit.")
    if command.reverses and stand != "appealed":
        return Refusal(
            "ruling_must_be_made", DISPUTES, "Only a ruling against which a player appealed can be reversed."
        )
    is_other = command.effect in ("go-on", "edit")
    if is_other != bool(command.line) or len(command.line) > LINE_CHARACTERS_MAX or not command.line.isprintable():
        return Refusal(
            "line_must_be_named",
            DISPUTES,
            "With the effect go-on or edit, and only then, a ruling names the match as which it goes on.",
        )
    if len(command.cites) > CITED_MAX or not all(
        0 < len(one) <= RULE_CHARACTERS_MAX and one.isprintable() for one in command.cites
    ):
        return Refusal("rule_must_be_named", RULINGS, f"A ruling cites {CITED_MAX} rules at most, each by its id.")
    if command.house and (len(command.house) > NAME_CHARACTERS_MAX or not command.house.isprintable()):
        return Refusal(
            "name_must_be_printable",
            DISPUTES,
            f"A house rule has a name: one line of {NAME_CHARACTERS_MAX} characters at most.",
        )
    return None


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
        reason = f"By a ruling it goes on as {command.line}"
        draft.end_match("Continued", (), DISPUTES, kind="annulled", seats=(), reason=reason)


def _refuse_words(table: Table, seat: Seat, command: OpenDispute | Appeal) -> Refusal | None:
    if seat != ARBITER and seat not in table.seats:
        return Refusal("seat_must_be_named", DISPUTES, "A seat of the match disputes what happened, or the arbiter.")
    if not 0 < len(command.text.strip()) <= TEXT_CHARACTERS_MAX:
        return Refusal(
            "reason_must_have_text",
            DISPUTES,
            f"A dispute and an appeal have a text of {TEXT_CHARACTERS_MAX} characters at most.",
        )
    return refuse_event(table, seat, command.at, DISPUTES)
