"""The locks in requirements/ cover what pyproject.toml asks for, with a hash for every file."""

import re
import tomllib
from typing import Any

import pytest

from tests.tidy.source import ROOT

LEVELS = {"run": "build", "test": "test", "dev": "dev"}
"""Which dependency group each lock adds to the project's own dependencies."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def read_lock(level: str) -> dict[str, str]:
    """Map the names of a lock to their entries."""
    text = (ROOT / "requirements" / f"{level}.txt").read_text()
    entries = re.split(r"\n(?=[A-Za-z0-9])", text)[1:]
    return {find_name(entry): entry for entry in entries}


def find_name(requirement: str) -> str:
    """Read the normalised name at the beginning of a requirement."""
    match = NAME.match(requirement)
    assert match, requirement
    return re.sub(r"[-_.]+", "-", match.group()).lower()


def list_wanted(project: dict[str, Any], group: str) -> set[str]:
    """List the names that pyproject.toml asks for with a group, the groups inside it included."""
    names = {find_name(requirement) for requirement in project["project"]["dependencies"]}
    for item in project["dependency-groups"][group]:
        names |= list_wanted(project, item["include-group"]) if isinstance(item, dict) else {find_name(item)}
    return names


@pytest.mark.parametrize("level", LEVELS)
def test_the_lock_covers_what_is_wanted(level: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    missing = sorted(list_wanted(project, LEVELS[level]) - set(read_lock(level)))

    assert not missing, f"run `python3 run.py lock`: requirements/{level}.txt lacks {', '.join(missing)}"


@pytest.mark.parametrize("level", LEVELS)
def test_every_locked_package_has_hashes(level: str) -> None:
    assert [] == [name for name, entry in read_lock(level).items() if "--hash=sha256:" not in entry]


@pytest.mark.parametrize(("small", "large"), [("run", "test"), ("test", "dev")])
def test_a_larger_lock_names_the_same_versions(small: str, large: str) -> None:
    inside, around = read_lock(small), read_lock(large)

    assert {name: _version(entry) for name, entry in inside.items()} == {
        name: _version(around[name]) for name in inside
    }


def _version(entry: str) -> str:
    return entry.partition("==")[2].split()[0]
