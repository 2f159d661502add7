"""Pictures of graphs of evaluations, as Mermaid writes them in the style of Nomad's own flowcharts."""

from nomadspec.checkers.diagrams.evals.drawing import draw_dag, render_dag
from nomadspec.checkers.diagrams.evals.folding import fold, keep_evals
from nomadspec.checkers.diagrams.evals.records import EdgeKind
from tests.checkers.diagrams.evals.told import FLAPPING, LOST, build_of, make_eval, play_text

LOST_DRAWN = """\
flowchart TB
    event17(("node-1<br/>misses heartbeat"))
    subgraph in_job1["job agent"]
        eval1(["agent<br/>job-register"])
        event2(("job agent<br/>register"))
        event7(("agent[0]<br/>healthy"))
        event10(("agent[0]<br/>healthy"))
        eval11(["agent<br/>deployment-watcher<br/>no-op"])
        eval16(["agent<br/>node-update"])
    end
    subgraph in_job2["job big"]
        eval3(["big<br/>job-register"])
        event4(("job big<br/>register"))
        event8(("big[0]<br/>healthy"))
        eval12(["big<br/>deployment-watcher<br/>no-op"])
        eval14(["big<br/>node-update"])
        eval18(["big<br/>blocked<br/>queued-allocs"])
    end
    subgraph in_job3["job web"]
        eval5(["web<br/>job-register"])
        event6(("job web<br/>register"))
        event9(("web[0]<br/>healthy"))
        eval13(["web<br/>deployment-watcher<br/>no-op"])
        eval15(["web<br/>node-update"])
    end
    eval1 --> event7
    eval1 --> event10
    event2 --> eval1
    eval3 --> event8
    event4 --> eval3
    eval5 --> event9
    event6 --> eval5
    event7 --> eval11
    event8 --> eval12
    event9 --> eval13
    event10 --> eval11
    eval14 --> eval18
    event17 --> eval14
    event17 --> eval15
    event17 --> eval16
    key_evaluation_good(["evaluation, ended well"])
    key_event(("event"))
    key_evaluation_live(["evaluation, open"])
    key["a node is lost<br/>black: caused<br/>orange: blocked evaluation"]
    style key fill:#ffffff,stroke:#b8c0c8,font-size:12px,text-align:left
    classDef evaluation_good fill:#8adbb9,stroke:#0f6b48,color:#1b1f24,stroke-width:4px
    classDef event fill:#d5f6ea,stroke:#1d9467,color:#1b1f24,stroke-width:1px
    classDef evaluation_live fill:#d5f6ea,stroke:#1d9467,color:#1b1f24,stroke-width:4px
    class eval1,eval3,eval5,eval11,eval12,eval13,eval14,eval15,eval16,key_evaluation_good evaluation_good
    class event2,event4,event6,event7,event8,event9,event10,event17,key_event event
    class eval18,key_evaluation_live evaluation_live
    linkStyle 0,1,2,3,4,5,6,7,8,9,10,12,13,14 stroke:#3c4650,stroke-width:1.2px
    linkStyle 11 stroke:#a86b00,stroke-width:2px
"""


def test_a_lost_node_is_drawn_as_in_nomads_document() -> None:
    dag = fold(keep_evals(play_text(LOST, "a node is lost")))

    assert LOST_DRAWN == render_dag(dag, "mermaid").decode()


def test_each_job_has_a_frame_and_nodes_stand_outside() -> None:
    graph = draw_dag(keep_evals(play_text(FLAPPING)))

    assert ["job one", "job two", "job three"] == [cluster.label for cluster in graph.clusters]
    assert {"node-1", "node-2"} == {node.label.partition("\n")[0] for node in graph.nodes if not node.cluster}


def test_links_that_say_the_same_are_one_edge() -> None:
    dag = build_of(make_eval("a", 5, next_eval="b", blocked_eval="b"), make_eval("b", 6, previous_eval="a"))

    assert {EdgeKind.PREVIOUS, EdgeKind.NEXT, EdgeKind.BLOCKED} == {edge.kind for edge in dag.edges}
    assert ["blocked"] == [edge.style.name for edge in draw_dag(dag).edges]


def test_status_decides_the_colour() -> None:
    graph = draw_dag(build_of(make_eval("a", 5, status="failed"), make_eval("b", 6, status="blocked")))

    assert ["evaluation_trouble", "evaluation_live"] == [node.style.name for node in graph.nodes]


def test_many_nodes_are_drawn_from_left_to_right() -> None:
    dag = build_of(*(make_eval(f"e{place}", 5 + place) for place in range(50)))

    assert ("LR", "TB") == (draw_dag(dag).direction, draw_dag(fold(dag)).direction)


def test_long_names_are_cut() -> None:
    graph = draw_dag(build_of(make_eval("a", 5, job_id="x" * 300)))

    assert 50 > max(len(line) for node in graph.nodes for line in node.label.split("\n"))
