"""The set-up: five Locations, the Russian Forces, then the German ones, decks, opening hands, first turn."""

from core.command import Command
from core.decision import Decision
from core.draft import Draft
from core.games.battle.components.card_model import Cards, reachable
from core.games.battle.ids import (
    GERMAN,
    PERIMETER,
    RATION,
    RUSSIAN,
    SETUP,
    UNUSED,
    area,
    bottom,
    enemy,
    force_pool,
    top,
)
from core.games.battle.memory import LOCATIONS
from core.games.battle.rules.commands import ChooseForce
from core.games.battle.rules.deck import draw, form_decks
from core.games.battle.rules.queries import has_room, is_on_map, locations_in_play, own_areas
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.turn import Turns
from core.games.battle.rules.wrong_command import misplaced
from core.refusal import Refusal
from events.ids import TABLE, CardId, PieceId, PlaceId, RuleId, Side
from projections.table import Open, Table

LAID_OUT = RuleId("setup.locations.draw")
BUDGET = {RUSSIAN: RuleId("setup.russian-forces-budget"), GERMAN: RuleId("setup.german-forces-budget")}
PLACEMENT = {RUSSIAN: RuleId("setup.russian-placement"), GERMAN: RuleId("setup.german-placement")}
FORCE_DECKS = RuleId("setup.force-decks")
STARTING_RATIONS = RuleId("setup.starting-rations")
ACTION_DECKS = RuleId("setup.action-decks")
HANDS = RuleId("setup.opening-hands")
FIRST_TURN = RuleId("setup.first-turn")


def set_up(draft: Draft, cards: Cards) -> None:
    """Draw the Locations and ask the Russian for his Forces.

    Source: RuleId("setup.locations.draw"), RuleId("setup.locations.no-adjacency"), ruling.row-order,
    RuleId("setup.order"), RuleId("setup.areas").
    """
    draft.begin_phase(SETUP, RuleId("setup.order"))
    draft.form(UNUSED, tuple(CardId(location) for location in sorted(cards.locations)), LAID_OUT)
    drawn = [draft.draw_piece(UNUSED, "Location in play", LAID_OUT) for _ in range(cards.figures.locations_in_play)]
    LOCATIONS.set(draft, TABLE, tuple(drawn), LAID_OUT)
    draft.ask("choose_force", draft.table.seat_of(RUSSIAN), BUDGET[RUSSIAN])


def turn_up_top(draft: Draft, cards: Cards, side: Side, rule: RuleId) -> None:
    """Turn the next card of a Force deck up, if there is any.

    First come the shuffled ones, whose order does not exist until then; then the Destroyed ones from beneath, in order.

    Source: RuleId("buy.place-before-reveal"), RuleId("force.destroyed-to-bottom"), RuleId("force.deck-was-empty").
    """
    if draft.table.pile(force_pool(side)).count:
        force = PieceId(draft.draw_piece(force_pool(side), "top Force", rule))
        draft.place(force, top(side), rule, kind=force, side=side)
        return
    beneath = draft.table.pieces_at(bottom(side))
    if beneath:
        draft.move(beneath[0], top(side), rule)


class ChooseForces:
    """Which Force is taken next and where it is placed, until the Costs add up to exactly the total.

    Source: RuleId("setup.russian-forces-budget"), RuleId("setup.german-forces-budget"), RuleId("setup.russian-placement"),
    RuleId("setup.german-placement"), ruling.setup-exact-points. Only Forces are offered with which the total can still be
    reached exactly.
    """

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.turns = Turns(cards)

    def left(self, table: Table, side: Side) -> int:
        """Return the points that are still to be spent."""
        spent = sum(self.cards.forces[force].cost for force in self.chosen(table, side))
        return self.cards.figures.points.of(side) - spent

    def chosen(self, table: Table, side: Side) -> list[PieceId]:
        """Return the Forces taken so far."""
        return [force for force in self.cards.piles[side] if is_on_map(table, force)]

    def areas(self, table: Table, side: Side) -> list[PlaceId]:
        """Return the Areas that are open to a side at set-up."""
        if side == RUSSIAN:
            return own_areas(self.cards, table, side)
        return [area(location.id, side, PERIMETER) for location in locations_in_play(self.cards, table)]

    def fits(self, table: Table, side: Side, force: PieceId) -> bool:
        """Whether the total can still be reached exactly with this Force."""
        others = tuple(
            sorted(
                self.cards.forces[other].cost
                for other in self.cards.piles[side]
                if other != force and not is_on_map(table, other)
            )
        )
        return reachable(others, self.left(table, side) - self.cards.forces[force].cost)

    def options(self, table: Table, asked: Open) -> list[Command]:
        """Offer every Force that fits, in every Area with room."""
        side = table.side_of(asked.seat)
        areas = [place for place in self.areas(table, side) if has_room(self.cards, table, place)]
        return [
            ChooseForce(force, place)
            for force in self.cards.piles[side]
            if not is_on_map(table, force) and self.fits(table, side, force)
            for place in areas
        ]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept a Force of the pile that fits, in an open Area with room."""
        side = table.side_of(asked.seat)
        if not isinstance(command, ChooseForce):
            return misplaced(table, asked, command, "The set-up is on: choose a Force and place it.")
        card = self.cards.forces.get(command.force)
        if card is not None and card.side != side:
            return refused("force_must_be_own")
        if command.to in own_areas(self.cards, table, enemy(side)):
            return refused("area_must_be_own")
        if command.to not in own_areas(self.cards, table, side):
            return refused("target_must_exist", f"There is no Area {command.to!r} in play.")
        if not has_room(self.cards, table, command.to):
            return refused("area_must_have_room")
        if card is None or is_on_map(table, command.force):
            return refused("force_must_be_selectable", rule=BUDGET[side])
        if command.to not in self.areas(table, side):
            return refused("area_must_be_open_at_set_up", rule=PLACEMENT[side])
        if not self.fits(table, side, command.force):
            return refused("costs_must_add_up", rule=BUDGET[side])
        return None

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Place the Force; when the total is reached the next part of the set-up follows."""
        assert isinstance(command, ChooseForce)
        side = draft.table.side_of(asked.seat)
        draft.answered(BUDGET[side])
        draft.place(command.force, command.to, PLACEMENT[side], kind=command.force, side=side)
        rations = self.cards.forces[command.force].rations
        if rations:
            draft.mark(command.force, RATION, STARTING_RATIONS, rations)
        if self.left(draft.table, side):
            draft.ask("choose_force", draft.table.seat_of(side), BUDGET[side])
        else:
            self.finish(draft, side)

    def finish(self, draft: Draft, side: Side) -> None:
        """Form the side's Force deck; then the German chooses, or the Action decks are dealt and play begins.

        Source: RuleId("setup.force-decks"), RuleId("setup.action-decks"), RuleId("setup.opening-hands"), RuleId("setup.first-turn").
        """
        taken = self.chosen(draft.table, side)
        others = tuple(CardId(force) for force in self.cards.piles[side] if force not in taken)
        draft.form(force_pool(side), others, FORCE_DECKS)
        turn_up_top(draft, self.cards, side, FORCE_DECKS)
        if side == RUSSIAN:
            draft.ask("choose_force", draft.table.seat_of(GERMAN), BUDGET[GERMAN])
            return
        form_decks(draft, self.cards, ACTION_DECKS)
        for owner in (RUSSIAN, GERMAN):
            draw(draft, owner, self.cards.figures.hand.of(owner), "opening hand", HANDS)
        self.turns.begin(draft, GERMAN)


def decisions(cards: Cards) -> dict[str, Decision]:
    """Return the question of this chapter."""
    return {"choose_force": ChooseForces(cards)}
