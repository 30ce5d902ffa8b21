"""What holds in every match, tried on matches of random legal commands from the set-up to the end.

The number of matches grows with the budget.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random

from core.checking.choice_comparison import makes_a_whole
from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.selection import Done, onward
from core.file_checks.checked_file import load_file
from core.game_files.rulebook import load_match_rulebook, load_rulebook
from core.games.battle.components.card_file import CARD_FILE
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import (
    CONTROL,
    DESTROYED,
    GERMAN,
    GERMAN_SEAT,
    HEROIC_SERVICE,
    PERIMETER,
    POINTS,
    RATION,
    RUBBLE,
    RUSSIAN,
    RUSSIAN_SEAT,
    SEATS,
    SIDES,
    UNUSED,
    URANUS_IN_PLAY,
    area,
    bottom,
    deck,
    discards,
    enemy,
    escrow,
    firefight,
    force_pool,
    hand,
    played,
    snipers,
    top,
)
from core.games.battle.memory import (
    HITS,
    LOCATIONS,
    NO_LOCATION_CARDS,
    REMEMBERED,
    TOTAL,
)
from core.games.battle.rules.battle_rules import BattleRules
from core.games.battle.rules.commands import Absorb
from core.games.battle.rules.queries import (
    controlled,
    controller,
    is_on_map,
    locations_in_play,
    note_amount,
    uranus_amount,
)
from core.registry.games import load_game
from events.codec import encode
from events.ids import PUBLIC, CardId, PieceId, PileId, PlaceId, RuleId, Seat, Side
from events.vocabulary import (
    AttributeSet,
    CardDrawn,
    ChanceScheme,
    DecisionOpened,
    DeckFormed,
    DeckShuffled,
    DiceRolled,
    Event,
    ItemPicked,
    ItemUnpicked,
    MarkerPlaced,
    MatchBegan,
    MatchEnded,
    MatchOpened,
    PhaseBegan,
    PieceMoved,
    RoundBegan,
    SequenceBegan,
    StepBegan,
    TurnBegan,
    Value,
)
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import seat_number, see, seen_events
from projections.table_codec import decode_table, encode_table
from tests.support.battle_cards import both_sides
from tests.support.battle_wishes import wishes
from tests.support.noninterference import FreeChance
from tests.support.playouts import random_options
from tests.support.rows import each_row

RULES = BattleRules(CARD_FILE.load())
CARDS: Cards = RULES.cards
INDEX = load_rulebook("core.games.battle")
KNOWN = {*INDEX.rules, *INDEX.rulings, "match.open", "match.begin", "match.selection"}
CODES = {refusal.code for refusal in (*INDEX.refusals, *load_match_rulebook().refusals)}
ONLOOKERS = (*SEATS, PUBLIC)
NAMED = re.compile(rb'"((?:german|russian)/[a-z_0-9]+-[0-9]+)"')
"""An Action card's id in an event as it is sent."""
STEPS_MAX = 20_000


class Playout:
    """A match played by chance, with options chosen by chance.

    Args:
        seed: Of draws and choices.
        given: Options that are not left to chance.
        rules: With the packaged cards, or an owner's.
    """

    def __init__(self, seed: int, given: dict[str, Value] | None = None, rules: BattleRules | None = None) -> None:
        self.rules = RULES if rules is None else rules
        record = load_game("battle")
        scenario = record.scenario("standard")
        self.random = Random(seed)
        options = {**random_options(record, scenario, self.random), "turn_cap": self.random.randint(1, 12)}
        self.table = Table()
        self.chance = FreeChance(self.random)
        self.events: list[Event] = []
        draft = Draft(self.table, self.chance)
        draft.emit(
            MatchOpened(
                rule=RuleId("match.open"),
                game=record.key,
                edition="1.0",
                scenario=scenario.key,
                options=record.full_options(scenario, scenario.mode(""), {**options, **(given or {})}),
                sides=record.sides,
                seats=SEATS,
                plays=dict(zip(SEATS, SIDES, strict=True)),
                rules=self.rules.cards.source.digest,
                board=self.rules.cards.source.digest,
                chance=ChanceScheme(scheme="manual/1"),
            )
        )
        draft.emit(MatchBegan(rule=RuleId("match.begin")))
        self.rules.set_up(draft)
        self.events += draft.events

    def steps(self) -> Iterator[tuple[Command, list[Event]]]:
        """Play to the end, yielding each command with the events that came of it."""
        for _ in range(STEPS_MAX):
            if self.table.ended is not None:
                return
            options = self.rules.options(self.table)
            assert options, f"a dead end: {self.table.top}"
            command = self.random.choice(onward(options))
            draft = Draft(self.table, self.chance)
            self.rules.take(draft, command)
            self.events += draft.events
            yield command, draft.events
        raise AssertionError("the match does not end")


def matches(budget: float, count: int, given: dict[str, Value] | None = None) -> Iterator[Playout]:
    """Begin some matches."""
    for seed in range(max(2, round(count * budget))):
        yield Playout(seed, given)


def over(playout: Playout) -> Playout:
    """Play a match to its end."""
    for _ in playout.steps():
        pass
    return playout


def asked(table: Table) -> str:
    """Return the kind of the open question; empty when there is none."""
    return "" if table.top is None else table.top.kind


# Nothing is lost, nothing is twice


@each_row("rules", [RULES, BattleRules(load_file(CARD_FILE, both_sides()))])
def test_cards_and_forces_are_conserved(rules: BattleRules, budget: float) -> None:
    """force.conserved, card.own-deck-own-discards, card.one-use, uranus.deck: after every single command."""
    for seed in range(max(2, round(2 * budget))):
        playout = Playout(seed, rules=rules)
        for _ in playout.steps():
            table = playout.table
            if table.phase == "setup":
                continue
            for side in SIDES:
                lying = [card for pile in own_piles(side) for card in table.pile(pile).cards]
                forces = [PieceId(card) for card in table.pile(force_pool(side)).cards]
                forces += [piece for piece, lies in table.pieces.items() if lies.side == side]

                assert sorted(lying) == list(rules.cards.decks[side])
                assert sorted(forces) == list(CARDS.piles[side])
            assert sum(pile.count for name, pile in table.piles.items() if name not in known_piles()) == 0


def own_piles(side: Side) -> list[PileId]:
    """Return where a side's Action cards may lie."""
    piles = [deck(side), hand(side), discards(side), played(side), firefight(side), escrow(side), snipers(side)]
    return [*piles, URANUS_IN_PLAY] if side == RUSSIAN else piles


def known_piles() -> set[PileId]:
    """Return every pile of the game."""
    return {UNUSED, *(pile for side in SIDES for pile in (*own_piles(side), force_pool(side)))}


def test_forces_stand_where_they_may_and_never_more_than_three(budget: float) -> None:
    """area.limit, area.own-side-only, setup.areas, setup.german-placement: after every single command."""
    for playout in matches(budget, 3):
        for _ in playout.steps():
            table = playout.table
            names = [location.id for location in locations_in_play(CARDS, table)]
            assert len(set(names)) == 5
            for force, piece in table.pieces.items():
                side = CARDS.forces[force].side
                assert piece.place in places_of(names, side)
                if table.phase == "setup" and side == GERMAN:
                    assert not piece.place.endswith(f"/{CONTROL}")
            for place, there in table.at.items():
                assert len(there) <= (3 if place.endswith((CONTROL, PERIMETER)) else 46)
                assert len(there) <= 1 or not place.startswith("top/")


def places_of(names: list[str], side: Side) -> set[PlaceId]:
    """Return every place where a side's Forces may be."""
    areas = {area(name, side, which) for name in names for which in (CONTROL, PERIMETER)}
    return areas | {top(side), bottom(side)}


def test_counters_lie_where_they_may_and_are_never_negative(budget: float) -> None:
    """counter.not-a-limit, location.destroyed.threshold, force.destroyed-loses-counters, control.immediate."""
    for playout in matches(budget, 3):
        fallen: set[str] = set()
        for _ in playout.steps():
            table = playout.table
            holders = {
                location.id: controller(table, location.id) or "" for location in locations_in_play(CARDS, table)
            }
            assert holders == {name: table.control.get(PlaceId(name), "") for name in holders}
            for on, there in table.markers.items():
                assert all(count > 0 for count in there.values()), (on, there)
                if PieceId(on) in CARDS.forces:
                    assert is_on_map(table, PieceId(on)), (on, there)
            for on in table.attributes:
                assert PieceId(on) not in CARDS.forces or is_on_map(table, PieceId(on)), on
            for location in locations_in_play(CARDS, table):
                assert 0 <= table.marker(location.id, RUBBLE) < location.destroyed_at
                assert not (table.marker(location.id, RUBBLE) and table.marker(location.id, DESTROYED))
                if table.marker(location.id, DESTROYED):
                    fallen.add(location.id)
                assert (location.id in fallen) == bool(table.marker(location.id, DESTROYED))
            assert all(count >= 0 for count in table.tracks.values())
            values = [(key, value) for there in table.attributes.values() for key, value in there.items()]
            assert all(value >= 0 for key, value in values if isinstance(value, int) and key != TOTAL.key)


# What is over leaves nothing behind


def test_every_action_starts_on_a_clean_table(budget: float) -> None:
    """action.one-at-a-time, ruling.discard-moment: no card is being played, no Hit is left, no battle is remembered."""
    for playout in matches(budget, 3):
        for _ in playout.steps():
            table = playout.table
            if asked(table) != "action":
                continue
            for side in SIDES:
                for pile in (played(side), firefight(side), escrow(side)):
                    assert table.pile(pile).count == 0
            marked = {marker for on in table.pieces for marker in table.markers.get(on, {})}
            assert marked <= {RATION, HEROIC_SERVICE}
            declared = {one for there in REMEMBERED.of.values() for one in there}
            lasting = {one.key for one in declared if one.until} | {LOCATIONS.key}
            assert {key for there in table.attributes.values() for key in there} <= lasting
            assert [waiting.kind for waiting in table.stack] == ["turn", "action"]


def test_every_turn_starts_with_nothing_left_of_the_one_before(budget: float) -> None:
    """turn.end-cleanup, buy.points-lapse, card.sniper.lock, move.free.no-loop."""
    for playout in matches(budget, 3):
        over(playout)
        table, turns = Table(), 0
        for event in playout.events:
            if isinstance(event, TurnBegan):
                turns += 1
                left = {marker for on in table.pieces for marker in table.markers.get(on, {})}
                assert left <= {RATION, HEROIC_SERVICE}
                # The last answer of a turn is taken off the stack by the phase that follows.
                assert [element for element in table.stack if not element.seat] == []
                assert table.track(POINTS) == 0
                assert all(table.pile(snipers(side)).count == 0 for side in SIDES)
                assert all(count == 0 for count in table.tracks.values())
            fold([event], table)
            if isinstance(event, TurnBegan):
                remembered = {key for there in table.attributes.values() for key in there}
                assert remembered == {LOCATIONS.key}
        assert turns == table.round


# The sequence of play


def test_turns_alternate_and_have_three_steps(budget: float) -> None:
    """turn.alternate, turn.steps, setup.first-turn, game.acting-player."""
    for playout in matches(budget, 3):
        events = over(playout).events
        turns = [(event.side, event.seat) for event in events if isinstance(event, TurnBegan)]
        phases = [event.phase for event in events if isinstance(event, PhaseBegan)]
        rounds = [event.number for event in events if isinstance(event, RoundBegan)]

        each = ((GERMAN, GERMAN_SEAT), (RUSSIAN, RUSSIAN_SEAT))
        assert turns == [each[number % 2] for number in range(len(turns))]
        assert phases == ["setup", *["supply", "actions", "draw"] * len(turns)]
        assert rounds == list(range(1, len(turns) + 1))


def test_matches_end_by_five_locations_or_by_their_limit(budget: float) -> None:
    """victory.five-locations-own-turn, victory.timing, victory.only-way, end.table-options, victory.over."""
    kinds = set()
    # Of the first seeds it is the seventh that ends a match by the rules.
    for playout in islice(matches(budget, 8, {"turn_cap": 40}), 5, None):
        table = over(playout).table
        assert table.ended is not None
        kinds.add(table.ended.kind)
        holders = [side for side in SIDES if len(controlled(CARDS, table, side)) == 5]
        ends = [number for number, event in enumerate(playout.events) if isinstance(event, MatchEnded)]

        assert ends == [len(playout.events) - 1]
        if table.ended.kind == "rules":
            assert table.ended.winners == (table.turn,)
            assert holders == [table.turn]
        else:
            assert (table.ended.kind, table.ended.winners) == ("limit", ())
            assert table.turn not in holders
            assert table.round == table.options["turn_cap"]
        refusals = {RULES.refuse(table, seat, Done()) for seat in ONLOOKERS}
        assert {refusal.code for refusal in refusals if refusal is not None} == {"match_must_be_running"}

    assert kinds == {"rules", "limit"}


def test_chance_is_cards_alone_and_decks_are_formed_anew_only_when_they_are_empty(budget: float) -> None:
    """game.chance-is-cards, draw.reshuffle, draw.reshuffle-once-a-turn, ruling.reshuffle-moment."""
    formed = 0
    for playout in matches(budget, 15):
        over(playout)
        table, this_turn = Table(), dict[Side, int]()
        for event in playout.events:
            assert not isinstance(event, DiceRolled)
            if isinstance(event, TurnBegan):
                this_turn = {}
            if isinstance(event, DeckShuffled) and event.source is not None:
                side = Side(event.deck.partition("/")[2])
                this_turn[side] = this_turn.get(side, 0) + 1
                formed += 1
                assert (event.deck, event.source) == (deck(side), discards(side))
                assert table.pile(event.deck).count == 0
                assert table.pile(event.source).count > 0
                assert this_turn[side] == 1 or not table.options["one_reshuffle_per_turn"]
            fold([event], table)

    assert formed > 0


def test_the_draw_step_gives_as_many_cards_as_the_table_says(budget: float) -> None:
    """draw.base, draw.location-bonus, draw.deck-exhausted, card.propaganda-war, uranus.effect.draw-fewer, uranus.effect.draw-more."""
    for playout in matches(budget, 3):
        over(playout)
        table, due, drawn = Table(), 0, 0
        for event in playout.events:
            if isinstance(event, TurnBegan | MatchEnded) and due:
                side = table.turn
                exhausted = table.pile(deck(side)).count == 0
                assert drawn == due or (exhausted and drawn < due)
            if isinstance(event, TurnBegan):
                due = drawn = 0
            if isinstance(event, CardDrawn) and event.purpose == "draw step":
                due = due or cards_due(table)
                drawn += 1
            fold([event], table)


def cards_due(table: Table) -> int:
    """Return how many cards the Acting Player draws, worked out anew."""
    side = table.turn
    places = 0 if NO_LOCATION_CARDS.of(table) else len(controlled(CARDS, table, side))
    extra = 0 if NO_LOCATION_CARDS.of(table) else note_amount(CARDS, table, side, "extra_draw")
    uranus = uranus_amount(CARDS, table, "enemy_draw" if side == GERMAN else "own_draw")
    return max(0, 5 + places + extra + uranus)


def test_no_step_takes_more_actions_than_its_limit(budget: float) -> None:
    """end.action-cap, action.optional: with the limit reached only the end of the step is legal."""
    capped = 0
    for playout in matches(budget, 3, {"action_cap": 3}):
        taken = 0
        for command, events in playout.steps():
            if any(isinstance(event, TurnBegan) for event in events):
                taken = 0
            closed = any(event.rule == "end.action-cap" for event in events)
            taken += closed and not isinstance(command, Done)
            assert taken <= 3
            if asked(playout.table) == "action" and taken == 3:
                capped += 1
                assert RULES.options(playout.table) == [Done()]

    assert capped > 0


def test_every_hit_that_is_met_is_one_less(budget: float) -> None:
    """attack.hits.one-by-one, retreat.surplus-lost, attack.hits.excess-lost: absorbing always comes to an end."""
    met = 0
    for playout in matches(budget, 3):
        before: dict[Side, int] = {}
        for command, _ in playout.steps():
            table = playout.table
            left = {side: HITS.of(table, side) for side in SIDES}
            if isinstance(command, Absorb):
                met += 1
                side = CARDS.forces[command.force].side
                assert left[side] < before[side]
                assert left[enemy(side)] == before[enemy(side)]
            before = left

    assert met > 0


def test_medals_come_from_battles_alone_and_one_at_a_time(budget: float) -> None:
    """heroic.conditions, heroic.effects-permanent, force.rations-stay."""
    for playout in matches(budget, 3):
        for event in over(playout).events:
            if isinstance(event, MarkerPlaced) and event.marker == HEROIC_SERVICE:
                assert (event.rule, event.count) == ("heroic.conditions", event.was + 1)
            if isinstance(event, AttributeSet) and event.key == LOCATIONS.key:
                assert event.rule == "setup.locations.draw"


def test_forces_leave_the_map_by_destruction_alone(budget: float) -> None:
    """force.destroyed-to-bottom, attack.no-advance-after-battle, retreat.not-a-move."""
    ways = {"move.perimeter", "move.advance", "move.control", "retreat.absorbs", "card.attack", "card.reserve-forces"}
    losses = {"attack.hits.destroyed", "uranus.play-cost", "uranus.removal"}
    for playout in matches(budget, 3):
        table = Table()
        for event in over(playout).events:
            if isinstance(event, PieceMoved) and is_on_map(table, event.piece):
                assert event.rule in (losses if event.to.startswith("bottom/") else ways), event
            fold([event], table)


# The log and the rules


def test_every_event_cites_a_rule_of_the_index(budget: float) -> None:
    for playout in matches(budget, 3):
        assert {event.rule for event in over(playout).events} - KNOWN == set()


def test_folding_the_log_gives_the_live_table(budget: float) -> None:
    for playout in matches(budget, 3):
        over(playout)

        assert encode_table(fold(playout.events)) == encode_table(playout.table)


def test_what_is_offered_is_accepted_and_nothing_else(budget: float) -> None:
    """Legal and accepted are the same, in both directions, whatever is asked; and every question comes up."""
    seen: dict[str, int] = {}
    codes: set[str] = set()
    for playout in matches(budget, 8):
        for _ in playout.steps():
            table = playout.table
            kind = asked(table)
            if table.top is None or playout.random.random() > max(0.003, 1 / (3 + 9 * seen.get(kind, 0))):
                continue
            seen[kind] = seen.get(kind, 0) + 1
            offered = RULES.options(table)
            legal = set(offered)
            assert len(legal) == len(offered)
            assert RULES.options(decode_table(encode_table(table))) == offered
            assert [option for option in offered if RULES.refuse(table, table.top.seat, option) is not None] == []
            for wish in wishes(CARDS, table, playout.random, 0.05):
                refusal = RULES.refuse(table, table.top.seat, wish)
                is_expected = wish in legal or (refusal is None and makes_a_whole(RULES, table, wish))
                assert (refusal is None) == is_expected, (table.top, wish, refusal)
                if refusal is not None:
                    codes.add(refusal.code)
                    assert refusal.rule in KNOWN
            for seat in (enemy(Side(table.top.seat)), PUBLIC):
                assert all(RULES.refuse(table, Seat(seat), option) is not None for option in offered)

    assert codes <= CODES
    assert {"action", "answer_card", "answer_battle", "firefight", "absorb_hit", "answer_move", "pay_cards"} <= set(
        seen
    )


# Secrets


def test_a_seats_own_table_offers_what_the_true_one_does(budget: float) -> None:
    """secrecy.hands: a seat that is asked can work out its options from what it sees."""
    for playout in matches(budget, 3):
        views = {seat: fold(seen_events(playout.events, seat)) for seat in ONLOOKERS}
        for command, events in playout.steps():
            for seat, view in views.items():
                fold([event for event in (see(event, seat) for event in events) if event is not None], view)
            top_ = playout.table.top
            if top_ is not None:
                assert RULES.options(views[top_.seat]) == RULES.options(playout.table), command


def test_no_stream_names_a_card_that_its_seat_may_not_know(budget: float) -> None:
    """secrecy.hands, secrecy.decks, secrecy.scouts, secrecy.cancelled-payment: not in any event, and on no table."""
    for playout in matches(budget, 4):
        over(playout)
        for seat in ONLOOKERS:
            truth, view = Table(), Table()
            for event in playout.events:
                fold([event], truth)
                seen = see(event, seat)
                if seen is None:
                    assert isinstance(event, ItemPicked | ItemUnpicked)
                    continue
                fold([seen], view)
                assert view.seq == seat_number(truth, seat, truth.seq)
                named = {CardId(name.decode()) for name in NAMED.findall(encode(seen))}
                assert named & out_of_sight(truth, seat, seen) == set(), seen
            for side in SIDES:
                if Seat(side) != seat:
                    assert (view.pile(hand(side)).cards, view.pile(escrow(side)).cards) == ((), ())
                    assert view.pile(hand(side)).count == truth.pile(hand(side)).count
                assert view.pile(deck(side)).count == truth.pile(deck(side)).count


def out_of_sight(table: Table, seat: Seat, event: Event) -> set[CardId]:
    """Return the cards that lie where a seat may not look; in a search of its own it may look into its deck."""
    hidden: set[CardId] = set()
    for side in SIDES:
        if Seat(side) != seat:
            hidden |= {*table.pile(hand(side)).cards, *table.pile(escrow(side)).cards}
        if not (Seat(side) == seat and isinstance(event, DeckFormed)):
            hidden |= {*table.pile(deck(side)).cards}
    return hidden


def test_windows_open_by_public_events(budget: float) -> None:
    """window.who-is-asked, window.move, window.card, window.draw: the other side is asked whenever its hand is not empty."""
    opened: Counter[str] = Counter()
    for playout in matches(budget, 4):
        table, is_asked = Table(), False
        for event in over(playout).events:
            if isinstance(event, DecisionOpened) and event.kind in ("answer_move", "answer_card", "answer_draw"):
                assert table.pile(hand(table.side_of(event.seat))).count > 0
                opened[event.kind] += 1
                is_asked = True
            elif is_past_answer(table, event):
                assert is_asked or table.pile(hand(enemy(table.turn))).count == 0, event
                is_asked = False
            fold([event], table)

    assert min(opened[kind] for kind in ("answer_move", "answer_card", "answer_draw")) > 0


def is_past_answer(table: Table, event: Event) -> bool:
    """Return whether an event carries out what the other side could answer."""
    match event:
        case PieceMoved():
            return table.turn == GERMAN and event.rule in ("move.perimeter", "move.advance", "move.control")
        case SequenceBegan(kind="card") | StepBegan(kind="card"):
            return event.step == "effect"
        case StepBegan(kind="turn"):
            return table.turn == GERMAN and event.step == "draw_cards"
        case _:
            return False
