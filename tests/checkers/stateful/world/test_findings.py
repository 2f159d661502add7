from functools import cache
from pathlib import Path

import pytest

from nomadspec.checkers.model_findings import list_findings
from nomadspec.checkers.scenario.language import parse_lines, read_lines
from nomadspec.checkers.scenario.run import Unmet
from nomadspec.checkers.stateful.clusters.scheduler_findings import SCHEDULER_FINDINGS
from nomadspec.checkers.stateful.world import Breach
from nomadspec.checkers.stateful.world.judging import judge_lines, watch_lines
from nomadspec.invariants.cluster.world import PROPERTIES
from nomadspec.invariants.cluster.world.cluster_findings import CLUSTER_FINDINGS
from nomadspec.invariants.cluster.world.finding_scenarios import (
    COMPANIONS,
    CURES,
    SCENARIOS,
    make_cured_profile,
)
from nomadspec.model.errors import InputError
from nomadspec.model.specification.profiles import INTENDED, NOMAD_2_0, Profile, find_profile
from nomadspec.model.specification.quirks import UNRELATED_STOP

FOLDER = Path(__file__).parents[4] / "docs" / "scenarios" / "findings"
FILES = sorted(FOLDER.glob("*.scenario"))
COUNTS_ONLY = "healthy-alloc-is-counted-twice"
"""Nothing but the counts of a deployment is wrong, and no statement expects them."""


def _read(path: Path, mark: str) -> str:
    return next(
        line.removeprefix(mark).strip()
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith(mark)
    )


@cache
def _judge(path: Path, profile: Profile) -> tuple[Breach | None, tuple[Unmet, ...]] | None:
    """Judge a finding, once for all tests: what it breaks, and what is not as it expects.

    None where a cure makes one of its acts impossible.
    """
    try:
        run = watch_lines(read_lines(path), profile, path.parent)
    except InputError as error:
        if "is not possible here" not in str(error):
            raise
        return None
    return run.asking.breach, tuple(run.unmet)


def _breaks(name: str, path: Path, profile: Profile) -> bool:
    judged = _judge(path, profile)
    return judged is not None and judged[0] is not None and judged[0].name == name


def test_there_are_findings() -> None:
    assert FILES


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_finding_breaks_what_it_names_and_its_cure_mends_it(path: Path) -> None:
    """X-17, X-41, X-42: the cure of each is named in its file."""
    name, cure = _read(path, "# Breaks "), _read(path, "# Cured by ")
    assert name in PROPERTIES
    assert _read(path, "# Who is hurt: ")

    shown = _judge(path, NOMAD_2_0)
    assert shown is not None
    broken, unmet = shown
    assert broken is not None
    assert broken.name == name
    assert not unmet
    assert not _breaks(name, path, find_profile(f"nomad-2.0 -{cure}"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_a_finding_ends_in_is_gone_with_its_cure(path: Path) -> None:
    """F-21: its scenario ended in a deployment that fails, but it failed with the cure as well."""
    cured = _judge(path, find_profile(f"nomad-2.0 -{_read(path, '# Cured by ')}"))

    assert cured is None or cured[1] or path.stem == COUNTS_ONLY


def test_the_cures_of_all_findings_are_known() -> None:
    named = {_read(path, "# Cured by ") for path in FILES}

    assert named == {cure.id for cure in CURES}
    mended = {cure for cure in NOMAD_2_0.quirks if not make_cured_profile().has(cure)}
    assert mended == {*CURES, *COMPANIONS}


ONE_OF_EACH = {_read(path, "# Breaks "): path for path in reversed(FILES)}
"""A finding for each property that any breaks: all that is mended as intended includes the cure of each."""


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[] if path in ONE_OF_EACH.values() else pytest.mark.deep)
        for path in FILES
    ],
)
def test_a_finding_does_not_break_its_property_as_intended(path: Path) -> None:
    assert not _breaks(_read(path, "# Breaks "), path, INTENDED)


def test_the_registry_says_of_each_scenario_what_its_file_says() -> None:
    said = {(path.stem, _read(path, "# Breaks "), _read(path, "# Cured by ")) for path in FILES}

    assert said == {(shown.scenario, shown.violates, shown.cure.id) for shown in SCENARIOS}
    assert {shown.file for shown in SCENARIOS} == {
        path.relative_to(FOLDER.parents[2]).as_posix() for path in FILES
    }


def test_what_only_clusters_show_has_a_scenario_and_no_other_finding_has_its_cure() -> None:
    elsewhere = {one.cure for one in list_findings()} | {one.cure for one in SCHEDULER_FINDINGS}

    assert {one.cure for one in CLUSTER_FINDINGS} == {*CURES} - elsewhere
    assert {(one.violates, one.cure) for one in CLUSTER_FINDINGS} <= {
        (shown.violates, shown.cure) for shown in SCENARIOS
    }


_COMPLETED_AND_COLLECTED = """
cluster 2 nodes
register web
wait 1m
web[0] completes
wait 1s
collect garbage
"""
_FAILED_AND_COLLECTED = """
cluster 1 nodes
register web volume data
fail deployment web
wait 1s
collect garbage
"""
_LOST_LATER = """
cluster 2 nodes
register web lost_after 2m replace no
wait 1m
node of web[0] misses heartbeats
wait 90s
register web lost_after 3m replace no
wait 10m
"""


_FORGOTTEN_VERSION = """
cluster 2 nodes
register web max_parallel 0 lost_after 2m replace no
wait 1m
hold worker
node of web[0] misses heartbeats
wait 30s
{registrations}
release worker
wait 10m
""".format(
    registrations="\n".join(
        f"register web max_parallel 0 replace no priority {50 + number}" for number in range(8)
    )
)


_PURGED_AND_REGISTERED = """
cluster 1 nodes
register agent type system
wait 1s
hold SubmitPlan
node node-2 joins
wait 1s
purge agent
register agent type system
release SubmitPlan
wait 1m
"""
_STOPPED_BEFORE_IT_STARTED = """
cluster 2 nodes
hold client
register web count 2
wait 1s
register web count 1
wait 1s
release client
wait 1m
drain node-1
wait 1m
"""
_REPLACED_AND_BACK = """
cluster 3 nodes cpu 2000 workers 3 pipeline 1 seed 3
register web count 2 lost_after 2h reschedules unlimited
wait 10s1ms
node-2 misses heartbeats
wait 40s
node-2 returns
wait 3h
"""


@pytest.mark.parametrize(
    "text",
    [
        _COMPLETED_AND_COLLECTED,
        _FAILED_AND_COLLECTED,
        _LOST_LATER,
        _FORGOTTEN_VERSION,
        _PURGED_AND_REGISTERED,
        _STOPPED_BEFORE_IT_STARTED,
        _REPLACED_AND_BACK,
    ],
    ids=[
        "collected",
        "failed and collected",
        "lost later",
        "forgotten version",
        "purged and registered",
        "stopped before it started",
        "replaced and back",
    ],
)
def test_what_the_rules_allow_breaks_nothing(text: str) -> None:
    """ALLOC-12: a service that completes wakes nobody. REC-82: a failed deployment places nothing.

    DISC-06: the end of a wait is planned once. X-23: no deployment begins for an earlier job of a name.
    DRAIN-03: the drainer looks at no job of which nothing on the node is wanted any more.
    """
    assert judge_lines(parse_lines(text, "allowed"), make_cured_profile()).breach is None


def test_whoever_leaves_a_replaced_alloc_alone_has_to_stop_one_of_its_name() -> None:
    """REC-76: with X-69 mended two have one name, and by 04/S-11 the only one of another is stopped."""
    mended = (f"-{cure}" for cure in (*CURES, *COMPANIONS) if cure != UNRELATED_STOP)
    profile = find_profile(" ".join(("nomad-2.0", *mended)))
    breach = judge_lines(parse_lines(_REPLACED_AND_BACK, "back"), profile).breach

    assert breach is not None
    assert breach.name == "names_of_live_allocs_are_distinct"


_COMES_BACK = """
cluster 1 nodes
register agent type system lost_after 1h
wait 1m
node-1 misses heartbeats
wait 1m
node-1 returns
wait 1m
expect node node-1 ready
expect 1 allocs running
expect 0 evals pending
"""


@pytest.mark.parametrize(
    ("profile", "broken"),
    [
        ("nomad-2.0", "rejected_plans_end_a_delivery"),
        ("nomad-2.0 -X-59", "rejected_plans_end_a_delivery"),
        ("nomad-2.0 -05/S4 -X-42", None),
        ("intended +X-59", None),
        ("intended", None),
    ],
)
def test_a_system_alloc_that_comes_back_is_planned_for_until_its_attempts_are_used_up(
    profile: str, broken: str | None
) -> None:
    """05/S4 alone is why it goes on; X-42 miscounts what came back. The next heartbeat ends it well."""
    run = watch_lines(parse_lines(_COMES_BACK, "comes back"), find_profile(profile), FOLDER)
    breach = run.asking.breach

    assert (breach and breach.name) == broken
    assert broken or not run.unmet
