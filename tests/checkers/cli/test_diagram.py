"""``nomadspec diagram``."""

import pytest

from nomadspec.model.lifecycle.catalogue import LIFECYCLES
from tests.checkers.cli.calling import call


@pytest.mark.parametrize("name", LIFECYCLES)
def test_every_lifecycle_is_drawn_and_named_in_the_help(name: str) -> None:
    assert call("diagram", name).out.startswith("flowchart")
    assert name in call("diagram", "--help").out


def test_the_nearest_lifecycle_is_suggested() -> None:
    called = call("diagram", "deploiment")

    assert 2 == called.code
    assert "did you mean deployment?" in called.err


def test_a_profile_decides_which_arrows_are_there() -> None:
    assert "01/S4" in call("diagram", "job").out
    assert "01/S4" not in call("diagram", "job", "--profile", "intended").out


def test_lifecycles_are_completed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_NOMADSPEC_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "nomadspec diagram allocation-d")
    monkeypatch.setenv("COMP_CWORD", "2")

    assert "plain,allocation-desired\n" == call().out


def test_what_was_explored_is_drawn_beside_what_may_happen() -> None:
    drawn = call("diagram", "evaluation", "--from", "explored", "--scope", "delivery-limit")

    assert 0 == drawn.code
    assert "failed-follow-up \u00d7" in drawn.out
    assert "as explored in delivery-limit" in drawn.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("evaluation", "--scope", "delivery-limit"), "needs --from explored"),
        (("node", "--from", "explored"), "evaluation-place can be drawn as explored, not node"),
        (("evaluation", "--from", "explored", "--model", "2pc"), "2pc is not the kernel"),
    ],
)
def test_what_cannot_be_explored_is_refused(words: tuple[str, ...], sentence: str) -> None:
    called = call("diagram", *words)

    assert 2 == called.code
    assert sentence in called.err
