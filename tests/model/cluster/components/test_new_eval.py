from nomadspec.model.cluster.components.new_eval import make_eval
from nomadspec.model.cluster.entities import Evaluation, Trigger
from tests.model.cluster.components.draining import make_job


def test_a_new_eval_has_what_its_job_says_and_nothing_else() -> None:
    """TRIG-02."""
    made = make_eval(make_job("crunch", "batch"), Trigger.NODE_UPDATE, "e", 7)

    assert made == Evaluation(
        id="e",
        namespace="default",
        job_id="crunch",
        type="batch",
        priority=50,
        triggered_by="node-update",
        status="pending",
        create_time_ns=7,
        modify_time_ns=7,
    )
