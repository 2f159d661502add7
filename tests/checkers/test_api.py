"""What scripts and notebooks call: each engine by one name, with results that show themselves."""

from pathlib import Path

import pytest

import nomadspec
from nomadspec.model.errors import ModelError, UnknownNameError, UsageError
from tests.checkers.cli.test_schedule import write_call
from tests.tidy.source import ROOT

SCENARIO = ROOT / "docs/scenarios/nodes/a-node-is-lost.scenario"


def test_a_search_shows_its_verdict_and_replays_its_story() -> None:
    found = nomadspec.explore("2pc", "hasty", properties=["managers_agree"])
    story = found.replay()

    assert "violated" == found.report.verdict.value
    assert "managers_agree" in found._repr_html_()
    assert '<svg style="max-width:100%;height:auto"' in story.picture()._repr_svg_()
    assert '<span style="font-weight:bold">VIOLATED</span>' in found._repr_html_().replace(
        '<span style="color:#d64541">', ""
    )
    assert 'sandbox="allow-scripts"' in story._repr_html_()


def test_a_model_of_ones_own_is_named_by_its_file() -> None:
    found = nomadspec.explore(f"{ROOT}/docs/how-to/examples/drain.py:DRAIN")

    assert 205 == found.report.distinct


def test_what_holds_has_no_story() -> None:
    with pytest.raises(UsageError, match="no story"):
        nomadspec.explore("2pc", sizes={"rms": 1}, profile="intended", properties=["managers_agree"]).replay()


def test_proofs_are_found_by_name() -> None:
    found = nomadspec.prove("2pc", ["managers_agree"], profile="intended")

    assert "proved-unbounded" == found.find("managers_agree").result.value
    assert "managers_agree" in found._repr_html_()
    assert "holds" == found.data()["verdict"]
    assert "managers_agree" in found.render()
    with pytest.raises(UnknownNameError):
        found.find("all_is_well")


def test_the_same_seed_walks_the_same_walks() -> None:
    first, second = (nomadspec.simulate("2pc", seed=7, walks=3, profile="intended") for _ in range(2))

    assert first.report.digest == second.report.digest
    assert "seed 7" in first._repr_html_()


def test_a_story_of_a_file_is_replayed(tmp_path: Path) -> None:
    with pytest.raises(nomadspec.model.errors.InputError):
        nomadspec.replay(tmp_path / "missing.json")


def test_a_scenario_is_a_file_or_a_text() -> None:
    of_file, of_text = (
        nomadspec.scenario(SCENARIO, profile="nomad-2.0"),
        nomadspec.scenario(SCENARIO.read_text(), profile="nomad-2.0"),
    )

    assert (0, 0) == (of_file.exit_code, of_text.exit_code)
    assert len(of_file.run.events) == len(of_text.run.events)
    assert "<iframe" in of_file._repr_html_()


def test_what_asks_for_quirks_needs_a_profile() -> None:
    with pytest.raises(ModelError, match=r"asks for the quirk X-03, and no profile was named"):
        nomadspec.explore("2pc", "small")


def test_pictures_are_svg() -> None:
    for picture in (
        nomadspec.lifecycle("evaluation", profile="nomad-2.0"),
        nomadspec.dag(SCENARIO, profile="nomad-2.0"),
    ):
        assert "<svg" in picture._repr_svg_()


def test_a_decision_has_its_reasons(tmp_path: Path) -> None:
    decision = nomadspec.schedule(write_call(tmp_path), profile="nomad-2.0")

    assert decision.outcome.reasons is not None
    assert "place" in decision._repr_html_()
