"""The words of this game: its questions, what takes Steps, units with their dots, cards with their effects."""

from collections.abc import Callable, Sequence

from core.games.inferno.components.board_model import Board
from core.games.inferno.ids import GERMAN, SIDE_NAMES, SOVIET
from events.ids import CardId
from projections.table import Open

Name = Callable[[str], str]
"""Returns what an id is called."""

QUESTIONS = {
    "action": "which action to take this turn, with its first order",
    "short_move": "the second Short Move, or none",
    "join_attack": "whether the Stack in {hex} joins the Deliberate Attack on {target}",
    "extra_turn": "whether to play an extra turn; without one the Soviets win",
    "deploy": "which of the units that were called enters next, and where",
    "return_unit": "which unit goes back to the Reinforcement Track next",
    "soviet_move": "what the next Top Stacked Hex does: one of its units moves, or it attacks",
    "soviet_card": "which card to lay face down for the combat, if any",
    "german_card": "which card to lay face down for the Deliberate Attack, if any",
    "soviet_advance": "which of the attackers advances",
    "blitz": "which unit makes a Blitz move next, and where to",
    # Sequences.
    "german_turn": "the German turn",
    "soviet_turn": "the Soviet turn",
    "reinforcement": "the Call for Reinforcements",
    "deliberate_attack": "the Deliberate Attack on {target}",
}
"""What is asked, or which sequence goes on, by its kind; `question` has those that need more."""

CAUSES = {
    "combat.simultaneous": "Close Combat",
    "combat.urban-defender-first": "Close Combat",
    "combat.combined-german-first": "Close Combat",
    "leader.khrushchev.self-hit": "a one of its own side under Khrushchev",
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


def counted(count: int, thing: str) -> str:
    """Write how many of a thing there are, as in `2 units`."""
    return f"{count} {'dice' if thing == 'die' and count != 1 else thing if count == 1 else f'{thing}s'}"


def joined(words: Sequence[str]) -> str:
    """Join words as in a sentence: `a, b and c`."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def edge_words(board: Board, kind: str, face: str) -> str:
    """Name a block with the dots and the firepower of the edge on top."""
    block = board.blocks[CardId(kind)]
    if not face:
        return block.name
    edge = block.edge(face)
    return f"{block.name} ({f'{edge.strength} {edge.firepower}' if edge.strength else 'no dots'})"


# Questions


def question(asked: Open, name: Name) -> str:
    """Return the text of an open question or a sequence."""
    left = asked.number("hits") - len(asked.picked)
    match asked.kind:
        case "hits":
            arm = {"infantry": " Infantry", "tank": " Tank"}.get(asked.text("arm"), "")
            cause = CAUSES.get(asked.text("cause"), "")
            by = f" by {cause}" if cause else ""
            side = SIDE_NAMES[SOVIET if asked.text("side") == SOVIET else GERMAN]
            return f"which of the equally strong {side}{arm} units lose a Step{by}; {left} to go"
        case "advance":
            along = asked.texts("along")
            beside = f" together with {joined([name(unit) for unit in along])}" if along else ""
            least = "at least one unit" if asked.number("least") else "none need"
            return f"which units advance{beside}, {least}"
        case "soviet_action":
            is_due = asked.text("plan") == "must_spawn"
            return "the Spawn Action, which is due" if is_due else "which action to take this turn"
        case "combat":
            attacker = SIDE_NAMES[SOVIET if asked.text("attacker") == SOVIET else GERMAN]
            sort = "Deliberate" if asked.number("is_deliberate") else "Hasty"
            hexes = joined([name(place) for place in asked.texts("hexes")])
            return f"the {attacker} {sort} Attack on {name(asked.text('target'))} from {hexes}"
        case _:
            words = {key: name(str(value)) for key, value in asked.arguments.items()}
            return QUESTIONS[asked.kind].format(**words)


def card_words(board: Board, card: CardId, *, is_doubled: bool = False) -> str:
    """Return what a card does, in a few words; with Von Richthofen in play an airstrike is doubled."""
    title, here = board.cards[card].title, board.cards[card].hex
    factor = board.leaders.von_richthofen_factor if is_doubled and title.is_airstrike else 1
    dice = f"{counted(title.dice * factor, 'die')}, {title.firepower} "
    dice += f"({board.hits_from[title.firepower]} or more hits)" if title.firepower else ""
    rubble = f", {title.rubble * factor:+d} to the Rubble Roll" if title.rubble else ""
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
            return f"a {title.deploys.capitalize()} unit joins the combat"
        case _:
            return ""
