"""``python3 run.py release``: build what is released, and try it in a clean environment of each Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Final

from run import SetupError, install_locked
from tests.packaging.course import list_course
from tests.packaging.declared import LEVELS, list_versions, list_without_hash, read_lock
from tests.tidy.source import PACKAGES, ROOT

VERSIONS: Final = ("3.11", "3.12", "3.13", "3.14")
"""What is supported."""
PROJECT_FILES: Final = ("pyproject.toml", "setup.py", "README.md", "LICENSE")
CALLS: Final = (
    ("-m", "nomadspec", "--version"),
    ("-m", "nomadspec", "explore", "--model", "2pc", "--scope", "small", "--quiet"),
    ("-m", "nomadspec", "prove", "managers_agree", "--model", "2pc", "--profile", "intended", "--quiet"),
    ("-m", "nomadspec", "rules", "--quiet"),
    ("-m", "nomadspec", "notebooks", "--no-open"),
)
"""What must work: the engines, the solver, and the files that come along."""
_BUILD_SDIST: Final = "import sys; from setuptools.build_meta import build_sdist; build_sdist(sys.argv[1])"
_SAY_VERSION: Final = "import sys; print(*sys.version_info[:2], sep='.')"


def copy_project(place: Path) -> Path:
    """Copy what is built, so that building leaves nothing in the tree."""
    for folder in PACKAGES:
        shutil.copytree(ROOT / folder, place / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in (*PROJECT_FILES, *list_course()):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, place / name)
    return place


def build_sdist(project: Path, out: Path) -> Path:
    """Build the archive of the source."""
    out.mkdir(parents=True, exist_ok=True)
    _must([sys.executable, "-c", _BUILD_SDIST, str(out)], project)
    (found,) = out.glob("*.tar.gz")
    return found


def build_wheel(source: Path, out: Path) -> Path:
    """Build a wheel of a folder or an archive."""
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    _must([*pip, "--wheel-dir", str(out), str(source)])
    (found,) = out.glob("*.whl")
    return found


def find_python(version: str) -> Path | None:
    """Find a Python of a version: this one, one on the path, or one of pyenv."""
    if version == "{}.{}".format(*sys.version_info):
        return Path(sys.executable)
    on_path = shutil.which(f"python{version}")
    versions = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    candidates = [*([Path(on_path)] if on_path else []), *sorted(versions.glob(f"{version}.*/bin/python3"))]
    return next((path for path in candidates if _is_of(path, version)), None)


def _is_of(python: Path, version: str) -> bool:
    done = subprocess.run(
        [str(python), "-c", _SAY_VERSION], check=False, capture_output=True, text=True
    )  # a shim of pyenv is there for versions that it would not run
    return done.stdout.strip() == version


def make_environment(python: Path, place: Path) -> Path:
    """Make an environment with nothing in it, and give its Python."""
    _must([str(python), "-m", "venv", str(place)])
    return place / "bin" / "python"


def install(python: Path, package: Path, options: Sequence[str] = ()) -> None:
    """Install what was built, by default with what it needs from the usual index."""
    _must([str(python), "-m", "pip", "install", "--quiet", *options, str(package)])


def try_out(python: Path, elsewhere: Path) -> str:
    """Run the program where none of its source is, and give its version."""
    said = [_must([str(python), *call], elsewhere) for call in CALLS]
    script = _must([str(python.parent / "nomadspec"), "--version"], elsewhere)
    if script != said[0]:
        raise SmokeError(f"the script says {script!r}, and the module {said[0]!r}")
    return said[0].strip()


class SmokeError(Exception):
    """What was built does not work; the message has the command and what it wrote."""


def _must(command: Sequence[str], place: Path | None = None) -> str:
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=place)
    if done.returncode:
        raise SmokeError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def main(say: Callable[[str], object] = sys.stdout.write) -> int:
    """Build and try everything, a line for each Python; 0 where all that could be tried works."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        sdist = build_sdist(copy_project(_make(place / "copy")), place / "sdist")
        wheel = build_wheel(sdist, _make(place / "wheel"))
        told = chain(
            [("version", *compare_versions(list_versions(wheel, sdist))), ("locks", *count_locked())],
            ((version, *_try_python(version, wheel, sdist, place)) for version in VERSIONS),
        )
        failed = False
        for label, sentence, is_right in told:
            failed |= not is_right
            say(f"{label:<7}  {sentence}\n")
    return int(failed)


def compare_versions(declared: Mapping[str, str]) -> tuple[str, bool]:
    """Say which version it is, or where it is another one than the first place says."""
    (source, version), *others = declared.items()
    wrong = [f"{place} says {told}" for place, told in others if told != version]
    if wrong:
        return f"{source} says {version}, but {', and '.join(wrong)}", False
    return f"{version} in {', '.join(declared)}", True


def count_locked(root: Path = ROOT) -> tuple[str, bool]:
    """Say how many packages each lock names, or which of them could be replaced unseen."""
    bare = [
        f"{name} in requirements/{level}.txt" for level in LEVELS for name in list_without_hash(level, root)
    ]
    if bare:
        return f"no hash of {', '.join(bare)}: call python3 run.py lock", False
    counts = ", ".join(f"{len(read_lock(level, root))} in {level}.txt" for level in LEVELS)
    return f"each package has hashes: {counts}", True


def _try_python(version: str, wheel: Path, sdist: Path, place: Path) -> tuple[str, bool]:
    python, began_s = find_python(version), time.monotonic()
    if python is None:
        return "left out: there is no such Python here", True
    try:
        told = [
            _try_one(python, wheel, place / version / "wheel", ()),
            _try_one(python, sdist, place / version / "sdist", ("requirements/run.txt",)),
        ]
    except SmokeError as problem:
        return str(problem), False
    return f"wheel and sdist work: {told[0]} ({time.monotonic() - began_s:.0f} s)", True


def _try_one(python: Path, package: Path, place: Path, locks: Sequence[str]) -> str:
    inside = make_environment(python, place)
    for lock in locks:
        _install_lock(inside, ROOT / lock)
    install(inside, package, ["--no-deps"] if locks else [])
    return try_out(inside, place)


def _install_lock(python: Path, lock: Path) -> None:
    pip = [str(python), "-m", "pip", "install", "--quiet"]
    try:
        install_locked(pip, lock.read_text())
    except SetupError as problem:
        raise SmokeError(str(problem)) from problem


def _make(folder: Path) -> Path:
    folder.mkdir()
    return folder


if __name__ == "__main__":
    sys.exit(main())
