"""Choices are replayed one by one, and only where they were open; free ones depend on their seed alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.resources.port_index import PortIndex
from nomadspec.model.cluster.resources.port_offer import FreePorts
from nomadspec.model.cluster.scheduler.choices import FreeChoices, IdKind, ReplayedChoices, order_map
from nomadspec.model.errors import InputError
from tests.model.cluster.scheduler.made import make_node

NODES = (make_node("a"), make_node("b"), make_node("c"))


def make_free(first: int, last: int) -> FreePorts:
    return FreePorts(PortIndex({}), "10.0.0.1", (first, last))


def test_orders_of_nodes_are_replayed_in_turn() -> None:
    choices = ReplayedChoices(node_orders=[["b", "c", "a"], []])

    assert [node.id for node in choices.next_node_order(NODES)] == ["b", "c", "a"]
    assert choices.find_unused() == "choices.node_orders[1]"
    assert choices.next_node_order(()) == ()
    assert not choices.find_unused()


@pytest.mark.parametrize("order", [["a", "b"], ["a", "b", "d"], ["a", "a", "b"], ["a", "b", "c", "c"]])
def test_an_order_of_other_nodes_is_refused(order: list[str]) -> None:
    with pytest.raises(InputError, match=r"other nodes") as caught:
        ReplayedChoices(node_orders=[order]).next_node_order(NODES)

    assert caught.value.at == "choices.node_orders[0]"


def test_one_order_too_few_is_refused() -> None:
    with pytest.raises(InputError, match=r"one more order"):
        ReplayedChoices().next_node_order(NODES)


@pytest.mark.parametrize(("is_descending", "expected"), [(False, ["B", "a", "é"]), (True, ["é", "a", "B"])])
def test_keys_are_visited_as_byte_strings(is_descending: bool, expected: list[str]) -> None:
    choices = ReplayedChoices(is_descending=is_descending)

    assert choices.ordered(["a", "é", "B"]) == expected
    assert order_map(choices, {key: key for key in expected}) == [(key, key) for key in expected]


def test_ports_are_replayed_in_turn() -> None:
    choices = ReplayedChoices(ports=[22, 20, 21, -1])

    assert choices.pick_port(make_free(20, 25)) == 22
    assert choices.pick_ports(make_free(20, 25), 2) == (20, 21)
    assert choices.pick_ports(make_free(20, 20), 2) is None
    assert not choices.find_unused()


@pytest.mark.parametrize(
    ("ports", "count"), [([19], 1), ([-1], 1), ([], 1), ([20, 20], 2), ([20], 2)], ids=str
)
def test_a_port_that_is_not_free_is_refused(ports: list[int], count: int) -> None:
    with pytest.raises(InputError) as caught:
        ReplayedChoices(ports=ports).pick_ports(make_free(20, 25), count)

    assert caught.value.at == "choices.dynamic_ports[0]"


def test_a_port_where_none_is_left_is_refused() -> None:
    free = FreePorts(PortIndex({}), "10.0.0.1", (20, 20), frozenset({20}))

    with pytest.raises(InputError, match=r"none are left"):
        ReplayedChoices(ports=[20]).pick_port(free)


def test_ids_are_replayed_and_then_made_up() -> None:
    choices = ReplayedChoices(ids=["x"])

    assert choices.next_id(IdKind.ALLOCATION) == "x"
    assert choices.next_id(IdKind.ALLOCATION) not in {"", "x"}
    assert len(choices.drawn) == 2


@given(st.integers(0, 2**63))
def test_free_choices_depend_on_the_seed_alone(seed: int) -> None:
    first, second = FreeChoices(seed), FreeChoices(seed)
    order, ports = first.next_node_order(NODES), first.pick_ports(make_free(20, 25), 3)

    assert sorted(node.id for node in order) == ["a", "b", "c"]
    assert len(set(ports or ())) == 3
    assert order == second.next_node_order(NODES)
    assert ports == second.pick_ports(make_free(20, 25), 3)
    assert first.ordered(["a", "b"]) == second.ordered(["b", "a"])
    assert first.pick_port(make_free(20, 25)) == second.pick_port(make_free(20, 25))
    assert first.next_id(IdKind.EVALUATION) == second.next_id(IdKind.EVALUATION)


def test_free_choices_find_no_port_where_there_are_too_few() -> None:
    assert FreeChoices(1).pick_ports(make_free(20, 21), 3) is None


def test_two_draws_of_one_seed_differ() -> None:
    choices = FreeChoices(7)

    assert choices.next_id(IdKind.ALLOCATION) != choices.next_id(IdKind.ALLOCATION)


def test_an_order_by_places_is_a_list_like_any_other() -> None:
    order = FreeChoices(seed=7).next_node_order(NODES)

    assert {node.id for node in order} == {"a", "b", "c"}
    assert len(order) == 3
    assert [node.id for node in order[1:]] == [node.id for node in order][1:]
