"""The bots that know this game, by name. Those of every game are not listed."""

from collections.abc import Mapping

from core.bots.bot_port import Policy
from core.games.advance.bots.greedy import greedy
from core.games.advance.bots.quick import quick

POLICIES: Mapping[str, Policy] = {"quick": quick, "greedy": greedy}
