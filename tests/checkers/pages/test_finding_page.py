"""A finding of any kind is shown step by step, up to the one that breaks its property."""

import pytest

from nomadspec.checkers.all_findings import list_known
from nomadspec.checkers.cli.documented_files import find_root
from nomadspec.checkers.pages.finding_page import make_finding_page
from nomadspec.checkers.pages.page import Page


def make_page(name: str) -> Page:
    (one,) = [each for each in list_known() if each.id == name]
    return make_finding_page(one, find_root())


@pytest.mark.parametrize(
    ("finding", "label", "wrong"),
    [
        ("F-14", "ApplyPlan(worker1, job1)", "The property is violated here."),
        ("C-17", "WatchDeployments()", "stopped_job_stays_stopped: job web was stopped and is not any more."),
        (
            "D-11",
            "evaluate j-service: sets the deployment to successful",
            "j-service lacks 1 of web, and nothing will look for it",
        ),
    ],
)
def test_the_step_that_breaks_it_is_marked(finding: str, label: str, wrong: str) -> None:
    page = make_page(finding)

    assert [label] == [step.label for step in page.steps if step.is_wrong]
    assert ("violated", wrong) == (page.verdict, page.wrong)
    assert page.title.startswith(f"{finding}: ")


def test_what_is_seen_only_at_rest_is_said_to_come_hours_later() -> None:
    page = make_page("C-13")

    assert page.steps[-1].is_wrong
    assert page.wrong.startswith("Hours later, drained_node_is_empty: alloc")


def test_who_does_each_step_of_a_history_is_a_component_of_nomad() -> None:
    page = make_page("D-17")

    assert ["operator", "scheduler", "client"] == [*dict.fromkeys(step.lane for step in page.steps)]
    assert all(tuple(step.also) == ("store",) for step in page.steps)
