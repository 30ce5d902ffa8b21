"""Tools with which a language model plays on a server: what each takes and does; the answer is what it prints.

A tool does what the verb of its name does, by requests of the protocol, as the player whose secrets are kept here.
"""

import time
from collections.abc import Mapping
from copy import copy
from typing import Annotated, ClassVar

from typing_extensions import override

from cli.commands.bots.model_context import ModelContext
from cli.commands.playing.choose import Typed, choose
from cli.commands.playing.explain import explain
from cli.commands.playing.legal import list_legal
from cli.commands.playing.new import Wish, open_new
from cli.commands.playing.odds import tell_odds
from cli.commands.playing.seats import sit
from cli.commands.rulebooks.games import list_games
from cli.commands.rulebooks.learn import learn
from cli.commands.rulebooks.rules import show_rules
from cli.commands.viewing.log import show_log
from cli.commands.viewing.matches import list_matches
from cli.commands.viewing.show import show_table
from cli.output.columns import wrapped
from cli.output.rule_entries import entry_lines, entry_shape
from cli.output.table_text import decision_lines
from cli.shell.context import Context
from cli.shell.exit_codes import check_failed, fault_of, usage
from cli.shell.settings import Settings
from cli.views.match_filter import match_filter
from cli.views.named_match import named_match, own_seat, view_match
from core.game_files.rulebook import load_rulebook
from core.registry.games import load_game
from core.suggestions import unknown
from core.telling.phrases import printable
from events.codec import DecodeError, Meta, Struct, convert
from events.ids import MatchId, Seat
from projections.state.seating import part_of
from projections.state.table import Table
from server.client.client import Following

MATCHES_MAX = 50
"""How many matches are listed at once."""
WAIT_S, WAIT_MOST_S = 30, 120
"""How long a model waits for its turn at once (seconds)."""
LOOK_S = 0.5
"""How long to wait for events before looking whether the time is over (seconds)."""

GameWord = Annotated[str, Meta(description="The key of the game, as `games` lists it.")]
MatchWord = Annotated[str, Meta(description="The match: its id or the beginning of it.", min_length=1)]
SeatWord = Annotated[str, Meta(description="The seat; by default the one that you have in the match.")]
OptionNumber = Annotated[int, Meta(description="The number of an option, as `legal` lists it.", ge=0)]
EventNumber = Annotated[int, Meta(description="The number of an event, as `log` prints it.", ge=1)]


class Tool(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A call of a tool. The docstring and the fields of each kind are what a model reads of it.

    `changes` says whether it changes anything on the server.
    """

    changes: ClassVar[bool] = False

    def run(self, context: ModelContext) -> None:
        """Do it, and print the answer."""


class Games(Tool, frozen=True, kw_only=True):
    """List the games; or of one the scenarios, modes, seats, options and bots."""

    game: GameWord = ""

    @override
    def run(self, context: ModelContext) -> None:
        list_games(context, self.game)


class Learn(Tool, frozen=True, kw_only=True):
    """Tell in short how a game is played: its goal, what is done in a turn, what actions cost. Or search its rules for words."""

    game: GameWord
    words: Annotated[str, Meta(description="Words to look for in the rules, instead.")] = ""

    @override
    def run(self, context: ModelContext) -> None:
        learn(context, self.game, self.words)


class Rules(Tool, frozen=True, kw_only=True):
    """Print one rule or ruling of a game, those of a section, or all rules, which is long."""

    game: GameWord
    rule: Annotated[str, Meta(description="The id of a rule or ruling, or a section.")] = ""

    @override
    def run(self, context: ModelContext) -> None:
        show_rules(context, self.game, self.rule)


class Matches(Tool, frozen=True, kw_only=True):
    """List matches that are not over, 50 at most: players, free seats, whom each waits for."""

    game: GameWord = ""
    after: Annotated[str, Meta(description="Only matches that were opened after this one.")] = ""

    @override
    def run(self, context: ModelContext) -> None:
        wanted = match_filter(context, game=self.game, is_open=True, is_over=False, seat="", name="")
        list_matches(context, self.after, MATCHES_MAX, wanted=wanted)


class New(Tool, frozen=True, kw_only=True):
    """Open a match and take a seat in it; the other seats are free for others, or bots of the server have them."""

    changes = True

    game: GameWord
    seat: Annotated[str, Meta(description="Your seat.", min_length=1)]
    scenario: Annotated[str, Meta(description="The scenario; by default the first.")] = ""
    mode: Annotated[str, Meta(description="The mode; by default the first.")] = ""
    bots: Annotated[
        tuple[str, ...],
        Meta(description="SEAT=BOT for each seat that a bot of the server plays, such as german=greedy."),
    ] = ()
    options: Annotated[tuple[str, ...], Meta(description="KEY=VALUE for each option that is not the default.")] = ()
    title: Annotated[str, Meta(description="What the match is called.")] = ""

    @override
    def run(self, context: ModelContext) -> None:
        game = load_game(self.game)
        mode = game.scenario(self.scenario).mode(self.mode)
        if Seat(self.seat) not in mode.seats:
            raise usage(f"there is no seat {self.seat!r} in mode {mode.key}; its seats are {', '.join(mode.seats)}")
        match = open_new(
            context,
            Wish(
                self.game,
                self.scenario,
                self.mode,
                self.options,
                title=self.title,
                has_free_seats=True,
                house=self.bots,
            ),
        )
        sit(context, match, self.seat, context.player)


class Sit(Tool, frozen=True, kw_only=True):
    """Take a free seat of a match, or one to which you are invited. Its secret is kept for you."""

    changes = True

    match: MatchWord
    seat: Annotated[str, Meta(description="The seat.", min_length=1)]
    invitation: Annotated[str, Meta(description="The secret of the invitation, if the seat is reserved.")] = ""

    @override
    def run(self, context: ModelContext) -> None:
        context.settings.token = self.invitation
        sit(context, self.match, self.seat, context.player)


class Show(Tool, frozen=True, kw_only=True):
    """Show the table as you see it: control, pieces, tracks, cards, the open question."""

    match: MatchWord
    seat: SeatWord = ""
    event: EventNumber | None = None

    @override
    def run(self, context: ModelContext) -> None:
        at = "" if self.event is None else f"@{self.event}"
        show_table(context, f"{self.match}{at}", _viewer(context, self.match, self.seat))


class Legal(Tool, frozen=True, kw_only=True):
    """List the options of the open question by number, in words; or tell who has to decide."""

    match: MatchWord
    seat: SeatWord = ""
    about: Annotated[str, Meta(description="Only options about the piece, place or card with this id.")] = ""
    commands: Annotated[bool, Meta(description="Answer in JSON, with the command of each option.")] = False

    @override
    def run(self, context: ModelContext) -> None:
        context.settings.is_json = self.commands
        list_legal(context, self.match, self.seat, self.about)


class Odds(Tool, frozen=True, kw_only=True):
    """Tell the chances of what an option leads to, or by default all that lead to a roll, before dice or draws decide."""

    match: MatchWord
    option: OptionNumber | None = None
    seat: SeatWord = ""

    @override
    def run(self, context: ModelContext) -> None:
        tell_odds(context, self.match, "" if self.option is None else str(self.option), self.seat)


class Choose(Tool, frozen=True, kw_only=True):
    """Play an option, and tell what happens. Its number is that of the options that `legal` listed last."""

    changes = True

    match: MatchWord
    option: OptionNumber
    seat: SeatWord = ""

    @override
    def run(self, context: ModelContext) -> None:
        choose(context, self.match, str(self.option), Typed(self.seat, (), [], None))


class Why(Tool, frozen=True, kw_only=True):
    """Tell why a command is not allowed now, with the rule, by what you see of the table. Nothing is played."""

    match: MatchWord
    command: Annotated[str, Meta(description="The command in JSON, of the form that `legal` with `commands` shows.")]
    seat: SeatWord = ""

    @override
    def run(self, context: ModelContext) -> None:
        seat = _viewer(context, self.match, self.seat)
        seen = view_match(context, self.match, seat)
        rules, table = seen.bound.rules, seen.table()
        try:
            command = rules.decode(self.command.encode())
        except DecodeError as error:
            raise usage(f"this is not a command of the game: {error}", "malformed") from None
        try:
            refusal = rules.refuse(table, Seat(seat), command)
        except Exception as error:  # noqa: BLE001 - Rules read the whole table, of which a seat sees a part.
            why = f"what you see of the table does not tell ({type(error).__name__})"
            raise check_failed(f"{why}: only the server knows", "not_known") from None
        if refusal is None:
            context.echo("It is allowed now.")
            return
        book = load_rulebook(load_game(table.game).package)
        for line in wrapped("Not allowed: ", refusal.sentence, context.width):
            context.echo(line)
        entry = book.rules.get(refusal.rule) or book.rulings.get(refusal.rule)
        for line in [refusal.rule] if entry is None else entry_lines(entry_shape(book, entry), context.width):
            context.echo(line)


class Explain(Tool, frozen=True, kw_only=True):
    """Explain an event: the command, the rule, the dice with their arithmetic, the rulings that bear on it."""

    match: MatchWord
    event: EventNumber
    seat: SeatWord = ""

    @override
    def run(self, context: ModelContext) -> None:
        explain(context, f"{self.match}@{self.event}", _viewer(context, self.match, self.seat))


class Log(Tool, frozen=True, kw_only=True):
    """Tell what happened in a match, event by event, as you saw it."""

    match: MatchWord
    first: Annotated[int, Meta(description="The number of the first event that is told.", ge=1)] = 1
    last: Annotated[int, Meta(description="The number of the last one; 0 for the latest.", ge=0)] = 0
    seat: SeatWord = ""

    @override
    def run(self, context: ModelContext) -> None:
        show_log(context, self.match, _viewer(context, self.match, self.seat), self.first, self.last)


class Wait(Tool, frozen=True, kw_only=True):
    """Wait until you have to decide or the match is over, and tell what happened meanwhile."""

    match: MatchWord
    seconds: Annotated[int, Meta(description="How long at most.", ge=0, le=WAIT_MOST_S)] = WAIT_S
    seat: SeatWord = ""

    @override
    def run(self, context: ModelContext) -> None:
        known = named_match(context, self.match)
        seat = Seat(self.seat) or own_seat(context, known)
        with context.client.follow(known, seat) as following:
            before = following.seq
            _follow_to_turn(context, known, seat, following, self.seconds)
            if following.seq > before:
                show_log(context, known, seat, before + 1, 0)
            for said in decision_lines(view_match(context, known, seat).names, following.table):
                context.echo(said)


class Resign(Tool, frozen=True, kw_only=True):
    """Resign for your side: the match is over, and lost."""

    changes = True

    match: MatchWord
    seat: SeatWord = ""

    @override
    def run(self, context: ModelContext) -> None:
        choose(context, self.match, "resign", Typed(_viewer(context, self.match, self.seat), (), [], None))


def _viewer(context: Context, match: str, seat: str) -> str:
    """Return the seat that is named, or the one that the player has in a match; `public` if there is none."""
    return seat or own_seat(context, named_match(context, match))


def _follow_to_turn(context: Context, match: MatchId, seat: Seat, following: Following, seconds: int) -> None:
    """Follow a match until a seat has to decide, the match is over, or the time is; the dice get the links of the seat meanwhile."""
    until = time.monotonic() + seconds
    while not _is_asked(following.table, seat) and (left := until - time.monotonic()) > 0:
        done = context.client.do_part(match, seat, following.table) if part_of(following.table, seat) else []
        for reply in done:
            following.heed(reply)
        following.next(0.0 if done else min(left, LOOK_S))


def _is_asked(table: Table, seat: Seat) -> bool:
    return table.ended is not None or (table.top is not None and table.top.seat == seat and table.paused is None)


TOOLS: dict[str, type[Tool]] = {
    kind.__name__.lower(): kind
    for kind in (Games, Learn, Rules, Matches, New, Sit, Show, Legal, Odds, Choose, Why, Explain, Log, Wait, Resign)
}
"""The tools by their names."""


def answer(settings: Settings, player: str, name: str, arguments: Mapping[str, object]) -> tuple[str, bool]:
    """Carry out a call of a tool.

    Args:
        settings: How the server is reached.
        player: The name under which the model sits down.
        name: The tool.
        arguments: As the model wrote them.

    Returns:
        The answer, and whether it is an error, then in one line.
    """
    try:
        tool = _called(name, arguments)
        with ModelContext(copy(settings), player) as context:
            tool.run(context)
        return "\n".join(context.said), False
    except Exception as error:  # noqa: BLE001 - The model is told whatever it is, and the other tools work on.
        return printable(str(fault_of(error))), True


def _called(name: str, arguments: Mapping[str, object]) -> Tool:
    """Return a call as the model wrote it.

    Raises:
        UserError: There is no such tool, or it takes something else.
    """
    if name not in TOOLS:
        raise usage(unknown("tool", name, list(TOOLS)), "unknown_name")
    try:
        return convert(arguments, TOOLS[name])
    except DecodeError as error:
        raise usage(f"the arguments of {name} are not valid: {error}", "malformed") from None
