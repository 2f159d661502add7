"""Every object says which program has written it."""

import pytest

import nomadspec
from nomadspec.checkers.written_by import TOOL
from tests.checkers.cli.calling import call


@pytest.mark.parametrize(
    "words",
    [
        ("models", "2pc", "--json"),
        ("explore", "--model", "2pc", "--set", "rms=1", "--json"),
        ("models", "no-such-model", "--json"),
        ("vectors", "check", "tests/recordings/components/gc", "--json"),
    ],
)
def test_every_object_names_the_tool(words: tuple[str, ...]) -> None:
    last = call(*words).out.strip().splitlines()

    assert any(f'"tool": "{TOOL}"' in line for line in last)
    assert f"nomadspec {nomadspec.__version__}" == TOOL
