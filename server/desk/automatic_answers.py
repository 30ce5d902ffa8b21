"""Standing answers: a seat's answers to future decisions, played right after the command that raises the decision."""

from core.errors import KernelError
from core.match.command_keys import follow_up_key, is_follow_up_key
from core.match.live_match import Match, Prepared
from core.match.standing_answers import standing_answer
from core.refusal import Refusal
from server.protocol.errors import denied
from server.protocol.identity import KEY_CHARACTERS_MAX

STANDING_ANSWERS_MAX = 100
"""How many standing answers may follow one command; more would mean a cycle in a game's rules."""


def decide_chain(match: Match, first: Prepared, at: int) -> list[Prepared]:
    """Apply an accepted command's commit to the match, then decide and apply the standing answers that follow.

    Returns:
        The commits in order, the command's own first.
    """
    match.adopt(first)
    commits = [first]
    # Answers given under other rules may mean nothing to these.
    while len(commits) <= STANDING_ANSWERS_MAX and match.ruleset.is_in_force(match.table):
        answer = standing_answer(match.ruleset.rules, match.table)
        if answer is None:
            break
        seat, command = answer
        try:
            done = match.prepare(seat, command, key=follow_up_key(first.new.key, len(commits)), at=at)
        except KernelError:
            # The answer needs a player's input, such as typed dice, so the player is asked.
            break
        if isinstance(done, Refusal):
            break
        match.adopt(done)
        commits.append(done)
    return commits


def checked_key(key: str) -> str:
    """Return the key if a client may use it.

    Raises:
        RequestFailed: It is too long, or has the form of a standing answer's key.
    """
    if len(key) > KEY_CHARACTERS_MAX:
        raise denied("malformed", f"a key has at most {KEY_CHARACTERS_MAX} characters")
    if is_follow_up_key(key):
        raise denied("malformed", "a key must not end with a slash and a number; only keys of the server's own do")
    return key
