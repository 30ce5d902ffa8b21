"""The narration of this game, bound to its cards: names, commands as sentences, and the way to events, questions and pictures."""

from collections.abc import Iterable, Mapping, Sequence

from typing_extensions import override

from core.components.inventory import Memory
from core.engine.command import Command
from core.engine.selection import Choose, Done, Pick, Unpick
from core.game_files.printed_names import printed_words
from core.games.battle import ids
from core.games.battle.components.card_model import Cards
from core.games.battle.components.inventory import inventory
from core.games.battle.components.words.card_words import MOMENTS, force_words
from core.games.battle.memory import FREE_MOVES_LEFT, TOTAL
from core.games.battle.narration.actions import sorts
from core.games.battle.narration.counter_sentences import free_move_of
from core.games.battle.narration.sentences import aim, ends_firefight, question, tell
from core.games.battle.narration.stakes import (
    ATTACKS,
    FIREFIGHTS,
    absorbed,
    added,
    adding_up,
    against,
    answered_card,
    attack_cost,
    combat_words,
    control_words,
    destroyed,
    left_of,
    needless,
    side_sum,
    stops,
    takes,
    window_words,
    with_places,
)
from core.games.battle.rules import commands
from core.games.battle.rules.absorb import LOSS
from core.games.battle.rules.buy import price, starting_bonus, to_pay
from core.games.battle.rules.fighting import total
from core.games.battle.rules.move import Moves
from core.games.battle.rules.queries import able_to_attack, combat, controlled, owner_of, rations
from core.games.battle.rules.turn import cards_to_draw
from core.narration.narration_port import Pictures
from core.narration.place_name import PlaceName
from core.narration.printed_narration import Kinds, PrintedNarration
from core.narration.side_sum import SideSum
from core.narration.told_option import Told
from core.wording import capital, counted, joined
from events.ids import CardId, PieceId, PlaceId, RuleId, Side
from events.vocabulary import Event, SequenceBegan, StepBegan
from projections.state.table import Open, Table

NO_HAND = (RuleId("attack.firefight.no-hand"),)
ATTACK = (RuleId("attack.declare"), RuleId("attack.cost"))


FINAL: Kinds = frozenset(
    {
        ("action", Done),
        ("action", commands.Resupply),
        ("answer_draw", commands.Pass),
        ("firefight", commands.FireCard),
        ("pay_cards", Done),
        ("pay_cards", Pick),
    }
)
"""After which commands, by the kind of question, cards are drawn or shown as a rule; playing a card shows it whatever the question."""


class BattleNarration(PrintedNarration):
    """Names, sentences and pictures; see `core.narration.narration_port.Narration`.

    Args:
        cards: The packaged cards or an owner's.
    """

    final = FINAL
    piece_noun = "Force"

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.moves = Moves(cards)
        printed = inventory(cards, Memory()).names
        boxes = {str(box): _of_deck(box) for box in ids.OFF_MAP}
        super().__init__({**printed_words(ids.PACKAGE), "standard": "Standard game", **printed, **boxes})

    @override
    def load_pictures(self) -> Pictures:
        """Import what renders tables, and return it."""
        from core.games.battle.narration.pictures import BattlePictures

        return BattlePictures(self.cards, self.name, self.place_names())

    @override
    def pieces_meant(self, table: Table, command: Command) -> Mapping[str, tuple[PieceId, ...]]:
        """Return the Forces that can make an Attack by its Location, which alone is named."""
        if not isinstance(command, commands.Attack) or command.forces:
            return {}
        return {command.location: tuple(able_to_attack(self.cards, table, table.turn, command.location))}

    @override
    def is_outdone(self, table: Table, command: Command) -> bool:
        """Return whether the free Move of a Location would be spent on a Force that Moves free anyway."""
        return isinstance(command, commands.Move) and self.moves.is_wasted(table, command)

    @override
    def deciding(self, table: Table, event: Event) -> tuple[RuleId, ...]:
        """Return what an Attack takes and costs, recorded under what it does to the Location; and why a side has no part in the Firefight."""
        if isinstance(event, SequenceBegan) and event.kind == "battle":
            return ATTACK
        is_alone = (
            isinstance(event, StepBegan) and event.step == "firefight" and tell(table, [event], self.name, self.cards)
        )
        return NO_HAND if is_alone else ()

    def question(self, table: Table, asked: Open) -> str:
        """Return the text of an open question or a sequence, with what is at stake: what a card does, or the totals of a battle."""
        words = {key: self.name(str(value)) for key, value in asked.arguments.items()}
        known = {
            **with_places(self.cards, table, asked, words, self.name),
            **window_words(self.cards, table, asked, self.name),
            "free": f" ({FREE_MOVES_LEFT.of(table)} left)",
        }
        said = question(asked, self.name, known)
        battle = table.topmost("battle")
        if asked.kind == "answer_card":
            return said + answered_card(self.cards, table, asked)
        if asked.kind == "action" and self._holds_enough(table, table.turn):
            return f"{said}; who Controls these {self.cards.figures.victory_locations} Locations at the end of this turn wins"
        if asked.kind == "firefight" and ends_firefight(table, asked):
            said += ", which ends it"
        if battle is None or asked.kind not in FIREFIGHTS:
            return said
        totals = [f"{self.name(side)} {total(self.cards, table, battle, side)}" for side in ids.SIDES]
        return f"{said}; totals so far: {joined(totals)}"

    @override
    def details(self, table: Table, asked: Open) -> tuple[str, ...]:
        """Return what makes up the totals of a battle, a line a side, before and in its Firefight."""
        if asked.kind not in FIREFIGHTS:
            return ()
        return tuple(filter(None, [adding_up(self.cards, table, side, self.name) for side in ids.SIDES]))

    @override
    def sums(self, table: Table, asked: Open) -> tuple[SideSum, SideSum] | None:
        """Return the totals of a battle before and in its Firefight."""
        if asked.kind not in FIREFIGHTS or table.topmost("battle") is None:
            return None
        first, second = [side_sum(self.cards, table, side, self.name) for side in ids.SIDES]
        return first, second

    def _holds_enough(self, table: Table, side: Side) -> bool:
        """Return whether a side wins if its own turn ends like this. Source: victory.five-locations-own-turn."""
        return len(controlled(self.cards, table, side)) >= self.cards.figures.victory_locations

    def tell(self, table: Table, run: Sequence[Event]) -> str | None:
        """Return the game's sentence for events in a row; empty for the default sentence, None for no sentence."""
        return tell(table, run, self.name, self.cards)

    @override
    def place_names(self) -> tuple[PlaceName, ...]:
        """Name the Areas of the Locations, then the boxes."""
        areas = [PlaceName(place, self.name(place), "", brief=self._brief(place)) for place in self.cards.areas]
        boxes = [box for side in ids.SIDES for box in (ids.top(side), ids.bottom(side))]
        return (*areas, *[PlaceName(box, self.name(box), "", is_box=True) for box in boxes])

    def _brief(self, place: PlaceId) -> str:
        """Return what an Area is called beside others of its side."""
        area = self.cards.areas[place]
        whole, short = self.cards.locations[area.location].name, self.name(f"short:{area.location}")
        return f"{short if short in whole else whole}, {'Control' if area.is_control else 'Perimeter'}"

    @override
    def card_text(self, card: str, table: Table | None = None) -> str:
        """Return the text of an Action card, the note of a Location, or the figures of a Force; empty for anything else, and in a Firefight, where values alone count.

        Source: attack.firefight.text-ignored.
        """
        if table is not None and table.top is not None and table.top.kind == "firefight":
            return ""
        if card in self.cards.cards:
            title = self.cards.cards[CardId(card)].title
            return " ".join(filter(None, [f"{capital(MOMENTS[title.timing])}.", title.text]))
        if card in self.cards.locations:
            return self.cards.locations[card].note_text
        force = self.cards.forces.get(PieceId(card))
        return "" if force is None else f"Cost {force.cost}, {force_words(force, force.rations)}."

    @override
    def is_final(self, table: Table, command: Command) -> bool:
        """Return whether cards are drawn or shown."""
        return isinstance(command, commands.PlayCard) or super().is_final(table, command)

    @override
    def told(self, table: Table, command: Command) -> Told:
        """Return what a command would do, and what it costs or leads to."""
        assert isinstance(command, commands.BattleCommand), "a command of another game"
        match command:
            case commands.ChooseForce() | commands.Move() | commands.BuyForce():
                return self._to_place(table, command)
            case commands.PlayCard():
                return self._play(table, command)
            case commands.Attack():
                return self._attack(table, command)
            case commands.Resupply() | commands.TakeCard() | commands.RemoveUranus():
                return Told(f"{CARD_WORDS[type(command)]} {self.name(command.card)}")
            case commands.FireCard():
                return self._fire(table, command)
            case commands.Award():
                return Told(
                    f"Give the Heroic Service counter to {self.name(command.force)}", self._honoured(table, command)
                )
            case Pick() | Unpick() | Choose():
                return self._pick(table, command)
            case commands.Absorb():
                return self._absorb(table, command)
            case commands.RepairRubble():
                return Told(f"Take one Rubble off {self.name(command.location)}")
            case commands.Pass():
                return Told("Pass")
            case Done():
                kind = "" if table.top is None else table.top.kind
                return Told(DONE_WORDS.get(kind, "Done"), self._end(table) if kind == "action" else "")

    def _end(self, table: Table) -> str:
        """Return what the end of the Actions step brings: the end of the match, or how many cards are drawn to those that are kept, and what the enemy needs to win next."""
        if self._holds_enough(table, table.turn):
            return " (this decides the match)"
        kept, drawn = table.pile(ids.hand(table.turn)).count, cards_to_draw(self.cards, table, table.turn)
        enemy = ids.enemy(table.turn)
        wins = (
            f"; {self.name(enemy)} wins if it still Controls all {self.cards.figures.victory_locations} after its turn"
        )
        danger = wins if self._holds_enough(table, enemy) else ""
        return f": {counted(kept, 'card')} kept, {drawn} drawn{danger}"

    def _to_place(self, table: Table, command: commands.ChooseForce | commands.Move | commands.BuyForce) -> Told:
        force, to = self.name(command.force), self.name(command.to)
        card = self.cards.forces.get(command.force)
        held = "" if card is None else control_words(self.cards, table, card.id, command.to, self.name)
        faced = "" if card is None else against(self.cards, table, card.id, command.to, self.name)
        if isinstance(command, commands.Move):
            versus, ends = (faced, held) if command.force in table.pieces else ("", "")
            return Told(f"Move {force} to {to}", f"{versus}{self._fare(table, command)}{ends}")
        if card is None:
            return Told(f"Take {force} to {to}")
        is_bought = isinstance(command, commands.BuyForce)
        start = card.rations + (starting_bonus(self.cards, table, card.side) if is_bought else 0)
        printed = force_words(card, start)
        if is_bought:
            cards, whole = to_pay(self.cards, table, card.side, card.id), price(self.cards, table, card.side, card.id)
            parts = [counted(n, of) for n, of in ((whole - cards, "point"), (cards, "card")) if n]
            cost = " and ".join(parts) or "nothing"
            return Told(f"Buy {force} ({printed}) and place it at {to}", f"{faced} for {cost}{held}")
        return Told(f"Take {force} (Cost {card.cost}, {printed}) and place it at {to}", faced)

    def _honoured(self, table: Table, command: commands.Award) -> str:
        """Return what a Heroic Service counter adds to the Combat of a Force."""
        if command.force not in self.cards.forces:
            return ""
        now = combat(self.cards, table, command.force)
        return f": Combat {now} → {now + self.cards.figures.medal_combat}"

    def _fare(self, table: Table, command: commands.Move) -> str:
        """Return what a Move costs; empty if there is no such Move."""
        if command.free:
            return f" with the free Move of {free_move_of(table, table.turn, self.name, self.cards)}"
        card = self.cards.forces.get(command.force)
        if card is None or owner_of(self.cards, table, command.to) != card.side:
            return ""
        is_series = table.top is not None and table.top.kind == "free_move"
        cost = self.moves.cost(table, command.force, command.to, free=is_series)
        return (
            f" for {counted(cost, 'Ration')}{left_of(rations(table, command.force), cost)}"
            if cost
            else " for no Ration"
        )

    def _play(self, table: Table, command: commands.PlayCard) -> Told:
        aimed = aim({key: self.name(getattr(command, key)) for key in ("force", "other", "to")})
        card = self.cards.cards.get(command.card)
        remark = (
            ""
            if card is None
            else f"{stops(card)}{takes(table, card, command.force)}{needless(self.cards, table, card, command.force)}"
        )
        return Told(f"Play {self.name(command.card)}{aimed}", remark)

    def _fire(self, table: Table, command: commands.FireCard) -> Told:
        """Return how a Firefight card changes a total, and on which side there are more or fewer Hits by it."""
        act, card = f"Play {self.name(command.card)} in the Firefight", self.cards.cards.get(command.card)
        if card is None:
            return Told(act)
        enemy = ids.enemy(card.side)
        hit, firing = (enemy, card.side) if card.value > 0 else (card.side, enemy)
        now = TOTAL.of(table, firing)
        tail = f": {self.name(firing)} {now} \N{RIGHTWARDS ARROW} {now + card.value}"
        return Told(act, tail, f"{'More' if card.value > 0 else 'Fewer'} Hits on the {self.name(hit)} side")

    def _pick(self, table: Table, command: Pick | Unpick | Choose) -> Told:
        """Return a sentence about a step of a selection, or a whole one."""
        kind = "" if table.top is None else table.top.kind
        words = PICK_WORDS.get(kind, "Choose {}")
        if isinstance(command, Unpick):
            return Told(f"Take back: {words.format(self.name(command.item))}")
        if isinstance(command, Pick) and kind in RATION_PICKS and table.top is not None:
            there = rations(table, PieceId(command.item))
            there += RATION_PICKS[kind] * table.top.picked.count(command.item)
            return Told(words.format(self.name(command.item)), f" ({there or 'none'} now)")
        items = command.items if isinstance(command, Choose) else (command.item,)
        if kind not in ATTACKS or not items:
            return Told(words.format(joined([self.name(item) for item in items]) or "none"))
        there = rations(table, PieceId(items[0]))
        left = left_of(there, self.cards.figures.attack_cost) if isinstance(command, Pick) else ""
        return Told(
            words.format(self._with_combat(table, items, attacking=True)),
            f"{attack_cost(self.cards, len(items))}{left}",
        )

    def _attack(self, table: Table, command: commands.Attack) -> Told:
        able = able_to_attack(self.cards, table, table.turn, command.location)
        named = self._with_combat(table, command.forces or able, attacking=True)
        forces = f"{'' if command.forces or len(able) == 1 else 'any of '}{named}"
        forces += attack_cost(self.cards, len(command.forces or able))
        defenders = table.pieces_at(ids.area(command.location, ids.enemy(table.turn), ids.CONTROL))
        versus = f" against {self._with_combat(table, defenders)}" if defenders else ""
        more = added(self.cards, table, table.turn, command.location, self.name)
        return Told(f"Attack at {self.name(command.location)}", f" with {forces}{versus}{more}")

    def _with_combat(self, table: Table, forces: Iterable[str], *, attacking: bool = False) -> str:
        """Name Forces with their Combat on this table, or that with which they would be `attacking`: a note may raise it."""
        said = []
        for force in map(PieceId, forces):
            is_known = force in self.cards.forces
            value = f" ({combat_words(self.cards, table, force, attacks=attacking)})" if is_known else ""
            said.append(f"{self.name(force)}{value}")
        return joined(said)

    def _absorb(self, table: Table, command: commands.Absorb) -> Told:
        """Return how a Hit is met, by a Retreat with the Hits that it stops, by a Ration with those that are left."""
        force = self.name(command.force)
        if command.by in ("retreat", "ration") and command.force in self.cards.forces:
            act, left = absorbed(self.cards, table, command.force, command.by)
            return Told(f"{force} {act}", left)
        stopped = destroyed(self.cards, table, command.force) if command.by == LOSS else ""
        return Told(ABSORB_WORDS.get(command.by, "{} absorbs the Hit").format(force), stopped)

    @override
    def sorts(self, table: Table, asked: Open) -> Sequence[tuple[type[Command], str]]:
        """Return the Actions in the order of their use."""
        return sorts(self.cards, table) if asked.kind == "action" else ()


def _of_deck(box: PlaceId) -> str:
    """Return what a place at a Force deck is called: which side's deck it is stands before the deck."""
    words, side = ids.PILE_NAMES[box]
    return words.replace("Force deck", f"{ids.SIDE_NAMES[side]} Force deck")


DONE_WORDS = {
    "action": "End the Actions step",
    "free_move": "Make no more free Moves",
    "repair": "Take no Rubble off",
    "attackers": "Begin the Attack",
    "join_attack": "Begin the Attack",
    "pay_cards": "Pay the cost",
    "pay_rations": "Pay the cost",
    "pay_forces": "Pay the cost",
    "distribute": "Hand the Rations out",
}
"""What ends, by the kind of the question."""

CARD_WORDS: dict[type[Command], str] = {
    commands.Resupply: "Resupply, discarding",
    commands.TakeCard: "Take",
    commands.RemoveUranus: "Pay to remove",
}
RATION_PICKS = {"distribute": 1, "pay_rations": -1}
"""How many Rations a Force has more with each time that it is picked, by the kind of the question."""

PICK_WORDS = {
    "attackers": "Attack with {}",
    "join_attack": "Join the Attack with {}",
    "pay_cards": "Pay with {}",
    "distribute": "Put a Ration on {}",
    "pay_rations": "Pay with a Ration of {}",
    "pay_forces": "Have {} Destroyed as the cost",
}
"""What a pick does, by the kind of the question."""

ABSORB_WORDS = {
    "ignored": "{} ignores the Hit by its note",
    LOSS: "{} is Destroyed",
}
