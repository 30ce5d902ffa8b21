"""Summaries of matches in words, as lists tell them."""

from collections.abc import Sequence
from functools import lru_cache

from core.telling.chosen_options import called, played_title, title_of
from core.telling.names import IdsOnly, Names
from core.telling.phrases import listed, standing, unnamed, won_by
from events.ids import GameKey, Seat
from projections.catalogue import MatchSummary
from projections.state.seating import winning_players
from server.page_parts.html import Content, Html, tag


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
        """Return where the match stands, or how it ended, and whether a ruling is due."""
        return f"{self._stand()}{', disputed' if self._match.disputed else ''}"

    def _stand(self) -> str:
        match, names = self._match, self._names
        if match.ended is not None:
            winners = names.winners(match.ended.winners, match.ended.winning_seats)
            players = winning_players(match.ended, match.players)
            who = won_by(listed(unnamed(match.ended.result, winners, players)), players)
            return f"Over: {match.ended.result}{f', won by {who}' if who else ''}"
        if not match.began:
            return "Not begun"
        round_ = f"{names.round} {match.round}" if match.round else ""
        return standing(round_, names.side(match.turn) if match.turn else "", names.phase(match.phase))

    # In the lobby

    def title(self) -> Content:
        """Return what the match is called, or else the title of its game."""
        return tag("bdi", None, self._match.title) if self._match.title else title_of(self._match.game)

    def initial(self) -> str:
        """Return the first letter of the game as lists call it."""
        return called(self._match.game)[:1]

    def is_free(self) -> bool:
        """Return whether a seat is free."""
        return any(seat not in self._match.players and seat not in self._match.reserved for seat in self._match.seats)

    def own(self, seats: Sequence[Seat]) -> list[Content]:
        """Return the game where the title does not say it, the turn, which seats are the reader's, and against whom."""
        match, names = self._match, self._names
        others = [self._player(seat) for seat in match.seats if seat not in seats]
        yours = "solitaire" if not others else f"you are {listed([names.seat(seat) for seat in seats])}"
        parts = [called(match.game) if match.title else "", self._round(), yours]
        against = [", against ", self._persons(others)] if others and match.began else []
        return [" · ".join(filter(None, parts)), *against]

    def _round(self) -> str:
        return f"{self._names.round} {self._match.round}" if self._match.round else ""

    def _persons(self, players: Sequence[str]) -> list[Html]:
        return [tag("bdi", None, name) for name in players[:1]] + [
            tag("bdi", None, f" and {len(players) - 1} more")
        ] * (len(players) > 1)

    def asked(self) -> str:
        """Return the side whose turn it is and the phase in which the match waits, or that it has not begun."""
        match, names = self._match, self._names
        if not match.began:
            return "Not begun"
        return standing("", names.side(match.turn) if match.turn else "", names.phase(match.phase)) or self._round()

    def pairing(self) -> list[Content]:
        """Return who plays whom."""
        match = self._match
        seated = [seat for seat in match.seats if seat in match.players]
        found: list[Content] = []
        for seat in seated:
            found += [
                " – " if found else None,
                tag("bdi", None, match.players[seat] or "a player"),
                f" ({self._names.seat(seat)})",
            ]
        return found

    def place(self) -> list[Content]:
        """Return the title, the game and the turn of a match that is played."""
        match = self._match
        said = ", ".join(filter(None, (called(match.game), self._round(), f"event {match.seq}")))
        return [tag("bdi", None, match.title), " · ", said] if match.title else [said]

    def outcome(self) -> list[Content]:
        """Return who won, by the names of the players, and as what; the result of a match that ended before play began."""
        match = self._match
        assert match.ended is not None
        if not match.began:
            return [match.ended.result]
        winners = self._names.winners(match.ended.winners, match.ended.winning_seats)
        players = winning_players(match.ended, match.players)
        if not winners:
            return [tag("b", None, "Nobody"), " won"]
        if not players or len(set(match.players.values())) == 1 < len(match.seats):
            return [tag("b", None, listed(winners)), " won"]
        names = [tag("b", None, tag("bdi", None, name)) for name in players]
        return [*[part for name in names for part in (name, " and ")][:-1], f" won as {listed(winners)}"]

    def circumstances(self) -> list[Content]:
        """Return the game, the turn and the result of a match that is over."""
        match = self._match
        assert match.ended is not None
        said = ", ".join(filter(None, (called(match.game), self._round())))
        title = [tag("bdi", None, match.title), " · "] if match.title else []
        return [*title, f"{said}: {match.ended.result}"]

    def decider(self) -> str:
        """Return the seat that is to decide with its player's name; empty for none."""
        match = self._match
        if not match.to_move or match.ended is not None:
            return ""
        name, player = self._names.seat(match.to_move), match.players.get(match.to_move, "")
        return f"{name} ({player})" if player and player != name else name
