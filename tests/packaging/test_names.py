"""The public names of the package, and its version."""

import importlib.metadata
import subprocess
import sys
import tomllib

import pytest

import nomadspec
from tests.tidy.source import ROOT

WORLDS = {
    "FLAG",
    "NONE",
    "SKIP",
    "Id",
    "Map",
    "World",
    "counter",
    "field",
    "ids",
    "index",
    "opt",
    "queue",
    "size",
}
WORLDS |= {"tally", "upto"}
OPERATORS = {
    "Value",
    "all_of",
    "any_of",
    "count",
    "exists",
    "for_all",
    "iff",
    "implies",
    "ite",
    "maximum",
    "minimum",
}
OPERATORS |= {"none_of", "not_", "one_of", "total"}
RULES = {"rule", "rules_in", "strong", "weak"}
PROPERTIES = {"By", "always", "eventually", "properties_in", "sometimes", "step"}
MODELS = {"Model", "Scope", "find_model", "list_model_names"}
PUBLIC_NAMES = {"__version__"} | WORLDS | OPERATORS | RULES | PROPERTIES | MODELS


def test_the_public_names_are_these() -> None:
    assert sorted(PUBLIC_NAMES) == sorted(nomadspec.__all__) == dir(nomadspec)


def test_every_public_name_is_there() -> None:
    assert [] == [name for name in nomadspec.__all__ if not hasattr(nomadspec, name)]


def test_another_name_is_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'worlds'"):
        nomadspec.worlds  # noqa: B018 -- asking is the test


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys, nomadspec; print([name for name in sys.modules if name.startswith('nomadspec.')])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    assert "[]" == done.stdout.strip()


def test_there_is_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert project["version"] == nomadspec.__version__
    assert project["version"] == importlib.metadata.version("nomadspec")
