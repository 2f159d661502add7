"""Types of arguments are read by the names of the module of the text, and of that of the world."""

import __future__

import sys
from types import ModuleType
from typing import Any

import pytest

from nomadspec.model.errors import ModelError

HEAD = '''
import functools
from enum import Enum, IntEnum
from typing import Annotated, Any, ClassVar, NewType, Optional, TYPE_CHECKING

from nomadspec import FLAG, Id, Ids, World, always, ids, opt, rule, size, upto

class JobId(Id):
    """A job."""

class NodeId(Id):
    """A node."""

class Plain(Enum):
    A = 0
'''
WORLD = """
class Shop(World):
    jobs: Ids[JobId] = ids("job", 2, "jobs")
    nodes: Ids[NodeId] = ids("node", 3, "nodes")
"""
PUT = '''
@rule("X-1")
def put(s: Shop, t: Shop, one: {}) -> None:
    """It is put."""
'''


def run(text: str, name: str = "argument_types_toy", *, is_postponed: bool, **names: object) -> ModuleType:
    """Run a text as a module, with annotations that are values, or strings."""
    module = ModuleType(name)
    vars(module).update(names)
    flags = __future__.annotations.compiler_flag if is_postponed else 0
    exec(compile(HEAD + text, f"{name}.py", "exec", flags=flags, dont_inherit=True), vars(module))  # noqa: S102 -- as a user's file is run
    return module


@pytest.fixture(params=[False, True], ids=["values", "strings"])
def is_postponed(request: pytest.FixtureRequest) -> Any:
    """Say whether the annotations are strings."""
    return request.param


def told(text: str, *, is_postponed: bool) -> Any:
    """Give the set that the argument of ``put`` is one of, with the module."""
    module = run(text, is_postponed=is_postponed)
    return dict(module.put.arguments)["one"], module


ALIAS = "Job = JobId\n"


@pytest.mark.parametrize(
    "text",
    [
        WORLD + PUT.format("JobId"),
        WORLD + PUT.format("'JobId'"),
        WORLD + PUT.format("Annotated[JobId, 'x']"),
        WORLD.replace("Ids[JobId]", "'Ids[JobId]'") + PUT.format("JobId"),
        WORLD.replace("Ids[JobId]", "Ids['JobId']") + PUT.format("JobId"),
        WORLD.replace("Ids[JobId]", "ClassVar[Ids[JobId]]") + PUT.format("JobId"),
        WORLD.replace("Ids[JobId]", "Annotated[Ids[JobId], 'x']") + PUT.format("JobId"),
        ALIAS + WORLD.replace("Ids[JobId]", "Ids[Job]") + PUT.format("JobId"),
        ALIAS + WORLD + PUT.format("Job"),
        WORLD.replace("    jobs", "    class Own(Id): ...\n    jobs", 1).replace("[JobId]", "[Own]")
        + PUT.format("Shop.Own"),
    ],
)
def test_a_class_tells_its_set_however_it_is_written(text: str, *, is_postponed: bool) -> None:
    found, module = told(text, is_postponed=is_postponed)

    assert found is module.Shop.jobs


MORE = {
    "the same class again": ("    jobs: Ids[JobId] = ids('job', 3, 'other jobs')\n", "JobId", "jobs"),
    "the same set again": ("    jobs: Ids[JobId] = Shop.jobs\n", "JobId", "jobs"),
    "the same set again, untold": ("    jobs = Shop.jobs\n", "JobId", "jobs"),
    "another class": (
        "    jobs: Ids[NodeId] = ids('job', 3, 'other jobs')\n    nodes = size(1, 'n')\n",
        "NodeId",
        "jobs",
    ),
}


@pytest.mark.parametrize(("body", "kind", "name"), MORE.values(), ids=MORE)
def test_a_set_that_is_declared_again_is_the_last_one(
    body: str, kind: str, name: str, *, is_postponed: bool
) -> None:
    text = f"{WORLD}class More(Shop):\n{body}{PUT.format(kind).replace('Shop', 'More')}"
    found, module = told(text, is_postponed=is_postponed)

    assert found is getattr(module.More, name)
    assert any(found is one for one in module.More.schema.sets)


UNTOLD = {
    "int": "int does not say it: say one=... in the decorator",
    "Id": "(int|Id) does not say it: say one=... in the decorator",
    "Any": "Any does not say it: say one=... in the decorator",
    "bool": "a bool is told by the decorator: write one=FLAG",
    "Plain": r"Plain is an Enum: write class Plain\(IntEnum\), with members from 0 on",
    "JobId | None": r"JobId \| None is a choice of types: say one=opt\(...\) in the decorator",
    "Optional[JobId]": r"Optional\[.*JobId\] is a choice of types: say one=opt\(...\)",
    "NewJob": r"NewJob is a NewType, which is no class .*: write class NewJob\(Id\)",
    "SysJob": "SysJob is a subclass of JobId, which the ids of jobs are: write one: JobId, or say one=",
    "Another": r"declare the set of Shop as Ids\[Another\], or say one=... in the decorator",
    "'Absent'": "its type '.*Absent.*' cannot be read when the module runs: import or define it",
    "'a job of the world'": "its type '.*a job of the world.*' cannot be read when the module runs",
    "Again": "the ids of Shop.jobs are of another class JobId: name that one, and in a notebook run the cell",
    "list[JobId]": r"list\[.*JobId\] does not say it: say one=... in the decorator",
}
OTHERS = """
NewJob = NewType("NewJob", int)
class SysJob(JobId): ...
class Another(Id): ...
Again = type("JobId", (Id,), {})
Again.__qualname__ = "JobId"
"""


@pytest.mark.parametrize("kind", UNTOLD)
def test_a_type_that_tells_nothing_says_why(kind: str, *, is_postponed: bool) -> None:
    text = (WORLD + OTHERS + PUT.format(kind)).replace(
        "    nodes", "    slots: Ids[Id] = ids('s', 2, 's')\n    nodes"
    )

    with pytest.raises(
        ModelError, match=rf"^Rule Put takes \(s, t, one\), .*; what can one be\? {UNTOLD[kind]}"
    ):
        run(text, is_postponed=is_postponed)


@pytest.mark.parametrize("kind", ["Id", "Any", "'what is put'", "JobId"])
def test_the_decorator_may_say_what_a_type_does_not(kind: str, *, is_postponed: bool) -> None:
    text = WORLD + PUT.format(kind).replace('"X-1"', '"X-1", one=Shop.jobs')
    for s in ("'the world before'", "World"):
        found, module = told(text.replace("s: Shop", f"s: {s}"), is_postponed=is_postponed)

        assert found is module.Shop.jobs


@pytest.mark.parametrize("s", ["", ": Any", ": Mixin", ": World"])
def test_a_text_says_which_world_it_is_about(s: str, *, is_postponed: bool) -> None:
    mixin = "class Mixin:\n    jobs: Ids[JobId] = ids('job', 2, 'jobs')\n"
    prop = f"@always('X-1', why='w')\ndef each(s{s}, job: JobId): return True\n"

    with pytest.raises(
        ModelError, match=r"^Property each .* annotate s with the world whose set JobId names"
    ):
        run(mixin + prop, is_postponed=is_postponed)


def test_a_class_without_a_set_of_its_own_name_in_a_subclass_is_untold(*, is_postponed: bool) -> None:
    text = WORLD + "class More(Shop):\n    jobs = ids('job', 3, 'other')\n" + PUT.format("JobId")

    with pytest.raises(ModelError, match=r"declare the set of More as Ids\[JobId\]"):
        run(text.replace("s: Shop, t: Shop", "s: More, t: More"), is_postponed=is_postponed)


def test_two_sets_of_one_class_are_two_however_it_is_called(*, is_postponed: bool) -> None:
    text = ALIAS + WORLD.replace("Ids[NodeId]", "Ids[Job]") + PUT.format("JobId")

    with pytest.raises(ModelError, match=r"one=Shop\.jobs or one=Shop\.nodes"):
        run(text, is_postponed=is_postponed)


def test_a_wrapped_text_goes_by_the_names_of_its_own_module(*, is_postponed: bool) -> None:
    """The wrapper's module may call another class so."""
    wraps = (
        "JobId = NodeId\ndef twice(f):\n    @functools.wraps(f)\n    def g(*a): return f(*a)\n    return g\n"
    )
    wrapper = run(wraps, "wrapper_toy", is_postponed=is_postponed)
    text = PUT.format("JobId").replace("def put", "@twice\ndef put")
    module = run(WORLD + text, is_postponed=is_postponed, twice=wrapper.twice)

    assert dict(module.put.arguments)["one"] is module.Shop.jobs


def test_a_world_goes_by_the_names_of_its_own_module(
    monkeypatch: pytest.MonkeyPatch, *, is_postponed: bool
) -> None:
    """The text's module may call another class so, or the same class otherwise."""
    home = run(WORLD, "home_toy", is_postponed=is_postponed)
    monkeypatch.setitem(sys.modules, "home_toy", home)
    text = "JobId = home.NodeId\n" + PUT.format("JobId")
    module = run(text, is_postponed=is_postponed, home=home, Shop=home.Shop)

    assert dict(module.put.arguments)["one"] is home.Shop.nodes


def test_another_module_of_the_name_does_not_count(
    monkeypatch: pytest.MonkeyPatch, *, is_postponed: bool
) -> None:
    """A file may load another one of its own name; what runs in a notebook is in no module."""
    text = "class JobId: ...\nclass Shop: ...\n"
    monkeypatch.setitem(sys.modules, "argument_types_toy", run(text, is_postponed=False))
    found, module = told(WORLD + PUT.format("JobId"), is_postponed=is_postponed)

    assert found is module.Shop.jobs


def test_a_world_whose_names_are_gone_tells_nothing() -> None:
    """It is not read by the names of another module, where they may mean another thing."""
    home = run(WORLD, "gone_toy", is_postponed=True)

    with pytest.raises(
        ModelError, match=r"the type of Shop\.jobs cannot be read when the module runs: import or"
    ):
        run("JobId = home.NodeId\n" + PUT.format("JobId"), is_postponed=True, home=home, Shop=home.Shop)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            WORLD.replace("Ids[JobId]", "'Many[JobId]'"),
            r"the type of Shop\.jobs cannot be read when the module",
        ),
        (WORLD.replace("Ids[JobId]", "Ids"), r"declare the set of Shop as Ids\[JobId\], or say one="),
        (
            WORLD.replace("Ids[NodeId]", "Many[JobId]"),
            r"the type of Shop\.nodes cannot be read when the module",
        ),
        (
            WORLD.replace("class Shop", "class Absent"),
            "the type of s, 'Shop', cannot be read when the module",
        ),
    ],
)
def test_names_that_are_not_there_when_the_module_runs_are_told(text: str, problem: str) -> None:
    """Type checkers know them; they are imported under ``if TYPE_CHECKING``, say."""
    with pytest.raises(ModelError, match=problem):
        run(text + PUT.format("JobId"), is_postponed=True)


def test_a_world_in_a_class_goes_by_the_names_of_its_module(monkeypatch: pytest.MonkeyPatch) -> None:
    nested = "class Outer:\n" + WORLD.replace("\n", "\n    ")
    home = run(nested, "home_toy", is_postponed=True)
    monkeypatch.setitem(sys.modules, "home_toy", home)
    text = "JobId = home.JobId\n" + PUT.format("JobId")
    module = run(text, is_postponed=True, home=home, Shop=home.Outer.Shop)

    assert dict(module.put.arguments)["one"] is home.Outer.Shop.jobs
