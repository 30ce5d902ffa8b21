"""From a card file without defects to the cards that the rules use."""

from core.games.battle.card_model import (
    ActionCard,
    Cards,
    ChartRow,
    Figures,
    Force,
    Location,
    LocationNote,
    Price,
    Title,
)
from core.games.battle.words import SEATS
from events.codec import Struct, convert
from events.ids import CardId, Digest, PieceId, Seat


class _Op(Struct):
    """A machine-readable word with whatever figures it has; other keys are for people."""

    op: str
    amount: int = 0
    count: int = 0
    rubble: int = 0
    hits: int = 0
    min_rubble: int = 0
    factor: int = 0


class _Chart(Struct, rename={"first": "from", "last": "to"}):
    rations: int
    first: int
    last: int


class _Location(Struct):
    id: str
    name: str
    chart: list[_Chart]
    destroyed_at: int
    note: _Op
    note_text: str
    note_survives: bool


class _Force(Struct):
    id: str
    side: str
    name: str
    combat: int
    rations: int
    cost: int
    notes: list[_Op]


class _Action(Struct):
    id: str
    name: str
    timing: str
    effect: _Op
    text: str
    copies: dict[str, list[int]]


class _Uranus(Struct):
    id: str
    name: str
    timing: str
    play_cost: _Op
    effect: _Op
    removal: _Op
    text: str
    firefight: list[int]


class _File(Struct):
    location: list[_Location]
    force: list[_Force]
    action: list[_Action]
    uranus: list[_Uranus]
    rules: dict[str, dict[str, object]]


def build_cards(plain: dict[str, object], digest: Digest, *, is_packaged: bool) -> Cards:
    """Make the cards of a file's data, in which no check has found a defect.

    Args:
        plain: The whole file.
        digest: The SHA-256 of the file's bytes.
        is_packaged: The file is the one that ships with the game.
    """
    file = convert(plain, _File)
    cards = _action_cards(file)
    forces = {PieceId(row.id): _force(row) for row in file.force}
    decks = {side: tuple(sorted(card.id for card in cards.values() if card.side == side)) for side in SEATS}
    return Cards(
        digest=digest,
        is_packaged=is_packaged,
        locations={row.id: _location(row) for row in file.location},
        forces=forces,
        cards=cards,
        decks=decks,
        piles={side: tuple(sorted(force.id for force in forces.values() if force.side == side)) for side in SEATS},
        has_timing={side: frozenset(cards[card].title.timing for card in decks[side]) for side in SEATS},
        figures=_figures(file.rules),
    )


def _location(row: _Location) -> Location:
    return Location(
        id=row.id,
        name=row.name,
        chart=tuple(ChartRow(step.first, step.last, step.rations) for step in row.chart),
        destroyed_at=row.destroyed_at,
        note=LocationNote(row.note.op, row.note.amount),
        note_text=row.note_text,
        note_survives=row.note_survives,
    )


def _force(row: _Force) -> Force:
    notes = {note.op: note.amount for note in row.notes}
    return Force(
        id=PieceId(row.id),
        side=Seat(row.side),
        name=row.name,
        combat=row.combat,
        rations=row.rations,
        cost=row.cost,
        attack_bonus=notes.get("attack_bonus", 0),
        retreat_bonus=notes.get("retreat_bonus", 0),
        has_free_move="free_move" in notes,
        ignore_hits=notes.get("ignore_hits", 0),
    )


def _action_cards(file: _File) -> dict[CardId, ActionCard]:
    """Give every copy an id of its own: side, card, and the number of the copy, as in `german/rubble-3`."""
    found: dict[CardId, ActionCard] = {}
    for row in file.action:
        effect = row.effect
        title = Title(
            id=row.id,
            name=row.name,
            timing=row.timing,
            op=effect.op,
            amount=effect.amount or effect.count or effect.factor,
            rubble=effect.rubble,
            hits=effect.hits,
            min_rubble=effect.min_rubble,
            text=row.text,
        )
        for side, values in row.copies.items():
            for number, value in enumerate(values, start=1):
                card = CardId(f"{side}/{row.id}-{number}")
                found[card] = ActionCard(card, Seat(side), title, value)
    for special in file.uranus:
        title = Title(
            id=special.id,
            name=special.name,
            timing=special.timing,
            op=special.effect.op,
            amount=special.effect.amount,
            text=special.text,
            price=Price(special.play_cost.op, special.play_cost.count),
            removal=Price(special.removal.op, special.removal.count),
        )
        for number, value in enumerate(special.firefight, start=1):
            card = CardId(f"russian/{special.id}-{number}")
            found[card] = ActionCard(card, Seat("russian"), title, value)
    return found


def _figures(rules: dict[str, dict[str, object]]) -> Figures:
    def number(section: str, key: str) -> int:
        return convert(rules[section][key], int)

    def by_side(section: str, key: str) -> dict[Seat, int]:
        return {Seat(side): count for side, count in convert(rules[section][key], dict[str, int]).items()}

    return Figures(
        locations_in_play=number("setup", "locations_in_play"),
        points=by_side("setup", "points"),
        hand=by_side("setup", "hand"),
        area_limit=number("area", "limit"),
        perimeter_ration=number("supply", "perimeter_force"),
        move_cost=number("move", "cost"),
        attack_cost=number("attack", "cost_per_attacker"),
        attack_rubble=number("attack", "rubble"),
        per_ration=number("absorb", "per_ration"),
        per_retreat=number("absorb", "per_retreat"),
        per_destroyed=number("absorb", "per_destroyed_force"),
        medal_combat=number("heroic_service", "combat"),
        medal_retreat=number("heroic_service", "retreat"),
        resupply_rations=number("resupply", "rations"),
        draw_base=number("draw", "base"),
        draw_per_location=number("draw", "per_controlled_location"),
        victory_locations=number("victory", "control"),
    )
