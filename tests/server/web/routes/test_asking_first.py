"""What cannot be taken back is asked about before it is played, in every game alike, however its option is reached."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from core.engine.selection import Pick, Unpick
from core.legal.look_ahead import Ends, Outcome, outcome
from core.match.bound_games import bound_game
from core.registry.games import game_keys
from events.ids import GameKey, MatchId
from events.memory_log import MemoryLog
from events.vocabulary import Event
from projections.state.table import Table
from projections.state.undo_history import FENCES
from server.client.client import Client
from server.client.local import local_client
from server.protocol.replies import LegalOption, LegalReply
from server.web.panels.confirmation import foreseen
from tests.support.browsing import Browser, browsed, fields_of, found, play_on, read, secret_of, words
from tests.support.page_checks import check
from tests.support.page_room import Room
from tests.support.rows import each_row
from tests.support.soak import sampled
from tests.support.twins import RUSSIAN, twin

COMMANDS = 40
"""How many commands of a random match are played by forms at budget 1; with more of it whole matches are."""


def opened(log: MemoryLog, game: str, mode: str, seed: str) -> MatchId:
    """Open a match and take its seats."""
    client = local_client(log)
    match = client.open(game, mode=mode, dice="seeded", seed=seed)
    for seat in match.seats:
        client.take_seat(match.match, seat, share=False, secret=secret_of(seat))
    return match.match


def unexpected(client: Client, match: MatchId, legal: LegalReply) -> dict[int, Ends]:
    """Return the options that cannot be taken back though their kind does not say so, by their numbers, with what they end."""
    table = client.state(match, legal.to_move).table
    bound = bound_game(table.game, None)
    commands = {one.number: bound.rules.decode(bytes(one.command)) for one in legal.options}
    tried = {
        number: outcome(bound.rules, table, [one])
        for number, one in commands.items()
        if not bound.narration.is_final(table, one)
        and not (isinstance(one, Pick | Unpick) and (legal.minimum, legal.maximum) != (1, 1))
    }
    return {number: one.ends for number, one in tried.items() if one.is_final}


def fields(browser: Browser, legal: LegalReply, number: int, **more: str) -> dict[str, str]:
    """Return a form that plays an option."""
    token = browser.token(f"/m/{legal.match}?seat={legal.to_move}")
    own = {"token": token, "seat": legal.to_move, "expected": str(legal.seq), "key": f"form-{legal.seq}"}
    return {**own, "option": str(number), **more}


def is_question(answer: httpx.Response) -> bool:
    """Return whether a form was answered with the way to a question."""
    return answer.status_code == 303 and "choose" in parse_qs(urlsplit(answer.headers["location"]).query)


@each_row(
    ("game", "mode", "decision", "ends"),
    [
        ("axis_allies", "", "move", " The phase ends with it."),
        ("battle", "", "choose_force", ""),
        ("inferno", "one_vs_one", "soviet_move", " Your turn ends with it."),
        ("inferno", "one_vs_one", "soviet_action", " Your turn ends with it."),
    ],
)
def test_a_tap_that_cannot_be_taken_back_leads_to_a_question(game: str, mode: str, decision: str, ends: str) -> None:
    """The last piece that can move, the last Force of the set-up, the last Top Stacked Hex."""
    log = MemoryLog()
    client, match = local_client(log), opened(log, game, mode, "3")
    told = {"": Ends.NOTHING, " The phase ends with it.": Ends.PHASE, " Your turn ends with it.": Ends.TURN}[ends]

    def is_there(legal: LegalReply) -> bool:
        return legal.decision == decision and legal.count > 1 and told in unexpected(client, match, legal).values()

    play_on(client, match, 3_000, "3", is_there)
    legal = client.legal(match, client.legal(match).to_move)
    number = next(number for number, one in unexpected(client, match, legal).items() if one is told)
    (option,) = [one for one in legal.options if one.number == number]
    with browsed(log) as (pages, _):
        room = Room(pages, client, match)
        browser = room.seated(legal.to_move)
        answer = browser.post(f"/m/{match}/play", fields(browser, legal, number, about='["x"]'))
        before, asked = client.legal(match, legal.to_move).seq, read(browser.get(answer.headers["location"]))
        check(asked)
        (said,) = [words(one) for one in found(asked, "p", "picked") if words(one).startswith(option.words)]
        played = browser.post(f"/m/{match}/play", {**fields_of(asked, "play"), "option": str(number)})
        able = " 48 pieces can still act."

        assert is_question(answer)
        assert before == legal.seq
        assert said == f"{option.words}?{able if option.parts.ends else ends} This cannot be taken back."
        assert (played.status_code, is_question(played)) == (303, False)
        assert client.state(match, legal.to_move).seq > legal.seq


def test_where_nothing_else_can_be_done_one_tap_does_it_and_the_page_says_what_stands_then() -> None:
    """In *Advance to the Volga* the only attack that is left shows the hidden unit, and the moves before it stand then."""
    log = MemoryLog()
    client, match = local_client(log), opened(log, "advance", "", "3")

    def is_there(legal: LegalReply) -> bool:
        is_attack = legal.count == 1 and b"attack" in bytes(legal.options[0].command)
        return is_attack and legal.undo_to is not None and is_hidden(client, match, legal)

    play_on(client, match, 800, "3", is_there)
    legal = client.legal(match, client.legal(match).to_move)
    with browsed(log) as (pages, _):
        room = Room(pages, client, match)
        browser = room.seated(legal.to_move)
        (shown,) = found(room.page(browser, legal.to_move), "div", "choices")
        said = [words(one) for one in found(shown, "p", "other")]
        answer = browser.post(f"/m/{match}/play", fields(browser, legal, 1))

        assert said == ["This cannot be taken back."]
        assert not is_question(answer)
        assert client.legal(match, legal.to_move).seq > legal.seq


def test_the_only_option_is_not_played_by_itself_if_a_turn_ends_with_it() -> None:
    """Reinforcements of *Inferno on the Volga*. A visitor may wish that single options are played without a click."""
    log = MemoryLog()
    client, match = local_client(log), opened(log, "inferno", "one_vs_one", "1")
    play_on(client, match, 800, "1", lambda legal: legal.count == 1 and bool(unexpected(client, match, legal)))
    legal = client.legal(match, client.legal(match).to_move)
    with browsed(log) as (pages, _):
        room = Room(pages, client, match)
        page = room.page(room.seated(legal.to_move), legal.to_move)

        assert legal.count == 1
        assert [one for one in page.iter() if "data-single" in one.attrib or "data-once" in one.attrib] == []


def test_what_decides_a_fight_at_once_unless_the_enemy_adds_something_is_asked_about_with_its_chance() -> None:
    """In *Battle* who has no card is not asked again before the flips; a bot answers in no time. Such a Firefight comes after three hundred commands: seconds."""
    log = MemoryLog()
    client, match = local_client(log), opened(log, "battle", "", "3")

    def settling(legal: LegalReply) -> list[int]:
        table = client.state(match, legal.to_move).table
        bound = bound_game(table.game, None)
        commands = {one.number: bound.rules.decode(bytes(one.command)) for one in legal.options}
        return [n for n, one in commands.items() if foreseen(bound, table, [one]).is_settled]

    play_on(client, match, 1_500, "2", lambda legal: legal.decision == "firefight" and bool(settling(legal)))
    legal = client.legal(match, client.legal(match).to_move)
    number, *_ = settling(legal)
    with browsed(log) as (pages, _):
        browser = Room(pages, client, match).seated(legal.to_move)
        answer = browser.post(f"/m/{match}/play", fields(browser, legal, number))
        asked = read(browser.get(answer.headers["location"]))
        (said,) = [words(one) for one in found(asked, "p", "picked") if "decided at once" in words(one)]
        other = {"german": "Russian", "russian": "German"}[legal.to_move]

        assert is_question(answer)
        assert said.endswith(f"If {other} adds nothing, this is decided at once, and cannot be taken back.")
        assert "Hits on the" in " ".join([words(one) for one in found(asked, "div", "chances")])


def test_the_question_says_how_long_a_command_can_be_taken_back() -> None:
    """In *Inferno* cards are laid before an enemy who may answer; the button that takes them back stands there until then."""
    log = MemoryLog()
    client, match = local_client(log), opened(log, "inferno", "one_vs_one", "1")
    play_on(client, match, 800, "1", lambda legal: legal.decision == "action" and is_answered(client, match, legal) > 0)
    legal = client.legal(match, client.legal(match).to_move)
    number = is_answered(client, match, legal)
    with browsed(log) as (pages, _):
        browser = Room(pages, client, match).seated(legal.to_move)
        answer = browser.post(f"/m/{match}/play", fields(browser, legal, number))
        asked = read(browser.get(answer.headers["location"]))
        said = " ".join([words(one) for one in found(asked, "p", "picked")])
        browser.post(f"/m/{match}/play", {**fields_of(asked, "play"), "option": str(number)})
        after = read(browser.get(f"/m/{match}?seat={legal.to_move}"))

        assert "As a rule" not in said
        assert said.endswith("cannot be taken back.")
        assert found(after, "form", "take-back")


def is_answered(client: Client, match: MatchId, legal: LegalReply) -> int:
    """Return the first option that is final by its kind and that another seat can answer; 0 if there is none."""
    table = client.state(match, legal.to_move).table
    bound = bound_game(table.game, None)
    for one in legal.options:
        command = bound.rules.decode(bytes(one.command))
        if bound.narration.is_final(table, command) and outcome(bound.rules, table, [command]).awaits:
            return one.number
    return 0


def is_hidden(client: Client, match: MatchId, legal: LegalReply) -> bool:
    """Return whether what comes of the first option is not foreseen."""
    return outcomes(client.state(match, legal.to_move).table, legal.options[0])[:2] == (True, Ends.NOTHING)


@contextmanager
def final_unawares() -> Iterator[tuple[Client, MatchId, LegalReply, int, Browser]]:
    """Begin at a question of *Battle* that has an option which only the try knows to be final; yield its number, and the browser of its seat."""
    log = MemoryLog()
    client, match = local_client(log), opened(log, "battle", "", "3")
    play_on(client, match, 100, "3", lambda legal: bool(unexpected(client, match, legal)))
    legal = client.legal(match, client.legal(match).to_move)
    number, *_ = unexpected(client, match, legal)
    with browsed(log) as (pages, _):
        yield client, match, legal, number, Room(pages, client, match).seated(legal.to_move)


def test_who_wishes_never_to_be_asked_is_not() -> None:
    with final_unawares() as (client, match, legal, number, browser):
        token = browser.token(f"/m/{match}?seat={legal.to_move}")
        browser.post(f"/m/{match}/ask", {"token": token, "seat": legal.to_move, "asking": "never"})
        answer = browser.post(f"/m/{match}/play", fields(browser, legal, number))

        assert not is_question(answer)
        assert client.state(match, legal.to_move).seq > legal.seq


def test_a_form_of_an_earlier_moment_is_refused_and_not_asked_about() -> None:
    with final_unawares() as (_, match, legal, number, browser):
        late = {**fields(browser, legal, number), "expected": str(legal.seq - 1)}

        assert browser.post(f"/m/{match}/play", late).status_code == 409


@pytest.mark.parametrize("game", sampled(game_keys(), lambda game: game == "battle"))
def test_nothing_is_rolled_drawn_or_shown_that_was_not_asked_about(game: str, budget: float) -> None:
    """Nor does a turn end unasked. What is chosen alone is not asked about, nor a selection to which nothing can be added. Forty commands of each game take seconds."""
    log, dice = MemoryLog(), Random(game)
    client, match = local_client(log), opened(log, game, "one_vs_one" if game == "inferno" else "", "5")
    play_on(client, match, dice.randrange(60), "5")
    asked, unasked, wrong = 0, 0, list[object]()
    with browsed(log) as (pages, _):
        browsers: dict[str, tuple[Browser, str]] = {}
        for number in range(round(COMMANDS * budget)):
            mover = client.legal(match, words=False).to_move
            if not mover:
                break
            legal = client.legal(match, mover, words=False)
            if legal.to_move not in browsers:
                browser = Room(pages, client, match).seated(legal.to_move)
                browsers[legal.to_move] = browser, browser.token(f"/m/{match}?seat={legal.to_move}")
            browser, token = browsers[legal.to_move]
            option = dice.choice(legal.options)
            own = {"token": token, "seat": legal.to_move, "expected": str(legal.seq), "key": f"{number}"}
            answer = browser.post(f"/m/{match}/play", {**own, "option": str(option.number)})
            if is_question(answer):
                asked += 1
                page = read(browser.get(answer.headers["location"]))
                kept = fields_of(page, "play")
                answer = browser.post(f"/m/{match}/play", {**kept, "option": str(option.number)})
            elif is_fence(client, match, legal) and legal.count > 1 and len(legal.picked) < max(legal.maximum, 1):
                wrong.append((legal.decision, bytes(option.command)))
            else:
                unasked += 1
            assert (answer.status_code, is_question(answer)) == (303, False)

    assert wrong == []
    assert min(asked, unasked) > 0


def is_fence(client: Client, match: MatchId, legal: LegalReply) -> bool:
    """Return whether the events after a question hold what can never be taken back, before any other seat was asked."""
    new: list[Event] = [event for one in client.log(match, legal.to_move, legal.seq) for event in one.events]
    return any(type(event) in FENCES for event in new)


def test_what_is_asked_about_discloses_nothing() -> None:
    """Two matches that differ in what the other seat drew are asked about alike, at each option."""
    answers = list[list[object]]()
    for other_card in (False, True):
        log = MemoryLog()
        client, match = local_client(log), twin(log, other_card=other_card)
        while (legal := client.legal(match, client.legal(match).to_move)).to_move == RUSSIAN:
            client.play(match, RUSSIAN, 1, expected=legal.seq)
        table = client.state(match, legal.to_move).table
        answers.append([outcomes(table, one) for one in legal.options])

    assert answers[0] == answers[1]
    assert answers[0]


def outcomes(table: Table, option: LegalOption) -> Outcome:
    """Return what is foreseen of an option."""
    bound = bound_game(GameKey(table.game), None)
    return outcome(bound.rules, table, [bound.rules.decode(bytes(option.command))])
