"""Reads documents of a cluster, as its API answers them, without being told what each is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace

from nomadspec.checkers.oracle.folder_walk import list_bounded
from nomadspec.checkers.oracle.limits import LIMITS, Limits
from nomadspec.checkers.oracle.reading import find_file, read_document, read_lines, stem_of
from nomadspec.checkers.oracle.trace_log import LOG
from nomadspec.model.cluster.codec import read
from nomadspec.model.cluster.entities import (
    Allocation,
    AllocationStub,
    CSIPlugin,
    CSIVolume,
    Deployment,
    Evaluation,
    HostVolume,
    HostVolumeClaim,
    Job,
    Node,
    NodePool,
    SchedulerConfiguration,
)
from nomadspec.model.cluster.scheduler.snapshot import Snapshot
from nomadspec.model.cluster.store.state import State
from nomadspec.model.errors import InputError

Row = TypeVar("Row", bound=msgspec.Struct)
Document = Mapping[str, Any]
Test = Callable[[Document], bool]

_ENDINGS: Final = (".json", ".ndjson", ".gz", ".xz")


def _has(*names: str) -> Test:
    return lambda document: all(name in document for name in names)


def _has_list(name: str, *others: str) -> Test:
    return lambda document: isinstance(document.get(name), list) and _has(*others)(document)


def _has_map(name: str, *others: str) -> Test:
    return lambda document: isinstance(document.get(name), Mapping) and _has(*others)(document)


def _is_node_stub(document: Document) -> bool:
    return "SchedulingEligibility" in document and "Address" in document and "HTTPAddr" not in document


@dataclass(frozen=True, slots=True)
class Stub:
    """A short form, which holds too little to schedule by: what it is of, and where it stands."""

    record: type[Job | Node]
    name: str
    namespace: str
    id: str
    source: str
    at: str

    def is_of(self, row: msgspec.Struct) -> bool:
        """True if an object is that which this is the short form of."""
        if isinstance(row, Job) and self.record is Job:
            return (row.namespace, row.id) == (self.namespace, self.id)
        return isinstance(row, Node) and self.record is Node and row.id == self.id


_STUBS: Final[tuple[tuple[Test, type[Job | Node], str], ...]] = (
    (_has("JobSummary"), Job, "a job"),
    (_is_node_stub, Node, "a node"),
)
"""How short forms are told from the objects themselves."""

_OTHERS: Final = (
    _has("Capabilities", "Quota"),
    _has("JobID", "Summary", "Children"),
    _has("Annotations", "Diff", "JobModifyIndex"),
)
"""Answers that nothing is scheduled by: namespaces, summaries of jobs, and plans of jobs."""

_is_answer: Final = _has("path", "status", "body")
"""How an answer is known that was kept together with what was asked."""

_KINDS: Final[tuple[tuple[Test, type[msgspec.Struct]], ...]] = (
    (_has("TriggeredBy"), Evaluation),
    (_has("TaskGroup", "NodeID", "JobVersion"), AllocationStub),
    (_has("TaskGroup", "NodeID"), Allocation),
    (_has_map("TaskGroups", "JobVersion"), Deployment),
    (_has_list("TaskGroups"), Job),
    (_has("SchedulingEligibility"), Node),
    (_has("SchedulerAlgorithm", "PreemptionConfig"), SchedulerConfiguration),
    (_has("AllocID", "VolumeID"), HostVolumeClaim),
    (_has("PluginID", "CapacityBytes"), HostVolume),
    (_has("PluginID", "AccessMode"), CSIVolume),
    (_has("ControllersHealthy", "Nodes"), CSIPlugin),
    (_has("Name", "Description", "Meta"), NodePool),
)
"""How each kind of object is told from the others, the first that fits.

Spec: WIRE-139.
"""


class Documents:
    """The objects that were found, by what they are."""

    def __init__(self) -> None:
        """Begin with none."""
        self._stubs: list[Stub] = []
        self._rows: dict[type[msgspec.Struct], list[msgspec.Struct]] = {}

    @staticmethod
    def read(path: Path, limits: Limits = LIMITS) -> Documents:
        """Read all documents of a file, or of the files of a folder."""
        found = Documents()
        if find_file(path, LOG) is not None:
            problem = "this is a recording, and answers of the HTTP API are needed"
            raise InputError(str(path), problem, hint=f"`nomadspec replay {path}` shows what happened in it")
        for file in list_files(path, limits):
            for document in read_each(file, limits):
                found.take(document, str(file))
        return found

    def find_all(self, record: type[Row]) -> list[Row]:
        """List the objects of a kind as they came."""
        return [row for row in self._rows.get(record, ()) if isinstance(row, record)]

    def take(self, document: object, source: str, at: str = "") -> None:
        """Take a document, or all that it holds; `at` is its place in the source."""
        waiting = [(document, at)]
        while waiting:
            part, place = waiting.pop()
            inside: list[tuple[object, str]] = []
            if isinstance(part, list):
                inside = [(each, f"{place}[{position}]") for position, each in enumerate(part)]
            elif isinstance(part, Mapping) and part:
                inside = self._take_object(part, source, place)
            waiting.extend(reversed(inside))

    def _take_object(self, document: Document, source: str, at: str) -> list[tuple[object, str]]:
        """Take an object; of one that only holds others give these with their places."""
        if any(is_other(document) for is_other in _OTHERS):
            return []
        if _is_answer(document):
            return [(document["body"], f"{at}.body".lstrip("."))]
        for is_stub, record, name in _STUBS:
            if is_stub(document):
                key = (str(document.get("Namespace", "")), str(document.get("ID", "")))
                self._stubs.append(Stub(record, name, *key, source, at))
                return []
        kind = next((record for test, record in _KINDS if test(document)), None)
        if kind is not None:
            self._rows.setdefault(kind, []).append(_read_at(kind, document, source, at))
            return []
        inside = {name: part for name, part in document.items() if isinstance(part, list | Mapping)}
        if not inside:
            members = ", ".join(list(document)[:4])
            hint = "remove it: nodes, jobs, allocations and the like are needed"
            raise InputError(source, f"this object, with {members}, is of no known kind", at=at, hint=hint)
        return [(part, f"{at}.{name}".lstrip(".")) for name, part in inside.items()]

    def build_snapshot(self) -> Snapshot:
        """Build the state that the documents show.

        A job that is there in several versions is current in the newest of them. Short forms are passed over
        where the objects themselves are there as well.
        """
        self._refuse_stubs()
        jobs = self.find_all(Job)
        newest: dict[tuple[str, str], Job] = {}
        for job in sorted(jobs, key=lambda job: (job.create_index, job.version)):
            newest[job.namespace, job.id] = job
        configurations = self.find_all(SchedulerConfiguration)
        state = State.of(
            nodes=self.find_all(Node),
            jobs=newest.values(),
            job_versions=jobs,
            evals=self.find_all(Evaluation),
            allocs=[self._give_job(alloc, jobs, newest) for alloc in self._list_allocs()],
            deployments=self.find_all(Deployment),
            node_pools=self.find_all(NodePool),
            configuration=configurations[-1] if configurations else None,
        )
        return Snapshot.of(
            state,
            host_volumes=self.find_all(HostVolume),
            host_volume_claims=self.find_all(HostVolumeClaim),
            csi_volumes=self.find_all(CSIVolume),
            csi_plugins=self.find_all(CSIPlugin),
        )

    def _refuse_stubs(self) -> None:
        for stub in self._stubs:
            if not any(map(stub.is_of, self._rows.get(stub.record, ()))):
                problem = f"this is only the short form of {stub.name}, as lists have it"
                path = "/v1/job/ID" if stub.record is Job else "/v1/node/ID"
                hint = f"fetch each one by its ID: nomad operator api {path}"
                raise InputError(stub.source, problem, at=stub.at, hint=hint)

    def _list_allocs(self) -> Iterator[tuple[Allocation, int | None]]:
        whole = {alloc.id for alloc in self.find_all(Allocation)}
        for stub in self.find_all(AllocationStub):
            if stub.id in whole:
                continue
            if stub.allocated_resources is None:
                raise InputError(
                    stub.id,
                    "this is only the short form of an allocation, and it lacks its resources",
                    hint="fetch the list again: nomad operator api '/v1/allocations?resources=true'",
                )
            yield _expand(stub), stub.job_version
        for alloc in self.find_all(Allocation):
            yield alloc, None

    def _give_job(
        self,
        found: tuple[Allocation, int | None],
        jobs: list[Job],
        newest: Mapping[tuple[str, str], Job],
    ) -> Allocation:
        """Put an allocation together with its job where it came without."""
        alloc, version = found
        if alloc.job is not None:
            return alloc
        key = (alloc.namespace, alloc.job_id)
        same = (job for job in jobs if (job.namespace, job.id, job.version) == (*key, version))
        return replace(alloc, job=next(same, newest.get(key)))


def _read_at(kind: type[msgspec.Struct], document: Document, source: str, at: str) -> msgspec.Struct:
    """Read an object; what is wrong in it is told with its place in the source."""
    try:
        return read(kind, document, source=source)
    except InputError as error:
        raise InputError(source, error.problem, at=f"{at}.{error.at}".strip("."), hint=error.hint) from None


def _expand(stub: AllocationStub) -> Allocation:
    known = set(Allocation.__struct_fields__)
    fields = {name: value for name, value in msgspec.structs.asdict(stub).items() if name in known}
    return Allocation(**fields)


def list_files(path: Path, limits: Limits = LIMITS) -> list[Path]:
    """List the files of a folder that hold documents; a file stands for itself."""
    if not path.is_dir():
        return [path]
    return [each for each in list_bounded(path, limits) if each.suffix in _ENDINGS]


def read_each(path: Path, limits: Limits = LIMITS) -> Iterator[object]:
    """Read the JSON documents of a file: one, or one a line."""
    if path.name.removesuffix(".gz").removesuffix(".xz").endswith(".ndjson"):
        for line in read_lines(path, limits):
            yield line.document
    elif path.is_dir():
        raise InputError(stem_of(path), "this is a folder inside a folder")
    else:
        yield read_document(path, limits)
