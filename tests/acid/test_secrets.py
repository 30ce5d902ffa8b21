"""Concealed pieces, on a made-up block game: what a seat sees, what it can infer, and what a fork deals again."""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

import pytest

import tests.acid.blocks_game as game
from core.engine.command import Command
from core.engine.dealing import Deal, Identity, Pick, Unknown
from core.engine.draft import Draft
from core.errors import KernelError, SetupInvalid
from core.registry.games import GAMES
from core.secrets.knowledge import Hidden
from events.ids import ARBITER, PUBLIC, TABLE, CardId, GameKey, MarkerId, PieceId, PileId, Seat
from events.vocabulary import (
    ChosenByChance,
    DecisionOpened,
    PieceConcealed,
    PieceDrawn,
    PieceReturned,
    PieceRevealed,
)
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import see, seen_events
from tests.acid.blocks_game import ARM, FIRE, GERMAN, HAND, HANDS, SIDES, SOVIET, Guess, Hold, units
from tests.support.desk import Desk, skirmish_listed
from tests.support.noninterference import Secrets, Wanderer
from tests.support.rows import each_row
from tests.support.soak import sampled

ONLOOKERS = (*SIDES, PUBLIC)


@pytest.fixture(scope="module", autouse=True)
def _blocks() -> Iterator[None]:
    GAMES[GameKey("blocks")] = "tests.acid.blocks_game"
    try:
        yield
    finally:
        del GAMES[GameKey("blocks")]


def played(seed: int, steps: int = 500) -> Desk:
    """Play a match."""
    return Desk.open("blocks", seed=str(seed)).play(steps, Random(seed))


def view(desk: Desk, seat: Seat) -> Table:
    """Return the table as a seat knows it."""
    return fold(seen_events(desk.events, seat))


def ends(desk: Desk, seat: Seat) -> list[int]:
    """Return the ends of commands at which a seat can fork: not while an open question holds another seat's secret, nor at the end."""
    found = []
    for commit in desk.commits[2:]:
        table = fold(desk.events[: commit.last])
        top = table.top
        if table.ended is not None:
            break
        if top is None or top.kind != "enter" or top.seat == seat:
            found.append(commit.last)
    return found


def followed(desk: Desk, seat: Seat, upto: int) -> Hidden:
    """Return what a seat can infer about the cards and pieces that it does not see."""
    return Hidden(seen_events(desk.events[:upto], seat))


def position(table: Table) -> tuple[object, ...]:
    """Return the pieces on a table and the open questions."""
    return (
        table.pieces,
        table.at,
        table.piles,
        table.attributes,
        table.markers,
        table.known_to,
        table.stack,
        table.round,
    )


# The state and the stream


@each_row("seed", range(2))
def test_a_block_revealed_in_combat_is_concealed_in_the_state_but_not_in_the_stream(seed: int) -> None:
    """ACID 1: the state shows token, side, hex and arm; the earlier event in the stream still names unit and edge."""
    desk = played(seed)
    closed = 0
    for number, event in enumerate(desk.events, start=1):
        if not isinstance(event, PieceConcealed):
            continue
        truth = fold(desk.events[:number])
        block = truth.pieces[event.piece]
        for onlooker in (game.other(Seat(block.side)), PUBLIC):
            seen = list(seen_events(desk.events[:number], onlooker))
            state = fold(seen).pieces[event.piece]

            assert (state.kind, state.face, state.steps) == ("", "", 0)
            assert (state.side, state.place) == (block.side, block.place)
            assert fold(seen).attributes[event.piece].keys() == truth.attributes[event.piece].keys() - {FIRE}
            assert block.kind in [one.kind for one in seen if isinstance(one, PieceRevealed)]
            closed += 1
        assert fold(seen_events(desk.events[:number], Seat(block.side))).pieces[block.id] == block
    assert closed > 0


def test_the_arm_is_public_and_unit_and_edge_are_separate_secrets() -> None:
    """ACID 6: the owner sees both draws; the others see two draws with their purposes, but not the outcomes."""
    desk = played(1)
    for event in desk.events:
        if isinstance(event, PieceDrawn | ChosenByChance):
            assert event.seen_by is not None
            (owner,) = event.seen_by
            assert see(event, owner) == event == see(event, ARBITER)
            for onlooker in {*ONLOOKERS} - {owner}:
                told = see(event, onlooker)
                if isinstance(told, PieceDrawn):
                    assert told.drawn is None
                else:
                    assert isinstance(told, ChosenByChance)
                    assert (told.chosen, told.candidates) == (None, None)
    for block in view(desk, PUBLIC).pieces:
        assert view(desk, PUBLIC).attribute(block, ARM) in game.ARMS


def test_unit_and_edge_are_drawn_independently() -> None:
    """ACID 6: over many matches, every unit occurs with each of its edges."""
    met: dict[str, set[int]] = {}
    for seed in range(120):
        for piece in Desk.open("blocks", seed=str(seed)).table.pieces.values():
            met.setdefault(piece.kind, set()).add(piece.steps)

    assert all(steps == set(range(1, game.dots(unit) + 1)) for unit, steps in met.items())


# Forks


def full(table: Table) -> Counter[str]:
    """Count all units of a table, on the map and in pools and mixes."""
    return Counter(piece.kind for piece in table.pieces.values()) + Counter(
        card for pile in table.piles.values() for card in pile.cards
    )


@pytest.mark.parametrize("seed", sampled(range(2), lambda seed: seed == 0))
@pytest.mark.parametrize("seat", ONLOOKERS)
def test_a_seat_forks_a_running_match_after_any_command(seat: Seat, seed: int) -> None:
    """ACID 2, 3: the fork agrees with all that the seat has seen, keeps totals, arms and set-up, and can be played on."""
    desk = played(seed)
    dealt_anew = 0
    for at in ends(desk, seat):
        before = fold(seen_events(desk.events[:at], seat))
        truth = fold(desk.events[:at])
        known = followed(desk, seat, at)
        fork = desk.fork(at, "seeded", f"{seat}-{at}", seat, hidden="resample", seed=f"{seed}/{at}")
        table = fork.table

        assert position(view(fork, seat)) == position(before)
        assert (
            full(table)
            == full(truth)
            == Counter(unit for side in SIDES for arm in game.ARMS for unit in units(side, arm))
        )
        assert game.DEALING.problem(table) == ""
        for block, piece in table.pieces.items():
            assert CardId(piece.kind) in units(Seat(piece.side), str(table.attribute(block, ARM)))
            if block in known.followed:
                assert piece.kind == known.followed[block].kind
                if block not in known.turned:
                    assert piece.steps == known.followed[block].steps
        for owner in SIDES:
            own = {block: piece for block, piece in table.pieces.items() if game.owner(table, block) == owner}
            assert {block: view(fork, owner).pieces[block] for block in own} == own
        dealt_anew += truth.pieces != table.pieces
        fork.play(6, Random(at))
        report = fork.audit()
        assert (report.findings, report.redeal) == ((), "verified")
    assert dealt_anew > 0


def test_what_is_dealt_again_is_checked_before_its_seed_is_known() -> None:
    """ACID 2: while the fork's seed is sealed, everything but the dice is checked."""
    desk = played(2, 12)
    fork = desk.fork(desk.table.seq, "fresh", "sealed", GERMAN, hidden="resample")

    assert fork.audit().findings == ()


def test_units_that_returned_to_a_pool_are_not_dealt_to_blocks_drawn_before() -> None:
    """ACID 1: the return of a unit is public, so no block that was on the map at that time can be this unit."""
    checked = 0
    for seed in range(12):
        desk = played(seed)
        for at in ends(desk, GERMAN)[::3]:
            hidden = followed(desk, GERMAN, at)
            gone = {
                event.card: number
                for number, event in enumerate(desk.events[:at], start=1)
                if isinstance(event, PieceReturned)
            }
            entered = {
                event.piece: number
                for number, event in enumerate(desk.events[:at], start=1)
                if isinstance(event, PieceDrawn)
            }
            if not gone:
                continue
            fork = desk.fork(at, "seeded", f"{seed}-{at}", GERMAN, hidden="resample", seed="x")
            for block in hidden.unseen:
                kind = CardId(fork.table.pieces[block].kind)
                assert kind not in gone or gone[kind] < entered[block]
                checked += 1
    assert checked > 20


def nothing_will_do(table: Table) -> str:
    """Reject every table."""
    return "nothing will do"


def test_a_fork_is_refused_if_the_game_allows_no_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """ACID 2: the number of attempts is bounded."""
    desk = played(1, 8)
    monkeypatch.setattr(game.DEALING, "problem", nothing_will_do)

    with pytest.raises(KernelError, match="cannot be dealt again: nothing will do"):
        desk.fork(desk.table.seq, "seeded", "f", GERMAN, hidden="resample")


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda deal: deal.pieces.pop(min(deal.pieces)), "something else was dealt"),
        (lambda deal: deal.attributes.clear(), "remember something in secret"),
        (
            lambda deal: deal.pieces.update({min(deal.pieces): Identity("soviet guards-9", "", 1)}),
            "other cards",
        ),
        (lambda deal: deal.piles.update({min(deal.piles): ()}), "another number of cards"),
    ],
)
def test_the_kernel_checks_the_deal_that_a_game_proposes(
    spoil: Callable[[Deal], object], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ACID 2, 3: an incomplete or inconsistent proposal is refused."""
    desk = played(1, 3)
    rightly = game.DEALING.complete

    def wrongly(unknown: Unknown, deal: Deal, pick: Pick) -> Deal | None:
        made = rightly(unknown, deal, pick)
        assert made is not None
        spoil(made)
        return made

    monkeypatch.setattr(game.DEALING, "complete", wrongly)
    with pytest.raises(KernelError, match=words):
        desk.fork(desk.table.seq, "seeded", "f", GERMAN, hidden="resample")


def test_a_fork_by_the_german_deals_the_token_to_either_hand() -> None:
    """ACID 9: the german's state holds no hand before the guess, and a fork by the german may put the token in either."""
    desk = Desk.open("blocks", seed="3")
    desk.accept(Hold("left"))
    at = desk.table.seq
    hands = set()
    for seed in range(12):
        fork = desk.fork(at, "seeded", f"h{seed}", GERMAN, hidden="resample", seed=str(seed))
        hands.add(fork.table.attribute(TABLE, HAND))
        assert view(fork, GERMAN).attribute(TABLE, HAND) is None
        assert view(fork, SOVIET).attribute(TABLE, HAND) == fork.table.attribute(TABLE, HAND)
    assert hands == {*HANDS}
    assert desk.fork(at, "seeded", "own", SOVIET, hidden="resample").table.attribute(TABLE, HAND) == "left"


# What an onlooker can tell


def comes_to_light(first: Table, second: Table, command: Command) -> bool:
    """Return whether a command reveals a block or a hand that differs between the twins."""
    if isinstance(command, Guess):
        return first.attribute(TABLE, HAND) != second.attribute(TABLE, HAND)
    if not isinstance(command, game.March) or first.top is None:
        return False
    enemies = [one for one in first.pieces_at(command.to) if game.owner(first, one) != first.top.seat]
    return any(first.pieces[one] != second.pieces[one] for one in ([command.block, enemies[0]] if enemies else []))


def no_piles(seat: Seat) -> tuple[PileId, ...]:
    """Return no piles: units return openly, so every pool may be known."""
    return ()


SECRETS = Secrets(
    game="blocks",
    is_secret_choice=lambda asked: asked.kind == "hands",
    comes_to_light=comes_to_light,
    never_known=no_piles,
    decline=Hold("left"),
    wild_commands=(game.March, game.Refit, game.Enter),
)


def compared(seeds: range) -> int:
    """Compare twins in some matches; return at how many positions their blocks differed."""
    found = 0
    for seed in seeds:
        walk = Wanderer(Desk.open("blocks", seed=str(seed)), ONLOOKERS, seed)
        while walk.step():
            if walk.table.ended is None and walk.table.top is not None and walk.table.top.kind != "enter":
                twins = walk.twins(SECRETS, walk.rng.choice(ONLOOKERS))
                found += twins.first.pieces != twins.second.pieces
                twins.play(6)
    return found


def test_no_onlooker_can_tell_which_blocks_are_where() -> None:
    """ACID 5, 7, 9: two matches that differ only in secrets unknown to a seat send it the same bytes."""
    assert compared(range(8)) > 60


def _refit_where_needed(draft: Draft, block: PieceId) -> None:
    unit = draft.table.pieces[block]
    if unit.steps < game.dots(unit.kind):
        draft.turn(block, unit.face, game.RULE, steps=game.dots(unit.kind))


def _mark_guards(draft: Draft, block: PieceId) -> None:
    unit = draft.table.pieces[block]
    if unit.steps > 1:
        draft.mark(block, MarkerId("strong"), game.RULE)
    draft.turn(block, unit.face, game.RULE, steps=game.dots(unit.kind))


def _weakest(table: Table, enemies: list[PieceId]) -> PieceId:
    return min(enemies, key=lambda one: table.pieces[one].steps)


def _only_where_there_is_a_choice(draft: Draft, side: Seat, block: PieceId) -> None:
    unit = draft.table.pieces[block].kind
    if not game.is_guards(unit):
        draft.ask("enter", side, game.SPAWN, {"block": block, "unit": unit}, seen_by=(side,))


def _openly(draft: Draft, side: Seat, block: PieceId) -> None:
    draft.ask("enter", side, game.SPAWN, {"block": block, "unit": draft.table.pieces[block].kind})


def _everybody(side: Seat) -> None:
    """Show all seats the edge at which a block enters."""


@pytest.mark.parametrize(
    ("name", "leak"),
    [
        ("refit", _refit_where_needed),
        ("refit", _mark_guards),
        ("target", _weakest),
        ("ask_where", _only_where_there_is_a_choice),
        ("ask_where", _openly),
        ("edge_seen_by", _everybody),
    ],
)
def test_a_planted_leak_is_found(name: str, leak: Callable[..., object], monkeypatch: pytest.MonkeyPatch) -> None:
    """ACID 5, 7, 20: an omitted event, a public marker, a choice by a hidden value, a question that is skipped or shows too much."""
    monkeypatch.setattr(game, name, leak)

    with pytest.raises(AssertionError):
        compared(range(40))


def test_a_fork_is_refused_while_a_question_holds_a_secret_of_another_seat() -> None:
    """ACID 5: the question's arguments cannot be dealt again; its owner may fork then, the other seats before and after."""
    desk = Desk.open("blocks", seed="1").play(1, Random(1))
    desk.accept(game.Spawn("armor"))
    asked = desk.events[-1]
    assert isinstance(asked, DecisionOpened)
    at = desk.table.seq

    assert (view(desk, SOVIET).stack[-1].arguments, view(desk, GERMAN).stack) == ({}, desk.table.stack)
    with pytest.raises(KernelError, match="the question"):
        desk.fork(at, "seeded", "f", SOVIET, hidden="resample")
    assert desk.fork(at, "seeded", "g", GERMAN, hidden="resample").audit().findings == ()


# Positions

HEAD = 'format = "wardiary-position/1"\ngame = "blocks"\n'
MID_COMBAT = (
    HEAD
    + """
[[pieces]]
id = "soviet-1"
place = "b"
kind = "soviet guards-1"
side = "soviet"
steps = 4
known_to = ["soviet"]
seen_by = ["german", "soviet"]

[[pieces]]
id = "soviet-2"
place = "b"
kind = "soviet rifle-1"
side = "soviet"
steps = 1
known_to = ["soviet"]

[[pieces]]
id = "soviet-3"
place = "c"
side = "soviet"
known_to = []

[[pieces]]
id = "german-1"
place = "a"
kind = "german rifle-1"
side = "german"
steps = 2
"""
)


def test_a_position_states_who_knows_a_block_and_who_has_seen_it() -> None:
    """ACID 10: one block was seen earlier, one is known only to its owner, one is not drawn yet; a fork respects this."""
    desk = Desk.open("blocks", position=MID_COMBAT)
    seen, own, nothing = (PieceId(f"soviet-{number}") for number in (1, 2, 3))
    german = view(desk, GERMAN)
    hidden = followed(desk, GERMAN, desk.table.seq)

    assert [german.pieces[block].kind for block in (seen, own, nothing)] == ["", "", ""]
    assert [view(desk, SOVIET).pieces[block].kind for block in (seen, own)] == ["soviet guards-1", "soviet rifle-1"]
    assert (hidden.followed[seen].kind, {*hidden.unseen}) == ("soviet guards-1", {own})
    for seed in range(6):
        fork = desk.fork(desk.table.seq, "seeded", f"p{seed}", GERMAN, hidden="resample", seed=str(seed))
        assert fork.table.pieces[seen] == desk.table.pieces[seen]
        assert fork.table.pieces[nothing].kind == ""
        assert fork.audit().findings == ()


@each_row(
    ("text", "words"),
    [
        (
            HEAD
            + '[[pieces]]\nid="x"\nplace="a"\nkind="soviet rifle-1"\nside="soviet"\nknown_to=["soviet"]\nseen_by=["german"]',
            "seen_by",
        ),
        (HEAD + '[[pieces]]\nid="x"\nplace="a"\nkind="soviet rifle-1"\nside="soviet"\nknown_to=["finn"]', "finn"),
        (HEAD + '[[pieces]]\nid="x"\nplace="a"\nkind="soviet rifle-1"\nside="soviet"\nknown_to=[]', "cannot be"),
        (
            HEAD + '[[pieces]]\nid="x"\nplace="a"\nkind="soviet rifle-1"\nside="soviet"\nseen_by=["soviet"]',
            "needs known_to",
        ),
    ],
)
def test_a_position_with_impossible_knowledge_is_refused(text: str, words: str) -> None:
    """ACID 10: the error names the impossible statement."""
    with pytest.raises(SetupInvalid, match=words):
        Desk.open("blocks", position=text)


def test_a_game_that_hides_no_pieces_refuses_a_position_that_hides_one() -> None:
    """ACID 10: statements about who knows a piece are not ignored silently."""
    text = 'format = "wardiary-position/1"\ngame = "skirmish"\n[[pieces]]\nid="red-flag"\nplace="camp"\nkind="flag"\nside="red"\nknown_to=["red"]'
    with skirmish_listed(), pytest.raises(SetupInvalid, match="piece red-flag cannot be hidden"):
        Desk.open("skirmish", position=text)
