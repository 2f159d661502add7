"""``nomadspec scenario search`` and ``nomadspec scenario judge``."""

from pathlib import Path
from typing import Any

import pytest

from nomadspec.checkers.stateful.world.searching import Walk, walk_once
from nomadspec.invariants.cluster.world import PROPERTIES, list_properties
from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output

ROOT = Path(__file__).parents[3]
FINDING = ROOT / "docs" / "scenarios" / "findings" / "older-version-of-a-job-is-current-again.scenario"
PAGE = ROOT / "docs" / "concepts" / "cluster-properties.md"


@pytest.mark.parametrize(
    ("seed", "acts", "least"), [(12, 100, 2), pytest.param(3, 900, 1, marks=pytest.mark.deep(seconds=40))]
)
def test_a_search_tells_what_is_broken_and_keeps_its_scenario(
    seed: int, acts: int, least: int, tmp_path: Path
) -> None:
    words = ("--seed", str(seed), "--acts", str(acts), "--out", tmp_path, "--json")
    called = call("scenario", "search", *words)
    check_output(called.data)

    found = called.data["found"]
    assert len(found) >= least
    assert (1, "violated", len(PROPERTIES)) == (
        called.code,
        called.data["verdict"],
        called.data["properties"],
    )
    assert sorted(path.stem for path in tmp_path.iterdir()) == sorted(each["property"] for each in found)
    path = next(tmp_path.iterdir())
    judged = call("scenario", "judge", path, "--json")
    assert path.stem == judged.data["broken"]["property"]
    assert called.data == call("scenario", "search", *words).data


def test_a_search_that_breaks_nothing_says_how_far_it_went() -> None:
    called = call("scenario", "search", "--seed", "1", "--acts", "200", "--profile", "intended")

    assert 0 == called.code
    assert f"NOT REFUTED  {len(PROPERTIES)} properties held" in called.out


def test_a_search_that_is_interrupted_tells_how_far_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    walked = []

    def walk(*words: Any) -> Walk:
        walked.append(words)
        if len(walked) > 1:
            raise KeyboardInterrupt
        return walk_once(*words)

    monkeypatch.setattr("nomadspec.checkers.stateful.world.searching.walk_once", walk)
    called = call("scenario", "search", "--seed", "1", "--acts", "9000", "--profile", "intended", "--json")
    check_output(called.data)

    assert (4, "inconclusive", 1) == (called.code, called.data["verdict"], called.data["walks"])


def test_a_scenario_is_judged_under_each_profile() -> None:
    shipped = call("scenario", "judge", FINDING, "--json")
    intended = call("scenario", "judge", FINDING, "--profile", "intended", "--json")
    for called in (shipped, intended):
        check_output(called.data)

    assert (1, "version_of_job_never_decreases") == (shipped.code, shipped.data["broken"]["property"])
    assert (0, "holds", None) == (intended.code, intended.data["verdict"], intended.data["broken"])


ENDLESS = """cluster 2 nodes cpu 1000
register agent type system cpu 600
register agent type system groups 2 canary 1,0
wait 10m
register web
"""
"""05/S4, C-09, C-30: a worker plans for a system job again and again, and is refused each time."""


def test_a_scenario_is_judged_up_to_the_first_property_that_it_breaks(tmp_path: Path) -> None:
    file = tmp_path / "a.scenario"
    file.write_text(f"{ENDLESS}do 'PullAllocs(node-7)'\n")
    called = call("scenario", "judge", file, "--json")
    check_output(called.data)

    assert (1, "violated", None) == (called.code, called.data["verdict"], called.data["stopped_by"])
    assert ("rejected_plans_end_a_delivery", 4) == (
        called.data["broken"]["property"],
        called.data["broken"]["line"],
    )


def test_a_scenario_without_end_is_stopped_where_it_breaks_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.scenario"
    file.write_text(ENDLESS)
    monkeypatch.setattr("nomadspec.checkers.stateful.world.judging.list_properties", lambda: ())
    called, told = call("scenario", "judge", file), call("scenario", "judge", file, "--json")
    check_output(told.data)

    assert 4 == called.code == told.code
    assert (
        "is broken so far; stopped in line 4, which has no end: worker-1 has submitted 204 plans"
        in called.out
    )
    assert ("inconclusive", "endless", 4) == (
        told.data["verdict"],
        told.data["stopped_by"],
        told.data["stopped_in_line"],
    )


def test_a_scenario_that_goes_on_without_end_while_it_rests_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.scenario"
    file.write_text("".join(ENDLESS.splitlines(keepends=True)[:2]) + "hold worker\nregister web\n")
    monkeypatch.setattr("nomadspec.checkers.stateful.world.judging.list_properties", lambda: ())
    monkeypatch.setattr("nomadspec.checkers.scenario.run.MOST_ACTS", 10)
    told = call("scenario", "judge", file, "--json")

    assert (4, "endless", 2) == (told.code, told.data["stopped_by"], told.data["stopped_in_line"])


def test_a_scenario_that_is_not_there_cannot_be_judged() -> None:
    assert 3 == call("scenario", "judge", "nowhere.scenario").code


def test_the_page_lists_every_property_as_it_promises() -> None:
    page = PAGE.read_text(encoding="utf-8")

    for each in list_properties():
        assert f"| `{each.name}` | {each.about} | {each.because} | {', '.join(each.spec)} |" in page
