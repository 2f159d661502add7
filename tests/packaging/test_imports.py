"""The three folders have one name each, and what Python says of them leads to the real files."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tidy.source import ROOT

FOLDERS = ("model", "invariants", "checkers")


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_plain_import_says_what_to_import(folder: str) -> None:
    command = [sys.executable, "-c", f"import {folder}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert 1 == done.returncode
    assert f"ImportError: `{folder}` is not importable" in done.stderr
    assert f"write `import nomadspec.{folder}`" in done.stderr


@pytest.mark.parametrize("folder", FOLDERS)
def test_modules_come_from_the_tree(folder: str) -> None:
    module = importlib.import_module(f"nomadspec.{folder}")

    assert ROOT / folder / "__init__.py" == Path(module.__file__ or "")


@pytest.mark.parametrize("name", [*FOLDERS, "__init__.py", "py.typed"])
def test_type_checkers_see_the_same_files(name: str) -> None:
    folder = ROOT if name in FOLDERS else ROOT / "nomadspec"

    assert (folder / name).samefile(ROOT / "typings" / "nomadspec" / name)
