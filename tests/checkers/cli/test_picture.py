"""Where pictures go."""

from pathlib import Path

from tests.checkers.cli.calling import call
from tests.checkers.cli.schemas import check_output


def test_a_png_does_not_go_to_a_terminal() -> None:
    called = call("diagram", "node", "--format", "png", is_terminal=True)

    assert (2, b"") == (called.code, called.raw)
    assert "write it to a file with -o FILE" in called.err


def test_a_file_is_written_and_said(tmp_path: Path) -> None:
    called = call("diagram", "node", "--format", "dot", "-o", tmp_path / "node.dot")

    assert (0, b"") == (called.code, called.raw)
    assert "wrote " in called.err
    assert (tmp_path / "node.dot").read_text().startswith("digraph")


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    called = call("diagram", "node", "-o", tmp_path / "file" / "node.mmd")

    assert 2 == called.code
    assert "node.mmd cannot be written (Not a directory)" in called.err


def test_json_says_what_was_written(tmp_path: Path) -> None:
    data = call("diagram", "node", "--json", "-o", tmp_path / "n").data

    check_output(data)
    assert str(tmp_path / "n") == data["file_written"]
    assert data["content"] == (tmp_path / "n").read_text()
