"""The part of a draft that uses chance: dice, draws from piles, and random choices; each result is recorded at once."""

from collections.abc import Mapping, Sequence

from core.engine.chance_port import Chance, Weighted
from events.ids import AttributeKey, CardId, PieceId, PileId, RuleId, Seat
from events.vocabulary import (
    CardDrawn,
    ChosenByChance,
    DiceRolled,
    Event,
    HiddenDiceRolled,
    Modifier,
    PieceDrawn,
    events_with,
)
from projections.state.chosen_faces import with_chosen
from projections.state.fold import evolve
from projections.state.table import Table

NO_PIECE = PieceId("")

HIDDEN_DICE = AttributeKey("dice")
"""The attribute under which hidden dice lie on something."""


AFTER_THE_END = events_with(lambda traits: traits.may_follow_end)
"""Match events that can follow the end; game events cannot."""


class MatchOver(Exception):
    """The match has ended, so no further game event is possible.

    The rules need not check for it: the first event, die or draw after the end stops them at any depth.
    """


class ChanceDraft:
    """A table that a command changes, the events emitted so far, and the methods that use chance.

    Args:
        table: A clone that the draft may change.
        chance: The source of dice and draws.
    """

    __slots__ = ("answer", "chance", "events", "is_after_the_end", "table")

    def __init__(self, table: Table, chance: Chance) -> None:
        self.table = table
        self.chance = chance
        self.events: list[Event] = []
        self.is_after_the_end = table.ended is not None
        self.answer: RuleId | None = None
        """The rule under which the topmost question was answered; the question stays on the stack until an event replaces or closes it."""

    def emit(self, event: Event) -> None:
        """Record an event and fold it into the table.

        Raises:
            MatchOver: It is a game event, and the match has ended.
        """
        if self.table.ended is not None and type(event) not in AFTER_THE_END:
            self._check_running()
        self.events.append(event)
        evolve(self.table, event)

    @property
    def position(self) -> int:
        """The number to which chance is bound; see `Table.chance_position`."""
        return self.table.chance_position

    def dice(
        self,
        count: int,
        purpose: str,
        rule: RuleId,
        *,
        about: str = "",
        modifiers: tuple[Modifier, ...] = (),
        needed: int | None = None,
        sides: int = 6,
        keep: int = 0,
        within: tuple[int, int] | None = None,
        each: bool = False,
        or_less: bool = False,
        seen_by: tuple[Seat, ...] | None = None,
    ) -> tuple[int, ...]:
        """Roll `count` dice and record their faces, their modifiers and the number needed.

        With `seen_by` only these seats see the faces; such dice have no modifiers, and lie on what they are `about` (`core.engine.hidden_dice`).

        With `each` every die is compared with the number needed by itself, and the modifiers are added to each; with `or_less` as well it must show the number needed or less, to which the modifiers are added. With `keep` only that many of the highest faces count; the caller and the reader select them. A sum outside `within` counts
        as the nearer bound: a last modifier, under the rule of the one before it, makes up the difference, so that the record
        adds up to the sum that counts.
        """
        self._check_running()
        self._prepare(is_veiled=seen_by is not None)
        faces = self.chance.dice(self.position, count, sides, purpose)
        if seen_by is not None:
            assert about and not modifiers and needed is None, "hidden dice lie on something, and need no number"
            self.emit(
                HiddenDiceRolled(
                    rule=rule,
                    on=about,
                    key=HIDDEN_DICE,
                    count=count,
                    sides=sides,
                    faces=faces,
                    purpose=purpose,
                    seen_by=seen_by,
                )
            )
            return faces
        if self.table.chosen_faces is not None:
            faces = with_chosen(self.table.chosen_faces, self.table.seq + 1, faces, sides)
        if within is not None and modifiers:
            counted = sum(sorted(faces)[-keep:]) + sum([part.amount for part in modifiers])
            low, high = within
            if not low <= counted <= high:
                bound, words = (low, f"(at least {low})") if counted < low else (high, f"(at most {high})")
                modifiers = (*modifiers, Modifier(modifiers[-1].rule, words, bound - counted))
        self.emit(
            DiceRolled(
                rule=rule,
                faces=faces,
                sides=sides,
                keep=keep,
                purpose=purpose,
                about=about,
                modifiers=modifiers,
                needed=needed,
                each=each,
                or_less=or_less,
            )
        )
        return faces

    def draw_card(
        self, deck: PileId, to: PileId, purpose: str, rule: RuleId, *, seen_by: tuple[Seat, ...] | None = None
    ) -> CardId:
        """Draw a random card from a deck that is not empty into another pile."""
        card = self._pick(deck, purpose, seen_by)
        self.emit(CardDrawn(rule=rule, deck=deck, to=to, card=card, purpose=purpose, seen_by=seen_by))
        return card

    def draw_piece(
        self,
        pool: PileId,
        purpose: str,
        rule: RuleId,
        *,
        piece: PieceId = NO_PIECE,
        weights: Mapping[CardId, int] | None = None,
        seen_by: tuple[Seat, ...] | None = None,
    ) -> CardId:
        """Draw a random counter out of a pool that is not empty.

        Args:
            pool: The pool.
            purpose: The purpose.
            rule: The rule that requires it.
            piece: The piece on the table that it is, if any.
            weights: The weight of each candidate, 1 or more, if they are not all equal.
            seen_by: The seats that may know the result and the weights; None for all.
        """
        drawn = self._pick(pool, purpose, seen_by) if weights is None else self._weigh(weights, purpose, seen_by)
        odds = {} if weights is None else dict(weights)
        self.emit(
            PieceDrawn(rule=rule, pool=pool, drawn=drawn, weights=odds, piece=piece, purpose=purpose, seen_by=seen_by)
        )
        return drawn

    def _weigh(self, weights: Mapping[CardId, int], purpose: str, seen_by: tuple[Seat, ...] | None) -> CardId:
        self._check_running()
        self._prepare(is_veiled=seen_by is not None)
        listed = Weighted(tuple(weights), tuple(weights.values()))
        return CardId(listed[self.chance.pick(self.position, listed, purpose)])

    def choose(
        self,
        candidates: Sequence[str],
        purpose: str,
        rule: RuleId,
        *,
        about: str = "",
        seen_by: tuple[Seat, ...] | None = None,
    ) -> str:
        """Choose one of several candidates at random, without dice and without a pile.

        Args:
            candidates: Not empty. Their order must not depend on anything hidden from a seat that sees the choice.
            purpose: The purpose. Two choices bound to one number need two purposes, or their results are the same.
            rule: The rule that requires it.
            about: The place or piece concerned.
            seen_by: The seats that may know the choice and its candidates; None for all.
        """
        self._check_running()
        self._prepare(is_veiled=seen_by is not None)
        chosen = candidates[self.chance.pick(self.position, candidates, purpose)]
        self.emit(
            ChosenByChance(
                rule=rule,
                chosen=chosen,
                candidates=tuple(candidates),
                purpose=purpose,
                about=about,
                seen_by=seen_by,
            )
        )
        return chosen

    def _prepare(self, *, is_veiled: bool) -> None:
        """Open the links for a result, if its source has any; some seats may not know a veiled one, or not what it was taken from."""
        # Several in a fork that left its parent right after that had opened links: the recorded ones, and then the fork's own.
        while (opened := self.chance.prepare(is_veiled=is_veiled)) is not None:
            self.emit(opened)

    def _check_running(self) -> None:
        # A fork of a match that is over may deal hidden information again.
        if self.table.ended is not None and not self.is_after_the_end:
            raise MatchOver

    def _pick(self, pile: PileId, purpose: str, seen_by: tuple[Seat, ...] | None) -> CardId:
        self._check_running()
        there = self.table.pile(pile)
        assert there.cards and not there.hidden, f"cannot draw from {pile}"
        self._prepare(is_veiled=seen_by is not None or there.seen_by is not None)
        return there.cards[self.chance.pick(self.position, there.cards, purpose)]
