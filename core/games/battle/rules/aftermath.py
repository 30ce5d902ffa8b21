"""What follows a battle: Heroic Service, the cards put away, the window of the aftermath."""

from core.draft import Draft
from core.games.battle.ids import CONTROL, SIDES, area, discards, enemy, firefight, played
from core.games.battle.memory import takes_part
from core.games.battle.options import MEDAL_TO_ANY_FORCE_THERE, is_on
from core.games.battle.rules.changes import Chapter, award
from core.games.battle.rules.commands import Award
from core.games.battle.rules.queries import controller, participants
from core.games.battle.rules.refusals import misplaced, refused
from core.games.battle.rules.windows import PUT_AWAY, Window
from core.question import Answer, Question
from core.refusal import Refusal
from events.ids import PieceId, RuleId, Side
from projections.table import Open, Table

RECIPIENT = RuleId("heroic.recipient")
W_AFTER = Window(
    "answer_aftermath", frozenset({"after_battle", "own_force_destroyed"}), RuleId("window.aftermath"), alternating=True
)


class Aftermath(Chapter):
    """The end of a battle."""

    def is_earned(self, table: Table, at: Open) -> bool:
        """Return whether a Force gets a Heroic Service counter."""
        side = self._earner(table, at.text("location"))
        return side is not None and bool(_eligible(table, side, at.text("location")))

    def heroic_service(self, draft: Draft, at: Open) -> None:
        """Give the counter to the only Force that may get it, or ask.

        Source: heroic.conditions, heroic.defender-may-earn, ruling.heroic.
        """
        location = at.text("location")
        side = self._earner(draft.table, location)
        assert side is not None
        forces = _eligible(draft.table, side, location)
        if len(forces) == 1:
            award(draft, forces[0])
        else:
            draft.ask("award", draft.table.seat_of(side), RECIPIENT, {"location": location})

    def _earner(self, table: Table, location: str) -> Side | None:
        """Return who earned a counter: all enemy participants Destroyed, and in Control. At most one side can."""
        for side in SIDES:
            if not participants(self.cards, table, enemy(side)) and controller(table, location) == side:
                return side
        return None

    def award_question(self) -> Question:
        """Return which Force gets the counter; it must be given. Source: heroic.recipient."""
        return Question([Answer(Award, self._candidates, self._refuse, self._award)], misplaced)

    def _candidates(self, table: Table, asked: Open) -> list[Award]:
        return [Award(force) for force in _eligible(table, table.side_of(asked.seat), asked.text("location"))]

    def _refuse(self, table: Table, asked: Open, command: Award) -> Refusal | None:
        if self.cards.is_enemy_force(command.force, table.side_of(asked.seat)):
            return refused("force_must_be_own")
        is_candidate = command in self._candidates(table, asked)
        return None if is_candidate else refused("force_must_be_eligible_for_medal")

    def _award(self, draft: Draft, asked: Open, command: Award) -> None:
        draft.answered(RECIPIENT)
        award(draft, command.force)

    def open_window(self, draft: Draft, at: Open) -> None:
        """Put the battle's cards away and let both sides answer, the Acting Player first. Source: ruling.aftermath-order."""
        put_played_away(draft, at)
        W_AFTER.open(draft, self.cards, draft.table.turn, at.text("location"))


def _eligible(table: Table, side: Side, location: str) -> list[PieceId]:
    """Return who may get the counter. Source: heroic.recipient, ruling.heroic."""
    is_open_to_all = is_on(table, MEDAL_TO_ANY_FORCE_THERE)
    there = table.pieces_at(area(location, side, CONTROL))
    return [force for force in there if is_open_to_all or takes_part(table, force)]


def put_played_away(draft: Draft, at: Open) -> None:
    """Discard the cards of a battle: those played in its window, Firefight cards and flips. Source: ruling.discard-moment."""
    for side in SIDES:
        for pile in (played(side), firefight(side)):
            for card in draft.table.pile(pile).cards:
                draft.discard(card, pile, discards(side), PUT_AWAY)
