"""Tells a history in lines that people can read and that leave nothing out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Final

from nomadspec.checkers.stateful.clusters.histories import (
    ChangeNode,
    Forget,
    History,
    Late,
    Promote,
    Register,
    Report,
    SetDeploymentStatus,
    Single,
    Step,
    Stop,
    Together,
    Wait,
)
from nomadspec.checkers.stateful.clusters.nodes import make_node
from nomadspec.model.cluster.codec import write
from nomadspec.model.cluster.entities import Job, Node, SchedulerConfiguration

_ALWAYS_SO: Final = frozenset({"Name", "Namespace", "NodePool"})
"""What is no choice in jobs that are made up."""


def tell(history: History) -> Iterator[str]:
    """Tell a history: what is set up, then what happens."""
    yield from tell_set_up(history)
    for number, step in enumerate(history.steps, 1):
        yield f"{number}. {tell_step(step)}"
    if history.seed:
        yield f"(chance: {history.seed})"


def tell_set_up(history: History) -> Iterator[str]:
    """Tell what there is before anything happens."""
    if history.configuration != SchedulerConfiguration():
        yield f"configuration {_as_json(write(history.configuration))}"
    for number, node in enumerate(history.nodes):
        yield f"node {number}: {tell_node(node)}"


def tell_node(node: Node) -> str:
    """Tell how a node differs from the usual one."""
    usual, own = write(make_node()), write(node)
    odd = {name: value for name, value in own.items() if usual.get(name) != value}
    return _as_json(odd) if odd else "the usual one"


def tell_step(step: Step, tell_registered: Callable[[Job], str] | None = None) -> str:
    """Tell what happens in a step; jobs whole, where nobody says how."""
    told = [_tell_single(each, tell_registered or tell_job) for each in list_singles(step)]
    match step:
        case Together():
            return f"before anybody looks: {'; '.join(told)}"
        case Late():
            return f"after everybody looked, before plans are judged: {'; '.join(told)}"
        case _:
            return told[0]


def list_singles(step: Step) -> tuple[Single, ...]:
    """List the single things that happen in a step."""
    return step.steps if isinstance(step, Together | Late) else (step,)


def _tell_single(step: Single, tell_registered: Callable[[Job], str]) -> str:
    match step:
        case Register(job):
            told = f"register {tell_registered(job)}"
        case Stop(which):
            told = f"stop job {which}"
        case Report(which, status, healthy):
            health = {None: "", True: ", healthy", False: ", unhealthy"}[healthy]
            told = f"living allocation {which} is {status}{health}"
        case ChangeNode(which, to):
            told = f"node {which}: {to}"
        case Promote():
            told = "promote canaries"
        case SetDeploymentStatus(to):
            told = f"active deployments are {to}"
        case Forget():
            told = "collect what has ended"
        case Wait(seconds):
            told = "1 second passes" if seconds == 1 else f"{seconds} seconds pass"
    return told


def tell_job(job: Job) -> str:
    """Tell what a job asks for."""
    return _as_json({name: value for name, value in write(job).items() if name not in _ALWAYS_SO})


def _as_json(value: object) -> str:
    return json.dumps(value, sort_keys=True)
