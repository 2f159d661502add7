"""A guard of the kernel that is too strict, or too lax, is noticed: the comparison can fail."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any, Final

import pytest
from msgspec.structs import replace as with_fields

from nomadspec.model.cluster.components import blocked as recorded_blocked
from nomadspec.model.cluster.components import leader_memory
from nomadspec.model.cluster.components.leader_memory import Memory
from nomadspec.model.cluster.store.state import State
from nomadspec.model.kernel import applier, blocked, broker, collection, deployments, leader, nodes, pipeline
from nomadspec.model.kernel.pipeline import is_idle, knows_none_in_flight
from nomadspec.model.kernel.state import Kernel
from nomadspec.model.kernel.statuses import (
    ACTIVE_DEPLOYMENT,
    TERMINAL_ALLOC,
    BlockedIn,
    DeploymentPhase,
    EvalRecord,
    Stage,
)
from nomadspec.model.language.logic import Flag, any_of, for_all, not_, one_of
from nomadspec.model.language.rule import Rule
from nomadspec.model.specification.profiles import find_profile
from tests.agreement.one_sided import RULES_OF_OTHERS
from tests.agreement.subject import Subject
from tests.agreement.test_blocked import BLOCKED
from tests.agreement.test_broker import BROKER
from tests.agreement.test_deployments import WATCHER
from tests.agreement.test_drainer import DRAINER, DRAINS
from tests.agreement.test_gc import COLLECTOR
from tests.agreement.test_leadership import LEADERSHIP
from tests.agreement.test_node_handlers import HANDLERS
from tests.agreement.test_plan_applier import APPLIER
from tests.agreement.walking import KERNEL

STEPS = 400
"""No more than the usual tests walk."""
SUBJECTS: Final = (BROKER, BLOCKED, APPLIER, WATCHER, COLLECTOR, LEADERSHIP, DRAINER, HANDLERS)


@dataclass(frozen=True, slots=True)
class Strict:
    """A rule that asks for something more."""

    subject: Subject[Any]
    scope: str
    rule: str
    also: Callable[..., Flag]
    """What else it asks for, of the world and of its arguments."""
    sizes: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lax:
    """A rule that asks for less, because a predicate in its text is another one."""

    subject: Subject[Any]
    scope: str
    module: ModuleType
    predicate: str
    instead: Callable[..., Flag | int | None]
    sizes: dict[str, int] = field(default_factory=dict)
    profile: str = "nomad-2.0"


@dataclass(frozen=True, slots=True)
class Deviation:
    """A leader that forgets something else, or puts something else back, in the kernel or in the cluster."""

    scope: str
    module: ModuleType
    function: str
    instead: Callable[..., Any]
    rule: str = "GainLeader"
    """The step after which that shows."""
    sizes: dict[str, int] = field(default_factory=dict)
    profile: str = "nomad-2.0"


@dataclass(frozen=True, slots=True)
class Quirky:
    """A component with a quirk that the kernel has not."""

    subject: Subject[Any]
    scope: str
    quirk: str


def tighten(rule: Rule, also: Callable[..., Flag]) -> Rule:
    """Let a rule ask for something more."""

    def text(s: Kernel, t: Kernel, *arguments: Any) -> None:
        t.require(also(s, *arguments))
        rule.text(s, t, *arguments)

    return replace(rule, text=text)


def is_every_worker_idle(s: Kernel) -> Flag:
    return for_all(s.stage[w] == Stage.IDLE for w in s.workers)


def always(*_: Any) -> Flag:
    return True


def never(*_: Any) -> Flag:
    return False


HEALTH = {"deployment_changes": 3, "reports": 1}
STOPPED = {"gc_deletions": 1, "stops": 1}


def preempts_nothing(s: Any, worker: Any, *_: Any) -> Flag:
    """True while the plan of a worker preempts nothing."""
    return for_all(not_(s.plan[worker].preempted[j, i]) for j in s.jobs for i in s.allocs)


STRICT = (
    Strict(BROKER, "delivery-limit", "ExpireDelivery", lambda s, w, *_: s.stage[w] != Stage.PLANNING),
    Strict(BROKER, "delivery-limit", "Dequeue", lambda s, _w, job, n: s.delivered[job, n] == 0),
    Strict(BROKER, "external-triggers", "CancelCancelable", lambda s, *_: is_every_worker_idle(s)),
    Strict(
        BLOCKED,
        "unlucky",
        "RetryFailedPlans",
        lambda s, job, n: s.blocked_in[job, n] == BlockedIn.CAPTURED,
        {"escapes": 1},
    ),
    Strict(BLOCKED, "duplicates", "CancelDuplicate", lambda s, *_: is_every_worker_idle(s)),
    Strict(APPLIER, "reference", "Evaluate", lambda s, *_: knows_none_in_flight(s)),
    Strict(APPLIER, "reference", "Commit", lambda s, *_: is_idle(s)),
    Strict(APPLIER, "revival", "ApplyPlan", preempts_nothing),
    Strict(
        WATCHER,
        "deployment",
        "WatchHealth",
        lambda s, job: s.deployment[job] == DeploymentPhase.RUNNING,
        HEALTH,
    ),
    Strict(WATCHER, "deployment", "FailDeployment", lambda s, job: not_(s.has_new_health[job]), HEALTH),
    Strict(LEADERSHIP, "leader-change", "GainLeader", is_every_worker_idle),
    Strict(LEADERSHIP, "pause", "PauseBroker", is_every_worker_idle),
    Strict(DRAINER, "drain", "DrainAlloc", lambda s, *_: is_every_worker_idle(s), DRAINS),
    Strict(DRAINER, "drain", "EndDrain", lambda s, *_: is_every_worker_idle(s), DRAINS),
    Strict(HANDLERS, "woken-late", "WriteNodeEval", lambda s, *_: is_every_worker_idle(s)),
    Strict(COLLECTOR, "void-entry", "GcEval", lambda s, job, n: s.eval_record[job, n] != EvalRecord.FAILED),
    Strict(COLLECTOR, "disconnect", "GcAlloc", lambda s, job, i: s.is_reported[job, i], STOPPED),
)


def heads_a_queue(s: Kernel, worker: Any) -> Flag:
    return any_of(s.plans.head(worker), s.higher_priority_plans.head(worker))


def is_active_or_failed(status: Any) -> Flag:
    return one_of(status, *ACTIVE_DEPLOYMENT, DeploymentPhase.FAILED)


def is_in_store(s: Kernel, job: Any, number: Any) -> Flag:
    return s.eval_record[job, number] != EvalRecord.ABSENT


def is_terminal(s: Kernel, job: Any, i: Any) -> Flag:
    return one_of(s.alloc_phase[job, i], *TERMINAL_ALLOC)


def owe_every_job(s: Kernel, t: Kernel, _node: Any) -> None:
    for job in s.jobs:
        t.owed[job] = True


LAX = (
    Lax(BROKER, "delivery-limit", broker, "is_with_applier", never),
    Lax(BROKER, "preemption", broker, "is_preceded", never),
    Lax(BLOCKED, "unlucky", blocked, "is_retried_soon", blocked.is_tracked, {"escapes": 1}),
    Lax(BLOCKED, "escaped", blocked, "is_before", never),
    Lax(APPLIER, "reference", pipeline, "is_idle", always),
    Lax(APPLIER, "revival", applier, "is_next", heads_a_queue),
    Lax(WATCHER, "deployment", deployments, "is_active", is_active_or_failed),
    Lax(LEADERSHIP, "pause", leader, "is_with_applier", never, {"pauses": 3}, "intended"),
    Lax(DRAINER, "drain", nodes, "has_yet_to_leave", never, DRAINS),
    Lax(DRAINER, "drain", nodes, "leaves_last", never, DRAINS | {"kinds": 2}),
    Lax(HANDLERS, "node-loss", nodes, "change_node", owe_every_job, {"jobs": 2}),
    Lax(COLLECTOR, "purge", collection, "has_ended", is_in_store, {"gc_deletions": 1}),
    Lax(
        COLLECTOR,
        "gc",
        collection,
        "may_be_collected",
        is_terminal,
        {"kinds": 1, "reports": 1, "allocations": 3, "updates": 1},
    ),
)


@pytest.mark.parametrize("mutant", STRICT, ids=lambda one: one.rule)
def test_a_rule_that_is_too_strict_is_noticed(mutant: Strict) -> None:
    rules = tuple(tighten(rule, mutant.also) if rule.name == mutant.rule else rule for rule in KERNEL.rules)
    bounded = replace(KERNEL, rules=rules).at(mutant.scope, sizes=mutant.sizes, profile="nomad-2.0")

    with pytest.raises(AssertionError, match="The component allows what the kernel does not"):
        mutant.subject.compare(bounded, STEPS)


@pytest.mark.parametrize("mutant", LAX, ids=lambda one: f"{one.module.__name__}.{one.predicate}")
def test_a_rule_that_is_too_lax_is_noticed(mutant: Lax, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutant.module, mutant.predicate, mutant.instead)
    bounded = KERNEL.at(mutant.scope, sizes=mutant.sizes, profile=mutant.profile)

    with pytest.raises(AssertionError, match="The kernel allows what the component does not"):
        mutant.subject.compare(bounded, STEPS)


def restore_pending_alone(s: Kernel, t: Kernel) -> None:
    for job in s.jobs:
        for number in s.eval_numbers:
            leader.restore_pending(s, t, job, number)


def forget_nothing(*_: Any) -> None:
    """Keep what broker and blocked evals have."""


RESTORE = leader_memory.restore
BLOCK = recorded_blocked.block


def restore_newest_first(memory: Memory, state: State, now_ns: int) -> Memory:
    newest_first = [with_fields(one, create_index=1000 - one.create_index) for one in state.list_evals()]
    return RESTORE(memory, State.of(evals=newest_first), now_ns)


def block_as_new(*given: Any, **_: Any) -> Any:
    return BLOCK(*given)


ELECTIONS = {"elections": 2}
DEVIATIONS = (
    Deviation("leader-change", leader, "forget_evaluations", forget_nothing, "LoseLeader"),
    Deviation("pause", leader, "forget_evaluations", forget_nothing, "PauseBroker"),
    Deviation("leader-change", leader, "restore_evaluations", restore_pending_alone),
    Deviation("pause", leader, "restore_evaluations", restore_pending_alone, "ResumeBroker"),
    Deviation("delivery-limit", leader, "is_delayed", never, sizes=ELECTIONS),
    Deviation("leader-change", leader_memory, "restore", restore_newest_first),
    Deviation("leader-change", recorded_blocked, "block", block_as_new, profile="intended"),
)


@pytest.mark.parametrize("mutant", DEVIATIONS, ids=lambda one: f"{one.function}-{one.rule}")
def test_what_else_a_leader_forgets_or_puts_back_is_noticed(
    mutant: Deviation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutant.module, mutant.function, mutant.instead)
    bounded = KERNEL.at(mutant.scope, sizes=mutant.sizes, profile=mutant.profile)

    with pytest.raises(AssertionError, match=f"^after {mutant.rule}"):
        LEADERSHIP.compare(bounded, STEPS)


QUIRKY = (
    Quirky(BROKER, "woken-late", "BUG-013"),
    Quirky(BROKER, "delivery-limit", "X-08"),
    Quirky(BROKER, "redelivery", "X-12"),
    Quirky(APPLIER, "reference", "X-10"),
    Quirky(APPLIER, "stopped-entry", "03/S5"),
    Quirky(BLOCKED, "displaced", "X-09"),
    Quirky(BLOCKED, "displaced", "X-14"),
    Quirky(BLOCKED, "woken-twice", "X-16"),
)


@pytest.mark.parametrize("mutant", QUIRKY, ids=lambda one: one.quirk)
def test_a_quirk_that_only_the_component_has_is_noticed(mutant: Quirky) -> None:
    odd = find_profile(f"intended +{mutant.quirk}")
    subject = replace(mutant.subject, begin=lambda world, _: mutant.subject.begin(world, odd))
    bounded = KERNEL.at(mutant.scope, profile="intended")

    with pytest.raises(AssertionError):
        subject.compare(bounded, STEPS)


def test_each_rule_is_compared_or_named_with_the_reason_why_not() -> None:
    compared = [name for each in SUBJECTS for name in each.rules]
    left_out = [name for names in RULES_OF_OTHERS.values() for name in names.split()]

    assert sorted((*compared, *left_out)) == sorted(rule.name for rule in KERNEL.rules)
