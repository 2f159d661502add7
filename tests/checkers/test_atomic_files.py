"""A file is whole or not there, and nobody else's."""

import os
import stat
from pathlib import Path

import pytest

from nomadspec.checkers.atomic_files import FOR_ME, replace_whole, write_whole


def test_what_was_there_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "f"
    write_whole(path, b"old")

    def fail(_: object) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        replace_whole(path, fail)
    assert (b"old", [path]) == (path.read_bytes(), list(tmp_path.iterdir()))
    write_whole(path, b"new")
    assert (b"new", [path]) == (path.read_bytes(), list(tmp_path.iterdir()))


@pytest.mark.parametrize(("mode", "wanted"), [(None, 0o644), (FOR_ME, 0o600)])
def test_nobody_else_can_write_it_whatever_the_umask(tmp_path: Path, mode: int | None, wanted: int) -> None:
    before = os.umask(0)
    try:
        write_whole(tmp_path / "f", b"", *([] if mode is None else [mode]))
    finally:
        os.umask(before)

    assert wanted == stat.S_IMODE((tmp_path / "f").stat().st_mode)


def test_a_link_leads_to_the_place_that_it_names(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there" / "f")
    write_whole(tmp_path / "link", b"new")

    assert (tmp_path / "link").is_symlink()
    assert b"new" == (tmp_path / "there" / "f").read_bytes()


def test_what_lies_in_the_way_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "precious").write_bytes(b"precious")
    (tmp_path / "f.part").symlink_to(tmp_path / "precious")
    replace_whole(tmp_path / "f", lambda file: file.write(b"new"))

    assert (b"precious", b"new") == ((tmp_path / "precious").read_bytes(), (tmp_path / "f").read_bytes())


def test_a_pipe_is_written_where_somebody_reads_it(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="No such device"):
        write_whole(pipe, b"to nobody")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, b"told")

    assert b"told" == os.read(reader, 9)
    os.close(reader)
    assert pipe.is_fifo()


def test_what_is_no_file_is_written_as_it_is() -> None:
    write_whole(Path(os.devnull), b"gone")
    with pytest.raises(OSError, match="No space"):
        write_whole(Path("/dev/full"), b"too much")

    assert Path(os.devnull).is_char_device()
