"""Which rules of the specification a question asks: those of the functions that the model runs for it."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType, MappingProxyType
from typing import Any, Final

import nomadspec.model
from nomadspec.checkers.reference.docstrings import list_citing_parts

FAMILY_FILES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "alloc-names": ("policy/names",),
        "blocked": ("components/blocked",),
        "broker": ("components/broker",),
        "constraints": (
            "constraints/attributes",
            "constraints/devices",
            "constraints/op",
            "constraints/targets",
        ),
        "deployment-watcher": ("components/deployment",),
        "fit-and-score": ("resources/",),
        "plan-applier": ("components/plan_applier", "components/plan_error", "components/plan_node"),
        "reschedule": ("policy/disconnect", "policy/reschedule"),
        "scheduler": ("scheduler/",),
        "state-store": ("store/",),
    }
)
"""Each family that questions are made for, with where its part of the model is written."""

_CLUSTER: Final = "model/cluster/"
_MODULES: Final = "nomadspec.model.cluster"
_ROOT: Final = Path(nomadspec.model.__file__ or "").resolve().parents[1]


@cache
def list_family_rules(family: str) -> tuple[str, ...]:
    """List the rules that functions of a family's part of the model cite, in the order of the text."""
    files = tuple(f"{_CLUSTER}{start}" for start in FAMILY_FILES.get(family, ()))
    found = (
        rule
        for (file, _), rules in _list_cited().items()
        if files and file.startswith(files)
        for rule in rules
    )
    return tuple(dict.fromkeys(found))


@contextmanager
def note_rules() -> Iterator[set[str]]:
    """Note the rules of all functions of the model that are called inside."""
    asked: set[str] = set()
    seen: set[CodeType] = set()

    def look(frame: FrameType, event: str, _: Any) -> None:  # noqa: ANN401 -- what a profiler is given
        code = frame.f_code
        if event == "call" and code not in seen:
            seen.add(code)
            asked.update(_find_rules(code.co_filename, code.co_name))

    for forget in _list_remembering(len(sys.modules)):
        forget()
    before = sys.getprofile()
    sys.setprofile(look)
    try:
        yield asked
    finally:
        sys.setprofile(before)


@cache
def _list_remembering(_: int) -> tuple[Callable[[], None], ...]:
    """List what lets citing functions forget what they know: for what they remember none is called."""
    found: dict[int, Callable[[], None]] = {}
    for name, module in list(sys.modules.items()):
        if name.startswith(_MODULES):
            for member in list(vars(module).values()):
                forget, code = getattr(member, "cache_clear", None), _find_code(member)
                if forget is not None and code and _find_rules(code.co_filename, code.co_name):
                    found[id(member)] = forget
    return tuple(found.values())


def _find_code(member: object) -> CodeType | None:
    code: CodeType | None = getattr(getattr(member, "__wrapped__", None), "__code__", None)
    return code


@cache
def _find_rules(path: str, name: str) -> frozenset[str]:
    if _CLUSTER not in Path(path).as_posix():
        return frozenset()
    try:
        file = Path(path).resolve().relative_to(_ROOT).as_posix()
    except ValueError:
        return frozenset()
    return frozenset(_list_cited().get((file, name), ()))


@cache
def _list_cited() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """List what functions cite, by their file and name; those of one name in one file are taken together."""
    cited: defaultdict[tuple[str, str], tuple[str, ...]] = defaultdict(tuple)
    for part in list_citing_parts(_ROOT, (_CLUSTER,)):
        if _is_function(part.name):
            cited[part.file, part.name] += part.spec
    return MappingProxyType(dict(cited))


def _is_function(name: str) -> bool:
    return name.islower() and not name.startswith("__")
