"""What is fed to the oracle is bounded, and each bound is told with the option that raises it."""

import gzip
import os
from pathlib import Path

import pytest

from nomadspec.checkers.oracle.limits import Limits, is_nested_deeper
from nomadspec.checkers.oracle.reading import Line, read_document, read_lines, scan_lines
from nomadspec.model.errors import UnreadableError

MIB = 1 << 20


def complain(path: Path, limits: Limits) -> list[str]:
    return [str(line) for line in scan_lines(path, limits) if not isinstance(line, Line)]


def test_a_line_that_is_too_long_does_not_hide_the_next(tmp_path: Path) -> None:
    path = tmp_path / "x.ndjson"
    path.write_text('{"a": "' + "x" * (2 * MIB) + '"}\n{"b": 1}\n')

    first, second = scan_lines(path, Limits(line_mib=1))

    assert f"{path}, at line 1: this line is longer than 1 MiB; allow more with --max-line MIB." == str(first)
    assert isinstance(second, Line)
    assert {"b": 1} == second.document


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "x.ndjson.gz"
    path.write_bytes(gzip.compress(b" " * (8 * MIB)))

    assert [f"{path}: it holds more than 2 MiB, unpacked; allow more with --max-file MIB."] == complain(
        path, Limits(line_mib=1, file_mib=2)
    )


def test_a_file_that_is_too_large_is_not_begun(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.touch()
    os.truncate(path, 3 * MIB)

    with pytest.raises(UnreadableError, match="--max-file"):
        read_document(path, Limits(file_mib=2))


def test_too_many_lines_are_told_after_those_that_fit(tmp_path: Path) -> None:
    path = tmp_path / "x.ndjson"
    path.write_text("{}\n{}\n{}\n")
    limits = Limits(entries=2)

    assert 2 == sum(isinstance(line, Line) for line in scan_lines(path, limits))
    assert [
        f"{path}, at line 3: there are more than 2 lines in it; allow more with --max-entries NUMBER."
    ] == complain(path, limits)
    assert 3 == len([*read_lines(path, Limits(entries=3))])


@pytest.mark.parametrize("depth", [4, 100_000])
def test_what_is_nested_too_deep_is_told(tmp_path: Path, depth: int) -> None:
    path = tmp_path / "x.ndjson"
    path.write_text('{"a": ' + "[" * depth + "]" * depth + "}\n")

    problem = "lists and objects are nested more than 3 deep"
    assert [f"{path}, at line 1: {problem}; allow more with --max-nesting NUMBER."] == complain(
        path, Limits(nesting=3)
    )


def test_depth_is_counted_in_lists_and_objects() -> None:
    tree = {"a": [{"b": 1}, 2]}

    assert (True, False) == (is_nested_deeper(tree, 2), is_nested_deeper(tree, 3))
    assert not is_nested_deeper(5, 0)


def test_what_never_ends_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "x.ndjson"
    os.mkfifo(pipe)

    for path in (pipe, Path("/dev/zero")):
        assert [
            f"{path}: it is no ordinary file, so that it may never end; write what it gives to a file first."
        ] == complain(path, Limits())


def test_a_document_is_as_long_as_a_line_may_be(tmp_path: Path) -> None:
    long, wide = tmp_path / "long.json", tmp_path / "wide.json"
    long.write_text("[\n" + "1,\n" * MIB + "1]")
    wide.write_text("[" + "1," * MIB + "1]")

    for path in (long, wide):
        with pytest.raises(
            UnreadableError, match="one document of more than 1 MiB; allow more with --max-line"
        ):
            read_document(path, Limits(line_mib=1, entries=2 * MIB))
