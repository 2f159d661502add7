"""New names and free orders do not show in the canonical form; everything else does."""

from typing import Any

from nomadspec.checkers.oracle.relation.canonical import make_canonical, name_all, without_followups


def make_outcome(new: str, followup: str, created: str, *, swapped: bool = False) -> dict[str, Any]:
    allocs = [
        {"ID": new, "Name": "j.web[0]", "NodeID": "n", "DeploymentID": f"d{new}"},
        {"ID": "old", "CreateIndex": 3, "FollowupEvalID": followup},
    ]
    evicted = [{"ID": "v", "DesiredDescription": f"Preempted by alloc ID {new}"}]
    plan = {
        "NodeAllocation": {"n": allocs[::-1] if swapped else allocs, "m": []},
        "NodePreemptions": {"n": evicted},
        "Deployment": {"ID": f"d{new}"},
    }
    return {
        "plans": [{"plan": plan}],
        "created_evals": [{"ID": created, "TriggeredBy": "queued-allocs", "Status": "blocked"}],
        "updated_evals": [{"ID": "e", "BlockedEval": created}],
    }


def canonical(outcome: dict[str, Any], old: frozenset[str] = frozenset()) -> Any:
    return make_canonical(outcome, dict(name_all(outcome, old)))


def test_names_and_orders_do_not_show() -> None:
    first = canonical(make_outcome("1", "f1", "b1"))

    assert first == canonical(make_outcome("2", "f2", "b2", swapped=True))
    assert first["plans"][0]["plan"]["NodePreemptions"]["n"][0]["DesiredDescription"].startswith(
        "Preempted by alloc ID <new 0 j.web[0]/n"
    )
    assert "m" not in first["plans"][0]["plan"]["NodeAllocation"]


def test_names_that_were_there_before_show() -> None:
    old = frozenset({"f1", "f2"})

    assert canonical(make_outcome("1", "f1", "b1"), old) != canonical(make_outcome("1", "f2", "b1"), old)


def test_another_place_shows() -> None:
    outcome = make_outcome("1", "f1", "b1")
    other = make_outcome("1", "f1", "b1")
    other["plans"][0]["plan"]["NodeAllocation"]["n"][0]["Name"] = "j.web[1]"

    assert canonical(outcome) != canonical(other)


def test_equal_scores_have_no_order() -> None:
    def show(*nodes: str) -> Any:
        scores = [{"NodeID": node, "NormScore": 0.5} for node in nodes]
        return canonical({"plans": [], "updated_evals": [{"ScoreMetaData": scores}]})

    assert show("a", "b") == show("b", "a")
    assert show("a", "b") != show("a", "c")
    assert show("a", "b", "c", "d", "e") == show("v", "w", "x", "y", "z")


def test_evaluations_that_are_waited_for_can_be_left_out() -> None:
    first, second = canonical(make_outcome("1", "f1", "b1")), canonical(make_outcome("1", "", "b1"))

    assert first != second
    assert without_followups(first) == without_followups(second)


def test_what_others_were_evicted_for_in_vain_has_no_name_of_its_own() -> None:
    """PREEMPT-24."""

    def evict(cause: str) -> dict[str, Any]:
        evicted = {
            "ID": "a",
            "PreemptedByAllocation": cause,
            "DesiredDescription": f"Preempted by alloc ID {cause}",
        }
        outcome = {"plans": [{"plan": {"NodeAllocation": {"n": []}, "NodePreemptions": {"n": [evicted]}}}]}
        return dict(make_canonical(outcome, dict(name_all(outcome))))

    assert evict("x") == evict("y")
