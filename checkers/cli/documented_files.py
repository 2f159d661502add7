"""Files that the documentation names, such as ``docs/findings/F-01.json``: found wherever one stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

import nomadspec

if TYPE_CHECKING:
    import os

_PACKAGE: Final = Path(nomadspec.__file__).parent
INSTALLED: Final = _PACKAGE / "course"
"""What a wheel has and a clone has not: the notebooks, stories and scenarios, and what they read."""
CLONE: Final = _PACKAGE.parent


class Shipped(click.Path):
    """A path; where nothing is there, the file of the project by this name, or the story of a finding."""

    def __init__(self) -> None:
        """Give paths of pathlib."""
        super().__init__(path_type=Path)

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """Find the file that is meant."""
        return find_shipped(Path(str(super().convert(value, param, ctx))))


def find_shipped(path: Path) -> Path:
    """Give the path itself, or the file of the project that it names where there is no such file."""
    if path.is_absolute() or path.exists():
        return path
    root = find_root()
    meant = (root / path, root / "docs" / "findings" / f"{path}.json")
    first = path.parts[:1]
    found = (each for each in meant if each.is_file() or (each.is_dir() and first == ("docs",)))
    return path if first == ("..",) else next(found, path)


def name_shipped(path: Path) -> Path:
    """Name a file of the project as the documentation does, and any other as it was named."""
    root = find_root()
    return path.relative_to(root) if path.is_relative_to(root) else path


def find_root() -> Path:
    """Find the folder under which the files of the project stand: the clone, or what a wheel has of it."""
    return INSTALLED if INSTALLED.is_dir() else CLONE
