"""The options of the open decision as they are typed and told; `legal`, `choose` and the screen use the same reading."""

import re
from collections.abc import Callable, Iterable, Sequence

from cli.shell.exit_codes import ADOPT_FIRST, REFUSED, UserError, usage
from core.suggestions import NAME_CHARACTERS_MAX, nearest
from core.telling.names import Names
from core.telling.phrases import plain_words
from events.ids import Seat
from projections.catalogue import MatchSummary
from projections.state.table import Table
from server.protocol.errors import RequestFailed
from server.protocol.replies import LegalOption, LegalReply

NAMED_MAX = 3
"""The most options that an error names."""
UNGROUPED_MAX = 20
"""More options than these are listed under headings."""

BEGIN_WORDS = "Begin the match"


def option_by_words(legal: LegalReply, seat: Seat, words: str) -> LegalOption:
    """Return the one option that these words mean (`options_with`).

    Args:
        legal: The options of the seat, with their descriptions.
        seat: The seat that plays.
        words: As typed; not blank.

    Raises:
        UserError: The seat has no options now, no option has the words, or several have them.
    """
    if legal.installed is not None and not legal.options:
        why = "the match is played under other rules than are installed, and nothing is decided until these are adopted"
        raise UserError(f"{why}{ADOPT_FIRST}", REFUSED, "rules_must_be_adopted")
    if legal.to_move != seat:
        why = f"the open decision belongs to {legal.to_move}, not to {seat}" if legal.to_move else "no decision is open"
        raise UserError(why, REFUSED, "not_your_turn")
    wanted, said = plain_words(words), repr(words[:NAME_CHARACTERS_MAX])
    found = options_with(legal.options, words)
    if len(found) == 1:
        return found[0]
    if found:
        raise usage(f"{len(found)} options have the words {said}: {_named(found)}", "ambiguous_choice")
    near = [legal.options[place] for place in nearest(wanted, [one.words for one in legal.options])]
    offer = f"nearest: {_named(near)}" if near else f"`wardiary legal {legal.match}` lists all {legal.count}"
    raise usage(f"no option has the words {said}; {offer}", "unknown_choice")


def options_with(options: Sequence[LegalOption], words: str) -> list[LegalOption]:
    """Return the options whose description contains each of these words, in any order, as `plain_words` compares them.

    If the words as they stand are the whole description of one option, whole words of one only, or a part of one only, then it is that option
    alone: `a1` means A1, not A10. Of options with equal descriptions, such as those of two like cards, the first stands for all.
    """
    wanted = plain_words(words)
    described = [plain_words(one.words) for one in options]
    first = {text: place for place, text in reversed(list(enumerate(described)))}
    texts = {place: text for place, text in enumerate(described) if first[text] == place}
    phrased = [place for place, text in texts.items() if wanted in text]
    exact = [place for place in phrased if texts[place] == wanted]
    whole = [place for place in phrased if _has_words(texts[place], wanted)]
    parts = wanted.split(" ")
    loose = [place for place, text in texts.items() if all(part in text for part in parts)]
    in_words = [place for place in loose if all(_has_words(texts[place], part) for part in parts)]
    single = next((found for found in (exact, whole, phrased, in_words) if len(found) == 1), loose)
    return [options[place] for place in single]


def _has_words(text: str, words: str) -> bool:
    """Return whether a text has words that are not parts of longer ones."""
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None


def _named(options: Iterable[LegalOption]) -> str:
    """Return the first options by their numbers and words."""
    said = [f"{one.number} {one.words!r}" for one in options]
    return ", ".join(said[:NAMED_MAX]) + (", …" if len(said) > NAMED_MAX else "")


def waits_to_begin(match: Table | MatchSummary) -> bool:
    """Return whether all seats are taken and only the command to begin is missing, as with typed dice."""
    return not match.began and len(match.players) == len(match.seats)


def drawable(names: Names, candidates: Iterable[str]) -> str:
    """Return the accepted draws: each id, with its printed name if that differs."""
    return ", ".join(f"{one} ({name})" if (name := names.anything(one)) != one else one for one in candidates)


def missing(error: RequestFailed, names: Names) -> str:
    """Return why a request failed; if a draw is missing, with its candidates by printed name."""
    if error.code != "draw_missing":
        return str(error)
    what = error.reply.message.partition(": ")[0]
    return f"{what}: one of {drawable(names, error.reply.wanted)}"


def with_names(error: RequestFailed, names: Callable[[], Names]) -> RequestFailed | UserError:
    """Return the error of a request; if a draw is missing, one that lists what may be typed (see `missing`).

    Args:
        error: The error.
        names: Returns the names of the match, which are looked up only for a missing draw.
    """
    if error.code != "draw_missing":
        return error
    return usage(f"{missing(error, names())}; add --draw", "draw_missing")
