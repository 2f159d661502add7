"""New allocations carry what they were given; updated ones keep what was assigned to them."""

from nomadspec.model.cluster.entities import (
    AllocatedCpu,
    AllocatedDevice,
    AllocatedMemory,
    AllocatedPort,
    AllocatedResources,
    AllocatedShared,
    AllocatedTask,
    AllocMetric,
    NetworkResource,
    Resources,
)
from nomadspec.model.cluster.scheduler.allocations import make_alloc, update_in_place
from tests.model.cluster.scheduler import made

NETWORK = NetworkResource(device="net0", ip="10.0.0.1")
GIVEN = AllocatedResources(
    tasks={
        "main": AllocatedTask(
            cpu=AllocatedCpu(cpu_shares=500, reserved_cores=(1, 2)),
            memory=AllocatedMemory(memory_mb=64, memory_max_mb=128),
            networks=(NETWORK,),
            devices=(AllocatedDevice(name="g"),),
        )
    },
    shared=AllocatedShared(disk_mb=300, networks=(NETWORK,), ports=(AllocatedPort(label="http"),)),
)


def test_a_new_allocation_is_pending_on_its_node() -> None:
    """GENERIC-35, SYSTEM-33."""
    alloc = make_alloc(
        "a1",
        "j.web[0]",
        "web",
        evaluation=made.make_eval(),
        node=made.make_node(),
        resources=GIVEN,
        metrics=AllocMetric(nodes_evaluated=1),
    )

    assert (alloc.desired_status, alloc.client_status) == ("run", "pending")
    assert (alloc.node_id, alloc.node_name) == ("n1", "name of n1")
    assert (alloc.eval_id, alloc.job_id, alloc.namespace) == ("e1", "j", "default")
    assert alloc.metrics == AllocMetric(nodes_evaluated=1)


def test_the_old_forms_of_resources_are_filled() -> None:
    """OBJ-210."""
    alloc = make_alloc(
        "a1",
        "j.web[0]",
        "web",
        evaluation=made.make_eval(),
        node=made.make_node(),
        resources=GIVEN,
        metrics=AllocMetric(),
    )

    assert alloc.shared_resources == Resources(disk_mb=300, networks=(NETWORK,))
    assert alloc.task_resources == {
        "main": Resources(cpu_mhz=500, cores=2, memory_mb=64, memory_max_mb=128, networks=(NETWORK,))
    }


def test_an_update_in_place_takes_amounts_and_keeps_assignments() -> None:
    """GENERIC-55, SYSTEM-18."""
    fresh = AllocatedResources(
        tasks={
            "main": AllocatedTask(
                cpu=AllocatedCpu(cpu_shares=900, reserved_cores=(3,)), memory=AllocatedMemory(memory_mb=1)
            ),
            "new": AllocatedTask(),
        },
        shared=AllocatedShared(disk_mb=1),
    )
    old = made.make_alloc(allocated_resources=GIVEN, job=made.make_job(), resources=Resources(), eval_id="e0")

    updated = update_in_place(old, made.make_eval(), fresh)

    resources = updated.allocated_resources
    assert resources is not None
    assert resources.tasks["main"].memory == AllocatedMemory(memory_mb=1)
    assert resources.tasks["main"].cpu == AllocatedCpu(cpu_shares=900, reserved_cores=(1, 2))
    assert resources.tasks["main"].networks == (NETWORK,)
    assert resources.tasks["main"].devices == (AllocatedDevice(name="g"),)
    assert resources.tasks["new"] == AllocatedTask()
    assert (resources.shared.disk_mb, resources.shared.ports) == (1, GIVEN.shared.ports)
    assert (updated.eval_id, updated.job, updated.resources) == ("e1", None, None)


def test_an_update_without_a_check_changes_no_resources() -> None:
    """GENERIC-52."""
    updated = update_in_place(made.make_alloc(allocated_resources=GIVEN), made.make_eval(), None)

    assert updated.allocated_resources == GIVEN
    assert updated.eval_id == "e1"


def test_an_allocation_in_the_old_form_keeps_the_networks_of_its_tasks() -> None:
    """GENERIC-55, OBJ-210: and gets no others, nor devices, which the old form does not tell."""
    other = NetworkResource(device="net1", ip="10.0.0.2")
    alloc = made.make_alloc(task_resources={"main": Resources(networks=(other,))})

    kept = update_in_place(alloc, made.make_eval(), GIVEN).allocated_resources

    assert kept is not None
    assert ((other,), ()) == (kept.tasks["main"].networks, kept.tasks["main"].devices)
    assert AllocatedCpu(cpu_shares=500, reserved_cores=(1, 2)) == kept.tasks["main"].cpu
    assert AllocatedShared(disk_mb=300) == kept.shared
