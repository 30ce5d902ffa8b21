"""The narration of this game, bound to a board: commands as sentences, and the way to names, events, questions and pictures."""

from collections.abc import Iterable, Mapping, Sequence

from typing_extensions import override

from core.engine.command import Command
from core.engine.selection import Choose, Done, Pick, Unpick
from core.games.inferno.components.board_model import Board
from core.games.inferno.ids import EDGES, GERMAN, RUBBLE, SOVIET, SOVIET_SEAT, hand
from core.games.inferno.memory import COMBAT, EXTRA_TURNS, EXTRA_TURNS_PLAYED, JOINING
from core.games.inferno.narration.attack_stakes import Attack, attack_words
from core.games.inferno.narration.card_effects import effect_words
from core.games.inferno.narration.deciding import deciding
from core.games.inferno.narration.names import Names
from core.games.inferno.narration.questions import question
from core.games.inferno.narration.sentences import dots, entry_words, hand_words
from core.games.inferno.narration.stakes import (
    LOST_ROW,
    draw_words,
    entering_words,
    reinforcement_words,
    spawn_words,
)
from core.games.inferno.narration.telling import Teller
from core.games.inferno.rules import commands
from core.games.inferno.rules.cards import card_number, deck_size
from core.games.inferno.rules.queries import has_partners, of_partner, partner, stack
from core.games.inferno.rules.reinforcement_track import fewest, is_dead
from core.games.inferno.rules.soviet import attackers
from core.narration.narration_port import Pictures
from core.narration.printed_narration import Kinds, PrintedNarration
from core.narration.told_option import Told
from core.wording import capital, counted, joined
from events.ids import CardId, PieceId, PlaceId, RuleId, Side
from events.vocabulary import DiceRolled, Event
from projections.state.table import Open, Table

FINAL: Kinds = frozenset(
    {
        ("action", commands.Reinforce),
        ("german_card", commands.CommitCards),
        ("soviet_action", commands.SovietDraw),
        ("soviet_action", commands.SovietSpawn),
        ("soviet_card", commands.CommitCards),
    }
)
"""After which commands, by the kind of question, dice fall or something is drawn as a rule."""
FINAL_WITHOUT_SOVIET_SEAT: Kinds = frozenset(
    {
        ("action", commands.DeliberateAttack),
        ("action", commands.LongMove),
        ("action", Done),
        ("advance", Done),
        ("hits", Done),
        ("hits", Pick),
        ("short_move", commands.ShortMove),
        ("short_move", Done),
    }
)
"""The same after commands that the rules answer with a turn of the Soviet army, unless a player does."""


ACTIONS: Sequence[tuple[type[Command], str]] = (
    (commands.LongMove, ""),
    (commands.ShortMove, ""),
    (commands.HastyAttack, ""),
    (commands.DeliberateAttack, ""),
    (commands.Reinforce, ""),
)
"""The actions of the Germans in the order of the rulebook's list."""


class InfernoNarration(Names, PrintedNarration):
    """Names, sentences and pictures; see `core.narration.narration_port.Narration`.

    Args:
        board: The packaged board or an owner's.
    """

    final = FINAL

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        self.teller = Teller(self)

    @override
    def load_pictures(self) -> Pictures:
        """Import what renders tables."""
        from core.games.inferno.narration.pictures import InfernoPictures

        return InfernoPictures(self)

    def tell(self, table: Table, run: Sequence[Event]) -> str | None:
        """Return the game's sentence for events in a row; empty for the default sentence, None for no sentence."""
        return self.teller.tell(table, run)

    @override
    def card_text(self, card: str, table: Table | None = None) -> str:
        """Return what a card does, in a combat as things are there; empty for anything else."""
        if card not in self.board.cards:
            return ""
        known = CardId(card)
        if table is None or table.topmost(COMBAT) is None:
            words = hand_words(self.board, known)
        else:
            words = effect_words(table, self.board, known)
        return f"{capital(words)}." if words else ""

    @override
    def pieces_meant(self, table: Table, command: Command) -> Mapping[str, tuple[PieceId, ...]]:
        """Return the units of the Stacks that an attack, or a partner who joins one, names by their hexes."""
        match command:
            case commands.DeliberateAttack(hexes=hexes):
                return {place: stack(table, place) for place in hexes}
            case commands.SovietAttack(hex=place) | commands.JoinAttack(hex=place):
                return {place: stack(table, place)}
            case _:
                return {}

    @override
    def is_outdone(self, table: Table, command: Command) -> bool:
        """Return whether a card is played of which the hand has another copy that is listed before it."""
        if not isinstance(command, commands.CommitCards) or table.top is None:
            return False
        prints = {
            one.id: (one.side, one.title, one.name, one.hex, one.needs_linden) for one in self.board.cards.values()
        }
        left = [card for card in table.pile(hand(table.top.seat)).cards if card not in command.cards]
        return any(other < card and prints[other] == prints[card] for card in command.cards for other in left)

    @override
    def favours(self, table: Table, roll: DiceRolled) -> Side:
        """Return the side that fires, or that gains by a high roll."""
        return self.teller.favoured(table, roll)

    @override
    def deciding(self, table: Table, event: Event) -> tuple[RuleId, ...]:
        """Return the rules that decide an event besides the one that it cites."""
        return deciding(table, self.board, event)

    # Commands

    @override
    def is_final(self, table: Table, command: Command) -> bool:
        """Return whether dice fall, or something is drawn; where no player has the Soviet army, also what begins its turn.

        No German card is laid in a Hasty Attack, and one of the Soviets only where their hand has one; before the dice of any other attack its player decides again.
        """
        if isinstance(command, commands.HastyAttack):
            return True
        if isinstance(command, commands.SovietAttack) and not table.pile(hand(SOVIET_SEAT)).count:
            return True
        is_answered = table.top is not None and (table.top.kind, type(command)) in FINAL_WITHOUT_SOVIET_SEAT
        return super().is_final(table, command) or (is_answered and not table.seats_of(SOVIET))

    def question(self, table: Table, asked: Open) -> str:
        """Return the text of an open question or a sequence."""
        return question(self, table, asked)

    @override
    def told(self, table: Table, command: Command) -> Told:
        """Return what a command would do, and what comes of it, as its seat may know it."""
        assert isinstance(command, commands.InfernoCommand), "a command of another game"
        match command:
            case commands.LongMove() | commands.ShortMove() | commands.SovietMove() | commands.Blitz():
                return self._move(table, command)
            case commands.HastyAttack() | commands.DeliberateAttack() | commands.SovietAttack():
                return self._attack(table, command)
            case commands.CommitCards(cards=cards):
                return Told(f"Lay face down: {self._cards(table, cards)}" if cards else "Play no card")
            case commands.Deploy(unit=unit, to=to):
                entry = f"{self._block(table, unit)} enters in {self.name(to)}"
                return Told(f"{entry}{self._entry(table, unit)}", self._enters(table, to))
            case commands.ReturnUnit(unit=unit):
                row = fewest(table, self.board)
                lost = LOST_ROW if is_dead(table, self.board, row) else ""
                return Told(f"{self._block(table, unit)} goes back to row {row} of the Reinforcement Track", lost)
            case commands.JoinAttack(hex=place, join=join):
                units = self._units(table, stack(table, place))
                said = f"{'Join' if join else 'Do not join'} the attack with the Stack in {self.name(place)} ({units})"
                return Told(said, self._joined(table, place) if join else "")
            case Pick() | Unpick() | Choose():
                return self._pick(table, command)
            case Done():
                return Told(DONE_WORDS.get("" if table.top is None else table.top.kind, "Done"))
            case _:
                return self._action(table, command)

    @override
    def sorts(self, table: Table, asked: Open) -> Sequence[tuple[type[Command], str]]:
        """Return the actions in the order of their use."""
        return ACTIONS

    def _action(self, table: Table, command: Command) -> Told:
        """Return a sentence about an action without units."""
        board = self.board
        match command:
            case commands.ExtraTurn(play=play):
                played, granted = EXTRA_TURNS_PLAYED.of(table), EXTRA_TURNS.of(table) or 0
                return Told(f"Play extra turn {played + 1} of {granted}" if play else "End the game: the Soviets win")
            case commands.Reinforce():
                cards = draw_words(table, GERMAN, card_number(table, board, board.track.cards))
                dice, rows = counted(board.track.dice, "die"), reinforcement_words(table, board)
                return Told("Call for Reinforcements", f": {cards}, then throw {dice} ({rows})")
            case commands.SovietSpawn():
                return Told("Spawn Action", f" ({spawn_words(table, board)})")
            case _:
                deck = counted(deck_size(table, SOVIET), "card")
                return Told("Draw Action", f": {draw_words(table, SOVIET, 1)} ({deck} in the deck)")

    def _block(self, table: Table, unit: PieceId) -> str:
        """Name a unit by what the deciding seat knows of it: the table may hold more."""
        return self.piece(table, unit) if self._is_known(table, unit) else self.hidden(table, unit)

    @staticmethod
    def _is_known(table: Table, unit: PieceId) -> bool:
        """Return whether the deciding seat knows a unit."""
        seat = None if table.top is None else table.top.seat
        return unit in table.pieces and (not seat or seat in table.known_to.get(unit, (seat,)))

    def _entry(self, table: Table, unit: PieceId) -> str:
        """Return where units of an army enter, if the deciding seat knows of which a unit is."""
        block = self.board.blocks.get(CardId(table.pieces[unit].kind)) if self._is_known(table, unit) else None
        if block is None or not block.colour:
            return ""
        return f": {entry_words(self.board, block.colour, has_partners=has_partners(table))}"

    def _units(self, table: Table, units: Iterable[PieceId]) -> str:
        """Name units in a row; of several each without the word that nearly all German ones share."""
        said = [self._block(table, unit) for unit in units]
        return joined(said if len(said) == 1 else [one.replace(" Regiment (", " (") for one in said])

    def _enters(self, table: Table, *places: PlaceId) -> str:
        """Return what follows when units of the deciding seat enter hexes."""
        side = table.turn if table.top is None else table.side_of(table.top.seat)
        return entering_words(table, self.board, self.name, side, places)

    def _move(
        self, table: Table, command: commands.LongMove | commands.ShortMove | commands.SovietMove | commands.Blitz
    ) -> Told:
        units = (command.unit,) if isinstance(command, commands.Blitz) else command.units
        path = command.path if isinstance(command, commands.LongMove) else (command.to,)
        start = table.pieces[units[0]].place if units and units[0] in table.pieces else PlaceId("")
        way = " by ".join([f"from {self.name(start)}" if start else "", *map(self.name, path[:-1])]).strip()
        to = self.name(path[-1]) if path else "nowhere"
        split = (
            self._split(table, units, path[-1] if path else start) if isinstance(command, commands.ShortMove) else ""
        )
        moves = f"{self._units(table, units)} {way} to {to}"
        return Told(f"{MOVE_WORDS[type(command)]}: {moves}", f"{split}{self._enters(table, *path)}")

    def _split(self, table: Table, units: Sequence[PieceId], to: PlaceId) -> str:
        """Return which units a Stack leaves behind, and which ones it joins."""
        if not units or units[0] not in table.pieces:
            return ""
        stay = [unit for unit in stack(table, table.pieces[units[0]].place) if unit not in units]
        there = [unit for unit in stack(table, to) if unit not in units]
        joins = f", joining {self._others(table, there)}" if there else ""
        stays = f"; Breakdown: {self._others(table, stay)} {'stays' if len(stay) == 1 else 'stay'}" if stay else ""
        return f"{joins}{stays}"

    def _others(self, table: Table, units: Sequence[PieceId]) -> str:
        """Return units that an order does not move, by their number if they are several: a Stack can be broken down in many ways."""
        return self._block(table, units[0]) if len(units) == 1 else counted(len(units), "unit")

    def _attack(
        self, table: Table, command: commands.HastyAttack | commands.DeliberateAttack | commands.SovietAttack
    ) -> Told:
        match command:
            case commands.HastyAttack(units=units, to=to, targets=targets):
                others = [unit for unit in stack(table, to) if unit not in units] if to in self.board.hexes else []
                what = joined([self._target(table, target) for target in targets])
                start = f" from {self.name(table.pieces[units[0]].place)}" if units and units[0] in table.pieces else ""
                moves = f"{self._units(table, units)}{start} to {self.name(to)}"
                fire = self._stakes(table, targets, (*units, *others), (to,))
                return Told(
                    f"Hasty Attack on {what}: {moves}",
                    f"{self._split(table, units, to)}{self._enters(table, to)}{fire}",
                )
            case commands.DeliberateAttack(targets=targets, hexes=hexes):
                what = joined([self._target(table, target) for target in targets])
                start, fire = self._deliberate(table, targets, hexes)
                return Told(f"Deliberate Attack on {what} {start}", fire)
            case commands.SovietAttack(hex=place, target=target):
                hexes = attackers(table, self.board, place, target)
                units = tuple(unit for near in hexes for unit in stack(table, near))
                fire = self._stakes(table, (target,), units, hexes)
                return Told(f"Attack on {self._target(table, target)} {self._stacks(table, hexes)}", fire)

    def _stakes(
        self, table: Table, targets: Sequence[PlaceId], units: Sequence[PieceId], hexes: Sequence[PlaceId]
    ) -> str:
        """Return what an attack that is not Deliberate brings, or one of the Soviets, which never causes Rubble."""
        if not targets:
            return ""
        return attack_words(table, self.board, Attack(targets[0], tuple(units), tuple(hexes), is_deliberate=False))

    def _deliberate(self, table: Table, targets: Sequence[PlaceId], hexes: Sequence[PlaceId]) -> tuple[str, str]:
        """Return from where a Deliberate Attack is made, and what it brings; what the partner must agree to is not certain."""
        asked = self._partners_hexes(table, hexes)
        own = tuple(place for place in hexes if place not in asked)
        other = self.name(partner(table, table.top.seat)) if asked and table.top else ""
        sure = self._stacks(table, own)
        hoped = f" and, if {other} agrees, {self._stacks(table, asked)}" if asked else ""
        consent = f"if {other} agrees{' to all' if len(asked) > 1 else ''}"
        if not targets:
            return f"{sure}{hoped}", ""
        attack = self._deliberate_from(table, targets[0], own)
        all_in = self._deliberate_from(table, targets[0], hexes) if asked else None
        return f"{sure}{hoped}", attack_words(table, self.board, attack, all_in, consent)

    def _joined(self, table: Table, place: PlaceId) -> str:
        """Return what the attack brings with the Stack of a hex that joins it."""
        target, joining = "" if table.top is None else table.top.text("target"), JOINING.of(table)
        if joining is None or not target:
            return ""
        attack = self._deliberate_from(table, PlaceId(target), (*map(PlaceId, joining), place))
        return attack_words(table, self.board, attack)

    @staticmethod
    def _deliberate_from(table: Table, target: PlaceId, hexes: Sequence[PlaceId]) -> Attack:
        """Return a Deliberate Attack with all units of some hexes."""
        units = tuple(unit for place in hexes for unit in stack(table, place))
        return Attack(target, units, tuple(hexes), is_deliberate=True)

    def _partners_hexes(self, table: Table, hexes: Sequence[PlaceId]) -> tuple[PlaceId, ...]:
        """Return the hexes whose Stacks attack only if the partner agrees, as far as the viewer knows the units."""
        top = table.top
        units = [unit for place in hexes for unit in stack(table, place)]
        is_asked = top is not None and has_partners(table) and top.seat in table.seats_of(GERMAN)
        if top is None or not is_asked or not all(table.pieces[unit].kind for unit in units):
            return ()
        return tuple(of_partner(table, self.board, top.seat, hexes))

    def _stacks(self, table: Table, hexes: Iterable[PlaceId]) -> str:
        said = [f"{self.name(place)} ({self._units(table, stack(table, place))})" for place in hexes]
        return f"from {joined(said)}"

    def _target(self, table: Table, place: PlaceId) -> str:
        """Name an attacked hex with what counts in it."""
        said = [counted(len(stack(table, place)), "unit")]
        if place in self.board.hexes:
            said.insert(0, self.name(self.board.hexes[place].terrain))
        said += ["Rubble"] if table.marker(place, RUBBLE) else []
        return f"{self.name(place)} ({', '.join(said)})"

    def _cards(self, table: Table, cards: Sequence[str]) -> str:
        said = []
        for card in cards:
            known = [one for one in self.board.cards if one == card]
            words = effect_words(table, self.board, known[0]) if known else ""
            said.append(f"{self.name(card)}{f' ({words})' if words else ''}")
        return joined(said)

    def _pick(self, table: Table, command: Pick | Unpick | Choose) -> Told:
        """Return a sentence about a step of a selection, or a whole one."""
        kind = "" if table.top is None else table.top.kind
        items = command.items if isinstance(command, Choose) else (command.item,)
        shown = [self._chosen(table, PieceId(item), is_hit=kind == "hits") for item in items]
        one, several, none = PICK_WORDS.get(kind, ("Choose {}", "Choose {}", "Choose none"))
        words = (one if len(shown) == 1 else several).format(joined(shown)) if shown else none
        return Told(f"Take back: {words}" if isinstance(command, Unpick) else words)

    def _chosen(self, table: Table, unit: PieceId, *, is_hit: bool) -> str:
        """Name a unit and, if it would be hit, where it stands and what is left of it."""
        said = self._block(table, unit)
        piece = table.pieces.get(unit)
        if piece is None or not is_hit:
            return said
        edges = [block.edges for block in self.board.blocks.values() if block.id == piece.kind]
        after = edges[0][EDGES.index(piece.face) + 1 :] if edges and piece.face else ()
        is_left = bool(after and after[0].strength)
        left = f"has {dots(after[0])} left" if is_left else "is destroyed" if edges else "loses a Step"
        return f"{said} in {self.name(piece.place)} {left}"


DONE_WORDS = {
    "action": "Pass: no action this turn",
    "short_move": "Make no second Short Move",
    "blitz": "Make no more Blitz moves",
    "advance": "Advance with these units",
    "soviet_advance": "Advance with this unit",
    "hits": "These units lose a Step",
}
"""What ends, by the kind of the question."""

MOVE_WORDS: dict[type[Command], str] = {
    commands.LongMove: "Long Move",
    commands.ShortMove: "Short Move",
    commands.SovietMove: "Move",
    commands.Blitz: "Blitz",
}
PICK_WORDS = {
    "hits": ("{}", "{}", "No unit loses a Step"),
    "advance": ("{} advances", "{} advance", "None advances"),
    "soviet_advance": ("{} advances", "{} advance", "None advances"),
}
"""What a choice of one, several and no units does, by the kind of the question."""
