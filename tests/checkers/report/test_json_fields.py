"""Reading JSON says where it is wrong."""

from pathlib import Path

import pytest

from nomadspec.checkers.oracle.limits import Limits
from nomadspec.checkers.report.json_fields import Node, read_json, write_file
from nomadspec.model.errors import InputError, UsageError


def node(value: object) -> Node:
    return Node("f.json", "$", value)


def test_a_path_leads_to_each_value() -> None:
    (item,) = node({"steps": [{"rule": "A"}]}).field("steps").items()

    assert "$.steps[0].rule" == item.field("rule").path
    assert "A" == item.field("rule").text()


def test_what_is_null_is_absent() -> None:
    assert node({"a": None}).optional("a") is None


@pytest.mark.parametrize(
    ("read", "sentence"),
    [
        (lambda: node([]).with_fields(), "f.json, at $: an object {...} was expected, not []."),
        (lambda: node({"b": 1}).with_fields("a"), "f.json, at $: 'b' is not a field here; known are a."),
        (lambda: node({}).field("a"), "f.json, at $: the field 'a' is missing."),
        (lambda: node({"a": 1}).field("a").items(), "f.json, at $.a: a list [...] was expected, not 1."),
        (lambda: node(1).text(), 'f.json, at $: a text "..." was expected, not 1.'),
        (lambda: node(True).number(), "f.json, at $: a whole number was expected, not true."),
        (lambda: node(1.5).number(), "f.json, at $: a whole number was expected, not 1.5."),
        (lambda: node(-1).number(0), "f.json, at $: a number of at least 0 was expected, not -1."),
        (
            lambda: node(None).scalar(),
            "f.json, at $: a text, a whole number, true or false was expected, not null.",
        ),
        (lambda: list(node("a").fields()), 'f.json, at $: an object {...} was expected, not "a".'),
        (
            lambda: node("x" * 99).number(),
            f'f.json, at $: a whole number was expected, not "{"x" * 39}....',
        ),
    ],
)
def test_what_does_not_fit_is_said(read: object, sentence: str) -> None:
    assert callable(read)
    with pytest.raises(InputError) as caught:
        read()

    assert sentence == str(caught.value)


def test_the_position_of_a_slip_is_named(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    path.write_text('{"a":\n  oops}')

    with pytest.raises(InputError, match=r"f.json, at line 2, column 3: this is no JSON: "):
        read_json(path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff", "not UTF-8 text"),
        (b"[" * 100_000, "nested more than 100 deep"),
        (b"9" * 6000, "the number 9{40}... is too large"),
    ],
)
def test_what_is_no_text_or_too_deep_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "f.json"
    path.write_bytes(content)

    with pytest.raises(InputError, match=words):
        read_json(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none.json: the file cannot be read"):
        read_json(tmp_path / "none.json")


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot be written"):
        write_file(tmp_path / "file" / "f", b"")


def test_what_is_too_large_too_deep_or_never_ends_is_refused(tmp_path: Path) -> None:
    large, deep = tmp_path / "large.json", tmp_path / "deep.json"
    large.write_text(" " * (1 << 20) + "{}")
    deep.write_text("[" * 6 + "]" * 6)

    with pytest.raises(InputError, match="--max-line"):
        read_json(large, Limits(line_mib=1))
    with pytest.raises(InputError, match="--max-nesting"):
        read_json(deep, Limits(nesting=5))
    with pytest.raises(InputError, match="no ordinary file"):
        read_json(Path("/dev/zero"))
