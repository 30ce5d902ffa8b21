"""A line that is told by its orders: they are played in a fork of a recorded match, before anything is stored."""

from hashlib import sha256

from core.match.live_match import load_match
from core.notation.notation_text import read_moves
from core.notation.order_player import OrderPlayer
from events.ids import MatchId
from events.log import Log, NewCommit


class PlayedLine(OrderPlayer):
    """A fork in which orders were played, with a fork of it for each variation; its dice are typed.

    Args:
        log: Where the match lies.
        match: The match.
        seq: The log's number of the event after which the line leaves it.
        text: The orders, as a notation tells them, without tags and result.
        at: When it is played, in milliseconds since 1970 (UTC).

    Raises:
        NotationInvalid: It is not a notation, cannot begin there, or its dice do not fit the rules.
        NotationRefused: The rules do not allow an order.
    """

    def __init__(self, log: Log, match: MatchId, seq: int, text: str, at: int) -> None:
        super().__init__(f"{match} {seq} {sha256(text.encode()).hexdigest()} {len(log.forks(match))}", at)
        moves = read_moves(text)
        table = load_match(log, match).table
        for digest in filter(None, (table.board, table.position)):
            content = log.attachment(digest)
            if content is not None:
                self._log.attach(digest, content)
        known: set[MatchId] = set()
        for one in log.read(match):
            origin = None if one.match in known else log.origin(one.match)
            known.add(one.match)
            self._log.append([NewCommit(one.match, one.first, one.last, one.key, one.hash, one.body, origin)])
        self._play(self._fork(load_match(self._log, match), seq, moves[0].line), moves)

    def commits(self) -> list[NewCommit]:
        """Return the commits of the line and its variations, to be stored."""
        return [new for match in self.matches for new in self._commits(match) if new.match == match]
