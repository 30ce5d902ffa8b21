"""The part of a draft that asks chance: dice, draws from piles, and choices; each is recorded as it falls."""

from collections.abc import Mapping, Sequence

from core.chance import Chance, Weighted
from events.ids import CardId, PieceId, PileId, RuleId, Seat
from events.vocabulary import (
    CardDrawn,
    ChosenByChance,
    DiceRolled,
    Event,
    MatchForked,
    Modifier,
    NoteAdded,
    PieceDrawn,
    RulingMade,
    SeatLeft,
    SeatTaken,
    SecretsRedealt,
    SeedRevealed,
    StandingAnswerGiven,
    StandingAnswersRevealed,
)
from projections.fold import evolve
from projections.table import Table

NO_PIECE = PieceId("")


AFTER_THE_END = frozenset(
    (
        MatchForked,
        SecretsRedealt,
        SeatTaken,
        SeatLeft,
        SeedRevealed,
        RulingMade,
        NoteAdded,
        StandingAnswerGiven,
        StandingAnswersRevealed,
    )
)
"""Facts of the match that can follow its end; facts of the game cannot."""


class MatchOver(Exception):
    """The match has ended, so that no more of the game can happen.

    The rules need not look: the first fact, die or draw after the end stops them, however deep they are in a step.
    """


class ChanceDraft:
    """A table in the making, the events that made it so, and the verbs that ask chance.

    Args:
        table: A clone that the draft may change.
        chance: Where dice and draws come from.
    """

    __slots__ = ("answer", "chance", "events", "is_after_the_end", "table")

    def __init__(self, table: Table, chance: Chance) -> None:
        self.table = table
        self.chance = chance
        self.events: list[Event] = []
        self.is_after_the_end = table.ended is not None
        self.answer: RuleId | None = None
        """The rule under which the topmost question was answered; it stays on the stack until a fact says what follows."""

    def emit(self, event: Event) -> None:
        """Record a fact and fold it into the table.

        Raises:
            MatchOver: It is one of the game, and the match has ended.
        """
        if self.table.ended is not None and type(event) not in AFTER_THE_END:
            self._check_running()
        self.events.append(event)
        evolve(self.table, event)

    @property
    def position(self) -> int:
        """What chance is bound to; see `Table.chance_position`."""
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
    ) -> tuple[int, ...]:
        """Roll `count` dice and record their faces with what is added to them and what is needed.

        With `keep` only so many of the highest faces count; which ones that are is left to the caller and the reader.
        A sum that is not `within` these two numbers counts as the nearer one: so that the record adds up to what counts, a
        last part under the rule of the part before it makes up the difference.
        """
        self._check_running()
        faces = self.chance.dice(self.position, count, sides, purpose)
        if within is not None and modifiers:
            counted = sum(sorted(faces)[-keep:]) + sum([part.amount for part in modifiers])
            low, high = within
            if not low <= counted <= high:
                bound, words = (low, f"{low} at least") if counted < low else (high, f"{high} at most")
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
            )
        )
        return faces

    def draw_card(
        self, deck: PileId, to: PileId, purpose: str, rule: RuleId, *, seen_by: tuple[Seat, ...] | None = None
    ) -> CardId:
        """Draw a card by chance from a deck that is not empty into another pile."""
        card = self._pick(deck, purpose)
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
        """Take one counter by chance out of a pool that is not empty.

        Args:
            pool: The pool.
            purpose: What for.
            rule: The rule that asks for it.
            piece: The piece on the table that it is, if any.
            weights: How many chances each has that can be drawn, 1 or more, if not all in the pool have the same.
            seen_by: Who may know what was drawn, and by which odds; None for all.
        """
        drawn = self._pick(pool, purpose) if weights is None else self._weigh(weights, purpose)
        odds = {} if weights is None else dict(weights)
        self.emit(
            PieceDrawn(rule=rule, pool=pool, drawn=drawn, weights=odds, piece=piece, purpose=purpose, seen_by=seen_by)
        )
        return drawn

    def _weigh(self, weights: Mapping[CardId, int], purpose: str) -> CardId:
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
        """Let chance choose one of several candidates, where no die is thrown and nothing is drawn from a pile.

        Args:
            candidates: Not empty. Their order must not depend on what a seat that sees the choice may not know.
            purpose: What for. Two choices bound to one number need two purposes, or they fall alike.
            rule: The rule that asks for it.
            about: The place or piece concerned.
            seen_by: Who may know the choice and between what; None for all.
        """
        self._check_running()
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

    def _check_running(self) -> None:
        # A fork of a match that is over may deal again what was hidden in it.
        if self.table.ended is not None and not self.is_after_the_end:
            raise MatchOver

    def _pick(self, pile: PileId, purpose: str) -> CardId:
        self._check_running()
        there = self.table.pile(pile)
        assert there.cards and not there.hidden, f"cannot draw from {pile}"
        return there.cards[self.chance.pick(self.position, there.cards, purpose)]
