"""A recording is accepted under whatever names, IDs and times it might have been made."""

from pathlib import Path

import pytest

from nomadspec.checkers.oracle.check import judge_trace
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Ruling
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.partial.varying import VARIATIONS, copy_varied
from tests.recorded import TRACES, list_traces

FEW = ("periodic", "job_stop")


def judge_varied(name: str, folder: Path, how: str, seed: int) -> tuple[Ruling, object]:
    judgement = judge_trace(
        copy_varied(TRACES / name, folder / f"{name} {seed}", how, seed), Context(NOMAD_2_0)
    )
    return judgement.ruling, judgement.difference or judgement.reason


@pytest.mark.parametrize("how", VARIATIONS)
@pytest.mark.parametrize("name", FEW)
def test_what_might_have_been_recorded_is_accepted(name: str, how: str, tmp_path: Path) -> None:
    ruling, said = judge_varied(name, tmp_path, how, 1)

    assert ruling is Ruling.ACCEPTED, said


@pytest.mark.deep
@pytest.mark.parametrize("how", VARIATIONS)
def test_all_that_might_have_been_recorded_is_accepted(how: str, tmp_path: Path) -> None:
    rulings = {folder.name: judge_varied(folder.name, tmp_path, how, 2) for folder in list_traces()}

    assert {name: said for name, (ruling, said) in rulings.items() if ruling is not Ruling.ACCEPTED} == {}
