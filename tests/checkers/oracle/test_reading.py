"""Reading files of recordings."""

from pathlib import Path

import pytest

from nomadspec.checkers.oracle.reading import find_file, read_document, read_lines, scan_lines, stem_of
from nomadspec.model.errors import InputError


@pytest.mark.parametrize(
    "name", ["cases.ndjson", "cases.ndjson.gz", "cases.ndjson.xz", "cases.json", "cases"]
)
def test_a_bare_name_tells_neither_format_nor_packing(name: str) -> None:
    assert "cases" == stem_of(Path("x") / name)


def test_a_packed_file_stands_for_the_plain_one(tmp_path: Path) -> None:
    assert find_file(tmp_path, "log") is None

    (tmp_path / "log.xz").touch()
    assert tmp_path / "log.xz" == find_file(tmp_path, "log")

    (tmp_path / "log").touch()
    assert tmp_path / "log" == find_file(tmp_path, "log")


def test_large_numbers_stay_exact(tmp_path: Path) -> None:
    path = tmp_path / "x.ndjson"
    path.write_text('{"id": 9007199254740993}\n')

    (line,) = read_lines(path)

    assert (2**53 + 1, "9007199254740993", 1) == (line.document["id"], line.id, line.number)


def test_a_reader_of_all_lines_stops_at_a_broken_one(tmp_path: Path) -> None:
    path = tmp_path / "x.ndjson"
    path.write_text('{}\n{"a"}\n')

    with pytest.raises(InputError, match=r"x\.ndjson, at line 2, column 5: this is no JSON"):
        list(read_lines(path))


def test_what_is_no_text_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "x.ndjson"
    path.write_bytes(b"{}\n\xff\n{}\r\n")

    first, second, third = scan_lines(path)

    assert not isinstance(first, InputError)
    assert isinstance(second, InputError)
    assert "line 2: it is damaged" in str(second)
    assert not isinstance(third, InputError)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (told,) = scan_lines(tmp_path)

    assert "it cannot be read: Is a directory" in str(told)


def test_a_document_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"a":\n1}')
    assert {"a": 1} == read_document(path)

    path.write_text("{")
    with pytest.raises(InputError, match="this is no JSON"):
        read_document(path)
