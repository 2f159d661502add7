"""A client: what it knows of the allocations of its node, what their tasks do, what it has still to report.

Everything that happens by chance (a task starts, ends, fails) is somebody else's choice; times are arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from msgspec.structs import replace
from rpds import HashTrieMap, HashTrieSet

from nomadspec.model.cluster.components.client_health import (
    Outcome,
    Watch,
    report_health,
    restart_watch,
    see_tasks,
    see_time,
    start_watch,
)
from nomadspec.model.cluster.entities import Allocation, AllocClient, AllocDesired, Task
from nomadspec.model.cluster.entities.allocation import (
    compute_client_status,
    is_reported_end,
    is_server_terminal,
)
from nomadspec.model.cluster.entities.group import find_stop_timeout_ns
from nomadspec.model.cluster.entities.policy import RestartMode
from nomadspec.model.cluster.entities.scalar import NS_PER_S
from nomadspec.model.cluster.entities.task_state import TaskState, TaskStatus
from nomadspec.model.cluster.policy.reschedule import find_own_group
from nomadspec.model.cluster.policy.run_limit import compute_deadline_ns
from nomadspec.model.cluster.store.state import NOBODY, State

DEFAULT_RESTARTS = 2
DEFAULT_RESTART_WINDOW_NS = 30 * 60 * NS_PER_S


class Runner(msgspec.Struct, frozen=True, kw_only=True):
    """An allocation on its client: as the servers last showed it, with what its tasks have done since."""

    alloc: Allocation
    tasks: Mapping[str, TaskState] = {}
    watch: Watch | None = None
    restarts_ns: tuple[int, ...] = ()
    """When its tasks were started again."""
    is_overdue: bool = False
    """Whether it ran for longer than its group allows (`max_run_duration`)."""

    @property
    def status(self) -> str:
        """The status that the client gives it.

        Spec: CLIENT-05.
        """
        if self.is_overdue:
            return AllocClient.COMPLETE.value
        return compute_client_status(self.tasks)[0] if self.tasks else AllocClient.PENDING.value

    @property
    def is_over(self) -> bool:
        """True while its tasks will not run again here."""
        return is_reported_end(self.status)


class Client(msgspec.Struct, frozen=True, kw_only=True):
    """The client of a node.

    Spec: CLIENT-02, CLIENT-03, CLIENT-07.
    """

    node_id: str
    is_connected: bool = True
    last_heartbeat_ns: int = 0
    runners: HashTrieMap[str, Runner] = HashTrieMap()
    to_report: HashTrieMap[str, int] = HashTrieMap()
    """The allocations whose news were not sent, and since when."""
    to_start: HashTrieSet[str] = HashTrieSet()
    """The allocations whose tasks are wanted and have not started."""
    to_stop: HashTrieSet[str] = HashTrieSet()
    """The allocations that the servers want to stop and that have not."""
    timers: HashTrieMap[str, int] = HashTrieMap()
    """By allocation, when its health is judged or it has run for long enough, whatever comes first."""
    leaving: HashTrieSet[str] = HashTrieSet()
    """The allocations that stop some time after the servers were lost (`stop_on_client_after`)."""


def list_news(client: Client, state: State) -> tuple[Allocation, ...]:
    """List the allocations that the servers show otherwise than the client knows them.

    Spec: CLIENT-02, CLIENT-03.
    """
    return tuple(alloc for alloc in state.list_allocs_of_node(client.node_id) if is_news(client, alloc))


def is_news(client: Client, alloc: Allocation) -> bool:
    """True while an allocation that the servers show is otherwise than the client knows it."""
    known = client.runners.get(alloc.id)
    return known is None or (
        known.alloc is not alloc and alloc.alloc_modify_index > known.alloc.alloc_modify_index
    )


def has_news(client: Client, state: State) -> bool:
    """True while the servers show anything otherwise than the client knows it.

    Spec: CLIENT-02, CLIENT-03.
    """
    members = state.allocs_by_node.get(client.node_id, NOBODY)
    if len(members) != len(client.runners):
        return True
    return any(is_news(client, state.allocs[alloc_id]) for alloc_id in members)


def pull(client: Client, state: State, now_ns: int) -> Client:
    """Take over what the servers show: start what is new, stop what is to stop, forget what is gone.

    Spec: CLIENT-02, CLIENT-03, CLIENT-04.
    """
    pulled, listed = client, state.allocs_by_node.get(client.node_id, NOBODY)
    for alloc in list_news(client, state):
        pulled = _take_over(pulled, alloc, now_ns)
    if len(pulled.runners) > len(listed):  # all that is listed is known now
        for alloc_id in [known for known in pulled.runners if known not in listed]:
            pulled = _forget(pulled, alloc_id)
    return pulled


def _list_tasks(alloc: Allocation) -> tuple[Task, ...]:
    group = find_own_group(alloc)
    return group.tasks if group else ()


def _take_over(client: Client, alloc: Allocation, now_ns: int) -> Client:
    known = client.runners.get(alloc.id)
    if known is None:
        if alloc.desired_status != AllocDesired.RUN or alloc.client_status != AllocClient.PENDING:
            return _keep(client, Runner(alloc=alloc, tasks=alloc.task_states))
        waiting = {task.name: TaskState(state=TaskStatus.PENDING.value) for task in _list_tasks(alloc)}
        return _keep(client, Runner(alloc=alloc, tasks=waiting, watch=start_watch(alloc, now_ns)))
    watch = restart_watch(known.watch, known.alloc, alloc, now_ns)
    if watch is not None and watch is not known.watch:
        shown = replace(alloc, client_status=known.status, task_states=known.tasks)
        watch = see_tasks(watch, shown, now_ns)  # a fresh watch looks at what runs already
    client = _keep(client, replace(known, alloc=alloc, watch=watch))
    is_missed = alloc.client_status == AllocClient.UNKNOWN and alloc.desired_status == AllocDesired.RUN
    is_judged = watch is not None and watch is not known.watch and watch.outcome == Outcome.UNHEALTHY
    return note_news(client, alloc.id, now_ns) if is_missed or is_judged else client


def is_stopping(runner: Runner) -> bool:
    """True while the servers want an allocation to stop whose tasks have not ended."""
    return is_server_terminal(runner.alloc) and not runner.is_over


def is_waiting(runner: Runner) -> bool:
    """True while the tasks of an allocation are wanted and have not started."""
    is_pending = runner.status == AllocClient.PENDING
    return is_pending and runner.alloc.desired_status == AllocDesired.RUN and bool(runner.tasks)


def start_tasks(client: Client, alloc_id: str, now_ns: int) -> Client:
    """Start the tasks of an allocation."""
    runner = client.runners[alloc_id]
    tasks = {
        name: TaskState(state=TaskStatus.RUNNING.value, started_at_ns=now_ns, restarts=state.restarts)
        for name, state in runner.tasks.items()
    }
    return _with_tasks(client, runner, tasks, now_ns)


def end_tasks(client: Client, alloc_id: str, now_ns: int, *, failed: bool) -> Client:
    """End the tasks of an allocation, the first of them with a failure if one has failed."""
    runner = client.runners[alloc_id]
    first = next(iter(runner.tasks), "")
    tasks = {
        name: replace(
            state, state=TaskStatus.DEAD.value, failed=failed and name == first, finished_at_ns=now_ns
        )
        for name, state in runner.tasks.items()
    }
    return _with_tasks(client, runner, tasks, now_ns)


def restart_tasks(client: Client, alloc_id: str, now_ns: int) -> Client:
    """Start the tasks of an allocation again where they are.

    Spec: ALLOC-18.
    """
    runner = client.runners[alloc_id]
    noted = replace(runner, restarts_ns=(*runner.restarts_ns, now_ns))
    tasks = {
        name: replace(state, started_at_ns=now_ns, restarts=state.restarts + 1, last_restart_ns=now_ns)
        for name, state in runner.tasks.items()
    }
    return _with_tasks(client, noted, tasks, now_ns)


def may_restart(runner: Runner, now_ns: int) -> bool:
    """True while the restart policy lets tasks that failed start again where they are.

    Spec: ALLOC-18.
    """
    group = find_own_group(runner.alloc)
    policy = group.restart_policy if group else None
    if policy is not None and policy.mode == RestartMode.DELAY:
        return True  # it waits for the next interval, and never fails for good
    attempts = policy.attempts if policy else DEFAULT_RESTARTS
    window_ns = policy.interval_ns if policy else DEFAULT_RESTART_WINDOW_NS
    recent = [time_ns for time_ns in runner.restarts_ns if time_ns > now_ns - window_ns]
    return len(recent) < attempts


def find_health_due(runner: Runner) -> int | None:
    """Find when the watch of an allocation's health moves by itself."""
    watch = runner.watch
    if watch is None or watch.outcome is not None:
        return None
    times = [time_ns for time_ns in (watch.healthy_from_ns, watch.deadline_ns) if time_ns]
    return min(times, default=None)


def find_overrun_due(runner: Runner) -> int | None:
    """Find when a running allocation has run for as long as its group allows.

    Spec: CLIENT-05, CLIENT-09.
    """
    return compute_deadline_ns(runner.alloc) if runner.status == AllocClient.RUNNING else None


def find_out_of_reach_due(client: Client, runner: Runner) -> int | None:
    """Find when an allocation is stopped whose client does not reach the servers, if its group wants that.

    Spec: CLIENT-09, DISC-09.
    """
    if client.is_connected or runner.is_over or not runner.tasks:
        return None
    group = find_own_group(runner.alloc)
    after_ns = find_stop_timeout_ns(group) if group else None
    return client.last_heartbeat_ns + after_ns if after_ns else None


def pass_time(client: Client, alloc_id: str, now_ns: int) -> Client:
    """Let the watch of an allocation's health see what time it is.

    Spec: HEALTH-05, HEALTH-09, HEALTH-10.
    """
    runner = client.runners[alloc_id]
    if runner.watch is None:
        return client
    watch = see_time(runner.watch, now_ns)
    client = _keep(client, replace(runner, watch=watch))
    return note_news(client, alloc_id, now_ns) if watch.outcome is not None else client


def overrun(client: Client, alloc_id: str, now_ns: int) -> Client:
    """End an allocation that ran for as long as its group allows.

    Spec: CLIENT-05, CLIENT-09.
    """
    runner = replace(client.runners[alloc_id], is_overdue=True)
    return end_tasks(_keep(client, runner), alloc_id, now_ns, failed=False)


def note_news(client: Client, alloc_id: str, now_ns: int) -> Client:
    """Note that an allocation has news to report."""
    if alloc_id in client.to_report:
        return client
    return replace(client, to_report=client.to_report.insert(alloc_id, now_ns))


def make_reports(client: Client, now_ns: int) -> tuple[Allocation, ...]:
    """Make the report of each allocation that has news: only what clients send.

    Spec: CLIENT-05, CLIENT-06, CLIENT-08.
    """
    return tuple(
        _report(client.runners[alloc_id], now_ns)
        for alloc_id in sorted(client.to_report)
        if alloc_id in client.runners
    )


def acknowledge(client: Client, reports: tuple[Allocation, ...]) -> Client:
    """Take note of what the servers have written: it is no news any more."""
    runners = client.runners
    for report in reports:
        known = runners[report.id]
        alloc = replace(
            known.alloc, client_status=report.client_status, deployment_status=report.deployment_status
        )
        runners = runners.insert(report.id, replace(known, alloc=alloc))
    return replace(client, runners=runners, to_report=HashTrieMap())


def list_runners(client: Client) -> Iterator[Runner]:
    """List the allocations on a client by their IDs."""
    return (client.runners[alloc_id] for alloc_id in sorted(client.runners))


def _report(runner: Runner, now_ns: int) -> Allocation:
    status, description = compute_client_status(runner.tasks)
    if runner.is_overdue:
        status, description = AllocClient.COMPLETE.value, "allocation exceeded max_run_duration"
    alloc = replace(runner.alloc, client_status=status, task_states=runner.tasks)
    return Allocation(
        id=alloc.id,
        node_id=alloc.node_id,
        client_status=status,
        client_description=description,
        task_states=runner.tasks,
        deployment_status=report_health(alloc, runner.watch),
        modify_time_ns=now_ns,
    )


def _with_tasks(client: Client, runner: Runner, tasks: Mapping[str, TaskState], now_ns: int) -> Client:
    told = replace(runner, tasks=tasks)
    if told.watch is not None:
        alloc = replace(told.alloc, client_status=told.status, task_states=tasks)
        told = replace(told, watch=see_tasks(told.watch, alloc, now_ns))
    return note_news(_keep(client, told), told.alloc.id, now_ns)


def _keep(client: Client, runner: Runner) -> Client:
    """Keep what an allocation has come to, and what may happen to it by itself."""
    alloc_id = runner.alloc.id
    times = [due_ns for due_ns in (find_health_due(runner), find_overrun_due(runner)) if due_ns is not None]
    due_ns, timers = min(times, default=None), client.timers
    if due_ns != timers.get(alloc_id):
        timers = timers.discard(alloc_id) if due_ns is None else timers.insert(alloc_id, due_ns)
    return replace(
        client,
        runners=client.runners.insert(alloc_id, runner),
        to_start=put(client.to_start, alloc_id, is_in=is_waiting(runner)),
        to_stop=put(client.to_stop, alloc_id, is_in=is_stopping(runner)),
        timers=timers,
        leaving=put(client.leaving, alloc_id, is_in=_is_leaving(runner)),
    )


def _is_leaving(runner: Runner) -> bool:
    group = find_own_group(runner.alloc)
    return group is not None and find_stop_timeout_ns(group) is not None and not runner.is_over


def _forget(client: Client, alloc_id: str) -> Client:
    return replace(
        client,
        runners=client.runners.discard(alloc_id),
        to_start=client.to_start.discard(alloc_id),
        to_stop=client.to_stop.discard(alloc_id),
        timers=client.timers.discard(alloc_id),
        leaving=client.leaving.discard(alloc_id),
    )


def put(members: HashTrieSet[str], member: str, *, is_in: bool) -> HashTrieSet[str]:
    """Give the set with a member in it or not; the very same one where nothing changes."""
    if (member in members) is is_in:
        return members
    return members.insert(member) if is_in else members.discard(member)
