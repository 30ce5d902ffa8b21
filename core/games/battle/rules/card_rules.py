"""Play of cards outside battles: the targets that they may name, refusals, and effects.

Each effect word of the card data has one `CardRule`; those of battles are in the chapters on battles.
"""

from core.engine.draft import Draft
from core.engine.question import Answer, Question
from core.games.battle.components.card_model import ActionCard
from core.games.battle.ids import POINTS, deck, discards, enemy, hand, played, snipers
from core.games.battle.memory import BIG_PUSH, FREE_MOVES_LEFT, LOCKED, LOST, NO_LOCATION_CARDS, takes_part
from core.games.battle.rules.changes import Chapter, draw, give_rations, lack_card, make_ready, take_rations
from core.games.battle.rules.commands import PlayCard, TakeCard
from core.games.battle.rules.move import Moves
from core.games.battle.rules.queries import forces_of, is_on_map, note_amount, perimeter_forces
from core.games.battle.rules.refusals import misplaced, refused
from core.games.battle.rules.supply import give_to_perimeter, hand_out
from core.games.battle.rules.windows import PUT_AWAY, CardRule, Play, plain, put_away
from core.refusal import Refusal
from events.ids import TABLE, CardId, RuleId, Side
from projections.state.table import Open, Table

MORE_POINTS = RuleId("location.note.reinforcements-bonus")
TAKEN = RuleId("secrecy.scouts")
RAID = RuleId("card.supply-raid")
MISSING = RuleId("card.remove-missing-rations")
RECOVER = RuleId("card.recover-wounded")
LOCK = RuleId("card.sniper.lock")


class CardRules(Chapter):
    """The effects that are no battle."""

    def card_rules(self) -> dict[str, CardRule]:
        """Return how each of these effects is played."""
        return {
            "steal_rations": CardRule(RAID, self._refuse_raid, self._raid, self._raid_targets, is_exact=True),
            "gain_rations_each": plain(RuleId("card.fresh-supplies"), self._fresh_supplies),
            "distribute_rations": plain(
                RuleId("card.air-supply"), self._hand_out, self._refuse_hand_out, {"recover_wounded": RECOVER}
            ),
            "draw_cards": plain(
                RuleId("card.desperation"), self._draw_cards, self._refuse_draw, {"victory": RuleId("card.victory")}
            ),
            "force_points": plain(RuleId("card.reinforcements"), self._reinforcements),
            "search_deck": plain(RuleId("card.scouts"), self._scouts),
            "free_moves": plain(RuleId("card.high-morale"), self._high_morale),
            "combat_bonus_all": plain(RuleId("card.big-push"), self._big_push),
            "cancel_move": plain(RuleId("card.sniper"), self._sniper),
            "deny_location_draws": plain(RuleId("card.propaganda-war"), self._propaganda_war),
        }

    def _raid_targets(self, table: Table, side: Side, card: ActionCard) -> list[PlayCard]:
        """Return every enemy Force as giver and every own one as receiver. Exact: there are up to 300 pairs."""
        own = forces_of(self.cards, table, side)
        givers = forces_of(self.cards, table, enemy(side))
        return [PlayCard(card.id, force=giver, other=taker) for giver in givers for taker in own]

    def _refuse_raid(self, table: Table, side: Side, card: ActionCard, command: PlayCard) -> Refusal | None:
        """Refuse all but an enemy Force and an own one. Source: card.supply-raid."""
        if self.cards.is_enemy_force(command.other, side):
            return refused("force_must_be_own")
        is_pair = self.cards.is_enemy_force(command.force, side) and command.other in self.cards.forces
        if not is_pair or command.to:
            return refused("target_must_exist", "Name an enemy Force (force) and an own Force (other).", RAID)
        if not (is_on_map(table, command.force) and is_on_map(table, command.other)):
            return refused("target_must_exist", "Both Forces must be on the table.", RAID)
        return None

    def _raid(self, draft: Draft, play: Play) -> None:
        """Take Rations from one Force and give them to another.

        Source: card.supply-raid, card.remove-missing-rations, ruling.supply-raid.
        """
        taken = take_rations(draft, play.command.force, play.card.title.amount, play.rule)
        if not taken:
            draft.apply(MISSING, "has no Ration to take", play.command.force)
        give_rations(draft, play.command.other, taken, play.rule)
        put_away(draft, play.card)

    def _fresh_supplies(self, draft: Draft, play: Play) -> None:
        """Give each own Perimeter Force its Rations. Source: card.fresh-supplies, ruling.fresh-supplies."""
        if not perimeter_forces(self.cards, draft.table, play.side):
            draft.apply(play.rule, "no Force is in a Perimeter Area to get Rations", play.side)
        give_to_perimeter(draft, self.cards, play.side, play.card.title.amount, play.rule)
        put_away(draft, play.card)

    def _refuse_hand_out(self, table: Table, side: Side, card: ActionCard) -> Refusal | None:
        """Demand a Force to give to, and for Recover Wounded a Force lost.

        Source: card.air-supply, card.recover-wounded, ruling.recover-wounded.
        """
        if not forces_of(self.cards, table, side):
            return refused("force_must_be_on_table")
        if card.title.timing == "own_force_destroyed" and not LOST.of(table, side):
            return refused("card_condition_must_be_met", "No own Force was just Destroyed.", RECOVER)
        return None

    def _hand_out(self, draft: Draft, play: Play) -> None:
        """Hand Rations out anywhere. Source: card.air-supply, card.recover-wounded."""
        if play.card.title.timing == "own_force_destroyed":
            LOST.add(draft, play.side, RECOVER, -1)
        put_away(draft, play.card)
        hand_out(draft, self.cards, play.side, play.card.title.amount, play.rule)

    def _reinforcements(self, draft: Draft, play: Play) -> None:
        """Add points. Source: card.reinforcements, location.note.reinforcements-bonus."""
        more = note_amount(self.cards, draft.table, play.side, "reinforcements_bonus")
        draft.track(POINTS, draft.table.track(POINTS) + play.card.title.amount, play.rule)
        draft.track(POINTS, draft.table.track(POINTS) + more, MORE_POINTS)
        put_away(draft, play.card)

    def _refuse_draw(self, table: Table, side: Side, card: ActionCard) -> Refusal | None:
        """Demand, if the card says so as Victory does, that no enemy participant is left in the Control Area.

        Source: card.victory, ruling.victory-card.
        """
        for force in forces_of(self.cards, table, enemy(side)) if card.title.condition else ():
            if takes_part(table, force) and self.cards.is_control(table.pieces[force].place):
                sentence = "An enemy Force of that battle is still in the Control Area."
                return refused("card_condition_must_be_met", sentence)
        return None

    def _draw_cards(self, draft: Draft, play: Play) -> None:
        """Draw cards; the card itself is put away afterwards, so that it cannot draw itself.

        Source: card.desperation, card.victory, ruling.discard-moment.
        """
        draw(draft, play.side, [(play.rule, play.card.title.amount)], play.card.title.id)
        put_away(draft, play.card)

    def _scouts(self, draft: Draft, play: Play) -> None:
        """Ask which card of the deck is taken. Source: card.scouts, secrecy.scouts, ruling.scouts."""
        if not make_ready(draft, play.side):
            lack_card(draft, play.side, "no card is looked through")
            put_away(draft, play.card)
            return
        pile, seat = deck(play.side), draft.table.seat_of(play.side)
        draft.form(pile, tuple(sorted(draft.table.pile(pile).cards)), play.rule, seen_by=(seat,))
        draft.ask("scouts", seat, play.rule, {"card": play.card.id})

    def _high_morale(self, draft: Draft, play: Play) -> None:
        """Begin a series of free Moves. Source: card.high-morale, ruling.high-morale."""
        put_away(draft, play.card)
        draft.ask("free_move", draft.table.seat_of(play.side), play.rule)
        FREE_MOVES_LEFT.set(draft, TABLE, play.card.title.amount, play.rule)

    def _big_push(self, draft: Draft, play: Play) -> None:
        """Raise the Combat of all own Forces until the turn ends. Source: card.big-push, ruling.big-push."""
        BIG_PUSH.add(draft, play.side, play.rule, play.card.title.amount)
        put_away(draft, play.card)

    def _sniper(self, draft: Draft, play: Play) -> None:
        """Lay the card on the Force whose Move is declared, and cancel the Move.

        Source: card.sniper, card.sniper.lock, ruling.sniper-scope.
        """
        draft.play_card(play.card.id, played(play.side), snipers(play.side), LOCK)
        LOCKED.set(draft, Moves(self.cards).cancel(draft, play.rule), value=True, rule=LOCK)

    def _propaganda_war(self, draft: Draft, play: Play) -> None:
        """Keep the enemy from drawing for Locations. Source: card.propaganda-war, ruling.propaganda-scope."""
        NO_LOCATION_CARDS.set(draft, TABLE, value=True, rule=play.rule)
        put_away(draft, play.card)


# Scouts


def scouts_question() -> Question:
    """Return which card of the own deck Scouts takes; one must be taken. Source: card.scouts, card.scouts.use-at-once."""
    return Question([Answer(TakeCard, _cards_of_deck, _refuse_card, _take_card, ends=TAKEN)], misplaced)


def _cards_of_deck(table: Table, asked: Open) -> list[TakeCard]:
    return [TakeCard(card) for card in table.pile(deck(table.side_of(asked.seat))).cards]


def _refuse_card(table: Table, asked: Open, command: TakeCard) -> Refusal | None:
    is_there = command.card in table.pile(deck(table.side_of(asked.seat))).cards
    return None if is_there else refused("card_must_be_in_deck")


def _take_card(draft: Draft, asked: Open, command: TakeCard) -> None:
    """Take the card, unseen by the enemy, and shuffle the deck."""
    side = draft.table.side_of(asked.seat)
    draft.move_card(command.card, deck(side), hand(side), TAKEN, seen_by=(asked.seat,))
    draft.shuffle(deck(side), TAKEN)
    draft.discard(CardId(asked.text("card")), played(side), discards(side), PUT_AWAY)
