"""Absorbing Hits: one after the other, each allocated and met by the owner's choice."""

from collections.abc import Callable

from core.command import Command
from core.decision import Decision
from core.draft import Draft
from core.games.battle.components.card_model import ANY_TIME, SUFFERING_HITS, ActionCard, Cards
from core.games.battle.ids import PERIMETER, area, hand, played
from core.games.battle.memory import HITS, IGNORED, count, hits
from core.games.battle.rules.commands import Absorb, PlayCard
from core.games.battle.rules.distribution import take_rations
from core.games.battle.rules.fighting import may_retreat_at_all, participants
from core.games.battle.rules.losses import destroy_force
from core.games.battle.rules.queries import cards_in_hand, has_room, rations, retreat_parts, rubble
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.windows import ONE_USE, CardRule, Play, mistimed, put_away
from core.games.battle.rules.wrong_command import misplaced
from core.refusal import Refusal
from events.ids import PieceId, RuleId, Side
from events.vocabulary import Modifier
from projections.table import Open, Table

ONE_BY_ONE = RuleId("attack.hits.one-by-one")
BY_RATION = RuleId("attack.hits.ration")
BY_RETREAT = RuleId("retreat.absorbs")
BY_LOSS = RuleId("attack.hits.destroyed")
BY_NOTE = RuleId("force.note.ignore-hits")
EXCESS = RuleId("attack.hits.excess-lost")
RUBBLE_CARD = RuleId("card.rubble")

IGNORE = "ignored"
RATION = "ration"
RETREAT = "retreat"
LOSS = "destroyed"


class Hits:
    """The Hits of one side, bound to the cards."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def are_left(self, whose: Callable[[Open], Side]) -> Callable[[Table, Open], bool]:
        """Return what tells whether a side of a sequence still has Hits to absorb."""
        return lambda table, at: hits(table, whose(at)) > 0

    def ask(self, whose: Callable[[Open], Side]) -> Callable[[Draft, Open], None]:
        """Return the step that asks such a side for the next Hit; without any participant left the rest is lost.

        Source: RuleId("attack.hits.owner-allocates"), RuleId("attack.hits.one-by-one"), RuleId("attack.hits.excess-lost"),
        RuleId("window.hits").
        """

        def ask(draft: Draft, at: Open) -> None:
            side = whose(at)
            if participants(self.cards, draft.table, side):
                draft.ask("absorb_hit", draft.table.seat_of(side), ONE_BY_ONE, {"location": at.text("location")})
            else:
                HITS.set(draft, side, 0, EXCESS)

        return ask

    def is_ignoring(self, table: Table, force: PieceId) -> bool:
        """Whether a Force's note still swallows the next Hit. Source: RuleId("force.note.ignore-hits")."""
        return (IGNORED.of(table, force) or 0) < self.cards.forces[force].ignore_hits

    def refuse_retreat(self, table: Table, force: PieceId) -> Refusal | None:
        """Judge a Retreat.

        Source: RuleId("retreat.once"), RuleId("retreat.full-perimeter"), RuleId("card.tanks"), RuleId("retreat.not-a-move").
        """
        side, place = self.cards.forces[force].side, table.pieces[force].place
        if not may_retreat_at_all(table, side):
            return refused("retreat_must_not_be_barred")
        if not has_room(self.cards, table, area(self.cards.location_of(place), side, PERIMETER)):
            return refused("retreat_must_end_in_room")
        if not self.cards.is_control(place):
            return refused("retreat_must_start_in_control_area")
        return None


class AbsorbHit:
    """How the next Hit is met.

    Source: RuleId("attack.hits.owner-allocates"), RuleId("attack.hits.participants-only"),
    RuleId("attack.hits.stopping-optional"), RuleId("window.hits"), ruling.hits-one-by-one.
    """

    def __init__(self, cards: Cards, rules: dict[str, CardRule]) -> None:
        self.cards = cards
        self.hits = Hits(cards)
        self.rules = rules

    def options(self, table: Table, asked: Open) -> list[Command]:
        """Offer every participant and every way, and the cards for this moment."""
        side = table.side_of(asked.seat)
        found: list[Command] = []
        for force in participants(self.cards, table, side):
            if self.hits.is_ignoring(table, force):
                found.append(Absorb(force, IGNORE))
                continue
            if rations(table, force):
                found.append(Absorb(force, RATION))
            if self.hits.refuse_retreat(table, force) is None:
                found.append(Absorb(force, RETREAT))
            found.append(Absorb(force, LOSS))
        for card in cards_in_hand(self.cards, table, side):
            if card.title.timing in (SUFFERING_HITS, ANY_TIME):
                found.extend(self.rules[card.title.op].options(table, side, card))
        return found

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept a participant and a way that is open to it, or a card for this moment."""
        side = table.side_of(asked.seat)
        if isinstance(command, PlayCard):
            return self._refuse_card(table, asked, command)
        if not isinstance(command, Absorb):
            return misplaced(table, asked, command, "Hits are being absorbed: say how the next one is met.")
        force = self.cards.forces.get(command.force)
        if force is not None and force.side != side:
            return refused("force_must_be_own")
        if command.by not in (IGNORE, RATION, RETREAT, LOSS):
            return refused("target_must_exist", f"A Hit is met by {IGNORE}, {RATION}, {RETREAT} or {LOSS}.")
        if command.force not in participants(self.cards, table, side):
            return refused("force_must_take_part")
        if command.by == RATION and not rations(table, command.force):
            return refused("rations_must_suffice", rule=BY_RATION)
        if self.hits.is_ignoring(table, command.force) != (command.by == IGNORE):
            return refused(
                "choice_must_be_made", "A Force's note works before anything else, and only so often.", BY_NOTE
            )
        return self.hits.refuse_retreat(table, command.force) if command.by == RETREAT else None

    def _refuse_card(self, table: Table, asked: Open, command: PlayCard) -> Refusal | None:
        side = table.side_of(asked.seat)
        if command.card not in table.pile(hand(side)).cards:
            return refused("card_must_be_in_hand")
        card = self.cards.cards[command.card]
        if card.title.timing not in (SUFFERING_HITS, ANY_TIME):
            return mistimed(self.cards, table, card)
        return self.rules[card.title.op].refuse(table, side, card, command)

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Meet the Hit, or play the card."""
        side = draft.table.side_of(asked.seat)
        draft.answered(ONE_BY_ONE)
        if isinstance(command, PlayCard):
            card = self.cards.cards[command.card]
            draft.play_card(command.card, hand(side), played(side), ONE_USE)
            self.rules[card.title.op].effect(draft, Play(side, card, command))
            return
        assert isinstance(command, Absorb)
        self._meet(draft, side, command)

    def _meet(self, draft: Draft, side: Side, command: Absorb) -> None:
        """Carry one way out.

        Source: RuleId("attack.hits.ration"), RuleId("retreat.absorbs"), RuleId("retreat.surplus-lost"),
        RuleId("attack.hits.destroyed"), RuleId("force.note.retreat-bonus"), RuleId("heroic.retreat").
        """
        force, figures = command.force, self.cards.figures
        if command.by == IGNORE:
            count(IGNORED, draft, force, BY_NOTE)
            self._stop(draft, side, [Modifier(BY_NOTE, f"note of {force}", 1)])
        elif command.by == RATION:
            take_rations(draft, force, 1, BY_RATION)
            self._stop(draft, side, [Modifier(BY_RATION, f"Ration of {force}", figures.per_ration)])
        elif command.by == RETREAT:
            worth = retreat_parts(self.cards, draft.table, force)
            place = self.cards.location_of(draft.table.pieces[force].place)
            draft.move(force, area(place, side, PERIMETER), BY_RETREAT)
            self._stop(draft, side, worth)
        else:
            destroy_force(draft, self.cards, force, BY_LOSS)
            self._stop(draft, side, [Modifier(BY_LOSS, f"loss of {force}", figures.per_destroyed)])

    def _stop(self, draft: Draft, side: Side, stopped: list[Modifier]) -> None:
        """Take what is stopped off the Hits that are left; several parts are told."""
        left = max(0, hits(draft.table, side) - sum([part.amount for part in stopped]))
        parts = tuple([Modifier(part.rule, part.what, -part.amount) for part in stopped])
        HITS.set(draft, side, left, stopped[0].rule, parts=parts if len(parts) > 1 else None)


class RubbleCard:
    """The card Rubble. Source: RuleId("card.rubble"), ruling.rubble-card."""

    def rule(self) -> CardRule:
        """Return how the card is played."""
        return CardRule(self.judge, self.stop)

    def judge(self, table: Table, side: Side, card: ActionCard, command: PlayCard) -> Refusal | None:
        """Demand Rubble on the Location where Hits are being absorbed."""
        if command.force or command.other or command.to:
            return refused("target_must_exist", f"{card.title.name} names nothing.")
        if rubble(table, where_hits_fall(table)) < card.title.min_rubble:
            return refused("rubble_must_suffice")
        return None

    def stop(self, draft: Draft, play: Play) -> None:
        """Stop Hits; the card is resolved at once. Source: RuleId("card.rubble"), ruling.discard-moment."""
        HITS.set(draft, play.side, max(0, hits(draft.table, play.side) - play.card.title.amount), RUBBLE_CARD)
        put_away(draft, play)


def where_hits_fall(table: Table) -> str:
    """Return the Location at which Hits are being absorbed; empty if none are."""
    absorbing = table.topmost("absorb_hit")
    return "" if absorbing is None else absorbing.text("location")


def decisions(cards: Cards, rules: dict[str, CardRule]) -> dict[str, Decision]:
    """Return the question of this chapter."""
    return {"absorb_hit": AbsorbHit(cards, rules)}
