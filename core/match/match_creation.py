"""Creates a match: checks the whole request, and prepares its first commit."""

from collections.abc import Callable, Mapping
from hashlib import sha256

from core.chance.chance_sources import ManualChance, seeded
from core.chance.links import linked_scheme
from core.chance.schemes import MANUAL, SEALED, SEEDED, is_hex_32
from core.engine.draft import Draft
from core.errors import SetupInvalid, UnknownName
from core.game.game_record import Game, Mode, Scenario
from core.match.arbiter_commands import TEXT_CHARACTERS_MAX
from core.match.bound_games import bound_game, keep_position, read_position
from core.match.live_match import Prepared, prepared
from core.match.match_commands import BEGIN
from core.match.ruleset import Ruleset
from core.positions.any_moment import any_moment_defects
from core.positions.position import Defect, Position
from core.registry.games import load_game, typed_key
from core.suggestions import unknown
from core.toml.outside_toml import BYTES_MAX
from core.toml.toml_lines import LineMap
from events.codec import Struct, replace
from events.commit import Head
from events.ids import ARBITER, Digest, MatchId, RuleId, Seat, Side
from events.log import NewCommit
from events.vocabulary import ChanceScheme, MatchBegan, MatchOpened, TakingBack, Value
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import is_open

OPEN = RuleId("match.open")
OPEN_COMMAND = b'{"do":"match:open"}'
"""The command of an opening in the log."""


HOUSE_RULES_MAX = 20
"""How many house rules a match has at most."""

TITLE_MAX = 80
"""How many characters the title of a match has at most."""


class Opening(Struct, frozen=True, kw_only=True):
    """The request to open a match, as `wardiary new` and the server's `open` send it.

    `dice` is `sealed`, `seeded` or `manual`; `seed` the secret seed (hex, 64 digits) of sealed dice or the public one of
    seeded dice. `board` and `position` are texts of files. `variant` names a variant: then the board must contradict the printed
    game. `title` is what those who play call the match: one line of `TITLE_MAX` characters at most. `taking_back` says what may be taken back,
    `house_rules` what those who play agreed on beside the rules, by its name.
    """

    game: str
    scenario: str = ""
    mode: str = ""
    options: dict[str, Value] = {}
    dice: str = "sealed"
    seed: str = ""
    board: str | None = None
    variant: str = ""
    title: str = ""
    taking_back: TakingBack = "consent"
    house_rules: dict[str, str] = {}
    position: str | None = None


class Setting(Struct, frozen=True):
    """The complete settings of a match: the opening, completed by the position and the defaults."""

    scenario: Scenario
    mode: Mode
    options: dict[str, Value]
    plays: dict[Seat, Side]


class Opened(Struct, frozen=True):
    """A match that is ready to be stored: its first commit, the files to attach, and the match in memory."""

    prepared: Prepared
    attachments: dict[Digest, bytes]
    ruleset: Ruleset
    seed: str


def text_digest(text: str) -> Digest:
    """Return the SHA-256 of a text's UTF-8 bytes."""
    return Digest(sha256(text.encode()).hexdigest())


def chance_scheme(dice: str, seed: str, match: MatchId) -> ChanceScheme:
    """Return the source of chance for the first event.

    Raises:
        UnknownName: There is no such source of dice.
        SetupInvalid: The seed of sealed dice is not valid, or that of seeded dice is empty.
    """
    if dice == "sealed":
        if not is_hex_32(seed):
            raise SetupInvalid(("the seed of sealed dice must be 64 lower-case hexadecimal digits",))
        return linked_scheme(seed, match)
    if dice == "seeded":
        if not seed:
            raise SetupInvalid(("the seed of seeded dice must not be empty",))
        return ChanceScheme(scheme=SEEDED, seed=seed)
    if dice == "manual":
        return ChanceScheme(scheme=MANUAL)
    raise UnknownName(unknown("source of dice", dice, ["sealed", "seeded", "manual"]))


def open_match(match: MatchId, opening: Opening, *, key: str, at: int, salt: Callable[[], str] | None = None) -> Opened:
    """Prepare the first commit of a match.

    Args:
        match: Its id.
        opening: The request.
        key: The idempotency key.
        at: Milliseconds since 1970 (UTC).
        salt: Returns 32 random bytes (hex); called once if the position holds a secret of a seat. The text is stored with
            them, so that a guess of the secret cannot be confirmed by the public digest of the first event. Without it the text
            is stored unchanged.

    Raises:
        UnknownName: No such game, scenario, mode or source of dice.
        SetupInvalid: Options, board, position or seed are wrong; every defect is listed.
    """
    game = load_game(opening.game)
    if defect := agreed_defect(opening.title, opening.house_rules):
        raise SetupInvalid((defect,))
    position = None if opening.position is None else read_position(opening.position)
    if position is not None and position.edition not in ("", game.edition) and position.game == game.key:
        other = f"the position is of edition {position.edition} of {typed_key(game.key)}; installed is {game.edition}"
        raise SetupInvalid((other,))
    setting = setting_of(game, opening, position)
    bound = bound_game(game.key, opening.board, opening.variant)
    ruleset = Ruleset(bound, position, game.edition, game.rules_digest)
    check_position(ruleset, setting, opening.position)
    event = MatchOpened(
        rule=OPEN,
        game=game.key,
        edition=game.edition,
        scenario=setting.scenario.key,
        mode=setting.mode.key,
        options=setting.options,
        sides=game.sides,
        seats=tuple(setting.mode.seats),
        plays=setting.plays,
        rules=game.rules_digest,
        board=bound.board_digest,
        variant=opening.variant,
        title=opening.title,
        taking_back=opening.taking_back,
        house_rules=opening.house_rules,
        position=None if opening.position is None else text_digest(opening.position),
        chance=chance_scheme(opening.dice, opening.seed, match),
    )
    _check_known(ruleset, event)
    if salt is not None and has_secrets(ruleset, event):
        opening = replace(opening, position=_salted(opening.position or "", salt()))
        event = replace(event, position=text_digest(opening.position or ""))
        if position is not None:
            keep_position(opening.position or "", position)
    # The shipped board is stored too: this match keeps it when a later version ships another one.
    board = game.shipped_board() if opening.board is None else opening.board.encode()
    files = [board] if opening.position is None else [board, opening.position.encode()]
    draft = Draft(Table(), ManualChance())
    draft.emit(event)
    done = prepared(match, Head(), draft, seat=ARBITER, command=OPEN_COMMAND, key=key, at=at)
    seed = opening.seed if event.chance.scheme == SEALED else ""
    new = NewCommit(match, done.new.first, done.new.last, key, done.new.hash, done.new.body, None, seed)
    return Opened(
        Prepared(new, done.commit, done.table),
        {Digest(sha256(content).hexdigest()): content for content in files},
        ruleset,
        seed,
    )


def agreed_defect(title: str, house_rules: Mapping[str, str]) -> str:
    """Return the defect of what those who open a match say of it in their own words; empty if there is none."""
    return title_defect(title) or house_defect(house_rules)


def house_defect(rules: Mapping[str, str]) -> str:
    """Return the defect of house rules; empty if there is none."""
    if len(rules) > HOUSE_RULES_MAX:
        return f"a match has at most {HOUSE_RULES_MAX} house rules, not {len(rules)}"
    for name, text in rules.items():
        if not name or title_defect(name):
            return f"a house rule has a name: one line of 1 to {TITLE_MAX} characters"
        if not text.strip() or len(text) > TEXT_CHARACTERS_MAX:
            return f"the house rule {name!r} has a text of 1 to {TEXT_CHARACTERS_MAX} characters"
    return ""


def title_defect(title: str) -> str:
    """Return the defect of the title of a match; empty if there is none."""
    if len(title) > TITLE_MAX:
        return f"a title has at most {TITLE_MAX} characters, not {len(title)}"
    if not title.isprintable() or title != title.strip():
        return "a title is one line, without control characters, marks that cannot be seen, and spaces around it"
    return ""


def setting_of(game: Game, opening: Opening, position: Position | None) -> Setting:
    """Return the scenario, mode and options of an opening.

    Raises:
        UnknownName: No such scenario or mode.
        SetupInvalid: The options are not valid, or the position is for another game, scenario or mode.
    """
    opening = _with_position(game, opening, position)
    scenario = game.scenario(opening.scenario)
    mode = scenario.mode(opening.mode)
    plays = settled_sides(game, mode, {} if position is None else position.plays)
    return Setting(scenario, mode, game.full_options(scenario, mode, opening.options), plays)


def settled_sides(game: Game, mode: Mode, given: Mapping[Seat, Side]) -> dict[Seat, Side]:
    """Return which side each seat plays from the beginning, as far as it is settled then.

    Args:
        game: The game.
        mode: The mode.
        given: The sides that a position settles and the mode leaves open.

    Raises:
        SetupInvalid: The position names a seat that the mode does not have or whose side is settled, or a side that the game does
            not have.
    """
    free = [str(seat) for seat, side in mode.seats.items() if not side]
    defects = [
        *[unknown("seat without a side in this mode", seat, free) for seat in given if seat not in free],
        *[
            unknown(f"side of {typed_key(game.key)}", side, list(game.sides))
            for side in given.values()
            if side not in game.sides
        ],
    ]
    if defects:
        raise SetupInvalid(tuple(defects))
    return {seat: side for seat, side in {**mode.seats, **given}.items() if side}


def rules_problem(digest: Digest) -> str:
    """Return the defect of the rules digest of an opening; empty if there is none."""
    return "" if is_hex_32(digest) else "the rules digest is not 64 lower-case hexadecimal digits"


def opened_with(game: Game, event: MatchOpened, position: Position | None) -> Setting:
    """Return the scenario, mode and options that a recorded opening must name.

    Raises:
        UnknownName: As `setting_of`; so does SetupInvalid.
    """
    asked = Opening(game=event.game, scenario=event.scenario, mode=event.mode, options=event.options)
    return setting_of(game, asked, position)


def check_position(ruleset: Ruleset, setting: Setting, text: str | None = None) -> None:
    """Check that a match can begin from its position, if it has one.

    Args:
        ruleset: The game and the position.
        setting: The settings of the match.
        text: The file of the position, so that defects can name their lines and columns.

    Raises:
        SetupInvalid: The position has defects; every one is listed.
    """
    if ruleset.position is None:
        return
    scenario, mode, options = setting.scenario.key, setting.mode.key, setting.options
    position = replace(ruleset.position, scenario=scenario, mode=mode, options=options)
    if position.stack:
        inventory = ruleset.game.inventory(scenario, options)
        opened = Table(
            scenario=scenario,
            mode=mode,
            options=options,
            sides=tuple(inventory.sides),
            seats=tuple(setting.mode.seats),
            plays=setting.plays,
            began=True,
        )
        defects = any_moment_defects(ruleset.rules, inventory, position, opened)
    else:
        defects = ruleset.game.positions.check_position(position)
    seats = setting.mode.seats
    for index, piece in enumerate(ruleset.position.pieces):
        others = sorted({*(piece.known_to or ()), *(piece.seen_by or ())} - {*seats})
        if others:
            named = f"piece {piece.id} is known to {', '.join(others)}; the seats are {', '.join(seats)}"
            defects = (*defects, Defect(("pieces", index), named))
    if defects:
        places = None if text is None else LineMap(text.removeprefix("\ufeff"))
        raise SetupInvalid(tuple([defect.sentence(places) for defect in defects]))


def has_secrets(ruleset: Ruleset, event: MatchOpened) -> bool:
    """Return whether a match begins from a position with secrets of a seat, as its set-up shows."""
    return ruleset.position is not None and not is_open(_set_up(ruleset, event).events)


def _check_known(ruleset: Ruleset, event: MatchOpened) -> None:
    """Check that the set-up hides the pieces of a position from the seats that the position hides them from.

    Raises:
        SetupInvalid: The game has no hidden pieces, or not these.
    """
    hidden = [] if ruleset.position is None else [one for one in ruleset.position.pieces if one.known_to is not None]
    if hidden:
        known_to = _set_up(ruleset, event).table.known_to
        defects = [f"piece {one.id} cannot be hidden" for one in hidden if known_to.get(one.id) != one.known_to]
        if defects:
            raise SetupInvalid(tuple(defects))


def _set_up(ruleset: Ruleset, event: MatchOpened) -> Draft:
    """Execute the set-up of a match, on a table that is discarded."""
    # The seats that see each event do not depend on the dice.
    draft = Draft(fold([event]), seeded("any"))
    draft.emit(MatchBegan(rule=BEGIN))
    ruleset.set_up(draft)
    return draft


def _salted(text: str, salt: str) -> str:
    """Return the text of a position with random bytes; see `salted`.

    Raises:
        SetupInvalid: The text would be too long with them.
    """
    with_salt = salted(text, salt)
    if len(with_salt.encode()) > BYTES_MAX:
        room = BYTES_MAX - len(with_salt.encode()) + len(text.encode())
        raise SetupInvalid((f"the position has secrets and {len(text.encode())} bytes; at most {room} are possible",))
    return with_salt


def salted(text: str, salt: str) -> str:
    """Return an equivalent text of a TOML file that cannot be guessed from its digest."""
    return f"{text}\n# Random, so that what is hidden here cannot be guessed and confirmed by its digest: {salt}\n"


def _with_position(game: Game, opening: Opening, position: Position | None) -> Opening:
    """Add the scenario, mode and options of the position that the opening leaves out."""
    if position is None:
        return opening
    if position.game != game.key:
        raise SetupInvalid((f"the position is for game {typed_key(position.game)}, not {typed_key(game.key)}",))
    for what, its, asked in (
        ("scenario", position.scenario, opening.scenario),
        ("mode", position.mode, opening.mode),
    ):
        if its and asked and its != asked:
            raise SetupInvalid((f"the position is for {what} {its}, not {asked}",))
    return Opening(
        game=opening.game,
        scenario=opening.scenario or position.scenario,
        mode=opening.mode or position.mode,
        options={**position.options, **opening.options},
        dice=opening.dice,
        seed=opening.seed,
        board=opening.board,
        position=opening.position,
    )
