"""Changes one decision of a recorded log, and applies the whole log anew, so that all else agrees with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from msgspec.structs import replace

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.explain.acts import compare_acts
from nomadspec.checkers.oracle.explain.causes import compare_promises
from nomadspec.checkers.oracle.explain.launching import Forced
from nomadspec.checkers.oracle.explain.obligations import Rest, compare_obligations
from nomadspec.checkers.oracle.explain.outcomes import compare_outcomes
from nomadspec.checkers.oracle.judgement import Difference
from nomadspec.checkers.oracle.limits import LIMITS
from nomadspec.checkers.oracle.reading import find_file, read_document
from nomadspec.checkers.oracle.trace_asks import compare_asks
from nomadspec.checkers.oracle.trace_decisions import compare_decisions
from nomadspec.checkers.oracle.trace_log import TypedEntry
from nomadspec.checkers.oracle.trace_plans import compare_plans
from nomadspec.checkers.oracle.trace_replay import Replay, Step, read_run_clock, replay_log
from nomadspec.model.cluster.store import Entry, State
from nomadspec.model.cluster.store.requests import (
    AllocClientUpdate,
    ApplyPlanResults,
    BatchNodeUpdateDrain,
    DeploymentUpdateStatus,
    EvalUpdate,
    JobRegister,
    NodeUpdateDrain,
    Outside,
)
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.deciding import replay_recorded
from tests.recorded import find_trace

Request = Any
Twist = Callable[[Request, State], Request | None]
"""Changes a request by the state before it; None where there is nothing to change."""

SILENCE = Outside()
"""What stands where an entry was left out."""


@dataclass(frozen=True, slots=True)
class Lie:
    """A log in which one entry says something else, and the entries that may be named for it."""

    name: str
    index: int
    replay: Replay
    blamed: frozenset[int]
    rest: Rest


def tell_lies(name: str, twist: Twist, most: int, seed: int | None = None) -> Iterator[Lie]:
    """Change one entry of a recorded log after the other, in their order or in that of a seed."""
    replay, rest = replay_recorded(name), read_rest(name)
    told = 0
    for at in _put_in_order(len(replay.steps), name, seed):
        step = replay.steps[at]
        if told >= most:
            return
        if step.typed.entry.index > rest.stop_index:
            continue
        request = step.typed.entry.request
        changed = None if step.applied.error else twist(request, _find_before(replay, at))
        if changed is not None and changed != request:
            told += 1
            index = step.typed.entry.index
            yield Lie(name, index, _replay_changed(replay, at, changed), _find_blamed(replay, step), rest)


def _put_in_order(count: int, name: str, seed: int | None) -> Sequence[int]:
    places = list(range(count))
    if seed is not None:
        Random(f"{name} {seed}").shuffle(places)
    return places


def judge_lie(lie: Lie) -> Iterator[Difference]:
    """List what of a lie is found out by what was decided, not by tables and events; the slowest is last."""
    context = Context(NOMAD_2_0)
    yield from judge_quickly(lie)
    yield from compare_obligations(lie.replay, lie.rest, NOMAD_2_0)
    yield from compare_outcomes(lie.replay, context)
    yield from compare_acts(lie.replay, context, read_forced(lie.name))
    yield from compare_promises(lie.replay, context)


def judge_quickly(lie: Lie) -> list[Difference]:
    """List what of a lie is found out without making a decision again."""
    return [
        *compare_decisions(lie.replay, NOMAD_2_0),
        *compare_plans(lie.replay, Context(NOMAD_2_0)),
        *compare_asks(lie.replay),
    ]


def is_found_out_by_acts(name: str, twist: Twist) -> bool:
    """Tell whether the first such lie of a recording is named without making a decision again."""
    (lie,) = tell_lies(name, twist, 1)
    found = [*judge_quickly(lie), *compare_obligations(lie.replay, lie.rest, NOMAD_2_0)]
    return is_named(lie, [*found, *compare_acts(lie.replay, Context(NOMAD_2_0))])


def is_named(lie: Lie, differences: Iterable[Difference]) -> bool:
    """Tell whether the entry that lies is named, or for one that is missing the entry that asked for it.

    No more is looked for once it is.
    """
    return any(each.path.startswith(f"raft-log[{index}]") for each in differences for index in lie.blamed)


@cache
def read_rest(name: str) -> Rest:
    """Read how a recording ended."""
    return Rest.of(_read_scenario(name))


@cache
def read_forced(name: str) -> Forced | None:
    """Read which launches operators forced."""
    return Forced.of(_read_scenario(name))


def _read_scenario(name: str) -> Mapping[str, Any]:
    path = find_file(find_trace(name), "scenario.json")
    assert path is not None
    document = read_document(path, LIMITS)
    assert isinstance(document, Mapping)
    return document


def on(kind: type, change: Callable[[Any, State], Request | None]) -> Twist:
    """Change requests of one kind."""
    return lambda request, state: change(request, state) if isinstance(request, kind) else None


def _find_before(replay: Replay, at: int) -> State:
    return replay.find_state(replay.steps[at].typed.entry.index - 1)


def _replay_changed(replay: Replay, at: int, changed: Request) -> Replay:
    log = [step.typed for step in replay.steps]
    kind = "LogBarrier" if changed is SILENCE else log[at].type
    entry = TypedEntry(kind, Entry(log[at].entry.index, changed))
    return replay_log([*log[:at], entry, *log[at + 1 :]], NOMAD_2_0, read_run_clock)


def _find_blamed(replay: Replay, step: Step) -> frozenset[int]:
    """Find which entries tell of the same decision: the plans, what follows it, and what asked for it."""
    request, index = step.typed.entry.request, step.typed.entry.index
    blamed = {index}
    if isinstance(request, ApplyPlanResults):
        blamed |= _find_outcomes(replay, {request.eval_id})
    before = replay.find_state(index - 1)
    if isinstance(request, BatchNodeUpdateDrain):
        states = (before, replay.steps[-1].applied.state)
        nodes = [state.find_node(node_id) for node_id in request.updates for state in states]
        blamed |= {node.modify_index for node in nodes if node is not None}
        blamed |= {
            other.typed.entry.index
            for other in replay.steps
            if isinstance(other.typed.entry.request, NodeUpdateDrain)
            and other.typed.entry.request.node_id in request.updates
        }
    if isinstance(request, AllocClientUpdate):
        reported = (before.find_alloc(report.id) for report in request.alloc)
        blamed |= {alloc.create_index for alloc in reported if alloc is not None}
    if isinstance(request, AllocClientUpdate | JobRegister):
        blamed |= _find_launches(replay, request, before)
    if isinstance(request, DeploymentUpdateStatus) and request.deployment_update is not None:
        deployment = before.find_deployment(request.deployment_update.deployment_id)
        blamed |= {deployment.modify_index} if deployment is not None else set()
        allocs = before.list_allocs_of_deployment(request.deployment_update.deployment_id)
        blamed |= {each.deployment_status.modify_index for each in allocs if each.deployment_status}
    if isinstance(request, EvalUpdate):
        blamed |= {each.node_modify_index for each in request.evals if each.node_modify_index}
        blamed |= {each.create_index for each in request.evals if each.create_index}
        blamed |= {each.job_modify_index for each in request.evals if each.triggered_by == "job-scaling"}
        new = {each.previous_eval for each in request.evals if not each.create_index and each.previous_eval}
        blamed |= _find_outcomes(replay, new)
        changed = {each.id for each in request.evals if each.snapshot_index}
        blamed |= {
            other.typed.entry.index
            for other in replay.steps
            if isinstance(other.typed.entry.request, ApplyPlanResults)
            and other.typed.entry.request.eval_id in changed
        }
    return frozenset(blamed)


def _find_launches(replay: Replay, request: AllocClientUpdate | JobRegister, before: State) -> set[int]:
    """Find the launches after one that is left out or runs on, the job that is launched, and its work."""
    jobs: set[str] = {request.job.parent_id} if isinstance(request, JobRegister) and request.job else set()
    for report in request.alloc if isinstance(request, AllocClientUpdate) else ():
        alloc = before.find_alloc(report.id)
        job = before.find_job(alloc.namespace, alloc.job_id) if alloc is not None else None
        jobs |= {job.parent_id} if job is not None else set()
    parents = (before.find_job("default", name) for name in jobs - {""})
    launches = {
        step.typed.entry.index
        for step in replay.steps
        if step.typed.entry.index > before.latest_index
        and isinstance(step.typed.entry.request, JobRegister)
        and step.typed.entry.request.job is not None
        and step.typed.entry.request.job.parent_id in jobs - {""}
    }
    child = request.job.id if isinstance(request, JobRegister) and request.job else ""
    launches |= {
        step.typed.entry.index
        for step in replay.steps
        if isinstance(step.typed.entry.request, EvalUpdate)
        and any(each.job_id == child for each in step.typed.entry.request.evals)
    }
    return launches | {parent.job_modify_index for parent in parents if parent is not None}


def _find_outcomes(replay: Replay, evals: set[str]) -> set[int]:
    return {
        step.typed.entry.index
        for step in replay.steps
        if isinstance(step.typed.entry.request, EvalUpdate)
        and any(each.id in evals and each.snapshot_index for each in step.typed.entry.request.evals)
    }


def with_first(items: Sequence[Any], pick: Callable[[Any], bool], **changes: Any) -> tuple[Any, ...] | None:
    """Change the first item that is picked; None where there is none."""
    at = next((at for at, each in enumerate(items) if pick(each)), None)
    if at is None:
        return None
    made = {name: change(items[at]) if callable(change) else change for name, change in changes.items()}
    return (*items[:at], replace(items[at], **made), *items[at + 1 :])


def without_first(
    items: Sequence[Any], pick: Callable[[Any], bool] = lambda _: True
) -> tuple[Any, ...] | None:
    """Leave out the first item that is picked; None where there is none."""
    at = next((at for at, each in enumerate(items) if pick(each)), None)
    return None if at is None else (*items[:at], *items[at + 1 :])


def given(request: Request, **changes: Any) -> Request | None:
    """Change a request, unless there was nothing to change."""
    return None if any(change is None for change in changes.values()) else replace(request, **changes)
