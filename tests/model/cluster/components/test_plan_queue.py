from nomadspec.model.cluster.components.plan_queue import (
    DISABLED,
    PlanQueue,
    dequeue,
    disable,
    enable,
    enqueue,
    list_next,
)
from nomadspec.model.cluster.entities import Plan


def fill(*plans: tuple[str, int, int]) -> PlanQueue:
    queue = enable(PlanQueue())
    for name, priority, now_ns in plans:
        queue, _ = enqueue(queue, Plan(eval_id=name, priority=priority), now_ns)
    return queue


def name_next(queue: PlanQueue) -> list[str]:
    return [queued.plan.eval_id for queued in list_next(queue)]


def test_the_plan_of_the_highest_priority_goes_first_then_the_oldest() -> None:
    """PLAN-20."""
    queue, names = fill(("a", 50, 1), ("b", 80, 3), ("c", 80, 2), ("d", 10, 0)), []
    while queue.waiting:
        names += name_next(queue)
        queue = dequeue(queue, list_next(queue)[0])

    assert ["c", "b", "a", "d"] == names


def test_of_plans_that_tie_any_may_be_next() -> None:
    """PLAN-20."""
    queue = fill(("a", 50, 1), ("b", 50, 1), ("c", 50, 2))

    assert ["a", "b"] == name_next(queue)
    assert ["a"] == name_next(dequeue(queue, list_next(queue)[1]))
    assert [] == name_next(PlanQueue())


def test_a_queue_that_is_off_takes_nothing_and_gives_up_what_it_had() -> None:
    """PLAN-13, PLAN-22."""
    after, flushed = disable(fill(("a", 50, 1)))

    assert PlanQueue() == after
    assert [("a", "plan queue flushed")] == [(plan.eval_id, error) for plan, error in flushed]
    assert (after, DISABLED) == enqueue(after, Plan(), 0)
