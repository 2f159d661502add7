"""What the wheel holds for ``nomadspec notebooks``, read from pyproject.toml."""

import tomllib
from pathlib import Path

from tests.tidy.source import ROOT

_PREFIX = "nomadspec.course."


def list_course() -> dict[str, Path]:
    """Map the names below ``nomadspec/course`` to the files of the tree."""
    setuptools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    found: dict[str, Path] = {}
    for package in setuptools["packages"]:
        if package.startswith(_PREFIX):
            folder = ROOT / setuptools["package-dir"][package]
            for pattern in ("*.py", *setuptools["package-data"][package]):
                found |= {str(path.relative_to(ROOT)): path for path in folder.glob(pattern)}
    return found
