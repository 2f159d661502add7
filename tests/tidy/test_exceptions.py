"""Every exception to a lint or to the types stands beside its reason."""

import re

import pytest

from tests.tidy.source import ROOT, Source, list_all_sources

# Named apart so that this file does not find itself.
LINT, TYPES = "no" + "qa", "type: ig" + "nore"
MARK = re.compile(rf"#\s*(?:{LINT}|{TYPES})[:\s]*\[?[A-Za-z0-9, -]*?\]?(?:\s+(?:#|-+)\s*(?P<why>.+))?$")
RULE = re.compile(r'^\s+"[A-Z]+[0-9]*",')
MIN_WORDS = 2


def find_unexplained(source: Source) -> list[str]:
    """List the exceptions of a file that do not say why."""
    return [
        f"{source.path}:{number}: add the reason behind the codes: `{line.strip()[-60:]} - because ...`"
        for number, line in enumerate(source.text.splitlines(), 1)
        for mark in MARK.finditer(line)
        if len((mark["why"] or "").split()) < MIN_WORDS
    ]


def list_ruff_exceptions() -> list[str]:
    """List the lines of pyproject.toml that switch a rule off."""
    section = (ROOT / "pyproject.toml").read_text().partition("[tool.ruff.lint]")[2]
    until = section.partition("[tool.ruff.lint.flake8")[0]
    return [line for line in until.splitlines() if RULE.match(line)]


def test_every_exception_in_the_code_has_a_reason() -> None:
    found = [finding for source in list_all_sources() for finding in find_unexplained(source)]

    assert not found, "\n".join(found)


def test_every_exception_in_the_configuration_has_a_reason() -> None:
    assert list_ruff_exceptions()
    assert [] == [line for line in list_ruff_exceptions() if " # " not in line]


@pytest.mark.parametrize("mark", [f"{LINT}: E501", LINT, f"{TYPES}[arg-type]", f"{LINT}: E501 - long"])
def test_a_silent_exception_is_found(mark: str) -> None:
    assert 1 == len(find_unexplained(Source("m.py", f"x = 1  # {mark}")))


@pytest.mark.parametrize(
    "mark",
    [
        f"{LINT}: E501, D100 - a table reads best in long lines",
        f"{LINT}: E501 -- a table reads best in long lines",
        f"{TYPES}[arg-type]  # the stubs are wrong here",
    ],
)
def test_an_explained_exception_is_not(mark: str) -> None:
    assert [] == find_unexplained(Source("m.py", f"x = 1  # {mark}"))
