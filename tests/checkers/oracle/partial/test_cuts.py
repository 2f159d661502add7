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


SHORTER = [name for name in FEW if name != "burst"]
PAIRS = [
    pytest.param(name, how, marks=[] if name == SHORTER[at % len(SHORTER)] else pytest.mark.deep)
    for at, how in enumerate(CUTS)
    for name in FEW
]
"""Each recording with each way of cutting; each way with one of the shorter ones in the usual tests."""


@pytest.mark.parametrize(("name", "how"), PAIRS)
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
