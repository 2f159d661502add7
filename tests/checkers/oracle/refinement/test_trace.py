"""Recorded clusters against the kernel."""

from pathlib import Path

import pytest

from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.refinement.report import Refinement
from nomadspec.checkers.oracle.refinement.trace import refine_folder
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.recorded import TRACES, list_traces


def follow(folder: Path) -> Refinement:
    told = Refinement()
    told.add(folder.name, refine_folder(folder, Context(NOMAD_2_0)))
    return told


@pytest.mark.parametrize("name", ["lifecycle", "drain_deadline"])
def test_the_entries_of_a_cluster_do_as_the_kernel_says(name: str) -> None:
    told = follow(TRACES / name)

    assert not told.disagreed, "\n".join(told.disagreed)
    assert {"JobRegister", "EvalUpdate", "NodeUpdateStatus"} <= set(told.agreed)


@pytest.mark.deep
@pytest.mark.parametrize("folder", list_traces(), ids=lambda path: path.name)
def test_the_entries_of_every_cluster_do_as_the_kernel_says(folder: Path) -> None:
    told = follow(folder)

    assert not told.disagreed, "\n".join(told.disagreed)
    assert told.agreed.total() > told.outside.total()
