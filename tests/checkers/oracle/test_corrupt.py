"""Corrupting recordings."""

from typing import Any

import pytest

from nomadspec.checkers.oracle.corrupt import Corruption, list_corruptions
from nomadspec.checkers.oracle.paths import list_steps
from nomadspec.checkers.oracle.sides import put

KIND = "broker/sequences"


def corrupt(answer: Any, **others: Any) -> list[Corruption]:
    return list_corruptions(KIND, {"ops": [{"op": "ack", **others, "answer": answer}]})


@pytest.mark.parametrize(
    ("answer", "how", "after"),
    [
        (True, "flipped", False),
        (1.5, "changed", 1.5 + 1.5e-6),
        ("harbor", "changed", "xharbor"),
        ("2031-05-18T23:59:59Z", "another time", "2031-05-19T00:00:00Z"),
        ([], "added", ["x"]),
        ({}, "added", {"x": 1}),
    ],
)
def test_an_answer_becomes_another_of_its_kind(answer: Any, how: str, after: Any) -> None:
    (found,) = corrupt(answer)

    assert ("ops[0].answer", how, answer, after) == (found.path, found.how, found.before, found.after)
    assert after == found.document["ops"][0]["answer"]


def test_numbers_change_by_one_and_null_becomes_something() -> None:
    assert corrupt(7)[0].after in (6, 8)
    assert corrupt(None)[0].after is not None


def test_an_id_becomes_one_that_exists_and_a_status_one_that_is_known() -> None:
    assert ["e02"] == [one.after for one in corrupt("e01", eval={"ID": "e02"})]
    assert {one.after for one in corrupt("disconnected")} < {"initializing", "ready", "down"}


def test_lists_lose_and_double_an_element_and_maps_lose_and_rename_a_member() -> None:
    assert {"dropped": ["a"], "doubled": ["a", "a", "a"]} | {"changed": "xa"} == {
        one.how: one.after for one in corrupt(["a", "a"])
    }
    assert {"dropped": {}, "renamed": {"ax": True}} == {
        one.how: one.after for one in corrupt({"a": True}) if one.path == "ops[0].answer"
    }


def test_an_element_moves_between_the_lists_of_a_map() -> None:
    found = [one for one in corrupt({"n1": ["a"], "n2": ["b"], "n3": []}) if one.how == "moved"]

    assert 1 == len(found)
    assert found[0].after in ({"n1": [], "n2": ["b", "a"], "n3": []}, {"n1": ["a", "b"], "n2": [], "n3": []})


def test_only_answers_are_corrupted_each_in_a_copy_of_its_own() -> None:
    document = {"id": "x", "ops": [{"op": "ack", "eval": "e01", "t_ms": 3, "state": {"wait": ["e01"]}}]}

    found = list_corruptions(KIND, document)

    assert {"ops[0].t_ms", "ops[0].state", "ops[0].state.wait", "ops[0].state.wait[0]"} == {
        one.path for one in found
    }
    assert all(one.document != document for one in found)
    assert all(document == put(one.document, list(list_steps(one.path)), one.before) for one in found)


def test_a_seed_decides_and_a_bound_keeps_so_many() -> None:
    document = {"ops": [{"answer": list(range(50))}]}

    first, again = (list_corruptions(KIND, document, seed=1, most=7) for _ in range(2))

    assert first == again
    assert 7 == len(first)
    assert first != list_corruptions(KIND, document, seed=2, most=7)
