"""Which component made what a graph of evaluations shows."""

from nomadspec.checkers.diagrams.evals.drawing import draw_dag
from nomadspec.checkers.diagrams.evals.makers import COMPONENTS, find_maker
from nomadspec.checkers.diagrams.evals.records import EvalDag, Fact, NodeKind, Subject, What
from nomadspec.checkers.reference.triggers import REASONS
from tests.checkers.diagrams.evals.told import LOST, build_of, make_eval, play_text

_NODE_EVENTS = {"client": What.READY, "leader": What.DOWN, "operator": What.DRAINING}


def list_made(dag: EvalDag) -> list[tuple[str, str]]:
    """List the evaluations by trigger, with the components that made them."""
    return [(node.label[-1], node.component) for node in dag.nodes if node.kind is NodeKind.EVAL]


def test_a_scenario_tells_which_component_made_each_evaluation() -> None:
    made = list_made(play_text(LOST))

    assert {
        ("job-register", "operator"),
        ("deployment-watcher", "deployment watcher"),
        ("no-op", "deployment watcher"),
        ("node-update", "leader"),
        ("queued-allocs", "worker"),
    } >= set(made)
    assert {"operator", "deployment watcher", "leader", "worker"} == {component for _, component in made}


def test_triggers_tell_the_component_that_scenarios_show() -> None:
    """TRIG-03 to TRIG-25: what an operator forces is made by the component."""
    forced = {("periodic-job", "operator"), ("periodic-job", "leader"), ("deployment-watcher", "operator")}
    for trigger, actor in REASONS:
        component = "applier" if actor == "log" else actor
        entry = make_eval("e", 9, triggered_by=trigger, previous_eval="d" if actor == "worker" else "")
        fact = Fact(8, Subject.NODE, "n", _NODE_EVENTS.get(actor, What.CHANGED))

        if (trigger, actor) not in forced:
            assert component == find_maker(entry, [fact]), trigger


def test_a_node_that_merely_changed_does_not_tell_which_component_evaluates_it() -> None:
    dag = build_of(make_eval("a", 7, triggered_by="node-update", node_id="n", node_modify_index=6))

    assert [("node-update", "")] == list_made(dag)


def test_frames_are_components_in_their_order() -> None:
    dag = play_text(LOST)

    graph = draw_dag(dag, "component")
    labels = [cluster.label for cluster in graph.clusters]

    assert ["operator", "client", "leader", "deployment watcher", "worker", "applier"] == labels
    assert sorted(labels, key=COMPONENTS.index) == labels
    homes = {cluster.id: cluster.label for cluster in graph.clusters}
    assert [node.component for node in dag.nodes] == [homes.get(node.cluster, "") for node in graph.nodes]
