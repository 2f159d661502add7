"""Cases as JUnit XML, which every CI reads: a suite for each group."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final
from xml.etree import ElementTree as ET

from nomadspec.checkers.ci.case import Case, Outcome, Outcomes
from nomadspec.checkers.escaping import escape_line

_ELEMENTS: Final = {Outcome.FAILED: "failure", Outcome.ERROR: "error", Outcome.SKIPPED: "skipped"}


def write_junit(found: Outcomes) -> str:
    """Write all cases as one document."""
    root = ET.Element("testsuites", _counts(found.title, found.cases, found.seconds))
    ordered = sorted(found.cases, key=lambda case: case.group)
    for group, members in groupby(ordered, key=lambda case: case.group):
        cases = list(members)
        suite = ET.SubElement(root, "testsuite", _counts(group, cases, sum(one.seconds for one in cases)))
        for case in cases:
            _add_case(suite, case)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _counts(name: str, cases: Sequence[Case], seconds: float) -> dict[str, str]:
    counts = {outcome: sum(case.outcome is outcome for case in cases) for outcome in Outcome}
    return {
        "name": escape_line(name),
        "tests": str(len(cases)),
        "failures": str(counts[Outcome.FAILED]),
        "errors": str(counts[Outcome.ERROR]),
        "skipped": str(counts[Outcome.SKIPPED]),
        "time": f"{seconds:.3f}",
    }


def _add_case(suite: ET.Element, case: Case) -> None:
    attributes = {
        "classname": escape_line(case.group),
        "name": escape_line(case.name),
        "time": f"{case.seconds:.3f}",
    }
    if case.place is not None:
        attributes |= {"file": escape_line(case.place.file), "line": str(case.place.line)}
    element = ET.SubElement(suite, "testcase", attributes)
    if case.outcome is not Outcome.PASSED:
        told = ET.SubElement(element, _ELEMENTS[case.outcome], {"message": escape_line(case.message)})
        told.text = case.tell(with_message=False) or None
    elif case.message:
        ET.SubElement(element, "system-out").text = escape_line(case.message)
