"""What is shown where."""

import pytest

from tests.checkers.cli.calling import call


def test_json_is_one_object_without_colour() -> None:
    called = call("models", "--json", "--color", "always")

    assert "nomadspec/models/1" == called.data["schema"]
    assert "\x1b" not in called.out


@pytest.mark.parametrize(
    ("words", "is_terminal", "no_color", "is_coloured"),
    [
        ((), True, "", True),
        ((), False, "", False),
        ((), True, "1", False),
        (("--color", "always"), False, "1", True),
        (("--color", "never"), True, "", False),
    ],
)
def test_colour_is_where_it_is_wanted(
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    is_terminal: bool,
    no_color: str,
    is_coloured: bool,
) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)

    assert is_coloured == ("\x1b[" in call("models", *words, is_terminal=is_terminal).out)
