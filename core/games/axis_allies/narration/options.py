"""The options of this game in words: what a command would do, with the values that count and what it would begin."""

from collections import Counter
from collections.abc import Iterable, Sequence

from core.engine.command import Command
from core.engine.selection import Choose, Done, Pick, Unpick
from core.games.axis_allies.components.map_records import LIMITED
from core.games.axis_allies.ids import ALLIES, AXIS, FERRY, FERRY_ITEM, SIDE_NAMES, SUPPLY, above, enemy
from core.games.axis_allies.memory import ATTACK_MISSION, BID, SCRAMBLE, STAY
from core.games.axis_allies.narration.forces import WORDS, Speaker, attack_words, card_kinds, one_type, phrase
from core.games.axis_allies.rules import commands, queries
from core.games.axis_allies.rules.deployment import arrivals, can_add_all, is_doubled
from core.games.axis_allies.rules.land_movement import Land
from core.games.axis_allies.rules.landing import LAND_QUESTION
from core.games.axis_allies.rules.movement import MOVE_UNITS, Stacking
from core.games.axis_allies.rules.reinforcement import price
from core.narration.told_option import Told
from core.wording import capital, counted, joined, plural
from events.ids import CardId, PieceId, PlaceId, Side
from projections.state.table import Table

LOST = "{item} {verb} lost"


class Options(Speaker):
    """Describes commands."""

    def told(self, table: Table, command: Command) -> Told:
        """Return what a command would do, and what it costs or begins."""
        match command:
            case commands.Deploy() | commands.Buy() | commands.DeployCard():
                return self._arrive(table, command)
            case commands.Fly():
                return self._fly(table, command)
            case commands.Move(unit=unit, origin=origin, to=to):
                return self._move(table, (unit,), origin, to)
            case commands.MoveStack(units=stack, origin=origin, to=to):
                return self._move(table, stack, origin, to)
            case commands.Blitz() | commands.ExitPair():
                return self._pair(table, command)
            case commands.Spend() if self.is_wasted(table, command):
                return Told(
                    self._other(table, command),
                    ": wasted, since the force is supplied, unless the enemy would capture it",
                )
            case Pick() | Unpick() | Choose():
                return self._pick(table, command)
            case Done():
                kind = "" if table.top is None else table.top.kind
                ended = phrase("done", kind, "These units are lost")
                is_none = table.top is not None and not table.top.picked
                return Told(
                    phrase("none_picked", kind, ended) if is_none else ended,
                    self._excess(table) if kind == MOVE_UNITS else "",
                )
            case _:
                return Told(self._other(table, command))

    def is_wasted(self, table: Table, command: Command) -> bool:
        """Return whether a supply token would be spent on a force that is supplied: its values stay as they are.

        Source: supply.token.spend-when-supplied.
        """
        zone = PlaceId("" if table.top is None else table.top.text("zone"))
        return isinstance(command, commands.Spend) and not self.forces.is_unsupplied(table, zone, self._side(table))

    def _excess(self, table: Table) -> str:
        """Return what becomes of the land units that exceed the stacking limits when a Movement phase ends.

        Source: stacking.check-time, stacking.opponent-moves-excess, stacking.owner-destroys-rest.
        """
        side = self._side(table)
        zones = Stacking(self.board).overstacked(table, side)
        most = self.board.file.limits.land_units
        over = sum([len(queries.land(table, self.board, zone, side)) - most for zone in zones])
        where = joined(list(map(self.name, zones)))
        return f": {over} over the stacking limit in {where}, which the enemy moves out or you destroy" if over else ""

    def _other(self, table: Table, command: Command) -> str:
        words = {field: getattr(command, field) for field in command.__struct_fields__}
        rps, to = words.get("rps", BID.of(table) or 0), PlaceId(words.get("to", ""))
        named = {field: self.name(str(value)) for field, value in words.items()}
        named |= {"rps": counted(rps, "RP"), "unit": self.forces.like(words.get("unit", ""))}
        targets = self.forces.there(table, to, self._foe(table))
        where = self._kept_where(table) if isinstance(command, commands.KeepTokens) else ""
        return phrase("commands", str(command.__struct_config__.tag)).format(**named, targets=targets, where=where)

    def _kept_where(self, table: Table) -> str:
        """Return for which forces the supply tokens are kept: for a supplied force only where others are supplied too."""
        zone = PlaceId("" if table.top is None else table.top.text("zone"))
        is_for_all = zone not in self.board.zones or self.forces.is_unsupplied(table, zone, self._side(table))
        return "" if is_for_all else ", where a force is supplied"

    def _side(self, table: Table) -> Side:
        return table.turn if table.top is None else table.side_of(table.top.seat)

    def _foe(self, table: Table) -> Side:
        return enemy(self._side(table))

    # Reinforcements

    def _arrive(self, table: Table, command: commands.Deploy | commands.Buy | commands.DeployCard) -> Told:
        """Return what arrives where and for which price, and the fight that it begins."""
        to, side, said, tail, is_land = command.to, self._side(table), "", "", True
        kinds: Sequence[str] = ()
        match command:
            case commands.Deploy(unit=unit):
                said = f"Deploy {self.forces.number(1, unit)} in {self.name(to)}"
                kinds, is_land = (unit,), not self.board.units[unit].is_air
            case commands.DeployCard(card=card):
                kinds = card_kinds(self.board, card)
                said = f"Deploy {self.name(card)} ({self.forces.counted(kinds)}) in {self.name(to)}"
                is_short = not can_add_all(table, self.board, Counter([kind for kind in kinds if kind != SUPPLY]), to)
                tail = ", for which pieces run short" if is_short else ""
            case commands.Buy(item=item):
                cost = counted(price(self.board, side, item), "RPC")
                if item == FERRY_ITEM:
                    return Told(f"Buy a ferry for the {self.name(to)}", f", {cost}")
                said, tail = f"Buy {self.forces.number(1, item)} for {self.name(to)}", f", {cost}"
                kinds, is_land = (item,), item != SUPPLY
        begins = self._begins(table, to) if is_land else ""
        is_empty = begins and not queries.is_contested(table, to) and not self.forces.there(table, to, self._foe(table))
        arriving = [kind for kind in kinds if kind != SUPPLY and not self.board.units[kind].is_air]
        crowds = self._crowds(table, arriving, PlaceId(""), to)
        begins = ": takes control at once" if is_empty else begins
        return Told(said, f"{tail}{begins}{crowds}{self._limit(table, command, has_more=bool(begins or crowds))}")

    def _limit(self, table: Table, command: Command, *, has_more: bool) -> str:
        """Return how many units can be bought for a zone of limited entry, where no more can. Source: order.9.one-unit-limit."""
        zone = self.board.zones.get(command.to) if isinstance(command, commands.Buy) else None
        is_land = isinstance(command, commands.Buy) and command.item in self.board.units
        if zone is None or not is_land or zone.entry != LIMITED or self._side(table) != ALLIES:
            return ""
        if queries.is_occupied(table, self.board, zone.id, AXIS):
            return ""
        return f"{'; ' if has_more else ': '}only {counted(self.board.file.limits.limited_units, 'unit')} a round here"

    # Moves

    def _begins(self, table: Table, to: PlaceId) -> str:
        """Return what land units of the deciding side begin in a zone: nothing in one of its own that is not contested."""
        side, foe = self._side(table), self._foe(table)
        there = self.forces.there(table, to, foe)
        if to not in self.board.zones:
            return ""
        if queries.is_contested(table, to):
            word = "Battle" if queries.is_in_battle(table, to) else "Assault"
            return f": joins the {word}{f' against {there}' if there else ', no enemy unit is there'}"
        if queries.is_friendly(table, to, side):
            return ""
        return f": Assault on {there or 'an empty zone'}"

    def _move(self, table: Table, units: Iterable[str], origin: PlaceId, to: PlaceId) -> Told:
        """Return a move: the units with their values where they would attack, what they begin, and who comes along."""
        units = list(units)
        begins = "" if units == [SUPPLY] else self._begins(table, to)
        named, start = self.forces.likes(units), self._spot(origin)
        if to in self.board.crossings:
            row, what = self.board.crossings[to], "ferry" if table.marker(to, FERRY) else "ice bridge"
            return Told(
                f"{named} boards the {what} at the {self.name(to)}",
                f", to land in {self.name(row.landing)} ({capital(row.sector)} sector)",
            )
        values = self._attacks(table, units, origin, to) if begins else ""
        tail = f"{self._doubled(units, origin, to)}{begins}{self._crowds(table, units, origin, to)}"
        return Told(f"Move {named}{values} from {start} to {self._spot(to)}", tail)

    def _spot(self, place: PlaceId) -> str:
        """Name a place as in a sentence."""
        return f"{'' if place in self.board.zones else 'the '}{self.name(place)}"

    def _crowds(self, table: Table, units: Iterable[str], origin: PlaceId, to: PlaceId) -> str:
        """Return by how much land units would exceed the stacking limit of a zone."""
        kinds = [kind for unit in units if (kind := self.board.units.get(unit.split(" ")[0])) is not None]
        if to not in self.board.zones or not kinds:
            return ""
        is_zone = origin in self.board.zones
        more = sum([arrivals(table, self.board, kind, origin, to) if is_zone else 1 for kind in kinds])
        over = len(queries.land(table, self.board, to, self._side(table))) + more - self.board.file.limits.land_units
        return f"; {over} over the stacking limit" if over > 0 else ""

    def _attacks(
        self, table: Table, units: Iterable[str], origin: PlaceId, to: PlaceId, via: PlaceId | None = None
    ) -> str:
        """Return the values at which units would attack in a zone, and whether the last step crosses the Don into an Assault."""
        pieces = queries.all_like(table, self._side(table), [(origin, unit) for unit in dict.fromkeys(units)])
        values = dict.fromkeys([attack_words(self.forces.firing(table, piece, to, attacks=True)) for piece in pieces])
        is_wet = not queries.is_in_battle(table, to) and any(
            self._is_wet(table, piece, via or to, to) for piece in pieces
        )
        return f" ({' or '.join(values)}){' over the Don' if is_wet else ''}" if values else ""

    def _is_wet(self, table: Table, piece: PieceId, via: PlaceId, to: PlaceId) -> bool:
        there, way = table.pieces[piece], Land(table, self.board, self._side(table))
        if via != to:
            return way.is_wet(via, to)
        kind = self.board.units[there.kind]
        is_reached = there.place in self.board.zones and to in way.reach(kind, there.place)
        return is_reached and not way.is_dry(kind, there.place, to)

    def _doubled(self, units: Iterable[str], origin: PlaceId, to: PlaceId) -> str:
        """Return the infantry that Force Multiplier adds."""
        if not {origin, to} <= self.board.zones.keys():
            return ""
        kinds = [self.board.units.get(unit.split(" ")[0]) for unit in units]
        more = sum([kind is not None and is_doubled(self.board, kind, origin, to) for kind in kinds])
        return f", with {self.forces.number(more, 'ger_infantry')} more by Force Multiplier" if more else ""

    def _pair(self, table: Table, command: commands.Blitz | commands.ExitPair) -> Told:
        to, begins = self.name(command.to), self._begins(table, command.to)
        if isinstance(command, commands.ExitPair):
            ways = zip(command.units, command.origins, strict=True)
            pairs = [
                f"{self.forces.like(unit, count)} from {self.name(place)}"
                for (unit, place), count in Counter(ways).items()
            ]
            return Told(f"Leave the city for {to} as a pair, of which one is lost: {joined(pairs)}", begins)
        along = " with Mechanized Infantry" if command.with_mech else ""
        if command.partner:
            partner = f"{self.forces.like(command.partner)} from {self.name(command.partner_origin)}"
            along += f", which leaves the city as a pair with {partner}, so that one of the two is lost,"
        value = self._attacks(table, (command.unit,), command.origin, command.to, command.via) if begins else ""
        tank = self.forces.like(command.unit)
        act = f"Blitz by {tank}{along}{value} from {self.name(command.origin)}, takes {self.name(command.via)}, to {to}"
        return Told(act, begins)

    def _fly(self, table: Table, command: commands.Fly) -> Told:
        """Return a flight: of an attack the value and the target, else the cargo."""
        to, piece = command.to, queries.first_like(table, self._side(table), command.origin, command.unit)
        kind = command.unit.split(" ")[0]
        target = f"the {self.name(to)}" if to in self.board.crossings else self.name(to)
        words = {"unit": self.forces.number(1, kind), "origin": self.name(command.origin), "to": target}
        said = phrase("flights", command.mission).format(**words)
        said += f" with {self.forces.likes(command.cargo)}" if command.cargo else ""
        if command.mission == SCRAMBLE:
            enemies = self.forces.there(table, above(to) if to in self.board.crossings else to, self._foe(table))
            return Told(said, f", defense value {self.board.units[kind].defence}: against {enemies}")
        if piece is None or command.mission not in (STAY, ATTACK_MISSION):
            return Told(said, self._doubled(command.cargo, command.origin, to))
        sides = self._side(table), self._foe(table)
        begun = "joins the fight" if queries.is_contested(table, to) else "Assault"
        against = f"{begun} against {self.forces.there(table, to, sides[1])}"
        target = self.forces.crossing(table, to) if to in self.board.crossings else against
        return Told(said, f", attack value {self.board.units[kind].attack}: {target}")

    # Selections

    def _pick(self, table: Table, command: Pick | Unpick | Choose) -> Told:
        """Return a sentence about a step of a selection, or a whole one."""
        top = table.top
        kind = "" if top is None else top.kind
        if isinstance(command, Unpick):
            shot = "a shot from " if command.item in self.board.zones else ""
            was = (
                next((to for item, to in top.picks if item == command.item), "")
                if kind == LAND_QUESTION and top
                else ""
            )
            where = f" from {self.name(was)}" if was else ""
            return Told(f"Take back: {shot}{self._item(kind, command.item)}{where}")
        if isinstance(command, Choose) and _is_of_units(kind) and command.items:
            return Told(self._lost(table, kind, command.items))
        if isinstance(command, Pick):
            return self._picked(table, kind, command.item, command.to)
        said = [self._picked(table, kind, item, to).words for item, to in command.picks]
        return Told("; ".join(said) or "Choose nothing")

    def _picked(self, table: Table, kind: str, item: str, to: str) -> Told:
        named = self._crossing(table, kind, item) or self._item(kind, item)
        named = self.forces.one_like(item) if _is_of_units(kind) and item not in self.board.crossings else named
        words = {"item": named, "to": self._target(table, kind, to), "verb": "is"}
        words["fire"] = "Interdiction" if PieceId(to) in table.pieces else "Air Defense"
        return Told(capital(phrase("picks", kind, LOST).format(**words)), self._stake(table, kind, item))

    def _lost(self, table: Table, kind: str, items: Sequence[str]) -> str:
        """Return a whole choice of units with their numbers: `2 German Infantry and 1 German Tank are lost`."""
        named = [
            self._crossing(table, kind, item) or self.forces.like(item, count) for item, count in Counter(items).items()
        ]
        words = {"item": joined(named), "verb": "is" if len(items) == 1 else "are"}
        return capital(phrase("picks", kind, LOST).format(**words))

    def _crossing(self, table: Table, kind: str, item: str) -> str:
        """Return what of a Volga Crossing is lost; empty for anything else."""
        return self.forces.crossing(table, PlaceId(item)) if kind in WORDS["losses_asked"] else ""

    def _item(self, kind: str, item: str) -> str:
        if kind == "targets":
            return plural(phrase("shooters", item))
        is_place = item in self.board.zones or item in self.board.crossings or item in self.board.uranus_cards
        return self.name(item) if is_place else self.forces.like(item)

    def _target(self, table: Table, kind: str, to: str) -> str:
        """Name what is fired at with the units there, or where something goes."""
        if kind == "targets":
            return one_type(to)
        if PieceId(to) in table.pieces:
            return self.forces.one_of(table, PieceId(to))
        if kind not in ("assign_air_defense", "assign_bombardment"):
            return self.name(to)
        there = queries.units(table, self.board, PlaceId(to), self._foe(table))
        if kind == "assign_air_defense":
            aircraft = self.forces.units(table, [piece for piece in there if table.pieces[piece].face])
            return f"{aircraft} {'in ' if to in self.board.zones else ''}{self.name(to)}"
        return f"{self.name(to)} ({self.forces.units(table, there)})"

    def _stake(self, table: Table, kind: str, item: str) -> str:
        """Return who fights where, at which values; of a card its units."""
        if kind == "next_combat":
            sides = (table.turn, enemy(table.turn))
            lines = [f"{SIDE_NAMES[side]} {self.forces.line(table, PlaceId(item), side)}" for side in sides]
            return f": {'; '.join(lines)}"
        if kind == "next_crossing":
            return f": {self.forces.crossing(table, PlaceId(item))}"
        kinds = card_kinds(self.board, CardId(item))
        return f" ({self.forces.counted(kinds)})" if kinds else ""


def _is_of_units(kind: str) -> bool:
    """Return whether a question takes units of one place away, each of which is named by its class."""
    return kind in (*WORDS["losses_asked"], "leave_units")
