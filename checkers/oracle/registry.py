"""Which families of recordings there are, and who judges them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Final

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Difference, Judge, Unsupported
from nomadspec.model.errors import UnknownNameError

FAMILIES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "alloc-names": ("cases",),
        "blocked": ("sequences",),
        "broker": ("sequences",),
        "computed-class": ("eligibility", "escape", "pairs"),
        "constraints": ("device-operands", "operands", "targets"),
        "deployment-watcher": ("sequences",),
        "fit-and-score": ("allocs-fit", "ports", "scores"),
        "gc": ("cases",),
        "job-admission": ("admission", "api-defaults", "job-update", "spec-changed"),
        "periodic": ("dispatcher", "next-launch"),
        "plan-applier": ("plans",),
        "reschedule": ("cases",),
        "scheduler": (),
        "state-store": ("sequences",),
        "tasks-updated": ("cases",),
    }
)
"""Each family with the kinds of recordings in it; without kinds, every file of the family is of one kind."""

DATA: Final = frozenset({("tasks-updated", "bases")})
"""Files that recordings refer to and that hold none themselves."""

FORMATS: Final[Mapping[str, str]] = MappingProxyType({"scheduler-vector/1": "scheduler"})
"""The family that a recording's own ``format`` names."""

_TRACES: Final = "nomadspec.checkers.oracle.trace"
_PACKAGE: Final = "nomadspec.checkers.oracle.families"


@dataclass(frozen=True, slots=True)
class Kind:
    """A family, and the kind of recordings inside it."""

    family: str
    kind: str

    @property
    def name(self) -> str:
        """Give both names as one, the way they are written on the command line."""
        return f"{self.family}/{self.kind}" if self.kind else self.family

    @property
    def is_data(self) -> bool:
        """True if such a file holds no recordings."""
        return (self.family, self.kind) in DATA


TRACE: Final = Kind("trace", "")
"""The recording of a whole cluster: a folder with a Raft log."""

TraceJudge = Callable[[Path, Context], Iterator[Difference]]
"""Yields the differences between what a cluster did and the model; ``trace.judge_folder`` is one."""


def find_kind_by_format(document: Mapping[str, object]) -> Kind | None:
    """Find of what kind a recording is that names its format."""
    family = FORMATS.get(str(document.get("format")))
    return None if family is None else find_kind(family, "")


def find_kind(family: str, stem: str) -> Kind | None:
    """Find what a family calls the recordings of a file; None where it knows no such file."""
    kinds = FAMILIES.get(family)
    if kinds is None:
        return None
    if (family, stem) in DATA or stem in kinds:
        return Kind(family, stem)
    if len(kinds) <= 1:
        return Kind(family, kinds[0] if kinds else "")
    return None


def read_kind(name: str) -> Kind:
    """Read what was asked for: ``FAMILY/FILE``, or ``FAMILY`` where it has one kind of recordings."""
    family, _, stem = name.partition("/")
    kind = find_kind(family, stem)
    if kind is None or kind.is_data:
        raise UnknownNameError("family of recordings", name, list_kinds())
    return kind


def list_kinds() -> tuple[str, ...]:
    """List all kinds of recordings, as ``FAMILY/FILE``."""
    return tuple(Kind(family, kind).name for family, kinds in FAMILIES.items() for kind in kinds or ("",))


def find_judge(kind: Kind) -> Judge:
    """Find who judges recordings of a kind."""
    module = f"{_PACKAGE}.{kind.family.replace('-', '_')}"
    judges: Mapping[str, Judge] = import_module(module).JUDGES if find_spec(module) else {}
    if kind.kind not in judges:
        raise Unsupported(f"the model does not cover {kind.name}")
    return judges[kind.kind]


def find_trace_judge() -> TraceJudge:
    """Find who judges the recordings of whole clusters."""
    if find_spec(_TRACES) is None:
        raise Unsupported("the model does not cover whole clusters")
    judge: TraceJudge = import_module(_TRACES).judge_folder
    return judge
