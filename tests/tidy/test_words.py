"""Words that no file may hold: unfinished work, and places that only one machine knows."""

import re

import pytest

from nomadspec.checkers.model_findings import list_findings
from nomadspec.invariants.catalogue import find_model
from tests.tidy.source import ROOT, list_text_files

# Patterns are put together so that this file does not find itself.
UNFINISHED = ("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK")
PLACES = tuple(f"/{name}/" for name in ("home", "root", "work", "tmp", "Users"))
OUTSIDE = tuple(f"../{name}" for name in ("shared", ".library"))
BANNED = {
    UNFINISHED: (r"\b(?:{})\b", "finish it, or write it down in an issue"),
    PLACES: (r"(?<![\w.])(?:{})", "a path of one machine: say it relative to the repository"),
    OUTSIDE: (r"(?<![\w./])(?:{})\b", "a path out of the repository: nobody else has it"),
}
"""Words, how they stand where they are banned, and what to do instead; few files hold any of them."""


def find_banned(name: str, text: str) -> list[str]:
    """List the banned words of a text, and what to do about each."""
    suspects = [
        (pattern.format("|".join(map(re.escape, words))), advice)
        for words, (pattern, advice) in BANNED.items()
        if any(word in text for word in words)
    ]
    return [
        f"{name}:{number}: {match.group()!r}: {advice}"
        for number, line in enumerate(text.splitlines() if suspects else (), 1)
        for pattern, advice in suspects
        for match in re.finditer(pattern, line)
    ]


RETIRED = re.compile(
    r"\b(?:rollouts?|gangs?|overfull|silen(?:t|ce)|strikes|misfits?|chores|doom(?:ed)?|supersed(?:ed|es)|victims?|foes?"
    r"|under_way|followers?|amends?|occasions?|steer(?:ed|s)?)\b|(?:^|_)(?:who|what)_"
)
"""What the kernel said before it said it in Nomad's words: docs/concepts/glossary.md."""


RETIRED_IN_PROSE = (
    r"\b(?:rollouts?|gangs?|overfull|silen(?:t|ce)|strikes|misfits?|chores|doom(?:ed)?|victims?|foes?"
    r"|under way|followers?|amend(?:s|ed)?|occasions?|steer(?:ed|s)?|urgent|urgency|takeovers?"
    r"|dr(?:ive|ives|iven|ove) out|hears?|heard|held against|take[ns]? over in place|core work|grows? in"
    r"|giv(?:e|es|en) up|roll(?:s|ed)? out|closed)\b"
)
"""The same in sentences, where a few of these names are words like others."""


def find_retired(name: str) -> str | None:
    """Find a retired word in a name of the kernel: one of its words, or one that begins a clause."""
    found = RETIRED.search(name) or RETIRED.search(name.replace("_", " ").replace("-", " "))
    return found.group() if found else None


def list_kernel_sentences() -> list[str]:
    """List what people read as sentences of the kernel: of rules, properties, scopes, fields and findings."""
    kernel = find_model("kernel")
    return [
        *(one.about for one in (*kernel.world.schema.fields, *kernel.world.schema.sizes)),
        *(one.text.__doc__ or "" for one in kernel.rules),
        *(one.text.__doc__ or "" for one in kernel.properties),
        *(one.why for one in kernel.properties),
        *(one.why for one in kernel.scopes),
        *(" ".join((one.title, one.happens, *one.conditions)) for one in list_findings("kernel")),
    ]


def list_kernel_names() -> list[str]:
    """List what people read as names in the kernel: rules, properties, scopes, fields and sizes."""
    kernel = find_model("kernel")
    frame = kernel.at("reference").frame
    return [
        *(one.name for one in kernel.rules),
        *(one.name for one in kernel.properties),
        *(one.name for one in kernel.scopes),
        *frame.placed,
        *kernel.at("reference").sizes,
    ]


def test_no_name_of_the_kernel_is_a_retired_word() -> None:
    assert {} == {name: word for name in list_kernel_names() if (word := find_retired(name))}


def test_no_sentence_of_the_kernel_has_a_retired_word() -> None:
    retired = re.compile(RETIRED_IN_PROSE, re.IGNORECASE)
    found = {said: match.group() for said in list_kernel_sentences() if (match := retired.search(said))}

    assert {} == found


@pytest.mark.parametrize(
    "name", ["what_is_over_stays_over", "no_node_is_overfull", "steer_rollout", "gang-entry"]
)
def test_a_retired_word_is_found(name: str) -> None:
    assert find_retired(name)


def test_docs_of_predicates_say_while_what_they_are_true() -> None:
    said = re.compile(r'"""Say ' + r"that\b")

    assert [] == [str(path) for path in list_text_files() if said.search(path.read_text())]


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
