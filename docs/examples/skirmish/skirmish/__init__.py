"""Skirmish: two sides with three squads each march, fight and rally; who holds the Hill in the end wins.

A small game for War Diary, to be copied. `components` has what is in the box, `rules` decides, `narration` words, `positions`
reads position files and `bots` plays. `docs/adding-a-game.md` of War Diary goes through it step by step.
"""

import hashlib

from skirmish.bots import bold
from skirmish.components import SIDES, inventory
from skirmish.narration import SkirmishNarration
from skirmish.positions import SkirmishPositions
from skirmish.rules import END, SkirmishRules
from wardiary.game import BoundGame, Digest, Game, GameKey, Mode, OptionSpec, Scenario, SetupInvalid


def bind(board: str | None, variant: str = "") -> BoundGame:
    """Return the game on its board. It is the only one, so its file is empty."""
    if board or variant:
        raise SetupInvalid(("Skirmish is played on its own board, and has no variants",))
    digest = Digest(hashlib.sha256(b"").hexdigest())
    return BoundGame(digest, SkirmishRules, SkirmishNarration, SkirmishPositions, inventory)


GAME = Game(
    key=GameKey("skirmish"),
    title="Skirmish",
    edition="1.0",
    sides=tuple(SIDES.values()),
    scenarios=(Scenario("hill", "The Hill", (Mode("", "Two players", SIDES),)),),
    options=(OptionSpec("rounds", "Rounds", default=6, rule=END, low=3, high=12),),
    bind=bind,
    shipped_board=bytes,
    package=__name__,
    deciding=("components.py", "rules.py", "positions.py"),
    load_policies=lambda: {"bold": bold},
)
