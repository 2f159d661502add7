"""Reads a recorded call of a scheduler: the snapshot, the choices and what came out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast

import msgspec
from msgspec.structs import replace

from nomadspec.checkers.oracle.shape import Whole, read_shape
from nomadspec.model.cluster.codec import read
from nomadspec.model.cluster.entities import (
    Allocation,
    CSIPlugin,
    CSIVolume,
    Deployment,
    Evaluation,
    HostVolume,
    HostVolumeClaim,
    Job,
    Node,
    NodePool,
    Plan,
    SchedulerConfiguration,
)
from nomadspec.model.cluster.scheduler.choices import ReplayedChoices
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.cluster.store.state import State
from nomadspec.model.errors import InputError

Row = TypeVar("Row", bound=msgspec.Struct)
Raw = Mapping[str, Any]

_JOB_REF: Final = "JobRef"
_TIME_END_NS: Final = 2**63
_SCHEDULERS: Final = ("service", "batch", "system", "sysbatch")


class Choices(msgspec.Struct, frozen=True):
    """What was left to chance, in the order in which it was drawn."""

    node_orders: list[list[str]] | None = None
    map_order: str = "asc"
    dynamic_ports: list[Whole] | None = None
    ids: list[str] | None = None

    def replay(self) -> ReplayedChoices:
        """Make the choices again."""
        if self.map_order not in {"asc", "desc"}:
            raise InputError("the recording", "an order of maps is asc or desc", at="choices.map_order")
        return ReplayedChoices(
            node_orders=self.node_orders or (),
            is_descending=self.map_order == "desc",
            ports=self.dynamic_ports or (),
            ids=self.ids,
        )


class Result(msgspec.Struct, frozen=True, rename="pascal", forbid_unknown_fields=True):
    """What the applier took of a plan, by the IDs of its allocations."""

    node_update: dict[str, list[str]] | None = None
    node_allocation: dict[str, list[str]] | None = None
    node_preemptions: dict[str, list[str]] | None = None
    rejected_nodes: list[str] | None = None
    alloc_index: Whole = 0
    refresh_index: Whole = 0
    deployment: bool = False
    deployment_updates: Whole = 0
    new_allocs: list[str] | None = None


class Submission(msgspec.Struct, frozen=True):
    """A plan and what came back for it."""

    plan: dict[str, Any]
    result: Result | None = None
    error: str | None = None
    state_after: dict[str, Any] | None = None


class RecordedOutcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that one call did."""

    plans: list[Submission] | None = None
    created_evals: list[dict[str, Any]] | None = None
    updated_evals: list[dict[str, Any]] | None = None
    reblocked_evals: list[dict[str, Any]] | None = None
    error: str | None = None


class Vector(msgspec.Struct, frozen=True):
    """One recorded call, as it is written down."""

    id: str
    scheduler: str
    now_ns: Whole
    state: dict[str, Any]
    eval: dict[str, Any]
    choices: Choices
    outcome: RecordedOutcome
    jobs: list[dict[str, Any]] | None = None
    format: str = ""
    tags: list[str] | None = None


def read_vector(document: Raw) -> Vector:
    """Read a recording; what it means is read by the functions below."""
    vector = read_shape(Vector, document)
    if vector.scheduler not in _SCHEDULERS:
        raise InputError(vector.id, f"there is no scheduler {vector.scheduler!r}", at="scheduler")
    if abs(vector.now_ns) >= _TIME_END_NS:
        raise InputError(vector.id, "a time is a 64-bit number of nanoseconds", at="now_ns")
    return vector


def read_row(record: type[Row], raw: object, at: str, unknown: list[str] | None = None) -> Row:
    """Read an object at a place of the recording; the places of unknown members are noted."""
    odd: list[str] = []
    try:
        row = read(record, raw, odd)
    except InputError as error:
        raise InputError("the recording", error.problem, at=f"{at}.{error.at}".rstrip(".")) from None
    if unknown is not None:
        unknown.extend(f"{at}.{path}" for path in odd)
    return row


@dataclass(frozen=True, slots=True)
class Jobs:
    """The job documents that the rest of a recording points to."""

    documents: Sequence[Job]

    @staticmethod
    def of(vector: Vector) -> Jobs:
        """Read the documents of a recording."""
        return Jobs([read_row(Job, raw, f"jobs[{at}]") for at, raw in enumerate(vector.jobs or ())])

    def find(self, raw: Raw, at: str) -> Job | None:
        """Find the job that an object points to; None when it points to none."""
        number = raw.get(_JOB_REF)
        if number is None:
            return None
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(self.documents):
            raise InputError("the recording", f"there is no job document {number!r}", at=f"{at}.{_JOB_REF}")
        return self.documents[number]

    def read_alloc(self, raw: object, at: str, unknown: list[str] | None = None) -> Allocation:
        """Read an allocation together with the job that it points to."""
        fields = _as_map(raw, at)
        job = self.find(fields, at)
        rest = {name: value for name, value in fields.items() if name != _JOB_REF}
        alloc = read_row(Allocation, rest, at, unknown)
        return replace(alloc, job=job) if job is not None else alloc

    def read_plan(self, raw: Raw, at: str, unknown: list[str]) -> Plan:
        """Read a plan together with the jobs that it and its allocations point to."""
        by_node = ("NodeUpdate", "NodeAllocation", "NodePreemptions")
        rest = {name: value for name, value in raw.items() if name not in {*by_node, _JOB_REF}}
        plan = read_row(Plan, rest, at, unknown)
        update, allocation, preemptions = (
            self._read_by_node(raw.get(name), f"{at}.{name}", unknown) for name in by_node
        )
        return replace(
            plan,
            job=self.find(raw, at),
            node_update=update,
            node_allocation=allocation,
            node_preemptions=preemptions,
        )

    def _read_by_node(self, raw: object, at: str, unknown: list[str]) -> Mapping[str, tuple[Allocation, ...]]:
        return {
            node_id: tuple(
                self.read_alloc(each, f"{at}.{node_id}[{position}]", unknown)
                for position, each in enumerate(_as_list(allocs, f"{at}.{node_id}"))
            )
            for node_id, allocs in _as_map(raw or {}, at).items()
        }


def _as_map(raw: object, at: str) -> Raw:
    if not isinstance(raw, Mapping):
        raise InputError("the recording", "an object belongs here", at=at)
    return raw


def _as_list(raw: object, at: str) -> Sequence[Any]:
    if raw is not None and not isinstance(raw, list):
        raise InputError("the recording", "a list belongs here", at=at)
    return raw or ()


@dataclass(slots=True)
class Tables:
    """A recorded state as rows by key, so that a difference can be laid over it."""

    jobs: Jobs
    rows: dict[str, dict[str, msgspec.Struct]]
    configuration: SchedulerConfiguration | None = None
    index: int = 0

    @staticmethod
    def of(vector: Vector, jobs: Jobs) -> Tables:
        """Read the state that the scheduler was given."""
        tables = Tables(jobs, {name: {} for name in _TABLES})
        tables.lay_over(vector.state, "state")
        return tables

    def lay_over(self, raw: Raw, at: str) -> None:
        """Put new forms of rows in place, and take away what vanished."""
        for name, (read_one, key_of) in _TABLES.items():
            for position, each in enumerate(_as_list(raw.get(name), f"{at}.{name}")):
                row = read_one(self.jobs, each, f"{at}.{name}[{position}]")
                self.rows[name][key_of(row)] = row
        for name, keys in _as_map(raw.get("deleted") or {}, f"{at}.deleted").items():
            for key in _as_list(keys, f"{at}.deleted.{name}"):
                self._delete(name, key, f"{at}.deleted.{name}")
        if raw.get("scheduler_config") is not None:
            place = f"{at}.scheduler_config"
            self.configuration = read_row(SchedulerConfiguration, raw["scheduler_config"], place)
        index = raw.get("index", self.index)
        if not isinstance(index, int) or isinstance(index, bool):
            raise InputError("the recording", "an index is a whole number", at=f"{at}.index")
        self.index = index

    def _delete(self, name: str, key: object, at: str) -> None:
        if name not in self.rows or not isinstance(key, str):
            raise InputError("the recording", "there is no such table or key", at=at)
        rows = self.rows[name]
        self.rows[name] = {kept: row for kept, row in rows.items() if key not in {kept, _find_id(row)}}

    def build(self) -> Snapshot:
        """Build the snapshot."""
        state = State.of(
            nodes=self._list("nodes", Node),
            jobs=self._list("job_table", Job),
            job_versions=self._list("job_versions", Job),
            evals=self._list("evals", Evaluation),
            allocs=self._list("allocs", Allocation),
            deployments=self._list("deployments", Deployment),
            node_pools=self._list("node_pools", NodePool),
            configuration=self.configuration,
            index=self.index,
        )
        return Snapshot.of(
            state,
            host_volumes=self._list("host_volumes", HostVolume),
            host_volume_claims=self._list("host_volume_claims", HostVolumeClaim),
            csi_volumes=self._list("csi_volumes", CSIVolume),
            csi_plugins=self._list("csi_plugins", CSIPlugin),
        )

    def _list(self, name: str, record: type[Row]) -> Iterable[Row]:
        return [row for row in self.rows[name].values() if isinstance(row, record)]


def _read_as(record: type[msgspec.Struct]) -> Callable[[Jobs, object, str], msgspec.Struct]:
    return lambda _, raw, at: read_row(record, raw, at)


def _read_job(jobs: Jobs, raw: object, at: str) -> Job:
    job = jobs.find(_as_map(raw, at), at)
    if job is None:
        raise InputError("the recording", "a row of this table points to a job document", at=at)
    return job


def _by_id(row: Any) -> str:  # noqa: ANN401 -- any row with an ID
    return cast("str", row.id)


def _by_name(row: Any) -> str:  # noqa: ANN401 -- any row with a name
    return cast("str", row.name)


def _by_namespace(row: Any) -> str:  # noqa: ANN401 -- any row with a namespace and an ID
    return f"{row.namespace}/{row.id}"


def _find_id(row: Any) -> str:  # noqa: ANN401 -- any row, with an ID or without
    return cast("str", getattr(row, "id", ""))


def _by_holder(row: Any) -> str:  # noqa: ANN401 -- a claim, whose ID nothing reads
    return f"{row.namespace}/{row.job_id}/{row.task_group_name}/{row.volume_id}"


def _by_version(row: Any) -> str:  # noqa: ANN401 -- a job
    return f"{row.namespace}/{row.id}/{row.version}"


_TABLES: Final[Mapping[str, tuple[Callable[[Jobs, object, str], msgspec.Struct], Callable[[Any], str]]]] = {
    "nodes": (_read_as(Node), _by_id),
    "job_table": (_read_job, _by_namespace),
    "job_versions": (_read_job, _by_version),
    "allocs": (Jobs.read_alloc, _by_id),
    "evals": (_read_as(Evaluation), _by_id),
    "deployments": (_read_as(Deployment), _by_id),
    "node_pools": (_read_as(NodePool), _by_name),
    "host_volumes": (_read_as(HostVolume), _by_namespace),
    "host_volume_claims": (_read_as(HostVolumeClaim), _by_holder),
    "csi_volumes": (_read_as(CSIVolume), _by_namespace),
    "csi_plugins": (_read_as(CSIPlugin), _by_id),
}
"""Each table with what reads its rows and what they are kept by."""
