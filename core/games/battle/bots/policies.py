"""The bots that know this game, by name. What every game has needs no entry here."""

from collections.abc import Mapping

from core.game import Policy
from core.games.battle.bots.greedy import greedy

POLICIES: Mapping[str, Policy] = {"greedy": greedy}
