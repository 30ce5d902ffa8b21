"""Scenes of the second game for tests: a table in a few words, played by the whole rules with named draws.

    table = scene(forces={"g_16_panzer": "gumrak_airfield/german/perimeter"}, hands={"german": ["dive_bombers"]})
    table.do("german", order("move", force="g_16_panzer", to="gumrak_airfield/german/control"))

Cards may be named by their title; the first free copy is meant. Locations in play are, in this order, Gumrak Airfield, Grain
Elevator, the Tractor Factory, the Docks and Pavlov's House unless `locations` says otherwise.
"""

from collections.abc import Mapping, Sequence

from core.chance.chance_sources import ManualChance
from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.selection import Choose, Done, Pick
from core.games.battle import memory
from core.games.battle.components.card_file import CARD_FILE
from core.games.battle.components.card_model import Force
from core.games.battle.ids import GERMAN, RUSSIAN, SEATS, SIDES
from core.games.battle.narration.battle_narration import BattleNarration
from core.games.battle.options import OPTIONS
from core.games.battle.positions.battle_positions import BattlePositions
from core.games.battle.rules.battle_rules import BattleRules
from core.games.battle.rules.commands import Attack
from core.positions.position import FORMAT, PlacedPiece, Position
from core.refusal import Refusal
from events.codec import encode
from events.ids import (
    TABLE,
    AttributeKey,
    CardId,
    GameKey,
    MarkerId,
    PieceId,
    PileId,
    PlaceId,
    RuleId,
    Seat,
    Side,
    TrackId,
)
from events.vocabulary import ChanceScheme, Event, MatchBegan, MatchOpened, Value
from projections.state.table import Table

CARDS = CARD_FILE.load()
RULES = BattleRules(CARDS)
NARRATION = BattleNarration(CARDS)
POSITIONS = BattlePositions(CARDS)
SAMPLE = ("gumrak_airfield", "grain_elevator", "dzerzhinskiy_tractor_factory", "the_docks", "pavlovs_house")
SHORT = {
    "GA": "gumrak_airfield",
    "GE": "grain_elevator",
    "DTF": "dzerzhinskiy_tractor_factory",
    "TD": "the_docks",
    "PH": "pavlovs_house",
    "MK": "mamayev_kurgan",
}


def place(short: str, side: str) -> PlaceId:
    """Return an Area: `GAc` is the Control Area of Gumrak Airfield, `TDp` the Perimeter Area of the Docks."""
    name, which = short[:-1], short[-1]
    return PlaceId(f"{SHORT.get(name, name)}/{side}/{'control' if which == 'c' else 'perimeter'}")


def side_of(force: str) -> str:
    """Return whose a Force is."""
    return RULES.cards.forces[PieceId(force)].side


def order(do: str, **fields: object) -> Command:
    """Return a command."""
    return RULES.decode(encode({"do": do, **fields}))


def copies(side: str, title: str) -> list[CardId]:
    """Return a side's copies of a card, in order."""
    return [card for card in RULES.cards.decks[Side(side)] if RULES.cards.cards[card].title.id == title]


def named(side: str, names: Sequence[str]) -> tuple[CardId, ...]:
    """Turn titles into copies, each used once; full ids stay."""
    found: list[CardId] = []
    for name in names:
        if "/" in name:
            found.append(CardId(name))
        else:
            found.append(next(card for card in copies(side, name) if card not in found))
    return tuple(found)


class Scene:
    """A table, and methods to play and inspect it."""

    def __init__(self, table: Table, events: list[Event]) -> None:
        self.table = table
        self.events = events

    def do(self, seat: str, command: Command, draws: Sequence[str] = ()) -> list[Event]:
        """Carry out a legal command of a seat with exactly these draws, and return the events.

        A whole choice need not be listed. A selection without further picks is confirmed at once.
        """
        refusal = RULES.refuse(self.table, Seat(seat), command)
        assert refusal is None, refusal
        is_whole = isinstance(command, Attack | Choose)
        assert is_whole or command in self.options, "the options do not list a legal command"
        chance = ManualChance((), draws)
        draft = Draft(self.table, chance)
        RULES.take(draft, command)
        top = self.table.top
        if top is not None and top.picked and not any(isinstance(option, Pick) for option in self.options):
            RULES.take(draft, Done())
        chance.check_used_up()
        self.events += draft.events
        return draft.events

    def refused(self, seat: str, command: Command) -> str:
        """Return the code of the refusal that answers an illegal command of a seat."""
        refusal = self.refusal(seat, command)
        return refusal.code

    def refusal(self, seat: str, command: Command) -> Refusal:
        """Return the refusal that answers an illegal command of a seat."""
        refusal = RULES.refuse(self.table, Seat(seat), command)
        assert refusal is not None, "the command is legal"
        asked = self.table.top
        assert asked is None or asked.seat != seat or command not in self.options, "the options list an illegal command"
        return refusal

    def play(self, seat: str, title: str, draws: Sequence[str] = (), **told: object) -> list[Event]:
        """Play the first held copy of a card for its effect."""
        return self.do(seat, order("play-card", card=self.held(seat, title), **told), draws)

    def passes(self, *seats: str) -> None:
        """Let seats pass one after the other."""
        for seat in seats:
            self.do(seat, order("pass"))

    def held(self, seat: str, title: str) -> CardId:
        """Return the first copy of a card in a hand."""
        return next(card for card in self.hand(seat) if RULES.cards.cards[card].title.id == title)

    @property
    def options(self) -> list[Command]:
        """The legal commands."""
        return RULES.options(self.table)

    @property
    def asked(self) -> str:
        """Who is asked what, as `german action`; empty when the match is over."""
        top = self.table.top
        return "" if top is None else f"{top.seat} {top.kind}"

    def hand(self, seat: str) -> tuple[CardId, ...]:
        """Return the cards in a hand."""
        return self.pile(f"hand/{seat}")

    def unpicked(self, seat: str) -> list[CardId]:
        """Return the cards in a hand that are not picked for the open question."""
        picked = self.table.stack[-1].picked
        return [card for card in self.hand(seat) if card not in picked]

    def pile(self, pile: str) -> tuple[CardId, ...]:
        """Return the cards of a pile."""
        return self.table.pile(PileId(pile)).cards

    def titles(self, pile: str) -> list[str]:
        """Return the titles of the cards of a pile, in its order."""
        return [RULES.cards.cards[card].title.id for card in self.pile(pile)]

    def where(self, force: str) -> str:
        """Return the place of a Force."""
        return self.table.pieces[PieceId(force)].place

    def marker(self, on: str, marker: str) -> int:
        """Return how many markers of a kind lie on something."""
        return self.table.marker(on, MarkerId(marker))

    def hits(self, side: str) -> int:
        """Return the Hits that a side still has to absorb."""
        return memory.HITS.of(self.table, Side(side))

    def total(self, side: str) -> int:
        """Return a side's total in a battle."""
        return memory.TOTAL.of(self.table, Side(side))

    def attribute(self, on: str, key: str) -> Value | None:
        """Return what the rules remember of something, or None."""
        return self.table.attribute(on, AttributeKey(key))

    def rations(self, force: str) -> int:
        """Return the Rations on a Force."""
        return self.marker(force, "ration")

    def rubble(self, short: str) -> int:
        """Return the Rubble on a Location."""
        return self.marker(SHORT.get(short, short), "rubble")

    def track(self, track: str) -> int:
        """Return where a track stands."""
        return self.table.track(TrackId(track))

    @property
    def result(self) -> str:
        """How the match ended; empty while it runs."""
        return "" if self.table.ended is None else self.table.ended.result


def scene(
    *,
    forces: Mapping[str, str] | None = None,
    rations: Mapping[str, int] | None = None,
    medals: Mapping[str, int] | None = None,
    rubble: Mapping[str, int] | None = None,
    destroyed: Sequence[str] = (),
    locations: Sequence[str] = SAMPLE,
    hands: Mapping[str, Sequence[str]] | None = None,
    discards: Mapping[str, Sequence[str]] | None = None,
    decks: Mapping[str, Sequence[str]] | None = None,
    uranus: Sequence[str] = (),
    tops: Mapping[str, str] | None = None,
    turn: str = GERMAN,
    phase: str = "actions",
    options: Mapping[str, Value] | None = None,
) -> Scene:
    """Set a scene.

    Args:
        forces: Force to Area, as `g_16_panzer: GAc`.
        rations: Force to Rations; the others have none.
        medals: Force to Heroic Service counters.
        rubble: Location to Rubble.
        destroyed: Locations that are Destroyed.
        locations: The Locations in play, in order.
        hands: Side to titles or ids; a side that is left out holds nothing.
        discards: Side to titles or ids.
        decks: Side to titles or ids; a side that is left out has all other cards in its deck.
        uranus: Operation Uranus cards in play.
        tops: Side to the open top Force; by default the dearest one that is not named.
        turn: The Acting Player.
        phase: `supply` or `actions`.
        options: Options of the match that differ from the defaults.
    """
    forces, rations, medals, rubble = forces or {}, rations or {}, medals or {}, rubble or {}
    given = {**dict.fromkeys((GERMAN, RUSSIAN), ()), **{Side(side): names for side, names in (hands or {}).items()}}
    markers: dict[str, dict[MarkerId, int]] = {}
    for name, count in rubble.items():
        markers.setdefault(SHORT.get(name, name), {})[MarkerId("rubble")] = count
    for name in destroyed:
        markers.setdefault(SHORT.get(name, name), {})[MarkerId("destroyed")] = 1
    for force in forces:
        markers[force] = {MarkerId("ration"): rations.get(force, 0)}
        if force in medals:
            markers[force][MarkerId("heroic_service")] = medals[force]
    piles = {PileId(f"hand/{side}"): named(side, names) for side, names in given.items()}
    for name, listed in (("discard", discards), ("deck", decks)):
        piles.update({PileId(f"{name}/{side}"): named(side, names) for side, names in (listed or {}).items()})
    if uranus:
        piles[PileId("uranus/russian")] = named(RUSSIAN, uranus)
    placed = {force: place(short, side_of(force)) for force, short in forces.items()}
    for side in (GERMAN, RUSSIAN):
        top = (tops or {}).get(side) or _dearest(side, placed)
        if top:
            placed[top] = PlaceId(f"top/{side}")
    position = Position(
        format=FORMAT,
        game=GameKey("battle"),
        turn=Side(turn),
        phase=phase,
        pieces=tuple(PlacedPiece(PieceId(force), where) for force, where in placed.items()),
        markers=markers,
        attributes={TABLE: {AttributeKey("locations_in_play"): tuple([SHORT.get(name, name) for name in locations])}},
        piles=piles,
    )
    assert POSITIONS.check_position(position) == ()
    return _set(position, options or {})


def _dearest(side: str, placed: Mapping[str, PlaceId]) -> str:
    free = [force for force in RULES.cards.piles[Side(side)] if force not in placed]
    return max(free, key=lambda force: (RULES.cards.forces[force].cost, force), default="")


def begun(chance: ManualChance, options: Mapping[str, Value]) -> Draft:
    """Return a draft of a match that has begun and is not set up."""
    draft = Draft(Table(), chance)
    draft.emit(
        MatchOpened(
            rule=RuleId("match.open"),
            game=GameKey("battle"),
            edition="1.0",
            scenario="standard",
            options=dict(options),
            sides=SIDES,
            seats=SEATS,
            plays=dict(zip(SEATS, SIDES, strict=True)),
            rules=RULES.cards.source.digest,
            board=RULES.cards.source.digest,
            chance=ChanceScheme(scheme="manual/1"),
        )
    )
    draft.emit(MatchBegan(rule=RuleId("match.begin")))
    return draft


def _set(position: Position, options: Mapping[str, Value]) -> Scene:
    draft = begun(ManualChance(), {**{spec.key: spec.default for spec in OPTIONS}, **options})
    POSITIONS.set_up_position(draft, position)
    RULES.settle(draft)
    return Scene(draft.table, draft.events)


def deck_of(side: str) -> tuple[CardId, ...]:
    """Return all Action cards of a side."""
    return RULES.cards.decks[Side(side)]


def card_of(force: str) -> Force:
    """Return a Force's card."""
    return RULES.cards.forces[PieceId(force)]
