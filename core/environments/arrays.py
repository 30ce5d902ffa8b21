"""Arrays of what a seat sees and may do, and their spaces; needs the extra `learn`."""

from collections.abc import Mapping

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from core.engine.command import Command
from core.environments.actions import ACTIONS, TOKENS, tokens_of
from core.environments.entities import COLUMNS, ROWS_MOST, Names, entities
from core.environments.episodes import Episodes, Moment
from core.environments.layout import NUMBER_MOST
from core.environments.vector import VectorEncoder
from events.ids import Seat

Observation = dict[str, NDArray[np.generic]]
Info = dict[str, object]

SEED_MOST = 1 << 62
"""The seeds of episodes are smaller than this."""


class Observer:
    """Turns moments of episodes into observations of seats.

    Attributes:
        space: The space of the observations.

    Args:
        episodes: The episodes.
        has_entities: Whether the entity list is part of the observations.
    """

    def __init__(self, episodes: Episodes, *, has_entities: bool = False) -> None:
        layout = episodes.layout
        self._names = Names(episodes.inventory) if has_entities else None
        self._encoders = {seat: VectorEncoder(layout, seat) for seat in episodes.seats}
        self._vectors = {seat: np.frombuffer(one.values, np.float32) for seat, one in self._encoders.items()}
        least = np.array([one.least for one in layout.components], np.float32)
        most = np.array([one.most for one in layout.components], np.float32)
        parts: dict[str, spaces.Space[NDArray[np.generic]]] = {
            "observation": spaces.Box(least, most, dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
        }
        if has_entities:
            parts["entities"] = spaces.Box(-NUMBER_MOST, NUMBER_MOST, (ROWS_MOST, len(COLUMNS)), np.int32)
        self.space = spaces.Dict(parts)

    def observe(self, moment: Moment, seat: Seat, actions: Mapping[int, Command]) -> Observation:
        """Return what a seat sees at a moment.

        Args:
            moment: The moment.
            seat: The seat.
            actions: What it may do; empty if it is not to decide.
        """
        view = moment.views[seat]
        self._encoders[seat].encode(view)
        mask = bytearray(ACTIONS)
        for action in actions:
            mask[action] = 1
        found: Observation = {
            "observation": self._vectors[seat].copy(),
            "action_mask": np.frombuffer(mask, np.int8),
        }
        if self._names is not None:
            found["entities"] = rows = np.zeros((ROWS_MOST, len(COLUMNS)), np.int32)
            listed = entities(self._names, view)
            if listed:
                rows[: len(listed)] = listed
        return found


def option_rows(actions: Mapping[int, Command]) -> NDArray[np.int32]:
    """Return a row for each option: its action, then its tokens, 0 where it has fewer."""
    rows = np.zeros((len(actions), 1 + TOKENS), np.int32)
    for row, (action, command) in zip(rows, actions.items(), strict=True):
        tokens = tokens_of(command)
        row[0], row[1 : 1 + len(tokens)] = action, tokens
    return rows
