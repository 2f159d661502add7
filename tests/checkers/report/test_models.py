"""Models, with what is expected of their scopes."""

import re
from typing import Any

import pytest
from click import unstyle

from nomadspec.checkers.report.models import data_of, render_model
from nomadspec.invariants.catalogue import find_model

CORE = {"core": find_model("core")}


@pytest.fixture(autouse=True)
def _wide_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")


def test_a_model_has_a_line_for_each_scope() -> None:
    text = unstyle(render_model("core", CORE["core"]))

    assert "small      flips=0         holds                          34,069     21  nodes never fail" in text
    assert "unchecked  defaults, X-01  no_node_is_oversubscribed" in text


def test_a_scope_that_is_published_by_symmetry_alone_says_so() -> None:
    text = unstyle(render_model("kernel", find_model("kernel")))
    line = next(line for line in text.splitlines() if line.startswith("  pipeline "))

    assert "holds, symmetry  " in line
    assert " 2,427 " in line


def test_one_model_is_shown_with_sizes_and_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    text = unstyle(render_model("core", CORE["core"]))

    assert "flips             0  how often nodes go down or come back, in all" in text
    assert "no_node_is_oversubscribed in 6 steps" in text
    assert "nomadspec explore --model core --scope small" in text


def test_data_holds_the_expected_counts() -> None:
    data: Any = {"models": data_of(CORE)}
    (core,) = data["models"]
    small = core["scopes"][0]

    assert ("small", 0) == (small["name"], small["sizes"]["flips"])
    assert {34_069, 4_351} == {expected["distinct"] for expected in small["expected"]}


def test_a_model_that_is_not_published_has_no_expectations() -> None:
    assert "holds" not in unstyle(render_model("mine.py:X", find_model("2pc")))


def test_quirks_of_profiles_stand_below_with_their_titles() -> None:
    text = unstyle(render_model("kernel", find_model("kernel")))

    assert re.search(r"^  ID +TITLE$", text, re.MULTILINE)
    assert (
        "  X-10     The applier goes on judging plans by a snapshot that shows an entry which has failed."
        in text
    )
