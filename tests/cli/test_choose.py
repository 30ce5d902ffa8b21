"""Playing from the terminal: options, commands, typed dice, explanations."""

import json
import re

import pytest

import cli.views.stored_match
import core.match.live_match
from cli.shell.exit_codes import UserError
from cli.views.option_words import option_by_words
from core.history.match_reader import LoadedMatch, read_match
from core.registry.games import load_game
from events.codec import Raw
from events.ids import MatchId, Seat
from events.log import Log
from server.protocol.replies import LegalOption, LegalReply
from tests.cli.running import Terminal
from tests.support.rows import each_row
from tests.support.skirmish import SkirmishRules
from tests.support.soak import few


def test_legal_lists_numbered_options_in_words(terminal: Terminal, skirmish: str) -> None:
    lines = terminal.done("legal", skirmish).out.splitlines()

    assert lines[0].startswith("To decide: ")
    assert lines[1].startswith("   1  Roll")


def test_many_options_are_listed_under_headings(terminal: Terminal) -> None:
    """legal groups more than twenty options by what they order; few options, or those about one place, need no heading."""
    match = terminal.line("new", "inferno", "--dice", "seeded:1")
    headings = [line for line in terminal.done("legal", match).out.splitlines() if line[0] != " "]
    near = terminal.done("legal", match, "--about", "81").out.splitlines()

    assert headings[1].endswith(" options; --about ID lists those about one piece or place.")
    assert [line.partition(":")[0] for line in headings[2:]] == ["Long Move", "Short Move", "Hasty Attack"]
    assert [line for line in near[2:] if line[0] != " "] == []


def test_legal_shows_options_only_to_the_deciding_seat(terminal: Terminal, skirmish: str) -> None:
    (shape,) = terminal.done("legal", skirmish, "--json").objects
    other = "blue" if shape["seat"] == "red" else "red"
    (seen,) = terminal.done("legal", skirmish, "--seat", other, "--json").objects

    assert len(str(shape["options"])) > 10
    assert (seen["options"], seen["seat"]) == ([], shape["seat"])
    assert "sees the options" in terminal.done("legal", skirmish, "--seat", other).out


def test_legal_of_an_earlier_event_is_what_was_legal_then(terminal: Terminal, skirmish: str) -> None:
    """`legal MATCH@SEQ` repeats what `legal MATCH` said after that event, for the store's owner and for each seat."""
    (then,) = terminal.done("legal", skirmish, "--json").objects
    decider = str(then["seat"])
    words = terminal.done("legal", skirmish).out
    terminal.done("choose", skirmish, "1")
    point = f"{skirmish}@{then['seq']}"
    (again,) = terminal.done("legal", point, "--json").objects
    (own,) = terminal.done("legal", point, "--seat", decider, "--json").objects
    other = "red" if decider == "blue" else "blue"
    (seen,) = terminal.done("legal", point, "--seat", other, "--json").objects

    assert again == own == {**then, "undo_to": None}
    assert (seen["options"], seen["seat"]) == ([], decider)
    assert terminal.done("legal", point).out == words


def test_legal_of_an_earlier_event_names_the_dice_that_were_needed(terminal: Terminal) -> None:
    match = opened_by_hand(terminal)
    (then,) = terminal.done("legal", match, "--json").objects
    terminal.done("choose", match, '{"do":"match:note","text":"wait"}', "--seat", "red")

    (again,) = terminal.done("legal", f"{match}@{then['seq']}", "--json").objects

    assert again["options"] == then["options"]


def test_legal_in_the_middle_of_a_command_names_the_nearest_decisions(terminal: Terminal, skirmish: str) -> None:
    (then,) = terminal.done("legal", skirmish, "--json").objects
    terminal.done("choose", skirmish, "1")
    (now,) = terminal.done("legal", skirmish, "--json").objects
    ran = terminal("legal", f"{skirmish}@{int(str(then['seq'])) + 1}")

    assert (ran.code, ran.out) == (2, "")
    assert f"name event {then['seq']} or {now['seq']}" in ran.err


def test_legal_and_play_report_a_question_without_options(
    terminal: Terminal, skirmish: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deciding seat must not get the message for seats that cannot see the options."""
    (shape,) = terminal.done("legal", skirmish, "--json").objects
    other = "red" if shape["seat"] == "blue" else "blue"
    monkeypatch.setattr(SkirmishRules, "options", lambda *_: [])

    for asker in ((), ("--seat", str(shape["seat"])), ("--seat", "arbiter")):
        assert terminal.done("legal", skirmish, *asker).out.splitlines()[1:] == ["No option is left."]
    assert "No option is left" not in terminal.done("legal", skirmish, "--seat", other).out
    assert "there is no option 1; no option is left" in terminal("choose", skirmish, "1").err


def test_an_option_is_played_by_its_number(terminal: Terminal, skirmish: str) -> None:
    ran = terminal.done("choose", skirmish, "1")

    assert "Dice for advance of" in ran.out
    assert "To decide: " in ran.out


@pytest.fixture
def supply(terminal: Terminal) -> str:
    """A match whose open question has four options: to buy Artillery, Engineer or Air Support, or to end."""
    return terminal.line("new", "advance", "--dice", "seeded:1942", "--name", "Ada")


@pytest.mark.parametrize(
    "words", ["Buy Air Support for 3 Supply Points", "air support", " AIR   sup", "3 supply", "points air"]
)
def test_an_option_is_played_by_any_words_that_only_it_has(terminal: Terminal, supply: str, words: str) -> None:
    ran = terminal.done("choose", supply, words)

    assert "Air Support bought for 3 Supply Points, 13 left: 2 Available" in ran.out


def test_words_of_several_options_play_none_of_them(terminal: Terminal, supply: str) -> None:
    before = terminal.done("log", supply).out
    ran = terminal("choose", supply, "support for")

    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "wardiary: 3 options have the words 'support for': 1 'Buy Artillery Support for 1 Supply Point', "
        "2 'Buy Engineer Support for 2 Supply Points', 3 'Buy Air Support for 3 Supply Points'\n"
    )
    assert terminal.done("log", supply).out == before


def test_words_of_no_option_play_none_and_the_nearest_are_named(terminal: Terminal, supply: str) -> None:
    before = terminal.done("log", supply).out
    ran = terminal("choose", supply, "the enginer suport", "--json")

    assert ran.code == 2
    assert '"code":"unknown_choice"' in ran.err
    assert "nearest: 2 'Buy Engineer Support for 2 Supply Points'\"" in ran.err
    assert terminal.done("log", supply).out == before


def test_a_blank_command_is_no_part_of_an_option(terminal: Terminal, supply: str) -> None:
    ran = terminal("choose", supply, " ")

    assert (ran.code, "it is blank" in ran.err) == (2, True)


def test_only_the_first_of_many_fitting_options_are_named(terminal: Terminal) -> None:
    match = terminal.line("new", "inferno", "--dice", "seeded:1")
    ran = terminal("choose", match, "move")

    assert ran.code == 2
    assert re.findall(r" (\d+) 'Long Move: ", ran.err) == ["2", "3", "4"]
    assert ran.err.endswith("', …\n")


def test_words_in_an_option_that_are_all_of_another_play_the_other() -> None:
    options = (LegalOption(1, Raw(b"{}"), "Attack the Docks twice"), LegalOption(2, Raw(b"{}"), "Attack  the Docks"))
    legal = LegalReply(match=MatchId("m"), seq=1, to_move=Seat("red"), options=options)

    assert option_by_words(legal, Seat("red"), "attack the docks").number == 2
    with pytest.raises(UserError, match="2 options"):
        option_by_words(legal, Seat("red"), "attack the")


@each_row(("words", "number"), [("a1", 1), ("A10", 2), ("place a1", 1), ("a1 place", 1), ("0", 2)])
def test_whole_words_win_over_the_beginnings_of_longer_ones(words: str, number: int) -> None:
    """Of like places `a1` is the one of that name; a part of a word still finds the only option that has it."""
    options = tuple(
        LegalOption(place, Raw(b"{}"), f"Place a stone on {name}") for place, name in enumerate(("A1", "A10", "A11"), 1)
    )
    legal = LegalReply(match=MatchId("m"), seq=1, to_move=Seat("red"), options=options)

    assert option_by_words(legal, Seat("red"), words).number == number


def test_lines_of_stdin_may_be_words(terminal: Terminal, skirmish: str) -> None:
    ran = terminal.done("choose", skirmish, "-", "--json", typed="roll\ncontest=False\n")

    assert len(ran.objects) == 2


@pytest.mark.interpreted
def test_a_command_reads_and_checks_its_match_once(
    terminal: Terminal, skirmish: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[MatchId] = []

    def counted(log: Log, match: MatchId) -> LoadedMatch:
        read.append(match)
        return read_match(log, match)

    for module in (core.match.live_match, cli.views.stored_match):
        monkeypatch.setattr(module, "read_match", counted)
    terminal.done("choose", skirmish[:6], "1")

    assert read == [skirmish]


def test_an_option_is_played_by_its_json(terminal: Terminal, skirmish: str) -> None:
    (shape,) = terminal.done("choose", skirmish, '{"do":"roll"}', "--json").objects
    events = shape["events"]
    assert isinstance(events, list)

    assert (shape["shape"], shape["decision"]) == ("played", "reply")
    assert [one["seq"] for one in events] == list(range(int(events[0]["seq"]), int(str(shape["seq"])) + 1))


def test_commands_can_come_from_stdin_line_by_line(terminal: Terminal, skirmish: str) -> None:
    ran = terminal.done("choose", skirmish, "-", "--json", typed='1\n\n{"do":"reply","contest":false}\n')

    assert len(ran.objects) == 2


def test_commands_from_stdin_stop_at_the_first_refused_one(terminal: Terminal, skirmish: str) -> None:
    ran = terminal("choose", skirmish, "-", "--json", typed='1\n{"do":"roll"}\n2\n')

    assert (ran.code, len(ran.out.splitlines())) == (5, 1)


def test_a_line_that_is_not_valid_text_is_a_usage_error(terminal: Terminal, skirmish: str) -> None:
    ran = terminal("choose", skirmish, "-", typed=b'{"do":"match:note","text":"\xff"}\n')

    assert (ran.code, ran.out, "not valid UTF-8" in ran.err) == (2, "", True)


def test_an_order_stops_after_new_information_and_counts_the_remaining_commands(
    terminal: Terminal, skirmish: str
) -> None:
    ran = terminal.done("choose", skirmish, '[{"do":"roll"},{"do":"roll"}]', "--json")

    assert (ran.objects[0]["left"], ran.objects[0]["decision"]) == (1, "reply")
    assert "1 of the order's commands were not played" in ran.err


def test_an_order_is_refused_whole_and_the_message_names_the_illegal_command(terminal: Terminal, skirmish: str) -> None:
    hide = terminal.line("new", "skirmish", "--dice", "seeded:2", "--option", "fog=true", "-q")
    before = terminal.done("log", hide, "--json").out
    ran = terminal("choose", hide, '[{"do":"hide"},{"do":"roll"}]', "--json")

    assert ran.code == 5
    assert "command 2 of the order: That is not what is asked." in ran.out + ran.err
    assert terminal.done("log", hide, "--json").out == before


@pytest.fixture
def fog(terminal: Terminal) -> str:
    """A running match of the test game in fog."""
    return terminal.line("new", "skirmish", "--dice", "seeded:2", "--option", "fog=true", "-q")


HIDE = '{"do":"hide"}'
AT_CAMP = '{"do":"hide-at","place":"camp"}'


def test_undo_takes_the_last_command_back(terminal: Terminal, fog: str) -> None:
    before = terminal.done("legal", fog).out
    terminal.done("choose", fog, HIDE)
    ran = terminal.done("undo", fog)

    assert re.search(r"takes back what was done after event \d+\.", ran.out)
    assert terminal.done("legal", fog).out == before


def test_undo_tells_what_was_taken_back(terminal: Terminal) -> None:
    """match.undo: what was told of it before, marked."""
    match = terminal.line("new", "advance", "--dice", "seeded:5", "--name", "Ada", "-q")
    told = terminal.done("choose", match, "artillery support").out.splitlines()[1]
    taken = terminal.done("undo", match).out.splitlines()

    assert taken[1] == f"{told} (taken back)"
    assert taken[2].endswith(" takes back what was done after event 155.")


def test_undo_takes_several_commands_back(terminal: Terminal, fog: str) -> None:
    (asked,) = terminal.done("legal", fog, "--json").objects
    seat, seq = str(asked["seat"]), str(asked["seq"])
    terminal.done("choose", fog, HIDE)
    terminal.done("choose", fog, AT_CAMP)
    (shape,) = terminal.done("undo", fog, "--seat", seat, "--to", seq, "--json").objects
    (again,) = terminal.done("legal", fog, "--json").objects

    assert (shape["shape"], shape["seat"], shape["decision"]) == ("played", seat, "turn")
    assert (again["options"], again["seat"]) == (asked["options"], seat)


def test_redo_puts_back_what_was_taken_back(terminal: Terminal, fog: str) -> None:
    for command in (HIDE, AT_CAMP):
        terminal.done("choose", fog, command)
    then = terminal.done("legal", fog, "--json").objects[0]["options"]
    terminal.done("undo", fog)
    terminal.done("undo", fog)
    (first,) = terminal.done("redo", fog, "--json").objects
    (second,) = terminal.done("redo", fog, "--json").objects

    assert (first["decision"], second["decision"]) == ("hide", "turn")
    assert terminal.done("legal", fog, "--json").objects[0]["options"] == then

    terminal.done("undo", fog)
    terminal.done("undo", fog)

    assert len(terminal.done("redo", fog, "--all", "--json").objects) == 1
    assert terminal.done("legal", fog, "--json").objects[0]["options"] == then

    nothing = terminal("redo", fog)

    assert (nothing.code, "nothing is left to put back" in nothing.err) == (5, True)


def test_undo_is_refused_with_the_reason(terminal: Terminal, skirmish: str) -> None:
    terminal.done("choose", skirmish, '{"do":"roll"}')
    ran = terminal("undo", skirmish, "--json")

    assert ran.code == 5
    assert "nothing_must_be_learned" in ran.err
    assert re.search(r"Dice were rolled with event \d+", ran.err)


def test_undo_prints_the_heading_of_the_restored_turn(terminal: Terminal, fog: str) -> None:
    """The heading names the restored turn, not the one that was undone."""
    (asked,) = terminal.done("legal", fog, "--json").objects
    terminal.done("choose", fog, HIDE)
    terminal.done("choose", fog, AT_CAMP)
    (then,) = terminal.done("legal", fog, "--json").objects
    ran = terminal.done("undo", fog)

    assert then["seat"] != asked["seat"]
    assert ran.out.startswith(f"Round 1: Turn Of {str(asked['seat']).title()}")


def test_log_marks_events_that_were_taken_back(terminal: Terminal, fog: str) -> None:
    (asked,) = terminal.done("legal", fog, "--json").objects
    first = int(str(asked["seq"])) + 1
    terminal.done("choose", fog, HIDE)
    (played,) = terminal.done("choose", fog, AT_CAMP, "--json").objects
    terminal.done("undo", fog, "--to", str(first - 1), "--seat", str(asked["seat"]))
    events = terminal.done("log", fog, "--json", "--from", str(first - 1)).objects
    undone = [one["seq"] for one in events if one["undone"]]
    early = terminal.done("log", fog, "--json", "--to", str(first)).objects

    assert undone == list(range(first, int(str(played["seq"])) + 1))
    assert [one["seq"] for one in early if one["undone"]] == [first]


def test_explain_and_watch_mark_events_that_were_taken_back(terminal: Terminal, fog: str) -> None:
    (asked,) = terminal.done("legal", fog, "--json").objects
    seq = int(str(asked["seq"]))
    terminal.done("choose", fog, HIDE)
    terminal.done("undo", fog)
    while True:
        (played,) = terminal.done("choose", fog, "1", "--json").objects
        if played["ended"] is not None:
            break
    told = terminal.done("watch", fog, "--from-start", "--json").objects

    assert "(taken back later)" in terminal.done("explain", f"{fog}@{seq + 2}").out
    assert "(taken back later)" not in terminal.done("explain", f"{fog}@{seq}").out
    assert next(one for one in told if one["seq"] == seq + 2)["undone"] is True
    assert " (taken back) " in terminal.done("watch", fog, "--from-start", "-v").out


def test_log_from_the_middle_has_the_restored_heading(terminal: Terminal, fog: str) -> None:
    terminal.done("choose", fog, HIDE)
    terminal.done("choose", fog, AT_CAMP)
    (shape,) = terminal.done("undo", fog, "--json").objects
    whole = terminal.done("log", fog).out.splitlines()
    part = terminal.done("log", fog, "--from", str(shape["seq"])).out.splitlines()

    assert "takes back" in part[1]
    assert part[0] == [line for line in whole if line and not line.startswith(" ")][-1]


def test_a_resignation_ends_the_match(terminal: Terminal, skirmish: str) -> None:
    ran = terminal.done("choose", skirmish, "resign", "--seat", "red")

    assert "Resignation" in ran.out
    assert "The match is over" in terminal.done("legal", skirmish).out


def test_a_command_that_expects_the_last_event_is_accepted(terminal: Terminal, skirmish: str) -> None:
    (shape,) = terminal.done("legal", skirmish, "--json").objects

    assert terminal("choose", skirmish, "1", "--expected", str(shape["seq"])).code == 0


def opened_by_hand(terminal: Terminal) -> str:
    """Open a match with manual dice, and begin it with typed draws and dice."""
    match = terminal.line("new", "skirmish", "--dice", "manual", "-q")
    draws = [word for number in range(1, 5) for word in ("--draw", f"card-{number}")]
    terminal.done("choose", match, "begin", "--dice", "6", *draws)
    return match


def test_a_match_can_be_recorded_with_typed_dice_and_draws(terminal: Terminal) -> None:
    match = opened_by_hand(terminal)
    ran = terminal.done("choose", match, "1", "--dice", "3,4")

    assert "3, 4 = 7" in ran.out
    assert terminal("audit", match).code == 0


def test_legal_names_the_dice_to_type(terminal: Terminal) -> None:
    match = opened_by_hand(terminal)
    (shape,) = terminal.done("legal", match, "--json").objects
    options = shape["options"]
    assert isinstance(options, list)

    assert [one["wanted"].split(" for ")[0] for one in options] == ["2 dice (1 to 6)", "a draw", "a draw", "a draw"]
    said = terminal.done("legal", match).out
    assert "[needs 2 dice (1 to 6) for" in said
    # What may be drawn is listed once, below the options.
    assert max(line.count(" (") for line in said.splitlines() if "[needs a draw" in line) < 2
    assert said.count("A draw for omen of red is one of: comet (Comet)") == 1


def test_legal_names_the_dice_and_draws_of_the_beginning(terminal: Terminal) -> None:
    match = terminal.line("new", "skirmish", "--dice", "manual", "-q")
    (shape,) = terminal.done("legal", match, "--json").objects

    assert "a draw for deal to red: card-1 (Card 1), card-2 (Card 2)" in str(shape["options"])


@pytest.mark.parametrize("said", ["1", "Begin the match"])
def test_the_beginning_is_played_by_what_legal_calls_it(terminal: Terminal, said: str) -> None:
    match = terminal.line("new", "battle", "--dice", "manual", "-q")
    ran = terminal("choose", match, said)

    assert "no decision is open" not in ran.err
    assert ran.err == terminal("choose", match, "begin").err.replace(" begin ", f" {said} ")


def test_possible_draws_are_listed_by_id_and_printed_name(terminal: Terminal) -> None:
    opened = terminal.done("new", "skirmish", "--dice", "manual")
    match = opened.out.strip()
    ran = terminal("choose", match, "begin")

    assert "one of card-1 (Card 1), card-2 (Card 2), " in opened.err
    assert opened.err.endswith(f": wardiary choose {match} begin --draw …\n")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "one of card-1 (Card 1), card-2 (Card 2), " in ran.err
    assert ran.err.endswith("; add --draw\n")


def test_surplus_typed_dice_are_refused(terminal: Terminal) -> None:
    match = opened_by_hand(terminal)
    ran = terminal("choose", match, "1", "--dice", "3,4,5")

    assert (ran.code, ran.err) == (2, "wardiary: more was typed than this command needs; left over: 5\n")


def test_a_refusal_names_the_rule(terminal: Terminal, skirmish: str) -> None:
    ran = terminal("choose", skirmish, '{"do":"play","card":"card-99"}', "--json")

    assert ran.code == 5
    assert '"code":"card_must_be_in_hand"' in ran.err
    assert '"rule":"1.turn"' in ran.err


@pytest.mark.parametrize("name", few(["\x1b[31mX", "", "\u202eX\u2028"]))
def test_a_refusal_quotes_input_in_printable_form(terminal: Terminal, name: str) -> None:
    match = terminal.line("new", "advance", "--dice", "seeded:2", "--name", "Ada")
    for _ in range(200):
        (shape,) = terminal.done("legal", match, "--json").objects
        if shape["decision"] == "act":
            break
        terminal.done("choose", match, "1")
    moved = terminal("choose", match, json.dumps({"do": "move", "unit": name, "to": "9"}))
    lost = terminal("choose", match, json.dumps({"do": "move", "unit": "29/15", "to": name}))

    assert moved.code == lost.code == 5
    assert moved.err.startswith(f"wardiary: {name!r} did not start this Action Round")
    assert lost.err.startswith(f"wardiary: There is no Area {name!r}.")
    assert all(line.isprintable() for ran in (moved, lost) for line in ran.err.splitlines())


def test_explain_shows_how_a_roll_adds_up(golden: tuple[Terminal, str]) -> None:
    terminal, match = golden
    events = terminal.done("log", match, "--json").objects
    numbers = [
        one["seq"] for one in events if isinstance(one["event"], dict) and len(one["event"].get("modifiers", ())) > 1
    ]
    for number in numbers:
        (shape,) = terminal.done("explain", f"{match}@{number}", "--json").objects
        rolls = shape["rolls"]
        assert isinstance(rolls, list)
        (roll,) = rolls

        assert roll["total"] == sum(roll["counted"]) + sum(part[2] for part in roll["modifiers"])
        assert f"= {roll['total']}" in terminal.done("explain", f"{match}@{number}").out


def test_explain_knows_every_rule_cited_in_a_match(golden: tuple[Terminal, str]) -> None:
    terminal, match = golden
    first: dict[str, object] = {}
    for one in terminal.done("log", match, "--json").objects:
        assert isinstance(one["event"], dict)
        first.setdefault(str(one["event"]["rule"]), one["seq"])
    told = [terminal.done("explain", f"{match}@{number}", "--json").objects[0]["rule"] for number in first.values()]

    assert [rule for rule, text in zip(first, told, strict=True) if text is None] == []


def test_explain_keeps_a_secret_command_secret(terminal: Terminal, skirmish: str) -> None:
    (shape,) = terminal.done("legal", skirmish, "--json").objects
    card = next(one for one in str(shape["options"]).split("'") if one.startswith("card-"))
    played = terminal.done("choose", skirmish, f'{{"do":"play","card":"{card}"}}', "--json").objects[0]
    to_others = terminal.done("explain", f"{skirmish}@{played['seq']}", "--json").objects[0]
    to_itself = terminal.done("explain", f"{skirmish}@{played['seq']}", "--seat", str(shape["seat"]), "--json").objects[
        0
    ]

    # The command drew a card that only its seat may see.
    assert to_others["command"] == ""
    assert card in str(to_itself["command"])


def test_legal_lists_what_the_rules_list(golden: tuple[Terminal, str]) -> None:
    terminal, match = golden
    (shape,) = terminal.done("legal", match, "--json").objects
    options = shape["options"]
    assert isinstance(options, list)
    rules = load_game("advance").bind(None).rules
    table = terminal.done("show", match, "--seat", "arbiter", "--json").objects[0]["table"]
    assert isinstance(table, dict)

    assert [one["number"] for one in options] == list(range(1, len(options) + 1))
    assert all(rules.decode(str(one["command"]).replace("'", '"').encode()) for one in options)
    assert shape["decision"] == table["stack"][-1]["kind"]


def test_options_about_one_thing_keep_their_numbers(terminal: Terminal, skirmish: str) -> None:
    (shape,) = terminal.done("legal", skirmish, "--json").objects
    options = shape["options"]
    assert isinstance(options, list)
    card = options[1]["command"]["card"]
    (about,) = terminal.done("legal", skirmish, "--about", card, "--json").objects

    assert (about["options"], about["count"]) == ([options[1]], len(options))
    assert f"1 of {len(options)} options." in terminal.done("legal", skirmish, "--about", card).out


def test_legal_about_an_unknown_piece_is_refused(terminal: Terminal) -> None:
    match = terminal.line("new", "skirmish", "--dice", "seeded:1")
    ran = terminal("legal", match, "--about", "nonsense")

    assert (ran.code, "there is no piece, place or card 'nonsense'" in ran.err) == (2, True)
