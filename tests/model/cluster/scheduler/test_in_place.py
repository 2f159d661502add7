"""An allocation follows its job in place if its node still takes it without what it holds already."""

from msgspec.structs import replace

from nomadspec.model.cluster.entities import AllocatedResources, Allocation, Job, TaskGroup
from nomadspec.model.cluster.entities.plan import is_no_op
from nomadspec.model.cluster.policy.update import UpdateVerdict
from nomadspec.model.cluster.scheduler.context import Context
from nomadspec.model.cluster.scheduler.in_place import Updater
from nomadspec.model.cluster.scheduler.reasons import ReasonLog
from nomadspec.model.cluster.scheduler.requests import Selected, SelectOptions
from nomadspec.model.specification.profiles import INTENDED
from tests.model.cluster.scheduler.made import (
    FakeSearch,
    make_alloc,
    make_context,
    make_group,
    make_job,
    make_node,
    make_snapshot,
)

OLD = make_job(version=0, job_modify_index=4)
NEW = make_job(version=1)


def make_updater(alloc: Allocation, job: Job | None, *free: str) -> Updater:
    return Updater(make_context(make_snapshot(make_node(), alloc), job), FakeSearch(*free))


def test_a_free_node_lets_it_stay() -> None:
    """GENERIC-54."""
    alloc = make_alloc(job=OLD, allocated_resources=AllocatedResources())
    verdict, updated = make_updater(alloc, NEW, "n1").judge(alloc, make_group())

    assert verdict is UpdateVerdict.IN_PLACE
    assert updated is not None
    assert (updated.id, updated.eval_id) == ("a1", "e1")


def test_a_full_node_forces_it_out() -> None:
    """GENERIC-53."""
    alloc = make_alloc(job=OLD)

    assert make_updater(alloc, NEW).judge(alloc, make_group()) == (UpdateVerdict.DESTRUCTIVE, None)


def test_the_same_version_is_left_alone() -> None:
    """GENERIC-47."""
    alloc = make_alloc(job=NEW)

    assert make_updater(alloc, NEW, "n1").judge(alloc, make_group()) == (UpdateVerdict.IGNORE, None)


def test_a_limited_run_is_not_checked() -> None:
    """GENERIC-52, 04/S-09."""
    limited = make_job(make_group(max_run_duration_ns=1), type="batch", job_modify_index=4)
    alloc = make_alloc(job=limited)
    verdict, updated = make_updater(alloc, replace(limited, job_modify_index=5)).judge(alloc, make_group())

    assert verdict is UpdateVerdict.IN_PLACE
    assert updated is not None


def test_nothing_follows_a_job_that_is_gone() -> None:
    alloc = make_alloc(job=OLD)

    assert make_updater(alloc, None, "n1").judge(alloc, make_group()) == (UpdateVerdict.IGNORE, None)


class _Watcher(FakeSearch):
    """Notes what is on the node while it looks."""

    def __init__(self, context: Context) -> None:
        super().__init__("n1")
        self.context = context
        self.seen: list[tuple[str, ...]] = []

    def select(self, group: TaskGroup, options: SelectOptions) -> Selected | None:
        self.seen.append(tuple(alloc.id for alloc in self.context.plan.list_proposed("n1")))
        return super().select(group, options)


def test_what_it_holds_does_not_stand_in_its_way() -> None:
    """GENERIC-53."""
    alloc, other = make_alloc(job=OLD), make_alloc("a2")
    context = make_context(make_snapshot(make_node(), alloc, other), NEW)
    watcher = _Watcher(context)
    Updater(context, watcher).judge(alloc, make_group())

    assert watcher.seen == [("a2",)]
    assert [node.id for node in watcher.nodes] == ["n1"]
    assert is_no_op(context.plan)


def test_a_limited_run_is_meant_to_be_checked() -> None:
    """04/S-09."""
    limited = make_job(make_group(max_run_duration_ns=1), type="batch", job_modify_index=4)
    alloc = make_alloc(job=limited)
    updater = make_updater(alloc, replace(limited, job_modify_index=5))
    updater.context.profile = INTENDED

    assert updater.judge(alloc, make_group()) == (UpdateVerdict.DESTRUCTIVE, None)


def test_why_is_told_of_each_verdict() -> None:
    """GENERIC-48, GENERIC-53, GENERIC-54: and a search on its own node is told from others."""
    alloc = make_alloc(job=OLD)
    changed = make_job(make_group(tasks=()), version=1)
    found = []
    for job, free in ((changed, ()), (NEW, ()), (NEW, ("n1",))):
        updater = make_updater(alloc, job, *free)
        updater.context.reasons = ReasonLog(is_on=True)
        updater.judge(alloc, make_group())
        reasons = updater.context.reasons.build()
        assert reasons is not None
        found += [(each.verdict, each.rule, each.operands) for each in reasons.judgements]

    assert [
        ("destructive", "GENERIC-48", {"changed": "number of tasks"}),
        ("destructive", "GENERIC-53", {}),
        ("in-place", "GENERIC-54", {}),
    ] == found
    assert not updater.context.reasons.is_trial
