from copy import deepcopy
from functools import partial
from typing import Any

from nomadspec.checkers.oracle.judgement import Ruling
from tests.recorded import assert_accepted, find_complaint, judge_document, judge_recordings, read_recordings

KIND = "deployment-watcher/sequences"


def find_promoted() -> tuple[dict[str, Any], dict[str, Any]]:
    """Copy a recording in which the watcher promotes, and find the operation."""
    for recording in read_recordings(KIND):
        copied = deepcopy(dict(recording))
        for operation in copied["ops"]:
            if operation["op"] != "promote" and [one["call"] for one in operation["calls"]] == [
                "DeploymentPromote"
            ]:
                return copied, operation
    raise AssertionError("no recording has an automatic promotion")


def test_all_recordings_are_accepted() -> None:
    assert_accepted(judge_recordings(KIND))


def test_automatic_promotion_may_be_asked_for_again() -> None:
    recording, operation = find_promoted()
    operation["calls"] *= 3

    judgement = judge_document(KIND, recording)

    assert Ruling.ACCEPTED == judgement.ruling
    assert {"repeated-promotion": 1} == dict(judgement.forgiven)


def test_automatic_promotion_may_not_be_left_out() -> None:
    recording, operation = find_promoted()
    operation["calls"].clear()

    judgement = judge_document(KIND, recording)

    assert Ruling.REJECTED == judgement.ruling
    assert judgement.difference
    assert judgement.difference.path.endswith(".calls[0]")
    assert "DEP-33" == judgement.difference.rule


def test_a_call_at_another_time_is_named() -> None:
    recording, operation = find_promoted()
    operation["calls"][0]["after_ns"] += 1

    judgement = judge_document(KIND, recording)

    assert judgement.difference
    assert judgement.difference.path.endswith(".calls[0].after_ns")


def test_what_cannot_be_set_up_is_named() -> None:
    recording, _ = find_promoted()
    damages: list[dict[str, Any]] = [{"start": "noon"}, {"versions": []}, {"job": {}}]
    for damage in damages:
        place = find_complaint(partial(judge_document, KIND, {**recording, **damage}))

        assert place in {*damage}
