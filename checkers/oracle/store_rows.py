"""Rows of the state store in the form of recordings: how they are read, named and written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec

from nomadspec.checkers.oracle.judgement import Unsupported
from nomadspec.model.cluster.codec import read, write
from nomadspec.model.cluster.codec.shape import list_fields
from nomadspec.model.cluster.entities import Allocation
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.requests import EvalDelete
from nomadspec.model.cluster.store.tables import (
    CONFIGURATION,
    CONFIGURATION_KEY,
    JOB_VERSIONS,
    TABLES,
    RowKey,
    Table,
)
from nomadspec.model.errors import InputError

_JOB_STUB: Final = (
    "Namespace",
    "ID",
    "Version",
    "Status",
    "Stop",
    "CreateIndex",
    "ModifyIndex",
    "JobModifyIndex",
)
"""What is recorded of the job that an allocation carries."""

_VERSION: Final = "Version"


def read_rows(tables: Mapping[str, Sequence[Mapping[str, Any]]], path: str) -> dict[str, Any]:
    """Read rows as what a state is built of; the tables bear the names of recordings."""
    arguments: dict[str, Any] = {}
    for name, rows in tables.items():
        table = find_table(name, path)
        read_all = [read(table.record, row, source=f"{path}.{name}") for row in rows]
        arguments[table.attribute] = read_all if table.members else read_all[-1]
    return arguments


def find_table(name: str, path: str) -> Table:
    """Find a table by the name that recordings give it."""
    table = TABLES.get(name)
    if table is None:
        raise InputError(path, f"there is no table {name!r}")
    return table


def name_row(table: str, row: Mapping[str, Any]) -> str:
    """Name a row as recordings do: by its key, whose parts slashes and the version's @ join."""
    members = find_table(table, table).members
    if not members:
        return CONFIGURATION_KEY
    for member in members:
        if not isinstance(row.get(member, ""), str | int):
            raise InputError(f"tables.{table}", "a key is a text or a number", at=member)
    name = "/".join(str(row.get(member, "")) for member in members if member != _VERSION)
    return f"{name}@{row.get(_VERSION, 0)}" if _VERSION in members else name


def name_record(table: str, row: msgspec.Struct) -> str:
    """Name an object as recordings name its row."""
    return name_row(table, {wire: getattr(row, attribute) for wire, attribute in _list_key_members(table)})


@cache
def _list_key_members(table: str) -> tuple[tuple[str, str], ...]:
    """List the members of a key, with the attributes that hold them."""
    attributes = {field.wire: field.attribute for field in list_fields(TABLES[table].record)}
    return tuple((member, attributes[member]) for member in TABLES[table].members)


def spell_key(key: RowKey) -> str:
    """Spell the key of a row as recordings do."""
    if isinstance(key, str):
        return key
    namespace, job_id, *version = key
    return f"{namespace}/{job_id}@{version[0]}" if version else f"{namespace}/{job_id}"


def write_row(state: State, table: str, key: RowKey) -> dict[str, Any] | None:
    """Write a row as recordings hold it; none where there is no such row."""
    row = find_row(state, table, key)
    if row is None:
        return None
    written = write(row)
    if isinstance(row, Allocation) and row.job is not None:
        job = write(row.job)
        written["Job"] = {member: job[member] for member in _JOB_STUB if member in job}
    return written


def demand_covered(request: msgspec.Struct) -> None:
    """Refuse to judge a request that lies outside the model.

    Spec: EVAL-47.
    """
    if isinstance(request, EvalDelete) and request.filter:
        raise Unsupported("the model does not select evaluations by a filter expression")


def find_row(state: State, table: str, key: RowKey) -> msgspec.Struct | None:
    """Find a row of a table by its key."""
    if table == CONFIGURATION:
        return state.configuration
    if table == JOB_VERSIONS and not isinstance(key, str):
        namespace, job_id, *version = key
        return state.find_job_version(namespace, job_id, int(version[0]))
    find: Callable[[RowKey], msgspec.Struct | None] = getattr(state, TABLES[table].attribute).get
    return find(key)
