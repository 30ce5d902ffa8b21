"""Operation Uranus: cards that the Allies draw and place in secret, and the launch; at set-up the cards of the scenario."""

from collections import Counter
from itertools import combinations

from core.engine.command import Command
from core.engine.decision import Decision
from core.engine.draft import Draft
from core.engine.question import Answer, Question, always
from core.engine.repeated_questions import ask_among
from core.engine.selection import Selection, one_of
from core.engine.steps import Step, StepSequence
from core.games.axis_allies import ids
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import ALLIES, SUPPLY, URANUS_DEPLOYED, URANUS_FRONT
from core.games.axis_allies.memory import ARRIVED
from core.games.axis_allies.rules.commands import DeployCard, Front, Launch, Wait
from core.games.axis_allies.rules.deployment import can_add_all, deploy_all, deploy_token, refuse_arrival
from core.games.axis_allies.rules.queries import is_friendly, storm_round
from core.games.axis_allies.rules.refusals import asks, misplaced, refused
from core.games.axis_allies.rules.supply import show_supply
from core.refusal import Refusal
from core.wording import joined
from events.ids import CardId, PileId, PlaceId, RuleId, Seat
from events.vocabulary import Value
from projections.state.table import Open, Table

TOGETHER = RuleId("uranus.deploy.card-together")
AIR = RuleId("uranus.deploy.air")
HOSTILE = RuleId("uranus.deploy.hostile")
TWO_CARDS = RuleId("uranus.deploy.two-cards")
UNAVAILABLE = RuleId("components.limits-general")

DEPLOY_CARD = "deploy_card"
LEAVE_UNITS = "leave_units"


class CardDeployment:
    """The step that deploys the cards of both fronts, one after the other."""

    def __init__(self, board: Board) -> None:
        self.board = board
        deploy = Answer(DeployCard, self._candidates, self._refuse, self._deploy, ends=TOGETHER)
        question = Question((deploy,), self._misplaced)
        leaving = Selection(
            lambda _: UNAVAILABLE,
            lambda _, asked: dict.fromkeys(self._units(asked)),
            lambda table, asked: (self._left(table, asked)[0].total(),) * 2,
            lambda draft, asked, picks: self._place(draft, asked, Counter([item for item, _ in picks])),
            refuse_whole=self._refuse_left,
            is_completable=lambda table, asked: any(Counter(asked.picked) <= left for left in self._left(table, asked)),
            refuse_other=misplaced,
            may_repeat=True,
        )
        self.decisions: dict[str, Decision] = {DEPLOY_CARD: question, LEAVE_UNITS: leaving}

    def step(self, rule: RuleId) -> Step:
        """Return the step, which repeats until no card is left, once the operation is launched."""

        def is_open(table: Table, at: Open) -> bool:
            return storm_round(table, self.board) > 0 and bool(_placed(table))

        return Step("deploy", rule, self._go_on, when=is_open, repeats=True)

    def _go_on(self, draft: Draft, at: Open) -> None:
        """Ask which card is deployed next, unless there is one way only.

        Source: ruling.uranus-capacity: cards for which no zone is left are lost.
        """
        choices = [one for one in self._candidates(draft.table, at) if self._refuse(draft.table, at, one) is None]
        if choices:
            ask_among(draft, Open(DEPLOY_CARD, draft.table.seat_of(ALLIES)), TOGETHER, choices, self._deploy)
        for card in [] if choices else _placed(draft.table):
            draft.apply(TWO_CARDS, "no zone is left", card)
            self._put_away(draft, card, TWO_CARDS)

    # Which card goes where

    def _candidates(self, table: Table, asked: Open) -> list[DeployCard]:
        zones = [place for place, zone in self.board.zones.items() if zone.front]
        return [DeployCard(card, zone) for card in _placed(table) for zone in zones]

    def _refuse(self, table: Table, asked: Open, command: DeployCard) -> Refusal | None:
        """Return why a card cannot be deployed in a zone.

        Source: uranus.deploy.fronts, uranus.deploy.round-zones, uranus.deploy.card-together,
        uranus.deploy.two-cards, setup.uranus.deploy, ruling.uranus-capacity.
        """
        card, to = command.card, command.to
        if card in table.pile(URANUS_DEPLOYED).cards:
            return refused("card_units_must_stay_together")
        zone, front = self.board.zones.get(to), _front_of(table, card)
        if not front or (zone is not None and zone.front and zone.front != front):
            return refused("cards_must_keep_to_fronts")
        # At set-up the scenario's first round is that of the launch.
        launched = table.round or self.board.scenarios[table.scenario].first_round
        if zone is None or not zone.front or zone.opens > launched:
            open_ = [one for one in self.board.zones.values() if one.front == front and one.opens <= launched]
            sentence = f"The cards of that front arrive in {joined([one.name for one in open_], 'or')}."
            return refused("zone_must_be_eligible", sentence, RuleId("uranus.deploy.round-zones"))
        if ARRIVED.of(table, to) >= self.board.file.limits.uranus_cards:
            return refused("zone_must_take_at_most_two_cards")
        return refuse_arrival(table, self.board, ALLIES, to)

    def _misplaced(self, table: Table, asked: Open, command: Command) -> Refusal:
        """Refuse what does not deploy a card: in the last round the launch cannot wait."""
        if isinstance(command, Wait) and table.round == self.board.file.uranus.last_round:
            return refused("uranus_must_be_launched")
        return misplaced(table, asked, command)

    def _deploy(self, draft: Draft, at: Open, command: DeployCard) -> None:
        """Deploy a card, or ask first what is left out if components do not suffice and there is a choice."""
        about: dict[str, Value] = {"card": command.card, "to": command.to}
        asked = Open(LEAVE_UNITS, draft.table.seat_of(ALLIES), about)
        ask_among(draft, asked, UNAVAILABLE, self._left(draft.table, asked), self._place)

    # What stays behind

    def _units(self, asked: Open) -> list[str]:
        """Return the types of the units of the card, as often as they occur."""
        there = self.board.uranus_cards[CardId(asked.text("card"))].units
        return [kind for kind, number in there.items() if kind != SUPPLY for _ in range(number)]

    def _left(self, table: Table, asked: Open) -> list[Counter[str]]:
        """Return the fewest units of a card that can be left out, in each way in which the others can be deployed.

        Source: components.limits-general, ruling.pool-exhausted.
        """
        all_units, zone = self._units(asked), PlaceId(asked.text("to"))
        for number in range(len(all_units) + 1):
            ways = [Counter(way) for way in dict.fromkeys(combinations(all_units, number))]
            possible = [left for left in ways if can_add_all(table, self.board, Counter(all_units) - left, zone)]
            if possible:
                return possible
        raise AssertionError("nothing can always be added")

    def _refuse_left(self, table: Table, asked: Open) -> Refusal | None:
        is_possible = Counter(asked.picked) in self._left(table, asked)
        return None if is_possible else refused("piece_must_be_available")

    def _place(self, draft: Draft, asked: Open, left: Counter[str]) -> None:
        """Deploy the units of a card but some, and its tokens.

        Source: uranus.deploy.hostile, uranus.deploy.air.
        """
        card, zone = CardId(asked.text("card")), PlaceId(asked.text("to"))
        self._put_away(draft, card, TOGETHER)
        ARRIVED.add(draft, zone, TWO_CARDS)
        rule = TOGETHER if is_friendly(draft.table, zone, ALLIES) else HOSTILE
        draft.apply(rule, zone, card)
        for kind in left.elements():
            draft.apply(UNAVAILABLE, "no piece is left", kind)
        units = list((Counter(self._units(asked)) - left).elements())
        deploy_all(draft, self.board, [kind for kind in units if not self.board.units[kind].is_air], zone, rule)
        deploy_all(draft, self.board, [kind for kind in units if self.board.units[kind].is_air], zone, AIR)
        for _ in range(self.board.uranus_cards[card].units.get(SUPPLY, 0)):
            deploy_token(draft, ALLIES, zone, TOGETHER)
        show_supply(draft, self.board)

    def _put_away(self, draft: Draft, card: CardId, rule: RuleId) -> None:
        draft.move_card(card, URANUS_FRONT[_front_of(draft.table, card)], URANUS_DEPLOYED, rule)


def _placed(table: Table) -> list[CardId]:
    """Return the cards on both fronts that are still to be deployed."""
    return [card for pile in URANUS_FRONT.values() for card in table.pile(pile).cards]


def _front_of(table: Table, card: CardId) -> str:
    return next((front for front, pile in URANUS_FRONT.items() if card in table.pile(pile).cards), "")


DRAW = RuleId("order.7.draw")
PLACE = RuleId("order.7.place")
SECRET = RuleId("order.7.secret")
LAUNCH = RuleId("order.7.launch")
STORM = RuleId("winter-storm.marker-place")
SCENARIO_DRAWS = RuleId("setup.uranus.draws")
SCENARIO_DEPLOYS = RuleId("setup.uranus.deploy")

PLACE_CARDS = "place_cards"
LAUNCHING = "launch"
FRONT = "front"
NORTHWEST, SOUTHEAST = ids.URANUS_FRONT

URANUS_CARD = 7


class CounterOffensive:
    """Card 7, and the draws of the Operation Uranus scenario."""

    def __init__(self, board: Board) -> None:
        self.board = board
        deployment = CardDeployment(board)
        placing = one_of(
            PLACE,
            lambda table, _: table.pile(ids.URANUS_DRAWN).cards,
            self._place,
            refuse_count=lambda *_: refused(
                "cards_must_keep_to_fronts", "Choose one card; the other front gets the other.", PLACE
            ),
            refuse_other=misplaced,
        )
        launch = always(Launch(), lambda draft, *_: self._launch(draft, LAUNCH), ends=LAUNCH)
        commands = [Front(front) for front in ids.URANUS_FRONT]
        fronts = Answer(Front, lambda *_: commands, _refuse_front, self._place_all, ends=SCENARIO_DRAWS)
        launching = asks(launch, always(Wait(), ends=LAUNCH), decline=Wait())
        own: dict[str, Decision] = {PLACE_CARDS: placing, LAUNCHING: launching, FRONT: asks(fronts)}
        self.decisions = {**own, **deployment.decisions}
        draw, ask = Step("draw", DRAW, self._draw), Step("launch", LAUNCH, self._ask_to_launch)
        self.card = StepSequence("counter_offensive", LAUNCH, (draw, ask, deployment.step(LAUNCH)))
        first = Step("draws", SCENARIO_DRAWS, self._draw_first)
        reveal = Step("reveal", SCENARIO_DEPLOYS, lambda draft, _: self._reveal(draft, SCENARIO_DEPLOYS))
        steps = (first, reveal, deployment.step(SCENARIO_DEPLOYS))
        self.set_up = StepSequence("uranus_set_up", SCENARIO_DEPLOYS, steps)
        self.sequences = (self.card, self.set_up)

    def begin(self, draft: Draft) -> None:
        """Carry card 7 out. Source: order.7.rounds-1-2."""
        if draft.table.round < self.board.file.uranus.first_round:
            draft.apply(RuleId("order.7.rounds-1-2"), "no-draw")
        else:
            self.card.begin(draft)

    # Cards drawn and placed

    def _draw_cards(self, draft: Draft, number: int, to: PileId, rule: RuleId) -> None:
        """Draw cards that only the Allies see. Source: order.7.draw, setup.uranus.draws, ruling.uranus-undrawn-hidden."""
        for _ in range(number):
            draft.draw_card(ids.URANUS_DECK, to, "Operation Uranus", rule, seen_by=_allies(draft.table))

    def _draw(self, draft: Draft, at: Open) -> None:
        """Draw the cards of the round, and ask which one goes northwest."""
        self._draw_cards(draft, self.board.file.uranus.drawn, ids.URANUS_DRAWN, DRAW)
        draft.ask(PLACE_CARDS, draft.table.seat_of(ids.ALLIES), PLACE)

    def _place(self, draft: Draft, asked: Open, item: str, _: str) -> None:
        """Place the chosen card in the northwest and the other in the southeast, which the Axis does not see.

        Source: order.7.place, order.7.secret.
        """
        _lay(draft, CardId(item), NORTHWEST, SECRET)
        for card in draft.table.pile(ids.URANUS_DRAWN).cards:
            _lay(draft, card, SOUTHEAST, SECRET)

    # The launch

    def _ask_to_launch(self, draft: Draft, at: Open) -> None:
        """Ask whether to launch, which in the last round must be done. Source: order.7.launch-uranus-deadline."""
        if draft.table.round == self.board.file.uranus.last_round:
            self._launch(draft, RuleId("order.7.launch-uranus-deadline"))
        else:
            draft.ask(LAUNCHING, draft.table.seat_of(ids.ALLIES), LAUNCH)

    def _launch(self, draft: Draft, rule: RuleId) -> None:
        """Reveal the placed cards; the card leaves the game, and the round of Operation Winter Storm is set.

        Source: order.7.launch, order.7.removed, winter-storm.marker-place.
        """
        draft.apply(rule, "launched")
        self._reveal(draft, rule)
        draft.move_card(ids.order_card(URANUS_CARD), ids.ORDER_DECK, ids.ORDER_BOX, RuleId("order.7.removed"))
        draft.mark(ids.round_space(draft.table.round + self.board.file.uranus.storm_after), ids.WINTER_STORM, STORM)

    def _reveal(self, draft: Draft, rule: RuleId) -> None:
        """Show the cards on both fronts, in an order that tells nothing of when they were placed."""
        for pile in ids.URANUS_FRONT.values():
            there = draft.table.pile(pile).cards
            draft.form(pile, tuple([card for card in self.board.uranus_cards if card in there]), rule)

    # The scenario

    def _draw_first(self, draft: Draft, at: Open) -> None:
        """Draw the first half of the scenario's cards, and ask where they all go. Source: setup.uranus.draws."""
        self._draw_cards(draft, self.board.file.uranus.scenario_draw, ids.URANUS_DRAWN, SCENARIO_DRAWS)
        draft.ask(FRONT, draft.table.seat_of(ids.ALLIES), SCENARIO_DRAWS)

    def _place_all(self, draft: Draft, asked: Open, command: Front) -> None:
        """Place the first half on a front, and draw the other half for the other front. Source: setup.uranus.draws."""
        for card in draft.table.pile(ids.URANUS_DRAWN).cards:
            _lay(draft, card, command.front, SCENARIO_DRAWS)
        other = next(front for front in ids.URANUS_FRONT if front != command.front)
        self._draw_cards(draft, self.board.file.uranus.scenario_draw, ids.URANUS_FRONT[other], SCENARIO_DRAWS)


def _allies(table: Table) -> tuple[Seat, ...]:
    return (table.seat_of(ids.ALLIES),)


def _lay(draft: Draft, card: CardId, front: str, rule: RuleId) -> None:
    draft.move_card(card, ids.URANUS_DRAWN, ids.URANUS_FRONT[front], rule, seen_by=_allies(draft.table))


def _refuse_front(table: Table, asked: Open, command: Front) -> Refusal | None:
    """Return why the cards cannot all be placed there. Source: setup.uranus.draws."""
    if command.front in ids.URANUS_FRONT:
        return None
    sentence = f"There is no front {command.front!r}; there are {joined(list(ids.URANUS_FRONT))}."
    return refused("cards_must_keep_to_fronts", sentence, SCENARIO_DRAWS)
