"""Words that no file may hold: unfinished work, and places that only one machine knows."""

import re

import pytest

from tests.tidy.source import ROOT, list_text_files

# Patterns are put together so that this file does not find itself.
BANNED = {
    r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b": "finish it, or write it down in an issue",
    r"(?<![\w.])/(?:home|root|work|tmp|Users)/": "a path of one machine: say it relative to the repository",
    r"(?<![\w./])\.\./(?:shared|\.library)\b": "a path out of the repository: nobody else has it",
}


def find_banned(name: str, text: str) -> list[str]:
    """List the banned words of a text, and what to do about each."""
    return [
        f"{name}:{number}: {match.group()!r}: {advice}"
        for number, line in enumerate(text.splitlines(), 1)
        for pattern, advice in BANNED.items()
        for match in re.finditer(pattern, line)
    ]


def test_no_file_holds_a_banned_word() -> None:
    found = [
        finding
        for path in list_text_files()
        for finding in find_banned(str(path.relative_to(ROOT)), path.read_text())
    ]

    assert not found, "\n".join(found)


@pytest.mark.parametrize("text", ["# TO" + "DO later", "open('/" + "tmp/x')", "see .." + "/shared/x"])
def test_a_banned_word_is_found(text: str) -> None:
    (finding,) = find_banned("x.py", text)

    assert finding.startswith("x.py:1: ")


@pytest.mark.parametrize(
    "text", ["the methods", "https://example.org/home/", "model/tmp/", "../reference/map.md"]
)
def test_an_innocent_word_is_not(text: str) -> None:
    assert [] == find_banned("x.py", text)
