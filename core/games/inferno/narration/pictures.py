"""The table of this game as its players look at it: the map in hexes, every Stack, the combat, the track, pools, decks and hands."""

from collections.abc import Iterable
from functools import cached_property

from core.drawing.at_stake import attacks_on, named_on
from core.drawing.drawing import counters_of
from core.games.inferno import memory
from core.games.inferno.components.board_model import Hex
from core.games.inferno.components.board_records import Edge
from core.games.inferno.components.view.map import SIGNS, WATER, map_places, sheet
from core.games.inferno.ids import (
    CALLED,
    DEATH_POOL,
    FORTIFICATIONS,
    GERMAN,
    HEADQUARTERS,
    POOL_PILES,
    RAUS,
    RUBBLE,
    SIDE_NAMES,
    SIDES,
    SOVIET,
    SOVIET_SEAT,
    combat_card,
    discards,
    hand,
    leaders,
    removed_box,
    track_box,
)
from core.games.inferno.narration.names import Names
from core.games.inferno.narration.questions import question
from core.games.inferno.narration.sentences import hand_words, hexes_words
from core.games.inferno.narration.soviet_told import top_words
from core.games.inferno.narration.stakes import compass_words, spawn_words
from core.games.inferno.narration.strips import Strips, lost_points, placed_cards, rubble
from core.games.inferno.options import SPAWN_TABLE
from core.games.inferno.rules.cards import VON_RICHTHOFEN, deck_size, has_leader
from core.games.inferno.rules.ending import has_okh, objective_hexes
from core.games.inferno.rules.queries import has_partners, soviet_spawn_hexes, stack, stacks, top_stacked
from core.games.inferno.rules.reinforcement_track import is_raus_due
from core.games.inferno.rules.spawn import left
from core.geometry import hexes
from core.narration.render_model import MapPlace, Panel, Picture
from core.narration.sheet import Counter, Drawing, Sheet
from core.shapes.hex_text import draw_hexes
from core.wording import capital, counted, joined
from events.codec import replace
from events.ids import CardId, PieceId, PlaceId, Seat, Side
from projections.state.table import Table

AT_STAKE = {memory.COMBAT: ("target",)}
"""What sequences are about, by their kinds."""

SYMBOLS = {
    "infantry": "infantry",
    "motorized": "mechanized",
    "panzer_grenadier": "mechanized",
    "panzer": "armour",
    "guards": "infantry",
    "division": "infantry",
    "brigade": "infantry",
    "workers": "infantry",
    "marine": "marine",
    "destroyer": "assault-gun",
    "aa": "artillery",
    "tank": "armour",
}
"""What blocks show, by the kind of a unit (`core.svg.symbols`)."""
HIGHEST = 6
"""The highest number of a die."""
SHORT = 4
"""How many letters of a name without a number fit onto a block in large print."""
KEY = (
    "Upper line: the number, with * if it is a Spawn Hex. Lower line: ^ Rough, # Urban, % Rubble, + Fortification; G German, S Soviet with "
    "the number of units, or g and s for control without units. East is up, north is left; ~ is the Volga."
)


class InfernoPictures:
    """Draws tables of one board.

    Args:
        names: The board, and what everything is called.
    """

    def __init__(self, names: Names) -> None:
        self.names = names
        self.board = names.board

    def places(self) -> tuple[MapPlace, ...]:
        """List the hexes as they are drawn, then the boxes."""
        hexes_ = [replace(place, name=self.names.name(place.id)) for place in map_places(self.board)]
        boxes = [MapPlace(box.id, box.name, "", 0, 0, is_box=True) for box in self.names.place_names() if box.is_box]
        return (*hexes_, *boxes)

    def picture(self, table: Table) -> Picture | None:
        """Return a table as its viewer may see it, or None before the hexes have an owner."""
        if not table.control:
            return None
        panels = [
            self._combat(table),
            self._stand(table),
            self._state(table),
            *[self._stacks(table, side) for side in SIDES],
            self._track(table),
            self._cards(table),
            *[self._hand(table, seat) for seat in (*table.seats_of(GERMAN), SOVIET_SEAT)],
        ]
        shown = tuple([panel for panel in panels if panel.lines or panel.rows])
        return Picture(
            above=(
                Panel(lines=self.map_lines(table), is_map=True),
                Panel(lines=(KEY, f"Soviet Compass: {compass_words(self.board)}"), is_map=True),
            ),
            below=shown,
        )

    @cached_property
    def _sheets(self) -> dict[str, Sheet]:
        """The printed map with what each Soviet Spawn Hex receives, by the reading that a match follows."""
        return {table: sheet(self.board, table) for table in self.board.spawn_tables}

    def drawing(self, table: Table) -> Drawing | None:
        """Return the hexes with the blocks in them; before the hexes have an owner the printed map, or None where not even options are known."""
        if not table.control:
            return Drawing(self._sheets[SPAWN_TABLE.chosen(table)]) if SPAWN_TABLE.key in table.options else None
        counters = counters_of(table, lambda piece: self._counter(table, piece))
        return Drawing(
            self._sheets[SPAWN_TABLE.chosen(table)],
            counters,
            strips=Strips(self.names).all(table),
            at_stake=named_on(table, AT_STAKE) | self._spawning(table),
            attacks=attacks_on(table, memory.COMBAT, "hexes", "target"),
        )

    def _spawning(self, table: Table) -> frozenset[str]:
        """Return the hexes that receive units if the open question is that of the Spawn Action that must be taken; else none."""
        top = table.top
        is_due = top is not None and top.kind == "soviet_action" and top.text("plan") == "must_spawn"
        return frozenset(soviet_spawn_hexes(table, self.board)) if is_due else frozenset()

    def _counter(self, table: Table, piece: PieceId) -> Counter:
        """Return what a block shows: its unit with dots and firepower, or its back."""
        there = table.pieces[piece]
        block = self.board.blocks.get(CardId(there.kind))
        title = self.names.enlisted(table, piece)
        if block is None:
            return Counter(title, there.side, is_closed=True)
        edge = block.edge(there.face) if there.face else None
        figures = f"{edge.strength} {edge.firepower}".strip() if edge is not None else ""
        signs = f"{block.colour[:1].upper()}{'R' if block.is_r_unit else ''}"
        # What has no number, as Workers, is told apart by where it comes from.
        name = capital(block.name.rpartition(", ")[2].split()[0])
        number = "".join([sign for sign in name if sign.isdigit()])
        return Counter(
            title,
            there.side,
            SYMBOLS[block.kind],
            top=name,
            figures=figures,
            meaning="" if edge is None else self._meaning(edge),
            short=number or name[:SHORT],
            signs=signs,
        )

    def _meaning(self, edge: Edge) -> str:
        """Return how an edge fights, in words."""
        if not edge.strength:
            return "set to its lowest Strength at a Showdown"
        low, dice = self.board.hits_from[edge.firepower], "die" if edge.strength == 1 else "dice"
        return f"{edge.strength} {dice}, {'hits' if edge.strength == 1 else 'each hits'} on {low}{' or more' if low < HIGHEST else ''}"

    # The map

    def map_lines(self, table: Table) -> tuple[str, ...]:
        """Draw the hexes with terrain, control, the numbers of units, and markers."""
        cells = {here.position: self._cell(table, here) for here in self.board.hexes.values()}
        return draw_hexes({**cells, **{hexes.Hex(*at): WATER for at in self.board.river}})

    def _cell(self, table: Table, here: Hex) -> tuple[str, str]:
        sign = SIGNS[here.terrain]
        if any(table.marker(here.id, disc) for disc in FORTIFICATIONS.values()):
            sign = "+"
        if table.marker(here.id, RUBBLE):
            sign = "%"
        letter = table.control.get(here.id, "")[:1]
        units = len(stack(table, here.id))
        return (
            f"{here.id}{'*' if here.spawn else ''}",
            f"{sign}{letter.upper()}{units}" if units else f"{sign}{letter} ",
        )

    def _hex(self, table: Table, place: PlaceId) -> str:
        """Name a hex with its terrain and the markers in it."""
        here = self.board.hexes[place]
        said = [f"{self.names.name(here.terrain)}{', Spawn Hex' if here.spawn else ''}"]
        markers = (RUBBLE, *FORTIFICATIONS.values(), HEADQUARTERS)
        said += [self.names.name(marker) for marker in markers if table.marker(place, marker)]
        return f"{here.id}{f' {here.name}' if here.name else ''}: {', '.join(said)}"

    def _stacks(self, table: Table, side: Side) -> Panel:
        """List a side's Stacks, unit by unit, with what the viewer knows of each; then empty hexes with markers."""
        rows = []
        for place in stacks(table, self.board, side):
            for index, unit in enumerate(stack(table, place)):
                said = [self.names.enlisted(table, unit), *self._remembered(table, unit)]
                rows.append((f"  {self._hex(table, place)}" if not index else "", ", ".join(said)))
        if side == SOVIET:
            empty = [place for place in self.board.hexes if table.markers.get(place) and not stack(table, place)]
            rows += [(f"  {self._hex(table, place)}", "no unit") for place in empty]
        title = f"{SIDE_NAMES[side]} Stacks: {counted(len(stacks(table, self.board, side)), 'Stack')}"
        return Panel(title=title, header=("", ""), rows=tuple(rows))

    def _remembered(self, table: Table, unit: PieceId) -> list[str]:
        said = ["attacks"] if unit in (memory.ATTACKING.of(table) or ()) else []
        said += ["has moved"] if memory.MOVED.of(table, unit) else []
        return said

    # How the game stands

    def _stand(self, table: Table) -> Panel:
        pools = [f"{arm.capitalize()} {left(table, arm)}" for arm in POOL_PILES]
        lines = [
            self._losses(table),
            *self._leaders(table),
            f"Soviet units in the pools: {', '.join(pools)}",
            f"Rubble: {rubble(table)} of {self.board.limits.rubble_markers}",
        ]
        return Panel(lines=tuple(lines), is_map=True)

    def _state(self, table: Table) -> Panel:
        lines = [self._spawn_hexes(table), *self._objective(table), self._forecast(table), *self._spawn(table)]
        waiting = memory.TO_ACT.of(table) or ()
        if waiting:
            dice = {place: memory.DIE.of(table, place) for place in waiting}
            shown = [f"{place} (die {face})" if face else place for place, face in dice.items()]
            lines.append(f"Top Stacked Hexes that have not acted: {', '.join(shown)}")
        granted = memory.EXTRA_TURNS.of(table)
        if granted is not None:
            lines.append(f"Extra turns under OKH: {memory.EXTRA_TURNS_PLAYED.of(table)} of {granted} begun")
        return Panel(lines=tuple(lines))

    def _spawn_hexes(self, table: Table) -> str:
        said = []
        for side in SIDES:
            held = [place for place in self.board.soviet_spawn if table.control.get(place) == side]
            names = [f"{place}{self._credit(table, place)}" for place in held]
            listed = f" ({', '.join(names)})" if names else ""
            said.append(f"{SIDE_NAMES[side]} {len(held)}{listed}")
        return f"Soviet Spawn Hexes under control: {'; '.join(said)}"

    def _objective(self, table: Table) -> list[str]:
        """Return how much of the objective under OKH the Germans hold, and what is missing. Source: victory.okh.nineteen-hexes."""
        if not has_okh(table, self.board):
            return []
        wanted = objective_hexes(table, self.board)
        missing = [place for place in wanted if table.control.get(place) != GERMAN]
        held = f"{len(wanted) - len(missing)} of {len(wanted)} under German control"
        rest = f"; missing: {', '.join(missing)}" if missing else ""
        return [f"Objective under OKH, {hexes_words(wanted)}: {held}{rest}"]

    def _credit(self, table: Table, place: PlaceId) -> str:
        seat = memory.CAPTURED_BY.of(table, place)
        return f" for {self.names.name(seat)}" if seat and has_partners(table) else ""

    def _losses(self, table: Table) -> str:
        """Return the Death Pool with its points, by kind of unit; it is open to all."""
        points = lost_points(table, self.board)
        blocks = {unit: self.board.blocks.get(CardId(table.pieces[unit].kind)) for unit in table.pieces_at(DEATH_POOL)}
        names = [self.names.name(unit) if block is None else block.name for unit, block in blocks.items()]
        shown = f" ({', '.join(names)})" if names else ""
        return f"Death Pool: {points} of {self.board.victory.german_losses} points, with which the Soviets win{shown}"

    def _leaders(self, table: Table) -> list[str]:
        said = []
        for side in SIDES:
            named = [self.names.name(card) for card in table.pile(leaders(side)).cards]
            given = [self.names.name(name) for name in memory.ADVANTAGES.of(table, side) or ()]
            said += [f"{SIDE_NAMES[side]} Leaders in play: {', '.join(named)}"] if named else []
            said += [f"{SIDE_NAMES[side]} Advantages: {', '.join(given)}"] if given else []
        return said

    def _forecast(self, table: Table) -> str:
        """Return what the Soviet turn would be as things are: the two counts that it compares."""
        spawn, top = soviet_spawn_hexes(table, self.board), top_stacked(table, self.board)
        if not spawn:
            result = "no Spawn Hex"
        elif len(top) > len(spawn):
            result = "Spawn Action"
        else:
            result = "Movement Action" + (" or Draw Action" if table.seats_of(SOVIET) else "")
        counts = f"{counted(len(spawn), 'Spawn Hex')} and {top_words(table, top)}"
        return f"Soviet turn as things are: {result}, with {counts}"

    def _spawn(self, table: Table) -> list[str]:
        """Return what a Spawn Action would bring."""
        said = spawn_words(table, self.board)
        return [f"A Spawn Action as things are: {said}"] if said else []

    def _combat(self, table: Table) -> Panel:
        """Return the combat that is being fought, with its cards."""
        at = table.topmost(memory.COMBAT)
        if at is None:
            return Panel()
        lines = [f"Under way: {question(self.names, table, at)}; {self.names.name(f'{memory.COMBAT}:{at.step}')}"]
        for side in SIDES:
            pile = table.pile(combat_card(side))
            shown = [self._card(table, card) for card in pile.cards]
            shown += [counted(pile.hidden, "card") + " face down"] if pile.hidden else []
            lines += [f"{SIDE_NAMES[side]} cards of the combat: {', '.join(shown)}"] if shown else []
        return Panel(lines=tuple(lines))

    # The track and the cards

    def _track(self, table: Table) -> Panel:
        """Draw the rows of the Reinforcement Track from left to right, with the unit that each may Remove."""
        board, rows = self.board, []
        for row in range(1, board.track.rows + 1):
            boxes = ["#" if table.pieces_at(track_box(row, box)) else "." for box in range(1, board.track.boxes + 1)]
            rows.append((f"  Row {row}", " ".join(boxes), self._removal(table, row)))
        called = table.pieces_at(CALLED)
        lines = [f"  Picked up: {self._units(table, called)}"] if called else []
        title = "Reinforcement Track: # a unit face down, . an empty box"
        return Panel(title=title, lines=tuple(lines), header=("", "", ""), rows=tuple(rows), is_map=True)

    def _removal(self, table: Table, row: int) -> str:
        place, board = removed_box(row), self.board
        gone = table.pieces_at(place)
        if row == board.track.raus_row:
            comes = ["if empty, brings Raus with the 6th Panzer Division"] if is_raus_due(table, board) else []
            there = ["Raus"] if table.marker(place, RAUS) else []
            return joined([*comes, *there, *([self._units(table, gone)] if gone else [])])
        if gone:
            return f"Removed: {self._units(table, gone)}"
        unit = board.removed_units.get(row)
        if unit is None or memory.EXHAUSTED.of(table, place):
            return ""
        return f"if empty, Removes {board.blocks[unit].name}"

    def _units(self, table: Table, units: Iterable[PieceId]) -> str:
        return joined([self.names.piece(table, unit) for unit in units])

    def _cards(self, table: Table) -> Panel:
        """Count decks, hands and discards."""
        rows = []
        for side in SIDES:
            seats: tuple[Seat, ...] = table.seats_of(GERMAN) if side == GERMAN else (SOVIET_SEAT,)
            counts = [f"{deck_size(table, side)} in the deck"]
            counts += [f"{table.pile(hand(seat)).count} in the {self.names.name(hand(seat))}" for seat in seats]
            counts.append(f"{table.pile(discards(side)).count} discarded")
            counts += [f"{where.lower()}: {cards}" for where, cards in placed_cards(self.names, table, side)]
            rows.append((f"  {SIDE_NAMES[side]}", ", ".join(counts)))
        return Panel(title="Cards", header=("", ""), rows=tuple(rows), is_map=True)

    def _hand(self, table: Table, seat: Seat) -> Panel:
        """List the cards of a hand that the viewer may see, with their effects."""
        rows = [(f"  {self.names.name(card)}", self._effect(table, card)) for card in table.pile(hand(seat)).cards]
        owner = table.side_of(seat)
        return Panel(
            title=self.names.name(hand(seat)),
            header=("", ""),
            rows=tuple(rows),
            is_private=True,
            is_map=True,
            owner=owner,
            what="hand",
        )

    def _card(self, table: Table, card: CardId) -> str:
        cancelled = ", cancelled" if memory.CANCELLED.of(table, card) else ""
        return f"{self.names.name(card)}{cancelled}"

    def _effect(self, table: Table, card: CardId) -> str:
        return hand_words(self.board, card, is_doubled=has_leader(table, self.board, VON_RICHTHOFEN))
