"""What every component of a whole cluster believes at one moment."""

from collections.abc import Mapping
from pathlib import Path

from nomadspec.checkers.reference.sources import ROOT
from nomadspec.checkers.report.cluster_beliefs import SAME, compute_world_beliefs
from nomadspec.checkers.scenario.decisive import find_decisive
from nomadspec.model.specification.profiles import NOMAD_2_0


def _read(path: Path) -> dict[str, Mapping[str, str]]:
    decisive = find_decisive(path, NOMAD_2_0)
    assert decisive is not None
    beliefs = compute_world_beliefs(decisive.before, decisive.number, decisive.act)
    assert beliefs.heading == f"before step {decisive.number}, {decisive.act}"
    return dict(beliefs.rows)


def _find(name: str) -> Path:
    return ROOT / f"docs/scenarios/findings/{name}.scenario"


def test_a_plan_that_was_judged_by_an_older_state_shows_two_views_of_its_node() -> None:
    """C-10: the applier takes a node for eligible that was drained since."""
    told = _read(_find("alloc-is-placed-on-a-drained-node"))

    node = told["node-1"]
    assert {
        "store": "ready, ineligible",
        "worker-2's snapshot": "ready, eligible",
        "applier's snapshot": "ready, eligible",
    } == node
    assert "alloc-00002-2 on node-1" in told["plan for db, eval-00002"]["applier's snapshot"]
    assert SAME == told["db"]["worker-2's snapshot"]


def test_a_watcher_remembers_the_job_that_it_began_with() -> None:
    """C-17: it fails the deployment of a job that was stopped."""
    told = _read(_find("stopped-job-is-reverted-and-runs-again"))

    assert {"store": "version 2, stopped", "deployment watcher": "version 1"} == told["web"]
    assert "ready" == told["eval-00005 of web, job-deregister"]["broker"]


def test_an_entry_shows_which_version_it_writes_into_an_allocation() -> None:
    """C-19: its client runs version 0."""
    told = _read(_find("unknown-alloc-is-taken-for-the-new-version"))

    assert (
        "in flight: updates alloc-00001-2 on node-1 to version 1" == told["plan for web, eval-00003-2"]["log"]
    )
    assert "running, version 0" == told["alloc-00001-2, web.web[0]"]["client"]
    assert "does not reach the servers" == told["node-1"]["client"]


def test_what_was_asked_of_an_allocation_is_told() -> None:
    """C-26: the store knows what the scheduler of the plan did not."""
    faces = {
        "failed-alloc-loses-its-permission-to-be-rescheduled": "may be rescheduled",
        "forced-reschedule-is-forgotten": "to be rescheduled at once",
        "drained-alloc-is-updated-in-place-and-stays": "to migrate",
    }
    for name, asked in faces.items():
        rows = [row for told, row in _read(_find(name)).items() if "web.web[0]" in told]
        assert [asked in row["store"] for row in rows if asked in row["store"]] == [True]
        assert all(asked not in row["worker-1's snapshot"] for row in rows)


def test_the_drainer_and_the_log_are_told_of() -> None:
    """C-13: the entry with the marks is not committed."""
    told = _read(_find("drain-stops-when-its-entry-fails"))

    assert {"log": "is not committed"} == told["next entry"]
    assert "drains it" == told["node-1"]["drainer"]
    assert "is about to tell it to leave" == told["alloc-00001-2, web.web[0]"]["drainer"]


def test_a_blocked_evaluation_and_what_waits_for_its_time_are_told_of() -> None:
    told = _read(_find("unknown-alloc-is-taken-for-the-new-version"))

    assert "blocked" == told["eval-00005-1 of web, queued-allocs"]["store"]
    assert "waits for its time" == told["eval-00003-1 of web, max-disconnect-timeout"]["broker"]


def test_a_plan_in_the_hands_of_its_worker_says_what_it_wants() -> None:
    """F-47: the follow-up that it notes is never made."""
    told = _read(_find("failed-alloc-waits-for-a-follow-up-that-is-never-made"))

    plan = told["plan for web, eval-00003-1"]["worker-1"]
    assert "updates alloc-00001-3 on node-1 with the follow-up eval-00004-1" in plan
    assert "stops alloc-00001-2" in plan


def test_a_node_that_the_servers_forgot_is_told_of_while_its_client_runs() -> None:
    """C-04: an allocation there stays unknown."""
    told = _read(_find("unknown-alloc-waits-for-a-node-that-is-gone"))

    assert {"store": "not there", "client": "does not reach the servers"} == told["node-1"]
