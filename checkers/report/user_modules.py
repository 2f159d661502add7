"""The modules beside a user's file: it imports them as if it were run, and anew where they have changed.

Python keeps each module under its name for as long as a process lives. So a second model would get the
helpers of the first one where they have the same names, and a model that is loaded again the helpers as
they were: in a notebook both would be asked about a text that is not theirs.
"""

from __future__ import annotations

import importlib
import linecache
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Final, NamedTuple

from nomadspec.checkers.regular_files import is_file

_PACKAGE: Final = "__init__.py"
_OWN: Final = [
    path
    for path in (
        sysconfig.get_path("stdlib"),
        sysconfig.get_path("platstdlib"),
        sysconfig.get_config_var("DESTSHARED"),
    )
    if path
]


class _Neighbour(NamedTuple):
    """A module that a user's file has imported: its file, what that held, and below which folder it lies."""

    file: Path
    text: bytes
    root: Path


_KNOWN: Final[dict[str, _Neighbour]] = {}


def find_package(path: Path) -> tuple[str, Path]:
    """Find the package that a file is part of, such as ``shop.parts``, and the folder that this lies in.

    A folder is a package where it has an ``__init__.py``; without one the name is empty.
    """
    folder, names = path.resolve().parent, []
    while is_file(folder / _PACKAGE) and folder.name.isidentifier():
        names.append(folder.name)
        folder = folder.parent
    return ".".join(reversed(names)), folder


@contextmanager
def importing_neighbours(path: Path) -> Iterator[None]:
    """Let a file import what lies beside it while it runs: as it is now, whatever was imported before."""
    _, root = find_package(path)
    folders = dict.fromkeys((root, path.resolve().parent))
    for folder in folders:  # the folder of the file comes last, and so stands first
        _look_in(folder)
    _forget(folders)
    linecache.cache.pop(str(path), None)
    importlib.invalidate_caches()
    before, is_writing = set(sys.modules), sys.dont_write_bytecode
    # Python tells old byte code from new by whole seconds: it would take a file for what it was a moment ago.
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        sys.dont_write_bytecode = is_writing
        _note(root, sys.modules.keys() - before)


class _PythonsOwn:
    """Finds what Python brings along where it keeps that: a model in queue.py is not ``queue``."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Find such a module; None of any other name."""
        del target
        return PathFinder.find_spec(name, _OWN) if path is None and name in sys.stdlib_module_names else None


def _look_in(folder: Path) -> None:
    """Look for modules in a folder first, but for those that Python brings along."""
    if _PythonsOwn not in sys.meta_path:
        sys.meta_path.insert(0, _PythonsOwn)
    if str(folder) in sys.path:
        sys.path.remove(str(folder))
    sys.path.insert(0, str(folder))


def _forget(folders: dict[Path, None]) -> None:
    """Forget all modules below a root of which one has changed, or stands where another is meant."""
    stale = {
        neighbour.root
        for name, neighbour in _KNOWN.items()
        if _read(neighbour.file) != neighbour.text or _is_other(name, neighbour.file, folders)
    }
    for name in [name for name, neighbour in _KNOWN.items() if neighbour.root in stale]:
        linecache.cache.pop(str(_KNOWN.pop(name).file), None)
        sys.modules.pop(name, None)


def _is_other(name: str, file: Path, folders: dict[Path, None]) -> bool:
    """True if the folders have another module of that name than the one in a file."""
    top, *below = name.split(".")
    found = file.parents[len(below) + (file.name == _PACKAGE)]
    meant = next((one for one in folders if (one / top).is_dir() or is_file(one / f"{top}.py")), found)
    return meant != found


def _note(root: Path, names: set[str]) -> None:
    for name in names:
        told = getattr(sys.modules[name], "__file__", None)
        file = Path(told).resolve() if told else root
        is_installed = name.startswith("nomadspec") or "site-packages" in file.parts
        if root in file.parents and not is_installed and (text := _read(file)) is not None:
            _KNOWN[name] = _Neighbour(file, text, root)


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None
