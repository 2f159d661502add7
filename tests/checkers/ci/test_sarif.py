"""SARIF as code scanning reads it."""

import json

from nomadspec.checkers.ci.sarif import write_sarif
from nomadspec.checkers.written_by import VERSION
from tests.checkers.ci.cases import make_outcomes


def test_only_what_is_wrong_is_a_result() -> None:
    document = json.loads(write_sarif(make_outcomes("plain")))
    (run,) = document["runs"]

    assert "2.1.0" == document["version"]
    assert ("nomadspec", VERSION) == (run["tool"]["driver"]["name"], run["tool"]["driver"]["version"])
    assert [("plain0", "error"), ("unread", "warning")] == [
        (one["ruleId"], one["level"]) for one in run["results"]
    ]


def test_each_result_points_to_its_rule() -> None:
    (run,) = json.loads(write_sarif(make_outcomes(many=3)))["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]

    assert [one["ruleId"] for one in run["results"]] == [rules[one["ruleIndex"]] for one in run["results"]]


def test_each_rule_says_its_name_in_words() -> None:
    (run,) = json.loads(write_sarif(make_outcomes("no_two_leaders")))["runs"]

    assert {"text": "no two leaders0"} == run["tool"]["driver"]["rules"][0]["shortDescription"]


def test_a_place_is_a_uri() -> None:
    (run,) = json.loads(write_sarif(make_outcomes("a b#")))["runs"]
    place = run["results"][0]["locations"][0]["physicalLocation"]

    assert {"uri": "a%20b%23/x.py"} == place["artifactLocation"]
    assert {"startLine": 7} == place["region"]


def test_fingerprints_tell_cases_apart() -> None:
    (run,) = json.loads(write_sarif(make_outcomes(many=3)))["runs"]

    assert 4 == len({one["partialFingerprints"]["case/v1"] for one in run["results"]})


def test_no_control_character_is_left() -> None:
    assert not {"\x1b", "\x00", "\u202e", "\ud800"} & set(write_sarif(make_outcomes()))
