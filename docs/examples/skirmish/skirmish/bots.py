"""A bot by rule of thumb. It sees what its seat sees, and nothing else."""

from skirmish.components import FORD, HILL, SIDES, WOOD
from skirmish.rules import March, Rally, Stand, holder
from wardiary.game import Asked, Command, Done, PieceId, Seat, Table, Unpick


def bold(asked: Asked) -> Command:
    """Choose the option that is worth most; among equals by chance."""
    worths = [worth(asked.table, asked.seat, option) for option in asked.options]
    best = [option for option, one in zip(asked.options, worths, strict=True) if one == max(worths)]
    return best[asked.below(len(best))]


def worth(table: Table, seat: Seat, command: Command) -> int:
    """Return how good a command looks: the Hill first, then spent enemies, then squads that stand."""
    match command:
        case March(squad, to):
            if table.pieces[squad].place == HILL:
                return -1
            enemy = holder(table, to)
            if enemy is not None:
                return table.pieces[squad].steps - table.pieces[enemy].steps + (1 if to == HILL else 0)
            return {HILL: 3, FORD: 1, WOOD: 1}.get(to, -1)
        case Rally():
            return 4
        case Stand():
            attacked = PieceId(table.stack[-1].text("defender"))
            assert table.pieces[attacked].side == SIDES[seat]
            return table.pieces[attacked].steps - 1
        case Done():
            return 0
        case Unpick():
            return -2
        case _:
            return 0
