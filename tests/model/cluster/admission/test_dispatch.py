import pytest
from msgspec.structs import replace

from nomadspec.model.cluster.admission.dispatch import (
    Dispatch,
    check_dispatch,
    derive_dispatched_child,
    find_earlier_child,
)
from nomadspec.model.cluster.entities import NS_PER_S, Job, ParameterizedJobConfig

ASKED = ParameterizedJobConfig(payload="optional", meta_required=("a",), meta_optional=("b",))
PARENT = Job(
    namespace="default",
    id="tide",
    type="batch",
    priority=50,
    version=3,
    status="running",
    meta={"a": "0", "c": "0"},
    parameterized_job=ASKED,
)
AGAIN, OTHER = "t", "u"
GOOD = Dispatch(meta={"a": "1"})


def with_payload_rule(rule: str) -> Job:
    return replace(PARENT, parameterized_job=replace(ASKED, payload=rule))


@pytest.mark.parametrize(
    "dispatch",
    [
        GOOD,
        replace(GOOD, meta={"a": "1", "b": "2"}),
        replace(GOOD, payload=b"x" * 16384, priority=100),
    ],
)
def test_good_dispatches(dispatch: Dispatch) -> None:
    assert [] == list(check_dispatch(PARENT, dispatch))


@pytest.mark.parametrize(
    ("parent", "dispatch", "part"),
    [
        (None, GOOD, "does not exist"),
        (replace(PARENT, parameterized_job=None), GOOD, "is not parameterized"),
        (replace(PARENT, dispatched=True), GOOD, "is not parameterized"),
        (replace(PARENT, stop=True), GOOD, "is stopped"),
        (with_payload_rule("required"), GOOD, "requires a payload"),
        (with_payload_rule("forbidden"), replace(GOOD, payload=b"x"), "takes no payload"),
        (PARENT, replace(GOOD, payload=b"x" * 16385), "16384 bytes; got 16385"),
        (PARENT, Dispatch(), "requires the meta key 'a'"),
        (PARENT, Dispatch(meta={"a": "1", "c": "2"}), "knows no meta key 'c'"),
        (PARENT, replace(GOOD, priority=101), "between 1 and 100"),
        (PARENT, replace(GOOD, priority=-1), "between 1 and 100"),
    ],
)
def test_bad_dispatches(parent: Job | None, dispatch: Dispatch, part: str) -> None:
    """JOB-21, OBJ-144."""
    (found,) = check_dispatch(parent, dispatch)

    assert part in found.text


def test_a_token_is_answered_with_the_child_that_has_it() -> None:
    """OBJ-144: dead ones included."""
    dead = Job(id="d", status="dead", dispatch_idempotency_token=AGAIN)

    assert dead is find_earlier_child([Job(id="other"), dead], Dispatch(idempotency_token=AGAIN))
    assert find_earlier_child([dead], Dispatch(idempotency_token=OTHER)) is None
    assert find_earlier_child([Job(id="other")], Dispatch()) is None


@pytest.mark.parametrize(
    ("prefix", "expected"), [("", "tide/dispatch-9-01234567"), ("x", "tide/dispatch-x-9-01234567")]
)
def test_a_child_is_named_after_its_parent_and_the_time(prefix: str, expected: str) -> None:
    """OBJ-015."""
    child = derive_dispatched_child(
        PARENT,
        Dispatch(id_prefix=prefix),
        now_ns=9 * NS_PER_S + 1,
        random_hex="0123456789ab",
        packed_payload=b"",
    )

    assert expected == child.id == child.name


def test_a_child_is_its_parent_with_what_the_request_brings() -> None:
    """JOB-21, OBJ-061."""
    child = derive_dispatched_child(
        PARENT,
        Dispatch(meta={"a": "1"}, priority=70, idempotency_token=AGAIN),
        now_ns=NS_PER_S,
        random_hex="f" * 8,
        packed_payload=b"packed",
    )

    assert child.dispatched
    assert ASKED == child.parameterized_job
    assert ("tide", 70, 3, "", AGAIN) == (
        child.parent_id, child.priority, child.version, child.status, child.dispatch_idempotency_token
    )  # fmt: skip
    assert ({"a": "1", "c": "0"}, b"packed") == (child.meta, child.payload)
    assert (
        50
        == derive_dispatched_child(PARENT, Dispatch(), now_ns=0, random_hex="", packed_payload=b"").priority
    )
