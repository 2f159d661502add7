"""Judges the recordings of job registration: defaults, admission, updates, changes of what a job says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from nomadspec.checkers.oracle.compare import Rules, compare
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.families.wording import word_error
from nomadspec.checkers.oracle.judgement import Difference, Judge
from nomadspec.checkers.oracle.shape import Whole, read_shape
from nomadspec.model.cluster.admission.admission import admit
from nomadspec.model.cluster.admission.api_defaults import fill_api_defaults
from nomadspec.model.cluster.admission.complaint import Complaint
from nomadspec.model.cluster.admission.job_update import find_update_refusal
from nomadspec.model.cluster.admission.spec_change import is_spec_changed
from nomadspec.model.cluster.admission.surroundings import Surroundings
from nomadspec.model.cluster.codec import read, write
from nomadspec.model.cluster.entities import Job

_SURROUNDINGS: Final = Surroundings(node_pools=frozenset({"default", "all", "mills", "docks"}))
"""What the recorded server had."""

_GROUP_RULES: Final[Rules] = (
    ("TaskGroups[].Update", "OBJ-101"),
    ("TaskGroups[].Migrate", "OBJ-110"),
    ("TaskGroups[].ReschedulePolicy", "OBJ-104"),
    ("RestartPolicy", "OBJ-108"),
    ("TaskGroups[].Disconnect", "OBJ-112"),
    ("TaskGroups[].Scaling", "OBJ-116"),
    ("TaskGroups[].Count", "OBJ-070"),
    ("Resources", "OBJ-122"),
    ("Constraints", "OBJ-039"),
    ("Identity", "OBJ-038"),
    ("Tasks", "OBJ-120"),
    ("TaskGroups", "OBJ-070"),
    ("Update", "OBJ-050"),
    ("Priority", "OBJ-031"),
    ("Periodic", "OBJ-140"),
)
_ADMISSION_RULES: Final[Rules] = (
    *_GROUP_RULES,
    ("accepted", "JOB-02"),
    ("error", "JOB-02"),
    ("warnings", "JOB-02"),
    ("", "OBJ-030"),
)
_API_RULES: Final[Rules] = (*_GROUP_RULES, ("", "OBJ-430"))


class AdmissionVector(msgspec.Struct, frozen=True):
    """One recording: a job that is registered, and what was altered to make it."""

    id: str
    type: str
    bare: bool
    changes: list[str]
    job: dict[str, Any]
    error: str = ""
    warnings: list[str] = []


_ASKED: Final = frozenset({"id", "type", "bare", "changes", "job"})


class UpdateVector(msgspec.Struct, frozen=True):
    """One recording: a job that is registered over another."""

    id: str
    old: dict[str, Any] | None
    new: dict[str, Any]
    enforce_index: bool
    job_modify_index: Whole
    error: str | None


class ChangeVector(msgspec.Struct, frozen=True):
    """One recording: two jobs of which one is registered over the other."""

    id: str
    old: dict[str, Any] | None
    new: dict[str, Any]
    changed: bool


class DefaultsVector(msgspec.Struct, frozen=True):
    """One recording: a job in the form of the HTTP API."""

    id: str
    job: dict[str, Any]
    result: dict[str, Any]


def judge_admission(vector: Mapping[str, Any], context: Context) -> Iterator[Difference]:
    """Take a job through admission."""
    shape = read_shape(AdmissionVector, vector)
    admission = admit(_read_job(shape.job, shape.id, context), _SURROUNDINGS)
    model: dict[str, Any] = {"accepted": admission.is_accepted}
    if admission.is_accepted:
        model["result"] = write(admission.job)
        model["warnings"] = _word_warnings(shape.warnings, admission.warnings)
    else:
        model["error"] = word_error(shape.error, admission.errors, context)
    told = {
        key: value for key, value in vector.items() if key not in {"id", "type", "bare", "changes", "job"}
    }
    yield from compare(told, model, rules=_ADMISSION_RULES)


def judge_update(vector: Mapping[str, Any], context: Context) -> Iterator[Difference]:
    """Register a job over another."""
    shape = read_shape(UpdateVector, vector)
    stored = _read_job(shape.old, shape.id, context) if shape.old is not None else None
    index = shape.job_modify_index if shape.enforce_index else None
    refusal = find_update_refusal(stored, _read_job(shape.new, shape.id, context), index)
    rule = "JOB-04" if shape.enforce_index else "JOB-03"
    yield from compare(vector["error"], refusal, "error", (("error", rule),))


def judge_change(vector: Mapping[str, Any], context: Context) -> Iterator[Difference]:
    """Compare what two jobs say."""
    shape = read_shape(ChangeVector, vector)
    stored = _read_job(shape.old, shape.id, context) if shape.old is not None else None
    changed = is_spec_changed(stored, _read_job(shape.new, shape.id, context))
    yield from compare(vector["changed"], changed, "changed", (("changed", "OBJ-042"),))


def judge_defaults(vector: Mapping[str, Any], _: Context) -> Iterator[Difference]:
    """Fill in what the HTTP API fills in."""
    shape = read_shape(DefaultsVector, vector)
    yield from compare(vector["result"], fill_api_defaults(shape.job), "result", _API_RULES)


def _read_job(raw: Mapping[str, Any], source: str, context: Context) -> Job:
    unknown: list[str] = []
    job = read(Job, raw, unknown, source=source)
    for path in unknown:
        context.note(f"the model knows no field {path} of jobs")
    return job


def _word_warnings(recorded: Sequence[str], warnings: Sequence[Complaint]) -> list[str]:
    """Give the warnings, in the order of the recording if they are the same."""
    worded = [warning.render() for warning in warnings]
    return list(recorded) if Counter(worded) == Counter(recorded) else worded


JUDGES: Final[Mapping[str, Judge]] = {
    "admission": judge_admission,
    "api-defaults": judge_defaults,
    "job-update": judge_update,
    "spec-changed": judge_change,
}
