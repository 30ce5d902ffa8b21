"""Chance: dice from seeds, typed dice, and the check of recorded dice."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Callable

import pytest

from core.chance.chance_sources import KeyedChance, ManualChance, seeded, seeded_chance
from core.chance.links import SealedChance, ServerLinks, linked_scheme
from core.chance.recorded_chance import RecordedChance
from core.chance.schemes import MANUAL, SEALED, SEEDED, keeps_promise, own_scheme_problem
from core.engine.chance_port import Chance, Weighted
from core.errors import (
    DiceImpossible,
    DiceMissing,
    DrawMissing,
    KernelError,
    RecordDiffers,
    SchemeUnusable,
)
from events.codec import replace
from events.ids import CardId, MatchId, PileId, RuleId
from events.vocabulary import CardDrawn, ChanceScheme, DiceRolled, PhaseBegan, PieceDrawn, SeedRevealed
from projections.state.links import Links
from tests.support.rows import each_row

KEY = bytes(range(32))
RULE = RuleId("1")


def by_the_book(key: bytes, stream: str, seq: int, count: int, sides: int, purpose: str) -> list[int]:
    """Roll as the scheme defines, by an independent implementation."""
    faces: list[int] = []
    block = 0
    while len(faces) < count:
        digest = hmac.new(key, f"{stream}|{seq}|{purpose}|{block}".encode(), hashlib.sha256).digest()
        faces += [byte % sides + 1 for byte in digest if byte < 256 - 256 % sides]
        block += 1
    return faces[:count]


# Dice from a key


@each_row("sides", [2, 3, 6, 10, 20, 100])
@each_row("count", [1, 2, 31, 200])
def test_a_key_gives_the_dice_that_the_scheme_describes(sides: int, count: int) -> None:
    faces = KeyedChance(KEY, "m1").dice(7, count, sides, "supply")

    assert list(faces) == by_the_book(KEY, "m1", 7, count, sides, "supply")


def test_the_scheme_never_changes() -> None:
    """The expected dice are fixed: a release that rolls others breaks every sealed match."""
    chance = KeyedChance(KEY, "m1")

    assert chance.dice(1, 10, 6, "supply") == FROZEN_DICE
    assert [chance.pick(seq, [str(number) for number in range(1000)], "card") for seq in range(5)] == FROZEN_PICKS


FROZEN_DICE = (4, 2, 2, 1, 6, 1, 1, 5, 1, 2)
FROZEN_PICKS = [106, 45, 7, 721, 932]


@each_row(("stream", "seq", "purpose"), [("m2", 7, "supply"), ("m1", 8, "supply"), ("m1", 7, "event")])
def test_dice_are_bound_to_stream_number_and_purpose(stream: str, seq: int, purpose: str) -> None:
    there = KeyedChance(KEY, "m1").dice(7, 20, 6, "supply")
    elsewhere = KeyedChance(KEY, stream).dice(seq, 20, 6, purpose)

    assert there != elsewhere


def test_the_same_question_is_answered_the_same_way() -> None:
    chance = KeyedChance(KEY, "m1")
    once = chance.dice(7, 4, 6, "supply")
    chance.pick(8, ("a", "b"), "card")

    assert chance.dice(7, 4, 6, "supply") == once


def test_a_shift_is_subtracted_from_the_event_number() -> None:
    assert KeyedChance(KEY, "m1", shift=3).dice(10, 8, 6, "supply") == KeyedChance(KEY, "m1").dice(7, 8, 6, "supply")


@each_row("sides", [6, 10])
def test_every_face_is_equally_likely(sides: int) -> None:
    """Among 20,000 dice each face has its expected share, within five standard deviations."""
    counts = Counter(KeyedChance(KEY, "m1").dice(1, 20_000, sides, "fairness"))
    share = 20_000 / sides
    deviation = (share * (1 - 1 / sides)) ** 0.5

    assert sorted(counts) == list(range(1, sides + 1))
    assert max(abs(count - share) for count in counts.values()) < 5 * deviation


@each_row("size", [1, 2, 55, 256, 257, 1000])
def test_any_candidate_may_be_picked(size: int) -> None:
    candidates = [str(number) for number in range(size)]
    picked = {KeyedChance(KEY, "m1").pick(seq, candidates, "card") for seq in range(40 * size if size < 300 else 4000)}

    assert min(picked) >= 0
    assert max(picked) < size
    assert len(picked) > 0.9 * size


# Schemes


A_SEED, OTHER_SEED = "aa" * 32, "ab" * 32


def sealed(**fields: object) -> ChanceScheme:
    """Return the scheme of sealed dice, with changed fields."""
    return replace(linked_scheme(A_SEED, MatchId("m1"), 4), **fields)


@each_row(
    ("scheme", "words"),
    [
        (ChanceScheme(scheme="sealed/3", commitment="a" * 64), "'sealed/3' is not known"),
        (ChanceScheme(scheme=""), "'' is not known"),
        (ChanceScheme(scheme=SEALED), "anchor"),
        (sealed(commitment="AB" * 32), "anchor"),
        (sealed(veil="ab"), "veil"),
        (sealed(length=0), "length"),
        (sealed(), "do not follow from a public seed"),
        (ChanceScheme(scheme=SEEDED), "empty"),
        (ChanceScheme(scheme=MANUAL), "do not follow from a public seed"),
    ],
)
def test_no_key_is_made_for_an_unknown_or_invalid_scheme(scheme: ChanceScheme, words: str) -> None:
    with pytest.raises(SchemeUnusable, match=words):
        seeded_chance(scheme)


@each_row("seed", ["", "aa", OTHER_SEED, "AA" * 32, f"{'aa ' * 31}aa", "no hex"])
def test_only_the_seed_of_the_veil_is_that_of_sealed_dice(seed: str) -> None:
    assert not keeps_promise(seed, sealed())
    assert keeps_promise(A_SEED, sealed())


@each_row(
    ("scheme", "is_own"),
    [
        (sealed(), True),
        (sealed(stream="m2"), False),
        (sealed(seed="1"), False),
        (sealed(shift=1), False),
        (ChanceScheme(scheme=SEEDED, seed="1"), True),
        (ChanceScheme(scheme=SEEDED, seed="1", stream="m1"), False),
        (ChanceScheme(scheme=MANUAL), True),
        (ChanceScheme(scheme=MANUAL, seed="1"), False),
        (ChanceScheme(scheme="loaded/1"), False),
    ],
)
def test_each_chance_scheme_has_the_fields_of_its_kind(scheme: ChanceScheme, *, is_own: bool) -> None:
    assert (own_scheme_problem(scheme, MatchId("m1")) == "") is is_own


def test_seeded_dice_depend_only_on_the_public_seed() -> None:
    one = seeded("42").dice(5, 20, 6, "x")

    assert seeded("42").dice(5, 20, 6, "x") == one
    assert seeded("43").dice(5, 20, 6, "x") != one
    assert seeded("42").reveal() == ""


# Typed dice


def test_typed_dice_and_draws_are_used_up_in_order() -> None:
    chance = ManualChance((3, 4, 6), ("ace", "king"))

    assert chance.dice(1, 2, 6, "attack") == (3, 4)
    assert chance.pick(2, ("king", "ace"), "card") == 1
    assert chance.dice(3, 1, 6, "defence") == (6,)
    assert chance.pick(4, ("king",), "card") == 0
    chance.check_used_up()


def test_the_error_for_too_few_dice_states_count_sides_and_purpose() -> None:
    with pytest.raises(DiceMissing) as caught:
        ManualChance((3,)).dice(1, 4, 6, "supply")

    assert (caught.value.count, caught.value.sides, caught.value.purpose) == (3, 6, "supply")
    assert str(caught.value) == "this needs 3 more dice (1 to 6) for supply"


@each_row("face", [0, 7, -1, 1_000_000])
def test_a_typed_face_that_the_die_does_not_have_is_impossible(face: int) -> None:
    with pytest.raises(DiceImpossible, match="1 to 6"):
        ManualChance((face,)).dice(1, 1, 6, "supply")


def test_the_error_for_a_missing_draw_lists_the_candidates() -> None:
    with pytest.raises(DrawMissing) as caught:
        ManualChance().pick(1, ("king", "ace", "ace"), "card")

    assert caught.value.candidates == ("ace", "king")


def test_a_typed_card_outside_the_deck_is_impossible() -> None:
    with pytest.raises(DiceImpossible, match="'queen'"):
        ManualChance((), ("queen",)).pick(1, ("king", "ace"), "card")


@each_row("chance", [ManualChance((1,)), ManualChance((), ("ace",))])
def test_surplus_typed_dice_and_draws_are_named(chance: ManualChance) -> None:
    with pytest.raises(DiceImpossible, match=r"left over: (1|ace)"):
        chance.check_used_up()


def test_typed_dice_have_no_seed() -> None:
    assert ManualChance().reveal() == ""


# Recorded dice

DICE = DiceRolled(rule=RULE, faces=(3, 5), purpose="attack")
CARD = CardDrawn(rule=RULE, deck=PileId("deck"), to=PileId("hand"), card=CardId("ace"))
PIECE = PieceDrawn(rule=RULE, pool=PileId("mix"), drawn=CardId("h3"))


def test_a_record_gives_its_outcomes_in_order_and_its_seed() -> None:
    record = RecordedChance(
        [PhaseBegan(rule=RULE, phase="a", was=""), DICE, CARD, PIECE, SeedRevealed(rule=RULE, seed="aa")]
    )

    assert record.dice(2, 2, 6, "attack") == (3, 5)
    assert record.pick(3, ("king", "ace"), "card") == 1
    assert record.pick(4, ("h3",), "mix") == 0
    assert record.reveal() == "aa"


@each_row(
    ("ask", "recorded"),
    [
        (lambda record: record.dice(9, 3, 6, "attack"), "DiceRolled"),
        (lambda record: record.dice(9, 2, 10, "attack"), "DiceRolled"),
        (lambda record: record.pick(9, ("ace",), "card"), "DiceRolled"),
        (lambda record: (record.dice(9, 2, 6, "attack"), record.dice(9, 2, 6, "attack")), "nothing"),
    ],
)
def test_a_roll_without_a_record_names_the_event(ask: Callable[[Chance], object], recorded: str) -> None:
    with pytest.raises(RecordDiffers, match=f"event 9: .*; recorded is {recorded}$") as caught:
        ask(RecordedChance([DICE]))

    assert isinstance(caught.value, KernelError)


def test_a_recorded_face_that_the_die_does_not_have_is_a_difference() -> None:
    record = RecordedChance([DiceRolled(rule=RULE, faces=(3, 7), purpose="attack")])

    with pytest.raises(RecordDiffers, match="no die"):
        record.dice(9, 2, 6, "attack")


@each_row("card", [None, CardId("queen")])
def test_a_recorded_draw_of_a_missing_card_is_a_difference(card: CardId | None) -> None:
    record = RecordedChance([CardDrawn(rule=RULE, deck=PileId("deck"), to=PileId("hand"), card=card)])

    with pytest.raises(RecordDiffers):
        record.pick(9, ("king", "ace"), "card")


def test_after_the_record_another_source_continues() -> None:
    record = RecordedChance([DICE], after=ManualChance((1,), ("ace",)))

    assert record.dice(9, 2, 6, "attack") == (3, 5)
    assert record.dice(10, 1, 6, "attack") == (1,)
    assert record.pick(11, ("king", "ace"), "card") == 1


def test_the_continuing_source_has_its_own_seed() -> None:
    after = SealedChance(sealed(), ServerLinks(A_SEED, "m1", 4), Links(sealed().commitment), seed=A_SEED)

    assert RecordedChance([DICE], after=after).reveal() == A_SEED


def test_the_stored_names_of_chance_schemes_are_fixed() -> None:
    assert (SEALED, SEEDED, MANUAL) == ("sealed/2", "seeded/1", "manual/1")


@each_row("factor", [1, 1 << 20, 1 << 40])
def test_a_weighted_pick_occurs_in_proportion_to_its_weight(factor: int) -> None:
    """This holds even if the sum of the weights needs more than 32 bits."""
    listed = Weighted(("a", "b", "c"), (factor, 5 * factor, 2 * factor))
    chance = seeded("weights")
    counts = Counter(listed[chance.pick(number, listed, "unit")] for number in range(4000))

    assert [round(counts[name] / 500) for name in "abc"] == [1, 5, 2]


def test_a_recorded_weighted_pick_is_judged_by_its_seed() -> None:
    listed = Weighted(("a", "b"), (1, 3))
    chance = seeded("weights")
    for number in range(1, 20):
        fell = listed[chance.pick(number, listed, "unit")]
        for name in listed:
            drawn = PieceDrawn(rule=RuleId("1"), pool=PileId("pool"), drawn=CardId(name), weights={}, purpose="unit")
            record = RecordedChance([drawn], judge=lambda *_: chance)
            if name == fell:
                assert listed[record.pick(number, listed, "unit")] == name
            else:
                with pytest.raises(RecordDiffers, match="seed does not give"):
                    record.pick(number, listed, "unit")
