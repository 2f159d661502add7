"""``nomadspec findings``."""

from nomadspec.checkers.findings import list_findings
from nomadspec.checkers.stateful.clusters.findings import SCHEDULER_FINDINGS
from nomadspec.invariants.cluster.world.findings import CLUSTER_FINDINGS
from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output

ORDER = ("critical", "high", "medium", "low")


def test_every_finding_is_listed_the_most_severe_first() -> None:
    found = call("findings", "--json").data["findings"]
    ids = [one.id for one in list_findings()]
    ids += [one.id for one in SCHEDULER_FINDINGS]
    ids += [one.id for one in CLUSTER_FINDINGS]

    assert sorted(ids) == sorted(one["id"] for one in found)
    places = [(ORDER.index(one["severity"]), one["id"]) for one in found]
    assert sorted(places) == places
    assert all(one["commands"] and one["who"] and one["harm"] for one in found)
    check_output({"schema": "nomadspec/findings/1", "findings": found})


def test_the_list_says_how_severe_each_is_whom_it_hits_and_what_replays_it() -> None:
    called = call("findings")

    assert 0 == called.code
    assert "D-10  critical  a system job runs nowhere, successfully" in called.out
    assert "F-14  nomadspec story docs/findings/F-14.json" in called.out
    assert "critical  work that is wanted does not run" in called.out


def test_one_finding_is_shown_whole_with_its_history_lived_through() -> None:
    called = call("findings", "D-11")

    assert "the scheduler looks at j-service: calls the deployment successful" in called.out
    assert "VIOLATED  j-service lacks 1 of web, and nothing will look for it" in called.out
    assert "With its cure nothing is wrong." in called.out
    assert "nomadspec scenario judge docs/scenarios/findings/job-runs-nowhere" in called.out
    assert "not observed by us on a real cluster" in called.out


def test_findings_are_found_by_property_quirk_severity_and_words() -> None:
    def find(*words: str) -> list[str]:
        return [one["id"] for one in call("findings", *words, "--json").data["findings"]]

    assert ["F-14"] == find("purge_leaves_nothing")
    assert ["F-14"] == find("X-23")
    assert {"F-09", "F-17"} < set(find("critical"))
    assert "F-37" not in find("critical")
    assert "F-37" in find("paused", "system")


def test_an_unknown_finding_is_a_wrong_call() -> None:
    assert 2 == call("findings", "F-99").code
