"""Walks through folders come to an end, in order and once to each folder."""

import os
from collections.abc import Iterator
from contextlib import chdir
from functools import partial
from pathlib import Path

import pytest

from nomadspec.checkers.conform.conversation import Score
from nomadspec.checkers.conform.judging import Terms
from nomadspec.checkers.conform.made_questions import Coverage
from nomadspec.checkers.conform.recorded_questions import list_recorded
from nomadspec.checkers.oracle.check import check_paths
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.folder_walk import Folder, walk
from nomadspec.checkers.oracle.limits import Limits
from nomadspec.checkers.oracle.refinement.check import refine_paths
from nomadspec.checkers.scenario.play import list_files
from nomadspec.model.errors import InputError, UnreadableError
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.cli.calling import call

DEEP = 600
"""Folders inside one another: Python calls that recur for each of them would be too many."""


def list_found(root: Path, limits: Limits | None = None) -> list[str]:
    found = walk(root, limits or Limits(), lambda folder: folder.name == "whole")
    return [
        f"{one.path.name}/" if isinstance(one, Folder) else one.name if isinstance(one, Path) else str(one)
        for one in found
    ]


@pytest.fixture
def deep(tmp_path: Path) -> Path:
    with chdir(tmp_path):
        for _ in range(DEEP):
            os.mkdir("a")  # noqa: PTH102 -- by the name alone, for the whole path is longer than a system call takes
            os.chdir("a")
        Path("x.scenario").write_text("cluster 1 nodes\n")
    return tmp_path


def test_a_walk_is_in_order_and_comes_to_each_folder_once(tmp_path: Path) -> None:
    for name in ("b/x", "b/c/y", "whole/z", "w"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "b" / "c" / "up").symlink_to(tmp_path)
    (tmp_path / "again").symlink_to(tmp_path / "b")

    assert [f"{tmp_path.name}/", "again/", "c/", "y", "x", "w", "whole"] == list_found(tmp_path)


def test_a_walk_counts_all_that_is_inside(tmp_path: Path) -> None:
    for name in ("b/x", "b/c/y"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()

    assert list_found(tmp_path, Limits(walk=4))
    with pytest.raises(
        UnreadableError, match=r"more than 3 files and folders in it; name .* allow more with --max-walk"
    ):
        list_found(tmp_path, Limits(walk=3))


def test_what_cannot_be_listed_is_told_and_the_rest_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    (tmp_path / "b" / "x").touch()
    listed = Path.iterdir

    def refuse(self: Path) -> Iterator[Path]:
        if self.name == "a":
            raise PermissionError(13, "Permission denied", str(self))
        return listed(self)

    monkeypatch.setattr(Path, "iterdir", refuse)

    assert [
        f"{tmp_path.name}/",
        f"{tmp_path / 'a'}: it cannot be read: Permission denied.",
        "b/",
        "x",
    ] == list_found(tmp_path)


def test_folders_stand_inside_one_another_deeper_than_python_calls(deep: Path) -> None:
    terms = Terms(profile=NOMAD_2_0)

    (checked,) = check_paths([deep], None, partial(Context, NOMAD_2_0))
    (scenario,) = list_files([deep])

    assert "there are no recordings in this folder" in str(checked)
    assert isinstance(scenario, Path)
    assert "x.scenario" == scenario.name
    assert [] == [*list_recorded([deep], (), terms, Score(), Coverage())]
    with pytest.raises(InputError, match="there is no recording of a component"):
        refine_paths([deep])


@pytest.mark.parametrize(
    "words",
    [("vectors", "check"), ("vectors", "refine"), ("scenario", "run")],
    ids=" ".join,
)
def test_each_verb_that_walks_has_its_limit(tmp_path: Path, words: tuple[str, ...]) -> None:
    for number in range(3):
        (tmp_path / f"{number}.txt").touch()

    called = call(*words, tmp_path, "--max-walk", "2")

    assert 3 == called.code
    assert "there are more than 2 files and folders in it" in called.out + called.err


def test_a_folder_of_scenarios_that_cannot_be_walked_keeps_no_other_from_being_played(tmp_path: Path) -> None:
    good = tmp_path / "good.scenario"
    good.write_text("cluster 1 nodes\n")
    (tmp_path / "empty").mkdir()

    called = call("scenario", "run", tmp_path / "empty", good)

    assert 3 == called.code
    assert "there is no file in it that ends in .scenario" in called.out
    assert "good.scenario" in called.out
