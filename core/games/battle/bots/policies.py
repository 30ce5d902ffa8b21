"""The bots that know this game, by name. What every game has needs no entry here."""

from collections.abc import Mapping

from core.games.battle.bots.greedy import greedy
from core.ports import Policy

POLICIES: Mapping[str, Policy] = {"greedy": greedy}
