"""An owner's card file in which both sides have every Action card, so that both sides have the same commands."""

import re
import tomllib

from core.games.battle.components.card_file import CARD_FILE

MORE = {
    "german": ("sniper", "propaganda_war", "scouts", "high_morale", "sewer_warfare", "recover_wounded"),
    "russian": ("dive_bombers", "attack", "tanks", "supply_raid", "air_supply"),
}
"""Cards of which a side gets one copy that it has none of in the packaged file."""

FEWER = {
    "german": {"rubble": 4, "fresh_supplies": 3, "reinforcements": 5},
    "russian": {"rubble": 4, "reinforcements": 3},
}
"""Of which cards a side keeps how many copies instead."""


def both_sides() -> str:
    """Return the text of the file."""
    text = CARD_FILE.shipped_bytes.decode()
    copies = {row["id"]: dict(row["copies"]) for row in tomllib.loads(text)["action"]}
    for side, titles in MORE.items():
        for title in titles:
            copies[title][side] = [1]
    for side, kept in FEWER.items():
        for title, count in kept.items():
            copies[title][side] = copies[title][side][:count]
    for title, values in copies.items():
        written = ", ".join(f"{side} = {listed}" for side, listed in values.items())
        text, changed = re.subn(
            rf'(id = "{title}"\n(?:(?!\[\[).*\n)*?)copies = .*\n', rf"\g<1>copies = {{ {written} }}\n", text, count=1
        )
        assert changed == 1, title
    return text
