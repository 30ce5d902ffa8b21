"""The table of this game as it is drawn: Location cards with their Rubble, the Areas of both sides, decks and Forces."""

from core.games.battle import ids, memory
from core.games.battle.components.card_model import Cards, Force, Location
from core.games.battle.components.words.card_words import effect_words, force_words, short_note
from core.games.battle.narration.counter_sentences import Name
from core.games.battle.narration.strips import is_choosing
from core.games.battle.rules import queries
from core.games.battle.rules.buy import price
from core.games.battle.rules.fighting import total
from core.games.battle.rules.supply import location_rations, printed_rations
from core.narration.card_table import CardFace, CardTable, CardTrack, Desk, PlaceCard, Score, Span, TableRow
from core.narration.sheet import Counter
from core.wording import counted
from events.ids import PieceId, PlaceId, Side
from projections.state.table import Table

ARMS = {"panzer": "armour", "tank": "armour", "motorized": "motorized", "guards": "marine"}
"""The symbols of Forces by the word of their names that says what they are; all others are infantry."""
INFANTRY = "infantry"
SILHOUETTES = {
    "gumrak_airfield": "airfield",
    "grain_elevator": "silo",
    "dzerzhinskiy_tractor_factory": "factory",
    "the_docks": "docks",
    "pavlovs_house": "house",
    "mamayev_kurgan": "hill",
    "barrikady_gun_factory": "factory",
    "central_station": "station",
    "red_october_steel_factory": "chimneys",
    "univermag_department_store": "store",
}
"""What the Locations look like from afar, by their ids."""


class TableCards:
    """Lays out the table.

    Args:
        cards: Have everything printed.
        name: Returns what an id is called.
    """

    def __init__(self, cards: Cards, name: Name) -> None:
        self.cards = cards
        self.name = name

    def table(self, table: Table) -> CardTable:
        """Return the table as its viewer sees it."""
        locations = queries.locations_in_play(self.cards, table)
        rows = tuple(
            TableRow(
                side,
                f"{self.name(side)} {which.capitalize()}",
                tuple([ids.area(one.id, side, which) for one in locations]),
            )
            for side in (ids.GERMAN, ids.RUSSIAN)
            for which in (ids.CONTROL, ids.PERIMETER)
        )
        desks = tuple([self._desk(table, side) for side in (ids.RUSSIAN, ids.GERMAN)])
        return CardTable(tuple([self._location(table, one) for one in locations]), rows, desks)

    # Forces

    def force(self, table: Table, force: PieceId, title: str) -> Counter:
        """Return a Force with what lies on it; its title says it in words."""
        card = self.cards.forces[force]
        return Counter(
            title,
            card.side,
            symbol=arm_of(card),
            top=card.name,
            figures=str(queries.combat(self.cards, table, force) if queries.is_on_map(table, force) else card.combat),
            is_turned=queries.is_locked(table, force),
            card=self._face(table, card),
        )

    def _face(self, table: Table, card: Force) -> CardFace:
        if not queries.is_on_map(table, card.id):
            # A Force that is for sale shows with what it would come.
            return CardFace(pips=card.rations, without="no Rations", note=short_note(card))
        combat = queries.combat(self.cards, table, card.id)
        role = self._role(table, card.id)
        return CardFace(
            f"printed {card.combat}" if combat != card.combat else "",
            queries.rations(table, card.id),
            "no Rations",
            queries.medals(table, card.id),
            role or short_note(card),
            bool(role),
        )

    def _role(self, table: Table, force: PieceId) -> str:
        """Return what a Force does now, in a word or two; empty for nothing."""
        if memory.is_attacking(table, force):
            return "attacking"
        if force in (memory.DEFENDING.of(table) or ()):
            return "defending"
        return "Sniper: stays" if queries.is_locked(table, force) else ""

    # Locations

    def _location(self, table: Table, location: Location) -> PlaceCard:
        holder = queries.controller(table, location.id)
        is_destroyed = queries.is_destroyed(table, location.id)
        gives = location_rations(self.cards, table, holder, location.id) if holder else printed_rations(table, location)
        scores = self._scores(table, location)
        return PlaceCard(
            PlaceId(location.id),
            location.name,
            self.name(holder) if holder is not None else "Uncontrolled",
            "Destroyed" if is_destroyed else counted(gives, "Ration") if holder else f"{gives} if held",
            effect_words(location) if location.note_survives or not is_destroyed else "Its note no longer applies.",
            None if is_destroyed else _rubble_track(location, queries.rubble(table, location.id)),
            "Hits so far" if scores else "",
            scores,
            SILHOUETTES.get(location.id, "house"),
        )

    def _scores(self, table: Table, location: Location) -> tuple[Score, ...]:
        """Return the totals of the battle at a Location so far, or no scores."""
        battle = table.topmost("battle")
        if battle is None or battle.text("location") != location.id or not memory.DEFENDING.of(table):
            return ()
        return tuple([Score(side, self.name(side), total(self.cards, table, battle, side)) for side in ids.SIDES])

    # Decks and cards

    def _desk(self, table: Table, side: Side) -> Desk:
        hand = table.pile(ids.hand(side))
        facts = [] if is_choosing(self.cards, table, side) else self._facts(table, side)
        top = next(iter(table.pieces_at(ids.top(side))), None)
        return Desk(
            side,
            self.name(side),
            ("Control", len(queries.controlled(self.cards, table, side)), self.cards.figures.victory_locations),
            hand.hidden,
            tuple(facts),
            *(("Next Force", top, *self._next(table, side, top)) if top is not None else ()),
        )

    def _facts(self, table: Table, side: Side) -> list[tuple[str, str]]:
        piles = (("Hand", ids.hand(side)), ("Deck", ids.deck(side)), ("Discards", ids.discards(side)))
        pool, gone = table.pile(ids.force_pool(side)).count, len(table.pieces_at(ids.bottom(side)))
        forces = [("Force deck", str(pool))] + ([("Destroyed", str(gone))] if gone else [])
        return [*[(words, str(table.pile(pile).count)) for words, pile in piles], *forces]

    def _next(self, table: Table, side: Side, force: PieceId) -> tuple[str, str]:
        """Return what the open top Force costs, and what is printed on it."""
        card = self.cards.forces[force]
        return f"Cost {price(self.cards, table, side, force)}", f"{card.name}: {force_words(card, card.rations)}"


def arm_of(card: Force) -> str:
    """Return the symbol of a Force, by the word of its name that says what it is."""
    return next((ARMS[word] for word in card.name.casefold().split() if word in ARMS), INFANTRY)


def _rubble_track(location: Location, rubble: int) -> CardTrack:
    """Return the Rubble track of a Location: a square for each Rubble, with the Rations that are left; the last one Destroys it."""
    spans = [Span(step.last - max(step.first, 1) + 1, str(step.rations)) for step in location.chart if step.last]
    squares = sum(span.squares for span in spans)
    nothing = location.destroyed_at - 1 - squares
    spans += [Span(nothing, "0")] if nothing > 0 else []
    return CardTrack("Rubble", rubble, (*spans, Span(1, "×")), "Rations")
