"""Text from inputs is shown, and never obeyed."""

import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomadspec.checkers.escaping import (
    escape_line,
    escape_lines,
    escape_markup,
    escape_screen,
    join_words,
    write_json,
)

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2K\raccepted", "\\x1b[2K\\raccepted"),
        ("a\nb\tc", "a\\nb\\tc"),
        ("\u202eabc\u2066", "\\u202eabc\\u2066"),
        ("\x9b31m\x7f", "\\x9b31m\\x7f"),
        ("half \udc80", "half \\udc80"),
        ("Grüße 東京 👍", "Grüße 東京 👍"),
    ],
)
def test_what_would_be_obeyed_is_spelled_out(text: str, shown: str) -> None:
    assert shown == escape_line(text)


@given(ANY_TEXT)
def test_nothing_but_lines_is_left_to_obey(text: str) -> None:
    assert escape_line(text).isprintable()
    assert escape_lines(text).replace("\n", "").isprintable()
    assert escape_markup(text).isprintable()


def test_only_the_colours_of_this_program_reach_a_terminal() -> None:
    assert "\x1b[31m\x1b[1mno\x1b[0m\n\\x1b[8mhidden" == escape_screen(
        "\x1b[31m\x1b[1mno\x1b[0m\n\x1b[8mhidden"
    )


def test_markup_is_text() -> None:
    assert "&lt;b&gt;&amp;&quot;<br/>x" == escape_markup('<b>&"\nx')


@given(st.dictionaries(ANY_TEXT, ANY_TEXT | st.integers() | st.none()), st.sampled_from([None, 2]))
def test_json_says_the_same_in_what_can_be_shown(value: dict[str, object], indent: int | None) -> None:
    text = write_json(value, indent)

    assert text.replace("\n", "").isprintable()
    assert json.dumps(json.loads(text)) == json.dumps(value)


def test_a_command_is_one_line_that_a_shell_reads_as_the_same_words(tmp_path: Path) -> None:
    words = ["show", "a b", "x'y", "$(touch pwned)", "; touch pwned #", "back\\slash\\n", "", "`touch pwned`"]
    words += [f"{word}\n\x1b[2K\u202e\U000e0001'\\0f" for word in words]
    line = join_words(words)
    done = subprocess.run(
        ["bash", "-c", f"printf '%s\\0' {line}"],  # noqa: S607 -- whichever is there
        check=True,
        capture_output=True,
        cwd=tmp_path,
        env={"LC_ALL": "C.UTF-8"},
    )

    assert line.isprintable()
    assert [*words, ""] == done.stdout.decode().split("\0")
    assert [] == list(tmp_path.iterdir())


def test_words_without_anything_odd_are_written_as_they_are() -> None:
    assert "nomadspec explore --model 'my model.py:M'" == join_words(
        ["nomadspec", "explore", "--model", "my model.py:M"]
    )
