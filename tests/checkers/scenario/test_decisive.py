"""The decisive step of a scenario."""

from pathlib import Path

import pytest

from nomadspec.checkers.scenario.decisive import find_decisive
from nomadspec.model.errors import InputError
from nomadspec.model.specification.profiles import NOMAD_2_0

_LINES = "cluster 1 nodes\nregister web\nregister db\n"


def _write(folder: Path, text: str) -> Path:
    path = folder / "a.scenario"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_world_just_before_the_decisive_step_is_found(tmp_path: Path) -> None:
    path = _write(tmp_path, f"# Decided by CommitPlan 2\n{_LINES}")

    decisive = find_decisive(path, NOMAD_2_0)

    assert decisive is not None
    assert ("CommitPlan()", "register db") == (decisive.act, decisive.statement)
    assert ["web"] == [alloc.job_id for alloc in decisive.before.state.list_allocs()]


def test_a_scenario_need_not_say_what_decides_it(tmp_path: Path) -> None:
    assert find_decisive(_write(tmp_path, _LINES), NOMAD_2_0) is None


def test_a_step_that_does_not_happen_decides_nothing(tmp_path: Path) -> None:
    path = _write(tmp_path, f"# Decided by CommitPlan 3\n{_LINES}")

    with pytest.raises(InputError, match="decided by CommitPlan 3, which does not happen"):
        find_decisive(path, NOMAD_2_0)
