"""What any card file must satisfy.

`card_schema` and `rules_schema` have its form, words and the figures of the rules, `playable_cards` what several places of a
file say together, `card_constraints` and `action_card_constraints` what the rulebook's text says of single cards, and
`provenance` what a file says about its sources.
"""

from core.components.findings import BoardInvalid, Findings
from core.games.battle.components.card_file import card_digest, packaged_bytes
from core.games.battle.components.card_loader import build_cards
from core.games.battle.components.card_model import Cards
from core.games.battle.components.card_rows import read_rows
from core.games.battle.components.checks.action_card_constraints import check_actions
from core.games.battle.components.checks.card_constraints import check_facts
from core.games.battle.components.checks.card_schema import CARD_FORM
from core.games.battle.components.checks.playable_cards import check_cards
from core.games.battle.components.checks.provenance import check_provenance
from core.outside_toml import TextDefect, outside_bytes, read_outside


def checked_cards(source: bytes | str) -> Cards:
    """Return the cards of an owner's file.

    Raises:
        BoardInvalid: The file has defects; all of them are listed.
    """
    cards = read_cards(outside_bytes(source))
    if not isinstance(cards, Cards):
        raise BoardInvalid(cards)
    return cards


def read_cards(data: bytes) -> Cards | tuple[TextDefect, ...]:
    """Check a card file and make its cards; never raises.

    Args:
        data: Anything.

    Returns:
        The cards, or every defect of the file, in the order of their lines, at least one.
    """
    text = read_outside(data)
    if isinstance(text, TextDefect):
        return (text,)
    findings = Findings(text)
    CARD_FORM.check(text.plain, (), findings)
    rows = read_rows(text.plain, list(findings.paths))
    check_cards(text.plain, rows, findings)
    check_facts(rows, findings)
    check_actions(rows, findings)
    check_provenance(text.plain, findings)
    defects = findings.defects()
    if defects:
        return defects
    return build_cards(text.plain, card_digest(data), is_packaged=data == packaged_bytes())
