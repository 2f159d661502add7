"""What endpoints answer with: rows of a table, whole or in part, and the index that stands in the header."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import parse_qs, unquote

import msgspec

from nomadspec.checkers.oracle.plain_json import write_plain
from nomadspec.checkers.oracle.trace_tables import list_rows
from nomadspec.model.cluster.entities import Allocation, Job, JobSummary, Node
from nomadspec.model.cluster.entities.job import is_parameterized
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.tables import (
    ALLOCS,
    CONFIGURATION,
    DEPLOYMENTS,
    EVALS,
    JOB_SUMMARIES,
    JOB_VERSIONS,
    JOBS,
    NAMESPACES,
    NODE_POOLS,
    NODES,
)

_ALL: Final = "*"
_LISTS: Final[Mapping[str, tuple[str, ...]]] = {
    "evaluations": (EVALS,),
    "allocations": (ALLOCS,),
    "deployments": (DEPLOYMENTS,),
    "jobs": (JOBS, JOB_SUMMARIES),
    "nodes": (NODES,),
    "node/pools": (NODE_POOLS,),
    "namespaces": (NAMESPACES,),
}
"""What lists its rows: the first table, and all whose indexes are in the header."""
_OBJECTS: Final[Mapping[str, str]] = {
    "allocation/": ALLOCS,
    "deployment/": DEPLOYMENTS,
    "evaluation/": EVALS,
    "node/": NODES,
    "job/": JOBS,
}
_OF_A_JOB: Final[Mapping[str, str]] = {"versions": JOB_VERSIONS, "summary": JOB_SUMMARIES}
"""What is told of a job apart.

Spec: WIRE-062, WIRE-063.
"""
_LISTED_OF_A_JOB: Final = frozenset({"allocations", "deployment", "deployments", "evaluations"})
"""What of other tables is listed of a job, and not compared."""
_CONFIGURATION_PATH: Final = "operator/scheduler/configuration"
_STUBS: Final = frozenset({"allocations", "jobs", "nodes"})
"""The lists that show objects in part, and nothing of what they leave out.

Spec: WIRE-041, 11/S1.
"""


class Endpoint(msgspec.Struct, frozen=True):
    """What was asked for."""

    table: str
    name: str = ""
    """Of one object; nothing where all are listed."""
    namespace: str = _ALL
    is_stub: bool = False
    """Whether rows are shown in part."""
    tables: tuple[str, ...] = ()
    """The tables whose indexes stand in the header of a list."""

    def list_bodies(self, body: Any) -> list[Any]:  # noqa: ANN401 -- an answer
        """List the objects of an answer; some endpoints put them into an envelope."""
        if isinstance(body, Mapping) and self.table == JOB_VERSIONS:
            body = body.get("Versions")
        if isinstance(body, Mapping) and self.table == CONFIGURATION:
            body = body.get("SchedulerConfig")
        if isinstance(body, list):
            return body
        return [] if body is None else [body]

    def list_rows(self, state: State) -> Iterator[Any]:
        """List the rows of a state that belong to the answer.

        Spec: WIRE-011, WIRE-030, WIRE-050, WIRE-060, WIRE-062, WIRE-070.
        """
        if self.table == CONFIGURATION:
            yield from (state.configuration,) if state.configuration is not None else ()
        elif self.table == JOB_VERSIONS:
            yield from state.list_job_versions(self.namespace, self.name)
        elif self.name:
            row = _FIND[self.table](state, self.namespace, self.name)
            yield from (row,) if row is not None else ()
        else:
            for row in list_rows(state, self.table):
                if self.namespace in {_ALL, getattr(row, "namespace", _ALL)}:
                    yield row

    def find_index(self, state: State) -> int:
        """Find the index in the header of an answer.

        Spec: WIRE-020.
        """
        if self.tables:
            return max(state.indexes.get(table, 0) for table in self.tables)
        return max((row.modify_index for row in self.list_rows(state)), default=0)


_FIND: Final[Mapping[str, Callable[[State, str, str], Any]]] = {
    ALLOCS: lambda state, _, name: state.find_alloc(name),
    DEPLOYMENTS: lambda state, _, name: state.find_deployment(name),
    EVALS: lambda state, _, name: state.find_eval(name),
    NODES: lambda state, _, name: state.find_node(name),
    JOBS: lambda state, namespace, name: state.find_job(namespace, name),
    JOB_SUMMARIES: lambda state, namespace, name: state.job_summaries.get((namespace, name)),
}


def find_endpoint(path: str) -> Endpoint | None:
    """Find what a path asks for; nothing where no rows of tables are asked for."""
    bare, _, query = path.removeprefix("/v1/").partition("?")
    asked = parse_qs(query, keep_blank_values=True)
    if asked.keys() & {"filter", "prefix", "per_page", "next_token", "job", "status"}:
        return None
    namespace = asked.get("namespace", ["default"])[-1]
    if bare == _CONFIGURATION_PATH:
        return Endpoint(CONFIGURATION)
    if bare in _LISTS:
        tables = _LISTS[bare]
        is_namespaced = tables[0] not in {NODES, NODE_POOLS, NAMESPACES}
        return Endpoint(
            tables[0], "", namespace if is_namespaced else _ALL, is_stub=bare in _STUBS, tables=tables
        )
    return _find_object(bare, namespace)


def _find_object(bare: str, namespace: str) -> Endpoint | None:
    """Find the object that a path names; the ID of a job may hold slashes, as they are or encoded.

    Spec: WIRE-061.
    """
    start = next((start for start in _OBJECTS if bare.startswith(start)), None)
    if start is None:
        return None
    table, name = _OBJECTS[start], bare.removeprefix(start)
    if table == JOBS:
        job, _, end = name.rpartition("/")
        if job and end in _LISTED_OF_A_JOB:
            return None
        is_part = bool(job) and end in _OF_A_JOB
        table, name = (_OF_A_JOB[end], unquote(job)) if is_part else (JOBS, unquote(name))
    elif "/" in name:
        return None
    return Endpoint(table, name, namespace)


READ_BESIDE: Final[Mapping[str, type[msgspec.Struct]]] = {"JobSummary": JobSummary}
"""What of that is an object."""


def _show_summary(summary: JobSummary | None) -> Any:  # noqa: ANN401 -- what JSON can hold
    return None if summary is None else write_plain(summary)


SHOWN_BESIDE: Final[Mapping[type, Mapping[str, Callable[[Any, State], Any]]]] = {
    Allocation: {
        "JobType": lambda row, _: row.job.type if row.job else None,
        "JobVersion": lambda row, _: row.job.version if row.job else None,
    },
    Job: {
        "JobSummary": lambda row, state: _show_summary(state.find_job_summary(row.namespace, row.id)),
        "Periodic": lambda row, _: row.periodic is not None,
        "ParameterizedJob": lambda row, _: is_parameterized(row),
    },
    Node: {
        "Version": lambda row, _: row.attributes.get("nomad.version", ""),
    },
}
"""What a row is shown with in a list that is no member of it, or another one there.

Spec: WIRE-040, WIRE-060, WIRE-070.
"""
