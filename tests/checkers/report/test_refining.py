"""What came of holding recordings against the kernel, as data and as text."""

from collections import Counter

from click import unstyle

from nomadspec.checkers.oracle.refinement.report import Refinement
from nomadspec.checkers.report.refining import data_of, exit_code_of, judge_all, render_all
from nomadspec.checkers.verdict import Verdict

GOOD = Refinement(
    agreed=Counter(ack=3), gaps=Counter({"ack: coarse": 2}), outside=Counter({"ack: a quota": 1})
)
BAD = Refinement(agreed=Counter(ack=1), disagreed=["x, operation 4, ack: the kernel does not allow it"])


def test_one_step_that_differs_decides() -> None:
    assert [Verdict.HOLDS, Verdict.VIOLATED] == [judge_all({"f": GOOD}), judge_all({"f": GOOD, "g": BAD})]


def test_all_is_told_as_data() -> None:
    told = {"agreed": {"ack": 3}, "outside": {"ack: a quota": 1}, "gaps": {"ack: coarse": 2}}

    assert {
        "verdict": "holds",
        "files": [{"file": "f", **told, "disagreed": [], "unreadable": [], "unfinished": [], "defects": []}],
    } == data_of({"f": GOOD})


def test_the_text_names_what_differs_and_what_has_no_words() -> None:
    text = unstyle(render_all({"f": GOOD, "g": BAD}))

    assert "disagrees g x, operation 4, ack: the kernel does not allow it" in text
    assert "      2  ack: coarse" in text
    assert "      1  ack: a quota" in text
    assert "violated: 4 steps as the kernel says, 1 not; 2 where it is known to be coarser, 1 that" in text


def test_what_failed_or_could_not_be_read_is_told() -> None:
    unread, failed = Refinement(unreadable=["f: it is damaged."]), Refinement(defects=["x: failed"])

    assert (3, 5, 5) == (
        exit_code_of({"f": unread}),
        exit_code_of({"f": failed}),
        exit_code_of({"f": unread, "g": failed}),
    )
    assert "inconclusive" == judge_all({"f": unread}).value
    assert "unreadable f: it is damaged." in unstyle(render_all({"f": unread}))
    assert "defect g x: failed" in unstyle(render_all({"g": failed}))
