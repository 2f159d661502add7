"""One recording beside what the model says."""

from typing import Any

import pytest
from click import unstyle

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.reading import Line
from nomadspec.checkers.report.recording_text import Shown, show_line
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.cli.calling import call
from tests.checkers.oracle import made
from tests.recorded import find_recording_file


def show(patch: pytest.MonkeyPatch, **members: Any) -> Shown:
    made.use_addition(patch)
    patch.setattr(
        "nomadspec.checkers.oracle.answers.ANSWERS", {"alloc-names/cases": ("sum", "product", "parts")}
    )
    return show_line(made.ADDITION, Line("f.ndjson", 1, {"id": "x", **members}), Context(NOMAD_2_0))


def test_both_sides_stand_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    text = unstyle(show(monkeypatch, a=1, b=2, sum=4, product=2).render())

    assert "rejected f.ndjson x: sum: recorded 4, model 3 (SUM-01)" in text
    assert "  a   1" in text
    assert "  !  sum      4         3" in text
    assert "     product  2         same" in text
    assert "  sum: SUM-01" in text


def test_what_follows_the_first_difference_is_shown_too(monkeypatch: pytest.MonkeyPatch) -> None:
    data = show(monkeypatch, a=1, b=2, sum=4, product=5).data()

    assert ("violated", "rejected") == (data["verdict"], data["ruling"])
    assert {"id": "x", "a": 1, "b": 2} == data["input"]
    assert ({"sum": 4, "product": 5}, {"sum": 3, "product": 2}) == (data["recorded"], data["model"])
    assert isinstance(data["differences"], list)
    assert 2 == len(data["differences"])


def test_much_that_agrees_is_left_out_unless_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = show(monkeypatch, a=1, b=2, sum=4, parts=list(range(90)), long=list(range(90)))

    assert "... and 86 answers more that agree: add --all" in shown.render()
    assert "... and 33 values more: add --all" in shown.render()
    assert "add --all" not in shown.render(in_full=True)


def test_a_recording_that_cannot_be_judged_has_no_model_side(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = show(monkeypatch, a="one", b=2, sum=4)

    assert ((), "words are not added") == (shown.differences, shown.judgement.reason)
    assert "unsupported f.ndjson x: words are not added" in unstyle(shown.render())


def test_a_profile_judges_what_is_shown() -> None:
    words = ("vectors", "show", find_recording_file("broker/sequences"), "broker-196")

    assert 0 == call(*words).code
    assert 1 == call(*words, "--profile", "intended").code
