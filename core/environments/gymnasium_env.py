"""One seat of a game as an environment of Gymnasium, against bots or alone; needs the extra `learn`."""

import gymnasium
import numpy as np
from gymnasium import spaces
from typing_extensions import override

from core.bots.bot_port import Asked, Policy, answer_of
from core.bots.seat_knowledge import SeatKnowledge
from core.bots.streams import Stream
from core.bots.world import RandomChance
from core.engine.command import Command
from core.environments.actions import ACTIONS, action_numbers
from core.environments.arrays import SEED_MOST, Info, Observation, Observer, option_rows
from core.environments.episodes import COMMANDS_MOST, Episodes, Moment
from core.errors import UnknownName
from core.match.match_creation import Opening
from core.registry.bot_policies import find_policy
from core.suggestions import unknown
from events.ids import Seat
from events.vocabulary import Event
from projections.state.view import seen_events


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """One seat of a game; the others are played by bots, and in a solitaire game there are none.

    Observations, rewards and infos are those of `pettingzoo_env.SeatsEnv`. An action that the mask excludes changes nothing, and the info has `is_legal`
    False then; it counts as a step.

    Args:
        opening: The game, and how it is played.
        seat: The seat; by default the first.
        opponents: The bots of the other seats: a policy, or the name of one.
        most: After so many commands, the bots' included, or so many steps an episode is cut short.
        has_entities: Whether the entity list is observed.
        has_options: Whether infos tell of the options: `arrays.option_rows`.

    Raises:
        UnknownName: There is no such game, scenario, mode, seat or policy.
        SetupInvalid: The options, the board or the position are wrong.
    """

    def __init__(
        self,
        opening: Opening,
        seat: str = "",
        *,
        opponents: str | Policy = "random",
        most: int = COMMANDS_MOST,
        has_entities: bool = False,
        has_options: bool = False,
    ) -> None:
        self._episodes = Episodes(opening)
        seats = self._episodes.seats
        if seat and seat not in seats:
            raise UnknownName(unknown(f"seat of {self._episodes.game.key} in this mode", seat, list(seats)))
        self.seat = Seat(seat) if seat else seats[0]
        self._policy = find_policy(self._episodes.game, opponents) if isinstance(opponents, str) else opponents
        self._observer = Observer(self._episodes, has_entities=has_entities)
        self._most, self._has_options = most, has_options
        self.name = self._episodes.name
        self.observation_space = self._observer.space  # type: ignore[assignment]
        self.action_space = spaces.Discrete(ACTIONS)
        self._actions: dict[int, Command] = {}
        self._events: list[Event] = []
        self._steps = 0

    @override
    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Observation, Info]:
        """Begin another episode, and play it up to the first decision of the seat; with the same seed and actions it is the same."""
        super().reset(seed=seed)
        self._below = Stream(int(self.np_random.integers(SEED_MOST)))
        self._chance = RandomChance(self._below)
        self._events.clear()
        self._steps = 0
        self._go_on(self._episodes.begin(self._chance))
        return self._observed(), self._info(is_legal=True)

    @override
    def step(self, action: int | np.int64) -> tuple[Observation, float, bool, bool, Info]:
        """Take an action, and let the bots play up to the next decision of the seat."""
        self._steps += 1
        command = self._actions.get(int(action))
        if command is not None:
            self._go_on(self._episodes.play(self._moment, command, self._chance, (command,)))
        is_over = self._moment.seat_to_move is None
        is_cut = not is_over and max(self._moment.commands, self._steps) >= self._most
        reward = self._moment.reward(self.seat) if command is not None else 0.0
        return self._observed(), reward, is_over, is_cut, self._info(is_legal=command is not None)

    def _go_on(self, moment: Moment) -> None:
        """Let the bots play up to the next decision of the seat."""
        self._events += moment.events
        while moment.seat_to_move not in (None, self.seat) and moment.commands < self._most:
            moment = self._episodes.play(moment, self._answer(moment), self._chance)
            self._events += moment.events
        self._moment = moment
        is_own = moment.seat_to_move == self.seat
        self._actions = action_numbers(self._episodes.options(moment)) if is_own else {}

    def _answer(self, moment: Moment) -> Command:
        """Ask the bot of the seat that is to decide."""
        seat, episodes = moment.seat_to_move or self.seat, self._episodes
        asked = Asked(
            episodes.rules,
            moment.views[seat],
            seat,
            episodes.options(moment),
            self._below,
            knowledge=lambda: SeatKnowledge(seen_events(self._events, seat)).now(),
            inventory=lambda: episodes.inventory,
        )
        return answer_of(self._policy, asked).command

    def _observed(self) -> Observation:
        return self._observer.observe(self._moment, self.seat, self._actions)

    def _info(self, *, is_legal: bool) -> Info:
        info: Info = {"is_legal": is_legal}
        if self._has_options:
            info["options"] = option_rows(self._actions)
        return info
