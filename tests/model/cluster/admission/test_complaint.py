import pytest

from nomadspec.model.cluster.admission.complaint import (
    Complaint,
    collect,
    complain,
    complain_freely,
    complain_where,
    render_complaints,
    render_duration,
)

SECOND = 10**9
MINUTE = 60 * SECOND


def test_a_list_of_complaints_is_counted_and_bulleted() -> None:
    assert "1 error occurred:\n\t* a\n\n" == render_complaints([complain("a")])
    assert "2 errors occurred:\n\t* a\n\t* b\n\n" == render_complaints([complain("a"), complain("b")])


def test_a_heading_prints_the_list_behind_it() -> None:
    (task,) = collect("Task t failed: ", [complain("no name")])

    assert "Task t failed: 1 error occurred:\n\t* no name\n\n" == task.render()
    assert (
        "1 error occurred:\n\t* Task t failed: 1 error occurred:\n\t* no name\n\n\n\n"
        == render_complaints([task])
    )


def test_a_list_without_a_heading_is_still_a_list() -> None:
    (resources,) = collect("", [complain("no cpu"), complain("no memory")])

    assert "2 errors occurred:\n\t* no cpu\n\t* no memory\n\n" == resources.render()


def test_a_heading_over_nothing_is_not_printed() -> None:
    assert [] == list(collect("Task t failed: ", []))


def test_only_what_is_wrong_of_a_table_is_said() -> None:
    assert [complain("b")] == list(complain_where((False, "a"), (True, "b")))


def test_lines_are_those_that_are_printed() -> None:
    group = Complaint("group: ", (complain("a"), Complaint("", (complain_freely("b"), complain("c")))))

    assert ["group: 2 errors occurred:", "a", "2 errors occurred:", "b", "c"] == [
        line.text for line in group.list_lines()
    ]
    assert ["b"] == [line.text for line in group.list_lines() if not line.is_worded]


@pytest.mark.parametrize(
    ("ns", "text"),
    [
        (0, "0s"),
        (1, "1ns"),
        (1_500, "1.5µs"),
        (250_000_000, "250ms"),
        (SECOND, "1s"),
        (90 * SECOND, "1m30s"),
        (5 * MINUTE, "5m0s"),
        (61 * MINUTE + 500_000_000, "1h1m0.5s"),
        (42_160 * SECOND, "11h42m40s"),
        (-3 * SECOND, "-3s"),
    ],
)
def test_durations(ns: int, text: str) -> None:
    assert text == render_duration(ns)
