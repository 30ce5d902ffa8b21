"""The table of this game as its players look at it: every Location with its Areas, the battle, the decks and the cards."""

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial

from core.drawing.at_stake import named_on
from core.games.battle import ids, memory
from core.games.battle.components.card_model import Cards, Location
from core.games.battle.components.view.map import sheet_in_play
from core.games.battle.components.words.card_words import MOMENTS, chart_words, force_notes, force_words, note_words
from core.games.battle.narration.card_table import TableCards
from core.games.battle.narration.counter_sentences import Name
from core.games.battle.narration.strips import Strips, is_choosing, looked_through
from core.games.battle.rules import queries
from core.games.battle.rules.buy import price
from core.games.battle.rules.fighting import attacker, defender, total
from core.games.battle.rules.supply import location_rations, printed_rations
from core.games.battle.rules.turn import cards_to_draw
from core.narration.place_name import PlaceName
from core.narration.render_model import MapPlace, Panel, Picture
from core.narration.sheet import Drawing
from core.wording import capital, counted, joined
from events.codec import replace
from events.ids import CardId, PieceId, PileId, PlaceId, Side
from projections.state.table import Open, Table

AT_STAKE = {
    "move": ("force", "to"),
    "card": ("force", "other", "to"),
    "purchase": ("to",),
    "attackers": ("location",),
    "join_attack": ("location", "force"),
    "battle": ("location",),
    "card_attack": ("location", "force"),
    "distribute": ("location",),
}
"""What sequences and questions are about, by their kinds."""

SHEETS_MAX = 16
"""How many printed maps are kept."""


class BattlePictures:
    """Draws tables with one set of cards.

    Args:
        cards: Have everything printed.
        name: Returns what an id is called.
        named: The names of the places.
    """

    def __init__(self, cards: Cards, name: Name, named: Sequence[PlaceName]) -> None:
        self.cards = cards
        self.name = name
        self.named = named
        # What is drawn of a printed map is kept with it, so that all tables of a match have the same one.
        self._table = TableCards(cards, name)
        self._sheet = lru_cache(maxsize=SHEETS_MAX)(partial(sheet_in_play, cards))

    def places(self) -> tuple[MapPlace, ...]:
        """List the Areas of the Locations, the German ones in the west; then the boxes."""
        columns = len(ids.LOCATION_AREAS)
        areas = [
            MapPlace(place.id, place.name, "", 125 + 250 * (number % columns), 50 + 100 * (number // columns))
            for number, place in enumerate(place for place in self.named if not place.is_box)
        ]
        boxes = [MapPlace(box.id, box.name, "", 0, 1000, is_box=True) for box in self.named if box.is_box]
        return (*areas, *boxes)

    def picture(self, table: Table) -> Picture | None:
        """Return a table as its players look at it; nothing before the Locations are drawn."""
        locations = queries.locations_in_play(self.cards, table)
        if not locations:
            return None
        places = [self._location(table, location) for location in locations]
        below = [*(self._choice(table, side) for side in (ids.RUSSIAN, ids.GERMAN))]
        below += [self._forces(table), self._cards(table), self._discards(table), self._uranus(table)]
        below += [self._looked_through(table), *(self._hand(table, side) for side in (ids.GERMAN, ids.RUSSIAN))]
        panels = [self._state(table), *places, *below]
        return Picture(below=tuple([panel for panel in panels if panel.lines or panel.rows]))

    def drawing(self, table: Table) -> Drawing | None:
        """Return the Locations in play with their Forces, or None before the Locations are drawn."""
        locations = queries.locations_in_play(self.cards, table)
        if not locations:
            return None
        held = {
            PlaceId(location.id): holder
            for location in locations
            if (holder := queries.controller(table, location.id)) is not None
        }
        printed = self._sheet(tuple([one.id for one in locations]))
        looks = {force: self._table.force(table, force, self._title(table, force)) for force in self._shown(table)}
        beside = Strips(self.cards, self.name).all(table)
        at_stake = named_on(table, AT_STAKE)
        return Drawing(printed, looks, held, strips=beside, at_stake=at_stake, cards=self._table.table(table))

    def _title(self, table: Table, force: PieceId) -> str:
        """Return what a player reads off a Force, in an Area with what lies on it, elsewhere with what it costs."""
        if queries.is_on_map(table, force):
            return self._force(table, force)
        card = self.cards.forces[force]
        return f"{card.name}: Cost {price(self.cards, table, card.side, force)}, {force_words(card, card.rations)}"

    def _shown(self, table: Table) -> Iterable[PieceId]:
        """Return the Forces on the table, and while a side chooses also those to choose from."""
        choosing = [side for side in ids.SIDES if is_choosing(self.cards, table, side)]
        return dict.fromkeys([*table.pieces, *(force for side in choosing for force in self.cards.piles[side])])

    # The turn and the battle

    def _state(self, table: Table) -> Panel:
        """Return who Controls what, what is in force, and how a battle stands."""
        lines = [self._control(table), *self._in_force(table), *self._battle(table)]
        if table.track(ids.POINTS):
            lines.append(f"Points of Reinforcements left to spend on Forces: {table.track(ids.POINTS)}")
        return Panel(lines=tuple(lines))

    def _control(self, table: Table) -> str:
        said = []
        for side in (ids.GERMAN, ids.RUSSIAN):
            held = queries.controlled(self.cards, table, side)
            names = f" ({', '.join(location.name for location in held)})" if held else ""
            said.append(f"{self.name(side)} {len(held)}{names}")
        return f"Locations Controlled: {'; '.join(said)}; {self.cards.figures.victory_locations} win"

    def _in_force(self, table: Table) -> list[str]:
        said = [
            f"{self.name(side)} Big Push{f' ({added})' if added > 1 else ''}"
            for side in (ids.GERMAN, ids.RUSSIAN)
            if (added := memory.BIG_PUSH.of(table, side))
        ]
        said += ["No cards for Locations"] if memory.NO_LOCATION_CARDS.of(table) else []
        said += ["free Move of a Location used"] if memory.FREE_MOVES_USED.of(table) else []
        return [f"In force until the turn ends: {', '.join(said)}"] if said else []

    def _battle(self, table: Table) -> list[str]:
        lines = []
        sides = {side: self.name(side) for side in (ids.GERMAN, ids.RUSSIAN)}
        battle = table.topmost("battle")
        if battle is not None and memory.DEFENDING.of(table):
            fighting = [self._fighting(table, battle, side) for side in (attacker(battle), defender(battle))]
            lines.append(f"The battle at {self.name(battle.text('location'))} so far: {'; '.join(fighting)}")
        said = ["No Firefight"] if memory.NO_FIREFIGHT.of(table) else []
        said += [f"No {name} Retreat" for side, name in sides.items() if memory.NO_RETREAT.of(table, side)]
        if said:
            lines.append(f"In this battle: {', '.join(said)}")
        hits = {name: memory.HITS.of(table, side) for side, name in sides.items()}
        left = [f"{name} Hits to absorb {count}" for name, count in hits.items() if count]
        return [*lines, *([", ".join(left)] if left else [])]

    def _fighting(self, table: Table, battle: Open, side: Side) -> str:
        """Return which Forces of a side attack or defend in a battle, and the side's total so far."""
        forces = joined([self.cards.forces[force].name for force in queries.participants(self.cards, table, side)])
        verb = "attacks" if side == attacker(battle) else "defends"
        return f"{self.name(side)} {verb} with {forces or 'no Force any more'}, total {total(self.cards, table, battle, side)}"

    # Locations and Forces

    def _location(self, table: Table, location: Location) -> Panel:
        """Draw one Location: who Controls it, what it gives, and who is in its Areas."""
        holder = queries.controller(table, location.id)
        control = f"{self.name(holder)} Control" if holder is not None else "Uncontrolled"
        if queries.is_destroyed(table, location.id):
            state = "Destroyed, gives no Rations"
        else:
            there = queries.rubble(table, location.id)
            gives = self._gives(table, location)
            state = f"{there} Rubble, {'gives' if holder else 'would give'} {counted(gives, 'Ration')}"
            state += f" (Rations by Rubble: {chart_words(location)})"
        lines = [f"{location.name}: {control}. {state}."]
        if location.has_note and (location.note_survives or not queries.is_destroyed(table, location.id)):
            lines.append(f"  {note_words(location)}")
        rows: list[tuple[str, ...]] = []
        for side, which in ids.LOCATION_AREAS:
            forces = table.pieces_at(ids.area(location.id, side, which))
            label = f"  {self.name(side)} {which.capitalize()}"
            said = [self._force(table, force) for force in forces] or ["-"]
            rows += [(label, said[0]), *(("", force) for force in said[1:])]
        battle = table.topmost("battle")
        current = PlaceId(location.id if battle is not None and battle.text("location") == location.id else "")
        return Panel(
            lines=tuple(lines), header=("", ""), rows=tuple(rows), is_map=True, current=current, is_abreast=True
        )

    def _gives(self, table: Table, location: Location) -> int:
        """Return the Rations that a Location gives now, or would give whoever comes to Control it."""
        holder = queries.controller(table, location.id)
        return location_rations(self.cards, table, holder, location.id) if holder else printed_rations(table, location)

    def _force(self, table: Table, force: PieceId) -> str:
        """Return what a player reads off a Force and what lies on it."""
        card = self.cards.forces[force]
        value = queries.combat(self.cards, table, force)
        said = [f"Combat {value}{f' (printed {card.combat})' if value != card.combat else ''}"]
        said.append(counted(queries.rations(table, force), "Ration"))
        said += (
            [counted(queries.medals(table, force), "Heroic Service counter")] if queries.medals(table, force) else []
        )
        said += ["locked by a Sniper"] if queries.is_locked(table, force) else []
        said += ["attacking"] if memory.is_attacking(table, force) else []
        said += ["defending"] if force in (memory.DEFENDING.of(table) or ()) else []
        is_there = self.cards.is_control(table.pieces[force].place)
        said += ["Combat doubled"] if is_there and memory.DOUBLED.of(table, force) else []
        said += ["set aside as a cost"] if memory.PLEDGED.of(table, force) else []
        pledged, ignored = memory.PLEDGED_RATIONS.of(table, force), memory.IGNORED.of(table, force)
        said += [f"{counted(pledged, 'Ration')} set aside as a cost"] if pledged else []
        said += [f"has ignored {counted(ignored, 'Hit')}"] if ignored else []
        notes = force_notes(card, is_attacking=is_there and memory.is_attacking(table, force))
        return f"{card.name}: {', '.join(said)}{f'; {notes}' if notes else ''}"

    def _forces(self, table: Table) -> Panel:
        """List each side's Force deck: its open top, how many lie beneath, and the Destroyed ones."""
        rows: list[tuple[str, str]] = []
        for side in (ids.GERMAN, ids.RUSSIAN):
            if is_choosing(self.cards, table, side):
                continue
            said = [self._for_sale(table, force) for force in table.pieces_at(ids.top(side))] or ["empty"]
            said.append(f"{table.pile(ids.force_pool(side)).count} face down beneath")
            gone = [self.cards.forces[force].name for force in table.pieces_at(ids.bottom(side))]
            said += [f"then the Destroyed: {', '.join(gone)}"] if gone else []
            rows.append((f"  {self.name(side)}", "; ".join(said)))
        return Panel(title="Force decks", header=("", ""), rows=tuple(rows), is_map=True)

    def _choice(self, table: Table, side: Side) -> Panel:
        """List the Forces from which a side chooses at set-up; all of them lie open."""
        if not is_choosing(self.cards, table, side):
            return Panel()
        left = [self.cards.forces[force] for force in self.cards.piles[side] if not queries.is_on_map(table, force)]
        rows = [(f"  {card.name}", f"Cost {card.cost}, {force_words(card, card.rations)}") for card in left]
        what = "Forces to choose from"
        title = f"{self.name(side)} {what}"
        return Panel(title=title, header=("", ""), rows=tuple(rows), is_map=True, owner=side, what=what)

    def _for_sale(self, table: Table, force: PieceId) -> str:
        card = self.cards.forces[force]
        cost = price(self.cards, table, card.side, force)
        more = f" (printed {card.cost})" if cost != card.cost else ""
        return f"{card.name}, Cost {cost}{more}, {force_words(card, card.rations)}"

    # Cards

    def _cards(self, table: Table) -> Panel:
        """Count each side's cards, and name those that lie open."""
        rows: list[tuple[str, str]] = []
        for side in (ids.GERMAN, ids.RUSSIAN):
            if not table.pile(ids.deck(side)).count and not table.pile(ids.discards(side)).count:
                continue
            counts = (
                f"{counted(table.pile(ids.hand(side)).count, 'card')} in hand",
                f"{table.pile(ids.deck(side)).count} in the deck",
                f"{table.pile(ids.discards(side)).count} discarded",
                f"draws {cards_to_draw(self.cards, table, side)} as things are",
            )
            rows.append((f"  {self.name(side)}", ", ".join(counts)))
            for pile in (ids.played(side), ids.firefight(side), ids.snipers(side), ids.escrow(side)):
                rows += [
                    ("", f"{capital(ids.PILE_NAMES[pile][0])}: {said}") for said in [self._pile(table, pile)] if said
                ]
        return Panel(title="Action cards", header=("", ""), rows=tuple(rows), is_map=True)

    def _discards(self, table: Table) -> Panel:
        """List the discards, which are open. Source: ruling.open-information."""
        rows = [
            (f"  {self.name(side)}", said)
            for side in (ids.GERMAN, ids.RUSSIAN)
            if (said := self._pile(table, ids.discards(side)))
        ]
        return Panel(title="Discards, the first below", header=("", ""), rows=tuple(rows), is_detail=True)

    def _pile(self, table: Table, pile: PileId) -> str:
        there = table.pile(pile)
        known = [self.name(card) for card in there.cards]
        return ", ".join(known + ([f"{there.hidden} face down"] if there.hidden else []))

    def _uranus(self, table: Table) -> Panel:
        rows = [
            (f"  {self.name(card)}", self.cards.cards[card].title.text)
            for card in queries.uranus_in_play(self.cards, table)
        ]
        return Panel(title="Operation Uranus in play", header=("", ""), rows=tuple(rows), is_map=True)

    def _looked_through(self, table: Table) -> Panel:
        """List the cards of a deck from which the viewer takes one."""
        return self._known("The deck, to take one card from", looked_through(table))

    def _hand(self, table: Table, side: Side) -> Panel:
        """List the cards that the onlooker may see in a hand."""
        known = self._known("", table.pile(ids.hand(side)).cards)
        what = "hand, with Firefight values"
        return replace(known, title=f"{self.name(side)} {what}", owner=side, what=what)

    def _known(self, title: str, cards: Iterable[CardId]) -> Panel:
        """List cards that not everybody may see: Firefight value, moment and effect."""
        rows = tuple([self._card(card) for card in sorted(cards)])
        return Panel(title=title, header=("  Card", "When", "Effect"), rows=rows, is_private=True, is_map=True)

    def _card(self, card: CardId) -> tuple[str, ...]:
        title = self.cards.cards[card].title
        return (f"  {self.name(card)}", MOMENTS[title.timing], title.text)
