"""The words of this game: what takes Steps, who fires when, why cards are drawn, units with their dots, cards with their effects."""

from collections.abc import Callable, Sequence

from core.games.inferno import memory
from core.games.inferno.components.board_model import Block, Board, Title
from core.games.inferno.components.board_records import WHITE, Edge
from core.games.inferno.rules.cards import CHUIKOV, HOTH, KHRUSHCHEV, LINDEN, OKH, PAULUS, VON_RICHTHOFEN, ZAYTSEV
from core.wording import counted, joined
from events.ids import CardId, RuleId

Name = Callable[[str], str]
"""Returns what an id is called."""

CLOSE_COMBAT = "Close Combat"
CAUSES = {
    "combat.simultaneous": CLOSE_COMBAT,
    "combat.urban-defender-first": CLOSE_COMBAT,
    "combat.combined-german-first": CLOSE_COMBAT,
    "leader.khrushchev.self-hit": "a natural 1 of a Soviet unit under Khrushchev",
    "leader.chuikov.opportunity-hits": "Opportunity Fire",
    "leader.zaytsev": "the Soviet Sniper under Zaytsev",
    "designer.destroyer-brigade": "the Destroyer Brigade",
    "german.card.heinkel": "Heinkel 111",
    "german.card.stuka": "Stuka",
    "german.card.howitzer": "Howitzer",
    "german.card.pioneer": "Pioneers",
    "german.card.sniper": "the German Sniper",
    "german.card.pak": "Pak",
    "soviet.card.tommy-gunner": "Tommy Gunner",
    "soviet.card.flotilla-gunboats": "gunboats",
    "soviet.card.sniper": "the Soviet Sniper",
    "soviet.card.anti-tank": "Anti-Tank",
}
"""What takes Steps, by the rule that a loss cites."""


FIRE_NAMES = {
    "firepower.single": "Single Fire",
    "firepower.double": "Double Fire",
    "firepower.triple": "Triple Fire",
}

ORDER_OF_FIRE = {
    "defender_fire": "Close Combat in an {terrain} hex: the {first} defender fires first, and its hits count at once.",
    "combined_force": "Close Combat with the Combined Force Bonus under Hoth: the {first} side fires first, and its hits count at once.",
    "close_combat": "Close Combat in a {terrain} hex: both sides fire before any hit counts.",
    "return_fire": "The {second} units that are left fire.",
}
"""Who fires when, by the step of a combat."""

CARD_CAUSES = {
    "soviet.turn.no-spawn-hex": "no Spawn Hex is Soviet",
    "soviet.spawn.full-hex": "a Spawn Hex is full",
    "soviet.spawn.pool-empty": "the pool is empty",
    "soviet.move.duplicate-dice-draw": "equal dice",
    "soviet.move.blocked-empty": "no unit can move",
    "soviet.move.blocked-edge": "the die leads off the map",
    "soviet.move.blocked-full": "the next hex is full",
    "soviet.move.one-draws": "a 1 without Germans that way",
    "capture.spawn-hex-card": "a Spawn Hex was captured",
    "german.reinforce.draw-card": "the Call for Reinforcements",
    "leader.paulus": "Paulus",
    "mode.1v1.draw-action": "the Draw Action",
    "ruling.human-blocked": "a Top Stacked Hex cannot act",
}
"""Why a card is drawn, by the rule of the draw."""

WITHOUT_UNIT = {
    "soviet.card.infiltration-blocked": "infantry",
    "soviet.card.t34-blocked": "tank",
    "soviet.card.flotilla-full-or-none": "marine",
}
"""The rules by which a card is drawn since a unit cannot come, with its pool: either that is empty or the hex is full."""

LEADER_LOST = {
    "designer.chuikov.lost": ", since Germans enter the hex of his headquarters",
    "designer.chuikov.no-place": ", since the hex for his headquarters is not Soviet",
}
"""Why Chuikov is lost, by the rule."""

CANCELS = {
    "soviet.card.aa": "{on} is cancelled by the AA card.",
    "designer.aa-regiment": "{on} is cancelled by the AA Regiment.",
}
"""What cancels an airstrike, by the rule."""

ENDS = {
    "victory.soviet-decisive.deck": "the last Soviet card is drawn",
    "victory.soviet-decisive.losses": "the Death Pool is worth {points} points",
    "victory.german-decisive.spawn-hexes": "all Soviet Spawn Hexes are German",
    "victory.german-decisive.no-soviets": "no Soviet unit is on the map",
    "victory.okh.no-soviets": "no Soviet unit is on the map, under OKH",
    "victory.okh.nineteen-hexes": "hexes 1 to 19 are German, under OKH",
    "victory.okh.extra-turns": "no extra turn is played any more under OKH",
    "victory.check-at-end-of-turn": "both sides meet their conditions",
}
"""Why the match ends, by the rule of the end."""

REMEMBERED = {
    memory.CAPTURED_BY.key: "{on} is credited to {value}.",
    memory.EXTRA_TURNS.key: "Extra turns under OKH: {value}{before}.",
    memory.EXTRA_TURNS_PLAYED.key: "Extra turn {value} under OKH begins.",
    memory.RUBBLE_BONUS.key: "The German cards add {value} to the Rubble Roll.",
    memory.EMPTY_ROWS.key: "Dice pick up no unit from: {rows}.",
    memory.EXHAUSTED.key: "{on}: no other die Removes a unit.",
}
"""The sentences of what the rules remember, by its key; `telling` has those that need more."""


def cause_words(rule: RuleId) -> str:
    """Return what takes Steps under a rule, as in ` by Close Combat`; empty for other rules."""
    cause = CAUSES.get(rule)
    return f" by {cause}" if cause else ""


def dots(edge: Edge) -> str:
    """Write the Strength of an edge with its firepower, as in `4 DF`."""
    return f"{edge.strength} {edge.firepower}" if edge.strength else "no dots"


ARTICLES = {"infantry": "an"}
"""The article of an arm, if it is not a."""


def edge_words(board: Board, kind: str, face: str) -> str:
    """Name a block with the dots and the firepower of the edge on top."""
    block = board.blocks[CardId(kind)]
    if not face:
        return block.name
    return f"{block.name} ({dots(block.edge(face))})"


def army_words(block: Block) -> str:
    """Return of which army a German unit is, and whether it is an R unit; empty for a Soviet one."""
    return f"{block.colour.capitalize()}{', R unit' if block.is_r_unit else ''}" if block.colour else ""


def entry_words(board: Board, colour: str, *, has_partners: bool) -> str:
    """Return where units of an army enter, as in `Yellow units enter in X or Y`."""
    *others, last = board.entry[colour]
    places = f"{', '.join(others)} or {last}" if others else last
    first = ", first in those of the caller's colour" if has_partners and colour == WHITE else ""
    return f"{colour.capitalize()} units enter in {places}{first}"


def times(factor: int) -> str:
    """Write a factor, as in `twice` or `3 times`."""
    return "twice" if factor == 2 else f"{factor} times"


def hexes_words(places: Sequence[str]) -> str:
    """Name hexes, as a range if their numbers follow each other: `hexes 1 to 19`."""
    numbers = [int(place) for place in places if place.isdigit()]
    is_range = len(numbers) == len(places) and numbers == [*range(numbers[0], numbers[0] + len(places))]
    return f"hexes {places[0]} to {places[-1]}" if is_range else f"hexes {joined(places)}"


def leader_words(board: Board, leader: str) -> str:
    """Return what a Leader in play changes, in a few words; empty for a Leader whom these rules do not know."""
    figures = board.leaders
    words = {
        PAULUS: f"{times(figures.paulus_factor)} the German cards for Reinforcements and for a captured Spawn Hex",
        HOTH: "the Combined Force Bonus and Blitz for the Germans",
        VON_RICHTHOFEN: f"{times(figures.von_richthofen_factor)} the dice and the Rubble Roll modifiers of airstrikes",
        LINDEN: "any number of Pioneers in one Deliberate Attack",
        OKH: f"the Germans need {hexes_words(board.victory.okh_hexes)} or no Soviet unit on the map; extra turns",
        CHUIKOV: "Opportunity Fire on German attackers; Soviet attacks are Deliberate",
        ZAYTSEV: f"each Soviet Sniper counts {times(figures.zaytsev_factor)}",
        KHRUSHCHEV: f"{figures.khrushchev_bonus:+d} to each die of Soviet units, but their natural 1s hit the Soviets",
    }
    return words.get(leader, "")


def hand_words(board: Board, card: CardId, *, is_doubled: bool = False) -> str:
    """Return what a card of a hand does, and what it cannot be played without. Source: leader.linden.672nd."""
    words = card_words(board, card, is_doubled=is_doubled)
    if not board.cards[card].needs_linden:
        return words
    leader = next(one.title.name for one in board.cards.values() if one.title.id == LINDEN)
    return f"{words}, only with {leader} in play"


def dice_words(board: Board, title: Title, factor: int = 1) -> str:
    """Return how many dice a card throws, and what hits."""
    hits = f" (hits on {board.hits_from[title.firepower]} or more)" if title.firepower else ""
    return f"{counted(title.dice * factor, 'die')}, {title.firepower}{hits}"


def card_words(board: Board, card: CardId, *, is_doubled: bool = False, is_rolled: bool = True) -> str:
    """Return what a card does, in a few words; with Von Richthofen in play an airstrike is doubled.

    What it adds to a Rubble Roll is left out if none takes place.
    """
    title, here = board.cards[card].title, board.cards[card].hex
    factor = board.leaders.von_richthofen_factor if is_doubled and title.is_airstrike else 1
    dice = dice_words(board, title, factor)
    rubble = f", {title.rubble * factor:+d} to the Rubble Roll" if title.rubble and is_rolled else ""
    match title.op:
        case "fire":
            return f"{dice}{rubble}"
        case "lose_steps":
            return f"the strongest enemy {title.target.capitalize()} unit loses {counted(title.steps, 'Step')}"
        case "flotilla":
            return f"at a coastal hex {dice}, elsewhere a Marine lands"
        case "cancel_airstrike":
            return f"cancels an airstrike{f', Rubble in hex {here}' if here else ''}"
        case "deploy":
            return f"{ARTICLES.get(title.deploys, 'a')} {title.deploys.capitalize()} unit joins the combat"
        case _:
            return leader_words(board, title.id)
