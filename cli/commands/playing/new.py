"""Opens a match in the local store, and takes its seats."""

from collections.abc import Sequence
from typing import NamedTuple, get_args

from cli.commands.playing.seats import take_seat
from cli.schemas.matches import OpenedShape
from cli.shell.arguments import parse_point
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from cli.shell.input_files import read_position_text, read_text
from cli.views.named_match import named_match
from cli.views.option_words import missing
from cli.views.served_match import bound_on
from core.errors import UnknownName
from core.game.game_record import Game, parse_option
from core.registry.games import load_game, typed_key
from core.suggestions import unknown
from core.telling.names import Names
from events.ids import PUBLIC, MatchId, Seat
from events.vocabulary import MatchOpened, RulingMade, TakingBack, Value
from server.client.client import Client
from server.protocol.bot_seats import check_bot
from server.protocol.errors import RequestFailed
from server.protocol.player_names import name_problem
from server.protocol.replies import OpenedReply


class Wish(NamedTuple):
    """The arguments of `new`."""

    game: str
    scenario: str = ""
    mode: str = ""
    options: Sequence[str] = ()
    dice: str = "sealed"
    position: str = ""
    board: str = ""
    variant: str = ""
    title: str = ""
    taking_back: str = "consent"
    house_rules: Sequence[str] = ()
    name: str = ""
    has_free_seats: bool = False
    house: Sequence[str] = ()


def open_new(context: Context, wish: Wish) -> MatchId:
    """Open a match and, unless seats are to stay free, take them all and begin; return it.

    Raises:
        UserError: An argument is not valid, or a file cannot be read.
        RequestFailed: The match cannot be opened like this.
    """
    house = dict(map(_of_house, wish.house))
    client = context.client
    if house and not context.address:
        raise usage("--house needs the server that plays the bots: --connect names it")
    _check_house(load_game(wish.game), house)
    opened = open_match(context, client, wish)
    source, _ = parse_dice(wish.dice)
    for seat, bot in house.items():
        client.seat_bot(opened.match, seat, bot)
    if not wish.has_free_seats:
        for seat in [one for one in opened.seats if one not in house]:
            take_seat(context, opened.match, seat, wish.name, has_links=source == "sealed")
        if source == "manual":
            _begin_without_dice(context, client, opened.match, opened.seats[0])
    state = client.state(opened.match)
    shape = OpenedShape(match=opened.match, seq=state.seq, seats=opened.seats, began=state.table.began, dice=source)
    context.print_result(shape, [opened.match])
    return opened.match


def open_match(context: Context, client: Client, wish: Wish) -> OpenedReply:
    """Open a match with free seats.

    Raises:
        UserError: An argument is not valid, or a file cannot be read.
        RequestFailed: The match cannot be opened like this.
    """
    game = load_game(wish.game)
    source, seed = parse_dice(wish.dice)
    options = parse_options(game, wish.options)
    position = read_position_text(wish.position) if wish.position else None
    board = read_text(wish.board) if wish.board else None
    check_name(wish.name)
    opened = client.open(
        game.key,
        wish.scenario,
        mode=wish.mode,
        options=options,
        dice=source,
        seed=seed,
        position=position,
        board=board,
        variant=wish.variant,
        title=wish.title,
        taking_back=_taking_back(wish.taking_back),
        house_rules=_house_rules(context, client, game, wish.house_rules),
    )
    if board is not None and wish.variant and game.make_report is not None:
        from cli.commands.rulebooks.board import difference_lines

        context.echo_err(f"a variant of {game.title}; not as printed:")
        for line in difference_lines(game.make_report(board, wish.variant)):
            context.echo_err(f"  {line}")
    return opened


def _of_house(text: str) -> tuple[Seat, str]:
    """Return a seat and its bot with a budget, typed as SEAT=BOT, or SEAT alone for the usual bot."""
    seat, _, bot = text.partition("=")
    return Seat(seat.strip()), bot.strip()


def _check_house(game: Game, house: dict[Seat, str]) -> None:
    """Refuse a bot that there is not before anything is opened for it.

    Raises:
        UnknownName: There is no such seat or policy.
        BudgetInvalid: The budget cannot be read, or is too large for a server.
    """
    for seat, bot in house.items():
        if seat not in game.seats:
            raise UnknownName(unknown(f"seat of {typed_key(game.key)}", seat, list(game.seats)))
        if bot:
            check_bot(game, bot)


def _house_rules(context: Context, client: Client, game: Game, texts: Sequence[str]) -> dict[str, str]:
    """Return house rules by name.

    Raises:
        UserError: One is not a house rule of the game, or two have one name.
    """
    rules: dict[str, str] = {}
    for text in texts:
        name, said = _house_rule(context, client, game, text)
        if name in rules:
            raise usage(f"the house rule {name!r} is given twice")
        rules[name] = said
    return rules


def _house_rule(context: Context, client: Client, game: Game, text: str) -> tuple[str, str]:
    """Return the name and the text of a house rule: NAME=TEXT, or the ruling with event MATCH@SEQ that was given a name.

    Raises:
        UserError: It is neither, or the ruling is of a match of another game or was reversed.
    """
    name, is_told, said = text.partition("=")
    if is_told:
        return name.strip(), said.strip()
    prefix, number = parse_point(text)
    if number is not None:
        match = named_match(context, prefix)
        events = dict(enumerate((event for slice_ in client.log(match) for event in slice_.events), start=1))
        event, opened = events.get(number), events[1]
        if isinstance(event, RulingMade) and event.house:
            if isinstance(opened, MatchOpened) and opened.game != game.key:
                raise usage(f"{text} is of a match of {typed_key(opened.game)}, not of {typed_key(game.key)}")
            later = [
                at
                for at, other in events.items()
                if at > number and isinstance(other, RulingMade) and other.reverses and other.at == event.at
            ]
            if later:
                raise usage(f"the ruling with event {number} was reversed with event {later[0]}: name that one")
            return event.house, event.text
    raise usage(
        f"{text!r} is no house rule: write NAME=TEXT, or MATCH@SEQ of a ruling with the name of one", "unknown_name"
    )


def _taking_back(text: str) -> TakingBack:
    """Return what may be taken back, as typed.

    Raises:
        UserError: It is none of the three words.
    """
    known: tuple[TakingBack, ...] = get_args(TakingBack)
    found = next((one for one in known if one == text), None)
    if found is None:
        raise usage(unknown("value of --take-back", text, list(known)), "unknown_name")
    return found


def check_name(name: str) -> None:
    """Refuse a name that no seat is given under.

    Raises:
        UserError: It is too long, or not one printable line.
    """
    if why := name_problem(name):
        raise usage(why)


def _begin_without_dice(context: Context, client: Client, match: MatchId, seat: Seat) -> None:
    """Begin a match with typed dice if the set-up needs none; else print which ones are needed."""
    try:
        client.begin(match, seat)
    except RequestFailed as error:
        if error.code not in ("dice_missing", "draw_missing"):
            raise
        names = Names(bound_on(client, match, PUBLIC, client.state(match).table).narration)
        option = "--draw" if error.code == "draw_missing" else "--dice"
        context.echo_err(f"to begin, {missing(error, names)}: wardiary choose {match} begin {option} …")


def parse_dice(text: str) -> tuple[str, str]:
    """Split `seeded:SEED` into the source of dice and its seed; other sources have no seed.

    Raises:
        UserError: Seeded dice have no seed, or other dice have one.
    """
    source, colon, seed = text.partition(":")
    if source not in ("sealed", "seeded", "manual") or bool(seed) != (source == "seeded") or (colon and not seed):
        raise usage(f"dice are sealed, seeded:SEED or manual, not {text!r}", "unknown_dice")
    return source, seed


def parse_options(game: Game, texts: Sequence[str]) -> dict[str, Value]:
    """Read KEY=VALUE options; whether a scenario knows them is checked when the match is opened.

    Raises:
        UserError: One is not of that form, unknown, or given twice.
        SetupInvalid: A value is not of its option's type.
    """
    specs = {spec.key: spec for spec in game.options}
    options: dict[str, Value] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        key = key.strip().replace("-", "_")
        if not equals:
            raise usage(f"an option is KEY=VALUE, not {text!r}")
        if key not in specs:
            raise usage(unknown(f"option of {typed_key(game.key)}", key, list(specs)), "unknown_option")
        if key in options:
            raise usage(f"option {key} is given twice")
        options[key] = parse_option(specs[key], value.strip())
    return options
