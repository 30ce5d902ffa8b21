"""The model of a screen: what a seat sees and does, without a terminal."""

from collections.abc import Iterator

import pytest

from cli.screen.option_list import Wish, wished
from cli.screen.seat_model import HISTORY_EVENTS, TRIES_MAX, SeatModel
from cli.shell.exit_codes import UserError
from core.engine.reactions import passes_in_advance
from core.match.bound_games import bound_game
from events.ids import ARBITER, PUBLIC, GameKey, MatchId, PileId, Seat
from server.client.local import local_client
from server.protocol.errors import RequestFailed
from server.protocol.replies import LegalReply
from tests.support.mended import EDITION, mend
from tests.support.rows import each_row
from tests.support.seats import SeatedMatch, wish

GERMAN, RED = Seat("german"), Seat("red")
PASSING = set(passes_in_advance(bound_game(GameKey("battle"), None).rules))
"""The kinds of windows of Battle, in which its seats pass."""

PLAYS = [
    ("battle", "", "german"),
    ("advance", "", "german"),
    ("inferno", "solo", "german"),
    ("inferno", "one_vs_one", "soviet"),
    ("axis-allies", "", "axis"),
]


def plain(text: str, color: str) -> str:
    return text


@pytest.fixture
def played() -> SeatedMatch:
    return SeatedMatch("skirmish", seed="2")


def typed(model: SeatModel, text: str) -> Wish:
    return wished(model.shown.legal, model.shown.seat, text, None)


@pytest.mark.parametrize(("game", "mode", "seat"), PLAYS)
def test_a_seat_of_every_game_is_played_by_its_options(game: str, mode: str, seat: str) -> None:
    match = SeatedMatch(game, mode)
    model = match.model(seat)
    for number in range(12):
        while not model.shown.is_to_decide:
            assert model.shown.question().startswith("Waiting for ")
            assert model.shown.legal.options == ()
            match.play(policy="greedy")
            assert model.look(0.0)
        shown = model.shown
        assert shown.question().startswith("YOU DECIDE: ")
        assert shown.table == match.client.state(match.match, model.shown.seat).table
        assert max(map(len, shown.drawn(79, plain))) <= 79
        option = shown.legal.options[number % len(shown.legal.options)]
        model.play(wish(option, shown.legal.seq))

        assert model.shown.table.seq > shown.table.seq
        assert model.shown.lines[: len(shown.lines)] == shown.lines
        assert model.number == match.client.state(match.match, model.shown.seat).seq


@each_row(
    ("game", "mode", "seat", "hand", "others"),
    [
        ("battle", "", "german", "hand/german", "hand/russian"),
        ("inferno", "one_vs_one", "soviet", "soviet_hand", "german_hand"),
    ],
)
def test_the_hand_of_a_seat_is_its_own(game: str, mode: str, seat: str, hand: str, others: str) -> None:
    match = SeatedMatch(game, mode)
    name = match.bound.narration.name

    def cards(pile: str) -> list[str]:
        true = match.client.state(match.match, ARBITER).table
        return [name(card) for card in true.pile(PileId(pile)).cards]

    while not (set(cards(hand)) - set(cards(others)) and set(cards(others)) - set(cards(hand))):
        match.play(policy="greedy")
    held = "\n".join(match.model(seat).shown.holdings(200, plain))

    assert [card for card in cards(hand) if card not in held] == []
    assert [card for card in cards(others) if card in held and card not in cards(hand)] == []
    assert match.model("public").shown.holdings(200, plain) == []


def test_a_game_without_pictures_lists_the_cards_of_the_hand(played: SeatedMatch) -> None:
    held = played.model("red").shown.holdings(79, plain)

    assert held[0] == "Hand/Red"
    assert [line[:7] for line in held[1:3]] == ["  Card ", "  Card "]
    assert held[3:5] == ["", "Pieces that are hidden from others"]


def test_news_of_another_seat_are_told_with_the_faces_of_the_dice(played: SeatedMatch) -> None:
    model = played.model("red")
    if model.shown.is_to_decide:
        model.play(typed(model, "roll"))
        model.look(0.0)
    while played.to_move() != "blue":
        played.play()
    assert not model.look(0.0) or model.shown.news
    played.play({"do": "roll"} if played.client.legal(played.match).decision == "turn" else None)

    assert model.look(0.0)
    assert any("[" in one.text for one in model.shown.news if one.text.startswith("Dice for "))
    assert not model.look(0.0)


class Hasty:
    """Answers what is to be decided, for so many times only after the match has moved on once more."""

    def __init__(self, played: SeatedMatch, times: int) -> None:
        self._played = played
        self._ask = played.client.legal
        self.times = times

    def __call__(self, match: MatchId, seat: Seat = PUBLIC) -> LegalReply:
        if self.times > 0 and seat == RED:
            self.times, times = 0, self.times
            self._played.play()
            self.times = times - 1
        return self._ask(match, seat)


@pytest.mark.parametrize("times", range(TRIES_MAX))
def test_options_are_those_of_the_moment_that_is_shown(
    times: int, played: SeatedMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match moves on between the news and the question what is to be decided."""
    model = played.model(RED)
    played.play()
    hasty = Hasty(played, times)
    monkeypatch.setattr(played.client, "legal", hasty)
    assert model.look(0.0)
    shown = model.shown

    assert hasty.times == 0
    assert shown.legal == played.client.legal(played.match, RED)
    assert shown.legal.seq == shown.table.seq == model.number


def test_nothing_can_be_chosen_while_the_match_moves_on_faster_than_it_can_be_asked(
    played: SeatedMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = played.model(RED)
    played.play()
    monkeypatch.setattr(played.client, "legal", Hasty(played, TRIES_MAX))
    assert model.look(0.0)
    shown = model.shown

    assert (shown.legal.seq, shown.legal.options) == (shown.table.seq, ())
    assert shown.question().startswith("Waiting for ")
    assert model.look(0.0)
    assert model.shown.legal == played.client.legal(played.match, RED)
    assert model.shown.legal.seq == model.shown.table.seq
    assert [line.text for line in model.shown.lines] == [line.text for line in played.model(RED).shown.lines]


def test_what_was_not_seen_on_the_last_visit_is_new(played: SeatedMatch) -> None:
    seen = played.model("red").number
    played.play()
    again = played.model("red", seen=seen).shown

    assert [line.is_new for line in again.lines] == [line.first > seen for line in again.lines]
    assert again.new_count > 0
    assert again.news != ()
    assert again._replace(lines=(*again.lines, again.lines[-1]._replace(is_undone=True))).new_count == again.new_count
    # On the first visit nothing is marked.
    assert played.model("red").shown.new_count == 0
    # A number from another store may be larger than all there are.
    assert played.model("red", seen=10**9).shown.new_count == 0


@pytest.mark.long
def test_the_log_of_a_long_match_begins_some_events_before_the_last_visit() -> None:
    match = SeatedMatch("battle")
    while match.model("german").number < HISTORY_EVENTS + 100:
        match.play(policy="greedy")
    shown = match.model("german").shown

    assert 100 <= shown.lines[0].first <= 130
    assert shown.lines == match.model("german", seen=shown.table.seq).shown.lines


@pytest.fixture
def advance() -> Iterator[tuple[SeatedMatch, SeatModel]]:
    match = SeatedMatch("advance")
    model = match.model("german")
    yield match, model
    model.close()


def test_a_command_is_taken_back_and_its_lines_are_marked(advance: tuple[SeatedMatch, SeatModel]) -> None:
    _, model = advance
    before = model.shown
    model.play(typed(model, "artillery"))
    after = model.shown
    model.undo()

    assert after.legal.undo_to is not None
    assert model.shown.table.markers == before.table.markers
    undone = [line for line in model.shown.lines if line.is_undone]
    assert undone != []
    assert all(line.first > before.table.seq and line.text.endswith("(taken back)") for line in undone)


def test_a_refused_take_back_says_why(advance: tuple[SeatedMatch, SeatModel]) -> None:
    _, model = advance
    before = model.shown

    with pytest.raises(RequestFailed, match="nothing up to it can be taken back") as refused:
        model.undo()
    assert refused.value.reply.rule == "match.undo"
    assert model.shown.table == before.table


def test_a_single_option_is_played_without_asking_until_something_is_taken_back(
    advance: tuple[SeatedMatch, SeatModel],
) -> None:
    match, model = advance
    while len(model.shown.legal.options) != 2:
        model.play(wish(model.shown.legal.options[0], model.number))
    # The last purchase leaves only the end of the purchases.
    model.switch_auto_pass(is_on=True)
    model.play(typed(model, "1"))
    assert len(model.shown.legal.options) == 1
    left = model.shown.legal.options[0].words
    assert model.look(0.0)
    assert f"Played without asking: {left}" in [one.text for one in model.shown.news]
    model.undo()
    assert len(model.shown.legal.options) == 1

    assert not model.look(0.0)
    model.play(typed(model, left))
    assert model.number == match.client.state(match.match, model.shown.seat).seq


def test_a_single_option_waits_for_the_player_unless_auto_pass_is_on(advance: tuple[SeatedMatch, SeatModel]) -> None:
    _, model = advance
    while len(model.shown.legal.options) > 1:
        model.play(wish(model.shown.legal.options[0], model.number))

    assert not model.look(0.0)
    model.play(typed(model, ""))
    assert model.shown.legal.decision != "supply"


@pytest.fixture
def window() -> SeatedMatch:
    """A match of Battle in which the German is asked in a window, in the turn of the Russian."""
    match = SeatedMatch("battle", seed="3")
    while True:
        legal = match.client.legal(match.match)
        table = match.client.state(match.match, ARBITER).table
        if legal.decision in PASSING and legal.to_move == GERMAN and table.turn_seat != GERMAN:
            return match
        match.play(policy="greedy")


def test_a_seat_passes_in_every_window_until_its_own_turn(window: SeatedMatch) -> None:
    model = window.model(GERMAN)
    others = window.model("russian")
    known = len(others.shown.lines)
    model.switch_passing(is_on=True)
    asked = []
    assert model.shown.is_passing
    while model.shown.table.turn_seat != GERMAN:
        assert model.shown.is_passing
        if model.shown.is_to_decide:
            asked.append(model.shown.legal.decision)
        window.play(policy="greedy")
        while model.look(0.0):
            pass

    # What is not a window is still asked, and the switch is off by itself.
    assert not model.shown.is_passing
    assert PASSING.isdisjoint(asked)
    assert "firefight" in asked
    assert [line.text for line in model.shown.lines if "gives a standing answer" in line.text] != []
    while others.look(0.0):
        pass
    assert len(others.shown.lines) > known
    assert [line.text for line in others.shown.lines if "standing answer" in line.text] == []


def test_a_firefight_is_no_window_in_which_a_seat_passes_in_advance() -> None:
    rules = bound_game(GameKey("battle"), None).rules

    assert {*rules.standing_decisions} - PASSING == {"firefight"}


def test_passing_until_the_turn_is_switched_off_again(window: SeatedMatch) -> None:
    model = window.model(GERMAN)
    number = model.number
    model.switch_passing(is_on=True)
    model.switch_passing(is_on=True)
    given = [line for line in model.shown.lines if line.first > number and "gives a standing answer" in line.text]
    assert len(given) == len(PASSING)
    model.switch_passing(is_on=False)

    assert not model.shown.is_passing
    assert model.shown.table.standing == ()


def test_a_game_without_windows_has_nothing_to_pass(advance: tuple[SeatedMatch, SeatModel]) -> None:
    _, model = advance

    with pytest.raises(UserError, match="no windows in which you could pass"):
        model.switch_passing(is_on=True)
    assert not model.shown.is_passing


def test_words_of_a_moment_that_is_over_are_refused(played: SeatedMatch) -> None:
    model = played.model(played.to_move())
    chosen = typed(model, "1")
    played.client.play(played.match, model.shown.seat, {"do": "match:note", "text": "wait"})

    with pytest.raises(RequestFailed, match="the match has moved on") as refused:
        model.play(chosen)
    assert refused.value.code == "lost_race"
    assert model.look(0.0)
    model.play(typed(model, "1"))


def test_dice_and_draws_of_a_real_table_are_asked_for() -> None:
    match = SeatedMatch("skirmish", dice="manual")
    model = match.model("red")
    model.play(typed(model, "begin the match"))
    assert "one of card-1 (Card 1), card-2 (Card 2)" in model.shown.question()
    with pytest.raises(UserError, match="of the possible draws are called 'card'"):
        model.type_chance("card")
    for number in range(1, 5):
        model.type_chance(f"Card {number}")
    assert "needs 1 more die (1 to 6)" in model.shown.question()
    with pytest.raises(RequestFailed):
        model.type_chance("7")
    with pytest.raises(UserError, match="dice are numbers"):
        model.type_chance("six")
    model.type_chance("6")

    assert model.shown.table.began
    assert model.shown.wanted == ""


def test_a_command_that_waits_for_dice_can_be_given_up() -> None:
    match = SeatedMatch("skirmish", dice="manual")
    model = match.model("red")
    model.play(typed(model, "1"))
    assert model.shown.wanted
    model.drop_chance()

    assert model.shown.wanted == ""
    assert not model.shown.table.began


def test_a_line_of_the_log_is_explained(advance: tuple[SeatedMatch, SeatModel]) -> None:
    _, model = advance
    line = next(line for line in model.shown.lines if line.sentence.startswith("Dice for supply"))
    lines = model.explain(line.first, 78)

    assert any(text.startswith("Rule 6.3.roll") for text in lines)
    assert lines[-1].startswith("  = ") or any(text.strip().startswith("=") for text in lines)


def test_the_end_of_a_match_is_told(played: SeatedMatch) -> None:
    model = played.model("red")
    model.play(typed(model, "RESIGN"))

    assert model.shown.question().startswith("The match is over: ")
    assert model.shown.heading().startswith("The match is over | you: Red")
    assert not model.shown.is_to_decide
    assert not model.look(0.0)


def test_a_spectator_only_watches(played: SeatedMatch) -> None:
    model = played.model("public")

    assert not model.shown.is_to_decide
    assert model.shown.question().startswith("Waiting for ")
    with pytest.raises(RequestFailed):
        model.play(Wish('{"do":"roll"}', "roll", None))


def test_a_match_under_other_rules_stands_still_until_the_player_adopts_them(
    played: SeatedMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a key that is pressed without a choice nor auto-pass adopts them."""
    mend(monkeypatch)
    later = SeatedMatch.__new__(SeatedMatch)
    later.__dict__.update(played.__dict__, client=local_client(played.log))
    model = later.model("red", is_auto_pass=True)
    model.look(0.0)
    shown = model.shown

    assert shown.question().startswith("OTHER RULES: The match is played under edition 0.1 (rules ")
    assert [one.words for one in shown.legal.options] == [
        f"Adopt the installed rules, edition {EDITION}, and go on; everybody sees it"
    ]
    with pytest.raises(UserError, match="choose an option"):
        typed(model, "")
    model.play(typed(model, "adopt"))
    assert model.shown.table.edition == EDITION
    assert model.shown.legal.installed is None


def test_side_by_side_the_place_of_a_battle_begins_where_all_of_them_do() -> None:
    match = SeatedMatch("battle", seed="3")
    model = match.model("german")
    while model.shown.current_line(100, plain) is None:
        match.play(policy="greedy")
        model.look(0.0)
    narrow, wide = model.shown.current_line(100, plain), model.shown.current_line(160, plain)
    assert narrow is not None and wide is not None
    drawn = model.shown.drawn(160, plain)

    assert wide[0] == narrow[0]
    assert drawn[wide[1] - 1] == ""
    assert sum("Rubble" in line for line in drawn[: wide[1]]) == 0
    assert len(drawn) - wide[1] > 10
