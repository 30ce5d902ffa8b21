"""The bots that know this game, by name. What every game has needs no entry here."""

from collections.abc import Mapping

from core.game import Policy

POLICIES: Mapping[str, Policy] = {}
