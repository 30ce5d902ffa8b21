"""A game for OpenSpiel, in which chance is a player with explicit outcomes; needs the extra `openspiel`."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

import numpy as np
import pyspiel
from numpy.typing import NDArray

from core.engine.command import Command
from core.environments.actions import ACTIONS, action_numbers
from core.environments.episodes import COMMANDS_MOST, Episodes, Moment
from core.environments.explicit_chance import ExplicitChance, Question, Undecided
from core.environments.vector import VectorEncoder
from core.match.match_creation import Opening
from core.registry.games import game_keys, load_game
from events.codec import encode

Parameters: TypeAlias = Mapping[str, str | int]

RESULTS_LEAST = 36
"""The least number of outcomes of chance that is announced: there may be more if the inventory has more of anything."""


class Node:
    """A node of the tree of a game, which is never changed: a moment, or the results so far of a command that needs chance.

    Attributes:
        moment: The moment before the command; None while the set-up needs chance.
        command: The command that needs chance; None at a moment at which a player decides.
        decided: The results so far.
        question: What chance decides next, or None.
        actions: What the player may do.
    """

    __slots__ = ("actions", "command", "decided", "moment", "question")

    def __init__(
        self,
        moment: Moment | None,
        command: Command | None = None,
        decided: tuple[int, ...] = (),
        question: Question | None = None,
        actions: Mapping[int, Command] | None = None,
    ) -> None:
        self.moment = moment
        self.command = command
        self.decided = decided
        self.question = question
        self.actions = actions or {}

    def __deepcopy__(self, memo: dict[int, object]) -> "Node":
        """Return the node itself, which nothing changes."""
        return self


class SpielGame(pyspiel.Game):
    """A game of War Diary; `register` makes it known to `pyspiel.load_game`.

    Args:
        key: The key of the game.
        parameters: `scenario`, `mode`, `options` as in `turn_cap:60;heroes:on`, and `most`: after so many commands a match is cut short.
    """

    def __init__(self, key: str, parameters: Parameters) -> None:
        options = dict([one.split(":", 1) for one in str(parameters.get("options", "")).split(";") if one])
        scenario, mode = str(parameters.get("scenario", "")), str(parameters.get("mode", ""))
        typed = load_game(key).typed_options(options)
        self.episodes = Episodes(Opening(game=key, scenario=scenario, mode=mode, options=typed))
        self.most = int(parameters.get("most", COMMANDS_MOST))
        self._first: Node | None = None
        box = self.episodes.inventory
        results = max(len(box.cards_of), len(box.pieces_of), len(box.places_of), RESULTS_LEAST)
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=results,
            num_players=len(self.episodes.seats),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None,
            max_game_length=self.most,
        )
        super().__init__(game_type(key), info, dict(parameters))
        self._made_of = key, dict(parameters)

    def __deepcopy__(self, memo: dict[int, object]) -> "SpielGame":
        """Return the game itself, which all its states share."""
        return self

    def __reduce__(self) -> tuple[type["SpielGame"], tuple[str, Parameters]]:  # type: ignore[explicit-override]
        """Tell `pickle` how to make the game again."""
        return SpielGame, self._made_of

    def new_initial_state(self) -> "SpielState":
        """Return the state before the set-up."""
        if self._first is None:
            self._first = self.after(None, None, ())
        return SpielState(self, self._first)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Parameters | None = None
    ) -> "SpielObserver":
        """Return an observer of what a player sees."""
        return SpielObserver(self)

    def after(self, moment: Moment | None, command: Command | None, decided: tuple[int, ...]) -> Node:
        """Return the node after a command, or the set-up, with some results of chance."""
        chance = ExplicitChance(decided)
        try:
            if moment is None or command is None:
                found = self.episodes.begin(chance)
            else:
                found = self.episodes.play(moment, command, chance, (command,))
        except Undecided as undecided:
            return Node(moment, command, decided, undecided.question)
        is_over = found.seat_to_move is None or found.commands >= self.most
        return Node(found, actions={} if is_over else action_numbers(self.episodes.options(found)))


class SpielState(pyspiel.State):
    """A state of a game.

    Args:
        game: The game.
        node: Its node.
    """

    def __init__(self, game: SpielGame, node: Node) -> None:
        super().__init__(game)
        self.node = node

    def current_player(self) -> int:
        """Return who is to decide: a seat by its number, chance, or nobody."""
        if self.node.question is not None:
            return int(pyspiel.PlayerId.CHANCE)
        if not self.node.actions:
            return int(pyspiel.PlayerId.TERMINAL)
        asked = self._moment().seat_to_move
        assert asked is not None, "there are options"
        return self._game().episodes.seats.index(asked)

    def _game(self) -> SpielGame:
        found: SpielGame = self.get_game()
        return found

    def _moment(self) -> Moment:
        assert self.node.moment is not None, "the set-up needs chance"
        return self.node.moment

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.node.actions)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the results of chance with their probabilities."""
        assert self.node.question is not None
        return list(enumerate(self.node.question.chances))

    def _apply_action(self, action: int) -> None:
        node = self.node
        if node.question is not None:
            self.node = self._game().after(node.moment, node.command, (*node.decided, action))
        else:
            self.node = self._game().after(node.moment, node.actions[action], ())

    def _action_to_string(self, player: int, action: int) -> str:
        question = self.node.question
        if question is not None:
            return f"{question.purpose}: {question.results[action]}"
        command = self.node.actions.get(action)
        return f"action {action}" if command is None else encode(command).decode()

    def is_terminal(self) -> bool:
        """Return whether the match is over, or was cut short."""
        return self.node.question is None and not self.node.actions

    def returns(self) -> list[float]:
        """Return the reward of each player: 1 for a win, -1 for a loss, else 0."""
        seats, moment = self._game().episodes.seats, self.node.moment
        return [0.0 if moment is None else moment.reward(seat) for seat in seats]

    def __str__(self) -> str:  # type: ignore[explicit-override]
        """Return the commands and results that led here."""
        return " ".join(map(str, self.history()))


class SpielObserver:
    """Observer of what a player sees: the vector of its seat's view; while chance decides, of the view before.

    Attributes:
        tensor: The vector.
        dict: The same by its name.

    Args:
        game: The game.
    """

    def __init__(self, game: SpielGame) -> None:
        layout, self._seats = game.episodes.layout, game.episodes.seats
        self._components = layout.components
        self._encoders = [VectorEncoder(layout, seat) for seat in self._seats]
        self.tensor: NDArray[np.float32] = np.zeros(len(layout), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Set the tensor to what a player sees."""
        moment = state.node.moment
        if moment is None:
            self.tensor.fill(0.0)
        else:
            self.tensor[:] = self._encoders[player].encode(moment.views[self._seats[player]])

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what a player sees as text: each number that is not 0, with its name."""
        self.set_from(state, player)
        return " ".join(f"{self._components[index].name}={self.tensor[index]:g}" for index in self.tensor.nonzero()[0])


def game_type(key: str) -> pyspiel.GameType:
    """Return how OpenSpiel describes a game; its name is `wardiary_` and the key."""
    game = load_game(key)
    players = [len(mode.seats) for scenario in game.scenarios for mode in scenario.modes]
    return pyspiel.GameType(
        short_name=f"wardiary_{game.key}",
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(players),
        min_num_players=min(players),
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"scenario": "", "mode": "", "options": "", "most": COMMANDS_MOST},
    )


def _class_of(key: str) -> type[SpielGame]:
    """Return the class of a game that OpenSpiel makes by its parameters alone. It keeps that until the process ends, when only a class can be let go."""

    class Named(SpielGame):
        def __init__(self, parameters: Parameters | None = None) -> None:
            super().__init__(key, parameters or {})

    return Named


def register(keys: Iterable[str] = ()) -> list[str]:
    """Make games known to `pyspiel.load_game`, by default all that are installed; return their names there."""
    names = []
    for key in keys or game_keys():
        kind = game_type(key)
        if kind.short_name not in pyspiel.registered_names():
            pyspiel.register_game(kind, _class_of(key))
        names.append(kind.short_name)
    return names
