"""Binary heaps as tuples: the order inside the array matters, not only which element is first."""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
Before = Callable[[T, T], bool]
"""Whether the first element comes before the second; what it says of a tie decides which one moves."""


def push(heap: tuple[T, ...], item: T, is_before: Before[T]) -> tuple[T, ...]:
    """Append an element and move it up while it comes before its parent.

    Spec: BROKER-17.
    """
    array = [*heap, item]
    place = len(array) - 1
    while place > 0 and is_before(array[place], array[(place - 1) // 2]):
        parent = (place - 1) // 2
        array[place], array[parent] = array[parent], array[place]
        place = parent
    return tuple(array)


def pop(heap: tuple[T, ...], is_before: Before[T]) -> tuple[T, tuple[T, ...]]:
    """Take the root away: the last element takes its place and moves down while a child comes before it.

    Spec: BROKER-17.
    """
    array = [heap[-1], *heap[1:-1]][: len(heap) - 1]
    place = 0
    while (child := _find_first_child(array, place, is_before)) is not None:
        if not is_before(array[child], array[place]):
            break
        array[place], array[child] = array[child], array[place]
        place = child
    return heap[0], tuple(array)


def _find_first_child(array: list[T], place: int, is_before: Before[T]) -> int | None:
    left, right = 2 * place + 1, 2 * place + 2
    if left >= len(array):
        return None
    return right if right < len(array) and is_before(array[right], array[left]) else left
