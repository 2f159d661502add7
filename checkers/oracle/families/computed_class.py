"""Judges the recordings of classes of nodes: what enters them, what escapes them, what is learnt of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from nomadspec.checkers.oracle.compare import Rules, compare
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import ABSENT, Difference, Judge
from nomadspec.checkers.oracle.shape import read_entity, read_shape
from nomadspec.model.cluster.constraints.computed_class import compute_class
from nomadspec.model.cluster.constraints.eligibility import ClassEligibility, learn_nothing
from nomadspec.model.cluster.constraints.escape import is_escaping, is_group_escaped, is_job_escaped
from nomadspec.model.cluster.entities import Job, Node

_PAIR_RULES: Final[Rules] = (("", "FEAS-16"),)
_ESCAPE_RULES: Final[Rules] = (("has_escaped", "FEAS-25"), ("", "FEAS-19"))
_ELIGIBILITY_RULES: Final[Rules] = (("ops", "FEAS-20"), ("", "FEAS-25"))


class PairVector(msgspec.Struct, frozen=True):
    """Two nodes, and what the server called their classes."""

    id: str
    a: dict[str, Any]
    b: dict[str, Any]
    class_a: str
    class_b: str


class EscapeVector(msgspec.Struct, frozen=True):
    """A job whose constraints may escape."""

    id: str
    job: dict[str, Any]


class SetJob(msgspec.Struct, frozen=True, tag_field="op", tag="set-job", rename={"node_class": "class"}):
    """A class is noted for the job."""

    node_class: str
    eligible: bool


class SetGroup(msgspec.Struct, frozen=True, tag_field="op", tag="set-group", rename={"node_class": "class"}):
    """A class is noted for a group."""

    group: str
    node_class: str
    eligible: bool


class JobStatus(
    msgspec.Struct, frozen=True, tag_field="op", tag="job-status", rename={"node_class": "class"}
):
    """What is known of a class is asked for the job."""

    node_class: str


class GroupStatus(
    msgspec.Struct, frozen=True, tag_field="op", tag="group-status", rename={"node_class": "class"}
):
    """What is known of a class is asked for a group."""

    group: str
    node_class: str


class EligibilityVector(msgspec.Struct, frozen=True):
    """A job, and what is noted and asked during one attempt."""

    id: str
    job: dict[str, Any]
    ops: list[SetJob | SetGroup | JobStatus | GroupStatus]


def judge_pair(vector: Mapping[str, Any], context: Context) -> Iterator[Difference]:
    """Compare the classes of two nodes; what they are called is the server's own affair."""
    shape = read_shape(PairVector, vector)
    nodes = [read_entity(Node, raw, context, shape.id) for raw in (shape.a, shape.b)]
    same = compute_class(nodes[0]) == compute_class(nodes[1])
    yield from compare(vector.get("same", ABSENT), same, "same", _PAIR_RULES)
    if (shape.class_a == shape.class_b) != same:
        yield Difference("class_b", shape.class_b, "the other's" if same else "a class of its own", "FEAS-16")


def judge_escape(vector: Mapping[str, Any], context: Context) -> Iterator[Difference]:
    """Ask which constraints and groups of a job escape."""
    shape = read_shape(EscapeVector, vector)
    job = read_entity(Job, shape.job, context, shape.id)
    model = {
        "job_constraints_escaped": [
            position for position, constraint in enumerate(job.constraints) if is_escaping(constraint)
        ],
        "job_escaped": is_job_escaped(job),
        "groups_escaped": {group.name: is_group_escaped(group) for group in job.task_groups},
        "has_escaped": learn_nothing(job).has_escaped(),
    }
    told = {key: value for key, value in vector.items() if key not in EscapeVector.__struct_fields__}
    yield from compare(told, model, rules=_ESCAPE_RULES)


def judge_eligibility(vector: Mapping[str, Any], context: Context) -> Iterator[Difference]:
    """Note and ask what was noted and asked of the server."""
    shape = read_shape(EligibilityVector, vector)
    known = learn_nothing(read_entity(Job, shape.job, context, shape.id))
    for position, (operation, recorded) in enumerate(zip(shape.ops, vector["ops"], strict=True)):
        answer: object = ABSENT
        match operation:
            case SetJob(node_class=node_class, eligible=eligible):
                known = known.with_job_class(node_class, is_eligible=eligible)
            case SetGroup(group=group, node_class=node_class, eligible=eligible):
                known = known.with_group_class(group, node_class, is_eligible=eligible)
            case JobStatus(node_class=node_class):
                answer = str(known.find_for_job(node_class))
            case GroupStatus(group=group, node_class=node_class):
                answer = str(known.find_for_group(group, node_class))
        told = recorded.get("answer", ABSENT)
        yield from compare(told, answer, f"ops[{position}].answer", _ELIGIBILITY_RULES)
    yield from _compare_summary(vector, known)


def _compare_summary(vector: Mapping[str, Any], known: ClassEligibility) -> Iterator[Difference]:
    classes = dict(known.compute_classes())
    yield from compare(vector.get("classes", ABSENT), classes, "classes", _ELIGIBILITY_RULES)
    yield from compare(
        vector.get("has_escaped", ABSENT), known.has_escaped(), "has_escaped", _ELIGIBILITY_RULES
    )


JUDGES: Final[Mapping[str, Judge]] = {
    "pairs": judge_pair,
    "escape": judge_escape,
    "eligibility": judge_eligibility,
}
