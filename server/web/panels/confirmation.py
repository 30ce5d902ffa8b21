"""Options that need a confirmation before they are played, the end of a step in which nothing was done among them, and the one that waits for it."""

from hashlib import sha256

from core.chance.schemes import MANUAL
from core.engine.selection import Done, Pick, Unpick
from core.legal.repeats import stays_open
from events.codec import encode
from server.protocol.replies import LegalOption, LegalReply
from server.web.backend.actions import is_last_pick
from server.web.http.addresses import at_match
from server.web.http.cookies import Confirmation
from server.web.panels.page_model import PageModel

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
    return _is_final(model, legal, option)


def may_be_taken_back(model: PageModel, option: LegalOption) -> bool:
    """Return whether an option, even if it is the only one, as a rule can be taken back."""
    legal = model.decision.legal
    if legal is None or model.bound is None or not model.is_of_one_moment:
        return False
    return not _is_final(model, legal, option)


def _is_final(model: PageModel, legal: LegalReply, option: LegalOption) -> bool:
    """Return whether dice fall or something is shown as a rule once an option is played; of several items that are picked, once the last one is."""
    assert model.bound is not None, "only known rules tell that"
    command = Done() if is_last_pick(legal, option) else model.bound.rules.decode(bytes(option.command))
    if isinstance(command, Pick | Unpick) and legal.maximum > 1:
        return False
    return model.bound.narration.is_final(model.story.now, command)


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


def mark_of(model: PageModel, legal: LegalReply, option: LegalOption | None = None) -> str:
    """Return what an option, or the question, is called in an address: the same as long as the same is asked, also after a note."""
    now = model.story.now
    asked = (now.round, now.turn, now.phase, legal.decision, legal.arguments, legal.picked, option and option.command)
    return sha256(encode(asked)).hexdigest()[:MARK_DIGITS]


def asked_about(model: PageModel) -> LegalOption | None:
    """Return the option about which the page asks; None if it shows all of them."""
    legal = model.decision.legal
    if legal is None or not model.decision.asked:
        return None
    return next(
        (one for one in legal.options if mark_of(model, legal, one) == model.decision.asked and is_asked(model, one)),
        None,
    )


def asked_at(model: PageModel, option: LegalOption) -> str:
    """Return the address of the page that asks about an option."""
    assert model.decision.legal is not None, "an option belongs to a question"
    mark = mark_of(model, model.decision.legal, option)
    return at_match(model.story.match, None, model.seat, about=model.decision.about, choose=mark)
