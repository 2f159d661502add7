"""``nomadspec verify``."""

import tempfile
from functools import cache
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import settings

from nomadspec.checkers.cli import verifying
from nomadspec.checkers.explore.sharded import ray_crew
from nomadspec.checkers.manifest import Effort
from nomadspec.checkers.stateful import EFFORTS, effort
from tests.checkers.cli.calling import Called, call
from tests.checkers.cli.schemas import check_output


@cache
def verify_with_page() -> tuple[Called, str]:
    """Run it once for all tests, with its page, and with fewer samples than users have."""
    few = MappingProxyType({"fast": settings(EFFORTS["fast"], max_examples=5)})
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(effort, "EFFORTS", few)
        patch.setitem(verifying._WALKS, Effort.FAST, 50)
        page = Path(folder) / "report.html"
        called = call("verify", "--model", "2pc", "--json", "--report", page)
        return called, page.read_text()


def verify_two_phase_commit() -> Called:
    """Give what it printed."""
    return verify_with_page()[0]


def test_the_page_has_a_table_for_each_engine() -> None:
    _, page = verify_with_page()

    assert all(f"<h2>{title}</h2>" in page for title in ("Explored", "Known-bad scopes", "Proved", "Sampled"))


def test_the_published_models_hold() -> None:
    called = verify_two_phase_commit()

    check_output(called.data)
    assert (0, "holds", "fast") == (called.code, called.data["verdict"], called.data["effort"])


def test_both_profiles_are_judged() -> None:
    explored = [one for one in verify_two_phase_commit().data["explored"] if one["expected"] == "holds"]

    assert [["nomad-2.0", "intended"]] * len(explored) == [one["profiles"] for one in explored]


def test_known_faults_are_found_again() -> None:
    failing = [one for one in verify_two_phase_commit().data["explored"] if one["expected"] != "holds"]

    assert [("hasty", "managers_agree", "holds")] == [
        (one["scope"], one["expected"], one["verdict"]) for one in failing
    ]


def test_what_is_left_out_is_named_with_its_command() -> None:
    left_out = verify_two_phase_commit().data["left_out"]

    assert "nomadspec explore --model 2pc --scope full" in {one["run"] for one in left_out}


def test_proofs_and_samples_are_there() -> None:
    data = verify_two_phase_commit().data

    assert {"proved-unbounded"} == {one["result"] for one in data["proved"]}
    assert {"full", "small"} >= {one["scope"] for one in data["sampled"]}


def test_an_unknown_model_is_a_wrong_call() -> None:
    assert 2 == call("verify", "--model", "3pc").code


def test_without_ray_it_is_said_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_crew, "find_spec", lambda _name: None)

    called = call("verify", "--model", "2pc", "--ray")

    assert 2 == called.code
    assert "pip install ray" in called.err
