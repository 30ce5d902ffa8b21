"""The page of a new match: every field has a good value, so that Enter plays."""

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from core.game.game_record import OptionSpec
from core.match.match_creation import TITLE_MAX
from core.registry.games import typed_key
from core.telling.names import IdsOnly, Names
from core.telling.phrases import listed
from core.wording import capital
from server.page_parts.forms import form, hidden_fields
from server.page_parts.html import Attribute, Content, Html, div, link, span, tag
from server.web.backend.lobby_games import LobbyGame, length_words, players_words
from server.web.backend.new_match import (
    BOT,
    FRIEND,
    GUEST,
    LOT,
    NAME_MAX,
    OPEN,
    OPTION,
    SEED_MAX,
    SELF,
    TAKING_BACK,
    WATCH,
    NewMatch,
    option_text,
)
from server.web.http.page_frame import page
from server.web.pages.bot_choices import bot_choices
from server.web.pages.lobby_frame import LOBBY_STYLES, lobby_header, side_sign

DICE_WORDS = (
    ("sealed", "Sealed", "fixed before play by all; each roll is checked"),
    ("seeded", "From a number", "the same number gives the same match"),
    ("manual", "Typed in", "from the real table"),
)


class Wrong(NamedTuple):
    """Fault of the form as it was sent: the name of the field and a sentence about it; both empty if nothing was wrong."""

    field: str = ""
    why: str = ""

    def at(self, field: str) -> dict[str, Attribute]:
        """Return what marks a field that is wrong, leads to the sentence beside it, and gives it the keys."""
        if self.field != field:
            return {}
        return {"aria-invalid": "true", "aria-describedby": f"wrong-{field}", "autofocus": True}

    def said(self, field: str) -> Html | None:
        """Return the sentence, if it is about a field."""
        if self.field != field or not self.why:
            return None
        return tag("p", {"class": "wrong", "role": "alert", "id": f"wrong-{field}" if field else None}, self.why)


NOT_WRONG = Wrong()


def new_page(
    wish: NewMatch,
    games: Sequence[LobbyGame],
    *,
    card: str,
    token: str,
    key: str,
    boards: Sequence[str] = (),
    wrong: Wrong = NOT_WRONG,
) -> str:
    """Return the page of a new match.

    Args:
        wish: What is chosen so far.
        games: All games.
        card: A thumbnail of the chosen one.
        token: Proves the form.
        key: From which the id of the match follows.
        boards: The names of the boards that can be chosen besides that of the game.
        wrong: What was wrong with the form before; it stands at its field, or above the form if it is about none of them.
    """
    game = next(one for one in games if one.record.key == wish.game.key)
    asked = div(
        "fields",
        _scenarios(wish),
        _against(wish, game, wrong),
        _sides(wish),
        _dice(wish, wrong),
        _texts(wish, wrong),
        _rules(wish, boards, wrong),
    )
    # A field for which there is one value only is not on the page.
    is_placed = bool(wrong.field) and f'id="wrong-{wrong.field}"' in asked
    fields = [
        hidden_fields({"key": key, "game": wish.game.key}),
        None if is_placed else wrong._replace(field="").said(""),
        div("columns", asked, _summary(wish, game, card)),
    ]
    return page(
        f"New match: {wish.game.called}",
        tag("h1", None, "New match"),
        tag("nav", {"class": "chosen-game", "aria-label": "Games"}, [_game(one, wish) for one in games]),
        form("/new", token, fields, class_="new"),
        kind="lobby narrow",
        header=lobby_header("play"),
        styles=LOBBY_STYLES,
        scripts=["new.js", "sending.js"],
    )


def _game(game: LobbyGame, wish: NewMatch) -> Html:
    said = {"game": typed_key(game.record.key), "against": wish.against}
    facts = ", ".join(filter(None, (length_words(game.length), players_words(game.record))))
    is_chosen = game.record.key == wish.game.key
    return link(
        f"/new?{urlencode(said)}",
        tag("img", {"src": f"/learn/{typed_key(game.record.key)}/card.svg", "alt": ""}),
        span("", tag("b", None, game.record.called), tag("small", None, facts)),
        aria_current="page" if is_chosen else None,
    )


def _choice(
    name: str,
    value: str,
    words: Content,
    note: Content,
    *,
    is_chosen: bool,
    wrong: Wrong = NOT_WRONG,
    sign: Content = None,
) -> Html:
    """Return one of several choices as a card that can be pressed."""
    id_ = f"{name}-{value}"
    button: dict[str, Attribute] = {"type": "radio", "name": name, "id": id_, "value": value, "checked": is_chosen}
    if is_chosen:
        button |= wrong.at(name)
    return tag(
        "label",
        {"class": "choice", "for": id_},
        tag("input", button),
        sign,
        span("", tag("b", None, words), tag("small", None, note)),
    )


def _group(title: str, choices: Sequence[Html], said: Html | None = None, note: str = "") -> Html | None:
    """Return choices under a title, with what is wrong with them; nothing if there is no choice."""
    legend = tag("legend", None, title, " ", tag("small", None, note) if note else None)
    return (
        tag("fieldset", {"class": "refused" if said else None}, legend, said, div("choices-row", choices))
        if len(choices) > 1
        else None
    )


def _scenarios(wish: NewMatch) -> list[Content]:
    """Return the choice of the scenario and of its mode; each leads to the page with what it asks for."""
    scenarios = [
        _way(wish, {"scenario": one.key}, one.title, one.summary, is_chosen=one == wish.scenario)
        for one in wish.game.scenarios
    ]
    modes = [
        _way(
            wish,
            {"scenario": wish.scenario.key, "mode": one.key},
            one.title,
            f"{len(one.seats)} seat{'' if len(one.seats) == 1 else 's'}",
            is_chosen=one == wish.mode,
        )
        for one in wish.scenario.modes
    ]
    found: list[Content] = [hidden_fields({"scenario": wish.scenario.key, "mode": wish.mode.key})]
    found += (
        [tag("section", None, tag("h2", None, "Scenario"), div("choices-row", scenarios))] if len(scenarios) > 1 else []
    )
    found += [tag("section", None, tag("h2", None, "Mode"), div("choices-row", modes))] if len(modes) > 1 else []
    return found


def _way(wish: NewMatch, said: dict[str, str], words: str, note: str, *, is_chosen: bool) -> Html:
    to = f"/new?{urlencode({'game': typed_key(wish.game.key), 'against': wish.against, **said})}"
    return link(
        to, tag("b", None, words), tag("small", None, note), class_="choice", aria_current="true" if is_chosen else None
    )


def _against(wish: NewMatch, game: LobbyGame, wrong: Wrong) -> list[Content]:
    others = len(wish.mode.seats) > 1
    ways: list[tuple[str, str, str]] = []
    if others and game.policies:
        ways.append((BOT, "A bot", "plays at once"))
    if others:
        ways += [
            (FRIEND, "A friend", "by a link that you send"),
            (OPEN, "Anyone", "an open seat"),
            (SELF, "Myself", "all sides, at one screen"),
        ]
    else:
        ways.append((SELF, "Myself", "solitaire"))
    if game.policies:
        ways.append((WATCH, "Nobody", "you watch bots"))
    chosen = wish.against if any(way == wish.against for way, _, _ in ways) else ways[0][0]
    choices = [_choice("against", way, words, note, is_chosen=way == chosen, wrong=wrong) for way, words, note in ways]
    shown = _group("Against", choices, wrong.said("against"))
    if shown is None:
        return [hidden_fields({"against": chosen})]
    levels = [
        _choice("policy", one.value, one.words, one.note, is_chosen=one.is_chosen, wrong=wrong)
        for one in bot_choices(game.policies, wish.policy)
    ]
    # Which of the ways need a bot is known as soon as one is chosen.
    return [shown, _group("How bots play", levels, wrong.said("policy"))]


def _sides(wish: NewMatch) -> Html | None:
    names = Names(IdsOnly(wish.game.key))
    choices = []
    for seat, side in wish.mode.seats.items():
        plays = f"plays {names.side(side)}" if side and names.side(side) != names.seat(seat) else ""
        note = "; ".join(filter(None, (plays, wish.game.roles.get(side, ""))))
        sign = side_sign(wish.game, side, names.side(side))
        choices.append(_choice("seat", seat, names.seat(seat), note, is_chosen=seat == wish.seat, sign=sign))
    if len(choices) > 1:
        choices.append(_choice("seat", LOT, "By lot", "drawn when the match opens", is_chosen=wish.seat == LOT))
    return _group("Your side", choices)


def _dice(wish: NewMatch, wrong: Wrong) -> list[Content]:
    shown = [
        _choice("dice", key, words, note, is_chosen=key == wish.dice, wrong=wrong) for key, words, note in DICE_WORDS
    ]
    seed: dict[str, Attribute] = {"type": "text", "name": "seed", "id": "seed", "maxlength": SEED_MAX}
    seed["value"] = wish.seed or None
    number = div(
        "entry seed",
        tag("label", {"for": "seed"}, "The number ", tag("small", None, "or a new one")),
        tag("input", seed),
    )
    return [_group("Dice" if wish.game.has_dice else "Cards and draws", shown, wrong.said("dice")), number]


def _texts(wish: NewMatch, wrong: Wrong) -> list[Content]:
    title: dict[str, Attribute] = {"type": "text", "name": "title", "id": "title", "maxlength": TITLE_MAX}
    name: dict[str, Attribute] = {"type": "text", "name": "name", "id": "name", "maxlength": NAME_MAX}
    title["value"] = wish.title or None
    name |= {"value": None if wish.name == GUEST else wish.name, "autocomplete": "nickname"}
    for field, one in (("title", title), ("name", name)):
        one |= {"dir": "auto", **wrong.at(field)}
    named = div(
        "entry",
        tag("label", {"for": "name"}, "Your name at the table ", tag("small", None, f"or {GUEST}")),
        tag("input", name),
        wrong.said("name"),
    )
    titled = div(
        "entry",
        tag("label", {"for": "title"}, "Title ", tag("small", None, "optional")),
        tag("input", title),
        wrong.said("title"),
    )
    taken = div(
        "entry",
        tag("label", {"for": "taking_back"}, "May be taken back"),
        tag(
            "select",
            {"name": "taking_back", "id": "taking_back"},
            [
                tag("option", {"value": one, "selected": one == wish.taking_back}, said)
                for one, said in TAKING_BACK.items()
            ],
        ),
    )
    return [div("two", named, titled), taken]


def _rules(wish: NewMatch, boards: Sequence[str], wrong: Wrong) -> Html | None:
    """Return the options of the game and its boards, folded unless one of them is another than printed."""
    specs = [spec for spec in wish.game.options if spec.is_for(wish.scenario, wish.mode)]
    if not specs and not boards:
        return None
    changed = sum(wish.options.get(spec.key, option_text(spec.default)) != option_text(spec.default) for spec in specs)
    count = f"{len(specs)}, {'all as printed' if not changed else f'{changed} changed'}"
    title = listed([*(["House rules"] if specs else []), *(["board"] if boards else [])])
    count = "; ".join(
        [*([count] if specs else []), *([f"on {wish.board or 'the board of the game'}"] if boards else [])]
    )
    head = tag("summary", None, tag("b", None, capital(title)), " ", tag("small", None, count))
    rows = [_option(spec, wish.options.get(spec.key, option_text(spec.default)), wrong) for spec in specs]
    is_open = bool(wish.board) or wrong.field.startswith(OPTION)
    return tag("details", {"class": "rules", "open": is_open}, head, _board(wish, boards, wrong), rows)


def _board(wish: NewMatch, boards: Sequence[str], wrong: Wrong) -> Html | None:
    """Return the choice of a board; None if there is only that of the game."""
    ways = [("", "that of the game"), *((one, one) for one in boards)]
    choices = [tag("option", {"value": name, "selected": name == wish.board}, words) for name, words in ways]
    field = tag("select", {"name": "board", "id": "board", **wrong.at("board")}, choices)
    return div("entry", tag("label", {"for": "board"}, "Board"), field, wrong.said("board")) if boards else None


def _option(spec: OptionSpec, value: str, wrong: Wrong) -> Html:
    name, id_ = f"{OPTION}{spec.key}", f"option-{spec.key}"
    label = tag("label", {"for": id_}, spec.title)
    field: Html
    if isinstance(spec.default, bool) or (isinstance(spec.default, str) and spec.choices):
        choices = ("off", "on") if isinstance(spec.default, bool) else spec.choices
        options = [tag("option", {"value": one, "selected": one == value}, one) for one in choices]
        field = tag("select", {"name": name, "id": id_, **wrong.at(name)}, options)
    else:
        kind = "number" if isinstance(spec.default, int) else "text"
        bounds: dict[str, Attribute] = {"min": spec.low, "max": spec.high} if kind == "number" else {"maxlength": 200}
        field = tag("input", {"type": kind, "name": name, "id": id_, "value": value, **bounds, **wrong.at(name)})
    return div("entry", label, field, wrong.said(name))


def _summary(wish: NewMatch, game: LobbyGame, card: str) -> Html:
    """Return what the match will be, and the button that opens it."""
    return tag(
        "aside",
        {"class": "card summary"},
        tag("div", {"class": "thumb", "aria-hidden": "true"}, Html(card)),
        div(
            "said",
            tag("h2", None, wish.game.title),
            tag("p", {"class": "pitch"}, wish.scenario.summary or game.record.pitch),
            # A script tells here what is chosen, as it is changed.
            tag("dl", {"data-summary": True, "hidden": True}),
            # On a phone this is a bar that stays in sight; the script tells there in one line what is chosen.
            div(
                "go",
                tag("p", {"data-short": True}),
                tag("button", {"type": "submit", "class": "button main"}, "Play"),
            ),
            tag("p", {"class": "pitch"}, "Everything on this page has a good value already. Enter plays."),
            tag(
                "p",
                {"class": "pitch"},
                "Anyone with the link can watch; what is hidden from a seat stays hidden from its player.",
            ),
        ),
    )
