from msgspec.structs import replace

from nomadspec.model.cluster.components.drain_look import (
    has_plugin,
    is_drained,
    list_blocking_jobs,
    list_remaining,
    look_at_job,
)
from nomadspec.model.cluster.entities import (
    AllocDeploymentStatus,
    CSIPluginConfig,
    DrainStrategy,
    Task,
    TaskGroup,
)
from tests.model.cluster.components.draining import make_alloc, make_job, make_node, make_state, mark

WEB = make_job()
SYSTEM = make_job("agent", "system")
BATCH = make_job("crunch", "batch")
SYSBATCH = make_job("scan", "sysbatch")
PLUGIN = make_job(
    "disks", task_groups=(TaskGroup(name="g", tasks=(Task(csi_plugin_config=CSIPluginConfig()),)),)
)


def test_a_node_is_drained_when_its_clients_have_ended_all_but_system_jobs_and_plugins() -> None:
    """DRAIN-04: what is stopped and still runs is not done; sysbatch counts."""
    node = make_node()
    last = [make_alloc("s", SYSTEM), make_alloc("p", PLUGIN)]

    assert is_drained(make_state([node], last), node)
    for job in (WEB, BATCH, SYSBATCH):
        stopped = make_alloc("a", job, desired_status="stop")
        assert not is_drained(make_state([node], [*last, stopped]), node)
        assert is_drained(make_state([node], [*last, replace(stopped, client_status="complete")]), node)


def test_what_remains_is_what_is_wanted_still_and_system_jobs_may_be_ignored() -> None:
    """DRAIN-05."""
    node = make_node()
    allocs = [
        make_alloc("a", WEB),
        make_alloc("s", SYSTEM),
        make_alloc("p", PLUGIN),
        make_alloc("z", WEB, client="failed"),
    ]
    state = make_state([node], allocs)
    ignoring = replace(node, drain_strategy=DrainStrategy(ignore_system_jobs=True))

    assert ["a", "p", "s"] == sorted(alloc.id for alloc in list_remaining(state, node))
    assert ["a", "p"] == sorted(alloc.id for alloc in list_remaining(state, ignoring))


def test_a_drain_waits_for_jobs_but_not_for_system_jobs_and_plugins() -> None:
    """DRAIN-03."""
    node = make_node()
    state = make_state([node], [make_alloc("a", WEB), make_alloc("s", SYSTEM), make_alloc("p", PLUGIN)])

    assert has_plugin(PLUGIN)
    assert not has_plugin(WEB)
    assert [("default", "web")] == list(list_blocking_jobs(state, node))


def test_no_more_are_told_than_the_group_can_spare() -> None:
    """DRAIN-09: healthy ones beyond the count without those that may move at once."""
    nodes = [make_node(), make_node("n2", None)]
    here = [make_alloc(name, WEB) for name in "ab"]

    assert ("a",) == look_at_job(make_state(nodes, here), WEB, 0).chosen
    assert () == look_at_job(make_state(nodes, [mark(here[0]), here[1]]), WEB, 0).chosen
    spare = make_alloc("c", WEB, "n2")
    assert ("a", "b") == look_at_job(make_state(nodes, [*here, spare]), WEB, 0).chosen
    none_at_once = make_job(parallel=0)
    assert () == look_at_job(make_state(nodes, here), none_at_once, 0).chosen


def test_bad_health_counts_like_good_one_and_no_health_does_not() -> None:
    """DRAIN-08, DRAIN-17."""
    nodes = [make_node()]
    ill = [make_alloc(name, WEB, deployment_status=AllocDeploymentStatus(healthy=False)) for name in "ab"]
    new = [replace(alloc, deployment_status=None) for alloc in ill]

    assert ("a",) == look_at_job(make_state(nodes, ill), WEB, 0).chosen
    assert () == look_at_job(make_state(nodes, new), WEB, 0).chosen


def test_one_that_is_stopped_and_still_runs_may_be_told() -> None:
    """DRAIN-08."""
    nodes = [make_node(), make_node("n2", None)]
    allocs = [
        make_alloc("a", WEB, desired_status="stop"),
        make_alloc("b", WEB, "n2"),
        make_alloc("c", WEB, "n2"),
    ]

    assert ("a",) == look_at_job(make_state(nodes, allocs), WEB, 0).chosen


def test_batch_jobs_are_waited_for_and_sysbatch_jobs_are_not_even_looked_at() -> None:
    """DRAIN-07, DRAIN-09, DRAIN-11."""
    nodes = [make_node()]
    batch = look_at_job(make_state(nodes, [make_alloc("a", BATCH)]), BATCH, 0)
    sysbatch = look_at_job(make_state(nodes, [make_alloc("a", SYSBATCH)]), SYSBATCH, 0)

    assert ((), False) == (batch.chosen, batch.is_over)
    assert ((), True) == (sysbatch.chosen, sysbatch.is_over)


def test_what_ended_on_a_draining_node_since_the_last_look_is_reported() -> None:
    """DRAIN-08."""
    nodes = [make_node(), make_node("n2", None)]
    allocs = [make_alloc("a", WEB, client="complete"), make_alloc("b", WEB, "n2", "complete")]
    state = make_state(nodes, allocs)

    assert {"n1"} == look_at_job(state, WEB, 4).migrated_from
    assert not look_at_job(state, WEB, 5).migrated_from
    assert look_at_job(state, WEB, 4).is_over


def test_an_earlier_job_of_the_same_name_does_not_count() -> None:
    """DRAIN-06."""
    earlier = make_job(create_index=0)
    state = make_state([make_node()], [make_alloc(name, earlier) for name in "ab"])

    assert ((), True) == (look_at_job(state, WEB, 0).chosen, look_at_job(state, WEB, 0).is_over)
