"""The Soviet card of a combat: how it is chosen, and what it does."""

from collections.abc import Callable, Iterable

from core.engine.draft import Draft
from core.engine.question import Answer, Question
from core.engine.selection import refuse_unsorted
from core.games.inferno.components.board_model import Board, Card, Title
from core.games.inferno.components.board_records import (
    CANCEL_AIRSTRIKE,
    DEPLOY,
    FIRE,
    FLOTILLA,
    GUARDS,
    INFANTRY,
    LEADER,
    LOSE_STEPS,
    MARINE,
    TANK,
)
from core.games.inferno.ids import EDGES, GERMAN, HEADQUARTERS, RUBBLE, SOVIET, SOVIET_SEAT, combat_card, hand, leaders
from core.games.inferno.memory import ADVANTAGES, ATTACKING
from core.games.inferno.options import (
    CHUIKOV_HQ,
    CHUIKOV_JOINS_AT_ONCE,
    OFF,
    RUBBLE_AFFECTS_CARDS,
    level,
)
from core.games.inferno.rules import rubble, spawn
from core.games.inferno.rules.cards import CHUIKOV, NONE_PLAYED, ZAYTSEV, draw_soviet, has_leader
from core.games.inferno.rules.commands import CommitCards
from core.games.inferno.rules.entering import lose_chuikov
from core.games.inferno.rules.fire import hits_of
from core.games.inferno.rules.german_cards import cancel_airstrike, has_airstrike
from core.games.inferno.rules.losses import attacker, combat, combatants, inflict, target
from core.games.inferno.rules.queries import block, has_advantage, has_room, is_soviet_played, side_in, stack
from core.games.inferno.rules.refusals import refused
from core.games.inferno.rules.wrong_command import misplaced
from core.refusal import Refusal
from events.ids import TABLE, PieceId, PlaceId, RuleId
from projections.state.table import Open, Table

AT_RANDOM = RuleId("ai.card-play-random")
OPTIONAL = RuleId("mode.1v1.card-optional")
CHOSEN = RuleId("mode.1v1.card-choice")
IN_PLAY = RuleId("card.soviet-leader-in-combat")
NO_DOT = RuleId("ai.adjust-no-dot")
IMMORTAL = RuleId("designer.advantage.immortal-guard")
JOIN = RuleId("soviet.deliberate-attack.all-adjacent")
HQ = RuleId("designer.chuikov.headquarters")
LANDING = RuleId("soviet.card.flotilla-landing")
LANDING_BEHIND = RuleId("soviet.card.flotilla-german-empty")
NO_LANDING = RuleId("soviet.card.flotilla-full-or-none")
AA_RUBBLE = RuleId("soviet.card.aa-rubble")
SOVIET_CARD = "soviet_card"
"""The kind of the question which card a Soviet seat plays."""
RULES = {
    (FIRE, ""): RuleId("soviet.card.tommy-gunner"),
    (FLOTILLA, ""): RuleId("soviet.card.flotilla-gunboats"),
    (CANCEL_AIRSTRIKE, ""): RuleId("soviet.card.aa"),
    (LOSE_STEPS, INFANTRY): RuleId("soviet.card.sniper"),
    (LOSE_STEPS, TANK): RuleId("soviet.card.anti-tank"),
    (DEPLOY, INFANTRY): RuleId("soviet.card.infiltration"),
    (DEPLOY, TANK): RuleId("soviet.card.t34"),
}
BLOCKED = {INFANTRY: RuleId("soviet.card.infiltration-blocked"), TANK: RuleId("soviet.card.t34-blocked")}


def rule_of(title: Title) -> RuleId:
    """Return the rule of the cards of a title."""
    return RULES[title.op, title.target or title.deploys]


# Step 1


def can_play(table: Table, board: Board, at: Open) -> bool:
    """Return whether the Soviets have a card. Source: combat.soviet-card-mandatory, ruling.card-on-hand-empty."""
    return table.pile(hand(SOVIET_SEAT)).count > 0


def commit(draft: Draft, board: Board, at: Open) -> None:
    """Let the Soviet seat choose a card or none, or commit one at random where the rules play the Soviets.

    Source: ai.card-play-random, combat.soviet-card-one, fog.cards-facedown-until-showdown,
    fog.soviet-hand-blind, mode.1v1.card-optional, ruling.soviet-card-all-combats.
    """
    if is_soviet_played(draft.table):
        draft.ask(SOVIET_CARD, SOVIET_SEAT, OPTIONAL)
    else:
        draft.draw_card(hand(SOVIET_SEAT), combat_card(SOVIET), "Soviet card of the combat", AT_RANDOM, seen_by=())


class SovietCards(Question):
    """Card of the hand that a Soviet seat lays face down, if any."""

    def __init__(self) -> None:
        lay = Answer(CommitCards, self._candidates, self._refuse, self._lay)
        super().__init__([lay], misplaced, decline=CommitCards())

    def _candidates(self, table: Table, asked: Open) -> Iterable[CommitCards]:
        """Return no card, and every card."""
        yield CommitCards()
        for card in sorted(table.pile(hand(asked.seat)).cards):
            yield CommitCards((card,))

    def _refuse(self, table: Table, asked: Open, command: CommitCards) -> Refusal | None:
        """Return why cards may not be played. Source: mode.1v1.card-choice, combat.soviet-card-one."""
        if not set(command.cards) <= set(table.pile(hand(asked.seat)).cards):
            return refused("card_must_be_in_hand", rule=CHOSEN)
        is_single = len(command.cards) < 2
        return refuse_unsorted(command.cards) or (None if is_single else refused("soviet_card_must_be_single"))

    def _lay(self, draft: Draft, asked: Open, command: CommitCards) -> None:
        """Lay the card face down."""
        draft.answered(CHOSEN if command.cards else OPTIONAL)
        if not command.cards:
            draft.apply(OPTIONAL, NONE_PLAYED, SOVIET)
        for card in command.cards:
            draft.move_card(card, hand(asked.seat), combat_card(SOVIET), CHOSEN, seen_by=(asked.seat,))


# Step 4


def to_adjust(table: Table, board: Board, at: Open) -> list[PieceId]:
    """Return the Soviet units of the combat whose Strength is adjusted, revealed ones only."""
    units = [unit for unit in combatants(table, at, SOVIET) if table.pieces[unit].kind]
    return [unit for unit in units if table.pieces[unit].face != adjusted_face(table, board, unit)]


def is_adjusted(table: Table, board: Board, at: Open) -> bool:
    """Return whether the Strength of a unit is adjusted."""
    return bool(to_adjust(table, board, at))


def adjusted_face(table: Table, board: Board, unit: PieceId) -> str:
    """Return the face on which a unit fights: of its maximum for a Guard, of one Step instead of none.

    Source: ai.adjust-no-dot, combat.adjust-strength, designer.advantage.immortal-guard,
    designer.immortal-guard.return, units.designer-specials.
    """
    printed, face = block(table, board, unit), table.pieces[unit].face
    if is_immortal(table, board, unit):
        return EDGES[0]
    return face if printed.edge(face).strength else printed.lowest_face


def is_immortal(table: Table, board: Board, unit: PieceId) -> bool:
    """Return whether a unit is set to its maximum. Source: designer.advantage.immortal-guard, ruling.specials-by-level."""
    return block(table, board, unit).kind == GUARDS and has_advantage(table, SOVIET, "immortal_guard")


def adjust(draft: Draft, board: Board, at: Open) -> None:
    """Adjust the Strength of revealed Soviet units. Source: ai.adjust-no-dot, ruling.no-dot-moment."""
    for unit in to_adjust(draft.table, board, at):
        face = adjusted_face(draft.table, board, unit)
        rule = IMMORTAL if is_immortal(draft.table, board, unit) else NO_DOT
        draft.turn(unit, face, rule, steps=block(draft.table, board, unit).edge(face).strength)


# Step 5


def is_played(table: Table, board: Board, at: Open) -> bool:
    """Return whether a Soviet card lies in the combat."""
    return table.pile(combat_card(SOVIET)).count > 0


def soviet_hex(at: Open) -> PlaceId:
    """Return the hex of which Soviet cards speak: the attacked one, or the one that started the attack.

    Source: soviet.card.soviet-hex, ruling.flotilla-several-hexes.
    """
    return PlaceId(at.texts("hexes")[0]) if attacker(at) == SOVIET else target(at)


def work(draft: Draft, board: Board, at: Open) -> None:
    """Let the Soviet card work, whichever side attacks.

    Source: soviet.card.any-combat, combat.soviet-card-first, card.leader-is-the-card,
    leader.khrushchev.not-cards, ruling.draw-then-last-card-in-combat.
    """
    card = board.cards[draft.table.pile(combat_card(SOVIET)).cards[0]]
    EFFECTS[card.title.op](draft, board, at, card)


def put_in_play(draft: Draft, board: Board, at: Open, card: Card) -> None:
    """Put a Leader in play for good; Chuikov needs his headquarters, and may bring adjacent Stacks into the attack.

    Source: card.soviet-leader-in-combat, card.leaders-stay, ruling.zaytsev-played,
    ruling.chuikov-same-combat-attack.
    """
    draft.play_card(card.id, combat_card(SOVIET), leaders(SOVIET), IN_PLAY)
    if card.title.id != CHUIKOV:
        return
    if needs_headquarters(draft.table):
        set_up_headquarters(draft, board)
    if attacker(at) == SOVIET and CHUIKOV_JOINS_AT_ONCE.is_on(draft.table) and has_leader(draft.table, board, CHUIKOV):
        for place in board.hexes[target(at)].near:
            if side_in(draft.table, place) == SOVIET:
                for unit in stack(draft.table, place):
                    join(draft, board, unit, JOIN)


def needs_headquarters(table: Table) -> bool:
    """Return whether Chuikov needs a headquarters. Source: designer.chuikov.headquarters, ruling.chuikov-hq-scope."""
    if level(table) == OFF:
        return False
    return CHUIKOV_HQ.chosen(table) == "always" or CHUIKOV in (ADVANTAGES.of(table, SOVIET) or ())


def set_up_headquarters(draft: Draft, board: Board) -> None:
    """Throw for the hex of Chuikov's headquarters; he is lost if the Soviets do not control it.

    Source: designer.chuikov.headquarters, designer.chuikov.no-place, ruling.chuikov-drawn-or-played,
    ruling.chuikov-hq-stacking.
    """
    place = PlaceId(str(sum(draft.dice(board.designers_way.headquarters_dice, "Headquarters", HQ, about=HEADQUARTERS))))
    if draft.table.control.get(place) == SOVIET:
        draft.mark(place, HEADQUARTERS, HQ)
    else:
        lose_chuikov(draft, board, None, RuleId("designer.chuikov.no-place"))


def join(draft: Draft, board: Board, unit: PieceId, rule: RuleId) -> None:
    """Reveal a Soviet unit that comes into the combat after the Showdown, and adjust its Strength at once.

    Source: ruling.deployed-joins-combat, ruling.no-dot-moment, ruling.guard-in-late-reveal.
    """
    spawn.reveal(draft, board, unit, rule)
    at = combat(draft.table)
    if attacker(at) == SOVIET:
        ATTACKING.set(draft, TABLE, tuple(sorted({*(ATTACKING.of(draft.table) or ()), unit})), rule)
    adjust(draft, board, at)


def shoot(draft: Draft, board: Board, at: Open, card: Card) -> None:
    """Throw the dice of Tommy Gunner or of gunboats at the Germans in the combat.

    Source: soviet.card.tommy-gunner, soviet.card.flotilla-gunboats, leader.khrushchev.not-cards,
    rubble.either-side, ruling.rubble-card-dice.
    """
    rule, needed = rule_of(card.title), board.hits_from[card.title.firepower]
    faces = draft.dice(card.title.dice, card.title.name, rule, about=card.id, needed=needed, each=True)
    hits = hits_of(faces, needed)
    if RUBBLE_AFFECTS_CARDS.is_on(draft.table):
        hits = rubble.halved(draft, board, GERMAN, hits, card.id)
    inflict(draft, board, GERMAN, hits, rule)


def take_steps(draft: Draft, board: Board, at: Open, card: Card) -> None:
    """Take a Step from the strongest German unit of an arm; a Sniper counts twice under Zaytsev.

    Source: soviet.card.sniper, soviet.card.anti-tank, leader.zaytsev,
    units.panzer-grenadier-mixed.
    """
    steps, rule = card.title.steps, rule_of(card.title)
    if card.title.target == INFANTRY and has_leader(draft.table, board, ZAYTSEV):
        steps, rule = steps * board.leaders.zaytsev_factor, RuleId("leader.zaytsev")
    inflict(draft, board, GERMAN, steps, rule, arm=card.title.target)


def sail(draft: Draft, board: Board, at: Open, card: Card) -> None:
    """Throw the three dice of the Flotilla: gunboats if the Soviet hex is coastal, else a landing.

    Source: soviet.card.flotilla, components.coastal-hexes, soviet.card.flotilla-gunboats.
    """
    if board.hexes[soviet_hex(at)].is_coastal:
        shoot(draft, board, at, card)
    else:
        land(draft, board, at, PlaceId(str(sum(draft.dice(card.title.dice, "Landing Hex", LANDING, about=card.id)))))


def land(draft: Draft, board: Board, at: Open, place: PlaceId) -> None:
    """Land a Marine in a hex; except in the attacked one it takes no part in the combat but for Opportunity Fire.

    Source: soviet.card.flotilla-landing, soviet.card.flotilla-german-empty,
    soviet.card.flotilla-full-or-none, soviet.card.flotilla-enemy, soviet.spawn.no-marine-left,
    units.marines, ruling.landing-next-to-combat, ruling.landing-control, ruling.flotilla-enemy-first, ruling.flotilla-replacement-draw.
    """
    if side_in(draft.table, place) == GERMAN:
        draft.apply(RuleId("soviet.card.flotilla-enemy"), "German units prevent the landing", place)
        return
    rule = LANDING if draft.table.control.get(place) == SOVIET else LANDING_BEHIND
    marine = spawn.deploy(draft, board, MARINE, place, rule) if has_room(draft.table, board, place) else None
    if marine is None:
        draw_soviet(draft, board, 1, NO_LANDING)
    elif place == soviet_hex(at):
        join(draft, board, marine, LANDING)


def cancel(draft: Draft, board: Board, at: Open, card: Card) -> None:
    """Cancel a German airstrike card, and place Rubble in the hex on the card in any case; record what of this cannot be done.

    Source: soviet.card.aa, soviet.card.aa-rubble, ruling.aa-german-controlled, ruling.aa-hexes.
    """
    if not has_airstrike(draft.table, board):
        draft.apply(rule_of(card.title), "no airstrike is there to be cancelled", card.id)
    cancel_airstrike(draft, board, rule_of(card.title))
    if card.hex is None:
        return
    if rubble.may_lie(draft.table, board, card.hex):
        draft.mark(card.hex, RUBBLE, AA_RUBBLE)
    else:
        draft.apply(AA_RUBBLE, "no Rubble marker can be placed", card.hex)


def deploy(draft: Draft, board: Board, at: Open, card: Card) -> None:
    """Bring a unit into the Soviet hex, where it fights at once; draw a card if that is impossible.

    Source: soviet.card.infiltration, soviet.card.infiltration-blocked, soviet.card.t34,
    soviet.card.t34-blocked, ruling.deployed-joins-combat.
    """
    rule, place = rule_of(card.title), soviet_hex(at)
    is_possible = has_room(draft.table, board, place)
    unit = spawn.deploy(draft, board, card.title.deploys, place, rule) if is_possible else None
    if unit is None:
        draw_soviet(draft, board, 1, BLOCKED[card.title.deploys])
    else:
        join(draft, board, unit, rule)


EFFECTS: dict[str, Callable[[Draft, Board, Open, Card], None]] = {
    LEADER: put_in_play,
    FIRE: shoot,
    LOSE_STEPS: take_steps,
    FLOTILLA: sail,
    CANCEL_AIRSTRIKE: cancel,
    DEPLOY: deploy,
}
"""What the cards do, by their `op`."""
