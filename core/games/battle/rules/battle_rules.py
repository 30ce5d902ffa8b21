"""The rules of this game, bound to its cards: all chapters put together, and what holds before any of them is asked."""

from core.components.inventory import families
from core.engine.command import Command
from core.engine.dealing import Dealing
from core.engine.decision import Decision
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.game_commands import command_decoder
from core.games.battle.components.card_model import Cards
from core.games.battle.components.inventory import piles
from core.games.battle.ids import SETUP
from core.games.battle.rules import commands
from core.games.battle.rules.absorb import CardAttack, Hits, rubble_card
from core.games.battle.rules.action import ActionsStep
from core.games.battle.rules.attack import Attacks
from core.games.battle.rules.battle import W_AFTER, Aftermath, Battle
from core.games.battle.rules.buy import HandPayments, Purchases
from core.games.battle.rules.card_rules import CardRules, scouts_question
from core.games.battle.rules.cards import W_CARD, PlayCardAction, cancellation
from core.games.battle.rules.fighting import W_BATTLE, BattleCards, Fighting
from core.games.battle.rules.move import W_MOVE, Moves
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.set_up import ChooseForces, set_up
from core.games.battle.rules.supply import Supplies
from core.games.battle.rules.turn import W_DRAW, Turns
from core.games.battle.rules.uranus import Pledge, Removal, Uranus
from core.games.battle.rules.windows import W_LOST, CardRule, Window
from core.refusal import Refusal
from events.ids import Seat
from projections.state.table import Table

WINDOWS: dict[str, Window] = {window.kind: window for window in (W_MOVE, W_CARD, W_DRAW, W_LOST, W_BATTLE, W_AFTER)}
"""Every window by the kind of its question; they, and the Firefight, can be passed beforehand (ruling.window-leak)."""


class BattleRules(DecisionRules):
    """The rules, bound to the cards.

    Args:
        deck_list: The packaged cards or an owner's.
    """

    decoder = command_decoder(commands)

    def __init__(self, deck_list: Cards) -> None:
        self.cards = deck_list
        rules = card_rules_of(deck_list)
        play = PlayCardAction(deck_list, rules)
        super().__init__(
            decisions(deck_list, play, rules),
            standing_decisions=(*WINDOWS, "firefight"),
            dealing=Dealing(families(piles(deck_list))),
            sequences=(
                Turns(deck_list).sequence,
                Moves(deck_list).sequence,
                play.sequence,
                Purchases(deck_list).sequence,
                Removal(deck_list).sequence,
                Battle(deck_list).sequence,
                CardAttack(deck_list).sequence,
            ),
        )

    def set_up(self, draft: Draft) -> None:
        """Draw the Locations and ask for the first Force."""
        set_up(draft, self.cards)
        self.settle(draft)

    def refuse(self, table: Table, seat: Seat, command: Command) -> Refusal | None:
        """Return why a command is not legal, or None if it is.

        The end of the match and whose turn it is come before all that the open question has to say.

        Source: victory.over, setup.order, turn.acting-player-only, game.acting-player.
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
        **CardRules(deck_list).card_rules(),
        **Uranus(deck_list).card_rules(),
        **BattleCards(deck_list).card_rules(),
        "card_attack": CardAttack(deck_list).card_rule(),
        "move_and_attack": Attacks(deck_list).card_rule(),
        "cancel_card": cancellation(deck_list),
        "stop_hits": rubble_card(),
    }


def decisions(deck_list: Cards, play: PlayCardAction, rules: dict[str, CardRule]) -> dict[str, Decision]:
    """Return every question of the game by its kind."""
    moves, attacks = Moves(deck_list), Attacks(deck_list)
    supplies, payments = Supplies(deck_list), HandPayments(deck_list)
    actions = (
        moves.action(),
        play.action(),
        attacks.action(),
        payments.resupply_action(),
        Purchases(deck_list).action(),
        Removal(deck_list).action(),
    )
    return {
        "choose_force": ChooseForces(deck_list).question(),
        "repair": supplies.repair_question(),
        "distribute": supplies.distribute_question(),
        "action": ActionsStep(deck_list, actions),
        "free_move": moves.series_question(),
        "pay_cards": payments.question(),
        "pay_rations": Pledge(deck_list, is_in_rations=True).question(),
        "pay_forces": Pledge(deck_list, is_in_rations=False).question(),
        "scouts": scouts_question(),
        "attackers": attacks.attackers_question(),
        "join_attack": attacks.attackers_question(),
        "firefight": Fighting(deck_list).firefight_question(),
        "absorb_hit": Hits(deck_list).question(rules),
        "award": Aftermath(deck_list).award_question(),
        **{kind: window.decision(deck_list, rules) for kind, window in WINDOWS.items()},
    }
