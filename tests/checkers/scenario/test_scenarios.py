"""The scenarios of the documentation go as they say."""

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from nomadspec.checkers.scenario.language import parse_lines, read_lines
from nomadspec.checkers.scenario.play import list_files, play, play_lines
from nomadspec.checkers.scenario.rest_promises import list_broken
from nomadspec.checkers.scenario.run import Run
from nomadspec.model.cluster.acts import list_acts
from nomadspec.model.cluster.entities import Trigger
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile
from tests.tidy.source import ROOT

FOLDER = ROOT / "docs" / "scenarios"
FINDINGS = FOLDER / "findings"  # They are judged in tests/checkers/stateful/world/test_findings.py.
FILES = [
    file for file in list_files([FOLDER]) if isinstance(file, Path) and not file.is_relative_to(FINDINGS)
]
PAGE = ROOT / "docs" / "concepts" / "running-cluster.md"


@cache
def play_once(file: Path, profile: Profile) -> Run:
    """Play a scenario, once for all tests that look at its run."""
    return play(file, profile)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
@pytest.mark.parametrize("profile", [NOMAD_2_0, INTENDED], ids=lambda profile: profile.name)
def test_a_scenario_goes_as_it_says(file: Path, profile: Profile) -> None:
    run = play_once(file, profile)

    assert not run.unmet
    assert run.met >= 2
    assert [] == list_broken(run.world)


def test_every_scenario_begins_with_what_it_shows_and_is_listed_on_the_page() -> None:
    page = PAGE.read_text()

    assert len(FILES) >= 40
    for file in FILES:
        assert file.read_text().startswith("# "), file
        assert f"{file.parent.name}/{file.name}" in page, f"{file.name} is not on {PAGE.name}"


def test_every_act_and_every_trigger_that_anything_makes_has_a_story() -> None:
    """TRIG-01, TRIG-24: nothing makes an evaluation for a rolling update."""
    missing: set[object] = {*list_acts(), *Trigger}
    for file in [*FILES, *sorted(FINDINGS.glob("*.scenario"))]:
        if missing == {Trigger.ROLLING_UPDATE}:
            break
        run = play_once(file, NOMAD_2_0)
        missing -= {type(event.act) for event in run.events}
        missing -= {each.split()[1] for event in run.events for each in event.made}

    assert missing == {Trigger.ROLLING_UPDATE}


def test_a_scenario_does_the_same_each_time() -> None:
    lines = read_lines(FOLDER / "seed" / "1-missed-heartbeat.scenario")

    assert play_lines(lines, NOMAD_2_0).events == play_lines(lines, NOMAD_2_0).events


def make_flapping(nodes: int, system: int, service: int, *, one_by_one: bool) -> str:
    """Write what the document extrapolates: every node goes down once, and comes back."""
    lines = [f"cluster {nodes} nodes cpu 400000 memory 400000"]
    small = "cpu 20 memory 20 max_parallel 0"
    lines += [f"register system-{number} type system {small}" for number in range(system)]
    only = "" if one_by_one else "distinct yes"
    lines += [f"register service-{number} count {nodes} {small} {only}" for number in range(service)]
    lines += ["wait 1m", f"expect {nodes * (system + service)} allocs running", "count from here"]
    names = [f"node-{number}" for number in range(1, nodes + 1)]
    if one_by_one:
        for name in names:
            lines += [f"{name} misses heartbeats", "wait 1m", f"{name} returns", "wait 1s"]
    else:
        lines += ["hold worker", *(f"{name} misses heartbeats" for name in names), "wait 1m"]
        lines += [*(f"{name} returns" for name in names), "release worker", "wait 1m"]
    return "\n".join(lines)


def count_evals(run: Run) -> Counter[str]:
    assert not run.unmet
    made = [entry for entry in run.world.state.list_evals() if entry.create_index > run.marked_at]
    assert {"node-update"} == {entry.triggered_by for entry in made}
    return Counter(entry.type for entry in made)


@pytest.mark.parametrize(
    ("nodes", "system", "service"),
    [(8, 2, 4), pytest.param(100, 10, 40, marks=pytest.mark.deep(seconds=120))],
)
def test_nodes_that_return_before_anything_is_looked_at_make_all_evaluations_of_the_document(
    nodes: int, system: int, service: int
) -> None:
    """TRIG-32: 100 nodes, 10 system and 40 service jobs make 2,000 + 8,000 evaluations; few are worked on."""
    text = make_flapping(nodes, system, service, one_by_one=False)
    run = play_lines(parse_lines(text, "flapping"), NOMAD_2_0)
    ended = Counter(entry.status for entry in run.world.state.list_evals())

    assert {"system": nodes * system * 2, "service": nodes * service * 2} == count_evals(run)
    assert run.count_acts("SubmitPlan") == 0  # every one of them changes nothing
    assert ended["canceled"] >= 2 * (system + service) * (nodes - 1)


def test_nodes_that_stay_away_for_longer_make_half_as_many_for_service_jobs_and_no_no_ops() -> None:
    """TRIG-29: what was lost on a node is no reason to look at its job when the node comes back."""
    text = make_flapping(8, 2, 4, one_by_one=True)
    run = play_lines(parse_lines(text, "flapping"), NOMAD_2_0)
    made = count_evals(run)

    assert 8 * 2 * 2 == made["system"]
    assert made["service"] <= 8 * 4
    assert run.count_acts("SubmitPlan") >= made["system"] + made["service"]
