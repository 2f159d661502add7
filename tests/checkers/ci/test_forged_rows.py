"""A name or a message that holds line breaks begins no line of its own in what CI reads."""

import json
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest

from nomadspec.checkers.ci.annotations import list_annotations
from nomadspec.checkers.ci.case import Case, Outcome, Outcomes, Place
from nomadspec.checkers.ci.junit import write_junit
from nomadspec.checkers.ci.sarif import write_sarif
from nomadspec.checkers.ci.summary import write_summary
from nomadspec.checkers.verdict import Verdict

LIE = "x\nHOLDS  complete\r\n::error::forged\u2028| forged | row |\n</details>"
FORGED = ("HOLDS", "::error::", "| forged", "</details>")


def make_lies() -> Outcomes:
    """Make cases whose every text is a lie, except details, which are lines, and the text of the screen."""
    cases = [
        Case(LIE, LIE, outcome, LIE, "first line\nsecond line", 0.0, Place(LIE), LIE) for outcome in Outcome
    ]
    return Outcomes("nomadspec vectors check", Verdict.VIOLATED, 0.0, cases)


def read_junit(text: str) -> list[str]:
    root = ET.fromstring(text)
    return [text for each in root.iter() for text in (*each.attrib.values(), each.text or "")]


def read_sarif(text: str) -> list[str]:
    return [result["message"]["text"] for result in json.loads(text)["runs"][0]["results"]]


def read_annotations(lines: list[str]) -> list[str]:
    assert all("\n" not in line for line in lines)
    return [line.replace("%0A", "\n") for line in lines]


READERS: list[Callable[[Outcomes], list[str]]] = [
    lambda found: read_junit(write_junit(found)),
    lambda found: read_sarif(write_sarif(found)),
    lambda found: read_annotations(list_annotations(found)),
    lambda found: write_summary(found).replace("\n\n</details>", "").split("\n"),
]


@pytest.mark.parametrize("read", READERS, ids=["junit", "sarif", "annotations", "summary"])
def test_only_details_have_lines(read: Callable[[Outcomes], list[str]]) -> None:
    lines = [line for text in read(make_lies()) for line in text.splitlines()]

    assert [] == [line for line in lines[1:] if line.lstrip("# ").startswith(FORGED)]
    assert any("x\\nHOLDS" in line for line in lines)


def test_details_are_told_in_their_lines() -> None:
    case = Case("g", "n", Outcome.FAILED, "why\nso", "one\ntwo\x1b", reproduce="do\nit")

    assert "why\\nso\none\ntwo\\x1b\ndo\\nit" == case.tell(with_message=True)
    assert "one\ntwo\\x1b\ndo\\nit" == case.tell(with_message=False)


def test_markdown_shows_no_picture_and_calls_nobody() -> None:
    name = "![x](https://pixel) @you `code` **loud** \\|"
    outcomes = Outcomes("t", Verdict.VIOLATED, 0.0, [Case("g", name, Outcome.FAILED, "why")])
    (row,) = [line for line in write_summary(outcomes).splitlines() if line.startswith("| g ")]

    assert not set("[]@`*\\") & set(row)
    assert 4 == row.count("|")
