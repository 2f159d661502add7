"""JSON is read as strictly as a server does, and what is wrong is told where it stands."""

from pathlib import Path

import pytest

from nomadspec.checkers.oracle.reading import read_document, scan_lines
from nomadspec.checkers.oracle.strict_json import parse_json
from nomadspec.model.errors import UnreadableError

MARKED = "this is no JSON: it begins with a byte order mark; save it as UTF-8 without one."

NAMELESS = "Expecting property name enclosed in double quotes."
TOO_DEEP = "f.json: lists and objects are nested more than 100 deep; allow more with --max-nesting NUMBER."


def refuse(text: str, at: str = "", root: str = "") -> str:
    with pytest.raises(UnreadableError) as caught:
        parse_json(text, "f.json", at, root=root)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"a": 1, "b": 2, "a": 1}', "f.json: the member 'a' is there twice; write it once."),
        (
            '{"ops": [{}, {"a": {"x": 1, "x": 1}}]}',
            "f.json, at ops[1].a: the member 'x' is there twice; write it once.",
        ),
        ('{"a": NaN}', "f.json, at a: NaN is no number of JSON; write a number such as 12 or 0.5."),
        (
            "[1, -Infinity]",
            "f.json, at [1]: -Infinity is no number of JSON; write a number such as 12 or 0.5.",
        ),
        ('{"a": 1e999}', "f.json, at a: the number 1e999 is too large; write a smaller one."),
        ("9" * 5000, f"f.json: the number {'9' * 40}... is too large; write a smaller one."),
        ('{"a":\n  oops}', "f.json, at line 2, column 3: this is no JSON: Expecting value."),
        ('{"a": NaN, oops}', "f.json, at line 1, column 12: this is no JSON: " + NAMELESS),
        ('{"a": 1, "a": {}}9', "f.json, at line 1, column 18: this is no JSON: Extra data."),
        ("[NaN, " + "[" * 5000, TOO_DEEP),
        ("[NaN, " + "[" * 200 + "]" * 201, TOO_DEEP),
        ("\ufeff{}", f"f.json, at line 1, column 1: {MARKED}"),
        ('["a', "f.json, at line 1, column 2: this is no JSON: Unterminated string."),
        ("[" * 100_000, TOO_DEEP),
    ],
)
def test_what_only_python_reads_is_told_in_a_sentence(text: str, sentence: str) -> None:
    assert sentence == refuse(text)


def test_the_first_of_many_flaws_is_told() -> None:
    assert refuse('{"a": [NaN, {"x": 1, "x": 2}], "b": Infinity}').startswith("f.json, at a[0]: NaN is no")


def test_a_line_and_a_root_stand_before_the_way() -> None:
    assert refuse('{"a": NaN}', "line 7", "$").startswith("f.json, at line 7, $.a: NaN is no number")
    assert refuse("{", "line 7", "$").startswith("f.json, at line 7, column 2: this is no JSON")


@pytest.mark.parametrize("half", [r"\ud800", r"\uDC00", r"\ud83d x", r"\\\udfff", r"\ude00\ud83d"])
def test_half_a_character_is_refused_where_it_stands(tmp_path: Path, half: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(f'{{}}\n{{"name": "{half}"}}\n')
    column = 11 + 2 * half.startswith(r"\\")

    first, second = scan_lines(path)

    assert not isinstance(first, UnreadableError)
    assert f"{path}, at line 2, column {column}: this holds half a character: \\u" in str(second)
    with pytest.raises(UnreadableError, match=rf"x\.json, at line 2, column {column}: this holds half"):
        read_document(path)


def test_two_halves_and_escaped_backslashes_are_text() -> None:
    assert {"a": "\U0001f600", "b": r"\ud800"} == parse_json(r'{"a": "\ud83d\uDE00", "b": "\\ud800"}', "f")
