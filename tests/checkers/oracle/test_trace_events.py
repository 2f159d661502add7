"""What a transaction publishes: WIRE-085..089."""

from nomadspec.checkers.oracle.trace_events import TIMED_OUT, Event, list_events
from nomadspec.model.cluster.entities import (
    Allocation,
    Deployment,
    Evaluation,
    Job,
    JobSummary,
    Node,
    NodePool,
)
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.cluster.store.run import Transaction
from nomadspec.model.cluster.store.tables import EVALS, JOBS, NODE_POOLS, NODES
from nomadspec.model.specification.profiles import NOMAD_2_0


def publish(draft: Draft) -> dict[str, Event]:
    return {event.topic: event for event in list_events(Transaction(draft.finish(), draft.written))}


def test_every_topic_has_its_keys() -> None:
    draft = Draft.of(State(), 5, profile=NOMAD_2_0)
    draft.put(Evaluation(id="e", namespace="x", job_id="j", deployment_id="d"))
    draft.put(Allocation(id="a", namespace="x", job_id="j"))
    draft.put(Deployment(id="d", namespace="x", job_id="j"))
    draft.put(Job(id="j", namespace="x"))
    draft.put(Node(id="n"))
    draft.put(NodePool(name="p"))
    draft.put(JobSummary(job_id="j", namespace="x"))

    assert {
        "Evaluation": ("e", "x", ("j", "d")),
        "Allocation": ("a", "x", ("j", "")),
        "Deployment": ("d", "x", ("j",)),
        "Job": ("j", "x", ()),
        "Node": ("n", "", ()),
        "NodePool": ("p", "", ()),
    } == {topic: (event.key, event.namespace, event.filter_keys) for topic, event in publish(draft).items()}


def test_secrets_and_the_job_of_an_alloc_are_not_shown() -> None:
    draft = Draft.of(State(), 5, profile=NOMAD_2_0)
    draft.put(Allocation(id="a", job=Job(id="j"), signed_identities={"t": "x"}))
    draft.put(Node(id="n", secret_id="x"))  # noqa: S106 -- it is none
    events = publish(draft)

    assert {"Allocation": {"ID": "a"}} == events["Allocation"].payload
    assert {"Node": {"ID": "n"}} == events["Node"].payload


def test_an_alloc_that_ran_too_long_says_so() -> None:
    """WIRE-086."""
    draft = Draft.of(State(), 5, profile=NOMAD_2_0)
    draft.put(Allocation(id="a", client_status="complete", client_description=TIMED_OUT))

    assert {"Timeout": True, "TimeoutReason": TIMED_OUT} == publish(draft)["Allocation"].extra


def test_only_deleted_jobs_and_node_pools_are_told() -> None:
    """WIRE-085, WIRE-088."""
    state = State.of(
        jobs=[Job(id="j", namespace="x", version=3)],
        node_pools=[NodePool(name="p")],
        nodes=[Node(id="n")],
        evals=[Evaluation(id="e")],
    )
    draft = Draft.of(state, 5, profile=NOMAD_2_0)
    draft.delete(JOBS, ("x", "j"))
    draft.delete(NODE_POOLS, "p")
    draft.delete(NODES, "n")
    draft.delete(EVALS, "e")
    events = publish(draft)

    assert {"Job", "NodePool"} == set(events)
    assert {"Job": {"ID": "j", "Namespace": "x", "Version": 3}, "Deleted": True} == events["Job"].payload


def test_what_is_made_and_deleted_at_once_is_not_told() -> None:
    """WIRE-089."""
    draft = Draft.of(State(), 5, profile=NOMAD_2_0)
    draft.put(NodePool(name="p"))
    draft.delete(NODE_POOLS, "p")

    assert {} == publish(draft)
