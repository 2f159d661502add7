"""What is used of nodes is measured once for each set of allocations."""

from msgspec.structs import replace

from nomadspec.model.cluster.entities import AllocClient, Node
from nomadspec.model.cluster.scheduler.ranking.uses import Uses, is_same
from tests.model.cluster.scheduler.made import make_context, make_job, make_snapshot
from tests.model.cluster.scheduler.ranking.hosts import make_host, make_tenant

NODE = make_host()
THERE = make_tenant("t1", 1000)


def make_uses(node: Node = NODE) -> Uses:
    return Uses(make_context(make_snapshot(node, THERE), make_job()))


def test_what_the_state_says_is_remembered_beyond_an_attempt() -> None:
    uses = make_uses()
    context = uses.context
    proposed = context.plan.list_proposed("n1")
    use = uses.find(NODE, proposed)

    assert use.load.used.cpu_mhz == 1000
    assert uses.find(NODE, proposed) is use
    assert Uses(make_context(context.snapshot, make_job())).find(NODE, (THERE,)) is use


def test_what_a_plan_says_is_not() -> None:
    uses = make_uses()
    plan = uses.context.plan
    plan.append_alloc(make_tenant("new", 500))

    assert uses.find(NODE, plan.list_proposed("n1")).load.used.cpu_mhz == 1500
    assert {} == uses.context.snapshot.uses


def test_a_change_is_measured_anew() -> None:
    uses = make_uses()
    plan = uses.context.plan
    before = uses.find(NODE, plan.list_proposed("n1"))
    plan.append_stop(THERE, "")
    after = uses.find(NODE, plan.list_proposed("n1"))

    assert (1000, 0) == (before.load.used.cpu_mhz, after.load.used.cpu_mhz)
    assert before.capacity is after.capacity


def test_the_same_are_the_very_same() -> None:
    other = make_tenant("t1", 1000)

    assert is_same((THERE,), (THERE,))
    assert not is_same((THERE,), (other,))
    assert not is_same((THERE,), ())


def test_a_report_of_a_client_changes_no_use() -> None:
    """What a client reports makes other rows of its node and of the allocation, which take the same."""
    uses = make_uses()
    use = uses.find(NODE, (THERE,))
    node = replace(NODE, last_alloc_update_index=7)
    reported = replace(THERE, client_status=AllocClient.RUNNING.value, modify_index=7)
    after = Uses(uses.context).find(node, (reported,))

    assert (node, (reported,)) == (after.node, after.allocs)
    assert after.load is use.load
    assert after.index is use.index


def test_a_node_that_has_something_else_is_measured_anew() -> None:
    uses = make_uses()
    use = uses.find(NODE, (THERE,))
    other = replace(NODE, reserved_resources=None)
    after = Uses(uses.context).find(other, (THERE,))

    assert after.capacity != use.capacity


def test_an_allocation_that_has_ended_on_its_client_takes_nothing_any_more() -> None:
    uses = make_uses()
    uses.find(NODE, (THERE,))
    ended = replace(THERE, client_status=AllocClient.COMPLETE.value)

    assert Uses(uses.context).find(NODE, (ended,)).load.used.cpu_mhz == 0
