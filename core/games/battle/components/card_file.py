"""The component file of this game, and how the cards are made of it."""

from core.components.component_file import ComponentFile, Source
from core.games.battle.components.card_model import ActionCard, Area, CardFile, Cards, Title
from core.games.battle.ids import CONTROL, GERMAN, LOCATION_AREAS, PACKAGE, RUSSIAN, SIDES, area
from core.toml.findings import Findings
from events.ids import CardId, Side


def _build(file: CardFile, source: Source) -> Cards:
    cards = _action_cards(file)
    decks = {side: tuple(sorted(card.id for card in cards.values() if card.side == side)) for side in SIDES}
    return Cards(
        source=source,
        locations={row.id: row for row in file.location},
        areas={
            area(location.id, side, which): Area(location.id, side, which == CONTROL)
            for location in file.location
            for side, which in LOCATION_AREAS
        },
        forces={force.id: force for force in file.force},
        cards=cards,
        decks=decks,
        piles={side: tuple(sorted(force.id for force in file.force if force.side == side)) for side in SIDES},
        has_timing={side: frozenset(cards[card].title.timing for card in decks[side]) for side in SIDES},
        figures=file.rules,
    )


def _action_cards(file: CardFile) -> dict[CardId, ActionCard]:
    """Give every copy an id of its own: side, card, and the number of the copy, as in `german/rubble-3`."""
    listed: list[tuple[Side, Title, tuple[int, ...]]] = []
    for row in file.action:
        effect = row.effect
        title = Title(
            id=row.id,
            name=row.name,
            timing=row.timing,
            op=effect.op,
            amount=effect.amount,
            rubble=effect.rubble,
            hits=effect.hits,
            min_rubble=effect.min_rubble,
            text=row.text,
            condition=row.condition,
            may_join=effect.may_join,
        )
        listed += [(GERMAN, title, row.copies.german), (RUSSIAN, title, row.copies.russian)]
    for special in file.uranus:
        title = Title(
            id=special.id,
            name=special.name,
            timing="own_action",
            op=special.effect.op,
            amount=special.effect.amount,
            text=special.text,
            price=special.play_cost,
            removal=special.removal,
        )
        listed.append((RUSSIAN, title, special.firefight))
    found: dict[CardId, ActionCard] = {}
    for side, title, values in listed:
        for number, value in enumerate(values, start=1):
            card = CardId(f"{side}/{title.id}-{number}")
            found[card] = ActionCard(card, side, title, value)
    return found


def _check(file: CardFile, findings: Findings) -> None:
    from core.games.battle.components.checks.card_checks import check_cards

    check_cards(file, findings)


CARD_FILE = ComponentFile(PACKAGE, CardFile, _build, _check)
"""The cards, as the shipped file or an owner's has them."""
