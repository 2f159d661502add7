"""What a user's file imports from beside it: the modules of its own folder, as they are now."""

import linecache
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from nomadspec.checkers.api import explore
from nomadspec.checkers.report.loading import load_model
from nomadspec.checkers.report.user_modules import find_package
from nomadspec.model.errors import InputError, ModelError, StyleError

COUNTER = '''"""Something is counted."""

from nomadspec import Model, World, always, field, rule, upto
from {helper} import LIMIT


def pair(s):
    return (s.made, 0)


class Counter(World):
    made = field(upto(3), init=0, about="how many were made")


@rule("C-1")
def make(s, t):
    """One more is made."""
    t.require(s.made < LIMIT)
    t.made = s.made + 1


@always("C-1", why="there is room for two")
def is_small(s):
    return s.made <= 2


COUNTER = Model("counter", "things", Counter, (make,), (is_small,), is_at_rest=lambda s: s.made >= LIMIT)
'''


@pytest.fixture(autouse=True)
def _keep_python(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Leave Python as it was: its path, and no module of a test's own folder for the next one."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    yield
    for name, module in list(sys.modules.items()):
        if tmp_path in Path(getattr(module, "__file__", None) or "").parents:
            del sys.modules[name]


def write_model(folder: Path, limit: int, *, name: str = "model.py", helper: str = "bounds") -> Path:
    """Write a model with a bound in a file beside it; it is violated where that is 3."""
    folder.mkdir(exist_ok=True, parents=True)
    (folder / f"{helper.removeprefix('.')}.py").write_text(f"LIMIT = {limit}\n")
    (folder / name).write_text(COUNTER.format(helper=helper))
    return folder / name


def judge(path: Path) -> str:
    """Load a model anew, and search it."""
    return explore(load_model(str(path))).report.verdict.value


def test_two_models_have_helpers_of_one_name(tmp_path: Path) -> None:
    small, large = write_model(tmp_path / "small", 2), write_model(tmp_path / "large", 3)

    assert ["holds", "violated", "holds"] == [judge(small), judge(large), judge(small)]


def test_a_helper_that_has_changed_is_run_again(tmp_path: Path) -> None:
    path = write_model(tmp_path, 2)

    assert "holds" == judge(path)
    (tmp_path / "bounds.py").write_text("LIMIT = 3\n")  # as long as before, within a second
    assert "violated" == judge(path)


def test_a_helper_that_has_not_changed_stays_the_same_module(tmp_path: Path) -> None:
    path = write_model(tmp_path, 2)
    judge(path)
    before = import_module("bounds")
    judge(path)

    assert import_module("bounds") is before


def test_a_model_may_be_a_part_of_a_package(tmp_path: Path) -> None:
    path = write_model(tmp_path / "shop" / "parts", 2, helper=".limits")
    for folder in (tmp_path / "shop", tmp_path / "shop" / "parts"):
        (folder / "__init__.py").write_text("")

    assert ("shop.parts", tmp_path) == find_package(path)
    assert "holds" == judge(path)
    (path.parent / "limits.py").write_text("LIMIT = 3\n")
    assert "violated" == judge(path)


def test_a_package_may_be_named_itself(tmp_path: Path) -> None:
    path = write_model(tmp_path / "store", 3, helper=".limits")
    (path.parent / "__init__.py").write_text("from .model import COUNTER\n")

    assert "violated" == judge(path.parent / "__init__.py")


def test_a_relative_import_needs_a_package(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="attempted relative import with no known parent package"):
        judge(write_model(tmp_path, 2, helper=".limits"))


def test_a_file_is_not_taken_for_a_module_of_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "queue", raising=False)

    assert "holds" == judge(write_model(tmp_path, 2, name="queue.py"))
    assert hasattr(import_module("queue"), "SimpleQueue")


def test_a_text_that_has_changed_is_looked_at_anew(tmp_path: Path) -> None:
    path = write_model(tmp_path, 2)
    assert "holds" == judge(path)

    path.write_text(path.read_text().replace("s.made <= 2", "pair(s) != 3"))
    with pytest.raises(StyleError, match=r"it compares a tuple with 3"):
        judge(path)


def test_a_module_that_is_older_than_its_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_model(tmp_path, 2, name="older.py")
    monkeypatch.syspath_prepend(str(tmp_path))
    model = import_module("older").COUNTER
    path.write_text("# A line more.\n" + path.read_text())
    linecache.checkcache()  # as whatever prints a traceback does

    with pytest.raises(ModelError, match=r"older.py:\d+: \w+ is not what the file says"):
        model.at()
