"""Rings, distances and shortest paths agree with one another and with an independent library."""

from collections.abc import Iterable
from itertools import pairwise

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from core.geometry.paths import cheapest, distances, neighbourhood, rings, shortest, way_to
from tests.support.rows import each_row

PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda pair: pair[0] != pair[1]), max_size=25)


def near_of(pairs: Iterable[tuple[int, int]]) -> dict[int, tuple[int, ...]]:
    return neighbourhood(pairs, range(10))


def test_neighbours_are_listed_both_ways_in_the_order_of_the_nodes() -> None:
    assert neighbourhood([("c", "a"), ("b", "a"), ("a", "b")], "abcd") == {
        "a": ("b", "c"),
        "b": ("a",),
        "c": ("a",),
        "d": (),
    }


def test_without_nodes_the_order_is_that_of_the_pairs() -> None:
    assert neighbourhood([("c", "a"), ("b", "a")]) == {"c": ("a",), "a": ("c", "b"), "b": ("a",)}


def test_a_node_without_successors_ends_the_search() -> None:
    near = near_of([(0, 1), (1, 2), (2, 3)])

    assert distances((0,), lambda node: () if node == 2 else near[node]) == {0: 0, 1: 1, 2: 2}


def test_rings_are_computed_lazily() -> None:
    asked: list[int] = []

    def near(node: int) -> list[int]:
        asked.append(node)
        return [node + 1]

    found = rings((0,), near)

    assert [next(found), next(found)] == [[0], [1]]
    assert asked == [0]


def test_the_order_of_neighbours_decides_between_equal_paths() -> None:
    near = {0: (2, 1), 1: (3,), 2: (3,), 3: ()}

    assert shortest(0, {3}, near.__getitem__) == (0, 2, 3)


def test_there_is_no_path_to_an_unreachable_goal() -> None:
    assert shortest(0, {9}, near_of([(0, 1)]).__getitem__) is None
    assert shortest(0, {0, 9}, near_of([]).__getitem__) == (0,)


@each_row(("most", "reached"), [(0, {0}), (1, {0, 1}), (2, {0, 1}), (3, {0, 1, 2}), (None, {0, 1, 2})])
def test_only_affordable_places_are_reached(most: int | None, reached: set[int]) -> None:
    steps = {0: [(1, 1), (2, 4)], 1: [(2, 2)], 2: []}

    assert set(cheapest(0, steps.__getitem__, most)) == reached


@given(PAIRS)
def test_distances_are_those_of_an_independent_library(pairs: list[tuple[int, int]]) -> None:
    graph: nx.Graph[int] = nx.Graph(pairs)
    graph.add_node(0)

    assert distances((0,), near_of(pairs).__getitem__) == dict(nx.single_source_shortest_path_length(graph, 0))


@given(PAIRS, st.integers(0, 9))
def test_a_shortest_path_is_valid_and_as_long_as_the_distance(pairs: list[tuple[int, int]], goal: int) -> None:
    near = near_of(pairs)
    way = shortest(0, {goal}, near.__getitem__)
    far = distances((0,), near.__getitem__).get(goal)

    assert (None if way is None else len(way) - 1) == far
    if way is not None:
        assert (way[0], way[-1]) == (0, goal)
        assert all(other in near[one] for one, other in pairwise(way))


@given(st.dictionaries(st.tuples(st.integers(0, 7), st.integers(0, 7)), st.integers(0, 5), max_size=30))
def test_costs_are_those_of_an_independent_library(prices: dict[tuple[int, int], int]) -> None:
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_node(0)
    graph.add_weighted_edges_from((one, other, price) for (one, other), price in prices.items())
    found = cheapest(0, lambda node: [(other, price) for (one, other), price in prices.items() if one == node])

    assert {node: cost for node, (cost, _) in found.items()} == nx.single_source_dijkstra_path_length(graph, 0)
    for goal, (cost, _) in found.items():
        way = way_to(goal, found)
        assert (way[0], way[-1]) == (0, goal)
        assert sum(prices[step] for step in pairwise(way)) == cost
