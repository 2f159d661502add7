"""What is missing of a recording makes it inconclusive from here to there, and never impossible."""

from pathlib import Path

import pytest

from nomadspec.checkers.oracle.check import judge_trace
from nomadspec.checkers.oracle.context import Context
from nomadspec.checkers.oracle.judgement import Judgement, Ruling
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.partial.cutting import CUTS, copy_cut
from tests.recorded import TRACES, list_traces

FEW = ("server_restart", "burst", "namespace_late", "node_purge")


def judge_cut(name: str, folder: Path, how: str, seed: int) -> Judgement:
    return judge_trace(copy_cut(TRACES / name, folder / f"{name} {seed}", how, seed), Context(NOMAD_2_0))


def assert_open(judgement: Judgement) -> None:
    assert judgement.ruling is Ruling.UNDECIDED, (judgement.difference, judgement.reason)
    assert judgement.unseen
    assert judgement.reason.startswith("inconclusive: ")


@pytest.mark.parametrize("how", CUTS)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.deep) if name == "burst" else name for name in FEW]
)  # the deep tests cut all recordings
def test_what_is_cut_is_inconclusive(name: str, how: str, tmp_path: Path) -> None:
    """WIRE-082, WIRE-091, WIRE-093."""
    assert_open(judge_cut(name, tmp_path, how, 1))


@pytest.mark.deep
@pytest.mark.parametrize("how", CUTS)
def test_what_is_cut_anywhere_is_never_impossible(how: str, tmp_path: Path) -> None:
    """Where a server was restarted all lines come again: then nothing is missing."""
    rulings = {
        judge_cut(folder.name, tmp_path, how, seed).ruling for folder in list_traces() for seed in range(3)
    }

    assert Ruling.UNDECIDED in rulings
    assert rulings <= {Ruling.UNDECIDED, Ruling.ACCEPTED}
