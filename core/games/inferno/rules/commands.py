"""Every command of this game."""

from core.engine.command import Command
from core.engine.selection import SelectionCommand
from events.ids import CardId, PieceId, PlaceId


class Reinforce(Command, frozen=True, tag="reinforce"):
    """Call for Reinforcements."""


class LongMove(Command, frozen=True, tag="long-move"):
    """Move a whole Stack along one or two Clear hexes; `target` must stay empty, because no combat follows."""

    units: tuple[PieceId, ...]
    path: tuple[PlaceId, ...]
    target: PlaceId = PlaceId("")


class ShortMove(Command, frozen=True, tag="short-move"):
    """Move units of one Stack to an adjacent hex; `target` must stay empty, because no combat follows."""

    units: tuple[PieceId, ...]
    to: PlaceId
    target: PlaceId = PlaceId("")


class HastyAttack(Command, frozen=True, tag="hasty-attack"):
    """Move units of one Stack to an adjacent hex, from which all Germans there attack an adjacent Soviet Stack.

    `to` is empty if nothing moves, `targets` names one hex, and `attackers` may name the units that attack, which must be all.
    """

    units: tuple[PieceId, ...]
    to: PlaceId
    targets: tuple[PlaceId, ...]
    attackers: tuple[PieceId, ...] = ()
    cards: tuple[CardId, ...] = ()


class DeliberateAttack(Command, frozen=True, tag="deliberate-attack"):
    """Attack a Soviet Stack with the Stacks of adjacent hexes.

    `targets` names one hex. `units` may name the units that attack, which must be all of these Stacks; nothing moves, so `to` is empty.
    """

    targets: tuple[PlaceId, ...]
    hexes: tuple[PlaceId, ...]
    units: tuple[PieceId, ...] = ()
    to: PlaceId = PlaceId("")


class JoinAttack(Command, frozen=True, tag="join-attack"):
    """Let a Stack join the partner's Deliberate Attack, or not."""

    hex: PlaceId
    join: bool


class Deploy(Command, frozen=True, tag="deploy"):
    """Deploy a unit that was picked up."""

    unit: PieceId
    to: PlaceId


class ReturnUnit(Command, frozen=True, tag="return-unit"):
    """Put a unit that cannot be deployed, or one of the 6th Panzer Division, on the Reinforcement Track next."""

    unit: PieceId


class ExtraTurn(Command, frozen=True, tag="extra-turn"):
    """Play an extra turn under OKH, or end the game."""

    play: bool


class SovietSpawn(Command, frozen=True, tag="soviet-spawn"):
    """Take the Spawn Action."""


class SovietDraw(Command, frozen=True, tag="soviet-draw"):
    """Take the Draw Action."""


class SovietMove(Command, frozen=True, tag="soviet-move"):
    """Movement Action: move a unit out of a Top Stacked Hex."""

    units: tuple[PieceId, ...]
    to: PlaceId


class SovietAttack(Command, frozen=True, tag="soviet-attack"):
    """Movement Action: attack out of a Top Stacked Hex instead.

    `hexes` may name the Stacks that attack, `units` their units; both must be complete.
    """

    hex: PlaceId
    target: PlaceId
    hexes: tuple[PlaceId, ...] = ()
    units: tuple[PieceId, ...] = ()


class CommitCards(Command, frozen=True, tag="commit-cards"):
    """Lay cards of the hand face down for a combat, in ascending order of their ids, or none."""

    cards: tuple[CardId, ...] = ()


class Blitz(Command, frozen=True, tag="blitz"):
    """Move a unit that has advanced on to an adjacent Clear hex."""

    unit: PieceId
    to: PlaceId


TurnCommand = (
    Reinforce
    | LongMove
    | ShortMove
    | HastyAttack
    | DeliberateAttack
    | JoinAttack
    | Deploy
    | ReturnUnit
    | ExtraTurn
    | SovietSpawn
    | SovietDraw
    | SovietMove
    | SovietAttack
)

CombatCommand = CommitCards | Blitz

InfernoCommand = TurnCommand | CombatCommand | SelectionCommand
