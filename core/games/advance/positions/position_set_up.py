"""Setting the table up as a position file says.

A position without pieces is the scenario's set-up, changed where the position says so; with pieces, units that are not
named are not in play. Without a decision the position's phase begins, with its rolls; with one the phase is under way:

* `place_group`: as the Dawn Phase begins. `supply`: free Air Support and the supply roll are over.
* `activate`: between two Action Rounds.
* `act`: in an Action Round; attributes say what has happened in it.
* `barrage`, `lead`, `support`: in an attack on the Area that the argument `area` names; its attribute `attackers` lists them.
"""

from core.engine.draft import Draft
from core.engine.steps import StepSequence
from core.games.advance import ids, memory
from core.games.advance.components.board_model import Board, Scenario
from core.games.advance.rules import activation, dawn, set_up, supply
from core.games.advance.rules.set_up import SetupRules, setup_rules
from core.positions.position import PlacedPiece, Position, Question, put_attributes
from events.ids import CardId, RuleId

FIVE_PHASES = RuleId("6.0.five-phases")
ATTACK_SEQUENCE = RuleId("9.5.sequence")
ACTIVATE = RuleId("8.1.activate")

DECISIONS: dict[str, str] = {
    "place_group": ids.DAWN,
    "supply": ids.SUPPLY_PHASE,
    "activate": ids.COMBAT,
    "act": ids.COMBAT,
    "barrage": ids.COMBAT,
    "lead": ids.COMBAT,
    "support": ids.COMBAT,
}
"""The decisions with which a position can open, and the phase of each."""

IN_A_ROUND = ("act", "barrage", "lead", "support")
"""The decisions of an Action Round with which a position can open."""

IN_AN_ATTACK = ("barrage", "lead", "support")
"""Those of them that belong to an attack."""


def set_up_position(draft: Draft, board: Board, turn: StepSequence, position: Position) -> None:
    """Set the table up as a valid position says and open its decision, or begin its phase."""
    scenario = board.scenarios[draft.table.scenario]
    rules = setup_rules(scenario.key)
    draft.begin_turn(ids.GERMAN, set_up.ONE_PLAYER)
    draft.begin_round(position.round or scenario.first_turn, rules.turn)
    set_up.set_tracks(draft, scenario, rules, position.tracks)
    if position.pieces:
        for piece in position.pieces:
            _place(draft, board, piece, rules)
    else:
        set_up.place_soviets(draft, board, scenario, rules)
        set_up.place_germans(draft, board, scenario, rules)
    _form_mixes(draft, board, scenario, position)
    set_up.show_control(draft, board, scenario, rules)
    _lay_markers(draft, board, scenario, position)
    _open(draft, board, turn, position)


def _place(draft: Draft, board: Board, piece: PlacedPiece, rules: SetupRules) -> None:
    """Place one unit of a position."""
    if piece.id in board.units:
        set_up.place_german(draft, board, piece.id, piece.place, rules.german, face=piece.face or ids.FRESH)
    else:
        set_up.place_soviet(draft, piece.id, piece.place, CardId(piece.kind), rules.soviet)


def _form_mixes(draft: Draft, board: Board, scenario: Scenario, position: Position) -> None:
    """Form the mixes as the position says; by default of every counter that does not lie open on the table."""
    rules = setup_rules(scenario.key)
    shown = {piece.kind for piece in draft.table.pieces.values() if piece.side == ids.SOVIET}
    unseen = [card for card in set_up.pool(draft.table.options, scenario, board) if card not in shown]
    named = {board.counter(card).terrain for cards in position.piles.values() for card in cards}
    left = tuple([card for card in unseen if board.counter(card).terrain not in named])
    set_up.form_mixes(draft, board, left, rules)
    for pile, cards in position.piles.items():
        draft.form(pile, cards, rules.pool)


def _lay_markers(draft: Draft, board: Board, scenario: Scenario, position: Position) -> None:
    """Lay all markers, and remember what lasts; support that the position does not mention is Used, groups that wait are due as printed."""
    rules = setup_rules(scenario.key)
    for marker in ids.SUPPORT:
        elsewhere = sum(markers.get(marker, 0) for on, markers in position.markers.items() if on != ids.USED)
        if elsewhere < board.markers.of(marker):
            draft.mark(ids.USED, marker, rules.support, board.markers.of(marker) - elsewhere)
    for on, markers in position.markers.items():
        for marker, count in markers.items():
            if on != ids.USED and count:
                draft.mark(on, marker, rules.support if on == ids.AVAILABLE else rules.turn, count)
    _remember(draft, position, rules.turn)
    turns = {ids.reinforcement_box(group.tag): group.turn for group in scenario.groups}
    for arrival in dawn.arrivals(board, scenario.key):
        box = arrival.box
        if not draft.table.pieces_at(box):
            continue
        if arrival.is_return:
            memory.WAS_WITHDRAWN.set(draft, box, value=True, rule=arrival.rule)
        if not memory.DUE.of(draft.table, box):
            # A withdrawn division comes back this Dawn, or the next where this one is over.
            back = draft.table.round if position.phase == ids.DAWN else draft.table.round + 1
            memory.DUE.set(draft, box, turns.get(box, back), arrival.rule)


def _remember(draft: Draft, position: Position, rule: RuleId, *within: str) -> None:
    """Set the attributes of a position that end with elements of these kinds; without a kind those that end with none."""
    put_attributes(draft, position, [one for one in memory.ATTRIBUTES if one.within == within], rule)


def _open(draft: Draft, board: Board, turn: StepSequence, position: Position) -> None:
    """Begin the position's phase, or open its decision in a phase that is under way."""
    asked = position.decision
    phase = position.phase if asked is None else DECISIONS[asked.kind]
    if asked is None or phase == ids.DAWN:
        turn.begin(draft, start=phase)
        return
    draft.begin_phase(phase, FIVE_PHASES)
    if phase == ids.SUPPLY_PHASE:
        draft.begin_sequence(memory.TURN, ids.SUPPLY_PHASE, supply.SUPPLY_ORDER)
        supply.ask(draft)
        return
    draft.begin_sequence(memory.TURN, memory.ACTION_ROUNDS, activation.ACTION_ROUND)
    _remember(draft, position, setup_rules(draft.table.scenario).turn, memory.TURN)
    activation.ask(draft, board)
    if asked.kind in IN_A_ROUND:
        _open_round(draft, position, asked)


def _open_round(draft: Draft, position: Position, asked: Question) -> None:
    """Open a decision of an Action Round above what goes on below it."""
    rule = setup_rules(draft.table.scenario).turn
    active = [on for on, there in position.attributes.items() if memory.ACTIVE_UNITS.key in there]
    draft.ask("act", ids.GERMAN_SEAT, ACTIVATE, {"area": active[0]})
    _remember(draft, position, rule, memory.ACT)
    if asked.kind in IN_AN_ATTACK:
        area = asked.arguments["area"]
        draft.begin_sequence(memory.ATTACK, asked.kind, ATTACK_SEQUENCE, {"area": area})
        _remember(draft, position, rule, memory.ATTACK)
        draft.ask(asked.kind, ids.GERMAN_SEAT, ATTACK_SEQUENCE, {"area": area})
