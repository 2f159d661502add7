import ast
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

from nomadspec.checkers.explore import explore
from nomadspec.invariants.kernel.kernel import KERNEL, SUBJECTS
from nomadspec.model.kernel.kernel import KERNEL as RULES
from nomadspec.model.language.property import Kind, properties_in
from tests.invariants.kernel.deviations import ALONE, Matrix

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
TABLES = tuple(
    import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    for path in sorted(HERE.rglob("test_*.py"))
    if "MATRIX" in path.read_text(encoding="utf-8") and path != Path(__file__)
)


def test_the_properties_of_every_subject_are_there_and_lemmas_come_last() -> None:
    properties = [prop for subject in SUBJECTS for prop in properties_in(subject)]
    promises = [prop.name for prop in properties if not prop.is_lemma]
    lemmas = [prop.name for prop in properties if prop.is_lemma]

    assert [*promises, *lemmas] == [prop.name for prop in KERNEL.properties]
    assert RULES.rules == KERNEL.rules


def test_every_property_is_broken_by_a_deviation_and_none_serves_many() -> None:
    deviations = [deviation for table in TABLES for deviation in table.MATRIX.deviations.values()]
    broken = {prop.name for deviation in deviations for prop in deviation.breaks}
    served = Counter(one.profile for one in deviations if one.profile != "intended" for _ in one.breaks)
    wanted = KERNEL.list_properties(Kind.ALWAYS, Kind.STEP, Kind.EVENTUALLY)

    assert all(isinstance(table.MATRIX, Matrix) for table in TABLES)
    assert {prop.name for prop in wanted} == broken
    assert max(len(deviation.breaks) for deviation in deviations) <= 3
    assert max(served.values()) <= 3


@pytest.mark.parametrize(
    "sizes",
    [
        {**ALONE, "evals": 3, "requests": 1, "timeouts": 1},
        {**ALONE, "evals": 3, "deliveries": 1, "errors": 1, "pauses": 1},
        pytest.param({**ALONE, "evals": 4, "cap": 0, "requests": 1}, marks=pytest.mark.deep),
        {**ALONE, "evals": 2, "stale_server_count": 1, "node_changes": 1},
        pytest.param({**ALONE, "evals": 3, "kinds": 3, "cap": 0}, marks=pytest.mark.deep),
    ],
    ids=str,
)
def test_as_intended_nothing_is_broken(sizes: dict[str, int]) -> None:
    bounded = KERNEL.at("contention", sizes=sizes, profile="intended")
    kinds = (Kind.ALWAYS, Kind.STEP, Kind.EVENTUALLY)
    report = explore(bounded, properties=[prop.name for prop in bounded.model.list_properties(*kinds)])

    assert [] == [finding.property for finding in report.findings]


def test_a_plan_that_marks_what_came_back_may_be_made_again() -> None:
    """The applier takes no mark for a node that is initializing."""
    sizes = {"in_place_updates": 1, "plan_statuses": 1}
    report = explore(KERNEL.at("awaited", sizes=sizes, profile="intended"))

    assert [] == [finding.property for finding in report.findings]


def test_no_property_asks_for_the_rule_or_for_a_quirk() -> None:
    for path in list_texts():
        text = path.read_text(encoding="utf-8")
        taken = {
            argument.arg
            for function in ast.walk(ast.parse(text))
            if isinstance(function, ast.FunctionDef)
            for argument in function.args.args
        }
        assert "by" not in taken, f"{path.name}: a property holds or fails whatever rule has fired"
        assert "specification.quirks" not in text, f"{path.name}: under a quirk a property is false"


def test_promises_and_lemmas_stand_in_files_named_as_those_of_rules() -> None:
    of_rules = {path.name for path in (ROOT / "model/kernel").glob("*.py")}
    apart = {
        "bounds.py",
        "harm.py",
        "kernel.py",
        "lifecycles.py",
        "phases.py",
        "plans.py",
        "__init__.py",
    }

    assert {path.name for path in list_texts()} <= of_rules | apart


def list_texts() -> list[Path]:
    """List the files with properties of the kernel."""
    texts = (ROOT / "invariants/kernel").rglob("*.py")
    return [path for path in texts if path.name != "lifecycles.py" and path.parent.name != "findings"]
