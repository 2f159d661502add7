from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import pytest

from nomadspec.checkers.oracle.judgement import Judgement, Ruling
from tests.recorded import assert_accepted, find_complaint, judge_document, judge_recordings, read_recordings

ADMISSION = "job-admission/admission"
ALL_KINDS = (
    ADMISSION,
    "job-admission/api-defaults",
    "job-admission/job-update",
    "job-admission/spec-changed",
)


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_all_recordings_are_accepted(kind: str) -> None:
    assert_accepted(judge_recordings(kind))


def make(**change: Any) -> dict[str, Any]:
    """A job that is refused for two reasons, of which the server's wording of the second is not known."""
    group = {
        "Name": "g",
        "Count": 1,
        "Tasks": [{"Name": "t", "Driver": "exec", "LogConfig": {"MaxFiles": 1, "MaxFileSizeMB": 1}}],
    }
    job = {"ID": "a", "Name": "a", "Type": "batch", "TaskGroups": [group], "Payload": "eA=="}
    return {
        "id": "adm-x",
        "type": "batch",
        "bare": True,
        "changes": [],
        "job": job,
        "accepted": False,
        "error": "2 errors occurred:\n\t* in other words\n\t* Missing job region\n\n",
        **change,
    }


def judge(document: Mapping[str, Any]) -> Judgement:
    return judge_document(ADMISSION, document)


def test_a_wording_that_no_rule_gives_is_remarked_and_not_rejected() -> None:
    judgement = judge(make())

    assert Ruling.ACCEPTED is judgement.ruling
    assert ("worded otherwise: in other words",) == judgement.notes


@pytest.mark.parametrize(
    "error",
    [
        "2 errors occurred:\n\t* in other words\n\t* Missing job name\n\n",
        "2 errors occurred:\n\t* in other words\n\n",
        "3 errors occurred:\n\t* in other words\n\t* Missing job region\n\n",
        "3 errors occurred:\n\t* in other words\n\t* more\n\t* Missing job region\n\n",
        "",
    ],
)
def test_a_text_that_a_rule_gives_is_exact(error: str) -> None:
    judgement = judge(make(error=error))

    assert Ruling.REJECTED is judgement.ruling
    assert judgement.difference is not None
    assert ("error", "JOB-02") == (judgement.difference.path, judgement.difference.rule)


def test_a_refusal_is_exact() -> None:
    judgement = judge(make(accepted=True, result={}, warnings=[]))

    assert judgement.difference is not None
    assert "accepted" == judgement.difference.path


def test_a_field_that_nobody_knows_is_remarked() -> None:
    job = {**make()["job"], "Colour": "red"}

    assert any("Colour" in note for note in judge(make(job=job)).notes)


def test_a_recording_of_another_shape_is_unreadable() -> None:
    document = make()
    del document["job"]

    assert "line 1" == find_complaint(lambda: judge(document))


def test_a_job_of_another_shape_is_unreadable_in_its_place() -> None:
    assert "Priority" == find_complaint(lambda: judge(make(job={"Priority": "high"})))


@pytest.mark.parametrize(
    ("path", "rule"),
    [(("Priority",), "OBJ-031"), (("TaskGroups", 0, "Tasks", 0, "KillTimeout"), "OBJ-120")],
)
def test_a_difference_names_the_rule(path: tuple[str | int, ...], rule: str) -> None:
    document = deepcopy(next(one for one in read_recordings(ADMISSION) if one["accepted"]))
    inner: Any = document["result"]
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] += 1
    judgement = judge(document)

    assert judgement.difference is not None
    assert rule == judgement.difference.rule
