"""The notation of a match is read and played to the same match; what it cannot be is told with its line."""

import re
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from random import Random

import pytest

from core.chance.recorded_chance import faces_of
from core.errors import SetupInvalid, UnknownName
from core.match.live_match import Prepared, load_match
from core.notation.notation import NotationInvalid, NotationRefused
from core.notation.notation_text import CHARACTERS_MAX, notation_text, read_notation
from core.notation.order_text import OrderInvalid, command_of, order_words
from core.notation.played_notation import PlayedNotation
from core.notation.recorded_notation import Branch, NoNotation, NotationWriter, seen_of, told
from core.position_files.position_toml import position_text
from core.position_files.saved_position import saved_position
from core.positions.position import parse_position
from core.registry.games import load_game
from events.archive_reader import store_archive
from events.codec import encode
from events.ids import ARBITER, MatchId, Seat
from events.memory_log import MemoryLog
from events.vocabulary import NoteAdded
from projections.state.view import SeatView, is_same, seat_number
from tests.core.test_fuzz import GIVEN, scenes
from tests.project.tree import games
from tests.support.desk import Desk
from tests.support.playouts import Playout
from tests.support.rows import each_row
from tests.support.soak import sampled

ORDERS = 120
"""Orders of a match at budget 1, where a whole match of each scene takes too long; with more it is played to its end."""

TAGS = re.compile(r"^\[(Match|Position) .*\n", re.MULTILINE)


def playout(
    game: str, scenario: str, mode: str, seed: int, most: int | None = ORDERS, disturbances: float = 0.0
) -> Desk:
    """Return a random match as far as it was played; between orders, as often as that share says, something else happens."""
    played, rng = Playout(game, scenario, seed, mode=mode, given=GIVEN.get(game, {})), Random(seed)
    for _ in islice(played.steps(), most):
        if rng.random() < disturbances:
            disturb(played.desk, rng)
    return played.desk


def disturb(desk: Desk, rng: Random) -> None:
    """Write, dispute, rule on, appeal or take back something at random; what is refused is left out."""
    table, seat = desk.table, rng.choice(desk.table.seats)
    at = rng.choice([one.at for one in table.disputes] or [rng.randint(1, seat_number(table, seat, table.seq))])
    if rng.random() < 0.5:
        at = rng.randint(1, seat_number(table, seat, table.seq))
    said = rng.choice(("?!", "! so", "a } \\ {b: c", 'two\nlines "x"', "@Ada: #2 = no"))
    wishes: list[tuple[Seat, dict[str, object]]] = [
        (seat, {"do": "match:note", "text": said}),
        (seat, {"do": "match:note", "text": said, "at": at}),
        (seat, {"do": "match:dispute", "text": said, "at": at}),
        (ARBITER, {"do": "match:ruling", "text": said, "at": at, "effect": "stand"}),
        (ARBITER, {"do": "match:ruling", "text": said, "reverses": True, "at": at, "effect": "stand"}),
        (seat, {"do": "match:appeal", "text": said, "at": at}),
        (seat, {"do": "match:undo"}),
        (seat, {"do": "match:ask-undo"}),
        *[
            (
                other,
                {"do": "match:answer-undo", "request": seat_number(table, other, table.asked_back.at), "agrees": True},
            )
            for other in table.seats
            if table.asked_back is not None
        ],
    ]
    for who, wish in rng.sample(wishes, len(wishes)):
        if isinstance(desk.ask(wish, who), Prepared):
            desk.accept(wish, who)


def written(desk: Desk, *branches: Desk) -> str:
    """Return the notation of a match with its forks."""
    found = [
        Branch(fork.match.id, fork.log.origin(fork.match.id).seq, tuple(map(told, fork.commits)))  # type: ignore[union-attr]
        for fork in branches
    ]
    position = desk.table.position
    text = None if position is None else (desk.log.attachment(position) or b"").decode()
    writer = NotationWriter(desk.match.ruleset.game, {desk.match.id: found})
    began_from = None if text is None else parse_position(text)
    return notation_text(writer.notation(desk.match.id, map(told, desk.commits), began_from, "2026-11-29"))


def played(text: str) -> list[Desk]:
    """Return the matches that a notation tells, as they are stored."""
    done, log = PlayedNotation(read_notation(text), text, 5), MemoryLog()
    for archive in done.archives():
        store_archive(archive, log)
    return [Desk(log, load_match(log, match)) for match in done.matches]


def bare(text: str) -> str:
    """Return a notation without what differs from match to match."""
    return TAGS.sub("", text)


@pytest.mark.parametrize(
    ("game", "scenario", "mode"),
    sampled(
        [*scenes(), ("skirmish", "field", "")], lambda game, scenario, _: game != "axis_allies" or scenario == "race"
    ),
)
def test_a_match_comes_back_from_its_notation(game: str, scenario: str, mode: str, budget: float) -> None:
    """With the long budget these are 200 whole matches or more of each game."""
    scenes_of_game = sum(1 for one in scenes() if one[0] == game) or 1
    for seed in range(max(1, round(2 * budget / scenes_of_game))):
        desk = playout(game, scenario, mode, seed, ORDERS if budget <= 1 else None, 0.05)
        text = written(desk)
        (again,) = played(text)

        assert bare(written(again)) == bare(text)
        assert (again.table.stack, again.table.ended) == (desk.table.stack, desk.table.ended)
        assert {name: sorted(pile.cards) for name, pile in again.table.piles.items()} == {
            name: sorted(pile.cards) for name, pile in desk.table.piles.items()
        }
        assert again.table.pieces == desk.table.pieces
        assert again.audit().findings == ()


@each_row("game", games())
def test_every_command_of_a_game_has_a_short_form(game: str) -> None:
    rules = Desk.open(game).match.ruleset.rules
    desk = playout(game, "", "", 4, 60)
    for commit in desk.commits:
        if b'"match:' not in bytes(commit.command):
            words = order_words(bytes(commit.command), rules.commands)

            assert words[0] in rules.commands
            assert rules.decode(command_of(words, rules.commands)) == rules.decode(bytes(commit.command))


def test_an_order_is_written_by_place_and_by_name() -> None:
    kinds = Desk.open("battle").match.ruleset.rules.commands
    command = b'{"do":"attack","forces":["a b","c"],"location":"x/y"}'

    assert order_words(command, kinds) == ("attack", "x/y", 'forces:"a b"+c')
    assert command_of(("attack", "x/y", 'forces:"a b"+c'), kinds) == command
    for words, problem in (
        (("attac", "x"), "did you mean attack"),
        (("attack",), "location is missing: write attack LOCATION [forces:…]"),
        (("attack", "x", "y"), "'y' is too much"),
        (("attack", "x", "with:y"), "attack takes no with"),
        (("move", "a", "b", "free:maybe"), "free is yes or no"),
        (("move", "a+b", "c"), "force is one id"),
    ):
        with pytest.raises(OrderInvalid, match=re.escape(problem)):
            command_of(words, kinds)


@pytest.fixture(scope="module")
def battle() -> Desk:
    """A match with notes on two orders and a resignation."""
    desk = playout("battle", "standard", "", 1, 40)
    order = desk.commits[-1]
    desk.accept({"do": "match:note", "text": "?! why {here}?\nOdd \\ so", "at": order.first}, order.seat)
    desk.accept({"do": "match:note", "text": "!"}, Seat("russian"))
    desk.accept({"do": "match:resign"}, Seat("german"))
    return desk


def test_remarks_marks_and_a_resignation_come_back(battle: Desk) -> None:
    text = written(battle)
    (again,) = played(text)

    assert "{german: why {here\\}?\\nOdd \\\\ so}" in text or "{russian: why {here\\}?\\nOdd \\\\ so}" in text
    assert text.rstrip().endswith("= Resignation")
    assert bare(written(again)) == bare(text)


def test_what_is_said_of_a_roll_comes_back_at_the_roll() -> None:
    desk = playout("advance", "", "", 0, 20)
    seat = desk.table.seats[0]
    order = [one for one in desk.commits if sum(faces_of(event) is not None for event in one.events) > 1][-1]
    rolled = [at for at, event in enumerate(order.events, order.first) if faces_of(event) is not None]
    for at, said in ((rolled[1], "! cold"), (rolled[0], "hot"), (order.first, "?!"), (rolled[1], "dice")):
        desk.accept({"do": "match:note", "text": said, "at": at}, seat)
    text = written(desk)
    (again,) = played(text)
    notes = {event.text: again.events[(event.at or 0) - 1] for event in again.events if isinstance(event, NoteAdded)}

    assert re.search(rf"\] \{{{seat}: hot\}} \[[\d ]+\] \{{{seat}: ! cold\}} \{{{seat}: dice\}}.* \?!\n", text)
    assert [is_same(notes[said], desk.events[at - 1]) for at, said in zip(rolled, ("hot", "dice"), strict=False)] == [
        True
    ] * 2
    assert faces_of(notes["?!"]) is None
    assert bare(written(again)) == bare(text)


TWO_CROSSINGS = """
format = "wardiary-position/1"
game = "axis_allies"
scenario = "race"
round = 2
phase = "axis_attack"
pieces = [
  { id = "ger_bomber/1", place = "above/crossing_white", face = "air" },
  { id = "ger_bomber/2", place = "above/crossing_gray", face = "air" },
]
[markers]
"above/crossing_white" = { assault = 1 }
"above/crossing_gray" = { assault = 1 }
crossing_white = { ferry = 1 }
crossing_gray = { ferry = 1 }
[attributes]
"ger_bomber/1" = { mission = "attack" }
"ger_bomber/2" = { mission = "attack" }
"""


def test_what_is_said_of_an_order_that_begins_with_a_roll_is_not_about_the_roll() -> None:
    desk = Desk.open("axis_allies", position=TWO_CROSSINGS)
    desk.accept({"do": "pick", "item": "crossing_white"}, Seat("axis"))
    desk.accept({"do": "match:note", "text": "! so"}, Seat("axis"))
    text = written(desk)
    (again,) = played(text)

    assert faces_of(desk.commits[-2].events[0]) is not None
    assert bare(written(again)) == bare(text)


def test_what_was_agreed_on_and_disputed_comes_back() -> None:
    agreed = '[TakingBack "free"]\n[HouseRule "Guns" "They may lead."]\n'
    desk = Desk.open("battle", seats=[Seat("german")])
    desk.accept({"do": "match:dispute", "text": "Who begins?", "at": 2}, Seat("german"))
    desk.accept({"do": "match:take-seat", "seat": "russian"}, Seat("russian"))
    desk.accept({"do": "match:ruling", "text": "As printed.", "at": 2, "effect": "go-on", "line": "m7"}, ARBITER)
    desk.accept({"do": "match:appeal", "text": "The errata.", "at": 2}, Seat("german"))
    text = written(desk).replace("[Match", f"{agreed}[Match", 1)
    (again,) = played(text)

    assert '[GoesOn "m7"]' in text
    assert agreed in written(again)
    assert (again.table.taking_back, again.table.house_rules) == ("free", {"Guns": "They may lead."})
    assert [event.text for event in again.events if isinstance(event, NoteAdded)] == [
        "Dispute: Who begins?",
        "Ruling: As printed. It goes on as the match m7.",
        "Appeal: The errata.",
    ]


def test_a_fork_is_a_variation_and_comes_back_as_one(battle: Desk) -> None:
    orders = [commit for commit in battle.commits if b'"match:' not in bytes(commit.command)]
    fork = battle.fork(orders[20].first - 1, dice="seeded")
    for _ in range(3):
        fork.accept(fork.options()[-1])
    text = written(battle, fork)
    main, again = played(text)

    assert text.count("(\n") == 1
    assert again.table.parent == main.match.id
    assert bare(written(main, again)) == bare(text)
    assert again.audit().findings == ()


def test_a_match_from_a_position_has_it_in_its_notation() -> None:
    desk = playout("battle", "standard", "", 2, 30)
    sides = load_game("battle").scenarios[0].modes[0].seats
    begun = Desk.open("battle", position=position_text(saved_position(desk.events, sides)))
    begun.accept(begun.options()[0])
    (again,) = played(written(begun))

    assert "[Position " in written(begun)
    assert again.table.pieces == begun.table.pieces


def test_a_seat_is_told_what_it_has_seen_and_no_order_that_shows_more() -> None:
    desk = playout("inferno", "standard", "one_vs_one", 3)
    writer = NotationWriter(desk.match.ruleset.game)
    for seat in (Seat("german"), Seat("public")):
        view = SeatView(seat, 0, desk.table.limits)
        pairs = [(commit, view.take(commit.events, commit.at, commit.last)) for commit in desk.commits]
        known = [seen_of(slice_, commit) for commit, slice_ in pairs if slice_ is not None]
        text = notation_text(writer.notation(MatchId("m"), known))
        seen = encode([one.events for one in known]).decode()
        hidden = desk.match.ruleset.game.inventory().cards_of.keys() - set(re.findall(r'"([^"]*)"', seen))

        assert hidden
        assert [card for card in hidden if re.search(rf"[ <+]{re.escape(card)}[ >+\n]", text)] == []
        assert "  ..." in text or ": ..." in text
        with pytest.raises(NotationInvalid, match=r"^line \d+: the order is not told"):
            PlayedNotation(read_notation(text), text, 5)


def test_what_was_taken_back_is_left_out() -> None:
    desk = Desk.open("battle")
    orders = written(desk)
    desk.accept(desk.options()[0])
    told_with_it = written(desk)
    desk.accept({"do": "match:undo"}, desk.commits[-1].seat)

    assert told_with_it != orders
    assert written(desk) == orders


def test_a_match_with_a_new_deal_has_no_notation() -> None:
    desk = playout("battle", "standard", "", 1, 30)
    fork = desk.fork(desk.table.seq, seat=Seat("german"), hidden="resample")
    with pytest.raises(NoNotation, match="dealt again"):
        written(fork)


HEAD = '[Format "wardiary-notation/1"]\n[Game "battle"]\n\n'


def changed(old: str, new: str) -> Callable[[str], str]:
    """Return a change of a notation."""
    return lambda text: text.replace(old, new, 1)


@each_row(
    ("change", "problem"),
    [
        (lambda _: "1. e4 e5\n", "line 1: a notation begins with the line [Format"),
        (lambda _: f"{HEAD}begin\n", "line 5: the notation is cut short"),
        (lambda _: f"{HEAD}[Odd\n*\n", "line 4: '[Odd' is not a tag"),
        (lambda _: f"{HEAD}  begin {{open\n*\n", "line 4: '{open' cannot be read here: a remark stands in braces"),
        (lambda _: f"{HEAD}  begin [3 4\n*\n", "dice stand in brackets, as in [3 4], and ] is missing"),
        (lambda _: f"{HEAD}  begin [three]\n*\n", "dice stand in brackets, as in [3 4]"),
        (
            lambda _: f"{HEAD}  begin <one\n*\n",
            "what was drawn stands in angle brackets, as in <NAME>, and > is missing",
        ),
        (changed("  begin <", "  begin <nothing> <"), "or a die or draw before it is another one than fell"),
        (lambda _: f"{HEAD}  begin\n (\n pass\n*\n", "line 5: the variation that begins here is not closed"),
        (lambda _: f"{HEAD}  begin\n )\n*\n", "line 5: ) closes a variation that was not opened"),
        (lambda _: f"{HEAD}  begin ?? !!\n*\n", "is not the mark of an order"),
        (lambda _: f"{HEAD}[3 4]\n*\n", "line 4: '[3 4]' is not a tag"),
        (lambda _: f"{HEAD}*\nbegin\n", "line 5: 'begin' stands after the result"),
        (lambda _: HEAD + "x" * CHARACTERS_MAX, "at most"),
        (lambda _: f"{HEAD}pass\n*\n", "line 4: 'pass' comes before play has begun"),
        (changed("  begin <", "  begin <nothing> <"), "the dice of 'begin' do not fit the rules"),
        (changed(": choose-force ", ": chose-force "), "no order of this game is called 'chose-force'"),
        (
            changed("  russian: choose-force", "  german: choose-force"),
            "is an order of german, and russian is to decide",
        ),
        (changed("= Resignation", "= German Victory"), "the result is 'German Victory', but by its orders"),
        (changed("\n\n", '\n[HouseRule "Guns"]\n\n'), "a house rule is written [HouseRule"),
        (changed("\n\n", '\n[HouseRule "A" "b"]\n[HouseRule "A" "c"]\n\n'), "the tag HouseRule A stands twice"),
        (changed("\n\n", '\n[Game "battle"]\n\n'), "the tag Game stands twice"),
        (changed("\n\n", '\n[TakingBack "maybe"]\n\n'), "TakingBack is consent, free, no, not 'maybe'"),
        (changed("= Resignation", "pass\n= Resignation"), "'pass' comes after the end of the match"),
    ],
)
def test_what_is_wrong_with_a_notation_is_told_with_its_line(
    change: Callable[[str], str], problem: str, battle: Desk
) -> None:
    with pytest.raises(NotationInvalid, match=r"^line \d+: ") as caught:
        played(change(written(battle)))

    assert problem in str(caught.value)


def test_an_order_that_the_rules_forbid_is_refused_with_its_line_and_rule(battle: Desk) -> None:
    text = written(battle)
    line = next(number for number, said in enumerate(text.splitlines(), 1) if "choose-force" in said)
    broken = re.sub(r"choose-force (\w+) \S+", r"choose-force \1 nowhere", text, count=1)
    with pytest.raises(NotationRefused, match=rf"^line {line}: 'choose-force .* is refused: ") as caught:
        played(broken)

    assert caught.value.rule


def test_another_edition_and_another_board_are_refused(battle: Desk) -> None:
    text = written(battle)
    with pytest.raises(SetupInvalid, match=r"of edition 0\.1 of battle; installed is 1\.0"):
        played(text.replace('[Edition "1.0"]', '[Edition "0.1"]'))
    with pytest.raises(SetupInvalid, match="on a board of its own"):
        played(re.sub(r'\[Board "\w+"\]', f'[Board "{"0" * 64}"]', text))


def test_what_players_wrote_cannot_control_a_terminal() -> None:
    desk = playout("battle", "standard", "", 1, 20)
    said = "a\x1b[2J \u202e {b} \U000e0001 \\n c"
    desk.accept({"do": "match:note", "text": said}, Seat("german"))
    text = written(desk)
    (again,) = played(text)

    assert text.replace("\n", "").isprintable()
    assert [event.text for event in again.events if isinstance(event, NoteAdded)] == [said]


def test_a_changed_notation_is_played_or_refused(battle: Desk, budget: float) -> None:
    """Whatever is in a text, it leads to no other error than one with a line, or of the set-up."""
    rng, text = Random(5), written(battle)
    parts = [
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        "<",
        ">",
        '"',
        "\\",
        "+",
        ":",
        "...",
        "99999",
        "!",
        "\n",
        " ",
        "*",
        "= x",
        "\\ud800",
    ]
    for _ in range(round(60 * budget)):
        broken = text
        for _ in range(rng.randint(1, 3)):
            at, end = rng.randrange(len(broken)), rng.randint(0, 12)
            broken = broken[:at] + rng.choice(parts) + broken[at + end :]
        with suppress(NotationInvalid, SetupInvalid, UnknownName):
            played(broken)
