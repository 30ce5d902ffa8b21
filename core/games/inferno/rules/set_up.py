"""The set-up, step by step, with what the Designer's Way changes in it."""

from core.engine.draft import Draft
from core.games.inferno.components.board_model import Block, Board
from core.games.inferno.components.board_records import DIVISION, GUARDS, INFANTRY, MARINE, TANK, RandomInfantry
from core.games.inferno.ids import (
    FORTIFICATIONS,
    GERMAN,
    GERMAN_POOL,
    MIX_ARMS,
    POOL_PILES,
    SETUP_MIX,
    SETUP_UNITS,
    SIDES,
    SOVIET,
    SOVIET_SEAT,
    advantages,
    deck,
    deck_bottom,
    deck_top,
    discards,
    hand,
    leaders,
    token,
    track_box,
)
from core.games.inferno.memory import ADVANTAGES
from core.games.inferno.options import (
    DESIGNER_LEVELS,
    GERMAN_LEADERS,
    GERMAN_LEVEL_HAND,
    HARD,
    OFF,
    PIONEER_672_EXTRA,
    RANDOM,
    SOVIET_EASY,
    level,
)
from core.games.inferno.rules.cards import draw_german, is_leader
from core.games.inferno.rules.queries import free_token, has_advantage, is_soviet_played
from core.games.inferno.rules.reinforcement_track import is_plain, place_unseen
from core.games.inferno.rules.spawn import add_layer, place_known
from events.ids import CardId, RuleId, Side

STEP = [RuleId(f"setup.step-{number}") for number in range(12)]
"""The rules of the steps, by number; there is no step 0."""
CONTROL = RuleId("control.initial")
ADVANTAGE_DICE = RuleId("designer.difficulty.random")
ON_TOP = RuleId("designer.advantage.leader-on-top")
LATE = RuleId("designer.advantage.late-deployment")
GERMAN_LEVEL = RuleId("designer.difficulty.german")
SOVIET_LEVEL = RuleId("designer.difficulty.soviet-easy")
HARD_LEVEL = RuleId("designer.difficulty.hard")
FORTIFY = RuleId("designer.fortification.place")
STARTING_CARDS = RuleId("mode.co-op.starting-cards")
LATE_DEPLOYMENT = "late_deployment"
PLACED_BY_LEVEL = {
    GERMAN_LEADERS: (GERMAN, GERMAN_LEVEL),
    SOVIET_EASY: (SOVIET, SOVIET_LEVEL),
    HARD: (SOVIET, HARD_LEVEL),
}
"""The side whose Leaders a level of the Designer's Way places, and the rule of the level."""


def set_up(draft: Draft, board: Board) -> None:
    """Set the table up. Source: setup.step-1."""
    _draw_advantages(draft, board)
    _set_control(draft, board)
    _set_up_soviets(draft, board)
    _set_up_germans(draft, board)
    for side in SIDES:
        _form_deck(draft, board, side)
    _deal(draft, board)


def _draw_advantages(draft: Draft, board: Board) -> None:
    """Throw the Advantage dice, first for the Soviets, and draw the Advantages.

    Source: designer.difficulty.random, designer.advantage.list, ruling.level-names, ruling.advantage-dice-sides.
    """
    here = level(draft.table)
    if here == OFF or (here != RANDOM and DESIGNER_LEVELS.chosen(draft.table) == "exclusive"):
        return
    listed = {SOVIET: board.designers_way.soviet_advantages, GERMAN: board.designers_way.german_advantages}
    for side, names in listed.items():
        pile = advantages(side)
        draft.form(pile, tuple(map(CardId, names)), ADVANTAGE_DICE)
        (number,) = draft.dice(1, f"{side} Advantages", ADVANTAGE_DICE)
        drawn = [draft.draw_piece(pile, f"{side} Advantage", ADVANTAGE_DICE) for _ in range(number)]
        ADVANTAGES.set(draft, side, tuple(sorted(drawn)), ADVANTAGE_DICE)


def _set_control(draft: Draft, board: Board) -> None:
    """Give the hexes to the sides, and place the Fortifications of the hard level.

    Source: control.initial, designer.fortification.place, designer.difficulty.hard.
    """
    for place in board.hexes:
        draft.control(place, GERMAN if place in board.setup.german_control else SOVIET, CONTROL)
    if level(draft.table) == HARD:
        for place, here in board.hexes.items():
            if here.fortification:
                draft.mark(place, FORTIFICATIONS[here.fortification], FORTIFY)


def _set_up_soviets(draft: Draft, board: Board) -> None:
    """Form the pools and place a block on each Setup hex.

    Source: setup.step-2, setup.step-3, setup.step-4, setup.step-5, setup.step-6,
    designer.advantage.late-deployment, ruling.late-deployment-step.
    """
    hexes = [place for place, here in board.hexes.items() if here.is_setup]
    blocks = board.blocks_of(SOVIET)
    of_pool = {arm: tuple(block.id for block in blocks if block.pool == arm) for arm in (MARINE, TANK, INFANTRY)}
    kept = _kept_in_pool(draft, board, blocks)
    mixed = {arm: tuple(unit for unit in of_pool[arm] if unit not in kept) for arm in (TANK, INFANTRY)}
    tanks = len(of_pool[TANK]) - board.setup.tank_pool
    numbers = {TANK: tanks, INFANTRY: len(hexes) - tanks}
    draft.form(POOL_PILES[MARINE], of_pool[MARINE], STEP[2])
    tokens = [token(SOVIET, index) for index in range(1, len(hexes) + 1)]
    rules = {TANK: STEP[4], INFANTRY: LATE if has_advantage(draft.table, SOVIET, LATE_DEPLOYMENT) else STEP[5]}
    if is_soviet_played(draft.table):
        draft.form(SETUP_UNITS, (), STEP[3], seen_by=())
        for arm, units in mixed.items():
            pool = POOL_PILES[arm]
            draft.form(pool, units, STEP[3], seen_by=())
            for _ in range(numbers[arm]):
                draft.draw_card(pool, SETUP_UNITS, "block of the set-up", rules[arm], seen_by=())
            rest = tuple(unit for unit in of_pool[arm] if unit in kept)
            if rest:
                draft.form(pool, (*draft.table.pile(pool).cards, *rest), rules[arm], seen_by=())
        for piece, place in zip(tokens, hexes, strict=True):
            unit = draft.draw_piece(
                SETUP_UNITS, f"unit of {piece}", STEP[6], piece=piece, seen_by=draft.table.seats_of(SOVIET)
            )
            place_known(draft, board, piece, unit, place=place, rule=STEP[6])
    else:
        for arm in mixed:
            draft.form(POOL_PILES[arm], of_pool[arm], rules[arm])
        add_layer(draft, POOL_PILES[INFANTRY], [unit for unit in of_pool[INFANTRY] if unit in kept], STEP[5])
        arms = {arm: [name for name, of in MIX_ARMS.items() if of == arm][: numbers[arm]] for arm in numbers}
        draft.form(SETUP_MIX, (*arms[TANK], *arms[INFANTRY]), STEP[6])
        for piece, place in zip(tokens, hexes, strict=True):
            draft.place(piece, place, STEP[6], kind="", side=SOVIET, seen_by=())


def _kept_in_pool(draft: Draft, board: Board, blocks: tuple[Block, ...]) -> frozenset[CardId]:
    """Return the units that are not on the map at the start: the Guards, with Late Deployment also four-dot Divisions."""
    guards = [block.id for block in blocks if block.kind == GUARDS]
    if not has_advantage(draft.table, SOVIET, LATE_DEPLOYMENT):
        return frozenset(guards)
    best = max(edge.strength for block in blocks for edge in block.edges)
    late = [block.id for block in blocks if block.kind == DIVISION and block.edges[0].strength == best]
    seen_by = () if is_soviet_played(draft.table) else None
    while len(late) > board.designers_way.late_divisions:
        late.remove(CardId(draft.choose(late, f"Division {len(late)} on the map", LATE, seen_by=seen_by)))
    return frozenset((*guards, *late))


def _set_up_germans(draft: Draft, board: Board) -> None:
    """Place the German units on map and Reinforcement Track.

    Source: setup.step-7, setup.step-8, setup.step-9, ai.german-full-strength,
    ruling.setup-infantry, ruling.setup-random-cells.
    """
    blocks = board.blocks_of(GERMAN)
    pool = [block.id for block in blocks if block.start is None]
    here = {place: [block.id for block in blocks if block.start == place] for place in board.setup.german_control}
    for drawn in board.setup.random_infantry:
        for number in range(1, drawn.number + 1):
            unit = _draw_infantry(draft, board, pool, drawn, number)
            pool.remove(unit)
            here[drawn.hex].append(unit)
    draft.form(GERMAN_POOL, tuple(pool), STEP[7], seen_by=())
    for place, units in here.items():
        place_unseen(draft, board, units, place, STEP[8])
    for row in range(1, board.track.rows + 1):
        for box in range(1, board.track.boxes + 1):
            piece = free_token(draft.table, GERMAN)
            draft.place(piece, track_box(row, box), STEP[9], kind="", side=GERMAN, seen_by=())


def _draw_infantry(draft: Draft, board: Board, pool: list[CardId], drawn: RandomInfantry, number: int) -> CardId:
    """Draw a plain Infantry unit of a colour, which only the Germans see."""
    plain = [unit for unit in pool if is_plain(board.blocks[unit], drawn.colour)]
    seats, purpose = draft.table.seats_of(GERMAN), f"Infantry {number} in {drawn.hex}"
    return CardId(draft.choose(plain, purpose, STEP[8], about=drawn.hex, seen_by=seats))


def _form_deck(draft: Draft, board: Board, side: Side) -> None:
    """Form a deck, with Leaders on top, beneath or in play where the Designer's Way puts them.

    Source: setup.step-10, setup.step-11, designer.advantage.leader-on-top,
    designer.difficulty.german, designer.difficulty.soviet-easy, designer.difficulty.hard,
    ruling.leader-on-top-opening.
    """
    cards = board.deck(side, has_extra=PIONEER_672_EXTRA.is_on(draft.table))
    by_title = {board.cards[card].title.id: card for card in cards if is_leader(board.cards[card])}
    on_top = [by_title[name] for name in ADVANTAGES.of(draft.table, side) or () if name in by_title]
    in_play: list[CardId] = []
    beneath: list[CardId] = []
    rule = ON_TOP
    of, of_level = PLACED_BY_LEVEL.get(level(draft.table), ("", ON_TOP))
    if of == side:
        rule = of_level
        on_top = list(by_title.values()) if side == SOVIET else [by_title["linden"]]
        if side == GERMAN:
            beneath = [by_title["okh"]]
            in_play = [card for card in by_title.values() if card not in on_top and card not in beneath]
    placed = (*on_top, *in_play, *beneath)
    main = tuple(card for card in cards if card not in placed)
    draft.form(deck(side), main, STEP[10] if side == GERMAN else STEP[11], seen_by=())
    draft.form(discards(side), (), STEP[10] if side == GERMAN else STEP[11])
    for pile, there in ((deck_top(side), on_top), (leaders(side), in_play), (deck_bottom(side), beneath)):
        if there:
            draft.form(pile, tuple(there), rule)


def _deal(draft: Draft, board: Board) -> None:
    """Draw the opening hand; the Soviet one is empty.

    Source: setup.step-10, setup.step-11, mode.co-op.starting-cards, ruling.opening-leaders,
    ruling.german-level-hand, ruling.co-op-leader-hand.
    """
    seats = draft.table.seats_of(GERMAN)
    for seat in seats:
        draft.form(hand(seat), (), STARTING_CARDS if len(seats) > 1 else STEP[10], seen_by=(seat,))
    draft.form(hand(SOVIET_SEAT), (), STEP[11], seen_by=draft.table.seats_of(SOVIET))
    if level(draft.table) == GERMAN_LEADERS and GERMAN_LEVEL_HAND.chosen(draft.table) == "leaders-only":
        return
    draw_german(draft, board, seats[0], board.setup.german_hand, STEP[10])
