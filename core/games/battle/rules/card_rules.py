"""How cards are played whose effects are no battle: what they may be told, when that is refused, what they do.

Each effect word of the card data has one `CardRule`; those of battles are in the chapters on battles.
"""

from core.command import Command
from core.decision import Decision
from core.draft import Draft
from core.games.battle.components.card_model import FORCE_DESTROYED, NO_ENEMY_LEFT, OWN_ACTION, ActionCard, Cards
from core.games.battle.ids import PERIMETER, POINTS, area, deck, discards, enemy, hand, played, snipers
from core.games.battle.memory import BIG_PUSH, FREE_MOVES_LEFT, LOCKED, LOST, NO_LOCATION_CARDS, count, takes_part
from core.games.battle.rules.commands import PlayCard, TakeCard
from core.games.battle.rules.deck import draw, make_ready
from core.games.battle.rules.distribution import give_rations, hand_out, take_rations
from core.games.battle.rules.losses import losses
from core.games.battle.rules.move import Moves
from core.games.battle.rules.queries import (
    forces_of,
    is_on_map,
    locations_in_play,
    note_amount,
)
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.windows import CardRule, Play, plain, put_away
from core.games.battle.rules.wrong_command import misplaced
from core.refusal import Refusal
from events.ids import TABLE, CardId, RuleId, Side
from projections.table import Open, Table


class CardRules:
    """The effects that are no battle, bound to the cards."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.moves = Moves(cards)

    def rules(self) -> dict[str, CardRule]:
        """Return how each of these effects is played."""
        return {
            "steal_rations": CardRule(self.refuse_raid, self.raid, self.raid_targets, is_exact=True),
            "gain_rations_each": plain(self.fresh_supplies),
            "distribute_rations": plain(self.hand_out, self.refuse_hand_out),
            "draw_cards": plain(self.draw_cards, self.refuse_draw),
            "force_points": plain(self.reinforcements),
            "search_deck": plain(self.scouts),
            "free_moves": plain(self.high_morale),
            "combat_bonus_all": plain(self.big_push),
            "cancel_move": plain(self.sniper),
            "deny_location_draws": plain(self.propaganda_war),
        }

    def raid_targets(self, table: Table, side: Side, card: ActionCard) -> list[PlayCard]:
        """Offer every enemy Force as giver and every own one as receiver."""
        own = forces_of(self.cards, table, side)
        return [
            PlayCard(card.id, force=giver, other=taker)
            for giver in forces_of(self.cards, table, enemy(side))
            for taker in own
        ]

    def refuse_raid(self, table: Table, side: Side, card: ActionCard, command: PlayCard) -> Refusal | None:
        """Accept an enemy Force and an own one. Source: RuleId("card.supply-raid")."""
        taker = self.cards.forces.get(command.other)
        giver = self.cards.forces.get(command.force)
        if taker is not None and taker.side != side:
            return refused("force_must_be_own")
        named = (command.force, command.other)
        if giver is None or taker is None or giver.side == side or command.to:
            return refused("target_must_exist", "Name an enemy Force (force) and an own Force (other).")
        if not all(is_on_map(table, force) for force in named):
            return refused("target_must_exist", "Both Forces must be on the table.")
        return None

    def raid(self, draft: Draft, play: Play) -> None:
        """Take Rations from one Force and give them to another.

        Source: RuleId("card.supply-raid"), RuleId("card.remove-missing-rations"), ruling.supply-raid.
        """
        rule = RuleId("card.supply-raid")
        taken = take_rations(draft, play.command.force, play.card.title.amount, rule)
        give_rations(draft, play.command.other, taken, rule)
        put_away(draft, play)

    def fresh_supplies(self, draft: Draft, play: Play) -> None:
        """Give each own Perimeter Force its Rations. Source: RuleId("card.fresh-supplies"), ruling.fresh-supplies."""
        for location in locations_in_play(self.cards, draft.table):
            for force in draft.table.pieces_at(area(location.id, play.side, PERIMETER)):
                give_rations(draft, force, play.card.title.amount, RuleId("card.fresh-supplies"))
        put_away(draft, play)

    def refuse_hand_out(self, table: Table, side: Side, card: ActionCard) -> Refusal | None:
        """Demand a Force to give to, and for Recover Wounded a Force lost.

        Source: RuleId("card.air-supply"), RuleId("card.recover-wounded"), ruling.recover-wounded.
        """
        if not forces_of(self.cards, table, side):
            return refused("force_must_be_on_table")
        if card.title.timing == FORCE_DESTROYED and not losses(table, side):
            return refused(
                "card_condition_must_be_met", "No own Force was just Destroyed.", RuleId("card.recover-wounded")
            )
        return None

    def hand_out(self, draft: Draft, play: Play) -> None:
        """Hand Rations out anywhere. Source: RuleId("card.air-supply"), RuleId("card.recover-wounded")."""
        rule = RuleId("card.air-supply")
        if play.card.title.timing == FORCE_DESTROYED:
            rule = RuleId("card.recover-wounded")
            count(LOST, draft, play.side, rule, -1)
        put_away(draft, play)
        hand_out(draft, self.cards, play.side, play.card.title.amount, rule)

    def reinforcements(self, draft: Draft, play: Play) -> None:
        """Add points. Source: RuleId("card.reinforcements"), RuleId("location.note.reinforcements-bonus")."""
        more = note_amount(self.cards, draft.table, play.side, "reinforcements_bonus")
        draft.track(POINTS, draft.table.track(POINTS) + play.card.title.amount, RuleId("card.reinforcements"))
        draft.track(POINTS, draft.table.track(POINTS) + more, RuleId("location.note.reinforcements-bonus"))
        put_away(draft, play)

    def refuse_draw(self, table: Table, side: Side, card: ActionCard) -> Refusal | None:
        """Demand, where the card says so as Victory does, that no enemy participant is left in the Control Area.

        Source: RuleId("card.victory"), ruling.victory-card.
        """
        if card.title.condition != NO_ENEMY_LEFT:
            return None
        for force in forces_of(self.cards, table, enemy(side)):
            if takes_part(table, force) and self.cards.is_control(table.pieces[force].place):
                return refused(
                    "card_condition_must_be_met", "An enemy Force of that battle is still in the Control Area."
                )
        return None

    def draw_cards(self, draft: Draft, play: Play) -> None:
        """Draw cards; the card itself is put away afterwards, so that it cannot draw itself.

        Source: RuleId("card.desperation"), RuleId("card.victory"), ruling.discard-moment.
        """
        rule = RuleId("card.desperation" if play.card.title.timing == OWN_ACTION else "card.victory")
        draw(draft, play.side, play.card.title.amount, play.card.title.id, rule)
        put_away(draft, play)

    def scouts(self, draft: Draft, play: Play) -> None:
        """Ask which card of the deck is taken. Source: RuleId("card.scouts"), RuleId("secrecy.scouts"), ruling.scouts."""
        rule = RuleId("card.scouts")
        if make_ready(draft, play.side):
            pile = deck(play.side)
            draft.form(
                pile, tuple(sorted(draft.table.pile(pile).cards)), rule, seen_by=(draft.table.seat_of(play.side),)
            )
            draft.ask("scouts", draft.table.seat_of(play.side), rule, {"card": play.card.id})
        else:
            put_away(draft, play)

    def high_morale(self, draft: Draft, play: Play) -> None:
        """Begin a series of free Moves. Source: RuleId("card.high-morale"), ruling.high-morale."""
        put_away(draft, play)
        rule = RuleId("card.high-morale")
        draft.ask("free_move", draft.table.seat_of(play.side), rule)
        FREE_MOVES_LEFT.set(draft, TABLE, play.card.title.amount, rule)

    def big_push(self, draft: Draft, play: Play) -> None:
        """Raise the Combat of all own Forces until the turn ends. Source: RuleId("card.big-push"), ruling.big-push."""
        count(BIG_PUSH, draft, play.side, RuleId("card.big-push"), play.card.title.amount)
        put_away(draft, play)

    def sniper(self, draft: Draft, play: Play) -> None:
        """Cancel the Move that is declared and lay the card on its Force.

        Source: RuleId("card.sniper"), RuleId("card.sniper.lock"), ruling.sniper-scope.
        """
        force = self.moves.cancel(draft, RuleId("card.sniper"))
        rule = RuleId("card.sniper.lock")
        LOCKED.set(draft, force, value=True, rule=rule)
        draft.play_card(play.card.id, played(play.side), snipers(play.side), rule)

    def propaganda_war(self, draft: Draft, play: Play) -> None:
        """Keep the enemy from drawing for Locations. Source: RuleId("card.propaganda-war"), ruling.propaganda-scope."""
        NO_LOCATION_CARDS.set(draft, TABLE, value=True, rule=RuleId("card.propaganda-war"))
        put_away(draft, play)


class TakeFromDeck:
    """Which card of the own deck Scouts takes. Source: RuleId("card.scouts"), RuleId("card.scouts.use-at-once")."""

    def options(self, table: Table, asked: Open) -> list[Command]:
        """Offer every card of the deck."""
        return [TakeCard(card) for card in table.pile(deck(table.side_of(asked.seat))).cards]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept a card of the deck; one must be taken."""
        if not isinstance(command, TakeCard):
            return misplaced(table, asked, command, "Take a card of the deck.")
        if command.card not in table.pile(deck(table.side_of(asked.seat))).cards:
            return refused("card_must_be_in_deck")
        return None

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Take the card, unseen by the enemy, and shuffle the deck."""
        side = draft.table.side_of(asked.seat)
        assert isinstance(command, TakeCard)
        rule = RuleId("secrecy.scouts")
        draft.answered(rule)
        draft.move_card(command.card, deck(side), hand(side), rule, seen_by=(asked.seat,))
        draft.shuffle(deck(side), rule)
        scouts = CardId(asked.text("card"))
        draft.discard(scouts, played(side), discards(side), RuleId("card.own-deck-own-discards"))


def decisions(cards: Cards) -> dict[str, Decision]:
    """Return the question of this chapter."""
    return {"scouts": TakeFromDeck()}
