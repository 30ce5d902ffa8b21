"""Absorbing Hits one after the other, each allocated and met by the owner's choice; card attacks, which inflict them."""

from collections.abc import Callable

from core.engine.draft import Draft
from core.engine.question import Answer, Question
from core.engine.steps import Step, StepSequence
from core.games.battle.components.card_model import ActionCard, Cards
from core.games.battle.ids import PERIMETER, area, enemy
from core.games.battle.memory import DEFENDING, HITS, IGNORED, NO_RETREAT, takes_part
from core.games.battle.rules import queries
from core.games.battle.rules.changes import Chapter, destroy_force, move_force, place_rubble, take_rations
from core.games.battle.rules.commands import Absorb, PlayCard
from core.games.battle.rules.refusals import misplaced, refused
from core.games.battle.rules.windows import (
    PUT_AWAY,
    CardRule,
    HandCards,
    Play,
    losses_step,
    plain,
    put_away,
    put_played_away,
)
from core.refusal import Refusal
from events.ids import TABLE, CardId, PieceId, RuleId, Side
from events.vocabulary import Modifier, Value
from projections.state.table import Open, Table

ONE_BY_ONE = RuleId("attack.hits.one-by-one")
BY_RATION = RuleId("attack.hits.ration")
BY_RETREAT = RuleId("retreat.absorbs")
BY_LOSS = RuleId("attack.hits.destroyed")
BY_NOTE = RuleId("force.note.ignore-hits")
EXCESS = RuleId("attack.hits.excess-lost")

IGNORE = "ignored"
RATION = "ration"
RETREAT = "retreat"
LOSS = "destroyed"
WAYS = (IGNORE, RATION, RETREAT, LOSS)


class Hits(Chapter):
    """The Hits of one side, and how the next one is met.

    Source: attack.hits.owner-allocates, attack.hits.participants-only, attack.hits.stopping-optional, window.hits,
    ruling.hits-one-by-one.
    """

    def step(self, name: str, rule: RuleId, whose: Callable[[Open], Side]) -> Step:
        """Return the step that asks a side of a sequence for one Hit after the other, as long as any are left.

        Without any participant left the rest is lost. Source: attack.hits.one-by-one, attack.hits.excess-lost.
        """

        def ask(draft: Draft, at: Open) -> None:
            side = whose(at)
            if queries.participants(self.cards, draft.table, side):
                about: dict[str, Value] = {"location": at.text("location"), "hits": HITS.of(draft.table, side)}
                draft.ask("absorb_hit", draft.table.seat_of(side), ONE_BY_ONE, about)
            else:
                HITS.set(draft, side, 0, EXCESS)

        return Step(name, rule, ask, when=lambda table, at: HITS.of(table, whose(at)) > 0, repeats=True)

    def question(self, rules: dict[str, CardRule]) -> Question:
        """Return how the next Hit is met: by a participant, or by a card for this moment."""
        hand_cards = HandCards(self.cards, rules, frozenset({"suffering_hits"}))

        def play(draft: Draft, asked: Open, command: PlayCard) -> None:
            draft.answered(ONE_BY_ONE)
            hand_cards.play(draft, asked, command)

        return Question(
            (Answer(Absorb, self._candidates, self._refuse, self._meet, ends=ONE_BY_ONE), hand_cards.answer(play)),
            misplaced,
        )

    def _candidates(self, table: Table, asked: Open) -> list[Absorb]:
        forces = queries.participants(self.cards, table, table.side_of(asked.seat))
        return [Absorb(force, way) for force in forces for way in WAYS]

    def _refuse(self, table: Table, asked: Open, command: Absorb) -> Refusal | None:
        """Refuse all but participants, and ways that are not open to them."""
        side, force = table.side_of(asked.seat), command.force
        if self.cards.is_enemy_force(force, side):
            return refused("force_must_be_own")
        if command.by not in WAYS:
            return refused("target_must_exist", f"A Hit is met by {IGNORE}, {RATION}, {RETREAT} or {LOSS}.", ONE_BY_ONE)
        if not queries.is_on_map(table, force) or not takes_part(table, force):
            return refused("force_must_take_part")
        if command.by == RATION and not queries.rations(table, force):
            return refused("rations_must_suffice", rule=BY_RATION)
        is_ignoring = IGNORED.of(table, force) < self.cards.forces[force].ignore_hits
        if is_ignoring != (command.by == IGNORE):
            sentence = "A Force's note works before anything else, and only so often."
            return refused("choice_must_be_made", sentence, BY_NOTE)
        return self._refuse_retreat(table, side, force) if command.by == RETREAT else None

    def _refuse_retreat(self, table: Table, side: Side, force: PieceId) -> Refusal | None:
        """Judge a Retreat. Source: retreat.once, retreat.full-perimeter, card.tanks, retreat.not-a-move."""
        place = table.pieces[force].place
        if NO_RETREAT.of(table, side):
            return refused("retreat_must_not_be_barred")
        if not queries.has_room(self.cards, table, area(self.cards.location_of(place), side, PERIMETER)):
            return refused("retreat_must_end_in_room")
        return None if self.cards.is_control(place) else refused("retreat_must_start_in_control_area")

    def _meet(self, draft: Draft, asked: Open, command: Absorb) -> None:
        """Carry one way out.

        Source: attack.hits.ration, retreat.absorbs, retreat.surplus-lost, attack.hits.destroyed, force.note.retreat-bonus,
        heroic.retreat.
        """
        side, force, figures = draft.table.side_of(asked.seat), command.force, self.cards.figures
        if command.by == IGNORE:
            IGNORED.add(draft, force, BY_NOTE)
            stopped = [Modifier(BY_NOTE, f"note of {force}", 1)]
        elif command.by == RATION:
            take_rations(draft, force, 1, BY_RATION)
            stopped = [Modifier(BY_RATION, f"Ration of {force}", figures.per_ration)]
        elif command.by == RETREAT:
            stopped = queries.retreat_parts(self.cards, draft.table, force)
            location = self.cards.location_of(draft.table.pieces[force].place)
            move_force(draft, self.cards, force, area(location, side, PERIMETER), BY_RETREAT)
        else:
            destroy_force(draft, self.cards, force, BY_LOSS)
            stopped = [Modifier(BY_LOSS, f"loss of {force}", figures.per_destroyed)]
        left = max(0, HITS.of(draft.table, side) - sum([part.amount for part in stopped]))
        parts = tuple([Modifier(part.rule, part.what, -part.amount) for part in stopped])
        HITS.set(draft, side, left, stopped[0].rule, parts=parts if len(parts) > 1 else None)


def rubble_card() -> CardRule:
    """Return how the card Rubble is played. Source: card.rubble, ruling.rubble-card."""

    def refuse(table: Table, side: Side, card: ActionCard) -> Refusal | None:
        absorbing = table.topmost("absorb_hit")
        there = 0 if absorbing is None else queries.rubble(table, absorbing.text("location"))
        needed = f"The Location has {there} Rubble, the card needs {card.title.min_rubble}."
        return refused("rubble_must_suffice", needed) if there < card.title.min_rubble else None

    def stop(draft: Draft, play: Play) -> None:
        """Stop Hits; the card is resolved at once. Source: card.rubble, ruling.discard-moment."""
        HITS.set(draft, play.side, max(0, HITS.of(draft.table, play.side) - play.card.title.amount), play.rule)
        put_away(draft, play.card)

    return plain(RuleId("card.rubble"), stop, refuse)


# Card attacks

TARGET = RuleId("card-attack.target")
ALONE = RuleId("card-attack.target-absorbs-alone")
NOTE = RuleId("location.note.card-attack-bonus")
INFLICT_RUBBLE = RuleId("card.inflict-rubble")

TITLES = {"dive_bombers": RuleId("card.dive-bombers"), "artillery_barrage": RuleId("card.artillery-barrage")}
"""The rules of the titles of card attacks."""


class CardAttack(Chapter):
    """A card that inflicts Rubble and Hits on one Force.

    Source: card.dive-bombers, card.artillery-barrage, card-attack.target, ruling.card-attack.
    """

    def __init__(self, cards: Cards) -> None:
        super().__init__(cards)
        self.sequence = StepSequence(
            "card_attack",
            ALONE,
            (
                Step("strike", TARGET, self._strike),
                Hits(cards).step("absorb", ALONE, lambda at: Side(at.text("side"))),
                Step("put_away", PUT_AWAY, put_played_away),
                losses_step(cards),
            ),
        )

    def card_rule(self) -> CardRule:
        """Return how such a card is played."""
        return CardRule(TARGET, self._refuse, self._begin, self._targets, TITLES)

    def _targets(self, table: Table, side: Side, card: ActionCard) -> list[PlayCard]:
        return [PlayCard(card.id, force=force) for force in queries.forces_of(self.cards, table, enemy(side))]

    def _refuse(self, table: Table, side: Side, card: ActionCard, command: PlayCard) -> Refusal | None:
        """Refuse all but enemy Forces in Control Areas."""
        is_enemy = self.cards.is_enemy_force(command.force, side) and queries.is_on_map(table, command.force)
        if not is_enemy or command.other or command.to:
            return refused("target_must_exist", "Name an enemy Force in a Control Area (force).", TARGET)
        is_in_control = self.cards.is_control(table.pieces[command.force].place)
        return None if is_in_control else refused("target_must_be_in_control_area")

    def _begin(self, draft: Draft, play: Play) -> None:
        force = play.command.force
        location = self.cards.location_of(draft.table.pieces[force].place)
        about = {"card": play.card.id, "force": force, "side": enemy(play.side), "location": location}
        self.sequence.begin(draft, {**about})

    def _strike(self, draft: Draft, at: Open) -> None:
        """Place the Rubble, and set how many Hits the target's owner absorbs.

        Source: card.inflict-rubble, card-attack.no-firefight, card-attack.target-absorbs-alone, location.note.card-attack-bonus.
        """
        side, title = Side(at.text("side")), self.cards.cards[CardId(at.text("card"))].title
        parts = [Modifier(TITLES.get(title.id, TARGET), title.name, title.hits)]
        holders = queries.note_holders(self.cards, draft.table, enemy(side), "card_attack_bonus")
        parts += [Modifier(NOTE, f"note of {one.id}", one.note.amount) for one in holders]
        DEFENDING.set(draft, TABLE, (PieceId(at.text("force")),), TARGET)
        place_rubble(draft, self.cards, at.text("location"), title.rubble, INFLICT_RUBBLE)
        HITS.set(draft, side, sum([part.amount for part in parts]), ALONE, parts=tuple(parts))
