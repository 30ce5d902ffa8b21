"""How cards are played whose effects are no battle: what they may name, when that is refused, what they do.

Each effect word of the card data has one `CardRule`; those of battles are in the chapters on battles.
"""

from core.draft import Draft
from core.games.battle.components.card_model import ActionCard
from core.games.battle.ids import POINTS, deck, discards, enemy, hand, played, snipers
from core.games.battle.memory import BIG_PUSH, FREE_MOVES_LEFT, LOCKED, LOST, NO_LOCATION_CARDS, takes_part
from core.games.battle.rules.changes import Chapter, draw, give_rations, make_ready, take_rations
from core.games.battle.rules.commands import PlayCard, TakeCard
from core.games.battle.rules.move import Moves
from core.games.battle.rules.queries import forces_of, is_on_map, note_amount
from core.games.battle.rules.refusals import misplaced, refused
from core.games.battle.rules.supply import give_to_perimeter, hand_out
from core.games.battle.rules.windows import PUT_AWAY, CardRule, Play, plain, put_away
from core.question import Answer, Question
from core.refusal import Refusal
from events.ids import TABLE, CardId, RuleId, Side
from projections.table import Open, Table

RAID = RuleId("card.supply-raid")
FRESH = RuleId("card.fresh-supplies")
RECOVER = RuleId("card.recover-wounded")
AIR = RuleId("card.air-supply")
REINFORCE = RuleId("card.reinforcements")
MORE_POINTS = RuleId("location.note.reinforcements-bonus")
VICTORY = RuleId("card.victory")
DESPERATION = RuleId("card.desperation")
SCOUTS = RuleId("card.scouts")
TAKEN = RuleId("secrecy.scouts")
MORALE = RuleId("card.high-morale")
PUSH = RuleId("card.big-push")
SNIPER = RuleId("card.sniper")
LOCK = RuleId("card.sniper.lock")
PROPAGANDA = RuleId("card.propaganda-war")


class CardRules(Chapter):
    """The effects that are no battle."""

    def card_rules(self) -> dict[str, CardRule]:
        """Return how each of these effects is played."""
        return {
            "steal_rations": CardRule(self._refuse_raid, self._raid, self._raid_targets, is_exact=True),
            "gain_rations_each": plain(self._fresh_supplies),
            "distribute_rations": plain(self._hand_out, self._refuse_hand_out),
            "draw_cards": plain(self._draw_cards, self._refuse_draw),
            "force_points": plain(self._reinforcements),
            "search_deck": plain(self._scouts),
            "free_moves": plain(self._high_morale),
            "combat_bonus_all": plain(self._big_push),
            "cancel_move": plain(self._sniper),
            "deny_location_draws": plain(self._propaganda_war),
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
        taken = take_rations(draft, play.command.force, play.card.title.amount, RAID)
        give_rations(draft, play.command.other, taken, RAID)
        put_away(draft, play)

    def _fresh_supplies(self, draft: Draft, play: Play) -> None:
        """Give each own Perimeter Force its Rations. Source: card.fresh-supplies, ruling.fresh-supplies."""
        give_to_perimeter(draft, self.cards, play.side, play.card.title.amount, FRESH)
        put_away(draft, play)

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
        is_answer = play.card.title.timing == "own_force_destroyed"
        if is_answer:
            LOST.add(draft, play.side, RECOVER, -1)
        put_away(draft, play)
        hand_out(draft, self.cards, play.side, play.card.title.amount, RECOVER if is_answer else AIR)

    def _reinforcements(self, draft: Draft, play: Play) -> None:
        """Add points. Source: card.reinforcements, location.note.reinforcements-bonus."""
        more = note_amount(self.cards, draft.table, play.side, "reinforcements_bonus")
        draft.track(POINTS, draft.table.track(POINTS) + play.card.title.amount, REINFORCE)
        draft.track(POINTS, draft.table.track(POINTS) + more, MORE_POINTS)
        put_away(draft, play)

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
        rule = DESPERATION if play.card.title.timing == "own_action" else VICTORY
        draw(draft, play.side, play.card.title.amount, play.card.title.id, rule)
        put_away(draft, play)

    def _scouts(self, draft: Draft, play: Play) -> None:
        """Ask which card of the deck is taken. Source: card.scouts, secrecy.scouts, ruling.scouts."""
        if not make_ready(draft, play.side):
            put_away(draft, play)
            return
        pile, seat = deck(play.side), draft.table.seat_of(play.side)
        draft.form(pile, tuple(sorted(draft.table.pile(pile).cards)), SCOUTS, seen_by=(seat,))
        draft.ask("scouts", seat, SCOUTS, {"card": play.card.id})

    def _high_morale(self, draft: Draft, play: Play) -> None:
        """Begin a series of free Moves. Source: card.high-morale, ruling.high-morale."""
        put_away(draft, play)
        draft.ask("free_move", draft.table.seat_of(play.side), MORALE)
        FREE_MOVES_LEFT.set(draft, TABLE, play.card.title.amount, MORALE)

    def _big_push(self, draft: Draft, play: Play) -> None:
        """Raise the Combat of all own Forces until the turn ends. Source: card.big-push, ruling.big-push."""
        BIG_PUSH.add(draft, play.side, PUSH, play.card.title.amount)
        put_away(draft, play)

    def _sniper(self, draft: Draft, play: Play) -> None:
        """Cancel the Move that is declared and lay the card on its Force.

        Source: card.sniper, card.sniper.lock, ruling.sniper-scope.
        """
        LOCKED.set(draft, Moves(self.cards).cancel(draft, SNIPER), value=True, rule=LOCK)
        draft.play_card(play.card.id, played(play.side), snipers(play.side), LOCK)

    def _propaganda_war(self, draft: Draft, play: Play) -> None:
        """Keep the enemy from drawing for Locations. Source: card.propaganda-war, ruling.propaganda-scope."""
        NO_LOCATION_CARDS.set(draft, TABLE, value=True, rule=PROPAGANDA)
        put_away(draft, play)


# Scouts


def scouts_question() -> Question:
    """Return which card of the own deck Scouts takes; one must be taken. Source: card.scouts, card.scouts.use-at-once."""
    return Question([Answer(TakeCard, _cards_of_deck, _refuse_card, _take_card)], misplaced)


def _cards_of_deck(table: Table, asked: Open) -> list[TakeCard]:
    return [TakeCard(card) for card in table.pile(deck(table.side_of(asked.seat))).cards]


def _refuse_card(table: Table, asked: Open, command: TakeCard) -> Refusal | None:
    is_there = command.card in table.pile(deck(table.side_of(asked.seat))).cards
    return None if is_there else refused("card_must_be_in_deck")


def _take_card(draft: Draft, asked: Open, command: TakeCard) -> None:
    """Take the card, unseen by the enemy, and shuffle the deck."""
    side = draft.table.side_of(asked.seat)
    draft.answered(TAKEN)
    draft.move_card(command.card, deck(side), hand(side), TAKEN, seen_by=(asked.seat,))
    draft.shuffle(deck(side), TAKEN)
    draft.discard(CardId(asked.text("card")), played(side), discards(side), PUT_AWAY)
