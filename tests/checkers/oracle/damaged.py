"""Corrupts the recordings of clusters: one value of one file, in a copy of the folder."""

import json
import lzma
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nomadspec.checkers.oracle.check import judge_trace
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.corrupt import corrupt, list_places
from nomadspec.checkers.oracle.paths import list_steps
from nomadspec.checkers.oracle.sides import put
from nomadspec.model.errors import UnreadableError
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.recorded import UNREADABLE

TABLES = ("Nodes", "Jobs", "JobVersions", "JobSummaries", "Evals", "Allocs", "Deployments", "Indexes")
_STRIDE = 7919
"""A prime, by which places far from one another are visited."""


def judge_corrupted(folder: Path, name: str, where: Path, count: int) -> Iterator[tuple[str, str]]:
    """Judge a recorded cluster, each time with one answer of a file corrupted."""
    copy = Path(shutil.copytree(folder, where / folder.name))
    packed = copy / f"{name}.xz"
    lines = lzma.decompress(packed.read_bytes()).decode().splitlines()
    packed.unlink()
    places = [
        (at, path, value) for at, line in enumerate(lines) for path, value in _list_answers(json.loads(line))
    ]
    for number in range(count):
        at, path, value = places[number * _STRIDE % len(places)]
        changed = [
            corruption for corruption in corrupt(value, (), path, seed=number) if not _is_zero(corruption)
        ]
        for how, after in changed[:1]:
            document = put(json.loads(lines[at]), list(list_steps(path)), after)
            (copy / name).write_text("\n".join([*lines[:at], json.dumps(document), *lines[at + 1 :]]))
            yield f"{name}[{at}].{path} {how}: {value} -> {after}", _rule_on(copy)


def _rule_on(folder: Path) -> str:
    try:
        return judge_trace(folder, Context(NOMAD_2_0)).ruling
    except UnreadableError:
        return UNREADABLE


def _list_answers(document: Any) -> Iterator[tuple[str, Any]]:
    """List what the server said: the tables of its state, or what an event carries."""
    for path, value in list_places(document):
        is_answer = path.startswith(TABLES) or path.startswith("Events[")
        if is_answer and not isinstance(value, (dict, list)):
            yield path, value


def _is_zero(corruption: tuple[str, Any]) -> bool:
    return not corruption[1]
