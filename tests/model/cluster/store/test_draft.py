"""A transaction in the making: look-ups stay in step, and dropping it changes nothing."""

from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.entities import Allocation, Evaluation, Job
from nomadspec.model.cluster.store import State, tables
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.specification.profiles import NOMAD_2_0

PLACES = st.sampled_from(["x", "y"])
ALLOCS = st.builds(
    Allocation,
    id=st.sampled_from(["a", "b", "c"]),
    node_id=PLACES,
    namespace=PLACES,
    job_id=PLACES,
    eval_id=PLACES,
    deployment_id=st.sampled_from(["", "x", "y"]),
)


@given(st.lists(st.tuples(st.booleans(), ALLOCS), max_size=12))
def test_look_ups_are_those_of_a_state_built_anew(writes: list[tuple[bool, Allocation]]) -> None:
    draft = Draft.of(State(), 1, profile=NOMAD_2_0)
    for is_deletion, alloc in writes:
        if not is_deletion:
            draft.put(alloc)
        elif alloc.id in draft.allocs:
            draft.delete(tables.ALLOCS, alloc.id)
    state = draft.finish()

    rebuilt = State.of(allocs=state.list_allocs())
    for lookup in ("allocs_by_node", "allocs_by_job", "allocs_by_eval", "allocs_by_deployment"):
        assert getattr(rebuilt, lookup) == getattr(state, lookup), lookup


def test_indexes_move_when_the_transaction_is_finished() -> None:
    draft = Draft.of(State(), 7, profile=NOMAD_2_0)
    draft.touch("nodes", "jobs")

    assert State() == draft.base
    assert {"nodes": 7, "jobs": 7} == dict(draft.finish().indexes)


def test_what_a_row_was_before_the_first_write_is_kept() -> None:
    before, after = Evaluation(id="e", status="pending"), Evaluation(id="e", status="failed")
    draft = Draft.of(State.of(evals=[before]), 7, profile=NOMAD_2_0)
    draft.put(after)
    draft.put(Evaluation(id="e", status="complete"))

    assert {("evals", "e"): before} == draft.written


def test_an_evaluation_that_changes_its_job_is_found_there() -> None:
    draft = Draft.of(State.of(evals=[Evaluation(id="e", namespace="x", job_id="old")]), 7, profile=NOMAD_2_0)
    draft.put(Evaluation(id="e", namespace="x", job_id="new"))
    state = draft.finish()

    assert () == state.list_evals_of_job("x", "old")
    assert ("e",) == tuple(each.id for each in state.list_evals_of_job("x", "new"))


def test_only_versions_that_changed_are_noted() -> None:
    old, new = Job(id="j", namespace="x", version=0), Job(id="j", namespace="x", version=1)
    draft = Draft.of(State.of(jobs=[old]), 7, profile=NOMAD_2_0)
    draft.put_job_versions(("x", "j"), (new, old))

    assert {("job_version", ("x", "j", 1)): None} == draft.written
