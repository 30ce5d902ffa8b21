"""Which options are asked about once more before they are played, and which one is."""

from hashlib import sha256

from core.chance import MANUAL
from core.selection import Done, Pick, Unpick
from events.codec import encode
from server.protocol.replies import LegalOption, LegalReply
from server.web.asking import Asking
from server.web.plays import is_last_pick
from server.web.sight import Sight

MARK_DIGITS = 8


def is_asked(sight: Sight, option: LegalOption) -> bool:
    """Return whether an option is asked about before it is played.

    The only option is not, and neither is one of several items that are picked unless it is the last, or a whole choice to which nothing can be added: its page shows
    nothing else. Typed dice are asked for anyway.
    """
    legal, now = sight.legal, sight.story.now
    if sight.asking is not Asking.FINAL or sight.bound is None or legal is None:
        return sight.asking is Asking.EACH
    if legal.count == 1 or 0 < legal.maximum == len(legal.picked) or now.chance.scheme == MANUAL:
        return False
    command = Done() if is_last_pick(legal, option) else sight.bound.rules.decode(bytes(option.command))
    if isinstance(command, Pick | Unpick) and legal.maximum > 1:
        return False
    return sight.bound.narration.is_final(now, command)


def mark_of(sight: Sight, legal: LegalReply, option: LegalOption | None = None) -> str:
    """Return what an option, or the question, is called in an address: the same as long as the same is asked, also after a note."""
    now = sight.story.now
    asked = (now.round, now.turn, now.phase, legal.decision, legal.arguments, legal.picked, option and option.command)
    return sha256(encode(asked)).hexdigest()[:MARK_DIGITS]


def asked_about(sight: Sight) -> LegalOption | None:
    """Return the option about which the page asks; None if it shows all of them."""
    legal = sight.legal
    if legal is None or not sight.choice:
        return None
    return next(
        (one for one in legal.options if mark_of(sight, legal, one) == sight.choice and is_asked(sight, one)), None
    )
