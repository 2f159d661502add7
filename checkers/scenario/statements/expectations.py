"""Statements that expect something: of evaluations, allocations, deployments, nodes, jobs, answers."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from typing import Final

from nomadspec.checkers.scenario.grammar import statement
from nomadspec.checkers.scenario.language import Options, WordError
from nomadspec.checkers.scenario.lookups import find_alloc, find_deployment, find_job, find_node
from nomadspec.checkers.scenario.option_values import read_amount, read_flag
from nomadspec.checkers.scenario.rest_promises import list_broken
from nomadspec.checkers.scenario.run import Run
from nomadspec.checkers.scenario.slots import VOCABULARIES
from nomadspec.model.cluster.entities import Allocation, Eligibility, Evaluation, Node
from nomadspec.model.cluster.entities.allocation import is_canary

EVAL_OPTIONS: Final = {
    "trigger": "a trigger",
    "status": "a status",
    "job": "a job",
    "node": "a node",
    "type": "a type of job",
}
ALLOC_OPTIONS: Final = {
    "job": "a job",
    "name": "a name, such as web.web[0]",
    "node": "a node",
    "client": "a client status",
    "desired": "a desired status",
    "version": "a version of the job",
    "canary": "yes or no",
    "healthy": "yes or no",
}
_EVAL_FIELDS: Final = {
    "trigger": "triggered_by",
    "status": "status",
    "job": "job_id",
    "node": "node_id",
    "type": "type",
}
_ALLOC_FIELDS: Final = {
    "job": "job_id",
    "name": "name",
    "node": "node_id",
    "client": "client_status",
    "desired": "desired_status",
}
DEPLOYMENT_OPTIONS: Final = {"status": "a status", "job": "a job"}


def _check_words(options: Options, **slots: str) -> None:
    """Refuse words that nothing could ever be counted by."""
    for name, slot in slots.items():
        if name in options and options[name] not in VOCABULARIES[slot]:
            word = options[name]
            raise WordError(word, f"{name} {word!r} is none of {', '.join(VOCABULARIES[slot])}")


def _expect_count(run: Run, count: int, found: int, *rest: str, options: Options | None = None) -> None:
    """Compare a count; the words after it are part of what is expected."""
    words = [*rest, *(word for pair in (options or {}).items() for word in pair)]
    tail = shlex.join(words)
    run.expect(f"{count} {tail}", f"{found} {tail}")


def _list_evals(run: Run, options: Options) -> list[Evaluation]:
    _check_words(options, trigger="TRIGGER", status="EVAL_STATUS")
    return [
        entry
        for entry in run.world.state.list_evals()
        if entry.create_index > run.marked_at
        and all(getattr(entry, _EVAL_FIELDS[name]) == word for name, word in options.items())
    ]


@statement("expect COUNT evals", **EVAL_OPTIONS)
def expect_evals(run: Run, count: int, options: Options) -> None:
    """So many evaluations were made, of a trigger, a status, a job, a node."""
    _expect_count(run, count, len(_list_evals(run, options)), "evals", options=options)


@statement("expect COUNT evals TRIGGER")
def expect_triggered(run: Run, count: int, trigger: str) -> None:
    """So many evaluations of a trigger were made."""
    _expect_count(run, count, len(_list_evals(run, {"trigger": trigger})), "evals", trigger)


@statement("expect COUNT evals EVAL_STATUS")
def expect_ended(run: Run, count: int, status: str) -> None:
    """So many evaluations have a status."""
    _expect_count(run, count, len(_list_evals(run, {"status": status})), "evals", status)


@statement("expect eval TRIGGER EVAL_STATUS")
def expect_eval(run: Run, trigger: str, status: str) -> None:
    """The latest evaluation of a trigger has a status."""
    found = _list_evals(run, {"trigger": trigger})
    run.expect(f"eval {trigger} {status}", f"eval {trigger} {found[-1].status if found else 'none'}")


def _is_alloc(alloc: Allocation, name: str, options: Options) -> bool:
    """True if an allocation is as an option says."""
    if name == "version":
        return alloc.job is not None and alloc.job.version == read_amount(options, name, 0)
    if name == "canary":
        return is_canary(alloc) == read_flag(options, name)
    if name == "healthy":
        health = alloc.deployment_status.healthy if alloc.deployment_status else None
        return health is not None and health == read_flag(options, name)
    return bool(getattr(alloc, _ALLOC_FIELDS[name]) == options[name])


def _count_allocs(run: Run, options: Options) -> int:
    _check_words(options, client="CLIENT_STATUS", desired="DESIRED_STATUS")
    allocs: Iterable[Allocation] = run.world.state.list_allocs()
    return sum(all(_is_alloc(alloc, name, options) for name in options) for alloc in allocs)


@statement("expect COUNT allocs", **ALLOC_OPTIONS)
def expect_allocs(run: Run, count: int, options: Options) -> None:
    """So many allocations there are, of a job, on a node, with a client or desired status, a version."""
    _expect_count(run, count, _count_allocs(run, options), "allocs", options=options)


@statement("expect COUNT allocs CLIENT_STATUS", **ALLOC_OPTIONS)
def expect_client_status(run: Run, count: int, status: str, options: Options) -> None:
    """So many allocations have a client status."""
    found = _count_allocs(run, {"client": status, **options})
    _expect_count(run, count, found, "allocs", status, options=options)


@statement("expect alloc ALLOC on NODE")
def expect_place(run: Run, name: str, node: str) -> None:
    """An allocation is on a node."""
    find_node(run, node)
    run.expect(f"alloc {name} on {node}", f"alloc {name} on {find_alloc(run, name).node_id}")


@statement("expect alloc ALLOC CLIENT_STATUS")
def expect_alloc(run: Run, name: str, status: str) -> None:
    """An allocation has a client status."""
    run.expect(f"alloc {name} {status}", f"alloc {name} {find_alloc(run, name).client_status}")


@statement("expect plan of NAME on NODE")
def expect_plan(run: Run, name: str, node: str) -> None:
    """The plan of a job that waits for the applier places something on a node."""
    find_node(run, node)
    plans = [queued.plan for queued in run.world.leader.plans.waiting]
    nodes = [where for plan in plans if plan.job and plan.job.id == name for where in plan.node_allocation]
    found = node if node in nodes else " ".join(nodes) or "nowhere"
    run.expect(f"plan of {name} on {node}", f"plan of {name} on {found}")


@statement("expect COUNT deployments", **DEPLOYMENT_OPTIONS)
def expect_deployments(run: Run, count: int, options: Options) -> None:
    """So many deployments there are, of a job, with a status."""
    _check_words(options, status="DEPLOYMENT_STATUS")
    found = [
        each
        for each in run.world.state.list_deployments()
        if options.get("status", each.status) == each.status
        and options.get("job", each.job_id) == each.job_id
    ]
    _expect_count(run, count, len(found), "deployments", options=options)


@statement("expect deployment DEPLOYMENT_STATUS")
def expect_deployment(run: Run, status: str) -> None:
    """The latest deployment has a status."""
    run.expect(f"deployment {status}", f"deployment {find_deployment(run).status}")


@statement("expect deployment of NAME DEPLOYMENT_STATUS")
def expect_deployment_of(run: Run, job: str, status: str) -> None:
    """The latest deployment of a job has a status."""
    found = find_deployment(run, job).status
    run.expect(f"deployment of {job} {status}", f"deployment of {job} {found}")


@statement("expect deployment says TEXT")
def expect_description(run: Run, text: str) -> None:
    """The latest deployment is described by a text."""
    found = find_deployment(run).status_description
    run.expect(f"deployment says {shlex.quote(text)}", f"deployment says {shlex.quote(found)}")


@statement("expect node NAME gone")
def expect_no_node(run: Run, name: str) -> None:
    """The servers do not know a node."""
    is_gone = run.world.state.find_node(name) is None
    run.expect(
        f"node {name} gone", f"node {name} gone" if is_gone else f"node {name} {_get_state(run, name)}"
    )


@statement("expect node NAME NODE_STATE")
def expect_node(run: Run, name: str, state: str) -> None:
    """A node has a status, or is eligible, ineligible or draining."""
    run.expect(f"node {name} {state}", f"node {name} {_get_state(run, name, state)}")


def _get_state(run: Run, name: str, asked: str = "") -> str:
    """Get the state of a node in the words that are asked for."""
    node: Node = find_node(run, name)
    if asked == "draining":
        return "draining" if node.drain_strategy else node.status
    return node.scheduling_eligibility if asked in set(Eligibility) else node.status


@statement("expect job NAME gone")
def expect_no_job(run: Run, name: str) -> None:
    """The servers do not know a job."""
    is_gone = all(job.id != name for job in run.world.state.list_jobs())
    run.expect(f"job {name} gone", f"job {name} {'gone' if is_gone else find_job(run, name).status}")


@statement("expect job NAME JOB_STATUS")
def expect_job(run: Run, name: str, status: str) -> None:
    """A job has a status."""
    run.expect(f"job {name} {status}", f"job {name} {find_job(run, name).status}")


@statement("expect job NAME version NUMBER")
def expect_version(run: Run, name: str, version: int) -> None:
    """A job is at a version."""
    run.expect(f"job {name} version {version}", f"job {name} version {find_job(run, name).version}")


@statement("expect job NAME count NUMBER")
def expect_job_count(run: Run, name: str, count: int) -> None:
    """The first group of a job has a count."""
    found = find_job(run, name).task_groups[0].count
    run.expect(f"job {name} count {count}", f"job {name} count {found}")


@statement("expect COUNT children of NAME")
def expect_children(run: Run, count: int, name: str) -> None:
    """So many jobs were launched or dispatched from a job."""
    job = find_job(run, name)
    found = len(run.world.state.list_children(job.namespace, job.id))
    _expect_count(run, count, found, "children", "of", name)


@statement("expect COUNT versions of NAME")
def expect_versions(run: Run, count: int, name: str) -> None:
    """So many versions of a job are kept."""
    job = find_job(run, name)
    found = len(run.world.state.list_job_versions(job.namespace, job.id))
    _expect_count(run, count, found, "versions", "of", name)


@statement("expect COUNT entries")
def expect_entries(run: Run, count: int) -> None:
    """So many entries of the log were written."""
    _expect_count(run, count, run.world.state.latest_index - run.marked_at, "entries")


@statement("expect COUNT acts ACT")
def expect_acts(run: Run, count: int, name: str) -> None:
    """So many acts of a name were taken: expect 2 acts SubmitPlan."""
    _expect_count(run, count, run.count_acts(name), "acts", name)


@statement("expect refused TEXT")
def expect_refused(run: Run, text: str) -> None:
    """The last request of an operator was refused with words that contain a text."""
    error = run.world.reply.error
    run.hear_refusal()
    found = text if text in error else error
    run.expect(f"refused {shlex.quote(text)}", f"refused {shlex.quote(found)}")


@statement("expect accepted")
def expect_accepted(run: Run) -> None:
    """The last request of an operator was not refused."""
    error = run.world.reply.error
    run.hear_refusal()
    run.expect("accepted", f"refused {shlex.quote(error)}" if error else "accepted")


@statement("expect answer TEXT")
def expect_answer(run: Run, text: str) -> None:
    """The last request of an operator was answered by a text."""
    run.expect(f"answer {shlex.quote(text)}", f"answer {shlex.quote(run.world.reply.says)}")


@statement("expect promises kept")
def expect_promises(run: Run) -> None:
    """Every promise that a cluster makes to its users is kept: see the page on scenarios."""
    run.expect("promises kept", "; ".join(list_broken(run.world)) or "promises kept", is_exact=False)
