"""Which options are asked about once more before they are played, and which one is."""

from core.chance import MANUAL
from core.selection import Pick, Unpick
from server.protocol.replies import LegalOption
from server.web.asking import Asking
from server.web.sight import Sight


def is_asked(sight: Sight, option: LegalOption) -> bool:
    """Return whether an option is asked about before it is played.

    The only option is not, and neither is one of several items that are picked, or a whole choice to which nothing can be added: its page shows
    nothing else. Typed dice are asked for anyway.
    """
    legal, now = sight.legal, sight.story.now
    if sight.asking is not Asking.FINAL or sight.bound is None or legal is None:
        return sight.asking is Asking.EACH
    if legal.count == 1 or 0 < legal.maximum == len(legal.picked) or now.chance.scheme == MANUAL:
        return False
    command = sight.bound.rules.decode(bytes(option.command))
    if isinstance(command, Pick | Unpick) and legal.maximum > 1:
        return False
    return sight.bound.narration.is_final(now, command)


def asked_about(sight: Sight) -> LegalOption | None:
    """Return the option about which the page asks; None if it shows all of them."""
    options = () if sight.legal is None else sight.legal.options
    return next((one for one in options if one.number == sight.choice and is_asked(sight, one)), None)
