"""The refusals of this game; `data/refusals.toml` has every code, the rule it usually breaks, and their order of precedence."""

from core.games.axis_allies.ids import PACKAGE
from core.refusal import Refusals

REFUSALS = Refusals(PACKAGE)

refused = REFUSALS.refused
