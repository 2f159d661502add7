from collections.abc import Callable, Iterable
from operator import le, lt

from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.components.heap import pop, push

Heap = tuple[int, ...]


def fill(numbers: Iterable[int], is_before: Callable[[int, int], bool] = lt) -> Heap:
    heap: Heap = ()
    for number in numbers:
        heap = push(heap, number, is_before)
    return heap


def drain(heap: Heap) -> list[int]:
    taken = []
    while heap:
        first, heap = pop(heap, lt)
        taken.append(first)
    return taken


def test_push_moves_up_past_the_parents_that_come_later() -> None:
    assert (1, 2, 3, 5) == fill([5, 2, 3, 1])


def test_pop_moves_the_last_one_to_the_root_and_down() -> None:
    assert (1, (2, 5, 3)) == pop((1, 2, 3, 5), lt)


def test_pop_goes_left_where_children_tie() -> None:
    tied = ((0, "root"), (1, "left"), (1, "right"), (2, "last"))

    _, left = pop(tied, lambda first, second: first[0] < second[0])

    assert ((1, "left"), (2, "last"), (1, "right")) == left


def test_a_tie_moves_where_the_order_says_so() -> None:
    assert (3, 3, 3) == fill([3, 3, 3], le)
    assert ["new", "old"] == list(push(("old",), "new", lambda *_: True))


@given(st.lists(st.integers()))
def test_everything_comes_out_in_order(numbers: list[int]) -> None:
    assert sorted(numbers) == drain(fill(numbers))
