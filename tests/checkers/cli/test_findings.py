"""``nomadspec findings``."""

import re
from pathlib import Path

import pytest

from nomadspec.checkers.all_findings import list_known
from nomadspec.checkers.model_findings import list_findings
from nomadspec.checkers.report.findings import render_known
from nomadspec.checkers.report.titles import list_ids_in, name_with_title
from nomadspec.checkers.stateful.clusters.scheduler_findings import SCHEDULER_FINDINGS
from nomadspec.invariants.cluster.world.cluster_findings import CLUSTER_FINDINGS
from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output

ORDER = ("critical", "high", "medium", "low")


def test_every_finding_is_listed_the_most_severe_first() -> None:
    data = call("findings", "--json").data
    found = data["findings"]
    ids = [one.id for one in list_findings()]
    ids += [one.id for one in SCHEDULER_FINDINGS]
    ids += [one.id for one in CLUSTER_FINDINGS]

    assert sorted(ids) == sorted(one["id"] for one in found)
    places = [(ORDER.index(one["severity"]), one["id"]) for one in found]
    assert sorted(places) == places
    assert all(one["commands"] and one["who"] and one["harm"] for one in found)
    check_output(data)


def test_the_list_says_how_severe_each_is_whom_it_hits_and_what_replays_it() -> None:
    called = call("findings")

    assert 0 == called.code
    assert "D-10  critical  a system job runs nowhere, successfully" in called.out
    assert "F-14  nomadspec story docs/findings/F-14.json" in called.out
    assert "critical  wanted work does not run" in called.out


def test_one_finding_is_shown_whole_with_its_history_lived_through() -> None:
    called = call("findings", "D-11")

    assert "the scheduler looks at j-service: sets the deployment to successful" in called.out
    assert "VIOLATED  j-service lacks 1 of web, and nothing will look for it" in called.out
    assert "With its cure nothing is wrong." in called.out
    assert "nomadspec scenario judge docs/scenarios/findings/job-runs-nowhere" in called.out
    assert "not observed by us on a real cluster" in called.out


@pytest.mark.parametrize(
    ("finding", "step", "who", "believes"),
    [
        ("C-13", "before step 21, DrainNodes(), in the line `wait 3h`", "drainer", "drains it"),
        ("F-01", "before step", "applier's snapshot", "takes no room"),
        ("D-11", "at step 2", "store", "ready, eligible"),
    ],
)
def test_one_finding_is_shown_with_what_is_believed_at_its_decisive_step(
    finding: str, step: str, who: str, believes: str
) -> None:
    """As its page says: `findings C-13` once told no more than what happens."""
    _, _, table = call("findings", finding).out.partition(step)

    assert any(line.split("  ")[-1] == believes and f" {who} " in line for line in table.splitlines())


def test_what_is_believed_is_data_where_one_finding_is_asked_for() -> None:
    one, decision, several = (call("findings", name, "--json").data for name in ("C-13", "D-11", "critical"))
    for data in (one, decision, several):
        check_output(data)

    assert one["beliefs"]["before_step"] == 21
    assert "drainer" in one["beliefs"]["components"]
    assert decision["beliefs"] is several["beliefs"] is None


def test_findings_are_found_by_property_quirk_severity_and_words() -> None:
    def find(*words: str) -> list[str]:
        return [one["id"] for one in call("findings", *words, "--json").data["findings"]]

    assert ["F-14"] == find("purge_leaves_nothing")
    assert ["F-14"] == find("X-23")
    assert {"F-12", "F-17"} < set(find("critical"))
    assert "F-37" not in find("critical")
    assert "F-37" in find("paused", "system")


def test_an_unknown_finding_is_a_wrong_call() -> None:
    assert 2 == call("findings", "F-99").code


@pytest.mark.parametrize(
    ("finding", "arrow"),
    [
        ("F-14", "purge_leaves_nothing does not hold in the last world"),
        ("C-13", "operator->>store: DrainNode(node-1, deadline_ns=3600000000000)"),
        ("C-17", "worker-1->>broker: Dequeue(worker-1, service)"),
        ("C-17", "worker-1->>plan queue: SubmitPlan(worker-1)"),
        (
            "D-10",
            "evaluate j-system: sets the deployment to successful, stops j-system.web[0] on n1",
        ),
    ],
)
def test_a_finding_of_any_kind_is_a_sequence_of_components(finding: str, arrow: str) -> None:
    found = call("findings", finding, "--export", "sequence", "--json").data

    check_output(found)
    assert found["content"].startswith("sequenceDiagram")
    assert arrow in found["content"]


def test_a_finding_is_a_page_with_its_harm_and_the_step_that_breaks_it(tmp_path: Path) -> None:
    called = call("findings", "D-10", "--html", str(tmp_path / "page.html"))
    page = (tmp_path / "page.html").read_text(encoding="utf-8")

    assert 0 == called.code
    assert "critical: a system job runs nowhere, successfully" in page
    assert "j-system is deployed with 0 of 1 of web healthy" in page


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("critical", "--html", "page.html"), "--html shows one finding: give its ID"),
        (("--export", "sequence"), "--export shows one finding: give its ID"),
        (("D-10", "-o", "page.mmd"), "--output needs --export"),
        (("D-10", "--export", "sequence", "--html", "page.html"), "use either --html or --export"),
    ],
)
def test_what_cannot_be_shown_of_findings_is_a_wrong_call(options: tuple[str, ...], sentence: str) -> None:
    called = call("findings", *options)

    assert 2 == called.code
    assert sentence in called.err


def test_each_finding_cites_what_admits_it_not_what_its_property_is_about() -> None:
    data = call("findings", "--json").data
    found = {one["id"]: one["spec"] for one in data["findings"]}
    named = [name for one in data["findings"] for name in (one["cure"], *one["beside"], *one["spec"])]

    cures = {one.id: one.cure for one in list_findings()} | {one.id: one.cure for one in CLUSTER_FINDINGS}
    for name, cure in cures.items():
        assert list(cure.spec or (cure.id,)) == found[name]
    assert {*filter(None, named)} <= set(data["titles"])
    assert data["titles"]["PLAN-31"] in call("findings", "F-41", "--json").data["titles"].values()
    assert "  admitted by   PLAN-31: " in call("findings", "F-41").out


def test_a_cure_stands_with_its_title() -> None:
    shown = call("findings", "C-01").out

    assert re.search(r"^  cured by +X-41: Marking an older version of a job stable", shown, re.MULTILINE)


@pytest.mark.parametrize("wanted", ["lost_after", "auto_revert", "progress_deadline", "deregister"])
def test_findings_are_found_as_nomad_spells_it(wanted: str) -> None:
    spelled, apart = (call("findings", each, "--json").data for each in (wanted, wanted.replace("_", " ")))

    assert spelled["findings"]
    assert spelled == apart


def test_where_words_are_found_in_no_finding_it_says_where_they_were_searched() -> None:
    called = call("findings", "moon", "phase")

    assert 2 == called.code
    assert called.err.startswith("nomadspec: No finding is named 'moon phase', and none has all these words")
    assert called.err.endswith(
        " in its text, properties, quirks, IDs or their titles; `nomadspec findings` lists all.\n"
    )


def test_several_ids_list_each() -> None:
    assert ["C-13", "F-05"] == sorted(
        one["id"] for one in call("findings", "F-05", "C-13", "--json").data["findings"]
    )
    assert "No finding is named 'F-99'" in call("findings", "F-05", "F-99").err


def test_ids_in_sentences_of_findings_have_their_titles() -> None:
    data, known = call("findings", "--json").data, list_known()
    named = {
        spec_id
        for one in data["findings"]
        for spec_id in list_ids_in(" ".join((one["happens"], *one["conditions"])))
    }
    untitled = {
        (one.id, spec_id)
        for one in known
        for shown in (" ".join(render_known(one).split()),)
        for spec_id in list_ids_in(shown)
        if name_with_title(spec_id) not in shown
    }

    assert named
    assert set() == named - data["titles"].keys()
    assert set() == untitled


def test_an_id_that_no_finding_is_about_stands_with_its_title() -> None:
    called = call("findings", "OBJ-135")

    assert 2 == called.code
    assert "No finding is about OBJ-135: Constraints and affinities" in called.err
    assert "`nomadspec rules OBJ-135`" in called.err
