"""The locks in requirements/ cover what pyproject.toml asks for, with a hash for every file."""

import tomllib
from typing import Any

import pytest

from tests.packaging.declared import LEVELS, find_name, list_without_hash, read_lock
from tests.tidy.source import ROOT


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
    assert [] == list_without_hash(level)


@pytest.mark.parametrize(("small", "large"), [("run", "test"), ("test", "dev")])
def test_a_larger_lock_names_the_same_versions(small: str, large: str) -> None:
    inside, around = read_lock(small), read_lock(large)

    assert {name: _version(entry) for name, entry in inside.items()} == {
        name: _version(around[name]) for name in inside
    }


def _version(entry: str) -> str:
    return entry.partition("==")[2].split()[0]
