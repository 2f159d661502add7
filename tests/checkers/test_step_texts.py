"""Steps as people write them."""

import pytest

from nomadspec.checkers.step_texts import read_step, walk_steps
from nomadspec.checkers.usual_profile import bind_as_usual
from nomadspec.invariants.catalogue import find_model
from nomadspec.model.errors import DisabledError, UnknownNameError, UsageError
from nomadspec.model.language.model import Model
from nomadspec.model.language.story import label_instance
from tests.checkers.failing import EMPTIED
from tests.checkers.simulate.models import LEVELS, STARTS

pytestmark = pytest.mark.usefixtures("whole_second_look")

CORE = find_model("core").at("small", profile="nomad-2.0")


@pytest.mark.parametrize("model", [find_model("core"), find_model("2pc"), LEVELS, find_model("kernel")])
def test_every_step_is_read_as_stories_write_it(model: Model) -> None:
    bounded = bind_as_usual(model)
    for instance in bounded.instances[::7]:
        assert instance == read_step(bounded, str(label_instance(bounded, instance)))


def test_arguments_may_be_named_in_any_order() -> None:
    assert read_step(CORE, "Nack(worker1, job2)") == read_step(CORE, " Nack ( job = job2,worker=worker1 ) ")


def test_a_step_that_never_happens_in_the_scope_has_no_number() -> None:
    bounded = find_model("core").at("small", profile="nomad-2.0")

    assert all(instance.number >= 0 for instance in bounded.instances)
    assert -1 == read_step(bounded, "FlipNode(node1)").number


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Nack(worker1", "is no step"),
        ("Nack(worker1)", "gives 1 arguments, but Nack takes worker, job"),
        ("Nack(worker=worker1, node=job1)", "names worker, node"),
        ("Nack(worker=worker1, job1)", "name all or none"),
    ],
)
def test_what_is_no_step_is_refused(text: str, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        read_step(CORE, text)


@pytest.mark.parametrize("text", ["Nak(worker1, job1)", "Nack(worker9, job1)"])
def test_unknown_names_are_told_with_the_nearest(text: str) -> None:
    with pytest.raises(UnknownNameError, match="did you mean"):
        read_step(CORE, text)


def test_steps_are_taken_in_their_order() -> None:
    cells = walk_steps(CORE, ["Dequeue(worker1, job2)"])

    assert ("unacked", "job2") == (
        CORE.describe(cells)["place[job2]"],
        CORE.describe(cells)["job[worker1]"],
    )
    with pytest.raises(DisabledError, match=r"Step 2, Dequeue\(worker1, job1\), is not possible"):
        walk_steps(CORE, ["Dequeue(worker1, job2)", "Dequeue(worker1, job1)"])
    with pytest.raises(DisabledError, match=r"Step 2, Close\(clerk1\), fails: Rule Close"):
        walk_steps(EMPTIED.at(), ["OpenUp", "Close(clerk1)"])


def test_a_start_rule_says_where_it_begins() -> None:
    bounded = STARTS.at()
    start = next(one for one, _ in bounded.starts[1:] if one is not None)

    assert bounded.starts[1][1] == walk_steps(bounded, [], str(label_instance(bounded, start)))
