"""Options are told apart by what they are about, and those that others outdo are left out."""

from collections.abc import Callable

import pytest

from core.games.battle.narration.battle_narration import BattleNarration
from core.match.bound_games import bound_game
from events.codec import Raw, encode
from events.ids import GameKey, Seat
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.protocol.replies import LegalOption, LegalReply
from server.web.panels.option_filter import OptionSubjects
from server.web.panels.option_words import in_brief
from tests.support.browsing import play_on, played
from tests.support.sample_matches import play
from tests.support.seen_story import seen_story


@pytest.fixture
def subjects() -> OptionSubjects:
    return asked()[0]


@pytest.fixture
def options() -> tuple[LegalOption, ...]:
    return asked()[1]


def asked() -> tuple[OptionSubjects, tuple[LegalOption, ...]]:
    """Return the subjects and the options of the first question of *Battle for Stalingrad* with dice of one seed."""
    log = MemoryLog()
    match, bound = played(log, "battle", 0), bound_game(GameKey("battle"), None)
    client = local_client(log)
    seat = client.legal(match).to_move
    story = seen_story(client, match, seat, bound)
    return OptionSubjects(story, bound), client.legal(match, seat).options


def test_the_only_option_is_told_by_all_that_it_is_about(
    subjects: OptionSubjects, options: tuple[LegalOption, ...]
) -> None:
    """It has nothing in common with others."""
    (found,) = subjects.of(options[:1])

    assert found[1]
    assert subjects.told_apart(options[:1], ()) == [found]
    assert subjects.told_apart(options[:1], found[1]) == [(options[0], [])]


def test_rows_call_places_in_brief_as_far_as_that_tells_them_apart(
    subjects: OptionSubjects, options: tuple[LegalOption, ...]
) -> None:
    brief = subjects.brief_places(options)
    univermag = next(name for name in brief if name.startswith("Univermag"))

    assert brief[univermag] == f"Univermag, {univermag.rpartition(' ')[2].removesuffix(')')}"
    assert len({*brief.values()}) == len(brief) > 1
    assert all(said.partition(",")[0] in name for name, said in brief.items())
    assert in_brief({1: (f"Take 308th Rifle to {univermag}", "")}, brief) == {
        1: (f"Take 308th Rifle to {brief[univermag]}", "")
    }


def test_options_that_others_outdo_are_left_out_unless_nothing_else_is_left(
    subjects: OptionSubjects, options: tuple[LegalOption, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was chosen on the map may be what only an outdone option is about."""
    outdone = {bytes(one.command) for one in options[:2]}
    monkeypatch.setattr(BattleNarration, "is_outdone", lambda _, __, command: encode(command) in outdone)

    assert len(options) > 2
    assert subjects.of_use(options) == list(options[2:])
    assert list(subjects.of_use(options[:2])) == list(options[:2])


def test_what_a_piece_does_in_one_of_several_ways_is_told_by_the_sentence_alone() -> None:
    """`14th Panzer and Rations` says nothing."""
    log = MemoryLog()
    match, bound = played(log, "battle", 0), bound_game(GameKey("battle"), None)
    client = local_client(log)
    play_on(client, match, 400, "7", lambda legal: legal.decision == "absorb_hit")
    seat = client.legal(match).to_move
    story = seen_story(client, match, seat, bound)
    subjects = OptionSubjects(story, bound)
    absorbing = [one for one in client.legal(match, seat).options if b"absorb" in bytes(one.command)]

    assert absorbing
    assert not any(map(subjects.is_whole, absorbing))


def test_what_fires_from_one_place_at_another_is_told_by_its_sentence() -> None:
    log = MemoryLog()
    match, bound = played(log, "axis_allies", 0), bound_game(GameKey("axis_allies"), None)
    client = local_client(log)
    seat = client.legal(match).to_move
    story = seen_story(client, match, seat, bound)
    fire = LegalOption(1, Raw(b'{"do":"pick","item":"kotluban","to":"spartanovka"}'), "")

    assert not OptionSubjects(story, bound).is_whole(fire)


def test_what_is_done_from_a_chosen_place_comes_before_what_comes_into_it() -> None:
    subjects, options = asked_in("axis_allies", lambda legal: legal.to_move == "allies" and legal.decision == "move")
    place = "tractor_factory"
    left = subjects.narrowed(options, (place,))
    comes_in = [one.parts.to == "Tractor Factory" for one in subjects.in_order(left, (place,))]

    assert {*comes_in} == {False, True}
    assert comes_in == sorted(comes_in)
    assert subjects.in_order(left, ()) == list(left), "without a chosen place nothing is from or into it"


@pytest.fixture(scope="module")
def with_attack() -> tuple[OptionSubjects, tuple[LegalOption, ...]]:
    """An Actions step of *Battle for Stalingrad* with *Attack!* in hand."""
    return asked_in(
        "battle",
        lambda legal: any(
            b'"german/attack-' in bytes(one.command) and b'"to"' in bytes(one.command) for one in legal.options
        ),
    )


def test_where_a_chosen_piece_goes_it_moves_before_a_card_takes_it_there(
    with_attack: tuple[OptionSubjects, tuple[LegalOption, ...]],
) -> None:
    subjects, options = with_attack
    attacks = {(named[1], named[-1]) for one, named in subjects.of(options) if "Play Attack!" in one.words}
    force, to = next(
        (named[0], named[-1])
        for one, named in subjects.of(options)
        if one.parts.kind == "Move" and (named[0], named[-1]) in attacks
    )
    kinds = [one.parts.kind for one in subjects.in_order(subjects.narrowed(options, (force, to)), (force, to))]

    assert kinds[0] == "Move"
    assert set(kinds[1:]) == {"Play a card"}


def test_a_card_is_named_without_what_it_is_for(with_attack: tuple[OptionSubjects, tuple[LegalOption, ...]]) -> None:
    subjects, options = with_attack
    played = [one for one in options if one.parts.kind == "Play a card"]

    named = {*subjects.leaders(played)}

    assert len(named) > 1
    assert all(one.endswith(")") and " and " not in one for one in named), "each is a card with its value"
    assert subjects.leaders(options[:1]) == [options[0].parts.who]


def test_a_whole_stack_that_moves_together_comes_before_its_parts() -> None:
    subjects, options = asked_in("inferno", lambda legal: legal.decision == "action")
    moves = [one for one in options if one.parts.kind == "Short Move"]
    ways: dict[tuple[str, str], list[int]] = {}
    for one in subjects.in_order(moves, ()):
        ways.setdefault((one.parts.start, one.parts.to), []).append(one.parts.who.count("("))
    wholes = [counts for counts in ways.values() if len(counts) in {3, 7}]

    assert wholes, "stacks of two and of three pieces can move in as many ways"
    assert all(counts[0] == max(counts) > max(counts[1:]) for counts in wholes)


def test_where_a_piece_may_go_is_in_the_order_of_use() -> None:
    """Fights that go on come first, then the enemy alone, then what is left, each time the nearest; of the same distance the alphabet decides."""
    subjects, options = asked_in("axis_allies", lambda _: True, begun=20)
    flights = [one for one in options if one.parts.who.startswith("1 German Bomber") and " attack " in one.words]
    found = subjects.in_order(flights, ())
    words = [one.parts.consequence for one in found]
    groups = [0 if "joins the fight" in one else 1 if "Assault" in one else 2 for one in words]
    targets = [one.parts.to for one in found]

    assert {*groups} == {0, 1, 2}
    assert groups == sorted(groups)
    assert targets != sorted(targets)
    assert groups.count(0) < targets.index("Kalach") < targets.index("Army Camp"), "the city is farther away"


def asked_in(
    game: str, is_asked: Callable[[LegalReply], bool], begun: int = 0
) -> tuple[OptionSubjects, tuple[LegalOption, ...]]:
    """Return the subjects and the options of a question of a match that was begun by bots with so many commands, and went on by chance."""
    log = MemoryLog()
    match, bound = played(log, game, 0, seed="43"), bound_game(GameKey(game), None)
    client = local_client(log)
    play(client, GameKey(game), match, begun, "43")
    play_on(client, match, 1_000, "43", is_asked)
    seat = client.legal(match).to_move or Seat("german")
    story = seen_story(client, match, seat, bound)
    return OptionSubjects(story, bound), client.legal(match, seat).options
