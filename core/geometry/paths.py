"""Rings, distances and shortest ways over any neighbourhood: places of a board, hexes, numbers of a file.

The neighbourhood is a function from a node to the nodes that can be entered from it, in an order that decides between equals.
A node without successors ends a path.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def neighbourhood(pairs: Iterable[tuple[Node, Node]], nodes: Iterable[Node] = ()) -> dict[Node, tuple[Node, ...]]:
    """Return the neighbours of each node, both ways.

    Args:
        pairs: The adjacent pairs, each in either order.
        nodes: All nodes; neighbours are listed in their order. Without any, in the order of the pairs.
    """
    near: dict[Node, dict[Node, None]] = {node: {} for node in nodes}
    place = {node: number for number, node in enumerate(near)}
    for one, other in pairs:
        near.setdefault(one, {})[other] = None
        near.setdefault(other, {})[one] = None
    return {node: tuple(sorted(there, key=lambda at: place.get(at, len(place)))) for node, there in near.items()}


def rings(start: Iterable[Node], near: Callable[[Node], Iterable[Node]]) -> Iterator[list[Node]]:
    """Yield the nodes at distance 0, then at 1, and so on, each in the order in which it is found.

    The search is lazy: nodes farther than the caller reads are not visited.
    """
    ring = list(dict.fromkeys(start))
    seen = set(ring)
    while ring:
        yield ring
        beyond: list[Node] = []
        for node in ring:
            for other in near(node):
                if other not in seen:
                    seen.add(other)
                    beyond.append(other)
        ring = beyond


def distances(start: Iterable[Node], near: Callable[[Node], Iterable[Node]]) -> dict[Node, int]:
    """Return the number of steps from the nearest start to each node that can be reached."""
    return {node: steps for steps, ring in enumerate(rings(start, near)) for node in ring}


def shortest(start: Node, goals: Collection[Node], near: Callable[[Node], Iterable[Node]]) -> tuple[Node, ...] | None:
    """Return a shortest path to one of the goals, both ends included, or None."""
    before: dict[Node, Node] = {}

    def onward(node: Node) -> Iterator[Node]:
        for other in near(node):
            before.setdefault(other, node)
            yield other

    for ring in rings((start,), onward):
        for node in ring:
            if node in goals:
                way = [node]
                while way[-1] != start:
                    way.append(before[way[-1]])
                return tuple(reversed(way))
    return None


def cheapest(
    start: Node, steps: Callable[[Node], Iterable[tuple[Node, int]]], most: int | None = None
) -> dict[Node, tuple[int, Node]]:
    """Return the least cost of each node that can be reached, and the node before it on such a way.

    Args:
        start: Costs nothing, and is the node before itself.
        steps: The nodes that can be entered from a node, with what each costs, 0 or more.
        most: The largest cost; None for no limit.
    """
    found: dict[Node, tuple[int, Node]] = {}
    waiting: list[tuple[int, int, Node, Node]] = [(0, 0, start, start)]
    count = 0
    while waiting:
        cost, _, node, before = heappop(waiting)
        if node in found:
            continue
        found[node] = (cost, before)
        for other, price in steps(node):
            if other not in found and (most is None or cost + price <= most):
                count += 1
                heappush(waiting, (cost + price, count, other, node))
    return found


def way_to(goal: Node, found: Mapping[Node, tuple[int, Node]]) -> tuple[Node, ...]:
    """Return the path to a node that `cheapest` has reached, both ends included."""
    way = [goal]
    while (before := found[way[-1]][1]) != way[-1]:
        way.append(before)
    return tuple(reversed(way))
