"""Options that need a confirmation before they are played, the end of a step in which nothing was done among them, and the one that waits for it.

A page says by the kind of each option whether it asks; what is sent is tried on the seat's own table, and leads to the question if it cannot be taken back.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256

from core.chance.schemes import MANUAL
from core.engine.command import Command
from core.engine.selection import Choose, Done, Pick, Unpick
from core.game.bound_game import BoundGame
from core.legal.look_ahead import Ends, Outcome, outcome
from core.legal.repeats import stays_open
from core.wording import counted, does
from events.codec import encode
from events.ids import PlaceId, Seat
from projections.state.table import Table
from server.page_parts.story import Story
from server.protocol.replies import LegalOption, LegalReply
from server.web.backend.actions import (
    CHOOSE,
    about_of,
    commands_of,
    each_item,
    fields_for,
    is_last_pick,
    items_of,
    option_of,
)
from server.web.http.addresses import at_match
from server.web.http.cookies import Confirmation
from server.web.panels.option_filter import OptionSubjects
from server.web.panels.page_model import PageModel

NOTHING_DONE = "Nothing has moved yet."
STILL_ABLE = "can still act."
ENDED = {Ends.NOTHING: "", Ends.PHASE: " The phase ends with it.", Ends.TURN: " Your turn ends with it."}
MARK_DIGITS = 8
TRIED_MAX = 3
"""How many ways to move are looked at for one after which the step goes on."""


def is_asked(model: PageModel, option: LegalOption) -> bool:
    """Return whether an option is asked about before it is played.

    The only option is not, and neither is one of several items that are picked unless it is the last, or a whole choice to which nothing can be added: its page shows
    nothing else. Typed dice are asked for anyway. What ends a step is if it may be too early.
    """
    if model.decision.confirmation is not Confirmation.FINAL or model.bound is None or model.decision.legal is None:
        return model.decision.confirmation is Confirmation.EACH
    return is_early_end(model, option) or is_for_good(model, option)


def is_for_good(model: PageModel, option: LegalOption) -> bool:
    """Return whether an option as a rule cannot be taken back, and there is something else to choose."""
    legal, now = model.decision.legal, model.story.now
    assert legal is not None and model.bound is not None, "an option belongs to a question of known rules"
    if legal.count == 1 or 0 < legal.maximum == len(legal.picked) or now.chance.scheme == MANUAL:
        return False
    return _is_final(model.bound, now, legal, option)


def may_be_taken_back(model: PageModel, option: LegalOption) -> bool:
    """Return whether an option as a rule can be taken back; the only one of a question, which may be played without a click, is tried."""
    legal = model.decision.legal
    if legal is None or model.bound is None or not model.is_of_one_moment:
        return False
    if _is_final(model.bound, model.story.now, legal, option):
        return False
    found = None if legal.count > 1 else _foreseen(model, commands_with(model.bound, legal, option))
    return found is None or not (found.is_final or found.is_settled)


def _is_final(bound: BoundGame, now: Table, legal: LegalReply, option: LegalOption | None) -> bool:
    """Return whether dice fall or something is shown as a rule once an option, or a whole choice, is played; of several items that are picked, once the last one is."""
    is_whole = option is None or is_last_pick(legal, option)
    command = Done() if is_whole or option is None else bound.rules.decode(bytes(option.command))
    if isinstance(command, Pick | Unpick) and legal.maximum > 1:
        return False
    return bound.narration.is_final(now, command)


def is_early_end(model: PageModel, option: LegalOption) -> bool:
    """Return whether an option ends a step in which pieces can still move and the seat has done nothing."""
    legal, bound = model.decision.legal, model.bound
    if not option.parts.ends or legal is None or bound is None or legal.picked or not model.is_of_one_moment:
        return False
    story, moves = (
        model.story,
        [one for one in legal.options if one.parts.start and one.parts.to and not one.parts.ends],
    )
    commands = [bound.rules.decode(bytes(one.command)) for one in moves[:TRIED_MAX]]

    def found() -> str:
        is_early = any(stays_open(bound.rules, story.now, one) for one in commands) and not _has_acted(model)
        return "early" if is_early else ""

    # Several parts of a page ask, and so do its next versions.
    return bool(story.made_once(("early end", story.last), found))


def _has_acted(model: PageModel) -> bool:
    """Return whether the seat has answered the open question before in the same step."""
    story, now = model.story, model.story.now
    number = story.last
    while number:
        first = story.last_played(number)
        if first not in story.undone:
            before = story.table(first - 1)
            if (before.round, before.turn, before.phase) != (now.round, now.turn, now.phase):
                return False
            asked, asks = before.top, now.top
            if asked is not None and asks is not None and (asked.kind, asked.seat) == (asks.kind, model.seat):
                return True
        number = first - 1
    return False


def _foreseen(model: PageModel, commands: Sequence[Command]) -> Outcome | None:
    """Return what comes of commands; None with typed dice, and while the match moves on."""
    if model.bound is None or not model.is_of_one_moment or model.story.now.chance.scheme == MANUAL:
        return None
    return foreseen(model.bound, model.story.now, commands)


def foreseen(bound: BoundGame, now: Table, commands: Sequence[Command]) -> Outcome:
    """Return what comes of commands on a table as their seat knows it, where the others are assumed to add nothing before dice."""

    def assumes(table: Table, seat: Seat) -> Command | None:
        found = bound.rolls.assumes(table, seat)
        return None if found is None else found.command

    return outcome(bound.rules, now, commands, assumes)


def commands_with(bound: BoundGame, legal: LegalReply, option: LegalOption) -> Sequence[Command]:
    """Return what an option plays: the pick of the last item ends the selection, too."""
    command = bound.rules.decode(bytes(option.command))
    return [command, Done()] if is_last_pick(legal, option) else [command]


def question_before(story: Story, bound: BoundGame, legal: LegalReply, what: str, fields: Mapping[str, str]) -> str:
    """Return the address of the page that asks about what a form plays, if that cannot be taken back, as its kind says or as it comes out when it is tried; empty if it is played at once.

    Where nothing else can be done one tap does it: what it ends stands beside it.

    Args:
        story: The match as the seat has seen it, at the event after which the form was made.
        bound: The game on its board.
        legal: The question that is open then.
        what: `PLAY` or `CHOOSE`.
        fields: Those of the form.
    """
    now, is_whole = story.now, what == CHOOSE
    items = each_item(legal, items_of(fields)) if is_whole else ()
    option = None if is_whole else option_of(legal, fields)
    if now.chance.scheme == MANUAL or not (is_whole or option) or 0 < legal.maximum == len(legal.picked):
        return ""
    played = (
        [Choose(items)]
        if option is None
        else [bound.rules.decode(bytes(one)) for one in commands_of(legal, option, fields)]
    )
    if option is None and bound.rules.refuse(now, story.seat, played[0]) is not None:
        return ""
    if legal.count == 1:
        return ""
    # It may be hidden from the seat whether another one has an answer, before which dice would not fall yet.
    is_kind = _is_final(bound, now, legal, option)
    found = None if is_kind else foreseen(bound, now, played)
    if found is not None and not found.is_final and not found.is_settled:
        return ""
    mark, marked = mark_of(now, legal, option), fields_for(items)
    return at_match(story.match, None, story.seat, about=about_of(fields), choose=mark, marked=marked)


def mark_of(now: Table, legal: LegalReply, option: LegalOption | None = None) -> str:
    """Return what an option, or the question, is called in an address: the same as long as the same is asked, also after a note."""
    asked = (now.round, now.turn, now.phase, legal.decision, legal.arguments, legal.picked, option and option.command)
    return sha256(encode(asked)).hexdigest()[:MARK_DIGITS]


def asked_about(model: PageModel) -> LegalOption | None:
    """Return the option about which the page asks; None if it shows all of them."""
    legal = model.decision.legal
    if legal is None or not model.decision.asked:
        return None
    return next((one for one in legal.options if mark_of(model.story.now, legal, one) == model.decision.asked), None)


def asked_at(model: PageModel, option: LegalOption) -> str:
    """Return the address of the page that asks about an option."""
    assert model.decision.legal is not None, "an option belongs to a question"
    mark = mark_of(model.story.now, model.decision.legal, option)
    return at_match(model.story.match, None, model.seat, about=model.decision.about, choose=mark)


def question(model: PageModel, legal: LegalReply, option: LegalOption) -> str:
    """Return the question whether an option is to be played, and why that is asked."""
    early = f" {NOTHING_DONE}" if is_early_end(model, option) else ""
    early += left_to_act(model, legal) if option.parts.ends else ""
    if model.bound is None:
        return f"{option.words}?{early}"
    commands = commands_with(model.bound, legal, option)
    is_final, is_end = is_for_good(model, option), option.parts.ends
    return f"{option.words}?{early}{kept(model, commands, is_final=is_final, is_end=is_end)}"


def warning(model: PageModel) -> str:
    """Return what the only option of a question ends, and that it cannot be taken back, while something before it can; empty for any other question."""
    legal = model.decision.legal
    if legal is None or model.bound is None or legal.count != 1 or legal.undo_to is None or not legal.options:
        return ""
    return kept(model, commands_with(model.bound, legal, legal.options[0]), is_final=False).strip()


def left_to_act(model: PageModel, legal: LegalReply) -> str:
    """Return how many pieces of the map, or else places, can still act when a step is ended; empty where items are picked, and for cards and the like."""
    if model.bound is None or legal.maximum:
        return ""
    subjects = OptionSubjects(model.story, model.bound)
    pieces: set[str] = set()
    places: set[str] = set()
    for named in [named for _, named in subjects.of(legal.options) if named]:
        start = subjects.place_of(named[0])
        pieces |= {one for one in named if start is not None and subjects.place_of(one) == start}
        places |= {one for one in named[:1] if subjects.is_place(one)}
    if pieces:
        return f" {counted(len(pieces), subjects.names.narration.piece_noun)} {STILL_ABLE}"
    nouns = {subjects.names.places[PlaceId(one)].noun for one in places}
    noun = nouns.pop() if len(nouns) == 1 else ""
    return f" {counted(len(places), noun or 'place')} {STILL_ABLE}" if places else ""


def kept(model: PageModel, commands: Sequence[Command], *, is_final: bool, is_end: bool = False) -> str:
    """Return what commands end besides, and whether and how long they can be taken back; of those that are final by their kind, with typed dice, only that they cannot as a rule.

    Args:
        model: What the page shows.
        commands: The commands.
        is_final: Whether they are by their kind.
        is_end: Whether their words say what they end.
    """
    now = model.story.now
    if model.decision.confirmation is not Confirmation.FINAL or model.bound is None:
        return ""
    found = _foreseen(model, commands)
    if found is None:
        return " As a rule this cannot be taken back." if is_final else ""
    if found.is_final or (is_final and now.taking_back == "no"):
        return f"{'' if is_end else ENDED[found.ends]} This cannot be taken back."
    who = model.story.names.on(now).seat(found.awaits) if found.awaits else ""
    if found.is_settled:
        return f" If {does(who, 'add')} nothing, this is decided at once, and cannot be taken back."
    if who and is_final:
        return f" Once {does(who, 'have')} answered, this cannot be taken back."
    return " This can be taken back." if is_final else ""
