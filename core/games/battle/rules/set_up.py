"""The set-up: five Locations, the Russian Forces, then the German ones, decks, opening hands, first turn."""

from core.engine.draft import Draft
from core.engine.question import Answer, Question
from core.games.battle import ids
from core.games.battle.components.card_model import Cards, reachable
from core.games.battle.memory import LOCATIONS
from core.games.battle.rules.changes import Chapter, draw, show_control, turn_up_top
from core.games.battle.rules.commands import ChooseForce
from core.games.battle.rules.queries import has_room, is_on_map, locations_in_play, own_areas, owner_of
from core.games.battle.rules.refusals import misplaced, refused
from core.games.battle.rules.turn import Turns
from core.refusal import Refusal
from events.ids import TABLE, CardId, PieceId, PlaceId, RuleId, Side
from projections.state.table import Open, Table

LAID_OUT = RuleId("setup.locations.draw")
BUDGET = {ids.RUSSIAN: RuleId("setup.russian-forces-budget"), ids.GERMAN: RuleId("setup.german-forces-budget")}
PLACEMENT = {ids.RUSSIAN: RuleId("setup.russian-placement"), ids.GERMAN: RuleId("setup.german-placement")}
FORCE_DECKS = RuleId("setup.force-decks")
STARTING_RATIONS = RuleId("setup.starting-rations")
ACTION_DECKS = RuleId("setup.action-decks")
HANDS = RuleId("setup.opening-hands")
FIRST_TURN = RuleId("setup.first-turn")


def set_up(draft: Draft, cards: Cards) -> None:
    """Draw the Locations and ask the Russian for his Forces.

    Source: setup.locations.draw, setup.locations.no-adjacency, ruling.row-order, setup.order, setup.areas.
    """
    draft.begin_phase(ids.SETUP, RuleId("setup.order"))
    draft.form(ids.UNUSED, tuple(CardId(location) for location in sorted(cards.locations)), LAID_OUT)
    drawn = [draft.draw_piece(ids.UNUSED, "Location in play", LAID_OUT) for _ in range(cards.figures.locations_in_play)]
    LOCATIONS.set(draft, TABLE, tuple(drawn), LAID_OUT)
    ask(draft, cards, ids.RUSSIAN)


def ask(draft: Draft, cards: Cards, side: Side) -> None:
    """Ask a side for its next Force."""
    about = {"spent": spent(cards, draft.table, side), "points": cards.figures.points.of(side)}
    draft.ask("choose_force", draft.table.seat_of(side), BUDGET[side], {**about})


def spent(cards: Cards, table: Table, side: Side) -> int:
    """Return what the Forces cost that a side has taken so far."""
    return sum(cards.forces[force].cost for force in cards.piles[side] if is_on_map(table, force))


class ChooseForces(Chapter):
    """Choice of the next Force and of its place, until the Costs add up to exactly the total.

    Source: setup.russian-forces-budget, setup.german-forces-budget, setup.russian-placement, setup.german-placement,
    ruling.setup-exact-points.
    """

    def question(self) -> Question:
        """Return the question."""
        return Question([Answer(ChooseForce, self._candidates, self._refuse, self._place, are_legal=True)], misplaced)

    def _left(self, table: Table, side: Side) -> int:
        """Return the points that are still to be spent."""
        return self.cards.figures.points.of(side) - spent(self.cards, table, side)

    def _areas(self, table: Table, side: Side) -> list[PlaceId]:
        """Return the Areas that are open to a side at set-up."""
        if side == ids.RUSSIAN:
            return own_areas(self.cards, table, side)
        return [ids.area(location.id, side, ids.PERIMETER) for location in locations_in_play(self.cards, table)]

    def _fits(self, table: Table, side: Side, force: PieceId) -> bool:
        """Return whether the total can still be reached exactly with this Force."""
        pile = [other for other in self.cards.piles[side] if other != force and not is_on_map(table, other)]
        costs = tuple(sorted(self.cards.forces[other].cost for other in pile))
        return reachable(costs, self._left(table, side) - self.cards.forces[force].cost)

    def _candidates(self, table: Table, asked: Open) -> list[ChooseForce]:
        """Return every Force with which the total can be reached, in every open Area with room.

        Exact: to judge each of up to 170 pairs takes ten times as long (1.3 ms).
        """
        side = table.side_of(asked.seat)
        areas = [place for place in self._areas(table, side) if has_room(self.cards, table, place)]
        return [
            ChooseForce(force, place)
            for force in self.cards.piles[side]
            if not is_on_map(table, force) and self._fits(table, side, force)
            for place in areas
        ]

    def _refuse(self, table: Table, asked: Open, command: ChooseForce) -> Refusal | None:
        """Refuse all but Forces of the pile with which the total can be reached, in open Areas with room."""
        side = table.side_of(asked.seat)
        if self.cards.is_enemy_force(command.force, side):
            return refused("force_must_be_own")
        owner = owner_of(self.cards, table, command.to)
        if owner == ids.enemy(side):
            return refused("area_must_be_own")
        if owner is None:
            return refused("target_must_exist", f"There is no Area {command.to!r} in play.", LAID_OUT)
        if not has_room(self.cards, table, command.to):
            return refused("area_must_have_room")
        if command.force not in self.cards.forces:
            return refused("force_must_be_selectable", rule=BUDGET[side])
        card = self.cards.forces[command.force]
        if is_on_map(table, command.force):
            return refused("force_must_be_selectable", f"{card.name} is placed already.", BUDGET[side])
        if command.to not in self._areas(table, side):
            return refused("area_must_be_open_at_set_up", rule=PLACEMENT[side])
        if not self._fits(table, side, command.force):
            left = f"{self._left(table, side)} of {self.cards.figures.points.of(side)} points are left"
            sentence = f"{card.name} costs {card.cost}; {left}, and they must be spent exactly."
            return refused("costs_must_add_up", sentence, BUDGET[side])
        return None

    def _place(self, draft: Draft, asked: Open, command: ChooseForce) -> None:
        """Place the Force; when the total is reached the next part of the set-up follows."""
        side = draft.table.side_of(asked.seat)
        draft.answered(BUDGET[side])
        draft.place(command.force, command.to, PLACEMENT[side], kind=command.force, side=side)
        show_control(draft, self.cards, command.to)
        rations = self.cards.forces[command.force].rations
        if rations:
            draft.mark(command.force, ids.RATION, STARTING_RATIONS, rations)
        if self._left(draft.table, side):
            ask(draft, self.cards, side)
        else:
            self._finish(draft, side)

    def _finish(self, draft: Draft, side: Side) -> None:
        """Form the side's Force deck; then the German chooses, or the Action decks are dealt and play begins.

        Source: setup.force-decks, setup.action-decks, setup.opening-hands, setup.first-turn, secrecy.decks.
        """
        others = tuple(CardId(force) for force in self.cards.piles[side] if not is_on_map(draft.table, force))
        draft.form(ids.force_pool(side), others, FORCE_DECKS)
        turn_up_top(draft, side, FORCE_DECKS)
        if side == ids.RUSSIAN:
            ask(draft, self.cards, ids.GERMAN)
            return
        for owner, listed in self.cards.decks.items():
            draft.form(ids.deck(owner), listed, ACTION_DECKS, seen_by=())
        for owner in (ids.RUSSIAN, ids.GERMAN):
            draw(draft, owner, [(HANDS, self.cards.figures.hand.of(owner))], "opening hand")
        Turns(self.cards).begin(draft, ids.GERMAN, FIRST_TURN)
