"""A game as an environment of PettingZoo, with an agent for each seat; needs the extra `learn`."""

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from typing_extensions import override

from core.bots.streams import Stream
from core.bots.world import RandomChance
from core.engine.command import Command
from core.environments.actions import ACTIONS, action_numbers, option_at
from core.environments.arrays import SEED_MOST, Info, Observation, Observer, option_rows
from core.environments.episodes import COMMANDS_MOST, Episodes, Moment
from core.match.match_creation import Opening


class SeatsEnv(AECEnv[str, Observation, int]):
    """All seats of a game, each as an agent of its name; the agent that is to decide acts, often several times in a row.

    An observation has the `observation` (the vector), the `action_mask` and, if they are wanted, the `entities`; an info has the `options` if they are.
    The reward comes with the end: 1 for a win, -1 for a loss, 0 where nobody has won or the episode was cut short.

    Args:
        opening: The game, and how it is played.
        most: After so many commands an episode is cut short.
        has_entities: Whether the entity list is observed.
        has_options: Whether infos tell of the options of the agent that is to decide: `arrays.option_rows`.

    Raises:
        UnknownName: There is no such game, scenario or mode.
        SetupInvalid: The options, the board or the position are wrong.
    """

    def __init__(
        self, opening: Opening, *, most: int = COMMANDS_MOST, has_entities: bool = False, has_options: bool = False
    ) -> None:
        super().__init__()
        self._episodes = Episodes(opening)
        self._observer = Observer(self._episodes, has_entities=has_entities)
        self._most, self._has_options = most, has_options
        self.metadata = {"name": self._episodes.name, "render_modes": [], "is_parallelizable": False}
        self.render_mode = None
        self.possible_agents = [str(seat) for seat in self._episodes.seats]
        self.agents: list[str] = []
        self._seat_of = {str(seat): seat for seat in self._episodes.seats}
        self._action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}
        self._actions: dict[int, Command] = {}
        self._random: np.random.Generator | None = None

    @override
    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of observations, which is the same for all agents."""
        return self._observer.space

    @override
    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of actions of an agent; `observe` tells which are legal."""
        return self._action_spaces[agent]

    @override
    def reset(self, seed: int | None = None, options: Info | None = None) -> None:
        """Begin another episode; with the same seed and actions it is the same."""
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        self._chance = RandomChance(Stream(int(self._random.integers(SEED_MOST))))
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Info] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._go_on(self._episodes.begin(self._chance))

    @override
    def observe(self, agent: str) -> Observation:
        """Return what an agent sees now."""
        is_asked = agent == self.agent_selection
        return self._observer.observe(self._moment, self._seat_of[agent], self._actions if is_asked else {})

    @override
    def step(self, action: int | None) -> None:
        """Take an action for the agent that is to decide.

        Raises:
            ActionIllegal: The mask excludes it; nothing has changed.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        command = option_at(self._actions, -1 if action is None else int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._go_on(self._episodes.play(self._moment, command, self._chance, (command,)))
        self._accumulate_rewards()

    @override
    def render(self) -> None:
        """Show nothing: matches are shown by the verbs of `wardiary`."""

    @override
    def close(self) -> None:
        """Do nothing: an environment holds nothing open."""

    def _go_on(self, moment: Moment) -> None:
        """Ask for the next decision, or end the episode."""
        self._moment, asked = moment, moment.seat_to_move
        self.infos[self.agent_selection] = {}
        if asked is None or moment.commands >= self._most:
            self._actions = {}
            ends = self.terminations if asked is None else self.truncations
            for agent in self.agents:
                ends[agent] = True
                self.rewards[agent] = moment.reward(self._seat_of[agent])
            return
        self.agent_selection = str(asked)
        self._actions = action_numbers(self._episodes.options(moment))
        if self._has_options:
            self.infos[self.agent_selection] = {"options": option_rows(self._actions)}
