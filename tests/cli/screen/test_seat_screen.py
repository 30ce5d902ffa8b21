"""The screen of a seat at 80x24: keys go in, and what a player reads comes out."""

import asyncio
from contextlib import ExitStack
from pathlib import Path

import pytest

from cli.screen.lists import LogPage
from cli.shell.remembered_events import SEEN
from cli.shell.settings import Settings
from events.ids import MatchId, Seat
from server.client.retry import RetryPolicy
from server.store.sqlite_log import SqliteLog
from tests.cli.running import Terminal
from tests.support.screens import Player, at_screen, at_store
from tests.support.seats import SeatedMatch
from tests.support.served import client_of, served
from tests.support.soak import few, sampled

GAMES = [
    ("battle", "", "russian"),
    ("advance", "", "german"),
    ("inferno", "solo", "german"),
    ("inferno", "one_vs_one", "german"),
    ("axis-allies", "", "axis"),
]


@pytest.fixture
def advance(terminal: Terminal) -> str:
    """A match in which the German buys support, with 16 points."""
    return terminal.line("new", "advance", "--dice", "seeded:1942")


@pytest.mark.parametrize(("game", "mode", "seat"), sampled(GAMES, lambda game, *_: game == "battle"))
def test_a_seat_of_every_game_is_played_with_the_keyboard(terminal: Terminal, game: str, mode: str, seat: str) -> None:
    match = terminal.line("new", game, "--dice", "seeded:3", *(["--mode", mode] if mode else []))

    async def script(player: Player) -> None:
        await player.until("YOU DECIDE")
        for keys in (["1", "enter"], ["down", "enter"], ["down", "down", "enter"]):
            seen = player.number
            assert max(map(len, player.rows)) <= 80
            assert player.rows[-1].endswith("q Quit")
            player.press(*keys)
            await player.until_after(seen)
            await player.until("·")
            if not player.app.seat_screen.shown.is_to_decide:
                break

    at_store(terminal.store, match, seat, script)


def test_options_are_filtered_by_typing_and_played_by_enter(terminal: Terminal, advance: str) -> None:
    async def script(player: Player) -> None:
        await player.until("1 Buy Artillery", "0 End the purchases")
        player.type("BUY A")
        await player.until("2 of 4 options fit", "3 Buy Air Support")
        assert "2 Buy Engineer" not in player.text
        player.press("enter")
        await player.until("> 1 Buy Artillery", "3 Buy Air Support")
        player.type("rt")
        await player.until("Enter plays this option")
        assert "3 Buy Air" not in player.text
        player.press("enter")
        await player.until("Artillery Support bought for 1 Supply Point", "Supply Points left: 15")
        assert player.rows[-2] == ">"

    at_store(terminal.store, advance, "german", script)


def test_the_cursor_stays_on_its_option_when_there_is_news(terminal: Terminal, advance: str) -> None:
    async def script(player: Player) -> None:
        player.press("down", "down")
        await player.until("> 2 Buy Engineer")
        player.app.seat_screen.take(player.app.seat_screen.shown, is_answer=True)
        await player.pilot.pause()
        assert "> 2 Buy Engineer" in player.text
        player.type("Buy")
        await player.until("3 of 4 options fit")
        assert "> 2 Buy Engineer" not in player.text

    at_store(terminal.store, advance, "german", script)


@pytest.mark.parametrize("has_color", few([True, False]))
def test_the_cursor_is_told_by_a_sign_and_reverse_video_and_no_text_hides(
    terminal: Terminal, advance: str, monkeypatch: pytest.MonkeyPatch, has_color: bool
) -> None:
    if not has_color:
        monkeypatch.setenv("NO_COLOR", "1")

    def reversed_rows(player: Player) -> list[str]:
        """Return the rows of which all but the bar at the right is in reverse video."""
        found = []
        for row, segments in zip(player.rows, player.segments, strict=True):
            lit = [text for text, style, _ in segments if style is not None and style.reverse]
            found += [row] if len("".join(lit)) >= len(row) > 2 else []
        return found

    async def script(player: Player) -> None:
        for keys, pointed in ((["down", "down"], ">   2 Buy Engineer"), (["tab", "up"], ">       153 ")):
            player.press(*keys)
            await player.until(" ".join(pointed.split()))
            marked = [row for row in reversed_rows(player) if row not in (player.rows[0], player.rows[-1])]
            assert [row[: len(pointed)] for row in marked] == [pointed]
        styles = [style for segments in player.segments for text, style, _ in segments if text.strip()]
        assert styles
        for style in styles:
            assert style is not None
            assert style.color is None or style.color.is_default or style.color != style.bgcolor
            if not has_color:
                assert (style.color is None or style.color.is_default) and (
                    style.bgcolor is None or style.bgcolor.is_default
                )
        # What is typed next has a cursor of its own.
        at = [text for text, style, _ in player.segments[-2] if style is not None and style.reverse]
        assert at == [" "]

    at_store(terminal.store, advance, "german", script)


def test_many_options_stand_under_headings(terminal: Terminal) -> None:
    match = terminal.line("new", "battle", "--dice", "seeded:3")

    async def script(player: Player) -> None:
        await player.until("Choose Force: 260 options", "1 Take 112th Rifle")
        player.type("112")
        await player.until("Choose Force: 11 options", "1 Take 112th", "11 of 260 options fit")

    at_store(terminal.store, match, "russian", script)


@pytest.mark.long
def test_a_long_message_leaves_the_line_and_the_keys_on_the_screen(terminal: Terminal) -> None:
    match = terminal.line("new", "battle", "--dice", "seeded:3")

    async def script(player: Player) -> None:
        for words in ("1", "tale"):
            seen = player.number
            player.type(words)
            player.press("enter")
            await (
                player.until_after(seen)
                if words == "1"
                else player.until("No option has the words 'tale'", "'Take 126 …")
            )
        assert player.rows[-1].endswith("q Quit")
        assert player.rows[-2] == "> tale"
        assert player.rows[-3].endswith("…")
        assert player.app.screen.max_scroll_y == 0
        assert any(row.startswith("·") for row in player.rows)

    at_store(terminal.store, match, "russian", script)


def test_the_table_turns_to_the_place_of_a_battle(terminal: Terminal) -> None:
    with SqliteLog(terminal.store) as log:
        played = SeatedMatch("battle", seed="3", log=log)
        while (battle := played.client.state(played.match).table.topmost("battle")) is None:
            played.play(policy="greedy")
        seat = played.to_move()
        place = played.bound.narration.name(battle.text("location"))

    async def script(player: Player) -> None:
        await player.holds(lambda: player.rows[1].startswith(f"{place}: "), f"{place} is not at the top")
        player.press("home")
        await player.until("Locations Controlled")
        # It turns there once, and leaves the page to the player then.
        player.type("1")
        player.press("escape")
        await player.until("Locations Controlled")

    at_store(terminal.store, played.match, seat, script)


def test_passing_until_the_turn_is_switched_by_a_key(terminal: Terminal) -> None:
    match = terminal.line("new", "battle", "--dice", "seeded:3")

    async def script(player: Player) -> None:
        player.press("ctrl+n")
        await player.until("passing until your turn")
        player.press("ctrl+n")
        await player.until_gone("passing until your turn")

    at_store(terminal.store, match, "german", script)


def test_a_command_is_taken_back_and_a_refusal_is_shown(terminal: Terminal, advance: str) -> None:
    async def script(player: Player) -> None:
        player.type("engineer")
        player.press("enter")
        await player.until("Supply Points left: 14")
        player.press("ctrl+t")
        await player.until("Supply Points left: 16", "takes back what was done after event")
        player.press("ctrl+t")
        await player.until("Nothing is left to take back.", "nothing up to it can be taken back. (match.undo)")
        player.type("end")
        await player.until_gone("match.undo")

    at_store(terminal.store, advance, "german", script)


def test_a_line_of_the_log_is_explained(terminal: Terminal, advance: str) -> None:
    async def script(player: Player) -> None:
        player.press("tab")
        await player.until("[Log]", "Supply Points: 16 (before: 0")
        player.press("up", "enter")
        await player.until("Why event", "Dice for supply: 3, 3, 2, 2 = 10", "Rule 6.3.roll")
        player.press("escape")
        await player.until("[Log]")
        player.press("pageup", "home", "shift+tab")
        await player.until("[Table]")

    at_store(terminal.store, advance, "german", script)


def test_dice_are_shown_with_the_faces_that_count(terminal: Terminal, skirmish: str) -> None:
    async def script(player: Player) -> None:
        player.type("roll")
        player.press("enter")
        await player.until("· Dice for ", "] = ")

    at_store(terminal.store, skirmish, terminal.done("legal", skirmish, "--json").objects[0]["seat"], script)  # type: ignore[arg-type]


def test_news_of_another_seat_come_by_themselves(terminal: Terminal, skirmish: str) -> None:
    mover = str(terminal.done("legal", skirmish, "--json").objects[0]["seat"])
    other = {"red": "blue", "blue": "red"}[mover]

    async def script(player: Player) -> None:
        await player.until(f"Waiting for {mover.title()}")
        player.type("1")
        player.press("enter")
        await player.until(f"The open decision belongs to {mover}, not to {other}")
        await asyncio.to_thread(terminal.done, "choose", skirmish, "roll", "--seat", mover)
        await player.until("YOU DECIDE: Reply", "· Dice for advance")

    at_store(terminal.store, skirmish, other, script)


def test_auto_pass_is_switched_by_a_key(terminal: Terminal, advance: str) -> None:
    async def script(player: Player) -> None:
        await player.until("auto-pass on")
        player.press("ctrl+p")
        await player.until_gone("auto-pass on")
        player.press("ctrl+p")
        await player.until("auto-pass on")

    at_store(terminal.store, advance, "german", script, is_auto_pass=True)


def test_what_is_new_since_the_last_visit_is_marked(terminal: Terminal, skirmish: str) -> None:
    seen = int(terminal.done("legal", skirmish, "--seat", "red", "--json").objects[0]["seq"])  # type: ignore[call-overload]
    SEEN.remember(MatchId(skirmish), Seat("red"), seen)
    terminal.done("choose", skirmish, "roll")

    async def script(player: Player) -> None:
        await player.until("Log (")
        player.press("tab", "tab")
        await player.until("[Log (", "──── new since your last visit ────")
        assert any(row[1:2] == "*" for row in player.rows)

    at_store(terminal.store, skirmish, "red", script)


def test_the_hand_is_a_page_and_the_page_fills_the_screen(terminal: Terminal, skirmish: str) -> None:
    async def script(player: Player) -> None:
        player.press("tab")
        await player.until("[Hand]", "Hand/Red", "Card ")
        player.press("ctrl+f")
        await player.until_gone("1 Roll")
        player.press("ctrl+f", "end", "pageup", "home", "up", "down", "tab")
        await player.until("[Log]")

    at_store(terminal.store, skirmish, "red", script)


def test_help_is_read_and_closed(terminal: Terminal, advance: str) -> None:
    async def script(player: Player) -> None:
        player.type("?")
        await player.until("The keys", "PLAYING", "Takes back what you sent last")
        player.press("pagedown", "q")
        await player.until("YOU DECIDE")
        # Letters act only while nothing is typed.
        player.type("arq?")
        await player.until("> arq?")
        player.press("escape")
        await player.until("1 Buy Artillery")

    at_store(terminal.store, advance, "german", script)


@pytest.mark.parametrize("key", few(["q", "ctrl+c"]))
def test_a_key_leaves_the_screen(terminal: Terminal, advance: str, key: str) -> None:
    async def script(player: Player) -> None:
        assert player.app.is_running
        player.press(key)
        await player.holds(lambda: not player.app.is_running, "still there")

    at_store(terminal.store, advance, "german", script)


@pytest.mark.long
def test_a_narrow_and_a_wide_terminal_are_drawn_anew(terminal: Terminal, advance: str) -> None:
    async def script(player: Player) -> None:
        for width, height in ((60, 20), (140, 50)):
            await player.pilot.resize_terminal(width, height)
            await player.holds(lambda: len(player.rows) == height, f"not {height} rows")  # noqa: B023
            await player.until("YOU DECIDE", "1 Buy Artillery")
            assert max(map(len, player.rows)) <= width

    at_store(terminal.store, advance, "german", script)


@pytest.mark.long
@pytest.mark.parametrize("where", sampled(["up", "down", "home", "end"], lambda where: where == "down"))
def test_where_there_is_no_room_for_a_line_the_log_does_not_move(terminal: Terminal, advance: str, where: str) -> None:
    async def script(player: Player) -> None:
        log = player.app.screen.query_one(LogPage)
        player.press("shift+tab")
        await player.until("[Log]")
        await player.holds(lambda: log.highlighted is not None, "there is no cursor")
        log.styles.height = log.styles.min_height = 0
        await player.pilot.resize_terminal(90, 39)
        await player.holds(lambda: not log.scrollable_content_region, "there is room")
        before = log.highlighted
        log.run_cursor(where)

        assert log.highlighted == before

    at_store(terminal.store, advance, "german", script)


def test_a_lost_server_is_told_until_it_is_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.shell.remote.RetryPolicy", lambda **_: RetryPolicy(timeout_s=0.3, tries=1))
    monkeypatch.setattr("cli.screen.seat_model.SILENT_S", 0.2)

    async def run(log: SqliteLog, first: ExitStack) -> None:
        broker = first.enter_context(served(log))
        with client_of(broker) as client:
            match = client.open("skirmish", dice="seeded", seed="2").match
            client.take_seat(match, Seat("red"), share=False)
            secret = client.take_seat(match, Seat("blue"), share=False).token
        async with at_screen(Settings(connect=broker.address, token=secret), match, "blue") as player:
            await player.until("YOU DECIDE", "1 Roll")
            await asyncio.to_thread(first.close)
            await player.until("no answer from the server at", "trying again (q leaves the screen)")
            player.type("rol")
            player.press("enter")
            lost = "No answer came, so 'rol' may not have been played; Enter sends it again"
            await player.until("trying again", lost, "> rol")
            with served(log, addresses=(broker.address, broker.events)):
                await player.until_gone("trying again")
                await player.until(lost, "> rol")
                seen = player.number
                player.press("enter")
                await player.until_after(seen)
                await player.until_gone(lost)
                assert player.rows[-2] == ">"
                player.press("q")

    with SqliteLog(tmp_path / "store.db") as log, ExitStack() as first:
        asyncio.run(run(log, first))
