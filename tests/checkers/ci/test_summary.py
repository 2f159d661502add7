"""A page of Markdown for the summary of a job."""

from nomadspec.checkers.ci.summary import write_summary
from tests.checkers.ci.cases import make_outcomes


def test_it_begins_with_the_verdict_and_the_counts() -> None:
    lines = write_summary(make_outcomes("plain")).splitlines()

    assert "## nomadspec verify: violated" == lines[0]
    assert lines[2].startswith("4 cases: 1 passed, 1 failed, 1 error, 1 skipped in 2 s (nomadspec ")


def test_a_cell_stays_a_cell_and_a_fence_a_fence() -> None:
    page = write_summary(make_outcomes())
    (row,) = [line for line in page.splitlines() if "next :: line" in line and line.startswith("| ")]

    assert 4 == row.replace("\\|", "").count("|")
    assert "````text" in page
    assert "<b>" not in row


def test_no_control_character_is_left() -> None:
    assert not {"\x1b", "\x00", "\u202e", "\ud800"} & set(write_summary(make_outcomes()))
