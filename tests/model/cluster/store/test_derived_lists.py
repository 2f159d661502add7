"""What is known of a state is what a look at its tables finds, also after transactions."""

from hypothesis import given
from hypothesis import strategies as st

from nomadspec.model.cluster.entities import Allocation, Node
from nomadspec.model.cluster.store import State
from nomadspec.model.cluster.store.draft import Draft
from nomadspec.model.specification.profiles import NOMAD_2_0

PLACES = st.sampled_from(["x", "y"])
ALLOCS = st.builds(
    Allocation,
    id=st.sampled_from(["a", "b", "c", "d"]),
    node_id=PLACES,
    namespace=st.just("n"),
    job_id=PLACES,
    client_status=st.sampled_from(["running", "complete"]),
    deployment_id=st.sampled_from(["", "x", "y"]),
)
NODES = st.builds(Node, id=PLACES, status=st.sampled_from(["ready", "down"]))
WRITES = st.lists(st.tuples(st.booleans(), ALLOCS | NODES), max_size=4)
STEPS = st.lists(st.tuples(st.integers(0, 4), st.booleans(), WRITES), max_size=8)
"""From which state before each transaction starts, whether anybody looks after it, and what it writes."""


def write(state: State, writes: list[tuple[bool, Allocation | Node]]) -> State:
    draft = Draft.of(state, 1, profile=NOMAD_2_0)
    for is_deletion, row in writes:
        table = "allocs" if isinstance(row, Allocation) else "nodes"
        if not is_deletion:
            draft.put(row)
        elif row.id in getattr(draft, table):
            draft.delete(table, row.id)
    return draft.finish()


def look(state: State) -> list[object]:
    return [
        state.list_nodes(),
        *(
            found
            for place in ("x", "y")
            for found in (
                state.list_allocs_of_node(place),
                state.list_allocs_of_job("n", place),
                state.list_allocs_of_deployment(place),
                state.recall(len, "allocs_by_job", ("n", place)),
            )
        ),
    ]


@given(STEPS)
def test_lists_are_those_of_a_state_built_anew(
    steps: list[tuple[int, bool, list[tuple[bool, Allocation | Node]]]],
) -> None:
    """Several states may come of one: what is known of one of them is not taken for the other."""
    states = [State.of(allocs=())]
    for back, is_asked, writes in steps:
        states.append(write(states[-1 - back % len(states)], writes))
        if is_asked:
            look(states[-1])

    for state in states:
        assert look(State.of(nodes=state.nodes.values(), allocs=state.allocs.values())) == look(state)


def test_what_did_not_change_is_not_listed_again() -> None:
    state = State.of(allocs=[Allocation(id="a", node_id="x"), Allocation(id="b", node_id="y")])
    listed = state.list_allocs_of_node("x")

    after = write(state, [(False, Allocation(id="b", node_id="y", client_status="running"))])

    assert listed is after.list_allocs_of_node("x")
    assert "running" == after.list_allocs_of_node("y")[0].client_status


def test_nothing_is_known_where_somebody_puts_other_allocations_into_a_state() -> None:
    state = State.of(allocs=[Allocation(id="a", node_id="x", client_status="running")])
    state.list_allocs_of_node("x")
    other = Allocation(id="a", node_id="x", client_status="complete")

    changed = State(
        **{
            **{name: getattr(state, name) for name in state.__struct_fields__},
            "allocs": state.allocs.insert("a", other),
        }
    )

    assert (other,) == changed.list_allocs_of_node("x")
    assert (other,) == write(changed, []).list_allocs_of_node("x")
