"""Recorded calls of the real scheduler are accepted, and changed ones are not."""

from copy import deepcopy
from pathlib import Path

import pytest

from nomadspec.checkers.oracle.check import judge_line
from nomadspec.checkers.oracle.context import Context, Document
from nomadspec.checkers.oracle.equivalence import BROKEN_OFF
from nomadspec.checkers.oracle.judgement import Judgement, Ruling
from nomadspec.checkers.oracle.reading import Line, read_lines
from nomadspec.checkers.oracle.registry import read_kind
from nomadspec.model.cluster.constraints.attributes import NotANumberError
from nomadspec.model.cluster.scheduler.generic import GenericScheduler
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.recorded import FOLDER, assert_accepted, list_lines

KIND = read_kind("scheduler")
FILES = sorted((FOLDER / "scheduler").glob("*.ndjson.xz"))
SAMPLE = [path for path in FILES if path.name.split(".")[0].endswith(("-00", "-03"))]
EVERY = 16
"""Of the files of the sample each so many-th recording is judged by default."""


def judge(document: Document) -> Judgement:
    return judge_line(KIND, Line("x", 1, document), Context(NOMAD_2_0))


def judge_file(path: Path, *, every: int = 1) -> list[Judgement]:
    return [judge_line(KIND, line, Context(NOMAD_2_0)) for line in list_lines(path)[::every]]


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.name)
def test_recordings_are_accepted(path: Path) -> None:
    assert_accepted(iter(judge_file(path, every=EVERY)))


@pytest.mark.deep
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_all_recordings_are_accepted(path: Path) -> None:
    assert_accepted(iter(judge_file(path)))


@pytest.fixture(scope="module")
def placed() -> Document:
    path = next(path for path in FILES if path.name.startswith("service-00"))
    return next(line.document for line in read_lines(path) if "out:place" in line.document["tags"])


def test_another_name_is_rejected(placed: Document) -> None:
    changed = deepcopy(dict(placed))
    by_node = changed["outcome"]["plans"][0]["plan"]["NodeAllocation"]
    next(iter(by_node.values()))[0]["Name"] += "x"

    judgement = judge(changed)

    assert judgement.ruling is Ruling.REJECTED
    assert judgement.difference is not None
    assert judgement.difference.rule == "GENERIC-36"


def test_an_order_that_nobody_used_is_rejected(placed: Document) -> None:
    changed = deepcopy(dict(placed))
    changed["choices"]["node_orders"].append([])

    judgement = judge(changed)

    assert judgement.difference is not None
    assert judgement.difference.path.startswith("choices.node_orders[")


def test_a_plan_that_was_not_recorded_is_rejected(placed: Document) -> None:
    changed = deepcopy(dict(placed))
    changed["outcome"]["plans"] = []

    assert judge(changed).ruling is Ruling.REJECTED


def test_an_unknown_member_is_rejected(placed: Document) -> None:
    changed = deepcopy(dict(placed))
    changed["outcome"]["plans"][0]["plan"]["Wish"] = 1

    judgement = judge(changed)

    assert judgement.difference is not None
    assert judgement.difference.path == "outcome.plans[0].plan.Wish"


@pytest.mark.parametrize("is_relation", [False, True])
@pytest.mark.parametrize(
    ("recorded", "ruling"),
    [("failed to process eval: runtime error: index out of range", Ruling.ACCEPTED), ("x", Ruling.REJECTED)],
)
def test_a_call_that_breaks_off_does_so_in_any_words(
    recorded: str, ruling: Ruling, monkeypatch: pytest.MonkeyPatch, *, is_relation: bool
) -> None:
    """GENERIC-03."""

    def break_off(_self: GenericScheduler) -> None:
        raise NotANumberError("no number")

    monkeypatch.setattr(GenericScheduler, "process", break_off)
    path = next(path for path in FILES if path.name.startswith("service-00"))
    document = deepcopy(dict(list_lines(path)[0].document))
    document["outcome"] = {"plans": [], "error": recorded}
    document["choices"] = {}
    context = Context(NOMAD_2_0, ignores_choices=is_relation)

    assert judge_line(KIND, Line("x", 1, document), context).ruling is ruling
    assert dict(context.forgiven) == (
        {BROKEN_OFF: 1} if ruling is Ruling.ACCEPTED and not is_relation else {}
    )


@pytest.mark.parametrize("is_relation", [False, True])
@pytest.mark.parametrize("is_listed", [False, True])
@pytest.mark.parametrize(("error", "ruling"), [("so it is said", Ruling.ACCEPTED), (None, Ruling.REJECTED)])
def test_an_evaluation_that_the_store_has_not_as_blocked_is_not_taken_back(
    error: str | None, ruling: Ruling, *, is_listed: bool, is_relation: bool
) -> None:
    """WORKER-30, GENERIC-03."""
    path = FOLDER / "scheduler" / "batch-03.ndjson.xz"
    found = next(line.document for line in read_lines(path) if "out:reblock" in line.document["tags"])
    document = deepcopy(dict(found))
    document["state"]["evals"][0]["Status"] = "pending"
    document["outcome"]["error"] = error
    if not is_listed:
        document["outcome"]["reblocked_evals"] = []

    judgement = judge_line(KIND, Line("x", 1, document), Context(NOMAD_2_0, ignores_choices=is_relation))

    assert judgement.ruling is ruling


FRESH = FOLDER / "scheduler" / "fresh-00.ndjson.xz"


@pytest.mark.parametrize("is_relation", [False, True])
def test_inputs_that_no_generator_had_made_are_accepted(*, is_relation: bool) -> None:
    """GENERIC-31, GENERIC-56, SYSTEM-18, RANK-65, PREEMPT-20, FEAS-59, NET-13, NET-06."""
    context = Context(NOMAD_2_0, ignores_choices=is_relation)

    assert_accepted(judge_line(KIND, line, context) for line in read_lines(FRESH))


def find_fresh(name: str) -> Document:
    return next(line.document for line in read_lines(FRESH) if line.document["id"] == name)


@pytest.mark.parametrize("is_relation", [False, True])
def test_a_plan_for_an_eval_that_the_store_lacks_ends_the_call(*, is_relation: bool) -> None:
    changed = deepcopy(dict(find_fresh("min-u-1-0043")))
    changed["state"]["evals"] = [changed["eval"]]

    judgement = judge_line(KIND, Line("x", 1, changed), Context(NOMAD_2_0, ignores_choices=is_relation))

    assert judgement.ruling is Ruling.REJECTED


def test_a_call_that_is_said_to_break_off_where_nothing_breaks_is_rejected() -> None:
    changed = deepcopy(dict(find_fresh("min-e1-1007-001")))
    changed["state"]["scheduler_config"] = {"SchedulerAlgorithm": "binpack"}

    assert judge(changed).ruling is Ruling.REJECTED
