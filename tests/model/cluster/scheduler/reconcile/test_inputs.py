from nomadspec.model.cluster.scheduler.reconcile.inputs import Reconciled
from tests.model.cluster.scheduler.reconcile.made import Scene


def test_a_set_is_visited_in_the_order_that_was_chosen() -> None:
    """REC-95."""
    for order, expected in (("asc", ["a00", "a01", "a02"]), ("desc", ["a02", "a01", "a00"])):
        call = Scene(map_order=order).make_input("0-2")
        allocs = {alloc.id: alloc for alloc in reversed(call.allocs)}

        assert expected == [alloc.id for alloc in call.visit(allocs)]


def test_nothing_decided_is_nothing_to_do() -> None:
    """REC-02."""
    decided = Reconciled()

    assert not any((decided.placements, decided.stops, decided.deployment, decided.desired_updates))
