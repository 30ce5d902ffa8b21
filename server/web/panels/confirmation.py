"""Options that need a confirmation before they are played, and the one that waits for it."""

from hashlib import sha256

from core.chance.schemes import MANUAL
from core.engine.selection import Done, Pick, Unpick
from events.codec import encode
from server.protocol.replies import LegalOption, LegalReply
from server.web.backend.actions import is_last_pick
from server.web.http.addresses import at_match
from server.web.http.cookies import Confirmation
from server.web.panels.page_model import PageModel

MARK_DIGITS = 8


def is_asked(model: PageModel, option: LegalOption) -> bool:
    """Return whether an option is asked about before it is played.

    The only option is not, and neither is one of several items that are picked unless it is the last, or a whole choice to which nothing can be added: its page shows
    nothing else. Typed dice are asked for anyway.
    """
    legal, now = model.decision.legal, model.story.now
    if model.decision.confirmation is not Confirmation.FINAL or model.bound is None or legal is None:
        return model.decision.confirmation is Confirmation.EACH
    if legal.count == 1 or 0 < legal.maximum == len(legal.picked) or now.chance.scheme == MANUAL:
        return False
    command = Done() if is_last_pick(legal, option) else model.bound.rules.decode(bytes(option.command))
    if isinstance(command, Pick | Unpick) and legal.maximum > 1:
        return False
    return model.bound.narration.is_final(now, command)


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
