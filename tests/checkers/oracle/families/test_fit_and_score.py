"""The recordings of fit tests, scores and offers of ports are accepted, and changed ones are not."""

import struct
from copy import deepcopy
from typing import Any

import pytest

from nomadspec.checkers.oracle.judgement import Judgement, Ruling
from tests.recorded import assert_accepted, find_complaint, judge_document, judge_recordings, read_recordings


@pytest.mark.parametrize("kind", ["allocs-fit", "ports", "scores"])
def test_recordings_are_accepted(kind: str) -> None:
    assert_accepted(judge_recordings(f"fit-and-score/{kind}"))


def find(kind: str, **wanted: str) -> dict[str, Any]:
    """Find the first recording of which a member begins like this."""
    for document in read_recordings(f"fit-and-score/{kind}"):
        if all(str(document.get(name, "")).startswith(start) for name, start in wanted.items()):
            return deepcopy(dict(document))
    raise LookupError(wanted)


def judge(kind: str, document: dict[str, Any]) -> Judgement:
    return judge_document(f"fit-and-score/{kind}", document)


def rejected_at(judgement: Judgement) -> tuple[str, str]:
    """Say where a recording is rejected, and by which rule."""
    assert judgement.difference is not None
    return judgement.difference.path, judgement.difference.rule


def test_other_ports_may_be_named_in_a_collision() -> None:
    told = find("allocs-fit", dimension="reserved alloc port collision")
    told["dimension"] = told["dimension"].rpartition(":")[0] + ": [port 1 already in use]"
    judgement = judge("allocs-fit", told)

    assert Ruling.ACCEPTED == judgement.ruling
    assert {"collision-details": 1} == judgement.forgiven


def test_another_allocation_may_not() -> None:
    told = find("allocs-fit", dimension="reserved alloc port collision")
    told["dimension"] = told["dimension"].replace("of alloc ", "of alloc x")

    assert ("dimension", "PLAN-54") == rejected_at(judge("allocs-fit", told))


@pytest.mark.parametrize(("factor", "ruling"), [(1 + 1e-14, Ruling.ACCEPTED), (1 + 1e-11, Ruling.REJECTED)])
def test_a_score_may_differ_in_the_last_places(factor: float, ruling: Ruling) -> None:
    told = find("scores")
    value = told["score_binpack"]["value"] * factor
    told["score_binpack"] = {"value": value, "bits": struct.pack(">d", value).hex()}

    assert ruling == judge("scores", told).ruling


def test_the_bits_of_a_score_belong_to_its_value() -> None:
    told = find("scores")
    told["score_binpack"]["bits"] = struct.pack(">d", 1.5).hex()

    assert ("score_binpack.bits", "RANK-46") == rejected_at(judge("scores", told))


def test_no_number_is_told_in_words() -> None:
    score = {"value": "NaN", "bits": "7ff8000000000001"}
    amounts = (
        "node_cpu",
        "node_memory_mb",
        "reserved_cpu",
        "reserved_memory_mb",
        "used_cpu",
        "used_memory_mb",
    )
    told = {"id": "score-x", **dict.fromkeys(amounts, 0), "score_binpack": score, "score_spread": score}

    assert Ruling.ACCEPTED == judge("scores", told).ruling


def test_a_port_that_is_in_use_cannot_be_offered() -> None:
    told = next(
        dict(each)
        for each in read_recordings("fit-and-score/ports")
        if any(port.get("dynamic") and each["used_ports"][port["HostIP"]] for port in each.get("ports", ()))
    )
    at = next(i for i, port in enumerate(told["ports"]) if port.get("dynamic"))
    changed = deepcopy(told)
    changed["ports"][at]["Value_recorded"] = 22

    assert (f"ports[{at}].Value_recorded", "NET-13") == rejected_at(judge("ports", changed))


def test_an_offer_where_there_must_be_none_is_rejected() -> None:
    told = find("ports", error="no addresses available")
    told["ports"] = []
    del told["error"]

    assert Ruling.REJECTED == judge("ports", told).ruling


def test_a_bad_node_ends_the_recording() -> None:
    told = find("ports")
    told["node"]["ReservedResources"] = {"Networks": {"ReservedHostPorts": "x"}}
    bad = {name: told[name] for name in ("id", "node", "allocs", "ask")}

    assert Ruling.REJECTED == judge("ports", told).ruling
    assert Ruling.ACCEPTED == judge("ports", bad | {"set_node_error": "in other words"}).ruling


def test_what_is_no_recording_is_unreadable_at_its_place() -> None:
    told = find("scores")
    told["node_cpu"] = "many"

    assert "node_cpu" == find_complaint(lambda: judge("scores", told))
