"""The rules of this game, bound to its cards: all chapters put together, and what holds before any of them is asked."""

from core.command import Command
from core.components.inventory import families
from core.dealing import Dealing
from core.decision import Decision, DecisionRules
from core.draft import Draft
from core.games.battle.components.card_model import Cards
from core.games.battle.components.inventory import piles
from core.games.battle.ids import SETUP
from core.games.battle.rules import (
    absorb,
    action,
    aftermath,
    attack,
    battle,
    buy,
    card_attack,
    card_rules,
    cards,
    distribution,
    draw,
    fighting,
    losses,
    move,
    set_up,
    supply,
    turn,
    uranus,
    windows,
)
from core.games.battle.rules.action import ActionKind
from core.games.battle.rules.commands import (
    Attack,
    BattleCommand,
    BuyForce,
    Move,
    PlayCard,
    RemoveUranus,
    Resupply,
)
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.windows import CardRule, Window
from core.refusal import Refusal
from core.sequence import StepSequence
from events.codec import Decoder
from events.ids import Seat
from projections.table import Table

COMMANDS: Decoder[BattleCommand] = Decoder(BattleCommand)

WINDOWS: dict[str, Window] = {
    window.kind: window
    for window in (move.W_MOVE, cards.W_CARD, draw.W_DRAW, losses.W_LOST, fighting.W_BATTLE, aftermath.W_AFTER)
}
"""Every window by the kind of its question; they, and the Firefight, can be passed beforehand (ruling.window-leak)."""


class BattleRules(DecisionRules):
    """The rules, bound to the cards.

    Args:
        deck_list: The packaged cards or an owner's.
    """

    def __init__(self, deck_list: Cards) -> None:
        self.cards = deck_list
        self.card_rules = card_rules_of(deck_list)
        play = cards.PlayCardAction(deck_list, self.card_rules)
        super().__init__(
            decisions(deck_list, play, self.card_rules),
            standing_decisions=(*WINDOWS, "firefight"),
            dealing=Dealing(families(piles(deck_list))),
            sequences=sequences(deck_list, play),
        )

    def set_up(self, draft: Draft) -> None:
        """Draw the Locations and ask for the first Force."""
        set_up.set_up(draft, self.cards)
        self.settle(draft)

    def decode(self, data: bytes) -> Command:
        """Decode a command."""
        return COMMANDS.decode(data)

    def refuse(self, table: Table, seat: Seat, command: Command) -> Refusal | None:
        """Return why a command is not legal; nothing if it is.

        The end of the match and whose turn it is come before all that the open question has to say.

        Source: RuleId("victory.over"), RuleId("setup.order"), RuleId("turn.acting-player-only"), RuleId("game.acting-player").
        """
        asked = table.top
        if table.ended is not None or asked is None or not asked.seat:
            return refused("match_must_be_running")
        if asked.seat != seat:
            if table.phase == SETUP:
                return refused("set_up_order_must_be_kept")
            return refused("seat_must_be_acting_player") if asked.kind == "action" else refused("seat_must_be_asked")
        return self.kinds[asked.kind].refuse(table, asked, command)


def card_rules_of(deck_list: Cards) -> dict[str, CardRule]:
    """Return how every card is played, by its effect."""
    return {
        **card_rules.CardRules(deck_list).rules(),
        **uranus.Uranus(deck_list).rules(),
        **fighting.BattleCards(deck_list).rules(),
        "card_attack": card_attack.CardAttack(deck_list).rule(),
        "move_and_attack": attack.AttackCard(deck_list).rule(),
        "cancel_card": cards.Cancellation(deck_list).rule(),
        "stop_hits": absorb.RubbleCard().rule(),
    }


def decisions(deck_list: Cards, play: cards.PlayCardAction, rules: dict[str, CardRule]) -> dict[str, Decision]:
    """Return every question of the game by its kind."""
    kinds: dict[type[Command], ActionKind] = {
        Move: move.MoveAction(deck_list),
        PlayCard: play,
        Attack: attack.AttackAction(deck_list),
        Resupply: buy.ResupplyAction(deck_list),
        BuyForce: buy.Buy(deck_list),
        RemoveUranus: uranus.RemoveAction(deck_list),
    }
    return {
        **set_up.decisions(deck_list),
        **supply.decisions(deck_list),
        **distribution.decisions(deck_list, supply.Supplies(deck_list).go_on),
        **action.decisions(deck_list, kinds),
        **move.decisions(deck_list),
        **buy.decisions(deck_list),
        **uranus.decisions(deck_list),
        **card_rules.decisions(deck_list),
        **attack.decisions(deck_list),
        **fighting.decisions(deck_list),
        **absorb.decisions(deck_list, rules),
        **aftermath.decisions(deck_list),
        **windows.decisions(deck_list, WINDOWS, rules),
    }


def sequences(deck_list: Cards, play: cards.PlayCardAction) -> tuple[StepSequence, ...]:
    """Return the chapters that go step by step."""
    return (
        turn.Turns(deck_list).sequence,
        move.Moves(deck_list).sequence,
        play.sequence,
        buy.Buy(deck_list).sequence,
        uranus.RemoveAction(deck_list).sequence,
        battle.Battle(deck_list).sequence,
        card_attack.CardAttack(deck_list).sequence,
    )
