"""Holding files and folders against the kernel."""

import json
from pathlib import Path

import pytest

from nomadspec.checkers.oracle.reading import read_lines
from nomadspec.checkers.oracle.refinement.check import REFINED, find_refiner, refine_paths
from nomadspec.checkers.oracle.registry import read_kind
from nomadspec.model.errors import InputError
from tests.recorded import TRACES, find_recording_file


def copy_some(folder: Path, name: str, count: int = 2) -> Path:
    path = folder / f"{name}.ndjson"
    path.parent.mkdir(parents=True)
    text = find_recording_file(name)
    lines = [*read_lines(text)][:count]
    path.write_text("\n".join(json.dumps(line.document) for line in lines))
    return path


@pytest.mark.parametrize("name", REFINED)
def test_every_kind_that_the_kernel_has_is_held_against_it(name: str) -> None:
    assert callable(find_refiner(read_kind(name)))


def test_a_folder_is_searched_for_what_the_kernel_has(tmp_path: Path) -> None:
    path = copy_some(tmp_path, "broker/sequences")
    copy_some(tmp_path, "alloc-names/cases")

    found = refine_paths([tmp_path])

    assert [str(path)] == list(found)
    assert found[str(path)].agreed.total() > 20


@pytest.mark.parametrize(
    ("name", "problem"), [("nowhere", "no such file"), ("", "no recording of a component")]
)
def test_nothing_to_hold_against_it_is_no_success(tmp_path: Path, name: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        refine_paths([tmp_path / name])


def test_what_is_not_accepted_says_nothing_of_the_kernel(tmp_path: Path) -> None:
    path = copy_some(tmp_path, "broker/sequences", count=1)
    path.write_text(path.read_text().replace('"TotalReady": 0', '"TotalReady": 9', 1))

    (told,) = refine_paths([path]).values()

    assert ({}, {"a recording that is not accepted": 1}) == (told.agreed, told.outside)


def test_a_recorded_cluster_is_held_against_it() -> None:
    ((place, told),) = refine_paths([TRACES / "canary_manual"]).items()

    assert (str(TRACES), []) == (place, told.disagreed)
    assert {"JobRegister", "ApplyPlanResults", "EvalUpdate"} <= set(told.agreed)
