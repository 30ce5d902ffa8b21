"""Summaries of matches in words, as lists tell them."""

from functools import lru_cache

from core.telling.chosen_options import played_title
from core.telling.names import IdsOnly, Names
from core.telling.phrases import listed, standing, unnamed, won_by
from events.ids import GameKey, Seat
from projections.catalogue import MatchSummary
from projections.state.seating import winning_players
from server.page_parts.html import Html, tag


@lru_cache(maxsize=64)
def _names(game: GameKey) -> Names:
    return Names(IdsOnly(game))


def reserved_words(what: str, name: str) -> str:
    """Say for whom something is reserved; an invitation may name no one."""
    return f"{what} for {name or 'an invited player'}"


class SummaryWords:
    """A summary in words.

    Args:
        match: The summary of a match that is not damaged.
    """

    def __init__(self, match: MatchSummary) -> None:
        self._match = match
        self._names = _names(match.game)

    def scenario(self) -> str:
        """Return the titles of scenario and mode, and the id."""
        match = self._match
        return f"{played_title(match.game, match.scenario, match.mode)}, {match.match}"

    def players(self) -> list[Html]:
        """Return each seat with its player."""
        return [
            tag("span", {"class": "player"}, f"{self._names.seat(seat)}: {self._player(seat)}")
            for seat in self._match.seats
        ]

    def _player(self, seat: Seat) -> str:
        if seat not in self._match.players:
            reserved = self._match.reserved
            return reserved_words("reserved", reserved[seat]) if seat in reserved else "free"
        former = self._match.former.get(seat, ())
        return f"{self._match.players[seat] or 'taken'}{f', formerly {listed(former)}' if former else ''}"

    def stand(self) -> str:
        """Return where the match stands, or how it ended."""
        match, names = self._match, self._names
        if match.ended is not None:
            winners = names.winners(match.ended.winners, match.ended.winning_seats)
            side = listed(unnamed(match.ended.result, winners))
            who = won_by(side, winning_players(match.ended, match.players))
            return f"Over: {match.ended.result}{f', won by {who}' if who else ''}"
        if not match.began:
            return "Not begun"
        round_ = f"{names.round} {match.round}" if match.round else ""
        return standing(round_, names.side(match.turn) if match.turn else "", names.phase(match.phase))

    def decider(self) -> str:
        """Return the seat that is to decide with its player's name; empty for none."""
        match = self._match
        if not match.to_move or match.ended is not None:
            return ""
        name, player = self._names.seat(match.to_move), match.players.get(match.to_move, "")
        return f"{name} ({player})" if player and player != name else name
