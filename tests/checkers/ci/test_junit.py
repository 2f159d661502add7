"""JUnit XML as the readers of CI expect it: element for element, count for count."""

from xml.etree import ElementTree as ET

from nomadspec.checkers.ci.junit import write_junit
from tests.checkers.ci.cases import make_outcomes

SCHEMA = {
    "testsuites": ({"testsuite"}, {"name", "tests", "failures", "errors", "skipped", "time"}),
    "testsuite": ({"testcase"}, {"name", "tests", "failures", "errors", "skipped", "time"}),
    "testcase": ({"failure", "error", "skipped", "system-out"}, {"classname", "name", "time"}),
    "failure": (set(), {"message"}),
    "error": (set(), {"message"}),
    "skipped": (set(), {"message"}),
    "system-out": (set(), set()),
}
"""The elements that each may hold, and the attributes that it must have."""


def list_faults(element: ET.Element) -> list[str]:
    inner, attributes = SCHEMA[element.tag]
    faults = [f"{element.tag} lacks {name}" for name in attributes - set(element.attrib)]
    faults += [f"{element.tag} holds {child.tag}" for child in element if child.tag not in inner]
    for child in element:
        faults += list_faults(child) if child.tag in SCHEMA else []
    return faults


def test_it_fits_the_schema_whatever_the_names_are() -> None:
    root = ET.fromstring(write_junit(make_outcomes()))

    assert [] == list_faults(root)


def test_a_document_of_another_shape_is_seen() -> None:
    root = ET.fromstring("<testsuites name='x'><testcase/></testsuites>")

    assert {"testsuites holds testcase", "testsuites lacks tests"} <= set(list_faults(root))


def test_the_counts_are_those_of_the_cases() -> None:
    root = ET.fromstring(write_junit(make_outcomes(many=3)))

    assert ("6", "3", "1", "1") == tuple(root.attrib[n] for n in ("tests", "failures", "errors", "skipped"))
    for suite in root:
        assert int(suite.attrib["tests"]) == len(suite)
        assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure"))


def test_what_is_wrong_is_told_with_its_place_and_command() -> None:
    root = ET.fromstring(write_junit(make_outcomes("plain")))
    case = root.find("testsuite/testcase[failure]")

    assert case is not None
    assert ("plain/x.py", "7") == (case.attrib["file"], case.attrib["line"])
    assert "plain\nplain" == case.findtext("failure")


def test_no_control_character_is_left() -> None:
    text = write_junit(make_outcomes())

    assert "\\x1b[31m" in text
    assert not {"\x1b", "\x00", "\u202e", "\ud800"} & set(text)
