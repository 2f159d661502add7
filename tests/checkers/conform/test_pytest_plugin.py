"""The same questions as parametrised tests, for those who ask for them and for nobody else."""

import sys

import pytest

from nomadspec.checkers.conform.pytest_plugin import list_cases
from tests.tidy.source import ROOT

pytest_plugins = ["pytester"]

PLUGIN = ("-p", "no:nomadspec", "-p", "nomadspec.checkers.conform.pytest_plugin", "-p", "no:cacheprovider")
EXAMPLE = f"{sys.executable} {ROOT / 'docs/how-to/examples/conform/driver.py'}"


def test_nothing_happens_where_nobody_asks(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys
        def test_it():
            assert not [name for name in sys.modules if name.startswith("nomadspec.model")]
        """
    )

    pytester.runpytest_subprocess(*PLUGIN, "--strict-markers").assert_outcomes(passed=1)


def test_an_implementation_in_python_is_asked(pytester: pytest.Pytester) -> None:
    """Half of the answers are wrong on purpose."""
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.conform("constraints/operands", seed=4, count=12)
        def test_operands(conform_case):
            asked = conform_case.asked
            if asked["operand"] not in ("is_set", "is_not_set"):
                pytest.xfail("not written yet")
            conform_case.check({"result": asked["left"] is not None})
        """
    )
    done = pytester.runpytest_inprocess(*PLUGIN, "--strict-markers", "-rf")
    outcomes = done.parseoutcomes()

    assert 12 == sum(outcomes.values())
    assert outcomes["xfailed"] > 0
    assert {"passed", "failed", "xfailed"} >= set(outcomes)


def test_a_failure_shows_what_was_asked_answered_and_allowed(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.conform("fit-and-score/scores", count=1)
        def test_scores(conform_case):
            conform_case.check({"score_binpack": {"value": 99}, "score_spread": {"value": 0}})
        """
    )
    done = pytester.runpytest_inprocess(*PLUGIN)

    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(
        ["*differed*fit-and-score/scores*", "*answered*99*", "*allowed*", "*rule*RANK-46*"]
    )


@pytest.mark.deep
def test_a_program_is_asked(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        def test_program(conform_case, conform_program):
            conform_case.check(conform_program(conform_case))
        """
    )
    words = (
        "--conform-family",
        "alloc-names",
        "--conform-family",
        "constraints/targets",
        "--conform-count",
        "3",
    )
    pytester.runpytest_subprocess(*PLUGIN, *words, "--conform", EXAMPLE).assert_outcomes(passed=3, skipped=3)
    without = pytester.runpytest_subprocess(*PLUGIN, *words)

    without.assert_outcomes(errors=6)
    without.stdout.fnmatch_lines(["*say which one with --conform CMD*"])


def test_recordings_are_asked(pytester: pytest.Pytester) -> None:
    folder = pytester.mkdir("constraints")
    line = '{"id": "%s", "operand": "=", "left": "a", "right": "%s", "result": true}\n'
    (folder / "operands.ndjson").write_text(line % ("same", "a") + line % ("other", "b"))
    pytester.makepyfile(
        """
        def test_recorded(conform_case):
            conform_case.check({"result": True})
        """
    )
    done = pytester.runpytest_inprocess(*PLUGIN, "--conform-recordings", "constraints", "-v")

    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(
        ["*[[]constraints/operands:same[]] PASSED*", "*[[]constraints/operands:other[]] FAILED*"]
    )
    (folder / "operands.ndjson").write_text("{")
    broken = pytester.runpytest_subprocess(*PLUGIN, "--conform-recordings", "constraints")
    assert broken.ret in {2, 4}
    assert "at line 1, column 2: this is no JSON" in broken.stdout.str() + broken.stderr.str()


def test_questions_are_judged_by_a_profile() -> None:
    (case,) = list_cases(("reschedule",), (), 0, 1, "intended")

    assert "intended" == case.profile.name
    with pytest.raises(pytest.Collector.CollectError, match="nowhere"):
        list_cases(("reschedule",), (), 0, 1, "nowhere")
