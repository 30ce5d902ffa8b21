"""One seat of a match as a client: follows the match, tells it, and plays the seat's commands. It knows no terminal and no rule."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from cli.output.explanation import explained, explained_lines
from cli.screen.diary import Diary, News
from cli.screen.option_list import Wish
from cli.screen.screen_model import ScreenModel
from cli.shell.arguments import parse_faces
from cli.shell.exit_codes import usage
from cli.views.match_view import MatchView
from cli.views.option_words import BEGIN_WORDS, missing, waits_to_begin
from core.engine.command import Command
from core.match.arbitration.consents import AskUndo, answer_to
from core.match.standing_answers import AnswerAlways, passing
from core.telling.names import Names
from core.telling.phrases import plain_words
from events.codec import Raw, encode, replace
from events.ids import MatchId, Seat
from projections.chronicle import Heading
from projections.state.table import Table
from projections.state.view import EventSlice
from server.client.adopting import adoption
from server.client.client import Client
from server.protocol.errors import RequestFailed
from server.protocol.replies import LegalOption, LegalReply, PlayedReply

HISTORY_EVENTS = 500
"""The events before the player's last visit that the log begins with, so that the screen comes up quickly in a long match."""

SILENT_S = 7.5
"""Silence (seconds) after which the server is asked whether it is still there: somewhat longer than between two heartbeats."""

TRIES_MAX = 3
"""So many times the options are asked for while the match moves on; then nothing can be chosen before the next look."""

BEGIN = '{"do":"match:begin"}'


class Place(NamedTuple):
    """Seat of the player.

    Attributes:
        match: The match.
        seat: The seat.
        title: The title of the game.
        names: The names of what is in it.
        seen: The last event seen on an earlier visit, or None if this is the first one.
        passes: The commands that pass in windows (`core.engine.reactions.passes_in_advance`).
    """

    match: MatchId
    seat: Seat
    title: str
    names: Names
    seen: int | None
    passes: Mapping[str, Command]


class _Pending(NamedTuple):
    """A command that waits for what was rolled or drawn at a real table."""

    wish: Wish
    dice: tuple[int, ...]
    draws: tuple[str, ...]
    failed: RequestFailed


class SeatModel:
    """Plays a seat.

    Args:
        client: Knows the secret of the seat. The model is for the client's thread.
        place: Where the player sits.
        view: Returns the match as the seat has seen it up to one of its events.
        is_auto_pass: Whether a single option is played without asking.

    Raises:
        RequestFailed: The seat cannot be seen.
        TimedOut: The server does not answer.
    """

    def __init__(
        self, client: Client, place: Place, view: Callable[[int], MatchView], *, is_auto_pass: bool = False
    ) -> None:
        self._client = client
        self._place = place
        self._view = view
        self._following = client.follow(place.match, place.seat, silent_s=SILENT_S)
        self._news: list[News] = []
        self._pending: _Pending | None = None
        # After a take-back nothing is played without asking before the player has chosen something else.
        self._is_paused = False
        self._is_stale = False
        self.is_auto_pass = is_auto_pass
        self._diary = self._told_so_far()
        self._legal = LegalReply(match=place.match, seq=self.number)
        self._take(None)

    def close(self) -> None:
        """Stop following."""
        self._following.close()

    @property
    def number(self) -> int:
        """The number of the last event that the seat has seen."""
        return self._following.seq

    @property
    def silence_s(self) -> float:
        """How long nothing has been heard of the server (seconds)."""
        return self._following.silence_s

    @property
    def shown(self) -> ScreenModel:
        """What the seat sees now."""
        table = self._following.table.clone()
        place = self._place
        # Options of another moment than the table's are not shown.
        legal = LegalReply(match=place.match, seq=self.number) if self._is_stale else self._legal
        return ScreenModel(
            match=place.match,
            seat=place.seat,
            title=place.title,
            table=table,
            names=place.names.on(table),
            lines=tuple(self._diary.lines),
            news=tuple(self._news),
            legal=legal,
            wanted="" if self._pending is None else missing(self._pending.failed, place.names),
            is_auto_pass=self.is_auto_pass,
            is_passing=bool(self._place.passes) and not self._passing(is_on=True),
        )

    def _told_so_far(self) -> Diary:
        """Tell what the seat has seen: all since the last visit, and some events before it."""
        client, (match, seat, _, names, seen, _) = self._client, self._place
        last = self._following.seq
        known = None if seen is None else min(seen, last)
        start = max(0, (last if known is None else known) - HISTORY_EVENTS)
        before = client.state(match, seat, start).table if start else Table()

        def restored(to: int) -> Heading:
            return Heading.of(client.state(match, seat, to).table)

        diary = Diary(names, before, Heading.of(before) if start else None, restored, known)
        for slice_ in client.log(match, seat, start):
            if slice_.last <= last:
                news = diary.take(slice_)
                if known is not None and slice_.last > known:
                    self._news += news
        return diary

    # News

    def look(self, timeout_s: float) -> bool:
        """Take what has happened, waiting for it; then play a single option, if that is switched on.

        Returns:
            Whether anything has changed.

        Raises:
            TimedOut: The server does not answer.
            RequestFailed: It refuses to show the seat's view, or refuses the single option.
        """
        news = self._following.next(timeout_s)
        if news is None and not self._is_stale:
            return self._pass_alone()
        self._take(news)
        self._pass_alone()
        return True

    def _take(self, news: EventSlice | None) -> None:
        """Tell events and all that are at hand after them, and ask what is to be decided then."""
        self._is_stale = True
        for _ in range(TRIES_MAX):
            self._tell(news)
            self._legal = self._asked()
            if self._legal.seq == self.number:
                self._is_stale = False
                return
            # The match has moved on in the meantime: the events before these options are missing.
            self._following.expect(self._legal.seq)
            news = self._following.next(0.0)
        self._tell(news)

    def _tell(self, news: EventSlice | None) -> None:
        while news is not None:
            self._news += self._diary.take(news)
            news = self._following.next(0.0)

    def _asked(self) -> LegalReply:
        """Return the open decision; before play, a match with typed dice waits for the command to begin."""
        match, seat, table = self._place.match, self._place.seat, self._following.table
        if table.ended is not None:
            return LegalReply(match=match, seq=self.number)
        if waits_to_begin(table) and seat in table.players:
            begin = LegalOption(1, Raw(BEGIN.encode()), BEGIN_WORDS)
            return LegalReply(match=match, seq=self.number, to_move=seat, options=(begin,), count=1)
        legal = self._client.legal(match, seat)
        offered = None if legal.installed is None else adoption(table, seat, legal.installed)
        return legal if offered is None else replace(legal, to_move=seat, options=(offered,), count=1)

    def _pass_alone(self) -> bool:
        """Play the only option without asking, if that is switched on; return whether one was played."""
        legal = self._legal
        if self._is_stale:
            return False
        is_single = legal.to_move == self._place.seat and len(legal.options) == legal.count == 1
        is_asked = self._is_paused or self._pending is not None or legal.installed is not None
        if not self.is_auto_pass or not is_single or is_asked:
            return False
        option = legal.options[0]
        self._is_paused = True
        self._news.append(News(f"Played without asking: {option.words}"))
        self._carry_out(Wish(bytes(option.command).decode(), option.words, legal.seq), (), ())
        self._is_paused = False
        return True

    # Commands

    def play(self, wish: Wish) -> None:
        """Play a command of the seat. If it needs typed dice or draws, it waits for them (`ScreenModel.wanted`).

        Raises:
            RequestFailed: The rules refuse it, or the match has moved on.
            TimedOut: The server does not answer; whether the command was played is not known.
        """
        self._pending = None
        self._news = []
        self._is_paused = False
        self._carry_out(wish, (), ())

    def type_chance(self, text: str) -> None:
        """Go on with the command that waits for dice or for a draw.

        Raises:
            UserError: The text is neither dice nor one of the draws that are possible.
            RequestFailed: The dice are impossible; the command still waits.
        """
        pending = self._pending
        assert pending is not None
        dice, draws = pending.dice, pending.draws
        if pending.failed.code == "draw_missing":
            draws = (*draws, self._drawn(text, pending.failed.reply.wanted))
        else:
            dice = (*dice, *parse_faces(text.strip().replace(" ", ",")))
        self._carry_out(pending.wish, dice, draws)

    def drop_chance(self) -> None:
        """Give up the command that waits for dice or for a draw."""
        self._pending = None

    def _drawn(self, text: str, wanted: tuple[str, ...]) -> str:
        """Return the draw that is named by its id or by a part of its printed name that no other one has."""
        said = plain_words(text)
        names = {one: plain_words(self._place.names.anything(one)) for one in wanted}
        exact = [one for one, name in names.items() if said in (one, name)]
        found = exact or [one for one, name in names.items() if said and said in name]
        if len({names[one] for one in found}) != 1:
            raise usage(f"{len(found)} of the possible draws are called {text!r}", "ambiguous_choice")
        return found[0]

    def _carry_out(self, wish: Wish, dice: tuple[int, ...], draws: tuple[str, ...]) -> None:
        client, match, seat = self._client, self._place.match, self._place.seat
        try:
            if wish.command == BEGIN:
                reply = client.begin(match, seat, dice=dice, draws=draws)
            else:
                reply = client.play(match, seat, wish.command, expected=wish.expected, dice=dice, draws=draws)
        except RequestFailed as error:
            if error.code not in ("dice_missing", "draw_missing"):
                raise
            self._pending = _Pending(wish, dice, draws, error)
            return
        self._pending = None
        self._heed(reply)

    def _heed(self, reply: PlayedReply) -> None:
        self._following.heed(reply)
        self._take(self._following.next(0.0))

    def undo(self) -> None:
        """Take back the seat's last command, or ask the others to agree to that if something was learned since.

        Raises:
            RequestFailed: The rules refuse it.
            TimedOut: The server does not answer.
        """
        match, seat, legal = self._place.match, self._place.seat, self._legal
        if legal.undo_to is None and legal.ask_undo_to is not None:
            reply = self._client.play(match, seat, encode(AskUndo(to=legal.ask_undo_to)), expected=legal.seq)
        else:
            reply = self._client.undo(match, seat, expected=legal.seq)
        self._news = []
        self._is_paused = True
        self._heed(reply)

    def answer_undo(self, *, agrees: bool) -> None:
        """Agree to what another seat asks to take back, or refuse it.

        Raises:
            UserError: Nothing is asked of the seat.
            RequestFailed: The rules refuse.
            TimedOut: The server does not answer.
        """
        answer = answer_to(self._following.table, self._place.seat, agrees=agrees)
        if answer is None:
            raise usage("nobody asks you to agree to anything")
        self._news = []
        self._heed(self._client.play(self._place.match, self._place.seat, encode(answer)))

    def switch_auto_pass(self, *, is_on: bool) -> None:
        """Switch on or off that a single option is played without asking."""
        self.is_auto_pass = is_on

    def switch_passing(self, *, is_on: bool) -> None:
        """Pass in every window until the seat's own next turn begins, by standing answers, or withdraw them.

        Raises:
            UserError: The game has no windows in which a seat can pass in advance.
            RequestFailed: The rules refuse.
            TimedOut: The server does not answer.
        """
        match, seat = self._place.match, self._place.seat
        if not self._place.passes:
            raise usage("this game has no windows in which you could pass beforehand")
        self._news = []
        for command in self._passing(is_on=is_on):
            self._heed(self._client.play(match, seat, encode(command)))

    def _passing(self, *, is_on: bool) -> list[AnswerAlways]:
        """Return the commands by which the seat passes in every window from now on, or no more."""
        return passing(self._following.table, self._place.seat, self._place.passes, is_on=is_on)

    def explain(self, number: int, width: int) -> list[str]:
        """Return why an event of the seat's log happened, as `explain` prints it."""
        seen = self._view(number)
        shape, books = explained(seen)
        return list(explained_lines(shape, books, seen.names, width))
