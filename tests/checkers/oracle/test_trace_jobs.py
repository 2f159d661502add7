import json
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from nomadspec.checkers.oracle.trace_decisions import compare_decisions
from nomadspec.model.cluster.store.requests import EvalUpdate, JobDeregister, JobRegister
from nomadspec.model.specification.profiles import NOMAD_2_0
from tests.checkers.oracle.deciding import Pick, list_differences, list_places_of_difference, replay_recorded


def has_trigger(trigger: str) -> Pick:
    """Pick what creates an evaluation with a trigger."""

    def pick(request: Any) -> bool:
        made = getattr(request, "eval", None)
        if isinstance(request, EvalUpdate) and request.evals:
            made = request.evals[0]
        is_asked = isinstance(request, EvalUpdate | JobRegister | JobDeregister)
        return is_asked and made is not None and made.triggered_by == trigger and made.status == "pending"

    return pick


def with_eval(request: Any, **fields: Any) -> Any:
    """Change the evaluation of a request."""
    return replace(request, eval=replace(request.eval, **fields))


@pytest.mark.parametrize("name", ["periodic", "dispatch", "spread_affinity", "job_stop", "stop_other_types"])
def test_recorded_registrations_are_right(name: str) -> None:
    """TRIG-03, TRIG-05a, TRIG-06, TRIG-08, TRIG-22."""
    assert [] == list(compare_decisions(replay_recorded(name), NOMAD_2_0))


@pytest.mark.parametrize(
    ("name", "trigger"),
    [("periodic", "periodic-job"), ("dispatch", "job-register"), ("job_stop", "job-deregister")],
)
def test_other_evals_of_jobs_are_rejected(name: str, trigger: str) -> None:
    """TRIG-03, TRIG-06, TRIG-08."""
    changes: list[dict[str, Any]] = [
        {"priority": 99},
        {"type": "system"},
        {"triggered_by": "alloc-stop"},
        {"node_id": "n"},
    ]
    for fields in changes:
        change = partial(with_eval, **fields)
        places = list_places_of_difference(name, has_trigger(trigger), change)
        assert ["Eval"] == places, fields
    assert ["Eval"] == list_places_of_difference(name, has_trigger(trigger), lambda q: replace(q, eval=None))


def test_another_eval_of_a_scaled_job_is_rejected() -> None:
    """TRIG-22."""
    places = list_places_of_difference(
        "spread_affinity",
        has_trigger("job-scaling"),
        lambda q: replace(q, evals=(replace(q.evals[0], job_modify_index=1),)),
    )

    assert ["Eval"] == places


def test_an_eval_that_was_not_made_can_be_told() -> None:
    (told,) = list_differences("dispatch", has_trigger("job-register"), partial(replace, eval=None))

    assert "job-register" == json.loads(json.dumps(told.model))["TriggeredBy"]
    assert told.recorded is None
