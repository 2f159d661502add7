"""The public names of the package, and its version."""

import importlib.metadata
import tomllib

import nomadspec
from tests.tidy.source import ROOT

PUBLIC_NAMES = ["__version__"]


def test_the_public_names_are_these() -> None:
    assert PUBLIC_NAMES == sorted(nomadspec.__all__)


def test_every_public_name_is_there() -> None:
    assert [] == [name for name in nomadspec.__all__ if not hasattr(nomadspec, name)]


def test_there_is_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert project["version"] == nomadspec.__version__
    assert project["version"] == importlib.metadata.version("nomadspec")
