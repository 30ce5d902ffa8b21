"""A made-up chapter for the tests of sequences: a combat in steps, an order that can be cancelled, and hits taken one by one."""

from collections.abc import Callable

from core.chance.chance_sources import ManualChance
from core.engine.command import Command
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.draft_chance import MatchOver
from core.engine.steps import Step, StepSequence
from core.refusal import Refusal
from events.ids import TABLE, AttributeKey, CardId, MarkerId, PileId, RuleId, Seat, Side
from events.vocabulary import Event
from projections.state.table import Open, Table

RULE = RuleId("1.combat")
RED = Seat("red")
BLITZ, HITS = AttributeKey("blitz"), AttributeKey("hits")
FOLLOWED = MarkerId("followed")
DECK, HAND = PileId("deck"), PileId("hand")


class Yes(Command, frozen=True, tag="yes"):
    """Agree; after a hit, take it."""


class No(Command, frozen=True, tag="no"):
    """Disagree; after an order, cancel it."""


class Ask:
    """A question with two answers."""

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List both."""
        return [Yes(), No()]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Refuse nothing."""
        return None

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Carry the answer out: take a hit and ask for the next, cancel an order, or place a leader after a capture."""
        if asked.kind == "hit":
            left = draft.table.attribute(TABLE, HITS)
            assert isinstance(left, int)
            draft.set_attribute(TABLE, HITS, left - 1, RULE, within="combat", until="step")
            draft.answered(RULE)
        elif asked.kind == "obey" and command == No():
            draft.end_sequence("order", RULE)
        else:
            draft.answered(RULE)
            if asked.kind == "capture" and command == Yes():
                draft.set_attribute(TABLE, BLITZ, value=True, rule=RULE)


class CombatGame:
    """The rules and one table; `play` and `begin` return the events."""

    def __init__(self, cards: tuple[str, ...] = ()) -> None:
        self.table = Table(began=True, seats=(RED,))
        combat = StepSequence(
            "combat",
            RULE,
            (
                Step("throw", RULE, self.throw),
                Step("hits", RULE, self.ask_hit, when=self.has_hits, repeats=True),
                Step("capture", RULE, self.ask("capture")),
                Step("blitz", RULE, self.ask("blitz"), when=lambda table, _: bool(table.attribute(TABLE, BLITZ))),
                Step("deal", RULE, self.deal, when=lambda table, _: bool(table.pile(DECK).count)),
                Step("order", RULE, self.order),
                Step("last", RULE, self.ask("last")),
            ),
        )
        order = StepSequence(
            "order", RULE, (Step("answer", RULE, self.ask("obey")), Step("move", RULE, self.ask("move")))
        )
        empty = StepSequence("empty", RULE, (Step("never", RULE, self.throw, when=lambda *_: False),), self.follow)
        self.sequences = {one.kind: one for one in (combat, order, empty)}
        kinds = dict.fromkeys(("hit", "capture", "blitz", "obey", "move", "last"), Ask())
        self.rules = DecisionRules(kinds, sequences=self.sequences.values())
        if cards:
            Draft(self.table, ManualChance()).form(DECK, tuple(map(CardId, cards)), RULE)

    def ask(self, kind: str) -> Callable[[Draft, Open], None]:
        """Return a step that puts a question."""

        def put(draft: Draft, at: Open) -> None:
            draft.ask(kind, RED, RULE)

        return put

    def throw(self, draft: Draft, at: Open) -> None:
        """Throw for hits, and keep their number on the table."""
        (hits,) = draft.dice(1, "hits", RULE)
        draft.set_attribute(TABLE, HITS, hits, RULE, within="combat")

    def has_hits(self, table: Table, at: Open) -> bool:
        """Return whether a hit is still to be taken."""
        return bool(table.attribute(TABLE, HITS))

    def ask_hit(self, draft: Draft, at: Open) -> None:
        """Ask who takes the next hit."""
        draft.ask("hit", RED, RULE)

    def deal(self, draft: Draft, at: Open) -> None:
        """Deal four cards; the last card of the deck ends the match."""
        for _ in range(4):
            draft.draw_card(DECK, HAND, "deal", RULE)
            if not draft.table.pile(DECK).count:
                draft.end_match("Deck empty", (Side("red"),), RULE)

    def order(self, draft: Draft, at: Open) -> None:
        """Begin an order that may be cancelled."""
        self.sequences["order"].begin(draft, {"unit": "tank"})

    def follow(self, draft: Draft, at: Open) -> None:
        """Record that the part after the sequence was reached."""
        draft.mark(TABLE, FOLLOWED, RULE)

    def begin(self, kind: str, *faces: int) -> list[Event]:
        """Begin a sequence."""
        draft = Draft(self.table, ManualChance(faces))
        self.sequences[kind].begin(draft, {"at": "hill"})
        self.rules.settle(draft)
        return draft.events

    def play(self, command: Command, *draws: str) -> list[Event]:
        """Answer the open question."""
        draft = Draft(self.table, ManualChance((), draws))
        try:
            self.rules.take(draft, command)
        except MatchOver:
            assert self.table.ended is not None
        return draft.events
