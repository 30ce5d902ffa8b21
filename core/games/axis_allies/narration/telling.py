"""The sentences of this game for events: deeds with their targets, losses with their reasons, control and dice."""

from collections import Counter
from collections.abc import Sequence

from core.games.axis_allies import ids, memory
from core.games.axis_allies.components.supply_lines import is_supplied
from core.games.axis_allies.narration.cut_lines import cut_at
from core.games.axis_allies.narration.forces import (
    ADJECTIVES,
    WORDS,
    Speaker,
    at,
    card_kinds,
    does,
    phrase,
    types,
    value_words,
)
from core.games.axis_allies.narration.questions import chosen
from core.games.axis_allies.rules.attack import CROSSING_FIRE, MARKER
from core.games.axis_allies.rules.automatic_cards import BOTH_LOST, ICE
from core.games.axis_allies.rules.combat import ATTACK_FIRE, DEFENCE_FIRE, DEFENDER_STEP
from core.games.axis_allies.rules.control import FLIP, STILL_BATTLE
from core.games.axis_allies.rules.fire import ORDINARY, TARGETING, Firing, scored
from core.games.axis_allies.rules.missions import MISSION_RULES
from core.games.axis_allies.rules.pairs import CAPTURE
from core.games.axis_allies.rules.queries import land
from core.games.axis_allies.rules.reaction import AMBUSH, RETURN
from core.games.axis_allies.rules.reinforcement import COLLECT, earning
from core.games.axis_allies.rules.supply import OPTIONAL, SPENT, SPENT_SUPPLIED
from core.games.axis_allies.rules.uranus import AIR, HOSTILE, TOGETHER
from core.wording import capital, counted, joined, plural
from events import vocabulary as facts
from events.ids import CardId, PieceId, PlaceId, Side
from projections.state.table import Table

NAMED_MAX = 12
"""How many zones that a side controls from the set-up are listed by name; more are counted."""
CUTS_MAX = 3
"""How many zones are named at most at which a supply line is cut."""
SHOOTER_OF = {rule: shooter for shooter, rule in TARGETING.items()}
BY_CARD = (TOGETHER, HOSTILE, AIR)
Carded = facts.CardDrawn | facts.CardMoved | facts.CardDiscarded | facts.DeckFormed
Marked = facts.MarkerPlaced | facts.MarkerRemoved
BY_PIECE = (facts.PieceMoved, facts.PieceTurned, facts.PieceRemoved, facts.SideChanged)


class Teller(Speaker):
    """Tells events."""

    def tell(self, table: Table, run: Sequence[facts.Event]) -> str | None:
        """Return the sentence for events in a row; see `core.narration.narration_port.Narration.tell`."""
        first = run[0]
        pieces = [event.piece for event in run if isinstance(event, BY_PIECE)]
        on = [event.on for event in run if isinstance(event, Marked | facts.AttributeSet)]
        match first:
            case facts.PiecePlaced() | facts.PieceMoved() if first.rule in BY_CARD:
                return None  # The card is told with its units.
            case facts.PiecePlaced():
                return self._placed([event for event in run if isinstance(event, facts.PiecePlaced)])
            case facts.PieceMoved():
                return self._moved(table, first, pieces)
            case facts.PieceTurned():
                return self._turned(table, first, pieces)
            case facts.PieceRemoved():
                return self._lost(table, first, self.forces.units(table, pieces))
            case facts.SideChanged():
                return self._captured(table, first, pieces)
            case facts.ControlChanged():
                zones = [self.name(event.place) for event in run if isinstance(event, facts.ControlChanged)]
                return self._control(first, zones)
            case facts.MarkerPlaced() | facts.MarkerRemoved():
                return self._marked(table, first, [PlaceId(place) for place in on])
            case facts.AttributeSet():
                return self._remembered(table, first, on)
            case facts.CardDrawn() | facts.CardMoved() | facts.CardDiscarded() | facts.DeckFormed():
                return self._cards([event for event in run if isinstance(event, Carded)])
            case _:
                return self._course(table, first)

    def _course(self, table: Table, event: facts.Event) -> str | None:
        """Return what is told of the course of play: dice, combats, RPCs, what a rule brings about, what is chosen, and the end."""
        match event:
            case facts.DiceRolled():
                return self._dice(table, event)
            case facts.TrackMoved(track=track, to=to, was=was, rule=rule):
                side = next(side for side, rpcs in ids.RPC.items() if rpcs == track)
                verb = does(side, "collect" if to > was else "spend")
                zones = [f"{self.name(zone)} {rp}" for zone, rp in earning(table, self.board, side).items()]
                why = f" ({joined(zones)})" if rule == COLLECT[side] else WORDS["changes"].get(rule, "")
                return f"{verb} {counted(abs(to - was), 'RPC')}{why}: {to} now."
            case facts.SequenceBegan(kind=memory.COMBAT, arguments=arguments):
                return self._combat(table, PlaceId(str(arguments["zone"])))
            case facts.RuleApplied():
                return self._applied(table, event)
            case facts.MatchEnded(result=result, rule=rule):
                victory = self.board.file.victory
                keys = joined([self.name(zone) for zone in victory.key_zones])
                why = capital(phrase("ends", rule).format(zone=self.name(victory.minor_zone), keys=keys))
                return f"The match is over: {result}.{f' {why}.' if why else ''}"
            case _:
                return chosen(self.forces, self.name, table, event)

    def _applied(self, table: Table, event: facts.RuleApplied) -> str:
        """Return what a rule brings about: tokens that are kept, a card that is deployed, what does not take place and why."""
        rule, outcome, about = event.rule, event.outcome, event.about
        if rule == OPTIONAL:
            at, side = table.topmost(memory.COMBAT), table.turn
            side = ids.enemy(side) if at is not None and at.step == DEFENDER_STEP else side
            return f"{does(side, 'spend')} no supply token for the {'force' if at else 'Rocket Launchers'} in {self.name(about)}."
        if rule in SHOOTER_OF:
            return self._named(SHOOTER_OF[rule], about, int(outcome))
        if outcome in self.board.zones:
            units = self.forces.counted(card_kinds(self.board, CardId(about)))
            return f"{self.name(about)} is deployed in {self.name(outcome)}: {units}."
        known = self.forces.kind(about) if about in self.board.units else self.name(about)
        said = WORDS["nothing_lost"].get(rule) or WORDS["outcomes"].get(outcome, "")
        return said.format(about=known, zones=self.forces.free_zones(table))

    def _named(self, shooter: str, to: str, number: int) -> str:
        """Return on what hits of a kind of shooter must fall."""
        hits, targets = counted(number, "hit"), types([to] * number)
        return f"{hits} of {plural(phrase('shooters', shooter))} must fall on {targets}."

    # Units

    def _placed(self, run: Sequence[facts.PiecePlaced]) -> str:
        """Return which units arrive and why, place by place."""
        by_place: dict[PlaceId, list[str]] = {}
        for event in run:
            by_place.setdefault(event.to, []).append(event.kind or "")
        said = [f"{self._at(place).strip()}: {self.forces.counted(kinds)}" for place, kinds in by_place.items()]
        return f"{WORDS['placings'].get(run[0].rule, 'Placed')} {'; '.join(said)}."

    def _moved(self, table: Table, event: facts.PieceMoved, pieces: Sequence[PieceId]) -> str | None:
        units, was, to = self.forces.units(table, pieces), self._aim(event.was), self._aim(event.to)
        side = table.pieces[pieces[0]].side
        if event.to in ids.POOL.values():
            return self._gone(table, event, units, side)
        if event.was in ids.POOL.values():
            return f"{WORDS['placings'].get(event.rule, 'Placed')}{self._at(event.to)}: {units}."
        if event.rule not in WORDS["moves"]:
            return None
        words = {"vessel": "ferry" if table.marker(event.to, ids.FERRY) else "ice bridge"}
        words |= {verb: one if len(pieces) == 1 else verb for verb, one in WORDS["verbs"].items()}
        return WORDS["moves"][event.rule].format(units=units, was=was, to=to, **words)

    def _gone(self, table: Table, event: facts.PieceMoved, units: str, side: Side) -> str:
        """Return how supply tokens leave the boards."""
        if event.rule not in (SPENT, SPENT_SUPPLIED):
            return self._lost(table, event, units)
        at = table.topmost(memory.COMBAT)
        purpose = "Rocket Launchers" if at is None else f"the combat in {self.name(at.text('zone'))}"
        return f"{does(side, 'spend')} {units} in {self.name(event.was)} for {purpose}."

    def _lost(self, table: Table, event: facts.PieceMoved | facts.PieceRemoved, units: str) -> str:
        where = "" if PieceId(event.was) in table.pieces else self._at(event.was)
        why = phrase("losses", event.rule)
        return f"Lost{where}: {units}{f', {why}' if why else ''}."

    def _at(self, place: PlaceId) -> str:
        """Return a place as in a sentence, after a space."""
        return f" {at(self.board, self.name, place)}"

    def _beside(self, place: PlaceId) -> str:
        """Return where a Combat Marker lies: that of an air attack lies beside the crossing."""
        crossing = next((row for row in self.board.crossings if ids.above(row) == place), place)
        return self._at(crossing).strip()

    def _turned(self, table: Table, event: facts.PieceTurned, pieces: Sequence[PieceId]) -> str | None:
        """Return which air units land where; one that takes off is told with its flight."""
        if event.face != ids.GROUND or event.rule == RETURN:
            return None
        by_place: dict[PlaceId, list[PieceId]] = {}
        for piece in pieces:
            by_place.setdefault(table.pieces[piece].place, []).append(piece)
        said = [f"{self.forces.units(table, there)} in {self.name(place)}" for place, there in by_place.items()]
        return f"Landed: {'; '.join(said)}."

    def _captured(self, table: Table, event: facts.SideChanged, pieces: Sequence[PieceId]) -> str | None:
        """Return the supply tokens that are captured; one that is spent returns to the Allies' pool, and is told already."""
        place = table.pieces[event.piece].place
        if place in ids.POOL.values():
            return None
        return f"{does(event.to, 'capture')} {self.forces.units(table, pieces)} in {self.name(place)}."

    # Zones and markers

    def _control(self, event: facts.ControlChanged, zones: Sequence[str]) -> str:
        if not event.was:
            return f"{does(event.to, 'control')} {joined(zones) if len(zones) <= NAMED_MAX else f'{len(zones)} zones'}."
        how = " by Blitz" if event.rule == CAPTURE else ""
        return f"{does(event.to, 'take')} control of {joined(zones)}{how}."

    def _marked(self, table: Table, event: Marked, places: Sequence[PlaceId]) -> str | None:
        where, marker = joined([self.name(place) for place in places]), event.marker
        is_placed, rule = isinstance(event, facts.MarkerPlaced), event.rule
        for side, unsupplied in ids.UNSUPPLIED.items():
            if marker == unsupplied:
                return self._supply(table, side, places, is_placed=is_placed)
        if marker in (ids.ASSAULT, ids.BATTLE):
            return self._fight(event, places)
        if marker == ids.FROZEN:
            bad = [f"Bad weather in {self.name(place)}." for place in places if place != ids.DON]
            return " ".join([*bad, *(["The Don is frozen."] if ids.DON in places else [])])
        if marker in ids.FACTORY.values() or marker in ids.CAPTURED_FACTORY.values():
            return self._factory(event, where)
        if marker == ids.ICE_BRIDGE or (marker == ids.FERRY and rule == ICE):
            # The freezing of the Volga is told.
            return None
        return phrase("markers" if is_placed else "markers_gone", marker).format(where=where)

    def _supply(self, table: Table, side: Side, places: Sequence[PlaceId], *, is_placed: bool) -> str | None:
        """Return which forces lose or regain supply, and where the line of a single one is cut; None where no force is left, or another marker shows that it has none."""
        forces = {place: self.board.city if place == ids.STALINGRAD else (place,) for place in places}
        told = [place for place in places if is_placed or self._is_supplied(table, forces[place], side)]
        is_one = len(told) == 1 and ids.STALINGRAD not in told
        where = joined(["Stalingrad" if place == ids.STALINGRAD else self.name(place) for place in told])
        force = f"{ADJECTIVES[side]} force{'' if is_one else 's'}"
        state = "unsupplied" if is_placed else "supplied again"
        cut = self._cut(table, told[0], side) if is_placed and is_one else ""
        return f"The {force} in {where} {'is' if is_one else 'are'} {state}{cut}." if told else None

    def _cut(self, table: Table, zone: PlaceId, side: Side) -> str:
        """Return where the supply line of a force is cut; empty if no zone alone would restore it, or too many would."""
        places = cut_at(table, self.board, zone, side)
        named = [f"{'the ' if place in self.board.crossings else ''}{self.name(place)}" for place in places]
        return f": its supply line is cut at {joined(named)}" if 0 < len(named) <= CUTS_MAX else ""

    def _is_supplied(self, table: Table, zones: Sequence[PlaceId], side: Side) -> bool:
        there = [zone for zone in zones if land(table, self.board, zone, side)]
        return bool(there) and any(is_supplied(table, self.board, zone, side) for zone in there)

    def _fight(self, event: Marked, places: Sequence[PlaceId]) -> str | None:
        """Return where a fight begins, goes on as a Battle, or ends without a combat."""
        where = joined([self._beside(place) for place in places])
        if isinstance(event, facts.MarkerPlaced):
            fight = "Assault" if event.marker == ids.ASSAULT else "Battle"
            return f"Combat Marker: {fight} {where}{', which goes on' if event.rule == STILL_BATTLE else ''}."
        return None if event.rule in (STILL_BATTLE, MARKER) else f"The fight {where} is over."

    def _factory(self, event: Marked, where: str) -> str | None:
        name = next(name for name in ids.FACTORY if event.marker in (ids.FACTORY[name], ids.CAPTURED_FACTORY[name]))
        if isinstance(event, facts.MarkerRemoved):
            return f"The {name} factory in {where} is out of the game." if event.rule == BOTH_LOST else None
        if event.rule == FLIP:
            return f"The {name} factory in {where} is {'liberated' if event.marker in ids.FACTORY.values() else 'captured'}."
        return f"The {name} factory stands in {where}."

    # What the rules remember

    def _remembered(self, table: Table, event: facts.AttributeSet, on: Sequence[str]) -> str:
        where, value = joined([self.name(place) for place in on]), event.value
        match event.key:
            case memory.ACROSS_RIVER.key if value:
                is_defended = any(land(table, self.board, PlaceId(place), ids.enemy(table.turn)) for place in on)
                return f"{where} is assaulted over a river: Throw Them Back." if is_defended else ""
            case memory.MISSION.key if value and event.rule in MISSION_RULES.values():
                flown = [table.pieces[PieceId(one)] for one in on]
                said = [f"{self.forces.counted([one.kind])} in {self.name(one.place)}" for one in flown]
                return f"{joined(said)}: {phrase('states', str(value))}."
            case memory.FIRED.key if value and table.pieces[PieceId(on[0])].place in self.board.sites:
                return f"The ambusher{self._at(table.pieces[PieceId(on[0])].place)} fires."
            case memory.SHOTS.key if isinstance(value, int) and value:
                return self._aimed(table, event.rule, value, on)
            case memory.DESIGNATED.key if isinstance(value, tuple):
                new = [piece for piece in value if not isinstance(event.was, tuple) or piece not in event.was]
                units = self.forces.units(table, new)
                return f"Casualties of the defender, removed after it fires: {units}." if new else ""
            case memory.TOKENS_KEPT.key if value:
                where = " where a force is supplied" if value == memory.SUPPLIED else ""
                return f"{does(Side(on[0]), 'keep')} the supply tokens for the rest of the phase{where}."
            case memory.IN_LEFT_HAND.key if value:
                return f"In the left hand: the {value} factory."
            case _:
                return ""

    def _aimed(self, table: Table, rule: str, number: int, targets: Sequence[str]) -> str:
        """Return how many units fire at each of some targets; from where is told with it, as the parts of the number."""
        aims = [self._target(table, target) for target in targets]
        launchers = counted(number, "Rocket Launcher")
        each = " each" if len(aims) > 1 else ""
        return phrase("assigned", rule).format(number=number, launchers=launchers, each=each, target=joined(aims))

    def _target(self, table: Table, target: str) -> str:
        """Name what is fired at: a bomber, or the units in a place."""
        if target in table.pieces:
            return self.forces.one_of(table, PieceId(target))
        return f"the units{self._at(PlaceId(target))}"

    def _aim(self, place: PlaceId) -> str:
        """Return what is attacked from the air at a place: a zone, or the crossing below."""
        crossing = next((row for row in self.board.crossings if ids.above(row) == place), None)
        return self.name(place) if crossing is None else f"the {self.name(crossing)}"

    # Cards

    def _cards(self, run: Sequence[Carded]) -> str | None:
        """Return what happens to Operation Uranus cards, and which Order Card leaves the game."""
        event, number = run[0], len(run)
        match event:
            case facts.CardDrawn():
                known = f": {self._card(event.card)}" if event.card is not None and number == 1 else ""
                return f"The Allies draw {counted(number, 'Operation Uranus card')}{known}."
            case facts.CardMoved(to=to) if to in ids.URANUS_FRONT.values():
                front = next(front for front, pile in ids.URANUS_FRONT.items() if pile == to)
                placed = [one.card for one in run if isinstance(one, facts.CardMoved) and one.card is not None]
                if number > 1:
                    named = f": {joined([*map(self._numbered, placed)])}" if placed else ""
                    return f"The Allies place {number} Operation Uranus cards face down in the {front}{named}."
                return f"The Allies place {self._card(placed[0]) if placed else 'a card'} face down in the {front}."
            case facts.CardMoved(to=to, card=card) if to == ids.ORDER_BOX:
                return f"Order Card {self.name(card or '')} leaves the game."
            case facts.DeckFormed(deck=deck, cards=cards) if deck in ids.URANUS_FRONT.values() and cards:
                return f"{capital(self.name(deck))}: {joined([self._numbered(card) for card in cards])}."
            case _:
                return None

    def _card(self, card: CardId) -> str:
        return f"{self.name(card)} ({self.forces.counted(card_kinds(self.board, card))})"

    def _numbered(self, card: CardId) -> str:
        """Return a card after the name of its pile, which says what kind it is."""
        return f"card {self.board.uranus_cards[card].number} ({self.forces.counted(card_kinds(self.board, card))})"

    # Combat and dice

    def _combat(self, table: Table, place: PlaceId) -> str:
        """Return how many units fight; an explanation lists them with their values (`questions.details`)."""
        return f"Combat{self._at(place)}: {self._number(table, place, table.turn)} against {self._number(table, place, ids.enemy(table.turn))}."

    def _number(self, table: Table, place: PlaceId, side: Side) -> str:
        """Return how many units of a side fight in a place, and what an air attack hits there."""
        hit = self.forces.crossing(table, place) if side == ids.ALLIES else ""
        number = sum(self.forces.ranks(table, place, side).values())
        unit = f"{ADJECTIVES[side]} unit"
        units = [counted(number, unit) if number else f"no {unit}"] if number or not hit else []
        return joined([*units, *([hit] if hit else [])])

    def _dice(self, table: Table, event: facts.DiceRolled) -> str:
        """Return dice with the units that roll them, the number to hit and the hits; a roll of an optional rule with what it does."""
        if event.purpose == "weather":
            bad = joined([str(face) for face in sorted(self.board.bad_faces[table.round])], "or")
            return f"Weather Roll: {event.faces[0]}; needed for bad weather: {bad}."
        if event.needed is None:
            return ""
        if event.purpose in WORDS["rolls"]:
            result = phrase("rolls" if event.faces[0] >= event.needed else "misses", event.purpose)
            return f"{event.purpose}: {event.faces[0]}; needed: {event.needed}. {result}"
        if not event.each:
            return ""
        value = max(0, event.needed + sum([part.amount for part in event.modifiers]))
        limit = value_words(Firing(event.needed, event.modifiers))
        faces, hits = ", ".join(map(str, event.faces)), counted(scored(event.faces, value), "hit")
        where = self._at(PlaceId(event.about))
        if event.about in table.pieces:
            where = f" at {self.forces.one_of(table, PieceId(event.about))}"
        if event.purpose == CROSSING_FIRE:
            where = f" at {self._aim(PlaceId(event.about))} on {self.forces.crossing(table, PlaceId(event.about))}"
        who = self._firing(table, event) or counted(len(event.faces), "die")
        return (
            f"{phrase('fire', event.purpose)}{where}: {who} {limit}; dice {faces}; {hits}{self._chooser(table, event)}."
        )

    def _chooser(self, table: Table, event: facts.DiceRolled) -> str:
        """Return who chooses the casualty of an ambush; empty for other fire and a miss."""
        if event.purpose != AMBUSH or event.faces[0] > self.board.file.fire.ambush:
            return ""
        side = ids.enemy(table.turn) if event.faces[0] <= self.board.file.fire.ambusher_chooses else table.turn
        return f"; {does(side, 'choose').replace('The', 'the', 1)} the casualty"

    def _firing(self, table: Table, event: facts.DiceRolled) -> str:
        """Return which units roll the dice of a combat; empty for other fire."""
        if event.purpose not in (ATTACK_FIRE, DEFENCE_FIRE, CROSSING_FIRE):
            return ""
        side = ids.enemy(table.turn) if event.purpose == DEFENCE_FIRE else table.turn
        shooter = SHOOTER_OF.get(event.rule, ORDINARY)
        found = Counter[str]()
        for (kind, firing), count in self.forces.ranks(table, PlaceId(event.about), side).items():
            is_shooter = firing.shooter == shooter or event.purpose == CROSSING_FIRE
            if is_shooter and (firing.printed, firing.modifiers) == (event.needed, event.modifiers):
                found[kind] += count
        return self.forces.counted(found.elements())
