"""From a card file without defects to the cards that the rules use."""

from collections.abc import Iterable

from core.board_rows import at_path
from core.games.battle.components.card_model import (
    ActionCard,
    Area,
    Cards,
    ChartRow,
    Figures,
    Force,
    Location,
    LocationNote,
    Price,
    Title,
)
from core.games.battle.components.card_rows import ActionRow, CardRows, ForceRow, LocationRow, UranusRow, read_rows
from core.games.battle.ids import CONTROL, LOCATION_AREAS, RUSSIAN, SIDES, area
from events.codec import convert
from events.ids import CardId, Digest, PieceId, PlaceId, Side


def build_cards(plain: dict[str, object], digest: Digest, *, is_packaged: bool) -> Cards:
    """Make the cards of a file's data, in which no check has found a defect.

    Args:
        plain: The whole file.
        digest: The SHA-256 of the file's bytes.
        is_packaged: The file is the one that ships with the game.
    """
    rows = read_rows(plain, [])
    cards = _action_cards(rows)
    forces = {PieceId(row.id): _force(row) for row in rows.forces}
    locations = {row.id: _location(row) for row in rows.locations}
    decks = {side: tuple(sorted(card.id for card in cards.values() if card.side == side)) for side in SIDES}
    return Cards(
        digest=digest,
        is_packaged=is_packaged,
        locations=locations,
        areas=_areas(locations),
        forces=forces,
        cards=cards,
        decks=decks,
        piles={side: tuple(sorted(force.id for force in forces.values() if force.side == side)) for side in SIDES},
        has_timing={side: frozenset(cards[card].title.timing for card in decks[side]) for side in SIDES},
        figures=_figures(plain),
    )


def _areas(locations: Iterable[str]) -> dict[PlaceId, Area]:
    """List the four Areas of every Location."""
    return {
        area(location, side, which): Area(location, side, which == CONTROL)
        for location in locations
        for side, which in LOCATION_AREAS
    }


def _location(row: LocationRow) -> Location:
    return Location(
        id=row.id,
        name=row.name,
        chart=tuple(ChartRow(step.first, step.last, step.rations) for step in row.chart),
        destroyed_at=row.destroyed_at,
        note=LocationNote(row.note.op, row.note.amount),
        note_text=row.note_text,
        note_survives=row.note_survives,
    )


def _force(row: ForceRow) -> Force:
    return Force(
        id=PieceId(row.id),
        side=Side(row.side),
        name=row.name,
        combat=row.combat,
        rations=row.rations,
        cost=row.cost,
        attack_bonus=row.note("attack_bonus"),
        retreat_bonus=row.note("retreat_bonus"),
        has_free_move=row.note("free_move") > 0,
        ignore_hits=row.note("ignore_hits"),
    )


def _action_cards(rows: CardRows) -> dict[CardId, ActionCard]:
    """Give every copy an id of its own: side, card, and the number of the copy, as in `german/rubble-3`."""
    listed = [(side, _title(row), values) for row in rows.actions for side, values in row.copies.items()]
    listed += [(RUSSIAN, _uranus_title(row), row.firefight) for row in rows.uranus]
    found: dict[CardId, ActionCard] = {}
    for side, title, values in listed:
        for number, value in enumerate(values, start=1):
            card = CardId(f"{side}/{title.id}-{number}")
            found[card] = ActionCard(card, Side(side), title, value)
    return found


def _title(row: ActionRow) -> Title:
    effect = row.effect
    return Title(
        id=row.id,
        name=row.name,
        timing=row.timing,
        op=effect.op,
        amount=effect.amount or effect.count,
        rubble=effect.rubble,
        hits=effect.hits,
        min_rubble=effect.min_rubble,
        text=row.text,
        condition=row.condition,
        may_join=effect.others_may_join_for > 0,
    )


def _uranus_title(row: UranusRow) -> Title:
    return Title(
        id=row.id,
        name=row.name,
        timing=row.timing,
        op=row.effect.op,
        amount=row.effect.amount,
        text=row.text,
        price=Price(row.play_cost.op, row.play_cost.count),
        removal=Price(row.removal.op, row.removal.count),
    )


def _figures(plain: dict[str, object]) -> Figures:
    def number(section: str, key: str) -> int:
        return convert(at_path(plain, ("rules", section, key)), int)

    def by_side(section: str, key: str) -> dict[Side, int]:
        counts = convert(at_path(plain, ("rules", section, key)), dict[str, int])
        return {Side(side): count for side, count in counts.items()}

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
