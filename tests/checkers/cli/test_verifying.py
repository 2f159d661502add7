"""How verify goes about it."""

from collections.abc import Callable

import pytest

from nomadspec.checkers.cli import verifying
from nomadspec.checkers.cli.verifying import command_of, verify
from nomadspec.checkers.manifest import Effort, Published, load_manifest
from nomadspec.checkers.progress import Silence
from nomadspec.checkers.verdict import Verdict


def entry(reduction: str, profile: str) -> Published:
    return next(
        one
        for one in load_manifest()
        if (one.model, one.scope, one.reduction, one.profile) == ("core", "flip", reduction, profile)
    )


def test_the_command_runs_the_search() -> None:
    assert "nomadspec explore --model core --scope flip" == command_of(entry("none", "nomad-2.0"))
    assert "nomadspec explore --model core --scope flip --profile intended --reduction symmetry" == (
        command_of(entry("symmetry", "intended"))
    )


@pytest.mark.parametrize("engine", ["explore", "prove", "simulate", "run"])
def test_an_interrupt_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    monkeypatch.setattr(verifying, engine, interrupt)

    found = verify(["2pc"], Effort.FAST, Silence())

    assert Verdict.INCONCLUSIVE is found.verdict
    assert found.missing
    assert (engine == "explore") == (not found.searched)


def test_a_larger_effort_leaves_less_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "explore", interrupt)
    left_out = [len(verify(["core"], effort, Silence()).left_out) for effort in Effort]

    assert left_out == sorted(left_out, reverse=True)
    assert 0 == left_out[-1]


def interrupt(*_given: object, **_named: Callable[..., object]) -> None:
    raise KeyboardInterrupt
