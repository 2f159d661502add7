import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.constraints.eligibility import ClassEligibility, ClassStatus, learn_nothing
from nomadspec.model.cluster.entities import Constraint, Job, TaskGroup

UNIQUE = Constraint(ltarget="${node.unique.id}", operand="=", rtarget="x")
JOB = Job(task_groups=(TaskGroup(name="a"), TaskGroup(name="b", constraints=(UNIQUE,))))


@pytest.mark.parametrize(
    ("job", "a", "b", "expected"),
    [
        (True, True, False, True),
        (True, False, None, False),
        (True, None, None, True),
        (False, None, None, False),
        (False, True, None, False),
        (None, False, True, True),
    ],
)
def test_the_summary_of_a_class(job: bool | None, a: bool | None, b: bool | None, expected: bool) -> None:
    """FEAS-25."""
    known = ClassEligibility()
    for group, is_eligible in (("a", a), ("b", b)):
        if is_eligible is not None:
            known = known.with_group_class(group, "c", is_eligible=is_eligible)
    if job is not None:
        known = known.with_job_class("c", is_eligible=job)

    assert {"c": expected} == known.compute_classes()


def test_what_is_not_noted_is_unknown() -> None:
    """FEAS-20."""
    known = learn_nothing(JOB).with_job_class("c", is_eligible=False)

    assert ClassStatus.INELIGIBLE == known.find_for_job("c")
    assert ClassStatus.UNKNOWN == known.find_for_job("d")
    assert ClassStatus.UNKNOWN == known.find_for_group("a", "c")
    assert ClassStatus.ELIGIBLE == known.with_group_class("a", "c", is_eligible=True).find_for_group("a", "c")


def test_what_escapes_is_never_looked_up() -> None:
    """FEAS-20."""
    known = learn_nothing(JOB).with_group_class("b", "c", is_eligible=True)

    assert ClassStatus.ESCAPED == known.find_for_group("b", "c")
    assert known.has_escaped()
    assert not known.is_escaped


def test_another_version_of_the_job_keeps_what_was_learnt() -> None:
    """FEAS-24."""
    known = learn_nothing(JOB).with_job_class("c", is_eligible=True)
    escaped = known.with_job(Job(constraints=(UNIQUE,)))

    assert ClassStatus.ESCAPED == escaped.find_for_job("c")
    assert ClassStatus.ELIGIBLE == escaped.with_job(Job()).find_for_job("c")


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.booleans())))
def test_one_eligible_group_is_enough(notes: list[tuple[str, str, bool]]) -> None:
    """FEAS-25."""
    known = ClassEligibility()
    for group, node_class, is_eligible in notes:
        known = known.with_group_class(group, node_class, is_eligible=is_eligible)
    last = {(group, node_class): is_eligible for group, node_class, is_eligible in notes}
    expected = {
        name: any(is_eligible for (_, node_class), is_eligible in last.items() if node_class == name)
        for _, name in last
    }

    assert expected == known.compute_classes()


def test_no_class_at_all_is_learnt_about_like_any_other() -> None:
    """FEAS-20, FEAS-25: so it was recorded."""
    known = learn_nothing(JOB).with_job_class("", is_eligible=False)

    assert ClassStatus.INELIGIBLE == known.find_for_job("")
    assert {"": False} == known.compute_classes()
