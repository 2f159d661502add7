"""``nomadspec refine``."""

from pathlib import Path

import pytest

from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output
from tests.tidy.source import ROOT

BY = f"{ROOT}/docs/how-to/examples/atomic_commit.py:as_commit"


def test_what_is_allowed_exits_with_0_and_says_how_far() -> None:
    called = call("refine", "--model", "2pc", "--set", "rms=3", "--by", BY, "-q")

    assert (0, "") == (called.code, called.err)
    assert "HOLDS  each step that can be taken is one of atomic-commit" in called.out
    assert "never taken  EndEarly (of 3 rules)\n" in called.out
    assert "not checked  promises over time" in called.out
    assert f"reproduce    nomadspec refine --model 2pc --set rms=3 --by {BY}\n" in called.out


def test_a_step_that_is_not_allowed_exits_with_1_and_is_told(tmp_path: Path) -> None:
    story = tmp_path / "split.json"

    called = call("refine", "--model", "2pc", "--scope", "hasty", "--by", BY, "--story-out", story, "-q")

    assert 1 == called.code
    assert "    5  ObeyCommit(rm1)     state[rm1]: prepared -> committed\n" in called.out
    assert "  Commit(rm1)            outcome[rm2] != aborted fails\n" in called.out
    assert "  outcome[rm1]  open             committed (changed)\n" in called.out
    assert 0 == call("story", story).code


@pytest.mark.parametrize(("scope", "code"), [("hasty", 1), ("small", 4)])
def test_the_object_keeps_to_its_schema(scope: str, code: int) -> None:
    called = call("refine", "-m", "2pc", "-s", scope, "--by", BY, "--states", "600", "--json", "-q")

    check_output(called.data)
    assert code == called.code
    failure = called.data["failure"]
    assert (code == 4) == (failure is None)
    if failure is not None:
        check_output(failure["story"])
        assert "step" == failure["fault"]
        after = {"outcome[rm1]": "committed", "outcome[rm2]": "aborted", "outcome[rm3]": "open"}
        assert after == failure["after"]


@pytest.mark.parametrize(
    ("by", "code", "sentence"),
    [
        (
            "as_commit",
            2,
            "'as_commit' is no mapping: name a file, path.py:NAME, whose NAME @refines a model.",
        ),
        (f"{BY}s", 2, "There is no mapping in"),
        (f"{ROOT}/docs/how-to/examples/drain.py", 3, "the file defines no mapping; write @refines(MODEL)"),
        ("nowhere.py", 3, "nowhere.py: the file cannot be read (No such file or directory)"),
    ],
)
def test_a_mapping_that_is_not_there_is_told(by: str, code: int, sentence: str) -> None:
    called = call("refine", "--model", "2pc", "--by", by)

    assert code == called.code
    assert sentence in called.err


def test_a_model_without_the_fields_that_are_mapped_is_told() -> None:
    called = call("refine", "--model", "core", "--by", BY)

    assert 3 == called.code
    assert "Mapping as_commit (" in called.err
    assert "Core has no 'rms'" in called.err
