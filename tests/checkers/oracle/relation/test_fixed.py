"""What no choice touches is the head of the first plan, its deployment and the counters."""

from nomadspec.checkers.oracle.relation.fixed import list_counters, list_fixed


def test_the_head_and_the_deployment_are_fixed() -> None:
    plan = {"Priority": 50, "NodeUpdate": {}, "Deployment": {"ID": "d", "Status": "running"}}
    (fixed,) = list_fixed({"plans": [{"plan": plan}, {"plan": {}}]})["plans"]

    assert fixed["plan"]["Priority"] == 50
    assert fixed["plan"]["Deployment"]["Status"] == "running"
    assert "ID" not in fixed["plan"]["Deployment"]
    assert "NodeUpdate" not in fixed["plan"]


def test_without_a_plan_nothing_is_fixed() -> None:
    assert list_fixed({"plans": []}) == {}


def test_evictions_are_left_out_of_the_counters() -> None:
    annotations = {"DesiredTGUpdates": {"web": {"Place": 2, "Preemptions": 1}}}

    assert list_counters({"updated_evals": [{"PlanAnnotations": annotations}, {}]}) == [
        {"web": {"Place": 2}},
        {},
    ]
