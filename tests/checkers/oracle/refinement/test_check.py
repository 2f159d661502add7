"""Holding files and folders against the kernel."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.refinement import check
from nomadspec.checkers.oracle.refinement.check import REFINED, find_refiner, refine_paths
from nomadspec.checkers.oracle.refinement.report import Step
from nomadspec.checkers.oracle.registry import read_kind
from nomadspec.checkers.oracle.time_limit import TooLongError
from nomadspec.checkers.report.refining import exit_code_of, render_all
from nomadspec.model.errors import InputError
from tests.recorded import TRACES, find_recording_file, list_lines


def copy_some(folder: Path, name: str, count: int = 2) -> Path:
    path = folder / f"{name}.ndjson"
    path.parent.mkdir(parents=True)
    text = find_recording_file(name)
    lines = list_lines(text)[:count]
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


def test_nothing_to_hold_against_it_is_no_success(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no recording of a component"):
        refine_paths([tmp_path])


def test_what_is_not_accepted_says_nothing_of_the_kernel(tmp_path: Path) -> None:
    path = copy_some(tmp_path, "broker/sequences", count=1)
    path.write_text(path.read_text().replace('"TotalReady": 0', '"TotalReady": 9', 1))

    (told,) = refine_paths([path]).values()

    assert ({}, {"a recording that is not accepted": 1}) == (told.agreed, told.outside)


def test_a_recorded_cluster_is_held_against_it() -> None:
    ((place, told),) = refine_paths([TRACES / "canary_manual"]).items()

    assert (str(TRACES), []) == (place, told.disagreed)
    assert {"JobRegister", "ApplyPlanResults", "EvalUpdate"} <= set(told.agreed)


def test_one_recording_that_fails_does_not_end_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = list_lines(find_recording_file("blocked/sequences"))[:2]
    path = tmp_path / "blocked" / "sequences.ndjson"
    path.parent.mkdir()
    path.write_text("\n".join(["{", *(json.dumps(line.document) for line in lines)]))
    find = check.find_refiner

    def stumble(document: Any, context: Context) -> Iterator[Step]:
        if document["id"] == lines[0].id:
            raise KeyError("nobody")
        yield from find(read_kind("blocked/sequences"))(document, context)

    monkeypatch.setattr(check, "find_refiner", lambda _kind: stumble)
    (told,) = refine_paths([path]).values()

    assert f"{path}, at line 1, column 2: this is no JSON" in told.unreadable[0]
    assert told.defects[0].startswith(f"{lines[0].id}: this program failed on it (KeyError in test_check.py:")
    assert told.agreed


def test_folders_with_links_to_themselves_are_walked_once(tmp_path: Path) -> None:
    line = list_lines(find_recording_file("blocked/sequences"))[0]
    path = tmp_path / "blocked" / "sequences.ndjson"
    path.parent.mkdir()
    path.write_text(json.dumps(line.document))
    (tmp_path / "again").symlink_to(tmp_path, target_is_directory=True)

    assert [str(path)] == [*refine_paths([tmp_path])]


def test_what_is_not_there_hides_nothing_of_the_others(tmp_path: Path) -> None:
    given = [tmp_path / "nowhere", copy_some(tmp_path, "blocked/sequences"), Path("/dev/zero")]
    found = refine_paths(given)

    assert ["there is no such file" in told for told in found[str(given[0])].unreadable] == [True]
    assert ["no ordinary file" in told for told in found[str(given[2])].unreadable] == [True]
    assert sum(told.agreed.total() for told in found.values()) > 0
    assert 3 == exit_code_of(found)


def test_what_was_stopped_or_took_too_long_does_not_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = copy_some(tmp_path, "blocked/sequences")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    def tire(*_: object) -> None:
        raise TooLongError(1.0)

    for fail in (stop, tire):
        with monkeypatch.context() as patch:
            patch.setattr(check, "find_refiner", fail)
            found = refine_paths([path])
        assert any(told.unfinished for told in found.values())
        assert 4 == exit_code_of(found)
        assert "unfinished" in render_all(found)
